import JSONMapping
import JSONText
import Testing

/// Composed and decomposed é are different texts.
@Suite struct ByteTextTests {
    private let composed = "\u{E9}"
    private let decomposed = "e\u{301}"

    @Test func wordsOfATableAreComparedBytewise() throws {
        let table = Conversion<JSON, Int>.table([composed: 1])
        #expect(try table.decode(.string(composed)) == 1)
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try table.decode(.string(decomposed)) }
        let words = Conversion<JSON, String>.table(["a": composed])
        #expect(throws: MappingIssue(.conversionFailed, expected: "", found: "")) { try words.encode(decomposed) }
    }

    @Test func rawValuesAreComparedByBytes() throws {
        enum Drink: String, JSONConvertible { case cafe = "caf\u{E9}" }
        #expect(try Drink.conversion.decode("caf\u{E9}") == .cafe)
        #expect(throws: MappingIssue(.invalidValue, expected: "", found: "")) { try Drink.conversion.decode("cafe\u{301}") }
    }

    @Test func namesThatAreEqualInADictionaryAreAnIssue() throws {
        var object = JSONObject()
        object.append(name: composed, value: 1)
        object.append(name: decomposed, value: 2)
        #expect(throws: ValidationError([MappingIssue(.nameConflict, at: JSONPointer(decomposed), expected: "", found: "")])) {
            try Conversion<JSON, [String: Int]>.dictionary(.int).decode(.object(object))
        }
        object[decomposed] = nil
        object.append(name: composed, value: 3)
        #expect(try Conversion<JSON, [String: Int]>.dictionary(.int).decode(.object(object)) == [composed: 3])
    }

    @Test func onlyTheLastMemberOfARepeatedNameIsReadAsAnElement() throws {
        let conversion = Conversion<JSON, [String: Int]>.dictionary(.int)
        #expect(try conversion.decode(JSON(parsing: #"{"a":"x","b":1,"a":2}"#)) == ["a": 2, "b": 1])
        #expect(throws: ValidationError([MappingIssue(.typeMismatch, at: JSONPointer("a"), expected: "", found: "")])) {
            try conversion.decode(JSON(parsing: #"{"a":2,"a":"x"}"#))
        }
    }

    @Test func textsThatAreEqualInASetAreAnIssue() throws {
        let set = Conversion<JSON, Set<String>>.set(.string)
        #expect(throws: ValidationError([MappingIssue(.conversionFailed, at: JSONPointer("1"), expected: "", found: "")])) {
            try set.decode([.string(composed), .string(decomposed), "x"])
        }
        #expect(try set.decode([.string(composed), .string(composed), "x"]) == [composed, "x"])
    }

    @Test("Text inside of arrays, optionals, sets, dictionaries, and objects is compared by its bytes")
    func textInsideOfValues() throws {
        let set = Conversion<JSON, Set<[[String]]>>.set(.list(.list(.string)))
        #expect(throws: ValidationError([MappingIssue(.conversionFailed, at: JSONPointer("1"), expected: "", found: "")])) {
            try set.decode([[[.string(composed)]], [[.string(decomposed)]]])
        }
        #expect(try set.decode([[[.string(composed)]], [[.string(composed)]]]) == [[[composed]]])
        #expect(!Constraint<[[String]]>.equal(to: [[composed]]).allows([[decomposed]]))
        #expect(!Constraint<[String: [String?]]>.equal(to: ["a": [nil, composed]]).allows(["a": [nil, decomposed]]))
        #expect(!Constraint<[Set<String>]>.equal(to: [[composed]]).allows([[decomposed]]))
        #expect(!Constraint<[String: Int]>.equal(to: [composed: 1]).allows([decomposed: 1]))
        #expect(Constraint<[String: [String?]]>.equal(to: ["a": [nil, composed]]).allows(["a": [nil, composed]]))
        func object(_ value: some Hashable & Sendable) -> DynamicObject { DynamicObject(["value": value]) }
        #expect(object(composed) != object(decomposed) && object([composed]) != object([decomposed]))
        #expect(object(["a": composed]) != object(["a": decomposed]) && object([object(composed)]) != object([object(decomposed)]))
        #expect(object([composed]) == object([composed]) && object([object(composed)]) == object([object(composed)]))
        #expect(Set([object(composed), object(decomposed), object(composed)]).count == 2)
    }

    @Test("A type can normalize its raw values")
    func normalizedRawValues() throws {
        struct Code: RawRepresentable, Hashable, Sendable, JSONConvertible {
            let rawValue: String

            init(rawValue: String) { self.rawValue = rawValue.lowercased() }
        }
        #expect(try Code.conversion.decode("ABC") == Code(rawValue: "abc"))
    }

    @Test func keysThatAreEqualInADictionaryAreAnIssue() throws {
        let keyed = Conversion<JSON, [String: [String]]>.keyed(by: { $0.first ?? "" }, .list(.string))
        let (first, second) = (JSON.string(composed), JSON.string(decomposed))
        #expect(throws: ValidationError([MappingIssue(.nameConflict, at: JSONPointer("1"), expected: "", found: "")])) {
            try keyed.decode([[first], [second], ["x"]])
        }
        #expect(try keyed.decode([[first], [first, "b"], ["x"]]) == [composed: [composed, "b"], "x": ["x"]])
    }

    @Test func constraintsCompareTextByBytes() {
        #expect(!Constraint<String>.equal(to: composed).allows(decomposed))
        #expect(!Constraint<String>.oneOf(composed, "x").allows(decomposed))
        #expect(Constraint<String>.not(.equal(to: composed)).allows(decomposed))
        #expect(!Constraint<String>.atMost(decomposed).allows(composed) && Constraint<String>.atLeast(decomposed).allows(composed))
        #expect(
            Constraint<String>.less(than: composed).allows(decomposed) && !Constraint<String>.greater(than: composed).allows(decomposed))
        #expect(!Constraint<[String]>.equal(to: [composed]).allows([decomposed]))
        #expect(!Constraint<[String: String]>.equal(to: ["a": composed]).allows(["a": decomposed]))
        #expect(!Constraint<String?>.equal(to: composed).allows(decomposed))
        #expect(!Constraint<JSON>.equal(to: .string(composed)).allows(.string(decomposed)))
    }

    @Test func propertiesOfADynamicObjectAreNamedByBytes() throws {
        let schema = MappingSchema("Word") {
            MappingField(composed, .int)
            MappingField(decomposed, .int)
        }
        let json: JSON = [composed: 1, decomposed: 2]
        let word = try schema.decode(json)
        #expect(word[composed, as: Int.self] == 1 && word[decomposed, as: Int.self] == 2 && word.properties.count == 2)
        #expect(JSON.object(try schema.encode(word)) == json)
        var schemas = SchemaSet()
        schemas[composed] = schema
        #expect(schemas[decomposed] == nil)
        let issues = schema.validate([composed: "x", decomposed: "x"])
        #expect(ValidationError(issues).outline.count == 3)
    }
}
