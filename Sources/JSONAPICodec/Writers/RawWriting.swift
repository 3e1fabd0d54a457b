import JSONText

/// Raw resource objects: written member by member, as they are.
final class RawElementWriter: ElementWriter<ResourceObject> {
    override func writeObject(
        _ value: ResourceObject, _ session: EncodingSession, as identity: ObjectIdentity, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        // What was read is written as it was.
        try session.beginRaw(identity, at: place, node: node, isChecked: session.document == nil)
        for member in value.members { try session.writeRawMember(member.name, member.value) }
        session.endRaw()
    }
}

extension EncodingSession {
    /// Begins an object whose members follow one by one.
    fileprivate func beginRaw(
        _ identity: ObjectIdentity, at place: ObjectPlace, node: IncludeTree.Node, isChecked: Bool
    ) throws {
        resource = ResourceState(serial: resource.serial + 1, identity: identity, place: place, node: node)
        if isChecked { try check(identity) }
        resource.filter = filter(for: identity.type)
        sink.output.beginObject()
    }

    fileprivate func endRaw() {
        sink.output.endObject()
        resource.serial += 1
    }

    /// Writes a member of a raw resource object, and meets what its relationships link to.
    fileprivate func writeRawMember(_ name: String, _ value: JSON) throws {
        var value = value
        switch name {
        case "attributes": value = filtered(value)
        case "relationships":
            if let document, resource.node != IncludeTree.nothing { meetTargets(of: value, in: document) }
            value = filtered(value)
        case "id": if let id = resource.identity.id { value = .string(id) }
        default: break
        }
        if resource.filter != nil, name == "attributes" || name == "relationships", value.object?.isEmpty == true { return }
        sink.output.name(name)
        try writeTree(value, into: &sink.output, at: [name])
    }

    private func filtered(_ fields: JSON) -> JSON {
        guard resource.filter != nil, let object = fields.object else { return fields }
        return .object(JSONObject(members: object.filter { MemberKind(of: $0.name) != .plain || wants($0.name) }))
    }

    private func meetTargets(of relationships: JSON, in document: ParsedDocument) {
        for (name, relationship) in Relationships(members: relationships.object ?? JSONObject()) {
            guard let node = node(through: name) else { continue }
            for identifier in relationship.data.identifiers { meet(identifier, in: document, node) }
        }
    }
}

// MARK: - From the tape

extension EncodingSession {
    /// Writes a resource of a document that was read, as it stands there.
    func writeRaw(_ document: ParsedDocument, _ target: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        let view = document.view
        let entry = document.index.entries[target]
        guard let identifier = Self.identifier(entry, view) else { return }
        try beginRaw(ObjectIdentity(identifier), at: place, node: node, isChecked: false)
        if entry.relationships != 0, view.isObject(Int(entry.relationships)), node != IncludeTree.nothing {
            meetTargets(at: Int(entry.relationships), in: document)
        }
        var name = view.first(in: Int(entry.word))
        let end = view.end(of: Int(entry.word))
        while name < end {
            let value = view.next(after: name)
            writeRawMember(view, name, value, entry)
            name = view.next(after: value)
        }
        endRaw()
    }

    private func writeRawMember(_ view: TapeView, _ name: Int, _ value: Int, _ entry: ResourceEntry) {
        let isFields = value == Int(entry.attributes) || value == Int(entry.relationships)
        if isFields, !view.isObject(value) { return }
        if isFields, resource.filter != nil { return writeFiltered(view, name, value) }
        sink.output.name(view.string(at: name))
        if value == Int(entry.id), let id = resource.identity.id {
            sink.output.string(id)
        } else {
            view.write(value, into: &sink.output)
        }
    }

    private func writeFiltered(_ view: TapeView, _ name: Int, _ object: Int) {
        let mark = sink.output.mark
        var isEmpty = true
        sink.output.name(view.string(at: name))
        sink.output.beginObject()
        view.forEachMember(of: object) { name, value in
            let text = view.string(at: name)
            guard MemberKind(of: text) != .plain || wants(text) else { return }
            isEmpty = false
            sink.output.name(text)
            view.write(value, into: &sink.output)
        }
        sink.output.endObject()
        if isEmpty { sink.output.reset(to: mark) }
    }

    private func meetTargets(at relationships: Int, in document: ParsedDocument) {
        let view = document.view
        view.forEachMember(of: relationships) { name, value in
            guard view.isObject(value), let data = view.member("data", of: value), let node = node(through: view.string(at: name))
            else { return }
            if view.isObject(data) { meetTarget(data, in: document, node) }
            if view.isArray(data) { view.forEachElement(of: data) { element, _ in meetTarget(element, in: document, node) } }
        }
    }

    private func meetTarget(_ word: Int, in document: ParsedDocument, _ node: IncludeTree.Node) {
        guard document.view.isObject(word), let identifier = ResourceIdentifier(json: document.view.json(at: word)) else { return }
        meet(identifier, in: document, node)
    }

    static func identifier(_ entry: ResourceEntry, _ view: TapeView) -> ResourceIdentifier? {
        guard entry.type != 0, view.isString(Int(entry.type)) else { return nil }
        let type = view.string(at: Int(entry.type))
        if entry.id != 0 { return ResourceIdentifier(type: type, id: view.string(at: Int(entry.id))) }
        return entry.lid == 0 ? nil : ResourceIdentifier(type: type, lid: view.string(at: Int(entry.lid)))
    }
}
