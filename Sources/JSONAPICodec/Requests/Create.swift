import JSONText

/// The body of a request that creates a resource.
///
/// ```swift
/// try encoder.encode(Create(article))                      // no id: the server makes one
/// try encoder.encode(Create(article, clientID: true))      // with the id that the client made
/// try encoder.encode(Create(article, lid: "draft-1"))      // with a name for this document
/// try encoder.encode([Create(first), Create(second)])      // for endpoints that take several
/// try encoder.encode(Create(article, including: .new))     // with the new resources that it links to
/// try encoder.encode(Create(type: "projects", attributes: ["title": "Test Project"],
///     relationships: [.toOne("users", ResourceIdentifier(type: "users", id: "4"))]))
/// ```
///
/// A relationship that is not loaded is left out; of a loaded one the linkage is written, without its links.
///
/// Encoding throws `EncodingError` for what is no valid request: an empty type or id, a relationship to something without
/// identity, a name that the specification forbids or that stands twice.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
public struct Create: ResourceBody {
    private let write: @Sendable (ResourceTarget) throws -> Void
    private var omitted: [String] = []
    public let _restrictedFields: [String]

    /// Which related resources a request brings along.
    public enum Related: Sendable, Hashable {
        /// None.
        case none
        /// Those that are at hand and have no id yet, with those that they lead to: in `included`, each under its lid.
        case new
    }

    /// Creates the resource that `model` describes.
    ///
    /// The id is the server's to make, so it is left out; with `clientID`, or when the model's id may be nil and is not, it is
    /// written. Without id, a property of type `LocalID` or `lid` is written.
    ///
    /// With `including: .new` the body has new related resources, too, for servers that create all of them in one request. Each needs a
    /// `LocalID`. The specification gives `included` in a request no meaning, so only some servers take it; the others take
    /// `AtomicOperations`.
    public init<Model: Resource>(_ model: Model, clientID: Bool = false, lid: String? = nil, including related: Related = .none) {
        _restrictedFields = FieldRestriction.whenCreating(Model.self)
        write = { target in
            let id = clientID || Self.hasOptionalID(Model.self) ? model.id.wireText : nil
            let identity = ResourceIdentifier(
                ofObject: Swift.type(of: model).type, id: id, lid: id == nil ? lid ?? model.localID?.value : nil)
            try target.write(model, as: identity, includesNew: related == .new)
        }
    }

    /// Creates a resource of these fields, with an id only when the client makes it.
    public init<Fields: ResourceFields>(_ fields: Fields, id: String? = nil, lid: String? = nil) {
        _restrictedFields = []
        write = { target in
            let lid = id == nil ? lid ?? LocalID(ofPropertyIn: fields)?.value : nil
            try target.write(fields: fields, as: ResourceIdentifier(ofObject: Fields.type, id: id, lid: lid))
        }
    }

    /// Creates a resource given as it is to be written.
    public init(_ object: ResourceObject) {
        _restrictedFields = []
        write = { target in
            try target.write(object, as: ResourceIdentifier(ofObject: object.type, id: object.id, lid: object.lid))
        }
    }

    /// Creates a resource without a model. Nil leaves `attributes` or `relationships` out, an empty one is written as `{}`; of
    /// two relationships with one name the later wins.
    public init(
        type: String, id: String? = nil, lid: String? = nil, attributes: JSONObject? = nil, relationships: [Relationship]? = nil,
        meta: JSONObject? = nil
    ) {
        self.init(
            ResourceObject(
                type: type, id: id, lid: lid, attributes: attributes, relationships: relationships.map { Relationships($0) }, meta: meta))
    }

    /// The same without these attributes and relationships, by their names in the document: those that a server computes. Encoding
    /// throws for a name that the model does not have.
    public func omitting(_ names: String...) -> Create {
        var copy = self
        copy.omitted += names
        return copy
    }

    /// Whether the model's id may be nil, so that one that is not was made by the client.
    static func hasOptionalID<Model: Resource>(_: Model.Type) -> Bool { Model.ID.self is any OptionalID.Type }

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
    /// A resource under an identity of the request's.
    func write<Model: ResourceRepresentable>(_ model: Model, as identity: ResourceIdentifier, includesNew: Bool = false) throws {
        try session.elementWriter(for: Model.self).writeObject(
            model, session, as: includesNew ? session.keepCreated(identity) : session.keep(identity), at: place,
            node: includesNew ? IncludeTree.everything : IncludeTree.nothing)
    }

    func write(fields: some ResourceFields, as identity: ResourceIdentifier) throws {
        try session.beginResource(session.keep(identity), at: place, node: IncludeTree.nothing)
        try fields.encode(to: ResourceEncoder(session))
        try session.endResource()
    }
}

/// An id type that may be nil.
private protocol OptionalID {}
extension Optional: OptionalID {}
