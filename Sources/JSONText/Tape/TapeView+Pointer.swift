// Places on the tape, in words.

extension TapeView {
    /// The path of the value at `index`, walked from `start` (the root by default), which holds it. Only for errors.
    ///
    /// - Complexity: O(siblings of the value and of each container around it).
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

    /// The element or member of `container` that is, or holds, the value (or name) at `index`.
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

    /// The kind of the value at `index` as people say it: "a string", "null", "an object".
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

    /// The names of the members of the object at `index`, in order.
    package func names(of index: Int) -> [String] {
        var names: [String] = []
        forEachMember(of: index) { name, _ in names.append(string(at: name)) }
        return names
    }
}
