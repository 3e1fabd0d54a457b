import JSONAPICodec
import JSONText

/// The resources that a migration has given another identity. Linkage follows them.
struct RenamedResources {
    private var identities: [StoredIdentity: StoredIdentity] = [:]
    /// The earlier identities that other resources have now.
    private var taken: Set<StoredIdentity> = []

    init(_ successors: [StoredIdentity: [StoredIdentity]], isTaken: (StoredIdentity) -> Bool) {
        for (key, next) in successors {
            // Of a resource that was split, one part can still have its identity.
            guard let new = next.first, !next.contains(key) else { continue }
            identities[key] = new
            if isTaken(key) { taken.insert(key) }
        }
    }

    var isEmpty: Bool { identities.isEmpty }

    private func identity(of key: StoredIdentity) -> StoredIdentity? {
        // Linkage can contain the UUID of a model in upper case.
        identities[key] ?? key.lowercasedUUID.flatMap { identities[$0] }
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

    /// Returns linkage with the new identities. Of resources that have become one, the first identifier stays.
    func linkage(_ data: JSON, isUnchanged: Bool = true) -> JSON {
        switch data {
        case .object(let members): return .object(identifier(members, isUnchanged))
        case .array(let elements):
            let new = elements.map { linkage($0, isUnchanged: isUnchanged) }
            guard new != Array(elements) else { return data }
            var known: Set<StoredIdentity> = []
            return .array(JSONArray(new.filter { Self.identity($0).map { known.insert($0).inserted } ?? true }))
        default: return data
        }
    }

    /// Returns an identifier with the new identity.
    func identifier(_ old: ResourceIdentifier) -> ResourceIdentifier { ResourceIdentifier(json: linkage(old.json)) ?? old }

    private static func identity(_ json: JSON) -> StoredIdentity? { ResourceIdentifier(json: json).flatMap(StoredIdentity.init) }

    private func identifier(_ members: JSONObject, _ isUnchanged: Bool) -> JSONObject {
        var result = ResourceObject(members: members)
        // Some servers send a whole resource here.
        if let nested = members["relationships"]?.object {
            result.members["relationships"] = .object(relationships(nested, isUnchanged ? nested : nil))
        }
        guard let key = Self.identity(.object(members)), let new = identity(of: key), isUnchanged || !taken.contains(key)
        else { return result.members }
        return ResourceObject(result, as: new.identifier).members
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
            guard hasSameName || renamed.identity(of: key) == other else { return nil }
            if key != other { identities[key] = other }
        }
        guard data.json.map({ linkage($0) }) == new.json else { return nil }
    }
}
