import Foundation
import JSONText

/// The name of what a store keeps beside its resources: a value, a document, a request, or the promotions.
///
/// In an archive, each kind has its own prefix, so names of different kinds never collide:
///
/// ```
/// value:feed    document:/articles?sort=-date    request:1764250000000000:9F1C…    promotions:
/// ```
package enum StoreKey: Hashable, Sendable {
    /// A value that the program keeps.
    case value(ByteText)
    /// The document that a request returned, by its query.
    case document(ByteText)
    /// A waiting request.
    case request(RequestKey)
    /// The last ids that have replaced lids. Earlier revisions ignore this key.
    case promotions
}

/// The place of a request in the queue. The number is about the time at which the request was made, in microseconds since 1970, because two
/// programs do not know each other's numbers. Earlier revisions counted from 1. The id distinguishes requests with the same number.
package struct RequestKey: Hashable, Sendable, Comparable {
    package let number: Int64
    package let id: UUID

    package init(number: Int64, id: UUID) {
        self.number = number
        self.id = id
    }

    package static func < (a: Self, b: Self) -> Bool {
        // Making the texts takes much longer than comparing the ids.
        a.number == b.number ? a.id != b.id && a.id.uuidString < b.id.uuidString : a.number < b.number
    }
}

// MARK: - In archives

extension StoreKey {
    private static let valuePrefix = "value:"
    private static let documentPrefix = "document:"
    private static let requestPrefix = "request:"
    private static let promotionsKey = "promotions:"

    /// The key in an archive.
    package var archiveKey: String {
        switch self {
        case .value(let name): Self.valuePrefix + name.text
        case .document(let name): Self.documentPrefix + name.text
        case .request(let key): "\(Self.requestPrefix)\(key.number):\(key.id.uuidString)"
        case .promotions: Self.promotionsKey
        }
    }

    /// Reads a key of an archive. Returns nil for a key that no store has written.
    package init?(archiveKey: String) {
        if let name = Self.rest(of: archiveKey, after: Self.valuePrefix) {
            self = .value(ByteText(name))
        } else if let name = Self.rest(of: archiveKey, after: Self.documentPrefix) {
            self = .document(ByteText(name))
        } else if let name = Self.rest(of: archiveKey, after: Self.requestPrefix), let key = RequestKey(name) {
            self = .request(key)
        } else if archiveKey.utf8.elementsEqual(Self.promotionsKey.utf8) {
            self = .promotions
        } else {
            return nil
        }
    }

    /// Returns the text after a prefix; nil if the prefix is missing. Compares bytes, because a name may begin with a combining character.
    private static func rest(of text: String, after prefix: String) -> String? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
}

extension RequestKey {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0, let id = UUID(uuidString: parts[1]),
            // Another spelling of a key is another key of the archive, which a save would not remove.
            parts[0] == String(number), parts[1] == id.uuidString
        else { return nil }
        self.init(number: number, id: id)
    }
}
