import JSONText

/// A type that has a default conversion, so that a field does not need to name one.
///
/// ```swift
/// enum Suit: String, JSONConvertible { case hearts, spades }   // converts by raw value
/// ```
public protocol JSONConvertible: SendableMetatype {
    /// The conversion from and to JSON.
    static var conversion: Conversion<JSON, Self> { get }
}

extension Conversion where Input == JSON {
    /// Creates the conversion of a scalar. `decode` returns nil for a value of another type.
    init(
        _ expected: String, _ preset: ScalarPreset? = nil, decode: @escaping @Sendable (JSON) -> Output?,
        encode: @escaping @Sendable (Output) throws -> JSON
    ) {
        self.init(
            decoding: { json, _ in
                guard let json else { return nil }
                guard let value = decode(json) else { throw MappingIssue.mismatch(expected, json) }
                return value
            },
            encoding: { value, _ in try encode(value) })
        self.preset = preset
    }
}

extension Conversion where Input == JSON, Output == JSON {
    /// Any JSON value, unchanged.
    public static var json: Self {
        Self(
            decoding: { json, context in context.run.shadow.flatMap { shadow in json.map { $0.without(shadow) } } ?? json },
            encoding: { json, _ in json })
    }

    /// A number or a boolean, unchanged.
    public static var numeric: Self {
        Self("a number or a boolean", decode: { $0.number != nil || $0.bool != nil ? .some($0) : .none }, encode: { $0 })
    }
}

extension Conversion where Input == JSON, Output == Bool {
    /// `true` or `false`.
    public static var bool: Self { Self("a boolean", .bool, decode: \.bool, encode: { .bool($0) }) }
}

extension Conversion where Input == JSON, Output == String {
    /// A string.
    public static var string: Self { Self("a string", .string, decode: \.string, encode: { .string($0) }) }
}

extension Conversion where Input == JSON, Output == JSONNumber {
    /// A number with all its digits.
    public static var number: Self { Self("a number", decode: \.number, encode: { .number($0) }) }
}

extension Conversion where Input == JSON, Output == Double {
    /// A number in the range of `Double`, rounded to the nearest value.
    public static var double: Self {
        Self("a number in the range of Double", .double, decode: \.double, encode: { .number(try JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == Float {
    /// A number in the range of `Float`, rounded to the nearest value.
    public static var float: Self {
        Self(
            "a number in the range of Float", decode: { $0.number.flatMap { try? $0.float() } },
            encode: { .number(try JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == JSONObject {
    /// An object, unchanged.
    public static var object: Self { Self("an object", decode: \.object, encode: { .object($0) }) }
}

extension Conversion where Input == JSON, Output == JSONArray {
    /// An array, unchanged.
    public static var array: Self { Self("an array", decode: \.array, encode: { .array($0) }) }
}

extension Conversion where Input == JSON, Output: FixedWidthInteger & Sendable {
    /// A whole number in the range of the type. `1.0` is a whole number, and `1.5` is not.
    public static var integer: Self {
        Self(
            "a whole number in the range of \(Output.self)", Output.self == Int.self ? .int : nil,
            decode: { $0.number.flatMap { try? $0.integer(as: Output.self) } },
            encode: { .number(JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == Int {
    /// A whole number in the range of `Int`.
    public static var int: Self { .integer }
}

extension JSON: JSONConvertible { public static var conversion: Conversion<JSON, JSON> { .json } }
extension JSONObject: JSONConvertible { public static var conversion: Conversion<JSON, JSONObject> { .object } }
extension JSONArray: JSONConvertible { public static var conversion: Conversion<JSON, JSONArray> { .array } }
extension JSONNumber: JSONConvertible { public static var conversion: Conversion<JSON, JSONNumber> { .number } }
extension Bool: JSONConvertible { public static var conversion: Conversion<JSON, Bool> { .bool } }
extension String: JSONConvertible { public static var conversion: Conversion<JSON, String> { .string } }
extension Double: JSONConvertible { public static var conversion: Conversion<JSON, Double> { .double } }
extension Float: JSONConvertible { public static var conversion: Conversion<JSON, Float> { .float } }
extension Int: JSONConvertible { public static var conversion: Conversion<JSON, Int> { .integer } }
extension Int8: JSONConvertible { public static var conversion: Conversion<JSON, Int8> { .integer } }
extension Int16: JSONConvertible { public static var conversion: Conversion<JSON, Int16> { .integer } }
extension Int32: JSONConvertible { public static var conversion: Conversion<JSON, Int32> { .integer } }
extension Int64: JSONConvertible { public static var conversion: Conversion<JSON, Int64> { .integer } }
extension UInt: JSONConvertible { public static var conversion: Conversion<JSON, UInt> { .integer } }
extension UInt8: JSONConvertible { public static var conversion: Conversion<JSON, UInt8> { .integer } }
extension UInt16: JSONConvertible { public static var conversion: Conversion<JSON, UInt16> { .integer } }
extension UInt32: JSONConvertible { public static var conversion: Conversion<JSON, UInt32> { .integer } }
extension UInt64: JSONConvertible { public static var conversion: Conversion<JSON, UInt64> { .integer } }
