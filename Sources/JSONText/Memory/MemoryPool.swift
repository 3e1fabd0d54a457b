/// Keeps up to four unused objects, such as the memory of a call, for future calls.
///
/// `@unchecked Sendable`: the list is accessed only under the lock, and only one call has an object at a time.
package final class MemoryPool: @unchecked Sendable {
    private let lock = Lock()
    // Unchecked, because the lock is held.
    @safe @exclusivity(unchecked) private var kept: [AnyObject] = []

    package init() {}

    /// Returns an object that was kept, and no longer keeps it.
    package func take() -> AnyObject? { lock.withLock { kept.popLast() } }

    /// Returns the object that was kept last and that fits, and no longer keeps it.
    func take(where fits: (AnyObject) -> Bool) -> AnyObject? {
        lock.withLock { kept.lastIndex(where: fits).map { kept.remove(at: $0) } }
    }

    /// Keeps an object that is no longer used, unless there are four.
    package func keep(_ object: AnyObject) {
        lock.withLock {
            if kept.count < 4 { kept.append(object) }
        }
    }
}
