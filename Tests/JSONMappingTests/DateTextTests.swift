import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

/// Dates as text: the result equals Foundation's, and formatted dates parse equal.
@Suite struct DateTextTests {
    private static let foundation: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    private func read(_ text: String) -> Date? { DateText.date(Array(text.utf8).span) }

    private func readByFoundation(_ text: String) -> Date? {
        (try? Self.foundation.decode([Date].self, from: Data("[\"\(text)\"]".utf8)))?.first
    }

    // MARK: - Reading

    @Test(
        arguments: [
            ("2016-05-16T23:47:02+0000", 1_463_442_422), ("2016-05-16T23:47:02-0700", 1_463_467_622),
            ("2016-05-16T23:47:02+01", 1_463_438_822),
            ("2016-05-16T23:47:02-00:00", 1_463_442_422), ("2016-05-16T23:47:02z", 1_463_442_422), ("2016-05-16T24:00:00Z", 1_463_443_200),
            ("2016-12-31T24:00:00-01:00", 1_483_232_400), ("2016-05-16T23:59:60Z", 1_463_443_200), ("2016-5-6T3:7:2Z", 1_462_504_022),
            ("2016-05-16T23:47:02GMT", 1_463_442_422), ("2016-05-16T23:47:02utc", 1_463_442_422),
            ("2016-05-16T23:47:02+01:30:15", 1_463_437_007),
            ("2016-05-16T23:47:02-013015", 1_463_447_837), ("2016-05-16T23:47:02+1", 1_463_438_822),
            ("2016-05-16T23:47:02GMT+1", 1_463_438_822),
        ] as [(String, Int)])
    func datesEqualFoundationsResult(_ text: String, _ seconds: Int) {
        #expect(read(text) == Date(timeIntervalSince1970: Double(seconds)))
        #expect(readByFoundation(text) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        arguments: [
            "2016-05-16T24:00:01Z", "2016-05-16T24:01:00Z", "2016-05-16T24:00:00.5Z", "2016-05-16T25:00:00Z", "2016-02-30T00:00:00Z",
            "2016-05-16T23:47:02+100", "2016-05-16T23:47:02+24:00", "2016-05-16T23:47:02+01:60", "2016-05-16T23:47:02Zx",
            "2016-05-16T23:47:02",
            "16-05-16T23:47:02Z", "2016-05-16T23:47:02.Z", "2016-05-16T23:47:02,5Z", "2016-05-16T23:47:02+", "2016-05-16T23:47:02+01:",
            "2016-05-16T23:47:02GM", "2016-05-16T:47:02Z", "-2016-05-16T23:47:02Z", "2016-05-16T23:47:02+0100x",
        ])
    func impossibleDatesAreRejected(_ text: String) { #expect(read(text) == nil) }

    /// Texts of many forms, valid and slightly invalid.
    private func text(_ numbers: inout SeededRandom) -> String {
        func number(_ range: ClosedRange<Int>, _ digits: Int = 2) -> String {
            let text = String(Int.random(in: range, using: &numbers))
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        func choose(_ texts: String...) -> String { texts.randomElement(using: &numbers) ?? "" }
        // Foundation uses the Julian calendar before October 1582.
        let day = "\(number(1583...9998, 4))-\(number(0...13))-\(number(0...32))"
        let time = choose("24:00:00", "23:59:60", "\(number(0...24)):\(number(0...60)):\(number(0...61))")
        let fraction = choose("", "", ".", "." + number(0...9, 1), "." + number(0...999, 3), "." + number(0...999_999_999, 9))
        let zone = choose(
            "Z", "z", "", "+0000", "-0700", "+01", "+\(number(0...18)):\(number(0...59))", "-\(number(0...18))\(number(0...59))", "GMT", "x"
        )
        return day + choose("T", "T", "T", "t", " ") + time + fraction + zone
    }

    @Test func randomTextsGiveFoundationsResult() {
        var numbers = SeededRandom(seed: 11)
        var both = 0
        for _ in 0..<3000 {
            let text = text(&numbers)
            guard let theirs = readByFoundation(text) else { continue }
            if let mine = read(text) {
                both += 1
                #expect(abs(mine.timeIntervalSince(theirs)) < 1e-4, "\(text)")
            } else {
                // Foundation counts on past the end of a month, a day, an hour or a minute.
                let again = DateText.text(theirs) ?? ""
                let isShifted =
                    text.hasPrefix("\(again.prefix(10))") == false || text.contains("T24:") || text.contains(":60") || text.contains(":61")
                #expect(isShifted, "\(text)")
            }
        }
        #expect(both > 500)
    }

    // MARK: - Round trips

    private func check(_ date: Date, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        let text = try #require(DateText.text(date), sourceLocation: sourceLocation)
        #expect(read(text) == date, "\(text) \(date.timeIntervalSinceReferenceDate)", sourceLocation: sourceLocation)
        return text
    }

    @Test func wholeMillisecondsSince2001RoundTrip() throws {
        for millisecond in -20_000...20_000 { _ = try check(Date(timeIntervalSinceReferenceDate: Double(millisecond) / 1000)) }
        var numbers = SeededRandom(seed: 12)
        for bound in [1e3, 1e6, 1e9, 6.3e10] {
            for _ in 0..<500 {
                let millisecond = Double.random(in: -bound...bound, using: &numbers) * 1000
                _ = try check(Date(timeIntervalSinceReferenceDate: millisecond.rounded() / 1000))
            }
        }
    }

    @Test func wholeMillisecondsSince1970RoundTrip() throws {
        for millisecond in 978_307_195_000...978_307_205_000 {
            let text = try check(Date(timeIntervalSince1970: Double(millisecond) / 1000))
            #expect(text.utf8.count <= 24, "\(text)")
        }
        var numbers = SeededRandom(seed: 13)
        for bound in [1e3, 1e6, 1e9, 6.2e10] {
            for _ in 0..<500 {
                let millisecond = Double.random(in: -bound...bound, using: &numbers) * 1000
                _ = try check(Date(timeIntervalSince1970: millisecond.rounded() / 1000))
            }
        }
    }

    @Test func everyDateFromEightMillisecondsBefore2001RoundTrips() throws {
        var numbers = SeededRandom(seed: 14)
        for bound in [0.01, 0.1, 1, 8, 10, 100, 1e4, 1e6, 1e8, 1e9, 6.2e10] {
            for _ in 0..<300 {
                let interval = Double.random(in: -bound...bound, using: &numbers)
                if interval.magnitude < 0.008 { continue }
                _ = try check(Date(timeIntervalSinceReferenceDate: interval))
            }
        }
    }

    @Test func fractionsAreRoundedToEighteenDigits() throws {
        for interval in [1e-18, -1e-18, 1e-19, -1e-19, 0.001.nextUp, (-0.001).nextDown, 1.5e-9] {
            let text = try #require(DateText.text(Date(timeIntervalSinceReferenceDate: interval)))
            #expect(text.utf8.count <= DateText.longest)
            let again = try #require(read(text))
            #expect(abs(again.timeIntervalSinceReferenceDate - interval) <= 1e-18, "\(text)")
        }
    }

    @Test(
        arguments: [
            (0.1, "2001-01-01T00:00:00.1000000Z"), (-0.001, "2000-12-31T23:59:59.9990000Z"),
            (485_135_222.123, "2016-05-16T23:47:02.1230000Z"),
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.500Z"), (1e-15, "2001-01-01T00:00:00.000000000000001Z"),
        ])
    func wholeMillisecondsFrom2001EndInZeros(_ interval: Double, _ text: String) {
        #expect(DateText.text(Date(timeIntervalSinceReferenceDate: interval)) == text)
    }

    @Test(
        "Seven digits are written back",
        arguments: ["2021-03-05T12:34:56.1234567Z", "1999-03-05T12:34:56.7654321Z", "2014-07-01T00:00:00.0000001Z"])
    func sevenDigits(_ text: String) throws {
        let date = try #require(read(text))
        #expect(DateText.text(date) == text)
    }

    @Test func noTextNeedsMoreDigitsThanItHad() throws {
        var numbers = SeededRandom(seed: 16)
        for digits in [7, 8, 9] {
            for _ in 0..<500 {
                let units = String(Int.random(in: 0..<1_000_000_000, using: &numbers) + 1_000_000_000).dropFirst().prefix(digits)
                let date = try #require(read("20\(Int.random(in: 10...99, using: &numbers))-03-05T12:34:56.\(units)Z"))
                #expect(try check(date).utf8.count <= 21 + digits)
            }
        }
    }

    @Test(
        "The last moment of a year remains in it",
        arguments: ["9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999999Z"])
    func lastMoment(_ text: String) throws {
        let date = try #require(read(text))
        #expect(date == Date(timeIntervalSinceReferenceDate: 252_423_993_600.0.nextDown))
        let written = try check(date)
        #expect(written == "9999-12-31T23:59:59.999969Z")
        for layout: DateLayout in ["yyyy-MM-dd'T'HH:mm:ssX", "yyyy-MM-dd'T'HH:mm:ss.SSSX", .rfc3339] {
            #expect(layout.text(date)?.hasPrefix("9999-12-31T23:59:59") == true)
        }
        #expect(DateLayout("yyyy-MM-dd'T'HH:mm:ss.SSSX").text(date) == "9999-12-31T23:59:59.999Z")
        // Of the dates nearby, this one is the nearest.
        let ordinary = try #require(read("2021-12-31T23:59:59.9999999Z"))
        #expect(ordinary == Date(timeIntervalSinceReferenceDate: 662_688_000.0.nextDown))
        #expect(try check(ordinary) == "2021-12-31T23:59:59.9999999Z")
    }

    @Test func foundationParsesFormattedDates() throws {
        let formatter = ISO8601DateFormatter()
        var numbers = SeededRandom(seed: 15)
        for _ in 0..<500 {
            // From 1583 to 9999; Foundation's calendar is another one before.
            let date = Date(timeIntervalSince1970: Double.random(in: -12_212_553_600..<253_402_300_799, using: &numbers).rounded(.down))
            let text = try check(date)
            #expect(formatter.string(from: date) == text)
            #expect(readByFoundation(text) == date)
            let fine = date + Double(Int.random(in: 0..<1000, using: &numbers)) / 1000
            let theirs = try #require(readByFoundation(try check(fine)))
            #expect(abs(theirs.timeIntervalSince(fine)) < 1e-4)
        }
    }

    @Test func patternsFormatExactMilliseconds() {
        let layout: DateLayout = "yyyy-MM-dd'T'HH:mm:ss.SSSX"
        for date in [Date(timeIntervalSince1970: 1_463_442_422.123), Date(timeIntervalSinceReferenceDate: 485_135_222.123)] {
            #expect(layout.text(date) == "2016-05-16T23:47:02.123Z")
        }
    }
}
