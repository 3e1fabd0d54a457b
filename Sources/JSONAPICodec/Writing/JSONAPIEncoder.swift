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
/// An encoder holds only options, so any number of threads can use it at the same time. When a call ends, its values are released. Buffers of
/// limited size stay for later calls of any encoder: at most four, each with room for a text of at most 2 MiB, and for up to 512 names of
/// members and 64 types, with at most 64 KiB together. When something cannot be written, the encoder returns nothing and throws
/// `EncodingError`, whose `failure` has the place and the reason.
///
/// The type of a property decides where it is written, as with `JSONAPIDecoder`. `ToOne`, `ToMany`, a `Resource` and arrays of them are
/// written to the relationships. `ResourceMeta`, `ResourceLinks` and `LocalID` are written to the resource object itself, and everything
/// else to the attributes. A relationship keeps its state: one that is not loaded is never written as null or empty, and neither is an
/// embedded optional that is nil. An embedded array that is empty is written as empty.
///
/// Members are always in the same order: type, id, lid, attributes, relationships, links, meta. Attributes and relationships are in the
/// order in which the model writes them. A lid of a property is the last member.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public struct JSONAPIEncoder: Sendable {
    /// How coding keys become names of attributes and relationships: unchanged by default.
    public var keyStrategy = KeyStrategy.useDefaultKeys

    /// How dates are written: as RFC 3339 in UTC by default.
    public var dateEncodingStrategy = DateEncodingStrategy.iso8601
    /// How `Data` is written: as Base64 by default.
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// How infinities and NaN are written: they are errors by default.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// How attributes that are nil are written: not at all by default.
    public var nilEncodingStrategy = NilEncodingStrategy.omit

    /// Rewriters by resource type. Each rewrites the attributes of its resources after they were written, also of those without any. This is
    /// the counterpart of the decoder's `rewriters`.
    ///
    /// Of a patch, a rewriter sees only the attributes that change: rules for others do not run, and nothing is required. Rules for
    /// attributes that a fieldset or a request leaves out do not run either. So a default never replaces a value of the server. Fieldsets name
    /// the attributes as the model writes them, and not as the rewriter makes them.
    public var rewriters: [String: Rewriter] = [:]

    /// What to do when two different values have the same identity: throw by default. Values of different Swift types are not compared; the
    /// first is written.
    ///
    /// Values of the same Swift type are compared with `==` when the type is `Equatable`. Objects of a class are equal when they are the
    /// same object. Other values are compared as they are written: members in any order, elements of arrays in their order, and elements of
    /// a `Set` sorted. That comparison costs as much as writing the value again. Types that are shared often should therefore be
    /// `Equatable`.
    public var conflictingResources = ConflictPolicy.throw

    /// Whether names and types that the specification forbids are errors: true by default. Set it to false only for servers that require
    /// such names, for example attributes called `id` or `type`.
    public var checksNames = true

    /// A closure that returns links for the resources in a response and for their relationships. Nil by default: only links of the models
    /// are written.
    ///
    /// The encoder calls it for each resource with an id: with the name of each relationship, and with nil for the resource itself. Links
    /// that a model has itself stay. A `ToOne` or `ToMany` that is not loaded is written with only its links. Resources that were read with
    /// a document are written unchanged. `AddressTemplates` of the module JSONAPIHTTP creates such links:
    ///
    /// ```swift
    /// encoder.linkMaker = AddressTemplates(server: "https://example.com/api").linkMaker
    /// ```
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-links>
    public var linkMaker: (@Sendable (_ resource: ResourceIdentifier, _ relationship: String?) -> Links?)?

    /// Values that models receive as `encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The layout of the text: one line by default, or `.indented()` for people.
    public var style = JSONWriter.Style.compact

    /// Whether the members of all objects are sorted by the bytes of their names: false by default.
    public var sortsNames = false

    /// Whether `/` is written as `\/`: false by default.
    public var escapesSlashes = false

    /// The maximum depth of nested arrays and objects, including the document: 512 by default, as for reading.
    public var maximumDepth = 512

    /// A closure that checks each text before it is returned. Encoding throws the error that the closure throws. For debugging: the module
    /// JSONAPIValidation has a check against every rule of the specification.
    public var check: (@Sendable (Data, DocumentKind) throws -> Void)?

    /// Whether include paths and fields are checked against the models. The program wrote these names, unless a client has sent them.
    package var checksGivenNames = true

    /// Whether resources are written to be read again: equal dictionaries with the same text, and with a mark for an array that a later patch
    /// refuses.
    package var isForArchives = false

    /// Creates an encoder. Every option has its default.
    public init() {}
}

/// The purpose of a document, as far as the encoded body shows it.
public enum DocumentKind: Sendable, Hashable {
    /// Primary data, errors or meta: the response of a server. `query` requests exactly these resources and fields, in the form of a URL:
    /// `include=author&fields%5Bpeople%5D=name`. It is nil when it would be empty.
    case response(query: String?)
    /// A resource to be created.
    case create
    /// Changes to a resource.
    case update
    /// Linkage, for the address of a relationship.
    case relationship
    /// Operations of the Atomic Operations extension.
    case atomicRequest
    /// A document that is given as it is.
    case any
}

// MARK: - Documents

