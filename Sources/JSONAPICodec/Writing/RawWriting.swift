import JSONAPIRules
import JSONText

/// Writes raw resource objects, member by member, as they are.
final class RawElementWriter: ElementWriter<ResourceObject> {
    override func writeObject(
        _ value: ResourceObject, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        // Resources that were read are written unchanged.
        try session.beginRaw(number, at: place, node: node, isChecked: session.document == nil)
        for member in value.members { try session.writeRawMember(member.name, member.value) }
        session.endRaw()
    }
}

extension EncodingSession {
    /// Begins an object whose members follow.
    fileprivate func beginRaw(_ number: Int, at place: ObjectPlace, node: IncludeTree.Node, isChecked: Bool) throws {
        begin(number, at: place, node: node)
        if isChecked { try check(identity) }
        output.beginObject()
    }

    fileprivate func endRaw() {
        output.endObject()
        endSerial()
    }

    /// Writes a member of a raw resource object, and notes the resources that its relationships refer to.
    fileprivate func writeRawMember(_ name: String, _ value: JSON) throws {
        var value = value
        switch name {
        case "attributes": value = filtered(value)
        case "relationships":
            if let resolver, resource.node != IncludeTree.nothing { meetTargets(of: value, through: resolver) }
            value = filtered(value.withTextualLinkage)
        case "id": if let id = identity.id { value = .string(id) }
        default: break
        }
        if hasFilter, name == "attributes" || name == "relationships", value.object?.isEmpty == true { return }
        output.name(name)
        try writeTree(value, into: output, at: [name])
    }

    private func filtered(_ fields: JSON) -> JSON {
        guard hasFilter, let object = fields.object else { return fields }
        return .object(JSONObject(members: object.filter { !MemberName($0.name).isPlain || wants($0.name) }))
    }

    private func meetTargets(of relationships: JSON, through resolver: ReferenceResolver) {
        for (name, relationship) in Relationships(members: relationships.object ?? JSONObject()) {
            guard let node = node(through: name) else { continue }
            for identifier in relationship.data.identifiers { meet(identifier, through: resolver, node) }
        }
    }
}

// MARK: - From the tape

extension EncodingSession {
    /// Writes a resource of a document that was read, unchanged.
    func writeRaw(_ located: LocatedResource, at place: ObjectPlace, node: IncludeTree.Node) throws {
        let view = located.document.view
        let entry = located.document.index.entries[located.ordinal]
        guard let identifier = entry.identity(view) else { return }
        try beginRaw(keep(identifier), at: place, node: node, isChecked: false)
        // Without a model, nothing shows what clients may see of the resources of a source.
        let leadsOn = node != IncludeTree.nothing && !hasHiddenFields(located.resolver)
        if leadsOn, entry.relationships != 0, view.isObject(Int(entry.relationships)) {
            meetTargets(at: Int(entry.relationships), of: located)
        }
        view.forEachMember(of: Int(entry.word)) { name, value in
            writeRawMember(located.document, name, value, entry)
        }
        endRaw()
    }

    private func writeRawMember(_ document: ParsedDocument, _ name: Int, _ value: Int, _ entry: ResourceEntry) {
        let view = document.view
        let isRelationships = value == Int(entry.relationships)
        if isRelationships || value == Int(entry.attributes) {
            guard view.isObject(value) else { return }
            let changesLinkage = isRelationships && document.mayHaveUnusualLinkage
            if hasFilter || changesLinkage { return writeFields(document, name, value, changesLinkage: changesLinkage) }
        }
        output.name(view.string(at: name))
        if value == Int(entry.id), let id = identity.id {
            output.string(id)
        } else {
            view.write(value, into: output)
        }
    }

    /// Writes the attributes or the relationships that the fieldset has.
    private func writeFields(_ document: ParsedDocument, _ name: Int, _ object: Int, changesLinkage: Bool) {
        let mark = output.mark
        var isEmpty = true
        output.name(document.view.string(at: name))
        output.beginObject()
        document.view.forEachMember(of: object) { name, value in
            let text = document.view.string(at: name)
            guard !MemberName(text).isPlain || wants(text) else { return }
            isEmpty = false
            output.name(text)
            if changesLinkage {
                document.writeRelationship(value, into: output)
            } else {
                document.view.write(value, into: output)
            }
        }
        output.endObject()
        if hasFilter, isEmpty { output.reset(to: mark) }
    }

    private func meetTargets(at relationships: Int, of located: LocatedResource) {
        let view = located.document.view
        view.forEachMember(of: relationships) { name, value in
            guard view.isObject(value), let node = node(through: view.string(at: name)) else { return }
            meetTargets(of: value, in: located, node)
        }
    }

