import JSONText

extension Conversion where Input == JSON, Output == Int {
    /// A number, its text, or a boolean. Whitespace around the text is ignored. Fractions are truncated toward zero.
    ///
    /// `"42"` is 42, `" 3.9 "` is 3, `true` is 1. Text that is not a number is `conversionFailed`.
    public static var lenientInt: Self {
        Self(
            decode: { json in
                if let bool = json.bool { return bool ? 1 : 0 }
                guard let whole = LenientText.wholePart(of: try LenientText.number(json)) else {
                    throw MappingIssue.unconvertible("a number in the range of Int", "a number outside that range")
                }
                return whole
            },
            encode: { .number(JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == Double {
    /// A number, its text, or a boolean. Text that is not a number is `conversionFailed`.
    public static var lenientDouble: Self {
        Self(
            decode: { json in
                if let bool = json.bool { return bool ? 1 : 0 }
                guard let value = try? LenientText.number(json).double() else {
                    _ = try LenientText.number(json)
                    throw MappingIssue.unconvertible("a number in the range of Double", "a number outside that range")
                }
                return value
            },
            encode: { .number(try JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == JSONNumber {
    /// A number or its text with all digits, or a boolean. Text that is not a number is `conversionFailed`.
    public static var lenientNumber: Self {
        Self(
            decode: { json in
                if let bool = json.bool { return JSONNumber(bool ? 1 : 0) }
                return try LenientText.number(json)
            },
            encode: { .number($0) })
    }
}

extension Conversion where Input == JSON, Output == Bool {
    /// A boolean, a number (zero is false), or one of the words `yes`, `true`, `1`, `no`, `false` and `0`, ignoring case.
    public static var lenientBool: Self {
        Self(
            decode: { json in
                switch json {
                case .bool(let value): return value
                case .number(let number): return number != JSONNumber(0)
                case .string(let text):
                    switch LenientText.trimmed(text).lowercased() {
                    case "yes", "true", "1": return true
                    case "no", "false", "0": return false
                    default: throw MappingIssue.unconvertible("`yes`, `true`, `1`, `no`, `false` or `0`", "other text")
                    }
                default: throw MappingIssue.mismatch("a boolean, a number or text", json)
                }
            },
            encode: { .bool($0) })
    }
}

extension Conversion where Input == JSON, Output == String {
    /// A string, or the text of a number or boolean.
    public static var lenientString: Self {
        Self(
            decode: { json in
                switch json {
                case .string(let text): return text
                case .number(let number): return number.text
                case .bool(let value): return value ? "true" : "false"
                default: throw MappingIssue.mismatch("a string, a number or a boolean", json)
                }
            },
            encode: { .string($0) })
    }
}

/// Reads numbers in the forms that people type.
enum LenientText {
    static func number(_ json: JSON) throws -> JSONNumber {
        switch json {
        case .number(let number): return number
        case .string(let text):
            guard let number = number(in: trimmed(text)) else { throw MappingIssue.unconvertible("a number", "text that is not a number") }
            return number
        default: throw MappingIssue.mismatch("a number or its text", json)
        }
    }

    /// Returns the number in a text. Accepts forms that JSON does not allow: a plus sign, leading zeros, and a point without digits before
    /// or after it.
    private static func number(in text: Substring) -> JSONNumber? {
        if let number = JSONNumber(text: String(text)) { return number }
        var digits = text.utf8[...]
        var sign = ""
        if let first = digits.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            if first == UInt8(ascii: "-") { sign = "-" }
            digits = digits.dropFirst()
        }
        let hadDigits = digits.first.map { isDigit($0) } ?? false
        digits = digits.drop { $0 == UInt8(ascii: "0") }
        var rest = String(Substring(digits))
        if !(digits.first.map { isDigit($0) } ?? false) {
            guard hadDigits || (digits.first == UInt8(ascii: ".") && digits.dropFirst().first.map { isDigit($0) } ?? false) else {
                return nil
            }
            rest = "0" + rest
        }
        return JSONNumber(text: sign + withoutBarePoint(rest))
    }

    /// Returns the text of a number without a point that ends the digits before it: `5.` and `5.e2`.
    private static func withoutBarePoint(_ text: String) -> String {
        let whole = text.utf8.prefix { isDigit($0) }
        let rest = text.utf8[whole.endIndex...]
        guard rest.first == UInt8(ascii: "."), rest.dropFirst().first.map({ $0 | 0x20 == UInt8(ascii: "e") }) ?? true else { return text }
        return String(Substring(whole)) + String(Substring(rest.dropFirst()))
    }

    /// Returns the number truncated toward zero, or nil when the result is outside the range of `Int`.
    ///
    /// - Complexity: O(n), n = number of digits, regardless of the exponent.
    static func wholePart(of number: JSONNumber) -> Int? {
        if let whole = try? number.integer(as: Int.self) { return whole }
        // The number is not whole, or too large. Count the digits in front of the decimal point.
        let text = number.text.utf8
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isNegative = mantissa.first == UInt8(ascii: "-")
        let digits = mantissa.filter(isDigit).drop { $0 == UInt8(ascii: "0") }
        if digits.isEmpty { return 0 }
        let written = mantissa.prefix { $0 != UInt8(ascii: ".") }.count(where: isDigit)
        let leadingZeros = mantissa.count(where: isDigit) - digits.count
        guard let exponent = exponent(of: text.dropFirst(mantissa.count + 1)) else { return nil }
        let count = Int64(written - leadingZeros) + exponent
        if count <= 0 { return 0 }
        guard count <= 19 else { return nil }
        let missing = String(repeating: "0", count: max(0, Int(count) - digits.count))
        return Int((isNegative ? "-" : "") + String(decoding: digits.prefix(Int(count)), as: UTF8.self) + missing)
    }

    /// Returns the exponent after `e`, or 0 if there is none. The result is clamped to ±2^40, which no number of written digits can offset.
    private static func exponent(of text: Substring.UTF8View) -> Int64? {
        if text.isEmpty { return 0 }
        let limit: Int64 = 1 << 40
        guard let exponent = Int64(Substring(text)) else { return text.first == UInt8(ascii: "-") ? -limit : limit }
        return min(max(exponent, -limit), limit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// Returns the text without ASCII whitespace at its ends.
    static func trimmed(_ text: String) -> Substring {
        let isBlank = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        let front = text.utf8.drop(while: isBlank)
        guard let last = front.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(front[...last])
    }
}
