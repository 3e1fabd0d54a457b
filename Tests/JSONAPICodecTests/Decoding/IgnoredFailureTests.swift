import Foundation
import JSONAPICodec
import JSONMapping
import Testing

/// What a failure costs that nobody looks at, and what it says when somebody does.
@Suite struct IgnoredFailureTests {
    enum Kind: String, Codable, CaseIterable { case breakfast, lunch, dinner }

    struct Meals: Resource {
        static let type = "meals"
        var id: String
        @LossyArray var kinds: [Kind]
    }

    struct Meal: Resource {
        static let type = "meals"
        var id: String
        var kind: Kind
    }

    @Test("An enum's failure names the nearest raw value")
    func words() throws {
        let text = #"{"data":{"type":"meals","id":"1","attributes":{"kind":"diner"}}}"#
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Meal.self, from: Data(text.utf8)) }
        #expect(error?.failure?.advice?.contains("the nearest is `dinner`") == true)
        #expect(error?.failure?.expected == "a raw value of Kind: `breakfast`, `lunch`, `dinner`")
    }

    @Test("Values that a lossy array drops are dropped without words for them")
    func lossyArray() throws {
        let unknown = #""\#(String(repeating: "x", count: 100))""#
        let kinds = [String](repeating: unknown, count: 2000) + [#""lunch""#]
        let text = #"{"data":{"type":"meals","id":"1","attributes":{"kinds":[\#(kinds.joined(separator: ","))]}}}"#
        #expect(try JSONAPIDecoder().decode(Meals.self, from: Data(text.utf8)).kinds == [.lunch])
    }
}
