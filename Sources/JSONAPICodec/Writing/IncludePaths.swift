import JSONText

/// Which related resources go into `included`.
///
/// ```swift
/// try encoder.encode(article, include: ["author", "comments.author"])
/// try encoder.encode(article, include: .none)
/// ```
///
/// A path is relationship names with dots between. `["comments.author"]` brings the comments along, as the specification
/// asks. With paths the document has `included` even when it is empty; with `all` only when there is something in it.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-includes>
public enum IncludePaths: Sendable, Hashable {
    /// Everything that is at hand.
    case all
    /// No member `included`.
    case none
    /// What lies on these paths.
    case paths([String])
}

extension IncludePaths: ExpressibleByArrayLiteral {
    /// These paths.
    public init(arrayLiteral elements: String...) { self = .paths(elements) }
}

/// Include paths as a tree. Node 0 is the root; `everything` stands for a tree without end.
struct IncludeTree {
    typealias Node = Int32
    static let nothing: Node = -1
    static let everything: Node = -2

    private var children: [[(name: String, node: Node)]] = [[]]
    let root: Node

    init(_ paths: IncludePaths) {
        switch paths {
        case .all: root = Self.everything
        case .none: root = Self.nothing
        case .paths(let list):
            root = 0
            for path in list where !path.isEmpty { insert(path) }
        }
    }

    private mutating func insert(_ path: String) {
        var node = root
        for name in path.split(separator: ".", omittingEmptySubsequences: false) {
            let name = String(name)
            if let next = child(name, of: node) {
                node = next
            } else {
                children.append([])
                let next = Node(children.count - 1)
                children[Int(node)].append((name, next))
                node = next
            }
        }
    }

    /// The node that a relationship of that name leads to; nil when what it links to is not asked for.
    @inline(__always)
    func step(_ name: String, from node: Node) -> Node? {
        switch node {
        case Self.everything: Self.everything
        case Self.nothing: nil
        default: child(name, of: node)
        }
    }

    private func child(_ name: String, of node: Node) -> Node? {
        children[Int(node)].first { UTF8Bytes.areEqual($0.name, name) }?.node
    }

    /// The nodes that paths lead to, the root included.
    var nodes: Range<Node> { root == 0 ? 0..<Node(children.count) : 0..<0 }

    /// The relationships that are asked for at a node, with the nodes that they lead to.
    func children(of node: Node) -> [(name: String, node: Node)] { children[Int(node)] }

    /// The names that lead to a node.
    func path(to node: Node) -> [String] {
        guard node > 0, let parent = nodes.first(where: { children[Int($0)].contains { $0.node == node } }),
            let name = children[Int(parent)].first(where: { $0.node == node })?.name
        else { return [] }
        return path(to: parent) + [name]
    }

    /// Whether something is asked for beyond the node.
    func hasChildren(_ node: Node) -> Bool { node >= 0 && !children[Int(node)].isEmpty }
}
