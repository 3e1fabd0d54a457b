import JSONText

// One resource object: its beginning, its fields as they come, its end.

extension EncodingSession {
    /// Begins a resource object: identity and fieldset. Its fields follow, then `endResource`.
    func beginResource(_ identity: UnsafePointer<KnownResource>, at place: ObjectPlace, node: IncludeTree.Node) throws {
        begin(identity, at: place, node: node)
        let type = identity.pointee.type
        if type.pointee.isChecked, let opening = type.pointee.opening {
            if identity.pointee.shortID.count > 0 { return output.beginObject(with: opening, identity.pointee.shortID) }
            let isWritten = KnownResource.lendID(identity) { id in
                if !id.isEmpty { output.beginObject(with: opening, id) }
                return !id.isEmpty
            }
            if isWritten { return }
        }
        try begin(unchecked: identity.pointee.identifier)
        type.pointee.isChecked = true
    }

    @inline(never)
    private func begin(unchecked identity: ResourceIdentifier) throws {
        try check(identity)
        output.beginObject()
        output.name("type")
        output.string(identity.type)
        if let id = identity.id {
            output.name("id")
            output.string(id)
        } else if let lid = identity.lid {
            output.name("lid")
            output.string(lid)
        }
    }

    /// Throws for a type that is no type, and for an id that is empty.
    func check(_ identity: ResourceIdentifier) throws {
        guard !identity.type.isEmpty else {
            throw failure(.missingIdentity, at: [], expected: "a type", found: "an empty one")
        }
        try checkName(identity.type, at: ["type"])
        if identity.id?.isEmpty == true { throw emptyID("id") }
        if identity.lid?.isEmpty == true { throw emptyID("lid") }
    }

    private func emptyID(_ name: String) -> EncodingFailure {
        failure(
            .missingIdentity, at: [name], expected: "an \(name) with at least one character", found: "an empty text",
            advice: "a resource that the server will create goes into a Create, which leaves the id out")
    }

    /// Ends the object: relationships, links, meta.
    func endResource() throws {
        try checkWhole()
        if let extras = resource.extras {
            try end(with: extras)
        } else {
            endFields()
        }
        output.endObject()
        serial += 1
    }

    private func end(with extras: ResourceExtras) throws {
        if extras.paths.isEmpty { endFields() } else { try putInPaths(extras) }
        try write(extras)
    }

    @inline(__always)
    private func endFields() {
        if hasAttributes { output.endObject() }
        if hasRelationships { takeRelationships { output.raw($0) } }
    }

    private func write(_ extras: ResourceExtras) throws {
        if identified == nil, let lid = extras.lid {
            output.name("lid")
            output.string(lid)
        }
        if let links = extras.links, !isRequest { try writeMember("links", links) }
        if let meta = extras.meta { try writeMember("meta", meta) }
    }

    private func writeMember(_ name: String, _ value: JSON) throws {
        output.name(name)
        try writeTree(value, into: output, at: [name])
    }

    private func takeRelationships(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        relationships.endObject()
        output.name(FieldNames.relationships)
        try body(relationships.text)
        relationships.reset(to: JSONOutput.Mark.start)
    }
}

// MARK: - Fields

extension EncodingSession {
    /// Writes an attribute's name, after which its value has to follow. False when the fieldset leaves it out.
    @inline(__always)
    func beginAttribute(_ name: String) throws -> Bool {
        if hasFilter, !wants(name) { return false }
        if !hasAttributes { openAttributes() }
        try writeName(name, of: "attributes", into: output)
        return true
    }

    /// The same for a name that may be no legal one: nil then, and nothing is written.
    @inline(__always)
    func beginPlainAttribute(_ name: String) -> Bool? {
        // The name of a path is not the name of the field that it leads into.
        if hasFilter, !wants(name) { return name.utf8.contains(UInt8(ascii: ".")) ? nil : false }
        return beginLegalAttribute(name)
    }

    @inline(__always)
    private func beginLegalAttribute(_ name: String) -> Bool? {
        guard let piece = names.known(name)?.pointee.member else { return beginLongAttribute(name) }
        if !hasAttributes { openAttributes() }
        output.name(piece)
        return true
    }

    @inline(never)
    private func beginLongAttribute(_ name: String) -> Bool? {
        guard UTF8Bytes.with(name, { MemberName.isLegal($0) }) else { return nil }
        if !hasAttributes { openAttributes() }
        output.name(name)
        return true
    }

    @inline(never)
    func openAttributes() {
        hasAttributes = true
        resource.attributesMark = output.mark
        output.name(FieldNames.attributes)
        resource.attributesStart = output.count
        output.beginObject()
    }

    /// Writes a relationship object with these identifiers and members beside `data`.
    func writeRelationship(_ name: String, _ details: JSONObject? = nil, _ linkage: (JSONOutput) throws -> Void) throws {
        guard try beginRelationship(name) else { return }
        try linkage(relationships)
        if let details, !isRequest { try writeDetails(details, of: name) }
        relationships.endObject()
    }

    /// Begins a relationship object, for the caller to end. False when the fieldset leaves it out.
    @inline(__always)
    func beginRelationship(_ name: String) throws -> Bool {
        guard openRelationships(for: name) else { return false }
        try writeName(name, of: "relationships", into: relationships)
        relationships.beginObject()
        return true
    }

