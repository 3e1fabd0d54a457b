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
/// A decoder is a value of options: it can be shared and used by many threads at once. What one call needs lives and ends with
/// it.
///
/// Relationships are resolved through one index by type and id over `data` and `included`. A resource is read once for each
/// Swift type it is read as, however often it is linked to, so the cost is linear in resources and links. (A model that asks for
/// one relationship twice may have read twice what nothing else links to.) Types and ids compare by bytes.
///
/// Where a model embeds resources that embed each other, the inner ancestor is cut: an embedded optional, `Person?` or `[Comment]?`,
/// becomes nil; `Person` and `[Comment]` are an error that prints the cycle. A value with a cut in it cannot be shared, so it is read
/// again where it is needed again, at most `maximumExpansions` times. `ToOne` and `ToMany` never cut and never expand.
///
/// An embedded array has all the resources that the relationship links to, or it is an error; see `missingResources`.
///
/// Every error is a `DecodingError` whose `failure` says where, what was expected, what was found and how to mend it; an
/// `errors` document is thrown as `ErrorDocument`.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-structure>
public struct JSONAPIDecoder: Sendable {
    /// How strictly documents are read. Set by the initialiser, which also sets the options that follow from it.
    public let mode: Mode

    /// Which side reads: `.response` by default.
    public var source = Source.response

    /// The faults to live with: none by default, all in lenient mode.
    public var leniencies: Leniencies

    /// Resources of types that the model does not name: kept by default, an error in strict mode.
    public var unknownTypes: UnknownTypePolicy

    /// References to resources that are not in the document: kept by default.
    public var missingResources = MissingPolicy.keep

    /// Elements that cannot be read: an error by default.
    public var invalidElements = InvalidElementPolicy.throw

    /// How many of its problems an error about a document names: the first by default.
    public var problems = ProblemPolicy.first

    /// How names of attributes and relationships are derived: not at all by default.
    public var keyStrategy = KeyStrategy.useDefaultKeys

    /// How dates are read: as RFC 3339 by default.
    public var dateDecodingStrategy = DateDecodingStrategy.iso8601
    /// How `Data` is read: as Base64 by default.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// How infinities and NaN are read: not at all by default.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw

    /// The extensions, by URI, that documents may name in `jsonapi.ext`; another one is an error. With nil, the default, any may
    /// be named, and those that this library does not know are in the diagnostics. Looked at whenever the whole document is
    /// checked: for `Document`, `DocumentObject` and in strict mode.
    public var supportedExtensions: Set<String>?

    /// The sparse fieldsets of the request whose response is read; empty by default. In strict mode an included resource that nothing
    /// links to is refused, unless one of these fieldsets may have left the linkage out.
    public var fields: Fieldsets = [:]

    /// The most bytes that the diagnostics of one document take in a report: 256 KiB by default. Those beyond are left out and
    /// counted (`Diagnostics.omittedCount`).
    public var maximumDiagnosticBytes = 1 << 18

    /// What stands in front of the resources of some types, by type: each rewrites their attributes before anything reads them.
    /// Costs a tree of the document; pointers lead into the rewritten document, without line and column.
    ///
    /// ```swift
    /// decoder.rewriters["people"] = Rewriter { Rule("name", from: "full_name") }
    /// ```
    public var rewriters: [String: Rewriter] = [:]

    /// Handed to the models as `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Limits of the text: depth 512, 1 GiB, …
    public var reading = JSONReadingOptions()

    /// The most resource objects in one document: 10 million by default. Each costs 32 bytes beside its text.
    public var maximumResources = 10_000_000

    /// How many embedded values may be read a second time, because a cycle was cut in them and they could not be shared:
    /// 100,000 by default. Graphs in which everything embeds everything grow exponentially; this ends them with an error that
    /// names the relationships.
    public var maximumExpansions = 100_000

    /// Whether errors carry line and column. They cost a walk over the text, once, when something failed.
    public var reportsPositions = true

    /// A decoder of that mode, every other option at its default.
    public init(mode: Mode = .standard) {
        self.mode = mode
        leniencies = mode == .lenient ? .ofLenientMode : []
        unknownTypes = mode == .strict ? .throw : .keep
        if mode == .strict { reading.duplicateNames = .refuse }
    }
}

// MARK: - Decoding

extension JSONAPIDecoder {
    /// The document's primary data: a model, an optional one (`data` may be null), an array of models, the same of a
    /// `ResourceUnion`, `ResourceObject` or `ResourceIdentifier`.
    ///
    /// Throws `ErrorDocument` for a document with `errors`, otherwise `DecodingError`.
    ///
    /// - Complexity: O(bytes + resources + links) while no embedded cycle has to be cut.
    public func decode<Primary: PrimaryValue>(_ type: Primary.Type, from data: Data) throws -> Primary {
        try withSession(data) { session in
            if session.document.layout.errors != 0 { throw try ErrorDocument(session) }
            session.answerValuesOnly()
            return try collectingProblems(type, session) {
                let value = try Primary._decode(PrimarySource(session: session))
                try session.finish()
                return value
            }
        }
    }

