import JSONText

/// Combines values at paths of names into one object.
final class PathTree {
    private var value: JSON?
    /// Whether the value of one property is here. Otherwise there are only the values of properties with longer paths.
    private var isWhole = false
    private var members: [(name: String, tree: PathTree)] = []
    private var positions: [[UInt8]: Int] = [:]

    /// Inserts a value. The members of an object join the existing ones. Returns nil, or the number of names up to the place that already
    /// has another value.
    ///
    /// - Complexity: O(names + members of the value).
    func put(_ value: JSON, at segments: [String]) -> Int? {
        var tree = self
        for (index, name) in segments.enumerated() {
            guard let next = tree.member(name) else { return index }
            tree = next
        }
        return tree.merge(value) ? nil : segments.count
    }

    /// Inserts the members whose names do not exist yet.
    func complete(_ members: JSONObject, at segments: [String]) {
        var tree = self
        for name in segments {
            guard let next = tree.member(name) else { return }
            tree = next
        }
        tree.complete(members)
    }

    /// Inserts the members whose names do not exist yet, also in the objects of which only parts exist. Recurses along those, which are no
    /// deeper than the model's paths.
    private func complete(_ added: JSONObject) {
        guard spread() else { return }
        // Of members with the same name, the last counts, as when they are read.
        var last: [[UInt8]: JSON] = [:]
        for new in added { last[Array(new.name.utf8)] = new.value }
        for new in added {
            guard let value = last.removeValue(forKey: Array(new.name.utf8)) else { continue }
            if let position = positions[Array(new.name.utf8)] {
                let known = members[position].tree
                if !known.isWhole, let inner = value.object { known.complete(inner) }
            } else {
                _ = member(new.name)?.merge(value)
            }
        }
    }

    /// Whether nothing was inserted.
    var isEmpty: Bool { value == nil && members.isEmpty }

    /// Returns the member with the given name, and creates it if necessary; nil when the value here cannot have members.
    private func member(_ name: String) -> PathTree? {
        guard spread() else { return nil }
        let key = Array(name.utf8)
        if let position = positions[key] { return members[position].tree }
        let made = PathTree()
        positions[key] = members.count
        members.append((name, made))
        return made
    }

    /// Takes the members out of an object, so that others can be inserted beside them. Returns false when the value is not an object.
    private func spread() -> Bool {
        guard let value else { return true }
        guard let object = value.object else { return false }
        self.value = nil
        for member in object {
            let key = Array(member.name.utf8)
            let made = PathTree()
            made.value = member.value
            made.isWhole = true
            positions[key] = members.count
            members.append((member.name, made))
        }
        return true
    }

    private func merge(_ new: JSON) -> Bool {
        if value == nil, members.isEmpty {
            value = new
            isWhole = true
            return true
        }
        // A relationship writes its links, and a property with the key `relationships.author.links` writes them again.
        guard let object = new.object, spread() else { return value == new }
        for added in object {
            guard let member = member(added.name), member.merge(added.value) else { return false }
        }
        return true
    }

    /// Returns the whole as JSON; nil when it is nested more deeply than `maximumDepth`.
    func json(maximumDepth: Int) -> JSON? {
        if let value { return value }
        guard maximumDepth > 0 else { return nil }
        var object = JSONObject()
        object.reserveCapacity(members.count)
        for member in members {
            guard let value = member.tree.json(maximumDepth: maximumDepth - 1) else { return nil }
            object.append(name: member.name, value: value)
        }
        return .object(object)
    }
}

extension JSONObject {
    /// Returns the object without the value at a path of names.
    func removing(at path: ArraySlice<String>) -> JSONObject {
        guard let name = path.first, let value = self[name] else { return self }
        var rest = self
        if path.count == 1 {
            rest[name] = nil
        } else if case .object(let inner) = value {
            rest[name] = .object(inner.removing(at: path.dropFirst()))
        }
        return rest
    }
}
