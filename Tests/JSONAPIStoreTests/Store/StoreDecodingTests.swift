import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite struct StoreDecodingTests {
    private let store = ResourceStore()
    private let data = Data(articleText.utf8)

    @Test func decodingStoresTheDocument() throws {
        let article = try store.decode(Article.self, from: data)
        #expect(article.author.value?.name == "Ann" && article.comments.map(\.body) == ["Yes"])
        #expect(store.count == 3)
        let sparse = Data(#"{"data":[{"type":"articles","id":"1","attributes":{"subtitle":"S"}}]}"#.utf8)
        let merged = try store.decode([Article].self, from: sparse)
        #expect(merged.map(\.title) == ["One"] && merged.map(\.subtitle) == ["S"])
        #expect(try store.decode(Article?.self, from: Data(#"{"data":null}"#.utf8)) == nil)
    }

    @Test func decodingCanKeepNothingOrOnlyIncludedResources() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Old","subtitle":"S"}}"#))
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"nick":"Z"}}"#))
        let article = try store.decode(Article.self, from: data, keeping: .nothing)
        #expect(article.title == "One" && article.subtitle == nil)
        #expect(article.author.value?.name == "Ann" && article.comments.count == 1)
        #expect(store.count == 2 && store[.person("9")]?[attribute: "name"] == nil)

        let again = try store.decode(Article.self, from: data, keeping: .included)
        #expect(again.subtitle == nil && again.author.value?.name == "Ann")
        #expect(store.types == ["people", "comments"])
        try store.removeAll()
        #expect(again.author.value?.articles.values.map(\.title) == ["One"])
    }

    @Test func anInvalidDocumentIsNotStored() throws {
        let bad = Data(
            #"{"data":[{"type":"articles","id":"1","attributes":{"title":"A"},"relationships":{"comments":{"data":[]}}},{"type":"articles","id":"2","attributes":{"title":1}}]}"#
                .utf8)
        let error = #expect(throws: DecodingError.self) { try store.decode([Article].self, from: bad) }
        #expect(error?.failure?.resource?.id == "2")
        #expect(store.isEmpty)
        #expect(throws: ErrorDocument.self) { try store.decode([Article].self, from: Data(#"{"errors":[{"title":"x"}]}"#.utf8)) }
        #expect(throws: DecodingError.self) { try store.decode(Article.self, from: Data(#"{"data":null}"#.utf8)) }
        #expect(throws: DecodingError.self) { try store.decode(Article.self, from: Data("{".utf8)) }
        let nameless = Data(#"{"data":[{"type":"articles","attributes":{"title":"A"}}]}"#.utf8)
        #expect(throws: DecodingError.self) { try store.decode([Article].self, from: nameless) }
        let lenient = ResourceStore(decoder: JSONAPIDecoder(mode: .lenient))
        let missing = #expect(throws: StoreError.self) { try lenient.decode([Article].self, from: nameless) }
        #expect(missing?.pointer?.description == "/data/0")
        let second = Data(
            #"{"data":[{"type":"articles","id":"1","attributes":{"title":"A"}},{"type":"articles","attributes":{"title":"B"}}]}"#.utf8)
        let behind = #expect(throws: StoreError.self) { try lenient.decode([Article].self, from: second) }
        #expect(behind?.pointer?.description == "/data/1")
        let other = #expect(throws: StoreError.self) { try store.decode(Person.self, from: data) }
        #expect(other?.kind == .unexpectedType)
        #expect(store.isEmpty)
    }

    @Test("A repeated resource is read with its own contents, also if only one occurrence has a lid or meta")
    func repeatedWithOtherMembers() throws {
        for extra in [#""lid":"x","#, #""meta":{"a":1},"#] {
            let text =
                #"{"data":[{"type":"people","id":"1",\#(extra)"attributes":{"name":"A"}},{"type":"people","id":"1","attributes":{"name":"B"}}]}"#
            for keeping in [ResourceStore.Keeping.nothing, .included] {
                #expect(try store.decode([Person].self, from: Data(text.utf8), keeping: keeping).map(\.name) == ["A", "B"])
            }
        }
    }

    @Test func repeatedPrimaryResourcesAreAllReturned() throws {
        let text = Data(
            #"{"data":[{"type":"people","id":"1","attributes":{"name":"A","nick":"N"}},{"type":"people","id":"1","attributes":{"name":"B"}}]}"#
                .utf8)
        #expect(try store.decode([Person].self, from: text, keeping: .nothing).map(\.name) == ["A", "B"])
        #expect(try store.decode([Person].self, from: text).map(\.name) == ["A", "A"])
        #expect(try store.resource(Person.self, id: "1")?.nick == "N")
    }

    @Test func referencesOfDecodedValuesShareTheStoresValues() throws {
        let text =
            #"{"data":{"type":"articles","id":"1","attributes":{"title":"A"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#
        try store.ingest(document(articleText))
        let article = try store.decode(Article.self, from: Data(text.utf8))
        let person = try #require(article.author.value)
        #expect(try store.resource(Person.self, id: "9") == person)
        #expect(person.articles.values.first?.title == "A")
    }

    @Test func theWholeStoreIsADocument() throws {
        try store.ingest(document(articleText))
        let saved = try JSONAPIEncoder().encode(store.document)
        let other = ResourceStore()
        try other.ingest(Person(id: "9", name: "Old", nick: "O"))
        try other.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: saved))
        #expect(try other.resource(Person.self, id: "9")?.nick == "A")
        #expect(other.count == 3)
    }
}

@Suite struct StoreJournalTests {
    private let store = ResourceStore(limit: 3)

    private func told(_ changes: [StoreJournal.Change]) -> [String] {
        changes.map { change in
            let name = change.text.flatMap { try? JSON(parsing: $0)["attributes"]?["name"]?.string }
            return "\(change.identifier.id ?? ""): \(name ?? "gone")"
        }
    }

    @Test func theJournalHasEachChangedResourceOnce() throws {
        try store.ingest(Person(id: "0", name: "zero"))
        let journal = store.journal()
        #expect(try store.takeChanges(of: journal).isEmpty)
        try store.ingest(Person(id: "1", name: "one"))
        try store.ingest(Person(id: "2", name: "two"))
        try store.ingest(Person(id: "1", name: "uno"))
        store.remove(.person("0"))
        let changes = try store.takeChanges(of: journal)
        #expect(told(changes) == ["1: uno", "2: two", "0: gone"])
        #expect(try store.takeChanges(of: journal).isEmpty)
        try store.ingest(Person(id: "2", name: "due"))
        journal.putBack(changes)
        #expect(try told(store.takeChanges(of: journal)) == ["1: uno", "2: due", "0: gone"])
    }

    @Test func evictedChangesAreNotLost() throws {
        let journal = store.journal()
        for number in 1...5 { try store.ingest(Person(id: "\(number)", name: "n\(number)")) }
        #expect(store.count == 3)
        #expect(try told(store.takeChanges(of: journal)) == (1...5).map { "\($0): n\($0)" })
    }

    @Test func aSnapshotReturnsEveryText() throws {
        try store.ingest(document(articleText))
        var found: [ResourceIdentifier] = []
        try store.snapshot().forEachResource { identifier, text in
            found.append(identifier)
            let json = try JSON(parsing: text)
            #expect(json["id"]?.string == identifier.id)
        }
        #expect(found == store.identifiers)
    }
}
