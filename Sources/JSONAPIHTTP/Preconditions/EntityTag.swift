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

    /// Creates the tag with the given value. Spaces, quotation marks and control characters, which a tag must not contain, are
    /// percent-encoded. So is a percent sign before two hexadecimal digits, so that different values make different tags. For a tag in the
    /// form of a header, use `init(parsing:)`, which keeps it as it is.
    public init(_ value: String, isWeak: Bool = false) {
        let given = Array(value.utf8)
        var bytes: [UInt8] = []
        for (offset, byte) in given.enumerated() {
            let isTriplet = byte == UInt8(ascii: "%") && PercentEncoding.isTriplet(given, at: offset)
            if Self.isLegal(byte), !isTriplet { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        self.value = String(decoding: bytes, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// Creates the tag from the value of a header, `"v1"` or `W/"v1"`; nil when there is no tag, or more than one.
    public init?(parsing text: String) {
        var scanner = HeaderScanner(text)
        guard let tag = scanner.entityTag(), scanner.next == nil else { return nil }
        self = tag
    }

    /// Creates the tag from the header `ETag`; nil without the header. Some servers send the value without quotation marks. It is then
    /// read as if it had them, so that a change with `ifMatch` still has a condition.
    public init?(headers: [String: String]) {
        guard let text = HeaderFields.value("ETag", in: headers) else { return nil }
        if let tag = EntityTag(parsing: text) {
            self = tag
            return
        }
        let start = text.drop { $0 == " " || $0 == "\t" }
        let isWeak = start.hasPrefix("W/")
        var scanner = HeaderScanner(isWeak ? String(start.dropFirst(2)) : text)
        let value = scanner.text(while: Self.isLegal)
        scanner.skipSpace()
        guard scanner.next == nil, !value.isEmpty else { return nil }
        self.init(unchecked: value, isWeak: isWeak)
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

extension HeaderScanner {
    /// Reads a tag and the white space after it. Returns nil when the text is not a tag.
    mutating func entityTag() -> EntityTag? {
        let isWeak = take("W")
        guard !isWeak || take("/"), take("\"") else { return nil }
        let value = text(while: EntityTag.isLegal)
        guard take("\"") else { return nil }
        skipSpace()
        return EntityTag(unchecked: value, isWeak: isWeak)
    }
}
