import Foundation

/// A value protected by a lock of its own.
///
/// `@unchecked Sendable`: only `withLock` accesses `state`.
final class Locked<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    /// Calls `body` under the lock and returns its result. `body` must not call the program's code or release its values. Either could call
    /// this function again and deadlock.
    func withLock<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
