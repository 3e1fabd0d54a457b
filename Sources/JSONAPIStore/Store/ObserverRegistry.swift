import JSONText

/// The observers of a store, in the order of registration.
///
/// Functions that remove registrations return them, so that the caller can release them outside every lock.
struct ObserverRegistry {
    private struct Group {
        /// The observers by their identity, with the numbers that order them.
        var members: [ObjectIdentifier: (registration: Registration, number: Int)] = [:]
        /// The observers that have an owner.
        var owned: [ObjectIdentifier: Registration] = [:]
    }

    private var groups: [ObservationTarget: Group] = [:]
    private var targetsOfOwners: [ObjectIdentifier: Set<ObservationTarget>] = [:]
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
            if let earlier = groups[target]?.owned[owner], let member = groups[target]?.members[ObjectIdentifier(earlier)] {
                number = member.number
                replaced = remove(earlier)
            }
            groups[target, default: Group()].owned[owner] = registration
            targetsOfOwners[owner, default: []].insert(target)
        }
        groups[target, default: Group()].members[ObjectIdentifier(registration)] = (registration, number)
        count += 1
        return replaced
    }

    /// Removes an observer if it is registered.
    mutating func remove(_ registration: Registration) -> Registration? {
        let target = registration.target
        guard groups[target]?.members.removeValue(forKey: ObjectIdentifier(registration)) != nil else { return nil }
        count -= 1
        if let owner = registration.owner {
            groups[target]?.owned[owner] = nil
            targetsOfOwners[owner]?.remove(target)
            if targetsOfOwners[owner]?.isEmpty == true { targetsOfOwners[owner] = nil }
        }
        if groups[target]?.members.isEmpty == true { groups[target] = nil }
        return registration
    }

    /// Removes the observers of an owner for one target, or all of them if the target is nil.
    mutating func remove(owner: ObjectIdentifier, _ target: ObservationTarget?) -> [Registration] {
        let targets = target.map { [$0] } ?? targetsOfOwners[owner] ?? []
        return targets.compactMap { target in
            groups[target]?.owned[owner].flatMap { remove($0) }
        }
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

    func isObserved(_ target: ObservationTarget) -> Bool { groups[target] != nil }

    /// Returns the observers of a resource, then those of its type, each in the order of registration.
    func observers(of identity: StoredIdentity) -> [Registration] {
        guard count > 0 else { return [] }
        return members(.resource(identity)) + members(.type(ByteText(identity.type)))
    }

    var all: [Registration] { groups.values.flatMap { $0.members.values.map(\.registration) } }

    private func members(_ target: ObservationTarget) -> [Registration] {
        guard let members = groups[target]?.members else { return [] }
        return members.values.sorted { $0.number < $1.number }.map(\.registration)
    }
}
