import JSONMapping
import JSONText

/// The encoded state of a value, for comparison with another.
final class WrittenState: Sendable {
    /// The identity; nil for a value without one.
    let identifier: ResourceIdentifier?
    /// The type of the resource; for a union, that of the resource inside.
    let model: Any.Type
    /// The text of the resource object.
    let text: [UInt8]
    /// The attributes and the meta that are written only in part.
    let parts: AttributeParts
    /// The values that property wrappers could not decode.
    let unread: [UnreadPlace]
    /// The names of the relationships that the model gave to its container.
    let given: Set<ByteText>
    /// The paths that stay as they are on the server, from the resource object.
    let absent: [[String]]
    /// The values inside others that are nil, although the objects around them stay, from the resource object.
    let nested: [NestedPart]
    /// The paths of the objects in attributes of which the value has remaining members.
    let rests: [[String]]
    /// The paths that the model names beside its remaining members, although this value has nothing there.
    let named: [[String]]
    /// The attributes as they were read, as far as properties of type `RemainingMembers` have them. They stay as they were read when the
    /// value is edited.
    let asRead: JSONObject
    /// Whether these are all attributes that were read.
    let isReadWhole: Bool
    /// Returns what the model writes after it has read the given resource; nil if it cannot read it. The parts that the model does not have
    /// are found by a comparison with this, and not with the edited value. With true, only missing values have placeholders.
    let rewritten: @Sendable (ResourceObject, Bool) -> (object: ResourceObject, parts: AttributeParts)?
    let keyStrategy: KeyStrategy
    /// Whether rewriters of the encoder can change names after the comparison.
    let isRewritten: Bool
    /// Whether the model is read by `Key` and written by other keys.
    let isReadByKey: Bool

    init(
        of identifier: ResourceIdentifier?, _ model: Any.Type, text: [UInt8] = [], parts: AttributeParts = AttributeParts(),
        _ extras: ResourceExtras? = nil, keyStrategy: KeyStrategy = .useDefaultKeys, isRewritten: Bool = false, isReadByKey: Bool = false,
        rewritten: @escaping @Sendable (ResourceObject, Bool) -> (object: ResourceObject, parts: AttributeParts)? = { _, _ in nil }
    ) {
        (self.identifier, self.model, self.text, self.parts) = (identifier, model, text, parts)
        (self.keyStrategy, self.isRewritten) = (keyStrategy, isRewritten)
        (self.isReadByKey, self.rewritten) = (isReadByKey, rewritten)
        (unread, given) = (extras?.unread ?? [], extras?.given ?? [])
        (absent, nested) = (extras?.absent ?? [], extras?.nested ?? [])
        let withRest = extras.flatMap { $0.remaining.isEmpty ? nil : $0 }
        let objects = (withRest?.remaining ?? []).filter { $0.isObject && $0.segments.first == "attributes" }
        rests = objects.map { Array($0.segments.dropFirst()) }
        named = withRest?.cleared ?? []
        asRead = withRest?.attributesAsRead ?? JSONObject()
        isReadWhole = withRest?.places.contains([]) == true
    }

    /// The paths that stay as they are in attributes, from the name of the attribute.
    var absentInAttributes: [[String]] { absent.filter { $0.count > 1 && $0[0] == "attributes" }.map { Array($0.dropFirst()) } }

    /// The text as a resource object.
    var object: ResourceObject? { (try? JSON(parsing: text))?.object.map(ResourceObject.init(members:)) }
}

/// The differences between two values of one resource, as a resource object.
enum PatchDifference {
    /// Returns the current state of an object.
    static func state<Model: ResourceRepresentable>(of model: Model, _ encoder: JSONAPIEncoder) throws -> WrittenState {
        try encoder.comparing { try $0.state(of: model) }
    }

    static func object<Model: ResourceRepresentable>(
        from old: Model, to new: Model, _ encoder: JSONAPIEncoder, _ ground: PatchGround
    ) throws -> ResourceObject {
        if old.resourceType is AnyObject.Type, (old.innermost as AnyObject) === (new.innermost as AnyObject) {
            throw EncodingFailure(
                .misuse, at: JSONPointer("data"), resource: old.identifier, expected: "two values of one resource",
                found: "the same object twice",
                advice: "edit the object inside `patch { }`, which compares it with its earlier state")
        }
        return try encoder.comparing { session in
            let local = ground.base.flatMap { $0.id == nil ? $0.identifier : nil }
            return try object(from: session.state(of: old, local), to: session.state(of: new, local), ground)
        }
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
        var changes = ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil)
        let (before, after) = (old.text, new.text)
        if Bytes.areEqual(before.span, after.span) { return changes }
        // On one tape, the parser recognizes the names of the second object by those of the first.
        var both: [UInt8] = []
        both.reserveCapacity(before.count + after.count + 3)
        both.append(UInt8(ascii: "["))
        both += before
        both.append(UInt8(ascii: ","))
        both += after
        both.append(UInt8(ascii: "]"))
        try both.withText { both in
            let tape = try both.tape(.unlimited)
            try withExtendedLifetime(tape) {
                try add(MemberComparison(of: tape.view), from: old, to: new, ground, of: identifier, to: &changes)
            }
        }
        try CodingMatch.check(new, changes)
        try NameMatch.check(old, changes, ground.base)
        return changes
    }

    private static func add(
        _ members: MemberComparison, from old: WrittenState, to new: WrittenState, _ ground: PatchGround, of resource: ResourceIdentifier,
        to changes: inout ResourceObject
    ) throws {
        let attributes = try ground.attributes(members.changes(in: "attributes"), from: old, to: new, of: resource)
        if !attributes.isEmpty { changes.attributes = attributes }
        let relationships = try ground.relationships(members.changes(in: "relationships"), from: old, to: new, of: resource)
        if !relationships.isEmpty { changes.relationships = Relationships(members: relationships) }
        if let meta = members.change(of: "meta") { changes.meta = try ground.meta(meta, from: old, to: new, of: resource) }
    }
}

