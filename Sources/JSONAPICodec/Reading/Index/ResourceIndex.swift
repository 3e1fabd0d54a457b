import JSONAPIRules
import JSONText

/// All resource objects of a document in order, primary ones first, and the table that finds them by identity.
///
/// Identities are hashed and compared directly on the tape, without strings. The hash has keys of its process, so that ids cannot be chosen
/// to collide. The index is built once, in linear time.
package final class ResourceIndex: Sendable {
    let entries: ScratchStack<ResourceEntry>
    /// The first `primaryCount` entries are the primary data.
    package let primaryCount: Int
    /// Whether all primary data is bare identifiers, as in the document of a relationship.
    let primaryIsLinkage: Bool
    /// Whole resources inside relationships, only with the leniency: the ordinal of each by the word of its object.
    let embedded: [UInt32: Int]
    private let hasEmbedded: Bool
    /// Whether an id leads to no resource but a primary one, and otherwise only a lid does; see `JSONAPIDecoder.ignoresResponseMembers`.
    private let hidesIDs: Bool
    /// Whether any resource has relationships.
    let hasRelationships: Bool
    private let table: IdentityTable
    /// The ordinals of entries with the identity of an earlier one.
    let duplicates: [Int]

    /// - Parameter memory: Belongs to this index as long as it lives.
    init(
        _ view: TapeView, _ layout: DocumentLayout, _ options: borrowing JSONAPIDecoder, findsByIdentity: Bool = true,
        memory: IndexMemory
    ) throws {
        var builder = ResourceIndexBuilder(view, layout, options, memory.entries)
        try builder.addPrimary()
        primaryCount = builder.entries.count
        try builder.addIncluded()
        embedded = try builder.addEmbedded()
        hasEmbedded = !embedded.isEmpty
        hidesIDs = options.ignoresResponseMembers
        primaryIsLinkage = builder.entries[..<primaryCount].allSatisfy { $0.isBare(view) }
        hasRelationships = builder.hasRelationships
        entries = memory.entries
        var duplicates: [Int] = []
        table = IdentityTable(
            view, entries, count: findsByIdentity ? entries.count : 0, identifiers: primaryIsLinkage ? primaryCount : 0,
            hiddenFrom: hidesIDs ? primaryCount : .max, &duplicates, memory.slots)
        self.duplicates = duplicates
    }

    /// Returns the entry for an identifier: the first one with its identity, or the resource that is written in its place and has none; nil
    /// when there is neither.
    @inline(__always)
    func ordinal(of identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        if let found = ordinal(ofIdentity: identifier, view) { return found }
        return hasEmbedded && !(hidesIDs && identifier.id != 0) ? embedded[UInt32(truncatingIfNeeded: identifier.word)] : nil
    }

    /// Returns the entry for an identifier with a type and an id, or -1. `typeHash` is `hash(ofType:)` of its type.
    @inline(__always)
    func ordinal(of identifier: IdentifierEntry, typeHash: UInt64, _ view: TapeView) -> Int {
        if hasEmbedded { return ordinal(of: identifier, view) ?? -1 }
        let hash = view.hash(stringAt: identifier.id, KeyedHash.shared, into: typeHash)
        return ordinal(ofType: identifier.type, id: identifier.id, hash: hash, view)
    }

    /// Returns the first entry with the given type and id, or -1. `hash` is the hash of both.
    @inline(__always)
    func ordinal(ofType type: Int, id: Int, hash: UInt64, _ view: TapeView) -> Int {
        let entries = entries
        return table.find(hash) { IdentityTable.isEntry(entries[$0], type: type, key: id, isLocal: false, view) }
    }

    /// Returns the entry that most probably has an identity with the given hash, or -1.
    @inline(__always)
    func likelyOrdinal(_ hash: UInt64) -> Int { table.first(hash) }

    /// Returns the part of an identity's hash that depends on the type, for identities with an id.
    static func hash(ofType type: String) -> UInt64 { TapeView.hash(type, KeyedHash.shared, into: 0) }

    /// Returns the first entry with the identity of an identifier; nil when there is none.
    func ordinal(ofIdentity identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        let isLocal = identifier.id == 0
        let found = find(type: identifier.type, key: isLocal ? identifier.lid : identifier.id, isLocal: isLocal, view)
        return found < 0 ? nil : found
    }

    /// Returns the first entry with the identity whose type and key are at these words, or -1.
    @inline(__always)
    private func find(type: Int, key: Int, isLocal: Bool, _ view: TapeView) -> Int {
        guard type != 0, key != 0, view.isString(type), view.isString(key) || view.kind(at: key) == .number else { return -1 }
        return table.find(IdentityTable.hash(view, type: type, key: key, isLocal: isLocal)) { ordinal in
            IdentityTable.isEntry(entries[ordinal], type: type, key: key, isLocal: isLocal, view)
        }
    }

    /// Whether the object at `word` is a whole resource in place of an identifier, and is the one that its identity leads to, or a hidden
    /// one.
    func isFoundResource(at word: Int, _ view: TapeView) -> Bool {
        guard hasEmbedded, let ordinal = embedded[UInt32(truncatingIfNeeded: word)], entries[ordinal].type != 0 else { return false }
        let (entry, key) = (entries[ordinal], Int(IdentityTable.key(of: entries[ordinal])))
        return find(type: Int(entry.type), key: key, isLocal: entry.id == 0, view) == ordinal || hidesIDs && entry.id != 0
    }

    /// The ordinals of the entries in `included`.
    var includedOrdinals: Range<Int> { primaryCount..<(entries.count - embedded.count) }

    /// The ordinals of whole resources inside relationships.
    var embeddedOrdinals: Range<Int> { (entries.count - embedded.count)..<entries.count }

    /// Returns the entry with the given identity; nil when there is none.
    func ordinal(of identifier: ResourceIdentifier, _ view: TapeView) -> Int? {
        let isLocal = identifier.id == nil
        guard let text = identifier.id ?? identifier.lid else { return nil }
        let found = table.find(IdentityTable.hash(type: identifier.type, key: text, isLocal: isLocal)) { ordinal in
            let entry = entries[ordinal]
            return (entry.id == 0) == isLocal && view.string(at: Int(IdentityTable.key(of: entry)), equals: text)
                && view.string(at: Int(entry.type), equals: identifier.type)
        }
        return found < 0 ? nil : found
    }

    /// Returns the entry whose object contains the word; nil outside of all. O(log resources).
    func ordinal(holding word: Int, _ view: TapeView) -> Int? {
        // Primary data and `included` are each sorted by word, but either may come first.
        for range in [0..<primaryCount, includedOrdinals] {
            var low = range.lowerBound
            var high = range.upperBound
            while low < high {
                let middle = (low + high) / 2
                if Int(entries[middle].word) <= word { low = middle + 1 } else { high = middle }
            }
            if low > range.lowerBound, word < view.end(of: Int(entries[low - 1].word)) { return low - 1 }
        }
        return nil
    }
}

