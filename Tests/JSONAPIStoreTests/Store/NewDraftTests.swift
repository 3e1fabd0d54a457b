import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

/// A resource with an optional id.
struct Note: Resource, Equatable {
    static let type = "notes"
    var id: String?
    var text: String
    var author: ToOne<Person> = .notLoaded
    var replies: ToMany<Note>?

    init(id: String? = nil, text: String, author: ToOne<Person> = .notLoaded, replies: ToMany<Note>? = nil) {
        (self.id, self.text, self.author, self.replies) = (id, text, author, replies)
    }
}

/// A resource with a lid property.
struct Chore: Resource, Equatable {
    static let type = "chores"
    var id: String?
    var local: LocalID?
    var title: String
}

@Suite("Drafts of new resources")
struct NewDraftTests {
    private let store = ResourceStore()

    @Test("A draft is in the store after show() and until rollBack()")
    func visibility() throws {
        var draft = store.draft(new: Note(text: "Milk"))
        #expect(!draft.isShown && store.isEmpty)
        try draft.show()
        #expect(draft.isShown)
        #expect(try store.resources(Note.self).map(\.text) == ["Milk"])
        draft.value.text = "Bread"
        #expect(try store.resources(Note.self).map(\.text) == ["Milk"])
        try draft.show()
        #expect(try store.resources(Note.self) == [Note(text: "Bread")])
        draft.rollBack()
        #expect(store.isEmpty && draft.value.text == "Bread")
        try draft.show()
        #expect(store.count == 1)
    }

