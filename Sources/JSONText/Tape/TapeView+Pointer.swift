// Finds the pointers of values on the tape.

extension TapeView {
    /// Returns the path of the value at `index`. The walk begins at `start`, which contains the value and is the root by default. Only for
    /// errors.
    ///
    /// - Complexity: O(n), n = number of siblings of the value and of each container around it.
    package func pointer(to index: Int, from start: Int = 0, prefix: JSONPointer = .root) -> JSONPointer {
        var tokens = prefix.tokens
        var container = start
        while container != index, isContainer(container) {
            guard let step = step(to: index, in: container) else { break }
            tokens.append(step.token)
            container = step.value
        }
        return JSONPointer(tokens: tokens)
    }

    /// Returns the element or member of `container` that is the value or name at `index`, or contains it.
    private func step(to index: Int, in container: Int) -> (token: String, value: Int)? {
        let isObject = isObject(container)
        var position = first(in: container)
        let end = end(of: container)
        var number = 0
        while position < end {
            let value = isObject ? next(after: position) : position
            let following = next(after: value)
            if index < following {
                return (isObject ? string(at: position) : String(number), value)
            }
            position = following
            number += 1
        }
        return nil
    }

    /// Returns the kind of the value at `index` for messages: "a string", "null", "an object".
    package func kindName(at index: Int) -> String {
        switch kind(at: index) {
        case .null: "null"
        case .false, .true: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// Returns the names of the members of the object at `index`, in order.
    package func names(of index: Int) -> [String] {
        var names: [String] = []
        forEachMember(of: index) { name, _ in names.append(string(at: name)) }
        return names
    }
}
