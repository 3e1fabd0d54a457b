import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText

/// `jsonapi flatten`: prints a document as plain JSON, with related resources inside the resources that refer to them.
struct FlattenCommand: Subcommand {
    static let name = "flatten"
    static let summary = "print a document as plain JSON, with related resources nested"
    static let operands = "FILE"
    static let options = [
        Option(name: "compact", meaning: "write one line without spaces; by default two spaces for each level"),
        Option(name: "conflicts", value: "error|keep", meaning: "with 1.x: what to do if two members would get the same name; error"),
        Option(name: "missing", value: "stub|omit|error", meaning: "what to write for resources that are not in the document; stub"),
        Option(name: "primary", value: "NAME", meaning: "with URI templates: a collection to keep; can be repeated"),
        Option(name: "json", meaning: "print errors as JSON objects, one on each line"),
    ]
    static let details = """
        There are two kinds of documents: those of JSON:API 1.x, which have `data`, and those from before 1.0, which have
        URI templates called `collection.relation` in their top-level `links`.

        1.x: attributes move up beside type and id. A self link becomes href. A relationship becomes the resource that it
        refers to, or its type and id if the document does not include it. `included` is removed.

        Templates: a template that is a string becomes an object with href. A template with a type becomes the resources of
        that collection whose ids are in `links`, each with href. Collections that others refer to are removed, except those
        named by --primary.

        An attribute called type or id, or any field with the name of another member, is an error, because its value would
        be lost. With --conflicts keep it is written as attributes.type, or as relationships.NAME, after the other member.
        In a document with templates, a relation with the name of a member is always an error.

        A resource inside itself is reduced to its identity. A result that is too large, or nested more than 512 levels
        deep, is an error.

        An error is FILE:LINE:COLUMN: error: message (pointer). With --json it is
        {"file","line","column","pointer","kind","message"}. Errors go to standard error, up to 256 KiB of them, with exit
        status 1.
        """
    static let examples = [
        Example("flatten articles.json", "a document as a tree"),
        Example("flatten --missing omit --compact articles.json", "on one line, without resources that are not included"),
        Example("flatten --conflicts keep articles.json", "keep attributes called type or id"),
        Example("flatten --primary posts legacy.json", "a document with URI templates, with the collection posts"),
    ]

    /// What to do with two members of one name.
    private enum Conflicts: String, CaseIterable {
        case error, keep
    }

    let file: String
    let style: JSONWriter.Style
    let expander: Expander

    init(_ arguments: Arguments) throws {
        file = try arguments.oneFile()
        style = arguments.has("compact") ? .compact : .indented(spaces: 2)
        let primary = arguments.values(of: "primary")
        var expander = Expander(missing: try arguments.choice("missing") ?? .stub, primary: primary.isEmpty ? nil : primary)
        expander.keepsConflicts = try arguments.choice("conflicts", of: Conflicts.self) == .keep
        self.expander = expander
    }

    func run(in console: Console) throws -> ExitStatus {
        let text = try console.contents(of: file)
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: text) } catch { throw Fault(error, in: text, file: file) }
        if let fault = misfit(json, text) { throw fault }
        let tree: JSON
        do throws(ExpansionError) {
            tree = try expand(json)
        } catch {
            complain(error.problems, text, in: console)
            return .fallsShort
        }
        try print(tree, in: console)
        return .good
    }
}

// MARK: - Input

extension FlattenCommand {
    private func expand(_ json: JSON) throws(ExpansionError) -> JSON {
        guard let members = json.object, isDocument(members) else { return try expander.expand(legacy: json) }
        return try expander.expand(DocumentObject(members: members))
    }

    /// Whether an object is a document of JSON:API 1.x: it has data, or another member that only such documents have.
    private func isDocument(_ members: JSONObject) -> Bool {
        if members.contains(name: "data") { return true }
        guard !LegacyDocument.hasTemplates(.object(members)) else { return false }
        return ["errors", "jsonapi", "included"].contains { members.contains(name: $0) }
            || members.contains(name: "meta") && members.names.allSatisfy { ["meta", "links"].contains($0) }
    }

    /// Whether an object is a document of collections: it has templates, or a list of objects.
    private func isLegacy(_ members: JSONObject) -> Bool {
        LegacyDocument.hasTemplates(.object(members))
            || members.contains { $0.value.array?.contains { $0.object != nil } ?? false }
    }

