import JSONText

/// Converts values of one type to values of another type, and back.
///
/// ```swift
/// let cents = Conversion<JSON, Int>.int.then(decode: { Price(cents: $0) }, encode: { $0.cents })
/// let price = try cents.decode(1250)   // Price(cents: 1250)
/// let json = try cents.encode(price)   // 1250
/// ```
///
/// Encoding runs a chain of conversions backwards. Both directions can throw. A `MappingIssue` or `ValidationError` is reported as it is,
/// and any other error as `conversionFailed`. Presets are strict, unless their name contains `lenient`.
public struct Conversion<Input, Output>: Sendable {
    /// Whether the conversion is also called for missing and null values, and can provide a value for them.
    public let handlesAbsent: Bool

    let decoding: @Sendable (Input?, MappingContext) throws -> Output?
    let encoding: @Sendable (Output, MappingContext) throws -> Input

    /// How to archive a value when its type is not `Codable`.
    var archiving: Archiving<Output>?

    /// The strict preset that this conversion is, or nil for any other conversion.
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

    /// Creates a conversion of present values. If `decode` returns nil, there is no value.
    public init(
        decode: @escaping @Sendable (Input) throws -> Output?, encode: @escaping @Sendable (Output) throws -> Input
    ) {
        self.init(
            decoding: { input, _ in try input.flatMap(decode) },
            encoding: { output, _ in try encode(output) })
    }

    /// Creates a conversion that only decodes. Encoding throws `conversionFailed`.
    public init(decode: @escaping @Sendable (Input) throws -> Output?) {
        self.init(decode: decode, encode: { _ in throw MappingIssue.oneWay })
    }

    /// Creates a conversion that is also called for missing and null values, with nil.
    public init(
        handlingAbsent decode: @escaping @Sendable (Input?) throws -> Output?,
        encode: @escaping @Sendable (Output) throws -> Input
    ) {
        self.init(
            handlesAbsent: true,
            decoding: { input, _ in try decode(input) },
            encoding: { output, _ in try encode(output) })
    }

    /// Returns the converted value, or nil when the conversion provides none.
    ///
    /// When this method throws, it undoes the changes that nested schemas made to existing instances.
    public func decode(_ input: Input?) throws -> Output? {
        let context = MappingContext()
        return try context.undoingFailure { try decode(input, context) }
    }

    /// Returns the value in the original form. Throws the error of the conversion, such as a `MappingIssue`.
    public func encode(_ output: Output) throws -> Input {
        try encoding(output, MappingContext())
    }

    /// Returns the converted value, or nil when the conversion provides none. For a conversion that handles absent values, null is absent.
    func decode(_ input: Input?, _ context: MappingContext) throws -> Output? {
        guard let input, !(handlesAbsent && (input as? JSON)?.isNull == true) else {
            return handlesAbsent ? try decoding(nil, context) : nil
        }
        return try decoding(input, context)
    }
}

// MARK: - Combining

extension Conversion {
    /// Returns a conversion that applies this conversion and then `next`. Encoding applies them in reverse order.
    public func then<Next>(_ next: Conversion<Output, Next>) -> Conversion<Input, Next> {
        Conversion<Input, Next>(
            handlesAbsent: handlesAbsent || next.handlesAbsent, archiving: archiving?.then(next),
            decoding: { try next.decode(self.decode($0, $1), $1) },
            encoding: { try self.encoding(next.encoding($0, $1), $1) })
    }

    /// Returns a conversion that applies this conversion and then two closures.
    public func then<Next>(
        decode: @escaping @Sendable (Output) throws -> Next?, encode: @escaping @Sendable (Next) throws -> Output
    ) -> Conversion<Input, Next> {
        then(Conversion<Output, Next>(decode: decode, encode: encode))
    }

    /// Returns a conversion that applies this conversion and then a closure. It only decodes.
    public func then<Next>(decode: @escaping @Sendable (Output) throws -> Next?) -> Conversion<Input, Next> {
        then(Conversion<Output, Next>(decode: decode))
    }

    /// Returns a conversion that uses `value` when this one fails with `conversionFailed` or `invalidValue`. A value of the wrong type is
    /// still an issue.
    public func fallback(_ value: Output) -> Conversion where Output: Sendable {
        recovering { error in
            let issues = ValidationError.issues(of: error, kind: .conversionFailed, expected: "", found: "")
            guard issues.allSatisfy({ $0.kind == .conversionFailed || $0.kind == .invalidValue }) else { throw error }
            return value
        }
    }

    /// Returns a conversion that tries this conversion and then `other`, for values with several forms. If both fail, it throws the error
    /// of this one. An object that is nested too deeply for the stack is always an issue. If only `other` handles absent values, it is asked
    /// for missing values and for null.
    ///
    /// Only one of the two conversions should be recursive. If both are, each level of nesting in invalid input doubles the time.
    public func or(_ other: Conversion) -> Conversion {
        Conversion(
            handlesAbsent: handlesAbsent || other.handlesAbsent, archiving: archiving,
            decoding: { input, context in
                guard input != nil || handlesAbsent else { return try other.decode(nil, context) }
                return try Self.first(
                    { try context.undoingFailure { try self.decode(input, context) } },
                    or: { try context.undoingFailure { try other.decode(input, context) } })
            },
            encoding: { output, context in
                try Self.first(
                    { try context.undoingFailure { try self.encoding(output, context) } }, or: { try other.encoding(output, context) })
            })
    }

    /// Returns the result of the first step, or that of the second one if the first one fails. If both fail, throws the first error, unless
    /// the second one is about a value that is nested too deeply.
    private static func first<Result>(_ first: () throws -> Result, or second: () throws -> Result) throws -> Result {
        do { return try first() } catch let failure where !ValidationError.isTooDeep(failure) {
            do { return try second() } catch { throw ValidationError.isTooDeep(error) ? error : failure }
        }
    }

    /// A conversion that returns nil when this one fails, except for an object that is nested too deeply for the stack.
    public var lossy: Conversion { recovering { _ in nil } }

    /// Returns a conversion that uses the closure's result for a missing value and for null.
    ///
    /// When a schema applies JSON to an existing value, a missing member still leaves its property unchanged.
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
                do { return try context.undoingFailure { try self.decode(input, context) } } catch let error
                    where !ValidationError.isTooDeep(error)
                { return try recover(error) }
            },
            encoding: encoding)
    }
}

extension MappingIssue {
    fileprivate static var oneWay: MappingIssue {
        MappingIssue(
            .conversionFailed, expected: "a conversion for both directions", found: "one that only decodes",
            advice: "create the conversion with `encode`")
    }
}
