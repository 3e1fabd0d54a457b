import JSONText

/// Schemas of types that exist only as data, by name. They may contain each other and themselves.
///
/// ```swift
/// var schemas = SchemaSet()
/// schemas["Message"] = Schema("Message") { Field("text", .string) }
/// schemas["User"] = Schema("User") {
///     Field("id", from: "user_id", .required, .int)
///     Field("messages", .list(.object(named: "Message")))
/// }
/// let user = try schemas.schema(named: "User").decode(json)
/// ```
public struct SchemaSet: Sendable {
    private var registered: [String: Schema<DynamicObject>] = [:]
    private var parents: [String: String] = [:]

    /// No schemas.
    public init() {}

    /// The schema that was registered under a name itself. Setting nil lets it inherit again.
    public subscript(name: String) -> Schema<DynamicObject>? {
        get { registered[name] }
        set { registered[name] = newValue }
    }

    /// Lets a type have the schema of another one until it has its own, which then replaces the inherited one as a whole.
    public mutating func extend(_ parent: String, to child: String) {
        parents[child] = parent
    }

    /// The schema of a type: its own, else the nearest of those it extends.
    ///
    /// Throws the issue `unresolvedReference` when there is none.
    public func schema(named name: String) throws -> Schema<DynamicObject> {
        var seen: Set<String> = []
        var current = name
        while seen.insert(current).inserted {
            if var schema = registered[current] {
                schema.schemas = self
                schema.name = name
                return schema
            }
            guard let parent = parents[current] else { break }
            current = parent
        }
        throw Issue(
            .unresolvedReference, expected: "a schema named `\(name)`", found: "none", advice: "register it, or let the type extend another"
        )
    }
}

extension Conversion where Input == JSON, Output == DynamicObject {
    /// A nested object by the schema of that name, in the set that the outer schema was taken from.
    public static func object(named name: String) -> Self {
        .nested { context in
            guard let schemas = context.schemas else {
                throw Issue(
                    .unresolvedReference, expected: "a set with a schema named `\(name)`", found: "a schema outside of any set",
                    advice: "take the outer schema from a SchemaSet")
            }
            return try schemas.schema(named: name)
        }
    }
}
