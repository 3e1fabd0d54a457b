import JSONAPICodec

/// What a transaction does to one resource.
enum PendingChange: Sendable {
    case put([UInt8])
    /// The text is the one that the file of the store has.
    case load([UInt8])
    case remove
}

/// The changes of a transaction that is not committed yet, over the resources of the store.
///
/// References that were read inside the transaction resolve through it. Once it is over, it is empty, and they resolve through
/// the store.
final class PendingChanges: ResourceSource {
    fileprivate struct State {
        var changes: [StoredIdentity: PendingChange] = [:]
        /// The identities in the order of their first change; some may have been rolled back.
        var order: [StoredIdentity] = []
        /// What was there before each change, for a rollback.
        var undo: [Step] = []
        /// Changes beside resources.
        var kept: [StoreKey: KeptChange] = [:]
        /// The requests that were changed, by what they are about. Some may be about something else by now, or rolled back.
        var requestsByTarget: [StoredIdentity: [RequestKey]] = [:]
        var lastRequestNumber = 0
        /// What commits of drafts want to know.
        var outcomes: [ChangeOutcome] = []
        var isOver = false
    }

    fileprivate enum Step {
        case resource(StoredIdentity, before: PendingChange?)
        case kept(StoreKey, before: KeptChange?)
    }

    private let core: StoreCore
    private weak let store: ResourceStore?
    private let state = Locked(State())

    init(_ store: ResourceStore) {
        core = store.core
        self.store = store
    }

    /// The text of a resource as the transaction sees it. Throws `ArchiveError` when it is in a file and damaged there.
    func text(_ identity: StoredIdentity) throws -> [UInt8]? {
        switch state.withLock({ $0.changes[identity] }) {
        case .put(let text), .load(let text): text
        case .remove: nil
        case nil: try core.found(identity).text
        }
    }

    /// The same, unless the store has it in its file alone.
    func heldText(_ identity: StoredIdentity) -> [UInt8]? {
        switch state.withLock({ $0.changes[identity] }) {
        case .put(let text), .load(let text): return text
        case .remove: return nil
        case nil:
            guard case .held(let text) = core.read({ $0.place(of: identity) }) else { return nil }
            return text
        }
    }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? { try StoredIdentity(identifier).flatMap(text) }

    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        guard let store, state.withLock({ $0.isOver }) else { return try read() }
        return try store.resource(type, identifier)
    }

    func set(_ identity: StoredIdentity, _ change: PendingChange) {
        state.withLock { state in
            let before = state.changes.updateValue(change, forKey: identity)
            if before == nil { state.order.append(identity) }
            state.undo.append(.resource(identity, before: before))
        }
    }

    /// All resources as the transaction sees them, or those of one type, those of the store first. Throws `ArchiveError` if the directory of the
    /// store's file is damaged.
    func identities(ofType type: String? = nil) throws -> [StoredIdentity] {
        let table = core.table
        let stored = try type.map(table.listed(ofType:)) ?? table.listed()
        let known = Set(stored)
        return state.withLock { state in
            var seen: Set<StoredIdentity> = []
            let present = stored.filter { if case .remove? = state.changes[$0] { false } else { true } }
            let new = state.order.filter { identity in
                if case .remove? = state.changes[identity] { return false }
                guard state.changes[identity] != nil, !known.contains(identity), type.map(TypeName.init)?.isType(of: identity) ?? true
                else {
                    return false
                }
                return seen.insert(identity).inserted
            }
            return present + new
        }
    }

    /// What `body` answers. When it throws, its changes are taken back.
    func atomically<Answer>(_ body: () throws -> Answer) rethrows -> Answer {
        let (mark, outcomes) = state.withLock { ($0.undo.count, $0.outcomes.count) }
        do {
            return try body()
        } catch {
            state.withLock { state in
                state.rollBack(to: mark)
                while state.outcomes.count > outcomes { state.outcomes.popLast()?.settle(isKept: false) }
            }
            throw error
        }
    }

    /// What becomes of the changes so far: whether they reach the store.
    func outcome() -> ChangeOutcome {
        let outcome = ChangeOutcome()
        state.withLock { $0.outcomes.append(outcome) }
        return outcome
    }

    /// Tells those who want to know what became of the changes.
    func settle(isKept: Bool) {
        let outcomes = state.withLock { state in
            defer { state.outcomes = [] }
            return state.outcomes
        }
        for outcome in outcomes { outcome.settle(isKept: isKept) }
    }

    /// Ends it: all changes, each identity once, in the order of their first change. None are left.
    func take() -> TransactionChanges {
        state.withLock { state in
            var taken = state
            state = State(outcomes: taken.outcomes, isOver: true)
            let resources = taken.order.compactMap { identity in
                taken.changes.removeValue(forKey: identity).map { (identity, $0) }
            }
            return TransactionChanges(resources: resources, kept: taken.kept.map { ($0.key, $0.value) })
        }
    }
}

