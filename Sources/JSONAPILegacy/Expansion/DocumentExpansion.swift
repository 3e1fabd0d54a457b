import JSONAPICodec
import JSONAPIRules
import JSONText

/// The resources of a JSON:API 1.1 document, for expansion.
struct DocumentExpansion: ExpansionSource {
    private let outline: ResourceOutline
    private let missing: Expander.Missing
    private let keepsConflicts: Bool

    init(_ outline: ResourceOutline, _ missing: Expander.Missing, keepsConflicts: Bool) {
        self.outline = outline
        self.missing = missing
        self.keepsConflicts = keepsConflicts
    }

    var count: Int { outline.resources.count }

    func pointer(ofRelation name: String, at position: Int) -> JSONPointer {
        outline.resources[position].pointer.appending("relationships").appending(name)
    }

    func node(
        at position: Int, _ budget: inout ExpansionBudget, _ problems: inout [ExpansionError.Problem]
    ) throws(ExpansionError) -> ExpansionNode {
        let resource = outline.resources[position]
        var reading = Reading(resource, keepsConflicts: keepsConflicts)
        reading.addAttributes()
        for member in reading.relationships {
            let pointer = pointer(ofRelation: member.name, at: position)
            // The value of an @-member or a member of an extension can be anything.
            if MemberName(member.name).isPlain {
                read(member, at: pointer, &reading)
            } else {
                reading.write(member.name, member.value, at: pointer)
            }
        }
        problems += reading.problems
        return ExpansionNode(
            members: reading.members, stub: Self.stub(resource.object.members), relations: reading.relations)
    }

    /// Returns the type and the id of a resource, or its lid if it has no id.
    private static func stub(_ members: JSONObject) -> JSONObject {
        var stub = JSONObject()
        for name in ["type", members.contains(name: "id") ? "id" : "lid"] {
            if let value = members[name] { stub.append(name: name, value: value) }
        }
        return stub
    }
}

// MARK: - Own members and attributes

extension DocumentExpansion {
    /// A resource that is being read: its own members and its relations.
    private struct Reading {
        var members = JSONObject()
        var relations: [ExpansionNode.Relation] = []
        var problems: [ExpansionError.Problem] = []
        let relationships: [JSONObject.Member]
        private lazy var relationshipNames = Set(relationships.map { ByteText($0.name) })
        private let attributes: [JSONObject.Member]
        private let pointer: JSONPointer
        private let keepsConflicts: Bool

        init(_ resource: ResourceOutline.Resource, keepsConflicts: Bool) {
            pointer = resource.pointer
            self.keepsConflicts = keepsConflicts
            let own = resource.object.members
            attributes = Self.fields(own["attributes"], at: resource.pointer.appending("attributes"), &problems)
            relationships = Self.fields(own["relationships"], at: resource.pointer.appending("relationships"), &problems)
            let links = Self.fields(own["links"], at: resource.pointer.appending("links"), &problems)
            for member in own.effectiveMembers where !Self.isStructure(member.name) {
                members.append(name: member.name, value: member.value)
            }
            add(links)
        }

        private static func isStructure(_ name: String) -> Bool {
            ["attributes", "relationships", "links"].contains { UTF8Bytes.areEqual($0, name) }
        }

        /// Returns the members of an object. It has none if it is missing, null, or the empty array that PHP writes.
        private static func fields(
            _ json: JSON?, at pointer: JSONPointer, _ problems: inout [ExpansionError.Problem]
        ) -> [JSONObject.Member] {
            guard let json, !json.isNull else { return [] }
            if let fields = JSONObject(json: json) { return fields.effectiveMembers }
            problems.append(.mismatch("an object", json, at: pointer))
            return []
        }

        /// Converts the `self` link to `href`, unless another member has this name. Keeps the other links.
        private mutating func add(_ links: [JSONObject.Member]) {
            let isFree = !(members.names + attributes.map(\.name) + relationships.map(\.name)).contains {
                UTF8Bytes.areEqual($0, ExpansionNode.href)
            }
            var rest = JSONObject()
            var address: String?
            for link in links {
                if isFree, UTF8Bytes.areEqual(link.name, "self"), let href = DocumentLink(json: link.value)?.href {
                    address = href
                } else {
                    rest.append(name: link.name, value: link.value)
                }
            }
            if !rest.isEmpty { members.append(name: "links", value: .object(rest)) }
            if let address { members.append(name: ExpansionNode.href, value: .string(address)) }
        }

