extension JSONOutput {
    /// Writes a whole tree, without recursion.
    ///
    /// Answers nil, or the place of the first container that lies deeper than `maximumDepth`; the text is broken off
    /// there. A scalar has depth 0, `[]` 1, `[[]]` 2.
    /// - Complexity: O(n), n = size of the value; O(n log n) for sorting names.
    package func value(
        _ json: JSON, sortsNames: Bool = false, maximumDepth: Int = .max
    ) -> JSONPointer? {
        var frames: [TreeFrame] = []
        var next: JSON? = json
        while true {
            if let value = next.take() {
                switch value {
                case .null: null()
                case .bool(let value): bool(value)
                case .number(let value): number(value)
                case .string(let value): string(value)
                case .array(let array):
                    guard frames.count < maximumDepth else { return TreeFrame.pointer(frames) }
                    beginArray()
                    frames.append(.array(array, next: 0))
                case .object(let object):
                    guard frames.count < maximumDepth else { return TreeFrame.pointer(frames) }
                    beginObject()
                    frames.append(.object(object, next: 0, order: sortsNames ? TreeFrame.order(object) : nil))
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

    /// Writes elements up to the first container, which it answers, or the end of the array.
    private func elements(of array: JSONArray, from start: Int, _ frames: inout [TreeFrame]) -> JSON? {
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

    /// Writes members up to the first container, which it answers, or the end of the object.
    private func members(
        of object: JSONObject, from start: Int, _ order: [Int]?, _ frames: inout [TreeFrame]
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

    /// Writes a scalar; answers false for a container.
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

/// A container of which the elements in front of `next` are written.
private enum TreeFrame {
    case array(JSONArray, next: Int)
    case object(JSONObject, next: Int, order: [Int]?)

    /// The positions of the members by the bytes of their names; members of one name keep their order.
    static func order(_ object: JSONObject) -> [Int] {
        object.indices.sorted {
            if UTF8Bytes.isLess(object[$0].name, object[$1].name) { return true }
            return $0 < $1 && !UTF8Bytes.isLess(object[$1].name, object[$0].name)
        }
    }

    /// The place of the value that is written now.
    static func pointer(_ frames: [TreeFrame]) -> JSONPointer {
        JSONPointer(
            tokens: frames.map { frame in
                switch frame {
                case .array(_, let next): String(next - 1)
                case .object(let object, let next, let order): object[order?[next - 1] ?? next - 1].name
                }
            })
    }
}
