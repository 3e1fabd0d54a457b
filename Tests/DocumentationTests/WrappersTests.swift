// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONMapping
import JSONText
import Testing

@Suite("The article Property wrappers for Codable models")
struct WrappersTests {
    enum Titles: AlternativeSource {
        typealias Value = String
        static let names = ["headline", "name"]
    }
    enum Latitude: PathSource {
        typealias Value = Double
        static let path: MappingPath = "position.lat"
    }
    enum Suit: String, Codable {
        case hearts, spades
    }
    struct Card: Codable {
        @Lossy var height: Int?                                   // nil if it cannot be decoded
        @LossyArray var suits: [Suit]                             // without elements that cannot be decoded
        @Default<Defaults.False> var isRead: Bool                 // false for a missing member and for null
        @LenientInt var count: Int                                // also decodes "42"
        @DateFormat<DateLayouts.Day> var born: Date               // 2031-05-09
        @Nested<Latitude> var place: Double                       // {"place": {"position": {"lat": 40.7}}}
        @NestedIfPresent<Latitude> var home: Double?              // nil if any member on the path is missing or null
        @Alternatives<Titles> var title: String                   // or the member headline, or name
        var headline = Alias(), name = Alias()                    // lets Codable know these members
        var note: Presence<String> = .absent                      // absent, null or a value
    }

    struct Money {
        var cents: Int
    }
    enum Cents: ConversionSource {
        static let conversion = Conversion<JSON, Int>.lenientInt.then(decode: { Money(cents: $0) }, encode: { $0.cents })
    }
    struct Order: Codable {
        @Converted<Cents> var total: Money
    }

    @Test("Wrappers in a Codable model")
    func wrappers() throws {
        let data = try #require(DocumentationPage.named("Wrappers").documents.first)
        let card = try JSONDecoder().decode(Card.self, from: data)
        #expect(card.height == nil && card.suits == [.hearts] && !card.isRead && card.count == 42)
        #expect(card.home == nil)
        #expect(card.place == 40.7 && card.title == "A name" && card.note == .null)
        #expect(card.born.timeIntervalSince1970 == 1_936_051_200)
        #expect(try JSONDecoder().decode(Order.self, from: Data(#"{"total": "1250"}"#.utf8)).total.cents == 1250)
    }
}
