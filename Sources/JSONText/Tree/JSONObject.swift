/// The members of a JSON object, in order.
///
/// ```swift
/// var attributes: JSONObject = ["title": "JSON:API", "words": 1200]
/// attributes["title"] = "JSON:API 1.1"  // in place
/// attributes["draft"] = true            // at the end
/// attributes["words"] = nil             // removed
/// ```
///
/// Names are compared by their UTF-8 bytes: composed and decomposed é are two names. A text may repeat a name; all its
/// members are kept in order, and looking a name up finds the last one. Objects are equal when each name leads to equal
/// values, whatever the order of the members.
///
/// A value of one reference, without memory of its own when empty; copies share their members until one changes.
/// Looking up costs O(1): up to 16 members are searched one by one, more through an index.
public struct JSONObject: Sendable {
    @usableFromInline private(set) var storage: Storage?

    /// A name and its value.
    public struct Member: Sendable {
        /// The name, of any text.
        public var name: String
        /// The value.
        public var value: JSON

        /// A member of that name and value.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// An object without members.
    @inlinable
    public init() { storage = nil }

    /// An object of those members in order; repeated names are kept.
    ///
    /// - Complexity: O(n), n = members.
    public init(members: some Sequence<Member>) {
        self.init(members: ContiguousArray(members))
    }

    package init(members: ContiguousArray<Member>) {
        guard !members.isEmpty else { return }
        storage = Storage(members: members)
    }

    /// Whether it has no memory of its own, hence no members. For the codec.
    @inlinable
    public var _isBare: Bool { storage == nil }

    /// An upper bound for how deeply containers are nested, this one included.
    package var height: Int { storage?.height ?? 1 }

    /// Whether both are one storage, hence equal without a look at the members.
    func isShared(with other: JSONObject) -> Bool {
        storage === other.storage
    }

    // MARK: - Storage

    /// The members, a bound for their nesting, and the index of many names.
    ///
    /// Unchecked because the compiler cannot see the rule that protects it: it changes only while one `JSONObject`
    /// alone refers to it. The index is therefore made while members are added, never while they are read.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        var members: ContiguousArray<Member>
        var height: Int
        /// There exactly when there are more than `NameIndex.linearLimit` members.
        var index: NameIndex?

        init(members: ContiguousArray<Member>) {
            self.members = members
            height = 1
            for member in members { height = Swift.max(height, member.value.height + 1) }
            rebuildIndex()
        }

        init(copying other: Storage) {
            members = other.members
            height = other.height
            index = other.index
        }

        deinit {
            // Shallow values, that is nearly all, pay for this comparison only.
            guard height > TreeRelease.nativeHeight else { return }
            var release = TreeRelease()
            release.add(&members)
            release.run()
        }

        func raiseHeight(for child: JSON) {
            height = Swift.max(height, child.height + 1)
        }

        func append(_ member: Member) {
            raiseHeight(for: member.value)
            members.append(member)
            if index != nil {
                index?.insertLast(of: members)
            } else {
                rebuildIndex()
            }
        }

        func rebuildIndex() {
            index = members.count > NameIndex.linearLimit ? NameIndex(members) : nil
        }

        func lastPosition(of name: String) -> Int? {
            if let index { return index.position(of: name, in: members) }
            return members.lastIndex { UTF8Bytes.areEqual($0.name, name) }
        }
    }

    /// The storage, for changing it: made when there is none, copied when it is shared.
    private mutating func uniqueStorage() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = storage.map { Storage(copying: $0) } ?? Storage(members: [])
        storage = copy
        return copy
    }

    /// Gives the members away when nothing else refers to them.
    mutating func releaseMembers(to release: inout TreeRelease) {
        guard isKnownUniquelyReferenced(&storage), let storage, storage.height > TreeRelease.nativeHeight else {
            return
        }
        release.add(&storage.members)
        storage.index = nil
        storage.height = 1
    }

    /// Moves the value of a member out; `null` stands in its place.
    mutating func take(at position: Int) -> JSON {
        let storage = uniqueStorage()
        var value = JSON.null
        swap(&value, &storage.members[position].value)
        return value
    }

    /// Puts a value in the place of the one at `position`.
    mutating func put(_ value: JSON, at position: Int) {
        let storage = uniqueStorage()
        storage.raiseHeight(for: value)
        storage.members[position].value = value
    }
}

// MARK: - Looking up

