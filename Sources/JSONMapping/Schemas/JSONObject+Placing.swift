import JSONText

extension JSONObject {
    /// Stores a value at the end of a path and creates the objects on the way. Returns false if another value is at the end of the path or
    /// on the way. The other value is kept.
    ///
    /// Two objects are merged. Two equal values are stored once, and a value replaces null. Two properties can therefore share a member.
    ///
    /// This method does not recurse, and does not copy the objects on the way.
    /// - Complexity: O(n), n = number of names in the path, plus the members of `value` when objects are merged.
    mutating func place(_ value: JSON, at segments: [String]) -> Bool {
        let nested = segments.reversed().reduce(value) { inner, name in .object(JSONObject(members: [.init(name: name, value: inner)])) }
        // The empty path is the whole object.
        guard case .object(let whole) = nested else { return value.isNull }
        return merge(whole)
    }

    /// Stores a null at the end of a path, unless a value that is not an object is on the way: {"author": "Ann"} has no `author.id`.
    mutating func placeNull(at segments: [String]) {
        if hasRoom(at: segments) { _ = place(.null, at: segments) }
    }

    private func hasRoom(at segments: [String]) -> Bool {
        var value = JSON.object(self)
        for name in segments {
            guard case .object(let object) = value else { return false }
            guard let next = object[name] else { return true }
            value = next
        }
        return true
    }

    /// Adds the members of another object. Returns false if a member is already present with a value that cannot be merged.
    private mutating func merge(_ other: JSONObject) -> Bool {
        if isEmpty {
            self = other
            return true
        }
        var isFree = true
        // Each object is removed from the object around it. It then has a single reference and can change in place.
        var level = MergeLevel(self, other)
        self = JSONObject()
        var around: [MergeLevel] = []
        while true {
            if let member = level.rest.popFirst() {
                guard let inner = level.add(member, &isFree) else { continue }
                around.append(level)
                level = inner
            } else {
                guard var outer = around.popLast() else { break }
                outer.putBack(level.object)
                level = outer
            }
        }
        self = level.object
        return isFree
    }
}

/// Two objects that are being merged.
private struct MergeLevel {
    private(set) var object: JSONObject
    /// The members that were not added yet.
    var rest: ArraySlice<JSONObject.Member>
    /// The name of the member whose object is being merged.
    private var name = ""

    init(_ object: JSONObject, _ other: JSONObject) {
        self.object = object
        rest = other.effectiveMembers[...]
    }

    /// Adds a member, or replaces null. Returns two objects that must be merged first. Sets `isFree` to false if another value is present.
    mutating func add(_ member: JSONObject.Member, _ isFree: inout Bool) -> MergeLevel? {
        guard let present = object[member.name], !present.isNull else {
            object[member.name] = member.value
            return nil
        }
        if case .object(let inner) = present, case .object(let other) = member.value {
            object[member.name] = .null
            name = member.name
            return MergeLevel(inner, other)
        }
        if !member.value.isNull, member.value != present { isFree = false }
        return nil
    }

    /// Stores the merged object in its place.
    mutating func putBack(_ inner: JSONObject) { object[name] = .object(inner) }
}
