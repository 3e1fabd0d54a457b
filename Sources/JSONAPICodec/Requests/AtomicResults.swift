import Foundation
import JSONAPIRules
import JSONText

/// The response to atomic operations: one result for each operation, in the same order.
///
/// ```swift
/// let results = try JSONAPIDecoder().decode(AtomicResults.self, from: data, for: operations)
/// let article = try results.resource(Article.self, at: 0)      // nil for a result without data
/// ```
///
/// When an operation failed, the document has errors instead, and decoding throws `ErrorDocument`. Its `errors(ofOperation:)` returns those
/// of one operation.
///
/// Specification: <https://jsonapi.org/ext/atomic/#result-objects>
public struct AtomicResults: Sendable {
    /// The results, in the order of the operations. A result without contents is `{}`.
    public let results: [AtomicResult]
    /// The document that contains the results.
    public let document: DocumentObject
    private var decoder: JSONAPIDecoder

    static let member = "atomic:results"

    /// Creates the results that a server sends: `try JSONAPIEncoder().encode(AtomicResults([AtomicResult(article), .empty]))`.
    ///
    /// The specification requires at least one result. Encoding throws without one.
    public init(_ results: [AtomicResult], meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil) {
        var document = DocumentObject()
        document.jsonapi = jsonapi
        document[member: Self.member] = .array(JSONArray(results.map(\.json)))
        document.meta = meta
        self.document = document
        self.results = results
        decoder = JSONAPIDecoder()
    }

    /// Whether all results are empty. A server may then respond with status 204.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public var isEmpty: Bool { results.allSatisfy(\.members.isEmpty) }

    init(_ document: DocumentObject, _ decoder: JSONAPIDecoder) throws {
        self.document = document
        self.decoder = decoder
        guard let array = document.members[Self.member]?.array else {
            let found = document.members[Self.member]
            throw DecodingFailure(
                found == nil ? .missingMember : .wrongType, at: found == nil ? .root : JSONPointer(Self.member),
                expected: "`atomic:results`, an array", found: found?.kindName ?? "a document without it")
        }
        results = try array.enumerated().map { index, json in
            guard case .object(let members) = json else {
                throw DecodingFailure(
                    .wrongType, at: JSONPointer(Self.member).appending(index), expected: "a result object", found: json.kindName)
            }
            return AtomicResult(members: members)
        }
        if decoder.mode == .strict { try check() }
    }

    /// The number of results.
    public var count: Int { results.count }

    /// Returns the resource of the result at the given index; nil when the result has no data. The static type counts, even if `type` is a
    /// subclass. Throws `DecodingError` when there is no result at that index, and when the resource cannot be read.
    public func resource<Model: PrimaryElement>(_ type: Model.Type, at index: Int) throws -> Model? {
        guard results.indices.contains(index) else {
            throw DecodingFailure(
                .missingMember, at: JSONPointer(Self.member), expected: "a result at index \(index)", found: "\(results.count) results"
            ).decodingError(codingPath: [])
        }
        var decoder = decoder
        if results[index].members["data"].map(Self.isRewrittenLater) != true { decoder.rewriters = [:] }
        return try read(at: index) { try decoder.decode(Model?.self, from: $0) } ?? nil
    }

    /// Whether only the model tells that data is a resource, or of which type, so that it is not rewritten with the document.
    static func isRewrittenLater(_ data: JSON) -> Bool {
        data.object.map { $0["type"] == nil || !$0.contains { ResourceIdentifier.isField($0.name) } } ?? false
    }

    /// Reads the data of a result as a document; nil when there is none.
    private func read<Value>(at index: Int, _ body: (Data) throws -> Value) throws -> Value? {
        guard let data = results[index].members["data"] else { return nil }
        let text = try JSONWriter.unlimited.write(["data": data])
        do {
            return try body(Data(text))
        } catch {
            // Without line and column, because those belong to the inner document.
            let outer = { (pointer: JSONPointer) in JSONPointer(tokens: [Self.member, String(index)] + pointer.tokens) }
            throw ErrorRelocation(pointer: outer, failure: { $0.at(outer($0.pointer), offset: nil, position: nil) }).moved(error)
        }
    }

