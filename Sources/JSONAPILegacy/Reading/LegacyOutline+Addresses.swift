import JSONAPICodec
import JSONText

/// The ids of a relation in a resource's `links`.
enum LegacyIDs {
    /// Null or an empty list.
    case empty(JSON)
    case one(ID)
    case many([ID])

    struct ID {
        /// The original value: a string or a number.
        let json: JSON
        let text: String
    }

    /// Reads ids. Returns nil and adds to `problems` if the value has another form.
    init?(_ json: JSON, at pointer: @autoclosure () -> JSONPointer, _ problems: inout [ExpansionError.Problem]) {
        switch json {
        case .null: self = .empty(json)
        case .array(let array) where array.isEmpty: self = .empty(json)
        case .array(let array):
            var ids: [ID] = []
            for (position, json) in array.enumerated() {
                if let text = LegacyOutline.id(json) {
                    ids.append(ID(json: json, text: text))
                } else {
                    problems.append(.mismatch("an id: a string or a number", json, at: pointer().appending(position)))
                }
            }
            guard ids.count == array.count else { return nil }
            self = .many(ids)
        default:
            guard let text = LegacyOutline.id(json) else {
                problems.append(.mismatch("an id, an array of ids or null", json, at: pointer()))
                return nil
            }
            self = .one(ID(json: json, text: text))
        }
    }
}

extension LegacyOutline {
    /// Returns the address for a resource, or nil if the template has no address, or a variable outside of its query has no value. `id` is
    /// the value of the relation itself.
    ///
    /// A variable consists of the name of the collection, a dot, and the name of a link or of a scalar member of the resource.
    func address(
        _ template: LegacyTemplate, of resource: Resource, id: String? = nil, _ budget: inout ExpansionBudget
    ) throws(ExpansionError) -> String? {
        let place = { self.pointer(ofRelation: template.relation, of: resource) }
        let length = template.relation.utf8.count
        let uses = template.href?.useCount ?? 0
        try budget.spend(ExpansionBudget.attempt * (1 + uses) + ((template.href?.text.utf8.count ?? 0) + length) / 8, at: place())
        guard let href = template.href else { return nil }
        let collection = collections[resource.collection].name
        var values: [URITemplate.Value?] = []
        for (number, variable) in href.variables.enumerated() {
            var value: URITemplate.Value?
            if let name = Self.name(variable, of: collection) {
                if let id, UTF8Bytes.areEqual(name, template.relation) {
                    value = .scalar(id)
                } else if let link = resource.links?[name] {
                    if let list = link.array { try budget.spend(8 * list.count, at: place()) }
                    value = Self.value(link)
                } else {
                    value = resource.members[name].flatMap(Self.scalar).map(URITemplate.Value.scalar)
                }
            }
            guard !href.lacksValue(number, value) else { return nil }
            values.append(value)
        }
        // The relation can be written with the address.
        try budget.spend(ExpansionBudget.value + length, at: place())
        var address = ""
        try href.write(values) { piece throws(ExpansionError) in
            try budget.spend(piece.utf8.count, at: place())
            address += piece
        }
        return address
    }

    /// Returns whether the relationship that a template describes contains what a resource states for it: no resources, ids of a known type,
    /// or a part of the address.
    func uses(_ stated: JSON, _ template: LegacyTemplate, of resource: Resource) -> Bool {
        if template.type != nil || stated.isNull || stated.array?.isEmpty ?? false { return true }
        guard let href = template.href, Self.value(stated) != nil else { return false }
        let collection = collections[resource.collection].name
        return href.variables.contains { Self.name($0, of: collection).map { UTF8Bytes.areEqual($0, template.relation) } ?? false }
    }

    /// Returns the place of a relation in the resource's `links`, or the place of the resource if the relation is not there.
    func pointer(ofRelation name: String, of resource: Resource) -> JSONPointer {
        let pointer = pointer(to: resource)
        return resource.links?.contains(name: name) ?? false ? pointer.appending("links").appending(name) : pointer
    }

    /// Returns the part of a variable after the name of the collection and a dot. It does not join these two, because a document can have
    /// many resources in a collection with a long name.
    private static func name(_ variable: String, of collection: String) -> String? {
        guard variable.utf8.starts(with: collection.utf8) else { return nil }
        let rest = variable.utf8.dropFirst(collection.utf8.count)
        return rest.first == UInt8(ascii: ".") ? String(decoding: rest.dropFirst(), as: UTF8.self) : nil
    }

    private static func value(_ json: JSON) -> URITemplate.Value? {
        switch json {
        case .array(let array):
            let texts = array.compactMap(scalar)
            return texts.count == array.count ? .list(texts) : nil
        default: return scalar(json).map(URITemplate.Value.scalar)
        }
    }

    private static func scalar(_ json: JSON) -> String? {
        switch json {
        case .bool(let value): value ? "true" : "false"
        default: id(json)
        }
    }
}
