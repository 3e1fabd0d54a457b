import JSONText

/// How the properties of a type and the members of a JSON object belong together.
///
/// ```swift
/// struct User {
///     var id = 0
///     var name = ""
///     var website: URL?
///
///     static let schema = MappingSchema(creating: User()) {
///         MappingField(\.id, from: "user_id", .required, .lenientInt)
///         MappingField(\.name, "name")
///         MappingField(\.website, "website")
///     }
/// }
/// let user = try User.schema.decode(json)      // every problem at once, as a ValidationError
/// try User.schema.apply(changes, to: &user)    // all or nothing
/// let json = try User.schema.encode(user)
/// ```
///
/// Reading validates everything before anything is made or assigned. A schema is a value: change a copy to change its behaviour.
public struct MappingSchema<Root>: Sendable {
    /// The name that stands over the problems of a value.
    public var name: String

    /// The fields, in the order in which they are read and written.
    public internal(set) var fields: [SchemaField<Root>] {
        didSet {
            memberNames = Self.memberNames(of: fields)
            sharesPlaces = FieldConflicts.sharePlaces(fields)
            isInline = hasInlineParts
        }
    }

    /// What becomes of members that no field names.
    public var unknownMembers: UnknownMembers<Root> = .drop {
        didSet { isInline = hasInlineParts }
    }

    /// The paths that are written, when not all are; unknown ones do not matter.
    public var representedPaths: [String]?

    /// Called with each value that was read or changed; may change it further, or refuse it by throwing.
    ///
    /// What it changes in an instance of a class, or in one that the value refers to, has to be a field or to be named by
    /// `restoring(_:)`: otherwise validation, and applying what is then refused, leaves that change behind.
    public var finish: (@Sendable (inout Root) throws -> Void)?

    /// Where values come from, when it is not an initialiser of their own.
    let prototype: (@Sendable () -> Root)?

    let make: @Sendable (SchemaValues<Root>) throws -> Root?

    /// Where the fields of a key path are; empty without an initialiser, which alone asks for it.
    let fieldPositions: KeyPathPositions

    /// The names that paths begin with: an object, because its names are compared by bytes.
    private(set) var memberNames: JSONObject

    /// Whether setting the properties changes the value alone, and no object that others may refer to.
    private(set) var isInline: Bool

    /// Whether one field is written at the place of another, or below it.
    private(set) var sharesPlaces: Bool

    /// Why the schema cannot be used: two of its fields have one name. Every use throws it.
    let conflict: MappingIssue?

    /// What brings back properties that are no fields.
    private(set) var otherSnapshots: [@Sendable (Root) -> ((inout Root) -> Void)?] = [] {
        didSet { isInline = hasInlineParts }
    }

    /// The schemas that nested objects look for.
    var schemas: SchemaSet?

    /// What does the steps in the schema's place.
    private(set) var codec: (any SchemaCodec<Root>)?

    /// What the codec says about each field.
    private(set) var hooks: FieldHooks?

    /// A schema whose values start as a copy of a prototype.
    ///
    /// The expression is evaluated for each value: `creating: User()` makes an instance of a class each time.
    public init(
        _ name: String = "\(Root.self)", creating prototype: @autoclosure @escaping @Sendable () -> Root,
        @SchemaBuilder<Root> _ fields: () -> [SchemaField<Root>]
    ) {
        self.init(name, fields(), prototype: prototype) { _ in prototype() }
    }

    /// A schema whose values a closure makes.
    ///
    /// ```swift
    /// MappingSchema { MappingField(\.id, "id") } make: { values in try Account(id: values[\.id]) }
    /// ```
    ///
    /// It is called when all fields are fine, and gets their values and the object itself. It may answer an instance that exists already;
    /// the fields are then assigned to it. Nil is `initializationFailed`.
    public init(
        _ name: String = "\(Root.self)", @SchemaBuilder<Root> _ fields: () -> [SchemaField<Root>],
        make: @escaping @Sendable (SchemaValues<Root>) throws -> Root?
    ) {
        self.init(name, fields: fields(), make: make)
    }

    /// A schema of a list of fields.
    ///
    /// Of several with one name the last one counts, at the place of the first: so a field replaces an inherited one. Two different
    /// properties of one type cannot have one name: every use of the schema then throws `nameConflict`.
    public init(
        _ name: String = "\(Root.self)", fields: [SchemaField<Root>], make: @escaping @Sendable (SchemaValues<Root>) throws -> Root?
    ) {
        self.init(name, fields, prototype: nil, make: make)
    }