    @Test("rollBack() restores the resource that the store had under the id from the client before show()")
    func replacedResource() throws {
        let swift = try object(#"{"type":"notes","id":"swift","attributes":{"text":"S","count":5}}"#)
        let identifier = ResourceIdentifier(type: "notes", id: "swift")
        try store.ingest(swift)
        var draft = store.draft(new: Note(id: "swift", text: "Swift"))
        // A draft that was never shown has replaced nothing.
        draft.rollBack()
        #expect(store[identifier] == swift)
        for text in ["Swift", "Swift 6"] {
            draft.value.text = text
            try draft.show()
            #expect(store[identifier]?.attributes == ["text": .string(text)])
        }
        for _ in 0..<2 {
            draft.rollBack()
            #expect(store[identifier] == swift)
        }
        try draft.show()
        store.remove(identifier)
        draft.rollBack()
        #expect(store.isEmpty)
    }

    @Test("rollBack() of a queued draft restores what the draft replaced, or leaves the store if the request is done", arguments: 0..<3)
    func queuedDraft(_ outcome: Int) throws {
        let queue = RequestQueue(store)
        let identifier = ResourceIdentifier(type: "notes", id: "1")
        for isShown in [false, true] {
            try store.ingest(object(#"{"type":"notes","id":"1","attributes":{"text":"A"}}"#), merging: .replace)
            let draft = store.draft(new: Note(id: "1", text: "Mine"), clientID: true)
            if isShown { try draft.show() }
            let request = try queue.create(draft)
            switch outcome {
            case 0: break
            case 1: try queue.rollBack(request)
            default: try queue.finish(request)
            }
            draft.rollBack()
            #expect(store[identifier]?.attributes == ["text": outcome == 2 ? "Mine" : "A"])
            try queue.removeAll()
        }
    }

    @Test("The rollback of a queued draft restores links whose lids have become ids since it was shown")
    func replacedLinks() throws {
        let queue = RequestQueue(store)
        let local = ResourceIdentifier(type: "notes", lid: "n1")
        let identifier = ResourceIdentifier(type: "notes", id: "1")
        try store.ingest(ResourceObject(local))
        try store.ingest(object(#"{"type":"notes","id":"1","relationships":{"replies":{"data":[{"type":"notes","lid":"n1"}]}}}"#))
        let draft = store.draft(new: Note(id: "1", text: "Mine"), clientID: true)
        try draft.show()
        try store.promote(local, to: "77")
        try queue.rollBack(queue.create(draft))
        #expect(store[identifier]?[relationship: "replies"]?.data == .many([ResourceIdentifier(type: "notes", id: "77")]))
    }

    @Test func `a resource without an id is shown with the resources that it embeds and holds`() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String?
            var text: String
            var author: Person?
            var editor: ToOne<Person> = .notLoaded
        }
        let post = Post(text: "Hi", author: Person(id: "9", name: "Ann"), editor: ToOne(Person(id: "10", name: "Ben")))
        let request = try RequestQueue(store).create(post)
        let shown = try #require(try store.resource(Post.self, request.target))
        #expect(shown.author?.name == "Ann" && shown.editor.value?.name == "Ben")
        #expect(request.document?.members.contains(name: "included") == false)
    }

    @Test func `a new resource changes none of the stored resources that it only links to`() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String?
            var author: ToOne<Person>
            var editor: ToOne<Person> = .notLoaded
        }
        let store = ResourceStore()
        let queue = RequestQueue(store)
        try store.ingest(Person(id: "9", name: "Ann"))
        let request = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Bea")))
        let person = try #require(try store.resource(Person.self, id: "9"))
        try queue.create(Post(author: ToOne(person)))
        try queue.rollBack(request)
        #expect(store[.person("9")]?[attribute: "name"] == "Ann")
        // Two copies that were read at different times are no conflict, and neither replaces a newer one.
        try store.ingest(Person(id: "9", name: "Anna"))
        let created = try queue.create(Post(author: ToOne(person), editor: ToOne(Person(id: "9", name: "Annika"))))
        #expect(try store.resource(Post.self, created.target)?.editor.value?.name == "Anna")
        #expect(store[.person("9")]?[attribute: "name"] == "Anna")
    }

    @Test func `a new resource changes no stored one whose UUID is in lower case`() throws {
        struct Author: Resource {
            static let type = "people"
            var id: UUID
            var name: String
        }
        struct Post: Resource {
            static let type = "posts"
            var id: String?
            var author: Author
        }
        let store = ResourceStore()
        let id = "6f9619ff-8b86-d011-b42d-00c04fc964ff"
        try store.ingest(ResourceObject(type: "people", id: id, attributes: ["name": "Anna"]))
        try store.draft(new: Post(author: Author(id: #require(UUID(uuidString: id)), name: "Ann"))).show()
        #expect(store[.person(id)]?.attributes == ["name": "Anna"] && store.count(ofType: "people") == 1)
    }

    @Test func `an embedded resource that cannot be written is an error only if the store lacks it`() throws {
        let store = ResourceStore()
        #expect(throws: EncodingError.self) {
            struct Rated: Resource {
                static let type = "people"
                var id: String
                var score: Double
            }
            struct Review: Resource {
                static let type = "reviews"
                var id: String?
                var author: Rated
            }
            try store.ingest(Person(id: "9", name: "Ann"))
            try store.draft(new: Review(author: Rated(id: "9", score: .nan))).show()
            try store.draft(new: Review(author: Rated(id: "10", score: .nan))).show()
        }
        #expect(store[.person("9")]?.attributes == ["name": "Ann"] && store[.person("10")] == nil)
    }

    @Test func `a new resource links to one whose own relationships were edited without being loaded`() throws {
        struct Reply: Resource {
            static let type = "replies"
            var id: String?
            var note: ToOne<Note>
        }
        let store = ResourceStore()
        try store.ingest(ResourceObject(type: "notes", id: "1", attributes: ["text": "Milk"]))
        var note = try #require(try store.resource(Note.self, ResourceIdentifier(type: "notes", id: "1")))
        note.replies = .notLoaded
        note.replies?.append(id: "5")
        let request = try RequestQueue(store).create(Reply(note: ToOne(note)))
        #expect(store[request.target]?[relationship: "note"]?.data == .one(ResourceIdentifier(type: "notes", id: "1")))
    }

    @Test func `a new resource is shown with members that were added to a relationship without linkage`() throws {
        var note = Note(text: "Milk", replies: .notLoaded)
        note.replies?.append(id: "1")
        let draft = store.draft(new: note)
        try draft.show()
        #expect(store[draft.identifier]?[relationship: "replies"]?.data == .many([ResourceIdentifier(type: "notes", id: "1")]))
    }

    @Test("The request has the lid, or the id from the client")
    func body() throws {
        let draft = store.draft(new: Chore(local: "t1", title: "Sleep"))
        #expect(draft.identifier == ResourceIdentifier(type: "chores", lid: "t1"))
        let body = try JSON(parsing: Array(JSONAPIEncoder().encode(draft.create)))
        #expect(body == ["data": ["type": "chores", "lid": "t1", "attributes": ["title": "Sleep"]]])
        let own = store.draft(new: Note(id: "mine", text: "Milk"))
        #expect(own.identifier == ResourceIdentifier(type: "notes", id: "mine"))
        #expect(try JSON(parsing: Array(JSONAPIEncoder().encode(own.create)))["data"]?["id"] == "mine")
        let person = store.draft(new: Person(id: "uuid", name: "Ann"), clientID: true)
        #expect(person.identifier == .person("uuid"))
    }

    @Test("A resource with only a lid can be read, linked, and referred to")
    func shownLocal() throws {
        let draft = store.draft(new: Chore(local: "t1", title: "Sleep"))
        try draft.show()
        let chores = try store.resources(Chore.self)
        #expect(chores == [Chore(local: "t1", title: "Sleep")])
        #expect(try store.snapshot().resource(Chore.self, draft.identifier)?.local == "t1")
        #expect(try store.transaction { try $0.resource(Chore.self, draft.identifier) }?.title == "Sleep")
        var edit = try store.draft(Chore.self, draft.identifier)
        edit.value.title = "Sleep well"
        try edit.commit()
        #expect(try store.resource(Chore.self, draft.identifier)?.title == "Sleep well")
    }

    @Test("A resource with only a lid has live values", .timeLimit(.minutes(20)))
    func live() async throws {
        let draft = store.draft(new: Note(text: "Milk"))
        var seen: [String?] = []
        for await note in store.value(Note.self, draft.identifier) {
            seen.append(note?.text)
            if seen.count == 1 { try draft.show() } else if seen.count == 2 { draft.rollBack() } else { break }
        }
        #expect(seen == [nil, "Milk", nil])
    }

    @Test("A live value of a lid continues with the id, also if the draft was never shown", .timeLimit(.minutes(20)))
    func liveWithoutShow() async throws {
        var draft = store.draft(new: Note(text: "Milk"))
        var values = store.value(Note.self, draft.identifier).makeAsyncIterator()
        #expect(await values.next() == .some(nil))
        try draft.commit(with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#))
        #expect(await values.next()??.text == "Milk")
    }

    @Test("The response sets the id everywhere, and takes precedence over the draft")
    func commit() throws {
        var draft = store.draft(new: Note(text: "Milk"))
        try draft.show()
        let local = draft.identifier
        var list = ResourceObject(type: "lists", id: "1")
        list[relationship: "notes"] = RelationshipObject(data: .many([local]))
        try store.ingest(list)
        let answer = try document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk!","rank":1}}}"#)
        let note = try draft.commit(with: answer)
        #expect(note == Note(id: "7", text: "Milk!") && draft.value == note)
        #expect(draft.identifier == ResourceIdentifier(type: "notes", id: "7"))
        #expect(store.identifiers(ofType: "notes") == [draft.identifier] && store.count == 2)
        #expect(
            store[ResourceIdentifier(type: "lists", id: "1")]?[relationship: "notes"]?.data
                == .many([ResourceIdentifier(type: "notes", id: "7")]))
        draft.rollBack()
        #expect(store.count == 2)
        #expect(throws: StoreError.self) { try draft.show() }
    }

    @Test("A response with another resource changes nothing")
    func wrongAnswer() throws {
        var draft = store.draft(new: Note(text: "Milk"))
        try draft.show()
        for text in [
            #"{"data":null}"#, #"{"data":[]}"#, #"{"meta":{}}"#, #"{"data":{"type":"people","id":"7"}}"#, #"{"data":{"type":"notes"}}"#,
            #"{"data":{"type":"notes","id":"7","attributes":{"text":5}}}"#,
        ] {
            let answer = try document(text)
            #expect(throws: (any Error).self, "\(text)") { try draft.commit(with: answer) }
            #expect(draft.isShown && store.count == 1 && draft.value == Note(text: "Milk"), "\(text)")
        }
        #expect(throws: StoreError.self) { try draft.commit() }
    }

    @Test("An empty response confirms the id from the client")
    func clientID() throws {
        var draft = store.draft(new: Note(id: "mine", text: "Milk"))
        try draft.commit()
        #expect(try store.resource(Note.self, id: "mine")?.text == "Milk")
    }

    @Test("Showing a model with a required id and no value is an error with advice")
    func requiredID() throws {
        let draft = store.draft(new: Person(id: "", name: "Ann"))
        let error = #expect(throws: StoreError.self) { try draft.show() }
        #expect(error?.kind == .missingIdentity && error?.advice?.contains("optional") == true)
        #expect(store.isEmpty)
    }

    @Test("Rolling back a transaction removes the draft from the store")
    func transaction() throws {
        struct Stop: Error {}
        let draft = store.draft(new: Note(text: "Milk"))
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try draft.show()
                throw Stop()
            }
        }
        #expect(!draft.isShown)
    }
}

@Suite("Drafts that delete")
struct DeletionDraftTests {
    private let store = ResourceStore()

