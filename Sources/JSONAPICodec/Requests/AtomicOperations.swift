import JSONText

/// The body of a request of the Atomic Operations extension: several changes that succeed or fail together.
///
/// ```swift
/// var operations = AtomicOperations()
/// let post = operations.add(newArticle)                          // {"type":"articles","lid":"lid-1"}
/// operations.add(comment, linking: ["post": post])
/// operations.update(person.patch { $0.name = "New" })
/// operations.remove(ResourceIdentifier(type: "tags", id: "3"))
/// let body = try JSONAPIEncoder().encode(operations)
/// ```
///
/// `add` returns the identifier by which later operations refer to the new resource. It has a new lid, or the id that the client made.
///
/// Encoding throws `EncodingError` in these cases; the pointer names the operation:
///
/// - there is no operation;
/// - an operation uses a lid that neither it nor an earlier operation created;
/// - two operations create the same lid;
/// - the body of an operation would be invalid on its own.
///
/// The request must say that the extension is applied: `Content-Type` and `Accept` have `ext="https://jsonapi.org/ext/atomic"`.
///
/// Specification: <https://jsonapi.org/ext/atomic/#operation-objects>
public struct AtomicOperations: DocumentBody {
    /// The URI that identifies the extension.
    public static let uri = "https://jsonapi.org/ext/atomic"

    var operations: [Operation] = []
    /// The index of the operation that creates each resource.
    private var makers: [ResourceIdentifier: Int] = [:]
    private var lidCount = 0

    struct Operation: Sendable {
        let code: Code
        var ref: Reference?
        var href: String?
        var data: Data?
        /// The identity of the resource that an `add` creates, if it has one.
        var made: ResourceIdentifier?
        /// The model of the resource that an `add` creates, if it has one.
        var model: (any Resource.Type)?
    }

    enum Code: String, Sendable { case add, update, remove }

    /// The target of an operation, when it is named by identity.
    struct Reference: Sendable {
        let identifier: ResourceIdentifier
        var relationship: String?
    }

    enum Data: Sendable {
        case resource(any ResourceBody, linking: [Relationship])
        case linkage(Linkage)
    }

    /// Creates an empty list of operations.
    public init() {}

    /// The number of operations.
    public var count: Int { operations.count }

    /// Whether there are no operations. Encoding throws then.
    public var isEmpty: Bool { operations.isEmpty }

    /// Returns the index of the operation that creates the resource with the given identity; nil when there is none. The result at that
    /// index has the resource.
    public func index(ofAdding identifier: ResourceIdentifier) -> Int? { makers[identifier.bare] }
}

// MARK: - Resources

extension AtomicOperations {
    /// Appends an operation that creates the resource described by `model`, and returns the resource's identity.
    ///
    /// The resource gets a lid: that of its `LocalID` property, or a new one. It keeps its id instead when `clientID` is true, or when the
    /// type of the id is optional and the id is not nil.
    ///
    /// `linking` and `linkingMany` add relationships by name, including ones that the model does not declare. Encoding throws for a name
    /// that differs from a coding key of the model by a single letter. `href` is the address of the collection, for servers that need it.
    @discardableResult
    public mutating func add<Model: Resource>(
        _ model: Model, linking: [String: ResourceIdentifier] = [:], linkingMany: [String: [ResourceIdentifier]] = [:],
        clientID: Bool = false, href: String? = nil
    ) -> ResourceIdentifier {
        let id = clientID || Create.hasOptionalID(Model.self) ? model.id.wireText : nil
        let made = identifier(Swift.type(of: model).type, id: id, lid: model.localID?.value)
        append(Create(model, clientID: clientID, lid: made.lid), made, linking, linkingMany, href, Swift.type(of: model))
        return made
    }

    /// Appends an operation that creates a resource from the given fields, and returns the resource's identity.
    @discardableResult
    public mutating func add<Fields: ResourceFields>(
        _ fields: Fields, linking: [String: ResourceIdentifier] = [:], linkingMany: [String: [ResourceIdentifier]] = [:],
        id: String? = nil, href: String? = nil
    ) -> ResourceIdentifier {
        let made = identifier(Fields.type, id: id, lid: LocalID(ofPropertyIn: fields)?.value)
        append(Create(fields, id: id, lid: made.lid), made, linking, linkingMany, href)
        return made
    }

