import JSONText

/// A way from one kind of value to another, and back.
///
/// ```swift
/// let cents = Conversion<JSON, Int>.int.then(decode: { Price(cents: $0) }, encode: { $0.cents })
/// let price = try cents.decode(1250)   // Price(cents: 1250)
/// let json = try cents.encode(price)   // 1250
/// ```
///
/// Chains run backwards when encoding. Both directions throw: a `MappingIssue` or `ValidationError` is reported as it is, every other
/// error as `conversionFailed`. The presets are strict; lenient ones have it in their name.
public struct Conversion<Input, Output>: Sendable {
    /// Whether it is asked for missing and null values, too, and may give one.
    public let handlesAbsent: Bool

    let decoding: @Sendable (Input?, MappingContext) throws -> Output?
    let encoding: @Sendable (Output, MappingContext) throws -> Input

    /// How a value goes into an archive when its type is not `Codable`.
    var archiving: Archiving<Output>?

    /// Which strict preset it is; nil for every other conversion.
    var preset: ScalarPreset?

    init(
        handlesAbsent: Bool = false, archiving: Archiving<Output>? = nil,
        decoding: @escaping @Sendable (Input?, MappingContext) throws -> Output?,
        encoding: @escaping @Sendable (Output, MappingContext) throws -> Input
    ) {
        self.handlesAbsent = handlesAbsent
        self.archiving = archiving
        self.decoding = decoding
        self.encoding = encoding
    }

    /// A conversion of present values. Nil from `decode` means that there is no value.
    public init(
        decode: @escaping @Sendable (Input) throws -> Output?, encode: @escaping @Sendable (Output) throws -> Input
    ) {
        self.init(
            decoding: { input, _ in try input.flatMap(decode) },
            encoding: { output, _ in try encode(output) })
    }

    /// A conversion for one direction: encoding throws `conversionFailed`.
    public init(decode: @escaping @Sendable (Input) throws -> Output?) {
        self.init(decode: decode, encode: { _ in throw MappingIssue.oneWay })
    }

    /// A conversion that is asked for missing values, too, with nil.
    public init(
        handlingAbsent decode: @escaping @Sendable (Input?) throws -> Output?,
        encode: @escaping @Sendable (Output) throws -> Input
    ) {
        self.init(
            handlesAbsent: true,
            decoding: { input, _ in try decode(input) },
            encoding: { output, _ in try encode(output) })
    }

    /// The converted value; nil when the conversion gives none.
    ///
    /// When it throws, no instance that a schema inside of it found has changed.
    public func decode(_ input: Input?) throws -> Output? {
        let context = MappingContext()
        return try context.undoingFailure { try decode(input, context) }
    }

    /// The value in the original form.
    public func encode(_ output: Output) throws -> Input {
        try encoding(output, MappingContext())
    }

    func decode(_ input: Input?, _ context: MappingContext) throws -> Output? {
        if input == nil, !handlesAbsent { return nil }
        return try decoding(input, context)
    }
}

// MARK: - Combining

extension Conversion {
    /// This conversion and then the next one; encoding runs through both backwards.
    public func then<Next>(_ next: Conversion<Output, Next>) -> Conversion<Input, Next> {
        Conversion<Input, Next>(
            handlesAbsent: handlesAbsent || next.handlesAbsent,
            decoding: { try next.decode(self.decode($0, $1), $1) },
            encoding: { try self.encoding(next.encoding($0, $1), $1) })
    }

    /// This conversion and then two closures.
    public func then<Next>(
        decode: @escaping @Sendable (Output) throws -> Next?, encode: @escaping @Sendable (Next) throws -> Output
    ) -> Conversion<Input, Next> {
        then(Conversion<Output, Next>(decode: decode, encode: encode))
    }

    /// This conversion and then a closure, for one direction.
    public func then<Next>(decode: @escaping @Sendable (Output) throws -> Next?) -> Conversion<Input, Next> {
        then(Conversion<Output, Next>(decode: decode))
    }

    /// The same, with a value in place of text or raw values that mean nothing. A value of the wrong type stays an issue.
    public func fallback(_ value: Output) -> Conversion where Output: Sendable {
        recovering { error in
            let issues = ValidationError.issues(of: error, kind: .conversionFailed, expected: "", found: "")
            guard issues.allSatisfy({ $0.kind == .conversionFailed || $0.kind == .invalidValue }) else { throw error }
            return value
        }
    }

    /// This conversion, or where it fails another one; where both fail, what this one says. For values that come in several forms.
    ///
    /// At most one of the two should contain itself: where both do, bad input costs twice the time for each level of nesting.
    public func or(_ other: Conversion) -> Conversion {
        Conversion(
            handlesAbsent: handlesAbsent, archiving: archiving,
            decoding: { input, context in
                do { return try context.undoingFailure { try self.decode(input, context) } } catch {
                    guard let output = try? context.undoingFailure({ try other.decode(input, context) }) else { throw error }
                    return output
                }
            },
            encoding: { output, context in
                do { return try self.encoding(output, context) } catch {
                    guard let input = try? other.encoding(output, context) else { throw error }
                    return input
                }
            })
    }

    /// The same, with no value in place of any failure.
    public var lossy: Conversion { recovering { _ in nil } }

    /// The same, with a value in place of a missing one.
    public func whenAbsent(_ value: @escaping @Sendable () throws -> Output) -> Conversion {
        Conversion(
            handlesAbsent: true, archiving: archiving,
            decoding: { input, context in
                if input != nil, let output = try self.decode(input, context) { return output }
                return try value()
            },
            encoding: encoding)
    }

    private func recovering(_ recover: @escaping @Sendable (any Error) throws -> Output?) -> Conversion {
        Conversion(
            handlesAbsent: handlesAbsent, archiving: archiving,
            decoding: { input, context in
                do { return try context.undoingFailure { try self.decode(input, context) } } catch { return try recover(error) }
            },
            encoding: encoding)
    }
}

extension MappingIssue {
    fileprivate static var oneWay: MappingIssue {
        MappingIssue(
            .conversionFailed, expected: "a conversion for both directions", found: "one for decoding alone", advice: "give it `encode`")
    }
}
