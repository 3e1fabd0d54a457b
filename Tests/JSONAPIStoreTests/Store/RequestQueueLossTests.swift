import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("A queue of requests loses nothing in unusual orders")
struct RequestQueueLossTests {
    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let one = ResourceIdentifier.article("1")

    init() throws { try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"A","subtitle":"S"}}"#)) }

    private var title: JSON? { store[one]?[attribute: "title"] }

    private func update(_ title: String) throws -> QueuedRequest {
        try #require(try queue.update(Patch<Article>(id: "1").set("title", title)))
    }

    // MARK: - A change of one field on top of another

    @Test("The change of a later request that leaves the queue stays when an earlier one is rolled back", arguments: [true, false])
    func laterChange(isSkipped: Bool) throws {
        let (first, second) = (try update("B"), try update("C"))
        if isSkipped { try queue.skip(second) } else { try queue.finish(second) }
        #expect(title == "C")
        try queue.rollBack(first)
        #expect(title == "C")
        #expect(queue.isEmpty)
    }

    @Test("A change between two others becomes the base of the first when it leaves the queue")
    func changeBetween() throws {
        let (first, second, third) = (try update("B"), try update("C"), try update("D"))
        try queue.skip(second)
        #expect(title == "D")
        try queue.rollBack(third)
        #expect(title == "C")
        try queue.rollBack(first)
        #expect(title == "C")
    }

    @Test("A deletion that leaves the queue hides the resource also when an earlier change is rolled back")
    func deletionAfterChange() throws {
        let first = try update("B")
        let deletion = try #require(try queue.delete(one))
        try queue.finish(deletion)
        #expect(store[one] == nil)
        try queue.rollBack(first)
        #expect(store[one] == nil)
    }

    @Test("Linkage that was added by a request that left the queue stays when an earlier addition is rolled back")
    func laterLinkage() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[]}}}"#))
        let tags = (1...2).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        let first = try queue.add([tags[0]], to: "tags", of: one)
        try queue.skip(try queue.add([tags[1]], to: "tags", of: one))
        #expect(store[one]?[relationship: "tags"]?.data.identifiers.count == 2)
        try queue.rollBack(first)
        #expect(store[one]?[relationship: "tags"]?.data == .many([tags[1]]))
    }

    // MARK: - Ids of the client

    @Test("An answer to a relationship request keeps the links and meta that it lacks", arguments: [false, true])
    func relationshipMembers(hasLinks: Bool) throws {
        try store.ingest(
            object(
                #"{"type":"articles","id":"1","relationships":{"tags":{"data":[],"links":{"self":"/tags"},"meta":{"total":1}}}}"#))
        let request = try queue.add([ResourceIdentifier(type: "tags", id: "1")], to: "tags", of: one)
        let links = hasLinks ? #","links":{"self":"/new"}"# : ""
        try queue.finish(request, with: document(#"{"data":[{"type":"tags","id":"2"}]\#(links)}"#))
        let tags = store[one]?[relationship: "tags"]
        #expect(tags?.data == .many([ResourceIdentifier(type: "tags", id: "2")]))
        #expect(tags?.links?["self"]?.href == (hasLinks ? "/new" : "/tags"))
        #expect(tags?.meta == ["total": 1])
    }

    @Test("A refused creation under an id that the store already has gives the earlier resource back")
    func creationOverExisting() throws {
        try queue.create(Article(id: "1", title: "Mine"), clientID: true)
        #expect(store[one]?.attributes == ["title": "Mine"])
        let sent = try #require(try queue.next())
        let failed = try #require(try queue.answer(sent, status: 409))
        try queue.rollBack(failed)
        #expect(store[one]?.attributes == ["title": "A", "subtitle": "S"])
    }

    @Test("A creation merges the resources that it embeds, below the requests about them", arguments: [false, true])
    func embeddedInCreation(isDraft: Bool) throws {
        let person = ResourceIdentifier.person("9")
        try store.ingest(
            object(
                #"{"type":"people","id":"9","attributes":{"name":"Ann","email":"a@b"},"links":{"self":"/9"},"meta":{"n":1}}"#))
        let before = store[person]
        let ann = try #require(try store.resource(Person.self, id: "9"))
        let rename = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Bea")))
        let article = Article(id: "2", title: "T", author: ToOne(ann))
        if isDraft {
            try store.draft(new: article, clientID: true).show()
        } else {
            try queue.create(article, clientID: true)
        }
        #expect(store[.article("2")]?[attribute: "title"] == "T")
        #expect(store[person]?.attributes == ["name": "Bea", "email": "a@b"])
        #expect(store[person]?.links == before?.links && store[person]?.meta == ["n": 1])
        try queue.rollBack(rename)
        #expect(store[person]?.attributes == ["name": "Ann", "email": "a@b"])
    }

    @Test("A draft that is queued again after a rollback gives back the resource that has arrived in between", arguments: [false, true])
    func draftQueuedAgain(isShown: Bool) throws {
        let identifier = ResourceIdentifier(type: "notes", id: "1")
        let draft = store.draft(new: Note(id: "1", text: "Mine"), clientID: true)
        if isShown { try draft.show() }
        try queue.rollBack(queue.create(draft))
        #expect(store[identifier] == nil)
        let arrived = try object(#"{"type":"notes","id":"1","attributes":{"text":"Theirs"}}"#)
        try store.ingest(arrived)
        try queue.rollBack(queue.create(draft))
        #expect(store[identifier] == arrived)
    }

    @Test("A creation after a deletion of the same id is shown, and each of the two can be rolled back")
    func creationAfterDeletion() throws {
        let deletion = try #require(try queue.delete(one))
        let creation = try queue.create(Article(id: "1", title: "New"), clientID: true)
        #expect(title == "New")
        try queue.rollBack(deletion)
        #expect(title == "New")
        try queue.rollBack(creation)
        #expect(store[one]?.attributes == ["title": "A", "subtitle": "S"])
    }

    @Test("Rolling back a creation after a deletion leaves the resource deleted")
    func creationAfterDeletionRolledBack() throws {
        let deletion = try #require(try queue.delete(one))
        try queue.rollBack(try queue.create(Article(id: "1", title: "New"), clientID: true))
        #expect(store[one] == nil)
        try queue.rollBack(deletion)
        #expect(store[one]?.attributes == ["title": "A", "subtitle": "S"])
    }

    @Test("What arrives goes below a creation that follows a deletion, or that has replaced a resource", arguments: [true, false])
    func arrivalBelowCreation(isDeleted: Bool) throws {
        if isDeleted { try queue.delete(one) }
        let creation = try queue.create(Article(id: "1", title: "New"), clientID: true)
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Server","subtitle":"T"}}"#))
        #expect(store[one]?.attributes == ["title": "New"])
        try queue.rollBack(creation)
        #expect(store[one]?.attributes == (isDeleted ? nil : ["title": "Server", "subtitle": "T"]))
        try queue.requests.first.map { _ = try queue.rollBack($0) }
        #expect(store[one]?.attributes == ["title": "Server", "subtitle": "T"])
    }

    @Test("Deleting a resource whose creation has replaced another one deletes that one")
    func deletionOfReplacement() throws {
        try queue.create(Article(id: "1", title: "New"), clientID: true)
        let deletion = try #require(try queue.delete(one))
        #expect(queue.requests.map(\.operation) == [.delete])
        #expect(store[one] == nil)
        try queue.rollBack(deletion)
        #expect(store[one]?.attributes == ["title": "A", "subtitle": "S"])
    }

    // MARK: - Creations that have arrived

    private let note = ResourceIdentifier(type: "notes", id: "1")

    /// Creates note 1. The answer is lost, and the server sends the note before the creation is sent again.
    private func lostCreation() throws -> QueuedRequest {
        let creation = try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        _ = try queue.next()
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"Theirs"}}"#))
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"rank":1}}"#))
        try queue.retry(creation)
        _ = try queue.next()
        return try #require(try queue.answer(creation, status: 409))
    }

    @Test("Rolling back a creation keeps what the server has sent of the resource")
    func arrivedCreationRolledBack() throws {
        try queue.rollBack(lostCreation())
        #expect(store[note]?.attributes == ["text": "Theirs", "rank": 1])
        #expect(queue.isEmpty)
    }

    @Test("Deleting a resource that has arrived queues a deletion, even if its creation was refused")
    func arrivedCreationDeleted() throws {
        try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        let sent = try #require(try queue.next())
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"Theirs","rank":1}}"#))
        try queue.answer(sent, status: 409)
        let deletion = try #require(try queue.delete(note))
        #expect(queue.requests.map(\.operation) == [.delete] && store[note] == nil)
        try queue.rollBack(deletion)
        #expect(store[note]?.attributes == ["text": "Theirs", "rank": 1])
    }

    @Test(
        "A resource without fields has arrived as well",
        arguments: [
            #"{"data":[{"type":"notes","id":"1"}]}"#, #"{"data":{"type":"notes","id":"1","meta":{"rank":1}}}"#,
            #"{"data":null,"included":[{"type":"notes","id":"1"}]}"#,
        ])
    func bareArrivedCreation(document: String) throws {
        let creation = try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: Data(document.utf8)))
        let deletion = try #require(try queue.delete(note))
        #expect(queue.requests.map(\.operation) == [.delete] && store[note] == nil)
        try queue.rollBack(deletion)
        #expect(store[note] != nil && store[note]?.attributes == nil)
        #expect(throws: StoreError.self) { try queue.retry(creation) }
    }

    @Test("A new resource that the program stores as it is shown has not arrived", arguments: [true, false])
    func writtenCreationDeleted(isDocument: Bool) throws {
        let made = Note(id: "1", text: "Mine")
        try queue.create(made, clientID: true)
        if isDocument { try store.ingest(Document(made)) } else { try store.ingest(made) }
        #expect(try queue.delete(note) == nil && queue.isEmpty && store[note] == nil)
    }

    @Test("The deletion of a new resource that the server may have waits for the creation, and does not take its place")
    func possiblyCreatedResourceDeleted() throws {
        try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        try queue.retry(try #require(try queue.next()))
        let deletion = try #require(try queue.delete(note))
        #expect(queue.requests.map(\.operation) == [.create, .delete] && store[note] == nil)
        try queue.rollBack(deletion)
        #expect(queue.requests.map(\.operation) == [.create] && store[note]?.attributes == ["text": "Mine"])
        // Somebody else has a resource with this id, which must not be deleted.
        try queue.delete(note)
        let repeated = try #require(try queue.next())
        #expect(try queue.answer(repeated, status: 409)?.state == .failed)
        #expect(try queue.next() == nil)
        try queue.rollBack(repeated)
        #expect(queue.isEmpty && store[note] == nil)
    }

    @Test("The deletion of a new resource is sent after the creation that a fault of the server had interrupted")
    func interruptedCreationDeleted() throws {
        try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        let creation = try #require(try queue.next())
        #expect(try queue.answer(creation, status: 504)?.state == .failed)
        let deletion = try #require(try queue.delete(note))
        #expect(queue.requests.map(\.operation) == [.create, .delete] && store[note] == nil)
        try queue.retry(creation)
        #expect(try queue.next()?.id == creation.id)
        #expect(try queue.answer(creation, status: 204) == nil && store[note] == nil)
        #expect(try queue.next()?.id == deletion.id)
        #expect(try queue.answer(deletion, status: 404) == nil && queue.isEmpty)
    }

    @Test("Deleting a new resource whose creation was certainly refused, or that has no id, sends nothing")
    func refusedCreationDeleted() throws {
        try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        _ = try queue.answer(try #require(try queue.next()), status: 422)
        #expect(try queue.delete(note) == nil && queue.isEmpty && store[note] == nil)
        let creation = try queue.create(Note(text: "Mine"))
        _ = try queue.answer(try #require(try queue.next()), status: 504)
        #expect(try queue.delete(creation.target) == nil && queue.isEmpty && store.count(ofType: "notes") == 0)
    }

    @Test("A skipped change of a resource that has arrived stays when its creation is rolled back")
    func skippedChangeOfAnArrivedCreation() throws {
        let creation = try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"Theirs","rank":1}}"#))
        try queue.skip(try #require(try queue.update(Patch<ResourceObject>(note).set("color", "red"))))
        try queue.update(Patch<ResourceObject>(note).set("rank", 2))
        #expect(store[note]?.attributes == ["text": "Theirs", "rank": 2, "color": "red"])
        try queue.rollBack(creation)
        #expect(store[note]?.attributes == ["text": "Theirs", "rank": 1, "color": "red"])
    }

    @Test("A part of an attribute that is written after the server has sent the new resource keeps the other parts")
    func partOfAnArrivedCreation() throws {
        struct Venue: Resource {
            static let type = "venues"
            var id: String
            var city: String
            enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city" }
        }
        let creation = try queue.create(Venue(id: "1", city: "Oslo"), clientID: true)
        try store.ingest(object(#"{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","street":"S"}}}"#))
        try store.ingest(Venue(id: "1", city: "Bergen"))
        try queue.rollBack(creation)
        #expect(store[ResourceIdentifier(type: "venues", id: "1")]?.attributes == ["place": ["city": "Bergen", "street": "S"]])
    }

    @Test("What replaces a new resource that the server has sent also replaces what its rollback leaves")
    func replacedArrivedCreation() throws {
        let creation = try queue.create(Note(id: "1", text: "Mine"), clientID: true)
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"T","rank":1}}"#))
        try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"U"}}"#), merging: .replace)
        try queue.rollBack(creation)
        #expect(store[note]?.attributes == ["text": "U"])
    }

    @Test("A new resource with a lid is removed when its creation is rolled back, also if the program has written it again")
    func editedCreation() throws {
        let creation = try queue.create(Chore(local: "c", title: "Mine"))
        try store.ingest(Chore(local: "c", title: "Still mine"))
        try queue.rollBack(creation)
        #expect(store.identifiers == [one])
    }

    // MARK: - Decoding

    @Test("A decoded page is stored without the resource that a waiting request deletes")
    func decodingWithDeletion() throws {
        let data = Data(
            #"{"data":[{"type":"articles","id":"1","attributes":{"title":"B"}},{"type":"articles","id":"2","attributes":{"title":"C"}}]}"#
                .utf8)
        let deletion = try #require(try queue.delete(one))
        #expect(try store.decode([ResourceObject].self, from: data).map(\.id) == ["2"])
        #expect(store.identifiers == [.article("2")])
        try queue.rollBack(deletion)
        #expect(title == "B")
    }

    @Test("One decoded resource that a waiting request deletes is nil as an optional, and an error with advice otherwise")
    func decodingOneWithDeletion() throws {
        let data = Data(#"{"data":{"type":"articles","id":"1","attributes":{"title":"B"}}}"#.utf8)
        try queue.delete(one)
        let error = #expect(throws: StoreError.self) { try store.decode(ResourceObject.self, from: data) }
        #expect(error?.kind == .unresolved && error?.identifier == one && error?.advice != nil)
        #expect(try store.decode(ResourceObject?.self, from: data) == nil)
        #expect(try store.decode(ResourceObject.self, from: data, keeping: .nothing)[attribute: "title"] == "B")
        #expect(store.isEmpty)
    }

    @Test("A document that is decoded and not kept is read as it arrived, without waiting changes")
    func decodingDetached() throws {
        _ = try update("Mine")
        let data = Data(#"{"data":{"type":"articles","id":"1","attributes":{"title":"B"}}}"#.utf8)
        #expect(try store.decode(ResourceObject.self, from: data, keeping: .nothing)[attribute: "title"] == "B")
        #expect(title == "Mine")
    }

    // MARK: - Answers

    @Test("A deleted resource stays deleted when the answer to the deletion contains it")
    func answeredDeletion() throws {
        try queue.delete(one)
        let sent = try #require(try queue.next())
        let answer = Data(
            #"{"data":{"type":"articles","id":"1","attributes":{"title":"A"}},"included":[{"type":"tags","id":"1"}]}"#.utf8)
        #expect(try queue.answer(sent, status: 200, body: answer) == nil)
        #expect(store.identifiers == [ResourceIdentifier(type: "tags", id: "1")])
    }

    private static let parent = #"{"type":"articles","id":"1","attributes":{"title":"A"}}"#

    @Test(
        "An answer whose data are not the linkage of the changed relationship leaves the linkage as it is",
        arguments: [("tags", parent), ("tags", "null"), ("author", parent), ("author", #"[{"type":"people","id":"7"}]"#)])
    func otherThanLinkage(relationship: String, data: String) throws {
        let known = #"{"tags":{"data":[{"type":"tags","id":"1"}]},"author":{"data":{"type":"people","id":"8"}}}"#
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":\#(known)}"#))
        let tags = (1...2).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        if relationship == "tags" {
            try queue.add([tags[1]], to: "tags", of: one)
        } else {
            try queue.replace("author", of: one, with: .one(.person("9")))
        }
        let sent = try #require(try queue.next())
        #expect(try queue.answer(sent, status: 200, body: Data(#"{"data":\#(data)}"#.utf8)) == nil)
        let expected: Linkage = relationship == "tags" ? .many(tags) : .one(.person("9"))
        #expect(store[one]?[relationship: relationship]?.data == expected)
    }

    @Test("An answer with the whole linkage replaces a page and its links, unless the answer is a page", arguments: [false, true])
    func answerToPage(isPage: Bool) throws {
        let page = #"{"data":[{"type":"tags","id":"1"}],"links":{"related":"/articles/1/tags","next":"/articles/1/tags?page=2"}}"#
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":\#(page)}}"#))
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        try queue.add([tags[2]], to: "tags", of: one)
        let sent = try #require(try queue.next())
        let links = isPage ? #","links":{"next":"/articles/1/tags?page=3"}"# : ""
        let data = #"[{"type":"tags","id":"1"},{"type":"tags","id":"2"},{"type":"tags","id":"3"}]"#
        try queue.answer(sent, status: 200, body: Data(#"{"data":\#(data)\#(links)}"#.utf8))
        let stored = try #require(store[one]?[relationship: "tags"])
        #expect(stored.data == .many(tags))
        #expect(stored.links.map { Array($0.members.names) } == (isPage ? ["next"] : ["related"]))
    }

    @Test("An answer with another resource than that of the request is an error, and changes nothing")
    func otherResource() throws {
        let other = Data(#"{"data":{"type":"articles","id":"2","attributes":{"title":"X"}}}"#.utf8)
        _ = try update("B")
        try queue.create(Article(id: "33", title: "New"), clientID: true)
        for _ in 0..<2 {
            let sent = try #require(try queue.next())
            #expect { try queue.answer(sent, status: 200, body: other) } throws: { ($0 as? StoreError)?.kind == .identityChanged }
            #expect(queue[sent.id]?.state == .sent)
        }
        #expect(store.identifiers == [one, .article("33")])
        var draft = store.draft(new: Article(id: "44", title: "Draft"), clientID: true)
        #expect(throws: StoreError.self) { try draft.commit(with: document(String(decoding: other, as: UTF8.self))) }
        #expect(store.identifiers == [one, .article("33")])
    }

    @Test("Inside a transaction, an answer returns the request as it is there")
    func answerInTransaction() throws {
        let (first, second) = (try update("B"), try update("C"))
        _ = try queue.next()
        let answers = try store.transaction { _ in try [queue.answer(first, status: 204), queue.answer(second, status: 422)] }
        #expect(answers[0] == nil && answers[1]?.state == .failed)
        #expect(queue.requests.map(\.state) == [.failed])
    }
}
