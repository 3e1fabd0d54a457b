import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@Suite("Empty forms of nil, and values that are written as they were read")
struct EmptyAsNilTests {
    private struct Address: Codable, Hashable {
        var city: String?
        @EmptyAsNil var since: Date? = nil
    }
    private struct Venue: Resource {
        static let type = "venues"
        var id: String
        @EmptyAsNil var name: String? = nil
        @EmptyAsNil var openedAt: Date? = nil
        @EmptyAsNil var address: Address? = nil
        @EmptyAsNil var sizes: [String: Int]? = nil
        @EmptyAsNil var count: Int? = nil
        @DecimalText var price: Decimal? = nil
        @DateFormatAsRead<DateLayouts.ISO8601> var closedAt: Date? = nil
    }
    /// The same with keys that are paths.
    private struct PlacedVenue: Resource {
        static let type = "venues"
        var id: String
        @EmptyAsNil var closedAt: Date? = nil
        @DecimalText var price: Decimal? = nil
        enum CodingKeys: String, CodingKey { case id, closedAt = "attributes.place.closedAt", price = "attributes.place.price" }
    }

    /// Writes its properties in a generic function, which does not know that they can be left out.
    private struct WrittenVenue: Resource {
        static let type = "venues"
        var id: String
        @EmptyAsNil var closedAt: Date? = nil
        @DecimalText var price: Decimal? = nil

