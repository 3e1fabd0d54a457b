import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

/// A resource that embeds another one of its own type.
private struct Member: Resource {
    static let type = "members"
    var id: String
    var name: String
    var leader: Box?

    final class Box: Resource {
        static let type = "members"
        let id: String
        let name: String
    }
}

/// A person that counts how often it is decoded.
private struct CountedPerson: Resource {
    static let type = "people"
    static let count = Locked(0)
    var id: String

    init(from decoder: any Decoder) throws {
        Self.count.withLock { $0 += 1 }
        id = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .id)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
    }
}

@Suite("Lists of a store are read in batches")
struct StoreBatchTests {
    private func filled(_ count: Int, _ url: URL, limit: Int? = nil) throws -> (ResourceStore, StoreFile) {
        let first = ResourceStore()
        try first.ingest((0..<count).map { Person(id: "\($0)", name: "Name \($0)", city: $0 % 3 == 0 ? nil : "C") })
        try first.save(to: url)
        let store = ResourceStore(limit: limit)
        return (store, try StoreFile(url, of: store))
    }

    @Test("A list has all resources in order, cached or not", arguments: [nil, 10, 100] as [Int?])
    func order(limit: Int?) throws {
        try withFolder { folder in
            let (store, file) = try filled(300, folder.appendingPathComponent("a"), limit: limit)
            defer { file.close() }
            _ = try store.resource(Person.self, id: "70")
            try store.ingest(Person(id: "100", name: "New", city: nil))
            store.remove(ResourceIdentifier(type: "people", id: "130"))
            try store.ingest(Person(id: "new", name: "Last", city: nil))
            for _ in 0..<2 {
                let people = try store.resources(Person.self)
                #expect(people.map(\.id) == (0..<300).filter { $0 != 130 }.map { "\($0)" } + ["new"])
                #expect(people[100].name == "New" && people[100].city == "C" && people[101].name == "Name 101")
                #expect(try store.snapshot().resources(Person.self) == people)
            }
        }
    }

    @Test("Each resource is decoded once, in whatever order its members are")
    func memberOrder() throws {
        for isTypeFirst in [true, false] {
            let store = ResourceStore()
            for number in 0..<200 {
                let (type, id) = (#""type":"people""#, #""id":"\#(number)""#)
                let members = (isTypeFirst ? [type, id] : [id, #""attributes":{"name":"N"}"#, type]).joined(separator: ",")
                try store.ingest(ResourceObject("{\(members)}"))
            }
            CountedPerson.count.withLock { $0 = 0 }
            #expect(try store.resources(CountedPerson.self).count == 200)
            #expect(CountedPerson.count.withLock { $0 } == 200)
        }
    }

    @Test("A value of a batch changes only with its own resource")
    func changes() throws {
        try withFolder { folder in
            let (store, file) = try filled(200, folder.appendingPathComponent("a"))
            defer { file.close() }
            _ = try store.resources(Person.self)
            for number in [0, 63, 64, 199] {
                try store.ingest(Person(id: "\(number)", name: "Changed", city: nil))
                let people = try store.resources(Person.self)
                #expect(people[number].name == "Changed")
                #expect(people.filter { $0.name == "Changed" }.count == [0, 63, 64, 199].firstIndex(of: number).map { $0 + 1 })
            }
        }
    }

    @Test("Embedded resources of the same type are current")
    func embedded() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let first = ResourceStore()
            let members = try (0..<100).map { number in
                try ResourceObject(
                    #"{"type":"members","id":"\#(number)","attributes":{"name":"N"},"relationships":{"leader":{"data":{"type":"members","id":"0"}}}}"#
                )
            }
            try first.ingest(members)
            try first.save(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            #expect(try store.resources(Member.self).allSatisfy { $0.leader?.name == "N" })
            try store.ingest(ResourceObject(#"{"type":"members","id":"0","attributes":{"name":"Other"}}"#))
            let read = try store.resources(Member.self)
            #expect(read.dropFirst().allSatisfy { $0.leader?.name == "Other" && $0.name == "N" })
            #expect(try store.snapshot().resources(Member.self)[50].leader?.name == "Other")
        }
    }

    @Test("A resource that cannot be read is an error with its place, and the others can be read")
    func unreadable() throws {
        try withFolder { folder in
            let (store, file) = try filled(100, folder.appendingPathComponent("a"))
            defer { file.close() }
            try store.ingest(ResourceObject(#"{"type":"people","id":"50","attributes":{"name":7}}"#))
            let alone = #expect(throws: DecodingError.self) { try store.resource(Person.self, id: "50") }
            let listed = #expect(throws: DecodingError.self) { try store.resources(Person.self) }
            #expect(alone.map { "\($0)" } == listed.map { "\($0)" })
            #expect(throws: DecodingError.self) { try store.snapshot().resources(Person.self) }
            #expect(try store.resource(Person.self, id: "51")?.name == "Name 51")
        }
    }
}
