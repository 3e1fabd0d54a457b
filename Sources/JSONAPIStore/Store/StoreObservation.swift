import Foundation
import JSONAPIArchive
import JSONText

/// An observer of a store. It ends when you cancel it, or when nothing refers to it any more.
///
/// ```swift
/// observation = store.observe(identifier) { change in … }
/// observation.cancel()
/// ```
///
/// After `cancel` has returned, no later change is reported. A call that another thread has begun may still be running, or about to enter
/// your code. `cancel` does not wait for it, because that call might be waiting for the caller.
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
    case type(ByteText)
}

/// A registered observer, and whether it is still active.
final class Registration: Sendable {
    /// What it observed first. The registry knows what it observes now.
    let target: ObservationTarget
    let owner: ObjectIdentifier?
    /// Returns whether the owner still exists, if there is one. Calls no code of the program.
    let isAlive: @Sendable () -> Bool
    private let observer: @Sendable (ResourceChange) -> Bool
    private let end: @Sendable () -> Void
    private let isActive = Locked(true)

    /// - Parameters:
    ///   - observer: returns false if its owner no longer exists.
    ///   - end: called once, when the observation is canceled or the store ends.
    init(
        _ target: ObservationTarget, owner: ObjectIdentifier? = nil, _ observer: @escaping @Sendable (ResourceChange) -> Bool,
        isAlive: @escaping @Sendable () -> Bool = { true }, end: @escaping @Sendable () -> Void = {}
    ) {
        self.target = target
        self.owner = owner
        self.isAlive = isAlive
        self.end = end
        self.observer = observer
    }

    /// Calls the observer unless it was canceled. Returns false if its owner no longer exists.
    func call(_ change: ResourceChange) -> Bool {
        guard isActive.withLock({ $0 }) else { return true }
        return observer(change)
    }

    /// Cancels the registration. Returns whether it was active.
    @discardableResult
    func cancel() -> Bool {
        let wasActive = isActive.withLock { isActive in
            defer { isActive = false }
            return isActive
        }
        if wasActive { end() }
        return wasActive
    }
}
