import JSONAPICodec
import JSONAPIRules
import JSONText

/// The names of the attributes and of the relationships that a model has, before or after a change.
struct KnownFields {
    let attributes: Set<ByteText>
    let relationships: Set<ByteText>
    /// The paths of the attributes that the model has only in part.
    private let parts: [[String]]

    init(_ fields: ModelFields...) {
        parts = fields.flatMap(\.parts)
        attributes = Set(fields.flatMap { $0.object.attributes?.map { ByteText($0.name) } ?? [] })
        relationships = Set(fields.flatMap { $0.object.relationships?.names.map { ByteText($0) } ?? [] })
    }

    /// The number of unknown names for which the nearest known one is searched.
    private static let mostSuggestions = 100

    /// Throws 422 for fields of a request that the model does not have, because they would have no effect, and for attributes that a rewriter
    /// has dropped.
    func check(_ object: ResourceObject, _ dropped: [String]) throws {
        func unknown(_ sent: [String], _ group: String, _ known: Set<ByteText>) -> [ErrorObject] {
            let names = known.map(\.text).sorted(by: UTF8Bytes.isLess)
            let unknown = sent.filter { !known.contains(ByteText($0)) && MemberName($0).isPlain }
            return unknown.enumerated().map { index, name in
                let nearest = index < Self.mostSuggestions ? NearestName.find(name, in: names) : nil
                let question = nearest.map { " Did you mean `\($0)`?" } ?? ""
                return RequestRefusal.object(
                    422, "Unknown field", "The resource has no field of this name in `\(group)`." + question, at: ["data", group, name])
            }
        }
        var problems =
            unknown(object.attributes?.map(\.name) ?? [], "attributes", attributes)
            + unknown(dropped, "attributes", attributes.subtracting(dropped.map { ByteText($0) }))
            + unknown(object.relationships?.names ?? [], "relationships", relationships)
        for member in object.attributes ?? JSONObject() {
            let paths: [ArraySlice<String>] = parts.filter { UTF8Bytes.areEqual($0[0], member.name) }.map { $0.dropFirst() }
            if !paths.isEmpty { problems += Self.lost(of: member.value, paths, at: ["data", "attributes", member.name]) }
        }
        if !problems.isEmpty { throw ErrorDocument(errors: ErrorDocument.errors(of: problems)) }
    }

    /// Returns an error for each member of a value that no property has, if the properties have only the values at the given paths in it.
    /// Recurses along these paths.
    private static func lost(of value: JSON, _ paths: [ArraySlice<String>], at place: [String]) -> [ErrorObject] {
        if value == .null { return [] }
        guard let object = value.object else {
            return [RequestRefusal.object(422, "Not an object", "The resource has only members of this object.", at: place)]
        }
        return object.flatMap { member -> [ErrorObject] in
            let rests = paths.compactMap { rest(of: $0, after: member.name) }
            let place = place + [member.name]
            if rests.isEmpty {
                guard MemberName(member.name).isPlain else { return [] }
                return [RequestRefusal.object(422, "Unknown field", "The resource has no member of this name in this object.", at: place)]
            }
            return rests.contains(where: \.isEmpty) ? [] : lost(of: member.value, rests, at: place)
        }
    }

    /// Returns the rest of a path after a member; nil when the path leads to another member. As when it is read, a member with the name of
    /// the whole path, with its dots, is at its end.
    private static func rest(of path: ArraySlice<String>, after name: String) -> ArraySlice<String>? {
        if UTF8Bytes.areEqual(path.joined(separator: "."), name) { return [] }
        return path.first.map { UTF8Bytes.areEqual($0, name) } == true ? path.dropFirst() : nil
    }

    /// Throws 422 when a relationship of the model does not contain what was sent, because a property that embeds resources cannot hold
    /// unavailable ones. `kept` contains the fields of the model.
    func checkLinkage(_ object: ResourceObject, in kept: ResourceObject) throws {
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject())
        where relationship.members["data"] != nil && relationships.contains(ByteText(name)) {
            let (sent, kept) = (relationship.data.identifiers, kept[relationship: name]?.data.identifiers ?? [])
            guard sent.count == kept.count, zip(sent, kept).allSatisfy({ $0.isSameResource(as: $1) }) else {
                throw RequestRefusal.error(
                    422, "Unknown resources", "The relationship cannot link to resources that are not available.",
                    at: ["data", "relationships", name])
            }
        }
    }
}
