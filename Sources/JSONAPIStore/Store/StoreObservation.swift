import Foundation

/// An observer of a store. It ends when you cancel it, or when nothing refers to it any more.
///
/// ```swift
/// observation = store.observe(identifier) { change in … }
/// observation.cancel()
/// ```
///
/// No call begins after `cancel` has returned. A call that began on another thread may still be running. `cancel` does not wait for it,
/// because that call might be waiting for the caller.
public final class StoreObservation: Sendable {
    private let registration: Registration?
    private let end: @Sendable () -> Void

    /// - Parameter registration: nil if nothing is observed.
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

/// The resource or the type that an observer observes.
enum ObservationTarget: Hashable, Sendable {
    case resource(StoredIdentity)
    case type(TypeName)
}

/// A registered observer, and whether it is still active.
final class Registration: Sendable {
    let target: ObservationTarget
    let owner: ObjectIdentifier?
    private let observer: Observer
    private let isActive = Locked(true)

    /// How to call an observer.
    struct Observer: Sendable {
        /// Calls the observer. Returns false if its owner no longer exists.
        let call: @Sendable (ResourceChange) -> Bool
        /// Returns whether the owner still exists.
        var isAlive: @Sendable () -> Bool = { true }
        /// Called once, when the observation is canceled or the store ends.
        var end: @Sendable () -> Void = {}
    }

    init(_ target: ObservationTarget, owner: ObjectIdentifier? = nil, _ observer: Observer) {
        self.target = target
        self.owner = owner
        self.observer = observer
    }

    /// Whether the owner still exists, if there is one. Calls no code of the program.
    var isAlive: Bool { observer.isAlive() }

    /// Calls the observer unless it was canceled. Returns false if its owner no longer exists.
    func call(_ change: ResourceChange) -> Bool {
        guard isActive.withLock({ $0 }) else { return true }
        return observer.call(change)
    }

    /// Cancels the registration. Returns whether it was active.
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
