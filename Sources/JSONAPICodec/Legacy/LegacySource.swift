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
        /// What relations have become, unless it is embedded.
        var written = JSONObject()
        var relations: [ExpansionNode.Relation] = []
        /// The links that were used.
        var used: Set<ByteText> = []

        init(_ resource: LegacyOutline.Resource) { self.resource = resource }

        /// The resource without the links that were used; an empty `links` goes.
        func node() -> ExpansionNode {
            var members = JSONObject()
            members.reserveCapacity(resource.members.count + written.count)
            for member in resource.members {
                guard UTF8Bytes.areEqual(member.name, "links") else {
                    members.append(name: member.name, value: member.value)
                    continue
                }
                // One name twice: the last counts.
                guard !members.contains(name: "links"), let links = resource.members["links"] else { continue }
                guard let object = resource.links else {
                    members.append(name: member.name, value: links)
                    continue
                }
                let rest = JSONObject(members: object.filter { !used.contains(ByteText($0.name)) })
                if !rest.isEmpty { members.append(name: member.name, value: .object(rest)) }
            }
            for member in written { members.append(name: member.name, value: member.value) }
            var stub = JSONObject()
            for name in ["id", ExpansionNode.href] {
                if let value = resource.members[name] { stub.append(name: name, value: value) }
            }
            return ExpansionNode(members: members, stub: stub, relations: relations)
        }
    }

    private func read(
        _ template: LegacyTemplate, of resource: LegacyOutline.Resource, _ reading: inout Reading,
        _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) {
        let name = template.relation
        let stated = resource.links?[name]
        let pointer = { outline.pointer(ofRelation: name, of: resource) }
        /// Whether there is room for the relation.
        func isFree() -> Bool {
            guard resource.members.contains(name: name) else { return true }
            problems.append(
                .init(
                    .nameConflict, at: outline.pointer(to: resource).appending(name),
                    "a template gives the resource a relation of the name that this member has"))
            return false
        }
        guard let stated, let type = template.type else {
            if let stated, Self.isEmpty(stated) {
                reading.used.insert(ByteText(name))
                if isFree() { reading.written.append(name: name, value: stated) }
            } else if let href = try outline.address(template, of: resource, &budget) {
                reading.used.insert(ByteText(name))
                if isFree() { reading.written.append(name: name, value: .object([ExpansionNode.href: .string(href)])) }
            }
            return
        }
        let hasRoom = isFree()
        guard let ids = LegacyIDs(stated, at: pointer(), &problems) else { return }
        reading.used.insert(ByteText(name))
        var targets: [ExpansionNode.Target] = []
        switch ids {
        case .none(let empty):
            if hasRoom { reading.written.append(name: name, value: empty) }
            return
        case .one(let id):
            if let target = try target(id, type, template, resource, &budget) {
                if hasRoom { reading.relations.append(.init(name: name, content: .one(target))) }
            } else if missing == .error {
                problems.append(Self.unresolved(at: pointer()))
            }
            return
        case .many(let ids):
            for (position, id) in ids.enumerated() {
                if let target = try target(id, type, template, resource, &budget) {
                    targets.append(target)
                } else if missing == .error {
                    problems.append(Self.unresolved(at: pointer().appending(position)))
                }
            }
        }
        if hasRoom { reading.relations.append(.init(name: name, content: .many(targets))) }
    }

    /// What an id becomes; nil for one that leads nowhere, unless stubs are asked for.
    private func target(
        _ id: LegacyIDs.ID, _ type: String, _ template: LegacyTemplate, _ resource: LegacyOutline.Resource,
        _ budget: inout ExpansionBudget
    ) throws(ExpansionError) -> ExpansionNode.Target? {
        let found = outline.resource(type, id: id.text)
        guard found != nil || missing == .stub else { return nil }
        let href = try outline.address(template, of: resource, id: id.text, &budget)
        if let found { return .node(found, href: href) }
        var stub: JSONObject = ["id": id.json]
        if let href { stub.append(name: ExpansionNode.href, value: .string(href)) }
        return .value(.object(stub))
    }

    /// Null and the empty list.
    private static func isEmpty(_ json: JSON) -> Bool { json.isNull || json.array?.isEmpty ?? false }

    private static func unresolved(at pointer: JSONPointer) -> ExpansionError.Problem {
        .init(.unresolved, at: pointer, "the document does not have the resource of this id")
    }
}
