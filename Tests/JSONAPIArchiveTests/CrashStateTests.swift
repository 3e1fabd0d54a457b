import Foundation
import JSONAPICodec
import TestSupport
import Testing

@testable import JSONAPIArchive

/// Every state in which a power failure can leave an archive: after each call, with all, none, or any part of the unsynced data.
///
/// `CRASH_STATES=200` tries two hundred times as many random states of each call, and every combination of failures.
@Suite struct CrashStateTests {
    static let effort = ProcessInfo.processInfo.environment["CRASH_STATES"].flatMap { Int($0) } ?? 1

    /// Saves numbered states in every possible way, and returns the calls that reached the disk.
    private func events(_ url: URL) throws -> [DiskEvent] {
        let run = NumberedStates(JournalingFiles())
        try run.step { state in try run.writer(state, 100).write(to: url, run.files) }
        var file = try ArchiveFile(url, files: run.files)
        for size in [10, 700, 6000, 100] { try run.commit(file, size) }
        try file.compact()
        for size in [2000, 10] { try run.commit(file, size) }
        file.close()
        file = try ArchiveFile(url, files: run.files)
        try run.commit(file, 3000)
        file.close()
        try run.step { state in try run.writer(state, 5000).write(to: url, run.files) }
        return run.files.events
    }

    @Test func everyCrashStateIsTheLastConfirmedOrTheNextState() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var check = CrashCheck(path: url.path)
            try check.run(try events(url))
            #expect(check.begun == check.confirmed && check.confirmed == 9)
            #expect(check.count > 500, "\(check.count) states")
        }
    }

    @Test func everyCrashStateOfAFileOfVersionThreeIsTheLastConfirmedOrTheNextState() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveSampleTests.copy(version: 3, to: url)
            let run = NumberedStates(JournalingFiles())
            let file = try ArchiveFile(url, files: run.files)
            for size in [10, 700, 6000, 100] { try run.commit(file, size) }
            try file.compact()
            try run.commit(file, 700)
            file.close()
            var check = CrashCheck(path: url.path, garbles: false)
            try check.run(run.files.events)
            #expect(check.confirmed == 5 && check.count > 300, "\(check.count) states")
        }
    }

    /// The first syncs are those of the new file. Each later one is the sync of a commit.
    @Test(arguments: 1...6, [false, true])
    func aFailedSyncLosesNothingThatWasConfirmed(number: Int, diesThen: Bool) throws {
        let all: [@Sendable (Int) -> Bool] = [{ _ in false }, { _ in true }, { $0 % 2 == 0 }, { $0 % 3 == 1 }]
        for reaches in Self.effort > 1 ? all[...] : all[((number + (diesThen ? 2 : 0)) % 4)...].prefix(1) {
            try withFolder { folder in
                let url = folder.appendingPathComponent("a")
                let run = NumberedStates(JournalingFiles(failingSync: number, diesThen: diesThen))
                var file: ArchiveFile?
                for size in [10, 700, TestEffort.count(6000, debug: 1500), 100, 10, TestEffort.count(3000, debug: 900)] {
                    do {
                        let open = try file ?? ArchiveFile(url, files: run.files)
                        file = open
                        try run.commit(open, size)
                    } catch {
                        #expect((error as? ArchiveError)?.systemCall == "fsync")
                        file?.close()
                        file = nil
                    }
                }
                file?.close()
                var check = CrashCheck(path: url.path)
                check.disk.reachesDisk = reaches
                try check.run(run.files.events)
                #expect(check.confirmed >= 5)
            }
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
                    #expect(try NumberedStates.state([UInt8](Data(contentsOf: copy))) == -1)
                    try FileManager.default.removeItem(at: copy)
                }
            }
            #expect(number > 50)
        }
    }

    /// What a program has read from a file that it opened for writing must not disappear in a second power failure.
    @Test func aSecondPowerFailureLosesNothingThatWasReadAfterTheFirst() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var disk = CrashDisk()
            var random = SystemRandomNumberGenerator()
            var number = 0
            for (place, event) in try events(url).enumerated() {
                disk.apply(event)
                let sectors = disk.unsyncedSectorCount
                guard sectors > 0, Self.effort > 1 || place % 2 == 0 else { continue }
                let one = Int.random(in: 0..<sectors, using: &random)
                let damages: [(Int?, Int)] = [(nil, 0), (one, 512), (one, 4096)]
                for (garbled, size) in Self.effort > 1 ? damages : [damages.randomElement(using: &random)!] {
                    let written = (0..<sectors).map { _ in Bool.random(using: &random) }
                    let bytes = disk.contents(of: url.path, nameCount: disk.unsyncedNameCount) { sector in
                        sector == garbled ? .garbled(size) : sector < written.count && written[sector] ? .new : .old
                    }
                    guard let bytes else { continue }
                    number += 1
                    let copy = folder.appendingPathComponent("copy-\(number)")
                    try Data(bytes).write(to: copy)
                    try checkRecovery(of: copy)
                    try FileManager.default.removeItem(at: copy)
                }
            }
            #expect(number > 10)
        }
    }

    private func checkRecovery(of url: URL) throws {
        let first = try NumberedStates.state([UInt8](Data(contentsOf: url)))
        let run = NumberedStates(JournalingFiles(), from: first)
        let file = try ArchiveFile(url, files: run.files)
        run.files.note(.confirmed(first))
        try run.commit(file, 700)
        try run.commit(file, 10)
        file.close()
        // Commits without a slot are written again in place. That is safe unless a sector is garbled while the same bytes are written.
        var check = CrashCheck(path: url.path, garbles: false)
        (check.begun, check.maximum) = (first, first)
        try check.run(run.files.events)
        #expect(check.confirmed == first + 2)
    }
}

