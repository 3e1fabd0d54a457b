import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite("What the program or the server has changed stays", .timeLimit(.minutes(20)))
struct KeptChangeTests {
    private struct Note: Resource {
        static let type = "notes"
        var id: String?
        var lid: LocalID?
        var text: String
        var next: ToOne<Note> = .notLoaded
    }

    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let one = ResourceIdentifier.article("1")

    init() throws {
        let text = #"{"type":"articles","id":"1","attributes":{"title":"A"},"relationships":{"comments":{"data":[]}}}"#
        try store.ingest(object(text))
    }

    private var title: JSON? { store[one]?[attribute: "title"] }

    private func update(_ title: String) throws -> QueuedRequest {
        try #require(try queue.update(Patch<Article>(id: "1").set("title", title)))
    }

    // MARK: - Identities

    @Test("A resource cannot be created twice before the server has answered")
    func createdTwice() throws {
        let first = try queue.create(Note(lid: "new", text: "Milk"))
        let before = try store.document
        let error = #expect(throws: StoreError.self) { try queue.create(Note(lid: "new", text: "Bread")) }
        #expect(error?.kind == .identityTaken)
        #expect(try store.document == before && queue.requests.count == 1)
        try queue.finish(first, with: document(#"{"data":{"type":"notes","id":"7","attributes":{"text":"Milk"}}}"#))
        #expect(try queue.create(Note(lid: "new", text: "Bread")).target == ResourceIdentifier(type: "notes", lid: "new"))
        #expect(store.count(ofType: "notes") == 2)
    }

    @Test("A resource can be created again after its deletion is queued")
    func createdAfterDeletion() throws {
        try queue.delete(one)
        try queue.create(Article(id: "1", title: "New"), clientID: true)
        #expect(title == "New" && queue.requests.count == 2)
    }

    @Test("A value that was read before a promotion follows its links within the transaction")
    func linkToPromotedResource() throws {
        let local = ResourceIdentifier(type: "notes", lid: "b")
        try store.ingest([Note(id: "1", text: "A", next: ToOne(local)), Note(lid: "b", text: "B")])
        try store.transaction { transaction in
            let note = try #require(try transaction.resource(Note.self, id: "1"))
            try transaction.promote(local, to: "2")
            #expect(note.next.value?.text == "B")
        }
    }

    // MARK: - Waiting requests

    @Test("An edit without a request stays on top of a request for the same field")
    func localEdit() throws {
        let request = try update("B")
        var draft = try store.draft(Article.self, id: "1")
        draft.value.title = "Later"
        try draft.commit()
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"subtitle":"S"}}"#))
        #expect(title == "Later" && store[one]?[attribute: "subtitle"] == "S")
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Server"}}"#))
        #expect(title == "Later")
        try queue.rollBack(request)
        #expect(title == "Later")
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Server"}}"#))
        #expect(title == "Server")
    }

