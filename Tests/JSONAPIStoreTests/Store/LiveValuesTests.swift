import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// Something that a task gets and nobody else uses meanwhile.
private struct Passed<Value>: @unchecked Sendable {
    let value: Value
}

/// A shelf with a book that has an author, all of them required.
private struct Shelf: Resource {
    static let type = "shelves"
    var id: String
    var book: Book

    struct Book: Resource {
        static let type = "books"
        var id: String
        var author: Person
    }
}

@Suite("Live values of a store", .timeLimit(.minutes(20)))
struct LiveValuesTests {
    private let store = ResourceStore()

    /// Whether a sequence has nothing new to give.
    private func isQuiet<Value: Sendable>(_ iterator: StoreValues<Value>.Iterator) async -> Bool {
        let only = Passed(value: iterator)
        let task = Task {
            var copy = only.value
            return await copy.next() == nil
        }
        try? await Task.sleep(for: .milliseconds(100))
        task.cancel()
        return await task.value
    }

    @Test("The first value is returned immediately, even if empty")
    func firstValue() async throws {
        var empty = store.value(Article.self, id: "1").makeAsyncIterator()
        #expect(await empty.next() == .some(nil))
        var list = store.values([Person].self).makeAsyncIterator()
        #expect(await list.next() == [])
        try store.ingest(document(articleText))
        #expect(await empty.next()??.title == "One")
        #expect(await list.next()?.map(\.name) == ["Ann"])
    }

    @Test("A new value follows when the resource, or one that it embeds or refers to, changes")
    func related() async throws {
        try store.ingest(document(articleText))
        var values = store.value(Article.self, id: "1").makeAsyncIterator()
        #expect(await values.next()??.title == "One")
        try store.apply(Patch<Article>(id: "1").set("title", "Two"))
        #expect(await values.next()??.title == "Two")
        // Embedded.
        try store.apply(Patch<Comment>(id: "5").set("body", "No"))
        #expect(await values.next()??.comments.map(\.body) == ["No"])
        // Embedded in what is embedded, and what a reference leads to.
        try store.ingest(Person(id: "9", name: "Bea"))
        let article = try #require(await values.next() ?? nil)
        #expect(article.comments.first?.author?.name == "Bea" && article.author.value?.name == "Bea")
        store.remove(.article("1"))
        #expect(await values.next() == .some(nil))
    }

    @Test("Unrelated and repeated writes give no new value")
    func unrelated() async throws {
        try store.ingest(document(articleText))
        var values = store.value(Article.self, id: "1").makeAsyncIterator()
        _ = await values.next()
        try store.ingest(Person(id: "10", name: "Other"))
        try store.ingest(document(articleText))
        #expect(await isQuiet(values))
        var list = store.values([Person].self, where: { $0.name == "Ann" }).makeAsyncIterator()
        #expect(await list.next()?.count == 1)
        try store.ingest(Person(id: "10", name: "Other still"))
        #expect(await isQuiet(list))
    }

    @Test("A filter is asked again when a resource changes that it has read from an omitted one")
    func filterByEmbedded() async throws {
        try store.ingest(document(articleText))
        var byAuthor = store.values([Comment].self, where: { $0.author?.name == "Bea" }).makeAsyncIterator()
        #expect(await byAuthor.next() == [])
        var byReference = store.values([Article].self, where: { $0.author.value?.name == "Bea" }).makeAsyncIterator()
        #expect(await byReference.next() == [])
        try store.apply(Patch<Person>(id: "9").set("nick", "B"))
        #expect(await isQuiet(byAuthor))
        try store.apply(Patch<Person>(id: "9").set("name", "Bea"))
        var again = store.values([Comment].self, where: { $0.author?.name == "Bea" }).makeAsyncIterator()
        #expect(await again.next()?.map(\.id) == ["5"])
        #expect(await byReference.next()?.map(\.id) == ["1"])
    }

