import JSONAPIArchive
import JSONAPICodec

// The files of a store. The table reads through the first one that was opened.

extension StoreCore {
    /// What a store knows about a file that was closed.
    struct ClosedFile {
        let journal: StoreJournal
        /// The contents of the last save.
        let saved: ArchiveImage
        /// After a failed save, the contents that the file may have instead. Nil if the last save was successful.
        let uncertain: ArchiveImage?
        /// Whether the file certainly had the contents of the last save.
        let isCertain: Bool
    }

    /// What changes when a store begins to follow a file. Nothing changes before the transaction that opens the file ends.
    struct Following {
        let journal: StoreJournal
        /// What the journal notes from then on.
        let notes: StoreJournal
        /// The file as it was closed, if it continues the journal that it had then.
        let base: ClosedFile?
        /// Whether the table reads through this file.
        let isReadThrough: Bool
        /// The resources before the store follows the file.
        let before: ResourceTable
        /// The same resources; if the table reads through the file, those that are in memory, and those of the file.
        let table: ResourceTable
        /// Whether the table previously read through another file.
        let leavesOther: Bool
        fileprivate let backing: ResourceTable.Backing?
        /// What the other open files may not have as in `table`.
        fileprivate let changesForOthers: [StoredIdentity]
        /// What a file that was open before may not have as in `table`.
        fileprivate let missed: [StoredIdentity]
        fileprivate let path: String
        fileprivate let closed: ClosedFile?
    }

    /// Prepares to follow a file. The first file of a store is read through: the table reads missing resources from it. The journal notes
    /// everything that the file does not have.
    ///
    /// The journal begins with all resources of the table that the file may not have. If the store has followed the file before, its
    /// earlier journal continues. If another file is at the same path now, only its removals continue, for resources that are equal in
    /// both files. If the earlier file was overwritten, only what is in memory counts. The journals of the other open files note what the
    /// table reads through this one.
    ///
    /// Throws `ArchiveError` if the directory of a file is damaged that must be compared with another one.
    ///
    /// - Complexity: O(n), n = number of resources in memory, if the store has no other file. Otherwise O(bytes of the files).
    func following(_ archive: ArchiveImage, at path: String) throws -> Following {
        let new = StoreJournal()
        return try state.withLock { state in
            let revision = state.revision + 1
            // The bytes are lost, even if the file cannot be opened.
            if let lost = state.table.backing?.archive, archive.hasOverwritten(lost) {
                state.revision = revision
                state.table.loseBacking(commit: revision)
                state.queries.forEach { $0.lookAgain() }
            }
            let before = state.table
            let known = state.closedFiles[path]
            let closed = known.flatMap { archive.hasOverwritten($0.saved) ? nil : $0 }
            let resumed = closed.flatMap { $0.saved.isSameArchive(as: archive) ? $0 : nil }
            let journal = resumed?.journal ?? new
            let isReadThrough = state.fileJournal == nil || state.fileJournal === journal
            var table = before
            var backing: ResourceTable.Backing?
            if isReadThrough {
                let removed = resumed?.journal.removals ?? closed?.removals(in: archive) ?? []
                backing = ResourceTable.Backing(archive, removed: removed, revision)
                table.setBacking(backing, commit: revision)
            }
            let hasOthers = isReadThrough && state.openJournals.contains { $0 !== journal }
            let isSame = before.backing?.archive.isSameState(as: archive) ?? false
            let changesForOthers = !hasOthers || isSame ? [] : try table.differences(from: before)
            // The store may have read through other files since this one was closed.
            let earlier = resumed.map { ResourceTable($0.saved) }
            let missed = isReadThrough ? [] : try earlier.map(table.differences) ?? table.listed()
            let notes = resumed?.journal.copy() ?? new
            if resumed != nil {
                notes.note(missed, in: table)
            } else {
                if isReadThrough { new.note(table.unfiledNotes, isOfFile: true) } else { new.note(missed, in: table) }
                new.note(keys: state.kept.keys)
            }
            let leavesOther = isReadThrough && before.backing != nil && (resumed == nil || state.contentsJournal !== journal)
            return Following(
                journal: journal, notes: notes, base: resumed, isReadThrough: isReadThrough, before: before, table: table,
                leavesOther: leavesOther, backing: backing, changesForOthers: changesForOthers, missed: missed, path: path, closed: known)
        }
    }

    /// Begins to follow a file, in the write that has the changes of the transaction that opens it. Called under the lock of the store.
    func begin(_ following: Following, _ state: inout State) {
        let journal = following.journal
        if let backing = following.backing {
            state.table.setBacking(backing, commit: state.revision)
            state.fileJournal = journal
            state.contentsJournal = journal
        }
        // Another file at the same path can have been closed in the meantime.
        if state.closedFiles[following.path]?.journal === following.closed?.journal { state.closedFiles[following.path] = nil }
        state.hasFollowedFile = true
        if following.base != nil {
            journal.resume()
            journal.note(following.missed, in: state.table)
        } else {
            // The earlier journal can never continue.
            state.journals.removeAll { $0.value == nil || $0.value === following.closed?.journal }
            state.journals.append(Weak(value: journal))
        }
        state.queries.forEach { $0.lookAgain() }
    }

