import JSONText

/// Writes an archive again in pieces, without unused data.
///
/// Texts are copied in pieces of a megabyte. For each resource, only its positions and its entry in the directory are in memory.
struct Compaction {
    private static let pieceSize = 1 << 20

    private let image: ArchiveImage
    private let header: ArchiveHeader
    /// Writes a piece of the file at an offset.
    private let write: ([UInt8], Int) throws(ArchiveError) -> Void
    private var piece: ByteSink
    /// The checksum of the pieces that were written.
    private var content: Checksum
    private var resources: [Resource] = []
    private var counts: [Int]
    private var usedBytes = 0

    /// The old and the new offset of the record of a resource.
    private struct Resource {
        let type: Int
        let hash: UInt32
        let old: Int
        let new: Int
    }

    private init(_ image: ArchiveImage, _ header: ArchiveHeader, _ write: @escaping ([UInt8], Int) throws(ArchiveError) -> Void) {
        self.image = image
        self.header = header
        self.write = write
        piece = ByteSink(base: header.firstRecord, header: header)
        content = header.checksum(at: header.firstRecord)
        counts = Array(repeating: 0, count: image.types.count)
    }

    /// Calls `write` with the pieces of the new file. The header is written last, so that an incomplete file is not an archive.
    ///
    /// Throws `ArchiveError` if a part is damaged, and the errors of `write`.
    static func run(_ image: ArchiveImage, _ write: @escaping ([UInt8], Int) throws(ArchiveError) -> Void) throws(ArchiveError) {
        var compaction = Compaction(image, image.header.compacted, write)
        try compaction.run()
    }

    private mutating func run() throws(ArchiveError) {
        for (number, type) in image.types.enumerated() { try append(.typeName, type: number, type, []) }
        for record in try image.records() { try append(record) }
        resources.sort { $0.old < $1.old }
        let keys = try appendRoots()
        let sections = try appendSections(keys)
        let footer = ArchiveFooter(
            modelVersion: image.footer.modelVersion, number: 1, resourceCount: resources.count, usedBytes: usedBytes, sections: sections)
        let place = piece.append(footer)
        var head = CommitHead(number: 1, footer: place, end: piece.offset)
        try flush()
        head.content = content.value
        let start = header.size
        try write(header.bytes(head) + head.bytes(at: start, header), 0)
    }

    // MARK: - Records

    private mutating func append(_ record: ArchiveRecord) throws(ArchiveError) {
        let start = piece.offset
        piece.append(0, size: 4)
        image.bytes.with(record.range.lowerBound + 4..<record.range.upperBound) { piece.append($0) }
        piece.seal(at: start)
        usedBytes += record.range.count
        if record.kind.isResource {
            counts[record.type] += 1
            let hash = image.directoryHash(of: record)
            resources.append(Resource(type: record.type, hash: hash, old: record.range.lowerBound, new: start))
        }
        try flushIfLarge()
    }

    private mutating func append(_ kind: RecordKind, type: Int, _ key: String, _ text: [UInt8]) throws(ArchiveError) {
        piece.appendRecord(kind, type: type, key, text.span)
        try flushIfLarge()
    }

    private mutating func flushIfLarge() throws(ArchiveError) {
        if piece.bytes.count >= Self.pieceSize { try flush() }
    }

    private mutating func flush() throws(ArchiveError) {
        guard piece.offset < ArchiveFormat.maximumSize else { throw ArchiveFormat.tooLarge }
        let bytes = piece.bytes
        content.update(bytes.span)
        try write(bytes, piece.base)
        piece = ByteSink(base: piece.offset, header: header)
    }

    // MARK: - Roots

    private mutating func appendRoots() throws(ArchiveError) -> [ByteText: KeyDirectory.Entry] {
        var keys: [ByteText: KeyDirectory.Entry] = [:]
        for (name, record) in try image.rootRecords() {
            let start = piece.offset
            if record.kind == .value {
                try append(record)
            } else {
                let targets = try targets(of: record)
                // The key's only resource was removed, so the key is removed too.
                if record.kind == .one, targets.isEmpty { continue }
                var references = ByteSink(base: 0, header: header)
                references.append(references: targets)
                try append(record.kind, type: 0, name, references.bytes)
                usedBytes += piece.offset - start
            }
            keys[ByteText(name)] = .init(offset: start, place: start)
        }
        return keys
    }

    /// Returns the new offsets of the resources to which a root refers.
    private func targets(of root: ArchiveRecord) throws(ArchiveError) -> [Int] {
        var targets: [Int] = []
        for key in try image.keys(of: root) {
            guard let record = try image.record(key), let offset = newOffset(of: record.range.lowerBound) else { continue }
            targets.append(offset)
        }
        return targets
    }

    private func newOffset(of old: Int) -> Int? {
        let index = resources.indices.partitioningIndex { resources[$0].old >= old }
        return index < resources.count && resources[index].old == old ? resources[index].new : nil
    }

    // MARK: - Sections

    private mutating func appendSections(_ keys: [ByteText: KeyDirectory.Entry]) throws(ArchiveError) -> [ArchiveSection] {
        try flush()
        var sections: [ArchiveSection] = []
        let (types, counts) = (image.types, counts)
        if !types.isEmpty { sections.append(piece.appendSection(ArchiveFormat.typesSection) { $0.append(types: types) }) }
        if !keys.isEmpty { sections.append(piece.appendSection(ArchiveFormat.keysSection) { KeyMerge(keys).append(to: &$0) }) }
        if !resources.isEmpty {
            let directory = try directory()
            sections.append(piece.appendSection(ArchiveFormat.pagesSection) { directory.append(to: &$0) })
            sections.append(piece.appendSection(ArchiveFormat.countsSection) { $0.append(counts: counts) })
        }
        return sections
    }

    /// Returns the entries of the directory, in order.
    private mutating func directory() throws(ArchiveError) -> DirectoryMerge {
        resources.sort { a, b in a.type == b.type ? a.hash < b.hash : a.type < b.type }
        var start = 0
        while start < resources.count {
            var end = start + 1
            while end < resources.count, resources[end].type == resources[start].type, resources[end].hash == resources[start].hash {
                end += 1
            }
            if end - start > 1 { try arrange(start..<end) }
            start = end
        }
        return DirectoryMerge(
            ordered: resources.map { .init(type: $0.type, entry: .init(hash: $0.hash, offset: $0.new, place: $0.new)) })
    }

    /// Sorts resources with equal types and hashes by their keys.
    private mutating func arrange(_ range: Range<Int>) throws(ArchiveError) {
        var keyed: [(key: StoredIdentity, resource: Resource)] = []
        for resource in resources[range] { keyed.append((image.key(of: try image.resourceRecord(at: resource.old)), resource)) }
        keyed.sort { DirectoryMerge.precedes($0.key, $1.key) }
        resources.replaceSubrange(range, with: keyed.map(\.resource))
    }
}
