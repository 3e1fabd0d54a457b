import Foundation
import JSONMapping
import JSONText
import Testing

@Suite struct LastOfRepeatedNamesTests {
    /// A name twice, in objects on both sides of the size from which names are looked up through an index.
    @Test(arguments: [2, 3, 14, 15, 16, 17, 18, 40], [true, false]) func theLastOfARepeatedNameCounts(_ count: Int, isFirst: Bool) throws {
        struct Pair: Equatable {
            var name = ""
            var age: Int?

            static let schema = MappingSchema(creating: Pair()) {
                MappingField(\.name, "name")
                MappingField(\.age, "age")
            }
        }
        var members: [(String, JSON)] = (0..<count - 2).map { ("other\($0)", .null) }
        members.insert(contentsOf: [("name", "old"), ("age", 1)], at: isFirst ? 0 : members.count)
        members.append(contentsOf: [("age", 2), ("name", "new")])
        let object = JSONObject(members: members.map { JSONObject.Member(name: $0.0, value: $0.1) })
        #expect(try Pair.schema.decode(.object(object)) == Pair(name: "new", age: 2))
        var applied = Pair()
        try Pair.schema.apply(.object(object), to: &applied)
        #expect(applied == Pair(name: "new", age: 2))
        let parsed = try JSON(parsing: JSON.object(object).description)
        #expect(try Pair.schema.decode(parsed) == Pair(name: "new", age: 2))
    }
}

@Suite struct PropertyTests {
    @Test("A constraint rejects null, also if null is kept")
    func keptNullAndConstraints() {
        let schema = MappingSchema("object") {
            MappingField<DynamicObject, String>("a", .omit, .string).keepingNull().checked(.exists)
        }
        #expect(schema.validate(["a": nil]).map(\.pointer.description) == ["/a"])
        #expect(schema.validate(["a": "x"]).isEmpty)
    }

    @Test func keepingNullKeepsNull() throws {
        let schema = MappingSchema<DynamicObject>("notes") {
            MappingField("a", .omit, .string).keepingNull()
            MappingField("b", .omit, .string)
            MappingField("c", .default("standard"), .string).keepingNull()
        }
        #expect(try schema.encode(schema.decode(["a": nil, "b": nil, "c": nil])) == ["a": nil, "c": nil])
        #expect(try schema.encode(schema.decode([:])) == ["c": "standard"])
        #expect(try schema.encode(schema.decode(["a": "x", "c": "y"])) == ["a": "x", "c": "y"])
        var object = try schema.decode(["a": "x", "c": "y"])
        try schema.apply(["a": nil], to: &object)
        #expect(object.presence(of: "a", as: String.self) == .null)
        #expect(throws: ValidationError.self) { try schema.decode(["a": 1]) }
    }

    /// Every type with a short way, plain and optional, and the same in a value inside of the value.
    private struct Inner: Equatable {
        var text = ""
        var number: Double?
    }

    private struct Whole: Equatable {
        var text = "", count = 0, size = 0.0, isOpen = false, date = Date(timeIntervalSince1970: 0)
        var otherText: String?, otherCount: Int?, otherSize: Double?, isOther: Bool?, otherDate: Date?
        var inner = Inner()
        private(set) var observed = 0
        var watched = "" { didSet { observed += 1 } }
        var computed: Int {
            get { count }
            set { count = newValue * 2 }
        }

        static let schema = MappingSchema(creating: Whole()) {
            MappingField(\.text, "text")
            MappingField(\.size, "size")
            MappingField(\.isOpen, "isOpen")
            MappingField(\.date, "date")
            MappingField(\.otherText, "otherText")
            MappingField(\.otherCount, "otherCount")
            MappingField(\.otherSize, "otherSize")
            MappingField(\.isOther, "isOther")
            MappingField(\.otherDate, "otherDate")
            MappingField(\.inner.text, "innerText")
            MappingField(\.inner.number, "innerNumber")
            MappingField(\.watched, "watched")
            MappingField(\.computed, "computed")
        }
    }

    @Test func propertiesOfEveryKindAreDecodedAndEncoded() throws {
        let json: JSON = [
            "text": "a", "size": 1.5, "isOpen": true, "date": "2016-05-16T23:47:02Z", "otherText": "b", "otherCount": 7, "otherSize": 2.5,
            "isOther": false, "otherDate": "2016-05-16T23:47:02.500Z", "innerText": "c", "innerNumber": 3.5, "watched": "w", "computed": 4,
        ]
        let whole = try Whole.schema.decode(json)
        #expect(whole.text == "a" && whole.size == 1.5 && whole.isOpen && whole.date == Date(timeIntervalSince1970: 1_463_442_422))
        #expect(whole.otherText == "b" && whole.otherCount == 7 && whole.otherSize == 2.5 && whole.isOther == false)
        #expect(whole.otherDate == Date(timeIntervalSince1970: 1_463_442_422.5))
        #expect(whole.inner == Inner(text: "c", number: 3.5))
        // Setters and observers run.
        #expect(whole.watched == "w" && whole.observed == 1 && whole.count == 8)
        #expect(try Whole.schema.encode(whole)["computed"] == 8)
        var written = try Whole.schema.encode(whole)
        written["computed"] = 4
        #expect(JSON.object(written) == json)
    }
}
