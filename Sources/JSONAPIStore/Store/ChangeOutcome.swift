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
    /// The request that has the changes; nil if none has.
    let request: RequestKey?
    var isOfRequest: Bool { request != nil }

    init(of request: RequestKey?) {
        self.request = request
        state = Locked(State(isQueued: request != nil))
    }

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
    /// The places of the changes with requests, counted with the states that are no longer needed.
    private var requests: [Int] = []
    private var removedCount = 0

    /// The number of states before the first change that was rolled back. Later states contain that change.
    ///
    /// - Complexity: O(n), n = number of changes with requests. Only these can be rolled back before later changes. A transaction rolls back
    ///   its newest changes.
    private var validCount: Int {
        let end = requests.lazy.map { $0 - removedCount }.first { states[$0].outcome.isTakenBack } ?? states.count
        return (states[..<end].lastIndex { !$0.outcome.isTakenBack } ?? -1) + 1
    }

    /// The last state before the first change that was rolled back; nil if there is none.
    var last: State? { states[..<validCount].last?.state }

    mutating func append(_ state: State, _ outcome: ChangeOutcome) {
        states.removeSubrange(validCount...)
        // A permanent change cannot be rolled back, so earlier states are no longer needed.
        let unneededCount = max(states.prefix { $0.outcome.isFinal }.count - 1, 0)
        states.removeFirst(unneededCount)
        removedCount += unneededCount
        states.append((state, outcome))
        let places = removedCount..<removedCount + states.count - 1
        requests.removeAll { !places.contains($0) }
        if outcome.isOfRequest { requests.append(places.upperBound) }
    }
}
