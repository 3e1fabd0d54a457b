import Foundation
import JSONAPIArchive

/// Delivers changes to observers in the order of the writes, without holding a lock.
///
/// The writer delivers its own changes. If another thread is already delivering, that thread delivers these changes as well. A callback can
/// therefore write, register and cancel. Its writes are delivered after earlier changes.
///
/// A writer delivers its own changes, those queued before them, and those that its callbacks make. If other writers have queued more by
/// then, a system thread continues. No writer has to deliver the changes of all others.
final class ChangeDelivery: Sendable {
    struct Item: Sendable {
        let change: ResourceChange
        let observers: [Registration]
    }

    private struct State {
        var queue: [Item] = []
        /// The number of items that the current deliverer still has to deliver.
        var due = 0
        var isDelivering = false
        /// The thread of the writer that is delivering; nil for a system thread.
        var thread: ObjectIdentifier?
    }

    private let state = Locked(State())

    /// Queues changes. Callers must use the order of the writes.
    func enqueue(_ items: [Item]) {
        guard !items.isEmpty else { return }
        let thread = ObjectIdentifier(Thread.current)
        state.withLock { state in
            state.queue += items
            if !state.isDelivering || state.thread == nil || state.thread == thread { state.due = state.queue.count }
        }
    }

    /// Delivers the queued changes, unless another thread is doing so. Calls `end` with the observers whose owners no longer exist.
    func deliver(_ end: @escaping @Sendable ([Registration]) -> Void) {
        let thread = ObjectIdentifier(Thread.current)
        let mayBegin = state.withLock { state in
            guard !state.isDelivering, !state.queue.isEmpty else { return false }
            state.isDelivering = true
            state.thread = thread
            return true
        }
        if mayBegin { goOn(end) }
    }

    private func goOn(_ end: @escaping @Sendable ([Registration]) -> Void) {
        var gone: [Registration] = []
        while let items = next() {
            for item in items {
                for observer in item.observers where !observer.call(item.change) { gone.append(observer) }
            }
        }
        end(gone)
        let isLeft = state.withLock { state in
            state.isDelivering = !state.queue.isEmpty
            state.thread = nil
            state.due = state.queue.count
            return state.isDelivering
        }
        if isLeft { Platform.runLater { self.goOn(end) } }
    }

    /// Returns the items to deliver next; nil if the deliverer has done its part.
    private func next() -> [Item]? {
        state.withLock { state in
            guard state.due > 0 else { return nil }
            let items = Array(state.queue[..<state.due])
            state.queue.removeFirst(state.due)
            state.due = 0
            return items
        }
    }
}
