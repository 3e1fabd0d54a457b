import JSONAPICodec
import JSONAPIComparison
import JSONText

/// `jsonapi diff`: compares two documents.
struct DiffCommand: Subcommand {
    static let name = "diff"
    static let summary = "show what changed between two documents, by resource and member"
    static let operands = "OLD NEW"
    static let options = [
        Option(name: "unordered", meaning: "ignore the order of collections and of linkage"),
        Option(name: "all", meaning: "do not shorten long texts and lists"),
        Option(name: "patch", meaning: "print a JSON Patch (RFC 6902) that turns OLD into NEW"),
        Ink.option,
        Option(name: "json", meaning: "print one JSON object, and an error as a JSON object"),
    ]
    static let details = """
        Resources are matched by type and id, or by lid if there is no id, wherever they are in the document. Resources with
        the same identity are matched in order. + is only in NEW, - is only in OLD, ~ changed.

        Objects are compared member by member, arrays of the same length element by element, and to-many linkage as a set of
        identifiers and its order. Values more than 16 levels deep, or below very long names, are compared as a whole.

        Numbers are equal if their values are, so 1.0 equals 1. Strings are equal if their bytes are. The order of members
        and of included resources does not count. Of a repeated name, the last member counts. An absent member and a member
        that is null differ: "+ note: null" says that the member was absent, and "~ note: null → …" that it was null.

        With --patch the result is an array of operations with the paths of RFC 6902. The patch treats the documents as
        plain JSON, so the order of every array counts. It is [] if they are equal.

        The exit status is 0 if the documents are equal, 1 if they differ, and 2 for wrong usage or a file that cannot be
        read as a document.

        With --json the result is one object, also for equal documents:
          {"equal": BOOLEAN, "document": [CHANGE],
           "resources": [{"change": "added|removed", "type", "id", "lid", "place": "data|included", "resource"}
                         or {"change": "changed", "type", "id", "lid", "place", "formerPlace", "changes": [CHANGE]}]}
        A CHANGE has a pointer into the document or the resource, and one of
          {"change": "added", "new"}, {"change": "removed", "old"}, {"change": "changed", "old", "new"},
          {"change": "relinked", "added": [identifiers], "removed": [identifiers]}, {"change": "reordered"},
          {"change": "reshaped", "old", "new"}, if data or included became absent, null, one or many
        """
    static let examples = [
        Example("diff before.json after.json", "what a new version of a server changed"),
        Example(
            "curl -s https://example.com/articles | jsonapi diff --unordered saved.json -",
            "what changed since a response was saved, except the order"),
        Example("diff --patch before.json after.json", "a JSON Patch"),
        Example("diff --json before.json after.json", "the differences for a program"),
    ]

    let files: (old: String, new: String)
    let countsOrder: Bool
    let showsAll: Bool
    let writesJSON: Bool
    let writesPatch: Bool
    let color: Ink.Use

    init(_ arguments: Arguments) throws {
        let operands = arguments.operands
        guard operands.count == 2 else {
            throw UsageError("diff takes two files, the old one and the new one, not \(operands.count)", of: Self.name)
        }
        guard operands != ["-", "-"] else { throw UsageError("standard input can be read only once", of: Self.name) }
        files = (operands[0], operands[1])
        countsOrder = !arguments.has("unordered")
        showsAll = arguments.has("all")
        writesPatch = arguments.has("patch")
        writesJSON = arguments.has("json")
        guard !writesPatch || countsOrder else {
            throw UsageError("--patch and --unordered exclude each other, because the paths of a patch depend on the order", of: Self.name)
        }
        color = try arguments.choice("color") ?? .auto
    }

    func run(in console: Console) throws -> ExitStatus {
        // The status 1 is only for documents that differ.
        guard let old = try document(files.old, console), let new = try document(files.new, console) else { return .unusable }
        guard !writesPatch else {
            let patch = JSONPatch(from: .object(old.members), to: .object(new.members))
            try console.print(json: try patch.text)
            return patch.operations.isEmpty ? .good : .fallsShort
        }
        let comparison = DocumentComparison(old, new, countsOrder: countsOrder)
        if writesJSON {
            try console.print(json: try DiffReport(comparison).text)
        } else {
            try DiffText(showsAll: showsAll, ink: Ink(color, on: console.terminal)).print(comparison, in: console)
        }
        return comparison.areEqual ? .good : .fallsShort
    }

    /// Reads the document of a file. Returns nil after reporting a file that cannot be read, or a text that is not a document.
    private func document(_ file: String, _ console: Console) throws -> DocumentObject? {
        do {
            let text = try console.contents(of: file)
            let reading = try DocumentReading(text, file: file)
            guard DocumentOutline(reading.document, isRequest: reading.isRequest) != nil else { throw reading.noDocument(in: text) }
            return reading.document
        } catch let fault as Fault {
            console.complain(fault)
            return nil
        }
    }
}
