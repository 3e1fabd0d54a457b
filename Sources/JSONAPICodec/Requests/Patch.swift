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
/// Names given as text are those of the document; no key strategy is applied to them.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
public struct Patch<Model: ResourceRepresentable>: ResourceBody {
    private let base: @Sendable (JSONAPIEncoder) throws -> ResourceObject
    private var edits: [Edit] = []
    private var omitted: [String] = []

    /// One change by name, applied to the resource object that is going to be written.
    private typealias Edit = @Sendable (inout ResourceObject, JSONAPIEncoder) throws -> Void

    private init(base: @escaping @Sendable (JSONAPIEncoder) throws -> ResourceObject) { self.base = base }

    /// What leads from one value to another. Encoding throws when they do not have the same type and id, or are one object of a
    /// class.
    ///
    /// Attributes are compared as JSON: members of objects in any order, elements of arrays in theirs. The elements of a `Set` are
    /// written in one order, so equal sets are equal; a type that writes its elements in an order of its own should write a stable
    /// one.
    public init(from old: Model, to new: Model) {
        self.init { try PatchDifference.object(from: old, to: new, $0) }
    }

    /// What leads from one state of an object to another.
    fileprivate init(from old: Result<PatchDifference.State, any Error>, to new: Result<PatchDifference.State, any Error>) {
        self.init { _ in try PatchDifference.object(from: old.get(), to: new.get()) }
    }

    /// No changes yet to the resource with this identity.
    public init(_ identifier: ResourceIdentifier) {
        self.init { _ in ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil) }
    }

    /// Whether nothing differs. False also when that cannot be told, because a value cannot be encoded.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public var isEmpty: Bool {
        guard let object = try? object(JSONAPIEncoder()) else { return false }
        return object.attributes == nil && object.relationships == nil && object.meta == nil
    }

    /// The resource object that is written, by the strategies of `encoder`. Throws as encoding does.
    public func object(_ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> ResourceObject {
        do { return try edited(encoder) } catch let failure as EncodingFailure { throw failure.encodingError }
    }

    private func edited(_ encoder: JSONAPIEncoder) throws -> ResourceObject {
        var object = try base(encoder)
        for edit in edits { try edit(&object, encoder) }
        for name in omitted {
            if object[attribute: name] != nil { object[attribute: name] = nil }
            if object[relationship: name] != nil { object[relationship: name] = nil }
        }
        if !omitted.isEmpty {
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
        self.init { _ in ResourceObject(type: Model.type, id: id.wireText) }
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
        self.init { _ in object }
    }

    /// A patch of fields written by hand, whose properties say with `Field` what stays, what is cleared and what is set.
    public init<Fields: ResourceFields>(id: String, _ fields: Fields) {
        self.init { encoder in
            try encoder.resourceObject(fields, as: ResourceIdentifier(ofObject: Fields.type, id: id))
        }
    }
}

extension Patch {
    /// Sets an attribute.
    public func set(_ name: String, _ value: some Encodable & Sendable) -> Patch {
        edited { object, encoder in object[attribute: name] = try encoder.json(value, at: ["data", "attributes", name]) }
    }

    /// Sets an attribute to null.
    public func setNull(_ name: String) -> Patch { edited { object, _ in object[attribute: name] = .null } }

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
        edited { object, _ in object[relationship: name] = RelationshipObject(data: linkage) }
    }

    private func edited(_ edit: @escaping Edit) -> Patch {
        var copy = self
        copy.edits.append(edit)
        return copy
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