    private init(
        _ name: String, _ fields: [SchemaField<Root>], prototype: (@Sendable () -> Root)?,
        make: @escaping @Sendable (SchemaValues<Root>) throws -> Root?
    ) {
        let (fields, conflict) = FieldConflicts.resolved(fields)
        self.conflict = conflict
        self.name = name
        self.fields = fields
        self.prototype = prototype
        self.make = make
        fieldPositions = prototype == nil ? KeyPathPositions(fields.map { $0.steps.keyPath?.anyPath }) : KeyPathPositions([])
        memberNames = Self.memberNames(of: fields)
        sharesPlaces = FieldConflicts.sharePlaces(fields)
        isInline = fields.allSatisfy(\.steps.isInline)
    }

    private var hasInlineParts: Bool {
        fields.allSatisfy(\.steps.isInline) && unknownMembers.snapshot == nil && otherSnapshots.isEmpty
    }

    /// What brings back the present state of everything that a run may change.
    func restoring(_ root: Root) -> [(inout Root) -> Void] {
        let others = [unknownMembers.snapshot].compactMap { $0 } + otherSnapshots
        return fields.compactMap { $0.steps.snapshot(root) } + others.compactMap { $0(root) }
    }

    private static func memberNames(of fields: [SchemaField<Root>]) -> JSONObject {
        var names = JSONObject()
        for path in fields.flatMap(\.paths.all) where !names.contains(name: path.root) { names.append(name: path.root, value: .null) }
        return names
    }

    // MARK: - Changing

    /// The schema that writes only those paths.
    public func representing(_ paths: String...) -> MappingSchema {
        var schema = self
        schema.representedPaths = paths
        return schema
    }

    /// The schema with a last word on each value: see `finish`.
    public func finishing(_ finish: @escaping @Sendable (inout Root) throws -> Void) -> MappingSchema {
        var schema = self
        schema.finish = finish
        return schema
    }

    /// The schema that brings back one property more when JSON is validated, or is refused after it was applied.
    ///
    /// ```swift
    /// MappingSchema(creating: Account()) { MappingField(\.id, "id") }
    ///     .restoring(\.lastChange)
    ///     .finishing { account in
    ///         account.lastChange = .now
    ///         guard account.isOpen else { throw ClosedAccount() }
    ///     }
    /// ```
    ///
    /// For instances of classes. Fields, and the property that keeps unknown members, are brought back anyway; name here what `finish`, a
    /// handler of unknown members or a codec changes besides. A struct needs nothing: it is changed as a copy.
    public func restoring<Value>(_ property: WritableKeyPath<Root, Value> & Sendable) -> MappingSchema {
        var schema = self
        schema.otherSnapshots.append(KeyPathHolder(path: property).snapshot)
        return schema
    }

    /// The schema with another treatment of members that no field names.
    public func unknownMembers(_ unknownMembers: UnknownMembers<Root>) -> MappingSchema {
        var schema = self
        schema.unknownMembers = unknownMembers
        return schema
    }

    /// The schema with other names of members, for the fields that state no path of their own; nested objects keep theirs.
    public func keys(_ strategy: KeyStrategy) -> MappingSchema {
        var schema = self
        schema.fields = fields.map { field in
            field.steps.renamed.map { SchemaField($0(strategy.memberName(field.name))) } ?? field
        }
        return schema
    }

    /// The schema with a codec that may do each step in its own way.
    public func coded(by codec: some SchemaCodec<Root>) -> MappingSchema {
        var schema = self
        schema.codec = codec
        schema.hooks = FieldHooks(
            transform: { try codec.transform($0, ofField: $1) }, transformBack: { try codec.transformBack($0, ofField: $1) },
            validate: { try codec.validate($0, ofField: $1) })
        return schema
    }

    /// The schema with what another type's codec says about fields.
    func hooked(by hooks: FieldHooks?) -> MappingSchema {
        var schema = self
        schema.hooks = hooks
        return schema
    }
}

extension MappingSchema where Root == DynamicObject {
    /// A schema of a type that exists only as data.
    public init(_ name: String, @SchemaBuilder<DynamicObject> _ fields: () -> [SchemaField<DynamicObject>]) {
        self.init(name, creating: DynamicObject(), fields)
    }
}

