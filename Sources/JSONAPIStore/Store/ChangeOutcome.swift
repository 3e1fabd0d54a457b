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
