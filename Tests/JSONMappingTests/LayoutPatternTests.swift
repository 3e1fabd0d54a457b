import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

/// Patterns of dates, judged by Foundation's `DateFormatter` in English and UTC.
@Suite struct LayoutPatternTests {
    private static let patterns = [
        "yyyy-MM-dd'T'HH:mm:ss.SSSX", "yyyy-MM-dd HH:mm:ss.SSSSSS", "yyyy-MM-dd", "yy-MM-dd", "d/M/y", "EEE, d MMM yyyy HH:mm:ss Z",
        "EEEE, MMMM d, yyyy 'at' h:mm:ss a", "MMM d, yyyy hh:mm a", "H:m:s", "dd.MM.yyyy HH:mm:ss", "yyyyMMddHHmmssSSS", "ss.S", "ss.SS",
        "E d", "EE d MMM", "h a", "''yyyy''MM", "yyyy-MM-dd'T'HH:mm:ss.SSSXX", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "MMMMyyyy",
    ]

    private static func formatter(_ pattern: String) -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = pattern
        formatter.defaultDate = Date(timeIntervalSince1970: 0)
        return formatter
    }

    @Test(arguments: patterns) func patternsMatchFoundation(_ pattern: String) throws {
        let formatter = Self.formatter(pattern)
        let layout = DateLayout(pattern)
        var numbers = SeededRandom(seed: 21)
        // Foundation's calendar is the Julian one before 1583; two digits of a year are told from 1950 to 2049.
        let years = pattern.contains("yyyy") ? -12_212_553_600_000...253_402_300_799_000 : -631_152_000_000...2_524_607_999_000
        for _ in 0..<500 * stress {
            let millisecond = Int.random(in: years, using: &numbers)
            let date = Date(timeIntervalSince1970: Double(millisecond) / 1000)
            let text = try #require(layout.text(date))
            #expect(text == formatter.string(from: date), "\(millisecond)")
            // Without a year it is 1970, which has no such day.
            if !pattern.contains("y"), text.contains("29 Feb") { continue }
            let again = try #require(layout.date(text), "\(text)")
            // Without a year no day of the week follows from the others.
            guard pattern.contains("y") || !pattern.contains("E") else { continue }
            #expect(layout.text(again) == text)
            if pattern.contains("y"), let theirs = formatter.date(from: text) {
                #expect(abs(again.timeIntervalSince(theirs)) < 0.0005, "\(text)")
            }
        }
    }

    @Test func everyMillisecondRoundTrips() throws {
        let layout: DateLayout = "yyyy-MM-dd'T'HH:mm:ss.SSSX"
        let formatter = Self.formatter("yyyy-MM-dd'T'HH:mm:ss.SSSX")
        for millisecond in 0..<1000 {
            let digits = String(1000 + millisecond).dropFirst()
            let text = "2016-05-16T23:47:09.\(digits)Z"
            #expect(layout.date(text).flatMap { layout.text($0) } == text)
            // Dates that were reckoned or read elsewhere are a little off.
            #expect(formatter.date(from: text).flatMap { layout.text($0) } == text)
            #expect(layout.text(Date(timeIntervalSince1970: 1_463_442_429) + Double(millisecond) * 0.001) == text)
        }
    }

    @Test func roundingCarriesToTheNextUnit() {
        let date = Date(timeIntervalSince1970: 1_483_228_799.9996)
        #expect(DateLayout("yyyy-MM-dd HH:mm:ss.SSS").text(date) == "2017-01-01 00:00:00.000")
        #expect(DateLayout("yyyy-MM-dd HH:mm:ss").text(date) == "2017-01-01 00:00:00")
        #expect(DateLayout("ss.SSSSSS").text(Date(timeIntervalSince1970: 0.123456)) == "00.123456")
        // There is no next unit after the year 9999.
        #expect(DateLayout("yyyy-MM-dd HH:mm:ss").text(Date(timeIntervalSince1970: 253_402_300_799.9999)) == "9999-12-31 23:59:59")
        #expect(DateLayout("yyyy-MM-dd HH:mm:ss").text(Date(timeIntervalSince1970: 253_402_300_800)) == nil)
    }

    @Test func namesAreCaseInsensitiveAndWeekdaysAreChecked() {
        let layout: DateLayout = "EEE, d MMM yyyy"
        let day = Date(timeIntervalSince1970: 1_463_356_800)
        #expect(layout.date("Mon, 16 May 2016") == day && layout.date("MON, 16 may 2016") == day && layout.date("Mon, 6 Jun 2016") != nil)
        for text in ["Tue, 16 May 2016", "Monday, 16 May 2016", "Mon, 16 Mai 2016", "Mon, 016 May 2016", "Mon, 32 May 2016"] {
            #expect(layout.date(text) == nil, "\(text)")
        }
    }

    @Test func theHalvesOfADay() {
        let layout: DateLayout = "hh:mm a"
        for (text, minute) in [("12:00 AM", 0), ("12:30 AM", 30), ("01:00 am", 60), ("12:00 PM", 720), ("11:59 PM", 1439)] {
            #expect(layout.date(text) == Date(timeIntervalSince1970: Double(minute * 60)), "\(text)")
        }
        for text in ["00:10 AM", "13:00 PM", "1:00 AM", "01:00", "01:00 XM"] { #expect(layout.date(text) == nil, "\(text)") }
    }

    @Test func anAmbiguousShortYearIsNotFormatted() {
        let layout: DateLayout = "dd/MM/yy"
        for (text, year) in [("01/01/50", 1950), ("01/01/99", 1999), ("01/01/00", 2000), ("31/12/49", 2049)] {
            #expect(layout.date(text).map { DateLayout("yyyy").text($0) } == "\(year)")
            #expect(layout.date(text).flatMap { layout.text($0) } == text)
        }
        #expect(
            layout.text(Date(timeIntervalSince1970: -631_152_001)) == nil && layout.text(Date(timeIntervalSince1970: 2_524_608_000)) == nil)
    }

    @Test(arguments: [
        ("yyyy-LL-dd", "`LL`"), ("h:mm", "`h` without `a`"), ("HH a", "`a` without `h`"), ("'open", "without a closing"),
        ("dMMyyyy", "digits directly after"),
    ])
    func validatingChecksAPattern(_ pattern: String, _ found: String) throws {
        let issue = #expect(throws: MappingIssue.self) { try DateLayout(validating: pattern) }
        #expect(issue?.found.contains(found) ?? false, "\(String(describing: issue))")
        let later = #expect(throws: MappingIssue.self) { try Conversion<JSON, Date>.date(DateLayout(pattern)).decode("x") }
        #expect(later?.found == issue?.found)
        #expect(try DateLayout(validating: "yyyy-MM-dd") == "yyyy-MM-dd")
    }
}
