import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

/// Chains of resources that each embed the next one.
@Suite struct EmbeddedChainTests {
    /// Counts how often a model is created.
    private final class Counter: @unchecked Sendable {
        static let key = CodingUserInfoKey(rawValue: "counter")
        var count = 0
    }

    private struct Part: Resource {
        static let type = "parts"
        var id: String
        var parts: [Part]?

        enum CodingKeys: String, CodingKey { case id, parts }

        init(from decoder: any Decoder) throws {
            if let key = Counter.key, let counter = decoder.userInfo[key] as? Counter { counter.count += 1 }
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            parts = try values.decodeIfPresent([Part].self, forKey: .parts)
        }

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

    @Test("A chain is fetched at once, whether its ids are strings or integers", arguments: ["\"", ""])
    func chain(_ quote: String) throws {
        let counter = Counter()
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.integerIDs]
        decoder.userInfo[try #require(Counter.key)] = counter
        let store = ResourceStore(decoder: decoder)
        try store.ingest(decoder.decode(DocumentObject.self, from: document(60, quote: quote)))
        #expect(try store.resource(Part.self, id: "0")?.depth == 60)
        // At most, the first part is created once before the others are known.
        #expect(counter.count <= 61)
    }
}
