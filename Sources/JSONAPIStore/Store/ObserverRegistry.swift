/// Who observes what, in the order of registration.
///
/// Registrations that go out are handed back, to be let go of outside every lock.
struct ObserverRegistry {
    private struct Group {
        var members: [Int: Registration] = [:]
        var numbers: [ObjectIdentifier: Int] = [:]
    }

    private var groups: [ObservationTarget: Group] = [:]
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var targetsOfOwners: [ObjectIdentifier: Set<ObservationTarget>] = [:]
    private var nextNumber = 0
    private var sizeAtNextSweep = 64

    private(set) var count = 0

    /// Adds an observer; one of the same owner for the same target takes the place of the earlier, which is answered.
    mutating func add(_ registration: Registration) -> Registration? {
        var replaced: Registration?
        var number = nextNumber
        if let owner = registration.owner {
            if let earlier = groups[registration.target]?.numbers[owner] {
                number = earlier
                replaced = remove(number, registration.target)
            }
            groups[registration.target, default: Group()].numbers[owner] = number
            targetsOfOwners[owner, default: []].insert(registration.target)
        }
        if number == nextNumber { nextNumber += 1 }
        groups[registration.target, default: Group()].members[number] = registration
        numbers[ObjectIdentifier(registration)] = number
        count += 1
        return replaced
    }

    /// Takes an observer out, if it is there.
    mutating func remove(_ registration: Registration) -> Registration? {
        guard let number = numbers[ObjectIdentifier(registration)] else { return nil }
        return remove(number, registration.target)
    }

    private mutating func remove(_ number: Int, _ target: ObservationTarget) -> Registration? {
        guard let registration = groups[target]?.members.removeValue(forKey: number) else { return nil }
        numbers[ObjectIdentifier(registration)] = nil
        count -= 1
        if let owner = registration.owner {
            groups[target]?.numbers[owner] = nil
            targetsOfOwners[owner]?.remove(target)
            if targetsOfOwners[owner]?.isEmpty == true { targetsOfOwners[owner] = nil }
        }
        if groups[target]?.members.isEmpty == true { groups[target] = nil }
        return registration
    }

    /// Takes out what an owner observes: everything, or one target.
    mutating func remove(owner: ObjectIdentifier, _ target: ObservationTarget?) -> [Registration] {
        let targets = target.map { [$0] } ?? targetsOfOwners[owner] ?? []
        return targets.compactMap { target in
            groups[target]?.numbers[owner].flatMap { remove($0, target) }
        }
    }

    /// All observers when there are twice as many as at the last time, else none: those whose owners are gone are to be removed.
    ///
    /// Whether an owner is gone must not be asked under a lock: the answer may be what lets go of it.
    mutating func dueForSweep() -> [Registration] {
        guard count >= sizeAtNextSweep else { return [] }
        sizeAtNextSweep = count * 2
        return all
    }

    func isObserved(_ target: ObservationTarget) -> Bool { groups[target] != nil }

    /// The observers of a resource, then those of its type, each in the order of registration.
    func observers(of identity: StoredIdentity) -> [Registration] {
        guard count > 0 else { return [] }
        return members(.resource(identity)) + members(.type(TypeName(identity.type)))
    }

    var all: [Registration] { groups.values.flatMap(\.members.values) }

    private func members(_ target: ObservationTarget) -> [Registration] {
        guard let members = groups[target]?.members else { return [] }
        return members.sorted { $0.key < $1.key }.map(\.value)
    }
}
