import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Attributes that a model knows in part.
extension DataLossTests {
    private struct Venue: Resource, Equatable {
        static let type = "venues"
        var id: String
        var name: String
        var city: String?
        enum CodingKeys: String, CodingKey { case id, name, city = "attributes.place.city" }
    }
    struct WholeVenue: Resource, Equatable {
        static let type = "venues"
        var id: String
        var city: String?
        var place: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place" }
    }

    var venue: Data {
        Data(
            (#"{"data":{"type":"venues","id":"1","attributes":{"name":"N","place":{"city":"Oslo","zip":"0150","geo":{"lat":1}}}}}"#).utf8)
    }

    @Test("A patch of a part sends the whole attribute, or throws")
    func siblings() throws {
        let old = try JSONAPIDecoder().decode(Venue.self, from: venue)
        var new = old
        new.city = "Bergen"
        let failure = try #require(encodingFailure { _ = try encoder.encode(Patch(from: old, to: new)) })
        #expect(failure.pointer.description == "/data/attributes/place/city")
        #expect(failure.advice?.contains("RemainingMembers") == true && failure.advice?.contains("base") == true)
        #expect(!Patch(from: old, to: new).isEmpty)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: venue)
        let head = #"{"data":{"type":"venues","id":"1","attributes":{"place":"#
        #expect(
            try encoder.text(Patch(from: old, to: new, base: base))
                == head + #"{"city":"Bergen","zip":"0150","geo":{"lat":1}}}}}"#)
        new.city = nil
        #expect(
            try encoder.text(Patch(from: old, to: new, base: base))
                == head + #"{"city":null,"zip":"0150","geo":{"lat":1}}}}}"#)
        // Unchanged attributes are not sent.
        new = old
        new.name = "M"
        #expect(try encoder.text(Patch(from: old, to: new)) == #"{"data":{"type":"venues","id":"1","attributes":{"name":"M"}}}"#)
        // Setting an attribute explicitly replaces it.
        new.city = "Bergen"
        #expect(
            try encoder.text(Patch(from: old, to: new).set("place", ["city": "Bergen"]).omitting("name"))
                == head + #"{"city":"Bergen"}}}}"#)
    }

    @Test("RemainingMembers are sent with a changed member")
    func remainingMembers() throws {
        let old = try JSONAPIDecoder().decode(WholeVenue.self, from: venue)
        #expect(old.place.members["zip"] == "0150")
        let text = try encoder.text(old.patch { $0.city = "Bergen" })
        let place = try #require(JSON(parsing: Array(text.utf8))["data"]?["attributes"]?["place"])
        #expect(place == ["city": "Bergen", "zip": "0150", "geo": ["lat": 1]])
        #expect(old.patch { _ in }.isEmpty)
        // The whole document as well.
        let again = try JSONAPIDecoder().decode(WholeVenue.self, from: encoder.encode(old))
        #expect(again.place.members["zip"] == "0150" && again.city == "Oslo")
        let bare = try JSONAPIDecoder().decode(WholeVenue.self, from: Data(#"{"data":{"type":"venues","id":"1"}}"#.utf8))
        #expect(bare.place.members.isEmpty)
    }

    @Test("A value at a path is written into the attribute that another property writes")
    func partOfAnotherProperty() throws {
        struct Place: Codable, Sendable { var city: String }
        struct Shop: Resource {
            static let type = "venues"
            var id: String
            var place: Place
            var zip: String
            enum CodingKeys: String, CodingKey { case id, place, zip = "attributes.place.zip" }
        }
        let shop = Shop(id: "1", place: Place(city: "Oslo"), zip: "0150")
        #expect(
            try encoder.text(shop) == #"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150"}}}}"#)
        #expect(try JSONAPIDecoder().decode(Shop.self, from: encoder.encode(shop)).zip == "0150")
    }

    @Test("A base completes the members of a nested value")
    func nestedValues() throws {
        struct Place: Codable, Sendable, Equatable { var city: String, zip: String? }
        struct Site: Resource, Equatable {
            static let type = "venues"
            var id: String
            var place: Place
        }
        let old = try JSONAPIDecoder().decode(Site.self, from: venue)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: venue)
        var new = old
        new.place = Place(city: "Bergen", zip: nil)
        let text = try encoder.text(Patch(from: old, to: new, base: base))
        #expect(text == #"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Bergen","geo":{"lat":1}}}}}"#)
    }

    @Test("A default that the server never sent is not part of a patch with a base")
    func defaultsInside() throws {
        struct Place: Codable, Sendable, Equatable {
            var city: String
            var color = "red"

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                city = try container.decode(String.self, forKey: .city)
                color = try container.decodeIfPresent(String.self, forKey: .color) ?? "red"
            }
        }
        struct Site: Resource, Equatable {
            static let type = "venues"
            var id: String
            var place: Place
        }
        let old = try JSONAPIDecoder().decode(Site.self, from: venue)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: venue)
        var new = old
        new.place.city = "Bergen"
        let head = #"{"data":{"type":"venues","id":"1","attributes":{"place":"#
        #expect(
            try encoder.text(Patch(from: old, to: new, base: base)) == head + #"{"city":"Bergen","zip":"0150","geo":{"lat":1}}}}}"#)
        new.place.color = "blue"
        #expect(
            try encoder.text(Patch(from: old, to: new, base: base))
                == head + #"{"city":"Bergen","zip":"0150","geo":{"lat":1},"color":"blue"}}}}"#)
    }

    @Test("A base detects an incomplete embedded array")
    func arrayInPartWithBase() throws {
        let data = linking("5", "6", "7", included: [note("6")])
        let old = try omitting.decode(Essay.self, from: data)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: data)
        var new = old
        new.comments.append(Note(id: "8", body: ""))
        let failure = try #require(encodingFailure { _ = try encoder.encode(Patch(from: old, to: new, base: base)) })
        #expect(failure.kind == .missingLinkage && failure.pointer.description == "/data/relationships/comments")
        new.comments = old.comments
        new.title = "N"
        #expect(
            try encoder.text(Patch(from: old, to: new, base: base))
                == #"{"data":{"type":"articles","id":"1","attributes":{"title":"N"}}}"#)
        // With everything that was omitted, it is complete again.
        new.comments = ["5", "6", "7", "8"].map { Note(id: $0, body: "") }
        #expect(try encoder.text(Patch(from: old, to: new, base: base)).contains(#""id":"8""#))
    }

    @Test("ResourceFields cannot send a part of an attribute")
    func fields() throws {
        struct Changes: ResourceFields {
            static let type = "venues"
            var city: Field<String> = .absent
            enum CodingKeys: String, CodingKey { case city = "attributes.place.city" }
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch(id: "1", Changes(city: .value("B")))) } != nil)
        #expect(Patch(id: "1", Changes()).isEmpty)
        // The server has nothing of a new resource yet.
        #expect(try encoder.text(Create(Changes(city: .value("B")))).contains(#""place":{"city":"B"}"#))
    }
}
