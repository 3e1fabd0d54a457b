import JSONText

/// The body of a request that changes a resource: only what differs.
///
/// ```swift
/// let patch = article.patch { $0.title = "New"; $0.subtitle = nil }        // edits a copy; nil becomes null
/// let patch = Patch(from: old, to: new)
/// let patch = Patch<Article>(id: "1").set("title", "New").setNull("subtitle").link("author", to: person)
/// if !patch.isEmpty { body = try encoder.encode(patch) }
/// ```
///
/// Of two values the encoded members are compared. An attribute that is gone or nil becomes null; an embedded resource that is
/// nil becomes an empty relationship. A relationship that is not loaded is never part of a patch.
///
/// A server replaces an attribute as a whole. Where a model knows only a part of one, by a key such as `attributes.place.city`, the
/// rest comes from a property of type `RemainingMembers`, from the base of `init(from:to:base:)` or from a draft of a store; where
/// nothing is known of it, encoding throws.
///
/// Names given as text are those of the document; no key strategy is applied to them. Encoding throws for a name that the model does not
/// have, as far as its coding keys tell. Key paths work as well, see `set(_:_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
public struct Patch<Model: ResourceRepresentable>: ResourceBody {
    private let start: @Sendable (JSONAPIEncoder, PatchGround) throws -> ResourceObject
    private var edits: [Edit] = []
    private var omitted: [String] = []
    /// The names of properties to leave out.
    private var omittedProperties: [@Sendable (JSONAPIEncoder) throws -> String?] = []

    /// One change, applied to the resource object that is going to be written.
    private struct Edit: Sendable {
        /// The name that it sets as a whole; nil where it is given by key path.
        let name: String?
        let apply: @Sendable (inout ResourceObject, JSONAPIEncoder, PatchGround) throws -> Void
    }

    private init(start: @escaping @Sendable (JSONAPIEncoder, PatchGround) throws -> ResourceObject) { self.start = start }

    /// What leads from one value to another. Encoding throws when they do not have the same type and id, or are one object of a
    /// class.
    ///
    /// Attributes are compared as JSON: members of objects in any order, elements of arrays in theirs. The elements of a `Set` are
    /// written in one order, so equal sets are equal; a type that writes its elements in an order of its own should write a stable
    /// one.
    public init(from old: Model, to new: Model) {
        self.init { try PatchDifference.object(from: old, to: new, $0, $1) }
    }

    /// The same for values that were read from `base`, the resource object as the server sent it: nothing of it is lost that the model
    /// does not know.
    ///
    /// ```swift
    /// let base = try JSONAPIDecoder().decode(ResourceObject.self, from: data)
    /// let old = try JSONAPIDecoder().decode(Article.self, from: data)
    /// // … new = old, edited
    /// let patch = Patch(from: old, to: new, base: base)
    /// ```
    ///
    /// An attribute that is an object is sent whole: what differs between the values is put into the object of `base`. Encoding throws
    /// for an embedded array that was read in part, which would delete the rest. A draft of a store does all this by itself.
    public init(from old: Model, to new: Model, base: ResourceObject) {
        self.init { encoder, ground in
            var ground = ground
            ground.base = base
            return try PatchDifference.object(from: old, to: new, encoder, ground)
        }
    }

    /// What leads from one state of an object to another.
    fileprivate init(from old: Result<WrittenState, any Error>, to new: Result<WrittenState, any Error>) {
        self.init { _, ground in try PatchDifference.object(from: old.get(), to: new.get(), ground) }
    }

