import JSONText

extension ValidationError {
    /// One line of the tree that `description` prints.
    public struct Row: Sendable, Equatable {
        /// The nesting level, from 0.
        public let indent: Int
        /// The schema's name in the first row. In the other rows, the internal name of a field, the position of an element, or the name of
        /// a member.
        public let label: String
        /// The number of problems and groups directly inside, or nil if the row is a problem itself.
        public let count: Int?
        /// The problem of the row, or nil if the row is a group.
        public let issue: MappingIssue?
    }

    /// The problems as the rows of a tree.
    ///
    /// - Complexity: O(n), n = total length of all property paths.
    public var outline: [Row] {
        var tree = IssueTree(label: name)
        for issue in issues { tree.insert(issue) }
        return tree.rows
    }
}

extension ValidationError: CustomStringConvertible {
    /// The tree as text, one row in a line. Each problem names its place and, if known, the remedy. Long names and places are shortened, rows
    /// are indented by at most 32 levels, and after 1 MiB only the number of the other rows follows.
    public var description: String {
        var text = ""
        let rows = outline
        for (number, row) in rows.enumerated() {
            guard text.utf8.count < Self.maximumBytes else { return text + "\nand \(rows.count - number) more rows" }
            text += (number == 0 ? "" : "\n") + row.text
        }
        return text
    }

    private static let maximumBytes = 1 << 20
}

extension ValidationError.Row {
    private static let mostLevels = 32

    fileprivate var text: String {
        let start = String(repeating: "  ", count: min(indent, Self.mostLevels)) + label.shortened(to: 200)
        if let issue { return "\(start): \(issue.kind): \(issue.explanation) (\(issue.place(root: "the whole value")))" }
        let count = count ?? 0
        return "\(start): \(count) \(count == 1 ? "problem" : "problems")"
    }
}

/// Groups issues by property path. Nodes refer to each other by number, so that no method recurses.
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

    /// The rows of all nodes. Children follow their parent in the order of insertion.
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
