import JSONText

/// How values of one type are read and written where a schema alone does not do: each step may be done in another way.
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
/// let page = try schemas.decode(Page.self, from: json)   // the users inside of pages, too
/// ```
///
/// Every step has a default: the whole ones do what the schema says, those of fields change nothing. Validation is reading whose result
/// is thrown away, so it follows `decode` and `apply`. What a codec throws is reported as an issue, with its place.
public protocol SchemaCodec<Root>: Sendable {
    /// The type whose values it reads and writes.
    associatedtype Root

    /// The fields.
    var schema: MappingSchema<Root> { get }

    // MARK: - Whole values

    /// Makes a value; `mapping.decode` does it as the schema says.
    func decode(_ json: JSON, by mapping: Mapping<Root>) throws -> Root

    /// Changes a value. When it throws, the value is as before; of an instance of a class the properties that are fields, the one that
    /// keeps unknown members, and those that `MappingSchema.restoring(_:)` names.
    func apply(_ json: JSON, to root: inout Root, by mapping: Mapping<Root>) throws

    /// Writes a value, for `encode` and `represent`.
    func encode(_ root: Root, by mapping: Mapping<Root>) throws -> JSONObject

    /// Writes a value into an archive.
    func archive(_ root: Root, to encoder: any Encoder, by mapping: Mapping<Root>) throws

    /// Makes a value from an archive.
    func unarchive(from decoder: any Decoder, by mapping: Mapping<Root>) throws -> Root

    // MARK: - Fields

    /// Changes what a field was sent, before its conversion; null and missing members do not come here.
    func transform(_ json: JSON, ofField name: String) throws -> JSON

    /// Changes what a field sends, after its conversion.
    func transformBack(_ json: JSON, ofField name: String) throws -> JSON

    /// Accepts a field's converted value, replaces it by another of its type, or refuses it by throwing.
    func validate(_ value: Any, ofField name: String) throws -> Any

    /// Sets a property, by calling `assign`, or does something else. Comes once all fields are fine.
    func assign(_ name: String, of root: inout Root, _ assign: (inout Root) -> Void)
}

extension SchemaCodec {
    /// As the schema says.
    public func decode(_ json: JSON, by mapping: Mapping<Root>) throws -> Root { try mapping.decode(json) }

    /// As the schema says.
    public func apply(_ json: JSON, to root: inout Root, by mapping: Mapping<Root>) throws { try mapping.apply(json, to: &root) }

    /// As the schema says.
    public func encode(_ root: Root, by mapping: Mapping<Root>) throws -> JSONObject { try mapping.encode(root) }

    /// As the schema says.
    public func archive(_ root: Root, to encoder: any Encoder, by mapping: Mapping<Root>) throws {
        try mapping.archive(root, to: encoder)
    }

    /// As the schema says.
    public func unarchive(from decoder: any Decoder, by mapping: Mapping<Root>) throws -> Root { try mapping.unarchive(from: decoder) }

    /// The same JSON.
    public func transform(_ json: JSON, ofField name: String) throws -> JSON { json }

    /// The same JSON.
    public func transformBack(_ json: JSON, ofField name: String) throws -> JSON { json }

    /// The same value.
    public func validate(_ value: Any, ofField name: String) throws -> Any { value }

    /// Sets the property.
    public func assign(_ name: String, of root: inout Root, _ assign: (inout Root) -> Void) { assign(&root) }
}

/// A schema at work: what a `SchemaCodec` calls for everything that it does not do itself.
///
/// It knows the run it belongs to: the schemas that nested objects look for, and how deep they are nested.
public struct Mapping<Root> {
    /// The schema.
    public let schema: MappingSchema<Root>

    let context: MappingContext

    /// Whether missing members are no problem, because JSON is applied that says it is partial.
    public var isPartial = false

    /// The paths that are written, when the call names some.
    public var paths: [String]?

    var version: Int?

    init(schema: MappingSchema<Root>, context: MappingContext, isPartial: Bool = false, paths: [String]? = nil, version: Int? = nil) {
        self.schema = schema
        self.context = context
        self.isPartial = isPartial
        self.paths = paths
        self.version = version
    }

    /// The value that the schema makes. Throws every problem at once.
    public func decode(_ json: JSON) throws -> Root { try schema.decodeByFields(json, context) }

    /// Changes a value as the schema says.
    public func apply(_ json: JSON, to root: inout Root) throws {
        try schema.applyByFields(json, to: &root, isPartial: isPartial, context)
    }

    /// The object that the schema writes.
    public func encode(_ root: Root) throws -> JSONObject { try schema.encodeByFields(root, paths, context) }

    /// Archives a value as the schema says.
    public func archive(_ root: Root, to encoder: any Encoder) throws {
        try schema.archiveByFields(root, to: encoder, context, version: version)
    }

    /// The value that the schema makes of an archive.
    public func unarchive(from decoder: any Decoder) throws -> Root { try schema.unarchiveByFields(from: decoder, context) }
}
