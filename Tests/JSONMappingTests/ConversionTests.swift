import Foundation
import JSONMapping
import JSONText
import Testing

@Suite struct ConversionTests {
    @Test(
        arguments: [
            ("42", 42), ("\" 42 \"", 42), ("3.9", 3), ("-3.9", -3), ("\"-3.9\"", -3), ("true", 1), ("1e2", 100), ("\"+7\"", 7),
            ("\"007\"", 7),
            ("\"1.\"", 1), ("\".5\"", 0), ("9007199254740993", 9_007_199_254_740_993), ("-9223372036854775808", Int.min),
        ] as [(String, Int)])
    func lenientIntegersAcceptCommonForms(_ text: String, _ value: Int) throws {
        #expect(try Conversion<JSON, Int>.lenientInt.decode(JSON(parsing: text)) == value)
    }

    @Test(
        arguments: [
            "\"abc\"", "\"\"", "\"1x\"", "\"--1\"", "\"+-1\"", "\".\"", "\"-\"", "\"1e\"", "1e400", "\"1e999999999\"",
            "9223372036854775808",
            "\"NaN\"", "\"inf\"", "\"0x10\"", "\"１\"",
        ])
    func otherTextIsAnIssueOfLenientIntegers(_ text: String) throws {
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) {
            try Conversion<JSON, Int>.lenientInt.decode(JSON(parsing: text))
        }
    }

    @Test func strictConversionsConvertNothing() {
        for json in ["1", true, 1.5, [1], ["a": 1], nil] as [JSON] {
            #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try Conversion<JSON, Int>.int.decode(json) }
        }
        #expect(throws: MappingIssue.self) { try Conversion<JSON, UInt8>.integer.decode(256) }
        #expect(throws: MappingIssue.self) { try Conversion<JSON, JSON>.numeric.decode("x") }
    }

    @Test(arguments: [("YES", true), ("true", true), ("1", true), (" no ", false), ("False", false), ("0", false)] as [(String, Bool)])
    func lenientBooleansAcceptWords(_ text: String, _ value: Bool) throws {
        #expect(try Conversion<JSON, Bool>.lenientBool.decode(.string(text)) == value)
    }

    @Test func fallbackAppliesOnlyToInvalidText() throws {
        let conversion = Conversion<JSON, Int>.lenientInt.fallback(0)
        #expect(try conversion.decode("abc") == 0)
        #expect(throws: MappingIssue.self) { try conversion.decode([]) }
        #expect(try Conversion<JSON, Int>.int.lossy.decode("abc") == nil)
    }

    @Test func encodingReversesAChain() throws {
        let conversion = Conversion<JSON, String>.string
            .then(decode: { Int($0) }, encode: { String($0) })
            .then(decode: { $0 * 2 }, encode: { $0 / 2 })
        #expect(try conversion.decode("21") == 42)
        #expect(try conversion.encode(42) == "21")
        #expect(try conversion.decode("x") == nil)
    }

    @Test func absentValuesReachConversionsThatHandleThem() throws {
        let conversion = Conversion<JSON, Int>.int.whenAbsent { 5 }
        #expect(try conversion.decode(nil) == 5)
        struct Box { var count = 0 }
        let schema = MappingSchema(creating: Box()) { MappingField(\.count, "count", .required, conversion).checked(.exists) }
        #expect(try schema.decode([:]).count == 5)
        #expect(try schema.decode(["count": nil]).count == 5)
    }

    @Test("Null is absent for a conversion that handles absent values, wherever it is called")
    func nullIsAbsent() throws {
        let conversion = Conversion<JSON, Int>.int.whenAbsent { 5 }
        #expect(try conversion.decode(JSON.null) == 5)
        #expect(try conversion.then(decode: { $0 + 1 }, encode: { $0 - 1 }).decode(JSON.null) == 6)
        #expect(try Conversion<JSON, Int>.int.or(conversion).decode(JSON.null) == 5)
        #expect(throws: MappingIssue.self) { try conversion.decode("5") }
    }

    @Test("The default of an alternative applies to a missing value and to null, wherever they are")
    func defaultOfAnAlternative() throws {
        struct Box {
            var count = 0
        }
        let conversion = Conversion<JSON, Int>.int.or(.lenientInt.whenAbsent { 9 })
        #expect(try conversion.decode(1) == 1 && conversion.decode("2") == 2)
        #expect(try conversion.decode(JSON.null) == 9 && conversion.decode(nil) == 9)
        let schema = MappingSchema(creating: Box()) { MappingField(\.count, "count", .required, conversion) }
        #expect(try schema.decode([:]).count == 9 && schema.decode(["count": nil]).count == 9 && schema.decode(["count": "2"]).count == 2)
    }

    @Test("An alternative that returns nil has not failed")
    func nilOfAnAlternative() throws {
        let either = Conversion<JSON, Int>.int.or(Conversion<JSON, Int>.lenientInt.lossy)
        #expect(try either.decode("many") == nil)
        #expect(try either.decode("7") == 7)
        let failing = Conversion<JSON, Int>.int.or(Conversion(decode: { _ in throw CancellationError() }))
        #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try failing.decode("many") }
    }

    @Test func tablesConvertInBothDirections() throws {
        let table = Conversion<JSON, Int>.table(["foo": 1, "bar": 2, "also": 2])
        #expect(try table.decode("foo") == 1)
        #expect(try table.encode(2) == "also")
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try table.decode("qux") }
        #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try table.decode(1) }
        #expect(try Conversion<JSON, Int>.table(["foo": 1], fallback: 9).decode("qux") == 9)
    }

    @Test func rawValuesFailInThreeWays() throws {
        enum Suit: String, JSONConvertible { case hearts, spades }
        #expect(try Suit.conversion.decode("hearts") == .hearts)
        #expect(throws: MappingIssue(.invalidValue, expected: "", found: "")) { try Suit.conversion.decode("cups") }
        #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try Suit.conversion.decode(1) }
        let suits: JSON = ["hearts", "cups"]
        #expect(try Conversion<JSON, [Suit]>.list(Suit.conversion, unknown: .drop).decode(suits) == [.hearts])
        #expect(try Conversion<JSON, [Suit]>.list(Suit.conversion, unknown: .replace(.spades)).decode(suits) == [.hearts, .spades])
        #expect(throws: ValidationError.self) {
            try Conversion<JSON, [Suit]>.list(Suit.conversion, unknown: .drop).decode(["hearts", 1])
        }
    }

    @Test func keyedListsKeepTheLastElementOfAName() throws {
        let conversion = Conversion<JSON, [String: [Int]]>.keyed(by: { "\($0.first ?? 0)" }, .list(.int))
        #expect(try conversion.decode([[1, 2], [3], [1, 4]]) == ["1": [1, 4], "3": [3]])
        #expect(try conversion.encode(["3": [3], "1": [1, 4]]) == [[1, 4], [3]])
    }

    @Test func keyedElementsWithTheSameKeyAreAnIssueWhenWritten() throws {
        let conversion = Conversion<JSON, [String: [Int]]>.keyed(by: { "\($0.first ?? 0)" }, .list(.int))
        #expect(throws: ValidationError([MappingIssue(.nameConflict, at: JSONPointer("1"), expected: "", found: "")])) {
            try conversion.encode(["1": [1], "2": [1, 2], "3": [3]])
        }
        #expect(try conversion.encode(["other": [1]]) == [[1]])
    }

    @Test(arguments: ["", "a b", "http://x/##", "%zz", "%4", "a\u{0}", "<a>", "http://\u{e9}/"])
    func anInvalidURLIsAnIssue(_ text: String) {
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try Conversion<JSON, URL>.url.decode(.string(text)) }
    }

    @Test(arguments: ["http://x/?a[]=1", "http://x/[y]", "http://x/a#b[c]", "http://x@y@z/"])
    func aURLThatFoundationWouldChangeIsAnIssue(_ text: String) throws {
        // A version of Foundation that does not change the text may accept it.
        guard let url = URL(string: text), url.absoluteString != text else { return }
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try Conversion<JSON, URL>.url.decode(.string(text)) }
    }

    @Test(arguments: ["http://[::1]:80/a", "/people?page%5Bsize%5D=2", "?a=%c3%A9&b=+", "HTTP://EXAMPLE.com/a/../b;c?d#e", "#x", "a:b@c"])
    func aURLIsWrittenAsItWasRead(_ text: String) throws {
        let url = try #require(try Conversion<JSON, URL>.url.decode(.string(text)))
        #expect(try Conversion<JSON, URL>.url.encode(url) == .string(text))
    }

    @Test func aFloatIsRoundedOnceAndInItsRange() throws {
        let float = Conversion<JSON, Float>.float
        for text in ["1e-50", "-1e-50", "1e39", "1e400", "\"1\""] {
            #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try float.decode(JSON(parsing: text)) }
        }
        // A little more than the middle of two floats, which is the nearest double.
        #expect(try float.decode(JSON(parsing: "1.00000005960464477540")) == Float(1).nextUp)
        #expect(try float.decode(0) == 0)
    }

    @Test func listsOfOptionalsKeepNull() throws {
        #expect(try Conversion<JSON, [Int?]>.list(.nullable(.int)).decode([1, nil]) == [1, nil])
        #expect(try Conversion<JSON, [Int?]>.list(.nullable(.int)).encode([1, nil]) == [1, nil])
        #expect(throws: ValidationError([MappingIssue(.typeMismatch, at: JSONPointer("1"), expected: "", found: "")])) {
            try Conversion<JSON, [Int]>.list(.int).decode([1, nil])
        }
    }
}

