import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Keys that are paths of many names, which a client can choose if a model makes its keys from what it received.
@Suite struct LongPathTests {
    struct Record: Resource {
        static let type = "records"
        var id = "1"
        var names: [String]

        init(_ names: [String]) { self.names = names }
        init(from decoder: any Decoder) throws { names = [] }
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            for name in names { try map.encode(1, forKey: Key(name)) }
        }
    }

    struct Rest: Resource {
        static let type = "records"
        var id = "1"
        var name: String

        init(_ name: String) { self.name = name }
        init(from decoder: any Decoder) throws { name = "" }
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(RemainingMembers(["x": 1]), forKey: Key(name))
        }
    }

    private func path(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: ".") }

    @Test("A path that is too long is an error, whatever the maximum depth and the stack are", arguments: [129, 1000, 100_000])
    func tooLong(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var encoder = JSONAPIEncoder()
                encoder.maximumDepth = .max
                for group in ["attributes", "meta"] {
                    let failure = encodingFailure { _ = try encoder.encode(Record([group + "." + path(count - 1)])) }
                    #expect(failure?.kind == .nestingLimit && failure?.found == "more")
                    let rest = encodingFailure { _ = try encoder.encode(Rest(group + "." + path(count - 1))) }
                    #expect(group == "meta" || (rest?.kind == .nestingLimit && rest?.found == "more"))
                }
                continuation.resume()
            }
            thread.stackSize = 256 * 1024
            thread.start()
        }
    }

    @Test("Long paths are written as objects inside each other")
    func long() throws {
        let text = try JSONAPIEncoder().encode(Record(["attributes." + path(127), "attributes.b.c"]))
        var json = try JSON(parsing: text)["data"]?["attributes"]
        #expect(json?["b"] == ["c": 1])
        for _ in 0..<127 { json = json?["a"] }
        #expect(json == 1)
    }
}
