import JSONText

extension JSONObject {
    /// Puts a value at the end of a path and makes the objects on the way. Returns false where another value is there or on the way: what
    /// was there stays.
    ///
    /// Two objects become one that has the members of both. Equal values are one, and null gives way to a value: two properties may
    /// read one member, each in its own way.
    ///
    /// Nothing recurses on the length of the path, and nothing is copied.
    /// - Complexity: O(n), n = names of the path, and the members of `value` where objects meet.
    mutating func place(_ value: JSON, at segments: [String]) -> Bool {
        guard let last = segments.last else {
            // The empty path is the whole object.
            guard case .object(let whole) = value else { return value.isNull }
            if isEmpty {
                self = whole
                return true
            }
            return merge(whole)
        }
        // The way down: each object is taken out of the one around it, so that it has no other reference when it changes.
        var current = self
        self = JSONObject()
        var way: [(object: JSONObject, name: String)] = []
        var isFree = true
        for name in segments.dropLast() {
            var inner = JSONObject()
            switch current[name] {
            case nil, .null?: break
            case .object(let object)?: inner = object
            default: isFree = false
            }
            guard isFree else { break }
            current[name] = .null
            way.append((current, name))
            current = inner
        }
        if isFree { isFree = current.merge(value, under: last) }
        while !way.isEmpty {
            var (object, name) = way.removeLast()
            object[name] = .object(current)
            current = object
        }
        self = current
        return isFree
    }

    /// Adds the members of another object; false where one of them is there with another value.
    private mutating func merge(_ other: JSONObject) -> Bool {
        var isFree = true
        for member in other.effectiveMembers where !merge(member.value, under: member.name) { isFree = false }
        return isFree
    }

    /// Sets a member that is not there, or is null.
    private mutating func merge(_ value: JSON, under name: String) -> Bool {
        guard let present = self[name], !present.isNull else {
            self[name] = value
            return true
        }
        if value.isNull || value == present { return true }
        guard case .object(let new) = value, case .object = present else { return false }
        // The tree below is walked with a stack of its own; each place is the way to it.
        return new.leaves.reduce(true) { isFree, leaf in place(leaf.value, at: [name] + leaf.path) && isFree }
    }

    /// Every value below that is no object with members, and the names that lead to it.
    private var leaves: [(path: [String], value: JSON)] {
        var leaves: [(path: [String], value: JSON)] = []
        var open: [(path: [String], object: JSONObject)] = [([], self)]
        while let (path, object) = open.popLast() {
            for member in object.effectiveMembers {
                if case .object(let inner) = member.value, !inner.isEmpty {
                    open.append((path + [member.name], inner))
                } else {
                    leaves.append((path + [member.name], member.value))
                }
            }
        }
        return leaves
    }

    /// The members that looking up their names finds.
    private var effectiveMembers: some Sequence<Member> {
        indices.lazy.filter { position(ofName: self[$0].name) == $0 }.map { self[$0] }
    }
}
