import JSONAPIRules
import JSONText

/// The number of identifiers in the document's linkage that refer to each resource: 0, 1, or 2 for more.
///
/// It shows which values may be requested again. A value that nothing else refers to need not be kept, which saves a copy of all its
/// strings. To count, each identifier is looked up. The result is left on the tape as a mark, so that each identifier is looked up only
/// once.
struct LinkageCounts {
    private let counts: Scratch<UInt8>

    /// The mark of an identifier whose resource is not in the document. Other marks are the ordinal plus 1.
    static let missing = TapeView.maximumMark

    /// Returns nil for a document that is too large for marks, or that has whole resources in place of identifiers.
    ///
    /// Writes to the tape. Only the session that parsed the tape may call this, before it returns anything that reads the tape. The counts
    /// are valid until `memory` is used again.
    init?(_ index: ResourceIndex, _ view: TapeView, _ memory: Scratch<UInt8>) {
        guard index.entries.count < Self.missing - 1, index.embedded.isEmpty else { return nil }
        memory.renew(index.entries.count)
        counts = memory
        var counting = LinkageCounting(index, view, counts)
        for entry in index.entries where entry.relationships != 0 { counting.countAll(in: Int(entry.relationships)) }
        counting.countPending()
    }

    /// The number of identifiers that refer to the resource, at most 2.
    @inline(__always)
    subscript(ordinal: Int) -> Int { Int(counts[ordinal]) }
}

/// One walk over the linkage of a document.
private struct LinkageCounting {
    private let index: ResourceIndex
    private let view: TapeView
    private let counts: Scratch<UInt8>
    private let keys = KeyedHash.shared
    /// The type of the previous identifier and its hash. The identifiers of a relationship usually have the same type.
    private var type = 0
    private var typeHash: UInt64 = 0
    /// Identifiers that are looked up together, in documents that exceed the processor's caches.
    private var pending: [Pending] = []
    private let isLarge: Bool

    private struct Pending {
        let word: Int
        let type: Int
        let id: Int
        let hash: UInt64
        /// The value that was last read on the way to the resource.
        var ahead = 0
    }

    /// Large enough for the reads to overlap, and small enough for everything that is read to stay in the first-level cache.
    private static var pendingCount: Int { 64 }

    init(_ index: ResourceIndex, _ view: TapeView, _ counts: Scratch<UInt8>) {
        self.index = index
        self.view = view
        self.counts = counts
        isLarge = index.entries.count > 4096
        if isLarge { pending.reserveCapacity(Self.pendingCount) }
    }

    mutating func countAll(in relationships: Int) {
        var name = view.first(in: relationships)
        let end = view.end(of: relationships)
        while name < end {
            let relationship = view.next(after: name)
            if view.isObject(relationship) {
                let data = RelationshipEntry(view, at: relationship).data
                if data != 0 { count(linkage: data) }
            }
            name = view.next(after: relationship)
        }
    }

    private mutating func count(linkage: Int) {
        var word = linkage
        var end = linkage + 1
        if view.isArray(linkage) {
            word = view.first(in: linkage)
            end = view.end(of: linkage)
        }
        while word < end {
            if view.isObject(word) { count(identifier: word) }
            word = view.next(after: word)
        }
    }

    @inline(__always)
    private mutating func count(identifier word: Int) {
        if view.isPlainIdentifier(word) { return count(identifier: word, type: word + 3, id: word + 5) }
        countUnusual(word)
    }

    /// Leaves identifiers with a `lid`, or without strings for type and id, without a mark. Their readers look them up in the general way.
    @inline(never)
    private mutating func countUnusual(_ word: Int) {
        let identifier = IdentifierEntry(view, at: word)
        guard identifier.type != 0, identifier.id != 0, identifier.lid == 0, view.isString(identifier.type), view.isString(identifier.id)
        else { return }
        count(identifier: word, type: identifier.type, id: identifier.id)
    }

    @inline(__always)
    private mutating func count(identifier word: Int, type: Int, id: Int) {
        if self.type == 0 || !view.string(at: self.type, equalsStringAt: type) {
            self.type = type
            typeHash = view.hash(stringAt: type, keys, into: 0)
        }
        let hash = view.hash(stringAt: id, keys, into: typeHash)
        guard isLarge else { return count(identifier: word, type: type, id: id, hash) }
        pending.append(Pending(word: word, type: type, id: id, hash: hash))
        if pending.count == Self.pendingCount { countPending() }
    }

    /// Counts the pending identifiers.
    ///
    /// Each look-up reads four places in succession, and each place determines the next. Here each step is done for all identifiers before
    /// the next step, so that memory accesses overlap. That takes less than half of the time for 23 MB.
    @inline(never)
    mutating func countPending() {
        let (index, view) = (index, view)
        var places = pending.mutableSpan
        for place in places.indices { places[place].ahead = index.likelyOrdinal(places[place].hash) }
        for place in places.indices where places[place].ahead >= 0 { places[place].ahead = Int(index.entries[places[place].ahead].id) }
        for place in places.indices where places[place].ahead > 0 { places[place].ahead = view.offset(at: places[place].ahead) }
        for place in places.indices where places[place].ahead > 0 {
            places[place].ahead = Int(view.byte(atOffset: places[place].ahead))
        }
        for identifier in pending { count(identifier: identifier.word, type: identifier.type, id: identifier.id, identifier.hash) }
        pending.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    private func count(identifier word: Int, type: Int, id: Int, _ hash: UInt64) {
        let ordinal = index.ordinal(ofType: type, id: id, hash: hash, view)
        // In bounds: the table holds ordinals of entries.
        if ordinal >= 0 { counts[ordinal] = counts[ordinal] == 0 ? 1 : 2 }
        view.leaveMark(ordinal < 0 ? LinkageCounts.missing : ordinal + 1, at: word)
    }
}
