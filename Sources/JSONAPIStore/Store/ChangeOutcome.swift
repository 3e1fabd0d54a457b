import JSONAPIArchive

/// The outcome of changes that were made inside a transaction. A request can wait with them afterwards.
final class ChangeOutcome: Sendable {
    private struct State {
        /// Whether the changes are in the store; nil while the transaction goes on.
        var isKept: Bool?
        /// Whether the request with the changes is in the queue.
        var isQueued: Bool
        /// Whether the request with the changes was rolled back.
        var isRolledBack = false
    }

    private let state: Locked<State>

    init(isQueued: Bool) { state = Locked(State(isQueued: isQueued)) }

    /// Whether the transaction, the part of it with the changes, or their request was rolled back.
    var isTakenBack: Bool { state.withLock { $0.isKept == false || $0.isRolledBack } }

    /// Whether the changes are in the store permanently.
    var isFinal: Bool { state.withLock { $0.isKept == true && !$0.isQueued && !$0.isRolledBack } }

    func settle(isKept: Bool) { state.withLock { $0.isKept = isKept } }

    /// Notes that the request with the changes was rolled back, or that this did not happen after all.
    func settleRequest(isRolledBack: Bool) { state.withLock { $0.isRolledBack = isRolledBack } }

    /// Notes that the request with the changes has left the queue.
    func noteEndOfRequest() { state.withLock { $0.isQueued = false } }
}

/// The states of a draft, each with the outcome of the change that led to it, oldest first.
struct OutcomeStates<State: Sendable>: Sendable {
    private var states: [(state: State, outcome: ChangeOutcome)] = []

    /// The last state before the first change that was rolled back; nil if there is none. Later states contain that change.
    var last: State? { states.prefix { !$0.outcome.isTakenBack }.last?.state }

    mutating func append(_ state: State, _ outcome: ChangeOutcome) {
        if let first = states.firstIndex(where: { $0.outcome.isTakenBack }) { states.removeSubrange(first...) }
        // A permanent change cannot be rolled back, so earlier states are no longer needed.
        let final = states.prefix { $0.outcome.isFinal }
        states.removeFirst(max(final.count - 1, 0))
        states.append((state, outcome))
    }
}