/// Collects the fields of a schema; a schema's fields may be taken over with `MappingSchema.inherited`.
@resultBuilder public struct SchemaBuilder<Root> {
    /// One field.
    public static func buildExpression<Value>(_ field: MappingField<Root, Value>) -> [SchemaField<Root>] { [SchemaField(field)] }
    /// The fields of another schema.
    public static func buildExpression(_ fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// All of them, in order.
    public static func buildBlock(_ fields: [SchemaField<Root>]...) -> [SchemaField<Root>] { fields.flatMap { $0 } }
    /// Those of an `if` that holds.
    public static func buildOptional(_ fields: [SchemaField<Root>]?) -> [SchemaField<Root>] { fields ?? [] }
    /// Those of the first branch.
    public static func buildEither(first fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// Those of the second branch.
    public static func buildEither(second fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// Those of each round of a loop.
    public static func buildArray(_ fields: [[SchemaField<Root>]]) -> [SchemaField<Root>] { fields.flatMap { $0 } }
}

// MARK: - Inheritance

extension MappingSchema {
    /// The fields as those of a subclass: put them first into its schema; a field of the same name replaces an inherited one.
    ///
    /// ```swift
    /// static let adminSchema = MappingSchema(creating: Admin()) {
    ///     User.schema.inherited { $0 }
    ///     MappingField(\.level, "level")
    /// }
    /// ```
    public func inherited<Child>(as parent: @escaping @Sendable (Child) -> Root) -> [SchemaField<Child>] where Root: AnyObject {
        fields.map { field in
            SchemaField(
                FieldSteps(field.steps, isInline: false, get: parent) { child, body in
                    var instance = parent(child)
                    body(&instance)
                })
        }
    }

    /// The fields as those of a value that contains one of this type.
    public func inherited<Whole>(at part: WritableKeyPath<Whole, Root> & Sendable) -> [SchemaField<Whole>] {
        let isInline = !(part is ReferenceWritableKeyPath<Whole, Root>)
        let holder = KeyPathHolder(path: part)
        return fields.map { field in
            SchemaField(
                FieldSteps(field.steps, at: holder, isInline: isInline, get: { $0[keyPath: part] }) { whole, body in
                    body(&whole[keyPath: part])
                })
        }
    }
}

/// What becomes of members that no field names.
public struct UnknownMembers<Root>: Sendable {
    let read: (@Sendable (inout Root, JSONObject) throws -> Void)?
    let write: (@Sendable (Root) -> JSONObject)?
    /// What brings back the property that keeps them, where it is one of an object that others may refer to.
    var snapshot: (@Sendable (Root) -> ((inout Root) -> Void)?)?

    /// They are dropped.
    public static var drop: Self { Self(read: nil, write: nil) }

    /// They are kept in a property, and written again.
    ///
    /// They are members of the object itself: what stands beside `a` in the member `x` of a field at `x.a` is not kept.
    public static func keep(in property: WritableKeyPath<Root, JSONObject> & Sendable) -> Self {
        let holder = KeyPathHolder(path: property)
        return Self(
            read: { $0[keyPath: property] = $1 }, write: { $0[keyPath: property] }, snapshot: holder.isInline ? nil : holder.snapshot)
    }

    /// A closure gets them, after all fields were assigned, and may refuse them by throwing.
    ///
    /// For what it changes in an instance of a class see `MappingSchema.restoring(_:)`.
    public static func handle(_ handler: @escaping @Sendable (inout Root, JSONObject) throws -> Void) -> Self {
        Self(read: handler, write: nil)
    }
}

extension UnknownMembers where Root == DynamicObject {
    /// They are kept in `unmapped`, and written again.
    public static var keep: Self { .keep(in: \.unmapped) }
}

/// What the initialiser of a schema gets: the object, and what its fields made of it.
public struct SchemaValues<Root> {
    /// The members as they came; empty when an archive is read.
    public let json: JSONObject

    let positions: KeyPathPositions
    let values: [ReadValue]

    /// The value for a property. Throws `required` when there is none.
    public subscript<Value>(property: KeyPath<Root, Value>) -> Value {
        get throws {
            for position in positions[property] {
                if case .value(let value) = values[position], let value = value as? Value { return value }
            }
            throw MappingIssue(
                .required, expected: "a value for the initialiser", found: "nothing",
                advice: "declare a field of that property, and require it")
        }
    }

    /// The value for an optional property.
    public subscript<Value>(property: KeyPath<Root, Value?>) -> Value? {
        for position in positions[property] {
            if case .value(let value) = values[position] { return value as? Value }
        }
        return nil
    }
}

/// At which positions the fields of a key path are.
///
/// `@unchecked Sendable`: the key paths of fields are `Sendable` where they come from, which their common type cannot say.
struct KeyPathPositions: @unchecked Sendable {
    private let positions: [AnyKeyPath: [Int]]

    init(_ paths: [AnyKeyPath?]) {
        var positions: [AnyKeyPath: [Int]] = [:]
        for (position, path) in paths.enumerated() {
            if let path { positions[path, default: []].append(position) }
        }
        self.positions = positions
    }

    subscript(path: AnyKeyPath) -> [Int] { positions[path] ?? [] }
}
