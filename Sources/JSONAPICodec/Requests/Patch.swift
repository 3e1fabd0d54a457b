import JSONText

/// The body of a request that changes a resource. It contains only what differs.
///
/// ```swift
/// let patch = article.patch { $0.title = "New"; $0.subtitle = nil }        // edits a copy; nil becomes null
/// let patch = Patch(from: old, to: new)
/// let patch = Patch<Article>(id: "1").set("title", "New").setNull("subtitle").link("author", to: person)
/// if !patch.isEmpty { body = try encoder.encode(patch) }
/// ```
///
/// A patch of two values compares their encoded members. An attribute that is removed or nil becomes null, and so does a to-one
/// relationship that is nil and was loaded. Encoding throws when a loaded to-many relationship or the meta becomes nil, because null is no
/// value for them. A relationship that is not loaded is never part of a patch, and links are never part of a request.
///
/// A server replaces an attribute as a whole, and meta as well. A model with a key such as `attributes.place.city` or `meta.revision` knows
/// only a part. The rest then comes from the base of `init(from:to:base:)`, from a draft of a store, or for an attribute from a property of
/// type `RemainingMembers`. When the rest is not known, encoding throws.
///
/// Names that you pass as text are those of the document; key strategies do not apply to them. Encoding throws for a name that the model
/// does not have, for an attribute that is linked, and for a relationship that is set, as far as the model's properties are known: its
/// `init(from:)` is run with placeholders, once for each process. The model of a patch for a union is the one for the resource's type, and that
/// of a patch from one value to another can be a subclass. Key paths work as well; see `set(_:_:)`.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
public struct Patch<Model: ResourceRepresentable>: ResourceBody {
    private let start: @Sendable (JSONAPIEncoder, PatchGround) throws -> ResourceObject
    /// The resource object as it was read; nil when only the values are known.
    private var base: ResourceObject?
    private var isUnedited = false
    private var edits: [Edit] = []
    private var omitted: [String] = []
    /// The properties to leave out.
    private var omittedProperties: [@Sendable (JSONAPIEncoder) throws -> OmittedMember] = []
    /// The last step, which replaces identities in the finished object.
    private var finish: (@Sendable (ResourceObject) -> ResourceObject)?
    /// The type of the resource. It differs from `Model` if that is a union.
    fileprivate var resourceType: any ResourceRepresentable.Type = Model.self

    /// One change to the resource object that will be written.
    private struct Edit: Sendable {
        /// The name that the change sets as a whole; nil when the change is given by key path.
        let name: String?
        /// What the name is used for.
        var kind = ModelNames.Kind.any
        let apply: @Sendable (inout ResourceObject, JSONAPIEncoder, PatchGround) throws -> Void
    }

    fileprivate init(start: @escaping @Sendable (JSONAPIEncoder, PatchGround) throws -> ResourceObject) { self.start = start }

    /// Creates the changes from one value to another. Encoding throws when the two do not have the same type and id, and when they are the
    /// same object of a class, also as the case of a union.
    ///
    /// Attributes are compared as JSON: members of objects in any order, elements of arrays in their order. The encoder sorts the elements
    /// of a `Set`, so equal sets are equal here, except for dictionaries inside a set whose keys are not strings. A type of yours that encodes
    /// an unordered collection should write it in a stable order.
    public init(from old: Model, to new: Model) {
        self.init { try PatchDifference.object(from: old, to: new, $0, $1) }
        resourceType = old.resourceType
    }

    /// Creates the changes between two values that were read from `base`, the resource object as the server sent it. Parts of it that the
    /// model does not know are kept.
    ///
    /// ```swift
    /// let base = try JSONAPIDecoder().decode(ResourceObject.self, from: data)
    /// let old = try JSONAPIDecoder().decode(Article.self, from: data)
    /// // … new = old, edited
    /// let patch = Patch(from: old, to: new, base: base)
    /// ```
    ///
    /// An attribute that is an object or an array is sent as a whole: the one from `base`, with the differences between the values. Encoding
    /// throws for an array that was read in part, because the patch would delete the rest. A draft of a store does all this for you.
    ///
    /// Encode the patch with the strategies of the decoder that read the values, for example with `JSONAPIEncoder(matching: decoder)`. Encoding
    /// throws for a name that `base` has only in a spelling with other case, underscores or hyphens.
    public init(from old: Model, to new: Model, base: ResourceObject) {
        self.init(from: old, to: new)
        self.base = base
    }