/// Saves archives that contain their number.
final class NumberedStates {
    let files: JournalingFiles
    private var state: Int

    init(_ files: JournalingFiles, from state: Int = 0) { (self.files, self.state) = (files, state) }

    func step(_ body: (Int) throws -> Void) rethrows {
        state += 1
        files.note(.begun(state))
        try body(state)
        files.note(.confirmed(state))
    }

    func commit(_ file: ArchiveFile, _ size: Int) throws {
        try step { state in try file.commit { try Self.write(&$0, state, size) } }
    }

    func writer(_ state: Int, _ size: Int) throws -> Archive.Writer {
        var writer = Archive.Writer()
        try Self.write(&writer, state, size)
        return writer
    }

    private static func write(_ changes: inout Archive.Writer, _ state: Int, _ size: Int) throws {
        let text = "\(state) " + String(repeating: "abcdefgh ", count: size / 9)
        try changes.encode(state, forKey: "state")
        try changes.insert([Person(id: "\(state % 4)", name: text, city: nil)])
    }

    /// The state in an archive; 0 if it has none. Throws if it cannot be read completely.
    static func state(_ bytes: [UInt8]) throws -> Int {
        let archive = try Archive(ArchiveImage(ArchiveBytes(bytes)), file: nil, model: nil, decoder: JSONAPIDecoder())
        let isHarmless: (ArchiveError) -> Bool = { $0.kind == .unfinishedCommit || $0.section == .slot || $0.section == .header }
        if let problem = archive.verify().first(where: { !isHarmless($0) }) { throw problem }
        return try archive.decodeIfPresent(Int.self, forKey: "state") ?? 0
    }
}

/// Tries the states of a disk after each event, and checks that each is a complete archive with an expected state.
struct CrashCheck {
    let path: String
    /// Whether sectors and pages that are being written can be garbled.
    var garbles = true
    var disk = CrashDisk()
    var begun = 0
    /// The highest confirmed state.
    var confirmed = 0
    /// The highest state that can be on the disk.
    var maximum = 0
    var count = 0
    private var known: [[UInt8]: Int] = [:]
    private var random = SystemRandomNumberGenerator()

    init(path: String, garbles: Bool = true) { (self.path, self.garbles) = (path, garbles) }

    mutating func run(_ events: [DiskEvent]) throws {
        for (index, event) in events.enumerated() {
            if case .confirmed(let state) = event { confirmed = max(confirmed, state) }
            if case .begun(let state) = event { (begun, maximum) = (state, max(maximum, state)) }
            disk.apply(event)
            for names in 0...disk.unsyncedNameCount { tryStates(names, "call \(index)") }
        }
    }

    private mutating func tryStates(_ names: Int, _ call: String) {
        let sectors = disk.unsyncedSectorCount
        for prefix in 0...sectors { check(names, "\(call), first \(prefix) sectors") { $0 < prefix ? .new : .old } }
        for one in 0..<sectors {
            check(names, "\(call), without sector \(one)") { $0 != one ? .new : .old }
            check(names, "\(call), only sector \(one)") { $0 == one ? .new : .old }
        }
        for _ in 0..<(sectors < 2 ? 0 : 8 * CrashStateTests.effort) {
            let written = (0..<sectors).map { _ in Bool.random(using: &random) }
            check(names, "\(call), sectors \(written)") { $0 < written.count && written[$0] ? .new : .old }
        }
        guard garbles, names == disk.unsyncedNameCount else { return }
        for (one, offset) in disk.unsyncedOffsets(of: path).enumerated() where offset < .max {
            for size in [512, 4096] {
                check(names, "\(call), garbled \(one)") { $0 == one ? .garbled(size) : .old }
                check(names, "\(call), garbled \(one), others written") { $0 == one ? .garbled(size) : .new }
                check(names, "\(call), garbled \(one) after the others") { $0 == one ? .garbled(size) : $0 < one ? .new : .old }
            }
        }
    }

    private mutating func check(_ names: Int, _ what: String, _ fate: (Int) -> CrashDisk.Fate) {
        count += 1
        guard let bytes = disk.contents(of: path, nameCount: names, fate: fate) else {
            #expect(confirmed == 0, "\(what): the file is gone")
            return
        }
        do {
            let found = try known[bytes] ?? NumberedStates.state(bytes)
            known[bytes] = found
            #expect(found >= confirmed && found <= maximum, "\(what): \(found) of \(confirmed) to \(maximum)")
        } catch {
            Issue.record("\(what): \(error)")
        }
    }
}
