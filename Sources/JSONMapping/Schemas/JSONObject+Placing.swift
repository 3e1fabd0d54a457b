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
        guard let last = segments.last else {
            // The empty path is the whole object.
            guard case .object(let whole) = value else { return value.isNull }
            if isEmpty {
                self = whole
                return true
            }
            return merge(whole)
        }
        // On the way down, each object is removed from the object around it. It then has a single reference and can change in place.
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

    /// Adds the members of another object. Returns false if a member is already present with another value.
    private mutating func merge(_ other: JSONObject) -> Bool {
        var isFree = true
        for member in other.effectiveMembers where !merge(member.value, under: member.name) { isFree = false }
        return isFree
    }

    /// Adds a member, or replaces null. Returns false if the member is present with a value that cannot be merged.
    private mutating func merge(_ value: JSON, under name: String) -> Bool {
        guard let present = self[name], !present.isNull else {
            self[name] = value
            return true
        }
        if value.isNull || value == present { return true }
        guard case .object(let new) = value, case .object = present else { return false }
        // `leaves` walks the tree without recursion.
        return new.leaves.reduce(true) { isFree, leaf in place(leaf.value, at: [name] + leaf.path) && isFree }
    }

    /// All nested values except objects with members, each with the names that lead to it.
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
}
