import JSONText

/// A JSON Patch: the operations that turn one JSON value into another.
///
/// ```
/// {"a": 1, "list": [1, 2, 3]}  →  {"a": null, "list": [1, 3], "b": 2}
/// [{"op": "remove", "path": "/list/1"}, {"op": "replace", "path": "/a", "value": null}, {"op": "add", "path": "/b", "value": 2}]
/// ```
///
/// Only `add`, `remove` and `replace` occur. Two arrays are compared after the elements that they share at the beginning and at the
/// end. Objects with different `type` or `id` are replaced as a whole, and so are values more than 16 levels deep and values below
/// very long names, so that the patch is never much longer than the two values.
///
/// https://www.rfc-editor.org/rfc/rfc6902
package struct JSONPatch: Sendable {
    package enum Operation: Sendable {
        case add(path: JSONPointer, JSON)
        case remove(path: JSONPointer)
        case replace(path: JSONPointer, JSON)
    }

    /// The operations in the order in which they have to be applied.
    package private(set) var operations: [Operation] = []

    /// Values that are still to be compared, with the path to them.
    private struct Pair {
        let old: JSON
        let new: JSON
        let path: [String]
        let pathBytes: Int

        func at(_ name: String, _ old: JSON, _ new: JSON) -> Pair {
            Pair(old: old, new: new, path: path + [name], pathBytes: pathBytes + name.utf8.count)
        }

        /// Whether the values in these two are compared one by one.
        var isOpen: Bool { path.count < 16 && pathBytes <= ValueComparison.maximumPathBytes }
    }

    /// Creates the patch that turns `old` into `new`; it is empty if they are equal. Numbers are equal if their values are.
    ///
    /// - Complexity: O(n), n = size of both values. No recursion.
    package init(from old: JSON, to new: JSON) {
        var open = [Pair(old: old, new: new, path: [], pathBytes: 0)]
        while let pair = open.popLast() {
            switch (pair.old, pair.new) {
            case (.object(let old), .object(let new)) where pair.isOpen && JSONPatch.areAlike(old, new):
                open += compare(old, new, pair).reversed()
            case (.array(let old), .array(let new)) where pair.isOpen:
                open += compare(old, new, pair).reversed()
            default:
                if pair.old != pair.new { operations.append(.replace(path: JSONPointer(tokens: pair.path), pair.new)) }
            }
        }
    }

    /// Whether two objects can be the same resource.
    private static func areAlike(_ old: JSONObject, _ new: JSONObject) -> Bool { old["id"] == new["id"] && old["type"] == new["type"] }

    /// Adds and removes members. Returns the members that both have.
    private mutating func compare(_ old: JSONObject, _ new: JSONObject, _ pair: Pair) -> [Pair] {
        var common: [Pair] = []
        for member in MemberPairs(old, new) {
            switch (member.left, member.right) {
            case (let left?, let right?): common.append(pair.at(member.name, left, right))
            case (_?, nil): operations.append(.remove(path: JSONPointer(tokens: pair.path + [member.name])))
            case (nil, let right?): operations.append(.add(path: JSONPointer(tokens: pair.path + [member.name]), right))
            case (nil, nil): break
            }
        }
        return common
    }

    /// Adds and removes elements. Returns the elements that stand at the same position in both afterwards and can differ.
    private mutating func compare(_ old: JSONArray, _ new: JSONArray, _ pair: Pair) -> [Pair] {
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, old[start] == new[start] { start += 1 }
        var end = 0
        while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        let limit = shorter - end
        for position in (limit..<max(limit, old.count - end)).reversed() {
            operations.append(.remove(path: JSONPointer(tokens: pair.path + ["\(position)"])))
        }
        for position in limit..<max(limit, new.count - end) {
            operations.append(.add(path: JSONPointer(tokens: pair.path + ["\(position)"]), new[position]))
        }
        return (start..<limit).map { pair.at("\($0)", old[$0], new[$0]) }
    }
}

// MARK: - Text

extension JSONPatch {
    /// The patch as JSON: an array of operations.
    package var json: JSON { .array(JSONArray(operations.map(\.json))) }

    /// The patch as text, with an indentation of two spaces. Throws `JSONWriteError`.
    package var text: String {
        get throws {
            var writer = JSONWriter(style: .indented(spaces: 2))
            // Values are two levels deeper here than in the documents.
            writer.maximumDepth += 8
            return try writer.string(json)
        }
    }
}

extension JSONPatch.Operation {
    fileprivate var json: JSON {
        switch self {
        case .add(let path, let value): ["op": "add", "path": .string(path.description), "value": value]
        case .remove(let path): ["op": "remove", "path": .string(path.description)]
        case .replace(let path, let value): ["op": "replace", "path": .string(path.description), "value": value]
        }
    }
}
