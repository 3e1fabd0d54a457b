import Foundation
import JSONAPICodec
import TestSupport
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

/// Compaction, automatic saving, and waiting for a lock.
@Suite struct StoreFileUpkeepTests {
    private func large(_ number: Int, _ version: Int) -> Person {
        Person(id: "\(number)", name: "version \(version) " + String(repeating: "x", count: 10_000), city: nil)
    }

    @Test func aSaveCompactsAFileThatIsMostlyUnused() throws {
        let versions = TestEffort.count(40, debug: 20)
        try withFolder { folder in
            for isAutomatic in [true, false] {
                let store = ResourceStore()
                let file = try StoreFile(folder.appendingPathComponent("\(isAutomatic)"), of: store, compactsAutomatically: isAutomatic)
                defer { file.close() }
                var largest = 0
                for version in 0..<versions {
                    try store.ingest((0..<20).map { large($0, version) })
                    try file.save()
                    largest = max(largest, file.byteCount)
                    #expect(!isAutomatic || file.wastedByteCount <= max(1 << 20, file.byteCount / 2))
                }
                // Twenty resources of 10 kB. The file can have two megabytes before more than half is unused.
                #expect(isAutomatic ? largest < 2_500_000 : largest > versions * 175_000)
                #expect(try file.archive.verify().isEmpty && file.archive.resources(Person.self).count == 20)
                #expect(try store.resource(Person.self, id: "7") == large(7, versions - 1))
            }
        }
    }