extension JSONAPIEncoder {
    /// Returns a document with the given primary data: a model, an optional model, or an array of models. The same applies to a
    /// `ResourceUnion`, `ResourceObject` or `ResourceIdentifier`.
    ///
    /// `included` contains the related resources that are available, embedded or resolved, as far as `include` requests them. It contains
    /// each identity once and no primary resource, in the order in which they are found. Of several values with the same identity, the first
    /// one is written. What the others refer to is included as well, for at most nine values that are inside each other, unless
    /// `conflictingResources` is `keepFirst`. Cycles of references are allowed.
    ///
    /// `fields` are sparse fieldsets: the names of the attributes and relationships to write, by type. Types without a fieldset are written
    /// as a whole.
    ///
    /// The names in both are checked against the coding keys of the models that are written, and against what direct writers write. A
    /// misspelled name is an error that names the nearest one.
    ///
    /// Throws `EncodingError` for a resource with neither id nor lid, for names that the specification forbids, for values that JSON cannot
    /// represent, and for two different resources with the same identity. Also throws what a model throws. A resource in a response needs
    /// an id, but this method accepts a lid, too.
    ///
    /// - Complexity: O(bytes written + references).
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-compound-documents>
    public func encode<Primary: PrimaryValue>(
        _ value: Primary, include: IncludePaths = .all, fields: [String: [String]] = [:], links: Links? = nil,
        meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil
    ) throws -> Data {
        try write(.response(query: query(include, fields)), .init(Primary.self), include: include, fields: fields) {
            try $0.write(value, links ?? Links(), meta, jsonapi)
        }
    }

    /// Returns a whole document: primary data with links, meta and `jsonapi`.
    ///
    /// A document that was read is written as it was read: `included` keeps its order, and extension members and @-members of the top level
    /// are kept. A referenced resource that the program did not replace is written as the server sent it.
    ///
    /// Throws as the function above does.
    public func encode<Primary: PrimaryValue>(
        _ document: Document<Primary>, include: IncludePaths = .all, fields: [String: [String]] = [:]
    ) throws -> Data {
        try write(.response(query: query(include, fields)), .init(Primary.self), include: include, fields: fields) {
            try document.write(to: $0)
        }
    }

    /// Returns a request body, or any other whole document: `Create`, `Patch`, arrays of them, `Linkage`, `AtomicOperations`,
    /// `DocumentObject` or `ErrorDocument`. Throws `EncodingError` when the body is not valid.
    public func encode(_ body: some DocumentBody) throws -> Data {
        try write(body._kind, .linkage, include: .none, fields: [:]) {
            try body._write(DocumentTarget(session: $0))
        }
    }

    /// Returns any value as JSON, with the strategies of this encoder. Use it for `meta`, and for attributes given by name. Throws
    /// `EncodingError` when JSON cannot represent it, and what its own `encode(to:)` throws.
    public func json(_ value: some Encodable) throws -> JSON { try json(value, at: []) }

    /// Returns a value as JSON for a place in a document, written in a given session or in a new one.
    func json<Value: Encodable>(_ value: Value, at place: [String], _ session: EncodingSession? = nil) throws -> JSON {
        let session = session ?? EncodingSession(self)
        let sink = ValueSink(at: place.map { .name($0) }, in: [], depthAround: place.count)
        return try EncodingFailure.converted {
            try session.writer(for: Value.self).write(value, session, sink)
            try session.checkWhole()
            var reading = JSONReadingOptions.unlimited
            reading.duplicateNames = .refuse
            do throws(JSONSyntaxError) { return try JSON(parsing: sink.finish(), options: reading) } catch {
                throw EncodingFailure(
                    .duplicateName, at: JSONPointer(tokens: place + error.pointer.tokens), expected: "each name once in an object",
                    found: "a name that is written twice", advice: "write each key once")
            }
        }
    }

    /// Returns the query that requests exactly these resources and fields; nil when it would be empty.
    private func query(_ include: IncludePaths, _ fields: [String: [String]]) -> String? {
        var pairs = Fieldsets(fields).map { (name: "fields[\($0.type)]", value: $0.fields.joined(separator: ",")) }
        if case .paths(let paths) = include { pairs.insert((name: "include", value: paths.joined(separator: ",")), at: 0) }
        return pairs.isEmpty ? nil : FormEncoding.text(of: pairs)
    }

    private func rewritten(
        _ output: JSONOutput, _ session: EncodingSession, _ primary: () -> ResourceRewriting.Contents
    ) throws -> JSONOutput {
        guard let rewriting = ResourceRewriting(rewriters, fields: session.fieldsets, primary: primary()) else { return output }
        let changed = JSONOutput()
        _ = changed.value(try rewriting.document(session.json(output.bytes), parts: session.parts))
        return changed
    }

    /// Returns what finds misspelled names in include paths and fieldsets; nil if there is nothing to look for.
    package func nameCheck(_ tree: IncludeTree, _ fields: [String: [String]]) -> NameCheck? {
        guard checksGivenNames, !fields.isEmpty || tree.hasChildren(tree.root) else { return nil }
        return NameCheck(tree, fields: fields, keyStrategy)
    }

    func write(
        _ kind: @autoclosure () -> DocumentKind, _ primary: @autoclosure () -> ResourceRewriting.Contents, include: IncludePaths,
        fields: [String: [String]], _ body: (EncodingSession) throws -> Void
    ) throws -> Data {
        try withSession(include: include, fields: fields) { session in
            session.nameCheck = nameCheck(session.tree, fields)
            session.output.beginObject()
            try session.watch.during { try body(session) }
            session.output.endObject()
            try session.nameCheck?.finish(session.tree)
            let data = try session.laidOut(try rewritten(session.output, session, primary))
            try check?(data, kind())
            return data
        }
    }
}

/// A value that is written as a whole document.
///
/// Do not conform to this protocol. The library's own types implement it.
public protocol DocumentBody: Sendable {
    /// Implemented by this library.
    func _write(_ target: DocumentTarget) throws
    /// Implemented by this library.
    var _kind: DocumentKind { get }
}

/// The destination that a document is written to.
public struct DocumentTarget {
    let session: EncodingSession
}
