import JSONText

/// What differs between two values of one resource, as a resource object.
enum PatchDifference {
    /// A value as it was at one time.
    struct State: Sendable {
        let identifier: ResourceIdentifier?
        let object: ResourceObject
    }

    /// The state of an object now.
    static func state<Model: ResourceRepresentable>(of model: Model, _ encoder: JSONAPIEncoder) -> Result<State, any Error> {
        Result {
            guard let identifier = model.identifier else { return State(identifier: nil, object: ResourceObject(members: JSONObject())) }
            return State(identifier: identifier, object: try encoder.resourceObject(model, as: identifier))
        }
    }

    static func object<Model: ResourceRepresentable>(from old: Model, to new: Model, _ encoder: JSONAPIEncoder) throws -> ResourceObject {
        if Model.self is AnyObject.Type, (old as AnyObject) === (new as AnyObject) {
            throw EncodingFailure(
                .misuse, at: JSONPointer("data"), resource: old.identifier, expected: "two values of one resource",
                found: "one object twice",
                advice: "edit the object inside `patch { }`, which compares it with what it was")
        }
        return try object(from: state(of: old, encoder).get(), to: state(of: new, encoder).get())
    }

    static func object(from old: State, to new: State) throws -> ResourceObject {
        guard let identifier = old.identifier, let other = new.identifier, identifier.isSameResource(as: other) else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), resource: old.identifier, expected: "two values of one resource",
                found: old.identifier == nil || new.identifier == nil ? "a value without id" : "two types or ids")
        }
        let (before, after) = (old.object, new.object)
        var changes = ResourceObject(
            type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil)
        let attributes = attributes(from: before.attributes ?? JSONObject(), to: after.attributes ?? JSONObject())
        if !attributes.isEmpty { changes.attributes = attributes }
        let relationships = relationships(from: before.relationships, to: after.relationships)
        if !relationships.isEmpty { changes.relationships = Relationships(members: relationships) }
        if let meta = after.meta, meta != before.meta { changes.meta = meta }
        return changes
    }

    /// Attributes that are new or other, and null for those that are gone.
    private static func attributes(from before: JSONObject, to after: JSONObject) -> JSONObject {
        var changes = JSONObject()
        for member in after where before[member.name] != member.value { changes[member.name] = member.value }
        for member in before where member.value != .null && !after.contains(name: member.name) { changes[member.name] = .null }
        return changes
    }

    /// Relationships with other linkage. What is not loaded stays as it is on the server.
    private static func relationships(from before: Relationships?, to after: Relationships?) -> JSONObject {
        var changes = JSONObject()
        for (name, relationship) in after ?? Relationships(members: JSONObject()) {
            guard let data = relationship.members["data"], before?[name]?.members["data"] != data else { continue }
            changes[name] = ["data": data]
        }
        return changes
    }
}

extension JSONAPIEncoder {
    /// A value as a resource object for comparison: nil is written as null, everywhere it may be cleared.
    func resourceObject<Model: ResourceRepresentable>(_ model: Model, as identity: ResourceIdentifier) throws -> ResourceObject {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        return try encoder.object { session in
            session.clearsRelationships = true
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identity)
        }
    }

    /// Fields as a resource object.
    func resourceObject(_ fields: some ResourceFields, as identity: ResourceIdentifier) throws -> ResourceObject {
        try object { session in
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(fields: fields, as: identity)
        }
    }

    /// A value as a raw resource object: what `data` would hold.
    ///
    /// ```swift
    /// let object = try JSONAPIEncoder().resourceObject(article)
    /// object[attribute: "title"]
    /// ```
    public func resourceObject(_ model: some ResourceRepresentable) throws -> ResourceObject {
        guard let identifier = model.identifier else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), expected: "a resource with an id or a lid", found: "one with neither"
            ).encodingError
        }
        return try object { session in
            session.isRequest = false
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identifier)
        }
    }

    private func object(_ write: (EncodingSession) throws -> Void) throws -> ResourceObject {
        let session = EncodingSession(self, include: .none, fields: [:])
        session.isRequest = true
        do {
            try write(session)
            return ResourceObject(members: try session.json(session.output.bytes).object ?? JSONObject())
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }
}
