import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

private enum Suit: String, Codable { case hearts, spades }

private enum Titles: AlternativeSource {
    typealias Value = String
    static let names = ["headline", "name"]
}

private enum OptionalTitles: AlternativeSource {
    typealias Value = String?
    static let names = ["headline"]
}

private enum Latitude: PathSource {
    typealias Value = Double
    static let path: MappingPath = "position.lat"
}

private struct Card: Codable, Equatable {
    var id = "1"
    @Lossy var height: Int?
    @LossyArray var suits: [Suit]
    @LossyDictionary var counts: [String: Int]
    @Default<Defaults.False> var isRead: Bool
    @Default<Defaults.Empty> var tags: [String]
    @LenientInt var count: Int
    @DateFormat<DateLayouts.Day> var born: Date
    @DateFormatIfPresent<DateLayouts.Day> var died: Date?
    @Alternatives<Titles> var title: String
    var headline = Alias()
    var name = Alias()
    @Nested<Latitude> var place: Double
    var note: Presence<String> = .absent
}

extension Card: Resource {
    static let type = "cards"
}

@Suite struct WrapperTests {
    @Test(arguments: ["{}", #"{"title":null}"#, #"{"headline":null}"#, #"{"headline":"h"}"#, #"{"title":"t","headline":1}"#])
    func optionalAlternativesAreNilIfAllMembersAreMissing(_ text: String) throws {
        struct Page: Codable {
            @Alternatives<OptionalTitles> var title: String?
            var headline = Alias()
        }
        let page = try JSONDecoder().decode(Page.self, from: Data(text.utf8))
        #expect(page.title == (text.contains("\"h\"") ? "h" : text.contains("\"t\"") ? "t" : nil))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Page.self, from: Data(#"{"title":1}"#.utf8)) }
    }

    private let members = """
        "height": "tall", "suits": ["hearts", "cups", 3], "counts": {"a": 1, "b": "x"}, "count": " 42 ", "born": "1970-01-02",
        "title": 7, "name": "A name", "place": {"position": {"lat": 40.7}}, "tags": null, "note": null
        """

    private func check(_ card: Card) {
        #expect(card.height == nil)
        #expect(card.suits == [.hearts])
        #expect(card.counts == ["a": 1])
        #expect(!card.isRead)
        #expect(card.tags == [])
        #expect(card.count == 42)
        #expect(card.born == Date(timeIntervalSince1970: 86400))
        #expect(card.died == nil)
        #expect(card.title == "A name")
        #expect(card.place == 40.7)
        #expect(card.note == .null)
    }

    @Test func wrappersWorkWithJSONDecoder() throws {
        check(try JSONDecoder().decode(Card.self, from: Data("{\"id\": \"1\", \(members)}".utf8)))
    }

    @Test func wrappersWorkInAttributesOfAResource() throws {
        let text = "{\"data\": {\"type\": \"cards\", \"id\": \"1\", \"attributes\": {\(members)}}}"
        check(try JSONAPIDecoder().decode(Card.self, from: Data(text.utf8)))
    }

    @Test func encodedValuesDecodeEqual() throws {
        let card = try JSONDecoder().decode(Card.self, from: Data("{\"id\": \"1\", \(members)}".utf8))
        let data = try JSONEncoder().encode(card)
        #expect(try JSONDecoder().decode(Card.self, from: data) == card)
        let json = try JSON(parsing: data)
        #expect(json["born"] == "1970-01-02")
        #expect(json["place"] == ["position": ["lat": 40.7]])
        #expect(json["title"] == "A name")
        for name in ["died", "headline", "name"] { #expect(json[name] == nil, "\(name)") }
        #expect(json["height"] == "tall" && json["suits"] == ["hearts", "cups", 3] && json["counts"] == ["a": 1, "b": "x"])
        #expect(json["note"] == .some(.null))
    }

    @Test(arguments: ["\"x\"", "null", "[]"]) func aFailedConversionIsADecodingErrorWithItsReason(_ value: String) throws {
        struct Counter: Decodable { @LenientInt var count: Int }
        do {
            _ = try JSONDecoder().decode(Counter.self, from: Data("{\"count\": \(value)}".utf8))
            Testing.Issue.record("it was read")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.codingPath.map(\.stringValue) == ["count"])
            #expect((context.underlyingError as? ValidationError)?.issues.count == 1)
        }
    }

    @Test func aMissingMemberOfAConvertedValueIsAnError() {
        struct Counter: Decodable { @LenientInt var count: Int }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Counter.self, from: Data("{}".utf8)) }
    }

    @Test func aFailedConversionDescribesItsFirstTenIssues() throws {
        enum Numbers: ConversionSource { static var conversion: Conversion<JSON, [Int]> { .list(.int) } }
        struct Counter: Decodable { @Converted<Numbers> var counts: [Int] }
        let texts = (0..<12).map { _ in "\"x\"" }.joined(separator: ",")
        do {
            _ = try JSONDecoder().decode(Counter.self, from: Data("{\"counts\": [\(texts)]}".utf8))
            Testing.Issue.record("it was read")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription.contains("/9: ") && !context.debugDescription.contains("/10: "))
            #expect(context.debugDescription.hasSuffix("; and 2 more"))
            #expect((context.underlyingError as? ValidationError)?.issues.count == 12)
        }
    }

    @Test func aValueForWhichAConversionReturnsNilIsNil() throws {
        enum Count: ConversionSource { static var conversion: Conversion<JSON, Int> { Conversion<JSON, Int>.lenientInt.lossy } }
        struct Counts: Codable {
            @ConvertedIfPresent<Count> var one: Int?
            @ConvertedAsRead<Count> var other: Int? = nil
        }
        let counts = try JSONDecoder().decode(Counts.self, from: Data(#"{"one": "many", "other": "many"}"#.utf8))
        #expect(counts.one == nil && counts.other == nil)
        #expect(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self) == #"{"other":"many"}"#)
        struct Counter: Decodable { @Converted<Count> var count: Int }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Counter.self, from: Data(#"{"count": "many"}"#.utf8)) }
    }

    @Test func whatAThrowingCallHasSetInAnEmptyPropertyIsWritten() throws {
        struct Venue: Codable { @EmptyAsNil var seats: Int? = nil }
        func setAndThrow(_ seats: inout Int?) throws {
            seats = 3
            throw CancellationError()
        }
        var venue = try JSONDecoder().decode(Venue.self, from: Data(#"{"seats":""}"#.utf8))
        #expect(throws: CancellationError.self) { try setAndThrow(&venue.seats) }
        #expect(venue.seats == 3)
        #expect(String(decoding: try JSONEncoder().encode(venue), as: UTF8.self) == #"{"seats":3}"#)
    }

    @Test("Wrappers that remember what they read are equal when their values are equal")
    func equalityOfWrappers() throws {
        struct Order: Codable, Hashable {
            @DecimalText var total: Decimal? = nil
            @EmptyAsNil var note: Int? = nil
        }
        func order(_ text: String) throws -> Order { try JSONDecoder().decode(Order.self, from: Data(text.utf8)) }
        let orders = Set(try [#"{"total":"19.90","note":""}"#, #"{"total":"19.9","note":null}"#, #"{"total":"19.9"}"#].map(order))
        #expect(orders.count == 1)
    }
}