    /// Does the same for an old value that was not edited since it was read from `base`.
    package init(fromUnedited old: Model, to new: Model, base: ResourceObject) {
        self.init(from: old, to: new, base: base)
        isUnedited = true
    }

    /// Creates a patch without changes, for the resource with the given identity.
    public init(_ identifier: ResourceIdentifier) {
        self.init { _, _ in ResourceObject(type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil) }
        if let union = Model.self as? any ResourceUnion.Type { resourceType = union.model(of: identifier.type) ?? Model.self }
    }

    /// The attributes that edits name by text, so that nothing has checked the types of their values.
    package var namedAttributes: [String] { edits.filter { $0.kind == .attribute }.compactMap(\.name) }

    public var _restrictedFields: [String] { FieldRestriction.whenUpdating(resourceType) }

    /// Whether the body contains no changes when an encoder with default options writes it. See `isEmpty(with:)`.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public var isEmpty: Bool { isEmpty(with: JSONAPIEncoder()) }

    /// Returns whether the body contains no changes when `encoder` writes it. Names of fields that clients must not write, and of fields
    /// that are left out, are names in the document, so the result can depend on the key strategy. Also false when a value cannot be encoded,
    /// because the differences are then unknown.
    ///
    /// - Complexity: O(n), n = bytes of the encoded values.
    public func isEmpty(with encoder: JSONAPIEncoder) -> Bool {
        guard let object = try? object(encoder) else { return false }
        return object.hasNoFields
    }

    /// Returns the resource object that is written, with the strategies of `encoder` but without its `rewriters`. Throws `EncodingError`
    /// when encoding does.
    public func object(_ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> ResourceObject {
        try object(encoder, without: _restrictedFields, stored: nil)
    }

    /// Returns all changes as a resource object, including those of fields that clients must not write. The resource that `stored` returns
    /// completes attributes and meta that the model knows in part.
    package func object(_ encoder: JSONAPIEncoder, stored: ((ResourceIdentifier) -> ResourceObject?)?) throws -> ResourceObject {
        try object(encoder, without: [], stored: stored)
    }

    /// Returns the patch with a last step, which replaces identities in the object that is written.
    package func finished(_ finish: @escaping @Sendable (ResourceObject) -> ResourceObject) -> Patch {
        var copy = self
        copy.finish = finish
        return copy
    }

    private func object(
        _ encoder: JSONAPIEncoder, without restricted: [String], stored: ((ResourceIdentifier) -> ResourceObject?)?
    ) throws -> ResourceObject {
        try EncodingFailure.converted {
            let properties = try omittedProperties.map { try $0(encoder) }
            let restricted = restricted + properties.compactMap(\.field)
            // The key path of a generic type would be made anew in every call: an eighth of the time of a patch.
            let ground = PatchGround(
                base: base, isUnedited: isUnedited, stored: stored, replaced: edits.compactMap { $0.name } + omitted + restricted)
            var object = try start(encoder, ground)
            for edit in edits {
                guard let name = edit.name else { continue }
                try ModelNames.check(name, as: edit.kind, in: resourceType, encoder, at: ["data"])
            }
            for name in omitted { try ModelNames.check(name, as: .any, in: resourceType, encoder, at: ["data"]) }
            for edit in edits { try edit.apply(&object, encoder, ground) }
            object.removeFields(omitted + restricted)
            if properties.contains(.meta) { object.meta = nil }
            return finish?(object) ?? object
        }
    }

    public var _kind: DocumentKind { .update }

    public func _writeResource(_ target: ResourceTarget) throws {
        let object: ResourceObject
        do {
            object = try self.object(target.session.options)
        } catch let error as EncodingError {
            throw error.failure?.moved(from: ["data"], to: target.place.tokens) ?? error
        }
        let identity = ResourceIdentifier(of: object)
        // Only an earlier operation of the same request can have created a resource with this lid.
        guard identity.id != nil || identity.lid != nil && target.place.isInOperation else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer(tokens: target.place.tokens), expected: "the id of the resource to change",
                found: "a resource without one", advice: "use Create for a resource that does not exist yet")
        }
        try target.write(object, as: identity)
    }
}

