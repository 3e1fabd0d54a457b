import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

@Suite("The order of lists while requests are answered and taken back")
struct ListOrderTests {
    private let store = ResourceStore()
    private var queue: RequestQueue { RequestQueue(store) }
    private var ids: [String?] { store.identifiers(ofType: "notes").map(\.id) }

    private func answer(_ id: String) -> Data { Data(#"{"data":{"type":"notes","id":"\#(id)","attributes":{"text":"\#(id)"}}}"#.utf8) }

    private func ingest(_ ids: ClosedRange<Int>) throws {
        for id in ids { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
    }

    private func note(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "notes", id: id) }

    @Test("A new resource keeps its place when it gets its id")
    func promotion() throws {
        for text in ["a", "b", "c"] { try queue.create(Note(text: text)) }
        for id in ["1", "2"] { try queue.answer(#require(try queue.next()), status: 201, body: answer(id)) }
        #expect(try store.resources(Note.self).map(\.text) == ["1", "2", "c"])
        #expect(ids == ["1", "2", nil])
        try store.ingest(Note(id: "4", text: "d"))
        try queue.answer(#require(try queue.next()), status: 201, body: answer("3"))
        #expect(ids == ["1", "2", "3", "4"])
    }

    @Test("A draft keeps the place of its resource when it is committed")
    func draft() throws {
        try ingest(1...1)
        var draft = store.draft(new: Note(text: "new"))
        try draft.show()
        try ingest(3...3)
        try draft.commit(with: document(#"{"data":{"type":"notes","id":"2","attributes":{"text":"2"}}}"#))
        #expect(ids == ["1", "2", "3"])
    }

    @Test("A deleted resource is back in its place, whichever deletions are rolled back, and when")
    func deletions() throws {
        try ingest(1...5)
        let deletions = try ["2", "3", "4"].map { try #require(try queue.delete(note($0))) }
        try store.ingest(Note(id: "6", text: "6"))
        #expect(ids == ["1", "5", "6"])
        try queue.rollBack(deletions[1])
        #expect(ids == ["1", "3", "5", "6"])
        try queue.finish(deletions[0])
        try queue.rollBack(deletions[2])
        #expect(ids == ["1", "3", "4", "5", "6"])
        // A resource that arrives again is new.
        try store.ingest(Note(id: "2", text: "2"))
        #expect(ids == ["1", "3", "4", "5", "6", "2"])
    }

    @Test("A hidden resource is back in its place")
    func hidden() throws {
        try ingest(1...3)
        var deletion = try store.deletion(of: note("2"))
        try deletion.hide()
        try ingest(4...4)
        deletion.rollBack()
        #expect(ids == ["1", "2", "3", "4"])
    }

    @Test("A resource is back in its place if its deletion was queued in the transaction that gave it its id, or brought it back")
    func deletionInTransaction() throws {
        try queue.create(Note(text: "a"))
        try ingest(8...9)
        let creation = try #require(try queue.next())
        let first = try store.transaction { _ -> QueuedRequest? in
            try queue.answer(creation, status: 201, body: answer("7"))
            return try queue.delete(note("7"))
        }
        let second = try store.transaction { _ -> QueuedRequest? in
            try queue.rollBack(#require(first))
            return try queue.delete(note("7"))
        }
        #expect(ids == ["8", "9"])
        try queue.rollBack(#require(second))
        #expect(ids == ["7", "8", "9"])
    }

    @Test("A hidden resource is back in its place if it gets its id in the same transaction")
    func hiddenBeforePromotion() throws {
        let local = ResourceIdentifier(type: "notes", lid: "a")
        try store.ingest(ResourceObject(type: "notes", lid: "a", attributes: ["text": "a"]))
        try ingest(2...2)
        var deletion = try store.deletion(of: local)
        try deletion.hide()
        try store.transaction { _ in
            deletion.rollBack()
            _ = try store.promote(local, to: "1")
        }
        #expect(ids == ["1", "2"])
    }

    @Test("A resource that arrives again is the last one, also if a transaction has brought it back and undone that")
    func undonePlace() throws {
        try ingest(1...3)
        var deletion = try store.deletion(of: note("2"))
        try deletion.hide()
        try store.transaction { _ in
            #expect(throws: CancellationError.self) {
                try store.transaction { _ in
                    deletion.rollBack()
                    throw CancellationError()
                }
            }
            try ingest(2...2)
        }
        #expect(ids == ["1", "3", "2"])
    }
}
