import Foundation
import JSONAPICodec
import JSONText
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
        let list = attributes("[\((0..<200_000).map(String.init).joined(separator: ","))]")
        let data = Data(#"{"data":{"type":"things","id":"1","attributes":{\#(list)}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Numbers.self, from: data).count == 200_000)
    }

    @Test("200,000 caught failures in one array take linear time")
    func swallowed() throws { try expectNumbers { #""list":\#($0)"# } }

    @Test("Caught failures below a path take linear time, whatever stands before them")
    func swallowedBelowAPath() throws {
        let before = (0..<50_000).map { "\"a\($0)\":1" }.joined(separator: ",")
        try expectNumbers { #"\#(before),"box":{"list":\#($0)}"# }
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
