import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONText

/// A file that keeps the resources of a store.
///
/// ```swift
/// let store = ResourceStore()
/// let file = try StoreFile(url, of: store)      // the store now has all saved resources
/// try store.ingest(document)
/// try file.save()                               // writes all changes, or none if the program is killed
/// ```
///
/// - Opening a file reads none of its resources, except those that the store already has, or has requests about, if requests wait for them.
///   The store reads a resource when the program asks for it: by identity, through a reference, in a list or in a live value. A list reads
///   only the resources of its type. Observers receive the resources of a file that change or remove what the store already has. They do
///   not receive the others, unless the store has another open file. Live values are updated.
/// - A resource that was written to the store, or merged with the file, stays in memory until it is saved and evicted.
/// - The next save deletes resources from the file that the program has removed.
/// - A save also writes the requests of a `RequestQueue`, and the documents and values that the store keeps.
/// - A save without changes does not access the disk.
/// - A file can be closed and opened again for the same store, for example after a save has failed. The store still has all unsaved
///   changes, and those that were made in between, including removals. The next save writes them. Changes that another program made in
///   between apply to everything that the store did not change.
///
/// Hold the file as long as changes must be saved: a file that is released closes itself, as by `close()`. The store goes on without an error, but
/// nothing is saved any more.
///
/// A file can be used from many threads, and saves run one at a time. A file can be open for writing only once at a time; see
/// `ArchiveFile`. If a store has several files, it reads through the first one that was opened. It loads all resources of the others into
/// memory. When one of the others is closed without unsaved changes, the store forgets it, and opening it again is like opening a new file:
/// what the store has removed in the meantime is then loaded again, except requests that have left its queue. While a file is open, each of
/// its saves writes everything that the store has, also what it reads through another file. Only the first file keeps the
/// place of a resource that got its id, or is back after its deletion. The others list it as the last one.
///
/// A closed file keeps the requests of its last save. If these are answered while only another file is open, do not open both files for a new
/// store later: the requests of the closed file would wait again. Of open files, a kill between their saves has that effect for the request that
/// was just answered, or rolled back; see `RequestQueue`.
public final class StoreFile: Sendable {
    private let file: ArchiveFile
    /// The path of the file without symbolic links.
    private let path: String
    private let core: StoreCore
    private let cache: ValueCache
    private let writers: WriterQueue
    private let journal: StoreJournal
    private let lock = NSRecursiveLock()
    private let state = Locked(State())

    private let compactsAutomatically: Bool

    private struct State {
        /// Whether `close` was called. No automatic saving starts afterwards.
        var isClosing = false
        var isClosed = false
        var autosaver: (saver: Autosaver, actions: Autosaver.Actions)?
        /// The number of wasted bytes when a compaction failed last.
        var wasteAtFailure = 0
    }

