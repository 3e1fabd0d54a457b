import Foundation
import JSONMapping
import JSONText

/// Reads JSON:API documents into plain Swift values.
///
/// ```swift
/// let articles = try JSONAPIDecoder().decode([Article].self, from: data)
/// let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
/// document.links.next?.href
/// ```
///
/// A decoder holds only options, so any number of threads can use it at the same time. The memory for a call is released when the call
/// ends.
///
/// The decoder resolves relationships through one index over `data` and `included`, by type and id. It reads a resource once for each Swift
/// type, however often the resource is linked, so the cost is linear in resources and links. (A model that asks for the same relationship
/// twice may cause a second read of resources that nothing else links to.) Types and ids are compared byte by byte.
///
/// When models embed each other in a cycle, the decoder cuts the cycle at the inner ancestor. An embedded optional, `Person?` or
/// `[Comment]?`, becomes nil. `Person` and `[Comment]` are an error that prints the cycle. A value with a cut cannot be shared, so it is
/// read again wherever it is needed, at most `maximumExpansions` times. `ToOne` and `ToMany` are never cut and never expanded.
///
/// An embedded array contains all resources of its relationship; otherwise decoding throws, or an optional array is nil. There is one
/// exception: included resources whose type the model does not accept are left out. See `missingResources` and `unknownTypes`.
///
/// An error of the decoder is a `DecodingError` whose `failure` has the place, what was expected, what was found and how to fix it. A
/// document with `errors` is thrown as `ErrorDocument`, unless it is a request. A `SchemaResource` and `rewriters` throw `ValidationError`.
/// A `DecodingError` that a type's own `init(from:)` throws gets a failure with the place of its coding path. Its other errors are passed on.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public struct JSONAPIDecoder: Sendable {
    /// How strictly documents are read. The initializer sets it, together with the options that depend on it.
    public let mode: Mode

    /// The side that sent the document: `.response` by default.
    public var source = Source.response

    /// The faults that the decoder accepts: none by default, all but `textNumbers` and `emptyArrayValues` in lenient mode.
    public var leniencies: Leniencies

    /// What to do with resources whose type the model does not name: keep them by default, throw in strict mode.
    public var unknownTypes: UnknownTypePolicy

    /// Whether a reference to a resource of another type than the property's is an error in any mode. A server that keeps only the id would
    /// link another resource.
    package var refusesOtherTypes = false

    /// Whether models get only the linkage of relationships, no links of resources, and no values of related resources with an id: their ids
    /// lead to no resource of the document. A server that keeps the others would publish what a client has sent as its own.
    package var ignoresResponseMembers = false

    /// What to do with references to resources that the document does not contain: keep them by default.
    public var missingResources = MissingPolicy.keep

    /// What to do with elements that cannot be read: throw by default.
    public var invalidElements = InvalidElementPolicy.throw

    /// How many problems an error about a document contains: the first by default.
    public var problems = ProblemPolicy.first

    /// How coding keys become names of attributes and relationships: unchanged by default.
    public var keyStrategy = KeyStrategy.useDefaultKeys

    /// How dates are read: as RFC 3339 by default.
    public var dateDecodingStrategy = DateDecodingStrategy.iso8601
    /// How `Data` is read: as Base64 by default.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// How infinities and NaN are read: they are errors by default.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw

    /// The URIs of the extensions that documents may name in `jsonapi.ext`; any other extension is an error. Nil, the default, allows every
    /// extension, and diagnostics report those that this library does not know. The decoder checks this when it checks the whole document:
    /// for `Document`, for `DocumentObject` and in strict mode.
    public var supportedExtensions: Set<String>?

    /// The sparse fieldsets of the request that the document responds to; empty by default. Strict mode rejects an included resource that
    /// nothing links to, unless one of these fieldsets may have removed the linkage.
    public var fields: Fieldsets = [:]

    /// The maximum size of the diagnostics of one document in a report, in bytes: 256 KiB by default. Further diagnostics are left out and
    /// counted (`Diagnostics.omittedCount`).
    public var maximumDiagnosticBytes = 1 << 18

    /// Rewriters by resource type. Each rewrites the attributes of its resources before they are read. A resource without attributes is
    /// rewritten as one with an empty object, and so is what the leniencies read as a resource. Identifiers are not rewritten.
    ///
    /// With rewriters the decoder builds a tree of the whole document. Pointers in errors refer to the rewritten document, and errors have
    /// no line and column. A resource that its rewriter refuses is an error of the whole document, whatever `invalidElements` is; a stream can
    /// leave it out.
    ///
    /// ```swift
    /// decoder.rewriters["people"] = Rewriter(unreferenced: .keep) { Rule("name", from: "full_name") }
    /// ```
    ///
    /// Without `unreferenced: .keep`, only the attributes of the rules remain.
    public var rewriters: [String: Rewriter] = [:]

    /// Values that models receive as `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// The limits of the text, for example a depth of 512 and a size of 1 GiB.
    public var reading = JSONReadingOptions()

    /// The maximum number of resource objects in one document: 10 million by default. Each takes about 60 bytes in addition to its text.
    public var maximumResources = 10_000_000

    /// The maximum number of embedded values that are read again, because a cycle was cut in them and they could not be shared: 100,000 by
    /// default. When all models embed each other, that number grows exponentially. Decoding then throws an error that names the
    /// relationships.
    public var maximumExpansions = 100_000

    /// Whether errors have a line and a column: true by default. Finding them costs one walk over the text, and only when decoding fails.
    public var reportsPositions = true

    /// Creates a decoder with the given mode. Every other option has its default.
    public init(mode: Mode = .standard) {
        self.mode = mode
        leniencies = mode == .lenient ? .ofLenientMode : []
        unknownTypes = mode == .strict ? .throw : .keep
        if mode == .strict { reading.duplicateNames = .refuse }
    }
}

