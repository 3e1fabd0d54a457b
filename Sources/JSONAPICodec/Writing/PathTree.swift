import JSONText

/// Combines values at paths of names into one object.
final class PathTree {
    /// A value, or the text of one that is parsed only if another path leads into it.
    enum PathValue {
        case json(JSON)
        case text([UInt8])

        var json: JSON? {
            switch self {
            case .json(let json): json
            case .text(let text): try? JSON(parsing: text, options: .unlimited)
            }
        }
    }

    /// The value; nil for an object of the members at longer paths.
    private(set) var value: PathValue?
    /// Whether the value of one property is here. Otherwise there are only the values of properties with longer paths.
    private var isWhole = false
    /// The members, once the value is an object that another path leads into.
    private(set) var members: [(name: String, tree: PathTree)] = []
    /// The names of the members.
    private var names = NameList()

    /// Inserts a value. The members of an object join the existing ones. Returns nil, or the number of names up to the place that already
    /// has another value.
    ///
    /// - Complexity: O(names + members of the value).
    func put(_ value: PathValue, at segments: [String]) -> Int? {
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
        var last: [ByteText: JSON] = [:]
        for new in added { last[ByteText(new.name)] = new.value }
        for new in added {
            guard let value = last.removeValue(forKey: ByteText(new.name)) else { continue }
            if let known = existing(new.name) {
                if !known.isWhole, let inner = value.object { known.complete(inner) }
            } else {
                _ = member(new.name)?.merge(.json(value))
            }
        }
    }

    /// Returns the member with the given name, and creates it if necessary; nil when the value here cannot have members.
    private func member(_ name: String) -> PathTree? {
        guard spread() else { return nil }
        return existing(name) ?? append(PathTree(), name)
    }

    private func existing(_ name: String) -> PathTree? { names.position(of: name).map { members[$0].tree } }

    @discardableResult
    private func append(_ tree: PathTree, _ name: String) -> PathTree {
        members.append((name, tree))
        names.append(name)
        return tree
    }

    /// Takes the members out of an object, so that others can be inserted beside them. Returns false when the value is not an object.
    private func spread() -> Bool {
        guard let value else { return true }
        guard let object = value.json?.object else { return false }
        self.value = nil
        for member in object {
            let made = PathTree()
            made.value = .json(member.value)
            made.isWhole = true
            append(made, member.name)
        }
        return true
    }

    private func merge(_ new: PathValue) -> Bool {
        if value == nil, members.isEmpty {
            value = new
            isWhole = true
            return true
        }
        // A relationship writes its links, and a property with the key `relationships.author.links` writes them again.
        guard let object = new.json?.object, spread() else { return value?.json == new.json }
        for added in object {
            guard let member = member(added.name), member.merge(.json(added.value)) else { return false }
        }
        return true
    }

    /// Returns the members of the object that is a member of this one; nil if there is none.
    func members(of name: String) -> [(name: String, tree: PathTree)]? {
        guard let tree = existing(name), tree.spread() else { return nil }
        return tree.members
    }

    /// Returns the whole as JSON. Recurses along the model's paths.
    var json: JSON {
        if let json = value?.json { return json }
        return .object(JSONObject(members: members.map { JSONObject.Member(name: $0.name, value: $0.tree.json) }))
    }

    /// Returns the value of a member as JSON.
    func json(of name: String) -> JSON? { existing(name)?.json }
}
