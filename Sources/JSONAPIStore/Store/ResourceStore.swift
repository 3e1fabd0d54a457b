import Foundation
import JSONAPIArchive
import JSONAPICodec

/// Keeps the resources of many documents, each identity once.
///
/// ```swift
/// let store = ResourceStore()
/// let articles = try store.decode([Article].self, from: data)      // stores primary data and included resources
/// try store.resource(Person.self, id: "9")?.firstName
/// let observation = store.observe(ResourceIdentifier(type: "people", id: "9")) { change in … }
/// try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: later))
/// ```
///
/// - **Identity.** The identity of a resource is its type and its id, compared by bytes. `"7"` and `"007"` are two resources. The program
///   can also add a resource that has only a lid. A document cannot, because its lids have a meaning only inside that document. A resource
///   with neither an id nor a lid is never stored.
/// - **Merging.** If the store already has a resource, the policy of the call decides. The default is `MergePolicy.fields`.
/// - **Reading.** The store creates a model when you ask for it, using its decoder. It keeps the model until the resource, or one that is
///   embedded in it, changes. Relationships resolve through the store, across all documents. Embedded resources are read with the model,
///   all as of the same moment. `ToOne.value` and `ToMany.values` return the state of the store when you call them. Cycles are cut as
///   described for `JSONAPIDecoder`.
/// - **Writing.** Every write is a transaction, and happens completely or not at all. Writers take turns. Readers wait only while
///   the changes of a write are put into the store, or collected for a save: about half a second for 300,000 resources.
/// - **Observers** are called after the write, and without holding a lock; see `observe(_:_:)`.
///
/// A store can be used by many threads at the same time. It keeps the text of each resource, and the models that were read from it. With
/// ids of up to 15 bytes, it needs about 140 additional bytes for each resource.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-identification>
public final class ResourceStore: Sendable {
    /// The decoder that reads resources as models.
    public let decoder: JSONAPIDecoder
    /// The encoder that writes models for the store.
    public let encoder: JSONAPIEncoder

    let core: StoreCore
    let cache = ValueCache()
    let writers = WriterQueue()

    /// Creates an empty store.
    ///
    /// - Parameter limit: the number of resources that the store holds in memory; nil, the default, for no limit. After each write, and
    ///   after each save of its file, the store evicts the least recently used resources beyond the limit. It never evicts resources with
    ///   their own observer, and resources with unsaved changes only after a save, so there can be more than the limit. An embedded
    ///   resource counts as read only when the value around it is created.
    /// - Parameter decoder: the decoder that reads resources as models. Strategies, leniencies and limits work as for a document.
    /// - Parameter encoder: the encoder that writes models and patches; by default one that matches `decoder`, which must be able to read
    ///   its names and dates.
    public init(limit: Int? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder(), encoder: JSONAPIEncoder? = nil) {
        self.decoder = decoder
        self.encoder = encoder ?? JSONAPIEncoder(matching: decoder)
        core = StoreCore(limit: limit)
    }

    deinit { core.endObservations() }

    /// Reads the contents of the store. Lids are accepted as identities, because only the program can add resources with a lid.
    var reader: JSONAPIDecoder {
        var reader = decoder
        reader.leniencies.insert(.missingIDs)
        return reader
    }
}

// MARK: - Contents

extension ResourceStore {
    /// The number of resources, in memory or in the store's file.
    public var count: Int { core.read { $0.count } }

    /// Whether there are no resources.
    public var isEmpty: Bool { count == 0 }

    /// Returns the number of resources of a type. If the directory of the store's file is damaged, only the resources in memory are counted.
    public func count(ofType type: String) -> Int { core.read { $0.count(ofType: type) } }

    /// The types of all resources. The types in the store's file come first, then the others in the order of their arrival.
    public var types: [String] { core.read { $0.typeNames } }

    /// The identifiers of all resources, grouped by type and in the order of arrival. If the directory of the store's file is damaged, only
    /// the resources in memory are listed. `resources(_:)` throws in this case, as does `identifiers` of `StoreFile.archive`.
    ///
    /// - Complexity: O(n), n = number of resources. O(n log n) for the first call after a file was opened or saved.
    public var identifiers: [ResourceIdentifier] { core.table.identities.map(\.identifier) }

    /// Returns the identifiers of all resources of a type, in the order of arrival. A merged resource keeps its place, and so does one that
    /// gets its id in place of a lid. One that was removed and arrives again is the last one, but as long as the store's file has it,
    /// because the removal is not saved, it has its earlier place again. To show the order of the server, keep the document with
    /// `keep(_:for:)`.
    ///
    /// If the directory of the store's file is damaged, only the resources in memory are listed. `resources(_:)` throws in this case, as
    /// does `identifiers` of `StoreFile.archive`.
    ///
    /// - Complexity: O(n), n = number of resources of the type. O(n log n) for the first call after a file was opened or saved.
    public func identifiers(ofType type: String) -> [ResourceIdentifier] {
        core.table.identities(ofType: type).map(\.identifier)
    }

