import Foundation
import JSONAPICodec
import JSONText

/// The body of a request of the Atomic Operations extension, as a server reads it.
///
/// ```swift
/// let operations = try ReceivedOperations(body)
/// let results = try operations.run { operation in
///     // … carries it out, inside a transaction of your own …
///     try AtomicResult(article)                   // or .empty
/// }
/// return try .results(results)                    // 200, or 204 when all results are empty
/// ```
///
/// Operations are carried out in order. Once an operation has created a resource with a lid, later operations have its id in place of the
/// lid. Linkage from a new resource to itself keeps the lid, because there is no id yet: replace it when you store the resource.
///
/// When an operation fails, nothing of the others may remain: undo them, and respond with the error.
///
/// Specification: <https://jsonapi.org/ext/atomic/#processing>
public struct ReceivedOperations: Sendable {
    private let operations: [ReceivedOperation]

    /// Creates the operations from the body of a request.
    ///
    /// Throws `DecodingError` when the body is not a document. Throws `ErrorDocument` with status 400 and a pointer for operations that the
    /// specification does not allow, and for resource objects and linkage that the decoder refuses in the data of other requests; for the
    /// name of an attribute, the status is 422. In strict mode, members, types and addresses are checked, too.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#operation-objects>
    public init(_ body: Data, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        var reader = decoder.readerOfRequests
        // Each operation is rewritten when it is read as a model.
        reader.rewriters = [:]
        let document = try reader.decode(DocumentObject.self, from: body)
        guard let list = document[member: "atomic:operations"]?.array, !list.isEmpty else {
            throw RequestRefusal.error(
                400, "No operations", "Expected `atomic:operations`, an array with at least one operation.",
                at: document[member: "atomic:operations"] == nil ? [] : ["atomic:operations"])
        }
        for name in ["data", "included", "errors", "atomic:results"] where document[member: name] != nil {
            throw RequestRefusal.error(400, "Not allowed", "A document with operations must not have this member.", at: [name])
        }
        operations = try list.enumerated().map { try ReceivedOperation($1, at: $0, decoder) }
    }
}

extension ReceivedOperations: RandomAccessCollection {
    /// The position of the first operation, 0.
    public var startIndex: Int { 0 }
    /// The number of operations.
    public var endIndex: Int { operations.count }
    /// The operation at the given position, counted from 0, as it was sent.
    public subscript(position: Int) -> ReceivedOperation { operations[position] }
}

// MARK: - Carrying them out

extension ReceivedOperations {
    /// Carries out all operations in order, and returns their results.
    ///
    /// `perform` receives each operation with ids in place of the lids of resources that were created before. It returns the resource that
    /// it created or changed, or `.empty`. After a result without an id, an operation that refers to the lid of the resource is an error with
    /// status 500. When it throws, this throws an `ErrorDocument` whose pointers refer to the request, and carries
    /// out no further operation. Undo the earlier ones then.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public func run(_ perform: (ReceivedOperation) throws -> AtomicResult) throws -> AtomicResults {
        var progress = Progress()
        for operation in operations {
            do {
                progress.append(try perform(progress.prepared(operation)), of: operation)
            } catch {
                throw operation.errorDocument(error)
            }
        }
        return AtomicResults(progress.results)
    }

    /// Carries out all operations asynchronously, one after another, and returns their results. Throws as the function above does.
    public func run(
        isolation: isolated (any Actor)? = #isolation, _ perform: (ReceivedOperation) async throws -> AtomicResult
    ) async throws -> AtomicResults {
        var progress = Progress()
        for operation in operations {
            do {
                progress.append(try await perform(progress.prepared(operation)), of: operation)
            } catch {
                throw operation.errorDocument(error)
            }
        }
        return AtomicResults(progress.results)
    }

    /// The results so far.
    private struct Progress {
        var results: [AtomicResult] = []
        /// The ids of the resources with a lid; nil for those whose result had none.
        private var ids: [ResourceIdentifier: String?] = [:]

        /// Returns the operation with ids in place of lids. Throws when an earlier operation has the same lid.
        mutating func prepared(_ operation: ReceivedOperation) throws -> ReceivedOperation {
            let prepared = try operation.resolved(ids)
            if let made = operation.made, ids.updateValue(nil, forKey: made) != nil {
                throw operation.refusal("Repeated lid", "An earlier operation creates a resource with this lid.", at: "data", "lid")
            }
            return prepared
        }

        mutating func append(_ result: AtomicResult, of operation: ReceivedOperation) {
            results.append(result)
            guard let made = operation.made else { return }
            // A client can also send both, a lid and the id that it has made.
            if let id = (result.members["data"]?["id"] ?? operation.members["data"]?["id"])?.string { ids[made] = id }
        }
    }
}
