import JSONText

/// Maps the properties of a type to the members of a JSON object.
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
/// var user = try User.schema.decode(json)                         // every problem at once, as a ValidationError
/// try User.schema.apply(changes, to: &user, isPartial: true)      // all or nothing; fields that `changes` lacks stay
/// let written = try User.schema.encode(user)
/// ```
///
/// Reading reports all problems at once, and never leaves a value half changed. A schema is a value type. To change its behavior, change a
/// copy.
public struct MappingSchema<Root>: Sendable {
    /// The name for the first line of error messages. It defaults to the name of the type.
    public var name: String

    /// The fields, in the order in which they are read and written.
    public internal(set) var fields: [SchemaField<Root>] {
        didSet {
            memberNames = Self.memberNames(of: fields)
            sharesPlaces = FieldConflicts.sharePlaces(fields)
            reach = reachOfParts
        }
    }

    /// What happens to members that no field names. The default is `drop`.
    public var unknownMembers: UnknownMembers<Root> = .drop {
        didSet { reach = reachOfParts }
    }

    /// The paths to write, or nil to write all fields. Unknown paths are ignored. Archives and stores have all fields that can be written;
    /// documents of what was read from them do not, except in resources that a property has as `ResourceObject`.
    public var representedPaths: [String]?

    /// A closure that is called with each value that was read or changed. It can change the value, or reject it by throwing.
    ///
    /// If the closure changes a property of a class instance, the property must be a field or be named with `restoring(_:)`. Otherwise
    /// the change remains after a validation, and after applying JSON that is rejected.
    public var finish: (@Sendable (inout Root) throws -> Void)?

    /// Creates the value that decoding starts with, or nil if the schema has a `make` closure.
    let prototype: (@Sendable () -> Root)?

    let make: @Sendable (SchemaValues<Root>) throws -> Root?

    /// The positions of the fields by key path. Empty unless the schema has a `make` closure, which is the only user.
    let fieldPositions: KeyPathPositions

    /// The names that paths begin with, in a `JSONObject` because it compares names by bytes.
    package private(set) var memberNames: JSONObject

    /// What setting the properties can change.
    private(set) var reach = PropertyReach.value

    /// Whether a field is written at the place of another field, or below it.
    private(set) var sharesPlaces: Bool

    /// The issue of two fields with the same name. Every use of the schema throws it.
    private(set) var conflict: MappingIssue?

    /// The issue of a constant that decoding cannot set. Decoding throws it.
    let constantIssue: MappingIssue?

    /// Snapshots of properties that are not fields.
    private(set) var otherSnapshots: [@Sendable (Root) -> ((inout Root) -> Void)?] = [] {
        didSet { reach = reachOfParts }
    }

    /// The set in which nested objects look up their schemas.
    var schemas: SchemaSet?

    /// The codec that customizes the schema's steps.
    private(set) var codec: (any SchemaCodec<Root>)?

    /// The codec's steps for fields.
    private(set) var hooks: FieldHooks?

    /// The codec's step that sets the property of a field, given its name, the value, and a closure that sets the property.
    private(set) var assigning: (@Sendable (String, inout Root, (inout Root) -> Void) -> Void)?

    /// Creates a schema whose values start from a prototype.
    ///
    /// The expression is evaluated for each value: `creating: User()` creates a new instance of a class each time. If it creates a structure,
    /// an object that its computed properties change must be new, too: a decoding that fails does not restore it.
    ///
    /// The property of a required field must be a variable. With a constant, decoding throws `initializationFailed`: use
    /// `make:` instead. A constant with another policy is only written.
    public init(
        _ name: String = "\(Root.self)", creating prototype: @autoclosure @escaping @Sendable () -> Root,
        @SchemaBuilder<Root> _ fields: () -> [SchemaField<Root>]
    ) {
        self.init(name, fields(), prototype: prototype) { _ in prototype() }
    }

    /// Creates a schema whose values a closure creates.
    ///
    /// ```swift
    /// MappingSchema { MappingField(\.id, "id") } make: { values in try Account(id: values[\.id]) }
    /// ```
    ///
    /// The closure is called once all fields are valid, with their values and the JSON object. It can return an existing instance, whose
    /// properties are then set. If it returns nil, the issue is `initializationFailed`.
    public init(
        _ name: String = "\(Root.self)", @SchemaBuilder<Root> _ fields: () -> [SchemaField<Root>],
        make: @escaping @Sendable (SchemaValues<Root>) throws -> Root?
    ) {
        self.init(name, fields: fields(), make: make)
    }

