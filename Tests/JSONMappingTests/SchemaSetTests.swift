import Foundation
import JSONMapping
import JSONText
import Testing

private struct Message: Mapped, Equatable {
    var id = 0
    var text = ""

    static let schema = MappingSchema(creating: Message()) {
        MappingField(\.id, "id")
        MappingField(\.text, "text", .default(""))
    }
}

private struct User: Mapped, Equatable {
    var userName = ""
    var messages: [Message] = []
    var byDay: [String: Message]?
    var pinned: Message?

    static let schema = MappingSchema(creating: User()) {
        MappingField(\.userName, "userName")
        MappingField(\.messages, "messages", .default([]))
        MappingField(\.byDay, "byDay", .omit)
        MappingField(\.pinned, "pinned", .omit, .object(Message.schema))
    }
}

private class Node {
    var id = ""
    var notes: [String] = []
}

private final class Leaf: Node {
    var color = ""
}

/// Marks each message that was read, and takes part in every step.
private struct LoudMessages: SchemaCodec {
    let schema = Message.schema

    func decode(_ json: JSON, by mapping: Mapping<Message>) throws -> Message {
        var message = try mapping.decode(json)
        message.text += "!"
        return message
    }

    func encode(_ root: Message, by mapping: Mapping<Message>) throws -> JSONObject {
        var object = try mapping.encode(root)
        object["loud"] = true
        return object
    }

    func transform(_ json: JSON, ofField name: String) throws -> JSON {
        name == "id" ? .number(JSONNumber(try Conversion<JSON, Int>.lenientInt.decode(json) ?? 0)) : json
    }

    func transformBack(_ json: JSON, ofField name: String) throws -> JSON {
        name == "id" ? .string(json.number?.text ?? "") : json
    }

    func validate(_ value: Any, ofField name: String) throws -> Any {
        if let text = value as? String, text == "spam" { throw CancellationError() }
        return (value as? String)?.uppercased() ?? value
    }

    func assign(_ name: String, of root: inout Message, _ assign: (inout Message) -> Void) {
        assign(&root)
        if name == "id" { root.id += 1000 }
    }
}

private struct Note: Equatable {
    var text: String?
}

/// Writes the text of a note backward.
private struct BackwardNotes: SchemaCodec {
    let schema = MappingSchema(creating: Note()) { MappingField(\.text, "text") }

    func transform(_ json: JSON, ofField name: String) throws -> JSON { try reversed(json) }

    func transformBack(_ json: JSON, ofField name: String) throws -> JSON { try reversed(json) }

    private func reversed(_ json: JSON) throws -> JSON {
        guard let text = json.string else { throw CancellationError() }
        return .string(String(text.reversed()))
    }
}

/// Writes and reads one text instead of an object.
private struct ShortMessages: SchemaCodec {
    let schema = Message.schema

    func archive(_ root: Message, to encoder: any Encoder, by mapping: Mapping<Message>) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(root.id):\(root.text)")
    }

    func unarchive(from decoder: any Decoder, by mapping: Mapping<Message>) throws -> Message {
        let parts = try decoder.singleValueContainer().decode(String.self).split(separator: ":")
        return Message(id: Int(parts[0]) ?? 0, text: String(parts[1]))
    }
}

@Suite struct SchemaSetTests {
    private let json: JSON = [
        "userName": "Ann", "messages": [["id": 1, "text": "a"], ["id": 2]], "byDay": ["mon": ["id": 3, "text": "c"]],
        "pinned": ["id": 4, "text": "d"],
    ]

    @Test func aMappedTypeNeedsNoConversion() throws {
        let user = try User.schema.decode(json)
        #expect(user.messages == [Message(id: 1, text: "a"), Message(id: 2, text: "")])
        #expect(user.byDay == ["mon": Message(id: 3, text: "c")])
        #expect(try User.schema.decode(.object(User.schema.encode(user))) == user)
        #expect(User.schema.validate(["userName": "x", "messages": [["id": "x"]]]).map(\.pointer.description) == ["/messages/0/id"])
        #expect(try SchemaSet().decode(User.self, from: json) == user)
    }