    @Test("A filter that has read an embedded resource makes a new value when that one changes")
    func filterBecomesTrue() async throws {
        try store.ingest(document(articleText))
        var values = store.values([Comment].self, where: { $0.author?.name == "Bea" }).makeAsyncIterator()
        #expect(await values.next() == [])
        try store.apply(Patch<Person>(id: "9").set("name", "Bea"))
        #expect(await values.next()?.map(\.id) == ["5"])
    }

    @Test("A value that could not be read arrives when the resource that was missing deep inside does")
    func deepFailure() async throws {
        try store.ingest(object(#"{"type":"shelves","id":"1","relationships":{"book":{"data":{"type":"books","id":"1"}}}}"#))
        try store.ingest(object(#"{"type":"books","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#))
        let errors = Record<String>()
        var values = store.value(Shelf.self, id: "1", onError: { errors.append("\($0)") }).makeAsyncIterator()
        let first = try #require(await values.next())
        #expect(first?.id == nil)
        #expect(errors.elements.count == 1)
        try store.ingest(Person(id: "9", name: "Ann"))
        #expect(await values.next()??.book.author.name == "Ann")
    }

    @Test("A list is filtered and sorted")
    func lists() async throws {
        let sorted = store.values([Person].self, where: { $0.name != "hidden" }, sort: { $0.name < $1.name })
        var values = sorted.makeAsyncIterator()
        #expect(await values.next() == [])
        try store.ingest([Person(id: "1", name: "b"), Person(id: "2", name: "c"), Person(id: "3", name: "hidden")])
        #expect(await values.next()?.map(\.id) == ["1", "2"])
        try store.ingest(Person(id: "2", name: "a"))
        #expect(await values.next()?.map(\.id) == ["2", "1"])
        try store.ingest(Person(id: "3", name: "aa"))
        #expect(await values.next()?.map(\.id) == ["2", "3", "1"])
        store.remove(.person("2"))
        #expect(await values.next()?.map(\.id) == ["3", "1"])
        try store.ingest(Person(id: "1", name: "hidden"))
        #expect(await values.next()?.map(\.id) == ["3"])
    }

    @Test("Several changes can give one value, and the last state is always returned")
    func coalesced() async throws {
        var values = store.value(Person.self, id: "1").makeAsyncIterator()
        _ = await values.next()
        for number in 1...100 { try store.ingest(Person(id: "1", name: "\(number)")) }
        #expect(await values.next()??.name == "100")
        #expect(await isQuiet(values))
    }

    @Test("With concurrent writers, values are in order and end with the last state")
    func concurrent() async throws {
        let store = store
        let writer = Task.detached {
            for number in 1...2000 { try store.ingest(Person(id: "1", name: "\(number)")) }
        }
        var last = 0
        for await person in store.value(Person.self, id: "1") {
            guard let number = person.flatMap({ Int($0.name) }) else { continue }
            #expect(number > last)
            last = number
            if number == 2000 { break }
        }
        try await writer.value
        #expect(last == 2000)
    }

    @Test("A resource that cannot be decoded is omitted and reported")
    func unreadable() async throws {
        try store.ingest([Person(id: "1", name: "Ann")])
        try store.ingest(object(#"{"type":"people","id":"2","attributes":{"name":7}}"#))
        let errors = Record<String>()
        var values = store.values([Person].self, onError: { errors.append("\(type(of: $0))") }).makeAsyncIterator()
        #expect(await values.next()?.map(\.id) == ["1"])
        #expect(errors.elements == ["DecodingError"])
        try store.ingest(Person(id: "2", name: "Ben"))
        #expect(await values.next()?.map(\.id) == ["1", "2"])
    }

    @Test("The sequence ends with the store, and with its task")
    func ends() async throws {
        var store: ResourceStore? = ResourceStore()
        let sequence = try #require(store).value(Person.self, id: "1")
        let reader = Task {
            var count = 0
            for await _ in sequence { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(50))
        store = nil
        #expect(await reader.value <= 1)
        var late = sequence.makeAsyncIterator()
        #expect(await late.next() == nil)
        let values = self.store.value(Person.self, id: "1")
        let canceled = Task { for await _ in values {} }
        canceled.cancel()
        await canceled.value
    }
}

@Suite("Undoing a patch, and names of changed fields")
struct ResourceEditTests {
    private let store = ResourceStore()

    @Test("An edit restores values, null, and absent fields")
    func inverse() throws {
        let before = #"""
            {"type":"articles","id":"1","attributes":{"title":"One","subtitle":null},
             "relationships":{"author":{"data":{"type":"people","id":"9"},"links":{"self":"/a"}}},"meta":{"m":1}}
            """#
        try store.ingest(object(before))
        let patch = Patch<ResourceObject>(ResourceIdentifier(type: "articles", id: "1"))
            .set("title", "Two").set("subtitle", "S").set("body", "new").unlink("author").link("editor", to: .person("8"))
        let undo = try store.apply(patch)
        #expect(store[.article("1")]?[attribute: "body"] == "new")
        #expect(
            Set(undo.fields.map(\.description)) == [
                "/attributes/title", "/attributes/subtitle", "/attributes/body", "/relationships/author", "/relationships/editor",
            ])
        let redo = try store.apply(undo)
        #expect(try store[.article("1")]?.json == object(before).json)
        try store.apply(redo)
        #expect(store[.article("1")]?[attribute: "title"] == "Two")
        #expect(store[.article("1")]?[relationship: "author"]?.data == .null)
    }

    @Test("Undoing new linkage keeps the links and meta that the server has sent since then", arguments: [false, true])
    func linkage(isLoaded: Bool) throws {
        let data = isLoaded ? #""data":{"type":"people","id":"9"},"# : ""
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"author":{\#(data)"links":{"self":"/a"}}}}"#))
        let undo = try store.apply(Patch<ResourceObject>(.article("1")).link("author", to: .person("8")))
        #expect(undo.fields.map(\.description) == ["/relationships/author"])
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"author":{"links":{"self":"/b"},"meta":{"m":1}}}}"#))
        try store.apply(undo)
        let author = store[.article("1")]?[relationship: "author"]
        #expect(author?.data == (isLoaded ? .one(.person("9")) : .absent))
        #expect(author?.links?["self"]?.href == "/b" && author?.meta == ["m": 1])
    }

    @Test("Undoing removes added attributes, and keeps changes of other fields")
    func absentGroups() throws {
        try store.ingest(object(#"{"type":"articles","id":"1"}"#))
        let undo = try store.apply(Patch<ResourceObject>(.article("1")).set("title", "New"))
        try store.apply(undo)
        #expect(store[.article("1")]?.json == ["type": "articles", "id": "1"])
        let second = try store.apply(Patch<ResourceObject>(.article("1")).set("title", "New"))
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"subtitle":"Theirs"}}"#))
        try store.apply(second)
        #expect(store[.article("1")]?.attributes == ["subtitle": "Theirs"])
        store.remove(.article("1"))
        #expect(throws: StoreError.self) { try store.apply(second) }
    }

    @Test("A change names the fields that it changed")
    func fields() throws {
        let told = Record<String>()
        let observation = store.observe(.person("9")) { change in
            told.append(change.fields.map(\.description).sorted().joined(separator: " "))
        }
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Ann","nick":null}}"#))
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Ann"}}"#))
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Bea"},"meta":{"a":1}}"#))
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"nick":"B"}}"#), merging: .replace)
        store.remove(.person("9"))
        withExtendedLifetime(observation) {}
        #expect(
            told.elements == [
                "/attributes/name /attributes/nick", "", "/attributes/name /meta", "/attributes/name /attributes/nick /meta", "",
            ])
    }
}
