import JSONAPICodec
import JSONAPIComparison
import JSONText

/// `jsonapi diff`: what changed from one document to another.
struct DiffCommand: Subcommand {
    static let name = "diff"
    static let summary = "tell what changed between two documents, by resource and member"
    static let operands = "OLD NEW"
    static let options = [
        Option(name: "unordered", meaning: "the order of a collection and of linkage does not count"),
        Option(name: "all", meaning: "leave nothing out: long texts, long lists"),
        Ink.option,
        Option(name: "json", meaning: "print one JSON object instead, and an error as a JSON object"),
    ]
    static let details = """
        Resources correspond by type and id, or by lid without an id, wherever they stand in the document; several of one
        identity correspond in their order. + is in NEW only, - is in OLD only, ~ changed. Objects are compared member by
        member, arrays of the same length element by element, to-many linkage as a set of identifiers and its order. What
        lies deeper than 16 levels, or below very long names, is compared as a whole.

        Numbers are equal when their values are, so 1.0 is 1; texts when their bytes are. The order of members and of
        included resources does not count, and of a repeated name the last member does. An absent member is not null.

        The exit status is 0 when the documents are equal, 1 when they differ, and 2 for wrong usage or a text that
        cannot be read as a document.

        With --json the result is one object, printed for equal documents as well:
          {"equal": BOOLEAN, "document": [CHANGE],
           "resources": [{"change": "added|removed", "type", "id", "lid", "place": "data|included", "resource"}
                         or {"change": "changed", "type", "id", "lid", "place", "formerPlace", "changes": [CHANGE]}]}
        A CHANGE has a pointer into the document or the resource, and one of
          {"change": "added", "new"}, {"change": "removed", "old"}, {"change": "changed", "old", "new"},
          {"change": "relinked", "added": [identifiers], "removed": [identifiers]}, {"change": "reordered"},
          {"change": "reshaped", "old", "new"}: data or included became absent, null, one or many
        """
    static let examples = [
        Example("diff before.json after.json", "what a new version of a server answers otherwise"),
        Example(
            "curl -s https://example.com/articles | jsonapi diff --unordered saved.json -",
            "whether anything but the order changed since an answer was saved"),
        Example("diff --json before.json after.json", "the same for a program"),
    ]

    let files: (old: String, new: String)
    let countsOrder: Bool
    let showsAll: Bool
    let writesJSON: Bool
    let color: Ink.Use

    init(_ arguments: Arguments) throws {
        let operands = arguments.operands
        guard operands.count == 2 else {
            throw UsageError("diff takes two files, the old one and the new one, not \(operands.count)", of: Self.name)
        }
        guard operands != ["-", "-"] else { throw UsageError("standard input can be read once only", of: Self.name) }
        files = (operands[0], operands[1])
        countsOrder = !arguments.has("unordered")
        showsAll = arguments.has("all")
        writesJSON = arguments.has("json")
        color = try arguments.choice("color") ?? .auto
    }

    func run(in console: Console) throws -> ExitStatus {
        // 1 says that the documents differ, and nothing else.
        guard let old = try document(files.old, console), let new = try document(files.new, console) else { return .unusable }
        let comparison = DocumentComparison(old, new, countsOrder: countsOrder)
        if writesJSON {
            try console.print(json: try DiffReport(comparison).text)
        } else {
            try DiffText(showsAll: showsAll, ink: Ink(color, on: console.terminal)).print(comparison, in: console)
        }
        return comparison.areEqual ? .good : .fallsShort
    }

    /// The document of a file; nil after complaining about a text that is none.
    private func document(_ file: String, _ console: Console) throws -> DocumentObject? {
        let text = try console.contents(of: file)
        do {
            let reading = try DocumentReading(text, file: file)
            guard DocumentOutline(reading.document, isRequest: reading.isRequest) != nil else { throw reading.noDocument(in: text) }
            return reading.document
        } catch let fault as Fault {
            console.complain(fault)
            return nil
        }
    }
}
