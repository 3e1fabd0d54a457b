import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONMapping
import JSONText
import Testing

@Suite("A queue of requests")
struct RequestQueueTests {
    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let one = ResourceIdentifier.article("1")

    init() throws { try store.ingest(document(articleText)) }

    private func body(_ request: QueuedRequest?) throws -> JSON? { try request?.body.map { try JSON(parsing: Array($0)) } }
    private func title() throws -> String? { try store.resource(Article.self, id: "1")?.title }
    private func refusal(_ status: Int = 422) -> ErrorDocument { ErrorDocument(errors: [ErrorObject(status: "\(status)", title: "No")]) }

    // MARK: - Creating

    @Test("A new resource is visible at once, sent without its lid, and gets its id from the response")
    func create() throws {
        let queued = try queue.create(Note(text: "Milk"))
        #expect(try store.resources(Note.self) == [Note(text: "Milk")])
        #expect(queued.operation == .create && queued.state == .waiting && queued.method == "POST" && !queued.isRepeatable)
        let request = try #require(try queue.next())
        #expect(request.id == queued.id && request.state == .sent && queue[queued.id]?.state == .sent)
        #expect(try body(request) == ["data": ["type": "notes", "attributes": ["text": "Milk"]]])
        #expect(try queue.next() == nil)
        let answer = Data(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk","rank":1}}}"#.utf8)
        #expect(try queue.answer(request, status: 201, body: answer) == nil)
        #expect(queue.isEmpty)
        #expect(try store.resources(Note.self) == [Note(id: "7", text: "Milk")])
    }

    @Test("Requests after a creation get its id in target, document, and linkage")
    func followers() throws {
        let note = try queue.create(Note(text: "Milk"))
        let local = note.target
        var draft = try store.draft(Note.self, local)
        draft.value.text = "Bread"
        try queue.update(&draft)
        let parent = try queue.create(
            Note(text: "List", replies: ToMany(identifiers: [local])))
        try queue.replace("author", of: one, with: .one(local))
        let sent = try #require(try queue.next())
        #expect(sent.id == note.id)
        // Everything else waits for the id.
        #expect(try queue.next() == nil)
        try queue.answer(sent, status: 201, body: Data(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#.utf8))
        #expect(try store.resource(Note.self, id: "7")?.text == "Bread")
        let update = try #require(try queue.next())
        #expect(update.target == ResourceIdentifier(type: "notes", id: "7") && update.method == "PATCH")
        #expect(try body(update) == ["data": ["type": "notes", "id": "7", "attributes": ["text": "Bread"]]])
        try queue.answer(update, status: 204)
        let second = try #require(try queue.next())
        #expect(second.id == parent.id)
        #expect(try body(second)?["data"]?["relationships"]?["replies"]?["data"] == [["type": "notes", "id": "7"]])
        let linkage = try #require(try queue.next())
        #expect(linkage.relationship == "author" && linkage.target == one)
        #expect(try body(linkage) == ["data": ["type": "notes", "id": "7"]])
    }

    @Test("Drafts, patches, deletions, and live values of a lid continue with the id", .timeLimit(.minutes(20)))
    func openForm() async throws {
        let local = try queue.create(Note(text: "Milk")).target
        var draft = try store.draft(Note.self, local)
        draft.value.text = "Bread"
        var seen: [String?] = []
        for await note in store.value(Note.self, local) {
            seen.append(note?.text)
            if seen.count == 3 { break }
            if seen.count == 2 {
                try queue.update(&draft)
                continue
            }
            let request = try #require(try queue.next())
            try queue.answer(request, status: 201, body: Data(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk!"}}}"#.utf8))
            #expect(try draft.conflicts().map(\.description) == ["/attributes/text"])
        }
        #expect(seen == ["Milk", "Milk!", "Bread"])
        let update = try #require(try queue.next())
        #expect(try body(update) == ["data": ["type": "notes", "id": "7", "attributes": ["text": "Bread"]]])
        #expect(try queue.update(Patch<Note>(local).set("text", "Eggs"))?.target.id == "7")
        #expect(try queue.delete(local)?.target == ResourceIdentifier(type: "notes", id: "7"))
        #expect(!store.contains(local))
    }

    @Test("A document that refers to its own resource has the lid")
    func selfReference() throws {
        struct Tree: Resource {
            static let type = "trees"
            var id: String?
            var lid: LocalID
            var root: ResourceIdentifier
        }
        try queue.create(Tree(lid: "t", root: ResourceIdentifier(type: "trees", lid: "t")))
        #expect(try body(queue.next())?["data"]?["lid"] == "t")
    }

    @Test("A draft is queued, and rolled back with its request")
    func draft() throws {
        var draft = store.draft(new: Note(text: "Milk"))
        draft.value.text = "Bread"
        let request = try queue.create(draft)
        #expect(draft.isShown && request.target == draft.identifier)
        try queue.rollBack(request)
        #expect(!draft.isShown && queue.isEmpty)
        #expect(throws: StoreError.self) { try queue.rollBack(request) }
    }

    @Test("A response to a creation without an id is an error, and the request stays sent")
    func answerWithoutID() throws {
        try queue.create(Note(text: "Milk"))
        let request = try #require(try queue.next())
        let error = #expect(throws: StoreError.self) { try queue.answer(request, status: 204) }
        #expect(error?.kind == .missingIdentity && queue[request.id]?.state == .sent && store.count(ofType: "notes") == 1)
        #expect(throws: (any Error).self) { try queue.answer(request, status: 200, body: Data("<html>".utf8)) }
        for text in ["\n", "{}", "null", #"{"data":null}"#] {
            let error = #expect(throws: StoreError.self) { try queue.answer(request, status: 201, body: Data(text.utf8)) }
            #expect(error?.kind == .missingIdentity && error?.advice?.contains("fetch it") == true)
        }
        #expect(try queue.answer(request, status: 202)?.state == .sent)
    }

    @Test(
        "A success whose text names no resource is complete",
        arguments: [
            (200, " \n"), (200, "null"), (200, "{}"), (200, #"{"data":null}"#), (200, #"{"links":{"self":"/x"},"jsonapi":{}}"#),
            (204, "\n"), (205, "<p>"),
        ])
    func successWithoutResource(status: Int, text: String) throws {
        let answer = Data(text.utf8)
        try queue.create(Note(id: "mine", text: "Milk"))
        try queue.update(Patch<Article>(id: "1").set("title", "New"))
        try queue.add([ResourceIdentifier(type: "comments", id: "6")], to: "comments", of: one)
        try queue.delete(.person("9"))
        for _ in 0..<4 { #expect(try queue.answer(#require(try queue.next()), status: status, body: answer) == nil) }
        #expect(store[one]?[attribute: "title"] == "New" && store[.person("9")] == nil && store.count(ofType: "notes") == 1)
        #expect(store[one]?[relationship: "comments"]?.data.identifiers.map(\.id) == ["5", "6"])
    }

    @Test("A success whose text is not JSON:API is an error, and the request stays sent", arguments: ["<html>", #"{"ok":true}"#, "[]"])
    func successWithForeignText(text: String) throws {
        try queue.update(Patch<Article>(id: "1").set("title", "New"))
        let request = try #require(try queue.next())
        #expect(throws: DecodingError.self) { try queue.answer(request, status: 200, body: Data(text.utf8)) }
        #expect(queue[request.id]?.state == .sent)
    }

    @Test("A key path names the relationship to change, as the store's encoder writes it")
    func keyPaths() throws {
        struct Folder: Resource {
            static let type = "folders"
            var id: String
            var title: String
            var sharedNotes: ToMany<Note>
            var owner: ToOne<Person>
        }
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = .kebabCase
        let store = ResourceStore(encoder: encoder)
        let queue = RequestQueue(store)
        let (folder, note) = (ResourceIdentifier(type: "folders", id: "1"), ResourceIdentifier(type: "notes", id: "2"))
        try store.ingest(object(#"{"type":"folders","id":"1"}"#))
        #expect(try queue.add([note], to: \Folder.sharedNotes, of: folder).relationship == "shared-notes")
        #expect(try queue.remove([note], from: \Folder.sharedNotes, of: folder, entityTag: "\"1\"").entityTag == "\"1\"")
        #expect(try queue.replace(\Folder.owner, of: folder, with: .one(.person("9"))).relationship == "owner")
        #expect(throws: EncodingError.self) { try queue.add([note], to: \Folder.id, of: folder) }
        #expect(throws: EncodingError.self) { try queue.replace(\Folder.title, of: folder, with: .one(note)) }
        #expect(store[folder]?[relationship: "title"] == nil)
        #expect(queue.requests.map(\.operation) == [.add, .remove, .replace])
    }

    private struct Profile: SchemaResource {
        static let type = "profiles"
        static let relationshipNames: Set<String> = ["bestFriends", "best_friends"]
        static let schema = MappingSchema<Profile>(creating: Profile()) {
            MappingField(\.id, "id")
            MappingField(\.bestFriends, "bestFriends")
        }
        var id = ""
        var bestFriends: JSON?
    }

    @Test("A key path names the relationship by the schema of the store's encoder")
    func keyPathsOfSchemas() throws {
        var schemas = SchemaSet()
        schemas[Profile.self] = Profile.schema.keys(.snakeCase)
        var encoder = JSONAPIEncoder()
        encoder.schemas = schemas
        let store = ResourceStore(encoder: encoder)
        let queue = RequestQueue(store)
        let (one, two) = (ResourceIdentifier(type: "profiles", id: "1"), ResourceIdentifier(type: "profiles", id: "2"))
        try store.ingest(object(#"{"type":"profiles","id":"1"}"#))
        #expect(try queue.add([two], to: \Profile.bestFriends, of: one).relationship == "best_friends")
    }

    @Test("A refusal that is not JSON:API has a text for the user, and keeps the beginning of its own")
    func foreignRefusal() throws {
        try queue.update(Patch<Article>(id: "1").set("title", "New"))
        let request = try #require(try queue.next())
        let text = #"{"message":"Version is outdated"}"#
        let failed = try queue.answer(request, status: 409, body: Data(text.utf8))
        #expect(failed?.error?.errors.map(\.meta) == [["body": .string(text)]] && failed?.error?.httpStatus == 409)
        #expect(failed?.error?.errorDescription == "The server responded with status 409.")
        try queue.retry(request)
        _ = try queue.next()
        #expect(try queue.answer(request, status: 422, body: Data("\n".utf8))?.error?.errors.first?.meta == nil)
        let long = Data(String(repeating: "x", count: 10_000).utf8)
        #expect(try queue.answer(request, status: 422, body: long)?.error?.errors.first?.meta?["body"]?.string?.count == 500)
    }

    @Test("With an id from the client, status 204 is enough, and the request is repeatable")
    func clientID() throws {
        try queue.create(Note(id: "mine", text: "Milk"))
        let request = try #require(try queue.next())
        #expect(request.isRepeatable)
        #expect(try body(request)?["data"]?["id"] == "mine")
        #expect(try queue.answer(request, status: 204) == nil)
        #expect(try store.resource(Note.self, id: "mine")?.text == "Milk" && queue.isEmpty)
    }

    @Test("Rolling back a creation also rolls back requests that need it")
    func rollBackCreation() throws {
        let before = store[one]
        let note = try queue.create(Note(text: "Milk"))
        try queue.update(Patch<Note>(note.target).set("text", "Bread"))
        let parent = try queue.create(Note(text: "List", replies: ToMany(identifiers: [note.target])))
        try queue.update(Patch<Note>(parent.target).set("text", "Longer list"))
        try queue.replace("author", of: one, with: .one(note.target))
        let other = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Stairs")))
        let error = #expect(throws: StoreError.self) { try queue.skip(note) }
        #expect(error?.kind == .requestNeeded)
        let gone = try queue.rollBack(note)
        #expect(gone.count == 5 && gone.last?.id == note.id)
        #expect(queue.requests.map(\.id) == [other.id])
        #expect(store.count(ofType: "notes") == 0)
        var expected = try #require(before)
        expected[attribute: "title"] = "Stairs"
        #expect(store[one] == expected)
    }

    @Test("Deleting an unsent new resource removes both requests")
    func deleteCreated() throws {
        let note = try queue.create(Note(text: "Milk"))
        try queue.update(Patch<Note>(note.target).set("text", "Bread"))
        #expect(try queue.delete(note.target) == nil)
        #expect(queue.isEmpty && store.count(ofType: "notes") == 0)
        let second = try queue.create(Note(text: "Milk"))
        let sent = try #require(try queue.next())
        let deletion = try #require(try queue.delete(second.target))
        #expect(try queue.next() == nil && store.count(ofType: "notes") == 0)
        try queue.answer(sent, status: 201, body: Data(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#.utf8))
        #expect(store.count(ofType: "notes") == 0)
        let last = try #require(try queue.next())
        #expect(last.id == deletion.id && last.target == ResourceIdentifier(type: "notes", id: "7") && last.body == nil)
        try queue.answer(last, status: 204)
        #expect(queue.isEmpty && store.count(ofType: "notes") == 0)
    }

    @Test("A request with an unknown lid is an error")
    func unknownLocal() throws {
        let unknown = ResourceIdentifier(type: "notes", lid: "x")
        #expect(throws: StoreError.self) { try queue.replace("author", of: one, with: .one(unknown)) }
        try store.draft(new: Chore(local: "x", title: "T")).show()
        #expect(throws: StoreError.self) { try queue.delete(ResourceIdentifier(type: "chores", lid: "x")) }
        #expect(queue.isEmpty && store.contains(ResourceIdentifier(type: "chores", lid: "x")))
    }

    @Test("A link to a new resource that only a rollback restores gets the id")
    func linkBelowAnotherRequest() throws {
        let note = try queue.create(Note(text: "Milk"))
        try queue.replace("author", of: one, with: .one(note.target))
        let later = try queue.replace("author", of: one, with: .one(.person("9")))
        try queue.finish(note, with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#))
        #expect(store[one]?[relationship: "author"]?.data == .one(.person("9")))
        try queue.rollBack(later)
        #expect(store[one]?[relationship: "author"]?.data == .one(ResourceIdentifier(type: "notes", id: "7")))
    }

    // MARK: - Changing

    @Test("An update is sent as a patch, and the response takes precedence")
    func update() throws {
        var draft = try store.draft(Article.self, id: "1")
        #expect(try queue.update(&draft) == nil)
        draft.value.title = "Stairs"
        let request = try #require(try queue.update(&draft, entityTag: "\"v1\""))
        #expect(try !draft.hasChanges() && title() == "Stairs")
        #expect(request.entityTag == "\"v1\"" && request.isRepeatable)
        let sent = try #require(try queue.next())
        #expect(try body(sent) == ["data": ["type": "articles", "id": "1", "attributes": ["title": "Stairs"]]])
        try queue.answer(sent, status: 200, body: Data(#"{"data":{"type":"articles","id":"1","attributes":{"title":"STAIRS"}}}"#.utf8))
        #expect(try title() == "STAIRS")
    }

    @Test("A refused update keeps its error, and is rolled back exactly")
    func refused() throws {
        let before = store[one]
        let request = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Stairs").set("subtitle", "New")))
        _ = try queue.next()
        let text = #"{"errors":[{"status":"422","title":"Too short","source":{"pointer":"/data/attributes/title"}}]}"#
        let failed = try #require(try queue.answer(request, status: 422, body: Data(text.utf8)))
        #expect(failed.state == .failed && failed.error?.httpStatus == 422 && failed.error?.errors.first?.title == "Too short")
        #expect(try title() == "Stairs" && queue.next() == nil)
        try queue.retry(request)
        #expect(queue[request.id]?.state == .waiting && queue[request.id]?.error == nil)
        _ = try queue.next()
        #expect(try queue.answer(request, status: 502, body: Data("<html>".utf8))?.error?.httpStatus == 502)
        try queue.rollBack(request)
        #expect(store[one] == before && queue.isEmpty)
    }

    @Test("Rolling back the first of two updates keeps the second")
    func rollBackBelow() throws {
        let before = store[one]
        let first = try #require(try queue.update(Patch<Article>(id: "1").set("title", "B").set("subtitle", "S")))
        let second = try #require(try queue.update(Patch<Article>(id: "1").set("title", "C")))
        try queue.rollBack(first)
        #expect(store[one]?.attributes == ["title": "C"])
        try queue.rollBack(second)
        #expect(store[one] == before)
    }

    @Test("Received documents go below waiting changes")
    func rebase() throws {
        let request = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Mine")))
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Theirs","subtitle":"Theirs"}}"#))
        #expect(store[one]?.attributes == ["title": "Mine", "subtitle": "Theirs"])
        try queue.rollBack(request)
        #expect(store[one]?.attributes == ["title": "Theirs", "subtitle": "Theirs"])
    }

    @Test("Documents decoded by the store go below waiting changes")
    func rebaseDecoding() throws {
        let request = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Mine")))
        let data = Data(articleText.replacingOccurrences(of: "One", with: "Theirs").utf8)
        #expect(try store.decode(Article.self, from: data).title == "Mine")
        let deletion = try #require(try queue.delete(.person("9")))
        _ = try store.decode(Article.self, from: data)
        #expect(try title() == "Mine" && !store.contains(.person("9")))
        try queue.rollBack(deletion)
        try queue.rollBack(request)
        #expect(try title() == "Theirs" && store.contains(.person("9")))
    }

    @Test("A deleted resource stays hidden when it arrives, and a rollback restores the received values")
    func rebaseDeletion() throws {
        try queue.update(Patch<Article>(id: "1").set("title", "Mine"))
        let deletion = try #require(try queue.delete(one))
        #expect(!store.contains(one))
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Theirs","subtitle":"Theirs"}}"#))
        #expect(!store.contains(one))
        try queue.rollBack(deletion)
        #expect(store[one]?.attributes == ["title": "Mine", "subtitle": "Theirs"])
        try queue.rollBack(queue.requests[0])
        #expect(store[one]?.attributes == ["title": "Theirs", "subtitle": "Theirs"])
    }

    @Test("The response to the first of two updates goes below the second")
    func answerBelow() throws {
        let first = try #require(try queue.update(Patch<Article>(id: "1").set("title", "B"), entityTag: "\"1\""))
        let second = try #require(try queue.update(Patch<Article>(id: "1").set("subtitle", "C"), entityTag: "\"1\""))
        _ = try queue.next()
        #expect(try queue.next() == nil)
        let answer = Data(#"{"data":{"type":"articles","id":"1","attributes":{"title":"BB","subtitle":null}}}"#.utf8)
        try queue.answer(first, status: 200, body: answer, entityTag: "\"2\"")
        #expect(store[one]?.attributes == ["title": "BB", "subtitle": "C"])
        #expect(queue[second.id]?.entityTag == "\"2\"")
        try queue.rollBack(second)
        #expect(store[one]?.attributes == ["title": "BB", "subtitle": .null])
    }

    @Test("The tag of a relationship's answer is not sent for the resource, and that of the resource not for the relationship")
    func tagsOfRelationships() throws {
        let tags = (1...2).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        let adding = try queue.add([tags[0]], to: "tags", of: one, entityTag: "\"t1\"")
        let other = try queue.add([tags[1]], to: "tags", of: one, entityTag: "\"t1\"")
        let author = try queue.replace("author", of: one, with: .null, entityTag: "\"a1\"")
        let first = try #require(try queue.update(Patch<Article>(id: "1").set("title", "B"), entityTag: "\"1\""))
        let second = try #require(try queue.update(Patch<Article>(id: "1").set("subtitle", "C"), entityTag: "\"1\""))
        func entityTags() -> [String?] { [other, author, first, second].map { queue[$0.id]?.entityTag } }
        try queue.answer(adding, status: 204, entityTag: "\"t2\"")
        #expect(entityTags() == ["\"t2\"", "\"a1\"", "\"1\"", "\"1\""])
        try queue.answer(first, status: 204, entityTag: "\"2\"")
        #expect(entityTags() == ["\"t2\"", "\"a1\"", nil, "\"2\""])
    }

    @Test("After status 412, the request is retried with the new tag")
    func conflict() throws {
        let request = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Mine"), entityTag: "\"1\""))
        _ = try queue.next()
        #expect(try queue.answer(request, status: 412)?.error?.httpStatus == 412)
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Theirs"}}"#))
        try queue.retry(request, entityTag: "\"2\"")
        let again = try #require(try queue.next())
        #expect(try again.id == request.id && again.entityTag == "\"2\"" && title() == "Mine")
    }

    // MARK: - Relationships

    @Test("Linkage is added, removed, and replaced at once, and rolled back")
    func linkage() throws {
        try store.ingest(
            object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"a"}],"links":{"self":"/t"}}}}"#))
        let (a, b) = (ResourceIdentifier(type: "tags", id: "a"), ResourceIdentifier(type: "tags", id: "b"))
        let before = store[one]
        let adding = try queue.add([a, b], to: "tags", of: one)
        #expect(store[one]?[relationship: "tags"]?.data == .many([a, b]) && store[one]?[relationship: "tags"]?.links != nil)
        let removing = try queue.remove([a], from: "tags", of: one)
        #expect(store[one]?[relationship: "tags"]?.data == .many([b]))
        #expect(adding.method == "POST" && removing.method == "DELETE")
        #expect(try body(removing) == ["data": [["type": "tags", "id": "a"]]])
        try queue.rollBack(adding)
        #expect(store[one]?[relationship: "tags"]?.data == .many([]))
        try queue.rollBack(removing)
        #expect(store[one] == before)
        let replacing = try queue.replace("author", of: one, with: .null)
        #expect(store[one]?[relationship: "author"]?.data == .null)
        _ = try queue.next()
        try queue.answer(
            replacing, status: 200,
            body: Data(#"{"data":{"type":"people","id":"12"},"included":[{"type":"people","id":"12","attributes":{"name":"Jo"}}]}"#.utf8))
        #expect(try store.resource(Article.self, id: "1")?.author.value?.name == "Jo")
        #expect(store[.person("12")]?.attributes == ["name": "Jo"])
    }

    @Test("A relationship that is not loaded stays so")
    func notLoaded() throws {
        let before = store[one]
        let request = try queue.add([.person("2")], to: "reviewers", of: one)
        #expect(store[one] == before)
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"reviewers":{"data":[]}}}"#))
        #expect(store[one]?[relationship: "reviewers"]?.data == .many([.person("2")]))
        try queue.rollBack(request)
        #expect(store[one]?[relationship: "reviewers"]?.data == .many([]))
    }

    // MARK: - Order

    @Test("Requests about other resources continue after a refused one")
    func order() throws {
        let first = try #require(try queue.update(Patch<Article>(id: "1").set("title", "B")))
        let second = try #require(try queue.update(Patch<Article>(id: "1").set("title", "C")))
        let person = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Anna")))
        let note = try queue.create(Note(text: "About Ann", author: ToOne(id: "9")))
        try queue.delete(.person("9"))
        #expect(try queue.next()?.id == first.id)
        try queue.fail(first, refusal())
        #expect(try queue.next()?.id == person.id)
        #expect(try queue.next() == nil)
        try queue.answer(person, status: 204)
        #expect(try queue.next()?.id == note.id)
        #expect(try queue.next() == nil)
        try queue.answer(note, status: 201, body: Data(#"{"data":{"type":"notes","id":"7"}}"#.utf8))
        #expect(try queue.next()?.operation == .delete)
        try queue.skip(first)
        #expect(try queue.next()?.id == second.id)
        #expect(try title() == "C")
    }

    @Test(arguments: [JSONAPIDecoder.Mode.strict, .lenient])
    func `the errors of the server are kept in every mode of the store`(mode: JSONAPIDecoder.Mode) throws {
        let queue = RequestQueue(ResourceStore(decoder: JSONAPIDecoder(mode: mode)))
        for body in [#"{"errors":[{"status":422,"detail":"No"}]}"#, #"{"data":null,"errors":[{"detail":"No"}]}"#] {
            let request = try queue.create(Note(text: "Milk"))
            let failed = try #require(try queue.answer(request, status: 422, body: Data(body.utf8)))
            #expect(failed.error?.errors.map(\.detail) == ["No"] && failed.error?.httpStatus == 422)
        }
    }

    @Test("Deleting a resource that is gone on the server succeeds", arguments: [204, 404, 410])
    func deletion(_ status: Int) throws {
        let request = try #require(try queue.delete(one))
        _ = try queue.next()
        #expect(try queue.answer(request, status: status) == nil)
        #expect(!store.contains(one) && queue.isEmpty)
    }

    @Test("Rolling back a refused deletion restores the resource exactly")
    func refusedDeletion() throws {
        let before = store[one]
        let request = try #require(try queue.delete(one))
        _ = try queue.next()
        #expect(try queue.answer(request, status: 403)?.state == .failed)
        try queue.rollBack(request)
        #expect(store[one] == before)
        #expect(throws: StoreError.self) { try queue.delete(.article("none")) }
    }

    // MARK: - Transactions

    @Test("A rolled back transaction queues nothing, and a transaction sends nothing")
    func transaction() throws {
        struct Stop: Error {}
        var draft = try store.draft(Article.self, id: "1")
        draft.value.title = "Mine"
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try queue.update(&draft)
                try queue.create(Note(text: "Milk"))
                throw Stop()
            }
        }
        #expect(try queue.isEmpty && store.count == 3 && title() == "One" && draft.hasChanges())
        try store.transaction { _ in
            let error = #expect(throws: StoreError.self) { try queue.next() }
            #expect(error?.kind == .insideTransaction)
            let note = try queue.create(Note(text: "Milk"))
            try queue.update(Patch<Note>(note.target).set("text", "Bread"))
        }
        #expect(queue.count == 2)
        try queue.removeAll()
        #expect(queue.isEmpty && store.count(ofType: "notes") == 1)
    }

    @Test("An error document with a success status changes nothing")
    func errorsWithGoodStatus() throws {
        let request = try #require(try queue.update(Patch<Article>(id: "1").set("title", "Mine")))
        _ = try queue.next()
        #expect(throws: ErrorDocument.self) { try queue.answer(request, status: 200, body: Data(#"{"errors":[{"status":"500"}]}"#.utf8)) }
        #expect(queue[request.id]?.state == .sent)
    }

    @Test(
        "Errors of any form, and beside data, are no success of any operation",
        arguments: [
            (JSONAPIDecoder.Mode.standard, #"{"errors":{"name":["is too long"]}}"#), (.standard, #"{"errors":"not allowed"}"#),
            (.standard, #"{"errors":null}"#), (.strict, #"{"errors":"not allowed"}"#),
            (.lenient, #"{"data":null,"errors":[{"detail":"No"}]}"#),
            (.lenient, #"{"data":{"type":"people","id":"9","attributes":{"name":"Eve"}},"errors":[{"detail":"No"}]}"#),
        ])
    func formsOfErrors(mode: JSONAPIDecoder.Mode, body: String) throws {
        let store = ResourceStore(decoder: JSONAPIDecoder(mode: mode))
        try store.ingest(document(articleText))
        let queue = RequestQueue(store)
        try queue.update(Patch<Person>(id: "9").set("name", "Mine"))
        try queue.replace("author", of: one, with: .null)
        try queue.delete(ResourceIdentifier(type: "comments", id: "5"))
        try queue.create(Note(id: "7", text: "Milk"), clientID: true)
        while let request = try queue.next() {
            #expect(throws: ErrorDocument.self) { try queue.answer(request, status: 200, body: Data(body.utf8)) }
            #expect(throws: ErrorDocument.self) { try queue.finish(request, with: document(body)) }
        }
        #expect(queue.requests.map(\.state) == [.sent, .sent, .sent, .sent])
        #expect(try store.resource(Person.self, id: "9")?.name == "Mine")
    }

    @Test("The queue has live changes", .timeLimit(.minutes(20)))
    func live() async throws {
        var seen: [[QueuedRequest.State]] = []
        for await requests in queue.changes {
            seen.append(requests.map(\.state))
            switch seen.count {
            case 1: try queue.update(Patch<Article>(id: "1").set("title", "Mine"))
            case 2: _ = try queue.next()
            case 3: try queue.fail(requests[0], refusal())
            case 4:
                try store.ingest(Person(id: "9", name: "No request"))
                try queue.rollBack(requests[0])
            default: break
            }
            if seen.count == 5 { break }
        }
        #expect(seen == [[], [.waiting], [.sent], [.failed], []])
    }
}
