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
    /// Where a value of the type itself, or of its optional, is stored; nil where it is computed, or in another object.
    var place: StoredScalar.Place?
    /// Whether an absent value is as good as nil, so that it is written as null where nil is.
    var treatsAbsentAsNil = false
}

/// A key path that may be sent: key paths of properties hold nothing else.
protocol AnyKeyPathHolder: Sendable {
    var anyPath: AnyKeyPath { get }
}

private struct KeyPathHolder<Root, Value>: AnyKeyPathHolder {
    let path: KeyPath<Root, Value> & Sendable

    var anyPath: AnyKeyPath { path }

    /// The way to change the property; nil for a constant.
    var setter: (@Sendable (inout Root, Value) -> Void)? {
        // The same object as `path`, which is Sendable; a cast cannot say so.
        nonisolated(unsafe) let writable = path as? WritableKeyPath<Root, Value>
        guard writable != nil else { return nil }
        if let offset = MemoryLayout<Root>.offset(of: path) { return Self.setter(at: offset) }
        return { root, value in
            if let writable { root[keyPath: writable] = value }
        }
    }

    /// The way to change a property that is stored in the value itself: a few instructions, where a key path takes a hundred.
    private static func setter(at offset: Int) -> @Sendable (inout Root, Value) -> Void {
        { root, value in
            withUnsafeMutablePointer(to: &root) { pointer in
                // SAFETY: `MemoryLayout.offset(of:)` promises that a `Value` is stored so many bytes into a `Root`.
                UnsafeMutableRawPointer(pointer).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
            }
        }
    }

    /// Whether setting it changes the value alone; a key path through an object, or of one, changes that.
    var isInline: Bool { !(path is ReferenceWritableKeyPath<Root, Value>) }

    /// Where the property is stored in the value itself, when it may be changed.
    func place(isOptional: Bool) -> StoredScalar.Place? {
        guard setter != nil, let offset = MemoryLayout<Root>.offset(of: path) else { return nil }
        return StoredScalar.Place(offset: offset, isOptional: isOptional)
    }

    var snapshot: @Sendable (Root) -> ((inout Root) -> Void)? {
        let setter = setter
        return { [path] root in
            guard let setter else { return nil }
            let value = root[keyPath: path]
            return { setter(&$0, value) }
        }
    }
}

extension PropertyAccess {
    static func always(_ path: KeyPath<Root, Value> & Sendable) -> Self {
        let holder = KeyPathHolder(path: path)
        return Self(
            keyPath: holder, get: { .value($0[keyPath: path]) }, set: holder.setter, clear: nil, setNull: nil,
            snapshot: holder.snapshot, isInline: holder.isInline, place: holder.place(isOptional: false))
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
            place: holder.place(isOptional: true))
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