    /// Appends an operation that creates the given resource object, and returns its identity. An object with neither id nor lid gets a lid.
    @discardableResult
    public mutating func add(
        _ object: ResourceObject, linking: [String: ResourceIdentifier] = [:], linkingMany: [String: [ResourceIdentifier]] = [:],
        href: String? = nil
    ) -> ResourceIdentifier {
        let made = identifier(object.type, id: object.id, lid: object.lid)
        var object = object
        if object.id == nil { object.lid = made.lid }
        append(Create(object), made, linking, linkingMany, href)
        return made
    }

    /// Appends an operation that changes a resource.
    ///
    /// `href` is the address of the resource, for servers that need it. By default the identity in the patch names the resource.
    public mutating func update<Model>(_ patch: Patch<Model>, href: String? = nil) {
        operations.append(Operation(code: .update, href: href, data: .resource(patch, linking: [])))
    }

    /// Appends an operation that deletes a resource.
    public mutating func remove(_ identifier: ResourceIdentifier) {
        operations.append(Operation(code: .remove, ref: Reference(identifier: identifier)))
    }

    /// Appends an operation that deletes the resource at the given address.
    public mutating func remove(href: String) { operations.append(Operation(code: .remove, href: href)) }

    private mutating func append(
        _ create: Create, _ made: ResourceIdentifier, _ one: [String: ResourceIdentifier], _ many: [String: [ResourceIdentifier]],
        _ href: String?, _ model: (any Resource.Type)? = nil
    ) {
        let links = one.map { Relationship($0.key, .one($0.value)) } + many.map { Relationship($0.key, .many($0.value)) }
        if makers[made] == nil { makers[made] = operations.count }
        let sorted = links.sorted { UTF8Bytes.isLess($0.name, $1.name) }
        operations.append(Operation(code: .add, href: href, data: .resource(create, linking: sorted), made: made, model: model))
    }

    /// Returns the identity of a new resource, with a lid when it has no other.
    private mutating func identifier(_ type: String, id: String?, lid: String?) -> ResourceIdentifier {
        if let id { return ResourceIdentifier(type: type, id: id) }
        if let lid { return ResourceIdentifier(type: type, lid: lid) }
        while true {
            lidCount += 1
            let made = ResourceIdentifier(type: type, lid: "lid-\(lidCount)")
            if index(ofAdding: made) == nil { return made }
        }
    }
}

// MARK: - Relationships

extension AtomicOperations {
    /// Appends an operation that replaces the linkage of a relationship. Pass `.one` or `.null`, or `.many` for a to-many relationship.
    public mutating func replace(_ relationship: String, of identifier: ResourceIdentifier, with linkage: Linkage) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .update, ref: ref, data: .linkage(linkage)))
    }

    /// Appends an operation that adds resources to a to-many relationship.
    public mutating func add(_ identifiers: [ResourceIdentifier], to relationship: String, of identifier: ResourceIdentifier) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .add, ref: ref, data: .linkage(.many(identifiers))))
    }

    /// Appends an operation that removes resources from a to-many relationship.
    public mutating func remove(_ identifiers: [ResourceIdentifier], from relationship: String, of identifier: ResourceIdentifier) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .remove, ref: ref, data: .linkage(.many(identifiers))))
    }

    /// Appends an operation that replaces the linkage of the relationship at the given address.
    public mutating func replace(relationshipAt href: String, with linkage: Linkage) {
        operations.append(Operation(code: .update, href: href, data: .linkage(linkage)))
    }

    /// Appends an operation that adds resources to the to-many relationship at the given address.
    public mutating func add(_ identifiers: [ResourceIdentifier], toRelationshipAt href: String) {
        operations.append(Operation(code: .add, href: href, data: .linkage(.many(identifiers))))
    }

    /// Appends an operation that removes resources from the to-many relationship at the given address.
    public mutating func remove(_ identifiers: [ResourceIdentifier], fromRelationshipAt href: String) {
        operations.append(Operation(code: .remove, href: href, data: .linkage(.many(identifiers))))
    }
}
