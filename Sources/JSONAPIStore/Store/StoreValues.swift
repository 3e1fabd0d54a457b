import JSONAPIArchive
import JSONAPICodec
import JSONText

/// A sequence of current values of a store, with a new value after each change. These functions return one: `ResourceStore.value(_:id:)`,
/// `ResourceStore.values(_:where:sort:)`, `ResourceStore.document(_:for:)` and `RequestQueue.changes`.
///
/// ```swift
/// for await article in store.value(Article.self, id: "1") { show(article) }
/// ```
///
/// - The first value arrives immediately, even if there is nothing to show yet. It is nil or an empty array then.
/// - A new value follows after a change to the resource, to a resource that it embeds, or to one that any of these refers to directly. For
///   arrays, it also follows when a resource is added or removed. A write without such a change makes no new value.
/// - Values arrive in order. Each shows the store at the moment when the reader asks for it. Several changes in a row can give one value. A
///   slow reader therefore misses intermediate states, but never the last one.
/// - A value is made when the reader asks for it, and delivered where the reader's loop runs. For a loop on the main actor, that is the
///   main actor.
/// - The sequence ends when its task is canceled, or when the store is released. It costs nothing until a loop begins. Several loops can
///   read it, and each one starts with the current value.
/// - Resources in a live value can be evicted.
///
/// A resource that cannot be read as the model is omitted, and `onError` receives the error.
public struct StoreValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    /// The result of reading a store at one moment.
    struct Moment: Sendable {
        let value: Value
        /// The versions of the resources that the value shows. They distinguish it from the last value.
        let versions: [StoredIdentity: Int]
        /// The versions of these resources, and of those that a filter has read and left out. If one of them changes, the value is made again.
        let watched: [StoredIdentity: Int]
        let order: [StoredIdentity]
        let table: ResourceTable
        let kept: KeptTable
        /// The version of the kept document or of the queue that the value shows.
        var keptVersion = 0
    }

    /// Weak, because the sequence must end when the store is released.
    weak let store: ResourceStore?
    let type: ByteText?
    /// The kept document or the queue that the sequence shows; nil for resources only.
    var kept: LiveQuery.Kept?
    /// Makes the value. Uses the links of resources that were read before.
    let make: @Sendable (ResourceStore, inout LinkTable) -> Moment

    /// Returns an iterator that starts with the current value.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads the values one at a time.
    public struct Iterator: AsyncIteratorProtocol {
        private let sequence: StoreValues
        private var wakes: AsyncStream<Void>.Iterator
        private let query: LiveQuery
        private var links = LinkTable()
        private var last: (versions: [StoredIdentity: Int], order: [StoredIdentity], keptVersion: Int)?

        init(_ sequence: StoreValues) {
            self.sequence = sequence
            let (stream, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            query = LiveQuery(sequence.type, sequence.kept, wake)
            wakes = stream.makeAsyncIterator()
            if let store = sequence.store {
                store.core.add(query)
                wake.yield()
            } else {
                wake.finish()
            }
        }

        /// Returns the next value. Returns nil if the task was canceled, or if the store was released.
        public mutating func next() async -> Value? {
            while await wakes.next() != nil {
                guard !Task.isCancelled, let store = sequence.store else { return nil }
                let moment = sequence.make(store, &links)
                store.core.show(moment.watched, moment.table, moment.kept, in: query)
                if let last, last.keptVersion == moment.keptVersion, last.order == moment.order, last.versions == moment.versions {
                    continue
                }
                last = (moment.versions, moment.order, moment.keptVersion)
                return moment.value
            }
            return nil
        }
    }
}

/// The links of resources, as of the time when they were last read.
struct LinkTable: Sendable {
    private var entries: [StoredIdentity: (version: Int, targets: [StoredIdentity])] = [:]

    /// Adds the resources that the given ones refer to directly, with their versions.
    ///
    /// - Complexity: O(n + m), n = number of resources, m = bytes of those that have changed since the last call.
    mutating func complete(_ versions: inout [StoredIdentity: Int], _ table: ResourceTable) {
        var next: [StoredIdentity: (version: Int, targets: [StoredIdentity])] = [:]
        let known = versions
        for (identity, version) in known {
            var targets: [StoredIdentity]
            if let entry = entries[identity], entry.version == version {
                targets = entry.targets
            } else {
                targets = Self.targets(identity, table)
            }
            next[identity] = (version, targets)
            for target in targets where versions[target] == nil { versions[target] = table.version(of: target) }
        }
        entries = next
    }

    /// Adds the resources that the given ones refer to directly. All of them must have been read by `complete`.
    func addTargets(to versions: inout [StoredIdentity: Int], from watched: [StoredIdentity: Int]) {
        for identity in Array(versions.keys) {
            for target in entries[identity]?.targets ?? [] { versions[target] = watched[target] }
        }
    }