// MARK: - Writing values to be compared

extension JSONAPIEncoder {
    /// Runs `body` with a session that writes values for comparison. It writes nil as null wherever a value can be cleared.
    fileprivate func comparing<Value>(_ absentFields: AbsentFields = .compared, _ body: (EncodingSession) throws -> Value) throws -> Value {
        var encoder = self
        encoder.nilEncodingStrategy = .null
        SchemaSet.noteAbsent(in: &encoder.userInfo)
        // The names in the result are checked when it is written.
        encoder.checksNames = false
        return try encoder.withSession(isRequest: true) { session in
            session.absentFields = absentFields
            return try body(session)
        }
    }

    /// Returns fields as a resource object. Throws for attributes that are known only in part, unless they are in `replaced`.
    func resourceObject(
        _ fields: some ResourceFields, as identity: ResourceIdentifier, replacing replaced: [String]
    ) throws -> ResourceObject {
        try withSession(isRequest: true) { session in
            try session.data.write(fields: fields, as: identity)
            let object = try session.resourceObject()
            for path in session.attributeParts.paths
            where object[attribute: path[0]] != nil && !replaced.contains(where: { UTF8Bytes.areEqual($0, path[0]) }) {
                throw AttributeParts.unknownRest(of: path, identity, isInBase: false)
            }
            if object.meta != nil, let path = session.attributeParts.metaPaths.first {
                throw AttributeParts.unknownRestOfMeta(path, identity)
            }
            return object
        }
    }

    /// Returns a resource object with one property of a model, and the attributes that the property is only a part of.
    func property(_ value: some Encodable, _ key: OutlineKey, of identity: ResourceIdentifier) throws -> (ResourceObject, AttributeParts) {
        try fields(of: identity) { session in
            var container = ResourceEncodingContainer<Key>(ResourceEncoder(session))
            if let optional = value as? any OptionalProperty {
                try optional.encode(into: &container, key.codingKey)
            } else {
                try container.encode(value, forKey: key.codingKey)
            }
        }
    }

    /// Returns a resource object with one value of a model with a schema, and the attributes that the value is only a part of.
    func property(_ json: JSON?, _ field: SchemaProperty, of identity: ResourceIdentifier) throws -> (ResourceObject, AttributeParts) {
        let flat = json.flatMap { AttributeParts.replacing(.object(JSONObject()), at: field.path[...], with: $0).object } ?? JSONObject()
        let object = try fields(of: identity) { try $0.write(flat, field.members) }.0
        return (object, AttributeParts(field.members.parts.filter { $0 == field.path }))
    }

    /// Returns a resource object with the fields that `write` writes, and the attributes of which these are only a part.
    private func fields(
        of identity: ResourceIdentifier, _ write: (EncodingSession) throws -> Void
    ) throws -> (ResourceObject, AttributeParts) {
        try comparing(.cleared) { session in
            try session.beginResource(session.keep(identity), at: ObjectPlace("data"), node: IncludeTree.nothing)
            try write(session)
            try session.endResource()
            return (try session.resourceObject(), session.attributeParts)
        }
    }

    /// Returns what a model writes of the attributes and the meta that it reads; nil if it cannot read them.
    fileprivate func rewritten<Model: ResourceRepresentable>(
        _ read: ResourceObject, of type: Model.Type, _ identifier: ResourceIdentifier, isComplete: Bool
    ) -> (object: ResourceObject, parts: AttributeParts)? {
        guard var decoder = mirror else { return nil }
        // The document may have been read with any of them.
        decoder.leniencies = .all
        let object = ResourceObject(
            type: identifier.type, id: identifier.id, lid: identifier.lid, attributes: read.attributes, meta: read.meta)
        guard let text = try? JSONWriter().write(["data": .object(object.members)]),
            let document = try? ParsedDocument(of: text, options: decoder),
            let model = ProblemCollector.value(type, document, isComplete: isComplete),
            let state = try? PatchDifference.state(of: model, self)
        else { return nil }
        return state.object.map { (object: $0, parts: state.parts) }
    }
}

extension EncodingSession {
    /// Returns the encoded state of a value. `local` is the identity of a resource whose value has none itself.
    fileprivate func state<Model: ResourceRepresentable>(of model: Model, _ local: ResourceIdentifier? = nil) throws -> WrittenState {
        guard let identifier = model.identifier ?? local else { return WrittenState(of: nil, Model.self) }
        nameCheck = Self.isOpen(model) ? NameCheck(omitting: [], options.keyStrategy) : nil
        try data.write(model, as: identifier)
        defer { output.reset(to: .start) }
        return WrittenState(
            of: identifier, model.resourceType, text: output.bytes, parts: attributeParts, resource.extras,
            keyStrategy: options.keyStrategy, isRewritten: !options.rewriters.isEmpty, isReadByKey: nameCheck?.hasSeenKey == false
        ) { [options] in options.rewritten($0, of: Model.self, identifier, isComplete: $1) }
    }

    /// Whether a model reads itself by hand, with any keys.
    private static func isOpen<Model: ResourceRepresentable>(_ model: Model) -> Bool {
        // What a subclass writes cannot be read as the superclass.
        guard type(of: model) == Model.self else { return false }
        let type = model.resourceType
        return ModelNames.of(type)?.names.isOpen == true && !(type is any DirectResource.Type)
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