@Suite struct DateLayoutTests {
    @Test(
        arguments: [
            ("2016-05-16T23:47:02Z", 1_463_442_422), ("2016-05-16T23:47:02.000Z", 1_463_442_422), ("2016-05-16T23:47:02", 1_463_442_422),
            ("2016-05-16", 1_463_356_800), ("2016-05-16T23:47Z", 1_463_442_420), ("2016-05-17T01:47:02+02:00", 1_463_442_422),
            ("2016-05-17T01:47:02+0200", 1_463_442_422), ("2016-05-17T01:47:02+02", 1_463_442_422), ("2016-02-29t00:00:00z", 1_456_704_000),
            ("1969-12-31T23:59:59Z", -1), ("0000-03-01T00:00:00Z", -62_162_035_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("2016-05-16T24:00:00Z", 1_463_443_200), ("2016-12-31T24:00:00-01:00", 1_483_232_400), ("2016-05-16T24:00", 1_463_443_200),
        ] as [(String, Int)])
    func isoDatesWithoutAZoneAreUTC(_ text: String, _ seconds: Int) {
        #expect(DateLayout.iso8601.date(text) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        arguments: [
            "", "yesterday", "2016-02-30", "2015-02-29", "2016-13-01", "2016-00-01", "2016-01-00", "2016-1-1", "20160516", "2016-05-16T",
            "2016-05-16T24:00:01Z", "2016-05-16T23:60:00Z", "2016-05-16T23:47:61Z", "2016-05-16T23:47:02.Z", "2016-05-16T23:47:02+",
            "2016-05-16T23:47:02+25:00", "2016-05-16T23:47:02+01:60", "2016-05-16T23:47:02Zx", " 2016-05-16", "２０１６-05-16", "+2016-05-16",
            "-001-05-16", String(repeating: "9", count: 200),
        ])
    func otherTextIsNotADate(_ text: String) {
        #expect(DateLayout.iso8601.date(text) == nil)
        #expect(DateLayout.rfc3339.date(text) == nil)
        #expect(DateLayout("yyyy-MM-dd").date(text) == nil)
    }

