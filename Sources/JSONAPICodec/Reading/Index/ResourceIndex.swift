import JSONAPIRules
import JSONText

/// All resource objects of a document, in order, primary ones first, and the one table that finds them by identity.
///
/// Identities are hashed and compared where they lie on the tape: no string is made. The hash has keys of its process, so that
/// ids cannot be chosen to collide. Built once, linear.
final class ResourceIndex: Sendable {
    let entries: ScratchStack<ResourceEntry>
    /// The first `primaryCount` entries are the primary data.
    let primaryCount: Int
    /// Whether all primary data are bare identifiers, as in the document of a relationship.
    let primaryIsLinkage: Bool
    /// Whole resources found inside relationships (only with the leniency): the word of the object and its entry.
    let embedded: [UInt32: Int]
    private let hasEmbedded: Bool
    /// Whether any resource has relationships.
    let hasRelationships: Bool
    private let table: IdentityTable
    /// Entries that have the identity of an earlier one.
    let duplicates: [Int]

    /// - Parameter memory: belongs to this index as long as it lives.
    init(
        _ view: TapeView, _ layout: DocumentLayout, _ options: JSONAPIDecoder, findsByIdentity: Bool = true, memory: IndexMemory
    ) throws {
        var builder = ResourceIndexBuilder(view, layout, options, memory.entries)
        try builder.addPrimary()
        primaryCount = builder.entries.count
        try builder.addIncluded()
        embedded = try builder.addEmbedded()
        hasEmbedded = !embedded.isEmpty
        primaryIsLinkage = builder.entries[..<primaryCount].allSatisfy(\.isBare)
        hasRelationships = builder.hasRelationships
        entries = memory.entries
        var duplicates: [Int] = []
        table = IdentityTable(
            view, entries, count: findsByIdentity ? entries.count : 0, identifiers: primaryIsLinkage ? primaryCount : 0, &duplicates,
            memory.slots)
        self.duplicates = duplicates
    }

    /// The entry that an identifier leads to, or nil: the resource written in its place, or else the one with its identity.
    @inline(__always)
    func ordinal(of identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        if hasEmbedded, let own = embedded[UInt32(truncatingIfNeeded: identifier.word)] { return own }
        return ordinal(ofIdentity: identifier, view)
    }

    /// The entry that an identifier with a type and an id leads to, or -1; `typeHash` is `hash(ofType:)` of its type.
    @inline(__always)
    func ordinal(of identifier: IdentifierEntry, typeHash: UInt64, _ view: TapeView) -> Int {
        if hasEmbedded { return ordinal(of: identifier, view) ?? -1 }
        let hash = view.hash(stringAt: identifier.id, KeyedHash.shared, into: typeHash)
        return ordinal(ofType: identifier.type, id: identifier.id, hash: hash, view)
    }

    /// The first entry with that type and id, or -1; the hash is that of both.
    @inline(__always)
    func ordinal(ofType type: Int, id: Int, hash: UInt64, _ view: TapeView) -> Int {
        let entries = entries
        return table.find(hash) { ordinal in
            let entry = entries[ordinal]
            return entry.id != 0 && view.string(at: Int(entry.id), equalsStringAt: id)
                && view.string(at: Int(entry.type), equalsStringAt: type)
        }
    }

    /// The entry that an identity of this hash most probably has, or -1.
    @inline(__always)
    func likelyOrdinal(_ hash: UInt64) -> Int { table.first(hash) }

    /// What the type adds to the hash of an identity with an id.
    static func hash(ofType type: String) -> UInt64 { TapeView.hash(type, KeyedHash.shared, into: 0) }

    /// The first entry with the identity that an identifier names, or nil.
    func ordinal(ofIdentity identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        let isLocal = identifier.id == 0
        let key = isLocal ? identifier.lid : identifier.id
        guard key != 0, identifier.type != 0 else { return nil }
        let found = table.find(IdentityTable.hash(view, type: identifier.type, key: key, isLocal: isLocal)) { ordinal in
            let entry = entries[ordinal]
            return (entry.id == 0) == isLocal && view.string(at: Int(IdentityTable.key(of: entry)), equalsStringAt: key)
                && view.string(at: Int(entry.type), equalsStringAt: identifier.type)
        }
        return found < 0 ? nil : found
    }

