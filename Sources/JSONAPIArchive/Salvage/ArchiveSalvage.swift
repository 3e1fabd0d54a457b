public import Foundation
public import JSONAPICodec
import JSONText

/// The contents that were recovered from a damaged archive.
///
/// ```swift
/// let salvage = try ArchiveFile.salvage(url)
/// for loss in salvage.losses { log(loss) }                          // what is damaged, and where
/// try Archive.Writer(salvage.archive).write(to: otherURL)           // everything else
/// ```
///
/// If a record is damaged, only that record is lost. If a directory or the end of the last commit is damaged, the whole file is searched
/// for records. If the end of a commit or its list of keys is damaged, a key that this commit removed can reappear, and `losses` reports the
/// damage. A removed resource reappears only if the record of its removal is damaged too.
public struct ArchiveSalvage: Sendable {
    /// An archive in memory with all intact contents. A key whose only resource was removed is left out.
    public let archive: Archive

    /// The parts that are damaged or lost. Empty for an intact archive.
    public let losses: [ArchiveError]
}

extension ArchiveFile {
    /// Recovers the intact contents of the archive in a file. The file does not change.
    ///
    /// Throws `ArchiveError` in these cases:
    /// - The file cannot be read or is not an archive.
    /// - The version of the archive is newer than this library.
    /// - The number on which the checksums depend is lost.
    ///
    /// - Complexity: O(n log n), n = number of bytes. It needs memory for the file, and for the recovered archive.
    public static func salvage(_ url: URL, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ArchiveSalvage {
        try salvage(url, decoder: decoder, ArchiveStorage())
    }

    static func salvage(_ url: URL, decoder: JSONAPIDecoder, _ storage: ArchiveStorage) throws -> ArchiveSalvage {
        let path = try ArchiveStorage.path(of: url)
        do {
            return try salvage(try storage.bytes(ofFile: path) { ArchiveScan.header($0) != nil }, decoder)
        } catch let error as ArchiveError {
            throw error.of(path)
        }
    }

    /// Recovers the intact contents of an archive in memory. Throws as the function above does.
    public static func salvage(_ data: Data, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ArchiveSalvage {
        try salvage(ArchiveBytes(data), decoder)
    }

    static func salvage(_ bytes: ArchiveBytes, _ decoder: JSONAPIDecoder) throws -> ArchiveSalvage {
        do {
            return try ArchiveRemains(of: try ArchiveImage(bytes)).salvage(decoder)
        } catch let error as ArchiveError {
            // Newer versions are not supported, unless the version number itself is damaged.
            let isNewer = error.kind == .unsupportedVersion || error.kind == .unsupportedFeature
            if isNewer, ArchiveHeader.isSound(bytes) { throw error }
            var scan = try ArchiveScan(bytes, error)
            return try scan.remains().salvage(decoder)
        }
    }
}

/// The recovered parts of an archive, each in its newest state.
struct ArchiveRemains {
    var modelVersion: UInt32 = 0
    /// The resources, in the order of their records.
    var resources: [(key: StoredIdentity, text: [UInt8])] = []
    var roots: [(name: String, root: ArchiveRoot)] = []
    var losses: [ArchiveError] = []

    func salvage(_ decoder: JSONAPIDecoder) throws -> ArchiveSalvage {
        var writer = Archive.Writer(modelVersion: Int(modelVersion))
        for (key, text) in resources { try writer.insert(key.identifier, text.span) }
        for (name, root) in roots { try writer.put(root, named: name) }
        // The suggestions for damage have been followed already.
        let losses = losses.map { loss in
            var loss = loss
            loss.advice = nil
            return loss
        }
        return ArchiveSalvage(archive: try Archive(data: try writer.data(), decoder: decoder), losses: losses)
    }

    /// - Parameter kind: the kind of the root. Of many resources, the others are kept.
    static func lostValue(of key: String, _ kind: RecordKind? = nil, at offset: Int) -> ArchiveError {
        lost((kind == .many ? "a part of " : "") + "the value of the key `\(key)`", at: offset)
    }

    static func lost(_ what: String, at offset: Int) -> ArchiveError {
        ArchiveError(.corrupt, "\(what) is lost", section: .record, offset: offset)
    }
}

extension ArchiveRemains {
    /// Collects the contents of an archive in which only records are damaged. Throws if a directory is damaged.
    init(of image: ArchiveImage) throws(ArchiveError) {
        modelVersion = image.footer.modelVersion
        losses = image.notes.filter { $0.kind != .unfinishedCommit }
        let lost = try addResources(of: image)
        let roots = soundRoots(of: image)
        let kept = Set(resources.map(\.key))
        let keys = image.certainKeys(at: Set(roots.lazy.map(\.references).joined()))
        let targets = keys.filter { kept.contains($0.value) }
        // A resource that was removed is no loss.
        let removed = keys.filter { targets[$0.key] == nil && !lost.contains($0.value.directoryHash) }
        for (name, record, references) in roots {
            if let root = ArchiveRoot(record, references.compactMap { targets[$0] }, image.bytes) { self.roots.append((name, root)) }
            if references.contains(where: { targets[$0] == nil && removed[$0] == nil }) {
                losses.append(Self.lostValue(of: name, record.kind, at: record.range.lowerBound))
            }
        }
    }

    /// Returns the intact roots with their references. The others are added to the losses.
    private mutating func soundRoots(of image: ArchiveImage) -> [(name: String, record: ArchiveRecord, references: [Int])] {
        var sound: [(name: String, record: ArchiveRecord, references: [Int])] = []
        let roots = image.roots
        let bounds = RecordBounds(roots.map(\.offset))
        for (name, offset) in roots {
            guard bounds.hasRoom(for: try? image.record(at: offset, isChecked: false)), let record = image.soundRoot(name),
                let references = record.kind == .value ? [] : try? image.references(record)
            else {
                losses.append(Self.lostValue(of: name, at: offset))
                continue
            }
            sound.append((name, record, references))
        }
        return sound
    }

    /// Adds the resources, and the losses among them. Returns the hashes of the lost ones.
    private mutating func addResources(of image: ArchiveImage) throws(ArchiveError) -> Set<UInt32> {
        var lost: Set<UInt32> = []
        // An older state must not replace a lost one, so only the newest entries count.
        let (entries, bounds) = try image.newestEntriesDespiteDamage()
        for entry in entries.map(\.entry) {
            guard let record = image.intactRecord(at: entry.offset, bounds), image.directoryHash(of: record) == entry.hash else {
                losses.append(Self.lost(image.nameOfLost(at: entry.offset, entry.hash, bounds), at: entry.offset))
                if !entry.isRemoved { lost.insert(entry.hash) }
                continue
            }
            if !record.kind.isRemoval { resources.append((image.key(of: record), image.text(of: record))) }
        }
        return lost
    }
}

extension ArchiveImage {
    /// Returns the name of the resource that a damaged record contained, as far as it is known.
    fileprivate func nameOfLost(at offset: Int, _ hash: UInt32, _ bounds: RecordBounds) -> String {
        guard let record = try? resourceRecord(at: offset, isChecked: false), bounds.hasRoom(forKeyOf: record) else {
            return "a resource"
        }
        let key = key(of: record)
        return key.directoryHash == hash ? "the resource \(key.identifier)" : "a resource"
    }

    /// Returns the identities in the records of resources at the given offsets. The cost is linear in their bytes. Offsets of records whose identity
    /// may be damaged are left out.
    ///
    /// Only the identity is needed. In a damaged record, it is intact if it has the hash that a directory has for the record.
    fileprivate func certainKeys(at offsets: Set<Int>) -> [Int: StoredIdentity] {
        var keys: [Int: StoredIdentity] = [:]
        let bounds = RecordBounds(offsets)
        var hashes: [Int: UInt32]?
        for offset in offsets {
            guard let record = try? resourceRecord(at: offset, isChecked: false), bounds.hasRoom(forKeyOf: record) else { continue }
            var isCertain = intactRecord(at: offset, bounds) != nil
            if !isCertain {
                let known = hashes ?? directoryHashes()
                hashes = known
                isCertain = known[offset] == directoryHash(of: record)
            }
            if isCertain { keys[offset] = key(of: record) }
        }
        return keys
    }

    /// Returns the hashes that the intact directories of all commits have for the records of resources, by offset. The directory of the
    /// commit that wrote a record still has it after the resource was written again.
    private func directoryHashes() -> [Int: UInt32] {
        var hashes: [Int: UInt32] = [:]
        var start = header.size
        while start < head.end, let commit = CommitHead(bytes, at: start, header), commit.end > start, commit.end <= head.end {
            let footer = try? ArchiveFooter(bytes, of: commit, header)
            // A section before the commit was visited with its own commit.
            for section in footer?.directorySections ?? [] where section.offset >= start {
                for entry in ArchiveDirectory.intactEntries(of: section, bytes, header) { hashes[entry.offset] = entry.hash }
            }
            start = commit.end
        }
        return hashes
    }
}