    @Test(
        arguments: [
            "2016-05-16", "2016-05-16T23:47Z", "2016-05-16T23:47:02", "2016-05-16T23:47:02+01", "2016-05-16T23:47:02-0700",
            "2016-05-16T23:47:02.5+01", "2016-05-16T24:00:00Z", "Z", "+01:00",
        ])
    func rfc3339RequiresEveryPart(_ text: String) {
        #expect(DateLayout.rfc3339.date(text) == nil)
    }

    @Test("A fraction can have any number of digits")
    func longFractions() {
        let date = Date(timeIntervalSince1970: 1_463_442_422.5)
        let digits = "5" + String(repeating: "0", count: 200)
        for text in ["2016-05-16T23:47:02.\(digits)Z", "2016-05-17T01:47:02.\(digits)+02:00"] {
            #expect(DateLayout.iso8601.date(text) == date && DateLayout.rfc3339.date(text) == date)
        }
        #expect(DateLayout.iso8601.date("2016-05-16 23:47:02.\(digits)") == date)
        #expect(DateLayout.iso8601.date("2016-05-16 23:47:02.\(digits)x") == nil)
    }

    @Test func patternsParseAndFormat() throws {
        let date = Date(timeIntervalSince1970: 1_463_442_422)
        for (pattern, text) in [
            ("yyyy-MM-dd'T'HH:mm:ss", "2016-05-16T23:47:02"), ("yyyy-MM-dd'T'HH:mm:ss'Z'", "2016-05-16T23:47:02Z"),
            ("dd.MM.yyyy HH:mm:ss", "16.05.2016 23:47:02"), ("yyyyMMddHHmmss", "20160516234702"),
            ("yyyy/MM/dd HH:mm:ss.SSSXXX", "2016/05/16 23:47:02.000Z"), ("HH'h'mm''ss dd MM yyyyZ", "23h47'02 16 05 2016+0000"),
        ] {
            #expect(DateLayout(pattern).text(date) == text)
            #expect(DateLayout(pattern).date(text) == date, "\(pattern)")
        }
    }

    @Test(arguments: ["YYYY-MM-dd", "EEEEE", "yyyy-LLL-dd", "'open", "h:mm", "HH a", "yyyy-MMMMM", "dMMyyyy", "kk", "DDD"])
    func unknownLettersParseAndFormatNothing(_ pattern: String) {
        #expect(DateLayout(pattern).text(Date()) == nil)
        #expect(DateLayout(pattern).date(pattern) == nil)
    }

    @Test func encodedValuesDecodeEqual() throws {
        var generator = SystemRandomNumberGenerator()
        let conversion = Conversion<JSON, Date>.date(.iso8601)
        for _ in 0..<2000 {
            let whole = Double(Int.random(in: -62_167_219_200...253_402_300_799, using: &generator))
            let millisecond = Double(Int.random(in: 0..<1000, using: &generator)) / 1000
            for date in [
                Date(timeIntervalSince1970: whole),
                Date(timeIntervalSinceReferenceDate: whole.truncatingRemainder(dividingBy: 1e9) + millisecond),
            ] {
                #expect(try conversion.decode(conversion.encode(date)) == date)
            }
        }
        for date in [Date.distantFuture, .distantPast] { #expect(try conversion.decode(conversion.encode(date)) == date) }
        for interval in [Double.nan, .infinity, -.infinity, 1e300, 1e12] {
            #expect(throws: MappingIssue.self) { try conversion.encode(Date(timeIntervalSinceReferenceDate: interval)) }
        }
    }
}
