public import Foundation
public import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The requests of a store that wait to be sent, in the order in which they were made. Use it to change resources while the app is offline.
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
///     let response = try await send(request)                            // your network code returns a `JSONAPIResponse`
///     if response.status >= 500 { break }                               // perhaps carried out: the request stays `sent`
///     let tag = EntityTag(headers: response.headers)                    // of the module JSONAPIHTTP
///     try queue.answer(request, status: response.status, body: response.body, entityTag: tag?.description)
///     if [401, 408, 429].contains(response.status) {                    // not carried out: the request waits again
///         try queue.retry(request)
///         break
///     }
/// }
/// ```
///
/// <doc:OfflineQueue> says when to send again, and what to do with requests that stay `sent`.
///
/// The store's encoder writes the documents, with its rewriters.
///
/// - **The store shows queued changes** as if the server had accepted them. A document that arrives in the meantime goes below these
///   changes. Until the server has answered, edits stay visible and deleted resources stay hidden.
/// - **Local identities.** A new resource has a lid. When the server sends its id, the id replaces the lid everywhere: in the store, in
///   kept documents, and in the targets and documents of later requests.
/// - **Order.** A request waits for earlier requests about the same resource or about a resource that it links to. A deletion also waits
///   for earlier requests that link to the deleted resource. Other requests can be sent, even if an earlier one was refused.
/// - **Refused requests** stay in the queue with the server's error until the program calls `retry`, `skip` or `rollBack`.
/// - **A crash** loses nothing, because each function saves the file before it returns. It also saves the other open files of the store, so that
///   a request that was answered does not come back from one of them. `next` saves the state `sent` before it returns a request. After a crash,
///   a request without an answer is therefore still in the state `sent`. It is not sent again unless the program calls `retry`.
///   `QueuedRequest.isRepeatable` tells whether sending it twice is safe. Several files are saved one after the other. If the process is killed
///   between two saves, the files that were not saved yet still have a request that was just answered. In a store that opens one of them, the
///   request is back in the state `sent`, like one whose answer was lost.
///
/// The queue contains no network code and no addresses. All queues of a store share the same requests. A queue can be used from many
/// threads.
///
/// Inside a transaction of the store, changes of the queue belong to the transaction. They are not saved, so call `StoreFile.save()`
/// afterwards. `next` throws inside a transaction.
public struct RequestQueue: Sendable {
    let store: ResourceStore
    let file: StoreFile?

    /// Creates a queue for a store.
    ///
    /// With a file, each change of the queue is saved immediately, along with all other unsaved changes of the store. The file must belong
    /// to the store. If the store has other open files, these are saved, too. Close a file that cannot be saved any more, because otherwise
    /// `next` throws each time. Without a file, the queue saves nothing.
    public init(_ store: ResourceStore, savedIn file: StoreFile? = nil) {
        self.store = store
        self.file = file
    }
}

// MARK: - Contents

extension RequestQueue {
    /// All requests, oldest first.
    ///
    /// - Complexity: O(n), n = number of requests, if the store's encoder has rewriters. These run when `document` or `body` is first used.
    public var requests: [QueuedRequest] { store.handedOut(store.core.readKept { $0.requests }) }

    /// The number of requests.
    public var count: Int { store.core.readKept { $0.requests.count } }

    /// Whether there are no requests.
    public var isEmpty: Bool { count == 0 }

    /// The request with this id as it is now; nil if it is done.
    public subscript(id: UUID) -> QueuedRequest? {
        store.core.readKept { $0.requests.first { $0.id == id } }.map { store.handedOut($0) }
    }

    /// The requests, now and after each change. The first value arrives immediately. See `StoreValues` for the rules.
    ///
    /// ```swift
    /// for await requests in queue.changes { badge = requests.count { $0.state == .failed } }
    /// ```
    public var changes: StoreValues<[QueuedRequest]> {
        StoreValues(store: store, type: nil, kept: .requests) { store, _ in
            let (table, kept) = store.core.contents
            return StoreValues.Moment(
                value: store.handedOut(kept.requests), versions: [:], watched: [:], order: [], table: table, kept: kept,
                keptVersion: kept.requestVersion)
        }
    }
}

// MARK: - Writing

extension RequestQueue {
    /// Changes the store and its queue together, and saves the change.
    func change<Answer>(_ body: (StoreTransaction) throws -> Answer) throws -> Answer {
        let answer = try store.transaction(body)
        try save()
        return answer
    }

    /// Saves the file, unless the call is inside a transaction. Also saves the other open files of the store: a request that is sent or answered
    /// in one file alone would be sent again when the store is made from both.
    func save() throws {
        guard let file, !store.isInTransaction else { return }
        try file.save()
        for other in store.core.openFiles where other !== file {
            // Another thread may be closing it.
            do { try other.save() } catch  where other.isClosed {}
        }
    }
}

extension StoreTransaction {
    /// Returns the request as it is now. Throws `StoreError` if it is done.
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

    /// Returns a key after those of all requests.
    func nextRequestKey() -> RequestKey { RequestKey(number: pending.nextRequestNumber, id: UUID()) }
}