        mutating func addAttributes() {
            let pointer = pointer
            for attribute in attributes {
                write(attribute.name, attribute.value, at: pointer.appending("attributes").appending(attribute.name))
            }
        }

        /// Writes a member, unless there is already one with its name.
        mutating func write(_ name: String, _ value: JSON, at pointer: @autoclosure () -> JSONPointer) {
            if let name = freeName(name, at: pointer()) { members.append(name: name, value: value) }
        }

        /// Embeds a relation, unless there is already a member with its name. Nil is a relation that is omitted. It can also be in conflict.
        mutating func embed(_ name: String, _ content: ExpansionNode.Content?, at pointer: JSONPointer) {
            let count = problems.count
            let free = freeName(name, at: pointer)
            // Nothing is written after a problem, but the related resources can have further ones.
            guard let content, let name = free ?? (problems.count > count ? name : nil) else { return }
            relations.append(.init(name: name, content: content))
        }

        /// Returns the name to write a field under: its own, or a qualified one if conflicts are kept. Returns nil if another member
        /// has that name; the first of two members stays, which the specification allows only for @-members.
        private mutating func freeName(_ name: String, at pointer: @autoclosure () -> JSONPointer) -> String? {
            guard members.contains(name: name) else { return name }
            if MemberName(name) != .at {
                let section = pointer().tokens.dropLast().last ?? ""
                let qualified = "\(section).\(name)"
                // Another relationship can already have the qualified name, and is embedded after all members.
                let isTaken = section == "relationships" && relationshipNames.contains(ByteText(qualified))
                if keepsConflicts, !isTaken, !members.contains(name: qualified) { return qualified }
                problems.append(
                    .init(.nameConflict, at: pointer(), "the expanded resource would have another member with this name"))
            }
            return nil
        }
    }
}

// MARK: - Relationships

extension DocumentExpansion {
    private func read(_ member: JSONObject.Member, at pointer: JSONPointer, _ reading: inout Reading) {
        guard !member.value.isNull else {
            reading.write(member.name, .null, at: pointer)
            return
        }
        guard let relationship = RelationshipObject(json: member.value) else {
            reading.problems.append(.mismatch("a relationship: an object", member.value, at: pointer))
            return
        }
        guard let data = relationship.members["data"] else {
            let address = relationship.links?.related?.href
            let value = address.map { JSON.object([ExpansionNode.href: .string($0)]) } ?? member.value
            reading.write(member.name, value, at: pointer)
            return
        }
        let place = pointer.appending("data")
        switch data {
        case .null:
            reading.write(member.name, .null, at: pointer)
        case .array(let array):
            var targets: [ExpansionNode.Target] = []
            for (position, json) in array.enumerated() {
                if let target = target(json, at: place.appending(position), &reading) { targets.append(target) }
            }
            reading.embed(member.name, .many(targets), at: pointer)
        case .object:
            let found = target(data, at: place, &reading)
            reading.embed(member.name, found.map { .one($0) }, at: pointer)
        default:
            reading.problems.append(.mismatch("linkage: an identifier, an array of identifiers or null", data, at: place))
        }
    }

    /// Returns the target of an identifier. Returns nil if it is unresolved and `missing` is not `.stub`.
    private func target(_ json: JSON, at pointer: JSONPointer, _ reading: inout Reading) -> ExpansionNode.Target? {
        guard case .object(let members) = json, let identifier = ResourceIdentifier(members: members),
            identifier.id != nil || identifier.lid != nil
        else {
            reading.problems.append(.init(.typeMismatch, at: pointer, "expected an identifier: an object with `type` and `id`"))
            return nil
        }
        if let found = outline.resource(identifier) { return .node(found, href: nil) }
        switch missing {
        case .stub: return .value(.object(Self.stub(members)))
        case .omit: return nil
        case .error:
            reading.problems.append(.init(.unresolved, at: pointer, "the document does not contain the resource of this identifier"))
            return nil
        }
    }
}