/// Everything that a transaction changes.
struct TransactionChanges {
    /// Each identity once, in the order of their first change.
    let resources: [(identity: StoredIdentity, change: PendingChange)]
    /// Each key once, in no order.
    let kept: [(key: StoreKey, change: KeptChange)]

    var isEmpty: Bool { resources.isEmpty && kept.isEmpty }
}

// MARK: - Lids

extension PendingChanges {
    /// Notes that a resource with a lid has got an id, whatever becomes of the transaction: nobody asks while the lid is there.
    func notePromotion(_ local: StoredIdentity, to identity: StoredIdentity) { core.notePromotion(local, to: identity) }

    /// What a resource is called now: the id that has taken the place of a lid.
    func current(_ identity: StoredIdentity) throws -> StoredIdentity {
        guard let promoted = core.promoted(identity), try text(identity) == nil else { return identity }
        return promoted
    }
}

// MARK: - Beside resources

extension PendingChanges {
    /// What a key names, as the transaction sees it.
    func kept(_ key: StoreKey) -> KeptValue? {
        if let change = state.withLock({ $0.kept[key] }) { return change.value }
        return core.readKept { $0.value(key) }
    }

    func setKept(_ key: StoreKey, _ change: KeptChange) {
        state.withLock { state in
            let before = state.kept.updateValue(change, forKey: key)
            state.undo.append(.kept(key, before: before))
            guard case .request(let place) = key else { return }
            state.lastRequestNumber = max(state.lastRequestNumber, place.number)
            if let identity = change.value?.request?.identity { state.requestsByTarget[identity, default: []].append(place) }
        }
    }

    /// Everything that is kept, in no order, as the transaction sees it.
    var keptKeys: [StoreKey] {
        let changes = state.withLock { $0.kept }
        return core.readKept { $0.keys }.filter { changes[$0] == nil } + changes.filter { $0.value.value != nil }.map(\.key)
    }

    /// The waiting requests, oldest first, as the transaction sees them.
    ///
    /// - Complexity: O(1), or O(n) once the transaction has changed one, n = requests.
    var requests: [QueuedRequest] {
        let changed = requestChanges
        let stored = core.readKept { $0.requests }
        guard !changed.isEmpty else { return stored }
        let rest = stored.filter { changed[.request($0.key)] == nil }
        return (rest + changed.compactMap { $0.value.value?.request }).sorted { $0.key < $1.key }
    }

    /// The waiting requests about a resource, oldest first, as the transaction sees them.
    ///
    /// - Complexity: O(n), n = requests about it.
    func requests(about identity: StoredIdentity) -> [QueuedRequest] {
        let stored = core.readKept { $0.requests(about: identity) }
        let changed = state.withLock { $0.requestsByTarget[identity] ?? [] }
        if stored.isEmpty, changed.isEmpty { return [] }
        return Set(stored + changed).sorted().compactMap { key in
            kept(.request(key))?.request.flatMap { $0.identity == identity ? $0 : nil }
        }
    }

    /// False only if no request waits.
    var mayHaveRequests: Bool { state.withLock { $0.lastRequestNumber > 0 } || core.readKept { !$0.requests.isEmpty } }

    /// A number greater than that of any request.
    var nextRequestNumber: Int {
        let last = core.readKept { $0.requests.last?.key.number ?? 0 }
        return max(last, state.withLock { $0.lastRequestNumber }) + 1
    }

    private var requestChanges: [StoreKey: KeptChange] {
        state.withLock { state in
            guard !state.kept.isEmpty else { return [:] }
            return state.kept.filter { if case .request = $0.key { true } else { false } }
        }
    }
}

extension PendingChanges.State {
    fileprivate mutating func rollBack(to mark: Int) {
        while undo.count > mark, let step = undo.popLast() {
            switch step {
            case .resource(let identity, let before): changes[identity] = before
            case .kept(let key, let before): kept[key] = before
            }
        }
    }
}
