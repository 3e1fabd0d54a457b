import JSONText

/// The related resources that go into `included`.
///
/// ```swift
/// try encoder.encode(article, include: ["author", "comments.author"])
/// try encoder.encode(article, include: .none)
/// ```
///
/// A path consists of relationship names, separated by dots. `["comments.author"]` includes the comments as well, as the specification
/// requires. With paths, the document has `included` even when it is empty. With `all`, it has `included` only when there are resources.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-includes>
public enum IncludePaths: Sendable, Hashable {
    /// All resources that are available.
    case all
    /// No related resources, and no member `included`.
    case none
    /// The resources on the given paths.
    case paths([String])
}

extension IncludePaths: ExpressibleByArrayLiteral {
    /// Creates the value for the given paths.
    public init(arrayLiteral elements: String...) { self = .paths(elements) }
}

/// Include paths as a tree. Node 0 is the root; `everything` represents an infinite tree.
struct IncludeTree {
    typealias Node = Int32
    static let nothing: Node = -1
    static let everything: Node = -2

    private var children: [[(name: String, node: Node)]] = [[]]
    /// The children of nodes that have many of them.
    private var edges: [Edge: Node] = [:]
    let root: Node

    private struct Edge: Hashable {
        let node: Node
        let name: ByteText
    }

    /// The number of children that are compared one by one. Hashing is slower for these.
    private static let few = 16

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
                add(name, next, to: node)
                node = next
            }
        }
    }

    private mutating func add(_ name: String, _ child: Node, to node: Node) {
        children[Int(node)].append((name, child))
        let count = children[Int(node)].count
        guard count > Self.few else { return }
        for (name, child) in children[Int(node)].suffix(count == Self.few + 1 ? count : 1) {
            edges[Edge(node: node, name: ByteText(name))] = child
        }
    }

    /// Returns the node of the relationship with the given name; nil when its resources are not requested.
    @inline(__always)
    func step(_ name: String, from node: Node) -> Node? {
        switch node {
        case Self.everything: Self.everything
        case Self.nothing: nil
        default: child(name, of: node)
        }
    }

    private func child(_ name: String, of node: Node) -> Node? {
        if children[Int(node)].count > Self.few { return edges[Edge(node: node, name: ByteText(name))] }
        return children[Int(node)].first { UTF8Bytes.areEqual($0.name, name) }?.node
    }

    /// The nodes of all paths, including the root.
    var nodes: Range<Node> { root == 0 ? 0..<Node(children.count) : 0..<0 }

    /// Returns the requested relationships at a node, with their nodes.
    func children(of node: Node) -> [(name: String, node: Node)] { children[Int(node)] }

    /// Returns the names from the root to a node.
    func path(to node: Node) -> [String] {
        guard node > 0, let parent = nodes.first(where: { children[Int($0)].contains { $0.node == node } }),
            let name = children[Int(parent)].first(where: { $0.node == node })?.name
        else { return [] }
        return path(to: parent) + [name]
    }

    /// Whether the paths continue after the node.
    func hasChildren(_ node: Node) -> Bool { node >= 0 && !children[Int(node)].isEmpty }
}