    /// Returns a fault if a JSON text cannot be expanded at all.
    private func misfit(_ json: JSON, _ text: Data) -> Fault? {
        guard let members = json.object, !isDocument(members) else { return nil }
        guard isLegacy(members) else {
            return fault(
                text, "documentStructure",
                "expected a document with data, or with URI templates as `collection.relation` in its links, found neither")
        }
        let linked = members["linked"]?.object ?? JSONObject()
        guard let unknown = expander.primary?.first(where: { !members.contains(name: $0) && !linked.contains(name: $0) }) else {
            return nil
        }
        let nearest = NearestName.find(unknown, in: Array(members.names) + Array(linked.names))
        let advice = nearest.map { "; did you mean `\(ShortText.plain($0, limit: 60))`?" } ?? ""
        return fault(text, "unknownCollection", "the document has no collection `\(ShortText.plain(unknown, limit: 60))`\(advice)")
    }

    private func fault(_ text: Data, _ kind: String, _ message: String) -> Fault {
        Fault(
            file: file, position: TextPlaces(text).positions(of: [.root]).first ?? nil, pointer: .root, kind: kind, message: message)
    }
}

// MARK: - Output

extension FlattenCommand {
    private func print(_ tree: JSON, in console: Console) throws {
        if style != .compact, isIndentationTooLarge(of: tree) {
            throw Fault(
                file: file, kind: "expansionLimit",
                message: "the tree is nested so deeply that its indentation would take more than \(expander.maximumSize >> 20) MiB; "
                    + "use --compact")
        }
        var bytes: [UInt8]
        do throws(JSONWriteError) {
            bytes = try JSONWriter(style: style).write(tree)
        } catch {
            // The pointer refers to the result, not to the input.
            throw Fault(
                file: file, kind: error.kind.description,
                message: "the tree is nested deeper than \(error.limit) levels, for its resources link to each other in long chains")
        }
        bytes.append(0x0A)
        try console.print(bytes: bytes)
    }

    /// Returns whether the lines of a tree begin with more spaces than the tree may have bytes. Each copy of a resource inside a long chain
    /// of others costs only its own members, but each of its lines has the indentation of the whole chain. The first levels do not count,
    /// because a large document needs them without any copy.
    private func isIndentationTooLarge(of tree: JSON) -> Bool {
        let maximumDepth = JSONWriter(style: style).maximumDepth
        var spaces = 0
        var open = [(json: tree, level: 1)]
        while let (json, level) = open.popLast() {
            let values: [JSON] = json.array.map { Array($0) } ?? json.object.map { $0.map(\.value) } ?? []
            spaces += 2 * max(level - 16, 0) * values.count
            if spaces > expander.maximumSize { return true }
            // The writer goes no deeper.
            guard level < maximumDepth else { continue }
            for value in values where value.array != nil || value.object != nil { open.append((value, level + 1)) }
        }
        return false
    }

    private func complain(_ problems: [ExpansionError.Problem], _ text: Data, in console: Console) {
        // Each line repeats the names around its fault, so all lines share a budget of bytes.
        var budget = ReportBudget(1 << 18)
        let told = problems.prefix(console.isMachineReadable ? 1000 : 50).filter { problem in
            !console.isMachineReadable || budget.pays(ReportBudget.cost(of: problem.pointer) + min(problem.message.utf8.count, 1000) + 100)
        }
        let positions = TextPlaces(text).positions(of: told.map(\.pointer))
        for (problem, position) in zip(told, positions) {
            console.complain(
                Fault(
                    file: file, position: position, pointer: problem.pointer, kind: problem.kind.description,
                    message: message(of: problem).shortened(to: 1000)))
        }
        if told.count < problems.count { console.note("\(problems.count - told.count) more errors", on: file) }
    }

    /// The message of a problem. The library's own advice on a tree that is too large is for programs.
    private func message(of problem: ExpansionError.Problem) -> String {
        guard problem.kind == .expansionLimit else { return problem.message }
        return "the tree would be more than \(expander.maximumSize >> 20) MiB larger than the document, because it repeats resources or"
            + " long names too often, or has too many templates; leave out resources to which many others refer, or use `jsonapi show`"
    }
}
