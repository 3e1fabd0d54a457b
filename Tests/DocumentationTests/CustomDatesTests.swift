// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

enum GermanDay: DateLayoutSource {
    static let layout: DateLayout = "dd.MM.yyyy"
}

@Suite("The article Custom date forms")
struct CustomDatesTests {
    private let data: Data
    private let moment = Date(timeIntervalSince1970: 1_936_078_200)

    init() throws { data = try #require(DocumentationPage.named("CustomDates").documents.first) }

    @Test("A layout for all dates")
    func layouts() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var title: String
            var startsAt: Date
        }

        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .layout("dd.MM.yyyy HH:mm")
        let event = try decoder.decode(Event.self, from: data)

        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = .layout("dd.MM.yyyy HH:mm")
        let body = try encoder.encode(event)
        #expect(event.startsAt == moment)
        #expect(try JSON(parsing: body)["data"]?["attributes"]?["startsAt"] == "09.05.2031 07:30")
    }

    @Test("ISO 8601 without a zone, seconds, or a time")
    func relaxed() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var day: Date
        }
        var relaxed = JSONAPIDecoder()
        relaxed.dateDecodingStrategy = .layout(.iso8601)              // 2031-05-09, 2031-05-09T07:30, 2031-05-09 07:30:00
        for text in ["2031-05-09T07:30", "2031-05-09 07:30:00", "2031-05-09T07:30:00Z"] {
            let data = Data(#"{"data": {"type": "events", "id": "1", "attributes": {"day": "\#(text)"}}}"#.utf8)
            #expect(try relaxed.decode(Event.self, from: data).day == moment)
        }
        #expect(try relaxed.decode(Event.self, from: data).day == DateLayout("yyyy-MM-dd").date("2031-05-09"))
    }

    @Test("A wrapper takes precedence over the strategy")
    func wrappers() throws {
        struct Opening: Resource {
            static let type = "events"
            var id: String
            var startsAt: Date
            @DateFormat<DateLayouts.Day> var day: Date                // 2031-05-09
        }
        struct Closing: Codable {
            @DateFormat<GermanDay> var day: Date
            @DateFormatIfPresent<GermanDay> var last: Date?
        }
        var decoder = JSONAPIDecoder()
        decoder.dateDecodingStrategy = .layout("dd.MM.yyyy HH:mm")
        let opening = try decoder.decode(Opening.self, from: data)
        let day = DateLayout("yyyy-MM-dd").date("2031-05-09")
        #expect(opening.startsAt == moment && opening.day == day)
        #expect(try JSONDecoder().decode(Closing.self, from: Data(#"{"day": "09.05.2031"}"#.utf8)).day == day)
    }

    @Test("A closure tries several forms")
    func closures() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var at: Date
        }
        var mixed = JSONAPIDecoder()
        mixed.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let seconds = try? container.decode(Double.self) { return Date(timeIntervalSince1970: seconds) }
            let text = try container.decode(String.self)
            if let date = DateLayout.iso8601.date(text) ?? DateLayout("dd.MM.yyyy HH:mm").date(text) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected seconds, an ISO 8601 date, or dd.MM.yyyy HH:mm")
        }
        for value in ["1936078200", "\"2031-05-09T07:30:00Z\"", "\"09.05.2031 07:30\""] {
            let data = Data(#"{"data": {"type": "events", "id": "1", "attributes": {"at": \#(value)}}}"#.utf8)
            #expect(try mixed.decode(Event.self, from: data).at == moment)
        }
        let wrong = Data(#"{"data": {"type": "events", "id": "1", "attributes": {"at": "noon"}}}"#.utf8)
        #expect(throws: DecodingError.self) { try mixed.decode(Event.self, from: wrong) }
    }
}
