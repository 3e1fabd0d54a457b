import Foundation
import JSONAPICodec
import JSONAPIStore
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

    @Test("The time grows linearly with the number of requests")
    func growth() throws {
        let growth = try TimeGrowth(from: 100, seconds: seconds)
        #expect(growth.isLinear, "\(growth)")
    }
}
