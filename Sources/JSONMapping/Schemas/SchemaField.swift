import JSONText

/// A field of a schema, whatever the type of its value.
public struct SchemaField<Root>: Sendable {
    /// The property's own name.
    public var name: String { steps.name }

    /// Where it comes from.
    public var paths: Paths { steps.paths }

    let steps: FieldSteps<Root>

    /// The field without the type of its value.
    public init<Value>(_ field: MappingField<Root, Value>) {
        steps = FieldSteps(field)
    }

    init(_ steps: FieldSteps<Root>) { self.steps = steps }
}

/// What a field does, step by step. A class, because a run passes over all of them for each value.
final class FieldSteps<Root>: Sendable {
    let name: String
    let paths: Paths

    /// The name of the only member it comes from; nil when there are several paths, or one of several names.
    let member: String?

    /// The short way for a value of the expected type; nil where there is none.
    let scalar: StoredScalar<Root>?

    /// Whether setting the property changes the value alone, and no object that others may refer to.
    let isInline: Bool

    let keyPath: (any AnyKeyPathHolder)?

    /// The key paths that lead to the property, from the outside in; empty for a property that has only a name.
    let property: [any AnyKeyPathHolder]

    /// Where it is written: the text of its first path.
    let place: ByteText

    let read: @Sendable (FieldInput, ReadMode<Root>, MappingContext, inout IssueCollector) -> ReadValue
    let load: @Sendable (FieldInput, inout Root, ReadMode<Root>, MappingContext, inout IssueCollector) -> Void
    let assign: @Sendable (inout Root, ReadValue) -> Void
    let written: @Sendable (Root, FieldHooks?, MappingContext, inout IssueCollector) -> JSON?
    let archive: @Sendable (Root, inout KeyedEncodingContainer<NameKey>, MappingContext) throws -> Void
    let unarchive: @Sendable (KeyedDecodingContainer<NameKey>, MappingContext) throws -> ReadValue
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?

    /// The same field below another member; nil where the path was stated.
    let renamed: (@Sendable (String) -> FieldSteps<Root>)?

    init<Value>(_ field: MappingField<Root, Value>) {
        name = field.name
        paths = field.paths
        member = field.member
        scalar = field.scalar
        isInline = field.property.isInline
        keyPath = field.property.keyPath
        property = [field.property.keyPath].compactMap { $0 }
        place = ByteText(field.paths.all.first?.description ?? "")
        read = { field.read($0, $1, $2, &$3) }
        load = { field.load($0, into: &$1, $2, $3, &$4) }
        assign = { field.assign(&$0, $1) }
        written = { field.written($0, $1, $2, &$3) }
        archive = { try field.archive($0, &$1, $2) }
        unarchive = { try field.unarchive($0, $1) }
        snapshot = field.property.snapshot
        if field.hasStatedPaths {
            renamed = nil
        } else {
            renamed = { name in FieldSteps<Root>(field.reading(MappingPath(segments: [name]))) }
        }
    }

    /// The steps of a part, as those of the whole.
    init<Part>(
        _ part: FieldSteps<Part>, at path: (any AnyKeyPathHolder)? = nil, isInline: Bool, get: @escaping @Sendable (Root) -> Part,
        change: @escaping @Sendable (inout Root, (inout Part) -> Void) -> Void
    ) {
        name = part.name
        paths = part.paths
        member = part.member
        scalar = nil
        self.isInline = part.isInline && isInline
        keyPath = part.keyPath
        property = [path].compactMap { $0 } + part.property
        place = part.place
        read = { part.read($0, $1.map(get), $2, &$3) }
        load = { input, root, mode, context, issues in
            var collected = IssueCollector()
            change(&root) { part.load(input, &$0, mode.map(get), context, &collected) }
            issues.add(collected.issues)
        }
        assign = { root, value in change(&root) { part.assign(&$0, value) } }
        written = { part.written(get($0), $1, $2, &$3) }
        archive = { try part.archive(get($0), &$1, $2) }
        unarchive = part.unarchive
        snapshot = { root in part.snapshot(get(root)).map { restore in { root in change(&root, restore) } } }
        if let inner = part.renamed {
            renamed = { name in FieldSteps<Root>(inner(name), at: path, isInline: isInline, get: get, change: change) }
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
    /// Whether missing members are no issue, even where they are required.
    var isPartial = false

    /// What a codec has to say about each field.
    var hooks: FieldHooks?

    /// The value they will be applied to; nil when one is made.
    var existing: Root?

    func map<Other>(_ transform: (Root) -> Other) -> ReadMode<Other> {
        ReadMode<Other>(isPartial: isPartial, hooks: hooks, existing: existing.map(transform))
    }
}

/// What a codec has to say about each field, by the field's name.
struct FieldHooks: Sendable {
    let transform: @Sendable (JSON, String) throws -> JSON
    let transformBack: @Sendable (JSON, String) throws -> JSON
    let validate: @Sendable (Any, String) throws -> Any
}
