import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport
import Testing

@Suite("Failures that a model catches")
struct SwallowedFailureTests {
    /// A list of numbers, each of which is tried as a string first.
    private struct Numbers: Resource {
        static let type = "things"
        var id: String
        var count = 0

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            let isBoxed = map.contains(.attributes("box"))
            var list = try map.nestedUnkeyedContainer(forKey: isBoxed ? .attributes("box", "list") : .attributes("list"))
            while !list.isAtEnd {
                if (try? list.decode(String.self)) == nil { _ = try list.decode(Int.self) }
                count += 1
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    /// With a walk for each failure, the lists took minutes.
    private func expectNumbers(in attributes: (_ list: String) -> String) throws {
        let count = TestEffort.count(200_000, debug: 50_000)
        let list = attributes("[\((0..<count).map(String.init).joined(separator: ","))]")
        let data = Data(#"{"data":{"type":"things","id":"1","attributes":{\#(list)}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Numbers.self, from: data).count == count)
    }

    @Test("Very many caught failures in one array take linear time")
    func swallowed() throws { try expectNumbers { #""list":\#($0)"# } }

    @Test("Caught failures below a path take linear time, whatever stands before them")
    func swallowedBelowAPath() throws {
        let before = (0..<50_000).map { "\"a\($0)\":1" }.joined(separator: ",")
        try expectNumbers { #"\#(before),"box":{"list":\#($0)}"# }
    }

    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        @Lossy var a: Int?
        @Lossy var b: Int?
        var next: [Node]?
    }

    private func onLargeStack(_ body: @escaping @Sendable () throws -> Double) throws -> Double {
        nonisolated(unsafe) var result = Result<Double, any Error>.success(0)
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            result = Result { try body() }
            isDone.signal()
        }
        thread.stackSize = 1 << 30
        thread.start()
        isDone.wait()
        return try result.get()
    }

    @Test("Caught failures in a chain of embedded resources take linear time")
    func swallowedInAChain() throws {
        let growth = try TimeGrowth(from: 250) { count in
            let nodes = (0..<count).map { number in
                let next = number + 1 < count ? #"{"type":"nodes","id":"\#(number + 1)"}"# : ""
                return #"{"type":"nodes","id":"\#(number)","attributes":{"a":"x","b":"x"},"relationships":{"next":{"data":[\#(next)]}}}"#
            }
            let text = #"{"data":\#(nodes[0]),"included":[\#(nodes.dropFirst().joined(separator: ","))]}"#
            return try onLargeStack { try processorSeconds { _ = try JSONAPIDecoder().decode(Node.self, from: Data(text.utf8)) } }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    struct Caught: Resource {
        static let type = "things"
        var id: String
        var error: DecodingError?

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            do { _ = try map.decode([Int].self, forKey: .attributes("list")) } catch let error as DecodingError { self.error = error }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("A failure that is kept still has its place after the text is released")
    func keptFailure() throws {
        var things: [Caught] = []
        for number in 0..<3 {
            let pad = String(repeating: " ", count: number * 10)
            things.append(
                try JSONAPIDecoder().decode(
                    Caught.self, from: Data(#"\#(pad){"data":{"type":"things","id":"\#(number)","attributes":{"list":[1,true]}}}"#.utf8)))
        }
        for (number, thing) in things.enumerated() {
            let failure = try #require(thing.error?.failure)
            #expect("\(failure.pointer)" == "/data/attributes/list/1" && failure.found == "a boolean")
            #expect(failure.resource?.id == "\(number)" && failure.expected == "an integer that fits Int")
        }
    }
}
