import JSONAPIArchive
import JSONText

/// The observers of a store, in the order of registration.
///
/// Functions that remove registrations return them, so that the caller can release them outside every lock.
struct ObserverRegistry {
    private typealias Member = (registration: Registration, number: Int)

    /// The observers of each target by their identity, with the numbers that order them.
    private var targets: [ObservationTarget: [ObjectIdentifier: Member]] = [:]
    /// The observers that have an owner.
    private var owners: [ObjectIdentifier: [ObservationTarget: Registration]] = [:]
    private var nextNumber = 0
    private var sizeAtNextSweep = 64

    private(set) var count = 0

    /// Adds an observer. If its owner already observes the same target, replaces that registration and returns the earlier one.
    mutating func add(_ registration: Registration) -> Registration? {
        let target = registration.target
        var replaced: Registration?
        var number = nextNumber
        nextNumber += 1
        if let owner = registration.owner {
            if let earlier = owners[owner]?[target], let member = targets[target]?[ObjectIdentifier(earlier)] {
                number = member.number
                replaced = remove(earlier)
            }
            owners[owner, default: [:]][target] = registration
        }
        targets[target, default: [:]][ObjectIdentifier(registration)] = (registration, number)
        count += 1
        return replaced
    }

    /// Removes an observer if it is registered.
    mutating func remove(_ registration: Registration) -> Registration? {
        let target = registration.target
        guard targets[target]?.removeValue(forKey: ObjectIdentifier(registration)) != nil else { return nil }
        count -= 1
        if targets[target]?.isEmpty == true { targets[target] = nil }
        if let owner = registration.owner {
            owners[owner]?[target] = nil
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        }
        return registration
    }

    /// Removes the observers of an owner for one target, or all of them if the target is nil.
    mutating func remove(owner: ObjectIdentifier, _ target: ObservationTarget?) -> [Registration] {
        guard let target else { return (owners[owner] ?? [:]).values.compactMap { remove($0) } }
        return owners[owner]?[target].flatMap { remove($0) }.map { [$0] } ?? []
    }

    /// Returns all observers if their number has doubled since the last sweep; otherwise none. The caller can then remove those whose
    /// owners no longer exist.
    ///
    /// Do not check under a lock whether an owner still exists. The check itself may release the owner.
    mutating func dueForSweep() -> [Registration] {
        guard count >= sizeAtNextSweep else { return [] }
        sizeAtNextSweep = count * 2
        return all
    }

    func isObserved(_ target: ObservationTarget) -> Bool { targets[target] != nil }

    /// Returns the observers of a resource, then those of its type, each in the order of registration.
    func observers(of identity: StoredIdentity) -> [Registration] {
        guard count > 0 else { return [] }
        return members(.resource(identity)) + members(.type(ByteText(identity.type)))
    }

    var all: [Registration] { targets.values.flatMap { $0.values.map(\.registration) } }

    private func members(_ target: ObservationTarget) -> [Registration] {
        guard let members = targets[target] else { return [] }
        return members.values.sorted { $0.number < $1.number }.map(\.registration)
    }
}
