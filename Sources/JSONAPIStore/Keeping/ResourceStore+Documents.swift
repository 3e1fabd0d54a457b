public import JSONAPICodec
import JSONText

// What a request returned, kept by its query: the order of its resources, its links and its meta. The resources themselves are in the
// store, each once.
//
//     document  {"data": [{"type": "articles", "id": "3", "attributes": …}, …], "links": {"next": …}, "meta": {"total": 11}, "included": …}
//     is kept   {"data": [{"type": "articles", "id": "3"}, …], "links": {"next": …}, "meta": {"total": 11}}

extension ResourceStore {
    /// Puts a document into the store, and keeps what it says beside its resources under the name of its query.
    ///
    /// ```swift
    /// let query = "/articles?sort=-date&page[size]=20"             // any text; the address of the request by habit
    /// try store.keep(document, for: query)
    /// let page = try store.keptDocument([Article].self, for: query)         // later, offline, in the server's order
    /// ```
    ///
    /// The order of the primary resources, links, meta and the other members of the top level are kept; a `StoreFile` saves them. A document
    /// that was kept for the query before is replaced.
    ///
    /// Throws `ErrorDocument` for a document of errors, so that it never takes the place of data, `StoreError` for primary data without ids,
    /// and what `ingest(_:merging:)` throws. Nothing is changed then.
    ///
    /// - Complexity: O(text of the document and of what it is merged with).
    @discardableResult
    public func keep(_ document: DocumentObject, for query: String, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.keep(document, for: query, merging: policy) }
    }

    /// The same for a document that was read, as it was read.
    @discardableResult
    public func keep<Primary: PrimaryValue>(
        _ document: Document<Primary>, for query: String, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.keep(document, for: query, merging: policy) }
    }

    /// Forgets the document of a query. Its resources stay.
    public func removeDocument(for query: String) { transaction { $0.removeWithoutCheck(.document(ByteText(query))) } }

    /// The queries whose documents are kept, sorted by their bytes.
    public var queries: [String] {
        core.readKept { $0.keys }.compactMap { if case .document(let name) = $0 { name.text } else { nil } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension StoreTransaction {
    /// Puts a document in, and keeps what it says beside its resources. See `ResourceStore.keep(_:for:merging:)`.
    @discardableResult
    public func keep(_ document: DocumentObject, for query: String, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try pending.atomically {
            let kept = try KeptDocument(document)
            let report = try ingest(document, merging: policy)
            pending.setKept(.document(ByteText(query)), .put(KeptValue(try kept.text())))
            return report
        }
    }

    /// The same for a document that was read, as it was read.
    @discardableResult
    public func keep<Primary: PrimaryValue>(
        _ document: Document<Primary>, for query: String, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try pending.atomically {
            // Encodes what the program has made, and reports its faults.
            let report = try ingest(document, merging: policy)
            let kept = try KeptDocument(document.object)
            pending.setKept(.document(ByteText(query)), .put(KeptValue(try kept.text())))
            return report
        }
    }
}

// MARK: - Reading

extension ResourceStore {
    /// The document that is kept for a query, its resources as the store has them now; nil when none is kept.
    ///
    /// ```swift
    /// let page = try store.keptDocument([Article].self, for: query)
    /// page?.data                       // in the server's order
    /// page?.links.next?.href
    /// ```
    ///
    /// Resources that the store does not have any more are left out.
    ///
    /// Throws `DecodingError` when one cannot be read as the model.
    ///
    /// - Complexity: O(n), n = resources of the document, beside reading those that were changed.
    public func keptDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, for query: String
    ) throws -> Document<[Model]>? {
        guard let kept = try keptDocument(query) else { return nil }
        return kept.document(try kept.identifiers.compactMap { try resource(Model.self, $0) })
    }

    /// The same for a query that leads to one resource. Its data are nil when the server said null, and when the store does not have the
    /// resource any more.
    public func keptDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, for query: String
    ) throws -> Document<Model?>? {
        guard let kept = try keptDocument(query) else { return nil }
        return kept.document(try kept.identifiers.first.flatMap { try resource(Model.self, $0) })
    }

    private func keptDocument(_ query: String) throws -> KeptDocument? {
        try core.readKept { $0.value(.document(ByteText(query))) }.map { try KeptDocument(text: $0.text) }
    }

    /// The document that is kept for a query, as it is and as it becomes: the first value at once, nil when none is kept, and a new one
    /// whenever the document is replaced or one of its resources changes. See `StoreValues` for the rules.
    ///
    /// ```swift
    /// for await page in store.document([Article].self, for: query) { show(page?.data ?? []) }
    /// ```
    ///
    /// Resources that cannot be read as the model are left out, and `onError` is told why.
    public func document<Model: Resource>(
        _ type: [Model].Type, for query: String, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Document<[Model]>?> {
        documents(Model.self, query, onError) { $0.document($1) }
    }

    /// The same for a query that leads to one resource.
    public func document<Model: Resource>(
        _ type: Model?.Type, for query: String, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Document<Model?>?> {
        documents(Model.self, query, onError) { $0.document($1.first) }
    }

    private func documents<Model: Resource, Value>(
        _ type: Model.Type, _ query: String, _ onError: (@Sendable (any Error) -> Void)?,
        _ make: @escaping @Sendable (KeptDocument, [Model]) -> Value
    ) -> StoreValues<Value?> {
        let key = StoreKey.document(ByteText(query))
        return StoreValues(store: self, type: nil, kept: .key(key)) { store, links in
            let contents = store.core.contents
            var kept: KeptDocument?
            do { kept = try contents.kept.value(key).map { try KeptDocument(text: $0.text) } } catch { onError?(error) }
            let identities = kept?.identifiers.compactMap(StoredIdentity.init) ?? []
            store.core.noteUse(identities)
            var moment = store.moment(type, identities, contents, &links, onError) { models in kept.map { make($0, models) } }
            moment.keptVersion = contents.kept.version(of: key)
            return moment
        }
    }
}
