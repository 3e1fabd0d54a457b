import JSONAPICodec
import JSONText

/// The place of a resource object in its document: `data` or `included`, and the index there. It takes four bytes.
struct ResourcePlace: Sendable, Hashable {
    /// The highest bit is set for `included`, so that primary data sorts first.
    fileprivate let bits: UInt32

    /// - Parameter ordinal: The index in the section; nil when the section is a single resource.
    init(_ section: DocumentSection, _ ordinal: Int?) {
        let number = ordinal.map { UInt32(truncatingIfNeeded: $0) & Self.single } ?? Self.single
        bits = number | (section == .included ? Self.isIncluded : 0)
    }

    fileprivate static let isIncluded: UInt32 = 0x8000_0000
    /// In place of an index. The directory has fewer entries.
    private static let single: UInt32 = 0x7FFF_FFFF

    var section: DocumentSection { bits >> 31 == 0 ? .data : .included }

    var pointer: JSONPointer {
        let (place, number) = (JSONPointer(section.rawValue), bits & Self.single)
        return number == Self.single ? place : place.appending(Int(number))
    }
}

/// Finds the resources of a file by identity. It takes 25 bytes for each.
///
/// Identities are stored as hashes, with keys of this process. The caller reads the resource and compares the identity.
struct ResourceDirectory: Sendable {
    struct Entry: Sendable {
        let hash: UInt64
        /// The offset; the lowest bit is set when the resource has relationships.
        private let bits: UInt64
        let length: UInt32
        let place: ResourcePlace

        init(hash: UInt64, range: Range<Int>, place: ResourcePlace, hasRelationships: Bool) {
            self.hash = hash
            bits = UInt64(truncatingIfNeeded: range.lowerBound) << 1 | (hasRelationships ? 1 : 0)
            length = UInt32(truncatingIfNeeded: range.count)
            self.place = place
        }

        var offset: Int { Int(truncatingIfNeeded: bits >> 1) }
        var end: Int { offset + Int(length) }
        var hasRelationships: Bool { bits & 1 != 0 }

        /// The place among the entries, with primary or with included resources first.
        fileprivate func order(_ prefersIncluded: Bool) -> (UInt64, UInt32) {
            (hash, prefersIncluded ? place.bits ^ ResourcePlace.isIncluded : place.bits)
        }
    }

    /// Sorted by hash. Entries with the same hash are in the order in which linkage finds them.
    private var entries: [Entry] = []
    /// The start of the entries of each bucket of hashes.
    private var starts: [UInt32] = []
    /// Whether several entries have the same hash.
    private(set) var hasSharedHashes = false
    /// Whether all primary data is bare identifiers. Those that `included` has as well are the resources there.
    private var primaryIsLinkage = true

    /// Adds the resources of a portion. Throws when they are not valid resources.
    mutating func add(_ portion: DocumentPortion, _ options: JSONAPIDecoder) throws {
        guard let section = portion.section else { return }
        // Places and buckets are numbers of four bytes.
        guard entries.count < Int(Int32.max) - portion.resourceCount else {
            throw DecodingFailure(
                .resourceLimit, at: JSONPointer(section.rawValue), expected: "at most \(Int32.max) resource objects", found: "more")
        }
        try portion.withTape(options) { tape in
            let document = try ParsedDocument(tape, options: options.forPortions, findsByIdentity: false)
            let view = document.view
            for (index, entry) in document.entries.prefix(max(portion.elements.count, document.index.primaryCount)).enumerated() {
                if section == .data, !entry.isBare(view) { primaryIsLinkage = false }
                let key = entry.id != 0 ? entry.id : entry.lid
                guard key != 0, entry.type != 0 else { continue }
                let start = view.offset(at: Int(entry.word))
                let end = portion.elements.indices.contains(index) ? portion.elements[index].upperBound : portion.text.count - 1
                guard let offset = portion.documentOffset(of: start) else { continue }
                let hash = Self.hash(view, type: Int(entry.type), key: Int(key), isLocal: entry.id == 0)
                let place = ResourcePlace(section, portion.isArray ? portion.firstOrdinal + index : nil)
                entries.append(
                    Entry(
                        hash: hash, range: offset..<offset + max(end - start, 0), place: place, hasRelationships: entry.relationships != 0))
            }
        }
    }

