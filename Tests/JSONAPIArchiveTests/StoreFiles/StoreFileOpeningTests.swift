import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

/// A store with a file: opening reads nothing, and lists contain everything.
@Suite struct StoreFileOpeningTests {
    private func people(_ numbers: Range<Int>) -> [Person] { numbers.map { Person(id: "\($0)", name: "Name \($0)", city: nil) } }

    private func identifier(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "people", id: id) }

    private func ids(_ store: ResourceStore) -> [String] { store.identifiers(ofType: "people").compactMap(\.id) }

    /// A file of a store with the given resources.
    private func file(_ url: URL, _ resources: [Person]) throws {
        let store = ResourceStore()
        let file = try StoreFile(url, of: store)
        defer { file.close() }
        try store.ingest(resources)
        try file.save()
    }

    /// Overwrites all records of a file except the given ones.
    private func damageRecords(_ url: URL, except kept: (StoredIdentity) -> Bool = { _ in false }) throws {
        var bytes = [UInt8](try Data(contentsOf: url))
        let image = try ArchiveImage(ArchiveBytes(bytes))
        for record in try image.records() where !kept(image.key(of: record)) {
            for index in record.range { bytes[index] = 0xAA }
        }
        try Data(bytes).write(to: url)
    }

    @Test func openingReadsNoResource() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<1000))
            try damageRecords(url) { $0.name == "77" }
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            #expect(store.count == 1000 && store.count(ofType: "people") == 1000 && store.types == ["people"])
            #expect(store.core.read { $0.heldCount } == 0)
            #expect(try store.resource(Person.self, id: "77")?.name == "Name 77")
            #expect(archiveError { _ = try store.resource(Person.self, id: "78") }?.kind == .corrupt)
            #expect(archiveError { _ = try store.resources(Person.self) }?.kind == .corrupt)
            try file.save()
            #expect(try file.archive.byteCount == Data(contentsOf: url).count)
        }
    }

    @Test func aListReadsOnlyResourcesOfItsType() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(people(0..<10))
            try store.ingest((0..<10).map { Comment(id: "\($0)", body: "b", author: ToOne(id: "1")) })
            try file.save()
            file.close()
            try damageRecords(url) { $0.type == "people" }
            let again = ResourceStore()
            let reopened = try StoreFile(url, of: again)
            defer { reopened.close() }
            #expect(try again.resources(Person.self) == people(0..<10))
            #expect(again.count(ofType: "comments") == 10)
            #expect(try Archive(contentsOf: url).resources(Person.self).count == 10)
        }
    }

    @Test func listsContainFileAndMemoryInOrderOfArrival() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<4))
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(people(4..<6))
            try store.ingest(Person(id: "1", name: "changed", city: nil))
            store.remove(identifier("2"))
            #expect(ids(store) == ["0", "1", "3", "4", "5"] && store.count == 5)
            #expect(try store.resources(Person.self).map(\.name) == ["Name 0", "changed", "Name 3", "Name 4", "Name 5"])
            #expect(try store.snapshot().resources(Person.self).count == 5)
            #expect(try store.document.data == store.snapshot().document.data)
            try file.save()
            // A changed resource keeps its place after a save, after opening again, and after compaction.
            #expect(ids(store) == ["0", "1", "3", "4", "5"] && store.count == 5)
            try file.compact()
            #expect(ids(store) == ["0", "1", "3", "4", "5"])
            file.close()
            let again = ResourceStore()
            let reopened = try StoreFile(url, of: again)
            defer { reopened.close() }
            #expect(ids(again) == ["0", "1", "3", "4", "5"] && again.count(ofType: "people") == 5)
            try again.removeAll(ofType: "people")
            #expect(again.isEmpty && again.types.isEmpty && ids(again).isEmpty)
            try reopened.save()
            #expect(again.isEmpty)
            #expect(try reopened.archive.count == 0 && reopened.archive.verify().isEmpty)
        }
    }

    @Test func liveValuesIncludeTheFileAndUpdateWhenItIsOpened() async throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("a")
        try file(url, people(0..<3))
        let store = ResourceStore()
        var values = store.values([Person].self).makeAsyncIterator()
        var one = store.value(Person.self, id: "1").makeAsyncIterator()
        #expect(await values.next()?.count == 0)
        #expect(try #require(await one.next()) == nil)
        let file = try StoreFile(url, of: store)
        defer { file.close() }
        #expect(await values.next()?.map(\.id) == ["0", "1", "2"])
        #expect(try #require(await one.next())?.name == "Name 1")
        try store.ingest(Person(id: "1", name: "changed", city: nil))
        #expect(await values.next()?.map(\.name) == ["Name 0", "changed", "Name 2"])
        #expect(try #require(await one.next())?.name == "changed")
    }

    @Test func changingAResourceOfTheFileIsAnUpdate() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<2))
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let kinds = Locked<[ResourceChange.Kind]>([])
            let observation = store.observe(type: "people") { change in kinds.withLock { $0.append(change.kind) } }
            let report = try store.ingest([Person(id: "1", name: "other", city: nil), Person(id: "2", name: "new", city: nil)])
            #expect(report.updated == 1 && report.inserted == 1 && report.conflictCount == 1)
            store.remove(identifier("0"))
            #expect(kinds.withLock { $0 } == [.updated, .inserted, .removed])
            observation.cancel()
        }
    }

    @Test func aStoreReadsItsFileAfterItIsClosed() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<3))
            let store = ResourceStore(limit: 1)
            try StoreFile(url, of: store).close()
            #expect(try store.resources(Person.self) == people(0..<3))
            try store.ingest(people(3..<6))
            store.remove(identifier("0"))
            #expect(ids(store).sorted() == ["1", "2", "3", "4", "5"])
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            #expect(ids(store).sorted() == ["1", "2", "3", "4", "5"])
            try file.save()
            #expect(try Archive(contentsOf: url).resources(Person.self).map(\.id).sorted() == ["1", "2", "3", "4", "5"])
            #expect(store.count == 5)
        }
    }

    @Test func anotherFileReceivesResourcesOfTheFirst() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try file(first, people(0..<3))
            try file(second, [Person(id: "2", name: "in the second", city: "Oslo"), Person(id: "7", name: "Seven", city: nil)])
            for isClosed in [true, false] {
                let store = ResourceStore()
                let one = try StoreFile(first, of: store)
                defer { one.close() }
                if isClosed { one.close() }
                let two = try StoreFile(second, of: store)
                defer { two.close() }
                #expect(Set(ids(store)) == ["0", "1", "2", "7"] && store.count == 4)
                // The contents of the store take precedence, field by field.
                #expect(try store.resource(Person.self, id: "2") == Person(id: "2", name: "Name 2", city: "Oslo"))
                try two.save()
                #expect(try Set(Archive(contentsOf: second).resources(Person.self).map(\.id)) == ["0", "1", "2", "7"])
                #expect(store.count == 4)
            }
        }
    }

    @Test func reopeningMergesChangesOfOtherPrograms() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<2))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            let other = try ArchiveFile(url)
            try other.commit { try $0.insert([Person(id: "1", name: "other", city: "Oslo"), Person(id: "2", name: "new", city: nil)]) }
            other.close()
            #expect(store.count == 2)
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            // The store has not changed this resource, so the change of the other program counts.
            #expect(try store.resources(Person.self).map(\.name) == ["Name 0", "other", "new"])
            #expect(try store.resource(Person.self, id: "1")?.city == "Oslo")
        }
    }

    @Test func aFileThatCannotBeMergedDoesNotChangeTheStore() throws {
        struct Refusal: Error {}
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<3))
            let store = ResourceStore()
            try store.ingest(Person(id: "1", name: "mine", city: nil))
            #expect(throws: Refusal.self) { try StoreFile(url, of: store, merging: .custom { _, _ in throw Refusal() }) }
            #expect(ids(store) == ["1"] && store.count == 1)
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            #expect(store.count == 3)
        }
    }

    @Test func filesOfOlderFormatsAreRead() throws {
        let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Conformance/archives")
        for name in ["version-1", "version-2"] {
            try withFolder { folder in
                let url = folder.appendingPathComponent("a")
                try FileManager.default.copyItem(at: samples.appendingPathComponent(name + ".jsonarchive"), to: url)
                let model = ArchiveModel(version: 3)
                let store = ResourceStore()
                let file = try StoreFile(url, of: store, model: model)
                let all = try file.archive.identifiers
                #expect(store.count == all.count && Set(store.identifiers) == Set(all))
                for type in store.types { #expect(store.count(ofType: type) == all.count { $0.type == type }) }
                try store.ingest(Person(id: "new", name: "New", city: nil))
                try store.ingest(Person(id: "9", name: "Changed", city: nil))
                store.remove(ResourceIdentifier(type: "comments", id: "5"))
                let expected = store.identifiers
                try file.save()
                #expect(store.identifiers == expected && store.count == all.count)
                #expect(try file.archive.verify().isEmpty)
                try file.compact()
                #expect(store.identifiers == expected && store.count == all.count)
                #expect(try file.archive.verify().isEmpty && file.archive.image.counts != nil)
                file.close()
            }
        }
    }

    /// Random writes, saves, evictions, and openings, compared with a dictionary.
    @Test(arguments: 0..<12) func countsAndListsAgreeWithAModel(seed: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var random = Generator(state: UInt64(seed) &* 77 + 5)
            var expected: [ResourceIdentifier: String] = [:]
            let store = ResourceStore(limit: seed % 3 == 0 ? nil : seed % 5)
            var file = try StoreFile(url, of: store)
            func check() throws {
                #expect(store.count == expected.count)
                #expect(Set(store.identifiers) == Set(expected.keys) && store.identifiers.count == expected.count)
                for type in ["a", "b", "c"] {
                    let ids = Set(expected.keys.filter { $0.type == type })
                    #expect(Set(store.identifiers(ofType: type)) == ids && store.count(ofType: type) == ids.count)
                    #expect(store.types.contains(type) == !ids.isEmpty)
                }
                for (identifier, name) in expected {
                    #expect(store.contains(identifier) && store[identifier]?[attribute: "name"] == .string(name))
                }
            }
            for step in 0..<120 {
                let identifier = ResourceIdentifier(type: ["a", "b", "c"][random.next(3)], id: "\(random.next(9))")
                switch random.next(12) {
                case 0..<5:
                    expected[identifier] = "\(step)"
                    try store.ingest(ResourceObject(type: identifier.type, id: identifier.id, attributes: ["name": .string("\(step)")]))
                case 5..<8:
                    #expect(store.remove(identifier) == (expected.removeValue(forKey: identifier) != nil))
                case 8, 9: try file.save()
                case 10: try file.compact()
                default:
                    if random.next(2) == 0 { try file.save() }
                    file.close()
                    file = try StoreFile(url, of: store)
                }
                try check()
            }
            try file.save()
            file.close()
            let again = ResourceStore()
            file = try StoreFile(url, of: again)
            defer { file.close() }
            #expect(again.identifiers == store.identifiers)
            #expect(try file.archive.verify().isEmpty)
        }
    }

    @Test("Observers receive what another file adds to a resource, also if it is not in memory")
    func observedInOtherFile() throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            for (url, attributes) in zip(urls, [["name": "Ann"], ["city": "Oslo", "name": "Ann"]] as [JSONObject]) {
                let store = ResourceStore()
                try store.ingest(ResourceObject(type: "people", id: "9", attributes: attributes))
                try store.ingest(ResourceObject(type: "people", id: "10", attributes: ["name": "Ben"]))
                try store.save(to: url)
            }
            let store = ResourceStore()
            try StoreFile(urls[0], of: store).close()
            let changes = Locked<[ResourceChange]>([])
            let observation = store.observe(type: "people") { change in changes.withLock { $0.append(change) } }
            let file = try StoreFile(urls[1], of: store)
            defer { file.close() }
            let received = changes.withLock { $0 }
            #expect(received.map(\.identifier) == [ResourceIdentifier(type: "people", id: "9")])
            #expect(received.map(\.kind) == [.updated])
            #expect(received.first?.fields == [JSONPointer("attributes", "city")])
            observation.cancel()
        }
    }

    @Test("What the store keeps in a new file is not new for observers, also if it is not in memory", arguments: [true, false])
    func observedInNewFile(isInMemory: Bool) throws {
        try withFolder { folder in
            let kinds = Locked<[ResourceChange.Kind]>([])
            let filled = ResourceStore()
            let first = try StoreFile(folder.appendingPathComponent("a"), of: filled)
            try filled.ingest(ResourceObject(type: "people", id: "9", attributes: ["name": "Ann"]))
            try first.save()
            first.close()
            let store = isInMemory ? filled : ResourceStore()
            if !isInMemory { try StoreFile(folder.appendingPathComponent("a"), of: store).close() }
            let observation = store.observe(type: "people") { change in kinds.withLock { $0.append(change.kind) } }
            defer { observation.cancel() }
            let url = folder.appendingPathComponent("b")
            let second = try StoreFile(url, of: store)
            defer { second.close() }
            #expect(kinds.withLock { $0 }.isEmpty)
            try second.save()
            #expect(try Archive(contentsOf: url).contains(ResourceIdentifier(type: "people", id: "9")))
        }
    }
}

/// Random numbers that are the same in every run.
private struct Generator {
    var state: UInt64

    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
}
