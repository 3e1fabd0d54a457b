public import Foundation
import JSONAPICodec
import JSONText

/// The requests of a store that wait to be sent, in the order in which they were made: what an app does while it is offline.
///
/// ```swift
/// let file = try StoreFile(url, of: store)
/// let queue = RequestQueue(store, savedIn: file)
///
/// // Anywhere in the app. The store shows the change at once:
/// try queue.create(Note(text: "Milk"))
/// try queue.update(Patch<Article>(id: "1").set("title", "New"))
/// try queue.delete(ResourceIdentifier(type: "articles", id: "2"))
///
/// // Whenever there is a network:
/// while let request = try queue.next() {
///     let (data, response) = try await send(request)                    // your network code
///     try queue.answer(request, status: response.statusCode, body: data)
/// }
/// ```
///
/// - **The store shows what is queued** as if the server had done it. A document that arrives meanwhile goes below the waiting changes: what
///   the user has edited stays edited, and what the user has deleted stays deleted, until the server has answered.
/// - **Local identities.** A new resource has a lid. When the server has answered with its id, the id takes the place of the lid everywhere:
///   in the store, in its kept documents, and in the targets and documents of the requests behind it.
/// - **Order.** A request waits for earlier ones about the same resource or about one that it links to, and a deletion for those that link to
///   what it deletes. All others go on, whether an earlier one was refused or not.
/// - **Refused requests** stay, with the server's error, until the program says `retry`, `skip` or `rollBack`.
/// - **A crash** loses nothing: each function saves the file before it returns. `next` saves that the request is sent before it hands it out.
///   So a request whose answer never came is found in the state `sent` by the next launch, and is not sent again unless the program says
///   `retry`; `QueuedRequest.isRepeatable` tells whether that can do harm.
///
/// The queue knows no network and no addresses. All queues of a store are the same one. It may be used from many threads.
///
/// Inside a transaction of the store its functions belong to the transaction, and nothing is saved: call `StoreFile.save()` afterwards. `next`
/// throws there.
public struct RequestQueue: Sendable {
    let store: ResourceStore
    private let file: StoreFile?

    /// The queue of a store.
    ///
    /// With a file, which has to be the store's, each change of the queue is saved at once, and what else has changed in the store with it.
    /// Without one nothing is saved by the queue.
    public init(_ store: ResourceStore, savedIn file: StoreFile? = nil) {
        self.store = store
        self.file = file
    }
}

// MARK: - Contents

extension RequestQueue {
    /// All requests, oldest first.
    public var requests: [QueuedRequest] { store.core.readKept { $0.requests } }

    /// How many requests there are.
    public var count: Int { requests.count }

    /// Whether there are no requests.
    public var isEmpty: Bool { requests.isEmpty }

    /// The request as it is now; nil when it is done.
    public subscript(id: UUID) -> QueuedRequest? { requests.first { $0.id == id } }

    /// The requests as they are, and as they become: the first value at once, and a new one after each change. See `StoreValues` for the rules.
    ///
    /// ```swift
    /// for await requests in queue.changes { badge = requests.count { $0.state == .failed } }
    /// ```
    public var changes: StoreValues<[QueuedRequest]> {
        StoreValues(store: store, type: nil, kept: .requests) { store, _ in
            let (table, kept) = store.core.contents
            return StoreValues.Moment(
                value: kept.requests, versions: [:], order: [], table: table, kept: kept, keptVersion: kept.requestVersion)
        }
    }
}

// MARK: - Writing

extension RequestQueue {
    /// Changes the store and its queue at once, and saves that.
    func change<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
        let answer = try store.transaction(body)
        try save()
        return answer
    }

    /// Saves, unless a transaction goes on around this call.
    func save() throws {
        if !store.isInTransaction { try file?.save() }
    }
}

extension StoreTransaction {
    /// The request as it is now. Throws `StoreError` when it is done.
    func queued(_ request: QueuedRequest) throws -> QueuedRequest {
        guard let found = pending.kept(.request(request.key))?.request else {
            throw StoreError(
                .unknownRequest, request.target, expected: "a request of the queue", found: "one that is done",
                advice: "it was answered, skipped or rolled back before")
        }
        return found
    }

    func put(_ request: QueuedRequest) throws { pending.setKept(.request(request.key), .put(try KeptValue(request))) }

    func removeRequest(_ request: QueuedRequest) { pending.setKept(.request(request.key), .remove) }

    /// The place behind all requests.
    func nextRequestKey() -> RequestKey { RequestKey(number: pending.nextRequestNumber, id: UUID()) }
}