// MARK: - By name

extension Patch where Model: Resource {
    /// Creates a patch without changes, for the resource with the given id.
    public init(id: Model.ID) { self.init { _, _ in ResourceObject(type: Model.type, id: id.wireText) } }
}

extension Patch where Model == ResourceObject {
    /// Creates a patch without a model. When `attributes` or `relationships` is nil, the member is left out; when it is empty, it is
    /// written as `{}`. Of two relationships with the same name, the last is used.
    public init(type: String, id: String, attributes: JSONObject? = nil, relationships: [Relationship]? = nil, meta: JSONObject? = nil) {
        let object = ResourceObject(
            type: type, id: id, attributes: attributes, relationships: relationships.map { Relationships($0) }, meta: meta)
        self.init { _, _ in object }
    }

    /// Creates a patch from hand-written fields. Properties of type `Field` say what stays, what is cleared and what is set.
    public init<Fields: ResourceFields>(id: String, _ fields: Fields) {
        self.init { encoder, ground in
            try encoder.resourceObject(fields, as: ResourceIdentifier(ofObject: Fields.type, id: id), replacing: ground.replaced)
        }
    }
}

extension Patch {
    /// Returns the patch with a new value for an attribute. The value is written as it is: a property wrapper of the property, or the
    /// conversion of a schema, is not applied. To apply them, use the key path.
    public func set(_ name: String, _ value: some Encodable & Sendable) -> Patch {
        edited(name, as: .attribute) { object, encoder, _ in
            object[attribute: name] = try encoder.json(value, at: ["data", "attributes", name])
        }
    }

    /// Returns the patch with null for an attribute.
    public func setNull(_ name: String) -> Patch { edited(name, as: .attribute) { object, _, _ in object[attribute: name] = .null } }

    /// Returns the patch with a to-one relationship to the given resource. Encoding throws when the model's property is not a to-one
    /// relationship.
    public func link(_ name: String, to identifier: ResourceIdentifier) -> Patch { linked(name, .one(identifier), .toOne) }

    /// Returns the patch with a to-one relationship to the given resource. Encoding throws when the resource has neither id nor lid.
    public func link(_ name: String, to resource: some ResourceRepresentable) -> Patch {
        linked(name, resource.identifier.map(Linkage.one) ?? .absent, .toOne)
    }

    /// Returns the patch with a to-one relationship to the resource with the given id.
    public func link<Target: Resource>(_ name: String, to id: Identifier<Target>) -> Patch {
        link(name, to: ResourceIdentifier(type: Target.type, id: id.rawValue))
    }

    /// Returns the patch with a to-many relationship to exactly the given resources. An empty array removes all. Encoding throws when the
    /// model's property is not a to-many relationship.
    public func link(_ name: String, to identifiers: [ResourceIdentifier]) -> Patch { linked(name, .many(identifiers), .toMany) }

    /// Returns the patch with a to-many relationship to exactly the given resources. Encoding throws when one has neither id nor lid.
    public func link<Target: ResourceRepresentable>(_ name: String, to resources: [Target]) -> Patch {
        let identifiers = resources.compactMap(\.identifier)
        return linked(name, identifiers.count == resources.count ? .many(identifiers) : .absent, .toMany)
    }

    /// Returns the patch with an empty to-one relationship. Encoding throws when the model's property is not a to-one relationship; to empty
    /// a to-many relationship, link it to an empty array.
    public func unlink(_ name: String) -> Patch { linked(name, .null, .toOne) }

    /// Returns the patch without the given attributes and relationships, for example those that only the server changes. The names are
    /// those of the document.
    public func omitting(_ names: String...) -> Patch {
        var copy = self
        copy.omitted += names
        return copy
    }

    private func linked(_ name: String, _ linkage: Linkage, _ kind: RelationshipKind) -> Patch {
        edited(name, as: .relationship(kind)) { object, _, _ in
            object[relationship: name] = RelationshipObject(data: linkage.withoutUnknownMembers)
        }
    }

