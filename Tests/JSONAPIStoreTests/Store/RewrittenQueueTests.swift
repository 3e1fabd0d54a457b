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

    @Test("A change that a rewriter refuses is not queued")
    func refusal() throws {
        #expect(throws: (any Error).self) { try queue.create(Member(name: "A", nick: nil)) }
        #expect(queue.isEmpty && store.count(ofType: "members") == 1)
    }
}
