import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

/// Chains of resources that each embed the next one.
@Suite struct EmbeddedChainTests {
    private struct Part: Resource {
        static let type = "parts"
        var id: String
        var parts: [Part]?

        var depth: Int {
            var (depth, part) = (1, self)
            while let next = part.parts?.first { (depth, part) = (depth + 1, next) }
            return depth
        }
    }

    private func document(_ depth: Int, quote: String) -> Data {
        let parts = (0..<depth).map { number in
            let rest = "{\"parts\":{\"data\":[{\"type\":\"parts\",\"id\":\(quote)\(number + 1)\(quote)}]}}"
            let relationships = number + 1 < depth ? ",\"relationships\":" + rest : ""
            return "{\"type\":\"parts\",\"id\":\(quote)\(number)\(quote)\(relationships)}"
        }
        return Data("{\"data\":\(parts[0]),\"included\":[\(parts.dropFirst().joined(separator: ","))]}".utf8)
    }

    /// Returns the time to read a chain from a store.
    private func seconds(_ depth: Int, quote: String) throws -> Double {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.integerIDs]
        let store = ResourceStore(decoder: decoder)
        try store.ingest(decoder.decode(DocumentObject.self, from: document(depth, quote: quote)))
        return try processorSeconds {
            let part = try store.resource(Part.self, id: "0")
            #expect(part?.depth == depth)
        }
    }

    @Test("A chain is fetched at once, whether its ids are strings or integers", arguments: ["\"", ""])
    func chain(_ quote: String) throws {
        _ = try seconds(10, quote: quote)
        // A round for each part would take 100 times as long.
        let (short, long) = (try seconds(12, quote: quote), try seconds(120, quote: quote))
        #expect(long < 40 * short)
    }
}
