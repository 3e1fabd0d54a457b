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
