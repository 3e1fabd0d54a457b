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

    /// The state of a store that begins to follow a file.
    struct Following {
        let journal: StoreJournal
        /// The file as it was closed, if it continues the journal that it had then.
        let base: ClosedFile?
        /// Whether the table reads through this file.
        let isReadThrough: Bool
        /// The resources before the store followed the file.
        let before: ResourceTable
        /// Whether the table previously read through another file.
        let leavesOther: Bool
        fileprivate let path: String
        fileprivate let closed: ClosedFile?
        fileprivate let contentsJournal: StoreJournal?
    }

    /// Begins to follow a file. The first file of a store is read through: the table reads missing resources from it. The journal notes
    /// everything that the file does not have.
    ///
    /// The journal begins with all resources of the table that the file may not have. If the store has followed the file before, its
    /// earlier journal continues. If another file is at the same path now, only its removals continue, for resources that are equal in
    /// both files. If the earlier file was overwritten, only what is in memory counts. The journals of the other open files note what the
    /// table now reads through this one.
    ///
    /// Throws `ArchiveError` if the directory of a file is damaged that must be compared with another one. Nothing changes then.
    ///
    /// - Complexity: O(n), n = number of resources in memory, if the store has no other file. Otherwise O(bytes of the files).
    func follow(_ archive: ArchiveImage, at path: String) throws -> Following {
        let new = StoreJournal()
        return try state.withLock { state in
            var before = state.table
            let known = state.closedFiles[path]
            if let lost = before.backing?.archive, archive.hasOverwritten(lost) { before.loseBacking(commit: state.revision + 1) }
            let closed = known.flatMap { archive.hasOverwritten($0.saved) ? nil : $0 }
            let contentsJournal = state.contentsJournal
            let resumed = closed.flatMap { $0.saved.isSameArchive(as: archive) ? $0 : nil }
            let journal = resumed?.journal ?? new
            let isReadThrough = state.fileJournal == nil || state.fileJournal === journal
            let revision = state.revision + 1
            var table = before
            if isReadThrough {
                let removed = resumed?.journal.removals ?? closed?.removals(in: archive) ?? []
                table.setBacking(ResourceTable.Backing(archive, removed: removed, revision), commit: revision)
            }
            let others = isReadThrough ? state.openJournals.filter { $0 !== journal } : []
            let isSame = before.backing?.archive.isSameState(as: archive) ?? false
            let changesForOthers = others.isEmpty || isSame ? [] : try table.differences(from: before)
            // The store may have read through other files since this one was closed.
            let earlier = resumed.map { ResourceTable($0.saved) }
            let missed = isReadThrough ? [] : try earlier.map(table.differences) ?? table.listed()
            state.revision = revision
            state.closedFiles[path] = nil
            state.hasFollowedFile = true
            state.table = table
            if isReadThrough {
                state.fileJournal = journal
                state.contentsJournal = journal
            }
            for other in others { other.note(changesForOthers, in: table) }
            if let resumed {
                resumed.journal.resume()
                resumed.journal.note(missed, in: table)
            } else {
                if isReadThrough { new.note(table.unfiledNotes, isOfFile: true) } else { new.note(missed, in: table) }
                new.note(keys: state.kept.keys)
                // The earlier journal can never continue.
                state.journals.removeAll { $0.value == nil || $0.value === known?.journal }
                state.journals.append(Weak(value: new))
            }
            let leavesOther = isReadThrough && before.backing != nil && (resumed == nil || contentsJournal !== journal)
            state.queries.forEach { $0.lookAgain() }
            return Following(
                journal: journal, base: resumed, isReadThrough: isReadThrough, before: before, leavesOther: leavesOther, path: path,
                closed: known, contentsJournal: contentsJournal)
        }
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

    /// Undoes `follow`.
    func takeBack(_ following: Following) {
        state.withLock { state in
            state.revision += 1
            let journal = following.journal
            if state.fileJournal === journal { state.fileJournal = nil }
            state.contentsJournal = following.contentsJournal
            following.base?.suspendJournal()
            state.closedFiles[following.path] = following.closed
            if following.base == nil {
                state.journals.removeAll { $0.value === journal }
                if let closed = following.closed { state.journals.append(Weak(value: closed.journal)) }
            }
            if following.isReadThrough {
                state.table.setBacking(following.before.backing, commit: state.revision)
                state.table.restoreNumbers(of: following.before)
            }
            // A live value can have shown the file.
            state.queries.forEach { $0.lookAgain() }
        }
    }

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
