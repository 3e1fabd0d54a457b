import JSONText

/// One property of a type and the members it comes from.
///
/// ```swift
/// MappingField(\.userID, from: "user_id", .required, .lenientInt)
/// MappingField(\.title, "title")                                        // one name on both sides; the conversion follows from the type
/// MappingField(\.name, "name", from: ["name", "login"], .default("?"))  // the first that converts
/// MappingField(\.age, "age").checked(.atLeast(0)).validated { age, user in … }
/// ```
///
/// In decoding come, in this order: the paths, the conversion, the policy for an empty value, the constraint, the hook. A property of a
/// non-optional type is required unless a policy says otherwise; an optional one is optional.
public struct MappingField<Root, Value>: Sendable {
    /// The property's own name, used in archives, in error trees and for overriding; by default its first path.
    public let name: String

    /// Where it comes from: the first path that converts counts. Written to the first one.
    public private(set) var paths: Paths

    /// What happens where the value is empty.
    public let policy: Policy<Value>

    let conversion: Conversion<JSON, Value>
    let property: PropertyAccess<Root, Value>
    var constraint: Constraint<Value>?
    var hook: (@Sendable (Value, Root?) throws -> Value)?
    /// Whether a stated null is kept, whatever the policy says.
    private(set) var keepsNull = false

    /// The name of the only member it comes from; nil when there are several paths, or one of several names.
    private(set) var member: String?

    /// Whether the path is another than the name, so that a key strategy leaves it alone.
    let hasStatedPaths: Bool

    init(
        _ property: PropertyAccess<Root, Value>, _ name: String?, _ paths: Paths?, _ policy: Policy<Value>,
        _ conversion: Conversion<JSON, Value>
    ) {
        hasStatedPaths = paths != nil
        let paths = paths ?? Paths(MappingPath(segments: [name ?? ""]))
        self.name = name ?? paths.all.first?.description ?? ""
        self.paths = paths
        self.policy = policy
        self.property = property
        self.conversion = conversion
        member = Self.member(of: paths)
    }

    private static func member(of paths: Paths) -> String? {
        guard paths.all.count == 1, let path = paths.all.first, path.segments.count == 1 else { return nil }
        return path.segments.first
    }

    /// The short way to read and write it, where its conversion and its property have one and nobody judges the value.
    var scalar: StoredScalar<Root>? {
        guard constraint == nil, hook == nil, !keepsNull, let preset = conversion.preset, let path = property.inlinePath else {
            return nil
        }
        return StoredScalar(preset, path)
    }

    /// The field at another path.
    func reading(_ path: MappingPath) -> MappingField {
        var field = self
        field.paths = Paths(path)
        field.member = Self.member(of: field.paths)
        return field
    }

    /// The same field, but a null that is stated counts as a value: it is read as null and written back as null, whatever the policy says
    /// about empty values. A missing member is still left to the policy.
    ///
    /// ```swift
    /// MappingField("subtitle", .omit, .string).keepingNull()    // {"subtitle": null} stays, {} stays
    /// ```
    ///
    /// Only a property that tells null from absent gets its null back: one of a `DynamicObject`, or a `Presence`. For an optional null and
    /// absent are both nil, and a property that is no optional is left to the policy.
    public func keepingNull() -> MappingField {
        var field = self
        field.keepsNull = true
        return field
    }

    /// The field with a constraint more on the converted value.
    public func checked(_ constraint: Constraint<Value>) -> MappingField {
        var field = self
        field.constraint = self.constraint.map { .all($0, constraint) } ?? constraint
        return field
    }

    /// The field with a hook that accepts, replaces or (by throwing) refuses a value that meets the constraint.
    ///
    /// It gets the existing object when JSON is applied to one. It has the last word before anything is assigned; a later hook gets
    /// what an earlier one gave.
    public func validated(_ hook: @escaping @Sendable (Value, Root?) throws -> Value) -> MappingField {
        var field = self
        let earlier = self.hook
        field.hook = { value, root in try hook(earlier.map { try $0(value, root) } ?? value, root) }
        return field
    }
}

// MARK: - Properties with a value

