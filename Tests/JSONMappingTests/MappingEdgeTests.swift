import Foundation
import JSONMapping
import JSONText
import Testing

/// Dates at the edges of the calendar and of their zones.
@Suite struct DateEdgeTests {
    private func seconds(_ text: String, _ layout: DateLayout = .iso8601) -> Double? { layout.date(text)?.timeIntervalSince1970 }

    @Test(arguments: [DateLayout.iso8601, .rfc3339])
    func aDayOutsideTheMonthIsNotADate(layout: DateLayout) {
        let days = [
            ("1900-02-28", true), ("1900-02-29", false), ("2000-02-29", true), ("2001-02-29", false), ("2024-02-29", true),
            ("2024-02-30", false), ("2100-02-29", false), ("2024-04-30", true), ("2024-04-31", false), ("2024-12-31", true),
            ("2024-12-32", false), ("2024-00-10", false), ("2024-13-01", false), ("2024-01-00", false),
        ]
        for (day, isDay) in days {
            #expect((layout.date(day + "T10:00:00Z") != nil) == isDay, "\(day)")
            #expect((layout.date(day + "T10:00:00.25+01:00") != nil) == isDay, "\(day)")
            if layout == .iso8601 { #expect((layout.date(day) != nil) == isDay, "\(day)") }
        }
        #expect((DateLayout("yyyy-MM-dd").date("1900-02-29") != nil) == false)
    }

    @Test(arguments: [
        ("Z", 0), ("+00:00", 0), ("-00:00", 0), ("+01:00", 60), ("-01:00", -60), ("+05:30", 330), ("-09:30", -570), ("+14:00", 840),
    ])
    func theZoneIsSubtracted(zone: String, minutes: Int) throws {
        let noon = 43200.0 - Double(minutes * 60)
        #expect(seconds("1970-01-01T12:00:00" + zone) == noon)
        #expect(seconds("1970-01-01T12:00:00.5" + zone) == noon + 0.5)
        #expect(seconds("1970-01-01T12:00:00" + zone, .rfc3339) == noon)
        #expect(seconds("1970-01-01T12:00:00" + zone, "yyyy-MM-dd'T'HH:mm:ssXXX") == noon)
        #expect(seconds("1970-01-01T12:00" + zone) == noon)
    }

    @Test func hoursAndMinutesHaveTheirRanges() {
        #expect(seconds("1970-01-01T23:59:59Z") == 86399)
        for time in ["25:00:00", "12:60:00", "12:00:61", "24:30:00", "24:00:01"] {
            #expect(seconds("1970-01-01T\(time)Z") == nil && seconds("1970-01-01T\(time).5+01:00") == nil)
        }
    }
}

@Suite struct ConversionEdgeTests {
    @Test func aChainedConversionReceivesAnAbsentValue() throws {
        let counted = Conversion<String, Int>(
            handlingAbsent: { $0.map { $0.utf8.count } ?? -1 }, encode: { String(repeating: "x", count: $0) })
        let conversion = Conversion<JSON, String>.string.then(counted)
        #expect(try conversion.decode("abc") == 3)
        #expect(try conversion.decode(nil) == -1)
        #expect(conversion.handlesAbsent)
    }

    private struct Inner {
        var name = ""
    }

    private struct Outer {
        var inner = Inner()
        var list: [Inner] = []
    }

    @Test func issuesOfInnerAlternativesHaveOuterPointers() throws {
        let inner = MappingSchema(creating: Inner()) { MappingField(\.name, from: ["name", "login"], .required, .string) }
        let outer = MappingSchema(creating: Outer()) {
            MappingField(\.inner, "inner", .required, .object(inner))
            MappingField(\.list, "list", .required, .list(.object(inner)))
        }
        let issues = outer.validate(["inner": [:], "list": [["name": "a"], [:]]])
        #expect(issues.map(\.pointer.description) == ["/inner/name", "/list/1/name"])
        #expect(
            issues.map { $0.alternatives.map(\.description) } == [["/inner/name", "/inner/login"], ["/list/1/name", "/list/1/login"]])
    }
}

@Suite struct SchemaEdgeTests {
    private enum Suit: String, JSONConvertible {
        case hearts, spades
    }

    private struct Card: Equatable {
        var suits: [Suit] = []
        var color = "red"
        var rest = JSONObject()
    }

    private let schema = MappingSchema(creating: Card()) {
        MappingField(\.suits, "suits", .required, .list(Suit.conversion))
        MappingField(\.color, "color", .default("red"))
    }.unknownMembers(.keep(in: \.rest))

    @Test(arguments: [999, 1000, 1001, 1500])
    func atMostAThousandIssuesAreReported(count: Int) {
        let json: JSON = ["suits": .array(JSONArray((0..<count).map { .string("suit \($0)") }))]
        #expect(schema.validate(json).count == min(count, ValidationError.issueLimit))
        let error = #expect(throws: ValidationError.self) { try Conversion<JSON, [Suit]>.list(Suit.conversion).decode(json["suits"]) }
        #expect(error?.issues.count == min(count, ValidationError.issueLimit))
    }

    @Test func aPartialUpdateDoesNotApplyDefaults() throws {
        var card = Card(suits: [.hearts], color: "black")
        try schema.apply(["suits": ["spades"]], to: &card)
        #expect(card == Card(suits: [.spades], color: "black"))
        try schema.apply(["suits": ["spades"]], to: &card, isPartial: true)
        #expect(card.color == "black")
        #expect(try schema.decode(["suits": []]).color == "red")
    }

