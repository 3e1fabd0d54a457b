import JSONAPIArchive
public import JSONAPICodec
import JSONText

// A kept document has the order of its resources, its links and its meta. Its name is the query of the request. The resources
// themselves are in the store, each of them once.
//
//     document  {"data": [{"type": "articles", "id": "3", "attributes": …}, …], "links": {"next": …}, "meta": {"total": 11}, "included": …}
//     is kept   {"data": [{"type": "articles", "id": "3"}, …], "links": {"next": …}, "meta": {"total": 11}}

extension ResourceStore {
    /// Adds the resources of a document to the store, and keeps the rest of the document under its query.
    ///
    /// ```swift
    /// let query = "/articles?sort=-date&page[size]=20"             // any text, usually the address of the request
    /// try store.keep(document, for: query)
    /// let page = try store.keptDocument([Article].self, for: query)         // later, offline, in the server's order
    /// ```
    ///
    /// The store keeps the order of the primary resources, the links and the meta. A `StoreFile` saves them.
    /// The document replaces an earlier one for the same query.
    ///
    /// Throws `ErrorDocument` for a document of errors, also beside `data` without resources, so an error never replaces data. Throws
    /// `StoreError` for primary data without ids, and the errors of `ingest(_:merging:)`. Nothing is changed then.
    ///
    /// - Complexity: O(n), n = bytes of the document and of the resources that it is merged with.
    @discardableResult
    public func keep(_ document: DocumentObject, for query: String, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.keep(document, for: query, merging: policy) }
    }

    /// Keeps a decoded document as it was when it was decoded. Later changes to its values are not kept. A document that the program made
    /// is written by the store's encoder. Throws as the function above does, and `EncodingError` if it cannot be written.
    @discardableResult
    public func keep<Primary: PrimaryValue>(
        _ document: Document<Primary>, for query: String, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.keep(document, for: query, merging: policy) }
    }

    /// Removes the document of a query. Its resources stay in the store.
    public func removeDocument(for query: String) { transaction { $0.removeWithoutCheck(.document(ByteText(query))) } }

    /// The queries of all kept documents, sorted by bytes.
    public var queries: [String] {
        core.readKept { $0.keys }.compactMap { if case .document(let name) = $0 { name.text } else { nil } }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension StoreTransaction {
    /// Adds the resources of a document, and keeps the rest. See `ResourceStore.keep(_:for:merging:)`. Throws as that function does.
    @discardableResult
    public func keep(_ document: DocumentObject, for query: String, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try pending.atomically {
            let kept = try KeptDocument(keeping: document)
            let report = try ingest(document, merging: policy)
            try keep(kept, for: query)
            return report
        }
    }

    /// Keeps a decoded document as it was when it was decoded. Later changes to its values are not kept. Throws as
    /// `ResourceStore.keep(_:for:merging:)` does.
    @discardableResult
    public func keep<Primary: PrimaryValue>(
        _ document: Document<Primary>, for query: String, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try pending.atomically {
            let object = try object(of: document, merging: policy)
            let kept = try KeptDocument(keeping: object)
            let report = try ingest(
                object, hasPrimaryResources: !KeptDocument.isLinkage(Primary.self), isRead: document.isRead, policy)
            try keep(kept, for: query)
            return report
        }
    }

    private func keep(_ document: KeptDocument, for query: String) throws {
        pending.setKept(.document(ByteText(query)), .put(KeptValue(try document.text())))
    }
}

extension KeptDocument {
    /// Creates the part of a document that a store keeps. Throws `ErrorDocument` for a document of errors, and `StoreError` for primary data
    /// without an identity.
    fileprivate init(keeping document: DocumentObject) throws {
        if document.data.resources.isEmpty, let errors = ErrorDocument(in: document) { throw errors }
        try self.init(document) { pointer in
            StoreError(
                .missingIdentity, at: pointer, expected: "a resource with a type and an id", found: "one without",
                advice: "a document without ids has no resources that could be kept")
        }
    }
}

// MARK: - Reading

extension ResourceStore {
    /// Returns the document that is kept for a query, with the current resources of the store, all as of the same moment. Returns nil if no
    /// document is kept.
    ///
    /// ```swift
    /// let page = try store.keptDocument([Article].self, for: query)
    /// page?.data                       // in the server's order
    /// page?.links.next?.href
    /// ```
    ///
    /// Omits resources that are no longer in the store.
    ///
    /// Throws `StoreError` if the model does not accept the type of a resource, and `DecodingError` if it cannot read one.
    ///
    /// - Complexity: O(n), n = number of primary resources, plus the time to read those that have changed.
    public func keptDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, for query: String
    ) throws -> Document<[Model]>? {
        try kept(Model.self, query).map { kept, models in kept.document(models, decoder) }
    }

    /// Returns the document of a query for a single resource. Its data are nil if the server sent null, or if the resource is no longer in
    /// the store. Throws as the function above does.
    public func keptDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, for query: String
    ) throws -> Document<Model?>? {
        try kept(Model.self, query, atMost: 1).map { kept, models in kept.document(models.first, decoder) }
    }

    /// Returns the kept document of a query and its resources, as of the same moment. Throws `StoreError` if the model does not accept the
    /// type of a resource.
    private func kept<Model: ResourceRepresentable>(
        _ type: Model.Type, _ query: String, atMost limit: Int = .max
    ) throws -> (KeptDocument, [Model])? {
        let contents = core.contents
        guard let text = contents.kept.value(.document(ByteText(query)))?.text else { return nil }
        let kept = try KeptDocument(text: text)
        let identities = kept.identifiers.prefix(limit).compactMap(StoredIdentity.init).map { contents.table.current($0, type) }
        core.noteUse(identities)
        let models = try identities.compactMap { identity in
            let model = try shown(type, identity, in: contents.table).value.get()
            if model == nil, contents.table.mayHave(identity) {
                throw StoreError.unresolved(identity.identifier, type, isThere: true, types: [])
            }
            return model
        }
        return (kept, models)
    }

    /// Returns the kept document of a query, now and after each change. The first value arrives immediately, and is nil if no document is
    /// kept. A new value follows when the document is replaced or one of its resources changes. See `StoreValues` for the rules.
    ///
    /// ```swift
    /// for await page in store.document([Article].self, for: query) { show(page?.data ?? []) }
    /// ```
    ///
    /// Omits resources that cannot be read as the model, and passes the error to `onError`.
    public func document<Model: Resource>(
        _ type: [Model].Type, for query: String, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Document<[Model]>?> {
        documents(Model.self, query, onError) { [decoder] in $0.document($1, decoder) }
    }

    /// Returns the kept document of a query for a single resource, now and after each change.
    public func document<Model: Resource>(
        _ type: Model?.Type, for query: String, onError: (@Sendable (any Error) -> Void)? = nil
    ) -> StoreValues<Document<Model?>?> {
        documents(Model.self, query, onError) { [decoder] in $0.document($1.first, decoder) }
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
            let identities = (kept?.identifiers.compactMap(StoredIdentity.init) ?? []).flatMap { identity -> [StoredIdentity] in
                let current = contents.table.current(identity, type)
                // Both spellings of a UUID are watched until the store has one of them.
                return contents.table.mayHave(current) ? [current] : [current, current.lowercasedUUID(type)].compactMap { $0 }
            }
            store.core.noteUse(identities)
            var moment = store.moment(type, identities, contents, &links, onError) { models in kept.map { make($0, models) } }
            moment.keptVersion = contents.kept.version(of: key)
            return moment
        }
    }
}
