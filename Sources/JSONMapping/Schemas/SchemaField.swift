import JSONText

/// A field of a schema, without the type of its value.
public struct SchemaField<Root>: Sendable {
    /// The property's internal name.
    public var name: String { steps.name }

    /// The paths from which the property is read.
    public var paths: Paths { steps.paths }

    let steps: FieldSteps<Root>

    /// Creates a field from a `MappingField`.
    public init<Value>(_ field: MappingField<Root, Value>) {
        steps = FieldSteps(field)
    }

    init(_ steps: FieldSteps<Root>) { self.steps = steps }
}

/// The steps of a field. This type is a class so that iterating over the fields for each value is cheap.
final class FieldSteps<Root>: Sendable {
    let name: String
    let paths: Paths

    /// The name of the only member that the field reads, or nil if it has several paths or a path of several names.
    let member: String?

    /// The fast path for a value of the expected type, or nil if there is none.
    let scalar: StoredScalar<Root>?

    let reach: PropertyReach

    /// Whether the field is required and its property is a constant, which only a `make` closure can set.
    let needsMake: Bool

    /// Whether the value in an archive goes through a conversion that needs the properties of instances.
    let isConverted: Bool

    /// The key paths that lead to the property, from the outermost to the innermost. Empty for a property that has only a name.
    let property: [any AnyKeyPathHolder]

    /// The key path of the property; nil for a property that has only a name.
    var path: AnyKeyPath? {
        property.dropFirst().reduce(property.first?.anyPath) { path, next in path?.appending(path: next.anyPath) }
    }

    /// The text of the first path, at which the property is written.
    let place: ByteText

    let read: @Sendable (FieldInput, ReadMode<Root>, MappingContext, inout IssueCollector) -> ReadValue
    let load: @Sendable (FieldInput, inout Root, ReadMode<Root>, MappingContext, inout IssueCollector) -> Void
    let assign: @Sendable (inout Root, ReadValue) -> Void
    let written: @Sendable (Root, FieldHooks?, MappingContext, inout IssueCollector) throws -> JSON?
    let isAbsent: @Sendable (Root) -> Bool
    let propertyJSON: @Sendable (Any, FieldHooks?, MappingContext) throws -> JSON?
    let archive: @Sendable (Root, inout KeyedEncodingContainer<NameKey>, MappingContext) throws -> Void
    let unarchive: @Sendable (ArchivedMembers, MappingContext) throws -> ReadValue
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?

    /// Returns the field with another member name. Nil if the field has an explicit path.
    let renamed: (@Sendable (String) -> FieldSteps<Root>)?

    init<Value>(_ field: MappingField<Root, Value>) {
        name = field.name
        paths = field.paths
        member = field.member
        scalar = field.scalar
        reach = field.property.reach
        if case .required = field.policy { needsMake = field.property.set == nil } else { needsMake = false }
        isConverted = field.conversion.archiving?.isConverted ?? false
        property = [field.property.keyPath].compactMap { $0 }
        place = ByteText(field.paths.all.first?.description ?? "")
        read = { field.read($0, $1, $2, &$3) }
        load = { field.load($0, into: &$1, $2, $3, &$4) }
        assign = { field.assign(&$0, $1) }
        written = { try field.written($0, $1, $2, &$3) }
        isAbsent = { field.isAbsent(in: $0) }
        propertyJSON = { try field.json(ofProperty: $0, $1, $2) }
        archive = { try field.archive($0, &$1, $2) }
        unarchive = { try field.unarchive($0, $1) }
        snapshot = field.property.snapshot
        if field.hasStatedPaths {
            renamed = nil
        } else {
            renamed = { name in FieldSteps<Root>(field.reading(MappingPath(segments: [name]))) }
        }
    }

    /// Creates the steps of a whole from the steps of its part.
    init<Part>(
        _ part: FieldSteps<Part>, at path: (any AnyKeyPathHolder)? = nil, reach: PropertyReach, get: @escaping @Sendable (Root) -> Part,
        change: @escaping @Sendable (inout Root, (inout Part) -> Void) -> Void
    ) {
        name = part.name
        paths = part.paths
        member = part.member
        scalar = nil
        self.reach = part.reach.through(reach)
        needsMake = part.needsMake
        isConverted = part.isConverted
        property = [path].compactMap { $0 } + part.property
        place = part.place
        read = { part.read($0, $1.map(get), $2, &$3) }
        load = { input, root, mode, context, issues in
            var collected = IssueCollector()
            change(&root) { part.load(input, &$0, mode.map(get), context, &collected) }
            issues.add(collected.issues)
        }
        assign = { root, value in change(&root) { part.assign(&$0, value) } }
        written = { try part.written(get($0), $1, $2, &$3) }
        isAbsent = { part.isAbsent(get($0)) }
        propertyJSON = part.propertyJSON
        archive = { try part.archive(get($0), &$1, $2) }
        unarchive = part.unarchive
        snapshot = { root in part.snapshot(get(root)).map { restore in { root in change(&root, restore) } } }
        if let inner = part.renamed {
            renamed = { name in FieldSteps<Root>(inner(name), at: path, reach: reach, get: get, change: change) }
        } else {
            renamed = nil
        }
    }
}

/// The input of a field.
struct FieldInput {
    let object: JSONObject

    /// The value of the field's only member, or nil if the member is missing or the field has no single member.
    let json: JSON?
}

/// The result of reading a field.
enum ReadValue {
    /// The property keeps its value.
    case leave
    case clear
    /// The property becomes an explicit null.
    case null
    case value(Any)
}

/// The options for reading the fields of a value.
struct ReadMode<Root> {
    /// Whether missing members are allowed even if they are required.
    var isPartial = false

    /// The codec's steps for fields.
    var hooks: FieldHooks?

    /// The value to which the JSON is applied, or nil when a new one is created.
    var existing: Root?

    func map<Other>(_ transform: (Root) -> Other) -> ReadMode<Other> {
        ReadMode<Other>(isPartial: isPartial, hooks: hooks, existing: existing.map(transform))
    }
}

/// A codec's steps for fields, each with the field's name as its last argument.
struct FieldHooks: Sendable {
    let transform: @Sendable (JSON, String) throws -> JSON
    let transformBack: @Sendable (JSON, String) throws -> JSON
    let validate: @Sendable (Any, String) throws -> Any
}
