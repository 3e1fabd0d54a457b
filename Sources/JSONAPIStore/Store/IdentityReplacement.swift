import JSONAPIArchive
import JSONAPICodec
import JSONText

/// Replaces the lids of resources in linkage by ids, and the identity of a resource itself.
struct IdentityReplacement {
    /// Whether `linkage(_:)` and `identifier` also replace ids, by other spellings.
    var replacesIDs = false
    /// Returns the identity in place of another one; the same one if it stays.
    let replacement: (StoredIdentity) -> StoredIdentity

    /// Returns a resource with replaced identities, its own and those in its linkage.
    func resource(_ object: ResourceObject) -> ResourceObject {
        let result = linkage(of: object)
        guard let identity = object.identifier.flatMap(StoredIdentity.init) else { return result }
        let new = replacement(identity)
        return new == identity ? result : ResourceObject(result, as: new.identifier)
    }

    /// Returns a resource with replaced lids in its linkage. Its own identity stays.
    func linkage(of object: ResourceObject) -> ResourceObject {
        guard let relationships = object.members["relationships"]?.object,
            relationships.contains(where: { Self.hasLID($0.value["data"]) })
        else { return object }
        var rewritten = relationships
        for member in relationships where Self.hasLID(member.value["data"]) { rewritten[member.name] = relationship(member.value) }
        var result = object
        result.members["relationships"] = .object(rewritten)
        return result
    }

    private static func hasLID(_ data: JSON?) -> Bool {
        switch data {
        case .object(let identifier)?: !identifier.contains(name: "id")
        case .array(let identifiers)?: identifiers.contains { $0.object?.contains(name: "id") == false }
        default: false
        }
    }

    func relationship(_ json: JSON) -> JSON {
        guard var relationship = json.object, let data = relationship["data"] else { return json }
        relationship["data"] = linkage(data)
        return .object(relationship)
    }

    /// Returns linkage with replaced lids. A new identity that the linkage already contains is not repeated.
    func linkage(_ data: JSON) -> JSON {
        switch data {
        case .object(let members): return .object(identifier(members))
        case .array(let elements):
            let new = elements.map { element in element.object.map { JSON.object(identifier($0)) } ?? element }
            guard new != Array(elements) else { return data }
            var known: Set<StoredIdentity> = []
            for (old, new) in zip(elements, new) where old == new { if let identity = Self.identity(new) { known.insert(identity) } }
            var result = JSONArray()
            for (old, new) in zip(elements, new) {
                if old != new, let identity = Self.identity(new), !known.insert(identity).inserted { continue }
                result.append(new)
            }
            return .array(result)
        default: return data
        }
    }

    private static func identity(_ json: JSON) -> StoredIdentity? { ResourceIdentifier(json: json).flatMap(StoredIdentity.init) }

    /// Returns the members of an identifier, or of a resource, with the id in place of a lid.
    func identifier(_ members: JSONObject) -> JSONObject {
        guard let identity = ResourceIdentifier(members: members).flatMap(StoredIdentity.init), identity.isLocal || replacesIDs
        else { return members }
        let new = replacement(identity)
        guard new != identity else { return members }
        var result = JSONObject()
        let name = identity.isLocal ? "lid" : "id"
        for member in members where member.name != "id" || !identity.isLocal {
            if member.name == name {
                result.append(name: "id", value: .string(new.name))
            } else {
                result.append(name: member.name, value: member.value)
            }
        }
        return result
    }
}