    fileprivate func edited(
        _ name: String?, as kind: ModelNames.Kind = .any,
        _ apply: @escaping @Sendable (inout ResourceObject, JSONAPIEncoder, PatchGround) throws -> Void
    ) -> Patch {
        var copy = self
        copy.edits.append(Edit(name: name, kind: kind, apply: apply))
        return copy
    }
}

// MARK: - By key path

extension Patch where Model: Resource {
    /// Returns the patch with a new value for a property: an attribute, or the linkage of a relationship.
    ///
    /// ```swift
    /// let patch = Patch<Article>(id: "1").set(\.title, "New").setNull(\.subtitle).set(\.author, ToOne(id: "9"))
    /// ```
    ///
    /// To find the property's coding key, the model's `init(from:)` is run with placeholders, once for each key and process. Encoding
    /// throws when that does not succeed: for a model with a property that is not optional and whose type is an enum that is not
    /// `CaseIterable`, or a type that rejects placeholders. It also throws for a key path through `!` or to a subscript, for a computed
    /// property that depends on several others, for a part of an attribute or of meta whose rest is not known, and for `RemainingMembers`
    /// beside properties that name other members of the same object.
    ///
    /// For a `SchemaResource` with a `SchemaCodec`, the value goes through the conversion of the field and `transformBack`, but not through
    /// `encode`, which needs a whole model. If `encode` converts the property, use `Patch(from:to:)`.
    public func set<Value: Encodable & Sendable>(_ property: KeyPath<Model, Value> & Sendable, _ value: Value) -> Patch {
        edited(nil) { object, encoder, ground in
            if let field = try PropertyKeys<Model>.inSchema(property, encoder.schemas) {
                let json = try field.json(value)
                let group = field.members.isRelationship(field.path.first ?? "") ? "relationships" : "attributes"
                try encoder.put(field.key, in: group, into: &object, ground) { try encoder.property(json, field, of: $0) }
                return
            }
            let (key, written) = try PropertyKeys.written(value, to: property)
            if written is RemainingMembers, try PropertyKeys<Model>.hasParts(key) { throw RemainingMembers.isNoWhole(key) }
            let group = PropertyRole.isRelationship(Value.self) ? "relationships" : PropertyRole.marker(Value.self) ?? "attributes"
            try encoder.put(key, in: group, into: &object, ground) { try encoder.property(written, key, of: $0) }
        }
    }

    /// Returns the patch with null for a property: an attribute, or an embedded resource. See `set(_:_:)`.
    public func setNull<Value: Encodable & Sendable>(_ property: KeyPath<Model, Value?> & Sendable) -> Patch { set(property, nil) }

    /// Returns the patch without the given properties, for example those that only the server changes. See `set(_:_:)` for the limits of
    /// key paths. Encoding throws for a property that is only a part of an attribute or of meta.
    public func omitting(_ properties: (PartialKeyPath<Model> & Sendable)...) -> Patch {
        var copy = self
        copy.omittedProperties += properties.map { property in
            { encoder in try OmittedMember(property, encoder) }
        }
        return copy
    }
}

extension JSONAPIEncoder {
    /// Writes one property of a model into a resource object. `property` returns an object with only that property, and the attributes
    /// that it is only a part of, and `group` is the member of the resource object for the property's type.
    fileprivate func put(
        _ key: OutlineKey, in group: String, into object: inout ResourceObject, _ ground: PatchGround,
        _ property: (ResourceIdentifier) throws -> (ResourceObject, AttributeParts)
    ) throws {
        let identity = ResourceIdentifier(of: object)
        guard !ResourcePart.isIdentity(key.text) else {
            throw EncodingFailure(
                .unknownName, at: JSONPointer("data", key.text), resource: identity,
                expected: "a key path to an attribute or a relationship", found: "a key path to the identity, which a patch cannot change")
        }
        let (part, parts) = try property(identity)
        if part.attributes == nil, part.relationships == nil, part.meta == nil { throw unwritten(key, in: group, identity) }
        var attributes = part.attributes ?? JSONObject()
        if let path = parts.paths.first {
            let known = object[attribute: path[0]].map { [path[0]: $0] } ?? ground.known(identity)
            guard known?[path[0]] != nil else {
                throw AttributeParts.unknownRest(of: path, identity, isInBase: ground.base != nil, isAlone: true)
            }
            attributes = parts.completed(attributes, from: known ?? JSONObject())
        }
        for member in attributes { object[attribute: member.name] = member.value }
        for (name, relationship) in part.relationships ?? Relationships(members: JSONObject()) {
            object[relationship: name] = relationship
        }
        if let meta = part.meta {
            let path = key.segments.first == "meta" ? key.segments.dropFirst() : []
            let known = path.isEmpty ? nil : object.meta ?? ground.knownMeta(identity)
            if known == nil, !path.isEmpty { throw AttributeParts.unknownRestOfMeta(key.segments, identity) }
            object.meta = known.map { AttributeParts.replaced($0, at: path, by: JSON.object(meta)) } ?? meta
        }
    }

