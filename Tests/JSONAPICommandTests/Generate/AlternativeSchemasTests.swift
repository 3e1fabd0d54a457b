import Foundation
import JSONText
import TestSupport
import Testing

/// Attributes with several schemas, and with empty values in place of others.
@Suite("jsonapi generate, alternatives")
struct AlternativeSchemasTests {
    private static let others = ##", "S": {"type": "object", "properties": {"z": {"type": "string"}}}, "E": {"enum": ["a", "b"]}"##

    private static func document(_ name: String) -> String {
        ##"{"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"data": {"$ref": "#/components/schemas/\##(name)"}}}}}}}}}"##
    }

    @Test(
        "An attribute that two responses describe in two ways has a type for both",
        arguments: [
            (#"{"type": "string"}"#, #"{"anyOf": [{"type": "string", "format": "date-time"}, {"enum": [""]}]}"#, "String?"),
            (##"{"properties": {"x": {}, "y": {}}}"##, ##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"enum": [""]}]}"##, "JSON?"),
            (##"{"$ref": "#/components/schemas/S"}"##, ##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"enum": [[]]}]}"##, "S?"),
            (#"{"type": "integer"}"#, #"{"oneOf": [{"type": "integer"}, {"type": "boolean"}]}"#, "JSON?"),
            (#"{"enum": ["a", "b"]}"#, #"{"enum": ["a", "b"], "description": "D"}"#, "Value?"),
            (#"{"enum": ["a", "b"]}"#, #"{"enum": ["b", "c"]}"#, "Value?"), ("{}", #"{"properties": {"x": {}}}"#, "JSON?"),
            (#"{"type": "object"}"#, #"{"type": "object", "properties": {"x": {}}}"#, "JSONObject?"),
            (#"{"type": "object"}"#, #"{"type": "object", "additionalProperties": {"type": "string"}}"#, "JSONObject?"),
            (#"{"type": "array"}"#, #"{"type": "array", "items": {"type": "string"}}"#, "[JSON]?"),
            ("{}", #"{"type": "array", "items": {"type": "string"}}"#, "JSON?"),
            (#"{"properties": {"x": {}}}"#, #"{"properties": {"y": {}}}"#, "Value?"),
        ])
    func variants(first: String, second: String, expected: String) throws {
        for (one, two) in [(first, second), (second, first)] {
            let schemas = [("A", one), ("B", two)].map { name, value in
                #"""
                "\#(name)": {"properties": {"type": {"enum": ["articles"]}, "id": {}, "attributes": {"properties": {"value": \#(value)}}}}
                """#
            }
            let description = OpenAPIGenerateTests.description(
                "{\(schemas.joined(separator: ", "))\(Self.others)}",
                paths: #"{"/a": \#(Self.document("A")), "/b": \#(Self.document("B"))}"#)
            #expect(try OpenAPIGenerateTests.types(description, of: "Article")["value"] == expected)
        }
    }

    @Test("Alternatives that a discriminator does not map are resources as well")
    func unmappedAlternatives() {
        func resource(_ type: String, _ members: String) -> String {
            #"{"properties": {"type": \#(type), "id": {}, "attributes": {"properties": {"name": {}}}}\#(members)}"#
        }
        let lists = ##"""
            , "oneOf": [{"$ref": "#/components/schemas/Van"}, {"$ref": "#/components/schemas/Car"}],
             "discriminator": {"propertyName": "type", "mapping": {"cars": "#/components/schemas/Car"}}
            """##
        let van = resource(#"{"const": "vans"}"#, "")
        let description = OpenAPIGenerateTests.description(
            #"{"Car": \#(resource("{}", "")), "Vehicle": \#(resource("{}", lists)), "Van": \#(van)}"#,
            paths: #"{"/a": \#(Self.document("Vehicle"))}"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.output.contains("JSONAPIRequest<Document<CarUnion>>"), "\(run.output)\(run.error)")
        #expect(run.lines.contains("    case car(Car)") && run.lines.contains("    case van(Van)"))
    }

    @Test(
        "Several schemas of one type in a document have all of their attributes, and require those that all of them require",
        arguments: [
            #""data": {"type": "array", "items": LIST}"#,
            ##""data": {"$ref": "#/components/schemas/Note"}, "included": {"type": "array", "items": LIST}"##,
        ])
    func schemasOfOneType(members: String) throws {
        func component(_ name: String, _ type: String, _ attributes: String) -> String {
            let properties = #"{"type": {"const": "\#(type)"}, "id": {}, "attributes": \#(attributes)}"#
            return #""\#(name)": {"required": ["attributes"], "properties": \#(properties)}"#
        }
        let summary = #"{"required": ["title", "lead"], "properties": {"title": {"type": "string"}, "lead": {"type": "string"}}}"#
        let full = #"{"required": ["title"], "properties": {"title": {"type": "string"}, "text": {"type": "string"}}}"#
        let components = [
            component("Summary", "articles", summary), component("Full", "articles", full), component("Note", "notes", full),
        ]
        let list = ##"{"anyOf": [{"$ref": "#/components/schemas/Summary"}, {"$ref": "#/components/schemas/Full"}]}"##
        let document = #"{"properties": {\#(members.replacingOccurrences(of: "LIST", with: list))}}"#
        let description = OpenAPIGenerateTests.description(
            "{\(components.joined(separator: ", "))}",
            paths: #"{"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema": \#(document)}}}}}}}"#)
        let types = try OpenAPIGenerateTests.types(description, of: "Article")
        #expect(types == ["id": "String", "title": "String", "lead": "String?", "text": "String?"])
    }

    @Test("The meta of a resource has the members of all responses, and requires those that all of them require", arguments: [false, true])
    func metaOfSeveralResponses(isReversed: Bool) {
        func component(_ name: String, _ required: String, _ members: String) -> String {
            let meta = #"{"required": [\#(required)], "properties": \#(members)}"#
            let properties = #"{"type": {"enum": ["articles"]}, "id": {}, "attributes": {"properties": {"a": {}}}, "meta": \#(meta)}"#
            return #""\#(name)": {"properties": \#(properties)}"#
        }
        let one = component("One", #""version", "size""#, #"{"version": {"type": "integer"}, "size": {"type": "integer"}}"#)
        let list = component("List", #""rank", "size""#, #"{"rank": {"type": "string"}, "size": {"type": "integer"}}"#)
        let names = isReversed ? ["List", "One"] : ["One", "List"]
        let description = OpenAPIGenerateTests.description(
            "{\(one), \(list)}", paths: #"{"/a": \#(Self.document(names[0])), "/b": \#(Self.document(names[1]))}"#)
        let run = CommandRun("generate", "-", input: description)
        for line in ["var version: Int?", "var rank: String?", "var size: Int"] {
            #expect(run.lines.contains("        \(line)"), "\(run.output)\(run.error)")
        }
    }

    @Test("Alternatives beside the properties of a resource have their fields", arguments: ["attributes", "relationships"])
    func alternativesOfResources(group: String) throws {
        let alternatives = [#"{"title": FIELD}"#, #"{"title": FIELD, "cover": FIELD}"#].map { fields in
            #"{"properties": {"\#(group)": {"properties": \#(fields)}}}"#
        }
        let article = #"""
            {"required": ["type", "id"], "properties": {"type": {"enum": ["articles"]}, "id": {}},
              "oneOf": [\#(alternatives.joined(separator: ","))]}
            """#
        let field = group == "attributes" ? #"{"type": "string"}"# : #"{"properties": {"links": {}}}"#
        let description = OpenAPIGenerateTests.description(
            #"{"Article": \#(article.replacingOccurrences(of: "FIELD", with: field))}"#, paths: #"{"/a": \#(Self.document("Article"))}"#)
        #expect(CommandRun("generate", "-", input: description).output.contains("JSONAPIRequest<Document<Article>>"))
        let type = group == "attributes" ? "String?" : "RelationshipObject?"
        #expect(try OpenAPIGenerateTests.types(description, of: "Article") == ["id": "String", "title": type, "cover": type])
    }

    @Test("A resource whose base lists its subtypes has no fields of the other ones")
    func subtypesOfResource() throws {
        func subtype(_ name: String, _ field: String) -> String {
            let attributes = #"{"required": ["\#(field)"], "properties": {"\#(field)": {"type": "integer"}}}"#
            let own = #"{"required": ["attributes"], "properties": {"attributes": \#(attributes)}}"#
            return ##""\##(name)": {"allOf": [{"$ref": "#/components/schemas/Vehicle"}, \##(own)]}"##
        }
        let base = ##"""
            "Vehicle": {"required": ["type", "id"], "properties": {"type": {"type": "string"}, "id": {}},
              "oneOf": [{"$ref": "#/components/schemas/Car"}, {"$ref": "#/components/schemas/Truck"}], "discriminator": {
              "propertyName": "type", "mapping": {"cars": "#/components/schemas/Car", "trucks": "#/components/schemas/Truck"}}}
            """##
        let description = OpenAPIGenerateTests.description(
            "{\(base), \(subtype("Car", "seats")), \(subtype("Truck", "load"))}", paths: #"{"/a": \#(Self.document("Vehicle"))}"#)
        #expect(try OpenAPIGenerateTests.types(description, of: "Car") == ["id": "String", "seats": "Int"])
        #expect(try OpenAPIGenerateTests.types(description, of: "Truck") == ["id": "String", "load": "Int"])
    }

    @Test(
        "Null in an alternative makes the data of a document optional",
        arguments: [
            (["Article", "Null"], "Document<Article?>"), (["ArticleOrNull", "Note"], "Document<ArticleUnion?>"),
            (["Article", "Note"], "Document<ArticleUnion>"),
        ])
    func nullInData(alternatives: [String], expected: String) {
        func resource(_ type: String) -> String {
            #"{"properties": {"type": {"enum": ["\#(type)"]}, "id": {}, "attributes": {"properties": {"title": {"type": "string"}}}}}"#
        }
        let references = alternatives.map { ##"{"$ref": "#/components/schemas/\##($0)"}"## }.joined(separator: ", ")
        let description = OpenAPIGenerateTests.description(
            ##"""
            {"Article": \##(resource("articles")), "Note": \##(resource("notes")), "Null": {"not": {"type": "object"}, "nullable": true},
             "ArticleOrNull": {"oneOf": [{"$ref": "#/components/schemas/Article"}, {"type": "null"}]}, "Data": {"oneOf": [\##(references)]}}
            """##, paths: #"{"/a": \#(Self.document("Data"))}"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.output.contains(expected), "\(run.output)\(run.error)")
    }

    @Test(
        "A base that lists its only subtype loses no members, in any order of the components", arguments: [true, false],
        [["A", "B"], ["B", "A"]])
    func subtypeOfBase(isBaseFirst: Bool, order: [String]) throws {
        let cat = ##""CatA": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"claws": {"type": "integer"}}}]}"##
        let base = ##""Base": {"properties": {"name": {"type": "string"}}, "oneOf": [{"$ref": "#/components/schemas/CatA"}]}"##
        func resource(_ type: String, _ attributes: String) -> String {
            ##"{"properties": {"type": {"enum": ["\##(type)"]}, "id": {}, "attributes": {"$ref": "#/components/schemas/\##(attributes)"}}}"##
        }
        let components = isBaseFirst ? [base, cat] : [cat, base]
        let description = OpenAPIGenerateTests.description(
            #"{\#(components.joined(separator: ", ")), "A": \#(resource("articles", "CatA")), "B": \#(resource("books", "Base"))}"#,
            paths: #"{"/1": \#(Self.document(order[0])), "/2": \#(Self.document(order[1]))}"#)
        for name in ["Article", "Book"] {
            let types = try OpenAPIGenerateTests.types(description, of: name)
            #expect(types["name"] == "String?" && types["claws"] == "Int?", "\(types)")
        }
    }

    @Test("Members beside a reference, and lists beside a single one, are not lost")
    func membersBesideReferences() throws {
        let description = OpenAPIGenerateTests.articles(
            ##"""
            {"s": {"$ref": "#/components/schemas/Base", "required": ["extra"], "properties": {"extra": {"type": "integer"}}},
             "b": {"allOf": [{"$ref": "#/components/schemas/Base"}], "oneOf": [{"$ref": "#/components/schemas/Ext"}]},
             "d": {"$ref": "#/components/schemas/Base", "description": "Text", "required": ["k"]}}
            """##,
            others: #", "Base": {"properties": {"k": {"type": "string"}}}, "Ext": {"properties": {"e": {"type": "string"}}}"#)
        let source = CommandRun("generate", "-", input: description).output
        #expect(source.contains("var extra: Int\n") && source.contains("var e: String?"), "\(source)")
    }

    @Test("An array that several schemas describe together has the members of all of them in its elements")
    func elementsOfSeveralSchemas() throws {
        let first = #"{"type": "array", "items": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}"#
        let second = #"{"items": {"properties": {"b": {"type": "integer"}}}}"#
        let description = OpenAPIGenerateTests.articles(#"{"value": {"allOf": [\#(first), \#(second), \#(first)]}}"#)
        #expect(try OpenAPIGenerateTests.types(description, of: "Article")["value"] == "[Value]")
        #expect(try OpenAPIGenerateTests.types(description, of: "Article.Value") == ["a": "String", "b": "Int?"])
    }

    @Test("Elements with different schemas are any values, and members that only look like the generator's own have no meaning")
    func unusualMembers() throws {
        let types = try OpenAPIGenerateTests.types(
            OpenAPIGenerateTests.articles(
                #"""
                {"tuple": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
                 "own": {"type": "string", "x-variants": [{"type": "integer"}]}}
                """#), of: "Article")
        #expect(types["tuple"] == "[JSON]?" && types["own"] == "String?")
    }

    @Test("Values of an enumeration whose texts only look equal are different values")
    func valuesByBytes() {
        let description = OpenAPIGenerateTests.articles(#"{"value": {"enum": ["\u00e9", "e\u0301", "plain"]}}"#)
        let source = CommandRun(["generate", "-"], input: description).output
        #expect(source.components(separatedBy: "case _ where rawValue.utf8.elementsEqual(").count == 3)
        #expect(source.contains(#"case "plain": self = .plain"#))
    }

    @Test("An ASCII value that is equal to another character is compared by its bytes")
    func asciiValuesByBytes() {
        let others = Set((UInt32(0x80)...0xFFFF).compactMap { UnicodeScalar($0) }.map { Character($0) })
        let values = (UInt8(ascii: "!")...UInt8(ascii: "~")).map { Character(UnicodeScalar($0)) }.filter { $0 != "\"" && $0 != "\\" }
        let list = values.map { "\"\($0)\"" }.joined(separator: ",")
        let source = CommandRun(["generate", "-"], input: OpenAPIGenerateTests.articles(#"{"value": {"enum": [\#(list)]}}"#)).output
        for value in values {
            let pattern = others.contains(value) ? "_ where rawValue.utf8.elementsEqual(\"\(value)\".utf8)" : "\"\(value)\""
            #expect(source.contains("case \(pattern): self = ."), "\(value)")
        }
        // The signs of kelvin, of a Greek question, and of a Greek accent.
        #expect(values.filter { others.contains($0) } == [";", "K", "`"])
    }

    @Test("A relationship whose linkage has an unknown schema reads any linkage", arguments: ["{}", ##"{"$ref": "common.json#/Many"}"##])
    func unknownLinkage(data: String) throws {
        let description = OpenAPIGenerateTests.description(
            #"""
            {"A": {"properties": {"type": {"enum": ["articles"]}, "id": {},
                "relationships": {"properties": {"kids": {"properties": {"data": \#(data)}}}}}}}
            """#, paths: #"{"/a": \#(Self.document("A"))}"#)
        #expect(try OpenAPIGenerateTests.types(description, of: "Article")["kids"] == "RelationshipObject?")
    }

    @Test(
        "A place without a property wrapper has a type that reads the empty values",
        arguments: [
            (#"{"anyOf": [{"type": "string", "format": "date-time"}, {"enum": [""]}]}"#, "String"),
            (#"{"anyOf": [{"type": "string", "format": "date-time"}, {"enum": ["", null]}]}"#, "String?"),
            (#"{"anyOf": [{"type": "string", "format": "decimal"}, {"enum": [""]}]}"#, "String"),
            (#"{"anyOf": [{"type": "string", "format": "uri"}, {"enum": [[]]}]}"#, "JSON"),
            (#"{"type": "string", "format": "uri-reference"}"#, "String"), (#"{"type": "string", "format": "uri"}"#, "URL"),
            (#"{"type": ["string", "null"], "format": "uri-reference"}"#, "String?"),
            (#"{"anyOf": [{"type": "integer"}, {"enum": [""]}]}"#, "JSON"), (#"{"anyOf": [{"type": "string"}, {"enum": [""]}]}"#, "String"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"enum": [[]]}]}"##, "JSON"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"enum": [""]}]}"##, "JSON"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"type": "null"}]}"##, "S?"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/E"}, {"enum": [""]}]}"##, "E"),
        ])
    func elements(schema: String, expected: String) throws {
        let description = OpenAPIGenerateTests.articles(
            #"{"value": {"type": "array", "items": \#(schema)}, "map": {"additionalProperties": \#(schema)}}"#, others: Self.others)
        let types = try OpenAPIGenerateTests.types(description, of: "Article")
        #expect(types["value"] == "[\(expected)]")
        #expect(types["map"] == "[String: \(expected)]?")
    }

    @Test(
        "A required attribute is optional if an alternative allows null, or an empty value that its type does not read",
        arguments: [
            (#"{"anyOf": [{"type": ["string", "null"]}, {"enum": [""]}]}"#, "String?"),
            (#"{"anyOf": [{"type": "string"}, {"enum": ["", null]}]}"#, "String?"),
            (#"{"anyOf": [{"type": ["string", "null"]}, {"type": "string", "format": "date"}]}"#, "String?"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"enum": [""]}]}"##, "S?"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/E"}, {"enum": [""]}]}"##, "E"),
            (#"{"anyOf": [{"anyOf": [{"type": "integer"}, {"enum": [""]}]}, {"enum": [[]]}]}"#, "Int?"),
            (#"{"anyOf": [{"type": "string"}, {"enum": [""]}]}"#, "String"),
            (#"{"type": "string", "format": "uri-reference"}"#, "URL?"), (#"{"type": "string", "format": "uri"}"#, "URL"),
        ])
    func required(schema: String, expected: String) throws {
        let description = OpenAPIGenerateTests.articles(#"{"value": \#(schema)}"#, others: Self.others)
        #expect(try OpenAPIGenerateTests.types(description, of: "Article")["value"] == expected)
    }

    @Test("A component beside a reference to null is one type, also inside of itself")
    func referenceToNull() throws {
        let null = ##"{"oneOf": [{"$ref": "#/components/schemas/NAME"}, {"$ref": "#/components/schemas/Null"}]}"##
        let node = null.replacingOccurrences(of: "NAME", with: "Node")
        let description = OpenAPIGenerateTests.articles(
            #"{"value": \#(null.replacingOccurrences(of: "NAME", with: "S")), "tree": \#(node)}"#,
            others: Self.others + #", "Null": {"type": "null"}, "Node": {"properties": {"left": \#(node), "right": \#(node)}}"#)
        let types = try OpenAPIGenerateTests.types(description, of: "Article")
        #expect(types["value"] == "S?" && types["tree"] == "Node?")
        #expect(!CommandRun("generate", "-", input: description).output.contains("struct Left"))
    }

    @Test("A schema that is an alternative of itself ends")
    func circle() throws {
        let others = ##", "X": {"anyOf": [{"allOf": [{"$ref": "#/components/schemas/X"}, {"description": "D"}]}, {"enum": [""]}]}"##
        let description = OpenAPIGenerateTests.articles(##"{"value": {"$ref": "#/components/schemas/X"}}"##, others: others)
        #expect(try OpenAPIGenerateTests.types(description, of: "Article")["value"] == "JSON")
    }

    @Test func `components that are combined with themselves again and again do not multiply their alternatives`() throws {
        let levels = (1...40).map { level in
            let reference = ##"{"$ref": "#/components/schemas/X\##(level - 1)"}"##
            return #", "X\#(level)": {"allOf": [\#(reference), \#(reference)]}"#
        }
        let others = #", "X0": {"oneOf": [{"type": "object"}, {"type": "string"}]}"# + levels.joined()
        let description = OpenAPIGenerateTests.articles(##"{"value": {"$ref": "#/components/schemas/X40"}}"##, others: others)
        #expect(try OpenAPIGenerateTests.types(description, of: "Article")["value"] == "JSON")
    }

    @Test func `long lists of values, and properties with very many schemas, are combined`() {
        let values = (0..<TestEffort.count(40_000, debug: 10_000)).map { #""v\#($0)""# }.joined(separator: ", ")
        let parts = (0..<TestEffort.count(20_000, debug: 5_000))
            .map { #"{"properties": {"name": {"type": "string", "minLength": \#($0)}}}"# }.joined(separator: ", ")
        let description = OpenAPIGenerateTests.articles(
            #"{"value": {"allOf": [{"enum": [\#(values)]}, {"enum": [\#(values)]}]}, "shape": {"allOf": [\#(parts)]}}"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("var value: String\n") && run.output.contains("var name: String?\n"))
    }

    @Test("Many attributes that refer to one large schema do not multiply the output")
    func largeSchema() {
        func properties(_ count: Int, _ schema: JSON) -> JSON {
            .object(JSONObject(members: (0..<count).map { .init(name: "member\($0)", value: schema) }))
        }
        let attributes = properties(1000, ["$ref": "#/components/schemas/Holder/properties/part"])
        let holder: JSON = ["properties": ["part": ["type": "object", "properties": properties(1000, ["type": "string"])]]]
        let description = OpenAPIGenerateTests.articles(attributes.description, others: #", "Holder": \#(holder.description)"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.utf8.count < 3_000_000)
        #expect(run.lines.contains("    var member999: JSONObject?"))
    }
}
