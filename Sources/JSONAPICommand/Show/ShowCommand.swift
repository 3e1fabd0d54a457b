import Foundation
import JSONAPICodec
import JSONText

/// `jsonapi show`: a document at a glance.
struct ShowCommand: Subcommand {
    static let name = "show"
    static let summary = "show a JSON:API document as a tree, its relationships resolved"
    static let operands = "FILE"
    static let options = [
        Option(name: "all", meaning: "leave nothing out: long texts, long lists, addresses"),
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
           "diagnostics": [{"kind", "pointer", "message"}]}
        Resources are the primary ones. Members that a document does not have are absent, except resources, included,
        errors and diagnostics. An error is {"file","line","column","pointer","kind","message"} on standard error.
        """

    let file: String
    let showsAll: Bool
    let writesJSON: Bool

    init(_ arguments: Arguments) throws {
        file = try arguments.oneFile()
        showsAll = arguments.has("all")
        writesJSON = arguments.has("json")
    }

    func run(in console: Console) throws -> ExitStatus {
        let text = try console.contents(of: file)
        let reading = try DocumentReading(text, file: file)
        guard let outline = DocumentOutline(reading.document, isRequest: reading.isRequest) else { throw reading.noDocument(in: text) }
        guard !writesJSON else {
            try console.print(try ShowReport(outline, reading.diagnostics).text)
            return .good
        }
        try show(outline, in: console)
        try console.flush()
        note(reading.diagnostics, text, in: console)
        return .good
    }
}

// MARK: - Text

extension ShowCommand {
    private func show(_ outline: DocumentOutline, in console: Console) throws {
        let isAnswer = !outline.isRequest && outline.subject != .operations
        let tree = DocumentTree(outline.catalog, showsAll: showsAll, expectsIncluded: isAnswer)
        var printer = TreePrinter(tree)
        try printer.print(outline.headNode(tree), in: console)
        for node in outline.bodyNodes(tree) {
            try console.print("")
            try printer.print(node, in: console)
        }
        try showRemaining(&printer, in: console)
    }

    /// The included resources that nothing led to, or only something that was shortened.
    private func showRemaining(_ printer: inout TreePrinter, in console: Console) throws {
        let remaining = printer.tree.remaining
        guard !remaining.isEmpty else { return }
        try console.print("\n\(Label.count(remaining.count, "included resource")) not shown above")
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
            let pointer = diagnostic.pointer.tokens.isEmpty ? "" : " (\(ShortText.plain(diagnostic.pointer.description, limit: 500)))"
            let message = ShortText.plain(diagnostic.message, limit: 1000)
            console.complain("\(place.joined(separator: ":")): note: \(message) [\(diagnostic.kind)]\(pointer)")
        }
        let omitted = diagnostics.count + diagnostics.omittedCount - noted.count
        if omitted > 0 { console.complain("\(Fault.shown(file)): note: \(omitted) more notes") }
    }
}
