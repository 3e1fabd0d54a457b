import Foundation
import JSONAPICodec
@testable import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite("A long queue")
struct LargeQueueTests {
    /// The time to queue, read, and send `count` requests, each with its own store.
    private func seconds(_ count: Int) throws -> Double {
        let store = ResourceStore()
        let people = (0..<count).map { Person(id: "\($0)", name: "Old") }
        try store.ingest(people)
        let queue = RequestQueue(store)
        return try processorSeconds {
            try store.transaction { _ in
                for number in 0..<count {
                    try queue.update(Patch<Person>(id: "\(number)").set("name", "New"))
                    if number % 10 == 0 { try queue.create(Note(id: "n\(number)", text: "New")) }
                }
            }
            try store.ingest(people)
            while let request = try queue.next() { try queue.answer(request, status: 204) }
            #expect(queue.isEmpty)
        }
    }

    @Test("A store that never had a file does not remember the requests that have left the queue")
    func endedRequests() throws {
        let store = ResourceStore()
        let queue = RequestQueue(store)
        try store.ingest(Person(id: "1", name: "Old"))
        let request = try #require(try queue.update(Patch<Person>(id: "1").set("name", "New")))
        try queue.finish(request)
        #expect(queue.isEmpty && store.core.state.withLock { $0.endedRequests.isEmpty })
    }

    @Test("Deleting resources whose creation is queued takes linear time")
    func deletedCreations() throws {
        let growth = try TimeGrowth(from: 100) { count in
            let queue = RequestQueue(ResourceStore())
            let created = try (0..<count).map { try queue.create(Note(text: "\($0)")).target }
            return try processorSeconds {
                for identifier in created { _ = try queue.delete(identifier) }
                #expect(queue.isEmpty)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Answering the requests about one resource takes linear time")
    func requestsAboutOneResource() throws {
        let growth = try TimeGrowth(from: 50) { count in
            let store = ResourceStore()
            let queue = RequestQueue(store)
            try store.ingest(Person(id: "1", name: "Old"))
            for number in 0..<count { try queue.update(Patch<Person>(id: "1").set("name", "\(number)")) }
            return try processorSeconds {
                while let request = try queue.next() { try queue.answer(request, status: 204) }
                #expect(queue.isEmpty)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Answering creations takes linear time, whatever else the store and the queue have")
    func answeredCreations() throws {
        let growth = try TimeGrowth(from: 50) { count in
            let store = ResourceStore()
            let queue = RequestQueue(store)
            // The texts of these are 80 times as long as those of the new resources.
            let name = String(repeating: "n", count: 4000)
            try store.ingest((0..<count).map { Person(id: "\($0)", name: name) })
            try store.transaction { _ in
                for number in 0..<count { try queue.create(Note(text: "\(number)")) }
                for number in 0..<count { try queue.update(Patch<Person>(id: "\(number)").set("name", "New")) }
            }
            return try processorSeconds {
                for number in 0..<count {
                    let creation = try #require(try queue.next())
                    try queue.finish(creation, with: DocumentObject(data: .one(ResourceObject(type: "notes", id: "\(number)"))))
                }
                #expect(queue.count == count && store.count(ofType: "notes") == count)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Undoing a change of many attributes, and adding many members to a relationship, take linear time")
    func longEdits() throws {
        let growth = try TimeGrowth(from: 500) { count in
            let store = ResourceStore()
            let queue = RequestQueue(store)
            let members = (0..<count).map { ResourceIdentifier(type: "articles", id: "\($0)") }
            var person = ResourceObject(type: "people", id: "1")
            person[relationship: "articles"] = RelationshipObject(data: .many(members))
            try store.ingest(person)
            let names = (0..<count).map { "name\($0)" }
            let patch = names.reduce(Patch<ResourceObject>(ResourceIdentifier(type: "people", id: "1"))) { $0.set($1, 1) }
            let others = (0..<count).map { ResourceIdentifier(type: "articles", id: "new\($0)") }
            return try processorSeconds {
                let undo = try store.apply(patch)
                try store.apply(undo)
                #expect(store[person.identifier!] == person)
                try queue.add(others, to: "articles", of: person.identifier!)
                try queue.remove(members, from: "articles", of: person.identifier!)
                #expect(store[person.identifier!]?[relationship: "articles"]?.data == .many(others))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Hiding a resource and restoring it many times in one transaction takes linear time")
    func stepsOfADraft() throws {
        let growth = try TimeGrowth(from: 1000) { count in
            let store = ResourceStore()
            try store.ingest(Person(id: "1", name: "Ann"))
            var deletion = try store.deletion(of: .person("1"))
            return try processorSeconds {
                try store.transaction { _ in
                    for _ in 0..<count {
                        try deletion.hide()
                        deletion.rollBack()
                    }
                }
                #expect(store.contains(.person("1")))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test func `a creation with many dependent requests is rolled back as a whole`() throws {
        let store = ResourceStore()
        let queue = RequestQueue(store)
        try store.ingest(document(#"{"data":{"type":"lists","id":"1","attributes":{"n":0},"relationships":{"notes":{"data":[]}}}}"#))
        let list = ResourceIdentifier(type: "lists", id: "1")
        let before = store[list]
        let creation = try queue.create(Note(text: "0"))
        var (needing, others) = ([creation.id], [QueuedRequest.ID]())
        for number in 1...200 {
            let update = try queue.update(Patch<Note>(creation.target).set("text", "\(number)"))
            needing.append(try #require(update).id)
            needing.append(try queue.add([creation.target], to: "notes", of: list).id)
            let other = try queue.update(Patch<ResourceObject>(list).set("n", number))
            others.append(try #require(other).id)
        }
        #expect(try queue.rollBack(creation).map(\.id) == needing.reversed())
        #expect(store.identifiers == [list] && store[list]?[relationship: "notes"] == before?[relationship: "notes"])
        #expect(queue.requests.map(\.id) == others && store[list]?[attribute: "n"] == 200)
        for request in queue.requests.reversed() { try queue.rollBack(request) }
        #expect(store[list] == before && queue.isEmpty)
    }

    @Test("The time grows linearly with the number of requests")
    func growth() throws {
        let growth = try TimeGrowth(from: 100, seconds: seconds)
        #expect(growth.isLinear, "\(growth)")
    }
}
