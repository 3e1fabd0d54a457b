import JSONAPICodec
import JSONText

/// Takes a URI template apart: texts, and between them positions of names.
///
///     /posts/{posts.id}/x   literals "/posts/", "/x"   variables posts.id   expressions 0
struct URITemplateParser {
    private(set) var literals: [String] = []
    private(set) var variables: [String] = []
    private(set) var expressions: [Int] = []
    private let bytes: [UInt8]
    private var known: [ByteText: Int] = [:]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Reads the whole template. Throws where it is none.
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

    /// Reads `{name}` and answers the offset behind it.
    private mutating func expression(from start: Int) throws(URITemplateError) -> Int {
        var end = start + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "}") {
            if bytes[end] == UInt8(ascii: "{") { throw URITemplateError(.strayBrace, offset: end) }
            end += 1
        }
        guard end < bytes.count else { throw URITemplateError(.unclosedExpression, offset: start) }
        guard end > start + 1 else { throw URITemplateError(.emptyExpression, offset: start) }
        try checkName(start + 1..<end)
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        let position = known[ByteText(name)] ?? variables.count
        if position == variables.count {
            known[ByteText(name)] = position
            variables.append(name)
        }
        expressions.append(position)
        return end + 1
    }

    private func checkName(_ range: Range<Int>) throws(URITemplateError) {
        var isBehindDot = true
        var offset = range.lowerBound
        if Self.operators.contains(bytes[offset]) { throw URITemplateError(.unsupportedExpression, offset: offset) }
        while offset < range.upperBound {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: ",") where offset > range.lowerBound, UInt8(ascii: ":"), UInt8(ascii: "*"):
                throw URITemplateError(.unsupportedExpression, offset: offset)
            case UInt8(ascii: "."):
                guard !isBehindDot, offset + 1 < range.upperBound else { throw URITemplateError(.invalidName, offset: offset) }
            case UInt8(ascii: "%"):
                guard offset + 2 < range.upperBound, PercentEncoding.isTriplet(bytes, at: offset) else {
                    throw URITemplateError(.invalidName, offset: offset)
                }
            case UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...: break
            default:
                guard PercentEncoding.isLetterOrDigit(byte) else { throw URITemplateError(.invalidName, offset: offset) }
            }
            isBehindDot = byte == UInt8(ascii: ".")
            offset += 1
        }
    }

    /// What may stand in front of a name from level 2 on, and what is reserved for later.
    private static let operators: Set<UInt8> = Set("+#./;?&=,!@|".utf8)
}

extension PercentEncoding {
    /// Appends a text with everything encoded but the unreserved characters.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
    }

    /// Unreserved and reserved characters, and `%`.
    static func mayStandInURI(_ byte: UInt8) -> Bool { isUnreserved(byte) || others.contains(byte) }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isLetterOrDigit(byte)
        }
    }

    private static let others: Set<UInt8> = Set(":/?#[]@!$&'()*+,;=%".utf8)
}
