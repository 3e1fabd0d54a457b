/// A language that graphs are drawn from.
enum GraphFormat: String, CaseIterable, Sendable {
    /// Graphviz: https://graphviz.org/doc/info/lang.html
    case dot
    /// https://mermaid.js.org/syntax/flowchart.html
    case mermaid

    /// Prints a graph.
    func print(_ graph: DocumentGraph, in console: Console) throws {
        switch self {
        case .dot: try DotText(graph).print(in: console)
        case .mermaid: try MermaidText(graph).print(in: console)
        }
    }
}
