import JSONText

/// A document with `errors`, thrown in place of the data that was asked for.
///
/// ```swift
/// do {
///     article = try decoder.decode(Article.self, from: data)
/// } catch let document as ErrorDocument {
///     document.errors.first?.detail
///     document.errors(at: "title")        // those for the form field "title"
/// }
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#errors>
public struct ErrorDocument: Error, Sendable, Hashable {
    /// The errors, in the order of the document.
    public var errors: [ErrorObject]
    /// The document's meta; nil when it has none.
    public var meta: JSONObject?
    /// The document's links; nil when it has none.
    public var links: Links?
    /// What the server says about itself; nil when it says nothing.
    public var jsonapi: JSONAPIObject?

    /// A document of these errors.
    public init(errors: [ErrorObject], meta: JSONObject? = nil, links: Links? = nil, jsonapi: JSONAPIObject? = nil) {
        self.errors = errors
        self.meta = meta
        self.links = links
        self.jsonapi = jsonapi
    }

    init(_ session: DecodingSession) throws {
        try DocumentSurvey.checkErrors(session.document)
        let document = DocumentObject(members: session.view.object(at: session.view.root))
        self.init(errors: document.errors ?? [], meta: document.meta, links: document.links, jsonapi: document.jsonapi)
    }

    /// The errors whose source is the property of that name: an attribute, a value inside it, or a relationship.
    ///
    /// The name is the member's on the wire. `id` and `type` are found as well.
    public func errors(at property: String) -> [ErrorObject] {
        errors.filter { Self.property(of: $0).map { UTF8Bytes.areEqual($0, property) } ?? false }
    }

    /// The same for the operation at an index of an atomic request.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public func errors(at property: String, operation: Int) -> [ErrorObject] {
        errors.filter { Self.operation(of: $0) == operation && Self.property(of: $0).map { UTF8Bytes.areEqual($0, property) } ?? false }
    }

    /// All errors of the operation at an index of an atomic request.
    public func errors(ofOperation operation: Int) -> [ErrorObject] { errors.filter { Self.operation(of: $0) == operation } }

    private static func operation(of error: ErrorObject) -> Int? {
        guard let tokens = error.source?.pointer?.tokens, tokens.count > 1, tokens[0] == "atomic:operations" else { return nil }
        return Int(tokens[1])
    }

    /// `/data/attributes/title/…` and `/data/relationships/title/…` stand for `title`, `/data/id` for `id`; the data of an
    /// operation likewise.
    private static func property(of error: ErrorObject) -> String? {
        guard var tokens = error.source?.pointer?.tokens[...] else { return nil }
        if tokens.count > 2, tokens[0] == "atomic:operations" { tokens = tokens.dropFirst(2) }
        guard tokens.popFirst() == "data" else { return nil }
        if let index = tokens.first, Int(index) != nil { tokens = tokens.dropFirst() }
        guard let group = tokens.popFirst() else { return nil }
        return group == "attributes" || group == "relationships" ? tokens.first : group
    }
}

extension ErrorDocument: CustomStringConvertible {
    /// A line for each error: status, code, title, detail and place, as far as it has them.
    public var description: String {
        let lines = errors.map { error in
            [error.status, error.code, error.title, error.detail].compactMap { $0 }.joined(separator: " ")
                + (error.source?.pointerText.map { " (\($0))" } ?? "")
        }
        return lines.isEmpty ? "a document of errors, with none in it" : lines.joined(separator: "\n")
    }
}