    /// Creates a schema from an array of fields.
    ///
    /// If several fields have the same name, the last one takes the position of the first. A field can therefore replace an inherited one.
    /// Two different properties of a type cannot have the same name: every use of the schema then throws `nameConflict`.
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
        constantIssue = prototype == nil ? nil : FieldConflicts.constantIssue(fields)
        self.name = name
        self.fields = fields
        self.prototype = prototype
        self.make = make
        fieldPositions = prototype == nil ? KeyPathPositions(fields.map(\.steps.path)) : KeyPathPositions([])
        memberNames = Self.memberNames(of: fields)
        sharesPlaces = FieldConflicts.sharePlaces(fields)
        reach = reachOfParts
    }

    private var reachOfParts: PropertyReach {
        fields.reduce(otherSnapshots.isEmpty ? unknownMembers.reach : .object) { $0.through($1.steps.reach) }
    }

    /// Returns closures that restore everything that a run can change outside of the value itself to its present state.
    func restoring(_ root: Root) -> [(inout Root) -> Void] {
        let others = [unknownMembers.snapshot].compactMap { $0 } + otherSnapshots
        return fields.filter { $0.steps.reach != .value }.compactMap { $0.steps.snapshot(root) } + others.compactMap { $0(root) }
    }

    private static func memberNames(of fields: [SchemaField<Root>]) -> JSONObject {
        var names = JSONObject()
        for name in fields.flatMap(\.paths.all).compactMap(\.root) where !names.contains(name: name) {
            names.append(name: name, value: .null)
        }
        return names
    }

    // MARK: - Changing

    /// Returns the schema with the given paths as `representedPaths`.
    public func representing(_ paths: String...) -> MappingSchema {
        changed { $0.representedPaths = paths }
    }

    /// Returns the schema with the given closure as `finish`.
    public func finishing(_ finish: @escaping @Sendable (inout Root) throws -> Void) -> MappingSchema {
        changed { $0.finish = finish }
    }

    /// Returns a schema that also restores the given property after a validation, and after applying JSON that is rejected.
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
    /// Use it for classes. Fields, and the property that keeps unknown members, are always restored. Name the other properties that
    /// `finish`, a handler of unknown members or a codec changes. A struct does not need it, because a copy is changed. Restoring a property
    /// sets it, which calls its observers.
    public func restoring<Value>(_ property: WritableKeyPath<Root, Value> & Sendable) -> MappingSchema {
        changed { $0.otherSnapshots.append(KeyPathHolder(path: property).snapshot) }
    }

    /// Returns the schema with another value of `unknownMembers`.
    public func unknownMembers(_ unknownMembers: UnknownMembers<Root>) -> MappingSchema {
        changed { $0.unknownMembers = unknownMembers }
    }

    /// Returns the schema with converted member names. The strategy applies to fields without an explicit path, but not to nested objects.
    /// `representedPaths` then contains the new names of the same fields.
    public func keys(_ strategy: KeyStrategy) -> MappingSchema {
        changed { schema in
            schema.fields = fields.map { field in
                field.steps.renamed.map { SchemaField($0(strategy.memberName(field.name))) } ?? field
            }
            guard let paths = representedPaths else { return }
            var places: [ByteText: [String]] = [:]
            for (old, new) in zip(fields, schema.fields) { places[old.steps.place, default: []].append(new.steps.place.text) }
            schema.representedPaths = paths.flatMap { places[ByteText($0)] ?? [$0] }
        }
    }

    /// Returns the schema with a codec that can customize each step.
    public func coded(by codec: some SchemaCodec<Root>) -> MappingSchema {
        changed { schema in
            schema.codec = codec
            schema.hooks = FieldHooks(
                transform: { try codec.transform($0, ofField: $1) }, transformBack: { try codec.transformBack($0, ofField: $1) },
                validate: { try codec.validate($0, ofField: $1) })
            schema.assigning = { name, root, assign in codec.assign(name, of: &root, assign) }
        }
    }

    /// Returns the schema, every use of which throws an error.
    func conflicting(_ error: any Error) -> MappingSchema {
        let issue = MappingIssue(.unresolvedReference, expected: "a schema for \(Root.self)", found: "none")
        return changed { $0.conflict = error as? MappingIssue ?? issue }
    }

    /// Returns the schema with the field steps of the codec of a superclass.
    func hooked<Parent: AnyObject>(
        by parent: MappingSchema<Parent>, as parentOf: @escaping @Sendable (Root) -> Parent
    ) -> MappingSchema {
        changed { schema in
            schema.hooks = parent.hooks
            guard let assigning = parent.assigning else { return }
            schema.assigning = { name, child, assign in
                var instance = parentOf(child)
                assigning(name, &instance) { _ in assign(&child) }
            }
        }
    }

    private func changed(_ change: (inout MappingSchema) -> Void) -> MappingSchema {
        var schema = self
        change(&schema)
        return schema
    }
}

