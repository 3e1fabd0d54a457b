import JSONAPICodec
import JSONText

/// Makes a document of today of a legacy one.
struct LegacyTranslation {
    private let outline: LegacyOutline
    private let primary: [String]?
    private var budget: ExpansionBudget
    private var problems: [ExpansionError.Problem]

    init(_ json: JSON, primary: [String]?, maximumSize: Int) throws(ExpansionError) {
        outline = try LegacyOutline(json, takesAll: true)
        self.primary = primary
        budget = ExpansionBudget(maximumSize)
        problems = outline.problems
    }

    /// The document. Throws all problems.
    mutating func document() throws(ExpansionError) -> DocumentObject {
        let primary = primaryCollections()
        var data = PrimaryData.absent
        var included: [ResourceObject] = []
        var seen: Set<IdentityText> = []
        let isOne = primary.count == 1 && primary.allSatisfy { !outline.collections[$0].isList }
        var resources: [ResourceObject] = []
        for position in primary.flatMap({ outline.collections[$0].resources }) {
            let resource = try self.resource(outline.resources[position])
            if let identity = Self.identity(of: resource) { seen.insert(identity) }
            resources.append(resource)
        }
        if isOne { data = resources.first.map(PrimaryData.one) ?? .null } else if !primary.isEmpty { data = .many(resources) }
        let chosen = Set(primary)
        let others = outline.collections.indices.filter { !chosen.contains($0) }
        for position in others.flatMap({ outline.collections[$0].resources }) {
            let resource = try self.resource(outline.resources[position])
            guard Self.identity(of: resource).map({ seen.insert($0).inserted }) ?? true else { continue }
            included.append(resource)
        }
        guard problems.isEmpty else { throw ExpansionError(problems) }
        return document(data, included.isEmpty ? nil : included)
    }

    private static func identity(of resource: ResourceObject) -> IdentityText? {
        resource.id.map { IdentityText(type: resource.type, id: $0) }
    }

    private func document(_ data: PrimaryData, _ included: [ResourceObject]?) -> DocumentObject {
        var document = DocumentObject()
        document.data = data
        document.included = included
        let taken = Set(outline.collections.filter { !$0.isLinked }.map { ByteText($0.name) })
        for member in outline.members.effectiveMembers {
            switch member.name {
            case "data", "included": break
            case "links": addLinks(member.value, to: &document)
            case "linked": addLinked(member.value, to: &document)
            default: if !taken.contains(ByteText(member.name)) { document.members[member.name] = member.value }
            }
        }
        return document
    }

    /// The entries that are no templates.
    private func addLinks(_ json: JSON, to document: inout DocumentObject) {
        if json.object == nil { document.members["links"] = json }
        if !outline.otherLinks.isEmpty { document.members["links"] = .object(outline.otherLinks) }
    }

    /// What is in `linked` beside collections.
    private func addLinked(_ json: JSON, to document: inout DocumentObject) {
        guard case .object(let linked) = json else {
            document.members["linked"] = json
            return
        }
        let taken = Set(outline.collections.filter(\.isLinked).map { ByteText($0.name) })
        let rest = JSONObject(members: linked.effectiveMembers.filter { !taken.contains(ByteText($0.name)) })
        if !rest.isEmpty { document.members["linked"] = .object(rest) }
    }
}

// MARK: - Primary data

extension LegacyTranslation {
    /// The collections that are the primary data, in order; none for a document without any, as one of errors.
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

    /// The collection that nothing embeds. Those with templates come before those without.
    private mutating func onlyCollection(_ onTop: [Int]) -> [Int] {
        let consumed = outline.consumedCollections(primary: nil)
        let candidates = onTop.filter { !consumed.contains($0) }
        let templated = candidates.filter { outline.templates[ByteText(outline.collections[$0].name)] != nil }
        let best = templated.isEmpty ? candidates : templated
        if best.count > 1 {
            let names = best.map { outline.collections[$0].name }
            problems.append(
                .init(
                    .ambiguousPrimary, at: .root, "the primary data may be \(NearestName.list(names)); say which with `primary`"))
        } else if best.isEmpty, outline.hasTemplates || !outline.collections.isEmpty {
            problems.append(.init(.unknownCollection, at: .root, "the document has no collection for its primary data"))
        }
        return best
    }

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
        var attributes = JSONObject()
        var links = Links(members: [:])
        for member in resource.members.effectiveMembers {
            switch member.name {
            case "id": readID(member.value, of: resource, into: &object)
            case "links" where resource.links != nil: break
            case "href" where member.value.string != nil: links.members["self"] = member.value
            default: attributes.append(name: member.name, value: member.value)
            }
        }
        let relationships = try relationships(of: resource, attributes)
        if !attributes.isEmpty { object.attributes = attributes }
        if !relationships.members.isEmpty { object.relationships = relationships }
        addOtherLinks(of: resource, besides: relationships, &links, to: &object)
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

    private mutating func relationships(
        of resource: LegacyOutline.Resource, _ attributes: JSONObject
    ) throws(ExpansionError) -> Relationships {
        var relationships = Relationships(members: [:])
        for template in outline.templates(of: resource) {
            guard let relationship = try relationship(template, of: resource) else { continue }
            if attributes.contains(name: template.relation) || template.relation == "id" {
                problems.append(outline.conflict(template.relation, of: resource))
            } else {
                relationships.members.append(name: template.relation, value: relationship.json)
            }
        }
        return relationships
    }

    /// What a template says about a resource; nil when it says nothing.
    private mutating func relationship(
        _ template: LegacyTemplate, of resource: LegacyOutline.Resource
    ) throws(ExpansionError) -> RelationshipObject? {
        var linkage = Linkage.absent
        if let stated = resource.links?[template.relation] {
            if let type = template.type {
                let pointer = outline.pointer(ofRelation: template.relation, of: resource)
                guard let ids = LegacyIDs(stated, at: pointer, &problems) else { return nil }
                linkage = Self.linkage(ids, type)
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

    private static func linkage(_ ids: LegacyIDs, _ type: String) -> Linkage {
        switch ids {
        case .empty(let json): json.isNull ? .null : .many([])
        case .one(let id): .one(ResourceIdentifier(type: type, id: id.text))
        case .many(let ids): .many(ids.map { ResourceIdentifier(type: type, id: $0.text) })
        }
    }

    /// The links that no template made a relationship of.
    private func addOtherLinks(
        of resource: LegacyOutline.Resource, besides relationships: Relationships, _ links: inout Links, to object: inout ResourceObject
    ) {
        var unread = JSONObject()
        for member in resource.links?.effectiveMembers ?? [] where !relationships.members.contains(name: member.name) {
            if DocumentLink(json: member.value) != nil, !links.members.contains(name: member.name) {
                links.members.append(name: member.name, value: member.value)
            } else {
                unread.append(name: member.name, value: member.value)
            }
        }
        if !unread.isEmpty { object.meta = ["links": .object(unread)] }
    }
}
