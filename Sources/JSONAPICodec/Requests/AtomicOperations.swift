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
/// `add` answers how later operations refer to the new resource: by a lid that it hands out, or by the id that the client made.
///
/// Encoding throws `EncodingError` when there is no operation, when a lid is used that no earlier operation made, or that two of
/// them make, and for whatever makes a single body invalid; the pointer names the operation.
///
/// The request has to say that the extension is applied: `Content-Type` and `Accept` with
/// `ext="https://jsonapi.org/ext/atomic"`.
///
/// Specification: <https://jsonapi.org/ext/atomic/#operation-objects>
public struct AtomicOperations: DocumentBody {
    /// The URI by which the extension is named.
    public static let uri = "https://jsonapi.org/ext/atomic"

    var operations: [Operation] = []
    /// The operations that make resources, by what they make.
    private var makers: [ResourceIdentifier: Int] = [:]
    private var lidCount = 0

    struct Operation: Sendable {
        let code: Code
        var ref: Reference?
        var href: String?
        var data: Data?
        /// What an `add` makes, where it has a name.
        var made: ResourceIdentifier?
    }

    enum Code: String, Sendable { case add, update, remove }

    /// What an operation is about, when it is named by identity.
    struct Reference: Sendable {
        let identifier: ResourceIdentifier
        var relationship: String?
    }

    enum Data: Sendable {
        case resource(any ResourceBody, linking: [Relationship])
        case linkage(Linkage)
    }

    /// No operations yet.
    public init() {}

    /// How many operations there are.
    public var count: Int { operations.count }

    /// Whether there are no operations. Encoding throws then.
    public var isEmpty: Bool { operations.isEmpty }

    /// The index of the operation that makes the resource with this identity; nil when none does. The result of that index is
    /// the resource.
    public func index(ofAdding identifier: ResourceIdentifier) -> Int? {
        if let id = identifier.id { return makers[ResourceIdentifier(type: identifier.type, id: id)] }
        return identifier.lid.flatMap { makers[ResourceIdentifier(type: identifier.type, lid: $0)] }
    }
}

// MARK: - Resources

extension AtomicOperations {
    /// Creates the resource that `model` describes, and links it to others besides.
    ///
    /// It gets a lid: the one of its `LocalID` property, or else one that is handed out. With `clientID`, or when the model's id
    /// may be nil and is not, it keeps its id instead.
    ///
    /// `linking` and `linkingMany` are relationships by name; `href` is the collection to create in, for servers that need it.
    @discardableResult
    public mutating func add<Model: Resource>(
        _ model: Model, linking: [String: ResourceIdentifier] = [:], linkingMany: [String: [ResourceIdentifier]] = [:],
        clientID: Bool = false, href: String? = nil
    ) -> ResourceIdentifier {
        let id = clientID || Create.hasOptionalID(Model.self) ? model.id.wireText : nil
        let made = identifier(Swift.type(of: model).type, id: id, lid: model.localID?.value)
        append(Create(model, clientID: clientID, lid: made.lid), made, linking, linkingMany, href)
        return made
    }

    /// Creates a resource of these fields.
    @discardableResult
    public mutating func add<Fields: ResourceFields>(
        _ fields: Fields, linking: [String: ResourceIdentifier] = [:], linkingMany: [String: [ResourceIdentifier]] = [:],
        id: String? = nil, href: String? = nil
    ) -> ResourceIdentifier {
        let made = identifier(Fields.type, id: id, lid: LocalID(ofPropertyIn: fields)?.value)
        append(Create(fields, id: id, lid: made.lid), made, linking, linkingMany, href)
        return made
    }

    /// Creates a resource given as it is to be written; without id and lid it gets a lid.
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

    /// Changes a resource.
    ///
    /// `href` is its address, when the server wants it named so; without, the patch's own identity names it.
    public mutating func update<Model>(_ patch: Patch<Model>, href: String? = nil) {
        operations.append(Operation(code: .update, href: href, data: .resource(patch, linking: [])))
    }

    /// Deletes a resource.
    public mutating func remove(_ identifier: ResourceIdentifier) {
        operations.append(Operation(code: .remove, ref: Reference(identifier: identifier)))
    }

    /// Deletes the resource at this address.
    public mutating func remove(href: String) { operations.append(Operation(code: .remove, href: href)) }

    private mutating func append(
        _ create: Create, _ made: ResourceIdentifier, _ one: [String: ResourceIdentifier], _ many: [String: [ResourceIdentifier]],
        _ href: String?
    ) {
        let links =
            one.map { Relationship($0.key, .one($0.value)) } + many.map { Relationship($0.key, .many($0.value)) }
        if makers[made] == nil { makers[made] = operations.count }
        let sorted = links.sorted { UTF8Bytes.isLess($0.name, $1.name) }
        operations.append(Operation(code: .add, href: href, data: .resource(create, linking: sorted), made: made))
    }

    /// The identity of a new resource, with a lid when it has no other.
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
    /// Replaces what a relationship links to: `.one`, `.null`, or `.many` for all of a to-many relationship.
    public mutating func replace(_ relationship: String, of identifier: ResourceIdentifier, with linkage: Linkage) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .update, ref: ref, data: .linkage(linkage)))
    }

    /// Links a to-many relationship to more resources.
    public mutating func add(_ identifiers: [ResourceIdentifier], to relationship: String, of identifier: ResourceIdentifier) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .add, ref: ref, data: .linkage(.many(identifiers))))
    }

    /// Drops links of a to-many relationship.
    public mutating func remove(_ identifiers: [ResourceIdentifier], from relationship: String, of identifier: ResourceIdentifier) {
        let ref = Reference(identifier: identifier, relationship: relationship)
        operations.append(Operation(code: .remove, ref: ref, data: .linkage(.many(identifiers))))
    }

    /// Replaces what the relationship at this address links to.
    public mutating func replace(relationshipAt href: String, with linkage: Linkage) {
        operations.append(Operation(code: .update, href: href, data: .linkage(linkage)))
    }

    /// Links the to-many relationship at this address to more resources.
    public mutating func add(_ identifiers: [ResourceIdentifier], toRelationshipAt href: String) {
        operations.append(Operation(code: .add, href: href, data: .linkage(.many(identifiers))))
    }

    /// Drops links of the to-many relationship at this address.
    public mutating func remove(_ identifiers: [ResourceIdentifier], fromRelationshipAt href: String) {
        operations.append(Operation(code: .remove, href: href, data: .linkage(.many(identifiers))))
    }
}
