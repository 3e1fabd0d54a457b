import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

private enum Point: PathSource {
    typealias Value = Double
    static let path: MappingPath = "geo_point.lat_itude"
}

/// The key strategies of Foundation's coders rename properties, not what is inside of JSON.
@Suite struct KeyStrategyCoderTests {
    private struct Place: Codable, Equatable {
        var placeName = ""
        var rawData = JSON.null
        var moreData: JSONObject = [:]
        @Nested<Point> var firstPoint: Double
        @NestedIfPresent<Point> var lastPoint: Double?
    }

    private let text = """
        {"first_point":{"geo_point":{"lat_itude":1.5}},"last_point":{"geo_point":{"lat_itude":2.5}},"more_data":{"snake_case":1},\
        "place_name":"a","raw_data":[{"camelCase":{"_snake_case_":1},"snake_case":2}]}
        """

    @Test func namesInsideJSONAreKept() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let place = try decoder.decode(Place.self, from: Data(text.utf8))
        #expect(place.rawData == [["camelCase": ["_snake_case_": 1], "snake_case": 2]])
        #expect(place.moreData == ["snake_case": 1] && place.firstPoint == 1.5 && place.lastPoint == 2.5)
        #expect(String(decoding: try encoder.encode(place), as: UTF8.self) == text)
    }

    @Test func withoutAStrategyNamesAreUnchanged() throws {
        let place = Place(placeName: "b", rawData: ["aB": ["c_d": 1]], firstPoint: 3, lastPoint: nil)
        let data = try JSONEncoder().encode(place)
        #expect(try JSONDecoder().decode(Place.self, from: data) == place)
        #expect(try JSON(parsing: data)["firstPoint"] == ["geo_point": ["lat_itude": 3]])
    }

    @Test func aPathFindsOnlyItsOwnNamesInAResource() throws {
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            @NestedIfPresent<Point> var place: Double?
        }
        func place(_ attributes: String) throws -> Double? {
            let text = #"{"data":{"type":"spots","id":"1","attributes":\#(attributes)}}"#
            let spot = try JSONAPIDecoder().decode(Spot.self, from: Data(text.utf8))
            return spot.place
        }
        #expect(try place(#"{"place":{"geo_point":{"lat_itude":5}}}"#) == 5)
        #expect(try place(#"{"place":{"geoPoint":{"lat_itude":5}}}"#) == nil)
        #expect(try place(#"{"place":{"geo_point":{"latItude":5}}}"#) == nil)
    }

    @Test(arguments: [
        "{}", #"{"place":null}"#, #"{"place":{}}"#, #"{"place":{"geo_point":null}}"#, #"{"place":{"geo_point":{}}}"#,
        #"{"place":{"geo_point":{"lat_itude":null}}}"#,
    ])
    func nestedIfPresentIsNilIfAnyMemberIsMissing(_ text: String) throws {
        struct Holder: Codable { @NestedIfPresent<Point> var place: Double? }
        let holder = try JSONDecoder().decode(Holder.self, from: Data(text.utf8))
        #expect(holder.place == nil)
        #expect(String(decoding: try JSONEncoder().encode(holder), as: UTF8.self) == "{}")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Holder.self, from: Data(#"{"place":{"geo_point":3}}"#.utf8)) }
    }
}
