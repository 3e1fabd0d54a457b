import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive

/// The order in which an archive is written to the disk, and what remains of a failed write.
@Suite struct ArchiveOrderTests {
    @Test func aCommitSyncsOnceBeforeItWritesItsSlot() throws {
        try withFolder { folder in
            let files = RecordingFiles()
            let archive = try ArchiveFile(folder.appendingPathComponent("a"), files: files)
            defer { archive.close() }
            for state in ["one", "two"] {
                files.forget()
                try archive.commit { try $0.encode(state, forKey: "state") }
                #expect(files.calls == ["write", "fsync", "write"])
            }
            files.forget()
            try archive.commit { _ in }
            #expect(files.calls.isEmpty)
        }
    }

    @Test func aCommitToAFileOfVersionThreeSyncsBeforeAndAfterItWritesItsSlot() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveSampleTests.copy(version: 3, to: url)
            let files = RecordingFiles()
            let archive = try ArchiveFile(url, files: files)
            defer { archive.close() }
            files.forget()
            try archive.commit { try $0.encode("one", forKey: "state") }
            #expect(files.calls == ["write", "fsync", "write", "fsync"])
            try archive.compact()
            files.forget()
            try archive.commit { try $0.encode("two", forKey: "state") }
            #expect(files.calls == ["write", "fsync", "write"])
        }
    }

    @Test func aWriteSyncsTheFileBeforeRenamingAndTheFolderBeforeReturning() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            for _ in 0..<2 {
                let files = RecordingFiles()
                try Sample.writer().write(to: url, files)
                #expect(files.calls == ["write", "fsync", "rename", "fsync"])
            }
            let archive = try ArchiveFile(url, files: SystemFiles())
            archive.close()
            let files = RecordingFiles()
            let compacted = try ArchiveFile(url, files: files)
            files.forget()
            try compacted.compact()
            compacted.close()
            // A compaction writes in pieces, all of them before the first sync.
            let afterWrites = Array(files.calls.drop(while: { $0 == "write" }))
            #expect(files.calls.first == "write" && afterWrites == ["fsync", "rename", "fsync"])
        }
    }

    @Test(arguments: ["write", "fsync", "rename", "fchmod"])
    func aFailedWriteLeavesNoTemporaryFile(call: String) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Sample.writer().write(to: url)
            #expect(archiveError { try Sample.writer().write(to: url, FaultyFiles(call, number: 1, .error(EIO))) }?.systemCall == call)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
            #expect(try Archive(contentsOf: url).verify().isEmpty)
        }
    }

    /// The number of resources is 16 bytes after the start of the footer, and the number of used bytes 24.
    @Test(arguments: [16, 24])
    func aFooterWithWrongCountsIsReported(place: Int) throws {
        let bytes = [UInt8](try Sample.writer().data())
        let archive = try Archive(data: Data(bytes))
        #expect(archive.verify().isEmpty)
        let right = place == 16 ? archive.count : archive.image.footer.usedBytes
        for wrong in [right - 1, right + 1] {
            let forged = Forgery(bytes).withFooterField(place, UInt64(wrong))
            #expect(try Archive(data: Data(forged)).verify().map(\.section) == [.footer])
        }
    }
}

/// The system's files, with a record of each call that changes the disk.
private final class RecordingFiles: FileSystem, Sendable {
    private let system = SystemFiles()
    private let noted = Record<String>()
    private let start = Record<Int>()

    var calls: [String] { Array(noted.elements.dropFirst(start.elements.last ?? 0)) }
    func forget() { start.append(noted.elements.count) }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        try system.open(path, flags, rights: rights)
    }
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus { try system.status(descriptor) }
    func status(ofPath path: String) throws(SystemFault) -> FileStatus { try system.status(ofPath: path) }
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8] {
        try system.read(descriptor, count: count, at: offset)
    }
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        noted.append("write")
        return try system.write(descriptor, bytes, at: offset)
    }
    func synchronize(_ descriptor: Int32) throws(SystemFault) {
        noted.append("fsync")
        try system.synchronize(descriptor)
    }
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault) {
        noted.append("ftruncate")
        try system.truncate(descriptor, to: count)
    }
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) { try system.setRights(descriptor, rights) }
    func lock(_ descriptor: Int32) throws(SystemFault) { try system.lock(descriptor) }
    func rename(_ path: String, to newPath: String) throws(SystemFault) {
        noted.append("rename")
        try system.rename(path, to: newPath)
    }
    func remove(_ path: String) throws(SystemFault) { try system.remove(path) }
    func close(_ descriptor: Int32) throws(SystemFault) { try system.close(descriptor) }
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes { try system.map(descriptor, count: count) }
}

private final class Record<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: [Element] = []

    var elements: [Element] { lock.withLock { stored } }
    func append(_ element: Element) { lock.withLock { stored.append(element) } }
}
