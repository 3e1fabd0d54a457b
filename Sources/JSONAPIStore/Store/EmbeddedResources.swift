import JSONAPICodec
import JSONText

// Whole resources in the relationships of others. The leniency `embeddedResources` reads them as if they were included.

extension ResourceObject {
    /// The same resource, whose relationships contain only identifiers.
    var withoutEmbedded: ResourceObject {
        var found: [ResourceObject] = []
        return takingEmbedded(into: &found)
    }

    /// Returns the resources in the relationships of the given ones, and in their own relationships, in that order.
    ///
    /// - Complexity: O(n), n = number of values. Does not recurse.
    static func embedded(in resources: [ResourceObject]) -> [ResourceObject] {
        var found: [ResourceObject] = []
        for resource in resources { _ = resource.takingEmbedded(into: &found) }
        var next = 0
        while next < found.count {
            found[next] = found[next].takingEmbedded(into: &found)
            next += 1
        }
        return found
    }

    /// Returns the resource with identifiers in place of resources, which are appended to `found`.
    private func takingEmbedded(into found: inout [ResourceObject]) -> ResourceObject {
        guard var relationships = members["relationships"]?.object else { return self }
        let count = found.count
        for member in relationships.effectiveMembers {
            guard var relationship = member.value.object, let data = relationship["data"] else { continue }
            let before = found.count
            let linkage = data.array.map { array in JSON.array(JSONArray(array.map { Self.identifier($0, &found) })) }
            relationship["data"] = linkage ?? Self.identifier(data, &found)
            if found.count > before { relationships[member.name] = .object(relationship) }
        }
        guard found.count > count else { return self }
        var members = members
        members["relationships"] = .object(relationships)
        return ResourceObject(members: members)
    }

    /// Returns the identifier of a whole resource, which is appended to `found`. Returns other values unchanged.
    private static func identifier(_ json: JSON, _ found: inout [ResourceObject]) -> JSON {
        guard let members = json.object, ["attributes", "relationships"].contains(where: { members[$0]?.object?.isEmpty == false }),
            let identifier = ResourceIdentifier(members: members), identifier.id != nil
        else { return json }
        found.append(ResourceObject(members: members))
        guard var bare = identifier.withoutFields.json.object else { return json }
        if bare["meta"]?.object == nil { bare["meta"] = nil }
        return .object(bare)
    }
}