// MARK: - Decoding

extension JSONAPIDecoder {
    /// Returns the primary data of a document: a model, an optional model (`data` may be null), or an array of models. The same applies to
    /// a `ResourceUnion`, `ResourceObject` or `ResourceIdentifier`.
    ///
    /// Throws `ErrorDocument` when the document has `errors`, and `DecodingError` when it cannot be read. Throws `ValidationError` for a
    /// `SchemaResource` or rewriters, and passes on other errors that a model throws.
    ///
    /// - Complexity: O(bytes + resources + links) while no embedded cycle has to be cut.
    public func decode<Primary: PrimaryValue>(_ type: Primary.Type, from data: Data) throws -> Primary {
        try withSession(data, of: type) { session in
            if session.document.layout.errors != 0 { throw try errors(session) }
            session.answerValues(only: true)
            return try primary(type, session)
        }
    }

    /// A type as which a resource was read, the value, and the names of the relationships that it lacks because of a cycle.
    package typealias RelatedValue = (type: Any.Type, value: any ResourceRepresentable, cuts: Set<ByteText>)

    /// Does the same as `decode(_:from:)`. Also returns the places of the other resources that were read, in order, with their values, whether
    /// the primary data holds these or not.
    package func decodeWithRelated<Primary: PrimaryValue>(
        _ type: Primary.Type, from data: Data
    ) throws -> (primary: Primary, related: [(place: JSONPointer, values: [RelatedValue])]) {
        try withSession(data, of: type) { session in
            if session.document.layout.errors != 0 { throw try errors(session) }
            session.answerValues(only: true)
            session.related = [:]
            defer { session.related = nil }
            let value = try primary(type, session)
            let related = (session.related ?? [:]).sorted { session.entries[$0.key].word < session.entries[$1.key].word }
            var walk = PointerWalk(session.view)
            return (value, related.map { (walk.pointer(to: Int(session.entries[$0.key].word)), $0.value) })
        }
    }

    /// Returns the whole document: primary data with links, meta, included resources and diagnostics.
    ///
    /// Unlike `decode(_:from:)` for primary data, this checks the whole document against the mode.
    ///
    /// Throws as that function does, also for a fault outside of the primary data that the mode and the leniencies do not accept.
    public func decode<Primary: PrimaryValue>(_ type: Document<Primary>.Type, from data: Data) throws -> Document<Primary> {
        try withSession(data, of: Primary.self) { session in
            if session.document.layout.errors != 0, !leniencies.contains(.dataWithErrors) || session.document.layout.data == 0 {
                throw try errors(session)
            }
            session.answerValues()
            session.markLinkage()
            session.keepDocument()
            return try preferErrors(session) {
                let survey = try DocumentSurvey.run(session.document)
                return try Document(primary(Primary.self, session), session: session, survey: survey)
            }
        }
    }

    /// Returns the document as it is, without models. Reads any JSON:API document, also with errors or extensions. Throws `DecodingError`
    /// when it is not a document that the mode and the leniencies accept, and `ValidationError` for rewriters. A fault beside `errors`, such as
    /// one in `included`, is thrown as well; models and `AtomicResults` prefer the errors of the server, as `ErrorDocument`.
    public func decode(_ type: DocumentObject.Type, from data: Data) throws -> DocumentObject {
        try decodeWithDiagnostics(type, from: data).document
    }

    /// Returns the document as it is, and the diagnostics for it. Throws as the function above does.
    public func decodeWithDiagnostics(
        _ type: DocumentObject.Type, from data: Data
    ) throws -> (document: DocumentObject, diagnostics: Diagnostics) {
        try withSession(data, of: DocumentObject.self) { session in
            (DocumentObject(members: session.view.object(at: session.view.root)), try DocumentSurvey.run(session.document))
        }
    }

    /// Returns the primary data. Adds all other problems to an error when `problems` is `all`.
    private func primary<Primary: PrimaryValue>(_ type: Primary.Type, _ session: DecodingSession) throws -> Primary {
        do {
            let source = PrimarySource(session: session)
            let isStatic = ObjectIdentifier(type) == ObjectIdentifier(Primary.self)
            let value = try isStatic ? Primary._decode(source) : subclass(type, source)
            try session.finish()
            return value
        } catch  where problems == .all {
            var collector = ProblemCollector(session.document)
            throw collector.complete(error, type)
        }
    }

