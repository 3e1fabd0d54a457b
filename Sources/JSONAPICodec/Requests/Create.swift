import JSONText

/// The body of a request that creates a resource.
///
/// ```swift
/// try encoder.encode(Create(article))                      // no id: the server makes one; sent only if it is optional and not nil
/// try encoder.encode(Create(article, clientID: true))      // with the id that the client made
/// try encoder.encode(Create(article, lid: "draft-1"))      // with a local id
/// try encoder.encode([Create(first), Create(second)])      // for endpoints that accept several
/// try encoder.encode(Create(article, including: .new))     // with the new resources that it links to
/// try encoder.encode(Create(type: "projects", attributes: ["title": "Test Project"],
///     relationships: [.toOne("users", ResourceIdentifier(type: "users", id: "4"))]))
/// ```
///
/// A relationship that is not loaded is left out. For a loaded one the linkage is written, without its links.
///
/// Encoding throws `EncodingError` when the request would not be valid: with an empty type or id, a relationship to a resource without
/// identity, a name that the specification forbids, or a name that occurs twice.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
public struct Create: ResourceBody {
    private let write: @Sendable (ResourceTarget) throws -> Void
    private var omitted: [String] = []
    public let _restrictedFields: [String]

    /// The related resources that a request contains.
    public enum Related: Sendable, Hashable {
        /// None.
        case none
        /// The available resources that have no id yet, and those that they refer to. They are written in `included`, each under its lid.
        case new
    }

    /// Creates the body for the resource described by `model`.
    ///
    /// The id is left out, because the server assigns it. It is written when `clientID` is true, or when the type of the id is optional and
    /// the id is not nil. A resource without an id is written with `lid`, or with the value of its `LocalID` property.
    ///
    /// With `including: .new` the body also contains new related resources, for servers that create all of them in one request. Each needs
    /// a `LocalID`. The specification gives `included` no meaning in a request, so only some servers accept it. For other servers use
    /// `AtomicOperations`.
    public init<Model: Resource>(_ model: Model, clientID: Bool = false, lid: String? = nil, including related: Related = .none) {
        _restrictedFields = FieldRestriction.whenCreating(model.resourceType)
        write = { target in
            let id = clientID || Self.hasOptionalID(Model.self) ? model.id.wireText : nil
            let identity = ResourceIdentifier(
                ofObject: Swift.type(of: model).type, id: id, lid: id == nil ? lid ?? model.localID?.value : nil)
            try target.write(model, as: identity, includesNew: related == .new)
        }
    }

    /// Creates the body for a resource with the given fields. Pass an id only when the client assigns it.
    public init<Fields: ResourceFields>(_ fields: Fields, id: String? = nil, lid: String? = nil) {
        _restrictedFields = []
        write = { target in
            let lid = id == nil ? lid ?? LocalID(ofPropertyIn: fields)?.value : nil
            try target.write(fields: fields, as: ResourceIdentifier(ofObject: Fields.type, id: id, lid: lid))
        }
    }

    /// Creates the body for the given resource object, which is written as it is.
    public init(_ object: ResourceObject) { self.init(object, restrictedFields: []) }

    /// Creates the body for a resource object, as it was written without the given fields. Rewriters do not miss these.
    package init(_ object: ResourceObject, restrictedFields: [String]) {
        _restrictedFields = restrictedFields
        write = { target in try target.write(object, as: ResourceIdentifier(of: object)) }
    }

    /// Creates the body for a resource without a model. When `attributes` or `relationships` is nil, the member is left out; when it is
    /// empty, it is written as `{}`. Of two relationships with the same name, the last is used.
    public init(
        type: String, id: String? = nil, lid: String? = nil, attributes: JSONObject? = nil, relationships: [Relationship]? = nil,
        meta: JSONObject? = nil
    ) {
        self.init(
            ResourceObject(
                type: type, id: id, lid: lid, attributes: attributes, relationships: relationships.map { Relationships($0) }, meta: meta))
    }

    /// Returns the body without the given attributes and relationships, for example those that the server computes. The names are those of
    /// the document. Encoding throws for a name that the model does not have.
    public func omitting(_ names: String...) -> Create {
        var copy = self
        copy.omitted += names
        return copy
    }

    /// Whether the type of the model's id is optional. The client then made an id that is not nil.
    static func hasOptionalID<Model: Resource>(_: Model.Type) -> Bool { Model.ID.self is any OptionalType.Type }

    public var _kind: DocumentKind { .create }

    public func _writeResource(_ target: ResourceTarget) throws {
        target.session.omitted += omitted
        target.session.isCreation = true
        let check = omitted.isEmpty ? nil : NameCheck(omitting: omitted, target.session.options.keyStrategy)
        target.session.nameCheck = check
        defer {
            target.session.isCreation = false
            target.session.nameCheck = nil
        }
        try write(target)
        try check?.finish(nil)
    }
}

extension ResourceTarget {
    /// Writes a resource under the identity of the request.
    func write<Model: ResourceRepresentable>(_ model: Model, as identity: ResourceIdentifier, includesNew: Bool = false) throws {
        try session.elementWriter(for: Model.self).writeObject(
            model, session, as: includesNew ? session.keepCreated(identity) : session.keep(identity), at: place,
            node: includesNew ? IncludeTree.everything : IncludeTree.nothing)
    }

    func write(fields: some ResourceFields, as identity: ResourceIdentifier) throws {
        session.writesFields = true
        defer { session.writesFields = false }
        try session.beginResource(session.keep(identity), at: place, node: IncludeTree.nothing)
        try fields.encode(to: ResourceEncoder(session))
        if let probe = try session.beginNilProbe() {
            try fields.encode(to: ResourceEncoder(probe))
            try session.noteClearedPaths(probe)
        }
        try session.endResource()
    }
}
