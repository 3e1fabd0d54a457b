/// A number as it is written.
///
/// ```swift
/// let number = JSONNumber(text: "12345678901234567890.10")
/// number?.text              // "12345678901234567890.10", every digit
/// try number?.double()      // 1.2345678901234567e+19
/// try JSONNumber(text: "1E2")?.integer(as: Int.self)  // 100
/// ```
///
/// Keeping the text loses nothing: neither digits nor the sign of `-0`. Numbers are equal when their exact values are,
/// however they are written: `1.0`, `1` and `10e-1` are one number, and `-0` equals `0`.
public struct JSONNumber: Sendable {
    /// The number as RFC 8259, section 6 writes it: `-0`, `1.50`, `2E+3`.
    public let text: String

    package init(uncheckedText text: String) {
        self.text = text
    }

    /// The number of that text; nil unless it is exactly one number of the grammar in RFC 8259, section 6.
    ///
    /// - Complexity: O(n), n = bytes.
    public init?(text: String) {
        guard UTF8Bytes.withBytes(of: text, NumberParsing.isNumber) else { return nil }
        self.text = text
    }

    /// The number as its decimal digits.
    public init(_ value: some BinaryInteger) {
        text = String(value)
    }

    /// The number as the shortest text that reads back as the same `Double`: `0.1`, `1` for 1.0, `-0` for minus zero.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot write.
    public init(_ value: Double) throws(JSONNumberError) {
        guard value.isFinite else { throw JSONNumberError(.notRepresentable, text: value.description) }
        text = JSONNumber.shortened(value.description)
    }

    /// The number as the shortest text that reads back as the same `Float`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot write.
    public init(_ value: Float) throws(JSONNumberError) {
        guard value.isFinite else { throw JSONNumberError(.notRepresentable, text: value.description) }
        text = JSONNumber.shortened(value.description)
    }

    /// Swift writes whole values with a fraction: "1.0".
    private static func shortened(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Whether neither fraction nor exponent is written. `1.0` is whole, but not written as an integer.
    public var isInteger: Bool {
        !text.utf8.contains { $0 == 0x2E || $0 | 0x20 == 0x65 }
    }
}

// MARK: - Values

extension JSONNumber {
    /// The exact value as that integer type. `1.0`, `1E2` and `100e-2` are whole; `-0` is 0.
    ///
    /// Throws `.notWhole` when the value has a fraction, else `.outOfRange` when it does not fit.
    /// - Complexity: O(n), n = digits; the size of an exponent costs nothing.
    public func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(JSONNumberError) -> T {
        do throws(NumberParsing.Failure) {
            return try UTF8Bytes.withBytes(of: text) { bytes throws(NumberParsing.Failure) in try NumberParsing.integer(bytes, as: type) }
        } catch {
            throw JSONNumberError(error == .notWhole ? .notWhole : .outOfRange, text: text)
        }
    }

    /// The nearest `Double`, ties to even.
    ///
    /// Throws `.outOfRange` when that would be infinite, or zero though the number is not. Digits beyond a double's
    /// precision are rounded away; `exactDouble()` refuses that.
    /// - Complexity: O(n), n = digits; the size of an exponent costs nothing.
    public func double() throws(JSONNumberError) -> Double {
        guard let value = UTF8Bytes.withBytes(of: text, NumberParsing.double) else {
            throw JSONNumberError(.outOfRange, text: text)
        }
        return value
    }

    /// The nearest `Float`, ties to even: rounded once, from the digits.
    ///
    /// `Float(try number.double())` rounds twice, which is wrong for numbers beside the middle of two floats.
    /// Throws `.outOfRange` when that would be infinite, or zero though the number is not.
    /// - Complexity: O(n), n = digits; the size of an exponent costs nothing.
    public func float() throws(JSONNumberError) -> Float {
        guard let value = UTF8Bytes.withBytes(of: text, NumberParsing.float) else {
            throw JSONNumberError(.outOfRange, text: text)
        }
        return value
    }

    /// The nearest `Double` if it keeps all digits: if its shortest text or the double itself has this exact value.
    ///
    /// `0.1` and `9007199254740992` pass; `9007199254740993` and `0.10000000000000000001` do not.
    ///
    /// Throws `.outOfRange` like `double()`, and `.precisionLoss` when digits are lost.
    /// - Complexity: O(n), n = digits.
    public func exactDouble() throws(JSONNumberError) -> Double {
        let value = try double()
        if try JSONNumber(value) == self { return value }
        let expansion = JSONNumber(uncheckedText: DoubleExpansion.text(of: value))
        guard expansion == self else { throw JSONNumberError(.precisionLoss, text: text) }
        return value
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The number as it is written.
    public var description: String { text }
}

// MARK: - Equality and hash

extension JSONNumber: Hashable {
    /// Whether both have exactly the same value.
    ///
    /// - Complexity: O(n), n = digits.
    public static func == (lhs: JSONNumber, rhs: JSONNumber) -> Bool {
        UTF8Bytes.withBytes(of: lhs.text) { left in
            UTF8Bytes.withBytes(of: rhs.text) { right in
                UTF8Bytes.areEqual(left, right) || DecimalNumber.areEqual(left, right)
            }
        }
    }

    /// Feeds the value to `hasher`: texts of one value feed the same.
    ///
    /// - Complexity: O(n), n = digits.
    public func hash(into hasher: inout Hasher) {
        UTF8Bytes.withBytes(of: text) { DecimalNumber.hash($0, into: &hasher) }
    }
}

// MARK: - Literals

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// The number as its decimal digits.
    public init(integerLiteral value: Int) {
        self.init(value)
    }

    /// The number as the shortest text that reads back as the same `Double`.
    ///
    /// Meant for literals in source text, which are finite unless too large for `Double`: an infinite one or NaN stops
    /// the process. For values known only at run time call `init(_:)`, which throws.
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "A JSON number is finite; call JSONNumber.init(_:), which throws.")
        text = JSONNumber.shortened(value.description)
    }
}
