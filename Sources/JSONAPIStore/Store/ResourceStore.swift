import Foundation
import JSONAPICodec

/// Keeps resources beyond their documents, each identity once.
///
/// ```swift
/// let store = ResourceStore()
/// let articles = try store.decode([Article].self, from: data)      // primary data and included are in the store now
/// try store.resource(Person.self, id: "9")?.firstName
/// let observation = store.observe(ResourceIdentifier(type: "people", id: "9")) { change in … }
/// try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: later))
/// ```
///
/// - **Identity** is type and id, compared by bytes; `"7"` and `"007"` are two resources. A resource that has only a lid is
///   kept when the program puts it in, and left out when a document brings it: there the lid means something in that document
///   alone. What has neither id nor lid is never stored.
/// - **Merging.** When a resource arrives again, the policy of that call decides: `MergePolicy.fields` by default.
/// - **Reading.** Models are made when they are asked for, with the store's options, and kept until the resource or one that
///   is embedded in it changes. Relationships resolve through the store, over all documents: embedded ones when the model is
///   made, all as of one moment; `ToOne.value` and `ToMany.values` when they are asked for, as the store is then. Circles are cut
///   as `JSONAPIDecoder` says.
/// - **Writing.** Every write is a transaction: it happens as a whole or not at all. Writers take turns, readers never wait for
///   them.
/// - **Observers** are told after the write and outside every lock; see `observe(_:_:)`.
///
/// It may be used by many threads at once. It keeps the text of each resource, about 130 bytes beside it where ids have up to
/// 15 bytes, and the values that were read of it.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-identification>
public final class ResourceStore: Sendable {
    /// How resources are read as models.
    public let decoder: JSONAPIDecoder
    /// How models are written to be stored.
    public let encoder: JSONAPIEncoder

    let core: StoreCore
    let cache = ValueCache()
    private let writers = WriterQueue()

    /// An empty store.
    ///
    /// - Parameter limit: how many resources it holds in memory; nil, the default, for no limit. After a write that leads beyond it, the
    ///   resources go that were not read or written for the longest time. Those that are observed by themselves stay, so that
    ///   a store of nothing else may hold more. A resource that is read because another one embeds it counts as read while
    ///   that value is made.
    /// - Parameter decoder: how resources are read as models; strategies, leniencies and limits are those of a document.
    /// - Parameter encoder: how models are written to be stored, and patches made. Its names and dates have to be those that
    ///   `decoder` reads.
    public init(limit: Int? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder(), encoder: JSONAPIEncoder = JSONAPIEncoder()) {
        self.decoder = decoder
        self.encoder = encoder
        core = StoreCore(limit: limit)
    }

    deinit { core.endObservations() }

    /// Reads what the store holds. A resource of the store that has only a lid is one that the program put in.
    var reader: JSONAPIDecoder {
        var reader = decoder
        reader.leniencies.insert(.missingIDs)
        return reader
    }
}

// MARK: - Contents

extension ResourceStore {
    /// How many resources there are, in memory or in the store's file.
    public var count: Int { core.read { $0.count } }

    /// Whether there are no resources.
    public var isEmpty: Bool { count == 0 }

    /// How many resources of a type there are.
    public func count(ofType type: String) -> Int { core.read { $0.count(ofType: type) } }

    /// The types of which there are resources, by first arrival.
    public var types: [String] { core.read { $0.typeNames } }

    /// Which resources there are: type by type, each in the order of their arrival. If the directory of the store's file is damaged, those in
    /// memory.
    ///
    /// - Complexity: O(n), n = resources; O(n log n) the first time after a file was opened or saved.
    public var identifiers: [ResourceIdentifier] { core.table.identities.map(\.identifier) }

    /// Which resources of a type there are, in the order of their arrival. One that is merged keeps its place. If the directory of the store's
    /// file is damaged, those in memory.
    ///
    /// - Complexity: O(n), n = resources of the type; O(n log n) the first time after a file was opened or saved.
    public func identifiers(ofType type: String) -> [ResourceIdentifier] {
        core.table.identities(ofType: type).map(\.identifier)
    }

