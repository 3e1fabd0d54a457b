import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("A server that spells UUIDs in another case")
struct RespelledIdentityTests {
    private struct User: Resource {
        static let type = "users"
        var id: UUID
        var name: String?
        var boss: ToOne<User> = .notLoaded
    }

    /// A model that tells the two spellings apart.
    private struct Account: Resource {
        static let type = "users"
        var id: String
        var name: String?
    }

    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private let id = UUID()
    private var lower: ResourceIdentifier { ResourceIdentifier(type: "users", id: id.uuidString.lowercased()) }
    private var upper: ResourceIdentifier { ResourceIdentifier(type: "users", id: id.uuidString) }

    private func answer(_ identifier: ResourceIdentifier, _ name: String) -> Data {
        Data(#"{"data":{"type":"users","id":"\#(identifier.id ?? "")","attributes":{"name":"\#(name)"}}}"#.utf8)
    }

    /// A model whose type asks the store.
    private struct Asking: Resource {
        static let store = ResourceStore()
        static var type: String { store.isEmpty ? "nobody" : "users" }
        var id: UUID
        var name: String?
    }

    @Test func `the type of a model may ask the store`() throws {
        let id = self.id
        try Asking.store.ingest(object(#"{"type":"users","id":"\#(id.uuidString.lowercased())","attributes":{"name":"Ann"}}"#))
        let found = Record<String>()
        let done = DispatchSemaphore(value: 0)
        Thread {
            found.append((try? Asking.store.resource(Asking.self, id: id))?.name ?? "nobody")
            done.signal()
        }.start()
        // A deadlock would otherwise stop all tests.
        #expect(done.wait(timeout: .now() + 600) == .success)
        #expect(found.elements == ["Ann"])
    }

    @Test("The answer to a creation gives the resource the server's spelling, also in later requests")
    func creation() throws {
        try queue.create(User(id: id, name: "A"), clientID: true)
        try queue.update(Patch<User>(id: id).set("name", "B"))
        #expect(try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "Server")) == nil)
        #expect(store.identifiers == [lower])
        #expect(try store.resource(User.self, id: id)?.name == "B")
        let update = try #require(try queue.next())
        #expect(update.target == lower && update.document?.data.resources.first?.identifier == lower)
        try queue.rollBack(update)
        #expect(try store.resource(User.self, id: id)?.name == "Server")
    }

    @Test("The answer to a creation merges with the resource if it has arrived in the server's spelling before")
    func arrived() throws {
        try queue.create(User(id: id, name: "A"), clientID: true)
        let creation = try #require(try queue.next())
        let update = try #require(try queue.update(Patch<User>(id: id).set("name", "B")))
        try store.ingest(ResourceObject(type: "users", id: lower.id ?? "", attributes: ["name": "Arrived", "age": 4]))
        try queue.answer(creation, status: 201, body: answer(lower, "Server"))
        #expect(store.identifiers == [lower])
        #expect(store[lower]?.attributes == ["name": "B", "age": 4])
        try queue.rollBack(try #require(queue[update.id]))
        #expect(store[lower]?.attributes == ["name": "Server", "age": 4])
    }

    @Test("The identifier of a model names the resource in the server's spelling when it is deleted, linked or removed")
    func namedByAModel() throws {
        try store.ingest(ResourceObject(type: "users", id: lower.id ?? "", attributes: ["name": "Server"]))
        let identifier = try #require(try store.resource(User.self, id: id)?.identifier)
        #expect(identifier == upper)
        try queue.replace("boss", of: identifier, with: .null)
        let deletion = try #require(try queue.delete(identifier))
        #expect(deletion.target == lower && store.identifiers.isEmpty)
        try queue.rollBack(deletion)
        #expect(store.remove(identifier) && store.identifiers.isEmpty)
        #expect(!store.remove(identifier))
    }

    @Test("An undo and a document only concern the resource with their own spelling")
    func exactSpelling() throws {
        try store.ingest([lower, upper].map { Account(id: $0.id ?? "", name: $0.id) })
        let undo = try store.apply(Patch<Account>(id: upper.id ?? "").set("name", "X"))
        store.remove(upper)
        #expect(throws: StoreError.self) { try store.apply(undo) }
        _ = try store.decode(Account.self, from: answer(upper, "Arrived"), keeping: .included)
        #expect(store[lower]?.attributes == ["name": .string(lower.id ?? "")])
    }

    @Test("An edit that undoes a patch follows the resource to the server's spelling", arguments: [false, true])
    func undoOfTheRespelled(isLower: Bool) throws {
        let (stored, answered) = isLower ? (lower, upper) : (upper, lower)
        try store.ingest(ResourceObject(type: "users", id: stored.id ?? "", attributes: ["name": "A"]))
        let undo = try store.apply(Patch<User>(stored).set("name", "B"))
        try queue.update(Patch<User>(stored).set("name", "C"))
        try queue.answer(#require(try queue.next()), status: 200, body: answer(answered, "C"))
        let redo = try store.apply(undo)
        #expect(store.identifiers == [answered] && store[answered]?[attribute: "name"] == "A")
        try store.apply(redo)
        #expect(store[answered]?[attribute: "name"] == "C")
    }

    @Test("Where both spellings are resources, an identifier names its own")
    func bothSpellings() throws {
        for identifier in [lower, upper] { try store.ingest(ResourceObject(type: "users", id: identifier.id ?? "")) }
        try queue.delete(upper)
        #expect(store.identifiers == [lower])
    }

    @Test("The answer to an update can have the other spelling, in both directions", arguments: [false, true])
    func update(isLower: Bool) throws {
        let (stored, answered) = isLower ? (lower, upper) : (upper, lower)
        try store.ingest(ResourceObject(stored))
        try queue.update(Patch<User>(id: id).set("name", "A"))
        try queue.answer(#require(try queue.next()), status: 200, body: answer(answered, "Server"))
        #expect(store.identifiers == [answered])
        #expect(try store.resource(User.self, id: id)?.name == "Server")
    }

    @Test("The answer can come after the request was saved")
    func saved() throws {
        let request = try queue.create(User(id: id, name: "A"), clientID: true)
        let read = try #require(QueuedRequest(request.key, request.json))
        #expect(read.hasUUID)
        try store.transaction { try $0.put(read) }
        try queue.answer(read, status: 201, body: answer(lower, "Server"))
        #expect(store.identifiers == [lower] && queue.isEmpty)
    }

    @Test("The answer to a new draft can have the other spelling", arguments: [false, true])
    func draft(isShown: Bool) throws {
        var draft = store.draft(new: User(id: id, name: "A"), clientID: true)
        if isShown { try draft.show() }
        let answer = DocumentObject(members: try #require(JSON(parsing: Array(answer(lower, "Server"))).object))
        #expect(try draft.commit(with: answer).name == "Server")
        #expect(store.identifiers == [lower] && draft.identifier == lower)
    }

    @Test("A form that was open when the server respelled the UUID finds conflicts, and is saved", arguments: [false, true])
    func openForm(isQueued: Bool) throws {
        try queue.create(User(id: id, name: "A"), clientID: true)
        var form = try store.draft(User.self, id: id)
        try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "A"))
        try store.ingest(ResourceObject(type: "users", id: lower.id ?? "", attributes: ["name": "Theirs"]))
        form.value.name = "Mine"
        #expect(try form.conflicts().map(\.description) == ["/attributes/name"])
        if isQueued {
            let request = try queue.update(&form)
            #expect(request?.target == lower)
        } else {
            try form.commit()
        }
        #expect(store[lower]?.attributes == ["name": "Mine"] && store.identifiers == [lower])
    }

    @Test("A deletion that was prepared before the server respelled the UUID hides, restores, and removes the resource")
    func openDeletion() throws {
        try queue.create(User(id: id, name: "A"), clientID: true)
        var deletion = try store.deletion(of: upper)
        try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "Server"))
        #expect(deletion.identifier == lower)
        try deletion.hide()
        #expect(store.isEmpty && deletion.identifier == lower)
        deletion.rollBack()
        #expect(store.identifiers == [lower] && store[lower]?.attributes == ["name": "Server"])
        deletion.commit()
        #expect(store.isEmpty)
    }

    @Test("A deletion of a UUID in upper case removes the resource with that UUID in lower case")
    func deletionInUpperCase() throws {
        try store.ingest(ResourceObject(type: "users", id: lower.id ?? "", attributes: ["name": "Server"]))
        var deletion = try store.deletion(of: upper)
        #expect(deletion.identifier == lower)
        deletion.commit()
        #expect(store.isEmpty)
    }

    @Test("Where both spellings are resources, a deletion only removes its own", arguments: [false, true])
    func deletionOfOneSpelling(isHidden: Bool) throws {
        for identifier in [lower, upper] { try store.ingest(ResourceObject(type: "users", id: identifier.id ?? "")) }
        var deletion = try store.deletion(of: upper)
        if isHidden {
            try deletion.hide()
            try deletion.hide()
            #expect(store.identifiers == [lower] && deletion.identifier == upper)
            deletion.rollBack()
            #expect(store.contains(upper) && store.contains(lower))
            try deletion.hide()
        }
        deletion.commit()
        deletion.commit()
        #expect(store.identifiers == [lower])
    }

    private func document(_ identifier: ResourceIdentifier) -> DocumentObject {
        DocumentObject(data: .many([ResourceObject(identifier)]))
    }

    @Test("A kept document follows the spelling of the server, in both directions", arguments: [false, true])
    func keptDocument(isLower: Bool) async throws {
        let (stored, answered) = isLower ? (lower, upper) : (upper, lower)
        try store.keep(document(stored), for: "q")
        try queue.update(Patch<User>(id: id).set("name", "A"))
        try queue.answer(#require(try queue.next()), status: 200, body: answer(answered, "Server"))
        #expect(try store.keptDocument([User].self, for: "q")?.data.map(\.name) == ["Server"])
        var documents = store.document([User].self, for: "q").makeAsyncIterator()
        let document = await documents.next()
        #expect(document??.data.map(\.name) == ["Server"])
    }

    @Test("A live document shows a resource in lower case, also if that arrives later")
    func liveDocument() async throws {
        try store.keep(document(upper), for: "q")
        store.remove(upper)
        var documents = store.document([User].self, for: "q").makeAsyncIterator()
        let before = await documents.next()
        #expect(before??.data.isEmpty == true)
        try store.ingest(ResourceObject(type: "users", id: lower.id ?? "", attributes: ["name": "Server"]))
        let after = await documents.next()
        #expect(after??.data.map(\.name) == ["Server"])
    }

    @Test("A queued change of linkage takes the spelling of the linkage, or else of the store")
    func linkage() throws {
        let group = ResourceIdentifier(type: "groups", id: "1")
        func members() -> [ResourceIdentifier]? { store[group]?[relationship: "users"]?.data.identifiers }
        var object = ResourceObject(group)
        object[relationship: "users"] = RelationshipObject(data: .many([lower]))
        try store.ingest(object)
        let addition = try queue.add([upper], to: "users", of: group)
        #expect(members() == [lower] && addition.document?.linkage == .many([lower]))
        try queue.rollBack(addition)
        #expect(members() == [lower])
        let removal = try queue.remove([upper], from: "users", of: group)
        #expect(members() == [] && removal.document?.linkage == .many([lower]))
        try store.ingest(ResourceObject(lower))
        #expect(try queue.add([upper], to: "users", of: group).document?.linkage == .many([lower]))
        // Where both spellings are resources, an identifier names its own.
        try store.ingest(ResourceObject(upper))
        #expect(try queue.add([upper], to: "users", of: group).document?.linkage == .many([upper]))
    }

    @Test("A queued change of linkage takes the spelling of the answer to the creation")
    func linkToTheRespelled() throws {
        let group = ResourceIdentifier(type: "groups", id: "1")
        func members() -> [ResourceIdentifier]? { store[group]?[relationship: "users"]?.data.identifiers }
        var object = ResourceObject(group)
        object[relationship: "users"] = RelationshipObject(data: .many([]))
        try store.ingest(object)
        try queue.create(User(id: id, name: "A"), clientID: true)
        let addition = try queue.add([upper], to: "users", of: group)
        try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "Server"))
        #expect(members() == [lower] && queue[addition.id]?.document?.linkage == .many([lower]))
        object[relationship: "users"] = RelationshipObject(data: .many([lower]))
        try store.ingest(object)
        #expect(members() == [lower])
        try queue.rollBack(addition)
        #expect(members() == [lower])
    }

    @Test("A link that the server has sent in its spelling stays when the addition of the other spelling is rolled back")
    func linkBeforeTheAnswer() throws {
        let group = ResourceIdentifier(type: "groups", id: "1")
        func members() -> [ResourceIdentifier]? { store[group]?[relationship: "users"]?.data.identifiers }
        var object = ResourceObject(group)
        object[relationship: "users"] = RelationshipObject(data: .many([]))
        try store.ingest(object)
        try queue.create(User(id: id, name: "A"), clientID: true)
        let addition = try queue.add([upper], to: "users", of: group)
        object[relationship: "users"] = RelationshipObject(data: .many([lower]))
        try store.ingest(object)
        try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "Server"))
        #expect(members() == [lower])
        try queue.rollBack(addition)
        #expect(members() == [lower])
    }

