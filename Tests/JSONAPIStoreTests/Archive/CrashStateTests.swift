import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIStore

/// Every state in which a power failure can leave an archive: after each call, with all, none, or any part of the unsynced data.
///
/// `CRASH_STATES=200` tries two hundred times as many random states of each call.
@Suite struct CrashStateTests {
    private static let effort = ProcessInfo.processInfo.environment["CRASH_STATES"].flatMap { Int($0) } ?? 1

    private func text(_ state: Int, _ size: Int) -> String { "\(state) " + String(repeating: "abcdefgh ", count: size / 9) }

    /// Saves numbered states in every possible way, and returns the calls that reached the disk.
    private func events(_ url: URL) throws -> [DiskEvent] {
        let files = JournalingFiles()
        var state = 0
        func step(_ body: (Int) throws -> Void) rethrows {
            state += 1
            files.note(.begun(state))
            try body(state)
            files.note(.confirmed(state))
        }
        func write(_ changes: inout Archive.Writer, _ state: Int, _ size: Int) throws {
            try changes.encode(state, forKey: "state")
            try changes.insert([Person(id: "\(state % 4)", name: text(state, size), city: nil)])
        }
        var file: ArchiveFile?
        try step { state in
            var writer = Archive.Writer()
            try write(&writer, state, 100)
            try writer.write(to: url, files)
        }
        file = try ArchiveFile(url, files: files)
        for size in [10, 700, 6000, 100] { try step { state in try file?.commit { try write(&$0, state, size) } } }
        try file?.compact()
        for size in [2000, 10] { try step { state in try file?.commit { try write(&$0, state, size) } } }
        file?.close()
        file = try ArchiveFile(url, files: files)
        try step { state in try file?.commit { try write(&$0, state, 3000) } }
        file?.close()
        try step { state in
            var writer = Archive.Writer()
            try write(&writer, state, 5000)
            try writer.write(to: url, files)
        }
        return files.events
    }

    /// The state in an archive. Throws if it cannot be read completely.
    private func state(_ bytes: [UInt8]) throws -> Int {
        let archive = try Archive(ArchiveImage(ArchiveBytes(bytes)), file: nil, model: nil, decoder: JSONAPIDecoder())
        let problems = archive.verify().filter { $0.kind != .unfinishedCommit && $0.section != .slot }
        if let problem = problems.first { throw problem }
        return try archive.decode(Int.self, forKey: "state")
    }

    @Test func everyCrashStateIsTheLastConfirmedOrTheNextState() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let events = try events(url)
            var disk = CrashDisk()
            var (confirmed, begun) = (0, 0)
            var known: [[UInt8]: Int] = [:]
            var count = 0
            func check(_ nameCount: Int, _ what: String, _ isWritten: (Int) -> Bool) throws {
                count += 1
                guard let bytes = disk.contents(of: url.path, nameCount: nameCount, isWritten) else {
                    #expect(confirmed == 0, "\(what): the file is gone")
                    return
                }
                do {
                    let found = try known[bytes] ?? state(bytes)
                    known[bytes] = found
                    #expect(found >= confirmed && found <= begun, "\(what): \(found) of \(confirmed) to \(begun)")
                } catch {
                    Issue.record("\(what): \(error)")
                }
            }
            var random = SystemRandomNumberGenerator()
            for (index, event) in events.enumerated() {
                if case .confirmed(let state) = event { confirmed = state }
                if case .begun(let state) = event { begun = state }
                disk.apply(event)
                let sectors = disk.unsyncedSectorCount
                for names in 0...disk.unsyncedNameCount {
                    for prefix in 0...sectors { try check(names, "call \(index), first \(prefix) sectors") { $0 < prefix } }
                    for one in 0..<sectors {
                        try check(names, "call \(index), without sector \(one)") { $0 != one }
                        try check(names, "call \(index), only sector \(one)") { $0 == one }
                    }
                    for _ in 0..<(sectors < 2 ? 0 : 8 * Self.effort) {
                        let written = (0..<sectors).map { _ in Bool.random(using: &random) }
                        try check(names, "call \(index), sectors \(written)") { $0 < written.count && written[$0] }
                    }
                }
            }
            #expect(begun == confirmed && confirmed == 9)
            #expect(count > 500, "\(count) states")
        }
    }

    @Test func everyCrashStateCanBeOpenedAndChanged() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let events = try events(url)
            var disk = CrashDisk()
            var number = 0
            for event in events {
                disk.apply(event)
                let sectors = disk.unsyncedSectorCount
                for written in [0, sectors / 2, sectors] {
                    guard let bytes = disk.contents(of: url.path, nameCount: disk.unsyncedNameCount, { $0 < written }) else { continue }
                    number += 1
                    let copy = folder.appendingPathComponent("copy-\(number)")
                    try Data(bytes).write(to: copy)
                    let file = try ArchiveFile(copy)
                    try file.commit { try $0.encode(-1, forKey: "state") }
                    file.close()
                    #expect(try state([UInt8](Data(contentsOf: copy))) == -1)
                    try FileManager.default.removeItem(at: copy)
                }
            }
            #expect(number > 50)
        }
    }
}
