public import Foundation

/// A value protected by a lock of its own.
///
/// The functions can be inlined, because each use has its own type of the state, and generic code of another module is not specialized.
///
/// `@unchecked Sendable`: only `withLock` accesses `state`.
@usableFromInline
package final class Locked<State>: @unchecked Sendable {
    @usableFromInline let lock = NSLock()
    @safe @exclusivity(unchecked) @usableFromInline var state: State

    @inlinable
    package init(_ state: State) { self.state = state }

    /// Calls `body` under the lock and returns its result. `body` must not call the program's code or release its values. Either could call
    /// this function again and deadlock.
    @inlinable
    package func withLock<Answer>(_ body: (inout State) throws -> Answer) rethrows -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }
}