    /// Sorts the entries. Call this after all resources were added.
    mutating func sort() {
        fillBuckets()
        hasSharedHashes = entries.indices.contains { isShared($0) }
    }

    /// Calls `body` with the entries that may be the resource, in order, and returns its first result that is not nil.
    func first<Result>(for identifier: ResourceIdentifier, _ body: (Entry) throws -> Result?) rethrows -> Result? {
        guard let hash = Self.hash(identifier), var position = position(of: hash) else { return nil }
        while position < entries.count, entries[position].hash == hash {
            if let result = try body(entries[position]) { return result }
            position += 1
        }
        return nil
    }

    /// Returns the index of the first entry with the given hash; nil when there is none.
    func position(of hash: UInt64) -> Int? {
        guard !starts.isEmpty else { return nil }
        let bucket = bucket(of: hash)
        var low = Int(starts[bucket])
        var high = Int(end(of: bucket))
        // A bucket is long when an identity occurs many times.
        while high - low > 16 {
            let middle = (low + high) / 2
            if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        while low < high, entries[low].hash < hash { low += 1 }
        return low < entries.count && entries[low].hash == hash ? low : nil
    }

    /// Whether the next entry has the same hash. The two identities may be equal or different.
    func isShared(_ position: Int) -> Bool { position + 1 < entries.count && entries[position + 1].hash == entries[position].hash }

    subscript(position: Int) -> Entry { entries[position] }
}

// MARK: - Hashes

extension ResourceDirectory {
    /// Returns the hash of an identity; nil when there is none.
    static func hash(_ identifier: ResourceIdentifier) -> UInt64? {
        guard let key = identifier.id ?? identifier.lid else { return nil }
        return TapeView.hash(key, .shared, into: TapeView.hash(identifier.type, .shared, into: identifier.id == nil ? 1 : 0))
    }

    /// Returns the hash of an identity on the tape.
    static func hash(_ view: TapeView, type: Int, key: Int, isLocal: Bool) -> UInt64 {
        view.hash(stringAt: key, .shared, into: view.hash(stringAt: type, .shared, into: isLocal ? 1 : 0))
    }
}

// MARK: - Order

extension ResourceDirectory {
    /// Returns the bucket of a hash. Hashes are evenly distributed, so a bucket has four entries on average. Finding one takes two accesses
    /// to distant memory; a binary search takes one for each doubling of the number of entries.
    private func bucket(of hash: UInt64) -> Int {
        // In bounds: the high half of a product with the number of buckets.
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(starts.count)).high)
    }

    /// Sorts the entries by hash, in place: first each into its bucket, then the few entries of each bucket.
    private mutating func fillBuckets() {
        starts = [UInt32](repeating: 0, count: entries.count / 4 + 1)
        for entry in entries { starts[bucket(of: entry.hash)] &+= 1 }
        var start: UInt32 = 0
        for bucket in starts.indices {
            (starts[bucket], start) = (start, start &+ starts[bucket])
        }
        var next = starts
        for bucket in starts.indices {
            let end = end(of: bucket)
            while next[bucket] < end { moveHome(bucket, &next) }
            sort(Int(starts[bucket])..<Int(end))
        }
    }

    private func end(of bucket: Int) -> UInt32 {
        bucket + 1 < starts.count ? starts[bucket + 1] : UInt32(truncatingIfNeeded: entries.count)
    }

    /// Swaps the next entry of a bucket into the bucket that it belongs to. Each entry is moved there once.
    private mutating func moveHome(_ bucket: Int, _ next: inout [UInt32]) {
        let position = Int(next[bucket])
        let home = self.bucket(of: entries[position].hash)
        // An earlier bucket is complete, so nothing that belongs there is left.
        if home != bucket { entries.swapAt(position, Int(next[home])) }
        next[home] &+= 1
    }

    private mutating func sort(_ range: Range<Int>) {
        guard range.count <= 32 else {
            return entries[range].sort { [primaryIsLinkage] in $0.order(primaryIsLinkage) < $1.order(primaryIsLinkage) }
        }
        for position in range.dropFirst() {
            let entry = entries[position]
            var free = position
            while free > range.lowerBound, entry.order(primaryIsLinkage) < entries[free - 1].order(primaryIsLinkage) {
                entries[free] = entries[free - 1]
                free -= 1
            }
            entries[free] = entry
        }
    }
}
