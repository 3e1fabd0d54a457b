import Foundation

/// Hands changes to observers, in the order of the writes, outside every lock.
///
/// Whoever wrote delivers, unless somebody is delivering already: then that one goes on with these changes. So a callback may
/// write, register and cancel; what it writes is delivered after the changes before it.
///
/// A writer delivers its own changes, what was queued before them, and what its callbacks write. When others have queued more by then, a
/// thread of the system goes on with that, so that no writer works for all the others.
final class ChangeDelivery: Sendable {
    struct Item: Sendable {
        let change: ResourceChange
        let observers: [Registration]
    }

    private struct State {
        var queue: [Item] = []
        /// How many items of the queue the present deliverer still has to deliver.
        var due = 0
        var isDelivering = false
        /// The thread of a writer that delivers; nil for one of the system.
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

    /// Delivers what is queued, unless somebody is at it. `end` gets the observers that turned out to be gone.
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

    /// What is to be delivered next; nil when the deliverer has done its part.
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