    @Test("Compaction that could not sync the folder leaves a file that can be saved")
    func unsyncedCompaction() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let files = FaultyFiles()
            let store = ResourceStore()
            let file = try StoreFile(url, of: store, files: files)
            for version in 0..<2 {
                try store.ingest(large(0, version))
                try file.save()
            }
            files.fail("fsync", number: (files.calls["fsync"] ?? 0) + 2, .error(EIO))
            #expect(throws: ArchiveError.self) { try file.compact() }
            #expect(file.wastedByteCount < 10_000)
            try store.ingest(large(1, 0))
            try file.save()
            file.close()
            #expect(try Archive(contentsOf: url).resources(Person.self) == [large(0, 1), large(1, 0)])
        }
    }

    @Test("Automatic compaction works as before once a compaction has succeeded after a failed one")
    func compactionAfterAFailure() throws {
        try withFolder { folder in
            let files = FaultyFiles()
            let store = ResourceStore()
            let file = try StoreFile(folder.appendingPathComponent("a"), of: store, files: files)
            defer { file.close() }
            func change(_ version: Int) throws {
                try store.ingest((0..<20).map { large($0, version) })
                try file.save()
            }
            let renamings = files.calls["rename"] ?? 0
            files.fail("rename", number: renamings + 1, .error(ENOSPC))
            var version = 0
            while files.calls["rename"] ?? 0 == renamings, version < 40 {
                version += 1
                try change(version)
            }
            #expect(file.wastedByteCount > 1 << 20)
            try file.compact()
            for later in 1...20 {
                try change(version + later)
                #expect(file.wastedByteCount <= max(1 << 20, file.byteCount / 2))
            }
        }
    }

    @Test("The contents of a closed file are not read")
    func closed() throws {
        try withFolder { folder in
            let file = try StoreFile(folder.appendingPathComponent("a"), of: ResourceStore())
            file.close()
            #expect(throws: ArchiveError.self) { try file.archive }
        }
    }

    @Test("Listing types with unsaved resources takes linear time")
    func manyTypes() throws {
        let growth = try TimeGrowth(from: 500) { count in
            try withFolder { folder in
                let store = ResourceStore(limit: 1)
                let file = try StoreFile(folder.appendingPathComponent("a"), of: store)
                defer { file.close() }
                try store.ingest((0..<count).map { ResourceObject(type: "type\($0)", id: "1") })
                return try processorSeconds {
                    let resources = try store.document.data.resources
                    #expect(store.identifiers.count == count && resources.count == count)
                }
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func compactionKeepsEverything() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url, model: ArchiveModel(version: 3))
            defer { file.close() }
            try file.commit { try $0.encode(Sample.articles, forKey: "home") }
            try file.commit { changes in
                try changes.encode(Sample.settings, forKey: "settings")
                try changes.encode(Sample.marit, forKey: "me")
                try changes.encode(Sample.ben, forKey: "gone")
                try changes.insert(try ResourceObject(#"{"type":"drafts","lid":"a\n","attributes":{"text":"é"}}"#))
            }
            try file.commit { changes in
                try changes.remove(ResourceIdentifier(type: "people", id: "2"))
                try changes.encode(Person(id: "9", name: "Changed", city: nil), forKey: "me")
                try changes.removeValue(forKey: "never")
            }
            let before = try file.archive
            try file.compact()
            let after = try file.archive
            #expect(after.verify().isEmpty && after.byteCount < before.byteCount && file.wastedByteCount == 0)
            #expect(try after.identifiers == before.identifiers && after.count == before.count && after.modelVersion == 3)
            // A key whose only resource was removed refers to nothing.
            #expect(after.keys == before.keys.filter { $0 != "gone" })
            for key in after.keys { #expect(try after.json(forKey: key) == before.json(forKey: key)) }
            for identifier in try before.identifiers { #expect(try after.resourceText(identifier) == before.resourceText(identifier)) }
            try file.commit { try $0.encode(Sample.ben, forKey: "again") }
            #expect(try file.archive.verify().isEmpty)
        }
    }

    @Test func compactionWritesInPieces() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var writer = Archive.Writer()
            for number in 0..<600 { try writer.insert([large(number, 0)]) }
            try writer.write(to: url)
            let files = FaultyFiles()
            let file = try ArchiveFile(url, files: files)
            defer { file.close() }
            try file.compact()
            // Six megabytes in pieces of one, and the header.
            #expect((files.calls["write"] ?? 0) >= 6)
            #expect(try file.archive.verify().isEmpty && file.archive.count == 600)
        }
    }

    @Test func compactingADamagedFileFailsAndKeepsIt() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Sample.writer().write(to: url)
            var bytes = [UInt8](try Data(contentsOf: url))
            let image = try ArchiveImage(ArchiveBytes(bytes))
            bytes[try #require(try image.record(StoredIdentity(type: "people", name: "9", isLocal: false))).range.upperBound - 1] ^= 1
            try Data(bytes).write(to: url)
            let file = try ArchiveFile(url)
            defer { file.close() }
            #expect(archiveError { try file.compact() }?.kind == .corrupt)
            #expect(try [UInt8](Data(contentsOf: url)) == bytes)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
            try file.commit { try $0.encode(1, forKey: "one") }
        }
    }

    private func eventually(_ condition: () throws -> Bool) async throws {
        for _ in 0..<1000 {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("it has not happened after ten seconds")
    }

    private func withAsyncFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test func autosaveSavesAfterTheDelayUntilCancelled() async throws {
        try await withAsyncFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(Sample.marit)
            file.autosave(after: .milliseconds(20)) { Issue.record($0) }
            try await eventually { try Archive(contentsOf: url).count == 1 }
            try store.ingest(Sample.ben)
            try await eventually { try Archive(contentsOf: url).count == 2 }
            file.cancelAutosave()
            try store.ingest(Person(id: "3", name: "unsaved", city: nil))
            try await Task.sleep(for: .milliseconds(100))
            #expect(try Archive(contentsOf: url).count == 2)
            file.close()
            #expect(try Archive(contentsOf: url).count == 2)
        }
    }

    @Test func closingSavesPendingChanges() async throws {
        try await withAsyncFolder { folder in
            for isReleased in [true, false] {
                let url = folder.appendingPathComponent("\(isReleased)")
                let store = ResourceStore()
                var file: StoreFile? = try StoreFile(url, of: store)
                file?.autosave(after: .seconds(600)) { Issue.record($0) }
                try store.ingest(Sample.marit)
                if !isReleased { file?.close() }
                file = nil
                #expect(try Archive(contentsOf: url).count == 1)
            }
        }
    }

    @Test("A closed file cannot be compacted or saved, and leaves the file that was opened after it alone")
    func closedFile() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore(limit: 1)
            let closed = try StoreFile(url, of: store)
            try store.ingest(Sample.marit)
            try closed.save()
            closed.close()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest(Person(id: "9", name: "New", city: nil), merging: .replace)
            try file.save()
            // Person 9 is evicted, and read from the file.
            try store.ingest(Sample.ben)
            #expect(throws: ArchiveError.self) { try closed.compact() }
            #expect(try store.resource(Person.self, id: "9")?.name == "New")
            #expect(throws: ArchiveError.self) { try closed.save() }
            try file.save()
            #expect(try store.resource(Person.self, id: "9")?.name == "New")
            #expect(try Archive(contentsOf: url).count == 2)
        }
    }

    @Test("A closed file does not end the automatic saving of the file that was opened after it")
    func autosaveAfterReopening() async throws {
        try await withAsyncFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            var closed: StoreFile? = try StoreFile(url, of: store)
            closed?.autosave(after: .milliseconds(20)) { Issue.record($0) }
            closed?.close()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            file.autosave(after: .milliseconds(20)) { Issue.record($0) }
            let errors = Locked(0)
            let steps: [() -> Void] = [
                { closed?.close() }, { closed?.autosave(after: .milliseconds(1)) { _ in errors.withLock { $0 += 1 } } },
                { closed?.cancelAutosave() }, { closed = nil },
            ]
            for (number, step) in steps.enumerated() {
                step()
                try store.ingest(Person(id: "\(number)", name: "A", city: nil))
                try await eventually { try Archive(contentsOf: url).count == number + 1 }
                // A closed file reports once that it cannot save.
                if number == 1 { #expect(errors.withLock { $0 } == 1) }
            }
            try await Task.sleep(for: .milliseconds(50))
            #expect(errors.withLock { $0 } == 1)
        }
    }

    @Test func aFailedAutosaveIsReportedAndRepeated() async throws {
        try await withAsyncFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let errors = Locked<[any Error]>([])
            let aside = url.appendingPathExtension("aside")
            try FileManager.default.moveItem(at: url, to: aside)
            file.autosave(after: .milliseconds(20)) { error in errors.withLock { $0.append(error) } }
            try store.ingest(Sample.marit)
            try await eventually { errors.withLock { $0.count } >= 2 }
            #expect(errors.withLock { ($0.first as? ArchiveError)?.kind } == .replaced)
            try FileManager.default.moveItem(at: aside, to: url)
            try await eventually { try Archive(contentsOf: url).count == 1 }
        }
    }

    /// Passes a file that was removed, so that saving fails, its store, and the place for the kinds of errors.
    private func withRemovedFile(
        _ body: (URL, ResourceStore, StoreFile, Locked<[ArchiveError.Kind?]>) async throws -> Void
    ) async throws {
        try await withAsyncFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try FileManager.default.removeItem(at: url)
            try await body(url, store, file, Locked([]))
        }
    }

    @Test("A file can be closed when automatic saving reports an error")
    func closingAfterAFailedAutosave() async throws {
        try await withRemovedFile { url, store, file, kinds in
            file.autosave(after: .milliseconds(10)) { error in
                kinds.withLock { $0.append((error as? ArchiveError)?.kind) }
                if kinds.withLock({ $0.count }) < 50 { file.close() }
            }
            try store.ingest(Sample.marit)
            try await eventually { archiveError { try file.save() }?.kind == .closed }
            // The second error is that of the save when the file was closed.
            #expect(kinds.withLock { $0 } == [.replaced, .replaced])
            // The journal has what was not saved.
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            try again.save()
            #expect(try again.archive.resources(Person.self) == [Sample.marit])
        }
    }

    @Test("Automatic saving that starts while the file is closed reports that once")
    func autosaveWhileClosing() async throws {
        try await withRemovedFile { _, store, file, kinds in
            // The save when the file is closed fails.
            file.autosave(after: .seconds(600)) { _ in
                file.autosave(after: .milliseconds(1)) { error in kinds.withLock { $0.append((error as? ArchiveError)?.kind) } }
            }
            try store.ingest(Sample.marit)
            file.close()
            try await Task.sleep(for: .milliseconds(100))
            #expect(kinds.withLock { $0 } == [.closed])
        }
    }

    @Test("A save that starts automatically reports a closed file only if automatic saving goes on", arguments: [true, false])
    func closedMeanwhile(isCancelled: Bool) async throws {
        let saver = Locked<Autosaver?>(nil)
        let saves = Locked(0)
        let errors = Locked(0)
        let actions = Autosaver.Actions(
            save: {
                if isCancelled { saver.withLock { $0 }?.cancel() }
                saves.withLock { $0 += 1 }
                throw ArchiveError(.closed, "the archive is closed", advice: "open it again")
            },
            onError: { _ in errors.withLock { $0 += 1 } })
        let new = Autosaver(delay: .milliseconds(1), actions)
        saver.withLock { $0 = new }
        new.schedule()
        try await eventually { saves.withLock { $0 } >= (isCancelled ? 1 : 2) }
        try await Task.sleep(for: .milliseconds(20))
        new.cancel()
        withExtendedLifetime(actions) { #expect((errors.withLock { $0 } == 0) == isCancelled) }
    }

    @Test("A file is saved automatically after several threads have started that at once, with any delay")
    func concurrentAutosave() async throws {
        try await withAsyncFolder { folder in
            let store = ResourceStore()
            let file = try StoreFile(folder.appendingPathComponent("a"), of: store)
            defer { file.close() }
            for round in 0..<40 {
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    for _ in 0..<4 { file.autosave(after: .milliseconds(1)) { Issue.record($0) } }
                }
                // The save that each call schedules.
                try await Task.sleep(for: .milliseconds(5))
                try store.ingest(Person(id: "\(round)", name: "N", city: nil))
                try await eventually { try file.archive.count == round + 1 }
            }
            file.autosave(after: .seconds(Int64.max)) { Issue.record($0) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func openingWaitsForALockUntilTheTimeout() async throws {
        try await withAsyncFolder { folder in
            let url = folder.appendingPathComponent("a")
            let first = try ArchiveFile(url)
            let start = ContinuousClock.now
            #expect(archiveError { _ = try ArchiveFile(url) }?.kind == .locked)
            #expect(archiveError { _ = try ArchiveFile(url, lockTimeout: .milliseconds(100)) }?.kind == .locked)
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            let waiting = Task.detached { try StoreFile(url, of: ResourceStore(), lockTimeout: .seconds(60)).close() }
            try await Task.sleep(for: .milliseconds(50))
            first.close()
            try await waiting.value
        }
    }
    // Not in tasks, because a waiting one would hold up a thread that the others need.

    @Test("Opening waits for the lock although the other writer replaces the file again and again")
    func openingWaitsWhileAFileIsCompacted() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let first = try ArchiveFile(url)
            let (result, isDone) = (Locked<(any Error)?>(nil), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                do { try ArchiveFile(url, lockTimeout: .seconds(60)).close() } catch { result.withLock { $0 = error } }
                isDone.signal()
            }
            for _ in 0..<12 {
                Thread.sleep(forTimeInterval: 0.05)
                try first.compact()
            }
            first.close()
            isDone.wait()
            if let error = result.withLock({ $0 }) { throw error }
        }
    }

    @Test("Writers that create a file at the same time open it one after the other")
    func openingANewFileTogether() throws {
        try withFolder { folder in
            for round in 0..<40 {
                let url = folder.appendingPathComponent("\(round)")
                let (errors, group) = (Locked<[any Error]>([]), DispatchGroup())
                for number in 0..<4 {
                    group.enter()
                    Thread.detachNewThread {
                        do {
                            let file = try ArchiveFile(url, lockTimeout: .seconds(60))
                            try file.commit { try $0.insert([Person(id: "\(number)", name: "N", city: nil)]) }
                            if round % 8 == 0 { Thread.sleep(forTimeInterval: 0.03) }
                            file.close()
                        } catch {
                            errors.withLock { $0.append(error) }
                        }
                        group.leave()
                    }
                }
                group.wait()
                if let error = errors.withLock({ $0.first }) { throw error }
                #expect(try Archive(contentsOf: url).count == 4)
            }
        }
    }
}
