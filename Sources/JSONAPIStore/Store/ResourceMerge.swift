import JSONAPICodec
import JSONText

/// Merges resources field by field, as `MergePolicy.fields` says.
enum ResourceMerge {
    static func merged(_ stored: ResourceObject, with newer: ResourceObject) -> ResourceObject {
        var result = stored.members
        for (name, value) in newer.members.map({ ($0.name, $0.value) }) {
            switch name {
            case "attributes": result["attributes"] = fields(result["attributes"], with: value) { _, new in new }
            case "relationships": result["relationships"] = fields(result["relationships"], with: value, relationship)
            default: result[name] = value
            }
        }
        return ResourceObject(members: result)
    }

    /// Two objects of fields as one. What is no object has no fields, and takes none away.
    private static func fields(_ stored: JSON?, with newer: JSON, _ merge: (JSON, JSON) -> JSON) -> JSON {
        guard case .object(let new) = newer else { return stored ?? newer }
        guard case .object(var result)? = stored else { return newer }
        for member in new {
            result[member.name] = result[member.name].map { merge($0, member.value) } ?? member.value
        }
        return .object(result)
    }

    /// Links and meta of a relationship belong to its linkage: pages, for example. So they are replaced with it.
    private static func relationship(_ stored: JSON, _ newer: JSON) -> JSON {
        guard case .object(var result) = newer, !result.contains(name: "data"), let data = stored["data"] else { return newer }
        result.append(name: "data", value: data)
        return .object(result)
    }

    /// A stored resource with the changes of a patch. Linkage is set, the rest of a relationship stays.
    static func patched(_ stored: ResourceObject, by patch: ResourceObject) -> ResourceObject {
        var result = stored
        for member in patch.attributes ?? JSONObject() { result[attribute: member.name] = member.value }
        for member in patch.relationships?.members ?? JSONObject() {
            var relationship = result[relationship: member.name]?.members ?? JSONObject()
            for part in member.value.object ?? JSONObject() { relationship[part.name] = part.value }
            result[relationship: member.name] = RelationshipObject(members: relationship)
        }
        if let meta = patch.meta { result.meta = meta }
        return result
    }

    /// The places of fields, links and meta that both have, with other values.
    static func conflicts(_ stored: ResourceObject, _ newer: ResourceObject) -> [JSONPointer] {
        places(of: newer).filter { pointer in
            guard let old = JSON.object(stored.members)[pointer: pointer] else { return false }
            return old != JSON.object(newer.members)[pointer: pointer]
        }
    }

    /// The places of all attributes and relationships of a resource, and of its links and meta.
    static func places(of object: ResourceObject) -> [JSONPointer] {
        let fields = ["attributes", "relationships"].flatMap { group in
            (object.members[group]?.object?.names).map { $0.map { JSONPointer(group, $0) } } ?? []
        }
        return fields + ["links", "meta"].filter { object.members.contains(name: $0) }.map { JSONPointer($0) }
    }
}
