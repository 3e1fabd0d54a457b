import JSONAPIArchive
import JSONAPICodec

extension ResourceStore {
    /// Adds the primary data and the included resources of a document, all or none.
    ///
    /// A document with only `errors` has no resources. Resources without an identity are skipped and listed in the report.
    ///
    /// Throws the errors of a custom policy, and `JSONWriteError` for a resource that is nested deeper than 512 levels.
    ///
    /// - Complexity: O(n), n = bytes of the document and of the resources that it is merged with.
    @discardableResult
    public func ingest(_ document: DocumentObject, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.ingest(document, merging: policy) }
    }

    /// Adds the resources of a decoded document as they were when it was decoded. Later changes to its values are not added. Primary data
    /// that was decoded as `ResourceIdentifier` is linkage, so it contains no resources.
    ///
    /// A document that the program made is written by the store's encoder. Resources that its references find in this store do not change.
    /// Throws `EncodingError` if it cannot be written.
    @discardableResult
    public func ingest<Primary: PrimaryValue>(
        _ document: Document<Primary>, merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.ingest(document, merging: policy) }
    }

    /// Adds a model or a `ResourceObject`. Also adds the resources that are embedded in it, those that the program gave to its references,
    /// and those that its references find in a document, an archive or another store, with what these lead to. Resources that they find in
    /// this store do not change.
    ///
    /// The store's encoder writes the model. By default, a property that is nil is not written, so a merge by fields keeps the stored
    /// value. To clear the value, edit a `draft`, or set `nilEncodingStrategy` to `.null`.
    ///
    /// While requests wait for a resource, a merge by fields ignores the fields of its model that are as the store shows them, because these
    /// can be the changes of the requests. All fields of a `ResourceObject`, or of a document that was read, count as the server's.
    ///
    /// Throws `StoreError` for a resource with neither an id nor a lid, `EncodingError` if it cannot be written, and the errors of a custom
    /// policy.
    ///
    /// - Complexity: O(n), n = bytes of all that is added. Each call adds all that the model leads to, so pass several models of one source in
    ///   one call.
    @discardableResult
    public func ingest(_ resource: some ResourceRepresentable, merging policy: MergePolicy = .fields) throws -> IngestReport {
        try transaction { try $0.ingest(resource, merging: policy) }
    }

    /// Adds several models or `ResourceObject` values, all or none. Throws as the function above does.
    @discardableResult
    public func ingest<Model: ResourceRepresentable>(
        _ resources: [Model], merging policy: MergePolicy = .fields
    ) throws -> IngestReport {
        try transaction { try $0.ingest(resources, merging: policy) }
    }

    /// Applies a patch to the resource that it changes. Sets attributes, linkage and meta, including null values. Other members stay the
    /// same.
    ///
    /// Returns an edit that undoes exactly this patch. A field that was absent before becomes absent again.
    ///
    /// Throws `StoreError` if the store does not have the resource, and `EncodingError` if the patch cannot be written. Throws `DecodingError`
    /// if the model cannot read the value of an attribute that is set by its name.
    @discardableResult
    public func apply(_ patch: Patch<some ResourceRepresentable>) throws -> ResourceEdit {
        try transaction { try $0.apply(patch) }
    }

    /// Sets the fields of a resource to the values of an edit. Returns an edit that undoes the change.
    ///
    /// The values are those that the store showed before the patch. If a request of a `RequestQueue` had changed a field, and was rolled back
    /// since then, its value comes back. Queue all changes of a resource, or none.
    ///
    /// Throws `StoreError` if the store does not have the resource.
    @discardableResult
    public func apply(_ edit: ResourceEdit) throws -> ResourceEdit { try transaction { try $0.apply(edit) } }

    /// Removes a resource. Returns whether the store had it. References of other resources to it stay.
    @discardableResult
    public func remove(_ identifier: ResourceIdentifier) -> Bool {
        transaction { $0.removeWithoutCheck(identifier) }
    }

    /// Removes several resources. Returns how many of them the store had.
    @discardableResult
    public func remove(_ identifiers: some Sequence<ResourceIdentifier>) -> Int {
        transaction { transaction in
            identifiers.reduce(0) { $0 + (transaction.removeWithoutCheck($1) ? 1 : 0) }
        }
    }

    /// Removes all resources, or all resources of one type, including those in the store's file. Requests, kept documents and kept values
    /// stay. The next save removes the resources from the file, but their bytes stay in it until `StoreFile.compact()`. If all resources are
    /// removed, also removes the ids that the file keeps for other programs in place of lids.
    ///
    /// Throws `ArchiveError` if the directory of the store's file is damaged or, in a file of version 1 or 2, a resource. The store does not
    /// change then.
    ///
    /// - Complexity: O(n), n = number of resources.
    public func removeAll(ofType type: String? = nil) throws {
        try transaction { try $0.removeAllWithoutCheck(type) }
    }
}
