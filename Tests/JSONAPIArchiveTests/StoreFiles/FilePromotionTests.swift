import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

@Suite("A lid becomes an id in a store with a file")
struct FilePromotionTests {
    private func reference(_ id: String, to lid: String) throws -> ResourceObject {
        try ResourceObject(
            #"{"type":"articles","id":"\#(id)","relationships":{"author":{"data":{"type":"people","lid":"\#(lid)"}}}}"#)
    }

    private func author(_ id: String, _ store: ResourceStore) -> ResourceIdentifier? {
        guard case .one(let author)? = store[ResourceIdentifier(type: "articles", id: id)]?[relationship: "author"]?.data else {
            return nil
        }
        return author
    }

    @Test("Linkage in the file, in memory, and in evicted resources gets the id", arguments: [nil, 3] as [Int?])
    func everywhere(limit: Int?) throws {
        try withFolder { folder in
            let store = ResourceStore(limit: limit)
            var file = try StoreFile(folder.appendingPathComponent("a"), of: store)
            for round in 0..<6 {
                try store.ingest(ResourceObject(#"{"type":"people","lid":"new\#(round)","attributes":{"name":"A"}}"#))
                for number in 0..<5 { try store.ingest(reference("\(round)-\(number)", to: "new\(round)")) }
                if round % 2 == 0 { try file.save() }
                // Some of these are saved, and some are not.
                for number in 5..<10 { try store.ingest(reference("\(round)-\(number)", to: "new\(round)")) }
                if round == 3 { try file.compact() }
                if round == 4 {
                    file.close()
                    file = try StoreFile(folder.appendingPathComponent("a"), of: store)
                }
                let count = try store.promote(ResourceIdentifier(type: "people", lid: "new\(round)"), to: "\(round)")
                #expect(count == 10, "round \(round)")
                for number in 0..<10 {
                    #expect(author("\(round)-\(number)", store) == ResourceIdentifier(type: "people", id: "\(round)"))
                }
            }
            try file.save()
            let archive = try file.archive
            file.close()
            #expect(archive.verify().isEmpty && archive.count == 66)
            try archive.forEachResource { _, text in #expect(!String(decoding: text, as: UTF8.self).contains(#""lid""#)) }
        }
    }

    @Test func `a request of a foreign file whose edit has all relationships is promoted`() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var writer = Archive.Writer()
            try writer.insert(ResourceObject(type: "a", lid: "l"))
            let request: JSON = [
                "operation": "update", "target": ["type": "a", "lid": "l"], "state": "waiting",
                "undo": ["edit": [["place": ["relationships"], "value": [:]]]],
            ]
            try writer.encode(request, forKey: "request:1:\(UUID().uuidString)")
            try writer.write(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.promote(ResourceIdentifier(type: "a", lid: "l"), to: "1")
            #expect(RequestQueue(store).requests.map(\.target) == [ResourceIdentifier(type: "a", id: "1")])
            file.close()
        }
    }

    @Test("A second promotion reads only what was saved since the first one")
    func cost() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let first = ResourceStore()
            try first.ingest((0..<1000).map { Person(id: "\($0)", name: "N", city: nil) })
            try first.save(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            for round in 0..<2 {
                try store.ingest(ResourceObject(#"{"type":"people","lid":"l\#(round)","attributes":{"name":"A"}}"#))
                try store.promote(ResourceIdentifier(type: "people", lid: "l\(round)"), to: "new \(round)")
                let end = store.core.table.backing?.archive.localReferences.withLock { $0?.end }
                #expect(end == file.byteCount)
                try file.save()
                #expect(end.map { $0 < file.byteCount } == true)
            }
        }
    }

    @Test("Linkage is found although another part of the file is damaged")
    func damaged() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let first = ResourceStore()
            try first.ingest([try reference("1", to: "new"), try ResourceObject(#"{"type":"people","lid":"new"}"#)])
            try first.save(to: url)
            let file = try ArchiveFile(url)
            try file.commit { try $0.insert(try ResourceObject(#"{"type":"notes","id":"1","attributes":{"text":"old"}}"#)) }
            let record = try #require(try file.image.record(StoredIdentity(type: "notes", name: "1", isLocal: false))).text
            try file.commit { try $0.insert(try ResourceObject(#"{"type":"notes","id":"1","attributes":{"text":"new"}}"#)) }
            file.close()
            // The replaced state of a resource is damaged, which harms nobody.
            var bytes = try Data(contentsOf: url)
            bytes[record.lowerBound + 3] ^= 1
            try bytes.write(to: url)
            let store = ResourceStore()
            let storeFile = try StoreFile(url, of: store)
            defer { storeFile.close() }
            #expect(try store.promote(ResourceIdentifier(type: "people", lid: "new"), to: "9") == 1)
            #expect(author("1", store) == ResourceIdentifier(type: "people", id: "9"))
        }
    }

    private struct Author: Resource {
        static let type = "people"
        var id: String?
        var lid: LocalID?
        var name: String
    }

    @Test("The answers to creations are taken although another resource is damaged, whichever byte of it is")
    func damagedResource() throws {
        var writer = Archive.Writer()
        try writer.insert(try ResourceObject(#"{"type":"notes","id":"1","attributes":{"text":"damaged"}}"#))
        for number in 1...2 { try writer.insert(try reference("\(number)", to: "new\(number)")) }
        let intact = try writer.bytes()
        let damaged = StoredIdentity(type: "notes", name: "1", isLocal: false)
        for offset in try #require(try ArchiveImage(ArchiveBytes(intact)).record(damaged)).range {
            try withFolder { folder in
                let url = folder.appendingPathComponent("a")
                var bytes = intact
                bytes[offset] ^= 1
                try Data(bytes).write(to: url)
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                let queue = RequestQueue(store, savedIn: file)
                for number in 1...2 { try queue.create(Author(lid: LocalID("new\(number)"), name: "A")) }
                for number in 1...2 {
                    let creation = try #require(try queue.next())
                    let answer = #"{"data":{"type":"people","id":"\#(number)","attributes":{"name":"A"}}}"#
                    try queue.answer(creation, status: 201, body: Data(answer.utf8))
                }
                #expect(queue.isEmpty, "byte \(offset)")
                #expect(author("1", store) == ResourceIdentifier(type: "people", id: "1"), "byte \(offset)")
                #expect(author("2", store) == ResourceIdentifier(type: "people", id: "2"), "byte \(offset)")
            }
        }
    }
}
