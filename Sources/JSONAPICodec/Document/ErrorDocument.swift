import JSONMapping
import JSONText

/// A document with `errors`, thrown in place of the data that was asked for.
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
/// Servers write errors in many ways. Except in strict mode, whatever `errors` holds is read as far as it can be, every fault is in
/// `diagnostics`, and `object` keeps all that the server sent:
///
/// ```
/// [{"status": 429, "title": null}]     an error; its status is "429"
/// ["no", {"title": "x"}]               two errors; the first has the detail "no"
/// {"title": "x"}                       one error
/// {"name": ["is too short"]}           one error with the title "name" and the detail "is too short"
/// "no"                                 one error with the detail "no"
/// null, []                             no error, if there are no data either
/// ```
///
/// A document with both `data` and errors is an `ErrorDocument`, whatever its data are. With the leniency `dataWithErrors`, `Document`
/// has both, if the data can be read as the model; and `errors` that are null or empty beside `data` are taken as absent, which otherwise are a
/// `DecodingError`.
///
/// Specification: <https://jsonapi.org/format/1.1/#errors>
/// Two error documents are equal when errors, meta, links and what the server says about itself are.
public struct ErrorDocument: Error, Sendable {
    /// The errors, in the order of the document.
    public var errors: [ErrorObject]
    /// The document's meta; nil when it has none.
    public var meta: JSONObject?
    /// The document's links; nil when it has none.
    public var links: Links?
    /// What the server says about itself; nil when it says nothing.
    public var jsonapi: JSONAPIObject?
    /// The HTTP status of the answer that had the document; nil if it is not known. `commonStatus` of the module JSONAPIHTTP is what
    /// the errors themselves say. It does not count for equality.
    public var httpStatus: Int?
    /// The document as the server sent it, members that the specification does not define included; nil for one that was not read.
    public private(set) var object: DocumentObject?
    /// What was tolerated in the document.
    public private(set) var diagnostics = Diagnostics()

    /// A document of these errors.
    public init(errors: [ErrorObject], meta: JSONObject? = nil, links: Links? = nil, jsonapi: JSONAPIObject? = nil) {
        self.errors = errors
        self.meta = meta
        self.links = links
        self.jsonapi = jsonapi
    }

    /// Throws for a document with data and no error: without the leniency it is not read.
    init(_ session: DecodingSession) throws {
        try self.init(session.document)
        guard errors.isEmpty, session.document.layout.data != 0 else { return }
        throw DecodingFailure(
            .documentStructure, at: .root, offset: session.view.start(of: session.view.root), expected: "either `data` or `errors`",
            found: "both, with nothing in `errors`", advice: "set the leniency dataWithErrors to read the data")
    }

    private init(_ document: ParsedDocument) throws {
        let diagnostics = try DocumentSurvey.runErrors(document)
        self.init(DocumentObject(members: document.view.object(at: document.view.root)), diagnostics)
    }

    /// The errors of a document that was read.
    init(_ object: DocumentObject, _ diagnostics: Diagnostics) {
        self.init(
            errors: object[member: "errors"].map { ErrorObject.list(in: $0) } ?? [], meta: object.meta, links: object.links,
            jsonapi: object.jsonapi)
        self.object = object
        self.diagnostics = diagnostics
    }

    /// The errors of a document whose data cannot be indexed; nil if it has none.
    init?(besideFaultsIn tape: Tape, options: JSONAPIDecoder) throws {
        guard tape.view.isObject(tape.view.root) else { return nil }
        try self.init(ParsedDocument(errorsOf: tape, options: options))
        if errors.isEmpty { return nil }
    }

    /// The errors whose source is the property of that name: an attribute, a value inside it, or a relationship.
    ///
    /// The name is the member's on the wire. `id` and `type` are found as well.
    public func errors(at property: String) -> [ErrorObject] {
        errors.filter { Self.property(of: $0).map { UTF8Bytes.areEqual($0, property) } ?? false }
    }

    /// The same for the property that a key path leads to.
    ///
    /// ```swift
    /// let wrong = try document.errors(at: \Article.publishedAt)
    /// ```
    ///
    /// Throws `EncodingError` where the coding key of the property cannot be found; see `Patch.set(_:_:)` for when that is.
    public func errors<Model: Resource>(
        at property: PartialKeyPath<Model>, keyStrategy: KeyStrategy = .useDefaultKeys
    ) throws -> [ErrorObject] {
        errors(at: try Model.memberName(of: property, keyStrategy))
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

extension ErrorDocument: Hashable {
    /// Whether errors, meta, links and what the server says about itself are equal.
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
    /// A line for each error: status, code, title, detail and place, as far as it has them.
    public var description: String {
        let lines = errors.map { error in
            [error.status, error.code, error.title, error.detail].compactMap { $0 }.joined(separator: " ")
                + (error.source?.pointerText.map { " (\($0))" } ?? "")
        }
        return lines.isEmpty ? "a document of errors, with none in it" : lines.joined(separator: "\n")
    }
}
