import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

/// Properties of every value: encoded values decode equal, and no JSON stops the process.
@Suite struct ConversionPropertyTests {
    private enum Suit: String, JSONConvertible, CaseIterable { case hearts, spades }

    private func check<Value: Equatable>(
        _ conversion: Conversion<JSON, Value>, _ values: some Sequence<Value>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for value in values {
            let json = try conversion.encode(value)
            // With its text in between, as a server would send it.
            let read = try conversion.decode(try JSON(parsing: json.description))
            #expect(read == value, "\(json)", sourceLocation: sourceLocation)
        }
    }

    @Test func numbersAndTextRoundTrip() throws {
        var numbers = SeededRandom(seed: 1)
        let integers = (0..<500).map { _ in Int(truncatingIfNeeded: numbers.next() >> UInt64.random(in: 0..<64, using: &numbers)) }
        let doubles = (0..<2000).map { _ in Double(bitPattern: numbers.next()) }.filter(\.isFinite)
        let edges: [Double] = [0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, 0.1, 1e21, -1e-7]
        let texts = (0..<100).map { _ in numbers.text() }
        for conversion in [Conversion<JSON, Int>.int, .integer, .lenientInt] { try check(conversion, integers + [.min, .max, 0]) }
        for conversion in [Conversion<JSON, Double>.double, .lenientDouble] { try check(conversion, doubles + edges) }
        for conversion in [Conversion<JSON, String>.string, .lenientString] { try check(conversion, texts) }
        for conversion in [Conversion<JSON, Bool>.bool, .lenientBool] { try check(conversion, [true, false]) }
        try check(.float, doubles.map { Float($0) }.filter(\.isFinite))
        try check(.integer, (0..<256).map { UInt8($0) })
        try check(.integer, [Int64.min, .max])
        try check(.integer, [UInt64.min, .max])
        for conversion in [Conversion<JSON, JSONNumber>.number, .lenientNumber] {
            try check(conversion, doubles.compactMap { try? JSONNumber($0) } + [JSONNumber(text: "1.50e+400")].compactMap(\.self))
        }
    }

    @Test func treesRoundTrip() throws {
        var numbers = SeededRandom(seed: 2)
        try check(.json, (0..<500).map { _ in numbers.json() })
        try check(.object, (0..<200).map { _ in numbers.object() })
        try check(.array, (0..<200).map { _ in JSONArray([numbers.json(), numbers.json()]) })
        try check(.numeric, [true, 1, 2.5])
    }

