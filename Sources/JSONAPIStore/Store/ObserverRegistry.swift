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
    /// Where the observers of a resource are now that has another identity.
    private var moves: [ObservationTarget: ObservationTarget] = [:]
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
        let target = target(of: registration)
        guard targets[target]?.removeValue(forKey: ObjectIdentifier(registration)) != nil else { return nil }
        count -= 1
        if targets[target]?.isEmpty == true { targets[target] = nil }
        if let owner = registration.owner {
            owners[owner]?[target] = nil
            if owners[owner]?.isEmpty == true { owners[owner] = nil }
        }
        return registration
    }

    /// Removes the observers of an owner for one target, or all of them if the target is nil. Returns them with what they observed.
    mutating func remove(
        owner: ObjectIdentifier, _ target: ObservationTarget?
    ) -> [(registration: Registration, target: ObservationTarget)] {
        var gone = owners[owner] ?? [:]
        if let target {
            let target = current(target) { gone[$0] != nil }
            gone = gone[target].map { [target: $0] } ?? [:]
        }
        return gone.compactMap { target, registration in remove(registration).map { ($0, target) } }
    }

    /// Lets the observers of a resource observe it by its new identity. Returns those whose owner has another observer of it.
    mutating func move(_ target: ObservationTarget, to new: ObservationTarget) -> [Registration] {
        guard target != new, let members = targets.removeValue(forKey: target) else { return [] }
        moves[target] = new
        moves[new] = nil
        var replaced: [Registration] = []
        for (id, member) in members {
            if let owner = member.registration.owner {
                owners[owner]?[target] = nil
                // An owner has one observer for each resource: the later one.
                if let other = owners[owner]?[new], let known = targets[new]?[ObjectIdentifier(other)] {
                    guard known.number < member.number else {
                        replaced.append(member.registration)
                        count -= 1
                        continue
                    }
                    replaced += [remove(other)].compactMap { $0 }
                }
                owners[owner, default: [:]][new] = member.registration
            }
            targets[new, default: [:]][id] = member
        }
        return replaced
    }

    /// Returns what an observer observes now.
    func target(of registration: Registration) -> ObservationTarget {
        current(registration.target) { targets[$0]?[ObjectIdentifier(registration)] != nil }
    }

    /// Follows a resource through its identities to the one that the condition holds for, or to the last one.
    private func current(_ target: ObservationTarget, _ condition: (ObservationTarget) -> Bool) -> ObservationTarget {
        var target = target
        while !condition(target), let next = moves[target] { target = next }
        return target
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
