import JSONText

/// Follows linkage from primary data with a list of work, never by recursion.
///
///     data: book 7 ── author ──▶ included: person 3 ── city ──▶ included: city 1
///
/// - Complexity: O(resources + identifiers).
struct LinkageWalk {
    private let view: TapeView
    private let resources: ResourceList
    private let identities: IdentityIndex
    /// Resource objects with the identity of an earlier one, by that one.
    private let twins: [Int: [Int]]
    private var reached: [Bool]
    private var work: [Int] = []

    init(_ view: TapeView, _ resources: ResourceList, _ identities: IdentityIndex, _ twins: [Int: [Int]]) {
        self.view = view
        self.resources = resources
        self.identities = identities
        self.twins = twins
        reached = [Bool](repeating: false, count: resources.entries.count)
    }

    func isReached(_ number: Int) -> Bool { reached[number] }

    /// Walks from the primary resource objects, and from identifiers in their place. A resource object whose identity cannot be
    /// read is walked from as well: what it links to is no island.
    mutating func run(from identifiers: [Int]) {
        for (number, entry) in resources.entries.enumerated() where !entry.isIncluded || !entry.isSound { reach(number) }
        for identifier in identifiers { reachIdentified(identifier) }
        while let number = work.popLast() {
            for linkage in LinkedRelationships(view, of: resources.entries[number]) {
                for identifier in linkage.identifiers(view) { reachIdentified(identifier) }
            }
        }
    }

    private mutating func reachIdentified(_ identifier: Int) {
        guard let number = identities.number(identifiedBy: identifier, view) else { return }
        reach(number)
    }

    private mutating func reach(_ number: Int) {
        guard !reached[number] else { return }
        reached[number] = true
        work.append(number)
        for twin in twins[number] ?? [] where !reached[twin] {
            reached[twin] = true
            work.append(twin)
        }
    }
}

/// The relationships of a resource object that have linkage: name and `data`. @-members are none.
struct LinkedRelationships: Sequence, IteratorProtocol {
    struct Relationship {
        let name: Int
        let data: Int

        /// The identifiers in it; empty for null and for what is no linkage.
        func identifiers(_ view: TapeView) -> [Int] {
            if view.isObject(data) { return [data] }
            return view.isArray(data) ? Elements(view, of: data).filter { view.isObject($0) } : []
        }
    }

    private let view: TapeView
    private var members: Members?

    init(_ view: TapeView, of entry: ResourceList.Entry) {
        self.view = view
        members = entry.relationships == 0 ? nil : Members(view, of: entry.relationships)
    }

    mutating func next() -> Relationship? {
        while let (name, value) = members?.next() {
            guard view.textBytes(at: name).first != UInt8(ascii: "@") else { continue }
            if view.isObject(value), let data = view.member("data", of: value) { return Relationship(name: name, data: data) }
        }
        return nil
    }
}

extension IdentityIndex {
    /// The number of the resource object that the identifier at `word` names.
    func number(identifiedBy word: Int, _ view: TapeView) -> Int? {
        guard let type = view.member("type", of: word), view.isString(type), let id = view.member("id", of: word), view.isString(id) else {
            return nil
        }
        return number(type: type, id: id, view)
    }
}
