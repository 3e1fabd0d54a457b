import JSONText

/// Customizes how values of one type are read and written. Each step that a schema performs can be replaced.
///
/// ```swift
/// struct AuditedUsers: SchemaCodec {
///     let schema = User.schema
///     func decode(_ json: JSON, by mapping: Mapping<User>) throws -> User {
///         var user = try mapping.decode(json)
///         user.isFromServer = true
///         return user
///     }
/// }
/// var schemas = SchemaSet()
/// schemas.register(AuditedUsers())
/// let page = try schemas.decode(Page.self, from: json)   // also for the users inside pages
/// ```
///
/// Every step has a default implementation. The steps for whole values follow the schema, and the steps for fields change nothing.
/// Validation calls `decode` or `apply` and discards the result. An error that a codec throws is reported as an issue with its place.
public protocol SchemaCodec<Root>: Sendable {
    /// The type of the values that this codec reads and writes.
    associatedtype Root

    /// The schema that declares the fields.
    var schema: MappingSchema<Root> { get }

    // MARK: - Whole values

    /// Creates a value from JSON. Call `mapping.decode` to follow the schema.
    func decode(_ json: JSON, by mapping: Mapping<Root>) throws -> Root

    /// Changes a value in place. When this method throws, the value keeps its previous state.
    ///
    /// In an instance of a class, only these properties are restored: those that are fields, the one that keeps unknown members, and
    /// those named with `MappingSchema.restoring(_:)`.
    func apply(_ json: JSON, to root: inout Root, by mapping: Mapping<Root>) throws

    /// Returns the JSON object for a value. `encode` and `represent` call this method. A patch that sets one property by its key path has no
    /// value, and calls only `transformBack`.
    func encode(_ root: Root, by mapping: Mapping<Root>) throws -> JSONObject

    /// Writes a value into an archive.
    func archive(_ root: Root, to encoder: any Encoder, by mapping: Mapping<Root>) throws

    /// Creates a value from an archive.
    func unarchive(from decoder: any Decoder, by mapping: Mapping<Root>) throws -> Root

    // MARK: - Fields

    /// Returns the JSON that the field's conversion receives. This method is not called for null or for a missing member.
    func transform(_ json: JSON, ofField name: String) throws -> JSON

    /// Returns the JSON that is written for a field, given the result of its conversion. This method is not called for null.
    func transformBack(_ json: JSON, ofField name: String) throws -> JSON

    /// Returns a field's converted value, or another value of the same type. Throw an error to reject the value.
    func validate(_ value: Any, ofField name: String) throws -> Any

    /// Sets a property by calling `assign`, or does something else. This method is called once all fields are valid.
    func assign(_ name: String, of root: inout Root, _ assign: (inout Root) -> Void)
}

extension SchemaCodec {
    /// Follows the schema. Throws as the function of `mapping` does.
    public func decode(_ json: JSON, by mapping: Mapping<Root>) throws -> Root { try mapping.decode(json) }

    /// Follows the schema. Throws as the function of `mapping` does.
    public func apply(_ json: JSON, to root: inout Root, by mapping: Mapping<Root>) throws { try mapping.apply(json, to: &root) }

    /// Follows the schema. Throws as the function of `mapping` does.
    public func encode(_ root: Root, by mapping: Mapping<Root>) throws -> JSONObject { try mapping.encode(root) }

    /// Follows the schema. Throws as the function of `mapping` does.
    public func archive(_ root: Root, to encoder: any Encoder, by mapping: Mapping<Root>) throws {
        try mapping.archive(root, to: encoder)
    }

    /// Follows the schema. Throws as the function of `mapping` does.
    public func unarchive(from decoder: any Decoder, by mapping: Mapping<Root>) throws -> Root { try mapping.unarchive(from: decoder) }

    /// Returns the JSON unchanged. Does not throw.
    public func transform(_ json: JSON, ofField name: String) throws -> JSON { json }

    /// Returns the JSON unchanged. Does not throw.
    public func transformBack(_ json: JSON, ofField name: String) throws -> JSON { json }

    /// Returns the value unchanged. Does not throw.
    public func validate(_ value: Any, ofField name: String) throws -> Any { value }

    /// Sets the property.
    public func assign(_ name: String, of root: inout Root, _ assign: (inout Root) -> Void) { assign(&root) }
}

/// Performs the steps of a schema. A `SchemaCodec` calls it for every step that it does not customize.
///
/// A mapping belongs to one call. It holds the schemas for nested objects and the current nesting depth.
public struct Mapping<Root> {
    /// The schema.
    public let schema: MappingSchema<Root>

    let context: MappingContext

    /// Whether missing members are allowed, because partial JSON is applied to an existing value.
    public var isPartial = false

    /// The paths to write, or nil to use the schema's own `representedPaths`.
    public var paths: [String]?

    var version: Int?

    /// What the codec has received, with the shadows that it does not see, or nil if there are none.
    private let shadowed: JSON?

    init(
        schema: MappingSchema<Root>, context: MappingContext, isPartial: Bool = false, paths: [String]? = nil, version: Int? = nil,
        shadowed: JSON? = nil
    ) {
        self.schema = schema
        self.context = context
        self.isPartial = isPartial
        self.paths = paths
        self.version = version
        self.shadowed = shadowed
    }

    /// Returns the value that the schema creates. Throws a `ValidationError` with every problem.
    public func decode(_ json: JSON) throws -> Root {
        try context.undoingFailure { try schema.decodeByFields(withShadows(json), context) }
    }

    private func withShadows(_ json: JSON) -> JSON {
        guard let shadowed, let shadow = context.run.shadow else { return json }
        return json == shadowed.without(shadow) ? shadowed : json.keeping(shadow, of: shadowed)
    }

    /// Changes a value in place, following the schema. Throws a `ValidationError` with every problem, and does not change the value then.
    public func apply(_ json: JSON, to root: inout Root) throws {
        var copy = root
        try context.undoingFailure { try schema.applyByFields(json, to: &copy, isPartial: isPartial, context) }
        root = copy
    }

    /// Returns the JSON object that the schema writes. Throws a `ValidationError` with every value that is missing or cannot be converted.
    public func encode(_ root: Root) throws -> JSONObject { try schema.encodeByFields(root, paths, context) }

    /// Writes a value to an archive, following the schema. Throws as `MappingSchema.archive(_:to:version:)` does.
    public func archive(_ root: Root, to encoder: any Encoder) throws {
        try schema.archiveByFields(root, to: encoder, context, version: version)
    }

    /// Returns the value that the schema creates from an archive. Throws as `MappingSchema.unarchive(from:)` does.
    public func unarchive(from decoder: any Decoder) throws -> Root {
        try context.undoingFailure { try schema.unarchiveByFields(from: decoder, context) }
    }
}
