/// The members of a JSON object, in order.
///
/// ```swift
/// var attributes: JSONObject = ["title": "JSON:API", "words": 1200]
/// attributes["title"] = "JSON:API 1.1"  // replaces the value in place
/// attributes["draft"] = true            // appends a member
/// attributes["words"] = nil             // removes the member
/// ```
///
/// Names are compared by their UTF-8 bytes: composed and decomposed é are different names. If a text repeats a name, all members are
/// kept in order, and a look-up finds the last one. Objects are equal if they have equal values for the same names, in any order.
///
/// A value is a single reference, and an empty object allocates no memory. Copies share their members until one of them changes. A
/// look-up is O(1). Up to 16 members are searched one by one, and more members have an index.
public struct JSONObject: Sendable {
    @usableFromInline private(set) var storage: Storage?

    /// A name and its value.
    public struct Member: Sendable {
        /// The name, which can be any text.
        public var name: String
        /// The value.
        public var value: JSON

        /// Creates a member.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// Creates an object without members.
    @inlinable
    public init() { storage = nil }

    /// Creates an object of the given members. Repeated names are kept.
    ///
    /// - Complexity: O(n), n = number of members.
    public init(members: some Sequence<Member>) {
        self.init(members: ContiguousArray(members))
    }

    package init(members: ContiguousArray<Member>) {
        self.init(members: members, height: Storage.height(of: members))
    }

    /// - Parameter height: An upper bound of the nesting depth, including the object.
    init(members: ContiguousArray<Member>, height: Int) {
        guard !members.isEmpty else { return }
        storage = Storage(members: members, height: height)
    }

    /// An upper bound of the nesting depth, including this object.
    package var height: Int { storage?.height ?? 1 }

    /// Returns whether both objects share their storage and are therefore equal.
    func isShared(with other: JSONObject) -> Bool {
        storage === other.storage
    }

    // MARK: - Storage

    /// The members, a bound of their nesting depth, and the index of the names.
    ///
    /// `@unchecked Sendable`: the storage only changes while a single `JSONObject` refers to it. The index is therefore updated when
    /// members are added, and never when they are read.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        // Unchecked: only storage that nothing else refers to changes, and nothing calls back while it does.
        @safe @exclusivity(unchecked) var members: ContiguousArray<Member>
        @safe @exclusivity(unchecked) var height: Int
        /// The index. Nil unless there are more than `NameIndex.linearLimit` members.
        @safe @exclusivity(unchecked) var index: NameIndex?

        init(members: ContiguousArray<Member>, height: Int) {
            self.members = members
            self.height = height
            rebuildIndex()
        }

        static func height(of members: ContiguousArray<Member>) -> Int {
            var height = 1
            for member in members { height = Swift.max(height, member.value.height + 1) }
            return height
        }

        init(copying other: Storage) {
            members = other.members
            height = other.height
            index = other.index
        }

        deinit {
            // For shallow values, which are by far the most common, this comparison is the only cost.
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
            if members.count == members.capacity, members.count < 4 { members.reserveCapacity(4) }
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

    /// Returns storage that can be changed. It is created if there is none, and copied if it is shared.
    private mutating func uniqueStorage() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = storage.map { Storage(copying: $0) } ?? Storage(members: [], height: 1)
        storage = copy
        return copy
    }

    /// Moves the members to `release` if the storage is deep and has no other reference.
    mutating func releaseMembers(to release: inout TreeRelease) {
        guard isKnownUniquelyReferenced(&storage), let storage, storage.height > TreeRelease.nativeHeight else {
            return
        }
        release.add(&storage.members)
        storage.index = nil
        storage.height = 1
    }

    /// Moves the value of a member out and leaves `null` in its place.
    mutating func take(at position: Int) -> JSON {
        let storage = uniqueStorage()
        var value = JSON.null
        swap(&value, &storage.members[position].value)
        return value
    }