        enum CodingKeys: String, CodingKey { case id, closedAt = "attributes.place.closedAt", price = "attributes.place.price" }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            func put<Value: Encodable>(_ value: Value, _ key: CodingKeys) throws { try container.encode(value, forKey: key) }
            try put(_closedAt, .closedAt)
            try put(_price, .price)
        }
    }

    @Test("A member that was missing at a path is left out")
    func missingAtPath() throws {
        let empty = Data(#"{"data":{"type":"venues","id":"1","attributes":{}}}"#.utf8)
        let missing = try JSONAPIDecoder().decode(WrittenVenue.self, from: empty)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(missing))["data"] == ["type": "venues", "id": "1"])
        for attributes in ["{}", #"{"place":{"closedAt":"","price":"1.50"}}"#] {
            let text = #"{"data":{"type":"venues","id":"1","attributes":\#(attributes)}}"#
            let venue = try JSONAPIDecoder().decode(PlacedVenue.self, from: Data(text.utf8))
            let written = try JSON(parsing: JSONAPIEncoder().encode(venue))
            #expect(written["data"]?["attributes"] ?? [:] == (try JSON(parsing: attributes)))
        }
    }

    private struct DirectVenue: DirectResource {
        static let type = "venues"
        var id: String
        @EmptyAsNil var openedAt: Date? = nil
        @DecimalText var price: Decimal? = nil

        init(resource: ResourceView) throws {
            id = try resource.id()
            _openedAt = try resource.attribute("openedAt")
            _price = try resource.attribute("price")
        }
        func write(to resource: ResourceWriter) throws {
            try resource.attribute("openedAt", _openedAt)
            try resource.attribute("price", _price)
        }
    }

    private static func text(_ attributes: String) -> Data {
        Data(#"{"data": {"type": "venues", "id": "1", "attributes": \#(attributes)}}"#.utf8)
    }

    private static func venue(_ attributes: String) throws -> Venue {
        try JSONAPIDecoder().decode(Venue.self, from: text(attributes))
    }

    private static func attributes(_ body: Data) throws -> JSON? { try JSON(parsing: body)["data"]?["attributes"] }

    @Test(
        "Each empty form is nil, and is written as it was read",
        arguments: [
            #"{"name": null, "openedAt": null, "address": null, "sizes": null, "count": null, "price": null, "closedAt": null}"#,
            #"{"name": "", "openedAt": "", "address": "", "sizes": "", "count": "", "price": "", "closedAt": ""}"#,
            #"{"name": [], "openedAt": [], "address": [], "sizes": [], "count": [], "price": [], "closedAt": []}"#,
            #"{"openedAt": {}, "count": {}, "price": {}, "closedAt": {}}"#, #"{"address": {"city": null, "since": ""}}"#, #"{"id": "x"}"#,
        ])
    func emptyForms(attributes: String) throws {
        let venue = try Self.venue(attributes)
        #expect(venue.openedAt == nil && venue.sizes == nil && venue.count == nil && venue.price == nil && venue.closedAt == nil)
        let json = try JSON(parsing: attributes)
        let expected = json.object?.filter { $0.name != "id" } ?? []
        let written = try Self.attributes(JSONAPIEncoder().encode(Document(venue)))
        // The member `city` of a plain struct is an ordinary optional.
        #expect(written?["address"]?["since"] == json["address"]?["since"])
        for member in expected where member.name != "address" || member.value["since"] == nil {
            #expect(written?[member.name] == member.value, "\(member.name)")
        }
        #expect(expected.isEmpty == (written == nil))
    }

    @Test("A direct initializer does the same", arguments: ["null", #""""#, "[]", "{}"])
    func direct(value: String) throws {
        let text = Self.text(#"{"openedAt": \#(value), "price": \#(value)}"#)
        let venue = try JSONAPIDecoder().decode(Document<DirectVenue>.self, from: text)
        #expect(venue.data.openedAt == nil && venue.data.price == nil)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(venue)) == JSON(parsing: text))
        let bare = try JSONAPIDecoder().decode(Document<DirectVenue>.self, from: Self.text("{}"))
        #expect(try Self.attributes(JSONAPIEncoder().encode(bare)) == nil)
    }

    @Test("Any other value of the wrong kind is an error", arguments: [#""soon""#, "[1]", #"{"a": 1}"#, "true"])
    func wrongValues(value: String) {
        for name in ["openedAt", "price", "closedAt", "count"] {
            #expect(throws: DecodingError.self, "\(name)") { try Self.venue(#"{"\#(name)": \#(value)}"#) }
        }
    }

    @Test(
        "A decimal number in a string keeps its digits", arguments: [("19.90", "19.9"), ("0.10", "0.1"), ("-5", "-5"), ("100.000", "100")])
    func decimals(text: String, value: String) throws {
        var venue = try Self.venue(#"{"price": "\#(text)", "closedAt": "2026-11-21T09:30:00"}"#)
        #expect(venue.price == Decimal(string: value))
        var written = try Self.attributes(JSONAPIEncoder().encode(Document(venue)))
        #expect(written == ["price": .string(text), "closedAt": "2026-11-21T09:30:00"])
        venue.price = Decimal(string: "7.25")
        written = try Self.attributes(JSONAPIEncoder().encode(Document(venue)))
        #expect(written?["price"] == "7.25")
    }

    @Test("Text that is not a JSON number is no decimal number", arguments: ["007", "1.2.3", "+1", " 1", "1,5", "v1"])
    func notDecimal(text: String) {
        #expect(throws: DecodingError.self) { try Self.venue(#"{"price": "\#(text)"}"#) }
    }

    @Test("A patch writes null for a property that becomes nil, and nothing for one that was empty")
    func patches() throws {
        let venue = try Self.venue(#"{"openedAt": "2026-11-21T09:30:00Z", "address": [], "price": "1.50", "count": null}"#)
        let patch = venue.patch {
            $0.openedAt = nil
            $0.price = nil
            $0.address?.city = "Oslo"
        }
        #expect(try Self.attributes(JSONAPIEncoder().encode(patch)) == ["openedAt": nil, "price": nil])
        let set = Patch<Venue>(id: "1").set(\.price, Decimal(string: "2.5"))
        #expect(try Self.attributes(JSONAPIEncoder().encode(set)) == ["price": "2.5"])
    }

    @Test("Other decoders and encoders do the same")
    func foundation() throws {
        let text = #"{"address":[],"count":null,"id":"1","name":"x","openedAt":"","price":"19.90"}"#
        let venue = try JSONDecoder().decode(Venue.self, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(venue), as: UTF8.self) == text)
    }
}
