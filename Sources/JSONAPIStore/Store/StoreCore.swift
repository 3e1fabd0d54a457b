import JSONAPICodec

/// The resources of a store, its observers and the number of its last write, behind one lock.
///
/// It knows no decoded values: values that were read refer to it, and must not keep themselves alive.
final class StoreCore: ResourceSource {
    private struct State {
        var table: ResourceTable
        var registry = ObserverRegistry()
        var journals: [WeakJournal] = []
        var revision = 0
    }

    private struct WeakJournal {
        weak var value: StoreJournal?
    }

    private let state: Locked<State>
    private let limit: Int?
    private let delivery = ChangeDelivery()

    init(limit: Int?) {
        self.limit = limit.map { max(0, $0) }
        state = Locked(State(table: ResourceTable(tracksUse: limit != nil)))
    }

    // MARK: - Reading

    /// The resources as they are at this moment.
    var table: ResourceTable { state.withLock { $0.table } }

    func read<Answer>(_ body: (borrowing ResourceTable) -> Answer) -> Answer { state.withLock { body($0.table) } }

    /// The text of a resource and its version. Counts as use.
    func entry(_ identity: StoredIdentity) -> ResourceTable.Entry? {
        state.withLock { state in
            state.table.noteUse(identity)
            return state.table.entry(identity)
        }
    }

    func noteUse(_ identities: [StoredIdentity]) {
        guard limit != nil else { return }
        state.withLock { state in
            for identity in identities { state.table.noteUse(identity) }
        }
    }

    func resourceText(_ identifier: ResourceIdentifier) -> [UInt8]? { StoredIdentity(identifier).flatMap { entry($0)?.text } }

    /// The number of the last change when none of these resources has another version than it had; else nil.
    func confirm(_ dependencies: [StoredIdentity: Int], knownAt change: Int, using identity: StoredIdentity) -> Int? {
        state.withLock { state in
            state.table.noteUse(identity)
            return state.table.confirm(dependencies, knownAt: change)
        }
    }

    // MARK: - Writing

    /// Applies changes at once, as one write. Answers the resources that are no longer what they were.
    func commit(_ changes: [(identity: StoredIdentity, change: PendingChange)]) -> [StoredIdentity] {
        guard !changes.isEmpty else { return [] }
        return state.withLock { state in
            state.revision += 1
            var outcome = Outcome()
            for (identity, change) in changes { apply(change, to: identity, &state, &outcome) }
            evict(&state, &outcome)
            for journal in state.journals { journal.value?.note(outcome.notes) }
            delivery.enqueue(outcome.items)
            return outcome.notes.map(\.identity)
        }
    }

    /// What a write did.
    private struct Outcome {
        var notes: [(identity: StoredIdentity, note: StoreJournal.Note)] = []
        var items: [ChangeDelivery.Item] = []
    }

    private func apply(_ change: PendingChange, to identity: StoredIdentity, _ state: inout State, _ outcome: inout Outcome) {
        switch change {
        case .put(let text):
            let isPinned = limit != nil && state.registry.isObserved(.resource(identity))
            let existed = state.table.put(identity, text, commit: state.revision, isPinned: isPinned)
            outcome.notes.append((identity, .stored))
            announce(identity, existed ? .updated : .inserted, text, state, &outcome)
        case .remove:
            guard state.table.remove(identity, commit: state.revision) != nil else { return }
            outcome.notes.append((identity, .removed))
            announce(identity, .removed, nil, state, &outcome)
        }
    }

    private func evict(_ state: inout State, _ outcome: inout Outcome) {
        guard let limit else { return }
        while state.table.count > limit, let oldest = state.table.leastRecentlyUsed {
            guard let text = state.table.remove(oldest, commit: state.revision) else { return }
            outcome.notes.append((oldest, .evicted(text)))
            announce(oldest, .evicted, nil, state, &outcome)
        }
    }

    private func announce(
        _ identity: StoredIdentity, _ kind: ResourceChange.Kind, _ text: [UInt8]?, _ state: borrowing State, _ outcome: inout Outcome
    ) {
        let observers = state.registry.observers(of: identity)
        guard !observers.isEmpty else { return }
        let change = ResourceChange(kind: kind, identifier: identity.identifier, revision: state.revision, text: text)
        outcome.items.append(ChangeDelivery.Item(change: change, observers: observers))
    }

    /// Tells the observers what is queued. To be called without any lock.
    func deliver() { remove(delivery.deliver()) }

    // MARK: - Observing

    func add(_ registration: Registration) {
        let (replaced, candidates) = state.withLock { state in
            let candidates = state.registry.dueForSweep()
            let replaced = state.registry.add(registration)
            if case .resource(let identity) = registration.target { state.table.pin(identity) }
            return (replaced, candidates)
        }
        replaced?.cancel()
        remove(candidates.filter { !$0.isAlive })
    }

    /// Takes observers out. They are let go of after the lock.
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

    /// Ends all observations: the store is gone.
    func endObservations() { remove(state.withLock { $0.registry.all }) }

    var observerCount: Int { state.withLock { $0.registry.count } }

    // MARK: - Journals

    /// A journal of all changes from now on, with the resources as they are now.
    func journal() -> (StoreJournal, ResourceTable) {
        let journal = StoreJournal(self)
        return state.withLock { state in
            state.journals.removeAll { $0.value == nil }
            state.journals.append(WeakJournal(value: journal))
            return (journal, state.table)
        }
    }
}
