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
    @Test("A wrapper prints as its value")
    func printed() {
        struct Tag {
            @LenientDouble var size: Double = 1.5
            @Default<Defaults.Empty> var names: [String] = ["a"]
            @EmptyAsNil var pages: Int? = nil
            @Lossy var suit: Suit? = .hearts
        }
        let text = "\(Tag())"
        #expect(text.hasPrefix(#"Tag(_size: 1.5, _names: ["a"], _pages: nil, _suit: Optional("#) && text.hasSuffix("Suit.hearts))"))
    }

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

    @Test func `a failure inside of many empty-as-nil values does not read the whole value at each of them`() throws {
        final class Node: Codable { @EmptyAsNil var next: Node? = nil }
        let elements = Array(repeating: "1", count: 100_000).joined(separator: ",")
        let start = String(repeating: #"{"next":"#, count: 100)
        let end = String(repeating: "}", count: 100)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Node.self, from: Data("\(start)[\(elements)]\(end)".utf8)) }
        for (value, isEmpty) in [("\"\"", true), ("[]", true), ("null", true), (#""x""#, false), ("[null]", false), ("0", false)] {
            let node = try? JSONDecoder().decode(Node.self, from: Data("{\"next\":\(value)}".utf8))
            #expect((node != nil) == isEmpty, "\(value)")
            guard let node else { continue }
            #expect(String(decoding: try JSONEncoder().encode(node), as: UTF8.self) == "{\"next\":\(value)}")
        }
        struct Count: Codable { @EmptyAsNil var number: Int? = nil }
        let count = try JSONDecoder().decode(Count.self, from: Data(#"{"number":{}}"#.utf8))
        #expect(String(decoding: try JSONEncoder().encode(count), as: UTF8.self) == #"{"number":{}}"#)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Count.self, from: Data(#"{"number":{"a_b":1}}"#.utf8)) }
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

    private enum ExactDecimal: ConversionSource { static var conversion: Conversion<JSON, Decimal> { .decimal } }

    private struct Order: Codable {
        @LossyArray var suits: [String]
        @Lossy var height: Int?
        @DecimalText var total: Decimal? = nil
        @Converted<ExactDecimal> var price: Decimal
    }

    @Test("Decimals and values that cannot be decoded keep their digits in Foundation's coders")
    func digitsInFoundationsCoders() throws {
        let text = #"""
            {"suits": [1234567890123.456789, "a"], "height": 0.12345678901234567891, "total": 1234567890123.456789,
              "price": 10000000000000000.01}
            """#
        let order = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
        #expect(order.suits == ["a"] && order.height == nil)
        #expect(order.total == Decimal(string: "1234567890123.456789") && order.price == Decimal(string: "10000000000000000.01"))
        #expect(try JSON(parsing: JSONEncoder().encode(order)) == JSON(parsing: text))
    }

    @Test(
        "A value that can be neither decoded nor kept is an error",
        arguments: [#"{"suits":[1e400,"a"],"price":1}"#, #"{"suits":[],"height":1e999,"price":1}"#])
    func valuesThatCannotBeKept(_ text: String) {
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Order.self, from: Data(text.utf8)) }
        guard case .dataCorrupted? = error else {
            Testing.Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A member of the wrong type is the error of its alternatives, and keyNotFound means that all of them are missing or null")
    func wrongAlternatives() {
        struct Page: Decodable {
            @Alternatives<Titles> var title: String
            var headline = Alias()
            var name = Alias()
        }
        func failure(_ text: String) -> DecodingError? {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Page.self, from: Data(text.utf8)) }
        }
        guard case .typeMismatch(_, let context)? = failure(#"{"title":null,"headline":5,"name":[]}"#) else {
            Testing.Issue.record("the wrong type was not reported")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["headline"])
        guard case .keyNotFound? = failure(#"{"title":null}"#) else {
            Testing.Issue.record("the missing members were not reported")
            return
        }
    }

    @Test("The error for missing alternatives has the place of the property and the nearest name, and lists all names")
    func missingAlternativesInAResource() throws {
        struct Page: Resource {
            static let type = "pages"
            var id: String
            var text: String
            @Alternatives<Titles> var title: String
            var headline = Alias()
            var name = Alias()
        }
        func error(_ attributes: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) -> DecodingError? {
            let text = #"{"data":{"type":"pages","id":"1","attributes":\#(attributes)}}"#
            return #expect(throws: DecodingError.self) { try decoder.decode(Page.self, from: Data(text.utf8)) }
        }
        let missing = error(#"{"text":"t","titel":"T"}"#)
        #expect(missing?.failure?.kind == .missingMember && missing?.failure?.advice?.contains("`titel`") == true)
        #expect(missing?.failure?.resource?.id == "1")
        guard case .keyNotFound(let key, let context)? = missing else {
            Testing.Issue.record("the missing members were not reported")
            return
        }
        #expect(key.stringValue == "title" && context.debugDescription.contains("`title`, `headline`, `name`"))
        let null = error(#"{"text":"t","title":null}"#)?.failure
        #expect(null?.kind == .unexpectedNull && null.map { "\($0.pointer)" } == "/data/attributes/title")

        var all = JSONAPIDecoder()
        all.problems = .all
        #expect(error(#"{"text":1,"titel":"T"}"#, all)?.failures.map(\.kind).count == 2)
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
