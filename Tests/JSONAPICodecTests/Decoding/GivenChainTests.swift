import Foundation
import JSONAPICodec
import Testing

/// References that the program gives values are freed without recursion.
@Suite(.serialized) struct GivenChainTests {
    /// Counts its objects that are alive.
    private final class Life: Codable, Sendable, Equatable {
        static let count = Counter()
        init() { Life.count.add(1) }
        required convenience init(from decoder: any Decoder) throws { self.init() }
        func encode(to encoder: any Encoder) throws {}
        static func == (a: Life, b: Life) -> Bool { a === b }
        deinit { Life.count.add(-1) }
    }

    private final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0
        func add(_ change: Int) { lock.withLock { number += change } }
        var value: Int { lock.withLock { number } }
    }

    private struct Step: Resource {
        static let type = "steps"
        var id: Int
        var life = Life()
        var next: ToOne<Step> = .empty
        var others: ToMany<Step> = .notLoaded
    }

    private func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let thread = Foundation.Thread(block: body)
        thread.stackSize = 512 * 1024
        thread.start()
        while !thread.isFinished { Foundation.Thread.sleep(forTimeInterval: 0.005) }
    }

    @Test func chainsOfAnyLengthAreFreedOnASmallStack() {
        let before = Life.count.value
        onSmallStack {
            var last = Step(id: 0)
            for id in 1...20_000 { last = Step(id: id, next: ToOne(last)) }
            #expect(last.next.value?.id == 19_999)
            last = Step(id: 0)
            for id in 1...20_000 { last = Step(id: id, others: ToMany([last, Step(id: -id)])) }
            #expect(Life.count.value - before == 40_001)
        }
        #expect(Life.count.value == before)
    }

    /// Opens a container inside the last one until there is none.
    private struct Nest: Resource {
        static let type = "nests"
        var id: String
        var depth = 0

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            var list = try map.nestedUnkeyedContainer(forKey: .attributes("list"))
            while !list.isAtEnd {
                list = try list.nestedUnkeyedContainer()
                depth += 1
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test func containersInsideEachOtherAreFreedOnASmallStack() {
        onSmallStack {
            var decoder = JSONAPIDecoder()
            decoder.reading.maximumDepth = 1_000_000
            let list = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
            let text = Data(#"{"data":{"type":"nests","id":"1","attributes":{"list":\#(list)}}}"#.utf8)
            let nest = try? decoder.decode(Nest.self, from: text)
            #expect(nest?.depth == 19_999)
        }
    }

    @Test func whatIsSharedOutlivesTheChain() {
        let before = Life.count.value
        onSmallStack {
            var kept: [Step] = []
            var last = Step(id: 0)
            for id in 1...5_000 {
                last = Step(id: id, next: ToOne(last))
                if id % 1_000 == 0 { kept.append(last) }
            }
            last = Step(id: 0)
            #expect(kept.map { $0.next.value?.id } == [999, 1_999, 2_999, 3_999, 4_999])
            while !kept.isEmpty { kept.removeFirst() }
            #expect(Life.count.value - before == 1)
        }
        #expect(Life.count.value == before)
    }
}
