import JSONAPICodec
import JSONAPIRules
import JSONText

/// Parses a URI template into literal texts and expressions.
///
///     /posts/{posts.id}{?page,size}   literals "/posts/", "", ""   variables posts.id, page, size
struct URITemplateParser {
    private(set) var literals: [String] = []
    private(set) var variables: [String] = []
    private(set) var expressions: [URITemplateExpression] = []
    private let bytes: [UInt8]
    private var known: [ByteText: Int] = [:]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Parses the whole template. Throws at the first error.
    mutating func parse() throws(URITemplateError) {
        var literal: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "{"):
                literals.append(String(decoding: literal, as: UTF8.self))
                literal.removeAll(keepingCapacity: true)
                offset = try expression(from: offset)
            case UInt8(ascii: "}"):
                throw URITemplateError(.strayBrace, offset: offset)
            case UInt8(ascii: "%") where !PercentEncoding.isTriplet(bytes, at: offset):
                PercentEncoding.append(bytes[offset], to: &literal)
                offset += 1
            case let byte where PercentEncoding.mayStandInURI(byte):
                literal.append(byte)
                offset += 1
            default:
                PercentEncoding.append(bytes[offset], to: &literal)
                offset += 1
            }
        }
        literals.append(String(decoding: literal, as: UTF8.self))
    }

    /// Parses an expression, and returns the offset after it.
    private mutating func expression(from start: Int) throws(URITemplateError) -> Int {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "}") {
            if bytes[end] == UInt8(ascii: "{") { throw URITemplateError(.strayBrace, offset: end) }
            end += 1
        }
        guard end < bytes.count else { throw URITemplateError(.unclosedExpression, offset: start) }
        var position = start + 1
        var expression = URITemplateExpression(form: .simple)
        if position < end, let form = URITemplateExpression.Form(bytes[position]) {
            expression = URITemplateExpression(form: form)
            position += 1
        }
        guard position < end else { throw URITemplateError(.emptyExpression, offset: start) }
        if Self.reservedOperators.contains(bytes[position]) { throw URITemplateError(.unsupportedExpression, offset: position) }
        while position <= end {
            let next = bytes[position..<end].firstIndex(of: UInt8(ascii: ",")) ?? end
            expression.variables.append(try variable(position..<next))
            position = next + 1
        }
        expressions.append(expression)
        return end + 1
    }

    /// Parses a variable with its modifier.
    private mutating func variable(_ range: Range<Int>) throws(URITemplateError) -> URITemplateExpression.Variable {
        let modifier = bytes[range].firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "*") } ?? range.upperBound
        let name = range.lowerBound..<modifier
        guard !name.isEmpty else { throw URITemplateError(.emptyExpression, offset: range.lowerBound) }
        try checkName(name)
        var variable = variable(String(decoding: bytes[name], as: UTF8.self))
        guard modifier < range.upperBound else { return variable }
        let rest = bytes[(modifier + 1)..<range.upperBound]
        if bytes[modifier] == UInt8(ascii: "*"), rest.isEmpty {
            variable.isExploded = true
        } else if bytes[modifier] == UInt8(ascii: ":"), let length = Self.length(rest) {
            variable.maximumLength = length
        } else {
            throw URITemplateError(.unsupportedExpression, offset: modifier)
        }
        return variable
    }

    private mutating func variable(_ name: String) -> URITemplateExpression.Variable {
        let number = known[ByteText(name)] ?? variables.count
        if number == variables.count {
            known[ByteText(name)] = number
            variables.append(name)
        }
        var encoded: [UInt8] = []
        PercentEncoding.appendReserved(name, to: &encoded)
        return URITemplateExpression.Variable(number: number, encodedName: String(decoding: encoded, as: UTF8.self))
    }

    /// Returns the number after a colon, from 1 to 9999.
    private static func length(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            return nil
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private func checkName(_ range: Range<Int>) throws(URITemplateError) {
        var followsDot = true
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "."):
                guard !followsDot, offset + 1 < range.upperBound else { throw URITemplateError(.invalidName, offset: offset) }
            case UInt8(ascii: "%"):
                guard offset + 2 < range.upperBound, PercentEncoding.isTriplet(bytes, at: offset) else {
                    throw URITemplateError(.invalidName, offset: offset)
                }
            case UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...: break
            default:
                guard byte.isASCIILetterOrDigit else { throw URITemplateError(.invalidName, offset: offset) }
            }
            followsDot = byte == UInt8(ascii: ".")
            offset += 1
        }
    }

    /// Operators that the RFC reserves for extensions.
    private static let reservedOperators: Set<UInt8> = Set("=!@|".utf8)
}

extension PercentEncoding {
    /// Appends a text, and percent-encodes all characters except unreserved ones, reserved ones and percent-encoded triplets.
    static func appendReserved(_ text: String, to bytes: inout [UInt8]) {
        let text = Array(text.utf8)
        for (offset, byte) in text.enumerated() {
            let stays = byte == UInt8(ascii: "%") ? isTriplet(text, at: offset) : mayStandInURI(byte)
            if stays { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
    }

    /// Returns whether a byte is an unreserved character, a reserved character or `%`.
    static func mayStandInURI(_ byte: UInt8) -> Bool { isUnreserved(byte) || others.contains(byte) }

    private static let others: Set<UInt8> = Set(":/?#[]@!$&'()*+,;=%".utf8)
}
