import JSONText

/// A document with `errors`. It is thrown instead of the requested data.
///
/// ```swift
/// do {
///     article = try decoder.decode(Article.self, from: data)
/// } catch let document as ErrorDocument {
///     document.errors.first?.detail
///     document.errors(at: "title")        // those for the form field "title"
///     alert(document.localizedDescription)
/// }
/// ```
///
/// Servers write errors in many ways. Outside strict mode, the decoder reads `errors` as far as possible, whatever its shape. Every fault
/// is in `diagnostics`, and `object` keeps everything that the server sent:
///
/// ```
/// [{"status": 429, "title": null}]     an error; its status is "429"
/// ["no", {"title": "x"}]               two errors; the first has the detail "no"
/// {"title": "x"}                       one error
/// {"name": ["is too short"]}           one error with the title "name" and the detail "is too short"
/// "no"                                 one error with the detail "no"
/// null, []                             no error, if there is no data either
/// ```
///
/// A document with both `data` and errors is thrown as an `ErrorDocument`, whatever its data is. With the leniency `dataWithErrors`, a
/// `Document` has both, if the data can be read as the model, and streams and readers throw the errors after the resources. That leniency also ignores `errors` that are null or empty beside `data`;
/// without it they cause a `DecodingError`.
///
/// Two error documents are equal when their errors, meta, links and `jsonapi` members are equal.
///
/// Specification: <https://jsonapi.org/format/1.1/#errors>
public struct ErrorDocument: Error, Sendable {
    /// The errors, in the order of the document.
    public var errors: [ErrorObject]
    /// The document's meta; nil when it has none.
    public var meta: JSONObject?
    /// The document's links; nil when it has none.
    public var links: Links?
    /// What the server says about its implementation; nil when it says nothing.
    public var jsonapi: JSONAPIObject?
    /// The HTTP status of the response that contained the document; nil when it is not known. Equality ignores it. `commonStatus` of the
    /// module JSONAPIReceiving, which JSONAPIHTTP exports, returns the status that the errors themselves name.
    public var httpStatus: Int?
    /// The document as the server sent it, with the members that the specification does not define; nil when the document was not read.
    public package(set) var object: DocumentObject?
    /// What the decoder tolerated in the document.
    public package(set) var diagnostics = Diagnostics()

    /// Creates a document with the given errors.
    public init(errors: [ErrorObject], meta: JSONObject? = nil, links: Links? = nil, jsonapi: JSONAPIObject? = nil) {
        self.errors = errors
        self.meta = meta
        self.links = links
        self.jsonapi = jsonapi
    }

    /// Creates the errors of a document that was read.
    package init(_ object: DocumentObject, _ diagnostics: Diagnostics) {
        self.init(
            errors: object[member: "errors"].map { ErrorObject.list(in: $0) } ?? [], meta: object.meta, links: object.links,
            jsonapi: object.jsonapi)
        self.object = object
        self.diagnostics = diagnostics
    }

    /// Creates the errors of a document that was read without models. Nil if it has no `errors`, or `data` and nothing in `errors`.
    package init?(in object: DocumentObject) {
        guard object.members.contains(name: "errors") else { return nil }
        self.init(object, Diagnostics())
        if errors.isEmpty, object.members.contains(name: "data") { return nil }
    }

    /// Returns the errors whose source is the property with the given name: an attribute, a value inside it, or a relationship.
    ///
    /// The name is the member name in the document: with a key strategy, `first-name` and not `firstName`. The function for a key path takes
    /// the strategy. `id` and `type` work as well.
    public func errors(at property: String) -> [ErrorObject] {
        errors.filter { Self.property(of: $0).map { UTF8Bytes.areEqual($0, property) } ?? false }
    }

    /// Returns the errors whose source is the property with the given name, in one operation of an atomic request. The index counts from 0.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public func errors(at property: String, operation: Int) -> [ErrorObject] {
        errors(at: property).filter { Self.place(of: $0).operation == operation }
    }

    /// Returns all errors of one operation of an atomic request. The index counts from 0.
    public func errors(ofOperation operation: Int) -> [ErrorObject] { errors.filter { Self.place(of: $0).operation == operation } }

    /// Returns the index of the operation to which the error's pointer leads, and the other parts of the pointer. Some servers write
    /// `/atomic:operations[1]/…`, some leave out the first slash, and some write the fragment of a URI, `#/data/…`, which is percent-encoded
    /// (<https://www.rfc-editor.org/rfc/rfc6901#section-6>).
    private static func place(of error: ErrorObject) -> (operation: Int?, tokens: ArraySlice<String>) {
        guard let written = error.source?.pointerText else { return (nil, []) }
        let text = written.hasPrefix("#/") ? PercentEncoding.decoded(written.dropFirst().utf8) : written
        guard !text.isEmpty, let pointer = try? JSONPointer(parsing: text.hasPrefix("/") ? text : "/" + text)
        else { return (nil, []) }
        let tokens = pointer.tokens
        if tokens.count > 1, tokens[0] == "atomic:operations" { return (Int(tokens[1]), tokens[2...]) }
        let start = "atomic:operations["
        if tokens[0].hasPrefix(start), tokens[0].hasSuffix("]") { return (Int(tokens[0].dropFirst(start.count).dropLast()), tokens[1...]) }
        return (nil, tokens[...])
    }

    private static func isTopLevel(_ name: String) -> Bool {
        ["data", "errors", "meta", "links", "jsonapi", "included", "atomic:operations"].contains { UTF8Bytes.areEqual($0, name) }
    }

    /// Returns `title` for `/data/attributes/title/…` and `/data/relationships/title/…`, and `id` for `/data/id`. The data of an operation
    /// works the same way. A pointer that is only a name is the name of a property.
    private static func property(of error: ErrorObject) -> String? {
        var tokens = place(of: error).tokens
        // No document has a member of another name at its top level.
        let isName = error.source?.pointerText.map { !$0.hasPrefix("/") && !$0.hasPrefix("#/") } ?? false
        if tokens.count == 1, let name = tokens.first, isName || !name.isEmpty && !Self.isTopLevel(name) { return name }
        guard tokens.popFirst() == "data" else { return nil }
        if let index = tokens.first, Int(index) != nil { tokens = tokens.dropFirst() }
        guard let group = tokens.popFirst() else { return nil }
        return group == "attributes" || group == "relationships" ? tokens.first : group
    }
}

extension ErrorDocument: Hashable {
    /// Whether the errors, meta, links and `jsonapi` members are equal.
    public static func == (lhs: ErrorDocument, rhs: ErrorDocument) -> Bool {
        lhs.errors == rhs.errors && lhs.meta == rhs.meta && lhs.links == rhs.links && lhs.jsonapi == rhs.jsonapi
    }

    /// Feeds the errors and the other members to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(errors)
        hasher.combine(meta)
        hasher.combine(links)
        hasher.combine(jsonapi)
    }
}

extension ErrorDocument: CustomStringConvertible {
    /// One line for each error: its status, code, title, detail and pointer, as far as it has them.
    public var description: String {
        let lines = errors.map { error in
            [error.status, error.code, error.title, error.detail].compactMap { $0 }.joined(separator: " ")
                + (error.source?.pointerText.map { " (\($0))" } ?? "")
        }
        return lines.isEmpty ? "a document of errors, with none in it" : lines.joined(separator: "\n")
    }
}