    private func meetTargets(
        of relationship: Int, in located: LocatedResource, as model: (any ResourceRepresentable.Type)? = nil, _ node: IncludeTree.Node
    ) {
        let view = located.document.view
        guard let data = view.member("data", of: relationship) else { return }
        view.forEachIdentifier(inLinkage: data) { word in
            guard let identifier = ResourceIdentifier(members: view.object(at: word))?.withoutAdditionalMembers else { return }
            if let model {
                meet(identifier, through: located.resolver, as: model, node)
            } else {
                meet(identifier, through: located.resolver, node)
            }
        }
    }

    /// Writes the relationships that the value of the current resource lacks because a cycle was cut in it, as they were read. A relationship
    /// that the program has set is written already.
    func writeCutRelationships() throws {
        guard let identified, let cut = cuts?[identified.bare], let located = try locate(identified, through: cut.resolver) else { return }
        let relationships = Int(located.document.index.entries[located.ordinal].relationships)
        guard relationships != 0 else { return }
        // Names that are not in the table, because it is full.
        lazy var unlisted = writtenRelationships()
        func isWritten(_ name: KnownName) -> Bool {
            name.number >= 0 ? names[name.number].object == serial : unlisted.contains(ByteText(name.text))
        }
        for text in cut.names.map(\.text).sorted(by: UTF8Bytes.isLess) {
            let name = known(text)
            guard !isWritten(name), let word = located.document.view.member(text, of: relationships), located.document.view.isObject(word)
            else { continue }
            if !hasFilter || wants(text) {
                beginRelationships()
                try writeFieldName(name, isRelationship: true, into: self.relationships)
                located.document.writeRelationship(word, into: self.relationships)
            }
            let model = cut.resolver.model(ofCut: CutRelationship(type: ByteText(identified.type), name: ByteText(text)))
            if let node = node(through: text) { meetTargets(of: word, in: located, as: model, node) }
        }
    }

    /// Returns the names of the relationships that the current resource has written so far.
    private func writtenRelationships() -> Set<ByteText> {
        guard hasRelationships, let written = try? json(relationships.bytes + [UInt8(ascii: "}")]).object else { return [] }
        return Set(written.names.map { ByteText($0) })
    }
}

// MARK: - Integer ids

extension ParsedDocument {
    /// Whether linkage may have integers as ids, or whole resources in place of identifiers.
    fileprivate var mayHaveUnusualLinkage: Bool { options.leniencies.contains(.integerIDs) || !index.embedded.isEmpty }

    /// Writes a relationship as it was read, but with texts as ids in its linkage, as in the resources, and without the members of whole
    /// resources that are written as included.
    fileprivate func writeRelationship(_ relationship: Int, into output: JSONOutput) {
        guard view.isObject(relationship) else { return view.write(relationship, into: output) }
        output.beginObject()
        view.forEachMember(of: relationship) { name, value in
            let name = view.string(at: name)
            output.name(name)
            if UTF8Bytes.areEqual(name, "data") { writeLinkage(value, into: output) } else { view.write(value, into: output) }
        }
        output.endObject()
    }

    private func writeLinkage(_ data: Int, into output: JSONOutput) {
        guard view.isArray(data) else { return writeIdentifier(data, into: output) }
        output.beginArray()
        view.forEachElement(of: data) { element, _ in writeIdentifier(element, into: output) }
        output.endArray()
    }

    private func writeIdentifier(_ identifier: Int, into output: JSONOutput) {
        guard view.isObject(identifier) else { return view.write(identifier, into: output) }
        let isResource = index.isFoundResource(at: identifier, view)
        output.beginObject()
        view.forEachMember(of: identifier) { name, value in
            let name = view.string(at: name)
            if isResource, ResourceIdentifier.isField(name) { return }
            output.name(name)
            if UTF8Bytes.areEqual(name, "id"), view.isInteger(value) {
                output.string(view.numberText(at: value))
            } else {
                view.write(value, into: output)
            }
        }
        output.endObject()
    }
}

extension JSON {
    /// A relationships object whose linkage has texts in place of integer ids. Everything else stays as it is.
    fileprivate var withTextualLinkage: JSON {
        guard case .object(let relationships) = self else { return self }
        return .object(
            JSONObject(
                members: relationships.map { member in
                    guard case .object(var relationship) = member.value, let data = relationship["data"] else { return member }
                    relationship["data"] = data.array.map { .array(JSONArray($0.map(\.withTextualID))) } ?? data.withTextualID
                    return .init(name: member.name, value: .object(relationship))
                }))
    }

    /// An identifier with a text in place of an integer id.
    private var withTextualID: JSON { self["id"]?.number == nil ? self : ResourceIdentifier(json: self)?.json ?? self }
}
