import Foundation

/// One observer of a store. It ends when it is cancelled or nothing refers to it any more.
///
/// ```swift
/// observation = store.observe(identifier) { change in … }
/// observation.cancel()
/// ```
///
/// After `cancel` has returned no call begins. One that has begun on another thread may still be running; nobody waits for it,
/// as it might wait for the caller.
public final class StoreObservation: Sendable {
    private let registration: Registration?
    private let end: @Sendable () -> Void

    /// - Parameter registration: nil for an observation of nothing.
    init(_ registration: Registration?, end: @escaping @Sendable () -> Void) {
        self.registration = registration
        self.end = end
    }

    deinit { cancel() }

    /// Ends the observation. A second call does nothing.
    public func cancel() {
        if registration?.cancel() == true { end() }
    }
}

/// What an observer is registered for.
enum ObservationTarget: Hashable, Sendable {
    case resource(StoredIdentity)
    case type(TypeName)
}

/// One observer, and whether it is still to be called.
final class Registration: Sendable {
    let target: ObservationTarget
    let owner: ObjectIdentifier?
    private let observer: Observer
    private let isActive = Locked(true)

    /// How an observer is reached.
    struct Observer: Sendable {
        /// Answers false when there is nobody to call any more.
        let call: @Sendable (ResourceChange) -> Bool
        /// Whether there still is somebody to call.
        var isAlive: @Sendable () -> Bool = { true }
        /// Called once, when the observation is cancelled or the store ends.
        var end: @Sendable () -> Void = {}
    }

    init(_ target: ObservationTarget, owner: ObjectIdentifier? = nil, _ observer: Observer) {
        self.target = target
        self.owner = owner
        self.observer = observer
    }

    /// Whether its owner, if it has one, is still there. Calls no code of the program.
    var isAlive: Bool { observer.isAlive() }

    /// Tells the observer, unless it was cancelled; answers false when there was nobody to call.
    func call(_ change: ResourceChange) -> Bool {
        guard isActive.withLock({ $0 }) else { return true }
        return observer.call(change)
    }

    /// Answers whether it was active.
    @discardableResult
    func cancel() -> Bool {
        let wasActive = isActive.withLock { isActive in
            defer { isActive = false }
            return isActive
        }
        if wasActive { observer.end() }
        return wasActive
    }
}
