import JSONText

/// The resources of a legacy document, for expansion.
struct LegacySource: ExpansionSource {
    private let outline: LegacyOutline
    private let missing: Expander.Missing

    init(_ outline: LegacyOutline, _ missing: Expander.Missing) {
        self.outline = outline
        self.missing = missing
    }

    var count: Int { outline.resources.count }

    func pointer(ofRelation name: String, at position: Int) -> JSONPointer {
        outline.pointer(ofRelation: name, of: outline.resources[position])
    }

    func node(
        at position: Int, _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) -> ExpansionNode {
        let resource = outline.resources[position]
        var reading = Reading(resource)
        for template in outline.templates(of: resource) {
            try read(template, of: resource, &reading, &budget, &problems)
        }
        return reading.node()
    }
}

// MARK: - One resource

extension LegacySource {
    /// A resource whose relations are being read.
    private struct Reading {
        let resource: LegacyOutline.Resource
        /// The values of relations that are not embedded.
        var written = JSONObject()
        var relations: [ExpansionNode.Relation] = []
        /// The names of the links that were used.
        var used: Set<ByteText> = []

        init(_ resource: LegacyOutline.Resource) { self.resource = resource }

        /// Returns the node for the resource. Removes the used links, and `links` if it is then empty.
        func node() -> ExpansionNode {
            var members = resource.members
            if let links = resource.links {
                let rest = JSONObject(members: links.filter { !used.contains(ByteText($0.name)) })
                if rest.isEmpty {
                    members.removeValue(forName: "links")
                } else if rest.count < links.count {
                    members["links"] = .object(rest)
                }
            }
            for member in written { members.append(name: member.name, value: member.value) }
            var stub = JSONObject()
            for name in ["id", ExpansionNode.href] {
                if let value = resource.members[name] { stub.append(name: name, value: value) }
            }
            return ExpansionNode(members: members, stub: stub, relations: relations)
        }
    }

    /// Applies a template to a resource.
    private func read(
        _ template: LegacyTemplate, of resource: LegacyOutline.Resource, _ reading: inout Reading,
        _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) {
        let stated = resource.links?[template.relation]
        let found: Found?
        if let stated, let type = template.type {
            found = try embedded(stated, type, template, resource, &budget, &problems)
        } else if let stated, stated.isNull || stated.array?.isEmpty ?? false {
            found = .written(stated)
        } else {
            found = try outline.address(template, of: resource, &budget).map { .written(.object([ExpansionNode.href: .string($0)])) }
        }
        guard let found else { return }
        if let stated, outline.uses(stated, template, of: resource) { reading.used.insert(ByteText(template.relation)) }
        guard !resource.members.contains(name: template.relation) else {
            problems.append(outline.conflict(template.relation, of: resource))
            // Nothing is written after a problem, but the related resources can have further ones.
            if case .embedded(let content) = found { reading.relations.append(.init(name: template.relation, content: content)) }
            return
        }
        switch found {
        case .written(let json): reading.written.append(name: template.relation, value: json)
        case .embedded(let content): reading.relations.append(.init(name: template.relation, content: content))
        case .nothing: break
        }
    }

    /// The result for a relation.
    private enum Found {
        case written(JSON)
        case embedded(ExpansionNode.Content)
        /// The relation is omitted, because its resource is missing.
        case nothing
    }

    /// Returns the result for the ids of a template with a type. If they are invalid, it returns nil and adds to `problems`.
    private func embedded(
        _ stated: JSON, _ type: String, _ template: LegacyTemplate, _ resource: LegacyOutline.Resource,
        _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) -> Found? {
        let pointer = outline.pointer(ofRelation: template.relation, of: resource)
        switch LegacyIDs(stated, at: pointer, &problems) {
        case nil: return nil
        case .empty(let empty): return .written(empty)
        case .one(let id):
            if let target = try target(id, type, template, resource, &budget) { return .embedded(.one(target)) }
            if missing == .error { problems.append(Self.unresolved(at: pointer)) }
            return .nothing
        case .many(let ids):
            var targets: [ExpansionNode.Target] = []
            for (position, id) in ids.enumerated() {
                if let target = try target(id, type, template, resource, &budget) {
                    targets.append(target)
                } else if missing == .error {
                    problems.append(Self.unresolved(at: pointer.appending(position)))
                }
            }
            return .embedded(.many(targets))
        }
    }

    /// Returns the target of an id. Returns nil if it is unresolved and `missing` is not `.stub`.
    private func target(
        _ id: LegacyIDs.ID, _ type: String, _ template: LegacyTemplate, _ resource: LegacyOutline.Resource,
        _ budget: inout ExpansionBudget
    ) throws(ExpansionError) -> ExpansionNode.Target? {
        // The look-up hashes the type, which can be long, once for each id.
        try budget.spend(type.utf8.count / 8, at: outline.pointer(ofRelation: template.relation, of: resource))
        let found = outline.resource(type, id: id.text)
        guard found != nil || missing == .stub else { return nil }
        let href = try outline.address(template, of: resource, id: id.text, &budget)
        if let found { return .node(found, href: href) }
        var stub: JSONObject = ["id": id.json]
        if let href { stub.append(name: ExpansionNode.href, value: .string(href)) }
        return .value(.object(stub))
    }

    private static func unresolved(at pointer: JSONPointer) -> ExpansionError.Problem {
        .init(.unresolved, at: pointer, "the document does not contain the resource of this id")
    }
}
