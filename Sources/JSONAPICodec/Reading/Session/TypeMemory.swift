import Foundation

/// What was found out about Swift types, for all sessions and threads of the process. Asking a type what it conforms to takes the
/// runtime longer than a small document takes; the program's types are few, and the answers never change.
///
/// `@unchecked Sendable`: the lock protects the table, and the answers are functions that hold nothing but types.
final class TypeMemory<Answer>: @unchecked Sendable {
    private final class Known {
        let answer: Answer
        init(_ answer: Answer) { self.answer = answer }
    }

    private let lock = Lock()
    /// Filled below only, with objects of one class.
    private let table = TypeTable(capacity: 64)

    /// The answer for a type; found out without the lock, since that may ask for others.
    func answer(for type: Any.Type, _ findOut: () -> Answer) -> Answer {
        if let known = known(type) { return known.answer }
        let answer = findOut()
        lock.withLock {
            // Another thread may have been quicker.
            if table.object(for: ObjectIdentifier(type)) == nil { table.insert(Known(answer), for: ObjectIdentifier(type)) }
        }
        return answer
    }

    private func known(_ type: Any.Type) -> Known? {
        lock.lock()
        defer { lock.unlock() }
        return table.object(for: ObjectIdentifier(type), as: Known.self)
    }
}
