extension JSON {
    /// The value at a place, or nil if there is none.
    ///
    /// ```swift
    /// document[pointer: JSONPointer("data", "attributes", "title")] = "JSON:API"
    /// ```
    ///
    /// In an object, a token is a name. If the name is repeated, it finds the last member. In an array, a token is a position without
    /// leading zeros. `-` is the place after the last element, which has no value.
    ///
    /// Setting a value replaces the value, adds a member to an object, or appends an element at `-`. Setting nil removes all members with
    /// the name, or the element. If the container does not exist, nothing changes. The root cannot be removed.
    ///
    /// - Complexity: O(n), n = bytes of the pointer. Removing is also linear in the size of the container.
    public subscript(pointer pointer: JSONPointer) -> JSON? {
        get {
            value(at: pointer.tokens[...])
        }
        set {
            guard let last = pointer.tokens.last else {
                if let newValue { self = newValue }
                return
            }
            let path = pointer.tokens.dropLast()
            // Check first, so that a shared tree is only copied if something changes.
            guard hasContainer(at: path) else { return }
            change(at: path) { $0.set(newValue, at: last) }
        }
    }

    /// Returns whether there is a container. As a separate function, it keeps no reference to the container while that changes.
    private func hasContainer(at tokens: ArraySlice<String>) -> Bool {
        switch value(at: tokens) {
        case .array, .object: true
        default: false
        }
    }

    private func value(at tokens: ArraySlice<String>) -> JSON? {
        var value = self
        for token in tokens {
            guard let position = value.position(token) else { return nil }
            switch value {
            case .array(let array): value = array[position]
            case .object(let object): value = object[position].value
            default: return nil
            }
        }
        return value
    }

    /// Returns the position of the element or member that a token refers to.
    private func position(_ token: String) -> Int? {
        switch self {
        case .array(let array):
            guard let position = JSONPointer.position(token), position < array.count else { return nil }
            return position
        case .object(let object):
            return object.position(ofName: token)
        default:
            return nil
        }
    }

    /// Changes the value at an existing place.
    ///
    /// On the way down, each value is moved out of its container, and on the way up it is moved back. Every container therefore has a
    /// single reference while it changes, and is only copied if it is shared.
    private mutating func change(at tokens: ArraySlice<String>, _ body: (inout JSON) -> Void) {
        var containers: [(container: JSON, position: Int)] = []
        var value = JSON.null
        swap(&value, &self)
        for token in tokens {
            guard let position = value.position(token) else { break }
            let child = value.take(at: position)
            containers.append((value, position))
            value = child
        }
        if containers.count == tokens.count { body(&value) }
        while let last = containers.indices.last {
            containers[last].container.put(value, at: containers[last].position)
            value = containers.removeLast().container
        }
        self = value
    }

    private mutating func take(at position: Int) -> JSON {
        if var array = takeArray() {
            let value = array.take(at: position)
            self = .array(array)
            return value
        }
        if var object = takeObject() {
            let value = object.take(at: position)
            self = .object(object)
            return value
        }
        return .null
    }

    private mutating func put(_ value: JSON, at position: Int) {
        if var array = takeArray() {
            array[position] = value
            self = .array(array)
        } else if var object = takeObject() {
            object.put(value, at: position)
            self = .object(object)
        }
    }

    private mutating func set(_ value: JSON?, at token: String) {
        if var object = takeObject() {
            object[token] = value
            self = .object(object)
        } else if var array = takeArray() {
            if let position = JSONPointer.position(token), position < array.count {
                if let value { array[position] = value } else { array.remove(at: position) }
            } else if token == "-", let value {
                array.append(value)
            }
            self = .array(array)
        }
    }
}

extension JSONObject {
    /// Returns the object without the value at a path of names.
    package func removing(at path: ArraySlice<String>) -> JSONObject {
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
