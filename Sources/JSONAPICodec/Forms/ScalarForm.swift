import JSONText

// Strings, numbers and booleans. A new scalar type is an extension in this file.

/// A Swift type that is a single JSON scalar.
protocol Scalar: Codable {
    /// Returns the value; nil when the scalar at `word` has another kind or does not fit.
    static func read(_ view: TapeView, _ word: Int) -> Self?
    /// Returns the value for the text of an id.
    static func read(identity text: String) -> Self?
    /// Returns the value for the text of a number; nil for types that are not numbers, and for a number that does not fit.
    static func read(number: Span<UInt8>) -> Self?
    /// The values that `read` accepts, in words.
    static var expectation: String { get }

    /// Writes a value that JSON can represent.
    func write(_ output: JSONOutput) throws
    /// Whether JSON can represent the value.
    var isRepresentable: Bool { get }
    /// The value as a double, when JSON cannot represent it.
    var unusual: Double { get }
    /// Returns the value for an infinity or NaN; nil for types that have none.
    static func unusual(_ value: Double) -> Self?
}

extension Scalar {
    static func read(identity text: String) -> Self? { (Self.self as? any ResourceID.Type)?.init(wireText: text) as? Self }
    static func read(number: Span<UInt8>) -> Self? { nil }
    static func unusual(_ value: Double) -> Self? { nil }

    @inline(__always)
    var isRepresentable: Bool { true }

    @inline(__always)
    var unusual: Double { 0 }

    /// Writes any value.
    @inline(__always)
    func write(_ session: EncodingSession, _ sink: ValueSink) throws {
        if isRepresentable { try write(sink.output) } else { try session.writeUnusual(unusual, sink) }
    }
}

extension String: Scalar {
    @inline(__always)
    static func read(_ view: TapeView, _ word: Int) -> String? { view.isString(word) ? view.string(at: word) : nil }
    static func read(identity text: String) -> String? { text }
    static var expectation: String { "a string" }

    @inline(__always)
    func write(_ output: JSONOutput) { output.string(self) }
}

extension Bool: Scalar {
    @inline(__always)
    static func read(_ view: TapeView, _ word: Int) -> Bool? {
        switch view.kind(at: word) {
        case .true: true
        case .false: false
        default: nil
        }
    }
    static var expectation: String { "a boolean" }

    @inline(__always)
    func write(_ output: JSONOutput) { output.bool(self) }
}

extension Double: Scalar {
    @inline(__always)
    static func read(_ view: TapeView, _ word: Int) -> Double? {
        view.kind(at: word) == .number ? view.withBytes(at: word) { NumberParsing.double($0) } : nil
    }
    static func read(number: Span<UInt8>) -> Double? { NumberParsing.double(number) }
    static var expectation: String { "a number that fits Double" }

    @inline(__always)
    var isRepresentable: Bool { isFinite }

    @inline(__always)
    var unusual: Double { self }
    static func unusual(_ value: Double) -> Double? { value }

    @inline(__always)
    func write(_ output: JSONOutput) throws { try output.double(self) }
}

extension Float: Scalar {
    /// Returns the nearest float; nil for a number that is too large or too small for a float.
    static func read(_ view: TapeView, _ word: Int) -> Float? {
        view.kind(at: word) == .number ? view.withBytes(at: word) { NumberParsing.float($0) } : nil
    }
    static func read(number: Span<UInt8>) -> Float? { NumberParsing.float(number) }
    static var expectation: String { "a number that fits Float" }

    @inline(__always)
    var isRepresentable: Bool { isFinite }

    @inline(__always)
    var unusual: Double { Double(self) }
    static func unusual(_ value: Double) -> Float? { Float(value) }

    @inline(__always)
    func write(_ output: JSONOutput) throws { try output.float(self) }
}

extension Scalar where Self: FixedWidthInteger {
    static var expectation: String { "an integer that fits \(Self.self)" }

    @inline(__always)
    static func read(_ view: TapeView, _ word: Int) -> Self? {
        guard view.kind(at: word) == .number else { return nil }
        return view.withBytes(at: word) { read(number: $0) }
    }
    @inline(__always)
    static func read(number: Span<UInt8>) -> Self? {
        if let value = NumberParsing.int64(number) { return Self(exactly: value) }
        return try? NumberParsing.integer(number, as: Self.self)
    }
    static func read(identity text: String) -> Self? {
        guard let value = Self(text), String(value) == text else { return nil }
        return value
    }

    @inline(__always)
    func write(_ output: JSONOutput) { output.integer(self) }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: Scalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: Scalar {}

/// Reads a scalar through a generic type.
final class ScalarPlan<Value: Scalar>: PropertyPlan<Value> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Value { try session.scalar(at: place.word) }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value { try session.scalar(identityAt: word) }
}

/// Writes a scalar through a generic type.
final class ScalarWriter<Value: Scalar>: PropertyWriter<Value> {
    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws { try value.write(session, sink) }
}

