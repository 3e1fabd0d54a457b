import JSONText

// Writes one resource object: its beginning, its fields in the order in which they arrive, and its end.

extension EncodingSession {
    /// Begins a resource object: identity and fieldset. Fields follow, and then `endResource`.
    func beginResource(_ number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        begin(number, at: place, node: node)
        if number != Self.loose, let opening = included.opening(number) {
            return output.beginObject(with: opening, of: pieces, included.text(number))
        }
        let identity = identity
        let type = types.number(of: identity.type)
        try begin(unusual: identity, isChecked: types.isChecked(type))
        // Only a legal name has an opening.
        if options.checksNames || types.opening(type) != nil { types.setChecked(type) }
    }

    /// Begins a resource whose type is new or long, or that has no id.
    @inline(never)
    private func begin(unusual identity: ResourceIdentifier, isChecked: Bool) throws {
        if !isChecked || identity.id?.isEmpty != false { try check(identity) }
        beginObject(of: identity, into: output)
    }

    /// Begins an object with a type, and with an id or a lid.
    private func beginObject(of identity: ResourceIdentifier, into output: JSONOutput) {
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

    /// Throws when the type is not a legal type, and when the id is empty.
    func check(_ identity: ResourceIdentifier) throws {
        guard !identity.type.isEmpty else { throw failure(.missingIdentity, at: [], expected: "a type", found: "an empty type") }
        try checkName(identity.type, at: ["type"], isType: true)
        if identity.id?.isEmpty == true { throw emptyID("id") }
        if identity.lid?.isEmpty == true { throw emptyID("lid") }
    }

    private func emptyID(_ name: String) -> EncodingFailure {
        failure(
            .missingIdentity, at: [name], expected: "an \(name) with at least one character", found: "an empty string",
            advice: "use Create, which leaves out the id, for a resource that the server will create")
    }

    /// Ends the object: writes the relationships, links and meta.
    func endResource() throws {
        try checkWhole()
        guard sink.isIdle else {
            throw failure(.misuse, expected: "a value that is finished", found: "a resource that ends while a value is open")
        }
        if cuts?.isEmpty == false, !isRequest { try writeCutRelationships() }
        if let extras = hasLinkMaker ? extras : resource.extras {
            try end(with: extras)
        } else {
            endFields()
        }
        output.endObject()
        noteParts?(identity, attributeParts)
        endSerial()
        if resource.needsCheck, !isCheckedLater {
            try ResourceCheck.run(output.bytes(in: output.range(from: resource.start)), self, at: resource.place, isRequest: false)
        }
    }

    private func end(with extras: ResourceExtras) throws {
        if extras.paths.isEmpty, extras.remaining.isEmpty { endFields() } else { try putInPaths(extras) }
        if hasLinkMaker { addLinks() }
        try write(extras)
    }

    @inline(__always)
    private func endFields() {
        if hasAttributes { output.endObject() }
        guard hasRelationships else { return }
        relationships.endObject()
        output.name(groupPieces.relationships, of: pieces)
        output.raw(relationships)
        relationships.reset(to: .start)
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
}

// MARK: - Fields

extension EncodingSession {
    /// Writes the name of an attribute, whose value must follow. Returns false when the fieldset excludes the attribute.
    @inline(__always)
    func beginAttribute(_ name: KnownName) throws -> Bool {
        if hasFilter, !wants(name.text) { return false }
        if !hasAttributes { openAttributes() }
        try writeFieldName(name, isRelationship: false, into: output)
        return true
    }

    /// Returns the prepared text of an attribute's name, and notes the name. For a name without such a text it returns nil and notes
    /// nothing.
    ///
    /// - Parameter number: The index of the name in the table of names.
    @inline(__always)
    func beginPlainAttribute(_ number: Int) -> Int? {
        guard !hasFilter, let piece = fieldPiece(number) else { return nil }
        if !hasAttributes { openAttributes() }
        return piece
    }

    @inline(never)
    func openAttributes() {
        hasAttributes = true
        resource.attributesMark = output.mark
        output.name(groupPieces.attributes, of: pieces)
        resource.attributesStart = output.count
        output.beginObject()
    }

    /// Writes a relationship object with the given linkage, and the given members in addition to `data`.
    func writeRelationship(_ name: KnownName, _ details: JSONObject? = nil, _ linkage: (JSONOutput) throws -> Void) throws {
        if hasFilter, !wants(name.text) { return }
        beginRelationships()
        try writeFieldName(name, isRelationship: true, into: relationships)
        relationships.beginObject()
        try linkage(relationships)
        let details = hasLinkMaker ? addingLinks(to: details, of: name.text) : details
        if let details, !isRequest { try writeDetails(details, of: name.text) }
        relationships.endObject()
    }

    /// Begins a relationship object and writes the name `data`. The linkage must follow. Returns false when the fieldset excludes it.
    @inline(__always)
    func beginLinkage(_ name: KnownName) throws -> Bool {
        if hasFilter, !wants(name.text) { return false }
        beginRelationships()
        let number = name.number
        if number >= 0, names[number].isField, let piece = names.linkage(number), names.note(number, in: serial, isRelationship: true) {
            relationships.beginObject(naming: piece, of: pieces)
        } else {
            try writeFieldName(name, isRelationship: true, into: relationships)
            relationships.beginObject()
            relationships.name(plain: "data")
        }
        return true
    }

    /// Begins the object of the relationships if necessary.
    @inline(__always)
    func beginRelationships() {
        guard !hasRelationships else { return }
        hasRelationships = true
        relationships.beginObject()
    }

    /// Writes the members of a relationship object other than `data`.
    func writeDetails(_ details: JSONObject, of name: String) throws {
        for member in details where !UTF8Bytes.areEqual(member.name, "data") {
            relationships.name(member.name)
            try writeTree(
                member.value, into: relationships, below: resource.place.tokens.count + 1, at: ["relationships", name, member.name])
        }
    }

    /// Writes an identifier object.
    @inline(__always)
    func write(_ identifier: ResourceIdentifier, into output: JSONOutput, at tokens: @autoclosure () -> [String]) throws {
        try write(identifier, types.number(of: identifier.type), into: output, at: tokens())
    }

    /// Writes an identifier object whose type was looked up.
    @inline(__always)
    func write(_ identifier: ResourceIdentifier, _ type: Int, into output: JSONOutput, at tokens: @autoclosure () -> [String]) throws {
        // A type with a prepared text is legal.
        let opening = types.opening(type)
        if !identifier.hasOtherMembers, let id = identifier.id, !id.isEmpty, let opening {
            return output.object(with: opening, of: pieces, id)
        }
        try writeUnusual(identifier, isLegal: opening != nil, into: output, at: tokens())
    }

    private func writeUnusual(_ identifier: ResourceIdentifier, isLegal: Bool, into output: JSONOutput, at tokens: [String]) throws {
        // The comparison of two values only needs to see a difference, also of identifiers that were read without an id. What a patch then
        // sends is checked when it is written.
        let isCompared = clearsParts && identifier.id == nil && identifier.lid == nil && !identifier.type.isEmpty
        guard !identifier.isWithoutIdentity || isCompared else {
            let isNamed = identifier.id != nil || identifier.lid != nil
            throw failure(
                .missingIdentity, at: tokens, expected: "a resource identifier: a type with an id or a lid",
                found: identifier.type.isEmpty ? "no type" : isNamed ? "an empty id or lid" : "neither id nor lid",
                advice: "link to a resource after the server has given it an id, or by a lid in the same request")
        }
        // What was read with a document is written as it was.
        if !isLegal, document == nil { try checkName(identifier.type, at: tokens + ["type"], isType: true) }
        guard identifier.hasOtherMembers || identifier.id == nil else {
            beginObject(of: identifier, into: output)
            return output.endObject()
        }
        try writeTree(
            (isRequest ? identifier.withoutUnknownMembers : identifier).json, into: output, below: resource.place.tokens.count + 1,
            at: tokens)
    }
}

// MARK: - Values at paths

extension EncodingSession {
    /// The number of open arrays and objects of the document inside the resource object, which counts as well.
    private var depthInside: Int { resource.start.depth + 1 }

    /// Returns a sink for the value at a path of names that starts at the resource object. The value is inserted at the end of the
    /// resource.
    func sink(at segments: [String]) -> ValueSink {
        guard checkPath(segments) else { return ValueSink() }
        resource.needsCheck = true
        let group = segments.first == "attributes" ? ["attributes"] : []
        noteGiven(at: segments)
        let sink = ValueSink(
            at: segments.dropFirst(group.count).map { .name($0) }, in: group, depthAround: depthInside + max(segments.count - 1, 0))
        extras.paths.append((segments, sink))
        return sink
    }

    /// Returns false, and notes an error, when a path has too many names.
    func checkPath(_ segments: [String]) -> Bool {
        if segments.count <= min(options.maximumDepth, Self.longestPath) { return true }
        let tooLong = failure(
            .nestingLimit, at: [], expected: "keys that are paths of at most \(Self.longestPath) names", found: "more",
            advice: "use a shorter key")
        note((segments.count > options.maximumDepth ? tooDeep(at: []) : tooLong).encodingError)
        return false
    }

    /// The maximum number of names in a path, whatever the maximum depth is: values at paths are combined by recursion, and a client can
    /// choose the names if the keys of a model are made from them.
    private static let longestPath = 128

    /// Returns a sink for the value of a member of the resource object, which the caller inserts.
    func memberSink(_ name: String) -> ValueSink {
        resource.needsCheck = true
        return ValueSink(at: [.name(name)], in: [], depthAround: depthInside)
    }

    /// Inserts the values at paths, and ends the fields. What is written already is parsed again only if a path leads into it.
    private func putInPaths(_ extras: ResourceExtras) throws {
        let tree = PathTree()
        if let links = extras.links { try put(.json(links), at: ["links"], into: tree) }
        if let meta = extras.meta {
            extras.hasWholeMeta = true
            try put(.json(meta), at: ["meta"], into: tree)
        }
        if hasAttributes, extras.completed != nil || leadsIntoWritten("attributes", extras) {
            let attributes = try takeAttributes()
            extras.whole = Array(attributes.names)
            try put(.json(.object(attributes)), at: ["attributes"], into: tree)
        }
        if hasRelationships, leadsIntoWritten("relationships", extras) {
            try put(.json(.object(takeRelationships())), at: ["relationships"], into: tree)
        }
        for (segments, sink) in extras.paths where !isLeftOut(segments) {
            let text = sink.finish()
            if !text.isEmpty { try put(.text(text), at: segments, into: tree) }
        }
        for (segments, members, isObject) in extras.remaining where !isLeftOut(segments) {
            // An object that was not there is not made. A comparison of values has it on both sides.
            if !isObject, !clearsParts { continue }
            var kept = extras.cleared.reduce(members) { Self.removing($1, below: segments, from: $0) }
            // The attributes that are written already are not in the tree.
            if segments.count == 1 { kept = JSONObject(members: kept.filter { !isWritten($0.name, in: "attributes") }) }
            tree.complete(kept, at: segments)
        }
        for name in ["attributes", "relationships"] { try appendFields(tree.members(of: name) ?? [], name) }
        endFields()
        extras.links = tree.json(of: "links")
        extras.meta = tree.json(of: "meta")
        try checkObject(extras.links, "links")
        try checkObject(extras.meta, "meta")
        if let lid = tree.json(of: "lid") {
            guard let text = lid.string else { throw failure(.missingIdentity, at: ["lid"], expected: "a string", found: lid.kindName) }
            extras.lid = text
        }
    }

    /// Whether a path leads into a field that is written already. Also true if that is not known, because the table of names is full.
    private func leadsIntoWritten(_ group: String, _ extras: ResourceExtras) -> Bool {
        if names.count == FieldNames.limit { return true }
        func leadsThere(_ segments: [String]) -> Bool { segments.count > 1 && segments[0] == group && isWritten(segments[1], in: group) }
        return extras.paths.contains { $0.segments == [group] || leadsThere($0.segments) }
            || extras.remaining.contains { leadsThere($0.segments) }
    }

    /// Whether the resource has written the field, which is not in a `PathTree`.
    private func isWritten(_ name: String, in group: String) -> Bool {
        guard group == "attributes" ? hasAttributes : hasRelationships else { return false }
        let number = names.number(of: name)
        return number >= 0 && names[number].object == serial && names[number].isRelationship == (group == "relationships")
    }

    /// Removes the attributes that are written already from the text, and returns them.
    func takeAttributes() throws -> JSONObject {
        output.endObject()
        let attributes = try json(output.bytes(in: resource.attributesStart..<output.count))
        output.reset(to: resource.attributesMark)
        hasAttributes = false
        return attributes.object ?? JSONObject()
    }

    /// Removes the relationships that are written already from the text, and returns them.
    func takeRelationships() throws -> JSONObject {
        relationships.endObject()
        let written = try json(relationships.bytes)
        relationships.reset(to: .start)
        hasRelationships = false
        return written.object ?? JSONObject()
    }

    /// Returns the members of the object at `segments` without the value at a path, if the path leads into that object.
    private static func removing(_ path: [String], below segments: [String], from members: JSONObject) -> JSONObject {
        guard path.count > segments.count, zip(path, segments).allSatisfy({ UTF8Bytes.areEqual($0, $1) }) else { return members }
        return members.removing(at: path[segments.count...])
    }

    private func put(_ value: PathTree.PathValue, at segments: [String], into tree: PathTree) throws {
        if segments.count == 1, ResourcePart(rawValue: segments[0]) != nil { try checkObject(value.json, segments[0]) }
        if let repeated = tree.put(value, at: segments) {
            throw failure(
                .duplicateName, at: Array(segments.prefix(repeated)), expected: "one value for each place",
                found: "a second value, or a member of a value that is not an object")
        }
    }

    /// Throws when a part of the resource object exists and is not an object.
    private func checkObject(_ value: JSON?, _ name: String) throws {
        guard let value, value.object == nil else { return }
        throw failure(
            .wrongPlace, at: [name], expected: "an object", found: value.kindName,
            advice: "add a name to the key after `\(name)`, or use a value with members")
    }

    /// Whether a path is left out: a request contains only the linkage of a relationship.
    private func isLeftOut(_ segments: [String]) -> Bool {
        isRequest && segments.count > 2 && segments[0] == "relationships" && segments[2] != "data"
    }

    /// Writes fields after those that are written already.
    private func appendFields(_ fields: [(name: String, tree: PathTree)], _ group: String) throws {
        let isRelationship = group == "relationships"
        for field in fields where wants(field.name) {
            try checkField(field.name, in: group)
            if isRelationship {
                // A model may write all relationships in a container of their own.
                noteGiven(field.name)
                beginRelationships()
            } else if !hasAttributes {
                openAttributes()
            }
            let output = isRelationship ? relationships : output
            output.name(field.name)
            if !isRelationship, let completed = extras.completed {
                try writeTree(completed(field.name, field.tree.json), into: output, at: [group, field.name])
            } else {
                try write(field.tree, into: output, below: isRelationship ? depthInside : 0, at: [group, field.name])
            }
        }
    }

    /// Writes the values at paths. Recurses along the paths, which have at most `longestPath` names.
    private func write(_ tree: PathTree, into output: JSONOutput, below depth: Int, at tokens: @autoclosure () -> [String]) throws {
        switch tree.value {
        case .text(let text): output.raw(text)  // Its sink has checked the depth.
        case .json(let json): try writeTree(json, into: output, below: depth, at: tokens())
        case nil:
            output.beginObject()
            for member in tree.members {
                output.name(member.name)
                try write(member.tree, into: output, below: depth, at: tokens() + [member.name])
            }
            output.endObject()
        }
    }
}
