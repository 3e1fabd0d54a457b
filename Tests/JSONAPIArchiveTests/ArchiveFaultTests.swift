import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive

@Suite("Archives when the system fails")
struct ArchiveFaultTests {
    static let calls = ["open", "fstat", "lstat", "write", "fsync", "fchmod", "flock", "rename", "close"]
    static let codes = [EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE]

    private func old(_ url: URL) throws {
        var writer = Archive.Writer()
        try writer.encode("old", forKey: "state")
        try writer.write(to: url)
    }

    private func state(_ url: URL) throws -> String { try Archive(contentsOf: url).decode(String.self, forKey: "state") }

    @Test(
        "After any failed call of a write, the old or the new archive exists", arguments: calls,
        codes)
    func whole(call: String, code: Int32) throws {
        try withFolder { folder in
            for number in 1...12 {
                let url = folder.appendingPathComponent("a")
                try old(url)
                let files = FaultyFiles(call, number: number, .error(code))
                var writer = Archive.Writer()
                try writer.encode("new", forKey: "state")
                var error: ArchiveError?
                do { try writer.write(to: url, files) } catch let caught as ArchiveError { error = caught }
                if let error {
                    #expect(error.kind == .io && error.systemCall == call && error.code == code && error.file == url.path)
                    // Only the sync of the folder follows the rename.
                    #expect(try state(url) == (call == "fsync" && number == 2 || call == "open" && number == 3 ? "new" : "old"))
                } else {
                    #expect(try state(url) == "new")
                }
                #expect(files.openCount == 0 && files.closedTwiceCount == 0)
                // A temporary file that could not be read after it was created is removed when the archive is opened for writing.
                try ArchiveFile(url).close()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
                guard (files.calls[call] ?? 0) >= number else { return }
            }
        }
    }

