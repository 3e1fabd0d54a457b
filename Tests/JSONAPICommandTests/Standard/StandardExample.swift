import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText

/// An example of the specification: a document or a part of one, and what the page says about it.
struct StandardExample {
    let section: String
    let line: Int
    /// The document. A part of a document stands in the smallest document that can contain it.
    let document: JSON
    var context: ValidationContext
    /// The status line or request line above the body.
    let head: Head

    /// What the lines above the body say.
    enum Head: Equatable {
        case none
        case request(method: String, path: String)
        case response(status: Int)
    }

    /// Whether the document is a request.
    var isRequest: Bool {
        switch context.kind {
        case .create, .update, .relationship, .atomicRequest: true
        case .response, .error, .atomicResponse: false
        }
    }

    /// Whether the example has a form of the drafts that version 1.1 forbids: an error whose link `type` is an array.
    var isOutdated: Bool {
        document["errors"]?.array?.contains { $0["links"]?["type"]?.array != nil } ?? false
    }

    /// The reason for which a block with JSON is not an example.
    struct Unusable: Error {
        let reason: String
    }

    /// Reads a code block. Returns nil if it has no JSON, such as an address or a request without a body. Throws `Unusable` if the JSON is
    /// not an example.
    ///
    /// - Parameter query: The query of the request that the block responds to, if the page shows it.
    init?(_ block: StandardPage.Block, query: String?) throws(Unusable) {
        let (head, headers, body) = Self.split(block.lines)
        let lines = body.map(Self.withoutComment)
        let isShortened = zip(body, lines).contains { $0.utf8.count > $1.utf8.count }
        guard let json = try Self.json(of: lines, isShortened: isShortened) else { return nil }
        guard let (document, isWhole) = Self.document(json, head) else { throw Unusable(reason: "it is no part of a document") }
        // Resources without an identity stand for resources that the page leaves out.
        if isShortened, Self.lacksIdentity(document["data"], head) { throw Unusable(reason: "it leaves something out") }
        section = block.section
        line = block.line
        self.head = head
        self.document = document
        context = ValidationContext(isWhole || document["errors"] != nil ? Self.kind(of: document, head) : .response)
        context.extensions = Self.extensions(of: document, headers)
        if case .request(let method, _) = head { context.method = method }
        if case .response(let status) = head {
            context.status = status
            context.query = query
        }
    }

    /// The query of a block that is a request; nil for any other block, or without a query.
    static func query(of block: StandardPage.Block) -> String? {
        guard case .request(_, let path) = split(block.lines).head, let mark = path.firstIndex(of: "?") else { return nil }
        return String(path[path.index(after: mark)...])
    }
}

// MARK: - Lines

extension StandardExample {
    /// The first line, the headers and the body of a message. A block without a message is a body.
    private static func split(_ lines: [String]) -> (head: Head, headers: [String], body: [String]) {
        guard let first = lines.first(where: { !$0.isEmpty }) else { return (.none, [], lines) }
        let words = first.split(separator: " ").map(String.init)
        let head: Head
        if words.count > 1, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) {
            head = .response(status: status)
        } else if words.count > 1, ["GET", "POST", "PATCH", "DELETE"].contains(words[0]) {
            head = .request(method: words[0], path: words[1])
        } else {
            return (.none, [], lines)
        }
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        return (head, Array(lines[..<end]), Array(lines[end...]))
    }

    /// The value that the lines hold; nil if they hold no JSON. A list of members gets braces.
    private static func json(of lines: [Substring], isShortened: Bool) throws(Unusable) -> JSON? {
        var text = lines.joined(separator: "\n")
        guard let first = text.first(where: { !$0.isWhitespace }), "{[\"".contains(first) else { return nil }
        if first == "\"" { text = "{\(text)}" }
        do { return try JSON(parsing: text) } catch {
            throw Unusable(reason: isShortened ? "it leaves something out" : "it is not JSON: \(error)")
        }
    }

    private static func withoutComment(_ line: String) -> Substring {
        var isString = false
        var previous: Character = " "
        for position in line.indices {
            let character = line[position]
            if character == "\"", previous != "\\" { isString.toggle() }
            if character == "/", previous == "/", !isString { return line[..<line.index(before: position)] }
            previous = character
        }
        return line[...]
    }
}

// MARK: - Documents

extension StandardExample {
    /// The document that a value is or belongs to, and whether the value is the whole document; nil for a value of another kind.
    private static func document(_ json: JSON, _ head: Head) -> (JSON, isWhole: Bool)? {
        guard let members = json.object else {
            return json.array?.isEmpty == false ? (["data": json], false) : nil
        }
        let names = Set(members.names)
        if members["type"]?.string != nil { return (["data": json], false) }
        if !names.isDisjoint(with: ["data", "errors", "included"]) || names.contains(where: { $0.hasPrefix("atomic:") }) {
            return (json, true)
        }
        if names == ["links"], let links = members["links"] {
            let relationships: JSON = ["others": ["links": links]]
            return (["data": ["type": "examples", "id": "1", "relationships": relationships]], false)
        }
        if case .request = head { return (json, true) }
        if names.contains("status") || names.contains("title") { return (["errors": [json]], false) }
        guard names.isSubset(of: ["jsonapi", "meta", "links"]) else { return nil }
        return names.contains("meta")
            ? (json, true) : (.object(JSONObject(members: Array(members) + [.init(name: "data", value: .null)])), false)
    }

    /// Whether a resource in primary data has no type or no identity. A resource to create needs only a type.
    private static func lacksIdentity(_ data: JSON?, _ head: Head) -> Bool {
        var isCreation = false
        if case .request("POST", _) = head { isCreation = true }
        func lacks(_ resource: JSON) -> Bool { resource["type"] == nil || !isCreation && resource["id"] == nil }
        return switch data {
        case .array(let array)?: array.contains(where: lacks)
        case .object?: data.map(lacks) ?? false
        default: false
        }
    }

    private static func kind(of document: JSON, _ head: Head) -> ValidationContext.Kind {
        if document["atomic:operations"] != nil { return .atomicRequest }
        if document["atomic:results"] != nil { return .atomicResponse }
        switch head {
        case .request(_, let path) where path.contains("/relationships/"): return .relationship
        case .request("POST", _): return .create
        case .request("PATCH", _): return .update
        case .response(let status) where status >= 400: return .error
        default: return document["errors"] == nil ? .response : .error
        }
    }

    /// The extensions that the media type names. The page does not say their namespaces, so that is the end of the address.
    private static func extensions(of document: JSON, _ headers: [String]) -> [ValidationContext.Extension] {
        let type = headers.first { $0.lowercased().hasPrefix("content-type:") } ?? ""
        guard let start = type.range(of: "ext=\"")?.upperBound, let end = type[start...].firstIndex(of: "\"") else { return [] }
        return type[start..<end].split(separator: " ").map { uri in
            ValidationContext.Extension(namespace: String(uri.split(separator: "/").last ?? ""), uri: String(uri))
        }
    }
}