    /// Enforces what the specification says about results, as strict mode does.
    private func check() throws {
        let place = JSONPointer(Self.member)
        var plain = decoder
        plain.rewriters = [:]
        if results.isEmpty { throw DecodingFailure(.documentStructure, at: place, expected: "at least one result", found: "none") }
        for name in ["data", AtomicOperations.member] where document[member: name] != nil {
            throw DecodingFailure(.documentStructure, at: JSONPointer(name), expected: "no `\(name)` beside results", found: "both")
        }
        for (index, result) in results.enumerated() {
            for member in result.members where member.name != "data" && MemberName(member.name).isPlain {
                let isMeta = member.name == "meta"
                if isMeta, member.value.object != nil { continue }
                throw DecodingFailure(
                    isMeta ? .wrongType : .unknownMember, at: place.appending(index).appending(member.name),
                    expected: "a result with only `data` and `meta`, an object", found: isMeta ? member.value.kindName : "another member")
            }
            _ = try read(at: index) { try plain.decode(DocumentObject.self, from: $0) }
        }
    }
}

/// The result of one operation.
///
/// Specification: <https://jsonapi.org/ext/atomic/#result-objects>
public struct AtomicResult: MemberLens {
    /// All members in order, exactly as they were written.
    public var members: JSONObject

    /// Creates a view of the given members, without checking them.
    public init(members: JSONObject) { self.members = members }

    /// A result without contents: `{}`.
    public static let empty = AtomicResult(members: JSONObject())

    /// Creates the result of an operation that created or changed a resource.
    ///
    /// Throws `EncodingError` when the resource has neither id nor lid, and when it cannot be encoded.
    public init(_ resource: some ResourceRepresentable, encoder: JSONAPIEncoder = JSONAPIEncoder(), meta: JSONObject? = nil) throws {
        members = ["data": try encoder.resourceObject(resource).json]
        self.meta = meta
    }

    /// The resource; `.absent` when the result has no data.
    public var data: PrimaryData {
        get { PrimaryData(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// Meta information: members that the specification does not define.
    public var meta: JSONObject? {
        get { members[value: "meta"] }
        set { members[value: "meta"] = newValue }
    }
}

extension AtomicResults: DocumentBody {
    public var _kind: DocumentKind { .any }

    public func _write(_ target: DocumentTarget) throws {
        guard !results.isEmpty else {
            throw EncodingFailure(
                .documentStructure, at: .root, expected: "at least one result", found: "none", advice: "respond with status 204 instead")
        }
        try document._write(target)
    }
}

extension JSONAPIDecoder {
    /// Returns the results of atomic operations.
    ///
    /// Throws `ErrorDocument` when the document has errors, outside strict mode whatever is beside them. Throws `DecodingError` when the
    /// results cannot be read, and when their number differs from that of `operations`. Empty `errors` beside results are a `DecodingError`,
    /// too: the operations were carried out. With the leniency `dataWithErrors`, they are read as absent.
    ///
    /// `operations` is the request that was sent. With nil, any number of results is accepted.
    public func decode(_ type: AtomicResults.Type, from data: Data, for operations: AtomicOperations? = nil) throws -> AtomicResults {
        try withSession(data, of: DocumentObject.self) { session in
            let document = DocumentObject(members: session.view.object(at: session.view.root))
            if session.document.layout.errors != 0, let errors = document[member: "errors"], errors != .null {
                let hasResults = document[member: AtomicResults.member] != nil
                guard hasResults, ErrorObject.list(in: errors).isEmpty else { throw try ErrorDocument(session) }
                if !leniencies.contains(.dataWithErrors) { throw ErrorDocument.nothing(beside: AtomicResults.member) }
            }
            _ = try DocumentSurvey.run(session.document)
            let results = try AtomicResults(document, self)
            guard operations == nil || operations?.count == results.count else {
                throw DecodingFailure(
                    .documentStructure, at: JSONPointer(AtomicResults.member),
                    expected: "\(operations?.count ?? 0) results, one for each operation", found: "\(results.count)")
            }
            return results
        }
    }
}
