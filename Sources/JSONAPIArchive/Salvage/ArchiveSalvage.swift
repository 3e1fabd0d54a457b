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
/// for records. A removed key can then reappear, and `losses` reports the damage. A removed resource reappears only if the record of its
/// removal is damaged too.
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
        try addResources(of: image)
        var sound: [(name: String, record: ArchiveRecord, references: [Int])] = []
        for (name, offset) in image.roots {
            do throws(ArchiveError) {
                guard let record: ArchiveRecord = try image.root(name) else { continue }
                sound.append((name, record, record.kind == .value ? [] : try image.references(record)))
            } catch {
                losses.append(Self.lostValue(of: name, at: offset))
            }
        }
        let kept = Set(resources.map(\.key))
        let keys = image.certainKeys(at: Set(sound.lazy.map(\.references).joined()))
        for (name, record, references) in sound {
            let found = references.compactMap { keys[$0] }
            var isLost = found.count < references.count
            if let root = ArchiveRoot(record, found.filter(kept.contains), image.bytes) {
                roots.append((name, root))
            } else if let only = found.first {
                // The only resource was removed, which is no loss, or its newest record is damaged.
                isLost = try image.has(only)
            }
            if isLost { losses.append(Self.lostValue(of: name, record.kind, at: record.range.lowerBound)) }
        }
    }

    private mutating func addResources(of image: ArchiveImage) throws(ArchiveError) {
        // An older state must not replace a lost one, so only the newest entries count.
        for entry in try image.newestEntries().map(\.entry) {
            guard let record = try? image.resourceRecord(at: entry.offset), image.directoryHash(of: record) == entry.hash else {
                losses.append(Self.lost(image.nameOfLost(at: entry.offset, entry.hash), at: entry.offset))
                continue
            }
            if !record.kind.isRemoval { resources.append((image.key(of: record), image.text(of: record))) }
        }
    }
}

extension ArchiveImage {
    /// Returns the name of the resource that a damaged record contained, as far as it is known.
    fileprivate func nameOfLost(at offset: Int, _ hash: UInt32) -> String {
        guard let record = try? resourceRecord(at: offset, isChecked: false) else { return "a resource" }
        let key = key(of: record)
        return key.directoryHash == hash ? "the resource \(key.identifier)" : "a resource"
    }

    /// Returns the identities in the records of resources at the given offsets. Each byte is read once. Offsets of records whose identity
    /// may be damaged are left out.
    ///
    /// Only the identity is needed. In a damaged record, it is intact if it has the hash that a directory has for the record.
    fileprivate func certainKeys(at offsets: Set<Int>) -> [Int: StoredIdentity] {
        var keys: [Int: StoredIdentity] = [:]
        var (end, keyEnd) = (0, 0)
        var hashes: [Int: UInt32]?
        for offset in offsets.sorted() where offset >= keyEnd {
            guard let record = try? resourceRecord(at: offset, isChecked: false) else { continue }
            var isCertain = offset >= end && (try? resourceRecord(at: offset)) != nil
            if !isCertain {
                let known = hashes ?? directoryHashes()
                hashes = known
                isCertain = known[offset] == directoryHash(of: record)
            }
            if isCertain { keys[offset] = key(of: record) }
            end = max(end, record.range.upperBound)
            keyEnd = record.key.upperBound
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
                guard section.kind == ArchiveFormat.pagesSection || section.isSound(bytes, header),
                    let directory = try? ArchiveDirectory(section, bytes, header)
                else { continue }
                for index in 0..<directory.count {
                    if let entry = try? directory.entry(index, bytes) { hashes[entry.offset] = entry.hash }
                }
            }
            start = commit.end
        }
        return hashes
    }
}
