import Foundation

/// What is known of Swift types, for all sessions of the process. Asking a type what it conforms to takes the runtime longer than
/// writing a small resource; the program's types are few, and their answers never change.
///
/// Unchecked: the answers are closures that hold types, nothing that changes.
final class TypeMemory<Answer>: @unchecked Sendable {
    private let lock = NSLock()
    private var answers: [ObjectIdentifier: Answer] = [:]

    /// What is known by now.
    var all: [ObjectIdentifier: Answer] { lock.withLock { answers } }

    func remember(_ answer: Answer, for type: ObjectIdentifier) {
        lock.withLock { answers[type] = answer }
    }
}
