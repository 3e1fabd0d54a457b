import Foundation
import JSONMapping
import JSONText
import Testing

@Suite struct MemberReadingTests {
    private let json: JSON = [
        "name": "Ann", "blank": " \n", "empty": "", "count": "12", "age": 7, "ratio": 2.0, "half": 2.5, "open": true, "word": "yes",
        "nothing": nil, "tags": ["a"], "none": [], "place": ["lat": 40.7], "bare": [:], "at": "1970-01-02T00:00:00Z", "day": "02.01.1970",
        "url": "http://x/1", "a.b": 1,
    ]

    @Test func typesAreChecked() {
        #expect(json.isString(at: "name") && !json.isString(at: "age") && !json.isString(at: "missing"))
        #expect(json.isNumber(at: "age") && !json.isNumber(at: "open") && json.isBool(at: "open"))
        #expect(json.isWholeNumber(at: "ratio") && json.isWholeNumber(at: "age") && !json.isWholeNumber(at: "half"))
        #expect(json.isArray(at: "none") && json.isObject(at: "bare") && json.hasNull(at: "nothing") && !json.hasNull(at: "missing"))
        #expect(
            json.hasMember(at: "nothing") && !json.hasValue(at: "nothing") && json.hasMember(at: "place.lat")
                && !json.hasMember(at: "name.lat"))
        #expect(json.isConvertible(at: "at", to: .date()) && !json.isConvertible(at: "name", to: .date()))
        #expect(json.isObject() && JSON.string(" ").isBlank() && !JSON.bool(false).isBlank())
    }

    @Test(arguments: [
        ("1.00000000000000000001", false, true), ("1e400", true, true), ("1e-400", false, true), ("-2.50e1", true, false),
        ("0.0e-9", true, false), ("1e-999999999999999999999", false, true), ("1e999999999999999999999", true, true),
    ])
    func numbersAreCheckedByTheirExactValue(text: String, isWhole: Bool, isPositive: Bool) throws {
        let json = try JSON(parsing: text)
        #expect(json.isWholeNumber() == isWhole && json.isPositiveNumber() == isPositive)
    }

    @Test func readsAreStrictByDefault() {
        #expect(json.intValue(at: "age") == 7 && json.intValue(at: "count") == nil && json.intValue(at: "count", as: .lenientInt) == 12)
        #expect(json.boolValue(at: "word") == nil && json.boolValue(at: "word", as: .lenientBool, default: false))
        #expect(json.stringValue(at: "age") == nil && json.stringValue(at: "age", as: .lenientString) == "7")
        #expect(json.doubleValue(at: "place.lat") == 40.7 && json.numberValue(at: "ratio")?.text == "2")
        #expect(
            json.dateValue(at: "at") == Date(timeIntervalSince1970: 86400)
                && json.dateValue(at: "day", "dd.MM.yyyy") == json.dateValue(at: "at"))
        #expect(
            json.urlValue(at: "url")?.host == "x" && json.arrayValue(at: "tags") == ["a"] && json.objectValue(at: "place") == ["lat": 40.7])
        #expect(json.value(at: "tags", as: .list(.string)) == ["a"] && json.value(at: MappingPath(segments: ["a.b"])) == 1)
    }

    @Test func defaultsReplaceMissingNullAndMismatchedValues() {
        for path in ["missing", "nothing", "name", "place.lat.deeper"] as [MappingPath] {
            #expect(json.intValue(at: path, default: 5) == 5)
            #expect(json.doubleValue(at: path, default: 5) == 5)
            #expect(json.boolValue(at: path, default: true))
            #expect(json.arrayValue(at: path, default: [1]) == [1])
            #expect(json.objectValue(at: path, default: ["a": 1]) == ["a": 1])
            #expect(json.numberValue(at: path, default: 5) == 5)
            #expect(json.dateValue(at: path, default: .distantPast) == .distantPast)
            #expect(json.value(at: path, default: 5) == 5)
        }
        #expect(json.stringValue(at: "age", default: "?") == "?")
        #expect(json.urlValue(at: "blank", default: URL(fileURLWithPath: "/")).path == "/")
        #expect(json.value(at: "missing", as: Conversion<JSON, Int>.int.whenAbsent { 9 }) == 9)
    }

    @Test func valuesAreChecked() {
        #expect(json.isNonEmptyString(at: "blank") && !json.isNonBlankString(at: "blank") && json.isNonBlankString(at: "name"))
        #expect(!json.isNonEmptyString(at: "empty") && json.isNonEmptyArray(at: "tags") && !json.isNonEmptyArray(at: "none"))
        #expect(json.isNonEmptyObject(at: "place") && !json.isNonEmptyObject(at: "bare"))
        for path in ["missing", "nothing", "empty", "none", "bare"] as [MappingPath] { #expect(json.isBlank(at: path), "\(path)") }
        #expect(!json.isBlank(at: "open") && !json.isBlank(at: "age"))
        #expect(json.isPositiveNumber(at: "age") && !json.isPositiveNumber(at: "name") && json.satisfies(.atLeast(7), at: "age"))
        #expect(json.isEqual(to: 7, at: "age") && json.isOne(of: ["Bob", "Ann"], at: "name") && !json.isOne(of: [], at: "name"))
        #expect(!json.satisfies(.atLeast(7), at: "missing"))
    }

    @Test func readsWorkInClosuresOfRules() throws {
        let rewriter = Rewriter {
            Rule("title", from: "name") { _, input in input.isNonBlankString(at: "name") ? input.value(at: "name") : "untitled" }
            Rule("count", from: "count") { _, input in .number(JSONNumber(input.intValue(at: "count", as: .lenientInt, default: 0))) }
        }
        #expect(try rewriter.rewrite(json) == ["title": "Ann", "count": 12])
        #expect(try rewriter.rewrite(["name": " ", "count": "x"]) == ["title": "untitled", "count": 0])
    }
}
