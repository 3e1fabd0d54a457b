import Foundation
import JSONMapping
import JSONText
import Testing

private struct User: Equatable {
    var id = 0
    var name = ""
    var website: URL?
    var messages: [Message] = []
    var age: Int?
    var extra = JSONObject()

    static let schema = MappingSchema(creating: User()) {
        MappingField(\.id, "id", from: "user_id", .required, .lenientInt)
        MappingField(\.name, "name", from: ["name", "login"])
        MappingField(\.website, "website")
        MappingField(\.messages, "messages", .default([]), .list(.object(Message.schema)))
        MappingField(\.age, "age", .omit).checked(.all(.atLeast(0), .less(than: 150)))
    }.unknownMembers(.keep(in: \.extra))
}

private struct Message: Equatable {
    let id: Int
    var text = ""
    var sent: Date?

    static let schema: MappingSchema<Message> = MappingSchema {
        MappingField(\.id, from: "message_id")
        MappingField(\.text, "text", .default(""))
        MappingField(\.sent, "sent", from: "published_at", .date("yyyy-MM-dd"))
    } make: { values in
        Message(id: try values[\.id])
    }
}

private class Node {
    var id = ""
    var children: [Node] = []

    static var schema: MappingSchema<Node> {
        MappingSchema("Node", creating: Node()) {
            MappingField(\.id, "id")
            MappingField(\.children, "children", .default([]), .list(.object(Node.schema)))
        }
    }
}

private final class Leaf: Node {
    var color = ""

    static var leafSchema: MappingSchema<Leaf> {
        MappingSchema("Leaf", creating: Leaf()) {
            Node.schema.inherited { $0 }
            MappingField(\.color, "color")
            MappingField(\.id, "id", from: "leaf_id")
        }
    }
}

@Suite struct SchemaTests {
    private let json: JSON = [
        "user_id": "42", "login": "ann", "website": "https://example.org/a", "x": 1,
        "messages": [["message_id": 1, "published_at": "2014-02-13"], ["message_id": 2, "text": "hi"]],
    ]

    @Test func aStructIsDecodedAndEncoded() throws {
        let user = try User.schema.decode(json)
        #expect(user.id == 42)
        #expect(user.name == "ann")
        #expect(user.messages.map(\.id) == [1, 2])
        #expect(user.messages[0].sent == Date(timeIntervalSince1970: 1_392_249_600))
        #expect(user.extra == ["x": 1])
        let object = try User.schema.encode(user)
        #expect(object["age"] == nil)
        #expect(object["name"] == "ann")
        #expect(try User.schema.decode(.object(object)) == user)
        #expect(try User.schema.encode(user, only: ["user_id", "nope"]) == ["user_id": 42])
        #expect(User.schema.representing("name").represent(user) == ["name": "ann"])
    }

