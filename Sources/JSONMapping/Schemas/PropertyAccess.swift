/// How a property is read and changed, whatever its declaration.
struct PropertyAccess<Root, Value>: Sendable {
    /// The key path, to find the field by.
    let keyPath: (any AnyKeyPathHolder)?
    let get: @Sendable (Root) -> Presence<Value>
    /// Nil for a constant.
    let set: (@Sendable (inout Root, Value) -> Void)?
    /// Nil where the property always has a value.
    let clear: (@Sendable (inout Root) -> Void)?
    /// Sets a stated null; differs from `clear` only where that can be told.
    let setNull: (@Sendable (inout Root) -> Void)?
    /// What brings back the present state of the property; nil for a constant.
    let snapshot: @Sendable (Root) -> ((inout Root) -> Void)?
    /// Whether setting it changes the value alone, and no object that others may refer to.
    let isInline: Bool
    /// The key path of a variable property of the value itself; nil for constants, and for properties of other objects.
    var inlinePath: (any AnyKeyPathHolder)?
    /// Whether an absent value is as good as nil, so that it is written as null where nil is.
    var treatsAbsentAsNil = false
}

/// A key path that may be sent: key paths of properties hold nothing else.
protocol AnyKeyPathHolder: Sendable {
    var anyPath: AnyKeyPath { get }
    /// The type that the key path begins at.
    var rootType: any Any.Type { get }
}

struct KeyPathHolder<Root, Value>: AnyKeyPathHolder {
    let path: KeyPath<Root, Value> & Sendable

    var anyPath: AnyKeyPath { path }
    var rootType: any Any.Type { Root.self }

    /// The way to change the property; nil for a constant.
    var setter: (@Sendable (inout Root, Value) -> Void)? {
        guard let writable = SendableKeyPath(path) else { return nil }
        return { root, value in root[keyPath: writable.path] = value }
    }

    /// Whether setting it changes the value alone; a key path through an object, or of one, changes that.
    var isInline: Bool { !(path is ReferenceWritableKeyPath<Root, Value>) }

    /// Itself where the property can be changed without touching another object.
    var inline: Self? { isInline && path is WritableKeyPath<Root, Value> ? self : nil }

    var snapshot: @Sendable (Root) -> ((inout Root) -> Void)? {
        let setter = setter
        return { [path] root in
            guard let setter else { return nil }
            let value = root[keyPath: path]
            return { setter(&$0, value) }
        }
    }
}

/// A key path to a variable, which may be sent.
///
/// `@unchecked Sendable`: it is made from a key path that is `Sendable`, and is the same object. A cast cannot say so.
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
            snapshot: holder.snapshot, isInline: holder.isInline, inlinePath: holder.inline)
    }

    static func optional(_ path: KeyPath<Root, Value?> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        let get: @Sendable (Root) -> Presence<Value> = { root in
            guard let value = root[keyPath: path] else { return .null }
            return .value(value)
        }
        guard let change = holder.setter else {
            return Self(
                keyPath: holder, get: get, set: nil, clear: { _ in }, setNull: nil, snapshot: holder.snapshot, isInline: holder.isInline)
        }
        return Self(
            keyPath: holder, get: get, set: { root, value in change(&root, value) }, clear: { root in change(&root, nil) },
            setNull: { root in change(&root, nil) }, snapshot: holder.snapshot, isInline: holder.isInline,
            inlinePath: holder.inline)
    }

    static func presence(_ path: KeyPath<Root, Presence<Value>> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        let get: @Sendable (Root) -> Presence<Value> = { root in root[keyPath: path] }
        guard let change = holder.setter else {
            return Self(
                keyPath: holder, get: get, set: nil, clear: { _ in }, setNull: nil, snapshot: holder.snapshot, isInline: holder.isInline)
        }
        return Self(
            keyPath: holder, get: get, set: { root, value in change(&root, .value(value)) },
            clear: { root in change(&root, .null) }, setNull: { root in change(&root, .null) }, snapshot: holder.snapshot,
            isInline: holder.isInline)
    }
}

extension PropertyAccess where Root == DynamicObject, Value: Hashable & Sendable {
    static func named(_ name: String) -> Self {
        Self(
            keyPath: nil,
            get: { $0.presence(of: name) },
            set: { $0.set(name, to: $1) }, clear: { $0.remove(name) }, setNull: { $0.set(name, to: nil) },
            snapshot: { object in { $0 = object } }, isInline: true, treatsAbsentAsNil: true)
    }
}