extension DecodingSession {
    /// Returns the scalar at `word`, with the strategy for floats that JSON cannot represent.
    @inline(__always)
    func scalar<Value: Scalar>(at word: Int) throws -> Value {
        if let value = Value.read(view, word) { return value }
        return try unusualScalar(at: word)
    }

    /// Returns a string that represents a value of another type.
    func text(at word: Int) throws -> String { try requested(at: word) }

    /// The failure for a text that represents no value of the type.
    func otherText(at word: Int, _ expected: String, found: String = "another text", _ advice: String) -> DecodingFailure {
        failure(.invalidValue, at: word, expected: expected, found: found, advice: advice)
    }

    /// Returns a number that represents a value of another type.
    func number(at word: Int) throws -> Double { try requested(at: word) }

    private func requested<Value: Scalar>(at word: Int) throws -> Value {
        do { return try scalar(at: word) } catch let failure as DecodingFailure {
            throw failure.requesting(failure.kind == .unexpectedNull ? nil : Value.self)
        }
    }

    @inline(never)
    private func unusualScalar<Value: Scalar>(at word: Int) throws -> Value {
        if let value = namedFloat(at: word).flatMap({ Value.unusual($0) }) { return value }
        switch view.kind(at: word) {
        case .null: throw mismatch(at: word, expected: Value.expectation).requesting(Value.self)
        case .number where Value.self != String.self && Value.self != Bool.self:
            let isWhole = view.isInteger(word)
            throw failure(
                .numberOutOfRange, at: word, expected: Value.expectation,
                found: isWhole ? "an integer that does not fit" : "a number that does not fit",
                advice: "declare the property as a type that can represent it, such as Int64, Double, Decimal, or JSONNumber")
        default:
            if let value: Value = try numberInText(at: word, Value.expectation, { Value.read(number: $0) }) { return value }
            throw failure(.wrongType, at: word, expected: Value.expectation, advice: wrapper(for: Value.self, at: word))
                .requesting(Value.self)
        }
    }

    /// Returns the number in a string at `word`, with the leniency `textNumbers`; nil for every other value. Throws for a number in a
    /// string without the leniency.
    ///
    /// - Parameter type: The type that was read.
    func numberInText<Value>(
        at word: Int, _ expected: String, as type: Any.Type = Value.self, _ read: (Span<UInt8>) -> Value?
    ) throws -> Value? {
        guard view.isString(word) else { return nil }
        let number = UTF8Bytes.withBytes(of: view.string(at: word)) { NumberParsing.isNumber($0) ? read($0) : nil }
        guard let number else { return nil }
        guard options.leniencies.contains(.textNumbers) else {
            throw failure(
                .wrongType, at: word, expected: expected, found: "a string that contains a number",
                advice: "set the leniency textNumbers to read it, or declare the property as String"
            ).requesting(type)
        }
        report(.leniency(.textNumbers), at: word, "a number in a string was read as a number")
        return number
    }

    /// Returns the advice to use a property wrapper that may read the value at `word`; nil when there is none.
    private func wrapper(for type: Any.Type, at word: Int) -> String? {
        if view.isString(word), view.length(at: word) == 0 { return Self.emptyAdvice }
        let isBoolean = type == Bool.self && (view.isString(word) || view.kind(at: word) == .number)
        return isBoolean ? "declare the property with @LenientBool of JSONMapping if the server writes booleans in another form" : nil
    }

    /// The advice for an empty string in place of another value.
    static let emptyAdvice =
        "declare the property as an optional with @EmptyAsNil of JSONMapping if the server writes an empty string for no value"

    private func namedFloat(at word: Int) -> Double? {
        guard case .convertFromString(let positive, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
            view.isString(word)
        else { return nil }
        switch view.string(at: word) {
        case positive: return .infinity
        case negative: return -.infinity
        case nan: return .nan
        default: return nil
        }
    }

    /// Returns the scalar for an `id` or `type` member.
    func scalar<Value: Scalar>(identityAt word: Int) throws -> Value {
        if let value = Value.read(identity: view.string(at: word)) { return value }
        throw otherID(Value.self, at: word)
    }

    /// The failure for an id that is not the text of a value of the type.
    func otherID(_ type: Any.Type, at word: Int) -> DecodingFailure {
        otherText(at: word, "an id that \(type) can represent", "ids are opaque: declare `id` as String or Identifier")
    }
}

extension EncodingSession {
    /// Writes infinities and NaN, with the strategy of the encoder.
    @inline(never)
    fileprivate func writeUnusual(_ value: Double, _ sink: ValueSink) throws {
        guard case .convertToString(let positive, let negative, let nan) = options.nonConformingFloatEncodingStrategy else {
            throw failure(
                .notRepresentable, in: sink, expected: "a finite number", found: value.isNaN ? "NaN" : "an infinity",
                advice: "choose a nonConformingFloatEncodingStrategy")
        }
        sink.output.string(value.isNaN ? nan : value > 0 ? positive : negative)
    }
}