    @Test("hide() removes a resource, and rollBack() restores it exactly")
    func rollBack() throws {
        let text =
            #"{"type":"people","id":"9","x:y":1,"attributes":{"name":"Ann","n":1.50},"relationships":{"a":{"links":{}}},"meta":{"m":null}}"#
        try store.ingest(object(text))
        var deletion = try store.deletion(of: .person("9"))
        #expect(store.contains(.person("9")))
        try deletion.hide()
        try deletion.hide()
        #expect(!store.contains(.person("9")))
        deletion.rollBack()
        #expect(try store[.person("9")] == object(text))
    }

    @Test("After a commit the resource stays removed, unless it arrives again")
    func commit() throws {
        try store.ingest([Person(id: "9", name: "Ann"), Person(id: "10", name: "Ben")])
        var deletion = try store.deletion(of: Person(id: "9", name: ""))
        try deletion.hide()
        deletion.commit()
        deletion.rollBack()
        #expect(!store.contains(.person("9")))
        var other = try store.deletion(of: .person("10"))
        try other.hide()
        try store.ingest(Person(id: "10", name: "Benjamin"))
        other.rollBack()
        #expect(try store.resource(Person.self, id: "10")?.name == "Benjamin")
        #expect(throws: StoreError.self) { try store.deletion(of: .person("11")) }
        var direct = try store.deletion(of: .person("10"))
        direct.commit()
        #expect(store.isEmpty)
    }
}
