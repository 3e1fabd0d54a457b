import Foundation
import JSONMapping
import JSONText

/// Writes Swift values as JSON:API documents.
///
/// ```swift
/// let data = try JSONAPIEncoder().encode(articles, include: ["author", "comments.author"], fields: ["people": ["firstName"]])
/// let body = try JSONAPIEncoder().encode(Create(article))
/// let changes = try JSONAPIEncoder().encode(article.patch { $0.title = "New" })
/// ```
///
/// An encoder is a value of options: it can be shared and used by many threads at once. What one call needs lives and ends with
/// it. When something cannot be written, nothing is: it throws `EncodingError`, whose `failure` says where and why.
///
/// The type of a property says where it goes, as with `JSONAPIDecoder`: `ToOne`, `ToMany`, a `Resource` and arrays of them into
/// the relationships, `ResourceMeta`, `ResourceLinks` and `LocalID` into the resource object itself, everything else into the
/// attributes. A relationship is written in the state it has: one that is not loaded is never written as null or empty, nor is
/// an embedded optional that is nil. An embedded array that is empty is written as empty.
///
/// Members stand in one order: type, id, lid, attributes, relationships, links, meta; attributes and relationships as the model
/// writes them.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public struct JSONAPIEncoder: Sendable {
    /// How names of attributes and relationships are derived: not at all by default.
    public var keyStrategy = KeyStrategy.useDefaultKeys

    /// How dates are written: as RFC 3339 in UTC by default.
    public var dateEncodingStrategy = DateEncodingStrategy.iso8601
    /// How `Data` is written: as Base64 by default.
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// How infinities and NaN are written: not at all by default.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// What attributes that are nil become: nothing by default.
    public var nilEncodingStrategy = NilEncodingStrategy.omit

    /// What stands behind the resources of some types, by type: each rewrites their attributes after everything was written. The
    /// mirror of the decoder's `rewriters`.
    public var rewriters: [String: Rewriter] = [:]

    /// What happens when two values with one identity differ. By default that is an error. Of two Swift types the first value is
    /// written.
    ///
    /// Values of one Swift type are compared by `==` when the type is `Equatable`; objects of a class are the same when they are one
    /// object. Everything else is compared as it is written: members in any order, elements of arrays in theirs, and those of a `Set`
    /// in one order. Writing a value again to compare it costs what writing it costs, so types that are shared often should be
    /// `Equatable`.
    public var conflictingResources = ConflictPolicy.throw

    /// Whether names and types that the specification forbids are errors. Only for servers that ask for such names.
    public var checksNames = true

    /// Makes the links of the resources in a response, and of their relationships; nil by default, for links of the models alone.
    ///
    /// It is asked for each resource with an id, with the name of a relationship or nil for the resource itself. Links that a model has
    /// itself stay. A `ToOne` or `ToMany` that is not loaded is written with its links alone. Resources that were read with a document are
    /// written as they were. `AddressTemplates` of the module JSONAPIHTTP make such links:
    ///
    /// ```swift
    /// encoder.linkMaker = AddressTemplates(server: "https://example.com/api").linkMaker
    /// ```
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-links>
    public var linkMaker: (@Sendable (_ resource: ResourceIdentifier, _ relationship: String?) -> Links?)?

    /// Handed to the models as `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// One line by default; `.indented()` for people.
    public var style = JSONWriter.Style.compact

    /// Whether members stand in the order of the bytes of their names, everywhere. False by default.
    public var sortsNames = false

    /// Whether `/` is written as `\/`.
    public var escapesSlashes = false

    /// How deeply arrays and objects may be nested, the document counted: 512, as for reading.
    public var maximumDepth = 512

    /// Looks at each text before it is handed out; what it throws is thrown. For debugging: the module JSONAPIValidation has a
    /// check by every rule of the specification.
    public var check: (@Sendable (Data, DocumentKind) throws -> Void)?

    /// Whether include paths and fields are checked against the models: they are names of the program, unless a client has sent them.
    package var checksGivenNames = true

    /// An encoder with every option at its default.
    public init() {}
}

/// What a document is for, as far as the body that was encoded tells.
public enum DocumentKind: Sendable, Hashable {
    /// Primary data, errors or meta: what a server answers. `query` asks for just these resources and fields, in the form that URLs
    /// hold: `include=author&fields%5Bpeople%5D=name`; nil when it would say nothing.
    case response(query: String?)
    /// A resource to be created.
    case create
    /// Changes to a resource.
    case update
    /// Linkage, for the address of a relationship.
    case relationship
    /// Operations of the Atomic Operations extension.
    case atomicRequest
    /// A document given as it is: anything.
    case any
}

// MARK: - Documents

