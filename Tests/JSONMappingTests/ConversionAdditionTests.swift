import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

private enum Level: Int, JSONConvertible { case low = 1, high }

@Suite struct ConversionAdditionTests {
    private struct Asset: Equatable {
        var id = UUID()
        var price = Decimal(0)
        var bytes = Data()
        var tags: Set<String> = []
        var counts: [Int?] = []
        var named: [String: Int?] = [:]
        var note: String?
        var levels: Set<Level>?

        static let schema = MappingSchema(creating: Asset()) {
            MappingField(\.id, "id")
            MappingField(\.price, "price")
            MappingField(\.bytes, "bytes")
            MappingField(\.tags, "tags")
            MappingField(\.counts, "counts")
            MappingField(\.named, "named")
            MappingField(\.note, "note")
            MappingField(\.levels, "levels", .omit)
        }
    }

    @Test func typesWithADefaultConversion() throws {
        let json: JSONObject = [
            "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "price": 12345678901234567890.125, "bytes": "AP8=", "tags": ["b", "a", "b"],
            "counts": [1, nil], "named": ["a": nil, "b": 2], "note": nil,
        ]
        var object = json
        object["price"] = JSONNumber(text: "12345678901234567890.125").map { .number($0) }
        let asset = try Asset.schema.decode(.object(object))
        #expect(asset.price == Decimal(string: "12345678901234567890.125"))
        #expect(asset.bytes == Data([0, 255]) && asset.tags == ["a", "b"] && asset.counts == [1, nil])
        #expect(asset.named == ["a": Int?.none, "b": 2] && asset.note == nil && asset.levels == nil)
        object["tags"] = ["a", "b"]
        #expect(try Asset.schema.encode(asset) == object)
        #expect(try Asset.schema.decode(.object(object)) == asset)
        let text: String = try JSON.object(object).read("id")
        #expect(text.count == 36)
    }