    /// Begins a relationship object with the name of its linkage, which has to follow.
    @inline(__always)
    func beginLinkage(_ name: String) throws -> Bool {
        guard openRelationships(for: name) else { return false }
        if let piece = names.known(name)?.pointee.linkage {
            relationships.beginObject(naming: piece)
        } else {
            try writeName(name, of: "relationships", into: relationships)
            relationships.beginObject()
            relationships.name(plain: "data")
        }
        return true
    }

    /// Begins the object of the relationships, where it is not begun. False when the fieldset leaves this one out.
    @inline(__always)
    private func openRelationships(for name: String) -> Bool {
        if hasFilter, !wants(name) { return false }
        if !hasRelationships {
            hasRelationships = true
            relationships.beginObject()
        }
        return true
    }

    /// The members of a relationship object beside `data`.
    private func writeDetails(_ details: JSONObject, of name: String) throws {
        for member in details where !UTF8Bytes.areEqual(member.name, "data") {
            relationships.name(member.name)
            try writeTree(
                member.value, into: relationships, below: resource.place.tokens.count + 1, at: ["relationships", name, member.name])
        }
    }

    /// Writes an identifier object.
    @inline(__always)
    func write(_ identifier: ResourceIdentifier, into output: JSONOutput, at tokens: @autoclosure () -> [String]) throws {
        try write(identifier, types.known(identifier.type), into: output, at: tokens())
    }

    /// Writes an identifier object whose type is looked up already.
    @inline(__always)
    func write(
        _ identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>, into output: JSONOutput,
        at tokens: @autoclosure () -> [String]
    ) throws {
        // A type that has an opening is a legal one, so not empty.
        if let id = identifier.shortID, id.count > 0, !identifier.hasOtherMembers, let opening = type.pointee.opening {
            return output.object(with: opening, id)
        }
        guard !identifier.type.isEmpty, !identifier.hasOtherMembers, let id = identifier.id, !id.isEmpty else {
            return try writeUnusual(identifier, into: output, at: tokens())
        }
        guard let opening = type.pointee.opening else { return writeLong(identifier.type, id, into: output) }
        output.object(with: opening, id)
    }

    private func writeLong(_ type: String, _ id: String, into output: JSONOutput) {
        output.beginObject()
        output.name("type")
        output.string(type)
        output.name("id")
        output.string(id)
        output.endObject()
    }

    private func writeUnusual(_ identifier: ResourceIdentifier, into output: JSONOutput, at tokens: [String]) throws {
        let identities = [identifier.id, identifier.lid].compactMap(\.self)
        guard !identifier.type.isEmpty, !identities.isEmpty, !identities.contains(where: \.isEmpty) else {
            throw failure(
                .missingIdentity, at: tokens, expected: "a resource identifier: a type with an id or a lid",
                found: identifier.type.isEmpty ? "no type" : "neither id nor lid",
                advice: "a resource can be linked to when the server has given it an id, or by a lid in the same request")
        }
        try writeTree(identifier.json, into: output, below: resource.place.tokens.count + 1, at: tokens)
    }
}

// MARK: - Values at paths

extension EncodingSession {
    /// A text for the value at a path of names from the resource object on. It is put in at the end of the resource.
    func sink(at segments: [String]) -> ValueSink {
        let group = segments.first == "attributes" ? ["attributes"] : []
        let sink = ValueSink(at: segments.dropFirst(group.count).map { .name($0) }, in: group)
        extras.paths.append((segments, sink))
        return sink
    }

    /// Takes the fields back from the text, puts the values at paths in, and writes them again.
    private func putInPaths(_ extras: ResourceExtras) throws {
        var members = JSONObject()
        members["links"] = extras.links
        members["meta"] = extras.meta
        if hasAttributes {
            output.endObject()
            members["attributes"] = try json(Array(output.text[resource.attributesStart...]))
            output.reset(to: resource.attributesMark)
        }
        if hasRelationships {
            let mark = output.mark
            try takeRelationships { members["relationships"] = try json(Array($0)) }
            output.reset(to: mark)
        }
        for (segments, sink) in extras.paths where !isLeftOut(segments) {
            let text = sink.finish()
            if !text.isEmpty { Self.put(try json(text), at: segments[...], into: &members) }
        }
        for name in ["attributes", "relationships"] { try writeFields(members[name], name) }
        if let links = members["links"] { extras.links = links }
        if let meta = members["meta"] { extras.meta = meta }
        if case .string(let lid)? = members["lid"] { extras.lid = lid }
    }

    /// A request says where a relationship leads, nothing else of it.
    private func isLeftOut(_ segments: [String]) -> Bool {
        isRequest && segments.count > 2 && segments[0] == "relationships" && segments[2] != "data"
    }

    /// Recursion goes along a coding key's path, which the program declares.
    private static func put(_ value: JSON, at segments: ArraySlice<String>, into object: inout JSONObject) {
        guard let name = segments.first else { return }
        let present = object[name]?.object
        if segments.count > 1 {
            var inner = present ?? JSONObject()
            put(value, at: segments.dropFirst(), into: &inner)
            object[name] = .object(inner)
        } else if let present, let more = value.object {
            var merged = present
            for member in more { merged[member.name] = member.value }
            object[name] = .object(merged)
        } else {
            object[name] = value
        }
    }

    private func writeFields(_ fields: JSON?, _ group: String) throws {
        guard let fields = fields?.object else { return }
        let wanted = fields.filter { wants($0.name) }
        guard !wanted.isEmpty else { return }
        for member in wanted { try checkName(member.name, at: [group, member.name]) }
        output.name(group)
        try writeTree(.object(JSONObject(members: wanted)), into: output, at: [group])
    }
}
