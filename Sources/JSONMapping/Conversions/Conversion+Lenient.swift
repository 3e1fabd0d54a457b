import JSONText

extension Conversion where Input == JSON, Output == Int {
    /// A number, its text, or a boolean. Blanks around the text do not count; fractions are cut off toward zero.
    ///
    /// `"42"` is 42, `" 3.9 "` is 3, `true` is 1. Text that is no number is `conversionFailed`.
    public static var lenientInt: Self {
        Self(
            decode: { json in
                if let bool = json.bool { return bool ? 1 : 0 }
                guard let whole = LenientText.wholePart(of: try LenientText.number(json)) else {
                    throw MappingIssue.unconvertible("a number that fits Int", "one beyond its range")
                }
                return whole
            },
            encode: { .number(JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == Double {
    /// A number, its text, or a boolean. Text that is no number is `conversionFailed`.
    public static var lenientDouble: Self {
        Self(
            decode: { json in
                if let bool = json.bool { return bool ? 1 : 0 }
                guard let value = try? LenientText.number(json).double() else {
                    _ = try LenientText.number(json)
                    throw MappingIssue.unconvertible("a number that fits Double", "one beyond its range")
                }
                return value
            },
            encode: { .number(try JSONNumber($0)) })
    }
}

extension Conversion where Input == JSON, Output == JSONNumber {
    /// A number, its text digit by digit, or a boolean. Text that is no number is `conversionFailed`.
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
    /// A boolean, a number (zero is false), or one of `yes`, `true`, `1`, `no`, `false`, `0` in any case.
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
                    default: throw MappingIssue.unconvertible("yes, true, 1, no, false or 0", "other text")
                    }
                default: throw MappingIssue.mismatch("a boolean, a number or text", json)
                }
            },
            encode: { .bool($0) })
    }
}

extension Conversion where Input == JSON, Output == String {
    /// A string, or a number or boolean as it is written.
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

/// Reads numbers as people type them.
enum LenientText {
    static func number(_ json: JSON) throws -> JSONNumber {
        switch json {
        case .number(let number): return number
        case .string(let text):
            guard let number = number(in: trimmed(text)) else { throw MappingIssue.unconvertible("a number", "text that is none") }
            return number
        default: throw MappingIssue.mismatch("a number or its text", json)
        }
    }

    /// The number of a text, with what JSON does not allow: a plus sign, zeros in front, a bare point.
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
        if rest.utf8.last == UInt8(ascii: ".") { rest.removeLast() }
        return JSONNumber(text: sign + rest)
    }

    /// The digits in front of the point, exactly; nil when they do not fit.
    ///
    /// - Complexity: O(n), n = digits; the size of an exponent costs nothing.
    static func wholePart(of number: JSONNumber) -> Int? {
        if let whole = try? number.integer(as: Int.self) { return whole }
        // A number that is not whole, or is too large: digits, and how many of them are in front of the point.
        let text = number.text.utf8
        let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isNegative = mantissa.first == UInt8(ascii: "-")
        let digits = mantissa.filter(isDigit).drop { $0 == UInt8(ascii: "0") }
        if digits.isEmpty { return 0 }
        let written = mantissa.prefix { $0 != UInt8(ascii: ".") }.count(where: isDigit)
        let leadingZeros = mantissa.count(where: isDigit) - digits.count
        guard let exponent = exponent(of: text.dropFirst(mantissa.count + 1)) else { return nil }
        let count = written - leadingZeros + exponent
        if count <= 0 { return 0 }
        guard count <= 19 else { return nil }
        let missing = String(repeating: "0", count: max(0, count - digits.count))
        return Int((isNegative ? "-" : "") + String(decoding: digits.prefix(count), as: UTF8.self) + missing)
    }

    /// The number behind `e`, 0 for none. One that no text of digits makes up for is cut to a number as large.
    private static func exponent(of text: Substring.UTF8View) -> Int? {
        if text.isEmpty { return 0 }
        let limit = 1 << 40
        guard let exponent = Int(Substring(text)) else { return text.first == UInt8(ascii: "-") ? -limit : limit }
        return min(max(exponent, -limit), limit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

    /// The text without blanks and line ends around it.
    static func trimmed(_ text: String) -> Substring {
        let isBlank = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
        let front = text.utf8.drop(while: isBlank)
        guard let last = front.lastIndex(where: { !isBlank($0) }) else { return "" }
        return Substring(front[...last])
    }
}