    @Test func aRegisteredSchemaAppliesAtEveryLevel() throws {
        var schemas = SchemaSet()
        schemas[Message.self] = MappingSchema(creating: Message()) { MappingField(\.id, from: "number") }
        let other: JSON = ["userName": "Ann", "messages": [["number": 7]], "pinned": ["number": 8], "byDay": ["mon": ["number": 9]]]
        let user = try schemas.decode(User.self, from: other)
        #expect(user.messages.map(\.id) == [7] && user.pinned?.id == 8 && user.byDay?["mon"]?.id == 9)
        #expect(JSON.object(try schemas.encode(user)) == other)
        #expect(User.schema.validate(other).count == 3)
        schemas[Message.self] = nil
        #expect(try schemas.decode(from: json) == User.schema.decode(json))
    }

    @Test("A schema from a set uses the set inside of another schema, after the set of the outer schema")
    func nestedSchemaFromASet() throws {
        struct Page {
            var user = User()
            var first = Message()
        }
        var inner = SchemaSet()
        inner[Message.self] = MappingSchema(creating: Message()) { MappingField(\.id, from: "number") }
        let users = inner.schema(for: User.self)
        let pages = MappingSchema(creating: Page()) {
            MappingField(\.user, "user", .object(users))
            MappingField(\.first, "first")
        }
        let json: JSON = ["user": ["userName": "Ann", "messages": [["number": 7]]], "first": ["id": 1, "text": "a"]]
        let page = try pages.decode(json)
        #expect(page.user.messages.map(\.id) == [7] && page.first == Message(id: 1, text: "a"))
        let written = try pages.encode(page)
        #expect(written["user"]?["messages"] == [["number": 7]] && written["first"] == ["id": 1, "text": "a"])
        #expect(try Conversion<JSON, User>.object(users).decode(["userName": "Bo", "messages": [["number": 8]]])?.messages.first?.id == 8)
        var outer = SchemaSet()
        #expect(try outer.decode(from: json, schema: pages).user.messages.map(\.id) == [7])
        outer[Message.self] = MappingSchema(creating: Message()) { MappingField(\.id, from: "no") }
        let other: JSON = ["user": ["userName": "Ann", "messages": [["no": 9]]], "first": ["no": 1]]
        #expect(try outer.decode(from: other, schema: pages).user.messages.map(\.id) == [9])
    }

    @Test("A schema by name from a set finds the other schemas of the set inside of another schema")
    func nestedSchemaByName() throws {
        var inner = SchemaSet()
        inner["Note"] = MappingSchema("Note") { MappingField("text", .string) }
        inner["Book"] = MappingSchema("Book") { MappingField("note", .object(named: "Note")) }
        let books = try inner.schema(named: "Book")
        var outer = SchemaSet()
        outer["Shelf"] = MappingSchema("Shelf") { MappingField("book", .object(books)) }
        let shelf = try outer.schema(named: "Shelf").decode(["book": ["note": ["text": "a"]]])
        let note = shelf["book", as: DynamicObject.self]?["note", as: DynamicObject.self]
        #expect(note?["text", as: String.self] == "a")
    }

    @Test func aSchemaCanApplyToOneCall() throws {
        var schemas = SchemaSet()
        schemas[Message.self] = MappingSchema(creating: Message()) { MappingField(\.id, from: "number") }
        let loud = User.schema.keys(.custom { $0.uppercased() })
        let input: JSON = ["USERNAME": "Ann", "MESSAGES": [["number": 7]]]
        var user = try schemas.decode(from: input, schema: loud)
        #expect(user.userName == "Ann" && user.messages.map(\.id) == [7])
        try schemas.apply(["USERNAME": "Bob"], to: &user, isPartial: true, schema: loud)
        #expect(user.userName == "Bob")
        #expect(try schemas.encode(user, only: ["USERNAME"], schema: loud) == ["USERNAME": "Bob"])
        #expect(try schemas.encode(user, only: ["userName"]) == ["userName": "Bob"])
    }

    @Test func aCodecTakesPartInEveryStep() throws {
        var schemas = SchemaSet()
        schemas.register(LoudMessages())
        let input: JSON = ["userName": "Ann", "messages": [["id": "1", "text": "a"]]]
        var user = try schemas.decode(User.self, from: input)
        #expect(user.messages == [Message(id: 1001, text: "A!")])
        #expect(try schemas.encode(user)["messages"] == [["id": "1001", "text": "A!", "loud": true]])
        let schema = schemas.schema(for: User.self)
        #expect(schema.represent(user)["messages"]?[0]?["loud"] == true)
        let problems = schema.validate(["userName": "Ann", "messages": [["id": "x", "text": "spam"], ["id": 1]]])
        #expect(problems.map { "\($0.kind) \($0.pointer)" } == ["conversion /messages/0/id", "constraint /messages/0/text"])
        let before = user
        #expect(throws: ValidationError.self) { try schemas.apply(["messages": [["id": 1, "text": "spam"]]], to: &user, isPartial: true) }
        #expect(user == before)
        var message = Message(id: 5, text: "x")
        try schemas.apply(["text": "y"], to: &message, isPartial: true)
        #expect(message == Message(id: 5, text: "Y"))
    }