    /// Returns whether the store has the resource, in memory or in its file.
    public func contains(_ identifier: ResourceIdentifier) -> Bool {
        StoredIdentity(identifier).map { identity in core.read { $0.mayHave($0.current(identity)) } } ?? false
    }

    /// Returns the current state of the store. Later writes do not change the snapshot.
    ///
    /// - Complexity: O(1). While the snapshot exists, the next write costs O(n), n = number of resources.
    public func snapshot() -> StoreSnapshot {
        let (table, kept) = core.contents
        return StoreSnapshot(of: core, table: table, kept: kept, decoder: reader)
    }

    /// The whole store as a document. Every resource is primary data, grouped by type.
    ///
    /// ```swift
    /// let data = try JSONAPIEncoder().encode(store.document)
    /// try other.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: data))
    /// ```
    ///
    /// A resource that has no id yet is in it with its lid. A decoder refuses the text then, because a lid has no meaning outside its
    /// document. To save a store with such resources, or with queued requests and kept documents, use `save(to:)` or a `StoreFile`.
    ///
    /// Throws `ArchiveError` if the store's file is damaged.
    ///
    /// - Complexity: O(n), n = bytes of all resources.
    public var document: DocumentObject { get throws { try snapshot().document } }

    func unresolved(_ identifier: ResourceIdentifier, _ type: Any.Type) -> StoreError {
        core.read { table in
            let isThere = StoredIdentity(identifier).map { table.mayHave($0) } ?? false
            return .unresolved(identifier, type, isThere: isThere, types: table.typeNames)
        }
    }
}

// MARK: - Writing

extension ResourceStore {
    /// Returns the resource as a writer on this thread sees it. The result includes the changes of the thread's current transaction. If the
    /// ids of the model are UUIDs, the server may have given the resource another spelling.
    func present(_ identifier: ResourceIdentifier, _ type: Any.Type = ResourceObject.self) throws -> ResourceObject? {
        guard let identity = StoredIdentity(identifier) else { return nil }
        if let pending = writers.ofThisThread?.pending { return try pending.object(pending.current(identity, type)) }
        return try core.text(core.current(identity, type)).flatMap(StoredText.object)
    }

    /// Returns the replacement of identities by the current ones, as a writer on this thread sees them. See `PendingChanges.replacement`.
    func replacement(_ type: Any.Type = ResourceObject.self, new: StoredIdentity? = nil) -> IdentityReplacement {
        if let pending = writers.ofThisThread?.pending { return pending.replacement(type, new: new) }
        return IdentityReplacement { [core] in $0 == new ? $0 : core.current($0, type) }
    }

    /// Whether an id has replaced any lid, as a writer on this thread sees it.
    var hasPromotions: Bool { writers.ofThisThread?.pending.hasPromotions ?? core.hasPromotions }

    /// Whether this thread is in a transaction.
    var isInTransaction: Bool { writers.ofThisThread != nil }

    /// Makes several changes at once. If `body` throws, the store does not change. Observers are called after the end of the transaction.
    ///
    /// Other writers wait until `body` returns, so `body` must not wait for another thread that writes. Writes through the store itself
    /// inside `body` belong to the transaction too. Reads through the store return the state before the transaction.
    public func transaction<Answer>(_ body: (StoreTransaction) throws -> Answer) rethrows -> Answer {
        // Outside every lock, because released values and called observers may write again. Also after an error, because a file that was saved
        // inside the transaction can have evicted resources.
        defer { if !isInTransaction { core.deliver() } }
        let (answer, committed) = try writers.perform(self, body)
        if let committed {
            cache.remove(committed.changed)
            for registration in committed.replaced { registration.cancel() }
        }
        return answer
    }
}

/// Lets one writer in at a time.
///
/// `@unchecked Sendable`: only the holder of the lock accesses `current`.
final class WriterQueue: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    private var current: StoreTransaction?

    /// Runs a transaction, or a part of the transaction that the thread is already in. Also returns what has changed; nil for a part.
    func perform<Answer>(
        _ store: ResourceStore, _ body: (StoreTransaction) throws -> Answer
    ) rethrows -> (answer: Answer, committed: StoreCore.Committed?) {
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
        let committed = store.core.commit(transaction.end())
        transaction.pending.settle(isKept: true)
        return (answer, committed)
    }

    /// The transaction that this thread is in; nil if there is none.
    var ofThisThread: StoreTransaction? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        return current
    }
}
