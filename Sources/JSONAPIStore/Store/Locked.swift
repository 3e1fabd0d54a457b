import Foundation

/// A value behind a lock of its own.
///
/// `@unchecked Sendable`: `state` is reached by `withLock` alone.
final class Locked<State>: @unchecked Sendable {
    private let lock = NSLock()
    private var state: State

    init(_ state: State) { self.state = state }

    /// What `body` answers. It calls no code of the program and lets go of no value of the program's: both could come back
    /// here.
    func withLock<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
