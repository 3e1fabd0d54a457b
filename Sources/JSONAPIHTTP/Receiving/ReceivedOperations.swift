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
/// return try .results(results)                    // 200, or 204 when no result says anything
/// ```
///
/// Operations are carried out in order. A lid that an operation gives to what it makes is known from then on: later operations come with
/// the id in its place. When one fails, nothing of the others may stay: undo them, and answer with the error.
///
/// Specification: <https://jsonapi.org/ext/atomic/#processing>
public struct ReceivedOperations: Sendable {
    private let operations: [ReceivedOperation]

    /// The operations of a request's body.
    ///
    /// Throws `DecodingError` for a body that is no document, and `ErrorDocument` with status 400 and a pointer for operations that the
    /// specification does not allow.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#operation-objects>
    public init(_ body: Data, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws {
        var reader = decoder
        reader.source = .request
        let document = try reader.decode(DocumentObject.self, from: body)
        guard let list = document[member: "atomic:operations"]?.array, !list.isEmpty else {
            throw RequestRefusal.error(400, "No operations", "Expected `atomic:operations`, an array with at least one operation.", at: [])
        }
        for name in ["data", "included"] where document[member: name] != nil {
            throw RequestRefusal.error(400, "Not allowed", "Operations stand alone in their document.", at: [name])
        }
        operations = try list.enumerated().map { try ReceivedOperation($1, at: $0, decoder) }
    }
}

extension ReceivedOperations: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }
    /// How many operations there are.
    public var endIndex: Int { operations.count }
    /// The operation at that position, from 0, as it was sent.
    public subscript(position: Int) -> ReceivedOperation { operations[position] }
}

// MARK: - Carrying them out

extension ReceivedOperations {
    /// The results of all operations, each carried out by `perform`, in order.
    ///
    /// `perform` gets the operation with ids in place of the lids of resources that were made before; it returns the resource that it made
    /// or changed, or `.empty`. What it throws is thrown as an `ErrorDocument` whose pointers lead into the request, and no further
    /// operation is carried out: undo what was done.
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

    /// The same for operations that are carried out asynchronously, one after the other.
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

    /// What was made so far.
    private struct Progress {
        var results: [AtomicResult] = []
        private var ids: [ResourceIdentifier: String] = [:]
        private var lids: Set<ResourceIdentifier> = []

        /// The operation with ids in place of lids. Throws for a lid that an earlier one has, too.
        mutating func prepared(_ operation: ReceivedOperation) throws -> ReceivedOperation {
            let prepared = try operation.resolved(ids)
            if let made = operation.made, !lids.insert(made).inserted {
                let place = ["atomic:operations", String(operation.index), "data", "lid"]
                throw RequestRefusal.error(400, "Repeated lid", "An earlier operation makes a resource with this lid.", at: place)
            }
            return prepared
        }

        mutating func append(_ result: AtomicResult, of operation: ReceivedOperation) {
            results.append(result)
            if let made = operation.made, let id = result.members["data"]?["id"]?.string { ids[made] = id }
        }
    }
}
