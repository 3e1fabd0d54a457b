import JSONText

// One resource object: its beginning, its fields as they come, its end.

extension EncodingSession {
    /// Begins a resource object: identity and fieldset. Its fields follow, then `endResource`.
    func beginResource(_ identity: ObjectIdentity, at place: ObjectPlace, node: IncludeTree.Node) throws {
        resource = ResourceState(serial: resource.serial + 1, identity: identity, place: place, node: node)
        try check(identity)
        resource.filter = filter(for: identity.type)
        sink.output.beginObject()
        sink.output.name("type")
        sink.output.string(identity.type)
        if let id = identity.id {
            sink.output.name("id")
            sink.output.string(id)
        } else if let lid = identity.lid {
            sink.output.name("lid")
            sink.output.string(lid)
        }
    }

    /// Throws for a type that is no type, and for an id that is empty.
    func check(_ identity: ObjectIdentity) throws {
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
        if resource.paths.isEmpty {
            if resource.hasAttributes { sink.output.endObject() }
            if resource.hasRelationships { try takeRelationships { sink.output.raw($0) } }
        } else {
            try putInPaths()
        }
        if resource.identity.id == nil, resource.identity.lid == nil, let lid = resource.lid {
            sink.output.name("lid")
            sink.output.string(lid)
        }
        if let links = resource.links, !isRequest { try writeMember("links", links) }
        if let meta = resource.meta { try writeMember("meta", meta) }
        sink.output.endObject()
        resource.serial += 1
    }

    private func writeMember(_ name: String, _ value: JSON) throws {
        sink.output.name(name)
        try writeTree(value, into: &sink.output, at: [name])
    }

    private func takeRelationships(_ body: ([UInt8]) throws -> Void) throws {
        relationships.endObject()
        sink.output.name("relationships")
        try body(relationships.bytes)
        relationships.reset(to: JSONOutput().mark)
    }
}

// MARK: - Fields

extension EncodingSession {
    /// Writes an attribute's name, after which its value has to follow. False when the fieldset leaves it out.
    @inline(__always)
    func beginAttribute(_ name: String) throws -> Bool {
        if resource.filter != nil, !wants(name) { return false }
        if !resource.hasAttributes { openAttributes() }
        try writeName(name, of: "attributes", into: &sink.output)
        return true
    }

    private func openAttributes() {
        resource.hasAttributes = true
        resource.attributesMark = sink.output.mark
        sink.output.name("attributes")
        resource.attributesStart = sink.output.mark.count
        sink.output.beginObject()
    }

    /// Writes a relationship object with these identifiers and members beside `data`.
    func writeRelationship(_ name: String, _ details: JSONObject? = nil, _ linkage: (inout JSONOutput) throws -> Void) throws {
        guard wants(name) else { return }
        if !resource.hasRelationships {
            resource.hasRelationships = true
            relationships.beginObject()
        }
        try writeName(name, of: "relationships", into: &relationships)
        relationships.beginObject()
        try linkage(&relationships)
        let others = isRequest ? nil : details
        for member in others ?? JSONObject() where !UTF8Bytes.areEqual(member.name, "data") {
            relationships.name(member.name)
            try writeTree(
                member.value, into: &relationships, below: resource.place.tokens.count + 1, at: ["relationships", name, member.name])
        }
        relationships.endObject()
    }

    /// Writes an identifier object.
    @inline(__always)
    func write(_ identifier: ResourceIdentifier, into output: inout JSONOutput, at tokens: @autoclosure () -> [String]) throws {
        guard !identifier.type.isEmpty, let id = identifier.id, !id.isEmpty, !identifier.hasOtherMembers else {
            return try writeUnusual(identifier, into: &output, at: tokens())
        }
        output.beginObject()
        output.name("type")
        output.string(identifier.type)
        output.name("id")
        output.string(id)
        output.endObject()
    }

    private func writeUnusual(_ identifier: ResourceIdentifier, into output: inout JSONOutput, at tokens: [String]) throws {
        let identities = [identifier.id, identifier.lid].compactMap(\.self)
        guard !identifier.type.isEmpty, !identities.isEmpty, !identities.contains(where: \.isEmpty) else {
            throw failure(
                .missingIdentity, at: tokens, expected: "a resource identifier: a type with an id or a lid",
                found: identifier.type.isEmpty ? "no type" : "neither id nor lid",
                advice: "a resource can be linked to when the server has given it an id, or by a lid in the same request")
        }
        try writeTree(identifier.json, into: &output, below: resource.place.tokens.count + 1, at: tokens)
    }
}

// MARK: - Values at paths

extension EncodingSession {
    /// A text for the value at a path of names from the resource object on. It is put in at the end of the resource.
    func sink(at segments: [String]) -> ValueSink {
        let group = segments.first == "attributes" ? ["attributes"] : []
        let sink = ValueSink(at: segments.dropFirst(group.count).map { .name($0) }, in: group)
        resource.paths.append((segments, sink))
        return sink
    }

    /// Takes the fields back from the text, puts the values at paths in, and writes them again.
    private func putInPaths() throws {
        var members = JSONObject()
        members["links"] = resource.links
        members["meta"] = resource.meta
        if resource.hasAttributes {
            sink.output.endObject()
            members["attributes"] = try json(Array(sink.output.bytes[resource.attributesStart...]))
            sink.output.reset(to: resource.attributesMark)
        }
        if resource.hasRelationships {
            let mark = sink.output.mark
            try takeRelationships { members["relationships"] = try json($0) }
            sink.output.reset(to: mark)
        }
        for (segments, sink) in resource.paths where !isLeftOut(segments) {
            let text = sink.finish()
            if !text.isEmpty { Self.put(try json(text), at: segments[...], into: &members) }
        }
        for name in ["attributes", "relationships"] { try writeFields(members[name], name) }
        if let links = members["links"] { resource.links = links }
        if let meta = members["meta"] { resource.meta = meta }
        if case .string(let lid)? = members["lid"] { resource.lid = lid }
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
        sink.output.name(group)
        try writeTree(.object(JSONObject(members: wanted)), into: &sink.output, at: [group])
    }
}
