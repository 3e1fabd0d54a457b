import JSONAPICodec
import JSONText

/// Matches resources of two documents: by type and id, or by type and lid when there is no id.
///
/// When a document contains several resources with the same identity, or several without one, they are matched in order.
struct ResourceKey: Hashable, Sendable {
    private let type: ByteText
    private let name: ByteText
    private let kind: Kind
    /// The number of earlier resources with the same identity.
    private var occurrence = 0

    private enum Kind: Sendable {
        case id, lid, none
    }

    init(_ identifier: ResourceIdentifier) { self.init(identifier.type, id: identifier.id, lid: identifier.lid) }

    init(_ resource: ResourceObject) { self.init(resource.type, id: resource.id, lid: resource.lid) }

    private init(_ type: String, id: String?, lid: String?) {
        self.type = ByteText(type)
        name = ByteText(id ?? lid ?? "")
        kind = id != nil ? .id : lid != nil ? .lid : .none
    }

    /// Numbers keys that are equal, so that all keys are distinct.
    ///
    /// - Complexity: O(n), n = keys.
    static func numbered(_ keys: some Sequence<ResourceKey>) -> [ResourceKey] {
        var counts: [ResourceKey: Int] = [:]
        return keys.map { key in
            var numbered = key
            numbered.occurrence = counts[key, default: 0]
            counts[key] = numbered.occurrence + 1
            return numbered
        }
    }
}