    @Test func aCodecTransformsNullInNeitherDirection() throws {
        let schema = BackwardNotes().schema.coded(by: BackwardNotes())
        for (note, json) in [(Note(text: "ab"), "ba"), (Note(text: nil), nil)] as [(Note, JSON)] {
            #expect(try JSON.object(schema.encode(note)) == ["text": json])
            #expect(try schema.decode(["text": json]) == note)
            #expect(JSON.object(schema.represent(note)) == ["text": json])
        }
    }

    @Test func aCodecCustomizesArchiving() throws {
        struct Box: Codable, Equatable {
            static let schema: MappingSchema<User> = {
                var schemas = SchemaSet()
                schemas.register(ShortMessages())
                return schemas.schema(for: User.self)
            }()
            var user: User
            init(user: User) { self.user = user }
            init(from decoder: any Decoder) throws { user = try Self.schema.unarchive(from: decoder) }
            func encode(to encoder: any Encoder) throws { try Self.schema.archive(user, to: encoder) }
        }
        let box = Box(user: User(userName: "Ann", messages: [Message(id: 1, text: "a")]))
        let data = try JSONEncoder().encode(box)
        #expect(try JSON(parsing: data) == ["userName": "Ann", "messages": ["1:a"], "byDay": nil, "pinned": nil])
        #expect(try JSONDecoder().decode(Box.self, from: data) == box)
    }

