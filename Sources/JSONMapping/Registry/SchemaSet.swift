import JSONText

/// Schemas by name, of types that exist only as data, and by Swift type, in place of the type's own.
///
/// ```swift
/// var schemas = SchemaSet()
/// schemas["Message"] = MappingSchema("Message") { MappingField("text", .string) }
/// schemas["User"] = MappingSchema("User") {
///     MappingField("id", from: "user_id", .required, .int)
///     MappingField("messages", .list(.object(named: "Message")))
/// }
/// let user = try schemas.schema(named: "User").decode(json)
///
/// schemas[Account.self] = Account.schema.keys(.snakeCase)       // for this server; Account.schema stays as it is
/// let account = try schemas.decode(Account.self, from: json)    // accounts nested in other types as well
/// ```
///
/// Schemas may contain each other and themselves. A set is a value: a copy can be changed for one call, and several sets live side by
/// side.
public struct SchemaSet: Sendable {
    private var named: [ByteText: MappingSchema<DynamicObject>] = [:]
    private var parents: [ByteText: ByteText] = [:]
    /// Each answers a `MappingSchema` of its type.
    private var typed: [ObjectIdentifier: @Sendable (SchemaSet) throws -> any Sendable] = [:]

    /// No schemas.
    public init() {}

    // MARK: - By name

    /// The schema that was registered under a name itself. Setting nil lets it inherit again.
    public subscript(name: String) -> MappingSchema<DynamicObject>? {
        get { named[ByteText(name)] }
        set { named[ByteText(name)] = newValue }
    }

    /// Lets a type have the schema of another one until it has its own, which then replaces the inherited one as a whole.
    public mutating func extend(_ parent: String, to child: String) {
        parents[ByteText(child)] = ByteText(parent)
    }

    /// The schema of a type: its own, else the nearest of those it extends.
    ///
    /// Throws the issue `unresolvedReference` when there is none.
    public func schema(named name: String) throws -> MappingSchema<DynamicObject> {
        var seen: Set<ByteText> = []
        var current = ByteText(name)
        while seen.insert(current).inserted {
            if var schema = named[current] {
                schema.schemas = self
                schema.name = name
                return schema
            }
            guard let parent = parents[current] else { break }
            current = parent
        }
        throw MappingIssue(
            .unresolvedReference, expected: "a schema named `\(name)`", found: "none", advice: "register it, or let the type extend another"
        )
    }

    // MARK: - By type

    /// The schema that stands in for a type's own. Setting nil brings back the type's own.
    public subscript<Root>(type: Root.Type) -> MappingSchema<Root>? {
        get {
            guard let entry = typed[ObjectIdentifier(type)] else { return nil }
            return (try? entry(self)) as? MappingSchema<Root>
        }
        set {
            guard let schema = newValue else {
                typed[ObjectIdentifier(type)] = nil
                return
            }
            typed[ObjectIdentifier(type)] = { _ in schema }
        }
    }

    /// Lets a codec do the steps for its type, wherever this set is asked.
    public mutating func register<Codec: SchemaCodec>(_ codec: Codec) {
        self[Codec.Root.self] = codec.schema.coded(by: codec)
    }

    /// Lets a class have the fields that this set has for its superclass, and what a codec of that says about them, until it has a schema
    /// of its own.
    ///
    /// ```swift
    /// schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 }
    /// ```
    public mutating func extend<Parent: AnyObject, Child: AnyObject>(
        _ parent: Parent.Type, to child: Child.Type, creating prototype: @autoclosure @escaping @Sendable () -> Child,
        as parentOf: @escaping @Sendable (Child) -> Parent
    ) {
        typed[ObjectIdentifier(child)] = { schemas in
            // Without the child, so that types which extend each other in a circle find an end.
            var others = schemas
            others.typed[ObjectIdentifier(child)] = nil
            let inherited = try others.schema(for: parent)
            return MappingSchema<Child>(creating: prototype()) { inherited.inherited(as: parentOf) }.hooked(by: inherited.hooks)
        }
    }

    /// The schema of a type: the one registered here, else the type's own. Nested objects look for theirs in this set.
    ///
    /// Throws the issue `unresolvedReference` for a type that is neither registered nor `Mapped`.
    public func schema<Root>(for type: Root.Type) throws -> MappingSchema<Root> {
        guard var schema = self[type] ?? (type as? any Mapped.Type)?.ownSchema as? MappingSchema<Root> else {
            throw MappingIssue(
                .unresolvedReference, expected: "a schema for \(type)", found: "none", advice: "register one, or let the type be `Mapped`")
        }
        schema.schemas = self
        return schema
    }

    /// The schema of a type that has one: the one registered here, else its own.
    public func schema<Root: Mapped>(for type: Root.Type) -> MappingSchema<Root> {
        var schema = self[type] ?? Root.schema
        schema.schemas = self
        return schema
    }

    /// The value that an object stands for. `schema` counts for this call alone, and for the outer object alone.
    ///
    /// Throws `ValidationError` with every problem.
    public func decode<Root>(_ type: Root.Type = Root.self, from json: JSON, schema: MappingSchema<Root>? = nil) throws -> Root {
        try own(schema, or: type).decode(json)
    }

    /// Changes a value as an object says, all or nothing; see `MappingSchema.apply`.
    public func apply<Root>(_ json: JSON, to root: inout Root, isPartial: Bool = false, schema: MappingSchema<Root>? = nil) throws {
        try own(schema, or: Root.self).apply(json, to: &root, isPartial: isPartial)
    }

    /// The object that stands for a value; see `MappingSchema.encode`.
    public func encode<Root>(_ root: Root, only paths: [String]? = nil, schema: MappingSchema<Root>? = nil) throws -> JSONObject {
        try own(schema, or: Root.self).encode(root, only: paths)
    }

    private func own<Root>(_ schema: MappingSchema<Root>?, or type: Root.Type) throws -> MappingSchema<Root> {
        guard var schema else { return try self.schema(for: type) }
        schema.schemas = self
        return schema
    }
}

extension Mapped {
    fileprivate static var ownSchema: any Sendable { schema }
}

extension Conversion where Input == JSON, Output == DynamicObject {
    /// A nested object by the schema of that name, in the set that the outer schema was taken from.
    public static func object(named name: String) -> Self {
        .nested { context in
            guard let schemas = context.schemas else {
                throw MappingIssue(
                    .unresolvedReference, expected: "a set with a schema named `\(name)`", found: "a schema outside of any set",
                    advice: "take the outer schema from a SchemaSet")
            }
            return try schemas.schema(named: name)
        }
    }
}
