import Foundation

/// What was found out about Swift types, for all sessions and threads of the process. Asking a type what it conforms to takes the
/// runtime longer than a small document takes; the program's types are few, and the answers never change.
///
/// `@unchecked Sendable`: the lock protects the dictionary, and the answers are functions that hold nothing but types.
final class TypeMemory<Answer>: @unchecked Sendable {
    private let lock = NSLock()
    private var answers: [ObjectIdentifier: Answer] = [:]

    /// The answer for a type; found out without the lock, since that may ask for others.
    func answer(for type: Any.Type, _ findOut: () -> Answer) -> Answer {
        let key = ObjectIdentifier(type)
        if let known = lock.withLock({ answers[key] }) { return known }
        let answer = findOut()
        lock.withLock { answers[key] = answer }
        return answer
    }
}
