/// What setting a property can change.
enum PropertyReach: Int, Sendable {
    /// Only the value that has the property.
    case value
    /// Usually only the value, but the setter may change an object. A key path does not tell an observed property, or one with a wrapper, from
    /// a computed property or a requirement of a protocol.
    case setter
    /// An object, which may have other references.
    case object

    /// The reach of a property of a part.
    func through(_ outer: PropertyReach) -> PropertyReach { rawValue > outer.rawValue ? self : outer }
}

/// Reads and changes a property, however it is declared.
struct PropertyAccess<Root, Value>: Sendable {
    /// The key path that identifies the field.
    let keyPath: (any AnyKeyPathHolder)?
    let get: @Sendable (Root) -> Presence<Value>
    /// Nil for a constant.
    let set: (@Sendable (inout Root, Value) -> Void)?
    /// Nil if the property always has a value.
    let clear: (@Sendable (inout Root) -> Void)?
    /// Sets an explicit null. It differs from `clear` only if the property distinguishes null from absent.
    let setNull: (@Sendable (inout Root) -> Void)?
    /// Returns a closure that restores the present value of the property, or nil for a constant. If it is called again, it restores what the
    /// observers of other properties have changed.
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?
    let reach: PropertyReach
    /// The key path of a variable of the value itself. Nil for constants, and for properties of objects.
    var inlinePath: (any AnyKeyPathHolder)?
    /// Whether an absent value is written as null when the policy writes nil as null.
    var treatsAbsentAsNil = false
    /// Returns the issue of a value of another type than the field's. Nil for a property whose type Swift checks.
    var mismatch: (@Sendable (Root) -> MappingIssue?)?
}

/// A key path that is `Sendable`.
protocol AnyKeyPathHolder: Sendable {
    var anyPath: AnyKeyPath { get }
    /// The type at which the key path begins.
    var rootType: any Any.Type { get }
}

struct KeyPathHolder<Root, Value>: AnyKeyPathHolder {
    let path: KeyPath<Root, Value> & Sendable

    var anyPath: AnyKeyPath { path }
    var rootType: any Any.Type { Root.self }

    /// A closure that sets the property, or nil for a constant.
    var setter: (@Sendable (inout Root, Value) -> Void)? {
        guard let writable = SendableKeyPath(path) else { return nil }
        return { root, value in root[keyPath: writable.path] = value }
    }

    var reach: PropertyReach {
        guard path is WritableKeyPath<Root, Value> else { return .value }
        if path is ReferenceWritableKeyPath<Root, Value> || Root.self is AnyObject.Type { return .object }
        return MemoryLayout<Root>.offset(of: path) == nil ? .setter : .value
    }

    /// The holder itself if the property is a variable of the value itself.
    var inline: Self? { reach != .object && path is WritableKeyPath<Root, Value> ? self : nil }

    var snapshot: @Sendable (Root) -> ((inout Root) -> Void)? {
        let setter = setter
        return { [path] root in
            guard let setter else { return nil }
            let value = root[keyPath: path]
            var isRestored = false
            return { root in
                if isRestored, ExactValue.areKnownEqual(root[keyPath: path], value) { return }
                isRestored = true
                setter(&root, value)
            }
        }
    }
}

/// A `Sendable` key path to a variable.
///
/// `@unchecked Sendable`: it stores the same object as the `Sendable` key path from which it is created. A cast cannot express this.
struct SendableKeyPath<Root, Value>: @unchecked Sendable {
    let path: WritableKeyPath<Root, Value>

    /// Nil for a constant.
    init?(_ path: KeyPath<Root, Value> & Sendable) {
        guard let path = path as? WritableKeyPath<Root, Value> else { return nil }
        self.path = path
    }

    /// Nil when the property has another type, or is a constant.
    init?(_ holder: any AnyKeyPathHolder) {
        guard let path = holder.anyPath as? WritableKeyPath<Root, Value> else { return nil }
        self.path = path
    }
}

extension PropertyAccess {
    static func always(_ path: KeyPath<Root, Value> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        return Self(
            keyPath: holder, get: { .value($0[keyPath: path]) }, set: holder.setter, clear: nil, setNull: nil,
            snapshot: holder.snapshot, reach: holder.reach, inlinePath: holder.inline)
    }

    static func optional(_ path: KeyPath<Root, Value?> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        let get: @Sendable (Root) -> Presence<Value> = { root in
            guard let value = root[keyPath: path] else { return .null }
            return .value(value)
        }
        guard let change = holder.setter else {
            return Self(
                keyPath: holder, get: get, set: nil, clear: { _ in }, setNull: nil, snapshot: holder.snapshot, reach: holder.reach)
        }
        return Self(
            keyPath: holder, get: get, set: { root, value in change(&root, value) }, clear: { root in change(&root, nil) },
            setNull: { root in change(&root, nil) }, snapshot: holder.snapshot, reach: holder.reach,
            inlinePath: holder.inline)
    }

    static func presence(_ path: KeyPath<Root, Presence<Value>> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        let get: @Sendable (Root) -> Presence<Value> = { root in root[keyPath: path] }
        guard let change = holder.setter else {
            return Self(
                keyPath: holder, get: get, set: nil, clear: { _ in }, setNull: nil, snapshot: holder.snapshot, reach: holder.reach)
        }
        return Self(
            keyPath: holder, get: get, set: { root, value in change(&root, .value(value)) },
            clear: { root in change(&root, .null) }, setNull: { root in change(&root, .null) }, snapshot: holder.snapshot,
            reach: holder.reach)
    }
}

extension PropertyAccess where Root == DynamicObject, Value: Hashable & Sendable {
    static func named(_ name: String) -> Self {
        Self(
            keyPath: nil,
            get: { $0.presence(of: name) },
            set: { $0.set(name, to: $1) }, clear: { $0.remove(name) }, setNull: { $0.set(name, to: nil) },
            snapshot: { _ in nil }, reach: .value, treatsAbsentAsNil: true,
            mismatch: { object in
                guard object.hasValue(of: name, otherThan: Value.self) else { return nil }
                return MappingIssue(
                    .typeMismatch, expected: "a value of the Swift type \(Value.self)", found: "a value of another type",
                    advice: "set the property to a value of the field's type")
            })
    }
}
