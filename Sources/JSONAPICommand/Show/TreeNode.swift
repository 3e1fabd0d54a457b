import JSONAPICodec

/// A line of the output, and the lines below it.
enum TreeNode {
    /// A line with nothing below.
    case line(String)
    /// A line with nodes below.
    case group(String, [TreeNode])
    /// A resource that a relationship refers to. The lines below it depend on what was shown before.
    case link(prefix: String, ResourceIdentifier, suffix: String = "")
    /// A resource of the catalog, shown in full.
    case resource(prefix: String, Int)
}

/// Prints nodes as a tree.
///
///     articles 1
///     ├─ title: "JSON:API"
///     └─ author → people 9
///        └─ name: "Ada"
///
/// There is no recursion: the open nodes are in a list.
struct TreePrinter {
    private var view: DocumentTree

    private struct Frame {
        var children: [TreeNode]
        var next = 0
        /// What the lines of the children begin with.
        let prefix: String
        /// The resource that is open here.
        let resource: Int?
    }

    init(_ view: DocumentTree) { self.view = view }

    /// The state of what was shown.
    var tree: DocumentTree { view }

    /// Prints a node and everything below it.
    mutating func print(_ root: TreeNode, in console: Console) throws {
        let opened = view.open(root)
        try console.print(opened.text)
        var frames = [Frame(children: opened.children, prefix: "", resource: opened.resource)]
        while let top = frames.indices.last {
            guard frames[top].next < frames[top].children.count else {
                if let resource = frames.removeLast().resource { view.close(resource) }
                continue
            }
            let child = frames[top].children[frames[top].next]
            frames[top].next += 1
            let isLast = frames[top].next == frames[top].children.count
            let prefix = frames[top].prefix
            let opened = view.open(child)
            try console.print(view.ink.paint(prefix + (isLast ? "└─ " : "├─ "), .remark) + opened.text)
            guard !opened.children.isEmpty || opened.resource != nil else { continue }
            frames.append(
                Frame(children: opened.children, prefix: prefix + (isLast ? "   " : "│  "), resource: opened.resource))
        }
    }
}
