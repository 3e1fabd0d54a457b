import Foundation
import JSONAPICodec
import JSONText

/// The identity of a stored resource: its type with its id or its lid. Identities are compared by bytes, and hashed with a seed.
package struct StoredIdentity: Hashable, Sendable {
    package let type: String
    package let name: String
    /// Whether `name` is a lid.
    package let isLocal: Bool
    /// The hash of the three. It is stored, because one look-up follows another. 32 bits fill the space after `isLocal`.
    package let hash: UInt32

    /// Returns nil for an identifier with neither an id nor a lid.
    package init?(_ identifier: ResourceIdentifier) {
        guard let name = identifier.id ?? identifier.lid else { return nil }
        self.init(type: identifier.type, name: name, isLocal: identifier.id == nil)
    }

    package init(type: String, name: String, isLocal: Bool) {
        self.type = type
        self.name = name
        self.isLocal = isLocal
        let keys = KeyedHash.shared
        hash = UInt32(truncatingIfNeeded: TapeView.hash(name, keys, into: TapeView.hash(type, keys, into: isLocal ? 1 : 0)))
    }

    package var identifier: ResourceIdentifier {
        isLocal ? ResourceIdentifier(type: type, lid: name) : ResourceIdentifier(type: type, id: name)
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.hash == b.hash && a.isLocal == b.isLocal && UTF8Bytes.areEqual(a.name, b.name) && UTF8Bytes.areEqual(a.type, b.type)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

// MARK: - Current identities

extension StoredIdentity {
    /// Returns the identity under which there is a resource that the program names by this one. It is another one in two cases:
    ///
    /// - An id has replaced the lid. `promoted` returns the new identity.
    /// - The ids of the model `type` are UUIDs, and there is a resource with the same UUID in lower case. The program writes UUIDs in upper
    ///   case, and most servers write them in lower case.
    ///
    /// If there is a resource under the identity as it is, or under neither, returns the identity as it is. A lid is the exception: once it
    /// is replaced, it stands for the id, even if that resource was removed.
    package func current(
        _ type: Any.Type, promoted: (StoredIdentity) -> StoredIdentity?, isThere: (StoredIdentity) throws -> Bool
    ) rethrows -> StoredIdentity {
        try current(lowercased: lowercasedUUID(type), promoted: promoted, isThere: isThere)
    }

    /// Returns the same with the result of `lowercasedUUID(_:)` for the type. Calls no code of the program, except the closures.
    package func current(
        lowercased lower: StoredIdentity?, promoted: (StoredIdentity) -> StoredIdentity?, isThere: (StoredIdentity) throws -> Bool
    ) rethrows -> StoredIdentity {
        guard let other = isLocal ? promoted(self) : lower else { return self }
        if try isThere(self) { return self }
        if isLocal { return other }
        return try isThere(other) ? other : self
    }

    /// Returns the identity with its UUID in lower case. Returns nil if it is that already, or if the ids of the model are not UUIDs: all
    /// other ids are compared byte by byte.
    package func lowercasedUUID(_ model: Any.Type) -> StoredIdentity? {
        guard !isLocal, name.utf8.count == 36, let model = model as? any Resource.Type, Self.hasUUID(model),
            UTF8Bytes.areEqual(model.type, type)
        else { return nil }
        return lowercasedUUID
    }

    /// Returns whether both identities are the same UUID, one of them in upper case and the other one in lower case.
    package func isRespelled(as other: StoredIdentity) -> Bool {
        guard UTF8Bytes.areEqual(type, other.type), let lower = lowercasedUUID ?? other.lowercasedUUID else { return false }
        return (lower == self || lower == other) && [name, other.name].contains(lower.name.uppercased())
    }

    /// The identity with its UUID in lower case; nil if it is that already, or if the id is not a UUID.
    package var lowercasedUUID: StoredIdentity? {
        guard !isLocal, name.utf8.count == 36, UUID(uuidString: name) != nil else { return nil }
        let other = name.lowercased()
        return other == name ? nil : StoredIdentity(type: type, name: other, isLocal: false)
    }

    /// The identity with its UUID in lower case and in upper case, without this spelling. Empty if the id is not a UUID.
    package var otherSpellings: [StoredIdentity] {
        guard !isLocal, name.utf8.count == 36, UUID(uuidString: name) != nil else { return [] }
        return [name.lowercased(), name.uppercased()].filter { $0 != name }.map { StoredIdentity(type: type, name: $0, isLocal: false) }
    }

    /// Returns whether the ids of a model are UUIDs.
    package static func hasUUID(_ model: Any.Type) -> Bool { (model as? any Resource.Type).map { isUUID(idOf: $0) } ?? false }

    private static func isUUID<Model: Resource>(idOf _: Model.Type) -> Bool {
        Model.ID.self == UUID.self || Model.ID.self == Optional<UUID>.self
    }
}

// MARK: - In archives

extension StoredIdentity {
    /// The hash by which directories are sorted.
    var directoryHash: UInt32 { name.withBytes { Self.directoryHash(type: type, isLocal: isLocal, $0) } }

    static func directoryHash(type: String, isLocal: Bool, _ name: Span<UInt8>) -> UInt32 {
        var checksum = Checksum()
        type.withBytes { checksum.update($0) }
        checksum.update(0xFF as UInt8)
        checksum.update(isLocal ? 1 : 0 as UInt8)
        checksum.update(name)
        return checksum.value
    }
}

extension ResourceObject {
    /// Creates a copy of a resource with another identity.
    package init(_ object: ResourceObject, as identifier: ResourceIdentifier) {
        var members = identifier.members
        for member in object.members where !["type", "id", "lid"].contains(member.name) {
            members.append(name: member.name, value: member.value)
        }
        self.init(members: members)
    }
}
