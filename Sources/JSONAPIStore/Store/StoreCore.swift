import JSONAPICodec

/// The resources of a store, its observers and the number of its last write, protected by one lock.
///
/// The core holds no decoded values. These refer to the core, so they would keep themselves alive.
final class StoreCore: Sendable {
    private struct State {
        var table: ResourceTable
        var kept = KeptTable()
        var registry = ObserverRegistry()
        var journals: [Weak<StoreJournal>] = []
        /// The journal of the file that the table reads through.
        weak var fileJournal: StoreJournal?
        /// The journal of the file whose contents the table reads, even after the file was closed.
        weak var contentsJournal: StoreJournal?
        /// The closed files by their paths. When such a file is opened again, its next save writes what its journal notes.
        var closedFiles: [String: ClosedFile] = [:]
        var queries = LiveQueries()
        var revision = 0

        /// The journals of open files, and those that follow the store for another purpose.
        var openJournals: [StoreJournal] {
            journals.compactMap(\.value).filter { journal in !closedFiles.values.contains { $0.journal === journal } }
        }
    }

    private let state: Locked<State>
    private let limit: Int?
    private let delivery = ChangeDelivery()

    init(limit: Int?) {
        self.limit = limit.map { max(0, $0) }
        state = Locked(State(table: ResourceTable(tracksUse: limit != nil)))
    }

    // MARK: - Reading

    /// The current resources.
    var table: ResourceTable { state.withLock { $0.table } }

    func read<Answer>(_ body: (borrowing ResourceTable) throws -> Answer) rethrows -> Answer {
        try state.withLock { try body($0.table) }
    }

    func readKept<Answer>(_ body: (borrowing KeptTable) -> Answer) -> Answer { state.withLock { body($0.kept) } }

    /// The current resources, kept documents, values and requests.
    var contents: (table: ResourceTable, kept: KeptTable) { state.withLock { ($0.table, $0.kept) } }

    /// Returns the text of a resource. Counts as a use. Throws `ArchiveError` if the resource is damaged in its file.
    func text(_ identity: StoredIdentity) throws -> [UInt8]? { try place(of: identity).place.text() }

    /// Returns the place of a resource's text and its version. Counts as a use.
    func place(of identity: StoredIdentity) -> (place: ResourceTable.Place, version: Int) {
        state.withLock { state in
            state.table.noteUse(identity)
            return (state.table.place(of: identity), state.table.version(of: identity))
        }
    }

    /// Returns how many resources that are not in memory may have cached models. Returns nil if the resource is in memory, or if there is
    /// no limit.
    func absentLimit(_ identity: StoredIdentity) -> Int? {
        guard let limit else { return nil }
        return state.withLock { $0.table.holds(identity) } ? nil : limit
    }

    func noteUse(_ identities: [StoredIdentity]) {
        guard limit != nil else { return }
        state.withLock { state in
            for identity in identities { state.table.noteUse(identity) }
        }
    }

    /// Returns the number of the last change if all of these resources still have the given versions; otherwise nil.
    func confirm(_ dependencies: [StoredIdentity: Int], knownAt change: Int, using identity: StoredIdentity) -> Int? {
        state.withLock { state in
            state.table.noteUse(identity)
            return state.table.confirm(dependencies, knownAt: change)
        }
    }

    // MARK: - Writing

    /// Applies all changes in one write. Returns the resources that have changed. Observers learn of every write. Files, live values and
    /// cached models are only concerned if a text has changed.
    func commit(_ changes: TransactionChanges) -> [StoredIdentity] {
        guard !changes.isEmpty else { return [] }
        return state.withLock { state in
            state.revision += 1
            // No change of a resource concerns a lid that the store does not have, so live values of it must look for the id.
            if changes.promotions.contains(where: { !state.table.mayHave($0.key) }) { state.queries.forEach { $0.lookAgain() } }
            state.table.promotions.merge(changes.promotions) { _, new in new }
            var outcome = Outcome()
            for (identity, change) in changes.resources { apply(change, to: identity, &state, &outcome) }
            evict(&state, &outcome)
            outcome.kept = changes.kept.filter { state.kept.set($0.key, $0.change.value, commit: state.revision) }
            return publish(outcome, state)
        }
    }

    /// The result of a write.
    private struct Outcome {
        var notes: [(identity: StoredIdentity, note: StoreJournal.Note)] = []
        var kept: [(key: StoreKey, change: PendingChange<KeptValue>)] = []
        /// The evicted resources that are read through the file from now on. No file has to save them.
        var readThrough: [StoredIdentity] = []
        var items: [ChangeDelivery.Item] = []
    }

