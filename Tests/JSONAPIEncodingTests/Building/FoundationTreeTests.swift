import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("JSON and Foundation trees")
struct FoundationTreeTests {
    private struct Role: Codable, Equatable {
        var name: String
        var since: Date?
        var rank: Int
    }

    @Test("A tree of dictionaries is converted to JSON and back")
    func trees() throws {
        let tree: [String: Any] = [
            "a": 1, "b": true, "c": "é\n", "d": [1.5, NSNull(), ["x": false] as [String: Any]] as [Any], "e": [:] as [String: Any],
            "f": NSNumber(value: Int64.max), "g": "" as NSString,
        ]
        let json = try JSON(foundation: tree)
        let expected = #"{"a":1,"b":true,"c":"é\n","d":[1.5,null,{"x":false}],"e":{},"f":9223372036854775807,"g":""}"#
        #expect(json == (try JSON(parsing: expected)))
        #expect(try JSON(foundation: json.foundation) == json)
        let object = try #require(json.foundation as? [String: Any])
        #expect(object["a"] as? Int == 1 && object["b"] as? Bool == true && object["c"] as? String == "é\n")
    }

    @Test("Values that are not objects", arguments: ["null", "true", "0", "-1.25", #""text""#, "[]"])
    func fragments(text: String) throws {
        let json = try JSON(parsing: text)
        #expect(try JSON(foundation: json.foundation) == json)
    }

    @Test("Values that JSON cannot represent are errors")
    func refused() {
        for value in [Double.nan, Date(), Data(), [1: 2], ["x": Double.infinity]] as [Any] {
            #expect(throws: EncodingError.self) { try JSON(foundation: value) }
        }
    }

    @Test("JSON converts any Codable type, with the strategies of the coders")
    func types() throws {
        let role = Role(name: "editor", since: Date(timeIntervalSinceReferenceDate: 0), rank: 3)
        let json = try JSON(encoding: role)
        #expect(json == ["name": "editor", "since": "2001-01-01T00:00:00Z", "rank": 3])
        #expect(try json.decode(Role.self) == role)
        #expect(try JSON(encoding: [1, 2]).decode([Int].self) == [1, 2])
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(
            try JSON.object(["name": "x", "rank": 1, "since": 0]).decode(Role.self, by: decoder).since == Date(timeIntervalSince1970: 0))
        #expect(throws: DecodingError.self) { try json.decode([Int].self) }
    }

    @Test("The meta of an identifier is decoded as a type")
    func meta() throws {
        let identifier = try #require(
            ResourceIdentifier(members: ["type": "people", "id": "9", "meta": ["name": "editor", "rank": 2]]))
        #expect(try identifier.meta?.decode(Role.self) == Role(name: "editor", since: nil, rank: 2))
    }
}

@Suite("Optional references in a patch")
struct OptionalReferencePatchTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>?
    }

    private func body(_ old: ToOne<Person>?, _ new: ToOne<Person>?) throws -> JSON? {
        let patch = Patch(from: Article(id: "1", author: old), to: Article(id: "1", author: new))
        return try JSON(parsing: try JSONAPIEncoder().encode(patch))["data"]?["relationships"]?["author"]?["data"]
    }

    @Test("Nil clears a known reference, and omits an unknown one")
    func states() throws {
        let person: JSON = ["type": "people", "id": "9"]
        #expect(try body(ToOne(id: "9"), nil) == .null)
        #expect(try body(nil, nil) == nil)
        #expect(try body(.empty, nil) == nil)
        #expect(try body(.notLoaded, nil) == nil)
        #expect(try body(nil, .notLoaded) == nil)
        #expect(try body(nil, .empty) == .null)
        #expect(try body(nil, ToOne(id: "9")) == person)
        #expect(try body(ToOne(id: "9"), .notLoaded) == nil)
        #expect(try body(ToOne(id: "8"), ToOne(id: "9")) == person)
    }

    @Test("A raw relationship without data clears nothing")
    func raw() throws {
        let old = ResourceObject(
            type: "articles", id: "1", relationships: Relationships(members: ["author": ["data": ["type": "people", "id": "9"]]]))
        for relationship: JSON in [["links": ["self": "/a"]], [:]] {
            let new = ResourceObject(type: "articles", id: "1", relationships: Relationships(members: ["author": relationship]))
            #expect(try JSON(parsing: try JSONAPIEncoder().encode(Patch(from: old, to: new)))["data"]?["relationships"] == nil)
        }
    }
}
