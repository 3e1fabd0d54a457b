import JSONAPICodec
import JSONAPIRules
import JSONText

/// Converts a legacy document to a JSON:API 1.1 document.
struct LegacyTranslation {
    let outline: LegacyOutline
    private let primary: [String]?
    private var budget: ExpansionBudget
    private var problems: [ExpansionError.Problem]

    /// The parts of the document that JSON:API 1.1 does not allow.
    var diagnostics: [ExpansionError.Problem] = []

    init(_ json: JSON, primary: [String]?, maximumSize: Int) throws(ExpansionError) {
        outline = try LegacyOutline(json, takesAll: true)
        self.primary = primary
        budget = ExpansionBudget(maximumSize)
        problems = outline.problems
    }

    /// Returns the document. Throws an error with all problems.
    mutating func document() throws(ExpansionError) -> DocumentObject {
        let primary = primaryCollections()
        let chosen = Set(primary)
        let others = outline.collections.indices.filter { !chosen.contains($0) }
        for position in primary + others { check(collection: position) }
        var known: [IdentityText: Int] = [:]
        var resources: [ResourceObject] = []
        var repeated: [ExpansionError.Problem] = []
        for position in primary.flatMap({ outline.collections[$0].resources }) {
            let resource = try self.resource(outline.resources[position])
            resources.append(resource)
            guard let identity = Self.identity(of: resource) else { continue }
            if known[identity] == nil {
                known[identity] = position
            } else {
                repeated.append(duplicate(position, "; linkage uses the first"))
            }
        }
        var included: [(position: Int, resource: ResourceObject)] = []
        for position in others.flatMap({ outline.collections[$0].resources }) {
            let resource = try self.resource(outline.resources[position])
            if let identity = Self.identity(of: resource) {
                if let first = known[identity] {
                    let isOther = outline.resources[first].members != outline.resources[position].members
                    if isOther { diagnostics.append(duplicate(position, " but with other members; it is omitted")) }
                    continue
                }
                known[identity] = position
            }
            included.append((position, resource))
        }
        // Without included resources, an array can repeat a resource.
        if !included.isEmpty { diagnostics += repeated }
        guard problems.isEmpty else { throw ExpansionError(problems) }
        diagnose(included, linkedFrom: resources)
        let isOne = primary.count == 1 && primary.allSatisfy { !outline.collections[$0].isList }
        var data = PrimaryData.absent
        if isOne { data = resources.first.map(PrimaryData.one) ?? .null } else if !primary.isEmpty { data = .many(resources) }
        return document(data, included.isEmpty ? nil : included.map(\.resource))
    }

    static func identity(of resource: ResourceObject) -> IdentityText? {
        resource.id.map { IdentityText(type: resource.type, id: $0) }
    }

    private mutating func document(_ data: PrimaryData, _ included: [ResourceObject]?) -> DocumentObject {
        var document = DocumentObject()
        document.data = data
        document.included = included
        let taken = Set(outline.collections.filter { !$0.isLinked }.map { ByteText($0.name) })
        for member in outline.members.effectiveMembers {
            if taken.contains(ByteText(member.name)) { continue }
            switch member.name {
            case "data", "included":
                undefined(member.name, "`\(member.name)` of the legacy document; it is omitted, because the result has its own")
            case "links": addLinks(member.value, to: &document)
            case "linked": addLinked(member.value, to: &document)
            default:
                document.members[member.name] = member.value
                let isErrors = member.name == "errors"
                if isErrors ? data != .absent : !["meta", "jsonapi"].contains(member.name) && MemberName(member.name) != .at {
                    undefined(member.name, "JSON:API does not allow this member\(isErrors ? " together with `data`" : " at the top level")")
                }
                if member.name == "meta", member.value.object == nil {
                    diagnostics.append(.mismatch("an object", member.value, at: JSONPointer("meta")))
                }
            }
        }
        keepOtherLinks(&document)
        diagnoseEmptiness(document)
        return document
    }

    /// Adds the links that are not templates and whose names JSON:API defines.
    private mutating func addLinks(_ json: JSON, to document: inout DocumentObject) {
        guard json.object != nil else {
            document.members["links"] = json
            diagnostics.append(.mismatch("an object", json, at: JSONPointer("links")))
            return
        }
        var links = JSONObject()
        for link in outline.otherLinks where Self.isLinkName(link.name, of: document.data) {
            links.append(name: link.name, value: link.value)
            check(link.value) { _ in JSONPointer("links", link.name) }
        }
        if !links.isEmpty { document.members["links"] = .object(links) }
    }

    /// Moves the other links of the document to its `meta`, unless that already has `links` or is not an object.
    private mutating func keepOtherLinks(_ document: inout DocumentObject) {
        let others = outline.otherLinks.filter { !Self.isLinkName($0.name, of: document.data) }
        guard !others.isEmpty else { return }
        var meta: JSONObject = [:]
        if let present = document.members["meta"] {
            guard let object = present.object, !object.contains(name: "links") else {
                for link in others {
                    diagnostics.append(
                        .init(
                            .undefinedMember, at: JSONPointer("links", link.name),
                            "JSON:API does not define this link; it is omitted, because `meta` cannot hold it"))
                }
                return
            }
            meta = object
        }
        meta["links"] = .object(JSONObject(members: others))
        document.members["meta"] = .object(meta)
    }

