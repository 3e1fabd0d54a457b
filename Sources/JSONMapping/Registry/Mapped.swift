import JSONText

/// A type that has its own schema. A field of this type, or of an array of it, needs no conversion.
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
/// A `SchemaSet` can replace the schema of the type. A class that is not final cannot conform. Name its schema where you use it:
/// `.object(Node.schema)`.
public protocol Mapped: JSONConvertible {
    /// The schema that reads and writes values by default.
    static var schema: MappingSchema<Self> { get }
}

extension Mapped {
    /// A conversion to and from a nested object.
    public static var conversion: Conversion<JSON, Self> { .object(schema) }
}
