import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport
import Testing

private enum Point: PathSource {
    typealias Value = Double
    static let path: MappingPath = "geo_point.lat_itude"
}

/// A path of one name, which a test chooses.
private enum ChosenName: PathSource {
    typealias Value = Int
    @TaskLocal static var name = ""
    static var path: MappingPath { MappingPath(segments: [name]) }
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

    @Test func everyNameIsFoundUnderTheNameThatFoundationGivesIt() throws {
        struct Holder: Decodable {
            @Nested<ChosenName> var value: Int
            @NestedIfPresent<ChosenName> var other: Int?
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let characters = ["a", "b", "B", "2", "_", "_", "-", ".", "'", "é", "e\u{301}", "ß", "ǆ", "İ", "日", "🙂", " ", "x"]
        var numbers = SeededRandom(seed: 11)
        var names = ["geo_x2y", "lat-long_deg-min", "_a_b_", "__", "a__b", "A_B", "user_id2name"]
        for _ in 0..<2000 * stress {
            names.append((1...Int.random(in: 1...8, using: &numbers)).map { _ in characters.randomElement(using: &numbers) ?? "" }.joined())
        }
        for name in names {
            let text = try JSONEncoder().encode(["value": [name: 1], "other": [name: 2]])
            ChosenName.$name.withValue(name) {
                let holder = try? decoder.decode(Holder.self, from: text)
                #expect(holder?.value == 1 && holder?.other == 2, "\(name)")
            }
        }
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
