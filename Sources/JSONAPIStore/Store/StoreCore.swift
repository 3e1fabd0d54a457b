import JSONAPIArchive
import JSONAPICodec
import JSONText

/// The resources of a store, its observers and the number of its last write, protected by one lock.
///
/// The core holds no decoded values. These refer to the core, so they would keep themselves alive.
final class StoreCore: Sendable {
    struct State {
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
        /// The open files. Weak references are read outside of the lock, because releasing a file takes the lock.
        var files: [ObjectIdentifier: Weak<StoreFile>] = [:]
        /// The requests that have left the queue. A file that was not open then can still have them, and can be opened at any time, so they
        /// stay as long as the store. No file can have those that left it before the store followed its first file.
        var endedRequests: Set<RequestKey> = []
        var hasFollowedFile = false
        /// Those of them that were rolled back.
        var rolledBackRequests: Set<RequestKey> = []
        /// The outcomes that drafts wait for, by their requests.
        var outcomes: [RequestKey: Weak<ChangeOutcome>] = [:]
        var queries = LiveQueries()
        var revision = 0

        /// The journals that are not those of closed files.
        var openJournals: [StoreJournal] {
            journals.compactMap(\.value).filter { journal in !closedFiles.values.contains { $0.journal === journal } }
        }
    }

    /// Only the files of this type access it.
    let state: Locked<State>
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

    /// What a write has changed.
    struct Committed {
        var changed: [StoredIdentity] = []
        /// The observers that have become superfluous. The caller cancels and releases them outside of the transaction, because what they
        /// hold may write to the store when it is released.
        var replaced: [Registration] = []
    }

    /// Applies all changes in one write. Observers learn of every write. Files, live values and cached models are only concerned if a text
    /// has changed.
    func commit(_ changes: TransactionChanges) -> Committed {
        guard !changes.isEmpty else { return Committed() }
        return state.withLock { state in
            var replaced: [Registration] = []
            state.revision += 1
            if let following = changes.following { begin(following, &state) }
            let earlier = changes.following.flatMap { $0.leavesOther ? $0.before : nil }
            var numbers = changes.places.compactMapValues { state.table.number(at: $0) }
            for (identity, new) in changes.moves {
                var new = new
                while let next = changes.moves[new] { new = next }
                // A resource keeps its place in the list under its new identity.
                if let number = state.table.number(of: identity) ?? numbers[identity] { numbers[new] = number }
                replaced += move(identity, to: new, &state)
            }
            var outcome = Outcome()
            for (identity, change) in changes.resources {
                apply(change, to: identity, numbers.isEmpty ? nil : numbers[identity], earlier, &state, &outcome)
            }
            if let following = changes.following { noteForOthers(following, changes, state) }
            evict(&state, &outcome)
            outcome.kept = state.kept.apply(changes.kept, commit: state.revision)
            for (key, change) in outcome.kept where change.value == nil { noteEnd(key, &state) }
            state.rolledBackRequests.formUnion(changes.rolledBackRequests.intersection(state.endedRequests))
            return Committed(changed: publish(outcome, state), replaced: replaced)
        }
    }

    private func noteEnd(_ key: StoreKey, _ state: inout State) {
        guard case .request(let request) = key else { return }
        if state.hasFollowedFile { state.endedRequests.insert(request) }
        if let outcome = state.outcomes.removeValue(forKey: request) { outcome.value?.noteEndOfRequest() }
    }

    /// Notes the outcome that the draft of a request waits for. The request can have left the queue in the transaction that has queued it.
    func note(_ outcome: ChangeOutcome, of request: RequestKey) {
        let reference = Weak(value: outcome)
        let isQueued = state.withLock { state in
            let isQueued = state.kept.value(.request(request)) != nil
            if isQueued { state.outcomes[request] = reference }
            return isQueued
        }
        if !isQueued { outcome.noteEndOfRequest() }
    }

    /// Returns the outcome that the draft of a request waits for; nil if there is no such draft.
    func outcome(of request: RequestKey) -> ChangeOutcome? {
        let reference = state.withLock { $0.outcomes[request] }
        return reference?.value
    }

    /// Lets everything that refers to a resource follow it to its new identity. Returns the observers that have become superfluous.
    private func move(_ identity: StoredIdentity, to new: StoredIdentity, _ state: inout State) -> [Registration] {
        if identity.isLocal {
            // No change of a resource concerns a lid that the store does not have, so live values of it must look for the id.
            if !state.table.mayHave(identity) { state.queries.forEach { $0.lookAgain() } }
            state.table.promotions[identity] = new
        }
        guard state.registry.isObserved(.resource(identity)) else { return [] }
        let replaced = state.registry.move(.resource(identity), to: .resource(new))
        state.table.unpin(identity)
        state.table.pin(new)
        return replaced
    }

    /// The result of a write.
    struct Outcome {
        var notes: [(identity: StoredIdentity, note: StoreJournal.Note)] = []
        var kept: [(key: StoreKey, change: PendingChange<KeptValue>)] = []
        /// The evicted resources that are read through the file from now on. No file has to save them.
        var readThrough: [StoredIdentity] = []
        var items: [ChangeDelivery.Item] = []
    }

