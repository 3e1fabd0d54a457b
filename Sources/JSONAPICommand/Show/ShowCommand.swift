import Foundation
import JSONAPICodec
import JSONText

/// `jsonapi show`: shows documents at a glance.
struct ShowCommand: Subcommand {
    static let name = "show"
    static let summary = "show a JSON:API document as a tree, a table or a graph"
    static let operands = "FILE…"
    static let options = [
        Option(name: "all", meaning: "do not shorten or leave out anything: long texts, long lists, addresses"),
        Option(name: "layout", value: "auto|tree|table", meaning: "auto, the default: a table for a long collection of one type"),
        Option(name: "columns", value: "NAME,…", meaning: "show a table with these attributes and relationships, in this order"),
        Option(name: "graph", value: "dot|mermaid", meaning: "print a graph of the resources for Graphviz or Mermaid"),
        Ink.option,
        Option(name: "json", meaning: "print one JSON object, and an error as a JSON object"),
    ]
    static let details = """
        The first lines describe the document, with its links and meta. Each primary resource follows with its
        attributes and relationships. Related resources are shown below the relationship, each of them in full only once:

          (shown above)    it is shown in full further up
          (shown below)    it is primary data, and shown further down
          ↑ shown above    it is one of the resources that this one is shown in: a cycle
          (not included)   the document has its identifier, but not the resource
          not loaded       the relationship has no data
          none, empty      the relationship has data, and refers to no resource

        Included resources that no resource above refers to come last. Errors and atomic operations are listed. The links
        to included resources and to loaded relationships are shown only with --all.

        A table has a row for each resource of a type, and a column for each attribute and each relationship with data. It
        has as many columns as fit into the terminal, or into 100 columns elsewhere; the variable COLUMNS sets another width.
        Ids are whole, or long enough to tell them apart. Columns without a value are left out and named below the table.
        --columns chooses the columns, and --all shows all of them, at most 64. Included resources have their own tables.
        The links and meta of resources are shown only in a tree.

        In a graph a node is a resource with its type, its id and what looks like its title, and an edge is a relationship.
        Primary resources have a thick line. Resources of which the document has only the identifier have a dashed line.

        Colors are off if NO_COLOR is set or TERM is dumb. Control characters in a document are always escaped.

        A document is read as tolerantly as possible: as a response, or as a request if the primary resource has no id.
        Each tolerated fault is noted on standard error: FILE:LINE:COLUMN: note: message [kind] (pointer).

        The exit status is 0 for every JSON:API document, also for one with errors, and 1 for any other text.

        With --json the result is one object, or for several files an array of objects that have "file" as well:
          {"subject": "resource|collection|null|errors|meta|operations|results|extension",
           "resources": [{"type", "id", "lid", "attributes": {…},
                          "relationships": {NAME: {"state": "loaded|none|empty|notLoaded|unreadable",
                                                   "targets": [{"type", "id", "lid", "found": "primary|included|no"}]}}}],
           "included": NUMBER, "errors": [error objects], "operations": [as in the document],
           "links", "meta", "jsonapi": as in the document,
           "diagnostics": [{"kind", "pointer", "message"}], "omittedDiagnostics": {KIND: NUMBER}}
        "resources" are the primary resources. There are at most 1,000 diagnostics, 256 KiB together; omittedDiagnostics
        counts the others. Members that a document does not have are absent, except resources, included, errors and
        diagnostics. An error is {"file","line","column","pointer","kind","message"} on standard error.
        """
    static let examples = [
        Example("show articles.json", "the resources of a document, with related resources below them"),
        Example("curl -s https://example.com/articles | jsonapi show", "the response of a server"),
        Example("show --layout table articles.json", "a row for each resource"),
        Example("show --columns title,author page-1.json page-2.json", "two columns of several documents"),
        Example("show --graph dot articles.json | dot -Tsvg > articles.svg", "a drawing by Graphviz"),
    ]

    let files: [String]
    let showsAll: Bool
    let writesJSON: Bool
    let layout: Layout
    /// The columns of a table; nil for all that have a value.
    let columns: [String]?
    let graph: GraphFormat?
    let color: Ink.Use

    /// How the resources of a document are arranged.
    enum Layout: String, CaseIterable, Sendable {
        case auto, tree, table
    }

    init(_ arguments: Arguments) throws {
        files = try arguments.files()
        showsAll = arguments.has("all")
        writesJSON = arguments.has("json")
        let written = arguments.values(of: "columns").flatMap { $0.split(separator: ",").map(String.init) }
        columns = arguments.has("columns") ? written : nil
        let layout: Layout? = try arguments.choice("layout")
        self.layout = layout ?? (columns == nil ? .auto : .table)
        graph = try arguments.choice("graph")
        color = try arguments.choice("color") ?? .auto
        let forms = ["json", "graph", "layout"].filter(arguments.has)
        guard forms.count < 2 else {
            throw UsageError("show takes only one of --\(forms.joined(separator: ", --"))", of: ShowCommand.name)
        }
        guard columns == nil || !writesJSON && graph == nil && self.layout == .table else {
            throw UsageError("--columns is for a table", of: ShowCommand.name)
        }
        guard graph == nil || files.count == 1 else { throw UsageError("--graph takes one file", of: ShowCommand.name) }
    }

