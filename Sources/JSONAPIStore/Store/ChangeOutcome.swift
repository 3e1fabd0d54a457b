import JSONAPIArchive

/// The outcome of changes that were made inside a transaction.
final class ChangeOutcome: Sendable {
    private let isKept = Locked<Bool?>(nil)

    /// Whether the transaction, or the part of it with the changes, was rolled back.
    var isTakenBack: Bool { isKept.withLock { $0 == false } }

    /// Whether the changes are in the store permanently.
    var isFinal: Bool { isKept.withLock { $0 == true } }

    func settle(isKept: Bool) { self.isKept.withLock { $0 = isKept } }
}

/// The states of a draft, each with the outcome of the change that led to it, oldest first.
struct OutcomeStates<State: Sendable>: Sendable {
    private var states: [(state: State, outcome: ChangeOutcome)] = []

    /// The last state whose change was not rolled back; nil if there is none.
    var last: State? { states.last { !$0.outcome.isTakenBack }?.state }

    mutating func append(_ state: State, _ outcome: ChangeOutcome) {
        // A rollback takes the newest changes back, so only these need a look.
        while states.last?.outcome.isTakenBack == true { states.removeLast() }
        // A permanent change cannot be rolled back, so earlier states are no longer needed.
        if let last = states.last, last.outcome.isFinal { states = [last] }
        states.append((state, outcome))
    }
}
