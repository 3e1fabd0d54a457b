import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("Kept documents, and values by key")
struct KeepingTests {
    private let store = ResourceStore()
    private let query = "/people?sort=name&page[size]=3"

    private func page(_ ids: String...) throws -> DocumentObject {
        let data = ids.map { #"{"type":"people","id":"\#($0)","attributes":{"name":"Name \#($0)"}}"# }.joined(separator: ",")
        return try document(
            #"{"jsonapi":{"version":"1.1"},"data":[\#(data)],"links":{"next":"/p2"},"meta":{"total":11},"included":[{"type":"notes","id":"1","attributes":{"text":"x"}}]}"#
        )
    }

    @Test("A kept document has its order, links, meta, and current resources")
    func order() throws {
        let report = try store.keep(page("3", "1", "2"), for: query)
        #expect(report.inserted == 4)
        try store.ingest(Person(id: "1", name: "New"))
        let kept = try #require(try store.keptDocument([Person].self, for: query))
        #expect(kept.data.map(\.id) == ["3", "1", "2"] && kept.data[1].name == "New")
        #expect(kept.links.next?.href == "/p2" && kept.meta == ["total": 11] && kept.jsonapi?.version == "1.1")
        #expect(store.queries == [query])
        #expect(try store.keptDocument([Person].self, for: "/other") == nil)
    }

    @Test("The meta of a kept document is read with the store's decoder")
    func strategies() throws {
        struct Info: Decodable { var updatedAt: Date }
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let store = ResourceStore(decoder: decoder)
        try store.keep(document(#"{"data":[],"meta":{"updatedAt":10}}"#), for: query)
        let kept = try #require(try store.keptDocument([Person].self, for: query))
        #expect(try kept.meta(Info.self)?.updatedAt == Date(timeIntervalSince1970: 10))
    }

    /// A person that lets a test act while it is read.
    private struct ReadPerson: Resource {
        static let type = "people"
        @TaskLocal static var whileReading: (@Sendable () throws -> Void)?
        var id: String
        var name: String

        private enum CodingKeys: CodingKey { case id, name }

        init(from decoder: any Decoder) throws {
            try Self.whileReading?()
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            name = try values.decode(String.self, forKey: .name)
        }
    }

    @Test("A kept document and its resources are of one moment, even if the document is replaced while it is read")
    func moment() throws {
        try store.keep(page("1", "2", "3"), for: query)
        let replacePage: @Sendable () throws -> Void = {
            try store.transaction { transaction in
                try transaction.keep(
                    document(#"{"data":[{"type":"people","id":"4","attributes":{"name":"D"}}],"meta":{"total":1}}"#), for: query)
                for id in ["1", "2", "3"] { try transaction.remove(.person(id)) }
            }
        }
        let read = try ReadPerson.$whileReading.withValue(replacePage) { try store.keptDocument([ReadPerson].self, for: query) }
        #expect(read?.data.map(\.name) == ["Name 1", "Name 2", "Name 3"] && read?.meta == ["total": 11])
        let later = try store.keptDocument([ReadPerson].self, for: query)
        #expect(later?.data.map(\.name) == ["D"] && later?.meta == ["total": 1])
    }

    @Test("A repeated resource stays repeated, and a removed one is omitted until it returns")
    func removed() throws {
        try store.keep(page("3", "1", "3"), for: query)
        var deletion = try store.deletion(of: .person("3"))
        try deletion.hide()
        #expect(try store.keptDocument([Person].self, for: query)?.data.map(\.id) == ["1"])
        deletion.rollBack()
        #expect(try store.keptDocument([Person].self, for: query)?.data.map(\.id) == ["3", "1", "3"])
    }

    @Test("Documents with one resource, and with none")
    func one() throws {
        try store.keep(document(#"{"data":{"type":"people","id":"1","attributes":{"name":"Ann"}}}"#), for: "/people/1")
        #expect(try store.keptDocument(Person?.self, for: "/people/1")?.data?.name == "Ann")
        try store.keep(document(#"{"data":null,"meta":{"a":1}}"#), for: "/people/1")
        let kept = try #require(try store.keptDocument(Person?.self, for: "/people/1"))
        #expect(kept.data == nil && kept.meta == ["a": 1])
        store.removeDocument(for: "/people/1")
        #expect(try store.keptDocument(Person?.self, for: "/people/1") == nil && store.count == 1)
    }

    @Test("A decoded document is kept unchanged")
    func typed() throws {
        let data = Data(try page("2", "1").json.description.utf8)
        let read = try JSONAPIDecoder().decode(Document<[Person]>.self, from: data)
        try store.keep(read, for: query)
        #expect(try store.keptDocument([Person].self, for: query)?.data == read.data)
    }

    @Test("An error document, or resources without ids, do not replace a kept document")
    func errors() throws {
        try store.keep(page("1"), for: query)
        let errors = try document(#"{"errors":[{"status":"500"}]}"#)
        #expect(throws: ErrorDocument.self) { try store.keep(errors, for: query) }
        for text in [#"{"errors":"no"}"#, #"{"data":null,"errors":["no"]}"#, #"{"data":[],"errors":["no"]}"#] {
            #expect(throws: ErrorDocument.self) { try store.keep(document(text), for: query) }
        }
        let empty = try JSONAPIDecoder(mode: .lenient).decode(
            Document<[Person]>.self, from: Data(#"{"data":[],"errors":[{"title":"No"}]}"#.utf8))
        #expect(throws: ErrorDocument.self) { try store.keep(empty, for: query) }
        let local = try document(#"{"data":[{"type":"people","id":"2","attributes":{"name":"B"}},{"type":"people","lid":"x"}]}"#)
        #expect(throws: StoreError.self) { try store.keep(local, for: query) }
        #expect(try store.keptDocument([Person].self, for: query)?.data.map(\.id) == ["1"] && !store.contains(.person("2")))
    }

    @Test("Values by key, in a transaction and after one that was rolled back")
    func values() throws {
        struct Stop: Error {}
        struct Feed: Codable, Equatable {
            var order: [String]
            var date: Date
        }
        let feed = Feed(order: ["3", "1"], date: Date(timeIntervalSince1970: 5))
        try store.keep(feed, forKey: "feed")
        #expect(try store.kept(Feed.self, forKey: "feed") == feed)
        #expect(throws: Stop.self) {
            try store.transaction { transaction in
                try transaction.keep([1], forKey: "feed")
                try transaction.keep([1], forKey: "other")
                #expect(try transaction.kept([Int].self, forKey: "other") == [1])
                try transaction.removeKept(forKey: "feed")
                #expect(try transaction.kept(Feed.self, forKey: "feed") == nil)
                throw Stop()
            }
        }
        #expect(try store.kept(Feed.self, forKey: "feed") == feed && store.keptKeys == ["feed"])
        #expect(throws: DecodingError.self) { try store.kept(Int.self, forKey: "feed") }
        // Composed and decomposed keys differ, and a key can begin with a combining character.
        try store.keep(1, forKey: "\u{E9}")
        try store.keep(2, forKey: "e\u{301}")
        try store.keep(3, forKey: "\u{301}")
        #expect(try store.kept(Int.self, forKey: "\u{E9}") == 1 && store.kept(Int.self, forKey: "e\u{301}") == 2)
        store.removeKept(forKey: "feed")
        #expect(store.keptKeys == ["e\u{301}", "\u{E9}", "\u{301}"])
    }

    @Test("A live document updates when it is replaced, changed, or removed", .timeLimit(.minutes(20)))
    func live() async throws {
        var seen: [[String]?] = []
        for await page in store.document([Person].self, for: query) {
            seen.append(page?.data.map(\.name))
            switch seen.count {
            case 1: try store.keep(self.page("2", "1"), for: query)
            case 2: try store.ingest(Person(id: "1", name: "One"))
            case 3: try store.keep(self.page("1"), for: query)
            case 4: store.remove(.person("1"))
            case 5: store.removeDocument(for: query)
            default: break
            }
            if seen.count == 6 { break }
        }
        #expect(seen == [nil, ["Name 2", "Name 1"], ["Name 2", "One"], ["Name 1"], [], nil])
    }

    @Test func `a kept document is not read as a model of another type`() throws {
        try store.keep(page("1", "2"), for: query)
        #expect(throws: StoreError.self) { try store.keptDocument([Article].self, for: query) }
        try store.keep(document(#"{"data":{"type":"people","id":"1","attributes":{"name":"Ann"}}}"#), for: "/people/1")
        #expect(throws: StoreError.self) { try store.keptDocument(Article?.self, for: "/people/1") }
        store.remove([ResourceIdentifier.person("1"), ResourceIdentifier.person("2")])
        #expect(try store.keptDocument([Article].self, for: query)?.data.isEmpty == true)
        #expect(try store.keptDocument(Article?.self, for: "/people/1")?.data == .some(nil))
    }

    @Test("A live document updates for referenced resources, and not for other documents", .timeLimit(.minutes(20)))
    func liveReferences() async throws {
        try store.keep(
            document(
                #"{"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{"author":{"data":{"type":"people","id":"9"}},"comments":{"data":[]}}}}"#
            ),
            for: "/articles/1")
        var seen: [String?] = []
        for await page in store.document(Article?.self, for: "/articles/1") {
            seen.append((page?.data).flatMap { $0 }?.author.value?.name)
            if seen.count == 1 {
                try store.keep(self.page("4"), for: query)
                try store.ingest(Person(id: "9", name: "Ann"))
            }
            if seen.count == 2 { break }
        }
        #expect(seen == [nil, "Ann"])
    }
}