extension MappingSchema where Root == DynamicObject {
    /// Creates a schema of a type that exists only as data.
    public init(_ name: String, @SchemaBuilder<DynamicObject> _ fields: () -> [SchemaField<DynamicObject>]) {
        self.init(name, creating: DynamicObject(), fields)
    }
}

/// A result builder for the fields of a schema. To include the fields of another schema, use `MappingSchema.inherited`.
@resultBuilder public struct SchemaBuilder<Root> {
    /// Adds a field.
    public static func buildExpression<Value>(_ field: MappingField<Root, Value>) -> [SchemaField<Root>] { [SchemaField(field)] }
    /// Adds the fields of another schema.
    public static func buildExpression(_ fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// Joins the fields of a block.
    public static func buildBlock(_ fields: [SchemaField<Root>]...) -> [SchemaField<Root>] { fields.flatMap { $0 } }
    /// Adds the fields of an `if` whose condition is true.
    public static func buildOptional(_ fields: [SchemaField<Root>]?) -> [SchemaField<Root>] { fields ?? [] }
    /// Adds the fields of the first branch.
    public static func buildEither(first fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// Adds the fields of the second branch.
    public static func buildEither(second fields: [SchemaField<Root>]) -> [SchemaField<Root>] { fields }
    /// Joins the fields of all iterations of a loop.
    public static func buildArray(_ fields: [[SchemaField<Root>]]) -> [SchemaField<Root>] { fields.flatMap { $0 } }
}

// MARK: - Inheritance

extension MappingSchema {
    /// Returns the fields for the schema of a subclass. Put them first. A later field with the same name replaces an inherited one.
    ///
    /// ```swift
    /// static let adminSchema = MappingSchema(creating: Admin()) {
    ///     User.schema.inherited { $0 }
    ///     MappingField(\.level, "level")
    /// }
    /// ```
    ///
    /// The fields keep the key paths of this type. A `make` closure reads their values with `values[inherited: \User.id]`. To name a
    /// property with `\Admin.id`, for example in a patch, declare its field again in the schema of the subclass.
    public func inherited<Child>(as parent: @escaping @Sendable (Child) -> Root) -> [SchemaField<Child>] where Root: AnyObject {
        fields.map { field in
            SchemaField(
                FieldSteps(field.steps, reach: .object, get: parent) { child, body in
                    var instance = parent(child)
                    body(&instance)
                })
        }
    }

    /// Returns the fields for the schema of a type that contains a value of this type. Their key paths begin with `part`: `\.part.id`.
    public func inherited<Whole>(at part: WritableKeyPath<Whole, Root> & Sendable) -> [SchemaField<Whole>] {
        let holder = KeyPathHolder(path: part)
        return fields.map { field in
            SchemaField(
                FieldSteps(field.steps, at: holder, reach: holder.reach, get: { $0[keyPath: part] }) { whole, body in
                    body(&whole[keyPath: part])
                })
        }
    }
}

/// What happens to members that no field names.
public struct UnknownMembers<Root>: Sendable {
    let read: (@Sendable (inout Root, JSONObject) throws -> Void)?
    let write: (@Sendable (Root) -> JSONObject)?
    /// Restores the property that keeps the members, if it belongs to an object that may be shared.
    var snapshot: (@Sendable (Root) -> ((inout Root) -> Void)?)?
    /// What setting this property can change.
    var reach = PropertyReach.value
    /// Adds members to those that an existing value keeps.
    var merge: (@Sendable (inout Root, JSONObject) -> Void)?

    /// Drops the members.
    public static var drop: Self { Self(read: nil, write: nil) }

    /// Keeps the members in a property, and writes them back.
    ///
    /// Only members of the object itself are kept. If a field has the path `x.a`, the other members of `x` are not kept. When JSON is applied
    /// to an existing value, its members replace those with the same names, and the others stay.
    public static func keep(in property: WritableKeyPath<Root, JSONObject> & Sendable) -> Self {
        let holder = KeyPathHolder(path: property)
        return Self(
            read: { $0[keyPath: property] = $1 }, write: { $0[keyPath: property] },
            snapshot: holder.reach == .value ? nil : holder.snapshot, reach: holder.reach,
            merge: { root, members in
                var kept = root[keyPath: property]
                for member in members { kept[member.name] = member.value }
                root[keyPath: property] = kept
            })
    }

    /// Passes the members to a closure once all properties are set. The closure can reject them by throwing.
    ///
    /// If the closure changes an instance of a class, see `MappingSchema.restoring(_:)`.
    public static func handle(_ handler: @escaping @Sendable (inout Root, JSONObject) throws -> Void) -> Self {
        Self(read: handler, write: nil)
    }
}

extension UnknownMembers where Root == DynamicObject {
    /// Keeps the members in `unmapped`, and writes them back.
    public static var keep: Self { .keep(in: \.unmapped) }
}

/// The input of a schema's `make` closure: the JSON object, and the values of the fields.
public struct SchemaValues<Root> {
    /// The JSON object, which is empty when an archive is read. A closure that creates instances of several classes must therefore choose the
    /// class by the values of fields.
    public let json: JSONObject

    let positions: KeyPathPositions
    let values: [ReadValue]

    /// The value for a property. Throws `required` if there is none.
    public subscript<Value>(property: KeyPath<Root, Value>) -> Value { get throws { try required(property) } }

    /// The value for an optional property, or nil if there is none.
    public subscript<Value>(property: KeyPath<Root, Value?>) -> Value? { optional(property) }

    /// The state of a property that distinguishes absent from null.
    public subscript<Value>(property: KeyPath<Root, Presence<Value>>) -> Presence<Value> { presence(property) }

    /// The value for a property of a superclass, whose field is `inherited`. Throws `required` if there is none.
    ///
    /// ```swift
    /// MappingSchema<Admin> {
    ///     User.schema.inherited { $0 }
    ///     MappingField(\.level, "level")
    /// } make: { values in
    ///     try Admin(id: values[inherited: \User.id], level: values[\.level])
    /// }
    /// ```
    ///
    /// `\Admin.id` is a different key path, although it leads to the same property.
    public subscript<Parent: AnyObject, Value>(inherited property: KeyPath<Parent, Value>) -> Value {
        get throws { try required(property) }
    }

    /// The value for an optional property of a superclass, or nil if there is none.
    public subscript<Parent: AnyObject, Value>(inherited property: KeyPath<Parent, Value?>) -> Value? { optional(property) }

    /// The state of a property of a superclass that distinguishes absent from null.
    public subscript<Parent: AnyObject, Value>(inherited property: KeyPath<Parent, Presence<Value>>) -> Presence<Value> {
        presence(property)
    }

    private func required<Value>(_ property: AnyKeyPath) throws -> Value {
        for position in positions[property] {
            if case .value(let value) = values[position], let value = value as? Value { return value }
        }
        throw MappingIssue(
            .required, expected: "a value for the initializer", found: "nothing",
            advice: "add a required field for this property, or use `values[inherited:]` for a property of a superclass")
    }

    private func optional<Value>(_ property: AnyKeyPath) -> Value? {
        for position in positions[property] {
            if case .value(let value) = values[position] { return value as? Value }
        }
        return nil
    }

    private func presence<Value>(_ property: AnyKeyPath) -> Presence<Value> {
        for position in positions[property] {
            switch values[position] {
            case .leave: continue
            case .clear, .null: return .null
            case .value(let value):
                // A conversion can also return the state itself.
                if let state = value as? Presence<Value> { return state }
                if let value = value as? Value { return .value(value) }
            }
        }
        return .absent
    }
}

/// The positions of the fields of each key path.
///
/// `@unchecked Sendable`: the initializers of fields require `Sendable` key paths. The type `AnyKeyPath` cannot express this.
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