    /// <https://jsonapi.org/format/1.1/#document-top-level>
    private static func isLinkName(_ name: String, of data: PrimaryData) -> Bool {
        let isList = if case .many = data { true } else { false }
        return ["self", "related", "describedby"].contains(name) || (isList && ["first", "last", "prev", "next"].contains(name))
    }

    /// Keeps the members of `linked` that are not collections.
    private mutating func addLinked(_ json: JSON, to document: inout DocumentObject) {
        guard case .object(let linked) = json else {
            document.members["linked"] = json
            return undefined("linked", "JSON:API does not allow this member at the top level")
        }
        let taken = Set(outline.collections.filter(\.isLinked).map { ByteText($0.name) })
        let rest = JSONObject(members: linked.effectiveMembers.filter { !taken.contains(ByteText($0.name)) })
        if rest.isEmpty { return }
        document.members["linked"] = .object(rest)
        undefined("linked", "JSON:API does not allow this member at the top level; only some of its members are collections")
    }
}

// MARK: - Primary data

extension LegacyTranslation {
    /// Returns the collections of the primary data, in order. It is empty for a document without primary data, such as one with errors.
    private mutating func primaryCollections() -> [Int] {
        let onTop = outline.collections.indices.filter { !outline.collections[$0].isLinked }
        guard let primary else { return onlyCollection(onTop) }
        var seen: Set<ByteText> = []
        return primary.filter { seen.insert(ByteText($0)).inserted }.compactMap { name in
            if let position = onTop.first(where: { UTF8Bytes.areEqual(outline.collections[$0].name, name) }) { return position }
            if let position = outline.collections.firstIndex(where: { UTF8Bytes.areEqual($0.name, name) }) { return position }
            problems.append(unknown(name))
            return nil
        }
    }

    /// Returns the only collection that no other collection embeds. Collections with templates take precedence.
    private mutating func onlyCollection(_ onTop: [Int]) -> [Int] {
        let consumed = outline.consumedCollections(primary: nil)
        let candidates = onTop.filter { !consumed.contains($0) }
        let templated = candidates.filter { outline.templates[ByteText(outline.collections[$0].name)] != nil }
        let best = templated.isEmpty ? candidates : templated
        if best.count > 1 {
            let names = best.map { outline.collections[$0].name }
            problems.append(
                .init(
                    .ambiguousPrimary, at: .root,
                    "the primary data is ambiguous: it can be \(NearestName.list(names)); name the collection in `primary`"))
        } else if best.isEmpty, !outline.collections.isEmpty || outline.hasTemplates && !hasOtherContents {
            problems.append(.init(.unknownCollection, at: .root, "the document has no collection for its primary data"))
        }
        return best
    }

    /// Whether the document is complete without primary data. Servers add all templates to such a document, too.
    private var hasOtherContents: Bool { outline.members.contains(name: "errors") || outline.members.contains(name: "meta") }

    private func unknown(_ name: String) -> ExpansionError.Problem {
        let names = outline.collections.map(\.name)
        let nearest = NearestName.find(name, in: names).map { "; did you mean `\($0)`?" } ?? ""
        return .init(.unknownCollection, at: .root, "the document has no collection `\(name.prefix(60))`\(nearest)")
    }
}

// MARK: - Resources

extension LegacyTranslation {
    private mutating func resource(_ resource: LegacyOutline.Resource) throws(ExpansionError) -> ResourceObject {
        var object = ResourceObject(type: outline.collections[resource.collection].name)
        // The type is in the legacy document only once, as the name of the collection.
        guard budget.spend(object.type.utf8.count) else { throw budget.overrun(at: outline.pointer(to: resource)) }
        var attributes = JSONObject()
        var links = Links(members: [:])
        for member in resource.members.effectiveMembers {
            switch member.name {
            case "id": readID(member.value, of: resource, into: &object)
            // The name of the collection is already the type. `JSON` compares strings by their bytes.
            case "type" where member.value == .string(object.type): break
            case "links" where resource.links != nil: break
            case "href" where member.value.string != nil:
                links.members["self"] = member.value
                check(member.value) { $0.pointer(to: resource).appending("href") }
            default:
                attributes.append(name: member.name, value: member.value)
                check(fieldName: member.name, of: resource)
            }
        }
        if !resource.members.contains(name: "id") {
            diagnostics.append(.init(.missingID, at: outline.pointer(to: resource), "JSON:API requires an `id` for this resource"))
        }
        var unused: Set<ByteText> = []
        var relationships = try relationships(of: resource, attributes, &unused)
        addOtherLinks(of: resource, besides: attributes, unused, &relationships, &links, to: &object)
        if !attributes.isEmpty { object.attributes = attributes }
        if !relationships.members.isEmpty { object.relationships = relationships }
        if !links.members.isEmpty { object.links = links }
        return object
    }