    /// No changes yet to the resource with this identity.
    public init(_ identifier: ResourceIdentifier) {
        self.init { _, _ in ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil) }
    }

    /// Whether nothing differs. False also when that cannot be told, because a value cannot be encoded.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public var isEmpty: Bool {
        guard let object = try? object(JSONAPIEncoder()) else { return false }
        return object.attributes == nil && object.relationships == nil && object.meta == nil
    }

    /// The resource object that is written, by the strategies of `encoder`. Throws as encoding does.
    public func object(_ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> ResourceObject { try object(encoder, stored: nil) }

    /// The same; what `stored` returns for the resource completes attributes that the model knows in part.
    package func object(
        _ encoder: JSONAPIEncoder, stored: ((ResourceIdentifier) -> JSONObject?)?
    ) throws -> ResourceObject {
        do {
            return try edited(encoder, PatchGround(stored: stored, replaced: edits.compactMap(\.name) + omitted))
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }

    private func edited(_ encoder: JSONAPIEncoder, _ ground: PatchGround) throws -> ResourceObject {
        var object = try start(encoder, ground)
        for name in edits.compactMap(\.name) + omitted {
            try ModelNames.check(name, in: Model.self, encoder.keyStrategy, at: ["data"])
        }
        for edit in edits { try edit.apply(&object, encoder, ground) }
        for name in try omitted + omittedProperties.compactMap({ try $0(encoder) }) {
            if object[attribute: name] != nil { object[attribute: name] = nil }
            if object[relationship: name] != nil { object[relationship: name] = nil }
        }
        if !omitted.isEmpty || !omittedProperties.isEmpty {
            if object.attributes?.isEmpty == true { object.attributes = nil }
            if object.relationships?.members.isEmpty == true { object.relationships = nil }
        }
        return object
    }

    public var _kind: DocumentKind { .update }

    public func _writeResource(_ target: ResourceTarget) throws {
        let object: ResourceObject
        do {
            object = try self.object(target.session.options)
        } catch let error as EncodingError {
            throw error.failure?.moved(from: ["data"], to: target.place.tokens) ?? error
        }
        let identity = ResourceIdentifier(ofObject: object.type, id: object.id, lid: object.lid)
        guard identity.id != nil || identity.lid != nil else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer(tokens: target.place.tokens), expected: "the id of the resource to change",
                found: "a resource without", advice: "a resource that does not exist yet goes into a Create")
        }
        try target.write(object, as: identity)
    }
}

// MARK: - By name

extension Patch where Model: Resource {
    /// No changes yet to the resource with this id.
    public init(id: Model.ID) {
        self.init { _, _ in ResourceObject(type: Model.type, id: id.wireText) }
    }
}

extension Patch where Model == ResourceObject {
    /// A patch without a model. Nil leaves `attributes` or `relationships` out, an empty one is written as `{}`; of two
    /// relationships with one name the later wins.
    public init(
        type: String, id: String, attributes: JSONObject? = nil, relationships: [Relationship]? = nil, meta: JSONObject? = nil
    ) {
        let object = ResourceObject(
            type: type, id: id, attributes: attributes, relationships: relationships.map { Relationships($0) }, meta: meta)
        self.init { _, _ in object }
    }

    /// A patch of fields written by hand, whose properties say with `Field` what stays, what is cleared and what is set.
    public init<Fields: ResourceFields>(id: String, _ fields: Fields) {
        self.init { encoder, ground in
            try encoder.resourceObject(
                fields, as: ResourceIdentifier(ofObject: Fields.type, id: id), replacing: ground.replaced)
        }
    }
}

extension Patch {
    /// Sets an attribute.
    public func set(_ name: String, _ value: some Encodable & Sendable) -> Patch {
        edited(name) { object, encoder, _ in object[attribute: name] = try encoder.json(value, at: ["data", "attributes", name]) }
    }

    /// Sets an attribute to null.
    public func setNull(_ name: String) -> Patch { edited(name) { object, _, _ in object[attribute: name] = .null } }

    /// Links a to-one relationship to that resource.
    public func link(_ name: String, to identifier: ResourceIdentifier) -> Patch { linked(name, .one(identifier)) }

    /// Links a to-one relationship to that resource. Encoding throws for one without id and lid.
    public func link(_ name: String, to resource: some ResourceRepresentable) -> Patch {
        resource.identifier.map { link(name, to: $0) } ?? linked(name, .absent)
    }

    /// Links a to-one relationship to the resource with that id.
    public func link<Target: Resource>(_ name: String, to id: Identifier<Target>) -> Patch {
        link(name, to: ResourceIdentifier(type: Target.type, id: id.rawValue))
    }

    /// Replaces what a to-many relationship links to; nothing, for an empty array.
    public func link(_ name: String, to identifiers: [ResourceIdentifier]) -> Patch { linked(name, .many(identifiers)) }

    /// Replaces what a to-many relationship links to. Encoding throws for a resource without id and lid.
    public func link<Target: ResourceRepresentable>(_ name: String, to resources: [Target]) -> Patch {
        let identifiers = resources.compactMap(\.identifier)
        return linked(name, identifiers.count == resources.count ? .many(identifiers) : .absent)
    }

    /// Links a to-one relationship to nothing.
    public func unlink(_ name: String) -> Patch { linked(name, .null) }

    /// The same without these attributes and relationships, by their names in the document: those that only the server changes.
    public func omitting(_ names: String...) -> Patch {
        var copy = self
        copy.omitted += names
        return copy
    }

