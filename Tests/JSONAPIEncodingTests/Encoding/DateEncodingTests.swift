import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

/// Dates and data as text, and back.
@Suite struct DateEncodingTests {
    struct Event: Resource, Equatable {
        static let type = "events"
        var id: String
        var at: Date
    }

    private func text(_ date: Date, _ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> String? {
        try JSON(parsing: encoder.encode(Event(id: "1", at: date)))["data"]?["attributes"]?["at"].map { $0.string ?? "\($0)" }
    }

    @Test(
        "A date is encoded in UTC with the fewest digits that decode to an equal date",
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"), (0.5, "1970-01-01T00:00:00.500Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
            (1_700_000_000.123456, "2023-11-14T22:13:20.123456Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"), (-86_400.001, "1969-12-30T23:59:59.999Z"),
            (4_107_542_399.999, "2100-02-28T23:59:59.999Z"), (978_307_200.000000001, "2001-01-01T00:00:00Z"),
        ])
    func texts(_ seconds: Double, _ expected: String) throws {
        #expect(try text(Date(timeIntervalSince1970: seconds)) == expected)
    }

    @Test("Random dates decode to equal dates")
    func roundTrip() throws {
        var random = SeededRandom(seed: 7)
        var dates = [Date(), .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 1e-9)]
        for exponent in 0..<40 {
            for _ in 0..<60 {
                let magnitude = pow(2, Double(exponent) - 3)
                let interval = Double.random(in: -magnitude...magnitude, using: &random)
                dates.append(Date(timeIntervalSinceReferenceDate: interval))
                dates.append(Date(timeIntervalSince1970: (interval * 1000).rounded() / 1000))
                dates.append(Date(timeIntervalSince1970: (interval * 1e6).rounded() / 1e6))
            }
        }
        let events = dates.filter { abs($0.timeIntervalSinceReferenceDate) > 8 && abs($0.timeIntervalSinceReferenceDate) < 6e10 }
            .enumerated().map { Event(id: "\($0)", at: $1) }
        #expect(events.count > 6000)
        #expect(try JSONAPIDecoder().decode([Event].self, from: JSONAPIEncoder().encode(events)) == events)
    }

    @Test(
        "Dates in the years 0 to 9999 are encoded, and others are errors",
        arguments: [
            (-62_167_219_200.0, true), (-62_167_219_200.001, false), (253_402_300_799.999, true), (253_402_300_800, false),
            (.infinity, false), (-.infinity, false), (.nan, false), (1e300, false), (-1e300, false),
        ])
    func bounds(_ seconds: Double, _ isWritten: Bool) throws {
        let event = Event(id: "1", at: Date(timeIntervalSince1970: seconds))
        guard !isWritten else {
            #expect(try JSONAPIDecoder().decode(Event.self, from: JSONAPIEncoder().encode(event)) == event)
            return
        }
        let failure = try #require(encodingFailure { _ = try JSONAPIEncoder().encode(event) })
        #expect(failure.kind == .notRepresentable && "\(failure.pointer)" == "/data/attributes/at")
        #expect(failure.advice?.contains("dateEncodingStrategy") == true)
    }

    @Test("Other strategies encode as JSONEncoder does, and the decoder reads the result")
    func strategies() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy/MM/dd"
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let all: [(JSONAPIEncoder.DateEncodingStrategy, JSONAPIDecoder.DateDecodingStrategy, String)] = [
            (.deferredToDate, .deferredToDate, "721692800"), (.secondsSince1970, .secondsSince1970, "1700000000"),
            (.millisecondsSince1970, .millisecondsSince1970, "1700000000000"), (.formatted(formatter), .formatted(formatter), "2023/11/14"),
            (
                .custom { date, encoder in
                    var list = encoder.unkeyedContainer()
                    try list.encode(date.timeIntervalSince1970)
                },
                .custom { decoder in
                    var list = try decoder.unkeyedContainer()
                    return Date(timeIntervalSince1970: try list.decode(Double.self))
                }, "[1700000000]"
            ),
            (.custom { _, _ in }, .deferredToDate, "{}"),
        ]
        for (writing, reading, expected) in all {
            var encoder = JSONAPIEncoder()
            encoder.dateEncodingStrategy = writing
            #expect(try text(date, encoder) == expected)
            var decoder = JSONAPIDecoder()
            decoder.dateDecodingStrategy = reading
            guard expected != "{}", !expected.contains("/") else { continue }
            #expect(try decoder.decode(Event.self, from: encoder.encode(Event(id: "1", at: date))).at == date)
        }
        var infinite = JSONAPIEncoder()
        infinite.dateEncodingStrategy = .secondsSince1970
        #expect(encodingFailure { _ = try text(Date(timeIntervalSince1970: .infinity), infinite) }?.kind == .notRepresentable)
    }

    @Test("A custom strategy that throws, or encodes nothing, is an error of the attribute")
    func customErrors() throws {
        struct Mine: Error {}
        var encoder = JSONAPIEncoder()
        encoder.dateEncodingStrategy = .custom { _, encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(1, forKey: Key("a"))
            throw Mine()
        }
        #expect(throws: Mine.self) { try encoder.encode(Event(id: "1", at: Date())) }
    }

    @Test("Data is Base64, or what the strategy encodes")
    func data() throws {
        struct Blob: Resource, Equatable {
            static let type = "blobs"
            var id: String
            var bytes: Data
        }
        let blob = Blob(id: "1", bytes: Data([1, 2, 255]))
        var encoder = JSONAPIEncoder()
        #expect(try encoder.tree(text: encoder.text(blob))["data"]?["attributes"]?["bytes"] == "AQL/")
        encoder.dataEncodingStrategy = .deferredToData
        #expect(try encoder.tree(text: encoder.text(blob))["data"]?["attributes"]?["bytes"] == [1, 2, 255])
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var single = encoder.singleValueContainer()
            try single.encode(data.count)
        }
        #expect(try encoder.tree(text: encoder.text(blob))["data"]?["attributes"]?["bytes"] == 3)
    }
}
