import JSONText

/// All resource objects of a document, in order, primary ones first, and the one table that finds them by identity.
///
/// Identities are hashed and compared where they lie on the tape: no string is made. Hashing is the standard library's, seeded
/// per process, so that ids cannot be chosen to collide. Built once, linear.
final class ResourceIndex: Sendable {
    let entries: [ResourceEntry]
    /// The first `primaryCount` entries are the primary data.
    let primaryCount: Int
    /// Whether all primary data are bare identifiers, as in the document of a relationship.
    let primaryIsLinkage: Bool
    /// Whole resources found inside relationships (only with the leniency): the word of the object and its entry.
    let embedded: [UInt32: Int]
    private let slots: [UInt32]
    private let mask: Int
    /// Entries that have the identity of an earlier one.
    let duplicates: [Int]

    init(_ view: TapeView, _ layout: DocumentLayout, _ options: JSONAPIDecoder, findsByIdentity: Bool = true) throws {
        var builder = ResourceIndexBuilder(view, layout, options)
        try builder.addPrimary()
        primaryCount = builder.entries.count
        try builder.addIncluded()
        embedded = try builder.addEmbedded()
        primaryIsLinkage = builder.entries[..<primaryCount].allSatisfy(\.isBare)
        let table = IdentityTable(view, findsByIdentity ? builder.entries : [], identifiers: primaryIsLinkage ? primaryCount : 0)
        entries = builder.entries
        slots = table.slots
        mask = table.mask
        duplicates = table.duplicates
    }

    /// The entry that an identifier leads to, or nil: the resource written in its place, or else the one with its identity.
    func ordinal(of identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        if !embedded.isEmpty, let own = embedded[UInt32(truncatingIfNeeded: identifier.word)] { return own }
        return ordinal(ofIdentity: identifier, view)
    }

    /// The first entry with the identity that an identifier names, or nil.
    func ordinal(ofIdentity identifier: IdentifierEntry, _ view: TapeView) -> Int? {
        let isLocal = identifier.id == 0
        let key = isLocal ? identifier.lid : identifier.id
        guard key != 0, identifier.type != 0 else { return nil }
        var slot = IdentityTable.hash(view, type: identifier.type, key: key, isLocal: isLocal) & mask
        while slots[slot] != 0 {
            let ordinal = Int(slots[slot]) - 1
            let entry = entries[ordinal]
            if IdentityTable.key(of: entry) == (isLocal ? entry.lid : entry.id),
                view.string(at: Int(IdentityTable.key(of: entry)), equalsStringAt: key),
                view.string(at: Int(entry.type), equalsStringAt: identifier.type)
            {
                return ordinal
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// The entries of `included`.
    var includedOrdinals: Range<Int> { primaryCount..<(entries.count - embedded.count) }

    /// The entries of whole resources inside relationships.
    var embeddedOrdinals: Range<Int> { (entries.count - embedded.count)..<entries.count }

    /// The entry with this identity, or nil.
    func ordinal(of identifier: ResourceIdentifier, _ view: TapeView) -> Int? {
        let isLocal = identifier.id == nil
        guard let text = identifier.id ?? identifier.lid else { return nil }
        var slot = IdentityTable.hash(type: identifier.type, key: text, isLocal: isLocal) & mask
        while slots[slot] != 0 {
            let ordinal = Int(slots[slot]) - 1
            let entry = entries[ordinal]
            if IdentityTable.key(of: entry) == (isLocal ? entry.lid : entry.id),
                view.string(at: Int(IdentityTable.key(of: entry)), equals: text),
                view.string(at: Int(entry.type), equals: identifier.type)
            {
                return ordinal
            }
            slot = (slot + 1) & mask
        }
        return nil
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

/// Open addressing over the identities of entries.
private struct IdentityTable {
    private(set) var slots: [UInt32]
    let mask: Int
    private(set) var duplicates: [Int] = []

    /// The first `identifiers` entries are bare identifiers, the linkage of a relationship.
    init(_ view: TapeView, _ entries: [ResourceEntry], identifiers: Int) {
        var size = 16
        while size < entries.count * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        mask = size - 1
        for (ordinal, entry) in entries.enumerated() {
            insert(ordinal, entry, entries, view, replacing: ordinal < identifiers ? 0 : identifiers)
        }
    }

    /// Adds an entry; the first of several with one identity is found later. But an entry below `replacing` gives way: in the
    /// document of a relationship, primary data name the resources and `included` holds them.
    private mutating func insert(
        _ ordinal: Int, _ entry: ResourceEntry, _ entries: [ResourceEntry], _ view: TapeView, replacing limit: Int
    ) {
        let key = Int(Self.key(of: entry))
        guard key != 0, entry.type != 0 else { return }
        var slot = Self.hash(view, type: Int(entry.type), key: key, isLocal: entry.id == 0) & mask
        while slots[slot] != 0 {
            let other = entries[Int(slots[slot]) - 1]
            if (other.id == 0) == (entry.id == 0), view.string(at: Int(Self.key(of: other)), equalsStringAt: key),
                view.string(at: Int(other.type), equalsStringAt: Int(entry.type))
            {
                if Int(slots[slot]) - 1 < limit {
                    slots[slot] = UInt32(truncatingIfNeeded: ordinal + 1)
                } else {
                    duplicates.append(ordinal)
                }
                return
            }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: ordinal + 1)
    }

    /// The word of what identifies an entry: its id, or its lid as long as it has none.
    static func key(of entry: ResourceEntry) -> UInt32 { entry.id != 0 ? entry.id : entry.lid }

    static func hash(_ view: TapeView, type: Int, key: Int, isLocal: Bool) -> Int {
        var hasher = Hasher()
        view.hash(stringAt: key, into: &hasher)
        view.hash(stringAt: type, into: &hasher)
        if isLocal { hasher.combine(1 as UInt8) }
        return hasher.finalize()
    }

    static func hash(type: String, key: String, isLocal: Bool) -> Int {
        var hasher = Hasher()
        TapeView.hash(key, into: &hasher)
        TapeView.hash(type, into: &hasher)
        if isLocal { hasher.combine(1 as UInt8) }
        return hasher.finalize()
    }
}