    @Test func aNumberThatDecimalCannotRepresentIsAnError() throws {
        let conversion = Conversion<JSON, Decimal>.decimal
        for text in ["0", "-0.1", "1e10", "1E-3", "99999999999999999999999999999999999999", "0.30"] {
            let number = try #require(JSONNumber(text: text))
            #expect(try conversion.encode(#require(try conversion.decode(.number(number)))) == .number(number))
        }
        for text in ["0.1234567890123456789012345678901234567891", "1e400", "1e-400"] {
            let number = try #require(JSONNumber(text: text))
            #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try conversion.decode(.number(number)) }
        }
        #expect(throws: MappingIssue(.typeMismatch, expected: "", found: "")) { try conversion.decode("1") }
        #expect(try Conversion<JSON, JSONNumber>.lenientNumber.then(.decimal).decode(" 1.50 ") == Decimal(string: "1.5"))
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try conversion.encode(.nan) }
    }

    @Test func dataRoundTrips() throws {
        var numbers = SeededRandom(seed: 31)
        for count in 0..<100 {
            let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) })
            for conversion in [Conversion<JSON, Data>.base64, .base64URL, .hex] {
                #expect(try conversion.decode(conversion.encode(data)) == data)
            }
        }
        #expect(try Conversion<JSON, Data>.base64URL.encode(Data([251, 255, 254, 0])) == "-__-AA")
        #expect(try Conversion<JSON, Data>.base64URL.decode("-__-AA==") == Data([251, 255, 254, 0]))
        #expect(try Conversion<JSON, Data>.hex.decode("00fFa1") == Data([0, 255, 161]))
    }

    @Test func dataInAnotherAlphabetIsAnError() {
        for text in ["A", "AP8", "AP8=\n", "-__-AA==", "é"] {
            #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) {
                try Conversion<JSON, Data>.base64.decode(.string(text))
            }
        }
        for text in ["A", "+//+AA", "AP8==", "AP8===", "AA=A", "é"] {
            #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) {
                try Conversion<JSON, Data>.base64URL.decode(.string(text))
            }
        }
        for text in ["0", "0g", "é", "0x00"] {
            #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) {
                try Conversion<JSON, Data>.hex.decode(.string(text))
            }
        }
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try Conversion<JSON, UUID>.uuid.decode("E621") }
    }

    // MARK: - What did not hold

    @Test(arguments: [
        ("-9223372036854775808.9", Int.min), ("9223372036854775807.999", Int.max), ("9007199254740992.9", 9_007_199_254_740_992),
        ("0.99999999999999999", 0), ("-0.99999999999999999", 0), ("12345678901234567.9", 12_345_678_901_234_567), ("15.99e1", 159),
        ("1e-999999999999999999999", 0), ("0e999999999999999999999", 0), ("0.00019e4", 1), ("-1.5", -1), ("00012.7", 12),
    ])
    func lenientIntTruncatesExactly(_ text: String, _ whole: Int) throws {
        #expect(try Conversion<JSON, Int>.lenientInt.decode(.string(text)) == whole)
    }

    @Test(arguments: ["-9223372036854775809", "9223372036854775808", "-9223372036854775809.5", "1e19", "1e999999999999999999999", "9.3e18"])
    func lenientIntRejectsNumbersThatDoNotFit(_ text: String) {
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) {
            try Conversion<JSON, Int>.lenientInt.decode(.string(text))
        }
    }

    @Test func whenAbsentAppliesToEveryRead() throws {
        let conversion = Conversion<JSON, Int>.lenientInt.whenAbsent { 7 }
        let json: JSON = ["a": nil, "b": "5"]
        for path in ["a", "c", "c.d"] as [MappingPath] {
            #expect(try json.read(Paths(path), as: conversion) == 7)
            #expect(json.value(at: path, as: conversion) == 7)
        }
        #expect(try json.read(["c", "b"], as: conversion) == 5)
        #expect(try json.read(["c", "a"], as: conversion) == 7)
        #expect(throws: ValidationError.self) { try JSON.object(["a": "x"]).read("a", as: conversion) }
        let rewriter = Rewriter {
            Rule("a", from: "a", conversion)
            Rule("b", from: "b", conversion)
            Rule("c", from: "c", conversion)
            Rule("d", from: "c", Conversion<JSON, Int>.lenientInt).optional
        }
        #expect(try rewriter.rewrite(json) == ["a": 7, "b": 5, "c": 7])
    }

    @Test func whenAbsentAppliesToNullElements() throws {
        let conversion = Conversion<JSON, Int>.int.whenAbsent { 7 }
        #expect(try Conversion<JSON, [Int]>.list(conversion).decode([1, nil]) == [1, 7])
        #expect(try Conversion<JSON, [String: Int]>.dictionary(conversion).decode(["a": nil, "b": 2]) == ["a": 7, "b": 2])
        #expect(try Conversion<JSON, Set<Int>>.set(conversion).decode([nil, nil, 1]) == [1, 7])
        #expect(try Conversion<JSON, [Int?]>.list(.nullable(conversion)).decode([1, nil]) == [1, nil])
        #expect(throws: ValidationError.self) { try Conversion<JSON, [Int]>.list(.int).decode([nil]) }
    }

    @Test func unknownWordsOfATableAreOmittedOrReplaced() throws {
        let table = Conversion<JSON, Int>.table(["low": 1, "high": 2])
        #expect(try Conversion<JSON, [Int]>.list(table, unknown: .drop).decode(["low", "odd", "high"]) == [1, 2])
        #expect(try Conversion<JSON, [Int]>.list(table, unknown: .replace(0)).decode(["low", "odd"]) == [1, 0])
        let error = #expect(throws: ValidationError.self) { try Conversion<JSON, [Int]>.list(table).decode(["odd"]) }
        #expect(error?.issues.map(\.kind) == [.conversionFailed])
        #expect(throws: ValidationError.self) { try Conversion<JSON, [Int]>.list(table, unknown: .drop).decode(["low", 3]) }
        #expect(throws: ValidationError.self) { try Conversion<JSON, [Date]>.list(.date(), unknown: .drop).decode(["odd"]) }
    }

    @Test func elementsOfASetAreEncodedByTheSchemasOfTheRun() throws {
        var schemas = SchemaSet()
        schemas["Tag"] = MappingSchema("Tag") {
            MappingField("name", .required, .string)
            MappingField("rank", .omit, .int)
        }
        schemas["Page"] = MappingSchema("Page") { MappingField("tags", .required, .set(.object(named: "Tag"))) }
        let page: JSON = ["tags": [["name": "b", "rank": 1], ["name": "a"], ["name": "b", "rank": 1]]]
        let schema = try schemas.schema(named: "Page")
        #expect(try schema.encode(schema.decode(page)) == ["tags": [["name": "a"], ["name": "b", "rank": 1]]])
        // A schema that replaces another one determines the order of the elements.
        schemas["Tag"] = MappingSchema("Tag") {
            MappingField("rank", .required, .int)
            MappingField("name", .required, .string)
        }
        let ranked = try schemas.schema(named: "Page")
        let object = try ranked.decode(["tags": [["rank": 2, "name": "a"], ["rank": 1, "name": "b"]]])
        #expect(try ranked.encode(object)["tags"]?[0]?["name"] == "b")
    }
}
