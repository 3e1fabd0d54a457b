import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// What a store takes over with a model, and which edits it refuses.
@Suite struct IngestedModelsTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var friend: ToOne<Person>
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
    }

    private let text = Data(
        #"""
        {"data": [{"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
         "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit", "city": "Oslo"},
                       "relationships": {"friend": {"data": {"type": "people", "id": "10"}}}},
                      {"type": "people", "id": "10", "attributes": {"name": "Jun"}}]}
        """#.utf8)

    @Test("A store also has what the references of a model find in an archive or in another store")
    func otherSources() throws {
        var writer = Archive.Writer()
        try writer.encode(JSONAPIDecoder().decode([Article].self, from: text), forKey: "list")
        let archive = try Archive(data: writer.data())
        let other = ResourceStore()
        _ = try other.decode([Article].self, from: text)
        for articles in [try archive.decode([Article].self, forKey: "list"), try other.resources(Article.self)] {
            let (one, several) = (ResourceStore(), ResourceStore())
            for article in articles { try one.ingest(article) }
            try several.transaction { _ = try $0.ingest(articles) }
            for store in [one, several] {
                let author = try #require(try store.resources(Article.self).first?.author.value)
                #expect(author.name == "Marit" && author.friend.value?.name == "Jun")
                #expect(store[ResourceIdentifier(type: "people", id: "9")]?[attribute: "city"] == "Oslo")
            }
        }
    }

    @Test("What the references of a model find in the store itself does not change")
    func sameStore() throws {
        let store = ResourceStore()
        _ = try store.decode([Article].self, from: text)
        let old = try #require(try store.snapshot().resource(Article.self, ResourceIdentifier(type: "articles", id: "1")))
        try store.ingest(Person(id: "9", name: "New", friend: .empty))
        try store.ingest(old)
        #expect(try store.resource(Person.self, id: "9")?.name == "New")
    }

    @Test("A resource that was removed does not come back with a model of an earlier moment")
    func removedResource() throws {
        let store = ResourceStore()
        _ = try store.decode([Article].self, from: text)
        let old = try #require(try store.snapshot().resource(Article.self, ResourceIdentifier(type: "articles", id: "1")))
        _ = store.remove(ResourceIdentifier(type: "people", id: "9"))
        try store.ingest(old)
        #expect(!store.contains(ResourceIdentifier(type: "people", id: "9")))
    }

    @Test("A patch by name that also links to a resource that the store does not have is accepted")
    func linkBesideName() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var title: String
            var author: Person
        }
        let store = ResourceStore()
        try store.ingest(Post(id: "1", title: "T", author: Person(id: "1", name: "n", friend: .empty)))
        let jun = ResourceIdentifier(type: "people", id: "2")
        #expect(throws: DecodingError.self) { try store.apply(Patch<Post>(id: "1").set("title", 1).link("author", to: jun)) }
        try store.apply(Patch<Post>(id: "1").set("title", "N").link("author", to: jun))
        let stored = store[ResourceIdentifier(type: "posts", id: "1")]
        #expect(stored?[attribute: "title"] == "N" && stored?[relationship: "author"]?.data == .one(jun))
    }

    private struct Text: Resource {
        static let type = "texts"
        var id: String
        var text: String
    }

    @Test("A patch by name with a value that the model cannot read is refused, and the store does not change")
    func unreadableValues() throws {
        let store = ResourceStore()
        try store.ingest([Text(id: "1", text: "One"), Text(id: "2", text: "Two")])
        let queue = RequestQueue(store)
        for patch in [Patch<Text>(id: "2").set("text", 5), Patch<Text>(id: "2").setNull("text")] {
            #expect(throws: DecodingError.self) { try store.apply(patch) }
            #expect(throws: DecodingError.self) { try queue.update(patch) }
        }
        #expect(try store.resources(Text.self).map(\.text) == ["One", "Two"] && queue.requests.isEmpty)
        try queue.update(Patch<Text>(id: "2").set("text", "New"))
        #expect(try store.resources(Text.self).map(\.text) == ["One", "New"])
        // What the model could not read before can be corrected, and changed elsewhere.
        let unread = ResourceObject(type: "texts", id: "3", attributes: ["text": 1])
        try store.ingest(unread)
        try store.apply(Patch<Text>(id: "3").setNull("text"))
        try store.apply(Patch<Text>(id: "3").set("text", "Three"))
        #expect(try store.resource(Text.self, id: "3")?.text == "Three")
    }

    @Test("An edit of a resource that a waiting request deletes says so")
    func waitsForDeletion() throws {
        let store = ResourceStore()
        try store.ingest(Text(id: "1", text: "One"))
        let queue = RequestQueue(store)
        try queue.delete(ResourceIdentifier(type: "texts", id: "1"))
        let error = #expect(throws: StoreError.self) { try queue.update(Patch<Text>(id: "1").set("text", "New")) }
        #expect(error?.kind == .unresolved && error?.found.contains("deletes") == true)
    }
}