    /// Replaces the value at a position.
    mutating func put(_ value: JSON, at position: Int) {
        let storage = uniqueStorage()
        storage.raiseHeight(for: value)
        storage.members[position].value = value
    }
}

// MARK: - Looking up

extension JSONObject {
    /// Returns the position of the last member with a name, or nil if there is none.
    ///
    /// - Complexity: O(n), n = number of bytes in the name.
    public func position(ofName name: String) -> Int? {
        storage?.lastPosition(of: name)
    }

    /// The members that a look-up by name finds, in order. If a name is repeated, it is the last member.
    package var effectiveMembers: [Member] {
        indices.compactMap { position in
            let member = self[position]
            return self.position(ofName: member.name) == position ? member : nil
        }
    }

    /// Returns the value of the last member with a name, or nil if there is none. It checks the member at `position` first, because members
    /// are often read in order.
    ///
    /// Sets `position` to the position after the member.
    /// - Complexity: O(n), n = number of bytes in the name.
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

    /// Returns whether there is a member with a name.
    public func contains(name: String) -> Bool {
        position(ofName: name) != nil
    }

    /// The names in order, including repeated ones.
    public var names: some RandomAccessCollection<String> {
        lazy.map { $0.name }
    }

    /// The number of different names.
    ///
    /// - Complexity: O(1). Up to 16 members are compared with each other.
    var distinctNameCount: Int {
        guard let storage else { return 0 }
        if let index = storage.index { return index.distinctCount }
        return storage.members.indices.reduce(0) { $0 + (isEffective($1) ? 1 : 0) }
    }

    /// Returns whether a look-up of its name finds the member at a position.
    func isEffective(_ position: Int) -> Bool {
        guard let storage else { return false }
        return storage.lastPosition(of: storage.members[position].name) == position
    }

    /// The first name that repeats the name of a previous member, or nil if all names differ.
    ///
    /// - Complexity: O(1) if no name is repeated, and otherwise O(n), n = number of members.
    public var firstDuplicateName: String? {
        guard let storage, distinctNameCount < storage.members.count else { return nil }
        var seen: Set<ByteText> = []
        for member in storage.members where !seen.insert(ByteText(member.name)).inserted {
            return member.name
        }
        return nil
    }
}

// MARK: - Changing

extension JSONObject {
    /// The value of the last member with a name, or nil if there is none.
    ///
    /// Setting a value replaces that member's value in place, or appends a member. Setting nil removes all members with the name.
    ///
    /// - Complexity: O(1) for reading and setting, and O(n) for removing, n = number of members.
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

    /// The value of the last member with a name, or a default value. Changing the value appends a member if there is none.
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

    /// Adds a member at the end, even if the name is already present. A look-up then finds the new member.
    ///
    /// - Complexity: Amortized O(1).
    public mutating func append(name: String, value: JSON) {
        uniqueStorage().append(Member(name: name, value: value))
    }

    /// Reserves memory for `capacity` members in total.
    public mutating func reserveCapacity(_ capacity: Int) {
        guard capacity > 0 else { return }
        uniqueStorage().members.reserveCapacity(capacity)
    }

    /// Removes all members with a name. Returns the value of the last one, or nil if there was none.
    ///
    /// - Complexity: O(n), n = number of members.
    @discardableResult
    public mutating func removeValue(forName name: String) -> JSON? {
        guard let position = position(ofName: name) else { return nil }
        let value = take(at: position)
        removeAll(named: name)
        return value
    }

    /// Renames all members with a name, in place. Returns whether it succeeded.
    ///
    /// Returns false and changes nothing if there is no such member, or if there is already a member with the new name.
    ///
    /// - Complexity: O(n), n = number of members.
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
    /// The position of the first member, which is always 0.
    public var startIndex: Int { 0 }

    /// The position after the last member, which is equal to `count`.
    public var endIndex: Int { storage?.members.count ?? 0 }

    /// The number of members, including those with repeated names.
    public var count: Int { storage?.members.count ?? 0 }

    /// The member at a position, from 0.
    public subscript(position: Int) -> Member {
        guard let storage else { preconditionFailure("JSONObject index out of range") }
        return storage.members[position]
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object of the given members. Repeated names are kept.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(members: elements.lazy.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONObject: CustomStringConvertible {
    /// The object as compact JSON text.
    public var description: String { JSON.object(self).description }
}
