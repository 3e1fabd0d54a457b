import JSONAPICodec
import JSONAPIRules
import JSONMapping
import JSONText

/// The names of the attributes and of the relationships that a model has, before or after a change.
struct KnownFields {
    let attributes: Set<ByteText>
    let relationships: Set<ByteText>
    /// The paths inside the attributes that the model has only in part, by the names of the attributes.
    private let parts: [ByteText: [ArraySlice<String>]]
    /// The paths of attributes, and of values inside them, that coding keys lead to.
    private let places: [[String]]
    /// The paths of the meta that the models have, and of the values in it that coding keys lead to.
    private let metaPlaces: [[String]]
    /// The other places from which properties are read.
    private let alternatives: [AlternativePlaces]

    /// Creates the names that some models have together. An attribute that one of them has as a whole is no part.
    init(_ fields: [ModelFields]) {
        let whole = fields.map { fields in
            Set(fields.object.attributes?.map { ByteText($0.name) } ?? []).subtracting(fields.parts.map { ByteText($0[0]) })
        }
        parts = Dictionary(grouping: fields.flatMap(\.parts)) { ByteText($0[0]) }
            .filter { part in !whole.contains { $0.contains(part.key) } }.mapValues { $0.map { $0.dropFirst() } }
        places = fields.flatMap(\.places)
        metaPlaces = fields.flatMap { ($0.object.meta == nil ? [] : [["meta"]]) + $0.metaParts }
        alternatives = fields.flatMap(\.alternatives)
        attributes = Set(fields.flatMap { $0.object.attributes?.map { ByteText($0.name) } ?? [] })
        relationships = Set(fields.flatMap { $0.object.relationships?.names.map { ByteText($0) } ?? [] })
    }

    /// The number of unknown names for which the nearest known one is searched.
    private static let mostSuggestions = 100

    /// Throws 422 for fields of a request that the model does not have, because they would have no effect, and for attributes that a rewriter
    /// has dropped.
    func check(_ sent: SentResource) throws {
        let object = sent.object
        func unknown(_ sent: [String], _ group: String, _ known: Set<ByteText>, isDropped: Bool = false) -> [Problem] {
            let names = known.map(\.text).sorted(by: UTF8Bytes.isLess)
            let unknown = sent.filter { !known.contains(ByteText($0)) && MemberName($0).isPlain }
            return unknown.enumerated().map { index, name in
                let nearest = index < Self.mostSuggestions ? NearestName.find(name, in: names) : nil
                let question = nearest.map { " Did you mean `\($0)`?" } ?? ""
                let detail = "The resource has no field of this name in `\(group)`." + question
                return Problem("Unknown field", detail, [group], name, isDropped: isDropped)
            }
        }
        var problems =
            unknown(object.attributes?.map(\.name) ?? [], "attributes", attributes)
            + unknown(sent.dropped, "attributes", attributes.subtracting(sent.dropped.map { ByteText($0) }), isDropped: true)
            + unknown(object.relationships?.names ?? [], "relationships", relationships)
        for member in object.attributes ?? JSONObject() {
            guard let paths = parts[ByteText(member.name)] else { continue }
            problems += Self.lost(of: member.value, paths, at: ["attributes"], member.name)
        }
        if !problems.isEmpty { throw ErrorDocument(errors: ErrorDocument.errors(of: problems) { $0.error(in: sent) }) }
    }

    /// A problem with a member of the request. The text of its place is only made for its error.
    private struct Problem {
        let title: String
        let detail: String
        let path: [String]
        let name: String
        /// Whether the rewriter drops the member, so that its path is one in the resource object as it was sent.
        let isDropped: Bool

        init(_ title: String, _ detail: String, _ path: [String], _ name: String, isDropped: Bool = false) {
            (self.title, self.detail, self.path, self.name, self.isDropped) = (title, detail, path, name, isDropped)
        }

        func error(in sent: SentResource) -> ErrorObject {
            let path = path + [name]
            return RequestRefusal.object(422, title, detail, at: isDropped ? sent.place(ofOriginal: path) : sent.place(of: path))
        }
    }

    /// Returns a problem for each member of a value that no property has, if the properties have only the values at the given paths in it.
    /// Recurses along these paths.
    private static func lost(of value: JSON, _ paths: [ArraySlice<String>], at path: [String], _ name: String) -> [Problem] {
        if value == .null { return [] }
        guard let object = value.object else {
            return [Problem("Not an object", "The resource has only members of this object.", path, name)]
        }
        let rests = rests(of: paths)
        let path = path + [name]
        return object.flatMap { member -> [Problem] in
            guard let rests = rests[ByteText(member.name)] else {
                guard MemberName(member.name).isPlain else { return [] }
                return [Problem("Unknown field", "The resource has no member of this name in this object.", path, member.name)]
            }
            return rests.contains(where: \.isEmpty) ? [] : lost(of: member.value, rests, at: path, member.name)
        }
    }