    /// Opens the file of a store, and creates it if it does not exist. The store has the resources of the file from now on.
    ///
    /// Throws `ArchiveError`, `StoreError` also inside a transaction of the store, and the errors of migrations. The store does not change
    /// then.
    ///
    /// `policy` merges resources that are both in the store and in the file. By default, the fields of the store take precedence. The changes
    /// of waiting requests stay on top. If the store had the file open before, the policy only merges resources that both the store and another
    /// program have changed since then. If another archive has replaced the file, it counts as a new one, except that removed resources stay
    /// removed if it has them unchanged. Compaction does not replace an archive in this sense.
    ///
    /// If the file is already open for writing, the call waits for at most `lockTimeout`. By default, a save compacts the file when more
    /// than half of it, and more than 1 MiB, is wasted. To prevent that, set `compactsAutomatically` to false.
    ///
    /// - Complexity: O(n), n = number of resources that the store holds in memory, and bytes of the resources with requests that are read.
    ///   O(bytes of the file) if the file must be migrated, or if the store has another open file.
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
        guard !store.isInTransaction else {
            // If the transaction threw, the file would be open, but the store would not have its contents.
            throw StoreError(
                .insideTransaction, expected: "no transaction", found: "one that goes on", advice: "open the file before the transaction")
        }
        self.compactsAutomatically = compactsAutomatically
        file = try ArchiveFile(
            url, model: model, encoder: store.encoder, decoder: store.decoder, lockTimeout: lockTimeout, files: files)
        path = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path
        core = store.core
        cache = store.cache
        writers = store.writers
        journal = try store.follow(try file.archive, at: path, merging: policy ?? .keepingStored)
        core.noteOpen(self)
    }

    deinit { close() }

    /// Writes all unsaved changes of the store. When the call returns, they are on the disk. Then evicts resources from memory if the store
    /// has more than its limit.
    ///
    /// If it throws, the changes stay unsaved. After an error such as a full disk, a later save writes them. If it throws an `ArchiveError`
    /// of kind `closed` or `replaced`, all later saves fail: close the file and open it again for the same store. The next save then writes
    /// the changes. A save after one whose sync has failed throws `closed`, because it is unknown what the disk holds.
    ///
    /// Throws `ArchiveError`, for example if a resource is damaged in another file of the store and therefore cannot be written to this
    /// one. Then replace or remove the resource.
    ///
    /// - Complexity: O(changes). The first save also writes what the store held before the file was opened. An occasional compaction costs
    ///   O(bytes of the file). Over many saves, compactions cost at most a constant factor of the written bytes.
    public func save() throws {
        let evicted = try lock.withLock {
            try checkOpen()
            let (changes, revision) = try core.take(journal)
            // Resources that are already in the file can be evicted from now on.
            guard !changes.isEmpty else { return core.noteSaved([], file.image, journal, upTo: revision) }
            do {
                try file.commit { writer in
                    for change in changes.resources {
                        if let text = change.text {
                            try writer.insert(change.identifier, text.span, at: change.place)
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
            } catch {
                journal.putBack(changes.resources)
                journal.note(keys: changes.kept.map(\.key))
                throw error
            }
            defer { compactIfWasteful() }
            return core.noteSaved(changes.resources, file.image, journal, upTo: revision)
        }
        cache.remove(evicted)
        // Inside a transaction, what observers write would belong to it, so they are called after its end.
        if writers.ofThisThread == nil { core.deliver() }
    }

    /// Saves all changes. Then frees the space of changed and removed resources, whose bytes are in the file until then. See
    /// `ArchiveFile.compact`.
    ///
    /// Throws `ArchiveError` as that function does, and of kind `closed` if the file is closed. If the save throws, the file is not
    /// compacted.
    public func compact() throws {
        // A compaction leaves little space between places in lists, so few resources may be unsaved that are between others.
        try save()
        try lock.withLock {
            try checkOpen()
            try compactSaved()
        }
    }

    private func compactSaved() throws {
        // An error after the replacement leaves the new file in place.
        defer { core.noteCompacted(file.image, journal) }
        try file.compact()
        state.withLock { $0.wasteAtFailure = 0 }
    }

    /// Throws if the file is closed. A file that was opened after it can have its journal.
    func checkOpen() throws { if isClosed { try file.commit { _ in } } }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Compacts the file if enough space is wasted. A failed compaction leaves the file intact. It is tried again when twice as much space
    /// is wasted.
    private func compactIfWasteful() {
        let wasted = file.wastedByteCount
        guard compactsAutomatically, wasted > max(Self.smallestWaste, file.byteCount / 2),
            state.withLock({ wasted > 2 * $0.wasteAtFailure })
        else { return }
        do {
            try compactSaved()
        } catch  where file.wastedByteCount >= wasted {
            state.withLock { $0.wasteAtFailure = wasted }
        } catch {
            // The file was replaced before the error.
        }
    }

    private static let smallestWaste = 1 << 20

    /// The number of bytes that the file uses, as of the last save.
    public var byteCount: Int { file.byteCount }

    /// The number of bytes of changed and removed resources. `compact` frees them.
    public var wastedByteCount: Int { file.wastedByteCount }

    /// The contents of the file as of the last save. Throws `ArchiveError` if the file is closed.
    public var archive: Archive {
        get throws {
            try checkOpen()
            return try file.archive
        }
    }

    /// Closes the file. Saves it first only if automatic saving is on. Nothing can be saved afterwards. The store can still read the
    /// resources of the last save.
    public func close() {
        // Saves here, because the closure of the autosaver holds the file weakly and the file may be about to be released.
        // The autosaver ends first, because `onError` can call this function.
        replaceAutosaver(nil, isClosing: true).ended?.flush { try save() }
        lock.withLock {
            let isFirst = state.withLock { state in
                defer { state.isClosed = true }
                return !state.isClosed
            }
            guard isFirst else { return }
            core.noteClosed(ObjectIdentifier(self))
            // If another archive was copied over the file, the bytes of the last save are lost, and the journal must not read them.
            let isCertain = !file.isUncertain && file.isAsLeft
            let closed = StoreCore.ClosedFile(
                journal: journal, saved: file.image, uncertain: isCertain ? nil : file.contentsOnDisk, isCertain: isCertain)
            core.unfollow(closed, at: path)
            file.close()
        }
    }
}

extension StoreFile {
    /// Ends the present autosaver, and returns its actions. A new one is not accepted once `close` was called. A closed file can share its
    /// journal with a file that was opened after it, whose automatic saving must go on.
    @discardableResult
    func replaceAutosaver(
        _ new: (saver: Autosaver, actions: Autosaver.Actions)?, isClosing: Bool = false
    ) -> (ended: Autosaver.Actions?, isAccepted: Bool) {
        let (old, isAccepted) = state.withLock { state in
            if isClosing { state.isClosing = true }
            let next = state.isClosing ? nil : new
            defer { state.autosaver = next }
            if !state.isClosed {
                // In the same step, so that the journal never calls an autosaver that another call has ended.
                if let saver = next?.saver { journal.listen { saver.schedule() } } else { journal.listen(nil) }
            }
            return (state.autosaver, !state.isClosing)
        }
        old?.saver.cancel()
        return (old?.actions, isAccepted)
    }
}

extension MergePolicy {
    /// Fields of the store take precedence. The archive adds the missing ones.
    fileprivate static let keepingStored = MergePolicy.custom { stored, archived in ResourceMerge.merged(archived, with: stored) }
}

extension ResourceStore {
    /// Follows a file from now on, and merges the resources of the store with those of the file.
    fileprivate func follow(_ archive: Archive, at path: String, merging policy: MergePolicy) throws -> StoreJournal {
        try transaction { transaction in
            let following = try core.following(archive.image, at: path)
            transaction.pending.follow(following)
            try transaction.merge(archive, following, policy)
            try transaction.loadKept(archive, following)
            try transaction.mergeBelowRequests(archive, following, policy)
            try transaction.takePromotions(archive, following)
            try transaction.failRequestsWithoutCreation(following)
            return following.journal
        }
    }
}

extension StoreTransaction {
    /// Merges the earlier resources of the store with those of a file.
    ///
    /// A store that reads through the file reads only the resources that it already has itself. Any other store loads all resources of the
    /// file.
    fileprivate func merge(_ archive: Archive, _ following: StoreCore.Following, _ policy: MergePolicy) throws {
        let unsaved = following.base == nil ? [] : following.notes.identities
        try pending.atomically {
            var intake = Intake(pending)
            try archive.located {
                if following.isReadThrough {
                    try mergeOwn(with: archive, following, unsaved, &intake, policy)
                } else {
                    try loadAll(archive, following, unsaved, &intake, policy)
                }
            }
        }
    }

    private func loadAll(
        _ archive: Archive, _ following: StoreCore.Following, _ unsaved: Set<StoredIdentity>, _ intake: inout Intake, _ policy: MergePolicy
    ) throws {
        try archive.contents.forEachResource { identity, text in
            // A resource that is damaged in the first file counts as missing.
            let known = (try? pending.text(identity)) ?? nil
            switch following.precedence(identity, known, text, isUnsaved: unsaved.contains(identity)) {
            case .store: break
            case .file: try intake.load(identity, text, over: nil, policy, isReadThrough: false)
            case .policy: try intake.load(identity, text, over: known, policy, isReadThrough: false)
            }
        }
        try removeMissing(archive, following, unsaved)
    }

    /// Removes the resources that another program has removed from a file since it was closed.
    private func removeMissing(_ archive: Archive, _ following: StoreCore.Following, _ unsaved: Set<StoredIdentity>) throws {
        guard let base = following.base, base.isCertain else { return }
        try base.saved.forEachIdentity { identity in
            guard try !archive.contents.has(identity), let own = (try? pending.text(identity)) ?? nil else { return }
            if case .file = following.precedence(identity, own, nil, isUnsaved: unsaved.contains(identity)) {
                pending.set(identity, .remove)
            }
        }
    }

    private func mergeOwn(
        with archive: Archive, _ following: StoreCore.Following, _ unsaved: Set<StoredIdentity>, _ intake: inout Intake,
        _ policy: MergePolicy
    ) throws {
        for identity in try following.earlierIdentities {
            guard let own = try following.before.place(of: identity).text() else { continue }
            let isUnsaved = unsaved.contains(identity)
            let filed = Result { try archive.image.text(identity) }
            // The next save replaces a damaged resource of the file.
            if isUnsaved, case .failure = filed {
                keep(own, identity, archive, following)
                continue
            }
            switch (following.precedence(identity, own, try filed.get(), isUnsaved: isUnsaved), try filed.get()) {
            case (.store, _): keep(own, identity, archive, following)
            case (.file, let filed?): try intake.load(identity, filed, over: nil, policy, isReadThrough: true)
            case (.policy, let filed?): try intake.load(identity, filed, over: own, policy, isReadThrough: true)
            case (_, nil): pending.set(identity, .load(nil))
            }
        }
    }

    /// Keeps the text of a resource. A text from another file must be held in memory now, in the order of the earlier list.
    private func keep(_ own: [UInt8], _ identity: StoredIdentity, _ archive: Archive, _ following: StoreCore.Following) {
        guard following.leavesOther else { return }
        pending.set(identity, .keep(own))
        pending.restore(following.before.listPlace(of: identity, in: archive.image), of: identity)
    }
}

extension StoreCore.Following {
    /// The resources of the store that may differ from those in the file. These are the ones in memory. If the store read through another
    /// file, the resources of that file are included.
    fileprivate var earlierIdentities: [StoredIdentity] { get throws { leavesOther ? try before.listed() : before.heldIdentities } }

    /// The side whose state of a resource counts.
    enum Precedence { case store, file, policy }

    /// Decides which state of a resource counts. A text is nil if that side has no such resource.
    ///
    /// If the file was open before, the side counts that has changed the resource since then. If both sides have, the policy decides. It
    /// needs two texts: if the store has removed the resource, it stays removed, and if another program has, the text of the store is saved.
    func precedence(_ identity: StoredIdentity, _ own: [UInt8]?, _ filed: [UInt8]?, isUnsaved: Bool) -> Precedence {
        guard let base else { return filed == nil ? .store : .policy }
        if !isUnsaved, !leavesOther { return .file }
        if isUnsaved, own == nil { return .store }
        if base.mayHave(filed, of: identity) { return .store }
        if base.isCertain, base.mayHave(own, of: identity) { return .file }
        return filed == nil ? .store : .policy
    }
}

// MARK: - Once

extension ResourceStore {
    /// Saves all resources, kept documents, kept values and requests as a new archive. Replaces an existing file. At any moment, either the
    /// complete old file or the complete new one exists.
    ///
    /// `modelVersion` is the version of the models, for an `ArchiveModel`. It defaults to that of the store's file, or to 0 if the store has
    /// none.
    ///
    /// Throws `ArchiveError`.
    ///
    /// - Complexity: O(bytes of the store).
    public func save(to url: URL, modelVersion: Int? = nil) throws {
        let version = modelVersion ?? core.table.backing?.archive.modelVersion ?? 0
        var writer = Archive.Writer(modelVersion: version, encoder: encoder)
        let snapshot = snapshot()
        try snapshot.forEachResource { identifier, text in try writer.insert(identifier, text.span) }
        try snapshot.forEachKept { key, text in try writer.put(text.span, forKey: key) }
        try writer.write(to: url)
    }

    /// Adds all resources of an archive to the store, in one transaction.
    ///
    /// Throws `ArchiveError` if the archive is damaged, `StoreError`, and `JSONWriteError` for a resource that is nested deeper than 512
    /// levels. The store does not change then.
    ///
    /// - Complexity: O(bytes of the archive).
    @discardableResult
    public func ingest(_ archive: Archive, merging policy: MergePolicy = .fields) throws -> IngestReport {
        var resources: [ResourceObject] = []
        try archive.forEachResource { _, text in
            if let members = try JSON(parsing: text, options: .unlimited).object { resources.append(ResourceObject(members: members)) }
        }
        return try ingest(resources, merging: policy)
    }
}