    /// The failure for a property whose value is not written.
    private func unwritten(_ key: OutlineKey, in group: String, _ identity: ResourceIdentifier) -> EncodingFailure {
        func failure(_ kind: EncodingFailure.Kind, _ path: String..., found: String, advice: String) -> EncodingFailure {
            EncodingFailure(
                kind, at: JSONPointer(tokens: ["data"] + path), resource: identity, expected: "a value that a patch can contain",
                found: found, advice: advice)
        }
        let name = key.memberName(keyStrategy)?.name ?? key.text
        return switch group {
        case "relationships":
            failure(
                .missingLinkage, group, name, found: "nil, or a relationship that is not loaded",
                advice: "set an empty array to remove all related resources, and unlink(_:) to empty a to-one relationship")
        case "attributes":
            failure(
                .misuse, group, name, found: "a value that is not written, such as an absent Field",
                advice: "set null to clear the attribute; to leave it as it is, do not set it, or leave it out by omitting(_:)")
        default:
            failure(
                .misuse, group, found: group == "links" ? "links, which no request contains" : "nil for \(group)",
                advice: "do not set the property")
        }
    }
}

extension ResourceObject {
    fileprivate var hasNoFields: Bool { attributes == nil && relationships == nil && meta == nil }
}

extension Resource {
    /// Returns the changes that `edit` makes. A value stays as it is; an object of a class is edited.
    ///
    /// ```swift
    /// let patch = article.patch { $0.title = "New"; $0.subtitle = nil }
    /// ```
    ///
    /// The patch does not see an edit inside an object of a class that a value holds, because the value before the edit holds the same
    /// object. Assign another object instead.
    ///
    /// An object of a class cannot be copied before the edit. It is therefore encoded before and after `edit`, by `encoder`, and it keeps
    /// the edits. Pass the encoder that will encode the patch: one whose strategies would write the object otherwise throws `EncodingError`.
    /// For a value, `encoder` has no effect.
    public func patch(with encoder: JSONAPIEncoder = JSONAPIEncoder(), _ edit: (inout Self) throws -> Void) rethrows -> Patch<Self> {
        var copy = self
        guard Self.self is AnyObject.Type else {
            try edit(&copy)
            return Patch(from: self, to: copy)
        }
        let before = Result { try PatchDifference.state(of: self, encoder) }
        try edit(&copy)
        let edited = copy
        let after = Result { try PatchDifference.state(of: edited, encoder) }
        var patch = Patch<Self> { writer, ground in
            let after = try after.get()
            let changes = try PatchDifference.object(from: before.get(), to: after, ground)
            let isSame = writer.writesForm(of: encoder)
            if changes.hasNoFields || isSame && !encoder.hasFunctions { return changes }
            // What functions write now is compared, because the object may have been edited again.
            let expected = isSame ? try PatchDifference.state(of: edited, encoder) : after
            guard try PatchDifference.state(of: edited, writer).text == expected.text else { throw Self.otherStrategies }
            return changes
        }
        patch.resourceType = resourceType
        return patch
    }

    private static var otherStrategies: EncodingFailure {
        EncodingFailure(
            .misuse, at: JSONPointer(tokens: ["data"]), expected: "the strategies with which the patch of an object was made",
            found: "an encoder with others", advice: "pass it when the object is edited: patch(with: encoder) { … }")
    }
}
