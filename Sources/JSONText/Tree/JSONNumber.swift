/// A number with its original text.
///
/// ```swift
/// let number = JSONNumber(text: "12345678901234567890.10")
/// number?.text              // "12345678901234567890.10", every digit
/// try number?.double()      // 1.2345678901234567e+19
/// try JSONNumber(text: "1E2")?.integer(as: Int.self)  // 100
/// ```
///
/// The text keeps all digits and the sign of `-0`. Numbers are equal if their exact values are equal: `1.0`, `1` and `10e-1` are equal,
/// and so are `-0` and `0`.
public struct JSONNumber: Sendable {
    /// The text in the grammar of RFC 8259, section 6: `-0`, `1.50`, `2E+3`.
    public let text: String

    package init(uncheckedText text: String) {
        self.text = text
    }

    /// Creates a number from its text. Returns nil unless the text is exactly one number in the grammar of RFC 8259, section 6.
    ///
    /// - Complexity: O(n), n = number of bytes.
    public init?(text: String) {
        guard UTF8Bytes.withBytes(of: text, NumberParsing.isNumber) else { return nil }
        self.text = text
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// Creates a number with the shortest text that reads back as the same `Double`: `0.1`, `1` for 1.0, `-0` for minus zero.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot represent.
    public init(_ value: Double) throws(JSONNumberError) {
        guard value.isFinite else { throw JSONNumberError(.notRepresentable, text: value.description) }
        text = JSONNumber.shortened(value.description)
    }

    /// Creates a number with the shortest text that reads back as the same `Float`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot represent.
    public init(_ value: Float) throws(JSONNumberError) {
        guard value.isFinite else { throw JSONNumberError(.notRepresentable, text: value.description) }
        text = JSONNumber.shortened(value.description)
    }

    /// Returns the text without the `.0` that Swift writes for whole numbers.
    private static func shortened(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Whether the text has neither a fraction nor an exponent. It is false for `1.0`, although that is a whole number.
    public var isInteger: Bool {
        !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 }
    }

    /// The digits of a number other than 0 without zeros around them, and the power of ten: `-0.0120e5` is `-12e2`. After 800 digits, the
    /// text is only close to the number.
    package var textWithoutZeros: String { UTF8Bytes.withBytes(of: text) { NumberParsing.shortened(DecimalNumber($0), in: $0) } }

    /// Whether the exact value is a whole number, such as `1.0` or `1E2`.
    package var isWhole: Bool { UTF8Bytes.withBytes(of: text) { DecimalNumber($0).isWhole } }

    /// Returns -1, 0, or 1 if the exact value is less than, equal to, or greater than that of `other`. Exponents are exact up to ±10^18.
    ///
    /// - Complexity: O(n), n = number of digits.
    package func order(to other: JSONNumber) -> Int {
        UTF8Bytes.withBytes(of: text) { left in
            UTF8Bytes.withBytes(of: other.text) { right in DecimalNumber.order(left, right) }
        }
    }
}

// MARK: - Values

extension JSONNumber {
    /// Returns the exact value as an integer type. `1.0`, `1E2` and `100e-2` are whole numbers, and `-0` is 0.
    ///
    /// Throws `.notWhole` if the value has a fraction, and `.outOfRange` if it is outside the range of the type.
    /// - Complexity: O(n), n = number of digits, regardless of the exponent.
    public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(JSONNumberError) -> T {
        do throws(NumberParsing.Failure) {
            return try UTF8Bytes.withBytes(of: text) { bytes throws(NumberParsing.Failure) in try NumberParsing.integer(bytes, as: type) }
        } catch {
            throw JSONNumberError(error == .notWhole ? .notWhole : .outOfRange, text: text)
        }
    }

    /// Returns the nearest `Double`, with ties to even.
    ///
    /// Digits beyond the precision of `Double` are rounded. Use `exactDouble()` to throw an error instead. Throws `.outOfRange` if the
    /// result would be infinite, or zero for a number other than zero.
    /// - Complexity: O(n), n = number of digits, regardless of the exponent.
    public func double() throws(JSONNumberError) -> Double {
        guard let value = UTF8Bytes.withBytes(of: text, NumberParsing.double) else {
            throw JSONNumberError(.outOfRange, text: text)
        }
        return value
    }

    /// Returns the nearest `Float`, with ties to even.
    ///
    /// This method rounds the digits once. `Float(try number.double())` rounds twice, which is wrong for some numbers close to the midpoint
    /// of two floats. Throws `.outOfRange` if the result would be infinite, or zero for a number other than zero.
    /// - Complexity: O(n), n = number of digits, regardless of the exponent.
    public func float() throws(JSONNumberError) -> Float {
        guard let value = UTF8Bytes.withBytes(of: text, NumberParsing.float) else {
            throw JSONNumberError(.outOfRange, text: text)
        }
        return value
    }

    /// Returns the nearest `Double` if no digits are lost: if its shortest text, or its exact value, is equal to this number.
    ///
    /// `0.1` and `9007199254740992` have such a `Double`. `9007199254740993` and `0.10000000000000000001` do not.
    ///
    /// Throws `.outOfRange` as `double()` does, and `.precisionLoss` if digits are lost.
    /// - Complexity: O(n), n = number of digits.
    public func exactDouble() throws(JSONNumberError) -> Double {
        let value = try double()
        if try JSONNumber(value) == self { return value }
        let expansion = JSONNumber(uncheckedText: DoubleExpansion.text(of: value))
        guard expansion == self else { throw JSONNumberError(.precisionLoss, text: text) }
        return value
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The text of the number.
    public var description: String { text }
}

// MARK: - Equality and hash

extension JSONNumber: Hashable {
    /// Returns whether both numbers have exactly the same value.
    ///
    /// - Complexity: O(n), n = number of digits.
    public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
        UTF8Bytes.withBytes(of: lhs.text) { left in
            UTF8Bytes.withBytes(of: rhs.text) { right in
                Bytes.areEqual(left, right) || DecimalNumber.areEqual(left, right)
            }
        }
    }

    /// Hashes the exact value, regardless of its text.
    ///
    /// - Complexity: O(n), n = number of digits.
    public func hash(into hasher: inout Hasher) {
        UTF8Bytes.withBytes(of: text) { DecimalNumber.hash($0, into: &hasher) }
    }
}

// MARK: - Literals

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a number from an integer.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// Creates a number with the shortest text that reads back as the same `Double`.
    ///
    /// Use it only through literals in source code. Infinity and NaN stop the process. For values that are known at run time, call
    /// `init(_:)`, which throws an error instead.
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "A JSON number must be finite. Call JSONNumber.init(_:), which throws an error instead.")
        text = JSONNumber.shortened(value.description)
    }
}
