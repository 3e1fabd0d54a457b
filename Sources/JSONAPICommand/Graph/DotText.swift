/// A graph as Graphviz reads it.
///
///     digraph document {
///       rankdir=LR
///       node [shape=box]
///       n0 [label="articles 1\nJSON:API", penwidth=2]
///       n1 [label="people 9", style=dashed]
///       n0 -> n1 [label="author"]
///     }
struct DotText {
    private let graph: DocumentGraph

    init(_ graph: DocumentGraph) { self.graph = graph }

    /// Prints the graph, a line for each node and edge.
    func print(in console: Console) throws {
        try console.print("digraph document {\n  rankdir=LR\n  node [shape=box]")
        for (number, node) in graph.nodes.enumerated() {
            let label = [node.name, node.title].compactMap { $0 }.map(DotText.escaped).joined(separator: "\\n")
            try console.print("  n\(number) [label=\"\(label)\"\(DotText.attributes(of: node.kind))]")
        }
        for edge in graph.edges {
            try console.print("  n\(edge.origin) -> n\(edge.target) [label=\"\(DotText.escaped(edge.name))\"]")
        }
        try console.print("}")
    }

    private static func attributes(of kind: DocumentGraph.Node.Kind) -> String {
        switch kind {
        case .primary: ", penwidth=2"
        case .included: ""
        case .missing: ", style=dashed"
        }
    }

    /// A text within a quoted label. A backslash would begin an escape of the label, and an ampersand an entity of HTML.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "&": result += "&amp;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
