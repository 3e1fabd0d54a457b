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
/// - Resources that the store evicted stay in the file, and are read through it: by identity, by references, and by what is merged with them.
///   Lists, such as `ResourceStore.resources(_:)`, have what the store holds in memory.
/// - Resources that the program removed go from the file with the next save.
/// - The requests of a `RequestQueue`, and the documents and values that the store keeps, are saved with the resources.
/// - Saving nothing new writes nothing and asks the disk nothing.
/// - When a save has failed, close the file and open it again over the same store: what was not saved, removals included, is still there, and
///   the next save writes it.
///
/// It may be used from many threads; saves come one after the other. One file at a time is open for writing; a second one is
/// refused, see `ArchiveFile`. Of several files of one store, evicted resources are read through the one that was opened first.
public final class StoreFile: Sendable {
    private let file: ArchiveFile
    private let core: StoreCore
    private let journal: StoreJournal
    private let lock = NSRecursiveLock()
    private let state = Locked(State())

    private struct State {
        var hasFailed = false
        var isClosed = false
    }

    /// Opens the file of a store, made when there is none, and puts what it holds into the store.
    ///
    /// Throws `ArchiveError`, what migrations throw, and `StoreError`; the store is unchanged then.
    ///
    /// `policy` says what happens to resources that the store has already: what it has wins by default, field by field.
    ///
    /// - Complexity: O(bytes of the file).
    public convenience init(_ url: URL, of store: ResourceStore, model: ArchiveModel? = nil, merging policy: MergePolicy? = nil) throws {
        try self.init(url, of: store, model: model, merging: policy, files: SystemFiles())
    }

    package init(
        _ url: URL, of store: ResourceStore, model: ArchiveModel? = nil, merging policy: MergePolicy? = nil, files: any FileSystem
    ) throws {
        file = try ArchiveFile(url, model: model, encoder: store.encoder, decoder: store.decoder, files: files)
        core = store.core
        journal = try store.follow(try file.archive, path: file.path, merging: policy ?? .keepingStored)
    }

    deinit { close() }

    /// Writes what has changed in the store since it was opened or saved last. When it returns, that is on the disk; when it
    /// throws, it is written the next time.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(changes). What the store held before the file was opened counts as changed.
    public func save() throws {
        try lock.withLock {
            let (changes, revision) = core.take(journal)
            guard !changes.isEmpty else { return }
            do {
                try file.commit { writer in
                    for change in changes.resources {
                        if let text = change.text {
                            try writer.insert(change.identifier, text.span)
                        } else {
                            try writer.remove(change.identifier)
                        }
                    }
                    for (key, text) in changes.kept {
                        if let text {
                            try writer.put(text.span, forKey: key.archiveKey)
                        } else {
                            try writer.removeValue(forKey: key.archiveKey)
                        }
                    }
                }
                core.noteSaved(changes.resources, try file.archive.image, journal, upTo: revision)
                state.withLock { $0.hasFailed = false }
            } catch {
                journal.putBack(changes.resources)
                journal.note(keys: changes.kept.map(\.key))
                state.withLock { $0.hasFailed = true }
                throw error
            }
        }
    }

    /// Gives back the space that changed and removed resources took. See `ArchiveFile.compact`.
    public func compact() throws {
        try lock.withLock {
            try file.compact()
            core.noteSaved([], try file.archive.image, journal, upTo: 0)
        }
    }

    /// What was saved last. Throws `ArchiveError` when the file is closed.
    public var archive: Archive { get throws { try file.archive } }

    /// Closes the file without saving. Nothing can be saved afterwards, and evicted resources can no longer be read.
    public func close() {
        lock.withLock {
            let (isFirst, hasFailed) = state.withLock { state in
                defer { state.isClosed = true }
                return (!state.isClosed, state.hasFailed)
            }
            guard isFirst else { return }
            file.close()
            core.unfollow(journal, path: file.path, keepsUnsaved: hasFailed)
        }
    }
}

extension MergePolicy {
    /// What is stored wins, field by field; the other one fills the gaps.
    fileprivate static let keepingStored = MergePolicy.custom { stored, archived in ResourceMerge.merged(archived, with: stored) }
}

extension ResourceStore {
    /// Puts what a file holds into the store, and follows it from now on.
    fileprivate func follow(_ archive: Archive, path: String, merging policy: MergePolicy) throws -> StoreJournal {
        try transaction { transaction in
            // Before anything is put in: what the store lets go of meanwhile is not lost.
            let (journal, isResumed) = core.follow(archive.image, path: path)
            do {
                try transaction.load(archive, except: isResumed ? journal.identities : [], merging: policy)
                try transaction.loadKept(archive, except: isResumed ? journal.keys : [])
                return journal
            } catch {
                core.unfollow(journal, path: path, keepsUnsaved: isResumed)
                throw error
            }
        }
    }
}

extension StoreTransaction {
    /// Puts the resources of the store's file in.
    fileprivate func load(_ archive: Archive, except unsaved: Set<StoredIdentity>, merging policy: MergePolicy) throws {
        try pending.atomically {
            var intake = Intake(pending)
            try archive.located {
                try archive.contents.forEachResource { key, text in
                    let identity = StoredIdentity(key)
                    if !unsaved.contains(identity) { try intake.load(identity, text, policy) }
                }
            }
        }
    }
}

// MARK: - Once

extension ResourceStore {
    /// Saves all resources, and what else the store keeps, as a new archive. Replaces the file if there is one: at any moment either the old
    /// file or the new one is there, whole.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(bytes of the store).
    public func save(to url: URL, modelVersion: Int = 0) throws {
        var writer = Archive.Writer(modelVersion: modelVersion, encoder: encoder)
        let snapshot = snapshot()
        try snapshot.forEachResource { identifier, text in try writer.insert(identifier, text.span) }
        try snapshot.forEachKept { key, text in try writer.put(text.span, forKey: key) }
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
