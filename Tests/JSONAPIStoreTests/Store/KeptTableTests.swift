import Foundation
import JSONAPIArchive
import JSONAPICodec
import TestSupport
import Testing

@testable import JSONAPIStore

@Suite("The requests and values of a store")
struct KeptTableTests {
    private typealias Change = (key: StoreKey, change: PendingChange<KeptValue>)

    /// Returns changes that add a request for each number, all about one resource, or remove it.
    private func changes(_ numbers: some Sequence<Int>, _ ids: [UUID], isRemoval: Bool = false) throws -> [Change] {
        try numbers.map { number in
            let key = RequestKey(number: Int64(number), id: ids[number])
            let request = QueuedRequest(key, .delete, .article("1"), document: nil, entityTag: nil)
            let change: PendingChange<KeptValue> = isRemoval ? .remove : .put(try KeptValue(request))
            return (key: StoreKey.request(key), change: change)
        }
    }

    private func newIDs(_ count: Int) -> [UUID] { (0..<count).map { _ in UUID() } }

    @Test("Requests are in order, in whatever order and in however many commits they were added and removed")
    func order() throws {
        let ids = newIDs(100)
        let one = try #require(StoredIdentity(.article("1")))
        var table = KeptTable()
        var commit = 0
        /// Returns how many of the changes were necessary.
        func apply(_ changes: [Change]) -> Int {
            commit += 1
            return table.apply(changes, commit: commit).count
        }
        func expect(_ numbers: [Int]) {
            #expect(table.requests.map { Int($0.key.number) } == numbers)
            #expect(table.places.about(one).map { Int($0.number) } == numbers)
        }
        var count = apply(try changes((50..<100).shuffled(), ids))
        #expect(count == 50)
        count = apply(try changes((0..<60).shuffled(), ids))
        #expect(count == 50)
        expect(Array(0..<100))
        let even = Array(stride(from: 0, to: 100, by: 2))
        count = apply(try changes(even.shuffled(), ids, isRemoval: true))
        #expect(count == 50)
        expect(even.map { $0 + 1 })
        // Added and removed at once.
        let mixed = try changes([0, 50, 98], ids) + changes([1, 51, 99], ids, isRemoval: true)
        count = apply(mixed.shuffled())
        #expect(count == 6)
        expect(even.map { [0, 50, 98].contains($0) ? $0 : $0 + 1 })
        count = apply(try changes(even, ids, isRemoval: true))
        #expect(count == 3)
        count = apply(try changes([3], ids, isRemoval: true))
        #expect(count == 1)
        expect(even.map { $0 + 1 }.filter { ![1, 3, 51, 99].contains($0) })
        count = apply([])
        #expect(count == 0 && table.lastChange == 6 && table.requestVersion == 6)
    }

    @Test("Adding and removing many requests in one commit takes linear time")
    func manyRequests() throws {
        let growth = try TimeGrowth(from: 2000) { count in
            let ids = newIDs(count)
            let added = try changes((0..<count).shuffled(), ids)
            let removed = try changes((0..<count).shuffled(), ids, isRemoval: true)
            var table = KeptTable()
            return processorSeconds {
                _ = table.apply(added, commit: 1)
                #expect(table.requests.count == count)
                _ = table.apply(removed, commit: 2)
                #expect(table.requests.isEmpty)
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