    @Test func anUpdateKeepsUnknownMembersThatItDoesNotMention() throws {
        var card = try schema.decode(["suits": [], "a": 1, "b": 2])
        try schema.apply(["suits": ["spades"], "b": nil, "c": 3], to: &card)
        #expect(card.rest == ["a": 1, "b": nil, "c": 3])
        try schema.apply(["color": "black"], to: &card, isPartial: true)
        #expect(try schema.encode(card) == ["suits": ["spades"], "color": "black", "a": 1, "b": nil, "c": 3])
        #expect(try schema.decode(["suits": [], "c": 4]).rest == ["c": 4])
    }

    @Test func anUpdateDoesNotApplyValuesForAbsentMembers() throws {
        let string = Conversion<JSON, String>.string
        let schema = MappingSchema(creating: Card()) { MappingField(\.color, "color", string.whenAbsent { "red" }) }
        for isPartial in [false, true] {
            var card = Card(color: "black")
            try schema.apply([:], to: &card, isPartial: isPartial)
            #expect(card.color == "black")
            try schema.apply(["color": nil], to: &card, isPartial: isPartial)
            #expect(card.color == "red")
        }
        #expect(try schema.decode([:]).color == "red")
        let refusing = MappingSchema(creating: Card()) { MappingField(\.color, "color", string.whenAbsent { throw CancellationError() }) }
        var card = Card(color: "black")
        try refusing.apply([:], to: &card, isPartial: true)
        #expect(card.color == "black")
        #expect(throws: ValidationError.self) { try refusing.apply([:], to: &card) }
    }

    @Test func longNamesDoNotMakeLongMessages() {
        let name = String(repeating: "n", count: 100_000)
        let issue = MappingIssue(.required, at: JSONPointer(name, "x"), expected: "a value", found: "nothing")
        #expect(issue.description.utf8.count < 3000 && issue.description.hasPrefix("/nnn"))
        let schema = MappingSchema("Lists") { MappingField("lists", Conversion<JSON, [String: Int]>.dictionary(.int)) }
        let issues = schema.validate(["lists": [name: "x"]])
        #expect(issues.first?.pointer == JSONPointer("lists", name))
        #expect(ValidationError(issues).description.utf8.count < 5000)
    }

    @Test("The text of an error does not multiply its depth, nor exceed a limit")
    func longDescriptions() {
        final class Folder {
            var name = ""
            var folders: [Folder] = []
            static let schema: MappingSchema<Folder> = MappingSchema(creating: Folder()) {
                MappingField(\.name, "name", .default(""))
                MappingField(\.folders, "folders", .default([]), .list(.object(Folder.schema)))
            }
        }
        func text(_ count: Int, depth: Int) -> String {
            var json: JSON = ["folders": .array(JSONArray((0..<count).map { _ in ["name": 1] }))]
            for _ in 0..<depth { json = ["folders": [json]] }
            let error = #expect(throws: ValidationError.self) { try Folder.schema.decode(json) }
            return error?.description ?? ""
        }
        let short = text(1, depth: 50)
        // Twice as deep: twice as many lines, of the same length but for the place.
        #expect(text(1, depth: 100).utf8.count < 3 * short.utf8.count)
        let long = text(2000, depth: 100)
        #expect(long.utf8.count < (1 << 20) + 10_000)
    }

    @Test func issuesInDeepObjectsHaveTheirWholePlaces() {
        final class Folder {
            var name = ""
            var folders: [Folder] = []
        }
        enum Schemas {
            static var folder: MappingSchema<Folder> {
                MappingSchema("Folder", creating: Folder()) {
                    MappingField(\.name, "name", from: ["name", "other.name"], .required, .string)
                    MappingField(\.folders, "folders", from: "content.folders", .default([]), .list(.object(Schemas.folder)))
                }
            }
        }
        for depth in 0...20 {
            var json: JSON = [:]
            for _ in 0..<depth { json = ["name": "a", "content": ["folders": [["name": "b"], json]]] }
            let folder = (0..<depth).flatMap { _ in ["content", "folders", "1"] }
            let places = [folder + ["name"], folder + ["other", "name"]]
            let property = (0..<depth).flatMap { _ in ["folders", "1"] } + ["name"]
            let issues = Schemas.folder.validate(json)
            #expect(issues.map(\.pointer.tokens) == [places[0]])
            #expect(issues.first?.alternatives.map(\.tokens) == places)
            #expect(issues.first?.propertyPath == property)
        }
    }

    @Test func aMemberWithAnEmptyNameIsKeptBesideTheWholeValue() throws {
        struct Event {
            var raw = JSON.null
            var rest = JSONObject()
        }
        let schema = MappingSchema(creating: Event()) { MappingField(\.raw, "raw", from: "", .json) }.unknownMembers(.keep(in: \.rest))
        #expect(try schema.decode(["": 1, "a": 2]).rest == ["": 1, "a": 2])
    }

    @Test func aKeptMemberWithTheNameOfAFieldIsWrittenOnce() throws {
        let card = Card(suits: [], color: "black", rest: ["color": "green", "other": 1])
        let written = try schema.encode(card)
        #expect(written.names.sorted() == ["color", "other", "suits"])
        #expect(written["color"] == "black" && written["other"] == 1)
    }

    @Test func errorsNameTheRequestedType() throws {
        var schemas = SchemaSet()
        schemas["base"] = MappingSchema("base") { MappingField("name", .required, .string) }
        schemas.extend("base", to: "derived")
        for name in ["base", "derived"] {
            let schema = try schemas.schema(named: name)
            #expect(schema.name == name)
            let error = #expect(throws: ValidationError.self) { try schema.decode([:]) }
            #expect(error?.name == name)
        }
    }
}