    /// Tells files, live values, and observers of a write. Returns the resources that have changed.
    private func publish(_ outcome: Outcome, _ state: State) -> [StoredIdentity] {
        delivery.enqueue(outcome.items)
        if !outcome.notes.isEmpty || !outcome.kept.isEmpty {
            for journal in state.journals {
                let isOfFile = journal.value === state.contentsJournal
                journal.value?.note(outcome.notes, isOfFile: isOfFile)
                journal.value?.note(outcome.kept, isOfFile: isOfFile)
            }
        }
        let touched = outcome.notes.map(\.identity) + outcome.readThrough
        if !touched.isEmpty || !outcome.kept.isEmpty { state.queries.note(touched, outcome.kept.map(\.key), state.table) }
        return touched
    }

    private func apply(_ change: PendingChange<[UInt8]>, to identity: StoredIdentity, _ state: inout State, _ outcome: inout Outcome) {
        switch change {
        case .put(let text), .load(let text?):
            let earlier = (try? state.table.place(of: identity).text()) ?? nil
            if case .put = change, text == earlier {
                state.table.noteUse(identity)
                return announce(identity, .updated, text, earlier, state, &outcome)
            }
            let isPinned = limit != nil && state.registry.isObserved(.resource(identity))
            let existed = state.table.put(identity, text, commit: state.revision, isPinned: isPinned)
            if case .load = change {
                state.table.noteFiled(identity, true, upTo: state.revision)
                outcome.notes.append((identity, .loaded))
            } else {
                outcome.notes.append((identity, .stored))
            }
            if case .load = change, text == earlier { return }
            announce(identity, existed ? .updated : .inserted, text, earlier, state, &outcome)
        case .remove, .load(nil):
            guard state.table.mayHave(identity) else { return }
            state.table.remove(identity, commit: state.revision)
            if case .load = change {
                state.table.forgetUnfiledRemoval(identity)
                outcome.notes.append((identity, .missing))
            } else {
                // Without an open file, no save is in progress that could write the resource.
                if state.fileJournal == nil { state.table.forgetUnfiledRemoval(identity) }
                outcome.notes.append((identity, .removed))
            }
            announce(identity, .removed, nil, nil, state, &outcome)
        }
    }

    private func evict(_ state: inout State, _ outcome: inout Outcome) {
        guard let limit else { return }
        for entry in state.table.evict(beyond: limit, commit: state.revision) {
            if state.table.backing == nil {
                outcome.notes.append((entry.identity, .evicted(entry.text)))
            } else {
                outcome.readThrough.append(entry.identity)
            }
            announce(entry.identity, .evicted, nil, nil, state, &outcome)
        }
    }

    private func announce(
        _ identity: StoredIdentity, _ kind: ResourceChange.Kind, _ text: [UInt8]?, _ earlier: [UInt8]?, _ state: borrowing State,
        _ outcome: inout Outcome
    ) {
        let observers = state.registry.observers(of: identity)
        guard !observers.isEmpty else { return }
        let change = ResourceChange(kind: kind, identifier: identity.identifier, revision: state.revision, text: text, earlierText: earlier)
        outcome.items.append(ChangeDelivery.Item(change: change, observers: observers))
    }

    /// Calls the observers for all queued changes. Must be called without holding a lock.
    func deliver() { delivery.deliver { [weak self] gone in self?.remove(gone) } }

    // MARK: - Observing

    func add(_ registration: Registration) {
        let (replaced, candidates) = state.withLock { state in
            let candidates = state.registry.dueForSweep()
            let replaced = state.registry.add(registration)
            if case .resource(let identity) = registration.target { state.table.pin(identity) }
            return (replaced, candidates)
        }
        replaced?.cancel()
        remove(candidates.filter { !$0.isAlive() })
    }

    /// Removes observers. They are released outside the lock.
    func remove(_ registrations: [Registration]) {
        guard !registrations.isEmpty else { return }
        let gone = state.withLock { state in
            registrations.compactMap { registration in
                defer { unpin(registration.target, &state) }
                return state.registry.remove(registration)
            }
        }
        for registration in gone { registration.cancel() }
    }

    func removeObserver(_ owner: ObjectIdentifier, _ target: ObservationTarget?) {
        let gone = state.withLock { state in
            let gone = state.registry.remove(owner: owner, target)
            for registration in gone { unpin(registration.target, &state) }
            return gone
        }
        for registration in gone { registration.cancel() }
    }

    private func unpin(_ target: ObservationTarget, _ state: inout State) {
        guard case .resource(let identity) = target, !state.registry.isObserved(target) else { return }
        state.table.unpin(identity)
    }

    /// Ends all observations when the store is released.
    func endObservations() {
        let (registrations, queries) = state.withLock { ($0.registry.all, $0.queries) }
        remove(registrations)
        queries.forEach { $0.end() }
    }

    // MARK: - Lids

    /// Returns the id that has replaced a lid; nil if none has since the store was created.
    func promoted(_ local: StoredIdentity) -> StoredIdentity? { state.withLock { $0.table.promotions[local] } }

    /// Whether an id has replaced any lid.
    var hasPromotions: Bool { state.withLock { !$0.table.promotions.isEmpty } }

