import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("Observers follow a resource to its new identity")
struct MovedObserverTests {
    private struct Memo: Resource {
        static let type = "memos"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    private struct User: Resource {
        static let type = "users"
        var id: UUID
        var name: String?
    }

    private final class Owner: Sendable {}

    private let milk = ResourceIdentifier(type: "memos", lid: "n1")
    private let seven = ResourceIdentifier(type: "memos", id: "7")

    /// Queues a new memo, lets `body` observe it, and answers with an id. Then changes the text by the id.
    private func answered(_ store: ResourceStore, observing body: () -> Void) throws {
        let queue = RequestQueue(store)
        try queue.create(Memo(lid: "n1", text: "Milk"))
        body()
        let answer = Data(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Milk"}}}"#.utf8)
        try queue.answer(#require(try queue.next()), status: 201, body: answer)
        try store.apply(Patch<Memo>(id: "7").set("text", "Bread"))
    }

    private func line(_ change: ResourceChange) -> String {
        "\(change.kind) \(change.identifier.id ?? "?") \(change.object?[attribute: "text"]?.string ?? "-")"
    }

    @Test("An observer of a lid sees the resource with its id, and later changes")
    func lid() throws {
        let store = ResourceStore()
        let lines = Record<String>()
        var observation: StoreObservation?
        try answered(store) { observation = store.observe(milk) { lines.append(line($0)) } }
        #expect(lines.elements == ["inserted 7 Milk", "updated 7 Bread"])
        observation?.cancel()
        store.remove(seven)
        #expect(lines.elements.count == 2)
    }

    @Test("The later observer of an owner stays, and ends by either identifier", arguments: [(false, false), (true, false), (false, true)])
    func owners(isByLID: Bool, isIDLater: Bool) throws {
        let store = ResourceStore()
        let lines = Record<String>()
        let owner = Owner()
        try answered(store) {
            for identifier in isIDLater ? [milk, seven] : [seven, milk] {
                store.observe(identifier, owner: owner) { lines.append((identifier.id == nil ? "lid " : "id ") + line($1)) }
            }
        }
        let name = isIDLater ? "id" : "lid"
        #expect(lines.elements == ["\(name) inserted 7 Milk", "\(name) updated 7 Bread"])
        store.removeObserver(owner, of: isByLID ? milk : seven)
        store.remove(seven)
        #expect(lines.elements.count == 2)
    }

    @Test func `what a replaced observer holds can write to the store when it is released`() throws {
        final class Writer: Sendable {
            let store: ResourceStore
            init(_ store: ResourceStore) { self.store = store }
            deinit { _ = try? store.ingest(Person(id: "9", name: "Ann")) }
        }
        let store = ResourceStore()
        let owner = Owner()
        func observeWithWriter() {
            let writer = Writer(store)
            store.observe(seven, owner: owner) { _, _ in _ = writer }
        }
        try answered(store) {
            observeWithWriter()
            store.observe(milk, owner: owner) { _, _ in }
        }
        #expect(store.contains(.person("9")))
        store.removeObserver(owner)
    }

    @Test("The observer of an owner that observes only the lid follows, and ends by either identifier", arguments: [false, true])
    func ownerOfLID(isByLID: Bool) throws {
        let store = ResourceStore()
        let lines = Record<String>()
        let owner = Owner()
        try answered(store) { store.observe(milk, owner: owner) { lines.append(line($1)) } }
        #expect(lines.elements == ["inserted 7 Milk", "updated 7 Bread"])
        store.removeObserver(owner, of: isByLID ? milk : seven)
        store.remove(seven)
        #expect(lines.elements.count == 2)
    }

    @Test("A sequence of changes goes on with the id")
    func sequence() async throws {
        let store = ResourceStore()
        var changes: AsyncStream<ResourceChange>?
        try answered(store) { changes = store.changes(of: milk) }
        var iterator = try #require(changes).makeAsyncIterator()
        #expect(await iterator.next().map(line) == "inserted 7 Milk")
        #expect(await iterator.next().map(line) == "updated 7 Bread")
    }

    @Test("A resource whose observer has followed it is not evicted, until the observation ends")
    func eviction() throws {
        let store = ResourceStore(limit: 1)
        var observation: StoreObservation?
        try answered(store) { observation = store.observe(milk) { _ in } }
        for id in 20..<30 { try store.ingest(ResourceObject(type: "memos", id: "\(id)", attributes: ["text": "x"])) }
        #expect(store.contains(seven))
        observation?.cancel()
        for id in 30..<40 { try store.ingest(ResourceObject(type: "memos", id: "\(id)", attributes: ["text": "x"])) }
        #expect(!store.contains(seven))
    }

    @Test("An observer follows a UUID into the spelling of the server, and back")
    func respelled() throws {
        let store = ResourceStore()
        let queue = RequestQueue(store)
        let id = UUID()
        let ids = [id.uuidString, id.uuidString.lowercased()]
        try store.ingest(ResourceObject(type: "users", id: ids[0], attributes: ["name": "A"]))
        let seen = Record<String>()
        let observation = store.observe(ResourceIdentifier(type: "users", id: ids[0])) { seen.append($0.identifier.id ?? "") }
        for spelling in [ids[1], ids[0], ids[1]] {
            try queue.update(Patch<User>(id: id).set("name", "B"))
            let answer = Data(#"{"data":{"type":"users","id":"\#(spelling)","attributes":{"name":"A"}}}"#.utf8)
            try queue.answer(#require(try queue.next()), status: 200, body: answer)
            #expect(store.identifiers.map(\.id) == [spelling])
        }
        #expect(Set(seen.elements) == Set(ids) && seen.elements.last == ids[1])
        observation.cancel()
        let count = seen.elements.count
        store.remove(ResourceIdentifier(type: "users", id: ids[1]))
        #expect(seen.elements.count == count)
    }

    @Test("A rolled back promotion leaves the observer where it was")
    func rolledBack() throws {
        struct Stop: Error {}
        let store = ResourceStore()
        try store.ingest(ResourceObject(milk))
        let seen = Record<ResourceIdentifier>()
        let observation = store.observe(milk) { seen.append($0.identifier) }
        #expect(throws: Stop.self) {
            try store.transaction {
                try $0.promote(milk, to: "7")
                throw Stop()
            }
        }
        #expect(store.remove(milk) && seen.elements == [milk])
        observation.cancel()
    }
}