    @Test func everyProblemIsReportedWithItsPlace() {
        let bad: JSON = ["user_id": "x", "age": 200, "website": 5, "messages": [["message_id": 1], ["message_id": nil, "text": 3], 7]]
        let issues = User.schema.validate(bad)
        #expect(
            issues.map { "\($0.kind) \($0.pointer)" } == [
                "conversion /user_id", "required /name", "type-mismatch /website", "required /messages/1/message_id",
                "type-mismatch /messages/1/text", "type-mismatch /messages/2", "constraint /age",
            ])
        #expect(issues[1].alternatives.map(\.description) == ["/name", "/login"])
        #expect(issues[3].propertyPath == ["messages", "1", "message_id"])
    }

    @Test func theOutlineNestsObjectListElementAndField() throws {
        let issues = User.schema.validate(["user_id": 1, "name": "a", "messages": [["message_id": 1], ["text": 3]]])
        #expect(
            "\(ValidationError(issues, name: "User"))" == """
                User: 1 problem
                  messages: 1 problem
                    1: 2 problems
                      message_id: required: expected a value, found nothing (/messages/1/message_id)
                      text: type-mismatch: expected a string, found a number (/messages/1/text)
                """)
    }

    @Test func absentKeepsNullClearsAndValuesReplace() throws {
        var user = try User.schema.decode(json)
        try User.schema.apply(["website": nil, "age": 3], to: &user, isPartial: true)
        #expect(user.website == nil)
        #expect(user.age == 3)
        #expect(user.name == "ann")
        #expect(user.messages.count == 2)
        #expect(throws: ValidationError.self) { try User.schema.apply(["age": 4], to: &user) }
        #expect(throws: ValidationError.self) { try User.schema.apply(["name": nil], to: &user, isPartial: true) }
        #expect(user.age == 3)
    }

    @Test func aFailedApplyChangesNothing() throws {
        var generator = SystemRandomNumberGenerator()
        let values: [JSON] = [nil, 1, "2", "x", [], [["message_id": 5]], [["message_id": "5"]], "https://example.org", -7, true]
        let schema = User.schema.finishing { if $0.id == 2 { throw CancellationError() } }
        var failures = 0
        for _ in 0..<500 {
            var changes = JSONObject()
            for name in ["user_id", "name", "login", "website", "messages", "age"] where Bool.random(using: &generator) {
                changes[name] = values.randomElement(using: &generator)
            }
            let before = try User.schema.decode(json)
            var user = before
            let issues = schema.validate(.object(changes), for: user, isPartial: true)
            do {
                try schema.apply(.object(changes), to: &user, isPartial: true)
                #expect(issues.isEmpty)
            } catch let error as ValidationError {
                #expect(user == before)
                #expect(error.issues == issues)
                failures += 1
            }
        }
        #expect(failures > 50)
    }

    @Test func aFailureDoesNotChangeAnExistingInstance() throws {
        let known = Node()
        known.id = "old"
        nonisolated(unsafe) let instance = known
        var inner = MappingSchema("Node", fields: Node.schema.fields) { _ in instance }
        inner.name = "Known"
        let schema = inner
        let outer = MappingSchema<DynamicObject>("Box") {
            MappingField(
                "node",
                Conversion<JSON, JSON>.json.then(
                    decode: { json in .string(try schema.decode(json).id) }, encode: { $0 }))
        }
        #expect(try outer.decode(["node": ["id": "new"]])["node", as: JSON.self] == "new")
        #expect(known.id == "new")
        var root = known
        #expect(throws: ValidationError.self) {
            try schema.finishing { _ in throw CancellationError() }.apply(["id": "other"], to: &root)
        }
        #expect(known.id == "new")
        let pair = MappingSchema("Pair", creating: Node()) {
            MappingField(\.id, "id")
            MappingField(\.children, "children", .list(.object(schema)))
        }
        #expect(throws: ValidationError.self) { try pair.decode(["children": [["id": "changed"]]]) }
        #expect(known.id == "new")
        #expect(pair.validate(["id": "p", "children": [["id": "changed"]]]).isEmpty)
        #expect(known.id == "new")
    }

    @Test func classesInheritFieldsAndOverrideThem() throws {
        let leaf = try Leaf.leafSchema.decode(["leaf_id": "l", "color": "green", "children": [["id": "c"]]])
        #expect(leaf.id == "l")
        #expect(leaf.color == "green")
        #expect(leaf.children.map(\.id) == ["c"])
        #expect(try Leaf.leafSchema.encode(leaf).names.map { $0 } == ["leaf_id", "children", "color"])
    }

    @Test func hooksReplaceAndReject() throws {
        struct Name { var text = "" }
        let schema = MappingSchema(creating: Name()) {
            MappingField(\.text, "text").validated { text, _ in
                let trimmed = text.trimmingCharacters(in: .whitespaces)
                guard !trimmed.isEmpty else { throw CancellationError() }
                return trimmed
            }
        }
        #expect(try schema.decode(["text": " a "]).text == "a")
        #expect(schema.validate(["text": "  "]).map(\.kind) == [.constraintFailed])
    }

    @Test func anErrorWithoutIssuesRejectsTheValue() throws {
        struct Pair {
            var a = 1
            var b = 2
        }
        let refusing = Conversion<JSON, Int>(decode: { _ in throw ValidationError([]) }, encode: { _ in throw ValidationError([]) })
        let converting = MappingSchema(creating: Pair()) {
            MappingField(\.a, "a", refusing)
            MappingField(\.b, "b")
        }
        #expect(
            converting.validate(["a": 5, "b": 3]) == [MappingIssue(.conversionFailed, at: JSONPointer("a"), expected: "", found: "")])
        #expect(throws: ValidationError.self) { try converting.decode(["a": 5, "b": 3]) }
        #expect(throws: ValidationError.self) { try converting.encode(Pair()) }
        let error = #expect(throws: ValidationError.self) { try Conversion<JSON, [Int]>.list(refusing).decode([1, 2, 3]) }
        #expect(error?.issues.count == 3)
        let hooked = MappingSchema(creating: Pair()) {
            MappingField(\.a, "a").validated { a, _ in
                guard a < 5 else { throw ValidationError([]) }
                return a
            }
        }
        #expect(hooked.validate(["a": 5]) == [MappingIssue(.constraintFailed, at: JSONPointer("a"), expected: "", found: "")])
        let finishing = MappingSchema(creating: Pair()) { MappingField(\.a, "a") }.finishing { _ in throw ValidationError([]) }
        #expect(finishing.validate(["a": 5]).map(\.kind) == [.constraintFailed])
    }

    @Test func aPropertyThatAlwaysHasAValueReadsTheNullThatItWrites() throws {
        struct Note: Equatable {
            var body: JSON = "prototype"
            var rank: Int? = 1
            var size = 1
        }
        let policies: [Policy<JSON>] = [.required, .optional, .omit, .null]
        for policy in policies {
            let schema = MappingSchema(creating: Note()) {
                MappingField(\.body, "body", policy, .json)
                MappingField(\.rank, "rank", .required, Conversion<JSON, Int?>.nullable(.int))
                MappingField(\.size, "size")
            }
            let note = Note(body: .null, rank: nil, size: 2)
            let written: JSONObject = ["body": nil, "rank": nil, "size": 2]
            #expect(try schema.encode(note) == written)
            #expect(try schema.decode(.object(written)) == note)
            var changed = Note(rank: 3)
            try schema.apply(["body": nil], to: &changed, isPartial: true)
            #expect(changed == Note(body: .null, rank: 3))
            // Null is not an integer, and without a member there is no value.
            #expect(schema.validate(["body": 1, "rank": 1, "size": nil]).map(\.kind) == [.required])
            #expect(schema.validate(["body": 1, "size": 1]).map(\.pointer) == [JSONPointer("rank")])
        }
        let standard = MappingSchema(creating: Note()) { MappingField(\.body, "body", .default("standard"), .json) }
        #expect(try standard.decode(["body": nil]).body == "standard")
    }

    @Test func aRequiredOptionalPropertyNeitherReadsNorWritesNull() throws {
        struct Note {
            var body: JSON? = "prototype"
        }
        let schema = MappingSchema(creating: Note()) { MappingField(\.body, "body", .required, .json) }
        let required = [MappingIssue(.required, at: JSONPointer("body"), expected: "", found: "")]
        #expect(schema.validate(["body": nil]) == required)
        for body in [JSON.null, nil] as [JSON?] {
            let error = #expect(throws: ValidationError.self) { try schema.encode(Note(body: body)) }
            #expect(error?.issues == required)
            #expect(schema.represent(Note(body: body)) == ["body": nil])
        }
        #expect(try schema.encode(Note(body: 1)) == ["body": 1])
    }

    @Test func presenceDistinguishesAbsentFromNull() throws {
        struct Changes: Equatable { var title: Presence<String> = .absent }
        let schema = MappingSchema(creating: Changes()) { MappingField(\.title, "title") }
        for (json, title) in [(["title": "a"], .value("a")), (["title": nil], .null), ([:], .absent)] as [(JSON, Presence<String>)] {
            let changes = try schema.decode(json)
            #expect(changes.title == title)
            #expect(JSON.object(try schema.encode(changes)) == json)
        }
    }

    @Test func nestedPathsAreDecodedAndEncoded() throws {
        struct Place: Equatable { var lat = 0.0, long = 0.0 }
        let schema = MappingSchema(creating: Place()) {
            MappingField(\.lat, from: "location.lat")
            MappingField(\.long, from: "location.long")
        }
        let json: JSON = ["location": ["lat": 1.5, "long": 2]]
        #expect(JSON.object(try schema.encode(schema.decode(json))) == json)
        let clash = MappingSchema(creating: Place()) {
            MappingField(\.lat, from: "location")
            MappingField(\.long, from: "location.long")
        }
        #expect(throws: ValidationError([MappingIssue(.nameConflict, at: JSONPointer("location", "long"), expected: "", found: "")])) {
            try clash.encode(Place())
        }
    }

    @Test func archivesKeepUnknownMembers() throws {
        struct Box: Codable {
            var user: User
            init(_ user: User) { self.user = user }
            init(from decoder: any Decoder) throws { user = try User.schema.unarchive(from: decoder) }
            func encode(to encoder: any Encoder) throws { try User.schema.archive(user, to: encoder) }
        }
        let user = try User.schema.decode(json)
        #expect(user.extra == ["x": 1])
        #expect(try JSONDecoder().decode(Box.self, from: JSONEncoder().encode(Box(user))).user == user)
    }

    @Test func aCheckDoesNotChangeWhatAConversionGivesForAValueThatItRejects() throws {
        struct Counter: Equatable { var n = -1 }
        let conversion = Conversion<JSON, Int>.int.whenAbsent { 0 }.lossy
        let field = MappingField(\Counter.n, "n", .default(7), conversion)
        let plain = MappingSchema(creating: Counter()) { field }
        let checked = MappingSchema(creating: Counter()) { field.checked(.atLeast(0)) }
        for json in [["n": "x"], ["n": nil], [:], ["n": 3]] as [JSON] {
            #expect(try plain.decode(json) == checked.decode(json), "\(json)")
        }
        #expect(try plain.decode(["n": "x"]).n == 0)
    }

    @Test func anArchiveKeepsTheNullOfAPropertyThatAlwaysHasAValue() throws {
        struct Note: Equatable {
            var body: JSON = "prototype"
            var title: JSON? = "prototype"
        }
        let creating = MappingSchema(creating: Note()) {
            MappingField(\.body, "body")
            MappingField(\.title, "title")
        }
        let making = MappingSchema<Note> {
            MappingField(\.body, "body")
            MappingField(\.title, "title")
        } make: { values in
            Note(body: try values[\.body], title: nil)
        }
        struct Box: Codable {
            static let key = CodingUserInfoKey(rawValue: "schema")
            var note: Note
            init(note: Note) { self.note = note }
            private static func schema(_ userInfo: [CodingUserInfoKey: Any]) throws -> MappingSchema<Note> {
                try #require(key.flatMap { userInfo[$0] } as? MappingSchema<Note>)
            }
            init(from decoder: any Decoder) throws { note = try Self.schema(decoder.userInfo).unarchive(from: decoder) }
            func encode(to encoder: any Encoder) throws { try Self.schema(encoder.userInfo).archive(note, to: encoder) }
        }
        let key = try #require(Box.key)
        for schema in [creating, making] {
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            (encoder.userInfo[key], decoder.userInfo[key]) = (schema, schema)
            for body in [.null, "text", [:]] as [JSON] {
                let note = Note(body: body, title: nil)
                #expect(try decoder.decode(Box.self, from: encoder.encode(Box(note: note))).note == note)
            }
        }
    }

    @Test func anIssueNamesTheValueThatALossyConversionRejected() throws {
        struct Count { var n = 0 }
        let schema = MappingSchema(creating: Count()) { MappingField(\.n, "n", .required, Conversion<JSON, Int>.int.lossy) }
        let making = MappingSchema {
            MappingField(\Count.n, from: ["m", "n"], .required, Conversion<JSON, Int>.int.lossy)
        } make: { _ in
            Count()
        }
        for (json, found) in [(["n": "abc"], "a string that cannot be converted"), (["n": .null], "null"), ([:], "nothing")]
            as [(JSON, String)]
        {
            #expect(schema.validate(json).map(\.found) == [found])
            #expect(making.validate(json).map(\.found) == [found])
        }
    }

    @Test func archivesUseInternalNamesAndTypedValues() throws {
        struct Box: Codable, Equatable {
            var user: User
            init(user: User) { self.user = user }
            init(from decoder: any Decoder) throws {
                #expect(try User.schema.archivedVersion(in: decoder) == 3)
                user = try User.schema.unarchive(from: decoder)
            }
            func encode(to encoder: any Encoder) throws { try User.schema.archive(user, to: encoder, version: 3) }
        }
        var box = Box(user: try User.schema.decode(json))
        box.user.extra = [:]
        let data = try JSONEncoder().encode(box)
        #expect(try JSON(parsing: data)["id"] == 42)
        #expect(try JSONDecoder().decode(Box.self, from: data) == box)
    }

    @Test func invalidInputGivesALimitedNumberOfIssues() {
        let messages = JSON.array(JSONArray(repeatElement(["message_id": "x"], count: 10_000)))
        let issues = User.schema.validate(["user_id": 1, "name": "a", "messages": messages])
        #expect(issues.count == ValidationError.issueLimit)
        #expect(issues.last?.pointer.description == "/messages/999/message_id")
        var deep: JSON = .array(JSONArray(repeatElement(["id": 1], count: 5_000)))
        for _ in 0..<20 { deep = [["id": "n", "children": deep]] }
        #expect(Node.schema.validate(["id": "n", "children": deep]).count == ValidationError.issueLimit)
    }

    @Test("Decoding a required constant that no initializer sets is an error")
    func constantsOfAPrototype() throws {
        struct Account: Equatable {
            let id: Int
            var name = ""
            var title: String { "\(name)!" }
        }
        let refused = MappingSchema(creating: Account(id: 0)) {
            MappingField(\.id, "id")
            MappingField(\.name, "name")
        }
        let error = #expect(throws: ValidationError.self) { try refused.decode(["id": 7, "name": "x"]) }
        #expect(error?.issues.map(\.kind) == [.initializationFailed])
        #expect(error?.issues.first?.advice?.contains("make:") == true)
        #expect(try refused.encode(Account(id: 7)) == ["id": 7, "name": ""])
        // With another policy, a constant is only written.
        let writing = MappingSchema(creating: Account(id: 0)) {
            MappingField(\.name, "name")
            MappingField(\.title, "title", .omit)
        }
        var account = try writing.decode(["name": "a", "title": "b"])
        #expect(try writing.encode(account) == ["name": "a", "title": "a!"])
        try writing.apply(["name": "c", "title": "d"], to: &account)
        #expect(account.title == "c!")
    }

    @Test("Applying values keeps constants, and what is computed from variables")
    func constantsOfAnExistingValue() throws {
        struct Name: Equatable {
            let id: Int
            var first: String
            var last: String
            var full: String { "\(first) \(last)" }
        }
        let schema = MappingSchema<Name> {
            MappingField(\.id, "id")
            MappingField(\.first, "first")
            MappingField(\.last, "last")
            MappingField(\.full, "full", .omit)
        } make: { values in
            Name(id: try values[\.id], first: try values[\.first], last: try values[\.last])
        }
        var name = Name(id: 7, first: "Ann", last: "Lee")
        try schema.apply(.object(schema.encode(Name(id: 9, first: "Grace", last: "Lee"))), to: &name)
        #expect(name == Name(id: 7, first: "Grace", last: "Lee"))
    }

    @Test("Writing instances that refer to each other in a cycle ends with one issue", .timeLimit(.minutes(10)))
    func cyclesOfInstances() {
        final class Peer: Mapped {
            var peers: [Peer] = []
            static let schema: MappingSchema<Peer> = MappingSchema(creating: Peer()) { MappingField(\.peers, "peers") }
        }
        let (first, second) = (Peer(), Peer())
        first.peers = [second, first, second]
        second.peers = [first, second]
        defer { (first.peers, second.peers) = ([], []) }
        let error = #expect(throws: ValidationError.self) { try Peer.schema.encode(first) }
        #expect(error?.issues.map(\.kind) == [.nestingLimit])
        #expect(error?.issues.first?.pointer.tokens.starts(with: ["peers", "0", "peers"]) == true)
        #expect(error?.issues.first?.advice?.contains("cycle") == true)
        #expect(Peer.schema.represent(first)["peers"]?.array?.count == 3)
    }

    @Test func inputThatIsTooDeepForTheStackIsAnIssue() async throws {
        let limits: Set<MappingIssue.Kind> = [.nestingLimit]
        var json: JSON = ["id": "leaf"]
        for _ in 0..<20_000 { json = ["id": "n", "children": [json]] }
        let issues = Node.schema.validate(json)
        #expect(Set(issues.map(\.kind)) == limits)
        let input = json
        let onSmallStack = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: Node.schema.validate(input).map(\.kind)) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(Set(onSmallStack) == limits)
    }
}