    /// Returns the primary data as a subclass that the program has chosen at run time.
    private func subclass<Primary: PrimaryValue>(_ type: Primary.Type, _ source: PrimarySource) throws -> Primary {
        func value<Value: PrimaryValue>(_: Value.Type) throws -> Primary? { try Value._decode(source) as? Primary }
        return try (typeAtRunTime(type) as? any PrimaryValue.Type).flatMap { try value($0) } ?? Primary._decode(source)
    }

    /// Returns the errors of a document as the error to be thrown. In a request, they are a fault of the client and not the answer of a
    /// server.
    package func errors(_ session: DecodingSession) throws -> any Error {
        guard source == .request else { return try ErrorDocument(session) }
        return session.failure(
            .documentStructure, at: session.document.layout.errors, expected: "a document with `data`", found: "`errors` in a request",
            advice: "only the response of a server has `errors`")
    }

    /// Throws the errors that the server sent, in preference to an error about the data beside them.
    private func preferErrors<Result>(_ session: DecodingSession, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            guard session.document.layout.errors != 0, mode != .strict, source == .response, let document = try? ErrorDocument(session)
            else { throw error }
            throw document
        }
    }

    /// Parses and indexes `data`, whose primary data is read as the given type, and passes the session to `body`. Adds line and column to a
    /// failure of this library.
    func withSession<Result>(_ data: Data, of primary: Any.Type, _ body: (DecodingSession) throws -> Result) throws -> Result {
        if let rewriting = ResourceRewriting(rewriters, primary: .init(primary), leniencies: leniencies) {
            var plain = self
            plain.rewriters = [:]
            plain.reportsPositions = false
            let text = try rewritten(data, rewriting)
            do { return try plain.withSession(text, of: primary, body) } catch { throw ErrorRelocation.withoutOffsets.moved(error) }
        }
        return try data.withText { text in
            do {
                let memory = DecodingPool.take()
                var tape = try tape(of: text, reusing: memory.takeTape())
                defer {
                    if isKnownUniquelyReferenced(&tape) {
                        // The session and the document held the tape and have been released, so nothing else reads their memory.
                        DecodingPool.giveBack(memory, from: tape)
                    } else {
                        // What still holds the tape (a reference, or a decoder that a model kept) gets a copy of the bytes.
                        tape.takeOwnership()
                        DecodingPool.giveBackTables(memory)
                    }
                }
                return try read(tape, memory, body)
            } catch {
                throw ErrorRelocation(failure: { $0.located(in: text, reportsPositions) }).moved(error)
            }
        }
    }

    private func rewritten(_ data: Data, _ rewriting: ResourceRewriting) throws -> Data {
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: data, options: reading) } catch {
            throw data.withText { DecodingFailure(error).located(in: $0, reportsPositions) }
                .decodingError(codingPath: [])
        }
        return Data(try JSONWriter.unlimited.write(try rewriting.document(json)))
    }

    /// Parses a text.
    ///
    /// - Parameter depth: The number of arrays and objects around the contents, for which the maximum depth does not count.
    func tape(of text: BorrowedText, inside depth: Int = 0, reusing memory: TapeMemory? = nil) throws -> Tape {
        do { return try text.tape(reading(inside: depth), reusing: memory) } catch { throw DecodingFailure(error) }
    }

    /// Returns the options for parsing a text.
    ///
    /// - Parameter depth: The number of arrays and objects around the contents, for which the maximum depth does not count.
    func reading(inside depth: Int) -> JSONReadingOptions {
        var reading = reading
        reading.maximumDepth = min(reading.maximumDepth, .max - depth) + depth
        return reading
    }

    /// A separate function, so that nothing of the session is alive when the caller looks at the tape again.
    @inline(never)
    private func read<Result>(_ tape: Tape, _ memory: DecodingMemory, _ body: (DecodingSession) throws -> Result) throws -> Result {
        var session = DecodingSession(try document(tape, memory), tables: memory.tables)
        defer {
            memory.isSessionOver = isKnownUniquelyReferenced(&session)
            session.end(isOver: memory.isSessionOver)
        }
        if mode == .strict {
            session.markLinkage()
            _ = try DocumentSurvey.run(session.document)
        }
        return try body(session)
    }

    /// Throws `ErrorDocument` when the document has errors and cannot be indexed. The server's message matters more than the fault beside
    /// it.
    private func document(_ tape: Tape, _ memory: DecodingMemory) throws -> ParsedDocument {
        do {
            return try ParsedDocument(tape, options: self, memory: memory.index)
        } catch let failure as DecodingFailure {
            guard mode != .strict, source == .response, let errors = try ErrorDocument(besideFaultsIn: tape, options: self)
            else { throw failure }
            throw errors
        }
    }
}
