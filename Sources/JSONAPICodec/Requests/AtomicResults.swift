import Foundation
import JSONText

/// The answer to atomic operations: one result for each operation, by position.
///
/// ```swift
/// let results = try JSONAPIDecoder().decode(AtomicResults.self, from: data, for: operations)
/// let article = try results.resource(Article.self, at: 0)      // nil for a result without data
/// ```
///
/// When an operation failed, the document has errors instead, and decoding throws `ErrorDocument`; its
/// `errors(ofOperation:)` finds those of one operation.
///
/// Specification: <https://jsonapi.org/ext/atomic/#result-objects>
public struct AtomicResults: Sendable {
    /// The results in the order of the operations. One that says nothing is `{}`.
    public let results: [AtomicResult]
    /// The document around them.
    public let document: DocumentObject
    private let decoder: JSONAPIDecoder

    /// The results of a server, to be written: `try JSONAPIEncoder().encode(AtomicResults([AtomicResult(article), .empty]))`.
    ///
    /// The specification asks for at least one.
    public init(_ results: [AtomicResult], meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil) {
        var document = DocumentObject()
        document.jsonapi = jsonapi
        document[member: "atomic:results"] = .array(JSONArray(results.map(\.json)))
        document.meta = meta
        self.document = document
        self.results = results
        decoder = JSONAPIDecoder()
    }

    /// Whether no result says anything: a server may answer 204 then.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public var isEmpty: Bool { results.allSatisfy(\.members.isEmpty) }

    init(_ document: DocumentObject, _ decoder: JSONAPIDecoder) throws {
        self.document = document
        self.decoder = decoder
        guard let array = document.members["atomic:results"]?.array else {
            let found = document.members["atomic:results"]
            throw DecodingFailure(
                found == nil ? .missingMember : .wrongType, at: found == nil ? .root : JSONPointer("atomic:results"),
                expected: "`atomic:results`, an array", found: found?.kindName ?? "a document without it")
        }
        results = try array.enumerated().map { index, json in
            guard case .object(let members) = json else {
                throw DecodingFailure(
                    .wrongType, at: JSONPointer("atomic:results").appending(index), expected: "a result object", found: json.kindName)
            }
            return AtomicResult(members: members)
        }
    }

    /// How many results there are.
    public var count: Int { results.count }

    /// The resource of the result at an index; nil when it has none. Throws `DecodingError` for an index without result, and for
    /// a resource that cannot be read.
    public func resource<Model: PrimaryElement>(_ type: Model.Type, at index: Int) throws -> Model? {
        let place = JSONPointer("atomic:results").appending(index)
        guard results.indices.contains(index) else {
            throw DecodingFailure(
                .missingMember, at: JSONPointer("atomic:results"), expected: "a result at index \(index)", found: "\(results.count) results"
            ).decodingError(codingPath: [])
        }
        guard let data = results[index].members["data"] else { return nil }
        let text = try JSONWriter().write(["data": data])
        do {
            return try decoder.decode(Model?.self, from: Data(text))
        } catch let error as DecodingError {
            throw error.moved(below: place)
        }
    }
}

/// What one operation led to.
///
/// Specification: <https://jsonapi.org/ext/atomic/#result-objects>
public struct AtomicResult: MemberLens {
    /// All members, in order, as they are written.
    public var members: JSONObject

    /// The view of those members, unchecked.
    public init(members: JSONObject) { self.members = members }

    /// A result that says nothing: `{}`.
    public static let empty = AtomicResult(members: JSONObject())

    /// The result of an operation that made or changed a resource.
    ///
    /// Throws `EncodingError` for a resource without id, and as encoding does.
    public init(_ resource: some ResourceRepresentable, encoder: JSONAPIEncoder = JSONAPIEncoder(), meta: JSONObject? = nil) throws {
        members = ["data": try encoder.resourceObject(resource).json]
        self.meta = meta
    }

    /// The resource, or nothing.
    public var data: PrimaryData {
        get { PrimaryData(json: members["data"]) ?? .absent }
        set { members["data"] = newValue.json }
    }

    /// What the specification does not define.
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
                .documentStructure, at: .root, expected: "at least one result", found: "none", advice: "answer with 204 instead")
        }
        try document._write(target)
    }
}

extension JSONAPIDecoder {
    /// The results of atomic operations.
    ///
    /// Throws `ErrorDocument` when there are errors instead, and `DecodingError` when there is not one result for each operation.
    ///
    /// `operations` is what was sent, to compare the numbers; nil takes what comes.
    public func decode(
        _ type: AtomicResults.Type, from data: Data, for operations: AtomicOperations? = nil
    ) throws -> AtomicResults {
        let (document, diagnostics) = try decodeWithDiagnostics(DocumentObject.self, from: data)
        if let errors = document[member: "errors"], errors != .null { throw ErrorDocument(document, diagnostics) }
        do {
            let results = try AtomicResults(document, self)
            guard operations == nil || operations?.count == results.count else {
                throw DecodingFailure(
                    .documentStructure, at: JSONPointer("atomic:results"),
                    expected: "\(operations?.count ?? 0) results, one for each operation",
                    found: "\(results.count)")
            }
            return results
        } catch let failure as DecodingFailure {
            throw failure.decodingError(codingPath: [])
        }
    }
}

extension DecodingError {
    /// The same error for a document that stands inside another; without line and column, which were those of the inner one.
    fileprivate func moved(below place: JSONPointer) -> DecodingError {
        guard let failure else { return self }
        let moved = DecodingFailure(
            failure.kind, at: JSONPointer(tokens: place.tokens + failure.pointer.tokens), resource: failure.resource,
            expected: failure.expected, found: failure.found, advice: failure.advice)
        return mapContext { old in
            Context(codingPath: old.codingPath, debugDescription: moved.description, underlyingError: moved)
        }
    }
}