    private mutating func readID(_ json: JSON, of resource: LegacyOutline.Resource, into object: inout ResourceObject) {
        if let id = LegacyOutline.id(json) {
            object.id = id
        } else {
            problems.append(.mismatch("an id: a string or a number", json, at: outline.pointer(to: resource).appending("id")))
        }
    }

    /// Returns the relationships that templates describe. Adds to `unused` the names of links that are not part of theirs.
    private mutating func relationships(
        of resource: LegacyOutline.Resource, _ attributes: JSONObject, _ unused: inout Set<ByteText>
    ) throws(ExpansionError) -> Relationships {
        var relationships = Relationships(members: [:])
        for template in outline.templates(of: resource) {
            guard let relationship = try relationship(template, of: resource) else { continue }
            if attributes.contains(name: template.relation) || template.relation == "id" {
                problems.append(outline.conflict(template.relation, of: resource))
            } else {
                relationships.members.append(name: template.relation, value: relationship.json)
                check(fieldName: template.relation, of: resource, at: pointer(toNameOf: template, of: resource))
                if let stated = resource.links?[template.relation], !outline.uses(stated, template, of: resource) {
                    unused.insert(ByteText(template.relation))
                }
                if let address = relationship.links?.related {
                    check(address.json) { $0.pointer(ofRelation: template.relation, of: resource) }
                }
            }
        }
        return relationships
    }

    /// Returns the relationship that a template describes for a resource, or nil if there is none.
    private mutating func relationship(
        _ template: LegacyTemplate, of resource: LegacyOutline.Resource
    ) throws(ExpansionError) -> RelationshipObject? {
        var linkage = Linkage.absent
        if let stated = resource.links?[template.relation] {
            if let type = template.type {
                let pointer = outline.pointer(ofRelation: template.relation, of: resource)
                guard let ids = LegacyIDs(stated, at: pointer, &problems) else { return nil }
                linkage = try self.linkage(ids, type, at: pointer)
            } else if stated.isNull {
                linkage = .null
            } else if let array = stated.array, array.isEmpty {
                linkage = .many([])
            }
        }
        let address = try outline.address(template, of: resource, &budget)
        if linkage == .absent, address == nil { return nil }
        return RelationshipObject(data: linkage, links: address.map { ["related": .text($0)] })
    }

    private mutating func linkage(_ ids: LegacyIDs, _ type: String, at pointer: JSONPointer) throws(ExpansionError) -> Linkage {
        switch ids {
        case .empty(let json): return json.isNull ? .null : .many([])
        case .one(let id): return .one(try identifier(id, type, at: pointer))
        case .many(let ids):
            var identifiers: [ResourceIdentifier] = []
            for id in ids { identifiers.append(try identifier(id, type, at: pointer)) }
            return .many(identifiers)
        }
    }

    private mutating func identifier(
        _ id: LegacyIDs.ID, _ type: String, at pointer: JSONPointer
    ) throws(ExpansionError) -> ResourceIdentifier {
        // The type is in the legacy document only once, in the template.
        try budget.spend(type.utf8.count, at: pointer)
        return ResourceIdentifier(type: type, id: id.text)
    }

    /// Converts the links that are not yet relationships. `self` remains a link, and each other link becomes a relationship if possible. All
    /// others are kept in `meta`.
    private mutating func addOtherLinks(
        of resource: LegacyOutline.Resource, besides attributes: JSONObject, _ unused: Set<ByteText>,
        _ relationships: inout Relationships, _ links: inout Links, to object: inout ResourceObject
    ) {
        let relations = outline.collections[resource.collection].relations
        var unread = JSONObject()
        for member in resource.links?.effectiveMembers ?? [] {
            if relationships.members.contains(name: member.name) {
                if unused.contains(ByteText(member.name)) { unread.append(name: member.name, value: member.value) }
                continue
            }
            let isFree = !attributes.contains(name: member.name) && !["id", "type", "self"].contains(member.name)
            // The template of the link has no address, so the string is an id.
            let isID = member.value.string != nil && relations.contains(ByteText(member.name))
            if member.name == "self", DocumentLink(json: member.value) != nil, !links.members.contains(name: "self") {
                links.members["self"] = member.value
                check(member.value) { $0.pointer(to: resource).appending("links").appending(member.name) }
            } else if isFree, !isID, MemberName.isLegal(member.name), let relationship = Self.relationship(of: member.value) {
                relationships.members.append(name: member.name, value: relationship.json)
                if let address = relationship.links?.related {
                    check(address.json) { $0.pointer(to: resource).appending("links").appending(member.name) }
                }
            } else {
                unread.append(name: member.name, value: member.value)
            }
        }
        if !unread.isEmpty { object.meta = ["links": .object(unread)] }
    }

    /// Returns the relationship for a link without a template: an address, null or an empty list. Returns nil for ids, whose type is
    /// unknown.
    private static func relationship(of json: JSON) -> RelationshipObject? {
        if json.isNull { return RelationshipObject(data: .null) }
        if let array = json.array { return array.isEmpty ? RelationshipObject(data: .many([])) : nil }
        return DocumentLink(json: json).map { RelationshipObject(data: .absent, links: ["related": $0]) }
    }
}