    @Test func datesRoundTrip() throws {
        var numbers = SeededRandom(seed: 3)
        let seconds = (0..<1000).map { _ in Double.random(in: -62_167_219_200..<253_402_300_799, using: &numbers).rounded(.down) }
        let whole = seconds.map { Date(timeIntervalSince1970: $0) }
        // Dates are most precise in the years around 2001. Every step must be kept.
        let fine = (0..<1000).map { _ in Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9..<1e9, using: &numbers)) }
        for conversion in [Conversion<JSON, Date>.date(.iso8601), .date(.rfc3339)] { try check(conversion, whole + fine) }
        try check(.date("yyyy-MM-dd'T'HH:mm:ssXXX"), whole)
        try check(.date("dd.MM.yyyy HH-mm-ss Z"), whole)
        try check(.date("yyyy-MM-dd"), seconds.map { Date(timeIntervalSince1970: ($0 / 86400).rounded(.down) * 86400) })
        try check(.secondsSince1970, whole)
        try check(.millisecondsSince1970, whole)
    }

    @Test func combinationsRoundTrip() throws {
        var numbers = SeededRandom(seed: 4)
        let integers = (0..<50).map { _ in Int(truncatingIfNeeded: numbers.next()) }
        let lists = (0..<50).map { Array(integers.prefix($0)) }
        try check(.list(.int), lists)
        try check(.list(.nullable(.int)), lists.map { $0.map { $0 % 2 == 0 ? $0 : nil } })
        try check(.set(.int), lists.map { Set($0) })
        try check(.dictionary(.list(.int)), [["é": [1], "": []], ["e\u{301}": [2]]])
        try check(.keyed(by: { "\($0)" }, .int), lists.map { Dictionary(uniqueKeysWithValues: $0.map { ("\($0)", $0) }) })
        try check(Suit.conversion, Suit.allCases)
        try check(.rawValue(Suit.self, fallback: .hearts), Suit.allCases)
        try check(.table(["low": 1, "high": 2]), [1, 2])
        try check(.table(["low": 1, "high": 2], fallback: 1), [1, 2])
        try check(.url, ["http://x/1.png", "/a?b=c#d", "mailto:a@b.c", "%C3%A9"].compactMap { URL(string: $0) })
        try check(.text(parse: { Int($0, radix: 16) }, format: { String($0, radix: 16) }), integers)
        try check(.int.then(decode: { $0 &+ 1 }, encode: { $0 &- 1 }).then(decode: { -$0 }, encode: { -$0 }), integers)
        try check(Conversion<JSON, String>.string.then(decode: { Int($0) }, encode: { String($0) }).or(.int), integers)
        try check(Conversion<JSON, Int>.int.whenAbsent { 5 }.fallback(7).lossy, integers)
    }

    @Test func conversionsDoNotTrapOnAnyJSON() {
        var numbers = SeededRandom(seed: 5)
        func read<Value>(_ conversion: Conversion<JSON, Value>, _ json: JSON) {
            do { _ = try conversion.decode(json) } catch {
                #expect(error is MappingIssue || error is ValidationError, "\(error)")
            }
        }
        for _ in 0..<3000 {
            let json = numbers.json()
            read(.int, json)
            read(.lenientInt, json)
            read(.double, json)
            read(.lenientDouble, json)
            read(.float, json)
            read(.lenientNumber, json)
            read(.bool, json)
            read(.lenientBool, json)
            read(.string, json)
            read(.lenientString, json)
            read(Conversion<JSON, UInt8>.integer, json)
            read(.date(), json)
            read(.date(.rfc3339), json)
            read(.date("yyyy-MM-dd'T'HH:mm:ss.SSSX"), json)
            read(.secondsSince1970, json)
            read(.millisecondsSince1970, json)
            read(.url, json)
            read(Suit.conversion, json)
            read(.table(["é": 1, "low": 2]), json)
            read(.list(.int), json)
            read(.list(Suit.conversion, unknown: .replace(.hearts)), json)
            read(.dictionary(.json), json)
            read(.set(.string), json)
            read(.keyed(by: { $0 }, .string), json)
            read(.list(.nullable(.dictionary(.lenientString))), json)
            read(.numeric, json)
            read(.object, json)
        }
    }

    @Test("Lenient numbers are the texts of a sign, digits with a point anywhere, and an exponent")
    func lenientTexts() throws {
        let form = /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/
        var numbers = SeededRandom(seed: 7)
        var accepted = 0
        for _ in 0..<20_000 {
            let text = String((0..<Int.random(in: 1...7, using: &numbers)).map { _ in "05.eE+-".randomElement(using: &numbers) ?? "0" })
            let number = try? Conversion<JSON, JSONNumber>.lenientNumber.decode(.string(text))
            #expect((number != nil) == (text.wholeMatch(of: form) != nil), "\(text)")
            guard number != nil else { continue }
            accepted += 1
            let value = strtod(text, nil)
            let double = try? Conversion<JSON, Double>.lenientDouble.decode(.string(text))
            // A number that is not 0 and too small for the type is lost, like one that is too large.
            let isLost = !value.isFinite || value == 0 && text.prefix { !"eE".contains($0) }.contains("5")
            #expect(double == (isLost ? nil : value), "\(text)")
            let int = try? Conversion<JSON, Int>.lenientInt.decode(.string(text))
            #expect(int == Int(exactly: value.rounded(.towardZero)) || abs(value) > 0x1p53, "\(text)")
        }
        #expect(accepted > 1000)
    }

    @Test func manualReadsDoNotTrapOnAnyJSON() {
        var numbers = SeededRandom(seed: 6)
        for _ in 0..<2000 {
            let json = numbers.json()
            for path in ["", "a", "a.b", "é", "messages.a"] as [MappingPath] {
                #expect(json.intValue(at: path, as: .lenientInt, default: 3) == json.intValue(at: path, as: .lenientInt) ?? 3)
                #expect(json.isString(at: path) == (json.stringValue(at: path) != nil))
                #expect(json.isNumber(at: path) == (json.numberValue(at: path) != nil))
                #expect(json.isNonEmptyString(at: path) == !json.stringValue(at: path, default: "").isEmpty)
                #expect(json.isBlank(at: path) || json.hasValue(at: path))
                #expect(json.hasMember(at: path) == (json.value(at: path) != nil))
                _ = json.dateValue(at: path)
                _ = json.urlValue(at: path)
            }
        }
    }
}
