import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("A lid becomes an id after the response")
struct PromotionTests {
    private let store = ResourceStore()
    private let local = ResourceIdentifier(type: "people", lid: "new")

    @Test("The resource and all linkage to it get the id")
    func everywhere() throws {
        try store.ingest(object(#"{"type":"people","lid":"new","attributes":{"name":"Ann"},"meta":{"m":1}}"#))
        try store.ingest(
            object(
                """
                {"type":"articles","id":"1","attributes":{"text":"\\"lid\\":"},"relationships":{
                    "author":{"data":{"type":"people","lid":"new","meta":{"role":"a"}},"links":{"self":"/x"}},
                    "readers":{"data":[{"type":"people","id":"2"},{"type":"people","lid":"new"},{"type":"people","lid":"other"},
                                       {"type":"teams","lid":"new"}]},
                    "editor":{"links":{"self":"/y"}}}}
                """))
        try store.ingest(object(#"{"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"2"}}}}"#))
        #expect(try store.promote(local, to: "9") == 1)
        #expect(store.identifiers(ofType: "people") == [.person("9")])
        #expect(store[local] == store[.person("9")] && store.contains(local))
        #expect(try store[.person("9")]?.json == object(#"{"type":"people","id":"9","attributes":{"name":"Ann"},"meta":{"m":1}}"#).json)
        let expected = try object(
            """
            {"type":"articles","id":"1","attributes":{"text":"\\"lid\\":"},"relationships":{
                "author":{"data":{"type":"people","id":"9","meta":{"role":"a"}},"links":{"self":"/x"}},
                "readers":{"data":[{"type":"people","id":"2"},{"type":"people","id":"9"},{"type":"people","lid":"other"},
                                   {"type":"teams","lid":"new"}]},
                "editor":{"links":{"self":"/y"}}}}
            """)
        #expect(store[.article("1")]?.json == expected.json)
    }

    @Test("Links that are added and removed between two promotions are found as they are then")
    func changedLinks() throws {
        func link(_ article: String, to person: ResourceIdentifier) throws {
            var object = ResourceObject(type: "articles", id: article)
            object[relationship: "author"] = RelationshipObject(data: .one(person))
            try store.ingest(object)
        }
        let other = ResourceIdentifier(type: "people", lid: "other")
        try store.ingest(object(#"{"type":"people","lid":"new"}"#))
        try store.ingest(object(#"{"type":"people","lid":"other"}"#))
        for article in ["1", "2"] { try link(article, to: other) }
        try link("3", to: .person("2"))
        try store.promote(local, to: "9")
        try link("1", to: .person("2"))
        try link("3", to: other)
        store.remove(.article("2"))
        try link("2", to: .person("2"))
        #expect(try store.promote(other, to: "8") == 1)
        let authors = ["1", "2", "3"].map { store[.article($0)]?[relationship: "author"]?.data }
        #expect(authors == [.one(.person("2")), .one(.person("2")), .one(.person("8"))])
    }

    @Test("Known values for the id take precedence over the local resource")
    func answered() throws {
        try store.ingest(object(#"{"type":"people","lid":"new","attributes":{"name":"Ann","nick":"A"}}"#))
        try store.transaction { transaction in
            try transaction.ingest(Person(id: "9", name: "Ann of the server"))
            try transaction.promote(local, to: "9")
            #expect(transaction[local] == transaction[.person("9")])
        }
        #expect(store[.person("9")]?.attributes == ["name": "Ann of the server", "nick": "A"])
        #expect(store.count == 1)
    }

    @Test("The changes of waiting requests stay visible when the store already has a resource with the id")
    func answeredWithRequests() throws {
        let queue = RequestQueue(store)
        let creation = try queue.create(Note(text: "Milk"))
        try queue.update(Patch<Note>(creation.target).set("text", "Bread"))
        try store.ingest(object(#"{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}"#))
        try store.promote(creation.target, to: "7")
        let seven = ResourceIdentifier(type: "notes", id: "7")
        #expect(store[seven]?.attributes == ["text": "Bread", "rank": 1])
        try queue.rollBack(queue.requests[1])
        #expect(store[seven]?.attributes == ["text": "Milk", "rank": 1])
    }

    @Test("A resource stays hidden while its deletion waits, also if an id replaces a lid by it", arguments: [false, true])
    func hiddenTarget(isAnswered: Bool) throws {
        let queue = RequestQueue(store)
        let seven = ResourceIdentifier(type: "notes", id: "7")
        try store.ingest(object(#"{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}"#))
        let creation = try queue.create(Note(text: "Milk"))
        let deletion = try #require(try queue.delete(seven))
        if isAnswered {
            let answer = Data(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Bread"}}}"#.utf8)
            try queue.answer(creation, status: 201, body: answer)
        } else {
            try store.promote(creation.target, to: "7")
        }
        #expect(store.isEmpty)
        try queue.rollBack(deletion)
        #expect(store[seven]?.attributes == ["text": isAnswered ? "Bread" : "Milk", "rank": 1])
        if !isAnswered { try queue.rollBack(queue.requests[0]) }
        #expect(store[seven]?[attribute: "rank"] == 1)
    }

    @Test("A deletion that was queued before a creation and is rolled back after its answer leaves the fields that the answer lacks")
    func answerAfterDeletion() throws {
        let queue = RequestQueue(store)
        let seven = ResourceIdentifier(type: "notes", id: "7")
        try store.ingest(object(#"{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}"#))
        let deletion = try #require(try queue.delete(seven))
        let creation = try queue.create(Note(text: "Milk"))
        try queue.finish(creation, with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Bread"}}}"#))
        try queue.rollBack(deletion)
        #expect(store[seven]?.attributes == ["text": "Bread", "rank": 1])
    }

    @Test("The commit of a new resource returns it, even if a waiting request deletes the resource with that id")
    func hiddenAnswer() throws {
        let queue = RequestQueue(store)
        try store.ingest(object(#"{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}"#))
        var draft = store.draft(new: Note(text: "Milk"))
        try draft.show()
        let deletion = try #require(try queue.delete(ResourceIdentifier(type: "notes", id: "7")))
        let note = try draft.commit(with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Bread"}}}"#))
        #expect(note == Note(id: "7", text: "Bread") && store.isEmpty)
        try queue.rollBack(deletion)
        #expect(store[draft.identifier]?.attributes == ["text": "Bread", "rank": 1])
    }

    @Test("The commit of a resource that a waiting request deletes reads what the answer includes")
    func hiddenAnswerWithIncluded() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String?
            var text: String
            var author: Person?
        }
        try store.ingest(object(#"{"type":"posts","id":"7","attributes":{"text":"Old"}}"#))
        try RequestQueue(store).delete(ResourceIdentifier(type: "posts", id: "7"))
        var draft = store.draft(new: Post(text: "Hi"))
        let answer = try document(
            """
            {"data":{"type":"posts","id":"7","attributes":{"text":"Hi"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}},
             "included":[{"type":"people","id":"9","attributes":{"name":"Ann"}}]}
            """)
        #expect(try draft.commit(with: answer).author?.name == "Ann")
        #expect(store.identifiers == [.person("9")])
    }

    @Test("An edit that undoes a patch, and a deletion, follow the resource to its id")
    func editsAndDeletions() throws {
        try store.ingest(object(#"{"type":"people","lid":"new","attributes":{"name":"Ann"}}"#))
        let undo = try store.apply(Patch<Person>(local).set("name", "Bea"))
        var first = try store.deletion(of: local)
        var second = try store.deletion(of: local)
        try store.promote(local, to: "9")
        try store.apply(undo)
        #expect(store[.person("9")]?.attributes == ["name": "Ann"])
        try first.hide()
        #expect(store.isEmpty)
        first.rollBack()
        #expect(store[.person("9")]?.attributes == ["name": "Ann"])
        second.commit()
        #expect(store.isEmpty)
    }

    /// A place of whose address only the city is known.
    private struct Place: Resource {
        static let type = "places"
        var id: String?
        var local: LocalID?
        var city: String

        enum CodingKeys: String, CodingKey {
            case id, local
            case city = "attributes.address.city"
        }
    }

    @Test("A patch with a lid that has got its id keeps the parts of an attribute that the model does not know")
    func partialPatch() throws {
        let place = ResourceIdentifier(type: "places", lid: "new")
        try store.ingest(object(#"{"type":"places","lid":"new","attributes":{"address":{"city":"Oslo","zip":"1"}}}"#))
        let old = try store.resolve(Place.self, place)
        var new = old
        new.city = "Rome"
        try store.promote(place, to: "7")
        try store.apply(Patch(from: old, to: new))
        #expect(store[ResourceIdentifier(type: "places", id: "7")]?.attributes == ["address": ["city": "Rome", "zip": "1"]])
    }

    @Test("A hidden resource that gets its id meanwhile is restored under that id, unless it has arrived")
    func hiddenDeletions() throws {
        for arrives in [true, false] {
            let store = ResourceStore()
            var draft = store.draft(new: Note(text: "Milk"))
            try draft.show()
            var deletion = try store.deletion(of: draft.identifier)
            try deletion.hide()
            try draft.commit(with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#))
            if !arrives { store.remove(draft.identifier) }
            deletion.rollBack()
            #expect(store.identifiers == [ResourceIdentifier(type: "notes", id: "7")])
        }
    }

    @Test func `the promoted resource does not count as another one when it links to itself`() throws {
        try store.ingest(object(#"{"type":"people","lid":"new","relationships":{"boss":{"data":{"type":"people","lid":"new"}}}}"#))
        #expect(try store.promote(local, to: "9") == 0)
        #expect(store[.person("9")]?[relationship: "boss"]?.data == .one(.person("9")))
    }

    @Test("A resource that refers to itself, and a missing resource")
    func edges() throws {
        try store.ingest(object(#"{"type":"people","lid":"new","relationships":{"boss":{"data":{"type":"people","lid":"new"}}}}"#))
        try store.promote(local, to: "9")
        #expect(store[.person("9")]?[relationship: "boss"]?.data == .one(.person("9")))
        #expect(throws: StoreError.self) { try store.promote(local, to: "9") }
        #expect(throws: StoreError.self) { try store.promote(.person("9"), to: "10") }
        #expect(store.count == 1)
    }
}
