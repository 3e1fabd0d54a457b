import JSONText

/// A field of a schema, whatever the type of its value.
public struct SchemaField<Root>: Sendable {
    /// The property's own name.
    public let name: String

    /// Where it comes from.
    public let paths: Paths

    /// The name of the only member it comes from; nil when there are several paths, or one of several names.
    let member: String?

    let keyPath: (any AnyKeyPathHolder)?
    let read: @Sendable (FieldInput, ReadMode<Root>, MappingContext, inout IssueCollector) -> ReadValue
    let load: @Sendable (FieldInput, inout Root, ReadMode<Root>, MappingContext, inout IssueCollector) -> Void
    let assign: @Sendable (inout Root, ReadValue) -> Void
    let write: @Sendable (Root, inout JSONObject, FieldHooks?, MappingContext, inout IssueCollector) -> Void
    let archive: @Sendable (Root, inout KeyedEncodingContainer<NameKey>, MappingContext) throws -> Void
    let unarchive: @Sendable (KeyedDecodingContainer<NameKey>, MappingContext) throws -> ReadValue
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?

    /// The same field below another member; nil where the path was stated.
    let renamed: (@Sendable (String) -> SchemaField<Root>)?

    /// The field without the type of its value.
    public init<Value>(_ field: Field<Root, Value>) {
        name = field.name
        paths = field.paths
        member = field.member
        keyPath = field.property.keyPath
        read = { field.read($0, $1, $2, &$3) }
        load = { field.load($0, into: &$1, $2, $3, &$4) }
        assign = { field.assign(&$0, $1) }
        write = { field.write($0, &$1, $2, $3, &$4) }
        archive = { try field.archive($0, &$1, $2) }
        unarchive = { try field.unarchive($0, $1) }
        snapshot = field.property.snapshot
        if field.hasStatedPaths {
            renamed = nil
        } else {
            renamed = { name in SchemaField<Root>(field.reading(Path(segments: [name]))) }
        }
    }

    /// The field of a part, as a field of the whole.
    init<Part>(
        _ field: SchemaField<Part>, get: @escaping @Sendable (Root) -> Part,
        change: @escaping @Sendable (inout Root, (inout Part) -> Void) -> Void
    ) {
        name = field.name
        paths = field.paths
        member = field.member
        keyPath = field.keyPath
        read = { field.read($0, $1.map(get), $2, &$3) }
        load = { input, root, mode, context, issues in
            var collected = IssueCollector()
            change(&root) { field.load(input, &$0, mode.map(get), context, &collected) }
            issues.add(collected.issues)
        }
        assign = { root, value in change(&root) { field.assign(&$0, value) } }
        write = { field.write(get($0), &$1, $2, $3, &$4) }
        archive = { try field.archive(get($0), &$1, $2) }
        unarchive = field.unarchive
        snapshot = { root in field.snapshot(get(root)).map { restore in { root in change(&root, restore) } } }
        if let inner = field.renamed {
            renamed = { name in SchemaField<Root>(inner(name), get: get, change: change) }
        } else {
            renamed = nil
        }
    }
}

/// What a field reads from.
struct FieldInput {
    let object: JSONObject

    /// The value of the member that the field's only path names; nil when there is none.
    let json: JSON?
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

    /// What a codec has to say about each field.
    var hooks: FieldHooks?

    func map<Other>(_ transform: (Root) -> Other) -> ReadMode<Other> {
        ReadMode<Other>(existing: existing.map(transform), isPartial: isPartial, hooks: hooks)
    }
}

/// What a codec has to say about each field, by the field's name.
struct FieldHooks: Sendable {
    let transform: @Sendable (JSON, String) throws -> JSON
    let transformBack: @Sendable (JSON, String) throws -> JSON
    let validate: @Sendable (Any, String) throws -> Any
}