    /// Tells files, live values, and observers of a write. Returns the resources that have changed.
    func publish(_ outcome: Outcome, _ state: State) -> [StoredIdentity] {
        delivery.enqueue(outcome.items)
        if !outcome.notes.isEmpty || !outcome.kept.isEmpty {
            for journal in state.journals {
                let isOfFile = journal.value === state.contentsJournal
                journal.value?.note(outcome.notes, isOfFile: isOfFile)
                journal.value?.note(outcome.kept, isOfFile: isOfFile)
            }
        }
        let changed = outcome.notes.map(\.identity)
        // What is read through the file from now on is the same as before.
        if !changed.isEmpty || !outcome.kept.isEmpty { state.queries.note(changed, outcome.kept.map(\.key), state.table) }
        return changed + outcome.readThrough
    }

    /// - Parameters:
    ///   - number: the number of the resource in its list, if it is new and not at the end.
    ///   - before: the resources that observers know, if the store read through another file.
    private func apply(
        _ change: PendingChange<[UInt8]>, to identity: StoredIdentity, _ number: Int?, _ before: ResourceTable?, _ state: inout State,
        _ outcome: inout Outcome
    ) {
        switch change {
        case .put(let text), .keep(let text), .load(let text?):
            let present = (try? state.table.place(of: identity).text()) ?? nil
            let isEqual = present.map { Bytes.areEqual(text, $0) } ?? false
            let earlier = before.map { (try? $0.place(of: identity).text()) ?? nil } ?? present
            if case .put = change, isEqual {
                state.table.noteUse(identity)
                return announce(identity, .updated, text, earlier, state, &outcome)
            }
            if case .keep = change, isEqual { return state.table.noteUse(identity) }
            let isPinned = limit != nil && state.registry.isObserved(.resource(identity))
            let existed = state.table.put(identity, text, commit: state.revision, isPinned: isPinned, number: number)
            if case .load = change {
                state.table.noteFiled(identity, true, upTo: state.revision)
                outcome.notes.append((identity, .loaded))
            } else {
                outcome.notes.append((identity, .stored))
            }
            if case .keep = change { return }
            if case .load = change, let earlier, Bytes.areEqual(text, earlier) { return }
            announce(identity, existed ? .updated : .inserted, text, earlier, state, &outcome)
        case .remove, .load(nil):
            guard state.table.mayHave(identity) else {
                if before?.mayHave(identity) ?? false { announce(identity, .removed, nil, nil, state, &outcome) }
                return
            }
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

    func evict(_ state: inout State, _ outcome: inout Outcome) {
        // If the file was lost that the store has read through, the resources in memory are saved when it is opened again.
        guard let limit, state.table.backing != nil || state.contentsJournal == nil else { return }
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
            var replaced = [state.registry.add(registration)].compactMap { $0 }
            if case .resource(let identity) = registration.target {
                state.table.pin(identity)
                // An id may have replaced the lid since the caller looked.
                if let new = state.table.promotions[identity], !state.table.mayHave(identity) {
                    replaced += move(identity, to: new, &state)
                }
            }
            return (replaced, candidates)
        }
        for registration in replaced { registration.cancel() }
        remove(candidates.filter { !$0.isAlive() })
    }

    /// Removes observers. They are released outside the lock.
    func remove(_ registrations: [Registration]) {
        guard !registrations.isEmpty else { return }
        let gone = state.withLock { state in
            registrations.compactMap { registration in
                let target = state.registry.target(of: registration)
                defer { unpin(target, &state) }
                return state.registry.remove(registration)
            }
        }
        for registration in gone { registration.cancel() }
    }

    func removeObserver(_ owner: ObjectIdentifier, _ target: ObservationTarget?) {
        let gone = state.withLock { state in
            let gone = state.registry.remove(owner: owner, target)
            for (_, target) in gone { unpin(target, &state) }
            return gone.map(\.registration)
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

    /// Returns the resources whose texts mention a lid. See `ResourceTable.identities(mentioning:)`.
    func identities(mentioning lid: StoredIdentity) throws -> [StoredIdentity] {
        // Some at a time, so that readers do not wait for all of them.
        while state.withLock({ $0.table.searchTexts() }) {}
        return try table.identities(mentioning: lid)
    }

    /// Whether an id has replaced any lid.
    var hasPromotions: Bool { state.withLock { !$0.table.promotions.isEmpty } }

    /// Returns the current identity of a resource. See `StoredIdentity.current`.
    func current(_ identity: StoredIdentity, _ type: Any.Type = ResourceObject.self) -> StoredIdentity {
        // Outside the lock, because the type of a model can be code of the program.
        let lower = identity.lowercasedUUID(type)
        return state.withLock { $0.table.current(identity, lowercased: lower) }
    }

    // MARK: - Live values

    func add(_ query: LiveQuery) { state.withLock { $0.queries.add(query) } }

    /// Notes the versions that a query shows, which were read from the given table.
    func show(
        _ versions: [StoredIdentity: Int], _ table: borrowing ResourceTable, _ kept: borrowing KeptTable, in query: LiveQuery
    ) {
        state.withLock { state in
            let isCurrent = table.lastChange == state.table.lastChange && kept.lastChange == state.kept.lastChange
            state.queries.show(versions, in: query, isCurrent: isCurrent)
        }
    }
}
