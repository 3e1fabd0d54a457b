import Foundation
import JSONAPICodec
import JSONText

/// The entity tag of a resource's current version on the server: `ETag: "v1"`.
///
/// ```swift
/// let tag = EntityTag(headers: response.headers)                          // from a response
/// let request = try articles.update(patch, ifMatch: tag)                  // status 412 when the resource has changed
/// response.headers["ETag"] = EntityTag("v2").description                  // on a server
/// ```
///
/// Two tags are equal when both are strong or both are weak, and their values have the same bytes.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-etag>
public struct EntityTag: Sendable, Hashable {
    /// The opaque text between the quotation marks.
    public let value: String
    /// Whether the tag is weak: it identifies representations with the same meaning, which may differ in their bytes.
    public let isWeak: Bool

    /// Creates the tag with the given value. Quotation marks and control characters, which a tag must not contain, are percent-encoded.
    public init(_ value: String, isWeak: Bool = false) {
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if Self.isLegal(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        self.value = String(decoding: bytes, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Creates the tag from the value of a header, `"v1"` or `W/"v1"`; nil when there is no tag, or more than one.
    public init?(parsing text: String) {
        var list = EntityTagList(text)
        guard let tag = list.next(), list.isAtEnd else { return nil }
        self = tag
    }

    /// Creates the tag from the header `ETag`; nil without the header.
    public init?(headers: [String: String]) {
        guard let text = HeaderFields.value("ETag", in: headers) else { return nil }
        self.init(parsing: text)
    }

    fileprivate init(unchecked value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    /// Whether both are strong and equal, as `If-Match` requires.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9110#name-comparison-2>
    public func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && UTF8Bytes.areEqual(value, other.value) }

    /// Whether a byte is visible ASCII except the quotation mark, or not ASCII.
    fileprivate static func isLegal(_ byte: UInt8) -> Bool { byte == 0x21 || byte >= 0x23 && byte != 0x7F }

    /// Whether both are strong or both weak, with the same bytes.
    public static func == (lhs: EntityTag, rhs: EntityTag) -> Bool {
        lhs.isWeak == rhs.isWeak && UTF8Bytes.areEqual(lhs.value, rhs.value)
    }

    /// Feeds the tag to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(isWeak)
        UTF8Bytes.hash(value, into: &hasher)
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag in the form of a header.
    public var description: String { (isWeak ? "W/" : "") + "\"\(value)\"" }
}

/// Reads tags that are separated by commas.
struct EntityTagList {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
        skipSpace()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next tag; nil when there is none, and when the text is not a tag.
    mutating func next() -> EntityTag? {
        let isWeak = rest.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")])
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let value = rest[..<end].dropFirst()
        guard value.allSatisfy(EntityTag.isLegal) else { return nil }
        rest = rest[end...].dropFirst()
        skipSpace()
        return EntityTag(unchecked: String(decoding: value, as: UTF8.self), isWeak: isWeak)
    }

    /// Whether the whole text is a star. Skips it.
    mutating func takeStar() -> Bool {
        guard rest.first == UInt8(ascii: "*"), rest.dropFirst().allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return false }
        rest = []
        return true
    }

    /// Skips the commas before the next tag. Returns false when there is none.
    mutating func skipComma() -> Bool {
        let start = rest.count
        while rest.first == UInt8(ascii: ",") {
            rest = rest.dropFirst()
            skipSpace()
        }
        return rest.count < start
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
}