    /// Whether the store has the resource, in memory or in its file.
    public func contains(_ identifier: ResourceIdentifier) -> Bool {
        StoredIdentity(identifier).map { identity in core.read { $0.mayHave(identity) } } ?? false
    }

    /// The store as it is at this moment, whatever happens to it later.
    ///
    /// - Complexity: O(1); the first write afterwards costs O(n) while the snapshot is kept, n = resources.
    public func snapshot() -> StoreSnapshot {
        let (table, kept) = core.contents
        return StoreSnapshot(table: table, kept: kept, decoder: reader)
    }

    /// The whole store as a document: every resource in primary data, type by type. Its text can be kept, and ingested again.
    ///
    /// ```swift
    /// let data = try JSONAPIEncoder().encode(store.document)
    /// try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: data))
    /// ```
    ///
    /// - Complexity: O(text of all resources).
    public var document: DocumentObject { snapshot().document }

    /// A journal of all changes from now on, and the store as it is now.
    package func journal() -> (journal: StoreJournal, snapshot: StoreSnapshot) {
        let (journal, table, kept) = core.journal()
        return (journal, StoreSnapshot(table: table, kept: kept, decoder: reader))
    }

    func unresolved(_ identifier: ResourceIdentifier, _ type: Any.Type) -> StoreError {
        core.read { table in
            let isThere = StoredIdentity(identifier).map { table.mayHave($0) } ?? false
            return .unresolved(identifier, type, isThere: isThere, types: table.typeNames)
        }
    }
}

// MARK: - Writing

extension ResourceStore {
    /// The resource with this identity as a writer on this thread sees it: with the changes of the transaction that it is in.
    func present(_ identifier: ResourceIdentifier) throws -> ResourceObject? {
        guard let identity = StoredIdentity(identifier) else { return nil }
        let text =
            if let transaction = writers.ofThisThread {
                try transaction.pending.text(transaction.pending.current(identity))
            } else {
                try core.found(identity).text ?? core.promoted(identity).flatMap { try core.found($0).text }
            }
        return text.flatMap(StoredText.object)
    }

    /// Whether this thread is in a transaction.
    var isInTransaction: Bool { writers.ofThisThread != nil }

    /// Makes several changes at once, or none: when `body` throws, the store is as before. Observers are told after the end.
    ///
    /// Other writers wait meanwhile: `body` must not wait for another thread that writes. What is written through the store
    /// itself inside of `body` belongs to the transaction, too; reads through the store see it as it was before.
    public func transaction<Answer>(_ body: (StoreTransaction) throws -> Answer) rethrows -> Answer {
        let (answer, touched) = try writers.perform(self, body)
        guard let touched else { return answer }
        // Values that are let go of and observers that are told may write again: this has to be behind every lock.
        cache.remove(touched)
        core.deliver()
        return answer
    }
}

/// Lets one writer at a time in.
///
/// `@unchecked Sendable`: `current` is reached by the holder of the lock alone.
private final class WriterQueue: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var current: StoreTransaction?

    /// Runs a transaction, or a part of the one that the same thread is in. Answers the resources that were touched; nil for a
    /// part.
    func perform<Answer>(
        _ store: ResourceStore, _ body: (StoreTransaction) throws -> Answer
    ) rethrows -> (answer: Answer, touched: [StoredIdentity]?) {
        lock.lock()
        defer { lock.unlock() }
        if let current { return (try current.pending.atomically { try body(current) }, nil) }
        let transaction = StoreTransaction(store)
        current = transaction
        defer {
            current = nil
            _ = transaction.end()
            transaction.pending.settle(isKept: false)
        }
        let answer = try body(transaction)
        let touched = store.core.commit(transaction.end())
        transaction.pending.settle(isKept: true)
        return (answer, touched)
    }

    /// The transaction that this thread is in.
    var ofThisThread: StoreTransaction? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        return current
    }
}
