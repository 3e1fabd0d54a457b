import JSONAPICodec

/// A sequence of what a store shows, with a new value after each change: see `ResourceStore.value(_:id:)`,
/// `ResourceStore.values(_:where:sort:)`, `ResourceStore.document(_:for:)` and `RequestQueue.changes`.
///
/// ```swift
/// for await article in store.value(Article.self, id: "1") { show(article) }
/// ```
///
/// - The first value comes at once, even if there is nothing to show yet: nil, or an empty array.
/// - A new one comes after something that the last one shows has changed: the resource itself, one that is embedded in it, one that a
///   reference of these leads to directly; for arrays, when a resource comes or goes as well. A write that leaves all that as it was makes
///   no new value.
/// - Values come in order. Each shows the store at the moment when the reader asks for it. After several changes there is one value, so a slow
///   reader misses intermediate states, but never the last one.
/// - A value is made when the reader asks for it, and delivered where the reader's loop runs: on the main actor for a loop there.
/// - It ends with the task that reads it, and with the store. Until a loop begins it costs nothing; it may be read by several loops, each of
///   which begins anew.
/// - Resources that it shows can be evicted like all others.
///
/// A resource that cannot be read as the model is left out, and `onError` gets the error.
public struct StoreValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    /// What one moment of a store gives: a value, the versions of what it was made of, and those by which it is told from the last one.
    struct Moment: Sendable {
        let value: Value
        let versions: [StoredIdentity: Int]
        let order: [StoredIdentity]
        let table: ResourceTable
        let kept: KeptTable
        /// The version of what it shows beside resources.
        var keptVersion = 0
    }

    /// Not kept alive: the sequence ends with the store.
    weak let store: ResourceStore?
    let type: TypeName?
    /// What it shows beside resources.
    var kept: LiveQuery.Kept?
    /// Makes the value, with the links of resources that were looked at before.
    let make: @Sendable (ResourceStore, inout LinkTable) -> Moment

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads one value after the other.
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

        /// The next value; nil when the task was cancelled, or the store is gone.
        public mutating func next() async -> Value? {
            while await wakes.next() != nil {
                guard !Task.isCancelled, let store = sequence.store else { return nil }
                let moment = sequence.make(store, &links)
                store.core.show(moment.versions, moment.table, moment.kept, in: query)
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

/// What resources refer to, as it was when they were looked at.
struct LinkTable: Sendable {
    private var entries: [StoredIdentity: (version: Int, targets: [StoredIdentity])] = [:]

    /// Adds the resources that these refer to directly, with their versions.
    ///
    /// - Complexity: O(resources + text of those that have changed since the last call).
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

    private static func targets(_ identity: StoredIdentity, _ table: ResourceTable) -> [StoredIdentity] {
        guard let text = try? table.place(of: identity).text(), let object = StoredText.object(text) else { return [] }
        var targets: [StoredIdentity] = []
        for member in object.relationships?.members ?? JSONObject() {
            let linkage = RelationshipObject(json: member.value)?.data
            targets += linkage?.identifiers.compactMap(StoredIdentity.init) ?? []
        }
        return targets
    }
}

// MARK: - Values of a store

extension ResourceStore {
    /// The resource of the model's type with this id, now and after each change; nil while the store does not have it.
    ///
    /// ```swift
    /// for await article in store.value(Article.self, id: "1") { title = article?.title ?? "…" }
    /// ```
    ///
    /// - Complexity: each value costs what `resource(_:id:)` does, and O(text) of what was changed.
    public func value<Model: Resource>(
        _ type: Model.Type, id: Model.ID, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Model?> {
        let identity = id.wireText.flatMap { StoredIdentity(ResourceIdentifier(type: Model.type, id: $0)) }
        return StoreValues(store: self, type: nil) { store, links in
            store.moment(type, identity.map { [$0] } ?? [], store.core.contents, &links, onError) { $0.first }
        }
    }

    /// The resource with this identity, now and after each change; nil while the store does not have it.
    ///
    /// A resource that has only a lid can be followed too. When it gets its id, the sequence follows it under that.
    public func value<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Model?> {
        let identity = StoredIdentity(identifier)
        return StoreValues(store: self, type: nil) { store, links in
            let contents = store.core.contents
            // A lid whose id is known; asked again each time, as it may become known at any time.
            let promoted = identity.flatMap(store.core.promoted)
            let shown = promoted.flatMap { _ in identity.flatMap { try? contents.table.place(of: $0).text() } } == nil ? promoted : nil
            return store.moment(type, (shown ?? identity).map { [$0] } ?? [], contents, &links, onError) { $0.first }
        }
    }

    /// All resources of the model's type, now and after each change, in the order of their arrival or sorted.
    ///
    /// ```swift
    /// let drafts = store.values([Article].self, where: { $0.publishedAt == nil }, sort: { $0.title < $1.title })
    /// for await articles in drafts { show(articles) }
    /// ```
    ///
    /// `isIncluded` filters the resources, and `areInIncreasingOrder` sorts them. Both are called while a value is made, and must not wait for it.
    ///
    /// - Complexity: each value costs O(n log n), n = resources of the type, and O(text) of what was changed.
    public func values<Model: Resource>(
        _ type: [Model].Type, where isIncluded: (@Sendable (Model) -> Bool)? = nil,
        sort areInIncreasingOrder: (@Sendable (Model, Model) -> Bool)? = nil, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<[Model]> {
        StoreValues(store: self, type: TypeName(Model.type)) { store, links in
            let contents = store.core.contents
            let identities = contents.table.shown(ofType: Model.type, onError)
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
        var versions: [StoredIdentity: Int] = [:]
        var order: [StoredIdentity] = []
        for identity in identities {
            do {
                let (value, dependencies) = try shown(type, identity, in: table)
                guard value.map({ isIncluded?($0) ?? true }) ?? true else { continue }
                versions.merge(dependencies) { first, _ in first }
                if let value {
                    models.append(value)
                    order.append(identity)
                }
            } catch {
                versions[identity] = table.version(of: identity)
                onError?(error)
            }
        }
        links.complete(&versions, table)
        return StoreValues<Value>.Moment(value: finish(models), versions: versions, order: order, table: table, kept: contents.kept)
    }
}