    func run(in console: Console) throws -> ExitStatus {
        guard files.count > 1 else {
            try show(ShownDocument(files[0], in: console), in: console)
            return .good
        }
        var status = ExitStatus.good
        var isFirst = true
        if writesJSON { try console.print("[") }
        for file in files {
            do {
                let document = try ShownDocument(file, in: console)
                try separate(document, isFirst: isFirst, in: console)
                try show(document, in: console)
                isFirst = false
            } catch let fault as Fault {
                // The other files are still shown. The output so far comes first.
                try console.flush()
                console.complain(fault)
                status = status.worse(than: fault.status)
            }
        }
        if writesJSON { try console.print("]") }
        return status
    }

    /// Prints what stands between the documents of several files.
    private func separate(_ document: ShownDocument, isFirst: Bool, in console: Console) throws {
        guard !writesJSON else {
            if !isFirst { try console.print(",") }
            return
        }
        if !isFirst { try console.print("") }
        try console.print(Ink(color, on: console.terminal).paint("\(Fault.shown(document.file)):", .remark))
    }

    private func show(_ document: ShownDocument, in console: Console) throws {
        guard !writesJSON else {
            let report = ShowReport(document.outline, document.reading.diagnostics, file: files.count > 1 ? document.file : nil)
            try console.print(json: report.text)
            return
        }
        if let graph {
            try graph.print(DocumentGraph(document.outline.catalog), in: console)
        } else {
            try show(document.outline, of: document.file, in: console)
        }
        try console.flush()
        note(document.reading.diagnostics, document.text, of: document.file, in: console)
    }
}

/// A file, and the document in it.
private struct ShownDocument {
    let file: String
    let text: Data
    let reading: DocumentReading
    let outline: DocumentOutline

    /// Reads a document. Throws `Fault` if the file cannot be read or is not a document.
    init(_ file: String, in console: Console) throws {
        self.file = file
        text = try console.contents(of: file)
        reading = try DocumentReading(text, file: file)
        guard let outline = DocumentOutline(reading.document, isRequest: reading.isRequest) else { throw reading.noDocument(in: text) }
        self.outline = outline
    }
}

// MARK: - Text

extension ShowCommand {
    private func show(_ outline: DocumentOutline, of file: String, in console: Console) throws {
        let isAnswer = !outline.isRequest && outline.subject != .operations
        let ink = Ink(color, on: console.terminal)
        let tree = DocumentTree(outline.catalog, showsAll: showsAll, expectsIncluded: isAnswer, ink: ink)
        var printer = TreePrinter(tree)
        try printer.print(outline.headNode(tree), in: console)
        guard !isTable(outline) else {
            let tables = TableView(outline, showsAll: showsAll, columns: columns, ink: ink)
            try tables.print(width: console.terminal.width, in: console)
            try console.flush()
            noteUnknownColumns(tables.columnNames, of: file, in: console)
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

    private func noteUnknownColumns(_ names: [ByteText], of file: String, in console: Console) {
        for column in columns ?? [] where column != "id" && !names.contains(ByteText(column)) {
            let nearest =
                NearestName.find(column, in: names.map(\.text)).map { "; did you mean `\(ShortText.plain($0, limit: 60))`?" } ?? ""
            console.complain("\(Fault.shown(file)): note: there is no column `\(ShortText.plain(column, limit: 60))`\(nearest)")
        }
    }

    /// Shows the included resources that no shown relationship refers to.
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

    private func note(_ diagnostics: Diagnostics, _ text: Data, of file: String, in console: Console) {
        let limit = showsAll ? Int.max : 50
        let noted = Array(diagnostics.prefix(limit))
        let positions = TextPlaces(text).positions(of: noted.map(\.pointer))
        for (diagnostic, position) in zip(noted, positions) {
            let place = [Fault.shown(file)] + (position.map { ["\($0.line)", "\($0.column)"] } ?? [])
            let pointer =
                diagnostic.pointer.tokens.isEmpty ? "" : " (\(ShortText.pointer(diagnostic.pointer, limit: showsAll ? .max : 500)))"
            let message = ShortText.plain(diagnostic.message, limit: showsAll ? .max : 1000)
            console.complain("\(place.joined(separator: ":")): note: \(message) [\(diagnostic.kind)]\(pointer)")
        }
        let omitted = diagnostics.count + diagnostics.omittedCount - noted.count
        if omitted > 0 { console.complain("\(Fault.shown(file)): note: \(omitted) more notes") }
    }
}
