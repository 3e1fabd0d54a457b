import Foundation
import JSONMapping
import JSONText
import Testing

@Suite struct RepeatedNameTests {
    private struct Pair: Equatable {
        var first = 0
        var second = 0
    }

    private let schema = MappingSchema(creating: Pair()) {
        MappingField(\.first, "first", .required, .int)
        MappingField(\.second, "second", .required, .int)
    }

    /// Objects on both sides of the size from which names are looked up in an index.
    @Test(arguments: [3, 15, 16, 17, 18, 40])
    func theLastMemberOfARepeatedNameIsRead(count: Int) throws {
        for repeated in ["first", "second"] {
            var members = JSONObject()
            members.append(name: "first", value: 1)
            members.append(name: "second", value: 2)
            for number in 3..<count { members.append(name: "other\(number)", value: .null) }
            members.append(name: repeated, value: 3)
            #expect(members.count == count)
            let pair = try schema.decode(.object(members))
            #expect(pair == (repeated == "first" ? Pair(first: 3, second: 2) : Pair(first: 1, second: 3)))
            let parsed = try JSON(parsing: JSON.object(members).description)
            #expect(try schema.decode(parsed) == pair)
        }
    }
}

@Suite struct DynamicObjectTests {
    @Test func aValueOfAnotherTypeIsAnIssueInsteadOfNull() throws {
        let schema = MappingSchema<DynamicObject>("User") {
            MappingField("age", .int)
            MappingField("name", .string)
        }
        struct Box: Encodable {
            let schema: MappingSchema<DynamicObject>
            let user: DynamicObject
            func encode(to encoder: any Encoder) throws { try schema.archive(user, to: encoder) }
        }
        let user = DynamicObject(["age": "12", "name": "Ann"])
        let issue = MappingIssue(.typeMismatch, at: JSONPointer("age"), expected: "", found: "")
        #expect(throws: ValidationError([issue])) { try schema.encode(user) }
        #expect(throws: (any Error).self) { try JSONEncoder().encode(Box(schema: schema, user: user)) }
        #expect(schema.represent(user) == ["age": nil, "name": "Ann"])
        #expect(try schema.encode(DynamicObject(["age": nil, "name": "Ann"])) == ["age": nil, "name": "Ann"])
        #expect(try schema.encode(DynamicObject(["age": 12])) == ["age": 12, "name": nil])
    }

    @Test func unmappedMembersAffectEquality() {
        var one = DynamicObject(["name": "a"])
        var other = DynamicObject(["name": "a"])
        #expect(one == other && one.hashValue == other.hashValue)
        one.unmapped = ["x": 1]
        #expect(one != other)
        other.unmapped = ["x": 1]
        #expect(one == other)
        other.unmapped = ["x": 2]
        #expect(one != other)
    }
}