/// A table of identities with open addressing. A slot contains the ordinal plus 1 and the upper half of the identity's hash, so that most
/// other identities are distinguished without reading their texts.
struct IdentityTable: Sendable {
    private let slots: Scratch<UInt64>
    private let mask: Int

    /// Creates a table in which the first `identifiers` entries are bare identifiers, the linkage of a relationship.
    ///
    /// - Parameters:
    ///   - count: The number of entries to find.
    ///   - hiddenFrom: The first entry from which on those with an id are left out.
    ///   - memory: Belongs to the table as long as the table is used.
    init(
        _ view: TapeView, _ entries: ScratchStack<ResourceEntry>, count: Int, identifiers: Int, hiddenFrom: Int, _ duplicates: inout [Int],
        _ memory: Scratch<UInt64>
    ) {
        var size = 16
        // At most three quarters are taken. A lower load needs more memory but no less time.
        while size * 3 < count * 4 { size *= 2 }
        memory.renew(size)
        slots = memory
        mask = size - 1
        for ordinal in 0..<count where ordinal < hiddenFrom || entries[ordinal].id == 0 {
            insert(ordinal, entries, view, replacing: ordinal < identifiers ? 0 : identifiers, &duplicates)
        }
    }

    /// Returns the ordinal with the given hash that `isEqual` accepts, or -1. In bounds: slots are masked. Terminates: a quarter of them is
    /// free.
    @inline(__always)
    func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
        let slot = slots[freeSlot(hash, isEqual)]
        return Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
    }

    /// Returns the ordinal in the first slot for the hash, or -1.
    @inline(__always)
    func first(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: slots[Int(truncatingIfNeeded: hash) & mask] & 0xFFFF_FFFF) - 1 }

    /// Returns the slot of the ordinal with the given hash that `isEqual` accepts, or the free slot for it.
    @inline(__always)
    private func freeSlot(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
        var position = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[position]
            if slot == 0 || slot >> 32 == hash >> 32 && isEqual(Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1) { return position }
            position = (position + 1) & mask
        }
    }

    /// Adds an entry. Of several entries with the same identity, the first is found. An entry below `replacing` is replaced, however: in
    /// the document of a relationship, the primary data names the resources and `included` contains them.
    private func insert(
        _ ordinal: Int, _ entries: ScratchStack<ResourceEntry>, _ view: TapeView, replacing limit: Int, _ duplicates: inout [Int]
    ) {
        let entry = entries[ordinal]
        let key = Int(Self.key(of: entry))
        guard key != 0, entry.type != 0 else { return }
        let (type, isLocal) = (Int(entry.type), entry.id == 0)
        let hash = Self.hash(view, type: type, key: key, isLocal: isLocal)
        let position = freeSlot(hash) { Self.isEntry(entries[$0], type: type, key: key, isLocal: isLocal, view) }
        let present = slots[position]
        if present == 0 || Int(truncatingIfNeeded: present & 0xFFFF_FFFF) - 1 < limit {
            slots[position] = (hash & 0xFFFF_FFFF_0000_0000) | UInt64(truncatingIfNeeded: ordinal + 1)
        } else {
            duplicates.append(ordinal)
        }
    }

    /// Returns the word of the id of an entry, or of its lid when it has no id.
    @inline(__always)
    static func key(of entry: ResourceEntry) -> UInt32 { entry.id != 0 ? entry.id : entry.lid }

    /// Whether an entry has the identity whose type and key are at these words.
    @inline(__always)
    static func isEntry(_ entry: ResourceEntry, type: Int, key: Int, isLocal: Bool, _ view: TapeView) -> Bool {
        (entry.id == 0) == isLocal && view.string(at: Int(Self.key(of: entry)), equalsStringAt: key)
            && view.string(at: Int(entry.type), equalsStringAt: type)
    }

    @inline(__always)
    static func hash(_ view: TapeView, type: Int, key: Int, isLocal: Bool) -> UInt64 {
        let keys = KeyedHash.shared
        return view.hash(stringAt: key, keys, into: view.hash(stringAt: type, keys, into: isLocal ? 1 : 0))
    }

    static func hash(type: String, key: String, isLocal: Bool) -> UInt64 {
        let keys = KeyedHash.shared
        return TapeView.hash(key, keys, into: TapeView.hash(type, keys, into: isLocal ? 1 : 0))
    }
}
