extension JSONOutput {
    /// Writes a whole tree without recursion. Returns nil if it succeeds.
    ///
    /// If a container is nested deeper than `maximumDepth`, writing stops there and the method returns its place. A scalar has depth 0,
    /// `[]` has depth 1, and `[[]]` has depth 2.
    /// - Complexity: O(n), n = size of the value, or O(n log n) if names are sorted.
    package func value(
        _ json: JSON, sortsNames: Bool = false, maximumDepth: Int = .max
    ) -> JSONPointer? {
        var frames: [OutputFrame] = []
        var next: JSON? = json
        while true {
            if let value = next.take() {
                switch value {
                case .array(let array):
                    guard frames.count < maximumDepth else { return OutputFrame.pointer(frames) }
                    beginArray()
                    frames.append(.array(array, next: 0))
                case .object(let object):
                    guard frames.count < maximumDepth else { return OutputFrame.pointer(frames) }
                    beginObject()
                    frames.append(.object(object, next: 0, order: sortsNames ? OutputFrame.order(object) : nil))
                default: _ = scalar(value)
                }
            }
            guard let frame = frames.popLast() else { return nil }
            switch frame {
            case .array(let array, let start):
                next = elements(of: array, from: start, &frames)
            case .object(let object, let start, let order):
                next = members(of: object, from: start, order, &frames)
            }
        }
    }

    /// Writes elements up to the first container, and returns that. Returns nil at the end of the array.
    private func elements(of array: JSONArray, from start: Int, _ frames: inout [OutputFrame]) -> JSON? {
        for index in start..<array.count {
            let value = array[index]
            guard scalar(value) else {
                frames.append(.array(array, next: index + 1))
                return value
            }
        }
        endArray()
        return nil
    }

    /// Writes members up to the first container, and returns that. Returns nil at the end of the object.
    private func members(
        of object: JSONObject, from start: Int, _ order: [Int]?, _ frames: inout [OutputFrame]
    ) -> JSON? {
        for index in start..<object.count {
            let member = object[order?[index] ?? index]
            name(member.name)
            guard scalar(member.value) else {
                frames.append(.object(object, next: index + 1, order: order))
                return member.value
            }
        }
        endObject()
        return nil
    }

    /// Writes a scalar. Returns false for a container.
    private func scalar(_ value: JSON) -> Bool {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let value): number(value)
        case .string(let value): string(value)
        case .array, .object: return false
        }
        return true
    }
}

/// A container whose elements before `next` are written.
private enum OutputFrame {
    case array(JSONArray, next: Int)
    case object(JSONObject, next: Int, order: [Int]?)

    /// Returns the positions of the members, sorted by the bytes of their names. Members with the same name keep their order.
    static func order(_ object: JSONObject) -> [Int] {
        object.indices.sorted {
            if UTF8Bytes.isLess(object[$0].name, object[$1].name) { return true }
            return $0 < $1 && !UTF8Bytes.isLess(object[$1].name, object[$0].name)
        }
    }

    /// Returns the place of the value that is being written.
    static func pointer(_ frames: [OutputFrame]) -> JSONPointer {
        JSONPointer(
            tokens: frames.map { frame in
                switch frame {
                case .array(_, let next): String(next - 1)
                case .object(let object, let next, let order): object[order?[next - 1] ?? next - 1].name
                }
            })
    }
}
