/// A graph as Mermaid reads it.
///
///     flowchart LR
///       n0["articles 1<br/>JSON#58;API"]:::primary
///       n1["people 9"]:::missing
///       n0 -->|"author"| n1
struct MermaidText {
    /// The default limits of Mermaid: the number of edges, and the number of characters.
    private static let usualLimits = (edges: 500, characters: 50_000)

    private let graph: DocumentGraph

    init(_ graph: DocumentGraph) { self.graph = graph }

    /// Prints the graph, a line for each node and edge. One that is too large for Mermaid's usual settings is noted.
    func print(in console: Console) throws {
        var characters = 0
        func print(_ line: String) throws {
            characters += line.utf8.count + 1
            try console.print(line)
        }
        try print("flowchart LR")
        for (number, node) in graph.nodes.enumerated() {
            let label = [node.name, node.title].compactMap { $0 }.map(MermaidText.escaped).joined(separator: "<br/>")
            try print("  n\(number)[\"\(label)\"]\(MermaidText.style(of: node.kind))")
        }
        for edge in graph.edges { try print("  n\(edge.origin) -->|\"\(MermaidText.escaped(edge.name))\"| n\(edge.target)") }
        try print("  classDef primary stroke-width:3px\n  classDef missing stroke-dasharray:5 5")
        guard graph.edges.count > MermaidText.usualLimits.edges || characters > MermaidText.usualLimits.characters else { return }
        try console.flush()
        console.complain(
            "note: Mermaid draws \(MermaidText.usualLimits.edges) edges of \(MermaidText.usualLimits.characters) characters unless "
                + "maxEdges and maxTextSize are raised; this graph has \(graph.edges.count) edges and \(characters) characters")
    }

    private static func style(of kind: DocumentGraph.Node.Kind) -> String {
        switch kind {
        case .primary: ":::primary"
        case .included: ""
        case .missing: ":::missing"
        }
    }

    /// A text within a quoted label. ASCII characters that Mermaid may read as markup are written as codes: everything except letters,
    /// digits and plain punctuation.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || " 0123456789-_.,()".unicodeScalars.contains(scalar)
            if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
        }
        return result
    }
}
