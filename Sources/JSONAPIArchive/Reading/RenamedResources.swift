import JSONAPICodec
import JSONText

/// The resources that a migration has given another identity, and those that it has removed while another resource got their identity.
/// Linkage follows them.
struct RenamedResources {
    /// The identity is nil for a removed resource. It is taken if another resource has the earlier one now.
    private typealias Successor = (identity: StoredIdentity?, isTaken: Bool)

    private var successors: [StoredIdentity: Successor] = [:]
    /// A resource of which the migration has made the one with each identity. It is shared if others have become this resource, too.
    private var origins: [StoredIdentity: (key: StoredIdentity, isShared: Bool)] = [:]

    /// - Parameter successors: the identities that have replaced each resource, also those that requests hide.
    init(_ successors: [StoredIdentity: [StoredIdentity]]) {
        for (key, next) in successors {
            for identity in Set(next) { origins[identity] = (key, origins[identity] != nil) }
        }
        // Of a resource that was split, one part can still have its identity.
        for (key, next) in successors where !next.contains(key) {
            let isTaken = origins[key] != nil
            if isTaken || !next.isEmpty { self.successors[key] = (next.first, isTaken) }
        }
    }

    var isEmpty: Bool { successors.isEmpty }

    /// Returns whether the migration has made the resource with an identity, or a part of it, of another resource than this one.
    func isMade(_ identity: StoredIdentity, ofAnotherThan key: StoredIdentity) -> Bool {
        origins[identity].map { $0.isShared || $0.key != key } ?? false
    }

    private func successor(of key: StoredIdentity) -> Successor? {
        // Linkage can contain the UUID of a model in upper case.
        successors[key] ?? key.lowercasedUUID.flatMap { successors[$0] }
    }
}

// MARK: - Linkage

extension RenamedResources {
    /// Returns a resource that a migration has made of another one, with the new identities in its linkage. In a relationship that the
    /// migration itself has changed, an identity stays if a resource has it.
    func following(_ resource: ResourceObject, madeOf old: ResourceObject) -> ResourceObject {
        guard !isEmpty, let members = resource.members["relationships"]?.object else { return resource }
        var result = resource
        result.members["relationships"] = .object(relationships(members, old.members["relationships"]?.object))
        return result
    }

    private func relationships(_ members: JSONObject, _ old: JSONObject?) -> JSONObject {
        var result = JSONObject()
        for member in members {
            var value = member.value
            if var relationship = value.object, let data = relationship["data"] {
                relationship["data"] = linkage(data, isUnchanged: data == old?[member.name]?["data"])
                value = .object(relationship)
            }
            result.append(name: member.name, value: value)
        }
        return result
    }

    /// Returns linkage with the new identities. Of resources that have become one, the first identifier stays. Without removed resources whose
    /// identity is taken.
    func linkage(_ data: JSON, isUnchanged: Bool = true) -> JSON {
        switch data {
        case .object(let members): return identifier(members, isUnchanged).map(JSON.object) ?? .null
        case .array(let elements):
            let new = elements.compactMap { element -> JSON? in
                let new = linkage(element, isUnchanged: isUnchanged)
                return new == .null && element != .null ? .none : new
            }
            guard new != Array(elements) else { return data }
            var known: Set<StoredIdentity> = []
            return .array(JSONArray(new.filter { Self.identity($0).map { known.insert($0).inserted } ?? true }))
        default: return data
        }
    }

    /// Returns an identifier with the new identity.
    func identifier(_ old: ResourceIdentifier) -> ResourceIdentifier { ResourceIdentifier(json: linkage(old.json)) ?? old }

    private static func identity(_ json: JSON) -> StoredIdentity? { ResourceIdentifier(json: json).flatMap(StoredIdentity.init) }

    /// Returns nil for a removed resource whose identity is taken.
    private func identifier(_ members: JSONObject, _ isUnchanged: Bool) -> JSONObject? {
        var result = ResourceObject(members: members)
        // Some servers send a whole resource here.
        if let nested = members["relationships"]?.object {
            result.members["relationships"] = .object(relationships(nested, isUnchanged ? nested : nil))
        }
        guard let key = Self.identity(.object(members)), let next = successor(of: key), isUnchanged || !next.isTaken
        else { return result.members }
        return next.identity.map { ResourceObject(result, as: $0.identifier).members }
    }
}

// MARK: - Members of one relationship

extension RenamedResources {
    /// Adds the new types that a migration has given to the members of a relationship that the archive does not have. Returns nil if it has
    /// changed anything else of the relationship.
    init?(_ data: Linkage, to new: Linkage, _ renamed: RenamedResources) {
        self = renamed
        let (before, after) = (data.identifiers, new.identifiers)
        guard before.count == after.count else { return nil }
        for (before, after) in zip(before, after) {
            guard let key = StoredIdentity(before), let other = StoredIdentity(after) else { return nil }
            let hasSameName = key.isLocal == other.isLocal && UTF8Bytes.areEqual(key.name, other.name)
            let isKnown = renamed.successor(of: key)?.identity == other
            guard hasSameName || isKnown else { return nil }
            // The first change copies all of them.
            if key != other, !isKnown { successors[key] = (other, false) }
        }
        guard data.json.map({ linkage($0) }) == new.json else { return nil }
    }
}
