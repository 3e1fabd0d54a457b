import JSONText

/// Where a resource object stands in its document: `data` or `included`, and the number there. Four bytes.
struct ResourcePlace: Sendable, Hashable {
    /// The highest bit says `included`, so that primary data come first.
    fileprivate let bits: UInt32

    init(_ section: DocumentSection, _ ordinal: Int) {
        bits = UInt32(truncatingIfNeeded: ordinal) & 0x7FFF_FFFF | (section == .included ? 0x8000_0000 : 0)
    }

    var section: DocumentSection { bits >> 31 == 0 ? .data : .included }
    var pointer: JSONPointer { JSONPointer(section.rawValue).appending(Int(bits & 0x7FFF_FFFF)) }
}

/// Finds the resources of a file by identity: 24 bytes for each.
///
/// An identity is kept as a hash, seeded per process; what the hash leads to is read and compared.
struct ResourceDirectory: Sendable {
    struct Entry: Sendable {
        let hash: UInt64
        let offset: Int
        let length: UInt32
        let place: ResourcePlace
    }

    /// In the order of hashes; entries of one hash in the order in which linkage finds them.
    private var entries: [Entry] = []
    /// Whether all primary data are bare identifiers: then `included` holds the resources.
    private var primaryIsLinkage = true

    /// Adds the resources of a portion. Throws when they are none.
    mutating func add(_ portion: DocumentPortion, _ options: JSONAPIDecoder) throws {
        guard let section = portion.section else { return }
        try portion.withTape(options) { tape in
            let document = try ParsedDocument(tape, options: options, findsByIdentity: false)
            let view = document.view
            for (index, entry) in document.index.entries.prefix(max(portion.elements.count, document.index.primaryCount)).enumerated() {
                if section == .data, !entry.isBare { primaryIsLinkage = false }
                let key = entry.id != 0 ? entry.id : entry.lid
                guard key != 0, entry.type != 0 else { continue }
                let start = view.offset(at: Int(entry.word))
                let end = portion.elements.indices.contains(index) ? portion.elements[index].upperBound : portion.text.count - 1
                guard let offset = portion.documentOffset(of: start) else { continue }
                let hash = Self.hash(isLocal: entry.id == 0) { hasher in
                    view.hash(stringAt: Int(key), into: &hasher)
                    view.hash(stringAt: Int(entry.type), into: &hasher)
                }
                let place = ResourcePlace(section, portion.firstOrdinal + index)
                entries.append(Entry(hash: hash, offset: offset, length: UInt32(truncatingIfNeeded: end - start), place: place))
            }
        }
    }

    /// To be called when all were added.
    mutating func sort() {
        if primaryIsLinkage, entries.contains(where: { $0.place.section == .included }) {
            entries.removeAll { $0.place.section == .data }
        }
        entries.sort { ($0.hash, $0.place.bits) < ($1.hash, $1.place.bits) }
    }

    /// The first answer of `body` for the entries that may be the resource, in their order.
    func first<Answer>(for identifier: ResourceIdentifier, _ body: (Entry) throws -> Answer?) rethrows -> Answer? {
        guard let key = identifier.id ?? identifier.lid else { return nil }
        let hash = Self.hash(isLocal: identifier.id == nil) { hasher in
            TapeView.hash(key, into: &hasher)
            TapeView.hash(identifier.type, into: &hasher)
        }
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].hash == hash {
            if let answer = try body(entries[low]) { return answer }
            low += 1
        }
        return nil
    }

    private static func hash(isLocal: Bool, _ feed: (inout Hasher) -> Void) -> UInt64 {
        var hasher = Hasher()
        feed(&hasher)
        if isLocal { hasher.combine(1 as UInt8) }
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
