import JSONText

/// A field of a schema, whatever the type of its value.
public struct SchemaField<Root>: Sendable {
    /// The property's own name.
    public let name: String

    /// Where it comes from.
    public let paths: Paths

    let keyPath: (any AnyKeyPathHolder)?
    let read: @Sendable (JSONObject, ReadMode<Root>, MappingContext, inout IssueCollector) -> ReadValue
    let assign: @Sendable (inout Root, ReadValue) -> Void
    let write: @Sendable (Root, inout JSONObject, MappingContext, inout IssueCollector) -> Void
    let archive: @Sendable (Root, inout KeyedEncodingContainer<NameKey>, MappingContext) throws -> Void
    let unarchive: @Sendable (KeyedDecodingContainer<NameKey>, MappingContext) throws -> ReadValue
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?

    /// The field without the type of its value.
    public init<Value>(_ field: Field<Root, Value>) {
        name = field.name
        paths = field.paths
        keyPath = field.property.keyPath
        read = { field.read($0, $1, $2, &$3) }
        assign = { field.assign(&$0, $1) }
        write = { field.write($0, &$1, $2, &$3) }
        archive = { try field.archive($0, &$1, $2) }
        unarchive = { try field.unarchive($0, $1) }
        snapshot = field.property.snapshot
    }

    /// The field of a part, as a field of the whole.
    init<Part>(
        _ field: SchemaField<Part>, get: @escaping @Sendable (Root) -> Part,
        change: @escaping @Sendable (inout Root, (inout Part) -> Void) -> Void
    ) {
        name = field.name
        paths = field.paths
        keyPath = field.keyPath
        read = { field.read($0, $1.map(get), $2, &$3) }
        assign = { root, value in change(&root) { field.assign(&$0, value) } }
        write = { field.write(get($0), &$1, $2, &$3) }
        archive = { try field.archive(get($0), &$1, $2) }
        unarchive = field.unarchive
        snapshot = { root in field.snapshot(get(root)).map { restore in { root in change(&root, restore) } } }
    }
}

/// What a field found for its property.
enum ReadValue {
    /// Nothing: the property keeps its value.
    case leave
    case clear
    /// A stated null.
    case null
    case value(Any)
}

/// What the values are read for.
struct ReadMode<Root> {
    /// The value they will be applied to; nil when one is made.
    var existing: Root?

    /// Whether missing members are no issue, even where they are required.
    var isPartial = false

    func map<Other>(_ transform: (Root) -> Other) -> ReadMode<Other> {
        ReadMode<Other>(existing: existing.map(transform), isPartial: isPartial)
    }
}
