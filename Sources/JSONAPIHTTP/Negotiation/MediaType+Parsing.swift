import Foundation
import JSONAPICodec
import JSONAPIRules
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
        var scanner = HeaderScanner(text)
        self = try scanner.onlyMediaType()
    }

    /// Creates a media type, and also accepts values without the quotation marks that they need: some servers write
    /// `ext=https://jsonapi.org/ext/atomic`. Such a value ends at white space, a semicolon or a comma. Throws `MediaTypeError` when the
    /// text violates HTTP's grammar in any other way.
    public init(lenient text: String) throws(MediaTypeError) {
        var scanner = HeaderScanner(text)
        self = try scanner.onlyMediaType(isLenient: true)
    }

    /// Returns the media types and ranges of an `Accept` header, in order; empty for an empty text.
    ///
    /// Throws `MediaTypeError` when the text violates HTTP's grammar.
    ///
    /// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-accept>
    /// - Complexity: O(n), n = bytes.
    public static func list(parsing text: String) throws(MediaTypeError) -> [MediaType] {
        var scanner = HeaderScanner(text)
        return try scanner.mediaTypes()
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

extension MediaTypeError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension MediaTypeError: ErrorDocumentRepresentable {
    /// A document with one error, whose source is the header, if that is known.
    public var errorDocument: ErrorDocument {
        ErrorDocument(errors: [
            ErrorObject(
                status: "400", title: "Unreadable Header", detail: description, source: header.map { ErrorSource(header: $0.rawValue) })
        ])
    }
}

// Media types in the value of a header.
//
// media-type    type "/" subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )
// list          elements separated by commas, any of which may be missing
//
// <https://www.rfc-editor.org/rfc/rfc9110#name-parameters>, <https://www.rfc-editor.org/rfc/rfc9110#name-lists-rule-abnf-extension>
extension HeaderScanner {
    fileprivate mutating func onlyMediaType(isLenient: Bool = false) throws(MediaTypeError) -> MediaType {
        let mediaType = try mediaType(isLenient: isLenient)
        guard next == nil else { throw expected("a semicolon or the end") }
        return mediaType
    }

    fileprivate mutating func mediaTypes() throws(MediaTypeError) -> [MediaType] {
        var list: [MediaType] = []
        while let next {
            if next != UInt8(ascii: ",") { list.append(try mediaType()) }
            guard position == bytes.count || take(",") else { throw expected("a comma, a semicolon or the end") }
            skipSpace()
        }
        return list
    }

    /// Reads one media type and the white space after it.
    private mutating func mediaType(isLenient: Bool = false) throws(MediaTypeError) -> MediaType {
        let type = try token("a type")
        guard take("/") else { throw expected("a slash") }
        let essence = type + "/" + (try token("a subtype"))
        var parameters: [MediaType.Parameter] = []
        skipSpace()
        while take(";") {
            skipSpace()
            if let next, HTTPToken.isTokenByte(next) { parameters.append(try parameter(isLenient: isLenient)) }
            skipSpace()
        }
        return MediaType(essence: essence.lowercased(), parameters: parameters)
    }

    private mutating func parameter(isLenient: Bool) throws(MediaTypeError) -> MediaType.Parameter {
        let name = try token("the name of a parameter").lowercased()
        guard take("=") else { throw expected("`=` directly after the name of a parameter") }
        let value: String
        if take("\"") {
            value = try quotedString()
        } else if isLenient {
            value = text { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            if value.isEmpty { throw expected("a value") }
        } else {
            value = try token("a value")
            if let next, !" \t;,".utf8.contains(next) { throw expected("quotation marks around a value that contains this character") }
        }
        return MediaType.Parameter(name: name, value: value)
    }

    /// Reads the rest of a quoted string, after its first quotation mark.
    private mutating func quotedString() throws(MediaTypeError) -> String {
        var value: [UInt8] = []
        while position < bytes.count {
            if take("\"") { return String(decoding: value, as: UTF8.self) }
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            let byte = bytes[position]
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else { throw expected("no control character") }
            value.append(byte)
            position += 1
        }
        throw expected("a quotation mark that ends the value")
    }

    private mutating func token(_ what: String) throws(MediaTypeError) -> String {
        let token = text(while: HTTPToken.isTokenByte)
        guard !token.isEmpty else { throw expected(what) }
        return token
    }

    private func expected(_ what: String) -> MediaTypeError { MediaTypeError(offset: position, expected: what) }
}

/// The tokens of HTTP.
///
/// <https://www.rfc-editor.org/rfc/rfc9110#name-tokens>
enum HTTPToken {
    static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
