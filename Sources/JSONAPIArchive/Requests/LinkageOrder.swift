import JSONAPICodec
import JSONText

/// The linkage of a to-many relationship, in order. Finding, adding and removing a resource takes constant time.
package struct LinkageOrder {
    private struct Member {
        let identifier: ResourceIdentifier
        let hash: UInt32
        var previous: StoredIdentity?
        var next: StoredIdentity?
    }

    private var members: [StoredIdentity: Member] = [:]
    private var first: StoredIdentity?
    private var last: StoredIdentity?
    /// A checksum of the resources in their order. It is the sum over all pairs of neighbors, so that it can follow a change.
    package private(set) var checksum: UInt32 = 0

    /// Returns nil unless the value is an array of identifiers, each of another resource.
    init?(_ data: JSON?) {
        guard let elements = data?.array else { return nil }
        members.reserveCapacity(elements.count)
        for element in elements {
            guard let identifier = ResourceIdentifier(json: element), append(identifier) else { return nil }
        }
    }

    package var count: Int { members.count }

    package func contains(_ identifier: ResourceIdentifier) -> Bool {
        StoredIdentity(identifier).map { members[$0] != nil } ?? false
    }

    /// The identifiers in order.
    var json: JSON {
        var result = JSONArray()
        var place = first
        while let identity = place, let member = members[identity] {
            result.append(member.identifier.json)
            place = member.next
        }
        return .array(result)
    }
}

// MARK: - Changing

extension LinkageOrder {
    /// Adds a resource at the end. Returns false if the linkage has it already.
    mutating func append(_ identifier: ResourceIdentifier) -> Bool { insert(identifier, behind: last) }

    /// Adds a resource behind another one, or in front if that is nil. Adds it at the end if the linkage does not have the other one.
    mutating func insert(_ identifier: ResourceIdentifier, behind other: ResourceIdentifier?) {
        let place = other.flatMap(StoredIdentity.init)
        let isKnown = place.map { members[$0] != nil } ?? true
        _ = insert(identifier, behind: isKnown ? place : last)
    }

    private mutating func insert(_ identifier: ResourceIdentifier, behind previous: StoredIdentity?) -> Bool {
        guard let identity = StoredIdentity(identifier), members[identity] == nil else { return false }
        var next = first
        if let previous, let member = members[previous] { next = member.next }
        members[identity] = Member(identifier: identifier, hash: identity.directoryHash, previous: previous, next: next)
        checksum &-= pair(previous, next)
        join(previous, identity)
        join(identity, next)
        return true
    }

    /// Removes a resource. Returns its identifier and the resource before it; nil if the linkage does not have it.
    mutating func remove(_ identifier: ResourceIdentifier) -> LinkageEdit.Removal? {
        guard let identity = StoredIdentity(identifier), let member = members[identity] else { return nil }
        checksum &-= pair(member.previous, identity) &+ pair(identity, member.next)
        members[identity] = nil
        join(member.previous, member.next)
        return LinkageEdit.Removal(member: member.identifier, previous: member.previous?.identifier)
    }

    /// Makes two members neighbors; nil stands for the ends.
    private mutating func join(_ previous: StoredIdentity?, _ next: StoredIdentity?) {
        if let previous { members[previous]?.next = next } else { first = next }
        if let next { members[next]?.previous = previous } else { last = previous }
        checksum &+= pair(previous, next)
    }

    /// Returns the summand of two neighbors in the checksum. It is another one if they change places.
    private func pair(_ previous: StoredIdentity?, _ next: StoredIdentity?) -> UInt32 {
        func hash(_ identity: StoredIdentity?) -> UInt32 { identity.flatMap { members[$0]?.hash } ?? 0 }
        let mixed = hash(previous) &* 0x85EB_CA6B ^ hash(next)
        return (mixed ^ mixed >> 15) &* 0xC2B2_AE35
    }
}

/// How to undo the change of a request to the members of a to-many relationship. It contains only the resources that were added or removed.
package struct LinkageEdit: Sendable, Equatable {
    struct Removal: Sendable, Equatable {
        let member: ResourceIdentifier
        /// The resource before it; nil if it was the first one.
        let previous: ResourceIdentifier?
    }

    var added: [ResourceIdentifier] = []
    /// In the order of their removal.
    var removed: [Removal] = []
    /// The number of resources after the change. If there is another number, the program has changed the linkage since then.
    package var count = 0
    /// A checksum of these resources in their order, for the same purpose; nil if an id may have replaced a lid since then.
    package var checksum: UInt32?

    /// Returns the edit with ids in place of lids.
    package func mapped(_ replacement: (ResourceIdentifier) -> ResourceIdentifier) -> LinkageEdit {
        let removed = removed.map { Removal(member: replacement($0.member), previous: $0.previous.map(replacement)) }
        return LinkageEdit(added: added.map(replacement), removed: removed, count: count)
    }
}

extension LinkageOrder {
    mutating func undo(_ edit: LinkageEdit) {
        for identifier in edit.added { _ = remove(identifier) }
        for removal in edit.removed.reversed() { insert(removal.member, behind: removal.previous) }
    }
}
