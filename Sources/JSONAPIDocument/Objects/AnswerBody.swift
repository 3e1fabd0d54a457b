import Foundation
import JSONAPIRules
import JSONText

/// The form of the body of a response. `JSONAPIHTTP` and the queue of a store read bodies by the same rules.
package enum AnswerBody: Sendable {
    case empty, object, other

    /// Determines the form from the first byte that is not whitespace, after a byte-order mark if there is one.
    package init(_ body: Data) {
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body
        switch text.first(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) {
        case nil: self = .empty
        case UInt8(ascii: "{"): self = .object
        default: self = .other
        }
    }

    /// Returns the text of a response; nil without one. Whitespace is none, and neither is what a server sends with the statuses 204 and 205.
    package static func text(of body: Data?, status: Int) -> Data? {
        guard let body, status != 204, status != 205, AnswerBody(body) != .empty else { return nil }
        return body
    }

    /// Returns whether a text names no resource: `null`, or an object that has at most null as its `data`, and `meta`, `links`, `jsonapi`,
    /// and @-members. Some servers respond with such a text when they have carried out a change.
    package static func namesNothing(_ body: Data, _ options: JSONReadingOptions) -> Bool {
        guard let json = try? JSON(parsing: body, options: options) else { return false }
        guard let members = json.object else { return json == .null }
        return members.allSatisfy { member in
            if member.name == "data" { return member.value == .null }
            return ["meta", "links", "jsonapi"].contains(member.name) || MemberName(member.name) == .at
        }
    }

    /// Returns the beginning of a body: at most `maximumLength` characters of its first 4,096 bytes. Nil if the body is empty. Bytes that are
    /// not UTF-8 become U+FFFD, and so do control characters other than line breaks and tabs.
    package static func beginning(of body: Data, _ maximumLength: Int) -> String? {
        guard !body.isEmpty else { return nil }
        let scalars = String(decoding: body.prefix(4096), as: UTF8.self).unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control && !["\n", "\r", "\t"].contains(scalar) ? "\u{FFFD}" : scalar
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(max(maximumLength, 0)))
    }
}
