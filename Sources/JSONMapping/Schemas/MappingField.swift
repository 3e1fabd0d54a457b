import JSONText

/// Maps a property of a type to the members from which it is read.
///
/// ```swift
/// MappingField(\.userID, from: "user_id", .required, .lenientInt)
/// MappingField(\.title, "title")                                        // the same name on both sides, the type's conversion
/// MappingField(\.name, "name", from: ["name", "login"], .default("?"))  // the first path whose value converts
/// MappingField(\.age, "age").checked(.atLeast(0)).validated { age, user in … }
/// ```
///
/// Decoding applies, in this order: the paths, the conversion, the policy for an empty value, the constraint, and the hook. A property of
/// a non-optional type is required by default. An optional property is optional by default.
public struct MappingField<Root, Value>: Sendable {
    /// The property's internal name, for archives, error trees and overriding fields. It defaults to the first path.
    public let name: String

    /// The paths from which the property is read. The first path whose value converts is used. The property is written to the first path.
    public private(set) var paths: Paths

    /// What happens when the value is empty.
    public let policy: Policy<Value>

    let conversion: Conversion<JSON, Value>
    let property: PropertyAccess<Root, Value>
    var constraint: Constraint<Value>?
    var hook: (@Sendable (Value, Root?) throws -> Value)?
    /// Whether an explicit null is kept, regardless of the policy.
    private(set) var keepsNull = false

    /// The name of the only member that the field reads, or nil if it has several paths or a path of several names.
    private(set) var member: String?

    /// Whether the paths were given explicitly, so that a key strategy does not change them.
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

    /// The fast path for the field, or nil if the conversion or the property has none, or if a constraint or a hook checks the value.
    var scalar: StoredScalar<Root>? {
        guard constraint == nil, hook == nil, !keepsNull, let preset = conversion.preset, let path = property.inlinePath else {
            return nil
        }
        return StoredScalar(preset, path)
    }

    /// Returns the field with another path.
    func reading(_ path: MappingPath) -> MappingField {
        var field = self
        field.paths = Paths(path)
        field.member = Self.member(of: field.paths)
        return field
    }

    /// Returns a field that keeps an explicit null. It reads and writes null regardless of the policy. The policy still applies to a
    /// missing member, and a constraint such as `exists` still rejects null.
    ///
    /// ```swift
    /// MappingField("subtitle", .omit, .string).keepingNull()    // {"subtitle": null} and {} are both kept
    /// ```
    ///
    /// Only a property that distinguishes null from absent can keep a null: a property of a `DynamicObject`, or a `Presence`. In an
    /// optional property, null and absent are both nil. For a non-optional property, the policy applies.
    public func keepingNull() -> MappingField {
        var field = self
        field.keepsNull = true
        return field
    }

    /// Returns the field with an additional constraint on the converted value.
    public func checked(_ constraint: Constraint<Value>) -> MappingField {
        var field = self
        field.constraint = self.constraint.map { .all($0, constraint) } ?? constraint
        return field
    }

    /// Returns the field with a hook that accepts, replaces or, by throwing, rejects a value that meets the constraint.
    ///
    /// The hook receives the existing value when JSON is applied to one, and otherwise nil. It runs after the constraint and before the
    /// property is set. If you add several hooks, each one receives the result of the previous one.
    public func validated(_ hook: @escaping @Sendable (Value, Root?) throws -> Value) -> MappingField {
        var field = self
        let earlier = self.hook
        field.hook = { value, root in try hook(earlier.map { try $0(value, root) } ?? value, root) }
        return field
    }
}

// MARK: - Properties with a value

extension MappingField {
    /// Creates a field of a property that always has a value.
    public init(
        _ property: KeyPath<Root, Value> & Sendable, _ name: String? = nil, from paths: Paths, _ policy: Policy<Value>,
        _ conversion: Conversion<JSON, Value>
    ) {
        self.init(.always(property), name, paths, policy, conversion)
    }

    /// Creates a field of a property that always has a value. It is required.
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
    /// Creates a field of an optional property.
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

// MARK: - Properties that distinguish absent from null

extension MappingField {
    /// Creates a field of a property that distinguishes absent from null. With the policy `.optional`, null is written, and absent is not.
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
    /// Creates a field of a type that exists only as data.
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
