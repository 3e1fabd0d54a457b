import Foundation
import JSONAPICodec
import Testing

/// Dictionaries whose keys are names in JSON, but not strings, and sets.
@Suite struct KeysOfDictionariesTests {
    enum Size: String, Codable, CodingKeyRepresentable { case small, large }

    struct Item: Resource {
        static let type = "items"
        var id: String
        var names: [Int: String]?
        var sizes: [Size: Int]?
        var tags: Set<String>?
        var lists: Set<[String]>?
    }

    private func item(_ attributes: String) throws -> Item {
        try JSONAPIDecoder().decode(Item.self, from: Data(#"{"data":{"type":"items","id":"1","attributes":{\#(attributes)}}}"#.utf8))
    }

    @Test("They are read and written as names")
    func values() throws {
        let item = try item(#""names":{"1":"a","2":"b"},"sizes":{"small":3}"#)
        #expect(item.names == [1: "a", 2: "b"] && item.sizes == [.small: 3])
        #expect(try JSONAPIDecoder().decode(Item.self, from: JSONAPIEncoder().encode(item)).names == item.names)
    }

    @Test("Two names for one key are an error, and not one lost value")
    func collisions() throws {
        let error = #expect(throws: DecodingError.self) { try item(#""names":{"1":"a","01":"b"}"#) }
        #expect(error?.failure?.kind == .duplicateName && error?.failure?.pointer == JSONPointer("data", "attributes", "names"))
    }

    @Test("Elements of a set that differ only in their bytes are an error, and not one lost value")
    func mergedElements() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        for attributes in [#""tags":["a","\#(composed)","\#(decomposed)"]"#, #""lists":[["\#(composed)"],["\#(decomposed)"]]"#] {
            let error = #expect(throws: DecodingError.self) { try item(attributes) }
            #expect(error?.failure?.kind == .invalidValue && error?.failure?.advice?.contains("array") == true)
        }
        #expect(try item(#""tags":["a","b","a"]"#).tags == ["a", "b"])
    }

    @Test("If a name occurs twice, the last member counts, as everywhere")
    func repeatedNames() throws {
        #expect(try item(#""names":{"1":"a","1":"b"}"#).names == [1: "b"])
    }
}
