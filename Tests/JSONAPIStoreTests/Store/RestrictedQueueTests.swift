import JSONAPICodec
import JSONAPIStore
import JSONText
import Testing

@Suite("A queued change leaves out fields that clients must not write")
struct RestrictedQueueTests {
    private struct Report: Resource, RestrictedFields {
        static let type = "reports"
        static let readOnlyFields = ["seenAt"]
        var id: String
        var title: String
        var seenAt: String?
    }

    private let store = ResourceStore()
    private let one = ResourceIdentifier(type: "reports", id: "1")
    private var queue: RequestQueue { RequestQueue(store) }

    init() throws { try store.ingest(object(#"{"type":"reports","id":"1","attributes":{"title":"T","seenAt":"now"}}"#)) }

    @Test("The request has only the fields that the server accepts, and the store has all changes")
    func drafts() throws {
        var draft = try store.draft(Report.self, id: "1")
        draft.value.title = "N"
        draft.value.seenAt = "later"
        let request = try #require(try queue.update(&draft))
        #expect(request.document?.data.resources.first?.attributes == ["title": "N"])
        #expect(store[one]?.attributes == ["title": "N", "seenAt": "later"])
        try queue.rollBack(request)
        #expect(store[one]?.attributes == ["title": "T", "seenAt": "now"])
    }

    @Test("The store keeps such a change when another field arrives or another request leaves, until the request is rolled back")
    func otherChanges() throws {
        var draft = try store.draft(Report.self, id: "1")
        draft.value.title = "N"
        draft.value.seenAt = "later"
        let request = try #require(try queue.update(&draft))
        try store.ingest(object(#"{"type":"reports","id":"1","attributes":{"size":1}}"#))
        #expect(store[one]?.attributes == ["title": "N", "seenAt": "later", "size": 1])
        let second = try #require(try queue.update(Patch<Report>(id: "1").set("title", "O")))
        try queue.rollBack(second)
        #expect(store[one]?.attributes == ["title": "N", "seenAt": "later", "size": 1])
        let third = try #require(try queue.update(Patch<Report>(id: "1").set("title", "P")))
        try queue.skip(third)
        #expect(store[one]?.attributes == ["title": "P", "seenAt": "later", "size": 1])
        // The server's value shows when the request is rolled back.
        try store.ingest(object(#"{"type":"reports","id":"1","attributes":{"seenAt":"server"}}"#))
        #expect(store[one]?[attribute: "seenAt"] == "later")
        try queue.rollBack(try #require(queue[request.id]))
        #expect(store[one]?[attribute: "seenAt"] == "server")
    }

    @Test("The store keeps such a change when its request is skipped, below an earlier request")
    func skipped() throws {
        let first = try #require(try queue.update(Patch<Report>(id: "1").set("title", "N")))
        var draft = try store.draft(Report.self, id: "1")
        draft.value.title = "O"
        draft.value.seenAt = "later"
        try queue.skip(try #require(try queue.update(&draft)))
        try queue.rollBack(first)
        #expect(store[one]?.attributes == ["title": "O", "seenAt": "later"])
    }

    @Test("The store keeps such a change when its request is skipped, below an earlier request that has changed the same field")
    func skippedOverTheSameField() throws {
        var draft = try store.draft(Report.self, id: "1")
        (draft.value.title, draft.value.seenAt) = ("N", "soon")
        let first = try #require(try queue.update(&draft))
        (draft.value.title, draft.value.seenAt) = ("O", "later")
        try queue.skip(try #require(try queue.update(&draft)))
        #expect(store[one]?.attributes == ["title": "O", "seenAt": "later"])
        try queue.rollBack(try #require(queue[first.id]))
        #expect(store[one]?.attributes == ["title": "O", "seenAt": "later"])
    }

    @Test("A change of nothing else is no request")
    func nothingToSend() throws {
        #expect(try queue.update(Patch<Report>(id: "1").set("seenAt", "later")) == nil)
        #expect(queue.isEmpty)
        #expect(store[one]?[attribute: "seenAt"] == "later")
    }
}
