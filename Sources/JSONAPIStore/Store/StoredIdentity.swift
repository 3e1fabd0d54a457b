import JSONAPICodec
import JSONText

/// The identity of a stored resource: its type with its id or its lid. Identities are compared by bytes, and hashed with a seed.
struct StoredIdentity: Hashable, Sendable {
    let type: String
    let name: String
    /// Whether `name` is a lid.
    let isLocal: Bool

    /// Returns nil for an identifier with neither an id nor a lid.
    init?(_ identifier: ResourceIdentifier) {
        guard let name = identifier.id ?? identifier.lid else { return nil }
        type = identifier.type
        self.name = name
        isLocal = identifier.id == nil
    }

    init(_ key: ArchiveKey) {
        type = key.type
        name = key.text
        isLocal = key.isLID
    }

    var identifier: ResourceIdentifier {
        isLocal ? ResourceIdentifier(type: type, lid: name) : ResourceIdentifier(type: type, id: name)
    }

    static func == (a: Self, b: Self) -> Bool {
        a.isLocal == b.isLocal && UTF8Bytes.areEqual(a.name, b.name) && UTF8Bytes.areEqual(a.type, b.type)
    }

    func hash(into hasher: inout Hasher) {
        UTF8Bytes.hash(name, into: &hasher)
        UTF8Bytes.hash(type, into: &hasher)
        hasher.combine(isLocal)
    }
}

/// A resource type as a key, compared by bytes.
struct TypeName: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }
    func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
}

extension ResourceObject {
    /// Creates a copy of a resource with another identity.
    init(_ object: ResourceObject, as identifier: ResourceIdentifier) {
        var members = identifier.members
        for member in object.members where !["type", "id", "lid"].contains(member.name) {
            members.append(name: member.name, value: member.value)
        }
        self.init(members: members)
    }
}
