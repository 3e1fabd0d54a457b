import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONMapping
import JSONText
import Testing

@Suite("A queue of a store whose encoder has rewriters")
struct RewrittenQueueTests {
    private struct Member: Resource, RestrictedFields {
        static let type = "members"
        static let readOnlyFields = ["rank"]
        var id: String?
        var name: String
        var nick: String?
        var rank: Int?
        var friend: ToOne<Member> = .notLoaded
    }

    /// Counts the calls of a rewriter.
    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var count = 0
        var value: Int { lock.withLock { count } }
        func add() { lock.withLock { count += 1 } }
    }

    private let store: ResourceStore
    private var queue: RequestQueue { RequestQueue(store) }
    private let one = ResourceIdentifier(type: "members", id: "1")

    init() throws {
        var (decoder, encoder) = (JSONAPIDecoder(), JSONAPIEncoder())
        decoder.rewriters["members"] = Rewriter(unreferenced: .keep) {
            Rule("name", from: "full_name")
            Rule("nick", from: "alias")
        }
        encoder.rewriters["members"] = Rewriter(unreferenced: .keep) {
            Rule("full_name", from: "name")
            Rule("alias", from: "nick")
            Rule("level", from: "rank")
            Rule("rewrittenTwice", from: "full_name").optional
        }
        store = ResourceStore(decoder: decoder, encoder: encoder)
        try store.ingest(object(#"{"type":"members","id":"1","attributes":{"name":"A","nick":"a"}}"#))
    }

    private func attributes(_ request: QueuedRequest?) throws -> JSONObject? {
        try request?.body.flatMap { try JSON(parsing: Array($0))["data"]?["attributes"]?.object }
    }

    private func answer(_ id: String) -> Data {
        Data(#"{"data":{"type":"members","id":"\#(id)","attributes":{"full_name":"S","alias":"s"}}}"#.utf8)
    }

    @Test("An update is sent as the rewriter makes it, without rules for attributes that it does not change")
    func update() throws {
        let queued = try queue.update(Patch<Member>(id: "1").set("name", "B"))
        #expect(try attributes(queued) == ["full_name": "B"])
        #expect(store[one]?.attributes == ["name": "B", "nick": "a"])
        #expect(try attributes(queue.requests.first) == ["full_name": "B"])
        let request = try #require(try queue.next())
        #expect(try attributes(request) == ["full_name": "B"] && attributes(queue[request.id]) == ["full_name": "B"])
        // The document in the queue is as the model writes it, so that arriving values stay below it.
        try store.ingest(object(#"{"type":"members","id":"1","attributes":{"name":"C","nick":"c"}}"#))
        #expect(store[one]?.attributes == ["name": "B", "nick": "c"])
        try queue.retry(request)
        #expect(try attributes(queue.next()) == ["full_name": "B"])
        try queue.answer(request, status: 200, body: answer("1"))
        #expect(store[one]?.attributes == ["name": "S", "nick": "s"])
    }

    @Test("A creation is rewritten once, also after an id has replaced a lid, and without rules for fields that it leaves out")
    func creation() throws {
        let first = try queue.create(Member(name: "A", nick: "a", rank: 1))
        #expect(try attributes(first) == ["full_name": "A", "alias": "a"])
        let local = first.target
        try queue.update(Patch<Member>(local).set("nick", "b"))
        try queue.answer(#require(try queue.next()), status: 201, body: answer("7"))
        #expect(store[ResourceIdentifier(type: "members", id: "7")]?[attribute: "nick"] == "b")
        #expect(try attributes(queue.next()) == ["alias": "b"])
        // This draft links to the lid, so that its body is written again.
        let draft = store.draft(new: Member(name: "B", nick: "b", rank: 2, friend: ToOne(local)))
        let encoded = try JSON(parsing: Array(store.encoder.encode(draft.create)))
        #expect(encoded["data"]?["attributes"] == ["full_name": "B", "alias": "b"])
        #expect(encoded["data"]?["relationships"]?["friend"]?["data"]?["id"] == "7")
        #expect(try attributes(queue.create(draft)) == ["full_name": "B", "alias": "b"])
    }

    @Test("A rollback returns requests whose documents are rewritten")
    func rollBack() throws {
        let queued = try queue.create(Member(name: "A", nick: "a"))
        try queue.update(Patch<Member>(queued.target).set("nick", "b"))
        let gone = try queue.rollBack(queued)
        #expect(try gone.count == 2 && attributes(gone.first) == ["alias": "b"])
        #expect(try attributes(gone.last) == ["full_name": "A", "alias": "a"])
    }

    @Test("A request that cannot be rewritten any more has failed, and the next one is sent")
    func unsendable() throws {
        var encoder = JSONAPIEncoder()
        let isStrict = Counter()
        encoder.rewriters["members"] = Rewriter(unreferenced: .keep) {
            Rule("full_name", from: "name") { _, input in
                if isStrict.value > 0, input["name"] == "B" { throw CancellationError() }
                return input["name"]
            }
        }
        let store = ResourceStore(encoder: encoder)
        for id in ["1", "2"] { try store.ingest(ResourceObject(type: "members", id: id, attributes: ["name": "A"])) }
        let queue = RequestQueue(store)
        let first = try #require(try queue.update(Patch<Member>(id: "1").set("name", "B")))
        let second = try #require(try queue.update(Patch<Member>(id: "2").set("name", "C")))
        isStrict.add()
        #expect(try queue.next()?.id == second.id)
        #expect(queue[first.id]?.state == .failed && queue[first.id]?.error?.errors.first?.title != nil)
        #expect(queue[second.id]?.state == .sent)
        // Without a request that can be sent.
        try queue.retry(first)
        #expect(try queue.next() == nil)
        #expect(queue[first.id]?.state == .failed)
        try queue.rollBack(first)
        #expect(store[one]?.attributes == ["name": "A"])
    }

    @Test("Reading the queue runs no rewriter until a document is used, and then once")
    func lazyDocuments() throws {
        var encoder = JSONAPIEncoder()
        let count = Counter()
        encoder.rewriters["members"] = Rewriter(unreferenced: .keep) {
            Rule("full_name", from: "name") { _, input in
                count.add()
                return input["name"]
            }
        }
        let store = ResourceStore(encoder: encoder)
        try store.ingest(ResourceObject(type: "members", id: "1", attributes: ["name": "A"]))
        let queue = RequestQueue(store)
        try queue.update(Patch<Member>(id: "1").set("name", "B"))
        let before = count.value
        let requests = queue.requests
        #expect(requests.count == 1 && count.value == before)
        for _ in 0..<3 { #expect(try attributes(requests[0]) == ["full_name": "B"]) }
        #expect(count.value == before + 1)
    }

    @Test("A success with data beside errors is a refusal, as it is for an endpoint")
    func dataBesideErrors() throws {
        try queue.update(Patch<Member>(id: "1").set("name", "B"))
        let request = try #require(try queue.next())
        let body = Data(#"{"data":null,"errors":[{"detail":"locked"}]}"#.utf8)
        do {
            try queue.answer(request, status: 200, body: body)
            Issue.record("The answer is no success.")
        } catch let error as ErrorDocument { #expect(error.errors.first?.detail == "locked") }
        #expect(queue[request.id]?.state == .sent)
    }

    @Test("A change that a rewriter refuses is not queued")
    func refusal() throws {
        #expect(throws: (any Error).self) { try queue.create(Member(name: "A", nick: nil)) }
        #expect(queue.isEmpty && store.count(ofType: "members") == 1)
    }
}