    /// Returns the current identity of a resource. See `StoredIdentity.current`.
    func current(_ identity: StoredIdentity, _ type: Any.Type = ResourceObject.self) -> StoredIdentity {
        state.withLock { $0.table.current(identity, type) }
    }

    // MARK: - Live values

    func add(_ query: LiveQuery) { state.withLock { $0.queries.add(query) } }

    /// Notes the versions that a query shows, which were read from the given table.
    func show(
        _ versions: [StoredIdentity: Int], _ table: borrowing ResourceTable, _ kept: borrowing KeptTable, in query: LiveQuery
    ) {
        state.withLock { state in
            let isCurrent = table.lastChange == state.table.lastChange && kept.lastChange == state.kept.lastChange
            query.show(versions, isCurrent: isCurrent)
        }
    }

    // MARK: - Files

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
    /// both files. The journals of the other open files note what the table now reads through this one.
    ///
    /// Throws `ArchiveError` if the directory of a file is damaged that must be compared with another one. Nothing changes then.
    ///
    /// - Complexity: O(n), n = number of resources in memory, if the store has no other file. Otherwise O(bytes of the files).
    func follow(_ archive: ArchiveImage, at path: String) throws -> Following {
        let new = StoreJournal(self)
        return try state.withLock { state in
            let before = state.table
            let contentsJournal = state.contentsJournal
            let closed = state.closedFiles[path]
            let resumed = closed.flatMap { $0.saved.header.isSameArchive(as: archive.header) ? $0 : nil }
            let journal = resumed?.journal ?? new
            let isReadThrough = state.fileJournal == nil || state.fileJournal === journal
            let revision = state.revision + 1
            var table = before
            if isReadThrough {
                let removed = resumed?.journal.removals ?? closed?.removals(in: archive) ?? []
                table.setBacking(ResourceTable.Backing(archive, removed: removed, revision), commit: revision)
            }
            let others = isReadThrough ? state.openJournals.filter { $0 !== journal } : []
            let isSame = before.backing?.archive.head == archive.head && before.backing?.archive.header == archive.header
            let changesForOthers = others.isEmpty || isSame ? [] : try table.differences(from: before)
            // The store may have read through other files since this one was closed.
            let earlier = resumed.map { ResourceTable($0.saved) }
            let missed = isReadThrough ? [] : try earlier.map(table.differences) ?? table.listed()
            state.revision = revision
            state.closedFiles[path] = nil
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
                state.journals.removeAll { $0.value == nil }
                state.journals.append(Weak(value: new))
            }
            let leavesOther = isReadThrough && before.backing != nil && (resumed == nil || contentsJournal !== journal)
            state.queries.forEach { $0.lookAgain() }
            return Following(
                journal: journal, base: resumed, isReadThrough: isReadThrough, before: before, leavesOther: leavesOther, path: path,
                closed: closed, contentsJournal: contentsJournal)
        }
    }

    /// Undoes `follow`.
    func takeBack(_ following: Following) {
        state.withLock { state in
            state.revision += 1
            let journal = following.journal
            if state.fileJournal === journal { state.fileJournal = nil }
            state.contentsJournal = following.contentsJournal
            if let closed = following.closed {
                closed.suspendJournal()
                state.closedFiles[following.path] = closed
            }
            if following.base == nil { state.journals.removeAll { $0.value === journal } }
            if following.isReadThrough { state.table.setBacking(following.before.backing, commit: state.revision) }
            // A live value can have shown the file.
            state.queries.forEach { $0.lookAgain() }
        }
    }

    /// Returns the changes that a journal notes, all as of one moment, and the number of the last write before that moment. Throws
    /// `ArchiveError` if one of the resources is damaged in another file. The journal does not change then.
    func take(_ journal: StoreJournal) throws -> (changes: StoreJournal.Changes, revision: Int) {
        try state.withLock { state in
            let resources = try journal.take(state.table)
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

    // MARK: - Journals

    /// Returns a journal of all changes from now on, and the current contents.
    func journal() -> (StoreJournal, ResourceTable, KeptTable) {
        let journal = StoreJournal(self)
        return state.withLock { state in
            state.journals.removeAll { $0.value == nil }
            state.journals.append(Weak(value: journal))
            return (journal, state.table, state.kept)
        }
    }

    /// The number of resources that all journals note.
    var journalSize: Int { state.withLock { $0.journals.reduce(0) { $0 + ($1.value?.size ?? 0) } } }

    /// The number of bytes of the texts that all journals hold.
    var journalTextSize: Int { state.withLock { $0.journals.reduce(0) { $0 + ($1.value?.textSize ?? 0) } } }
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
        do {
            guard let record: ArchiveRecord = try saved.root(key) else { return text == nil }
            return record.kind == .value && saved.bytes.array(record.text) == text
        } catch {
            return false
        }
    }
}