    private func linked(_ name: String, _ linkage: Linkage) -> Patch {
        edited(name) { object, _, _ in object[relationship: name] = RelationshipObject(data: linkage.withoutFields) }
    }

    fileprivate func edited(
        _ name: String?, _ apply: @escaping @Sendable (inout ResourceObject, JSONAPIEncoder, PatchGround) throws -> Void
    ) -> Patch {
        var copy = self
        copy.edits.append(Edit(name: name, apply: apply))
        return copy
    }
}

// MARK: - By key path

extension Patch where Model: Resource {
    /// Sets a property: an attribute, or what a relationship leads to.
    ///
    /// ```swift
    /// let patch = Patch<Article>(id: "1").set(\.title, "New").setNull(\.subtitle).set(\.author, ToOne(id: "9"))
    /// ```
    ///
    /// The coding key of the property is found by running the model's `init(from:)` with placeholders for values, once for each key and
    /// process. Encoding throws where that does not get through: for a property that is not optional, of an enum that is not
    /// `CaseIterable`, or of a type that refuses placeholders. It throws as well for a computed property that depends on several others,
    /// and for a part of an attribute of which the rest is not known.
    public func set<Value: Encodable & Sendable>(_ property: KeyPath<Model, Value> & Sendable, _ value: Value) -> Patch {
        edited(nil) { object, encoder, ground in
            try encoder.put(value, PropertyKeys.key(of: property), into: &object, ground)
        }
    }

    /// Sets a property to null: an attribute, or an embedded resource to nothing. See `set(_:_:)`.
    public func setNull<Value: Encodable & Sendable>(_ property: KeyPath<Model, Value?> & Sendable) -> Patch { set(property, nil) }

    /// The same without these properties: those that only the server changes. See `set(_:_:)` for what key paths can do.
    public func omitting(_ properties: (PartialKeyPath<Model> & Sendable)...) -> Patch {
        var copy = self
        copy.omittedProperties += properties.map { property in
            { encoder in try PropertyKeys.key(of: property).memberName(encoder.keyStrategy)?.name }
        }
        return copy
    }
}

extension JSONAPIEncoder {
    /// Writes one property of a model into a resource object.
    fileprivate func put<Value: Encodable>(
        _ value: Value, _ key: OutlineKey, into object: inout ResourceObject, _ ground: PatchGround
    ) throws {
        let identity = ResourceIdentifier(ofObject: object.type, id: object.id, lid: object.lid)
        guard !DecodingSession.isIdentityName(key.text) else {
            throw EncodingFailure(
                .unknownName, at: JSONPointer("data", key.text), resource: identity,
                expected: "a key path to an attribute or a relationship", found: "one to the identity, which a patch cannot change")
        }
        let (part, parts) = try property(value, key, of: identity)
        var attributes = part.attributes ?? JSONObject()
        if let path = parts.paths.first {
            let known = object[attribute: path[0]].map { [path[0]: $0] } ?? ground.known(identity)
            guard known?[path[0]] != nil else { throw AttributeParts.unknownRest(of: path, identity, isInBase: ground.base != nil) }
            attributes = parts.completed(attributes, from: known ?? JSONObject())
        }
        for member in attributes { object[attribute: member.name] = member.value }
        for (name, relationship) in part.relationships ?? Relationships(members: JSONObject()) {
            object[relationship: name] = relationship
        }
        if let meta = part.meta { object.meta = meta }
    }
}

extension Resource {
    /// The changes that `edit` makes, to be sent. A value stays as it is; an object is edited.
    ///
    /// ```swift
    /// let patch = article.patch { $0.title = "New"; $0.subtitle = nil }
    /// ```
    ///
    /// An object of a class has no copy to edit: it is encoded before and after `edit`, by `encoder`, and keeps the edits. Pass the
    /// encoder that the patch will be encoded with. For a value, `encoder` does not count.
    public func patch(
        with encoder: JSONAPIEncoder = JSONAPIEncoder(), _ edit: (inout Self) throws -> Void
    ) rethrows -> Patch<Self> {
        var copy = self
        guard Self.self is AnyObject.Type else {
            try edit(&copy)
            return Patch(from: self, to: copy)
        }
        let before = PatchDifference.state(of: self, encoder)
        try edit(&copy)
        let after = PatchDifference.state(of: copy, encoder)
        return Patch(from: before, to: after)
    }
}
