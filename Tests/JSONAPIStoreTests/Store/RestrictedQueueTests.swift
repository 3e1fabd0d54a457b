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

    @Test("A change of nothing else is no request")
    func nothingToSend() throws {
        #expect(try queue.update(Patch<Report>(id: "1").set("seenAt", "later")) == nil)
        #expect(queue.isEmpty)
        #expect(store[one]?[attribute: "seenAt"] == "later")
    }
}
