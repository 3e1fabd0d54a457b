import JSONAPICodec

extension ResourceStore {
    /// Puts the resources of a document in: primary data and included, all or none.
    ///
    /// A document with `errors` alone has none. What has no identity is left out, and is in the report.
    ///
    /// Throws what a custom policy throws, and `JSONWriteError` for a resource that nests deeper than 512.
    ///
    /// - Complexity: O(text of the document and of what it is merged with).
    @discardableResult
    public func ingest(_ document: DocumentObject, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.ingest(document, merging: policy) }
    }

    /// The same for a document that was read, as it was read: changes to its values are not in it. Primary data that was read as
    /// `ResourceIdentifier` is linkage, no resources.
    @discardableResult
    public func ingest<Primary: PrimaryValue>(
        _ document: Document<Primary>, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.ingest(document, merging: policy) }
    }

    /// Puts a model or a `ResourceObject` in, with the resources that are embedded in it, those that the program gave to its
    /// references, and those that its document included. What its references lead to in a store stays as it is.
    ///
    /// A model is what the store's encoder writes: a property that is nil is not written, so that a merge by fields keeps what
    /// was stored. To clear it, edit a `draft`, or set `nilEncodingStrategy` to `.null`.
    ///
    /// Throws `StoreError` for a resource without id and lid, `EncodingError` for what cannot be written, and what a custom
    /// policy throws.
    @discardableResult
    public func ingest(_ resource: some ResourceRepresentable, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.ingest(resource, merging: policy) }
    }

    /// The same for several, all or none.
    @discardableResult
    public func ingest<Model: ResourceRepresentable>(
        _ resources: [Model], merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.ingest(resources, merging: policy) }
    }

    /// Applies a patch to the resource that it changes: attributes and linkage are set, null ones to null; the rest stays.
    ///
    /// Returns what takes the patch back, exactly: a field that was absent is absent again.
    ///
    /// Throws `StoreError` when the store does not have the resource, and `EncodingError` when the patch cannot be written.
    @discardableResult
    public func apply(_ patch: Patch<some ResourceRepresentable>) throws -> ResourceEdit {
        try transaction { try $0.apply(patch) }
    }

    /// Sets the fields of a resource as an edit says, and returns what takes it back.
    ///
    /// Throws `StoreError` when the store does not have the resource.
    @discardableResult
    public func apply(_ edit: ResourceEdit) throws -> ResourceEdit { try transaction { try $0.apply(edit) } }

    /// Takes a resource out; answers whether it was there. Others keep their references to it.
    @discardableResult
    public func remove(_ identifier: ResourceIdentifier) -> Bool {
        transaction { $0.removeWithoutCheck(identifier) }
    }

    /// Takes several resources out; answers how many were there.
    @discardableResult
    public func remove(_ identifiers: some Sequence<ResourceIdentifier>) -> Int {
        transaction { transaction in
            identifiers.reduce(0) { $0 + (transaction.removeWithoutCheck($1) ? 1 : 0) }
        }
    }

    /// Takes all resources out, or all of one type, those of the store's file included.
    ///
    /// Throws `ArchiveError` if the directory of the store's file is damaged; the store is as before then.
    ///
    /// - Complexity: O(n), n = resources.
    public func removeAll(ofType type: String? = nil) throws {
        try transaction { try $0.removeAllWithoutCheck(type) }
    }
}
