import JSONText

/// A type with a schema of its own: a field of that type, or of lists of it, needs no conversion.
///
/// ```swift
/// struct Message: Mapped {
///     var text = ""
///     static let schema = MappingSchema(creating: Message()) { MappingField(\.text, "text") }
/// }
/// struct User: Mapped {
///     var messages: [Message] = []
///     static let schema = MappingSchema(creating: User()) { MappingField(\.messages, "messages") }
/// }
/// ```
///
/// A `SchemaSet` may have another schema for the type. A class that is not final cannot conform; its schema is named where it is used,
/// as in `.object(Node.schema)`.
public protocol Mapped: JSONConvertible {
    /// How values are read and written, where nobody says otherwise.
    static var schema: MappingSchema<Self> { get }
}

extension Mapped {
    /// A nested object.
    public static var conversion: Conversion<JSON, Self> { .object(schema) }
}