    /// Lets the other open files note what the table now reads through the followed one. Called under the lock of the store, after the
    /// changes of the transaction, which keep most resources that this file does not have.
    func noteForOthers(_ following: Following, _ changes: TransactionChanges, _ state: borrowing State) {
        guard !following.changesForOthers.isEmpty else { return }
        let kept = Set(changes.resources.compactMap { if case .keep = $0.change { $0.identity } else { nil } })
        let changed = following.changesForOthers.filter { !kept.contains($0) }
        for other in state.openJournals where other !== following.journal { other.note(changed, in: state.table) }
    }

    /// The open files of the store.
    var openFiles: [StoreFile] {
        let files = state.withLock { $0.files }
        return files.values.compactMap(\.value)
    }

    func noteOpen(_ file: StoreFile) {
        let reference = Weak(value: file)
        state.withLock { $0.files[ObjectIdentifier(file)] = reference }
    }

    func noteClosed(_ file: ObjectIdentifier) { state.withLock { _ = $0.files.removeValue(forKey: file) } }

    /// Returns whether a request was in the queue of the store and has left it.
    func hasEnded(_ request: RequestKey) -> Bool { state.withLock { $0.endedRequests.contains(request) } }

    /// Returns whether a request was rolled back in the store.
    func wasRolledBack(_ request: RequestKey) -> Bool { state.withLock { $0.rolledBackRequests.contains(request) } }

    /// Returns the changes that a journal notes, all as of one moment, and the number of the last write before that moment. Throws
    /// `ArchiveError` if one of the resources is damaged in another file. The journal does not change then.
    func take(_ journal: StoreJournal) throws -> (changes: StoreJournal.Changes, revision: Int) {
        try state.withLock { state in
            let resources = try journal.take(state.table, isOfFile: state.fileJournal === journal)
            let kept = journal.takeKeys().map { (key: $0, text: state.kept.value($0)?.text) }
            return (StoreJournal.Changes(resources: resources, kept: kept), state.revision)
        }
    }

    /// Notes the contents of a file after it was compacted.
    func noteCompacted(_ archive: ArchiveImage, _ journal: StoreJournal) {
        state.withLock { if $0.fileJournal === journal { $0.table.noteSaved(archive, upTo: 0) } }
    }

    /// Notes the contents of a file after a save of all changes up to a revision. Evicts resources beyond the limit, and returns those.
    func noteSaved(
        _ changes: [StoreJournal.Change], _ archive: ArchiveImage, _ journal: StoreJournal, upTo revision: Int
    ) -> [StoredIdentity] {
        state.withLock { state in
            guard state.fileJournal === journal else { return [] }
            state.table.noteSaved(archive, upTo: revision)
            for change in changes { state.table.noteFiled(change.identity, change.text != nil, upTo: revision) }
            state.revision += 1
            var outcome = Outcome()
            evict(&state, &outcome)
            return publish(outcome, state)
        }
    }

    /// Stops following a file. The store can still read the contents of the last save.
    ///
    /// The journal continues until the file is opened again if the store reads these contents, or if there are unsaved changes. Otherwise
    /// the file counts as a new one then. It may never be opened again, and its journal would grow with every change.
    func unfollow(_ closed: ClosedFile, at path: String) {
        let journal = closed.journal
        state.withLock { state in
            let isKept = state.contentsJournal === journal || !journal.isEmpty
            if isKept {
                closed.suspendJournal()
                state.closedFiles[path] = closed
            } else {
                state.journals.removeAll { $0.value === journal }
            }
            if state.fileJournal === journal { state.fileJournal = nil }
        }
    }
}

extension StoreCore.ClosedFile {
    /// Begins to forget the resources that are added and removed again.
    fileprivate func suspendJournal() { journal.suspend(isCertain ? saved : nil) }

    /// Returns the removed resources that another archive has with the same text.
    fileprivate func removals(in archive: ArchiveImage) -> [StoredIdentity] {
        journal.removals.filter { identity in
            guard let text = try? archive.text(identity) else { return false }
            return mayHave(text, of: identity)
        }
    }

    /// Returns whether the file may have had this text of a resource; nil for no resource. The text of a damaged resource is unknown.
    func mayHave(_ text: [UInt8]?, of identity: StoredIdentity) -> Bool {
        func has(_ image: ArchiveImage) -> Bool {
            do { return try image.text(identity) == text } catch { return false }
        }
        return has(saved) || uncertain.map(has) ?? false
    }

    /// Returns whether the file certainly had this text under a key; nil for no value.
    func certainlyHas(_ text: [UInt8]?, forKey key: String) -> Bool {
        guard isCertain else { return false }
        return (try? saved.hasValue(text, forKey: key)) ?? false
    }
}