extension MappingField {
    /// A field of a property that always has a value.
    public init(
        _ property: KeyPath<Root, Value> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value>,
        _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.always(property), name, paths, policy, conversion)
    }

    /// The same, required.
    public init(
        _ property: KeyPath<Root, Value> & Sendable, _ name: String? = nil, from paths: Paths, _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.always(property), name, paths, .required, conversion)
    }

    /// The same, converted as its type says.
    public init(
        _ property: KeyPath<Root, Value> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value> = .required
    ) where Value: JSONConvertible {
        self.init(.always(property), name, paths, policy, Value.conversion)
    }

    /// The same with one name on both sides.
    public init(
        _ property: KeyPath<Root, Value> & Sendable, _ name: String, _ policy: Policy<Value>, _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.always(property), name, nil, policy, conversion)
    }

    /// The same with one name on both sides, required.
    public init(_ property: KeyPath<Root, Value> & Sendable, _ name: String, _ conversion: Conversion<JSON, Value>) {
        self.init(.always(property), name, nil, .required, conversion)
    }

    /// The same with one name on both sides, converted as its type says.
    public init(_ property: KeyPath<Root, Value> & Sendable, _ name: String, _ policy: Policy<Value> = .required)
    where Value: JSONConvertible {
        self.init(.always(property), name, nil, policy, Value.conversion)
    }
}

// MARK: - Optional properties

extension MappingField {
    /// A field of an optional property.
    public init(
        _ property: KeyPath<Root, Value?> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value>,
        _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.optional(property), name, paths, policy, conversion)
    }

    /// The same, optional.
    public init(
        _ property: KeyPath<Root, Value?> & Sendable, _ name: String? = nil, from paths: Paths, _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.optional(property), name, paths, .optional, conversion)
    }

    /// The same, converted as its type says.
    public init(
        _ property: KeyPath<Root, Value?> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value> = .optional
    ) where Value: JSONConvertible {
        self.init(.optional(property), name, paths, policy, Value.conversion)
    }

    /// The same with one name on both sides.
    public init(
        _ property: KeyPath<Root, Value?> & Sendable, _ name: String, _ policy: Policy<Value>, _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.optional(property), name, nil, policy, conversion)
    }

    /// The same with one name on both sides, optional.
    public init(_ property: KeyPath<Root, Value?> & Sendable, _ name: String, _ conversion: Conversion<JSON, Value>) {
        self.init(.optional(property), name, nil, .optional, conversion)
    }

    /// The same with one name on both sides, converted as its type says.
    public init(_ property: KeyPath<Root, Value?> & Sendable, _ name: String, _ policy: Policy<Value> = .optional)
    where Value: JSONConvertible {
        self.init(.optional(property), name, nil, policy, Value.conversion)
    }
}

// MARK: - Properties that tell absent from null

extension MappingField {
    /// A field of a property that tells absent from null. Absent is not written, null is.
    public init(
        _ property: KeyPath<Root, Presence<Value>> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value>,
        _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.presence(property), name, paths, policy, conversion)
    }

    /// The same, optional.
    public init(
        _ property: KeyPath<Root, Presence<Value>> & Sendable, _ name: String? = nil, from paths: Paths,
        _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.presence(property), name, paths, .optional, conversion)
    }

    /// The same with one name on both sides, optional.
    public init(_ property: KeyPath<Root, Presence<Value>> & Sendable, _ name: String, _ conversion: Conversion<JSON, Value>) {
        self.init(.presence(property), name, nil, .optional, conversion)
    }

    /// The same, converted as its type says.
    public init(
        _ property: KeyPath<Root, Presence<Value>> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value> = .optional
    ) where Value: JSONConvertible {
        self.init(.presence(property), name, paths, policy, Value.conversion)
    }

    /// The same with one name on both sides, converted as its type says.
    public init(_ property: KeyPath<Root, Presence<Value>> & Sendable, _ name: String, _ policy: Policy<Value> = .optional)
    where Value: JSONConvertible {
        self.init(.presence(property), name, nil, policy, Value.conversion)
    }
}

// MARK: - Properties by name

extension MappingField where Root == DynamicObject, Value: Hashable & Sendable {
    /// A field of a type that exists only as data.
    public init(_ name: String, from paths: Paths, _ policy: Policy<Value>, _ conversion: Conversion<JSON, Value>) {
        self.init(.named(name), name, paths, policy, conversion)
    }

    /// The same, optional.
    public init(_ name: String, from paths: Paths, _ conversion: Conversion<JSON, Value>) {
        self.init(.named(name), name, paths, .optional, conversion)
    }

    /// The same with one name on both sides.
    public init(_ name: String, _ policy: Policy<Value>, _ conversion: Conversion<JSON, Value>) {
        self.init(.named(name), name, nil, policy, conversion)
    }

    /// The same with one name on both sides, optional.
    public init(_ name: String, _ conversion: Conversion<JSON, Value>) {
        self.init(.named(name), name, nil, .optional, conversion)
    }
}
