import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The encoder recognizes names, types, and ids by their memory. The text must be the same as with a comparison of their contents.
@Suite struct KnownNamesTests {
    struct Card: DirectResource {
        static let type = "cards"
        var id: String
        var next: [Card] = []
        var last: Card? { next.last }

        init(_ id: String, next: [Card] = []) {
            self.id = id
            self.next = next
        }

        init(resource: ResourceView) throws {
            id = try resource.id()
            next = try resource.relationship("next")
        }

        func write(to resource: ResourceWriter) throws {
            try resource.relationship("next", next)
            try resource.relationship("last", last)
        }
    }

    /// The same text in different memory.
    private func elsewhere(_ text: String) -> String {
        var long = text + String(repeating: "-", count: 40)
        long.removeLast(40)
        return long
    }

    @Test(
        "Equal ids in different memory are one resource",
        arguments: ["7", "fifteen-bytes-x", "sixteen-bytes-xx", "c4ca37b7-f8ad-8aff-5424-e3deaf36a071", "é", "日本"])
    func ids(_ id: String) throws {
        let cards = Card("0", next: [Card(id), Card(elsewhere(id)), Card(id + "x"), Card(elsewhere(id + "x"))])
        let document = try JSON(parsing: JSONAPIEncoder().encode(cards))
        #expect(document["included"]?.array?.map { $0["id"]?.string } == [id, id + "x"])
        let linkage = document["data"]?["relationships"]?["next"]?["data"]?.array
        #expect(linkage?.map { $0["id"]?.string } == [id, id, id + "x", id + "x"])
        #expect(document["data"]?["relationships"]?["last"]?["data"] == ["type": "cards", "id": .string(id + "x")])
    }

    @Test("Primary resources with equal ids in different memory are not included", arguments: ["7", "sixteen-bytes-xx"])
    func primary(_ id: String) throws {
        let document = try JSON(parsing: JSONAPIEncoder().encode([Card(id), Card("0", next: [Card(elsewhere(id))])]))
        #expect(document["included"] == nil)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode([Card(id), Card(elsewhere(id))]) }
    }

    /// A model whose type is computed each time.
    struct Made: Resource {
        static var type: String { ["types", "that", "are", "long"].joined(separator: "-") }
        var id: Int
        var near: [Made] = []
    }

    @Test("Computed types and ids are compared by value")
    func types() throws {
        let made = Made(id: 1, near: (1...200).map { Made(id: $0 % 20) })
        let document = try JSON(parsing: JSONAPIEncoder(conflicts: .keepFirst).encode(made))
        #expect(document["included"]?.array?.count == 19)
        #expect(document["included"]?.array?.allSatisfy { $0["type"]?.string == Made.type } == true)
    }

    @Test("Long types are encoded unchanged", arguments: [1, 15, 16, 47, 48, 49, 100])
    func lengths(_ length: Int) throws {
        let type = String(repeating: "t", count: length)
        let cards = ["1", "2", "2", "1"].map { ResourceIdentifier(type: type, id: $0) }
        let article = ResourceObject(
            type: elsewhere(type), id: "0", relationships: ["cards": RelationshipObject(data: .many(cards))])
        let document = try JSON(parsing: JSONAPIEncoder().encode([article, ResourceObject(type: type, id: "3")]))
        #expect(document["data"]?.array?.map { ResourceObject(json: $0) } == [article, ResourceObject(type: type, id: "3")])
    }

    @Test("Many types and names are encoded unchanged")
    func many() throws {
        let objects = (0..<500).map { number in
            ResourceObject(
                type: "type\(number)", id: "\(number)",
                attributes: JSONObject(members: (0..<4).map { .init(name: "name\(number)x\($0)", value: .number(JSONNumber($0))) }))
        }
        let document = try JSON(parsing: JSONAPIEncoder().encode(objects))
        #expect(document["data"]?.array?.map { ResourceObject(json: $0) } == objects)
    }

    struct Wide: Resource, Equatable {
        static let type = "wide"
        var id: String
        var values: [String: Int]

        init(id: String, values: [String: Int]) {
            self.id = id
            self.values = values
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(String.self, forKey: Key("id"))
            values = [:]
            for key in container.allKeys where key.stringValue.hasPrefix("field") {
                values[key.stringValue] = try container.decode(Int.self, forKey: key)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: Key("id"))
            for (name, value) in values { try container.encode(value, forKey: Key(elsewhere: name)) }
        }

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(_ text: String) { stringValue = text }
            init(elsewhere text: String) {
                var long = text + String(repeating: "-", count: 40)
                long.removeLast(40)
                stringValue = long
            }
            init?(stringValue: String) { self.init(stringValue) }
            init?(intValue: Int) { nil }
        }
    }

    @Test("A temporary name is never confused with another", arguments: [1, 25, 26, 53, 54, 55, 56, 57, 100])
    func names(_ length: Int) throws {
        let names = (0..<400).map { "field" + String(repeating: "n", count: length) + "\($0)" }
        let wide = (0..<3).map { Wide(id: "\($0)", values: Dictionary(uniqueKeysWithValues: zip(names, $0..<(400 + $0)))) }
        #expect(try JSONAPIDecoder().decode([Wide].self, from: JSONAPIEncoder().encode(wide)) == wide)
    }
}

extension JSONAPIEncoder {
    fileprivate init(conflicts: ConflictPolicy) {
        self.init()
        conflictingResources = conflicts
    }
}
