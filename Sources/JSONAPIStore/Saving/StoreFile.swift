import Foundation
import JSONAPICodec
import JSONText

/// A file that keeps the resources of a store.
///
/// ```swift
/// let store = ResourceStore()
/// let file = try StoreFile(url, of: store)      // what was saved is in the store now
/// try store.ingest(document)
/// try file.save()                               // writes what is new; a kill at any moment leaves the last save
/// ```
///
/// - Opening a file reads none of its resources. The store reads each one when it is asked for: by identity, through references, in lists and live
///   values. A list reads the resources of its type alone. Observers are not told of what a file brings; live values are made anew.
/// - What is written to the store, or merged with what the file has, is held in memory until it is saved and evicted.
/// - Resources that the program removes go from the file with the next save.
/// - The requests of a `RequestQueue`, and the documents and values that the store keeps, are saved with the resources.
/// - Saving without changes writes nothing and asks the disk nothing.
/// - After a save has failed, close the file and open it again over the same store: what was not saved, removals included, is still there, and
///   the next save writes it.
///
/// It may be used from many threads; saves come one after the other. One file at a time is open for writing; a second one is refused, see
/// `ArchiveFile`. If a store has several files, it reads through the one that was opened first, and takes in all resources of the others.
public final class StoreFile: Sendable {
    private let file: ArchiveFile
    private let core: StoreCore
    private let journal: StoreJournal
    private let lock = NSRecursiveLock()
    private let state = Locked(State())

    private let compactsAutomatically: Bool

    private struct State {
        var hasFailed = false
        var isClosed = false
        var autosaver: Autosaver?
        /// The wasted bytes at the last compaction that failed.
        var wasteAtFailure = 0
    }

    /// Opens the file of a store, and makes one if there is none. What it holds is part of the store from now on.
    ///
    /// Throws `ArchiveError`, what migrations throw, and `StoreError`; the store is unchanged then.
    ///
    /// `policy` says what happens to resources that both have: what the store has wins by default, field by field. If somebody else has the file
    /// open for writing, the call waits for it, at most for `lockTimeout`. With `compactsAutomatically`, the default, a save compacts the file
    /// when more than half of it, and at least a megabyte, is wasted.
    ///
    /// - Complexity: O(resources that the store holds in memory), however many the file has. O(bytes of the file) if it has to be migrated, or if
    ///   the store reads through another file.
    public convenience init(
        _ url: URL, of store: ResourceStore, model: ArchiveModel? = nil, merging policy: MergePolicy? = nil, lockTimeout: Duration = .zero,
        compactsAutomatically: Bool = true
    ) throws {
        try self.init(
            url, of: store, model: model, merging: policy, lockTimeout: lockTimeout, compactsAutomatically: compactsAutomatically,
            files: SystemFiles())
    }

    package init(
        _ url: URL, of store: ResourceStore, model: ArchiveModel? = nil, merging policy: MergePolicy? = nil, lockTimeout: Duration = .zero,
        compactsAutomatically: Bool = true, files: any FileSystem
    ) throws {
        self.compactsAutomatically = compactsAutomatically
        file = try ArchiveFile(
            url, model: model, encoder: store.encoder, decoder: store.decoder, lockTimeout: lockTimeout, files: files)
        core = store.core
        journal = try store.follow(try file.archive, path: file.path, merging: policy ?? .keepingStored)
    }

    deinit { close() }

    /// Writes what has changed in the store since it was opened or saved last. When it returns, that is on the disk; when it
    /// throws, it is written the next time.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(changes). What the store held before the file was opened counts as changed. Now and then the file is compacted, which costs
    ///   O(bytes of the file), over many saves a constant factor of what they write.
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
                compactIfWasteful()
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

    /// Compaction that fails leaves a file that is whole. It is tried again when twice as much is wasted.
    private func compactIfWasteful() {
        let wasted = file.wastedByteCount
        guard compactsAutomatically, wasted > max(Self.smallestWaste, file.byteCount / 2),
            state.withLock({ wasted > 2 * $0.wasteAtFailure })
        else { return }
        do { try compact() } catch { state.withLock { $0.wasteAtFailure = wasted } }
    }

    private static let smallestWaste = 1 << 20

    /// The bytes of the file that are in use up to the last save.
    public var byteCount: Int { file.byteCount }

    /// The bytes of changed and removed resources: what `compact` gives back.
    public var wastedByteCount: Int { file.wastedByteCount }

    /// What was saved last. Throws `ArchiveError` when the file is closed.
    public var archive: Archive { get throws { try file.archive } }

    /// Closes the file without saving, unless it saves by itself. Nothing can be saved afterwards. The store goes on reading what the file held
    /// last.
    public func close() {
        // Its closure no longer sees a file that is being released.
        state.withLock { $0.autosaver }?.flush { try save() }
        replaceAutosaver(nil)
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

extension StoreFile {
    func replaceAutosaver(_ saver: Autosaver?) {
        let old = state.withLock { state in
            defer { state.autosaver = saver }
            return state.autosaver
        }
        old?.cancel()
        guard let saver else { return journal.listen(nil) }
        journal.listen { [weak saver] in saver?.schedule() }
    }
}

extension MergePolicy {
    /// What is stored wins, field by field; the other one fills the gaps.
    fileprivate static let keepingStored = MergePolicy.custom { stored, archived in ResourceMerge.merged(archived, with: stored) }
}

extension ResourceStore {
    /// Follows a file from now on, and merges what the store has with what the file has.
    fileprivate func follow(_ archive: Archive, path: String, merging policy: MergePolicy) throws -> StoreJournal {
        try transaction { transaction in
            let following = core.follow(archive.image, path: path)
            do {
                try transaction.merge(archive, following, policy)
                try transaction.loadKept(archive, except: following.isResumed ? following.journal.keys : [])
                return following.journal
            } catch {
                core.takeBack(following, path: path)
                throw error
            }
        }
    }
}

extension StoreTransaction {
    /// Merges what the store had before it began to follow a file with what the file has.
    ///
    /// A store that reads through the file reads only the resources that it has itself; another one takes all resources in.
    fileprivate func merge(_ archive: Archive, _ following: StoreCore.Following, _ policy: MergePolicy) throws {
        let unsaved = following.isResumed ? following.journal.identities : []
        try pending.atomically {
            var intake = Intake(pending)
            try archive.located {
                guard following.isReadThrough else {
                    return try archive.contents.forEachResource { key, text in
                        let identity = StoredIdentity(key)
                        let held = pending.heldText(identity)
                        if !unsaved.contains(identity) { try intake.load(identity, text, over: held, policy, isReadThrough: false) }
                    }
                }
                for identity in try following.earlierIdentities where !unsaved.contains(identity) {
                    guard let held = try following.before.place(of: identity).text() else { continue }
                    if let text = try archive.image.text(ArchiveKey(identity)) {
                        try intake.load(identity, text, over: held, policy, isReadThrough: true)
                    } else if following.leavesOther {
                        pending.set(identity, .put(held))
                    }
                }
            }
        }
    }
}

extension StoreCore.Following {
    /// The resources that the store had, and that the file may have otherwise: those in memory, and, if the store read through another file,
    /// those of that one.
    fileprivate var earlierIdentities: [StoredIdentity] {
        get throws {
            guard !leavesOther else { return try before.listed() }
            return before.heldIdentities + (before.backing?.unsaved ?? [:]).filter { $0.value.text != nil }.map(\.key)
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
