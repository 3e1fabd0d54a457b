import JSONAPICodec
import JSONText

/// The names of the attributes and of the relationships that a model has, before or after a change.
struct KnownFields {
    let attributes: Set<ByteText>
    let relationships: Set<ByteText>

    /// Creates the names of the given objects, which `JSONAPIEncoder.fields(of:)` returned.
    init(_ objects: ResourceObject...) {
        attributes = Set(objects.flatMap { $0.attributes?.map { ByteText($0.name) } ?? [] })
        relationships = Set(objects.flatMap { $0.relationships?.names.map { ByteText($0) } ?? [] })
    }

    /// The number of unknown names for which the nearest known one is searched.
    private static let mostSuggestions = 100

    /// Throws 422 for fields of a request that the model does not have, because they would have no effect.
    func check(_ object: ResourceObject, at place: [String]) throws {
        func unknown(_ sent: [String], _ group: String, _ known: Set<ByteText>) -> [ErrorObject] {
            let names = known.map(\.text).sorted(by: UTF8Bytes.isLess)
            let unknown = sent.filter { !known.contains(ByteText($0)) && MemberKind(of: $0) == .plain }
            return unknown.enumerated().map { index, name in
                let nearest = index < Self.mostSuggestions ? NearestName.find(name, in: names) : nil
                let question = nearest.map { " Did you mean `\($0)`?" } ?? ""
                return RequestRefusal.object(
                    422, "Unknown field", "The resource has no field of this name in `\(group)`." + question, at: place + [group, name])
            }
        }
        let problems =
            unknown(object.attributes?.map(\.name) ?? [], "attributes", attributes)
            + unknown(object.relationships?.names ?? [], "relationships", relationships)
        if !problems.isEmpty { throw ErrorDocument(errors: ErrorDocument.errors(of: problems)) }
    }

    /// Throws 422 when a relationship of the model does not contain what was sent, because a property that embeds resources cannot hold
    /// unavailable ones. `kept` is the model, as `JSONAPIEncoder.fields(of:)` returned it.
    func checkLinkage(_ object: ResourceObject, in kept: ResourceObject, at place: [String]) throws {
        for (name, relationship) in object.relationships ?? Relationships(members: JSONObject())
        where relationship.members["data"] != nil && relationships.contains(ByteText(name)) {
            let (sent, kept) = (relationship.data.identifiers, kept[relationship: name]?.data.identifiers ?? [])
            guard sent.count == kept.count, zip(sent, kept).allSatisfy({ $0.isSameResource(as: $1) }) else {
                throw RequestRefusal.error(
                    422, "Unknown resources", "The relationship cannot link to resources that are not available.",
                    at: place + ["relationships", name])
            }
        }
    }
}