    @Test("An edit without a request stays when the first of two requests is answered")
    func localEditBelowAnswer() throws {
        let first = try update("B")
        _ = try update("C")
        try store.apply(Patch<Article>(id: "1").set("title", "Later"))
        try queue.finish(first, with: document(#"{"data":{"type":"articles","id":"1","attributes":{"title":"B"}}}"#))
        #expect(title == "Later")
    }

    @Test("A skipped change stays when a document without the field arrives")
    func skippedChange() throws {
        _ = try update("B")
        try queue.skip(try update("C"))
        #expect(title == "C")
        for number in 0..<2 {
            try store.ingest(object(#"{"type":"articles","id":"1","meta":{"n":\#(number)}}"#))
            #expect(title == "C")
        }
    }

    @Test("Values that the server has sent after a creation stay when a later request is skipped")
    func skippedChangeOfNewResource() throws {
        try queue.create(Article(id: "5", title: "Mine"), clientID: true)
        try store.ingest(object(#"{"type":"articles","id":"5","attributes":{"color":"red"}}"#))
        try queue.skip(try #require(try queue.update(Patch<Article>(id: "5").set("title", "Two"))))
        let stored = store[.article("5")]
        #expect(stored?[attribute: "color"] == "red" && stored?[attribute: "title"] == "Two")
    }

    @Test("An answer to a change of a relationship is stored below the deletion that waits behind it")
    func answerBelowDeletion() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","relationships":{"tags":{"data":[]}}}"#))
        let tags = (5...6).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        let addition = try queue.add([tags[0]], to: "tags", of: one)
        let deletion = try #require(try queue.delete(one))
        try queue.finish(addition, with: document(#"{"data":[{"type":"tags","id":"5"},{"type":"tags","id":"6"}]}"#))
        #expect(store[one] == nil)
        try queue.rollBack(deletion)
        #expect(store[one]?[relationship: "tags"]?.data == .many(tags))
    }

    // MARK: - Models that are written back

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var isRead: Bool
        var author: Person
    }

    /// Marks post 1 by person 9 as read, in a model that the store has made.
    private func markAsRead(isDocument: Bool = false) throws {
        try store.ingest(
            object(
                #"{"type":"posts","id":"1","attributes":{"isRead":false},"relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#))
        var post = try #require(try store.resource(Post.self, id: "1"))
        post.isRead = true
        if isDocument { try store.ingest(Document([post])) } else { try store.ingest(post) }
        #expect(store[ResourceIdentifier(type: "posts", id: "1")]?[attribute: "isRead"] == true)
    }

    @Test("A queued change that is written back with a model is still undone by a rollback", arguments: [false, true])
    func writtenBack(isDocument: Bool) throws {
        try store.ingest(object(#"{"type":"people","id":"9","attributes":{"name":"Ann","nick":"A"}}"#))
        let rename = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Bea")))
        try markAsRead(isDocument: isDocument)
        #expect(store[.person("9")]?.attributes == ["name": "Bea", "nick": "A"])
        try queue.rollBack(rename)
        #expect(store[.person("9")]?.attributes == ["name": "Ann", "nick": "A"])
    }

    @Test("A page that is kept again with more resources does not turn queued changes into values of the server")
    func pageKeptAgain() throws {
        try store.keep(DocumentObject(data: .many([ResourceObject(type: "articles", id: "1", attributes: ["title": "A"])])), for: "q")
        let request = try update("B")
        var page = try #require(try store.keptDocument([Article].self, for: "q"))
        page.data.append(Article(id: "2", title: "Next"))
        try store.keep(page, for: "q")
        #expect(try store.keptDocument([Article].self, for: "q")?.data.map(\.title) == ["B", "Next"])
        try queue.rollBack(request)
        #expect(title == "A")
    }

    @Test("A new resource is removed by the rollback of its creation also after it was written back, unless the server has sent it")
    func creationWrittenBack() throws {
        let first = try queue.create(Person(id: "9", name: "Ann"), clientID: true)
        try markAsRead()
        try queue.rollBack(first)
        #expect(store[.person("9")] == nil)
        let second = try queue.create(Person(id: "9", name: "Ann"), clientID: true)
        try store.ingest(Person(id: "9", name: "Ann", nick: "A"))
        try queue.rollBack(second)
        #expect(store[.person("9")]?.attributes == ["name": "Ann", "nick": "A"])
    }

    @Test("A queued change of a new resource that is written back with a model is still undone by a rollback")
    func changeOfCreationWrittenBack() throws {
        let creation = try queue.create(Person(id: "9", name: "Ann"), clientID: true)
        let rename = try #require(try queue.update(Patch<Person>(id: "9").set("name", "Bea")))
        try store.ingest(Person(id: "9", name: "Bea", nick: "X"))
        #expect(store[.person("9")]?.attributes == ["name": "Bea", "nick": "X"])
        try queue.rollBack(rename)
        #expect(store[.person("9")]?.attributes == ["name": "Ann", "nick": "X"])
        try queue.rollBack(creation)
        #expect(store[.person("9")]?.attributes == ["name": "Ann", "nick": "X"])
    }

    @Test("Rolling back a creation restores the resource that the store had under the id", arguments: [false, true])
    func rolledBackCreation(isShown: Bool) throws {
        let draft = store.draft(new: Article(id: "1", title: "Mine"), clientID: true)
        if isShown { try draft.show() }
        let request = try queue.create(draft)
        #expect(title == "Mine")
        try queue.rollBack(request)
        #expect(title == "A")
    }

    // MARK: - Identities

    @Test("An edit that is undone after an id has replaced a lid links to the id")
    func undoneAfterPromotion() throws {
        let local = ResourceIdentifier(type: "comments", lid: "n1")
        try store.ingest(ResourceObject(local))
        try store.apply(Patch<Article>(id: "1").link("comments", to: [local]))
        let undo = try store.apply(Patch<Article>(id: "1").link("comments", to: [ResourceIdentifier]()))
        try store.promote(local, to: "9")
        try store.apply(undo)
        #expect(store[one]?[relationship: "comments"]?.data == .many([ResourceIdentifier(type: "comments", id: "9")]))
    }

    @Test("A live value follows a reference whose UUID is in upper case")
    func liveValueOfUUID() async throws {
        struct User: Resource {
            static let type = "users"
            var id: UUID
            var name: String
        }
        struct Visit: Resource {
            static let type = "visits"
            var id: String
            var user: ToOne<User>
        }
        let id = "4D4444FD-0000-4000-8000-00000000000A"
        let visit = try object(#"{"type":"visits","id":"1","relationships":{"user":{"data":{"type":"users","id":"\#(id)"}}}}"#)
        try store.ingest(visit)
        func user(_ name: String) throws -> ResourceObject {
            try object(#"{"type":"users","id":"\#(id.lowercased())","attributes":{"name":"\#(name)"}}"#)
        }
        try store.ingest(user("a"))
        var values = store.value(Visit.self, id: "1").makeAsyncIterator()
        #expect(await values.next()??.user.value?.name == "a")
        try store.ingest(user("b"))
        #expect(await values.next()??.user.value?.name == "b")
    }

    // MARK: - Files

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = TestFolder.url.appendingPathComponent("kept-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("store"))
    }

    @Test("A file cannot be opened in a transaction, which could take back what the file has")
    func fileInTransaction() throws {
        try withFolder { url in
            #expect { try store.transaction { _ in try StoreFile(url, of: store) } } throws: {
                ($0 as? StoreError)?.kind == .insideTransaction
            }
        }
    }

    @Test("Automatic saving can be replaced while its functions hold what reads the store")
    func replacedAutosave() throws {
        final class Probe: Sendable {
            let store: ResourceStore
            init(_ store: ResourceStore) { self.store = store }
            deinit { _ = store.count }
        }
        try withFolder { url in
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let writer = Thread {
                for number in 0..<2000 { _ = try? store.ingest(Article(id: "\(number % 5)", title: "\(number)")) }
            }
            writer.start()
            for _ in 0..<300 where !writer.isFinished {
                let probe = Probe(store)
                file.autosave(after: .seconds(1000)) { _ in _ = probe }
                file.cancelAutosave()
            }
        }
    }
}
