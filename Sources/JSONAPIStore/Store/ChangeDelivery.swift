/// Hands changes to observers, in the order of the writes, outside every lock.
///
/// Whoever wrote delivers, unless somebody is delivering already: then that one goes on with these changes. So a callback may
/// write, register and cancel; what it writes is delivered after the changes before it.
final class ChangeDelivery: Sendable {
    struct Item: Sendable {
        let change: ResourceChange
        let observers: [Registration]
    }

    private struct State {
        var queue: [Item] = []
        var isDelivering = false
    }

    private let state = Locked(State())

    /// Called in the order of the writes.
    func enqueue(_ items: [Item]) {
        guard !items.isEmpty else { return }
        state.withLock { $0.queue += items }
    }

    /// Delivers what is queued, unless somebody is at it. Answers the observers that turned out to be gone.
    func deliver() -> [Registration] {
        var gone: [Registration] = []
        var mayBegin = true
        while let items = next(mayBegin: mayBegin) {
            mayBegin = false
            for item in items {
                for observer in item.observers where !observer.call(item.change) { gone.append(observer) }
            }
        }
        return gone
    }

    /// What is to be delivered by the caller; nil when there is nothing left, or somebody else is at it.
    private func next(mayBegin: Bool) -> [Item]? {
        state.withLock { state in
            guard !state.isDelivering || !mayBegin else { return nil }
            let items = state.queue
            state.queue = []
            state.isDelivering = !items.isEmpty
            return items.isEmpty ? nil : items
        }
    }
}