    /// The whole document: primary data with links, meta, the included resources and diagnostics.
    ///
    /// Beyond what `decode(_:from:)` reads, the whole document is checked against the mode.
    public func decode<Primary: PrimaryValue>(_ type: Document<Primary>.Type, from data: Data) throws -> Document<Primary> {
        try withSession(data) { session in
            if session.document.layout.errors != 0, !leniencies.contains(.dataWithErrors) || session.document.layout.data == 0 {
                throw try ErrorDocument(session)
            }
            session.keepDocument()
            return try preferErrors(session) {
                let survey = try DocumentSurvey.run(session.document)
                let value = try collectingProblems(Primary.self, session) {
                    let value = try Primary._decode(PrimarySource(session: session))
                    try session.finish()
                    return value
                }
                return try Document(value, session: session, survey: survey)
            }
        }
    }

    /// The document as it is, without models: any JSON:API document, errors and extensions included.
    public func decode(_ type: DocumentObject.Type, from data: Data) throws -> DocumentObject {
        try decodeWithDiagnostics(type, from: data).document
    }

    /// The same, with what was tolerated.
    public func decodeWithDiagnostics(
        _ type: DocumentObject.Type, from data: Data
    ) throws -> (document: DocumentObject, diagnostics: Diagnostics) {
        try withSession(data) { session in
            let survey = try DocumentSurvey.run(session.document)
            return (DocumentObject(members: session.view.object(at: session.view.root)), survey)
        }
    }

    /// Adds all other problems to an error about the data, where `problems` asks for them.
    @inline(__always)
    private func collectingProblems<Primary: PrimaryValue>(
        _ type: Primary.Type, _ session: DecodingSession, _ body: () throws -> Primary
    ) throws -> Primary {
        guard problems == .all else { return try body() }
        do {
            return try body()
        } catch {
            var collector = ProblemCollector(session.document)
            throw collector.complete(error, type)
        }
    }

    /// Throws what the server says in place of an error of ours about the data beside it.
    private func preferErrors<Result>(_ session: DecodingSession, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            guard session.document.layout.errors != 0, mode != .strict, let document = try? ErrorDocument(session) else { throw error }
            throw document
        }
    }

    /// Parses and indexes `data` and hands it to `body`; adds line and column to a failure of ours.
    func withSession<Result>(_ data: Data, _ body: (DecodingSession) throws -> Result) throws -> Result {
        if let rewriting = ResourceRewriting(rewriters) {
            var plain = self
            plain.rewriters = [:]
            plain.reportsPositions = false
            return try plain.withSession(try rewritten(data, rewriting), body)
        }
        return try data.withText { text in
            do {
                let memory = DecodingPool.shared.take()
                var tape = try parse(text, reusing: memory.takeTape())
                defer {
                    if isKnownUniquelyReferenced(&tape) {
                        // Session and document held the tape: they are gone, and nothing else reads their memory.
                        DecodingPool.shared.giveBack(memory, from: tape)
                    } else {
                        // Whoever holds the tape (a reference, a decoder that a model kept) gets a copy of the bytes.
                        tape.takeOwnership()
                        DecodingPool.shared.giveBackTables(memory)
                    }
                }
                return try read(tape, memory, body)
            } catch let failure as DecodingFailure {
                throw failure.located(in: text, reportsPositions).decodingError(codingPath: [])
            } catch let error as DecodingError {
                throw error.located(in: text, reportsPositions)
            }
        }
    }

    private func rewritten(_ data: Data, _ rewriting: ResourceRewriting) throws -> Data {
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: data, options: reading) } catch {
            throw data.withText { DecodingFailure(error).located(in: $0, reportsPositions) }
                .decodingError(codingPath: [])
        }
        var writer = JSONWriter()
        writer.maximumDepth = .max
        return Data(try writer.write(try rewriting.document(json)))
    }

    private func parse(_ text: BorrowedText, reusing memory: TapeMemory?) throws -> Tape {
        do {
            return try text.tape(reading, reusing: memory)
        } catch {
            throw DecodingFailure(error)
        }
    }

    /// A function of its own, so that nothing of the session is alive when the tape is looked at again.
    @inline(never)
    private func read<Result>(_ tape: Tape, _ memory: DecodingMemory, _ body: (DecodingSession) throws -> Result) throws -> Result {
        var session = DecodingSession(try document(tape, memory), tables: memory.tables)
        defer {
            memory.isSessionOver = isKnownUniquelyReferenced(&session)
            session.end(isOver: memory.isSessionOver)
        }
        if mode == .strict { _ = try DocumentSurvey.run(session.document) }
        return try body(session)
    }

    /// Throws `ErrorDocument` for a document that has errors and cannot be indexed: what the server says counts more than what is wrong
    /// beside it.
    private func document(_ tape: Tape, _ memory: DecodingMemory) throws -> ParsedDocument {
        do {
            return try ParsedDocument(tape, options: self, memory: memory.index)
        } catch let failure as DecodingFailure {
            guard mode != .strict, let errors = try ErrorDocument(besideFaultsIn: tape, options: self) else { throw failure }
            throw errors
        }
    }
}
