import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

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

    @Test("A later change of the same field stays when the request is rolled back")
    func laterChange() throws {
        var draft = try store.draft(Report.self, id: "1")
        (draft.value.title, draft.value.seenAt) = ("N", "later")
        let request = try #require(try queue.update(&draft))
        try store.apply(Patch<Report>(id: "1").set("seenAt", "even later"))
        try queue.rollBack(request)
        #expect(store[one]?.attributes == ["title": "T", "seenAt": "even later"])
    }

    @Test("Such a change is read from a file, and follows identities that get an id")
    func saved() throws {
        let local = ResourceIdentifier(type: "readers", lid: "r")
        try store.ingest(ResourceObject(local))
        let patch = Patch<Report>(id: "1").set("title", "N").set("seenAt", "later")
        var request = try #require(try queue.update(patch))
        request.unsent?[relationship: "seenBy"] = RelationshipObject(data: .one(local))
        let read = try #require(QueuedRequest(request.key, request.json))
        #expect(read.unsent?.attributes == ["seenAt": "later"])
        try store.transaction {
            try $0.put(read)
            try $0.promote(local, to: "7")
        }
        let promoted = try #require(queue[request.id]?.unsent?[relationship: "seenBy"]?.data)
        #expect(promoted == .one(ResourceIdentifier(type: "readers", id: "7")))
    }

    private struct Member: Resource, RestrictedFields {
        static let type = "members"
        static let readOnlyFields = ["seenAt"]
        var id: UUID
        var name: String?
        var seenAt: String?
    }

    @Test("The store keeps such a change when an answer spells a UUID in another case, and the other spelling is there")
    func respelled() throws {
        let id = UUID()
        let lower = ResourceIdentifier(type: "members", id: id.uuidString.lowercased())
        let creation = try queue.create(Member(id: id, name: "A"), clientID: true)
        var draft = try store.draft(Member.self, id: id)
        (draft.value.name, draft.value.seenAt) = ("B", "later")
        try queue.update(&draft)
        _ = try queue.next()
        try store.ingest(ResourceObject(type: "members", id: lower.id ?? "", attributes: ["name": "Arrived"]))
        let answer = #"{"data":{"type":"members","id":"\#(lower.id ?? "")","attributes":{"name":"Server"}}}"#
        try queue.answer(try #require(queue[creation.id]), status: 201, body: Data(answer.utf8))
        #expect(store[lower]?.attributes == ["name": "B", "seenAt": "later"])
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

    @Test func `a new resource without an id is shown with the fields that its request leaves out`() throws {
        struct Entry: Resource, RestrictedFields {
            static let type = "entries"
            static let readOnlyFields = ["seenAt"]
            var id: String?
            var title: String
            var seenAt: String?
        }
        let request = try queue.create(Entry(title: "T", seenAt: "now"))
        #expect(request.document?.data.resources.first?.attributes == ["title": "T"])
        #expect(store[request.target]?.attributes == ["title": "T", "seenAt": "now"])
    }

    @Test("A change of nothing else is no request")
    func nothingToSend() throws {
        #expect(try queue.update(Patch<Report>(id: "1").set("seenAt", "later")) == nil)
        #expect(queue.isEmpty)
        #expect(store[one]?[attribute: "seenAt"] == "later")
    }
}
