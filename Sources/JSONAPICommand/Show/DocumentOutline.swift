import JSONAPICodec
import JSONText

/// What a document is, in one line, and the nodes that it is shown as.
struct DocumentOutline {
    /// What a document is mainly about.
    enum Subject: String, Sendable {
        case resource, collection, null, errors, meta, operations, results
        /// Members of an extension, and nothing else.
        case `extension`
    }

    let document: DocumentObject
    let subject: Subject
    let catalog: ResourceCatalog
    /// Whether the document asks for its primary resource to be created.
    let isRequest: Bool
    /// The elements of `atomic:operations` or `atomic:results`.
    private let entries: [JSONObject]
    /// The resources of `data`.
    let primary: [ResourceObject]
    let included: [ResourceObject]

    /// Creates the outline of a document; nil if it has none of the members that a JSON:API document must have.
    ///
    /// https://jsonapi.org/format/1.1/#document-top-level
    init?(_ document: DocumentObject, isRequest: Bool) {
        self.isRequest = isRequest
        guard let subject = DocumentOutline.subject(of: document) else { return nil }
        self.document = document
        self.subject = subject
        primary = document.data.resources
        included = document.included ?? []
        let list = document.members[subject == .operations ? DocumentOutline.operations : DocumentOutline.results]
        entries = (list?.array ?? []).map { $0.object ?? [:] }
        let inEntries = entries.filter { DocumentOutline.holdsResource($0) }.flatMap { PrimaryData(json: $0["data"])?.resources ?? [] }
        catalog = ResourceCatalog(primary: primary + inEntries, included: included)
    }

    /// https://jsonapi.org/ext/atomic/
    private static let operations = "atomic:operations"
    private static let results = "atomic:results"

    private static func subject(of document: DocumentObject) -> Subject? {
        let members = document.members
        if members.contains(name: "errors"), document.data.resources.isEmpty { return .errors }
        switch document.data {
        case .one: return .resource
        case .many: return .collection
        case .null: return .null
        case .absent: break
        }
        if members.contains(name: operations) { return .operations }
        if members.contains(name: results) { return .results }
        if members.contains(name: "meta") { return .meta }
        let isExtended = members.contains { Label.isForeign($0.name) && !$0.name.hasPrefix("@") }
        return isExtended ? .extension : nil
    }

    /// Whether the data of an operation or result is a resource, not the linkage of a relationship.
    private static func holdsResource(_ entry: JSONObject) -> Bool {
        if let reference = entry["ref"]?.object { return !reference.contains(name: "relationship") }
        return !(entry["href"]?.string ?? "").contains("/relationships/")
    }
}

// MARK: - Head

extension DocumentOutline {
    /// What the document is: `2 articles, 5 included resources`.
    func headline(limits: ShortText.Limits) -> String {
        var parts = [mainPart(limits)]
        if document.members.contains(name: "included") {
            parts.append(included.isEmpty ? "nothing included" : Label.count(included.count, "included resource"))
        }
        return parts.joined(separator: ", ")
    }

    private func mainPart(_ limits: ShortText.Limits) -> String {
        switch subject {
        case .resource where primary.first?.isIdentifier == true: return "one identifier, or a resource without fields"
        case .resource: return isRequest ? "one resource without an id: a request to create it" : "one resource"
        case .collection where primary.isEmpty: return "an empty collection"
        case .collection where areIdentifiers: return "a list of identifiers"
        case .collection: return Label.count(primary.map(\.type), one: "a collection of one resource", limits: limits)
        case .null: return "no resource (data is null)"
        case .errors: return Label.count(errors.count, "error")
        case .meta: return "meta only, no data"
        case .operations: return Label.count(entries.count, "atomic operation")
        case .results: return Label.count(entries.count, "atomic result")
        case .extension: return "members of an extension, no data"
        }
    }

    /// Whether the primary data is a list of nothing but identifiers.
    var areIdentifiers: Bool { subject == .collection && primary.allSatisfy(\.isIdentifier) }

    /// The errors, including those that are not objects.
    var errors: [ErrorObject] {
        document.errors ?? (document.members["errors"]?.array ?? []).map { ErrorObject(json: $0) ?? ErrorObject(members: ["error": $0]) }
    }

    /// The headline with links, meta and everything else about the document as a whole.
    func headNode(_ tree: DocumentTree) -> TreeNode {
        var nodes: [TreeNode] = []
        if let jsonapi = document.members["jsonapi"] { nodes.append(.line("jsonapi: \(ShortText.value(jsonapi, limits: tree.limits))")) }
        nodes += tree.linkNodes(document.links)
        for member in document.meta ?? [:] {
            nodes.append(.line("meta \(tree.memberName(member.name)): \(tree.ink.value(member.value, limits: tree.limits))"))
        }
        let shown: Set = ["data", "included", "errors", "jsonapi", "links", "meta", DocumentOutline.operations, DocumentOutline.results]
        return .group(
            tree.ink.paint(headline(limits: tree.limits), .heading), nodes + tree.memberNodes(of: document.members, besides: shown))
    }
}

// MARK: - Body

