import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite struct StoreReadingTests {
    @Test func resourcesOfADocumentAreReadAsModels() throws {
        let store = ResourceStore()
        let report = try store.ingest(document(articleText))
        #expect(report.inserted == 3 && report.updated == 0 && report.skippedCount == 0)
        let article = try #require(try store.resource(Article.self, id: "1"))
        #expect(article.title == "One")
        #expect(article.comments.map(\.body) == ["Yes"])
        #expect(article.comments.first?.author?.name == "Ann")
        #expect(article.author.value?.name == "Ann")
        #expect(store[article.author]?.nick == "A")
        #expect(try store.resolve(article.author).articles.values.map(\.title) == ["One"])
        #expect(try store.resources(Person.self).map(\.id) == ["9"])
    }

    @Test func relationshipsResolveAcrossDocuments() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        let text = #"""
            {"data": {"type": "articles", "id": "2", "attributes": {"title": "Two"}, "relationships": {
                "author": {"data": {"type": "people", "id": "9"}}, "comments": {"data": [{"type": "comments", "id": "5"}]}}}}
            """#
        let article = try store.decode(Article.self, from: Data(text.utf8))
        #expect(article.author.value?.name == "Ann")
        #expect(article.comments.map(\.id) == ["5"])
    }

    @Test func aValueIsUpdatedWhenItsResourceOrAnEmbeddedOneChanges() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        #expect(try store.resource(Article.self, id: "1")?.comments.first?.author?.name == "Ann")
        try store.ingest(Person(id: "9", name: "Bea"))
        #expect(try store.resource(Article.self, id: "1")?.comments.first?.author?.name == "Bea")
        store.remove(ResourceIdentifier(type: "comments", id: "5"))
        #expect(throws: DecodingError.self) { try store.resource(Article.self, id: "1") }
        try store.ingest(Comment(id: "5", body: "Again"))
        #expect(try store.resource(Article.self, id: "1")?.comments.map(\.body) == ["Again"])
    }

    @Test func referencesResolveToTheCurrentState() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        let article = try #require(try store.resource(Article.self, id: "1"))
        try store.ingest(Person(id: "9", name: "Bea"))
        #expect(article.author.value?.name == "Bea")
        store.remove(.person("9"))
        #expect(article.author.value == nil)
        #expect(article.author.id == "9")
    }

    @Test func anUnchangedResourceIsDecodedOnce() throws {
        let store = ResourceStore()
        try store.ingest(object(#"{"type": "counted", "id": "1", "attributes": {"n": 1}}"#))
        Counted.count.reset()
        for _ in 0..<5 { #expect(try store.resource(Counted.self, id: "1")?.n == 1) }
        #expect(Counted.count.value == 1)
        try store.ingest(object(#"{"type": "others", "id": "1", "attributes": {"n": 1}}"#))
        try store.ingest(object(#"{"type": "counted", "id": "1", "attributes": {"n": 1}}"#))
        #expect(try store.resources(Counted.self).map(\.n) == [1])
        // After another write with equal contents, the value was released and created again.
        #expect(Counted.count.value <= 2)
        try store.ingest(object(#"{"type": "counted", "id": "1", "attributes": {"n": 2}}"#))
        #expect(try store.resource(Counted.self, id: "1")?.n == 2)
    }

    @Test func embeddedCyclesEnd() throws {
        let store = ResourceStore()
        try store.ingest(
            document(
                #"""
                {"data": [{"type": "nodes", "id": "1", "relationships": {"next": {"data": {"type": "nodes", "id": "2"}}}},
                          {"type": "nodes", "id": "2", "relationships": {"next": {"data": {"type": "nodes", "id": "1"}}}}]}
                """#))
        let node = try #require(try store.resource(Node.self, id: "1"))
        #expect(node.next.first?.id == "2")
        #expect(node.next.first?.next.first == nil)
    }

    @Test func typesAndIdsCompareByBytes() throws {
        let store = ResourceStore()
        for id in ["7", "007", "é", "e\u{301}", "A", "a"] { try store.ingest(Person(id: id, name: id)) }
        #expect(store.count == 6)
        #expect(store.identifiers(ofType: "people").compactMap(\.id).map { Array($0.utf8) }.count == 6)
        #expect(try store.resource(Person.self, id: "e\u{301}")?.name.utf8.count == 3)
        #expect(try store.resource(Person.self, id: "07") == nil)
    }

    @Test func aMissingResourceIsNilOrAnErrorThatNamesIt() throws {
        let store = ResourceStore()
        try store.ingest(Person(id: "1", name: "Ann"))
        #expect(try store.resource(Article.self, .person("1")) == nil)
        let unloaded = #expect(throws: StoreError.self) { try store.resolve(ToOne<Person>.notLoaded) }
        #expect(unloaded?.advice?.contains("related") == true)
        let missing = #expect(throws: StoreError.self) { try store.resolve(ToOne<Person>(ResourceIdentifier(type: "people", id: "2"))) }
        #expect(missing?.kind == .unresolved && missing?.advice?.contains("ingest") == true)
        let misspelt = #expect(throws: StoreError.self) {
            try store.resolve(ResourceObject.self, ResourceIdentifier(type: "peopel", id: "1"))
        }
        #expect(misspelt?.advice?.contains("people") == true)
        let other = #expect(throws: StoreError.self) { try store.resolve(ToOne<Article>(.person("1"))) }
        #expect(other?.kind == .unexpectedType)
    }

    @Test func aSnapshotDoesNotChange() throws {
        let store = ResourceStore()
        try store.ingest(document(articleText))
        let snapshot = store.snapshot()
        try store.removeAll()
        try store.ingest(Person(id: "9", name: "Bea"))
        #expect(snapshot.count == 3)
        #expect(try snapshot.resource(Article.self, .article("1"))?.author.value?.name == "Ann")
        #expect(try snapshot.resources(Person.self).map(\.name) == ["Ann"])
        #expect(try snapshot.document.data.resources.count == 3)
    }

    @Test func valuesDoNotKeepTheStoresCacheAlive() throws {
        weak var observed: Owner?
        do {
            let store = ResourceStore()
            try store.ingest(document(articleText))
            _ = try store.resources(Article.self)
            _ = try store.resources(Person.self)
            let owner = Owner()
            observed = owner
            let observation = store.observe(type: "people") { [owner] _ in _ = owner }
            withExtendedLifetime(observation) {}
        }
        #expect(observed == nil)
        weak var released: ResourceStore?
        do {
            let store = ResourceStore()
            released = store
            try store.ingest(document(articleText))
            let article = try #require(try store.resource(Article.self, id: "1"))
            #expect(article.author.value?.articles.values.first?.author.value?.name == "Ann")
        }
        #expect(released == nil)
    }
}

struct Node: Resource {
    static let type = "nodes"
    var id: String
    var next: [Node]

    enum CodingKeys: CodingKey { case id, next }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        next = try container.decodeIfPresent(Node.self, forKey: .next).map { [$0] } ?? []
    }
}

struct Counted: Resource {
    static let type = "counted"
    static let count = Counter()
    var id: String
    var n: Int

    enum CodingKeys: CodingKey { case id, n }
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        n = try container.decode(Int.self, forKey: .n)
        Counted.count.add()
    }

    final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var stored = 0
        var value: Int {
            lock.lock()
            defer { lock.unlock() }
            return stored
        }
        func add() {
            lock.lock()
            stored += 1
            lock.unlock()
        }
        func reset() {
            lock.lock()
            stored = 0
            lock.unlock()
        }
    }
}