    @Test func aSubclassInheritsTheRegistrationOfItsSuperclass() throws {
        struct Trimmed: SchemaCodec {
            let schema = MappingSchema("Node", creating: Node()) {
                MappingField(\.id, "id")
                MappingField(\.notes, "notes", .default([]))
            }
            func transform(_ json: JSON, ofField name: String) throws -> JSON {
                name == "id" ? .string(json.string?.trimmingCharacters(in: .whitespaces) ?? "") : json
            }
        }
        var schemas = SchemaSet()
        #expect(throws: MappingIssue(.unresolvedReference, expected: "", found: "")) { try schemas.schema(for: Node.self) }
        schemas.register(Trimmed())
        schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 }
        let leaf = try schemas.decode(Leaf.self, from: ["id": " l ", "color": "green"])
        #expect(leaf.id == "l" && leaf.color == "")
        schemas[Leaf.self] = MappingSchema("Leaf", creating: Leaf()) {
            Trimmed().schema.inherited { $0 }
            MappingField(\.color, "color")
        }
        let own = try schemas.decode(Leaf.self, from: ["id": " l ", "color": "green"])
        #expect(own.id == " l " && own.color == "green")
    }

    @Test(
        "The schema of a class replaces an inherited one in any order, and without it the class inherits again", arguments: [true, false])
    func ownAndInheritedSchema(isOwnFirst: Bool) throws {
        var schemas = SchemaSet()
        let extend = { (schemas: inout SchemaSet) in schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 } }
        schemas[Node.self] = MappingSchema(creating: Node()) { MappingField(\.id, "id") }
        if !isOwnFirst { extend(&schemas) }
        schemas[Leaf.self] = MappingSchema(creating: Leaf()) { MappingField(\.color, "color") }
        if isOwnFirst { extend(&schemas) }
        let json: JSON = ["id": "l", "color": "green"]
        let own = try schemas.decode(Leaf.self, from: json)
        #expect(own.id == "" && own.color == "green")
        schemas[Leaf.self] = nil
        let inherited = try schemas.decode(Leaf.self, from: json)
        #expect(inherited.id == "l" && inherited.color == "")
    }

    @Test("A subclass inherits how the codec of its superclass sets properties")
    func inheritedAssigning() throws {
        struct Noted: SchemaCodec {
            let schema = MappingSchema("Node", creating: Node()) { MappingField(\.id, "id") }

            func assign(_ name: String, of root: inout Node, _ assign: (inout Node) -> Void) {
                assign(&root)
                root.notes.append(name)
            }
        }
        var schemas = SchemaSet()
        schemas.register(Noted())
        schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 }
        let leaf = try schemas.decode(Leaf.self, from: ["id": "l"])
        #expect(leaf.id == "l" && leaf.notes == ["id"])
    }

    @Test("A class that extends one without a schema is an error that names the other class")
    func missingSchemaOfASuperclass() throws {
        final class Tree { var leaf = Leaf() }
        let leaves = MappingSchema(creating: Leaf()) { MappingField(\.color, "color") }
        let trees = MappingSchema(creating: Tree()) { MappingField(\.leaf, "leaf", .object(leaves)) }
        var schemas = SchemaSet()
        schemas.extend(Node.self, to: Leaf.self, creating: Leaf()) { $0 }
        let issue = #expect(throws: MappingIssue.self) { try schemas.schema(for: Leaf.self) }
        #expect(issue?.kind == .unresolvedReference && issue?.expected.contains("Node") == true)
        let error = #expect(throws: ValidationError.self) { try schemas.decode(from: ["leaf": ["color": "green"]], schema: trees) }
        #expect(error?.issues == [MappingIssue(.unresolvedReference, at: JSONPointer("leaf"), expected: "", found: "")])
        #expect(error?.issues.first?.expected.contains("Node") == true)
    }

    @Test func codersUseASchemaSet() throws {
        enum Messages: ConversionSource { static var conversion: Conversion<JSON, [Message]> { .list(Message.conversion) } }
        struct Page: Codable { @Converted<Messages> var messages: [Message] }
        var schemas = SchemaSet()
        schemas[Message.self] = Message.schema.keys(.custom { "m_\($0)" })
        let decoder = JSONDecoder()
        let encoder = JSONEncoder()
        decoder.schemas = schemas
        encoder.schemas = schemas
        let page = try decoder.decode(Page.self, from: Data(#"{"messages": [{"m_id": 1, "m_text": "a"}]}"#.utf8))
        #expect(page.messages == [Message(id: 1, text: "a")])
        #expect(try JSON(parsing: encoder.encode(page)) == ["messages": [["m_id": 1, "m_text": "a"]]])
        decoder.schemas = nil
        #expect(throws: DecodingError.self) { try decoder.decode(Page.self, from: Data(#"{"messages": [{"m_id": 1}]}"#.utf8)) }
    }

    @Test func aRecursiveSchemaExceedsTheNestingLimitWithAnIssue() throws {
        final class Link: Mapped {
            var next: [Link] = []
            static var schema: MappingSchema<Link> {
                MappingSchema("Link", creating: Link()) { MappingField(\.next, "next", .default([])) }
            }
        }
        var schemas = SchemaSet()
        schemas[Link.self] = Link.schema
        var json: JSON = [:]
        for _ in 0..<20_000 { json = ["next": [json]] }
        let limits: Set<MappingIssue.Kind> = [.nestingLimit]
        #expect(Set(schemas.schema(for: Link.self).validate(json).map(\.kind)) == limits)
    }
}

@Suite struct KeyStrategyTests {
    @Test(
        arguments: [
            ("userName", "user_name", "user-name"), ("userURLPath", "user_url_path", "user-url-path"), ("id", "id", "id"),
            ("page2Title", "page2_title", "page2-title"), ("ID", "id", "id"), ("", "", ""),
            ("größeURLTeil", "größe_url_teil", "größe-url-teil"), ("istÄRGERLich", "ist_ärger_lich", "ist-ärger-lich"),
        ])
    func namesAreSplitAtCapitals(_ name: String, _ snake: String, _ kebab: String) {
        #expect(KeyStrategy.snakeCase.memberName(name) == snake)
        #expect(KeyStrategy.kebabCase.memberName(name) == kebab)
        #expect(KeyStrategy.useDefaultKeys.memberName(name) == name)
    }

    /// Names in ASCII are split by code of their own. A letter beyond ASCII in front does not change how the rest is split.
    @Test func namesInASCIIAreSplitLikeOthers() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let rest = String((0..<Int.random(in: 0...9, using: &random)).map { _ in "abXY9_".randomElement(using: &random) ?? "a" })
            let name = "n" + rest
            #expect("é" + KeyStrategy.snakeCase.memberName(name) == KeyStrategy.snakeCase.memberName("é" + name), "\(name)")
        }
    }

    @Test func `a name of half a million words is converted back to a key`() {
        let count = 500_000
        let name = Array(repeating: "ab", count: count).joined(separator: "_")
        #expect(KeyStrategy.snakeCase.keyName(name) == "ab" + String(repeating: "Ab", count: count - 1))
    }

    @Test func anExplicitPathIsNotConverted() throws {
        struct Page: Equatable {
            var pageTitle = ""
            var homeURL: String?
            var wordCount = 0
        }
        let schema = MappingSchema(creating: Page()) {
            MappingField(\.pageTitle, "pageTitle")
            MappingField(\.homeURL, "homeURL", from: "homeAddress")
            MappingField(\.wordCount, "wordCount", .default(3), .lenientInt).checked(.atLeast(0))
        }
        let json: JSON = ["page_title": "A", "homeAddress": "/", "word_count": "7"]
        let snake = schema.keys(.snakeCase)
        let page = try snake.decode(json)
        #expect(page == Page(pageTitle: "A", homeURL: "/", wordCount: 7))
        #expect(try snake.encode(page) == ["page_title": "A", "homeAddress": "/", "word_count": 7])
        #expect(try snake.encode(page, only: ["page_title"]) == ["page_title": "A"])
        #expect(snake.validate(["word_count": -1]).map(\.pointer.description) == ["/page_title", "/word_count"])
        #expect(snake.fields.map(\.name) == ["pageTitle", "homeURL", "wordCount"])
        #expect(try schema.keys(.kebabCase).decode(["page-title": "B"]).pageTitle == "B")
        #expect(try snake.keys(.useDefaultKeys).decode(["pageTitle": "C"]).pageTitle == "C")
    }

    @Test("A schema that writes only some fields writes them under their new names")
    func representedFields() throws {
        struct Page {
            var pageTitle = "A"
            var wordCount = 1
            var home = "/"
            var hidden = 2
        }
        let schema = MappingSchema(creating: Page()) {
            MappingField(\.pageTitle, "pageTitle")
            MappingField(\.wordCount, "wordCount")
            MappingField(\.home, "home", from: "homeAddress")
            MappingField(\.hidden, "hidden")
        }.representing("pageTitle", "homeAddress", "other")
        #expect(try schema.keys(.snakeCase).encode(Page()) == ["page_title": "A", "homeAddress": "/"])
        // Two names that change places.
        let names = ["pageTitle": "wordCount", "wordCount": "pageTitle"]
        let swapped = schema.keys(.custom { names[$0] ?? $0 })
        #expect(try swapped.encode(Page()) == ["wordCount": "A", "homeAddress": "/"])
        #expect(swapped.representedPaths == ["wordCount", "homeAddress", "other"])
    }

    @Test func inheritedAndDynamicFieldsAreConverted() throws {
        final class Base { var firstName = "" }
        struct Whole { var base = Base() }
        let schema = MappingSchema<Whole>(creating: Whole()) {
            MappingSchema(creating: Base()) { MappingField(\.firstName, "firstName") }.inherited(at: \.base)
        }.keys(.kebabCase)
        #expect(try schema.decode(["first-name": "Ann"]).base.firstName == "Ann")
        let dynamic = MappingSchema("User") { MappingField("userId", .required, .int) }.keys(.snakeCase)
        #expect(try dynamic.decode(["user_id": 1])["userId", as: Int.self] == 1)
    }

    @Test func unknownMembersAreThoseWithOtherNames() throws {
        struct Page {
            var pageTitle = ""
            var rest = JSONObject()
        }
        let schema = MappingSchema(creating: Page()) { MappingField(\.pageTitle, "pageTitle") }.unknownMembers(.keep(in: \.rest)).keys(
            .snakeCase)
        #expect(try schema.decode(["page_title": "A", "pageTitle": "B"]).rest == ["pageTitle": "B"])
    }

    @Test("An object of any depth is printed on a small stack")
    func printing() throws {
        var set = SchemaSet()
        set["N"] = MappingSchema("N") { MappingField("c", .omit, .object(named: "N")) }
        let text = String(repeating: #"{"c":"#, count: 300) + "{}" + String(repeating: "}", count: 300)
        let object = try set.schema(named: "N").decode(JSON(parsing: text))
        let end = DispatchSemaphore(value: 0)
        let thread = Thread {
            #expect("\(object)".hasPrefix("[c: ["))
            end.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        end.wait()
    }
}
