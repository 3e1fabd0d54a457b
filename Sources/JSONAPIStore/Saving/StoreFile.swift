import Foundation
import JSONAPICodec
import JSONText

/// A file that keeps up with a store: opening it fills the store, saving writes what has changed since.
///
/// ```swift
/// let store = ResourceStore()
/// let file = try StoreFile(url, of: store)      // what was saved is in the store now
/// try store.ingest(document)
/// try file.save()                               // writes what is new; a kill at any moment leaves the last save
/// ```
///
/// Resources that the store evicted stay in the file; those that the program removed go. Saving nothing new writes nothing.
///
/// It may be used from many threads; saves come one after the other. One file at a time is open for writing; a second one is
/// refused, see `ArchiveFile`.
public final class StoreFile: Sendable {
    private let file: ArchiveFile
    private let journal: StoreJournal
    private let lock = NSRecursiveLock()
    /// What the store held when the journal began, until the first save: the file may not have all of it.
    private let unsaved: Locked<StoreSnapshot?>

    /// Opens the file of a store, made when there is none, and puts what it holds into the store.
    ///
    /// Throws `ArchiveError`, what migrations throw, and `StoreError`; the store is unchanged then.
    ///
    /// `policy` says what happens to resources that the store has already: what it has wins by default, field by field.
    ///
    /// - Complexity: O(bytes of the file).
    public init(_ url: URL, of store: ResourceStore, model: ArchiveModel? = nil, merging policy: MergePolicy? = nil) throws {
        file = try ArchiveFile(url, model: model, encoder: store.encoder, decoder: store.decoder)
        try store.ingest(file.archive, merging: policy ?? .keepingStored)
        let (journal, snapshot) = store.journal()
        self.journal = journal
        unsaved = Locked(snapshot)
    }

    /// Writes what has changed in the store since it was opened or saved last. When it returns, that is on the disk; when it
    /// throws, it is written the next time.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(changes); the first time O(bytes of the store), of which what the file has already is not written again.
    public func save() throws {
        lock.lock()
        defer { lock.unlock() }
        let changes = journal.take()
        let whole = unsaved.withLock { $0 }
        guard whole != nil || !changes.isEmpty else { return }
        do {
            try file.commit { writer in
                try whole?.forEachResource { identifier, text in try writer.insert(identifier, text.span) }
                for change in changes {
                    if let text = change.text {
                        try writer.insert(change.identifier, text.span)
                    } else {
                        try writer.remove(change.identifier)
                    }
                }
            }
        } catch {
            journal.putBack(changes)
            throw error
        }
        unsaved.withLock { $0 = nil }
    }

    /// Gives back the space that changed and removed resources took. See `ArchiveFile.compact`.
    public func compact() throws { try file.compact() }

    /// What was saved last. Throws `ArchiveError` when the file is closed.
    public var archive: Archive { get throws { try file.archive } }

    /// Closes the file without saving. Nothing can be saved afterwards.
    public func close() { file.close() }
}

extension MergePolicy {
    /// What is stored wins, field by field; the other one fills the gaps.
    fileprivate static let keepingStored = MergePolicy.custom { stored, archived in
        var merged = archived
        for member in stored.members where member.name != "attributes" && member.name != "relationships" {
            merged.members[member.name] = member.value
        }
        for member in stored.attributes ?? JSONObject() { merged[attribute: member.name] = member.value }
        for member in stored.relationships?.members ?? JSONObject() {
            if let relationship = RelationshipObject(json: member.value) { merged[relationship: member.name] = relationship }
        }
        return merged
    }
}

// MARK: - Once

extension ResourceStore {
    /// Saves all resources as a new archive, in place of the file when there is one: the old file or the new one is there,
    /// never a part.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(bytes of the store).
    public func save(to url: URL, modelVersion: Int = 0) throws {
        var writer = Archive.Writer(modelVersion: modelVersion, encoder: encoder)
        try snapshot().forEachResource { identifier, text in try writer.insert(identifier, text.span) }
        try writer.write(to: url)
    }

    /// Puts all resources of an archive into the store, as one transaction.
    ///
    /// Throws `ArchiveError` for damage, and `StoreError`; the store is unchanged then.
    ///
    /// - Complexity: O(bytes of the archive).
    @discardableResult
    public func ingest(_ archive: Archive, merging policy: MergePolicy = .fields) throws -> IngestReport {
        var resources: [ResourceObject] = []
        try archive.forEachResource { _, text in
            if let members = try JSON(parsing: text).object { resources.append(ResourceObject(members: members)) }
        }
        return try ingest(resources, merging: policy)
    }
}
