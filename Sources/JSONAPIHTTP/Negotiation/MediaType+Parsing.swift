import JSONText

extension MediaType {
    /// Creates the media type from the value of a `Content-Type` header.
    ///
    /// Throws `MediaTypeError` when the text violates HTTP's grammar. White space is allowed around semicolons, but not around `=`. URIs
    /// need quotation marks.
    ///
    /// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-media-type>
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: String) throws(MediaTypeError) {
        var parser = MediaTypeParser(text)
        self = try parser.single()
    }

    /// Creates a media type, and also accepts values without the quotation marks that they need: some servers write
    /// `ext=https://jsonapi.org/ext/atomic`. Such a value ends at white space, a semicolon or a comma. Throws `MediaTypeError` when the
    /// text violates HTTP's grammar in any other way.
    public init(lenient text: String) throws(MediaTypeError) {
        var parser = MediaTypeParser(text, isLenient: true)
        self = try parser.single()
    }

    /// Returns the media types and ranges of an `Accept` header, in order; empty for an empty text.
    ///
    /// Throws `MediaTypeError` when the text violates HTTP's grammar.
    ///
    /// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-accept>
    /// - Complexity: O(n), n = bytes.
    public static func list(parsing text: String) throws(MediaTypeError) -> [MediaType] {
        var parser = MediaTypeParser(text)
        return try parser.list()
    }
}

/// An error in the text of a media type, and its place.
public struct MediaTypeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first byte of the header's value that is not legal in a media type, counted from 0.
    public let offset: Int
    /// What was expected at that byte, in words.
    public let expected: String
    /// The header that contains the text; nil when the text was parsed on its own.
    public internal(set) var header: NegotiationRefusal.Header?

    /// One sentence about the problem. It contains nothing of the header.
    public var description: String { "Not a media type: expected \(expected) at byte \(offset)." }
}

/// Reads media types from the value of a header.
///
/// ```
/// media-type    type "/" subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )
/// list          elements separated by commas, any of which may be missing
/// ```
///
/// <https://www.rfc-editor.org/rfc/rfc9110#name-parameters>, <https://www.rfc-editor.org/rfc/rfc9110#name-lists-rule-abnf-extension>
private struct MediaTypeParser {
    private let bytes: [UInt8]
    private let isLenient: Bool
    private var position = 0

    init(_ text: String, isLenient: Bool = false) {
        bytes = Array(text.utf8)
        self.isLenient = isLenient
    }

    mutating func single() throws(MediaTypeError) -> MediaType {
        skipSpace()
        let mediaType = try mediaType()
        guard position == bytes.count else { throw expected("a semicolon or the end") }
        return mediaType
    }

    mutating func list() throws(MediaTypeError) -> [MediaType] {
        var list: [MediaType] = []
        while true {
            skipSpace()
            if position < bytes.count, bytes[position] != UInt8(ascii: ",") { list.append(try mediaType()) }
            guard position < bytes.count else { return list }
            guard take(UInt8(ascii: ",")) else { throw expected("a comma, a semicolon or the end") }
        }
    }

    // MARK: - Parts

    /// Parses one media type and the white space after it.
    private mutating func mediaType() throws(MediaTypeError) -> MediaType {
        let type = try token("a type")
        guard take(UInt8(ascii: "/")) else { throw expected("a slash") }
        let essence = type + "/" + (try token("a subtype"))
        var parameters: [MediaType.Parameter] = []
        skipSpace()
        while take(UInt8(ascii: ";")) {
            skipSpace()
            if position < bytes.count, HTTPToken.isTokenByte(bytes[position]) { parameters.append(try parameter()) }
            skipSpace()
        }
        return MediaType(essence: essence.lowercased(), parameters: parameters)
    }

    private mutating func parameter() throws(MediaTypeError) -> MediaType.Parameter {
        let name = try token("the name of a parameter").lowercased()
        guard take(UInt8(ascii: "=")) else { throw expected("`=` directly after the name of a parameter") }
        let value: String
        if take(UInt8(ascii: "\"")) {
            value = try quotedString()
        } else if isLenient {
            value = text { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            if value.isEmpty { throw expected("a value") }
        } else {
            value = try token("a value")
            if position < bytes.count, !Self.endsValue(bytes[position]) {
                throw expected("quotation marks around a value that contains this character")
            }
        }
        return MediaType.Parameter(name: name, value: value)
    }

    /// Parses the rest of a quoted string, after its first quotation mark.
    private mutating func quotedString() throws(MediaTypeError) -> String {
        var value: [UInt8] = []
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), position < bytes.count {
                byte = bytes[position]
                position += 1
            }
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else {
                position -= 1
                throw expected("no control character")
            }
            value.append(byte)
        }
        throw expected("a quotation mark that ends the value")
    }

    private mutating func token(_ what: String) throws(MediaTypeError) -> String {
        let token = text(while: HTTPToken.isTokenByte)
        guard !token.isEmpty else { throw expected(what) }
        return token
    }

    // MARK: - Bytes

    private mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isPart(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func endsValue(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",")
    }

    private func expected(_ what: String) -> MediaTypeError { MediaTypeError(offset: position, expected: what) }
}

/// The tokens of HTTP.
///
/// <https://www.rfc-editor.org/rfc/rfc9110#name-tokens>
enum HTTPToken {
    static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