    /// Returns the rests of paths after a member, by the name of the member.
    private static func rests(of paths: [ArraySlice<String>]) -> [ByteText: [ArraySlice<String>]] {
        var rests: [ByteText: [ArraySlice<String>]] = [:]
        for path in paths {
            guard let first = path.first else { continue }
            rests[ByteText(first), default: []].append(path.dropFirst())
        }
        return rests
    }

    /// Throws 403 for each value of a request at another place from which one of the given properties is read.
    func checkAlternatives(_ sent: SentResource, of restricted: [String]) throws {
        let others = alternatives.filter { property in restricted.contains { UTF8Bytes.areEqual($0, property.name) } }
        // Two models can have the same property.
        var distinct: Set<ByteText> = []
        try RequestRefusal.check(
            sent, hasNone: others.flatMap(\.fields).filter { distinct.insert(ByteText($0)).inserted },
            at: others.flatMap(\.members).filter { distinct.insert(ByteText($0.joined(separator: "."))).inserted })
    }

    /// Throws `EncodingError` when a field of `RestrictedFields` is only a member of an attribute, at the path of a coding key, or is a path or
    /// meta. Clients could write it, because the fields are compared with names of whole attributes.
    func checkRestrictions(of model: any Resource.Type) throws {
        guard let model = model as? any RestrictedFields.Type else { return }
        let names = attributes.union(relationships).union(places.filter { $0.count == 1 }.map { ByteText($0[0]) })
        let inside = places.filter { $0.count > 1 }.map { $0.joined(separator: ".") }
        let inAttributes = (names.map(\.text) + inside).map { "attributes.\($0)" }
        let inRelationships = relationships.map { "relationships.\($0.text)" }
        let inMeta = metaPlaces.filter { $0.count > 1 }.map { $0.joined(separator: ".") }
        // Among the remaining attributes, there can be one with the name of a member.
        let last = places.contains(where: \.isEmpty) ? [] : (places + metaPlaces).compactMap(\.last)
        let members = Set((last + inside + inAttributes + inRelationships + inMeta).map { ByteText($0) })
        for field in model.readOnlyFields + model.createOnlyFields {
            let spellings = FieldRestriction.inDocument([field]).map { ByteText($0) }
            if spellings.contains(where: { names.contains($0) }) { continue }
            guard spellings.contains(where: { members.contains($0) }) else { continue }
            let text =
                "The restricted field `\(field)` of \(model) is a path, or only a member of an attribute or meta. Name the attribute instead."
            throw EncodingError.invalidValue(model, EncodingError.Context(codingPath: [], debugDescription: text))
        }
    }

    /// Throws 422 for each attribute of a request that the model keeps and whose name `encoder` refuses, because the server could not respond
    /// with the resource. Only remaining members have such names.
    func checkNames(_ sent: SentResource, in kept: ResourceObject, _ encoder: JSONAPIEncoder) throws {
        guard encoder.checksNames, places.contains([]) else { return }
        let problems = (sent.object.attributes?.map(\.name) ?? []).compactMap { name -> ErrorObject? in
            let isRefused =
                switch MemberName(name) {
                case .legal: name == "id" || name == "type"
                case .at, .ofExtension: false
                case .illegal, .illegalOfExtension: true
                }
            // A path leads to an attribute called `type` that the model declares.
            guard isRefused, !places.contains([name]), kept[attribute: name] != nil else { return nil }
            return RequestRefusal.object(
                422, "Illegal name", "An attribute cannot have this name.", at: sent.place(of: ["attributes", name]))
        }
        if !problems.isEmpty { throw ErrorDocument(errors: problems) }
    }

    /// Throws 422 when a relationship of the model does not contain what was sent, because a property that embeds resources cannot hold
    /// unavailable ones. `kept` contains the fields of the model, and `cuts` the relationships that it lacks because they would contain it.
    /// Also throws 422 for types that `encoder` refuses, because the server could not respond with the resource.
    func checkLinkage(
        _ sent: SentResource, in kept: ResourceObject, without cuts: Set<ByteText> = [], _ encoder: JSONAPIEncoder
    ) throws {
        let checked = relationships.subtracting(cuts)
        for (name, relationship) in sent.object.relationships ?? Relationships(members: JSONObject())
        where relationship.members["data"] != nil && checked.contains(ByteText(name)) {
            let place = sent.place(of: ["relationships", name])
            let (linked, kept) = (relationship.data.identifiers, kept[relationship: name]?.data.identifiers ?? [])
            guard linked.count == kept.count, zip(linked, kept).allSatisfy({ $0.isSameResource(as: $1) }) else {
                throw RequestRefusal.error(
                    422, "Unknown resources", "The relationship cannot link to resources that are not available.", at: place)
            }
            if encoder.checksNames, linked.contains(where: { !MemberName.isLegal($0.type) }) {
                throw RequestRefusal.error(
                    422, "Illegal type", "The relationship links to a type that is not a legal name.", at: place)
            }
        }
    }
}