    @Test(
        "If only syncing the folder after a compaction fails, the file can still be written",
        arguments: [("open", EMFILE), ("fsync", EIO)])
    func compaction(call: String, code: Int32) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            let files = FaultyFiles()
            let file = try ArchiveFile(url, files: files)
            func failNext(_ number: Int) { files.fail(call, number: (files.calls[call] ?? 0) + number, .error(code)) }
            // The first call belongs to the new file.
            failNext(2)
            #expect(archiveError { try file.compact() }?.code == code)
            // The path may lead to the old file after a loss of power, so nothing counts as saved until the folder is synced.
            failNext(1)
            #expect(archiveError { try file.commit { try $0.encode("lost", forKey: "state") } }?.code == code)
            try file.commit { try $0.encode("new", forKey: "state") }
            #expect(try file.archive.decode(String.self, forKey: "state") == "new")
            file.close()
            #expect(try state(url) == "new")
            #expect(files.openCount == 0 && files.closedTwiceCount == 0)
        }
    }

    @Test(
        "After any failed call of a commit, the file has the old or the new state",
        arguments: calls + ["ftruncate", "mmap", "read"], [EIO, ENOSPC])
    func commit(call: String, code: Int32) throws {
        try withFolder { folder in
            for number in 1...20 {
                let url = folder.appendingPathComponent("\(call)\(number)")
                try old(url)
                let files = FaultyFiles(call, number: number, .error(code))
                var confirmed = "old"
                do {
                    let file = try ArchiveFile(url, files: files)
                    for state in ["one", "two", "three"] {
                        do {
                            try file.commit { try $0.encode(state, forKey: "state") }
                            confirmed = state
                        } catch {
                            // An unconfirmed state can exist or not. It must not be rejected without a reason.
                            #expect(error is ArchiveError)
                            #expect(["old", "one", "two", "three"].contains(try self.state(url)))
                            if try self.state(url) == state { confirmed = state }
                        }
                        #expect(
                            try file.archive.decode(String.self, forKey: "state") == confirmed || call == "fsync" || call == "mmap"
                                || call == "write" || call == "fstat" || call == "read")
                    }
                    file.close()
                } catch {
                    #expect((error as? ArchiveError)?.systemCall == call)
                }
                #expect(try state(url) == confirmed)
                #expect(try Archive(contentsOf: url).verify().allSatisfy { $0.kind == .unfinishedCommit })
                #expect(files.openCount == 0 && files.closedTwiceCount == 0)
                guard (files.calls[call] ?? 0) >= number else { return }
            }
        }
    }

    @Test("After a failed sync, nothing is written until the file is opened again")
    func failedSync() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            let file = try ArchiveFile(url, files: FaultyFiles("fsync", number: 1, .error(EIO)))
            #expect(archiveError { try file.commit { try $0.encode("new", forKey: "state") } }?.systemCall == "fsync")
            #expect(archiveError { try file.commit { try $0.encode("newer", forKey: "state") } }?.kind == .closed)
            file.close()
            let again = try ArchiveFile(url)
            // The commit was written, and a reader may have found it. It is written again and synced.
            #expect(try again.archive.decode(String.self, forKey: "state") == "new")
            try again.commit { try $0.encode("newest", forKey: "state") }
            #expect(try state(url) == "newest")
        }
    }

    /// The reader has found the commit, which is whole, before it is certain that it is on the disk.
    @Test("An archive that was opened before a failed sync does not change")
    func readerDuringFailedSync() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            let files = FaultyFiles()
            let file = try ArchiveFile(url, files: files)
            let reader = Locked<Archive?>(nil)
            files.fail("fsync", number: (files.calls["fsync"] ?? 0) + 1, .error(EIO)) {
                let archive = try? Archive(contentsOf: url)
                reader.withLock { $0 = archive }
            }
            let long = String(repeating: "new ", count: 10_000)
            #expect(archiveError { try file.commit { try $0.encode(long, forKey: "state") } }?.systemCall == "fsync")
            file.close()
            let again = try ArchiveFile(url)
            try again.commit { try $0.encode("newest", forKey: "state") }
            let archive = try #require(reader.withLock { $0 })
            #expect(try archive.decode(String.self, forKey: "state") == long)
            #expect(archive.verify().isEmpty)
            #expect(try state(url) == "newest")
        }
    }

    @Test("Interrupted calls and short writes are continued", arguments: ["open", "write", "fsync", "flock", "rename"], 1...3)
    func interrupted(call: String, number: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            for fault in [FaultyFiles.Fault.interrupted, .short] {
                var writer = Archive.Writer()
                try writer.encode(String(repeating: "long ", count: 1000), forKey: "state")
                try writer.write(to: url, FaultyFiles(call, number: number, fault))
                #expect(try state(url).utf8.count == 5000)
                let file = try ArchiveFile(url, files: FaultyFiles(call, number: number, fault))
                try file.commit { try $0.encode("short", forKey: "state") }
                #expect(try state(url) == "short")
            }
        }
    }

    @Test("A file that cannot be opened for writing is closed once")
    func closing() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Sample.writer().write(to: url)
            let files = FaultyFiles()
            #expect(archiveError { _ = try ArchiveFile(url, model: .init(version: 1), files: files) }?.kind == .newerModel)
            #expect(files.openCount == 0 && files.closedTwiceCount == 0)
            try ArchiveFile(url, model: .init(version: 5), files: files).commit { try $0.encode(1, forKey: "number") }
            #expect(files.openCount == 0 && files.closedTwiceCount == 0)
        }
    }

    @Test("A missing or read-only folder")
    func folders() throws {
        try withFolder { folder in
            let writer = try Sample.writer()
            let missing = archiveError { try writer.write(to: folder.appendingPathComponent("none/a")) }
            #expect(missing?.kind == .io && missing?.code == ENOENT)
            #expect(archiveError { _ = try Archive(contentsOf: folder.appendingPathComponent("b")) }?.code == ENOENT)
            #expect(archiveError { try writer.write(to: folder) }?.kind == .notARegularFile)
            #expect(archiveError { _ = try Archive(contentsOf: folder) }?.kind == .notARegularFile)
            let long = folder.appendingPathComponent(String(repeating: "n", count: 300))
            #expect(archiveError { try writer.write(to: long) }?.code == ENAMETOOLONG)
            #expect(
                archiveError { _ = try Archive(contentsOf: try #require(URL(string: "https://example.com/a"))) }?.kind == .notARegularFile)
        }
    }

    private func expectAdvice(_ advice: String, _ body: () throws -> Void) {
        let found = archiveError(body)?.advice ?? "none"
        #expect(found.hasPrefix(advice), "\(found)")
    }

    private func refusing(_ call: String, _ code: Int32) -> FaultyFiles { FaultyFiles(call, number: 1, .error(code)) }

    @Test("A file that the program may not open, and a missing folder, are errors with their cures")
    func curesOfOpening() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            let writer = try Sample.writer()
            expectAdvice("give this program the right to read the file") {
                _ = try ArchiveStorage(refusing("open", EACCES)).image(ofFile: url.path)
            }
            expectAdvice("give this program the right to write to the file") { _ = try ArchiveFile(url, files: refusing("open", EACCES)) }
            let refused = FaultyFiles("open", number: 2, .error(EACCES))
            expectAdvice("choose a folder that this program may write to") {
                try writer.write(to: folder.appendingPathComponent("new"), refused)
            }
            let missing = folder.appendingPathComponent("none/a")
            expectAdvice("create the folder first") { try writer.write(to: missing) }
            expectAdvice("create the folder first") { _ = try ArchiveFile(missing) }
            #expect(try state(url) == "old")
        }
    }

    @Test("A limit for files, an empty file, and a folder in the way are errors with their cures")
    func curesOfWriting() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try old(url)
            let writer = try Sample.writer()
            let limited = refusing("write", EFBIG)
            expectAdvice("raise the limit") { try writer.write(to: url, limited) }
            expectAdvice("remove the file, or write an archive") { _ = try Archive(data: Data()) }
            let obstacle = folder.appendingPathComponent(".a.writing")
            try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
            expectAdvice("remove \(obstacle.path), which is in the way") { try writer.write(to: url) }
            #expect(try state(url) == "old")
        }
    }

    @Test("Symbolic links and pipes are not followed, and do not block")
    func links() throws {
        try withFolder { folder in
            let target = folder.appendingPathComponent("target")
            try old(target)
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            let writer = try Sample.writer()
            #expect(archiveError { try writer.write(to: link) }?.kind == .notARegularFile)
            #expect(archiveError { _ = try Archive(contentsOf: link) }?.kind == .notARegularFile)
            #expect(archiveError { _ = try ArchiveFile(link) }?.kind == .notARegularFile)
            let pipe = folder.appendingPathComponent("pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            #expect(archiveError { _ = try Archive(contentsOf: pipe) }?.kind == .notARegularFile)
            #expect(archiveError { _ = try Archive(contentsOf: URL(fileURLWithPath: "/dev/zero")) }?.kind == .notARegularFile)
            // A link in place of the new file is removed, and its target is kept.
            try FileManager.default.createSymbolicLink(at: folder.appendingPathComponent(".new.writing"), withDestinationURL: target)
            try writer.write(to: folder.appendingPathComponent("new"))
            #expect(try state(target) == "old")
            #expect(try Archive(contentsOf: folder.appendingPathComponent("new")).count == 6)
        }
    }

    @Test("New files are private to their owner; replaced files keep their permissions")
    func rights() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            func rights() throws -> Int { try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int) }
            try old(url)
            #expect(try rights() == 0o600)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
            try old(url)
            #expect(try rights() == 0o644)
            try ArchiveFile(url).compact()
            #expect(try rights() == 0o644)
        }
    }

    @Test("A sparse file of a terabyte is an error at once")
    func sparse() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("sparse")
            #expect(FileManager.default.createFile(atPath: url.path, contents: Data()))
            let handle = try FileHandle(forWritingTo: url)
            // File systems that do not support it prove nothing.
            guard (try? handle.truncate(atOffset: 1 << 40)) != nil else { return }
            try handle.close()
            #expect(archiveError { _ = try Archive(contentsOf: url) }?.kind == .notAnArchive)
        }
    }
}
