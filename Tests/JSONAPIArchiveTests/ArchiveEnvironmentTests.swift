import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive

/// The system's files, with an action before some of the calls.
final class InterruptedFiles: WrappingFiles {
    let files = SystemFiles()
    private let beforeMap: @Sendable () -> Void
    private let refusesLocksOfReaders: Bool
    private let hidesFolders: Bool
    private let readers = Locked<Set<Int32>>([])

    init(refusesLocksOfReaders: Bool = false, hidesFolders: Bool = false, beforeMap: @escaping @Sendable () -> Void = {}) {
        self.refusesLocksOfReaders = refusesLocksOfReaders
        self.hidesFolders = hidesFolders
        self.beforeMap = beforeMap
    }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        if hidesFolders, flags & O_DIRECTORY != 0 { throw SystemFault("open", EACCES) }
        let descriptor = try files.open(path, flags, rights: rights)
        readers.withLock { readers in
            if flags & O_ACCMODE == O_RDONLY { readers.insert(descriptor) } else { readers.remove(descriptor) }
        }
        return descriptor
    }
    func lock(_ descriptor: Int32) throws(SystemFault) {
        if refusesLocksOfReaders, readers.withLock({ $0.contains(descriptor) }) { throw SystemFault("flock", EBADF) }
        try files.lock(descriptor)
    }
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes {
        beforeMap()
        return try files.map(descriptor, count: count)
    }
}

@Suite("Archives, other programs, and file systems")
struct ArchiveEnvironmentTests {
    @Test("A reader always finds a complete archive while a writer commits")
    func tightWriter() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            let number = Locked(0)
            func commit() {
                try? file.commit {
                    try $0.encode(
                        number.withLock {
                            $0 += 1; return $0
                        }, forKey: "n")
                }
            }
            commit()
            // Two commits before every read of the bytes, so that both slots have changed.
            let files = InterruptedFiles {
                for _ in 0..<2 {
                    let next = number.withLock {
                        $0 += 1; return $0
                    }
                    try? file.commit { try $0.encode(next, forKey: "n") }
                }
            }
            let image = try ArchiveStorage(files).image(ofFile: url.path)
            let archive = try Archive(image, file: nil, model: nil, decoder: JSONAPIDecoder())
            #expect(try archive.decode(Int.self, forKey: "n") >= 1)
        }
    }

    @Test("A commit to a file that was replaced in place is an error")
    func replacedInPlace() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("live")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode("live", forKey: "state") }
            var backup = Archive.Writer()
            try backup.encode("backup", forKey: "state")
            try backup.encode(String(repeating: "long ", count: 4000), forKey: "more")
            let bytes = try backup.data()
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: bytes)
            try handle.close()
            #expect(archiveError { try file.commit { try $0.encode("new", forKey: "state") } }?.kind == .replaced)
            #expect(archiveError { try file.compact() }?.kind == .replaced)
            #expect(try Data(contentsOf: url) == bytes)
            file.close()
            let again = try ArchiveFile(url)
            try again.commit { try $0.encode("new", forKey: "state") }
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "state") == "new")
        }
    }

    @Test("A commit detects an older copy of the same file")
    func rolledBackInPlace() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("live")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode("one", forKey: "state") }
            let old = try Data(contentsOf: url)
            try file.commit { try $0.encode("two", forKey: "state") }
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: old)
            try handle.close()
            #expect(archiveError { try file.commit { try $0.encode("three", forKey: "state") } }?.kind == .replaced)
        }
    }

    @Test("data() inside a commit is a complete archive")
    func dataInsideCommit() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            try file.commit { try $0.encode(Sample.articles, forKey: "home") }
            let other = folder.appendingPathComponent("b")
            let data = try file.commit { changes in
                try changes.encode("new", forKey: "state")
                try changes.write(to: other)
                return try changes.data()
            }
            for archive in [try Archive(data: data), try Archive(contentsOf: other), try file.archive] {
                #expect(archive.verify() == [])
                #expect(try archive.decode(String.self, forKey: "state") == "new")
                #expect(try archive.decode([Article].self, forKey: "home") == Sample.articles)
            }
        }
    }

    @Test(
        "Files with any valid name can be written",
        arguments: ["\u{301}", "\u{301}x", "\u{200D}", "e\u{301}", "👩‍👩‍👧"] + (240...255).map { String(repeating: "n", count: $0) }
            + [String(repeating: "ü", count: 127), "x" + String(repeating: "漢", count: 84)])
    func names(name: String) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent(name)
            var writer = Archive.Writer()
            try writer.encode("one", forKey: "state")
            try writer.write(to: url)
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode("two", forKey: "state") }
            try file.compact()
            file.close()
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "state") == "two")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).map { Array($0.utf8) } == [Array(name.utf8)])
        }
    }

    @Test("A folder without read permission can contain archives")
    func unreadableFolder() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let files = InterruptedFiles(hidesFolders: true)
            var writer = Archive.Writer()
            try writer.encode("one", forKey: "state")
            try writer.write(to: url, files)
            let file = try ArchiveFile(url, files: files)
            try file.commit { try $0.encode("two", forKey: "state") }
            try file.compact()
            file.close()
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "state") == "two")
        }
    }

    @Test("Locking uses a file that is open for writing, as network file systems require")
    func networkLocks() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let files = InterruptedFiles(refusesLocksOfReaders: true)
            for state in ["one", "two"] {
                var writer = Archive.Writer()
                try writer.encode(state, forKey: "state")
                try writer.write(to: url, files)
            }
            let file = try ArchiveFile(url, files: files)
            try file.commit { try $0.encode("three", forKey: "state") }
            try file.compact()
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "state") == "three")
        }
    }

    @Test("A read-only file can be replaced")
    func readOnlyFile() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var writer = Archive.Writer()
            try writer.encode("one", forKey: "state")
            try writer.write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
            try writer.encode("two", forKey: "state")
            try writer.write(to: url)
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "state") == "two")
        }
    }

    @Test("Another value for a key of a coder is an error", arguments: ["int", "bool", "double", "string", "none"])
    func coderValues(key: String) throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(5, forKey: "int")
        archiver.encode(true, forKey: "bool")
        archiver.encode(1.5, forKey: "double")
        archiver.encode("x" as NSString, forKey: "string")
        archiver.finishEncoding()
        let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let error = archiveError { _ = try coder.decodeArchived(Person.self, forKey: key) }
        #expect(error?.kind == (key == "none" ? .missingKey : .otherForm))
    }
}
