extension JSON {
    /// The value at that place; nil when there is none.
    ///
    /// ```swift
    /// document[pointer: JSONPointer("data", "attributes", "title")] = "JSON:API"
    /// ```
    ///
    /// In an object a token is the name of the last such member. In an array it is a position without leading zeros;
    /// `-`, the place behind the last element, has no value.
    ///
    /// Setting replaces the value, or adds a member to an object, or an element at `-`; nil removes the member, all of
    /// its name, or the element. The container must exist: otherwise nothing changes. The root cannot be removed.
    ///
    /// - Complexity: O(n), n = bytes of the pointer; for removing, members or elements beside the place too.
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
            // Looked for first, so that a shared tree is copied only when something changes.
            guard hasContainer(at: path) else { return }
            change(at: path) { $0.set(newValue, at: last) }
        }
    }

    /// A function of its own, so that no reference to the container is left when it changes.
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

    /// The position of the element or member that a token means here.
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

    /// Changes the value at a place that exists.
    ///
    /// Takes each value out of its container on the way down and puts it back on the way up. So every container is
    /// referred to once while it changes, and none is copied that is not shared.
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
