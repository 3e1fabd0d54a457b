import JSONAPICodec
import JSONText

/// The names of the attributes and of the relationships that a model has, before or after a change.
struct KnownFields {
    let attributes: Set<ByteText>
    let relationships: Set<ByteText>

    /// Creates the names of two values; of one if only that is passed.
    init(
        _ old: (attributes: [String], relationships: [String]), _ new: (attributes: [String], relationships: [String]) = ([], [])
    ) {
        attributes = Set((old.attributes + new.attributes).map { ByteText($0) })
        relationships = Set((old.relationships + new.relationships).map { ByteText($0) })
    }

    /// Throws 422 for fields of a request that the model does not have, because they would have no effect.
    func check(_ object: ResourceObject, at place: [String]) throws {
        func unknown(_ sent: [String], _ group: String, _ known: Set<ByteText>) -> [ErrorObject] {
            let names = known.map(\.text).sorted(by: UTF8Bytes.isLess)
            return sent.filter { !known.contains(ByteText($0)) && MemberKind(of: $0) == .plain }.map { name in
                let nearest = NearestName.find(name, in: names).map { " Did you mean `\($0)`?" } ?? ""
                return RequestRefusal.object(
                    422, "Unknown field", "The resource has no field of this name in `\(group)`." + nearest, at: place + [group, name])
            }
        }
        let problems =
            unknown(object.attributes?.map(\.name) ?? [], "attributes", attributes)
            + unknown(object.relationships?.names ?? [], "relationships", relationships)
        if !problems.isEmpty { throw ErrorDocument(errors: ErrorDocument.errors(of: problems)) }
    }
}
