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

/// Finds the resources of a file by identity: 25 bytes for each.
///
/// An identity is kept as a hash with keys of the process; what the hash leads to is read and compared.
struct ResourceDirectory: Sendable {
    struct Entry: Sendable {
        let hash: UInt64
        let offset: Int
        let length: UInt32
        let place: ResourcePlace

        var end: Int { offset + Int(length) }
    }

    /// In the order of hashes; entries of one hash in the order in which linkage finds them.
    private var entries: [Entry] = []
    /// Where the entries of each bucket of hashes begin.
    private var starts: [UInt32] = []
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
                let hash = view.hash(
                    stringAt: Int(key), .shared, into: view.hash(stringAt: Int(entry.type), .shared, into: entry.id == 0 ? 1 : 0))
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
        fillBuckets()
    }

    /// The first answer of `body` for the entries that may be the resource, in their order.
    func first<Answer>(for identifier: ResourceIdentifier, _ body: (Entry) throws -> Answer?) rethrows -> Answer? {
        guard let key = identifier.id ?? identifier.lid else { return nil }
        let hash = TapeView.hash(
            key, .shared, into: TapeView.hash(identifier.type, .shared, into: identifier.id == nil ? 1 : 0))
        var low = position(of: hash)
        while low < entries.count, entries[low].hash == hash {
            if let answer = try body(entries[low]) { return answer }
            low += 1
        }
        return nil
    }

    /// Where entries with this hash begin, or would.
    private func position(of hash: UInt64) -> Int {
        guard !starts.isEmpty else { return 0 }
        var position = Int(starts[bucket(of: hash)])
        while position < entries.count, entries[position].hash < hash { position += 1 }
        return position
    }

    private func bucket(of hash: UInt64) -> Int {
        // In bounds: the high half of a product with the number of buckets.
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(starts.count)).high)
    }

    /// Hashes are spread evenly: a bucket has eight entries on average, which are found in two looks at memory where halving the
    /// whole takes one for each doubling of it.
    private mutating func fillBuckets() {
        starts = [UInt32](repeating: 0, count: entries.count / 8 + 1)
        var next = 0
        for (position, entry) in entries.enumerated() {
            let bucket = bucket(of: entry.hash)
            while next <= bucket {
                starts[next] = UInt32(truncatingIfNeeded: position)
                next += 1
            }
        }
        while next < starts.count {
            starts[next] = UInt32(truncatingIfNeeded: entries.count)
            next += 1
        }
    }
}
