import Foundation

/// Delivers changes to observers, in the order of the writes, outside every lock.
///
/// The writer delivers its changes, unless another thread is delivering already, which then continues with these changes. So a callback may
/// write, register and cancel; what it writes is delivered after the changes before it.
///
/// A writer delivers its own changes, those queued before them, and those that its callbacks make. If other writers have queued more by then,
/// a system thread continues, so that no writer delivers the changes of all others.
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
        /// The thread of the writer that delivers; nil for a system thread.
        var thread: ObjectIdentifier?
    }

    private let state = Locked(State())

    /// Called in the order of the writes.
    func enqueue(_ items: [Item]) {
        guard !items.isEmpty else { return }
        let thread = ObjectIdentifier(Thread.current)
        state.withLock { state in
            state.queue += items
            if !state.isDelivering || state.thread == nil || state.thread == thread { state.due = state.queue.count }
        }
    }

    /// Delivers the queued changes, unless another thread is doing so. Passes observers that turned out to be gone to `end`.
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

    /// The items to deliver next; nil if the deliverer has done its part.
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
