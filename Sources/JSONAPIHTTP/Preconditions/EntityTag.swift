import Foundation
import JSONAPICodec
import JSONText

/// The entity tag of a resource as the server has it: `ETag: "v1"`.
///
/// ```swift
/// let tag = EntityTag(headers: response.headers)                          // of an answer
/// let request = try articles.update(patch, ifMatch: tag)                  // 412 when somebody else was faster
/// response.headers["ETag"] = EntityTag("v2").description                  // of a server
/// ```
///
/// Two tags are equal when both are strong or both weak, and their texts are.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc9110#name-etag>
public struct EntityTag: Sendable, Hashable {
    /// What stands in the quotation marks. It is opaque.
    public let value: String
    /// Whether it names representations that mean the same, not such as are the same byte by byte.
    public let isWeak: Bool

    /// The tag of that text. A quotation mark or a control character, which no tag may have, is percent-encoded.
    public init(_ value: String, isWeak: Bool = false) {
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            if Self.isLegal(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        self.value = String(decoding: bytes, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// The tag that the value of a header holds, `"v1"` or `W/"v1"`; nil when it holds none, or more than one.
    public init?(parsing text: String) {
        var list = EntityTagList(text)
        guard let tag = list.next(), list.isAtEnd else { return nil }
        self = tag
    }

    /// The tag in the header `ETag`; nil without one.
    public init?(headers: [String: String]) {
        guard let text = HeaderFields.value("ETag", in: headers) else { return nil }
        self.init(parsing: text)
    }

    fileprivate init(unchecked value: String, isWeak: Bool) {
        self.value = value
        self.isWeak = isWeak
    }

    /// Whether both are strong and equal: what `If-Match` asks for.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9110#name-comparison-2>
    public func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && UTF8Bytes.areEqual(value, other.value) }

    /// Visible ASCII but the quotation mark, and everything beyond ASCII.
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
    /// The tag as a header has it.
    public var description: String { (isWeak ? "W/" : "") + "\"\(value)\"" }
}

/// Reads tags with commas between them.
struct EntityTagList {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
        skipSpace()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next tag; nil when there is none, or something else.
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

    /// Whether all of the text is a star, which is passed over.
    mutating func takeStar() -> Bool {
        guard rest.first == UInt8(ascii: "*"), rest.dropFirst().allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return false }
        rest = []
        return true
    }

    /// Passes over the commas in front of the next tag; false when there is none.
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