extension DocumentOutline {
    /// The resources, errors, operations or results, a tree each.
    func bodyNodes(_ tree: DocumentTree) -> [TreeNode] {
        var nodes: [TreeNode] = primary.indices.map { .resource(prefix: "", $0) }
        if areIdentifiers, !nodes.isEmpty {
            nodes = [.group(Label.count(primary.map(\.type), one: "one identifier", limits: tree.limits), nodes)]
        }
        if document.members.contains(name: "errors") {
            nodes += errors.enumerated().map { errorNode($1, number: $0 + 1, tree) }
        }
        var position = primary.count
        for (index, entry) in entries.enumerated() { nodes.append(entryNode(entry, index + 1, &position, tree)) }
        return nodes
    }

    /// `error 1: 422 Invalid Attribute`, with the other members below it.
    private func errorNode(_ error: ErrorObject, number: Int, _ tree: DocumentTree) -> TreeNode {
        let limit = tree.maximumText
        let title = [error.status, error.title].compactMap { $0 }.filter { !$0.isEmpty }.map { ShortText.plain($0, limit: limit) }
        var nodes: [TreeNode] = []
        if let detail = error.detail { nodes.append(.line("detail: \(ShortText.plain(detail, limit: limit))")) }
        if let source = error.source { nodes += sourceNodes(source, tree) }
        if let code = error.code { nodes.append(.line("code: \(ShortText.plain(code, limit: limit))")) }
        if let id = error.id { nodes.append(.line("id: \(ShortText.plain(id, limit: limit))")) }
        nodes += tree.linkNodes(error.links)
        var shown: Set = ["links"]
        for (name, value) in [
            ("status", error.status), ("title", error.title), ("detail", error.detail), ("code", error.code), ("id", error.id),
        ] where value != nil { shown.insert(name) }
        if error.source != nil { shown.insert("source") }
        nodes += tree.memberNodes(of: error.members, besides: shown)
        let heading = "error \(number): \(title.isEmpty ? "without title" : title.joined(separator: " "))"
        return .group(tree.ink.paint(heading, .failure), nodes)
    }

    private func sourceNodes(_ source: ErrorSource, _ tree: DocumentTree) -> [TreeNode] {
        var nodes: [TreeNode] = []
        if let pointer = source.pointerText {
            nodes.append(.line("in the document: \(pointer.isEmpty ? "as a whole" : ShortText.plain(pointer, limit: tree.maximumText))"))
        }
        if let parameter = source.parameter { nodes.append(.line("in the query: \(ShortText.plain(parameter, limit: tree.maximumText))")) }
        if let header = source.header { nodes.append(.line("in the header: \(ShortText.plain(header, limit: tree.maximumText))")) }
        var shown: Set<String> = []
        for (name, text) in [("pointer", source.pointerText), ("parameter", source.parameter), ("header", source.header)]
        where text != nil { shown.insert(name) }
        return nodes + tree.memberNodes(of: source.members, besides: shown)
    }

    /// `operation 2: update articles 13`, and below it its data. `position` is that of its first resource in the catalog.
    private func entryNode(_ entry: JSONObject, _ number: Int, _ position: inout Int, _ tree: DocumentTree) -> TreeNode {
        var nodes: [TreeNode] = []
        switch (entry["data"], PrimaryData(json: entry["data"])) {
        case (nil, _): break
        case (let data?, _) where !DocumentOutline.holdsResource(entry):
            switch Linkage(json: data) {
            case .null?: nodes.append(.line("data: none"))
            case .one(let identifier)?: nodes.append(.link(prefix: "data → ", identifier))
            case .many(let identifiers)?: nodes.append(tree.listNode("data", identifiers))
            case .absent?, nil: nodes.append(.line("data: \(ShortText.value(data, limits: tree.limits)) (no identifiers)"))
            }
        case (_, .null?): nodes.append(.line("data: none"))
        case (_, let data?):
            for _ in data.resources {
                nodes.append(.resource(prefix: "data: ", position))
                position += 1
            }
        case (let data?, nil): nodes.append(.line("data: \(ShortText.value(data, limits: tree.limits)) (no resource)"))
        }
        nodes += tree.memberNodes(of: entry, besides: ["op", "ref", "href", "data"])
        guard subject == .operations else {
            return .group(tree.ink.paint("result \(number)", .heading) + (nodes.isEmpty ? ": no data" : ""), nodes)
        }
        let name = entry["op"].map {
            $0.string.map { ShortText.plain($0, limit: tree.showsAll ? .max : 40) } ?? ShortText.value($0, limits: tree.limits)
        }
        return .group(tree.ink.paint("operation \(number): \(name ?? "without op")", .heading) + target(of: entry, tree), nodes)
    }

    /// What an operation is about: ` articles 13, relationship author` or ` /articles/13`.
    private func target(of entry: JSONObject, _ tree: DocumentTree) -> String {
        var text = ""
        if let reference = entry["ref"] {
            if let members = reference.object, let identifier = ResourceIdentifier(members: members) {
                text += " " + Label.of(identifier, limits: tree.limits)
                if let relationship = members["relationship"]?.string {
                    text += ", relationship \(ShortText.memberName(relationship, limits: tree.limits))"
                }
            } else {
                text += " " + ShortText.value(reference, limits: tree.limits)
            }
        }
        if let href = entry["href"] {
            text +=
                " at "
                + (href.string.map { ShortText.plain($0, limit: max(tree.limits.string, 300)) }
                    ?? ShortText.value(href, limits: tree.limits))
        }
        return text
    }
}
