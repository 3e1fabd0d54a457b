import JSONAPIArchive
import JSONAPICodec
import JSONText

/// Merges resources field by field, as `MergePolicy.fields` says. Of members with the same name, the last one counts.
enum ResourceMerge {
    static func merged(_ stored: ResourceObject, with newer: ResourceObject) -> ResourceObject {
        var result = stored.members
        for member in newer.members.effectiveMembers {
            let (name, value) = (member.name, member.value)
            switch name {
            case "attributes": result["attributes"] = fields(result["attributes"], with: value) { _, new in new }
            case "relationships": result["relationships"] = fields(result["relationships"], with: value, relationship)
            // A leniency reads other values as absent.
            case "links", "meta": if value.object != nil || result[name]?.object == nil { result[name] = value }
            default: result[name] = value
            }
        }
        return ResourceObject(members: result)
    }

    /// Merges two objects of fields. If one of the values is not an object, returns the other one.
    private static func fields(_ stored: JSON?, with newer: JSON, _ merge: (JSON, JSON) -> JSON) -> JSON {
        guard case .object(let new) = newer else { return stored ?? newer }
        guard case .object(var result)? = stored else { return newer }
        for member in new.effectiveMembers {
            result[member.name] = result[member.name].map { merge($0, member.value) } ?? member.value
        }
        return .object(result)
    }

    /// Returns the newer relationship. If it has no `data`, the result keeps the stored linkage, with what says that it is a page. Other
    /// links and meta are always replaced, because they belong to the linkage. A newer value that is no object, which a leniency reads as
    /// absent, replaces nothing.
    private static func relationship(_ stored: JSON, _ newer: JSON) -> JSON {
        guard case .object(let members) = newer else { return stored.object == nil ? newer : stored }
        guard !members.contains(name: "data"), let data = stored["data"] else { return newer }
        var result = RelationshipObject(members: members)
        result.members.append(name: "data", value: data)
        result.keepPages(of: RelationshipObject(members: stored.object ?? JSONObject()))
        return .object(result.members)
    }

    /// Returns a stored resource with the changes of a patch. Replaces the linkage of a relationship, and keeps its other members, except
    /// links to other pages.
    static func patched(_ stored: ResourceObject, by patch: ResourceObject) -> ResourceObject {
        var result = stored
        for member in patch.attributes ?? JSONObject() { result[attribute: member.name] = member.value }
        for member in patch.relationships?.members.effectiveMembers ?? [] {
            var relationship = result[relationship: member.name] ?? RelationshipObject()
            for part in member.value.object ?? JSONObject() {
                if part.name == "data" { relationship.replaceLinkage(by: part.value) } else { relationship.members[part.name] = part.value }
            }
            result[relationship: member.name] = relationship
        }
        if let meta = patch.meta { result.meta = meta }
        return result
    }

    /// Returns pointers to the fields, links and meta of a newer resource that are the same in the stored one. Of a relationship, only the
    /// members that the newer resource has must be the same.
    static func equalFields(of newer: ResourceObject, in stored: ResourceObject) -> [JSONPointer] {
        let (new, old) = (JSON.object(newer.members), JSON.object(stored.members))
        return ResourceFields.places(of: newer).filter { place in
            guard let value = new[pointer: place], let known = old[pointer: place] else { return false }
            guard place.tokens[0] == "relationships", let members = value.object else { return value == known }
            return members.allSatisfy { known[$0.name] == $0.value }
        }
    }

    /// Returns pointers to the fields, links and meta that both resources have, and that have another value in the result.
    static func conflicts(_ stored: ResourceObject, _ newer: ResourceObject, in result: ResourceObject) -> [JSONPointer] {
        ResourceFields.places(of: newer).filter { pointer in
            guard let old = JSON.object(stored.members)[pointer: pointer] else { return false }
            return old != JSON.object(result.members)[pointer: pointer]
        }
    }
}
