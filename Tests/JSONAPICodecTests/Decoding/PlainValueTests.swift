import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Values that are read outside a document: JSON trees, meta, and their limits and errors.
@Suite("Values outside documents")
struct PlainValueTests {
    struct Page: Decodable { var total: Int }

    @Test("Any limit of the depth is safe")
    func unlimitedDepth() throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = .max
        #expect(try JSON.number(1).decode(Int.self, by: decoder) == 1)
    }

    @Test("The limits are those of the value alone, and errors name them")
    func limits() throws {
        let value: JSON = [["abc", 12]]
        let limits: [(WritableKeyPath<JSONReadingOptions, Int>, Int)] = [
            (\.maximumBytes, 12), (\.maximumValues, 6), (\.maximumDepth, 2), (\.maximumStringLength, 3), (\.maximumNumberLength, 2),
        ]
        for (limit, size) in limits {
            var decoder = JSONAPIDecoder()
            decoder.reading[keyPath: limit] = size
            #expect(try value.decode(JSON.self, by: decoder) == value)
            decoder.reading[keyPath: limit] = size - 1
            let error = #expect(throws: DecodingError.self) { try value.decode(JSON.self, by: decoder) }
            #expect(error?.failure?.description.contains(" \(size - 1) ") == true, "\(String(describing: error))")
            decoder.reading[keyPath: limit] = .max
            #expect(try value.decode(JSON.self, by: decoder) == value)
        }
    }

    @Test("A repeated name is refused at its place inside the value")
    func repeatedName() throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.duplicateNames = .refuse
        let value = try JSON(parsing: Data(#"{"":{"a":1,"a":2}}"#.utf8))
        let error = #expect(throws: DecodingError.self) { try value.decode(JSON.self, by: decoder) }
        #expect(error?.failure?.pointer == JSONPointer(tokens: [""]))
    }

    @Test("An error names the place inside the value, and its words are complete")
    func errors() throws {
        let values: [(JSON, JSONPointer)] = [(["total": "x"] as JSON, JSONPointer("total")), ("x", JSONPointer())]
        for (value, pointer) in values {
            let error = #expect(throws: DecodingError.self) { try value.decode(Page.self) }
            #expect(error?.failure?.pointer == pointer)
            guard case .typeMismatch(_, let context)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(context.debugDescription == error?.failure?.description)
            #expect(context.debugDescription.contains("found a string"))
            #expect(context.codingPath.map(\.stringValue) == pointer.tokens)
        }
    }

    @Test("Meta of a deep document can be read")
    func deepMeta() throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 2000
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let text = Data(#"{"data":null,"meta":{"a":\#(deep)}}"#.utf8)
        let document = try decoder.decode(Document<ResourceObject?>.self, from: text)
        #expect(try document.meta(JSON.self)?["a"] != nil)
        #expect(try document.meta?["a"]?.decode(JSON.self, by: decoder) != nil)
    }

    @Test("A property that is called like a part of the resource is not silently nil")
    func partOfTheResource() {
        struct Note: Resource {
            static let type = "notes"
            var id: String
            var meta: JSON?
        }
        let text = Data(#"{"data":{"type":"notes","id":"1","meta":{"rank":3}}}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Note.self, from: text) }
        #expect(error?.failure?.advice != nil)
    }

    @Test("Names that are equal only in Swift do not replace each other in a dictionary")
    func equivalentNames() {
        struct Box: Resource {
            static let type = "boxes"
            var id: String
            var counts: [String: Int]
        }
        let text = Data("{\"data\":{\"type\":\"boxes\",\"id\":\"1\",\"attributes\":{\"counts\":{\"\u{E9}\":1,\"e\u{301}\":2}}}}".utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Box.self, from: text) }
        #expect(error?.failure?.advice?.contains("JSONObject") == true)
    }
}