    /// The entries of `included`.
    var includedOrdinals: Range<Int> { primaryCount..<(entries.count - embedded.count) }

    /// The entries of whole resources inside relationships.
    var embeddedOrdinals: Range<Int> { (entries.count - embedded.count)..<entries.count }

    /// The entry with this identity, or nil.
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

    /// The entry whose object holds the word, or nil outside all. O(log resources).
    func ordinal(holding word: Int, _ view: TapeView) -> Int? {
        // Primary data and `included` are each in the order of the tape, but either may come first.
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

/// Open addressing over the identities of entries. A slot holds the ordinal, counted from 1, and the upper half of the
/// identity's hash, so that most others are told apart without a look at their texts.
private struct IdentityTable: Sendable {
    private let slots: ScratchZeroes<UInt64>
    private let mask: Int

    /// The first `identifiers` entries are bare identifiers, the linkage of a relationship.
    ///
    /// - Parameters:
    ///   - count: how many entries are found by it.
    ///   - memory: belongs to the table as long as that is used.
    init(
        _ view: TapeView, _ entries: ScratchStack<ResourceEntry>, count: Int, identifiers: Int, _ duplicates: inout [Int],
        _ memory: ScratchZeroes<UInt64>
    ) {
        var size = 16
        // At most three quarters are taken: half of that makes no difference to the time, but to the memory.
        while size * 3 < count * 4 { size *= 2 }
        memory.renew(size)
        slots = memory
        mask = size - 1
        for ordinal in 0..<count {
            insert(ordinal, entries, view, replacing: ordinal < identifiers ? 0 : identifiers, &duplicates)
        }
    }

    /// The ordinal with this hash that `isEqual` accepts, or -1. In bounds: slots are masked. Ends: a quarter of them is free.
    @inline(__always)
    func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
        let slot = slots[freeSlot(hash, isEqual)]
        return Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
    }

    /// The ordinal in the first slot for this hash, or -1.
    @inline(__always)
    func first(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: slots[Int(truncatingIfNeeded: hash) & mask] & 0xFFFF_FFFF) - 1
    }

    /// The slot of the ordinal with this hash that `isEqual` accepts, or the free one where it would be.
    @inline(__always)
    private func freeSlot(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
        var position = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = slots[position]
            if slot == 0 || slot >> 32 == hash >> 32 && isEqual(Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1) { return position }
            position = (position + 1) & mask
        }
    }

    /// Adds an entry; the first of several with one identity is found later. But an entry below `replacing` gives way: in the
    /// document of a relationship, primary data name the resources and `included` holds them.
    private func insert(
        _ ordinal: Int, _ entries: ScratchStack<ResourceEntry>, _ view: TapeView, replacing limit: Int, _ duplicates: inout [Int]
    ) {
        let entry = entries[ordinal]
        let key = Int(Self.key(of: entry))
        guard key != 0, entry.type != 0 else { return }
        let hash = Self.hash(view, type: Int(entry.type), key: key, isLocal: entry.id == 0)
        let position = freeSlot(hash) { other in
            let other = entries[other]
            return (other.id == 0) == (entry.id == 0) && view.string(at: Int(Self.key(of: other)), equalsStringAt: key)
                && view.string(at: Int(other.type), equalsStringAt: Int(entry.type))
        }
        let present = slots[position]
        if present == 0 || Int(truncatingIfNeeded: present & 0xFFFF_FFFF) - 1 < limit {
            slots[position] = (hash & 0xFFFF_FFFF_0000_0000) | UInt64(truncatingIfNeeded: ordinal + 1)
        } else {
            duplicates.append(ordinal)
        }
    }

    /// The word of what identifies an entry: its id, or its lid as long as it has none.
    @inline(__always)
    static func key(of entry: ResourceEntry) -> UInt32 { entry.id != 0 ? entry.id : entry.lid }

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
