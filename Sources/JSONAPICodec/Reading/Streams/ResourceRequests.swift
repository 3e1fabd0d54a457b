/// Resources of a file that are wanted, each of them once.
///
/// An identity is known by its hash. Two identities of one hash are told apart where the file has resources with both.
struct ResourceRequests {
    /// Where the resources stand that wait to be read.
    private var entries: [ResourceDirectory.Entry] = []
    /// Identities with a hash that several resources have: they have to be read and compared.
    private var doubtful: [ResourceIdentifier] = []
    /// What is to be looked up.
    private var added: [(hash: UInt64, word: Int, isNew: Bool)] = []
    private var known = HashSet()
    private var knownDoubtful: Set<ResourceIdentifier> = []
    private let directory: ResourceDirectory
    /// The bytes of the file that are at hand already.
    private let own: Range<Int>

    init(_ directory: ResourceDirectory, own: Range<Int>) {
        self.directory = directory
        self.own = own
    }

    var isEmpty: Bool { entries.isEmpty && doubtful.isEmpty }

    /// The bytes of the resources that wait, and a comma behind each; without the doubtful ones.
    var byteCount: Int { entries.reduce(0) { $0 + Int($1.length) + 1 } }

    /// Asks for the resource with this hash, unless that was done before. It is looked up by `lookUp`.
    ///
    /// - Parameter word: leads to the identity, should it be needed.
    mutating func add(_ hash: UInt64, _ word: Int) {
        let isNew = known.insert(hash)
        if isNew || directory.hasSharedHashes { added.append((hash, word, isNew)) }
    }

    /// Finds what was asked for in the file; what that does not have, or is at hand, is asked for no more.
    ///
    /// All at once, so that the looks at far places of memory overlap: one by one they took 7 % of the time of a walk, so they take 2.
    mutating func lookUp(_ identifier: (Int) -> ResourceIdentifier) {
        for (hash, word, isNew) in added {
            guard let position = directory.position(of: hash) else { continue }
            if directory.isShared(position) {
                addDoubtful(identifier(word))
            } else if isNew, !own.contains(directory[position].offset) {
                entries.append(directory[position])
            }
        }
        added.removeAll(keepingCapacity: true)
    }

    /// Asks for resources.
    mutating func add(_ identifiers: [ResourceIdentifier]) {
        for (number, identifier) in identifiers.enumerated() {
            if let hash = ResourceDirectory.hash(identifier) { add(hash, number) }
        }
        lookUp { identifiers[$0].identity }
    }

    private mutating func addDoubtful(_ identifier: ResourceIdentifier) {
        if knownDoubtful.insert(identifier).inserted { doubtful.append(identifier) }
    }

    /// Takes out what waits: resources in the order of the file, those with relationships and the others, and what has to be
    /// compared.
    mutating func takeAll() -> Round {
        entries.sort { $0.offset < $1.offset }
        defer {
            entries.removeAll(keepingCapacity: true)
            doubtful = []
        }
        return Round(linking: entries.filter(\.hasRelationships), others: entries.filter { !$0.hasRelationships }, doubtful: doubtful)
    }

    /// Resources to be read.
    struct Round {
        let linking: [ResourceDirectory.Entry]
        let others: [ResourceDirectory.Entry]
        let doubtful: [ResourceIdentifier]
    }
}

extension ResourceIdentifier {
    /// The identity alone, without meta and other members.
    fileprivate var identity: ResourceIdentifier {
        if let id { return ResourceIdentifier(type: type, id: id) }
        return lid.map { ResourceIdentifier(type: type, lid: $0) } ?? self
    }
}
