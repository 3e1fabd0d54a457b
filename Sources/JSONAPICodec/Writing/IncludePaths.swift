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
package struct IncludeTree {
    package typealias Node = Int32
    package static let nothing: Node = -1
    package static let everything: Node = -2

    /// For each node, the names of its children, and their nodes in the same order.
    private var children: [(names: NameList, nodes: [Node])] = [(NameList(), [])]
    package let root: Node

    package init(_ paths: IncludePaths) {
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
        for name in UTF8Bytes.parts(of: path, separatedBy: UInt8(ascii: ".")) {
            if let next = child(name, of: node) {
                node = next
            } else {
                let next = Node(children.count)
                children.append((NameList(), []))
                children[Int(node)].names.append(name)
                children[Int(node)].nodes.append(next)
                node = next
            }
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
        children[Int(node)].names.position(of: name).map { children[Int(node)].nodes[$0] }
    }

    /// The nodes of all paths, including the root.
    package var nodes: Range<Node> { root == 0 ? 0..<Node(children.count) : 0..<0 }

    /// Returns the nodes of the requested relationships at a node.
    func nodes(after node: Node) -> [Node] { children[Int(node)].nodes }

    /// Returns the names of the requested relationships at a node.
    func names(at node: Node) -> [String] { children[Int(node)].names.names }

    /// Returns the names from the root to a node.
    func path(to node: Node) -> [String] {
        var names: [String] = []
        var node = node
        // A node was made after its parent, for a long path directly after it.
        while node > 0, let parent = (0..<node).last(where: { children[Int($0)].nodes.contains(node) }),
            let index = children[Int(parent)].nodes.firstIndex(of: node)
        {
            names.append(children[Int(parent)].names.names[index])
            node = parent
        }
        return names.reversed()
    }

    /// Whether the paths continue after the node.
    package func hasChildren(_ node: Node) -> Bool { node >= 0 && !children[Int(node)].nodes.isEmpty }

    /// Whether resources that a resource at the node refers to may be requested.
    func leadsOn(_ node: Node) -> Bool { node == Self.everything || hasChildren(node) }
}
