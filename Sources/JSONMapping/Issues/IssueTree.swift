import JSONText

extension ValidationError {
    /// One line of the printable tree.
    public struct Row: Sendable, Equatable {
        /// How far inside, from 0.
        public let indent: Int
        /// The schema's name on the first row; below it internal names of fields, positions of elements, names of members.
        public let label: String
        /// How many problems are directly inside, nil on a row that is a problem itself.
        public let count: Int?
        /// The problem of the row, nil on a row that holds others.
        public let issue: MappingIssue?
    }

    /// The problems as a tree: object, list, element, field.
    ///
    /// - Complexity: O(n), n = length of all property paths.
    public var outline: [Row] {
        var tree = IssueTree(label: name)
        for issue in issues { tree.insert(issue) }
        return tree.rows
    }
}

extension ValidationError: CustomStringConvertible {
    /// The tree in lines; each problem with its place and the cure.
    public var description: String {
        outline.map { row in
            let start = String(repeating: "  ", count: row.indent) + row.label
            if let issue = row.issue { return "\(start): \(issue.kind): \(issue.explanation) (\(issue.place))" }
            let count = row.count ?? 0
            return "\(start): \(count) \(count == 1 ? "problem" : "problems")"
        }.joined(separator: "\n")
    }
}

extension MappingIssue {
    fileprivate var place: String {
        let places = alternatives.isEmpty ? [pointer] : alternatives
        return places.map { $0.tokens.isEmpty ? "the whole value" : "\($0)" }.joined(separator: ", ")
    }
}

/// Groups issues by property path. Nodes are numbered, so that nothing recurses.
private struct IssueTree {
    private struct Node {
        var label: String
        var issues: [MappingIssue] = []
        var children: [Int] = []
        var childNumbers: [ByteText: Int] = [:]
    }

    private var nodes: [Node]

    init(label: String) {
        nodes = [Node(label: label)]
    }

    mutating func insert(_ issue: MappingIssue) {
        var current = 0
        for label in issue.propertyPath {
            if let next = nodes[current].childNumbers[ByteText(label)] {
                current = next
            } else {
                nodes.append(Node(label: label))
                nodes[current].childNumbers[ByteText(label)] = nodes.count - 1
                nodes[current].children.append(nodes.count - 1)
                current = nodes.count - 1
            }
        }
        nodes[current].issues.append(issue)
    }

    /// The rows of all nodes, children below their parent, in the order of insertion.
    var rows: [ValidationError.Row] {
        var rows: [ValidationError.Row] = []
        var open = [(number: 0, indent: 0)]
        while let (number, indent) = open.popLast() {
            let node = nodes[number]
            if number != 0, node.children.isEmpty {
                rows += node.issues.map { .init(indent: indent, label: node.label, count: nil, issue: $0) }
                continue
            }
            rows.append(.init(indent: indent, label: node.label, count: node.children.count + node.issues.count, issue: nil))
            rows += node.issues.map { .init(indent: indent + 1, label: node.label, count: nil, issue: $0) }
            open += node.children.reversed().map { ($0, indent + 1) }
        }
        return rows
    }
}