    @Test("A deletion waits for a link to the resource in the other spelling, and its answer can have that, too")
    func deletion() throws {
        let group = ResourceIdentifier(type: "groups", id: "1")
        var object = ResourceObject(group)
        object[relationship: "users"] = RelationshipObject(data: .many([upper]))
        try store.ingest([object, ResourceObject(lower)])
        let link = try queue.add([upper], to: "users", of: group)
        #expect(link.document?.linkage == .many([upper]))
        #expect(try queue.delete(upper)?.target == lower)
        let first = try #require(try queue.next())
        #expect(first.operation == .add)
        #expect(try queue.next() == nil)
        try queue.answer(first, status: 204)
        #expect(try queue.answer(#require(try queue.next()), status: 200, body: answer(upper, "Gone")) == nil)
        #expect(queue.isEmpty && store.identifiers == [group])
    }

    @Test("Other ids are compared byte by byte, and another UUID is another resource")
    func others() throws {
        try queue.create(Account(id: id.uuidString, name: "A"), clientID: true)
        #expect { try queue.answer(#require(try queue.next()), status: 201, body: answer(lower, "S")) } throws: {
            ($0 as? StoreError)?.kind == .identityChanged
        }
        try queue.removeAll()
        try queue.update(Patch<User>(id: id).set("name", "B"))
        let other = ResourceIdentifier(type: "users", id: UUID().uuidString)
        #expect { try queue.answer(#require(try queue.next()), status: 200, body: answer(other, "S")) } throws: {
            ($0 as? StoreError)?.kind == .identityChanged
        }
        #expect(store.identifiers == [upper])
    }
}
