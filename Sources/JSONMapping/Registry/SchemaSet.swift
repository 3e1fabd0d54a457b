import JSONText

/// A collection of schemas, by name for types that exist only as data, and by Swift type to replace a type's own schema.
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
/// schemas[Account.self] = Account.schema.keys(.snakeCase)       // for this server; Account.schema is unchanged
/// let account = try schemas.decode(Account.self, from: json)    // also applies to accounts nested in other types
/// ```
///
/// Schemas can contain themselves and each other. A set is a value type, so you can change a copy for a single call.
///
/// A schema from a set keeps the set when it is nested in another schema. If the outermost schema also comes from a set, that set is
/// searched first. With more levels, the sets of the schemas in between are not searched.
public struct SchemaSet: Sendable {
    private var named: [ByteText: MappingSchema<DynamicObject>] = [:]
    private var parents: [ByteText: ByteText] = [:]
    /// Each closure returns the `MappingSchema` of its type.
    private var typed: [ObjectIdentifier: @Sendable (SchemaSet) throws -> any Sendable] = [:]
    /// The inherited schemas, for classes without a schema in `typed`.
    private var extended: [ObjectIdentifier: @Sendable (SchemaSet) throws -> any Sendable] = [:]

    /// Creates an empty set.
    public init() {}

    // MARK: - By name

    /// The schema that was registered under this name, without inheritance. Set nil to inherit again.
    public subscript(name: String) -> MappingSchema<DynamicObject>? {
        get { named[ByteText(name)] }
        set { named[ByteText(name)] = newValue }
    }

    /// Lets a type inherit the schema of another type. A schema that is registered for the type itself replaces the inherited one.
    public mutating func extend(_ parent: String, to child: String) {
        parents[ByteText(child)] = ByteText(parent)
    }

    /// Returns the schema with the given name, or the nearest schema that it inherits.
    ///
    /// Throws a `MappingIssue` of kind `unresolvedReference` when there is no such schema.
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
            .unresolvedReference, expected: "a schema named `\(name)`", found: "none",
            advice: "register the schema, or call `extend(_:to:)` to inherit one"
        )
    }

    // MARK: - By type

    /// The schema that replaces a type's own schema. Set nil to restore the type's own, or the inherited one.
    public subscript<Root>(type: Root.Type) -> MappingSchema<Root>? {
        get { try? registered(type) }
        set {
            guard let schema = newValue else {
                typed[ObjectIdentifier(type)] = nil
                return
            }
            typed[ObjectIdentifier(type)] = { _ in schema }
        }
    }

    /// Returns the schema that replaces a type's own schema, or nil if there is none. Throws if the type extends a class without a schema.
    func registered<Root>(_ type: Root.Type) throws -> MappingSchema<Root>? { try entry(type) as? MappingSchema<Root> }

    /// Does the same for a class that is known only at run time.
    func registered(class type: any Any.Type) throws -> (any ClassSchema)? { try entry(type) as? any ClassSchema }

    private func entry(_ type: any Any.Type) throws -> (any Sendable)? {
        let id = ObjectIdentifier(type)
        return try (typed[id] ?? extended[id])?(self)
    }

    /// Registers a codec. It then reads and writes all values of its type for which this set is used.
    public mutating func register<Codec: SchemaCodec>(_ codec: Codec) {
        self[Codec.Root.self] = codec.schema.coded(by: codec)
    }

    /// Lets a class inherit the fields of its superclass, and the field steps of the superclass's codec. A schema that is registered for
    /// the class itself, before or after, replaces the inherited fields.
    ///
    /// ```swift
    /// schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 }
    /// ```
    public mutating func extend<Parent: AnyObject, Child: AnyObject>(
        _ parent: Parent.Type, to child: Child.Type, creating prototype: @autoclosure @escaping @Sendable () -> Child,
        as parentOf: @escaping @Sendable (Child) -> Parent
    ) {
        extended[ObjectIdentifier(child)] = { schemas in
            // The lookup excludes the child, so that it ends even if types extend each other in a cycle.
            var others = schemas
            others.extended[ObjectIdentifier(child)] = nil
            let inherited = try others.schema(for: parent)
            var schema = MappingSchema<Child>(creating: prototype()) { inherited.inherited(as: parentOf) }.hooked(
                by: inherited, as: parentOf)
            schema.representedPaths = inherited.representedPaths
            return schema
        }
    }

    /// Returns the schema of a type: the one registered in this set, or else the type's own. Nested objects use this set, too.
    ///
    /// Throws a `MappingIssue` of kind `unresolvedReference` for a type that is neither registered nor `Mapped`, and for a class that
    /// extends such a type.
    public func schema<Root>(for type: Root.Type) throws -> MappingSchema<Root> {
        guard var schema = try registered(type) ?? (type as? any Mapped.Type)?.ownSchema as? MappingSchema<Root> else {
            throw MappingIssue(
                .unresolvedReference, expected: "a schema for \(type)", found: "none",
                advice: "register a schema, or let the type conform to `Mapped`")
        }
        schema.schemas = self
        return schema
    }

    /// Returns the schema of a `Mapped` type: the one registered in this set, or else the type's own. If the type extends a class without a
    /// schema, every use of the result throws.
    public func schema<Root: Mapped>(for type: Root.Type) -> MappingSchema<Root> {
        var schema: MappingSchema<Root>
        do { schema = try registered(type) ?? Root.schema } catch { schema = Root.schema.conflicting(error) }
        schema.schemas = self
        return schema
    }

    /// Returns the value that a JSON object represents. A given `schema` applies only to this call and only to the outermost object.
    ///
    /// Throws a `ValidationError` with every problem.
    public func decode<Root>(_ type: Root.Type = Root.self, from json: JSON, schema: MappingSchema<Root>? = nil) throws -> Root {
        try own(schema, or: type).decode(json)
    }

    /// Applies a JSON object to a value, all or nothing; see `MappingSchema.apply`. Throws as that function does, and a `MappingIssue` if
    /// the type has no schema.
    public func apply<Root>(_ json: JSON, to root: inout Root, isPartial: Bool = false, schema: MappingSchema<Root>? = nil) throws {
        try own(schema, or: Root.self).apply(json, to: &root, isPartial: isPartial)
    }

    /// Returns the JSON object for a value; see `MappingSchema.encode`. Throws as that function does, and a `MappingIssue` if the type has
    /// no schema. Without a `schema`, an instance of a subclass is written as in a nested object; see `Conversion.object`.
    public func encode<Root>(_ root: Root, only paths: [String]? = nil, schema: MappingSchema<Root>? = nil) throws -> JSONObject {
        let own = try own(schema, or: Root.self)
        return try schema == nil ? own.encodeByClass(root, only: paths) : own.encode(root, only: paths)
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
    /// A conversion to and from a nested object. It uses the schema with this name in the set of the schema around it.
    public static func object(named name: String) -> Self {
        .nested { context in
            if let schema = try? context.run.schemas?.schema(named: name) { return schema }
            guard let schemas = context.run.nearestSchemas ?? context.run.schemas else {
                throw MappingIssue(
                    .unresolvedReference, expected: "a set with a schema named `\(name)`", found: "a schema that belongs to no set",
                    advice: "get the outer schema from a `SchemaSet`")
            }
            return try schemas.schema(named: name)
        }
    }
}