extension JSONObject {
    /// The position of the last member of that name, nil when there is none.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    public func position(ofName name: String) -> Int? {
        storage?.lastPosition(of: name)
    }

    /// The value that looking a name up finds, looked for first at `position`, where it is when members are asked for in their order.
    ///
    /// Moves `position` behind the member that was found.
    /// - Complexity: O(n), n = bytes of the name.
    package func value(ofName name: String, expectedAt position: inout Int) -> JSON? {
        guard let storage else { return nil }
        if position < storage.members.count, let index = storage.index, index.distinctCount == storage.members.count,
            UTF8Bytes.areEqual(storage.members[position].name, name)
        {
            position += 1
            return storage.members[position - 1].value
        }
        guard let found = storage.lastPosition(of: name) else { return nil }
        position = found + 1
        return storage.members[found].value
    }

    /// Whether there is a member of that name.
    public func contains(name: String) -> Bool {
        position(ofName: name) != nil
    }

    /// The names in order, repeated ones included.
    public var names: some RandomAccessCollection<String> {
        lazy.map { $0.name }
    }

    /// How many different names there are.
    ///
    /// - Complexity: O(1); O(n²) for n members up to 16.
    var distinctNameCount: Int {
        guard let storage else { return 0 }
        if let index = storage.index { return index.distinctCount }
        return storage.members.indices.reduce(0) { $0 + (isEffective($1) ? 1 : 0) }
    }

    /// Whether looking up its name finds the member at that position.
    func isEffective(_ position: Int) -> Bool {
        guard let storage else { return false }
        return storage.lastPosition(of: storage.members[position].name) == position
    }

    /// The name of the first member that repeats the name of one before it; nil when all names differ.
    ///
    /// - Complexity: O(1) for an object of more than 16 members without repeated names, else O(n), n = members.
    public var firstDuplicateName: String? {
        guard let storage, distinctNameCount < storage.members.count else { return nil }
        // The members in front of the first repetition all differ, so an index that grows with them finds it.
        var seen: Set<NameKey> = []
        for member in storage.members where !seen.insert(NameKey(name: member.name)).inserted {
            return member.name
        }
        return nil
    }

    /// A name in a set, equal by bytes.
    private struct NameKey: Hashable {
        let name: String

        static func == (lhs: NameKey, rhs: NameKey) -> Bool { UTF8Bytes.areEqual(lhs.name, rhs.name) }

        func hash(into hasher: inout Hasher) { UTF8Bytes.hash(name, into: &hasher) }
    }
}

// MARK: - Changing

extension JSONObject {
    /// The value of the last member of that name, nil when there is none.
    ///
    /// Setting replaces that member's value in place or appends a member; nil removes every member of the name.
    ///
    /// - Complexity: O(1) for reading and setting, O(n) for removing, n = members.
    public subscript(name: String) -> JSON? {
        get {
            guard let storage, let position = storage.lastPosition(of: name) else { return nil }
            return storage.members[position].value
        }
        set {
            switch (newValue, position(ofName: name)) {
            case (let value?, let position?): put(value, at: position)
            case (let value?, nil): append(name: name, value: value)
            case (nil, _?): removeAll(named: name)
            case (nil, nil): break
            }
        }
        _modify {
            if let position = position(ofName: name) {
                var value: JSON? = take(at: position)
                defer {
                    if let value { put(value, at: position) } else { removeAll(named: name) }
                }
                yield &value
            } else {
                var value: JSON?
                defer {
                    if let value { append(name: name, value: value) }
                }
                yield &value
            }
        }
    }

    /// The value of the last member of that name, else `defaultValue`. Changing it appends a member if there was none.
    ///
    /// ```swift
    /// links["related", default: [:]]["href"] = "/articles/1/author"
    /// ```
    public subscript(name: String, default defaultValue: @autoclosure () -> JSON) -> JSON {
        get {
            self[name] ?? defaultValue()
        }
        _modify {
            let known = position(ofName: name)
            var value = known.map { take(at: $0) } ?? defaultValue()
            defer {
                if let known { put(value, at: known) } else { append(name: name, value: value) }
            }
            yield &value
        }
    }

    /// Adds a member at the end, even when the name is there already: looking it up then finds this one.
    ///
    /// - Complexity: O(1) on average over many calls.
    public mutating func append(name: String, value: JSON) {
        uniqueStorage().append(Member(name: name, value: value))
    }

    /// Makes room for `capacity` members in all, so that adding them allocates no more.
    public mutating func reserveCapacity(_ capacity: Int) {
        guard capacity > 0 else { return }
        uniqueStorage().members.reserveCapacity(capacity)
    }

    /// Removes every member of that name and returns the value of the last one, nil when there was none.
    ///
    /// - Complexity: O(n), n = members.
    @discardableResult
    public mutating func removeValue(forName name: String) -> JSON? {
        guard let position = position(ofName: name) else { return nil }
        let value = take(at: position)
        removeAll(named: name)
        return value
    }

    /// Gives every member of a name another name, in place; returns whether it did.
    ///
    /// It does not, and changes nothing, when there is no such member or a member of the new name is there already.
    ///
    /// - Complexity: O(n), n = members.
    @discardableResult
    public mutating func rename(_ name: String, to newName: String) -> Bool {
        guard contains(name: name) else { return false }
        guard !UTF8Bytes.areEqual(name, newName) else { return true }
        guard !contains(name: newName) else { return false }
        let storage = uniqueStorage()
        for position in storage.members.indices where UTF8Bytes.areEqual(storage.members[position].name, name) {
            storage.members[position].name = newName
        }
        storage.rebuildIndex()
        return true
    }

    private mutating func removeAll(named name: String) {
        let storage = uniqueStorage()
        storage.members.removeAll { UTF8Bytes.areEqual($0.name, name) }
        storage.rebuildIndex()
    }
}

// MARK: - Collection

extension JSONObject: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// The number of members, those of repeated names included.
    public var endIndex: Int { storage?.members.count ?? 0 }

    /// The number of members, those of repeated names included.
    public var count: Int { storage?.members.count ?? 0 }

    /// The member at that position, from 0.
    public subscript(position: Int) -> Member {
        guard let storage else { preconditionFailure("JSONObject index out of range") }
        return storage.members[position]
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of those members in order; repeated names are kept.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(members: elements.lazy.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON text.
    public var description: String { JSON.object(self).description }
}
