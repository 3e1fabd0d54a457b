public import Foundation
public import JSONAPICodec
import JSONText

/// What could be read of a damaged archive.
///
/// ```swift
/// let salvage = try ArchiveFile.salvage(url)
/// for loss in salvage.losses { log(loss) }                          // what is damaged, and where
/// try Archive.Writer(salvage.archive).write(to: otherURL)           // everything else
/// ```
///
/// A damaged record costs that record. When a directory or the end of the last commit is damaged, records are looked for in the whole file:
/// then a removed key may be back, and `losses` says so.
public struct ArchiveSalvage: Sendable {
    /// Everything that was found sound, as an archive in memory.
    public let archive: Archive

    /// What is damaged or lost; empty for a sound archive.
    public let losses: [ArchiveError]
}

extension ArchiveFile {
    /// Reads everything that is sound of the archive of a file, which is not changed.
    ///
    /// Throws `ArchiveError` when the file cannot be read, is no archive, is of a newer version, or has lost the number that its checksums
    /// depend on.
    ///
    /// - Complexity: O(n log n), n = bytes; memory for the archive once more.
    public static func salvage(_ url: URL, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ArchiveSalvage {
        let path = try ArchiveStorage.path(of: url)
        do {
            return try salvage(try ArchiveStorage().bytes(ofFile: path), decoder)
        } catch let error as ArchiveError {
            throw error.of(path)
        }
    }

    /// The same for the bytes of an archive.
    public static func salvage(_ data: Data, decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ArchiveSalvage {
        try salvage(ArchiveBytes(data), decoder)
    }

    static func salvage(_ bytes: ArchiveBytes, _ decoder: JSONAPIDecoder) throws -> ArchiveSalvage {
        do {
            let image = try ArchiveImage(bytes)
            try image.checkDirectories()
            return try ArchiveRemains(of: image).salvage(decoder)
        } catch let error as ArchiveError {
            // This library does not know newer versions, unless the number itself is what is damaged.
            let isNewer = error.kind == .unsupportedVersion || error.kind == .unsupportedFeature
            if isNewer, ArchiveHeader.isSound(bytes) { throw error }
            var scan = try ArchiveScan(bytes, error)
            return try scan.remains().salvage(decoder)
        }
    }
}

/// What was found of an archive, the newest state of each part.
struct ArchiveRemains {
    var modelVersion: UInt32 = 0
    /// Resources in the order of their records.
    var resources: [(key: ArchiveKey, text: [UInt8])] = []
    var roots: [(name: String, root: ArchiveRoot)] = []
    var losses: [ArchiveError] = []

    func salvage(_ decoder: JSONAPIDecoder) throws -> ArchiveSalvage {
        var writer = Archive.Writer(modelVersion: Int(modelVersion))
        for (key, text) in resources { try writer.insert(key.identifier, text.span) }
        for (name, root) in roots { try writer.put(root, named: name) }
        return ArchiveSalvage(archive: try Archive(data: try writer.data(), decoder: decoder), losses: losses)
    }

    static func lost(_ what: String, at offset: Int) -> ArchiveError {
        ArchiveError(.corrupt, "\(what) is lost", section: .record, offset: offset)
    }
}

extension ArchiveRemains {
    /// What is left when everything but some records is sound.
    init(of image: ArchiveImage) {
        modelVersion = image.footer.modelVersion
        losses = image.notes.filter { $0.kind != .unfinishedCommit }
        addResources(of: image)
        let kept = Set(resources.map(\.key))
        for (name, offset) in image.roots {
            do {
                guard let root = try image.salvagedRoot(named: name, among: kept) else { continue }
                roots.append((name, root))
            } catch {
                losses.append(Self.lost("the value of the key `\(name)`", at: offset))
            }
        }
    }

    private mutating func addResources(of image: ArchiveImage) {
        var newest: [ArchiveKey: Int] = [:]
        var lostHashes: Set<UInt32> = []
        var found: [(record: ArchiveRecord, place: Int)] = []
        for (age, directory) in image.directories.enumerated() {
            for index in 0..<directory.count {
                // Pages that are damaged were found before.
                guard let entry = try? directory.entry(index, image.bytes) else { continue }
                // An older state of what is lost is no substitute.
                if age > 0, lostHashes.contains(entry.hash) { continue }
                guard let record = try? image.resourceRecord(at: entry.offset), image.directoryHash(of: record) == entry.hash else {
                    lostHashes.insert(entry.hash)
                    losses.append(Self.lost(image.nameOfLost(at: entry.offset, entry.hash), at: entry.offset))
                    continue
                }
                let key = image.key(of: record)
                if newest[key] == nil { newest[key] = age }
                if newest[key] == age, !record.kind.isRemoval { found.append((record, entry.place)) }
            }
        }
        found.sort { $0.place < $1.place }
        resources = found.map { (image.key(of: $0.record), image.text(of: $0.record)) }
    }
}

extension ArchiveImage {
    /// Checks the pages of all directories.
    fileprivate func checkDirectories() throws(ArchiveError) {
        for directory in directories {
            for index in stride(from: 0, to: directory.count, by: DirectoryPages.entriesPerPage) { _ = try directory.entry(index, bytes) }
        }
    }

    /// The resource that a damaged record was of, as far as that can be told.
    fileprivate func nameOfLost(at offset: Int, _ hash: UInt32) -> String {
        guard let record = try? resourceRecord(at: offset, isChecked: false) else { return "a resource" }
        let key = key(of: record)
        return key.directoryHash == hash ? "the resource \(key.identifier)" : "a resource"
    }

    /// What a root names, without the resources that are lost.
    fileprivate func salvagedRoot(named name: String, among kept: Set<ArchiveKey>) throws(ArchiveError) -> ArchiveRoot? {
        guard let record: ArchiveRecord = try root(name) else { return nil }
        if record.kind == .value { return .value(bytes.array(record.text)) }
        var keys: [ArchiveKey] = []
        for offset in try references(record) {
            // Only the key is wanted, which a damaged record may have kept.
            guard let target = try? resourceRecord(at: offset, isChecked: false) else { continue }
            let key = key(of: target)
            if kept.contains(key) { keys.append(key) }
        }
        return record.kind == .many ? .many(keys) : keys.first.map(ArchiveRoot.one)
    }
}
