import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIStore

@Suite("Several handles take turns with one file")
struct SharedFileTests {
    private func person(_ id: String, _ name: String) -> Person { Person(id: id, name: name, city: nil) }

    @Test("Random commits through changing handles lose nothing", arguments: 0..<4)
    func handles(seed: Int) throws {
        try withFolder { folder in
            let link = folder.appendingPathComponent("link")
            let real = folder.appendingPathComponent("real")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            // Different names of one file. Folders can be symbolic links, and the file itself cannot.
            let urls = [
                real.appendingPathComponent("a"), link.appendingPathComponent("a"),
                folder.appendingPathComponent("real/../link/./a"),
            ]
            var random = SystemRandomNumberGenerator()
            var expected: [String: Int] = [:]
            var file: ArchiveFile?
            var readers: [(Archive, [String: Int])] = []
            func check(_ archive: Archive, _ values: [String: Int], _ step: Int) throws {
                #expect(Set(archive.keys) == Set(values.keys), "step \(step)")
                for (key, value) in values { #expect(try archive.decode(Int.self, forKey: key) == value, "step \(step)") }
            }
            for step in 0..<120 {
                let url = urls[Int.random(in: 0..<3, using: &random)]
                switch Int.random(in: 0..<20, using: &random) {
                case 0, 1:
                    file?.close()
                    file = nil
                case 2: file = nil
                case 3, 4:
                    guard file == nil else {
                        #expect(archiveError { _ = try ArchiveFile(url) }?.kind == .locked)
                        continue
                    }
                    file = try ArchiveFile(url)
                case 5: try file?.compact()
                case 6:
                    if let archive = try? Archive(contentsOf: url) { readers.append((archive, expected)) }
                case 7:
                    // An unfinished commit of a process that was killed.
                    guard file == nil, let handle = try? FileHandle(forWritingTo: url) else { continue }
                    try handle.seekToEnd()
                    try handle.write(contentsOf: Data((0..<Int.random(in: 1...2000)).map { _ in UInt8.random(in: 0...255) }))
                    try handle.close()
                default:
                    guard let open = file else { continue }
                    var next = expected
                    try open.commit { changes in
                        for _ in 0..<Int.random(in: 1...4, using: &random) {
                            let key = "key \(Int.random(in: 0..<12, using: &random))"
                            if Bool.random(using: &random) {
                                next[key] = step
                                try changes.encode(step, forKey: key)
                            } else {
                                next[key] = nil
                                try changes.removeValue(forKey: key)
                            }
                        }
                    }
                    expected = next
                }
                if let open = file { try check(open.archive, expected, step) }
                if let archive = try? Archive(contentsOf: url) { try check(archive, expected, step) }
            }
            for (archive, values) in readers { try check(archive, values, -1) }
            file?.close()
            if FileManager.default.fileExists(atPath: urls[0].path) {
                let last = try ArchiveFile(urls[1])
                try check(last.archive, expected, 120)
                last.close()
                #expect(try Archive(contentsOf: urls[2]).verify().allSatisfy { $0.kind == .unfinishedCommit })
            }
        }
    }

    @Test("Any byte of a file of each version can be damaged", arguments: [1, 2, 3, 4])
    func damaged(version: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveSampleTests.copy(version: version, to: url)
            let sound = [UInt8](try Data(contentsOf: url))
            let expected = try ArchiveDamageTests.everything(sound)
            let isFill = ArchiveDamageTests.fill(sound)
            for index in sound.indices {
                let step = TestEffort.count(2, debug: 4)
                if isFill[index] ? index % 137 != 0 : index % step != version % step { continue }
                var bytes = sound
                bytes[index] ^= UInt8.random(in: 1...255)
                if let found = try? ArchiveDamageTests.everything(bytes) { #expect(found == expected, "byte \(index)") }
                guard index % 5 == version % 5 else { continue }
                if let salvage = try? ArchiveFile.salvage(Data(bytes)) { #expect(salvage.archive.verify() == [], "byte \(index)") }
                try Data(bytes).write(to: url)
                guard let file = try? ArchiveFile(url) else { continue }
                defer { file.close() }
                guard (try? file.commit { try $0.encode("new", forKey: "state") }) != nil else { continue }
                #expect(try file.archive.decode(String.self, forKey: "state") == "new", "byte \(index)")
                if let found = try? file.archive.decode(Settings.self, forKey: "settings") { #expect(found == Sample.settings) }
            }
        }
    }

    @Test("A file that was removed or replaced under an open store is an error, and the store can save elsewhere")
    func replaced() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(person("1", "A"))
            try file.save()
            try FileManager.default.removeItem(at: url)
            try store.ingest(person("2", "B"))
            #expect(archiveError { try file.save() }?.kind == .replaced)
            var writer = Archive.Writer()
            try writer.encode("other", forKey: "state")
            try writer.write(to: url)
            #expect(archiveError { try file.save() }?.kind == .replaced)
            #expect(try store.resources(Person.self).map(\.id) == ["1", "2"])
            file.close()
            try FileManager.default.removeItem(at: url)
            let again = try StoreFile(url, of: store)
            try again.save()
            again.close()
            #expect(try Archive(contentsOf: url).resources(Person.self).map(\.id) == ["1", "2"])
        }
    }
}