    private static func targets(_ identity: StoredIdentity, _ table: ResourceTable) -> [StoredIdentity] {
        guard let text = try? table.place(of: identity).text(), let object = StoredText.object(text) else { return [] }
        var targets: [StoredIdentity] = []
        for member in object.relationships?.members ?? JSONObject() {
            let linkage = RelationshipObject(json: member.value)?.data
            for identity in linkage?.identifiers.compactMap(StoredIdentity.init) ?? [] {
                targets.append(identity)
                // The reference leads to this resource if the model's ids are UUIDs. See `StoredIdentity.current`.
                if let other = identity.lowercasedUUID { targets.append(other) }
            }
        }
        return targets
    }
}

// MARK: - Values of a store

extension ResourceStore {
    /// Returns a sequence of the resource of the model's type with this id, now and after each change. The value is nil while the store
    /// does not have it. The static type counts, even if `type` is a subclass.
    ///
    /// ```swift
    /// for await article in store.value(Article.self, id: "1") { title = article?.title ?? "…" }
    /// ```
    ///
    /// - Complexity: Each value costs the same as `resource(_:id:)`, plus O(bytes of the changed resources).
    public func value<Model: Resource>(
        _ type: Model.Type, id: Model.ID, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Model?> {
        value(type, id.wireText.map { StoredIdentity(type: Model.type, name: $0, isLocal: false) }, onError)
    }

    /// Returns a sequence of the resource with this identity, now and after each change. The value is nil while the store does not have it.
    /// The static type counts, even if `type` is a subclass.
    ///
    /// The identity can be a lid. When the resource gets its id, the sequence follows it under that id.
    public func value<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Model?> {
        value(type, StoredIdentity(identifier), onError)
    }

    private func value<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identity: StoredIdentity?, _ onError: (@Sendable (any Error) -> Void)?
    ) -> StoreValues<Model?> {
        StoreValues(store: self, type: nil) { store, links in
            let contents = store.core.contents
            // Asked again each time, because the id of a lid can become known at any time.
            let current = identity.map { contents.table.current($0, Model.self) }
            // Both spellings of a UUID are watched until the store has one of them.
            let identities = [current, current?.lowercasedUUID(Model.self)].compactMap { $0 }
            return store.moment(Model.self, identities, contents, &links, onError) { $0.first }
        }
    }

    /// Returns a sequence of all resources of the model's type, now and after each change. They are sorted, or in the order of arrival.
    ///
    /// ```swift
    /// let drafts = store.values([Article].self, where: { $0.publishedAt == nil }, sort: { $0.title < $1.title })
    /// for await articles in drafts { show(articles) }
    /// ```
    ///
    /// `isIncluded` filters the resources, and `areInIncreasingOrder` sorts them. Both are called while a value is made, and must not wait
    /// for that value.
    ///
    /// - Complexity: Each value costs O(n log n), n = number of resources of the type, plus O(bytes of the changed resources).
    public func values<Model: Resource>(
        _ type: [Model].Type, where isIncluded: (@Sendable (Model) -> Bool)? = nil,
        sort areInIncreasingOrder: (@Sendable (Model, Model) -> Bool)? = nil, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<[Model]> {
        StoreValues(store: self, type: ByteText(Model.type)) { store, links in
            let contents = store.core.contents
            let identities = contents.table.identities(ofType: Model.type, onError)
            store.core.noteUse(identities)
            return store.moment(Model.self, identities, contents, &links, onError, isIncluded) { models in
                areInIncreasingOrder.map { models.sorted(by: $0) } ?? models
            }
        }
    }

    func moment<Model: ResourceRepresentable, Value>(
        _ type: Model.Type, _ identities: [StoredIdentity], _ contents: (table: ResourceTable, kept: KeptTable), _ links: inout LinkTable,
        _ onError: (@Sendable (any Error) -> Void)?, _ isIncluded: (@Sendable (Model) -> Bool)? = nil, _ finish: ([Model]) -> Value
    ) -> StoreValues<Value>.Moment {
        let table = contents.table
        var models: [Model] = []
        var (versions, watched): ([StoredIdentity: Int], [StoredIdentity: Int]) = ([:], [:])
        var order: [StoredIdentity] = []
        for identity in identities {
            let (value, dependencies) = shown(type, identity, in: table)
            watched.merge(dependencies) { first, _ in first }
            do {
                if let value = try value.get() {
                    guard isIncluded?(value) ?? true else { continue }
                    models.append(value)
                    order.append(identity)
                }
            } catch {
                onError?(error)
            }
            if isIncluded != nil { versions.merge(dependencies) { first, _ in first } }
        }
        links.complete(&watched, table)
        if isIncluded == nil { versions = watched } else { links.addTargets(to: &versions, from: watched) }
        return StoreValues<Value>.Moment(
            value: finish(models), versions: versions, watched: watched, order: order, table: table, kept: contents.kept)
    }
}
