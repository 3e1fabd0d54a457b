import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("Drafts and rolled back commits")
struct DraftOutcomeTests {
    private let store = ResourceStore()
    private struct Stop: Error {}

    init() throws {
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"One","subtitle":"Sub"}}"#))
    }

    private struct Note: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var subtitle: String?
        var author: ToOne<Person>?
    }

    @Test("After a commit, an earlier change by others is still a conflict")
    func conflictAfterCommit() throws {
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"subtitle":"Theirs"}}"#))
        try draft.commit()
        draft.value.subtitle = "Mine too"
        #expect(try draft.conflicts().map(\.description) == ["/attributes/subtitle"])
    }

    @Test("A draft keeps its edit if the transaction of its commit is rolled back")
    func rolledBack() throws {
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try draft.commit()
                #expect(try !draft.hasChanges())
                throw Stop()
            }
        }
        #expect(draft.original.title == "One")
        #expect(try draft.hasChanges())
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        #expect(try store.resource(Note.self, id: "1")?.title == "Mine")
    }

    @Test("A draft keeps its edit if a nested transaction of its commit is rolled back")
    func rolledBackStep() throws {
        var draft = try store.draft(Note.self, id: "1")
        try store.transaction { _ in
            draft.value.title = "First"
            try draft.commit()
            #expect(throws: Stop.self) {
                try store.transaction { _ in
                    draft.value.title = "Second"
                    try draft.commit()
                    throw Stop()
                }
            }
            #expect(draft.original.title == "First")
        }
        #expect(draft.original.title == "First" && draft.value.title == "Second")
        #expect(try store.resource(Note.self, id: "1")?.title == "First")
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        #expect(try store.resource(Note.self, id: "1")?.title == "Second")
    }

    @Test("A draft has its edit again if its request is rolled back, and can be corrected and queued again")
    func rolledBackRequest() throws {
        let queue = RequestQueue(store)
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        let request = try queue.update(&draft)
        #expect(try !draft.hasChanges())
        try queue.rollBack(try #require(request))
        #expect(draft.original.title == "One" && draft.value.title == "Mine")
        #expect(try draft.hasChanges() && draft.conflicts().isEmpty)
        draft.value.subtitle = "Corrected"
        let second = try queue.update(&draft)
        #expect(second?.document?.data.resources.first?.attributes == ["title": "Mine", "subtitle": "Corrected"])
        // A finished request is permanent.
        try queue.finish(try #require(second))
        #expect(draft.original.title == "Mine" && draft.original.subtitle == "Corrected")
        draft.value.title = "Later"
        let third = try queue.update(&draft)
        #expect(third?.document?.data.resources.first?.attributes == ["title": "Later"])
        try queue.rollBack(try #require(third))
        draft.rollBack()
        #expect(draft.value.title == "Mine" && draft.value.subtitle == "Corrected")
    }

    @Test("A draft has its edit again if the earlier one of its two requests is rolled back")
    func rolledBackFirstRequest() throws {
        let queue = RequestQueue(store)
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        let first = try queue.update(&draft)
        draft.value.subtitle = "Mine too"
        try queue.update(&draft)
        try queue.rollBack(try #require(first))
        // The store still shows the second edit, which is no conflict.
        #expect(try draft.hasChanges() && draft.conflicts().isEmpty)
        try queue.update(&draft)
        #expect(try store.resource(Note.self, id: "1")?.title == "Mine")
        #expect(try store.resource(Note.self, id: "1")?.subtitle == "Mine too")
        #expect(try !draft.hasChanges() && draft.conflicts().isEmpty)
    }

    @Test("A draft is committed if the transaction is rolled back that has rolled back its request", arguments: [false, true])
    func rolledBackRollback(isNested: Bool) throws {
        let queue = RequestQueue(store)
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        let update = try queue.update(&draft)
        let request = try #require(update)
        func rollBack() throws {
            try store.transaction { _ in
                try queue.rollBack(request)
                #expect(draft.original.title == "One")
                throw Stop()
            }
        }
        if isNested {
            store.transaction { _ in
                #expect(throws: Stop.self) { try rollBack() }
                #expect(draft.original.title == "Mine")
            }
        } else {
            #expect(throws: Stop.self) { try rollBack() }
        }
        #expect(draft.original.title == "Mine")
        #expect(try !draft.hasChanges())
        try queue.rollBack(request)
        #expect(try draft.hasChanges())
    }

    @Test("A store keeps nothing of a draft whose request does not reach the queue", arguments: 0..<3)
    func requestOfOneTransaction(step: Int) throws {
        let queue = RequestQueue(store)
        var draft = try store.draft(Note.self, id: "1")
        draft.value.title = "Mine"
        try? store.transaction { _ in
            let update = try queue.update(&draft)
            let request = try #require(update)
            switch step {
            case 0: try queue.finish(request)
            case 1: try queue.rollBack(request)
            default: throw Stop()
            }
        }
        let isForgotten = store.core.state.withLock { $0.outcomes.isEmpty }
        #expect(queue.isEmpty && isForgotten)
        #expect(draft.original.title == (step == 0 ? "Mine" : "One"))
        let second = try queue.update(&draft)
        #expect((second == nil) == (step == 0))
        let count = store.core.state.withLock { $0.outcomes.count }
        #expect(count == queue.count)
    }

    @Test("A draft's own change is not a conflict")
    func committed() throws {
        var draft = try store.draft(Note.self, id: "1")
        try store.transaction { _ in
            draft.value.title = "Mine"
            try draft.commit()
            draft.value.title = "Mine again"
            #expect(try draft.conflicts().isEmpty)
        }
        #expect(try draft.conflicts().isEmpty)
        try draft.commit()
        #expect(try store.resource(Note.self, id: "1")?.title == "Mine again")
        #expect(try !draft.hasChanges())
    }

    @Test("A hidden resource can be restored if the transaction of its deletion is rolled back", arguments: [false, true])
    func rolledBackDeletion(commits: Bool) throws {
        var deletion = try store.deletion(of: .article("1"))
        try deletion.hide()
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                if commits { deletion.commit() } else { deletion.rollBack() }
                throw Stop()
            }
        }
        #expect(store[.article("1")] == nil)
        deletion.rollBack()
        #expect(store[.article("1")]?[attribute: "title"] == "One")
        deletion.commit()
        deletion.rollBack()
        #expect(store[.article("1")] == nil)
    }

    @Test("A resource that was hidden in a rolled back transaction is not restored after others have removed it")
    func rolledBackHiding() throws {
        var deletion = try store.deletion(of: .article("1"))
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try deletion.hide()
                throw Stop()
            }
        }
        store.remove(.article("1"))
        deletion.rollBack()
        #expect(store[.article("1")] == nil)
    }

    @Test("A resource that has arrived while it was hidden, and whose deletion is queued since then, stays hidden")
    func hiddenAndQueued() throws {
        let queue = RequestQueue(store)
        var deletion = try store.deletion(of: .article("1"))
        try deletion.hide()
        try store.ingest(object(#"{"type":"articles","id":"1","attributes":{"title":"Theirs"}}"#))
        let request = try #require(try queue.delete(.article("1")))
        deletion.rollBack()
        #expect(store[.article("1")] == nil)
        try queue.rollBack(request)
        #expect(store[.article("1")]?.attributes == ["title": "Theirs"])
    }

    private struct Memo: Resource {
        static let type = "memos"
        var id: String?
        var text: String
    }

    @Test("A new resource has its lid again if the transaction of its commit is rolled back")
    func rolledBackCreation() throws {
        var draft = store.draft(new: Memo(text: "Milk"))
        try draft.show()
        let local = draft.identifier
        let answer = try document(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Milk"}}}"#)
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try draft.commit(with: answer)
                #expect(draft.identifier.id == "7")
                throw Stop()
            }
        }
        #expect(draft.identifier == local && local.lid != nil && draft.isShown)
        // The value still is that of the answer, but the request must not choose the server's id.
        let body = String(decoding: try JSONAPIEncoder().encode(draft.create), as: UTF8.self)
        #expect(body == #"{"data":{"type":"memos","lid":"\#(local.lid ?? "")","attributes":{"text":"Milk"}}}"#)
        try draft.commit(with: answer)
        #expect(draft.identifier.id == "7")
        #expect(store.identifiers(ofType: "memos") == [ResourceIdentifier(type: "memos", id: "7")])
    }

    @Test("A new resource is removed by rollBack if the transaction of its commit is rolled back, and not after a commit")
    func removedCreation() throws {
        var draft = store.draft(new: Memo(text: "Milk"))
        try draft.show()
        let answer = try document(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Milk"}}}"#)
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try draft.commit(with: answer)
                throw Stop()
            }
        }
        draft.rollBack()
        #expect(store.identifiers(ofType: "memos").isEmpty)
        try draft.show()
        try draft.commit(with: answer)
        draft.rollBack()
        #expect(store.identifiers(ofType: "memos") == [ResourceIdentifier(type: "memos", id: "7")])
    }

    @Test("A new resource that was shown before a rolled back step is removed by the rollback of its creation", arguments: 0..<4)
    func shownBefore(step: Int) throws {
        let queue = RequestQueue(store)
        let draft = store.draft(new: Memo(text: "Milk"))
        try draft.show()
        switch step {
        case 0:
            #expect(throws: Stop.self) {
                try store.transaction { _ in
                    try draft.show(); throw Stop()
                }
            }
        case 1:
            #expect(throws: Stop.self) {
                try store.transaction { _ in
                    draft.rollBack(); throw Stop()
                }
            }
        case 2:
            store.transaction { _ in
                try? store.transaction { _ in
                    try draft.show(); throw Stop()
                }
            }
        default:
            // A refused creation: the resource that it links to has no request yet.
            let other = store.draft(new: Linked(parent: ToOne(draft.identifier)))
            try other.show()
            #expect(throws: StoreError.self) { try queue.create(other) }
            try queue.create(draft)
            try queue.rollBack(try queue.create(other))
            #expect(store.identifiers(ofType: "linked").isEmpty)
            return
        }
        try queue.rollBack(try queue.create(draft))
        #expect(store.identifiers(ofType: "memos").isEmpty)
    }

    private struct Linked: Resource {
        static let type = "linked"
        var id: String?
        var parent: ToOne<Memo>
    }

    @Test("A hidden resource is restored after it was restored and hidden again in a rolled back transaction")
    func hiddenAgain() throws {
        var deletion = try store.deletion(of: .article("1"))
        try deletion.hide()
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                deletion.rollBack()
                try deletion.hide()
                throw Stop()
            }
        }
        deletion.rollBack()
        #expect(store[.article("1")]?[attribute: "title"] == "One")
    }

    @Test("A committed deletion stays after a second commit that is rolled back")
    func committedDeletion() throws {
        var deletion = try store.deletion(of: .article("1"))
        try deletion.hide()
        deletion.commit()
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                deletion.commit()
                throw Stop()
            }
        }
        deletion.rollBack()
        #expect(store[.article("1")] == nil)
    }

    @Test("A committed creation stays after a second commit that is rolled back")
    func committedCreation() throws {
        var draft = store.draft(new: Memo(text: "Milk"))
        try draft.commit(with: document(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Milk"}}}"#))
        #expect(throws: Stop.self) {
            try store.transaction { _ in
                try draft.commit(with: document(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Bread"}}}"#))
                throw Stop()
            }
        }
        draft.rollBack()
        #expect(store.identifiers(ofType: "memos") == [ResourceIdentifier(type: "memos", id: "7")])
    }

    @Test("An optional reference that is set to nil is sent as an empty relationship")
    func nilReference() throws {
        try store.ingest(
            object(#"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#))
        var draft = try store.draft(Note.self, id: "1")
        draft.value.author = nil
        #expect(try draft.hasChanges())
        let body = String(decoding: try JSONAPIEncoder().encode(draft.patch), as: UTF8.self)
        #expect(body == #"{"data":{"type":"articles","id":"1","relationships":{"author":{"data":null}}}}"#)
        try draft.commit()
        #expect(store[.article("1")]?[relationship: "author"]?.data == .null)
    }
}

@Suite("A write delivers only its own changes")
struct DeliveryTests {
    @Test("A write returns after its own changes are delivered, while others write")
    func bounded() throws {
        let store = ResourceStore()
        let told = Record<(id: String, thread: ObjectIdentifier)>()
        let first = ObjectIdentifier(Thread.current)
        let hasOthers = DispatchSemaphore(value: 0)
        let observation = store.observe(type: "people") { change in
            told.append((change.identifier.id ?? "", ObjectIdentifier(Thread.current)))
            // While this change is delivered, others write 500 more.
            if change.identifier.id == "mine" {
                Thread.detachNewThread {
                    for number in 0..<500 { _ = try? store.ingest(Person(id: "\(number)", name: "other")) }
                    hasOthers.signal()
                }
                hasOthers.wait()
            }
        }
        try store.ingest(Person(id: "mine", name: "mine"))
        #expect(told.elements.count { $0.thread == first } == 1)
        for _ in 0..<1000 where told.elements.count < 501 { Thread.sleep(forTimeInterval: 0.01) }
        withExtendedLifetime(observation) {}
        let written: [String] = (0..<500).map { "\($0)" }
        #expect(told.elements.map(\.id) == ["mine"] + written)
    }
}
