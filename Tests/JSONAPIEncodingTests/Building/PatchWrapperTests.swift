import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Patches of properties with a wrapper that writes another form than that of the value.
@Suite struct PatchWrapperTests {
    enum Latitude: PathSource {
        typealias Value = Double
        static let path: MappingPath = "position.lat"
    }

    struct Place: Resource, Equatable {
        static let type = "places"
        var id: String
        var name: String
        @Nested<Latitude> var location: Double
        @NestedIfPresent<Latitude> var entrance: Double?
    }

    private let encoder = JSONAPIEncoder()
    private let text = Data(
        """
        {"data":{"type":"places","id":"1","attributes":{"name":"A","location":{"position":{"lat":1,"lon":2},"zip":"0150"},
        "entrance":{"position":{"lat":3,"lon":4}}}}}
        """.utf8)

    private func attributes(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }

    @Test("A nested value is a part of its attribute: the rest comes from the base, or the patch is an error")
    func nested() throws {
        let old = try JSONAPIDecoder().decode(Place.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        #expect(old.location == 1 && old.entrance == 3)
        var new = old
        new.location = 5
        #expect(throws: EncodingError.self) { try encoder.encode(Patch(from: old, to: new)) }
        #expect(
            try attributes(Patch(from: old, to: new, base: base))
                == ["location": ["position": ["lat": 5, "lon": 2], "zip": "0150"]])
        new = old
        new.entrance = nil
        #expect(throws: EncodingError.self) { try encoder.encode(Patch(from: old, to: new)) }
        #expect(try attributes(Patch(from: old, to: new, base: base)) == ["entrance": ["position": ["lat": nil, "lon": 4]]])
        new = old
        new.name = "B"
        #expect(try attributes(Patch(from: old, to: new)) == ["name": "B"])
        // A whole document has the same form as before.
        #expect(try JSONAPIDecoder().decode(Place.self, from: encoder.encode(old)) == old)
        #expect(try attributes(Create(old))?["location"] == ["position": ["lat": 1]])
    }

    struct Info: Codable, Sendable {
        var name: String
        @NestedIfPresent<Latitude> var geo: Double?
    }

    struct Venue: Resource {
        static let type = "venues"
        var id: String
        var info: Info
        var stops: [Info]?
    }

    struct Kept: Resource {
        static let type = "venues"
        var id: String
        var info: Info
        var rest: RemainingMembers

        enum CodingKeys: String, CodingKey { case id, info, rest = "attributes" }
    }

    @Test("Nil of a nested value inside another one keeps what the model does not know around it")
    func nestedInside() throws {
        func info(_ name: String, _ latitude: JSON) -> JSON {
            ["name": .string(name), "geo": ["position": ["lat": latitude, "lon": 2], "zip": "0150"]]
        }
        let object = ResourceObject(
            type: "venues", id: "1", attributes: ["info": info("A", 1), "stops": [info("B", 3), info("C", 4)]])
        let old = try JSONAPIDecoder().decode(Venue.self, from: encoder.encode(object))
        var new = old
        new.info.geo = nil
        #expect(try attributes(Patch(from: old, to: new, base: object)) == ["info": info("A", nil)])
        var later = new
        later.info.name = "N"
        #expect(try attributes(Patch(from: new, to: later, base: object)) == ["info": info("N", nil)])
        later.info.geo = 9
        #expect(try attributes(Patch(from: new, to: later, base: object)) == ["info": info("N", 9)])
        new = old
        new.stops?[1].geo = nil
        #expect(try attributes(Patch(from: old, to: new, base: object)) == ["stops": [info("B", 3), info("C", nil)]])
        // Without a base, and if the model knows everything, the member is removed.
        #expect(try attributes(Patch(from: old, to: new)) == ["stops": [["name": "B", "geo": ["position": ["lat": 3]]], ["name": "C"]]])
        let known = ResourceObject(type: "venues", id: "1", attributes: ["info": ["name": "A", "geo": ["position": ["lat": 1]], "x": 1]])
        var edited = try JSONAPIDecoder().decode(Venue.self, from: encoder.encode(known))
        let read = edited
        edited.info.geo = nil
        #expect(try attributes(Patch(from: read, to: edited, base: known)) == ["info": ["name": "A", "x": 1]])
        let kept = try JSONAPIDecoder().decode(Kept.self, from: encoder.encode(object))
        #expect(try attributes(kept.patch { $0.info.geo = nil }) == ["info": info("A", nil)])
    }

    struct Mapped: Resource {
        static let type = "places"
        var id: String
        @NestedIfPresent<Latitude> var location: Double?
        var rest: RemainingMembers

        enum CodingKeys: String, CodingKey { case id, location, rest = "attributes" }
    }

    @Test("Nil of a nested value keeps what remaining members have of its attribute", arguments: [nil, 1] as [JSON?])
    func nilBesideRemaining(latitude: JSON?) throws {
        var read: JSON = ["location": ["position": ["lon": 2], "zip": "0150"], "o": 1]
        let rest = read
        read["location"]?["position"]?["lat"] = latitude
        let object = ResourceObject(type: "places", id: "1", attributes: read.object)
        var place = try JSONAPIDecoder().decode(Mapped.self, from: encoder.encode(object))
        place.location = nil
        #expect(try JSON(parsing: encoder.encode(place))["data"]?["attributes"] == rest)
        #expect(try attributes(Create(place)) == rest)
        #expect(try attributes(place.patch { $0.location = 8 }) == ["location": ["position": ["lon": 2, "lat": 8], "zip": "0150"]])
    }

    @Test("A nested value set by key path is a part of its attribute, too")
    func keyPaths() throws {
        let old = try JSONAPIDecoder().decode(Place.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        #expect(throws: EncodingError.self) { try encoder.encode(Patch<Place>(id: "1").set(\.location, 5)) }
        let patch = Patch(from: old, to: old, base: base).set(\.location, 5).setNull(\.entrance)
        #expect(
            try attributes(patch) == [
                "location": ["position": ["lat": 5, "lon": 2], "zip": "0150"], "entrance": ["position": ["lat": nil, "lon": 4]],
            ])
    }

    @Test("A value that is converted is written by key path in its converted form")
    func converted() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            @DateFormat<DateLayouts.Day> var day: Date
        }
        #expect(try attributes(Patch<Event>(id: "1").set(\.day, Date(timeIntervalSince1970: 0))) == ["day": "1970-01-01"])
    }

    @Test("A value of which the model reads another form is not written by key path")
    func otherForm() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var day: Date
            var title: String

            enum CodingKeys: String, CodingKey { case id, day, title }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(String.self, forKey: .id)
                day = Date(timeIntervalSince1970: Double(try container.decode(Int.self, forKey: .day)) * 86_400)
                title = try container.decodeIfPresent(String.self, forKey: .title) ?? ""
            }
        }
        let failure = try #require(
            encodingFailure { _ = try encoder.encode(Patch<Event>(id: "1").set(\.day, Date(timeIntervalSince1970: 0))) })
        #expect(failure.advice?.contains("by its name") == true)
        #expect(try attributes(Patch<Event>(id: "1").set(\.title, "A")) == ["title": "A"])
    }
}
