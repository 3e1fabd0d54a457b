import JSONText

/// The encoded state of a value, for comparison with another.
struct WrittenState: Sendable {
    /// The identity; nil for a value without one.
    let identifier: ResourceIdentifier?
    /// The text of the resource object.
    let text: [UInt8]
    /// The attributes that are written only in part.
    let parts: AttributeParts
    /// The values that property wrappers could not decode.
    let unread: [UnreadPlace]
    /// The attributes as they were read.
    let asRead: AttributesAsRead
}

/// The differences between two values of one resource, as a resource object.
enum PatchDifference {
    /// Returns the current state of an object.
    static func state<Model: ResourceRepresentable>(of model: Model, _ encoder: JSONAPIEncoder) -> Result<WrittenState, any Error> {
        Result { try encoder.comparing { try $0.state(of: model) } }
    }

    static func object<Model: ResourceRepresentable>(
        from old: Model, to new: Model, _ encoder: JSONAPIEncoder, _ ground: PatchGround
    ) throws -> ResourceObject {
        if Model.self is AnyObject.Type, (old as AnyObject) === (new as AnyObject) {
            throw EncodingFailure(
                .misuse, at: JSONPointer("data"), resource: old.identifier, expected: "two values of one resource",
                found: "the same object twice",
                advice: "edit the object inside `patch { }`, which compares it with its earlier state")
        }
        let changes = try encoder.comparing { session in
            let local = ground.base.flatMap { $0.id == nil ? $0.identifier : nil }
            return try object(from: session.state(of: old, local), to: session.state(of: new, local), ground)
        }
        try CodingMatch.check(new, changes, encoder)
        return changes
    }

    static func object(from old: WrittenState, to new: WrittenState, _ ground: PatchGround) throws -> ResourceObject {
        let hasNoID = old.identifier == nil || new.identifier == nil
        guard let identifier = old.identifier, let other = new.identifier, identifier.isSameResource(as: other) else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), resource: old.identifier, expected: "two values of one resource",
                found: hasNoID ? "a value without an id" : "values with different types or ids",
                advice: hasNoID
                    ? "use Create for a resource that the server does not have yet; give the value the id that the server assigned"
                    : "an edit cannot change the type or the id: use Create for a new resource")
        }
        var changes = ResourceObject(
            type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil)
        if old.text == new.text { return changes }
        try Tape.with(old.text.span, options: .unlimited) { before in
            try Tape.with(new.text.span, options: .unlimited) { after in
                let comparison = ResourceComparison(before.view, after.view)
                let attributes = try ground.attributes(comparison.changes(\.attributes), from: old, to: new)
                if !attributes.isEmpty { changes.attributes = attributes }
                let relationships = try ground.relationships(comparison.changes(\.relationships), of: identifier)
                if !relationships.isEmpty { changes.relationships = Relationships(members: relationships) }
                let (oldMeta, newMeta) = comparison.meta
                changes.meta = try ground.meta(oldMeta, newMeta, of: identifier)
            }
        }
        return changes
    }
}

/// A member that differs, or that only one of two objects has.
struct MemberChange {
    let name: String
    let old: JSON?
    let new: JSON?
}

/// Compares two texts of one resource object. Members with the same text are not parsed into trees.
private struct ResourceComparison {
    private let before: TapeView
    private let after: TapeView
    private let old: ResourceEntry
    private let new: ResourceEntry

    init(_ before: TapeView, _ after: TapeView) {
        self.before = before
        self.after = after
        old = ResourceEntry(before, at: before.root)
        new = ResourceEntry(after, at: after.root)
    }

    /// Returns the members of the attributes or of the relationships that differ: first those of the new object in their order, then those
    /// that were removed.
    ///
    /// - Complexity: O(n), n = bytes, when both objects have their members in the same order.
    func changes(_ group: KeyPath<ResourceEntry, UInt32>) -> [MemberChange] {
        let (oldGroup, newGroup) = (Int(old[keyPath: group]), Int(new[keyPath: group]))
        var changes: [MemberChange] = []
        var matched = 0
        var hint = oldGroup == 0 ? 0 : before.first(in: oldGroup)
        if newGroup != 0 {
            after.forEachMember(of: newGroup) { name, value in
                guard oldGroup != 0, let oldName = find(name, in: oldGroup, from: hint) else {
                    changes.append(MemberChange(name: after.string(at: name), old: nil, new: after.json(at: value)))
                    return
                }
                matched += 1
                let oldValue = before.value(ofName: oldName)
                hint = before.next(after: oldValue)
                if before.isWritten(oldValue, like: after, at: value) { return }
                let (old, new) = (before.json(at: oldValue), after.json(at: value))
                if old != new { changes.append(MemberChange(name: after.string(at: name), old: old, new: new)) }
            }
        }
        if oldGroup != 0, matched < before.count(at: oldGroup) { addGone(oldGroup, newGroup, &changes) }
        return changes
    }

    private func addGone(_ oldGroup: Int, _ newGroup: Int, _ changes: inout [MemberChange]) {
        let left = newGroup == 0 ? [] : Set(after.names(of: newGroup).map { Array($0.utf8) })
        before.forEachMember(of: oldGroup) { name, value in
            let text = before.string(at: name)
            if left.contains(Array(text.utf8)) { return }
            changes.append(MemberChange(name: text, old: before.json(at: value), new: nil))
        }
    }