extension JSONAPIEncoder {
    /// A document with this primary data: a model, an optional one, an array of models, the same of a `ResourceUnion`,
    /// `ResourceObject` or `ResourceIdentifier`.
    ///
    /// `included` holds the related resources that are at hand, embedded or resolved, as far as `include` asks for them: each
    /// identity once, primary ones never, in the order in which they are met. Circles of references end by themselves.
    ///
    /// `fields` are sparse fieldsets: for each type the names of the attributes and relationships that are written; types that
    /// it does not name are written whole.
    ///
    /// Names in both are checked against the coding keys of the models that are written: a misspelt one is an error, which names the
    /// nearest.
    ///
    /// Throws `EncodingError` for a resource without identity, names that the specification forbids, values that JSON cannot
    /// hold, two different resources with one identity, and whatever a model throws.
    ///
    /// - Complexity: O(bytes written + references).
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-compound-documents>
    public func encode<Primary: PrimaryValue>(
        _ value: Primary, include: IncludePaths = .all, fields: [String: [String]] = [:], links: Links? = nil,
        meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil
    ) throws -> Data {
        try encode(Document(value, links: links ?? Links(), meta: meta, jsonapi: jsonapi), include: include, fields: fields)
    }

    /// The whole document: primary data with links, meta and `jsonapi`.
    ///
    /// A document that was read is written as it was read: `included` in its order, extension members and @-members of the top
    /// level kept. A referenced resource that the program did not replace is written as the server sent it.
    public func encode<Primary: PrimaryValue>(
        _ document: Document<Primary>, include: IncludePaths = .all, fields: [String: [String]] = [:]
    ) throws -> Data {
        try write(.response(query: query(include, fields)), include: include, fields: fields) { try document.write(to: $0) }
    }

    /// A request body, or any other whole document: `Create`, `Patch`, arrays of them, `Linkage`, `AtomicOperations`,
    /// `DocumentObject`, `ErrorDocument`.
    public func encode(_ body: some DocumentBody) throws -> Data {
        try write(body._kind, include: .none, fields: [:]) { try body._write(DocumentTarget(session: $0)) }
    }

    /// Any value as JSON, by this encoder's strategies: for `meta`, and for attributes given by name.
    public func json(_ value: some Encodable) throws -> JSON { try json(value, at: []) }

    /// The same for a value that has its place in a document.
    func json(_ value: some Encodable, at place: [String]) throws -> JSON {
        let session = EncodingSession(self, include: .none, fields: [:])
        let sink = ValueSink(at: place.map { .name($0) }, in: [], depthAround: place.count)
        do {
            try session.writer(for: type(of: value)).write(value, session, sink)
            try session.checkWhole()
            var reading = session.reading
            reading.duplicateNames = .refuse
            do throws(JSONSyntaxError) { return try JSON(parsing: sink.finish(), options: reading) } catch {
                throw EncodingFailure(
                    .duplicateName, at: JSONPointer(tokens: place + error.pointer.tokens), expected: "each name once in an object",
                    found: "one that is written twice", advice: "write each key once")
            }
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }

    /// The query that asks for just these resources and fields; nil when it would say nothing.
    private func query(_ include: IncludePaths, _ fields: [String: [String]]) -> String? {
        var pairs = Fieldsets(fields).map { (name: "fields[\($0.type)]", value: $0.fields.joined(separator: ",")) }
        if case .paths(let paths) = include { pairs.insert((name: "include", value: paths.joined(separator: ",")), at: 0) }
        return pairs.isEmpty ? nil : FormEncoding.text(of: pairs)
    }

    private func rewritten(_ output: JSONOutput, _ session: EncodingSession) throws -> JSONOutput {
        guard let rewriting = ResourceRewriting(rewriters) else { return output }
        let changed = JSONOutput()
        _ = changed.value(try rewriting.document(session.json(output.bytes)))
        return changed
    }

    private func write(
        _ kind: @autoclosure () -> DocumentKind, include: IncludePaths, fields: [String: [String]], _ body: (EncodingSession) throws -> Void
    ) throws -> Data {
        let session = EncodingSession(self, include: include, fields: fields)
        do {
            if checksGivenNames, !fields.isEmpty || session.tree.hasChildren(session.tree.root) {
                session.nameCheck = NameCheck(session.tree, fields: fields, keyStrategy)
            }
            session.output.beginObject()
            try body(session)
            session.output.endObject()
            try session.nameCheck?.finish(session.tree)
            let data = try session.laidOut(try rewritten(session.output, session))
            try check?(data, kind())
            return data
        } catch let failure as EncodingFailure {
            throw failure.encodingError
        }
    }
}

/// What is written as a whole document by itself.
///
/// Conform to nothing of this: it is implemented by this library's types.
public protocol DocumentBody: Sendable {
    /// Implemented by this library.
    func _write(_ target: DocumentTarget) throws
    /// Implemented by this library.
    var _kind: DocumentKind { get }
}

/// Where a document is written to.
public struct DocumentTarget {
    let session: EncodingSession
}
