import Foundation

/// A value protected by a lock of its own.
///
/// `@unchecked Sendable`: `state` is reached by `withLock` alone.
final class Locked<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    /// Returns what `body` returns. `body` must not call the program's code or release its values: either could come back here and
    /// deadlock.
    func withLock<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
