import Foundation
import JSONAPICodec
import JSONText

/// `jsonapi show`: a document at a glance.
struct ShowCommand: Subcommand {
    static let name = "show"
    static let summary = "show a JSON:API document as a tree, a table or a graph"
    static let operands = "FILE"
    static let options = [
        Option(name: "all", meaning: "leave nothing out: long texts, long lists, addresses"),
        Option(name: "layout", value: "auto|tree|table", meaning: "how; auto: a table for a long collection of one type"),
        Option(name: "graph", value: "dot|mermaid", meaning: "print a graph of the resources instead, as Graphviz or Mermaid text"),
        Ink.option,
        Option(name: "json", meaning: "print one JSON object instead, and an error as a JSON object"),
    ]
    static let details = """
        First comes what the document is, with its links and meta; then each primary resource with its attributes and
        relationships. Related resources stand below the relationship that leads to them, each in full only once:

          (shown above)    it is in full further up
          (shown below)    it is primary data, further down
          ↑ shown above    it is one of those that this one stands in: a cycle
          (not included)   the document has its identifier, but not the resource
          not loaded       the relationship has no data at all
          none, empty      the relationship leads to nothing, for certain

        Where an included resource or a loaded relationship can be read again is told with --all only.
        Included resources that nothing above leads to come last. Errors and atomic operations are listed.

        A table has a row for each resource of a type and a column for each attribute and each relationship with data, as
        many as fit into the terminal, or into 100 columns elsewhere; COLUMNS says otherwise, --all leaves nothing out up to
        64 columns. Included resources have tables of their own. Links and meta of resources are told in a tree only.

        In a graph a node is a resource, with its type, its id and what looks like its title; an edge is a relationship with
        its name. Primary resources have a thick line, those that the document only has identifiers of a dashed one.

        Colours are off where NO_COLOR is set or TERM is dumb. Control characters of a document are always escaped.

        Documents are read as tolerantly as possible, as responses; as a request where the primary resource has no id.
        What had to be tolerated is noted on standard error: FILE:LINE:COLUMN: note: message [kind] (pointer).

        The exit status is 0 for every JSON:API document, one of errors included, and 1 for a text that is none.

        With --json the result is one object:
          {"subject": "resource|collection|null|errors|meta|operations|results|extension",
           "resources": [{"type", "id", "lid", "attributes": {…},
                          "relationships": {NAME: {"state": "loaded|none|empty|notLoaded|unreadable",
                                                   "targets": [{"type", "id", "lid", "found": "primary|included|no"}]}}}],
           "included": NUMBER, "errors": [error objects], "operations": [as in the document],
           "links", "meta", "jsonapi": as in the document,
           "diagnostics": [{"kind", "pointer", "message"}], "omittedDiagnostics": {KIND: NUMBER}}
        Resources are the primary ones. At most 1,000 diagnostics are there, of 256 KiB together; the numbers of those left
        out are in omittedDiagnostics. Members that a document does not have are absent, except resources, included,
        errors and diagnostics. An error is {"file","line","column","pointer","kind","message"} on standard error.
        """
    static let examples = [
        Example("show articles.json", "the resources of a document, what they lead to below them"),
        Example("curl -s https://example.com/articles | jsonapi show -", "an answer of a server"),
        Example("show --layout table articles.json", "a row for each resource"),
        Example("show --graph dot articles.json | dot -Tsvg > articles.svg", "a drawing by Graphviz"),
    ]

    let file: String
    let showsAll: Bool
    let writesJSON: Bool
    let layout: Layout
    let graph: GraphFormat?
    let color: Ink.Use

    /// How the resources of a document are laid out.
    enum Layout: String, CaseIterable, Sendable {
        case auto, tree, table
    }

    init(_ arguments: Arguments) throws {
        file = try arguments.oneFile()
        showsAll = arguments.has("all")
        writesJSON = arguments.has("json")
        layout = try arguments.choice("layout") ?? .auto
        graph = try arguments.choice("graph")
        color = try arguments.choice("color") ?? .auto
        let forms = ["json", "graph", "layout"].filter(arguments.has)
        guard forms.count < 2 else {
            throw UsageError("show takes only one of --\(forms.joined(separator: ", --"))", of: ShowCommand.name)
        }
    }

    func run(in console: Console) throws -> ExitStatus {
        let text = try console.contents(of: file)
        let reading = try DocumentReading(text, file: file)
        guard let outline = DocumentOutline(reading.document, isRequest: reading.isRequest) else { throw reading.noDocument(in: text) }
        guard !writesJSON else {
            try console.print(json: try ShowReport(outline, reading.diagnostics).text)
            return .good
        }
        if let graph { try graph.print(DocumentGraph(outline.catalog), in: console) } else { try show(outline, in: console) }
        try console.flush()
        note(reading.diagnostics, text, in: console)
        return .good
    }
}

// MARK: - Text

extension ShowCommand {
    private func show(_ outline: DocumentOutline, in console: Console) throws {
        let isAnswer = !outline.isRequest && outline.subject != .operations
        let ink = Ink(color, on: console.terminal)
        let tree = DocumentTree(outline.catalog, showsAll: showsAll, expectsIncluded: isAnswer, ink: ink)
        var printer = TreePrinter(tree)
        try printer.print(outline.headNode(tree), in: console)
        guard !isTable(outline) else {
            try TableView(outline, showsAll: showsAll, ink: ink).print(width: console.terminal.width, in: console)
            return
        }
        for node in outline.bodyNodes(tree) {
            try console.print("")
            try printer.print(node, in: console)
        }
        try showRemaining(&printer, in: console)
    }

    private func isTable(_ outline: DocumentOutline) -> Bool {
        switch layout {
        case .auto: TableView.suits(outline)
        case .tree: false
        case .table: TableView.fits(outline)
        }
    }

    /// The included resources that nothing led to, or only something that was shortened.
    private func showRemaining(_ printer: inout TreePrinter, in console: Console) throws {
        let remaining = printer.tree.remaining
        guard !remaining.isEmpty else { return }
        let heading = "\(Label.count(remaining.count, "included resource")) not shown above"
        try console.print("\n" + printer.tree.ink.paint(heading, .heading))
        var budget = printer.tree.maximumElements
        for position in remaining where !printer.tree.isShown(position) {
            guard budget > 0 else {
                try console.print("\n… \(printer.tree.remaining.count) more (--all shows them)")
                return
            }
            budget -= 1
            try console.print("")
            try printer.print(.resource(prefix: "", position), in: console)
        }
    }

    private func note(_ diagnostics: Diagnostics, _ text: Data, in console: Console) {
        let limit = showsAll ? Int.max : 50
        let noted = Array(diagnostics.prefix(limit))
        let positions = TextPlaces(text).positions(of: noted.map(\.pointer))
        for (diagnostic, position) in zip(noted, positions) {
            let place = [Fault.shown(file)] + (position.map { ["\($0.line)", "\($0.column)"] } ?? [])
            let pointer = diagnostic.pointer.tokens.isEmpty ? "" : " (\(ShortText.pointer(diagnostic.pointer, limit: 500)))"
            let message = ShortText.plain(diagnostic.message, limit: 1000)
            console.complain("\(place.joined(separator: ":")): note: \(message) [\(diagnostic.kind)]\(pointer)")
        }
        let omitted = diagnostics.count + diagnostics.omittedCount - noted.count
        if omitted > 0 { console.complain("\(Fault.shown(file)): note: \(omitted) more notes") }
    }
}