    /// Returns the name in the old object: the next one when both have the same order, otherwise the one that a search finds.
    private func find(_ name: Int, in oldGroup: Int, from hint: Int) -> Int? {
        if hint < before.end(of: oldGroup), before.isName(hint, like: after, at: name) { return hint }
        return before.member(after.string(at: name), of: oldGroup).map(before.name(ofValue:))
    }

    var meta: (old: JSON?, new: JSON?) {
        // A plain nil would be the JSON null.
        (
            old.meta == 0 ? JSON?.none : before.json(at: Int(old.meta)),
            new.meta == 0 ? JSON?.none : after.json(at: Int(new.meta))
        )
    }
}

extension JSONReadingOptions {
    /// For texts that this library wrote, which have no limit.
    package static let unlimited: JSONReadingOptions = {
        var reading = JSONReadingOptions()
        reading.maximumDepth = .max
        reading.maximumBytes = .max
        reading.maximumValues = .max
        return reading
    }()
}

// MARK: - Writing values to be compared

extension JSONAPIEncoder {
    /// Runs `body` with a session that writes values for comparison. It writes nil as null wherever a value can be cleared.
    fileprivate func comparing<Value>(_ body: (EncodingSession) throws -> Value) throws -> Value {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        return try encoder.requesting { session in
            session.clearsRelationships = true
            return try body(session)
        }
    }

    /// Returns fields as a resource object. Throws for attributes that are known only in part, unless they are in `replaced`.
    func resourceObject(
        _ fields: some ResourceFields, as identity: ResourceIdentifier, replacing replaced: [String]
    ) throws -> ResourceObject {
        try requesting { session in
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(fields: fields, as: identity)
            let object = ResourceObject(members: try session.json(session.output.bytes).object ?? JSONObject())
            for path in session.attributeParts.paths
            where object[attribute: path[0]] != nil && !replaced.contains(where: { UTF8Bytes.areEqual($0, path[0]) }) {
                throw AttributeParts.unknownRest(of: path, identity, isInBase: false)
            }
            return object
        }
    }

    /// Returns a resource object with one property of a model, and the attributes that the property is only a part of.
    func property(
        _ value: some Encodable, _ key: OutlineKey, of identity: ResourceIdentifier
    ) throws -> (ResourceObject, AttributeParts) {
        try comparing { session in
            session.statesCleared = true
            try session.beginResource(session.keep(identity), at: ObjectPlace(.data), node: IncludeTree.nothing)
            var container = ResourceEncodingContainer<Key>(session)
            if let optional = value as? any OptionalProperty {
                try optional.encode(into: &container, key.codingKey)
            } else {
                try container.encode(value, forKey: key.codingKey)
            }
            try session.endResource()
            return (ResourceObject(members: try session.json(session.output.bytes).object ?? JSONObject()), session.attributeParts)
        }
    }

    /// Returns a model as a raw resource object, as it would be written in `data`. Throws `EncodingError` when the model has neither id nor
    /// lid, and when it cannot be encoded.
    ///
    /// ```swift
    /// let object = try JSONAPIEncoder().resourceObject(article)
    /// object[attribute: "title"]
    /// ```
    public func resourceObject(_ model: some ResourceRepresentable) throws -> ResourceObject {
        guard let identifier = model.identifier else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), expected: "a resource with an id or a lid", found: "a resource with neither"
            ).encodingError
        }
        return try requesting { session in
            session.isRequest = false
            try ResourceTarget(session: session, place: ObjectPlace(.data)).write(model, as: identifier)
            return ResourceObject(members: try session.json(session.output.bytes).object ?? JSONObject())
        }
    }

    private func requesting<Value>(_ body: (EncodingSession) throws -> Value) throws -> Value {
        let session = EncodingSession(self, include: .none, fields: [:])
        session.isRequest = true
        do { return try body(session) } catch let failure as EncodingFailure { throw failure.encodingError }
    }
}

extension EncodingSession {
    /// Returns the encoded state of a value. `local` is the identity of a resource whose value has none itself.
    fileprivate func state<Model: ResourceRepresentable>(of model: Model, _ local: ResourceIdentifier? = nil) throws -> WrittenState {
        guard let identifier = model.identifier ?? local else {
            return WrittenState(identifier: nil, text: [], parts: AttributeParts(), unread: [], asRead: .none)
        }
        try ResourceTarget(session: self, place: ObjectPlace(.data)).write(model, as: identifier)
        defer { output.reset(to: .start) }
        let extras = resource.extras
        return WrittenState(
            identifier: identifier, text: output.bytes, parts: attributeParts, unread: extras?.unread ?? [],
            asRead: extras.map { extras in
                extras.remaining.isEmpty ? .none : AttributesAsRead(extras.attributesAsRead, of: Model.self, identifier, options)
            } ?? .none)
    }
}

/// A property of an optional type, which is written as null when it is nil.
private protocol OptionalProperty {
    func encode(into container: inout ResourceEncodingContainer<Key>, _ key: Key) throws
}

extension Optional: OptionalProperty where Wrapped: Encodable {
    fileprivate func encode(into container: inout ResourceEncodingContainer<Key>, _ key: Key) throws {
        try container.encodeIfPresent(self, forKey: key)
    }
}
