import Foundation
import JSONText
import TestSupport
import Testing

@Suite("jsonapi generate with an OpenAPI description")
struct OpenAPIGenerateTests {
    /// A description with schemas and paths as JSON text.
    static func description(_ schemas: String, paths: String = "{}", version: String = "3.0.1") -> String {
        #"{"openapi": "\#(version)", "info": {"title": "T", "version": "1"}, "paths": \#(paths), "components": {"schemas": \#(schemas)}}"#
    }

    /// A description whose articles have these attributes.
    static func articles(_ attributes: String, others: String = "", version: String = "3.0.1") -> String {
        description(
            #"""
            {"Article": {"type": "object", "required": ["type", "id", "attributes"], "properties": {"type": {"enum": ["articles"]},
              "id": {"type": "string"}, "attributes": {"type": "object", "required": ["value"], "properties": \#(attributes)}}}\#(others)}
            """#, version: version)
    }

    static func types(_ description: String, of model: String, _ options: String...) throws -> [String: String] {
        let run = CommandRun(["generate", "--json"] + options + ["-"], input: description)
        #expect(run.status == 0, "\(run.error)")
        let rows = try run.outputJSON["types"]?[model]?.array ?? []
        return Dictionary(rows.map { ($0["internal"]?.string ?? "", $0["type"]?.string ?? "") }) { first, _ in first }
    }

    @Test(
        "Types of attributes follow their schemas",
        arguments: [
            (#"{"type": "string"}"#, "String"), (#"{"type": "integer", "format": "int64"}"#, "Int"), (#"{"type": "number"}"#, "Double"),
            (#"{"type": "boolean"}"#, "Bool"), (#"{"type": "string", "format": "date-time"}"#, "Date"),
            (#"{"type": "string", "format": "date"}"#, "String"), (#"{"type": "string", "format": "uri"}"#, "URL"),
            (#"{"type": "string", "nullable": true}"#, "String?"), (#"{"type": ["string", "null"]}"#, "String?"),
            (##"{"oneOf": [{"type": "string"}, {"type": "null"}]}"##, "String?"),
            (##"{"allOf": [{"$ref": "#/components/schemas/S"}]}"##, "S"),
            (##"{"allOf": [{"$ref": "#/components/schemas/S"}], "nullable": true}"##, "S?"),
            (##"{"anyOf": [{"$ref": "#/components/schemas/S"}, {"type": "null"}]}"##, "S?"), ("{}", "JSON"), ("true", "JSON"),
            (#"{"type": ["string", "integer"]}"#, "JSON"), (#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, "JSON"),
            (#"{"oneOf": [{"type": "string", "format": "date"}, {"type": "string"}]}"#, "String"),
            (#"{"type": "array", "items": {"type": "integer"}}"#, "[Int]"), (#"{"type": "array"}"#, "[JSON]"),
            (#"{"type": "array", "items": {"type": "string", "nullable": true}}"#, "[String?]"),
            (#"{"type": "object"}"#, "JSONObject"), (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "[String: Int]"),
            (##"{"additionalProperties": {"$ref": "#/components/schemas/S"}}"##, "[String: S]"),
            (#"{"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}}"#, "JSONObject"),
            (#"{"type": "object", "properties": {"a": {}}, "additionalProperties": false}"#, "Value"),
            (#"{"enum": ["a", "b"]}"#, "Value"), (#"{"enum": ["a", null]}"#, "Value?"), (#"{"const": "a"}"#, "Value"),
            (##"{"enum": [1, 2]}"##, "Int"), (##"{"enum": [1, "a"]}"##, "JSON"), (##"{"$ref": "#/components/schemas/Nowhere"}"##, "JSON"),
            (##"{"$ref": "other.json#/x"}"##, "JSON"), (##"{"$ref": "#/components/schemas/Loop"}"##, "JSON"),
        ])
    func attributes(schema: String, expected: String) throws {
        let others =
            ##", "S": {"type": "object", "properties": {"x": {"type": "string"}}}, "Loop": {"allOf": [{"$ref": "#/components/schemas/Loop"}]}"##
        let description = Self.articles(#"{"value": \#(schema), "other": {"type": "string"}}"#, others: others)
        let types = try Self.types(description, of: "Article")
        #expect(types["value"] == expected)
        #expect(types["other"] == "String?")
    }

    @Test("A URI reference reads the empty one as nil, and a URI does not")
    func emptyReferences() {
        let part = #"{"type": "object", "properties": {"inner": {"type": "string", "format": "uri-reference"}}}"#
        let description = Self.articles(
            #"""
            {"value": {"type": "string", "format": "uri-reference"}, "page": {"type": "string", "format": "uri"}, "part": \#(part),
             "site": {"type": "string", "format": "uri-reference"},
             "either": {"oneOf": [{"type": "string", "format": "uri"}, {"type": "string", "format": "uri-reference"}]}}
            """#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.lines.contains("    @EmptyAsNil var site: URL? = nil"), "\(run.output)\(run.error)")
        #expect(run.lines.contains("    @EmptyAsNil var either: URL? = nil") && run.lines.contains("    var page: URL?"))
        #expect(run.lines.contains("        @EmptyAsNil var inner: URL? = nil"))
        #expect(run.lines.contains("    @EmptyAsNil var value: URL? = nil"))
        let uris = CommandRun("generate", "-", input: description.replacingOccurrences(of: "uri-reference", with: "uri"))
        #expect(uris.lines.contains("        var inner: URL?") && uris.lines.contains("    var value: URL"), "\(uris.output)")
    }

    @Test(
        "A number whose format is that of whole numbers keeps all of its digits",
        arguments: [
            ("number", "int64", "Int"), ("number", "int32", "Int"), ("number", "uint64", "JSONNumber"), ("integer", "uint64", "JSONNumber"),
            ("integer", "int32", "Int"), ("number", "double", "Double"), ("number", "decimal", "JSONNumber"),
        ])
    func wholeNumbers(type: String, format: String, expected: String) throws {
        let description = Self.articles(#"{"value": {"type": "\#(type)", "format": "\#(format)"}}"#)
        #expect(try Self.types(description, of: "Article")["value"] == expected)
    }

    @Test(
        "An object that allows more members than it describes keeps all of them",
        arguments: [
            #""additionalProperties": true"#, #""additionalProperties": {}"#, #""patternProperties": {"^x-": {"type": "string"}}"#,
            #""patternProperties": {"^x-": {}}, "additionalProperties": false"#,
        ])
    func openObjects(keyword: String) throws {
        let open = #"{"type": "object", "properties": {"theme": {"type": "string"}}, \#(keyword)}"#
        let description = Self.articles(
            ##"{"value": \##(open), "shared": {"$ref": "#/components/schemas/Open"}}"##, others: #", "Open": \#(open)"#)
        let types = try Self.types(description, of: "Article")
        #expect(types["value"] == "JSONObject" && types["shared"] == "JSONObject?")
    }

    @Test(
        "An optional value of any type keeps null apart from a missing member, also inside of an object",
        arguments: ["{}", #"{"oneOf": [{"type": "string", "nullable": true}, {"type": "integer"}]}"#])
    func optionalValues(schema: String) {
        let part = #"{"type": "object", "properties": {"custom": \#(schema)}}"#
        let run = CommandRun(
            "generate", "-", input: Self.articles(#"{"value": \#(schema), "custom": \#(schema), "part": \#(part)}"#))
        #expect(run.lines.contains("    var value: JSON"), "\(run.output)\(run.error)")
        #expect(run.lines.contains("    @EmptyAsNil var custom: JSON? = nil"))
        #expect(run.lines.contains("        @EmptyAsNil var custom: JSON? = nil"))
        #expect(run.lines.contains("import JSONMapping"))
    }

    @Test(
        "The type of a resource can be a pattern of one word, a default, or an example, in any order",
        arguments: [
            (#""pattern": "^articles$""#, true), (#""default": "articles""#, true), (#""example": "articles""#, true),
            (#""examples": ["articles", "notes"]"#, true), (#""pattern": "^[a-z]+$""#, false),
            (#""example": "articles", "pattern": "^[a-z]+$""#, true), (#""pattern": "^[a-z]+$", "example": "articles""#, true),
            (#""example": "notes", "pattern": "^articles$""#, true), (#""example": "notes", "default": "articles""#, true),
        ])
    func typesByExample(members: String, isFound: Bool) {
        let description = Self.articles(#"{"value": {"type": "string"}}"#).replacingOccurrences(
            of: #"{"enum": ["articles"]}"#, with: #"{"type": "string", \#(members)}"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.output.contains(#"static let type = "articles""#) == isFound, "\(run.output)\(run.error)")
        #expect(run.error.contains(#"note: the type "articles" is an example or a default in the description"#) == isFound)
    }

    @Test("A body that can include new resources has the fields of a new resource")
    func bodyWithIncluded() throws {
        let body = #"""
            {"type": "object", "properties": {"data": {"type": "object", "required": ["type"], "properties": {"type": {"enum": ["articles"]},
              "attributes": {"type": "object", "properties": {"value": {"type": "string"}}}}},
              "included": {"type": "array", "items": {"type": "object", "properties": {"type": {"enum": ["notes"]}}}}}}
            """#
        let document = ##"{"type": "object", "properties": {"data": {"$ref": "#/components/schemas/Article"}}}"##
        let paths = ##"""
            {"/articles": {"post": {"operationId": "create",
              "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Body"}}}},
              "responses": {"201": {"description": "x", "content": {"application/json": {"schema": \##(document)}}}}}}}
            """##
        let schemas = #"""
            {"Body": \#(body), "Article": {"type": "object", "required": ["type", "id"], "properties": {"type": {"enum": ["articles"]},
              "id": {"type": "string"}, "attributes": {"type": "object", "properties": {"value": {"type": "string"}, "date": {"type": "string"}}}}}}
            """#
        let run = CommandRun("generate", "-", input: Self.description(schemas, paths: paths))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("struct New: ResourceFields"))
        #expect(run.output.contains(#"static let readOnlyFields = ["date"]"#))
        #expect(run.output.contains("some DocumentBody"))
    }

    @Test("A discriminator assigns types to schemas")
    func discriminator() throws {
        let file = OpenAPICompileTests.descriptions.appendingPathComponent("fleet.json").path
        let outline = try CommandRun("generate", "--json", file).outputJSON
        let names = try #require(outline["types"]?.object?.names).map { String($0) }
        #expect(names.filter { !$0.contains(".") } == ["Car", "Truck", "Driver", "DriverVehicle", "Fuel"])
        let car = Dictionary((outline["types"]?["Car"]?.array ?? []).map { ($0["external"]?.string ?? "", $0["type"]?.string ?? "") }) {
            $1
        }
        #expect(car["wheels"] == "Int?" && car["seats"] == "Int?" && car["driver"] == "ToOne<Driver>" && car["fuel"] == "Fuel?")
        #expect(car["openapi:discriminator"] == nil)
        #expect(outline["types"]?["Driver"]?.array?.contains { $0["type"]?.string == "ToMany<DriverVehicle>" } == true)
    }

    @Test("--only generates some types, and keeps references to others")
    func only() throws {
        let file = OpenAPICompileTests.descriptions.appendingPathComponent("newsroom.json").path
        let run = CommandRun("generate", "--only", "articles", file)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("var author: ToOne<ResourceObject> = .notLoaded"))
        #expect(run.output.contains("func articlesGet(") && !run.output.contains("struct Person"))
        let unknown = CommandRun("generate", "--only", "article", file)
        #expect(unknown.status == 1)
        #expect(unknown.error.contains(#"no resources of the type "article"; there are: articles, people, teams"#), "\(unknown.error)")
    }

    @Test("Sparse fieldsets make all fields optional, except with --strict")
    func sparseFields() throws {
        let paths = #"""
            {"/articles": {"get": {"parameters": [{"name": "fields[articles]", "in": "query", "schema": {"type": "array"}}],
              "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"data": {"type": "array",
              "items": {"$ref": "#/components/schemas/Article"}}}}}}}}}}}
            """#
        let description = Self.articles(#"{"value": {"type": "string"}}"#).replacingOccurrences(
            of: #""paths": {}"#, with: "\"paths\": \(paths)")
        #expect(try Self.types(description, of: "Article")["value"] == "String?")
        #expect(try Self.types(description, of: "Article", "--strict")["value"] == "String")
    }

    @Test(
        "A list in the query is joined as its style says",
        arguments: [
            (#""style": "pipeDelimited""#, false, #"query.append("ids", ids?.map(\.queryText).joined(separator: "|"))"#),
            (#""style": "pipeDelimited", "explode": false"#, true, #"query.append("ids", ids.map(\.queryText).joined(separator: "|"))"#),
            (#""style": "spaceDelimited""#, false, #"query.append("ids", ids?.map(\.queryText).joined(separator: " "))"#),
            (#""style": "pipeDelimited", "explode": true"#, false, #"query.append("ids", each: ids)"#),
            (#""style": "form", "explode": false"#, false, #"query.append("ids", ids)"#),
            (#""style": "form""#, false, #"query.append("ids", each: ids)"#),
        ])
    func listStyles(style: String, isRequired: Bool, expected: String) throws {
        let paths = #"""
            {"/articles": {"get": {"operationId": "list", "parameters": [{"name": "ids", "in": "query", "required": \#(isRequired), \#(style),
              "schema": {"type": "array", "items": {"type": "string"}}}, {"name": "sort", "in": "query", "style": "pipeDelimited",
              "schema": {"type": "array", "items": {"type": "string"}}}],
              "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"data": {"type": "array",
              "items": {"$ref": "#/components/schemas/Article"}}}}}}}}}}}
            """#
        let description = Self.articles(#"{"value": {"type": "string"}}"#).replacingOccurrences(
            of: #""paths": {}"#, with: "\"paths\": \(paths)")
        let run = CommandRun("generate", "-", input: description)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains(expected), "\(run.output)")
        // The standard defines this list, with commas.
        #expect(run.output.contains(#"query.append("sort", sort)"#), "\(run.output)")
    }

    @Test("Recursive structs are cut", arguments: ["3.0.0", "3.1.0"])
    func circles(version: String) throws {
        let others = #"""
            , "A": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}, "all": {"type": "array", "items":
              {"$ref": "#/components/schemas/A"}}}}, "B": {"type": "object", "required": ["a"], "properties": {"a":
              {"$ref": "#/components/schemas/A"}}}
            """#
        let description = Self.articles(##"{"value": {"$ref": "#/components/schemas/A"}}"##, others: others, version: version)
        #expect(try Self.types(description, of: "A") == ["b": "B?", "all": "[A]?"])
        #expect(try Self.types(description, of: "B") == ["a": "JSON"])
    }

    @Test("Output is the same in every run, and contains its command")
    func stability() throws {
        let file = OpenAPICompileTests.descriptions.appendingPathComponent("newsroom.json").path
        #expect(CommandRun("generate", file).output == CommandRun("generate", file).output)
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = CommandRun("generate", "--prefix", "N", "--out", folder.path, file)
        let first = try #require(run.lines.first)
        let text = try String(contentsOfFile: first, encoding: .utf8)
        #expect(
            text.hasPrefix(
                "// Made by `jsonapi generate --prefix N --out \(folder.lastPathComponent) --force newsroom.json`. Changes made here are lost.\n"
            ))
    }

    @Test(
        "A description of another kind of API is status 1, with advice",
        arguments: [
            ("openapi: 3.0.0\ninfo:\n  title: x\n", "yq -o=json"), ("# a comment\nswagger: \"2.0\"\n", "yq -o=json"),
            (#"{"swagger": "2.0"}"#, "convert it to OpenAPI 3"), (#"{"openapi": "4.0.0"}"#, "expected OpenAPI 3.0 or 3.1"),
            (#"{"openapi": "3.0.0", "paths": {}}"#, "no schema describes resource objects"),
            (#"{"openapi": "3.0.0", "components": {"schemas": {"A": {"properties": {"type": {}, "id": {}}}}}}"#, "--root NAME"),
        ])
    func unusable(text: String, message: String) {
        let run = CommandRun("generate", "-", input: text)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test("A description in JSON without indentation is not YAML")
    func withoutIndentation() {
        let description = Self.articles(#"{"value": {"type": "string"}}"#).replacingOccurrences(of: #"{"openapi""#, with: "{\n\"openapi\"")
        let run = CommandRun("generate", "-", input: description)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("struct Article: Resource"))
    }

    @Test("--only keeps a request without a document if another request for its path is kept")
    func onlyWithoutDocuments() {
        func schema(_ type: String) -> String {
            #"""
            {"type": "object", "required": ["type", "id"], "properties": {"type": {"enum": ["\#(type)"]}, "id": {"type": "string"},
              "attributes": {"type": "object", "properties": {"value": {"type": "string"}}}}}
            """#
        }
        func path(_ model: String) -> String {
            ##"""
            "/\##(model)/{id}": {"delete": {"operationId": "delete\##(model)", "responses": {"204": {}}}, "get": {"operationId": "get\##(model)",
              "responses": {"200": {"content": {"application/json": {"schema": {"properties": {"data":
              {"$ref": "#/components/schemas/\##(model)"}}}}}}}}}
            """##
        }
        let schemas = #"{"Article": \#(schema("articles")), "Tag": \#(schema("tags"))}"#
        let description = Self.description(schemas, paths: "{\(path("Article")), \(path("Tag"))}")
        let run = CommandRun("generate", "--only", "articles", "-", input: description)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("func getArticle(") && run.output.contains("func deleteArticle("), "\(run.output)")
        #expect(!run.output.contains("func getTag(") && !run.output.contains("func deleteTag("))
    }

    @Test(
        "A DELETE without a document belongs to the collection of its path",
        arguments: [
            (#""/articles": LIST, "/articles/{id}": DELETE"#, true), (#""/articles/": LIST, "/articles/{id}/": DELETE"#, true),
            (#""/articles/{id}": DELETE, "/articles": LIST"#, true), (#""/articles": LIST, "/caches/{id}": DELETE"#, false),
            (#""/articles": LIST, "/articles/cache": DELETE"#, false),
            (#""/articles": LIST, "/articles/{id}": {"get": PLAIN, "delete": REMOVE}"#, false),
        ])
    func deleteInCollection(paths: String, isKept: Bool) {
        let schemas = #"""
            {"Article": {"type": "object", "required": ["type", "id"], "properties": {"type": {"enum": ["articles"]}, "id": {"type": "string"},
              "attributes": {"type": "object", "properties": {"value": {"type": "string"}}}}}}
            """#
        let list = ##"""
            {"get": {"responses": {"200": {"content": {"application/vnd.api+json": {"schema": {"properties": {"data": {"type": "array",
              "items": {"$ref": "#/components/schemas/Article"}}}}}}}}}}
            """##
        let paths = paths.replacingOccurrences(of: "LIST", with: list)
            .replacingOccurrences(of: "DELETE", with: #"{"delete": REMOVE}"#)
            .replacingOccurrences(of: "REMOVE", with: #"{"operationId": "remove", "responses": {"204": {}}}"#)
            .replacingOccurrences(of: "PLAIN", with: #"{"responses": {"200": {"content": {"text/plain": {}}}}}"#)
        for options in [[], ["--only", "articles"]] {
            let run = CommandRun(["generate"] + options + ["-"], input: Self.description(schemas, paths: "{\(paths)}"))
            #expect(run.status == 0, "\(run.error)")
            #expect(run.output.contains("func remove(") == isKept, "\(run.output)")
            #expect(run.error.contains("are left out: ") == !isKept, "\(run.error)")
        }
    }

    @Test("Options for samples are wrong usage", arguments: [["--embed"], ["--first-element"]])
    func usage(options: [String]) {
        #expect(CommandRun(["generate"] + options + ["-"], input: Self.articles("{}")).status == 2)
        #expect(CommandRun("generate", "--only", "a", "-", input: #"{"data": []}"#).status == 2)
    }

    @Test("A reference that leads nowhere, or to another file, is noted")
    func deadReferences() {
        let others = ##", "Other": {"$ref": "#/components/schemas/Nowhere"}, "Third": {"$ref": "common.yaml#/Third"}"##
        let run = CommandRun(
            "generate", "-", input: Self.articles(##"{"value": {"$ref": "#/components/schemas/Nowhere"}}"##, others: others))
        #expect(run.status == 0)
        #expect(run.output.contains("var value: JSON"))
        let lines = run.error.split(separator: "\n")
        #expect(lines.count == 2, "\(run.error)")
        #expect(lines.first?.contains(##""#/components/schemas/Nowhere" leads nowhere"##) == true)
        #expect(lines.last?.contains(#""common.yaml#/Third" leads to another file"#) == true)
    }

    @Test("References in circles, and schemas nested very deeply, end")
    func hostile() throws {
        let reference = { (name: String) -> JSON in ["$ref": .string("#/components/schemas/\(name)")] }
        var nested: JSON = ["type": "string"]
        for level in 0..<200 { nested = level % 2 == 0 ? ["allOf": [nested]] : ["properties": ["next": nested]] }
        var array: JSON = ["type": "string"]
        for _ in 0..<400 { array = ["type": "array", "items": array] }
        let values: JSON = [
            "a": ["oneOf": [reference("One"), reference("Two")]], "b": reference("Two"), "c": nested, "d": array, "e": reference("Self"),
            "f": ["additionalProperties": reference("Map")], "g": ["anyOf": [["anyOf": [["anyOf": [["type": "null"]]]]]]],
        ]
        let schemas: JSON = [
            "Article": ["properties": ["type": ["enum": ["articles"]], "id": [:], "attributes": ["properties": values]]],
            "One": ["oneOf": [reference("Two"), reference("One")]], "Two": ["anyOf": [reference("One"), ["type": "string"]]],
            "Self": ["allOf": [reference("Self"), ["properties": ["me": reference("Self")]]]],
            "Map": ["type": "object", "additionalProperties": reference("Map")],
        ]
        let paths = ##"""
            {"/a": {"$ref": "#/paths/~1a"}, "/b": {"parameters": [{"$ref": "#/components/parameters/P"}],
              "get": {"parameters": [1, null, {"$ref": 5}], "responses": {"200": {"$ref": "#/components/responses/R"}}}}, "/c": [], "/d": {"get": 1}}
            """##
        let text = Self.description(schemas.description, paths: paths).replacingOccurrences(
            of: #""components": {"#,
            with:
                ##""components": {"parameters": {"P": {"$ref": "#/components/parameters/P"}}, "responses": {"R": {"$ref": "#/components/responses/R"}}, "##
        )
        let run = CommandRun("generate", "-", input: text)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("struct Article: Resource"))
    }

    @Test("Names that collide, and names without letters, get names of their own")
    func names() throws {
        let description = Self.articles(
            #"""
            {"value": {"enum": ["a-b", "a_b", "aB", "a b", "", "-", "1", "-1", "+1", "self", "init", "unknown"]}, "Value": {"type": "string"},
             "VALUE": {"type": "string"}, "a.b": {"type": "string"}, "😀": {"type": "string"}, "": {"type": "string"}, "self": {"type": "string"}}
            """#)
        let types = try Self.types(description, of: "Article")
        // One of them has a dot, and is left out.
        #expect(types.count == 7)
        let source = CommandRun("generate", "-", input: description).output
        let cases = source.split(separator: "\n").filter { $0.hasPrefix("        case ") && !$0.contains("=") && !$0.contains("(") }
        #expect(cases.count >= 12 && Set(cases).count == cases.count, "\(cases)")
    }

    @Test("The form of a second success response is left out, with a note", arguments: [true, false])
    func secondAnswer(isSame: Bool) {
        func answer(_ type: String) -> String {
            ##"{"content": {"application/json": {"schema": {"properties": {"data": {"$ref": "#/components/schemas/\##(type)"}}}}}}"##
        }
        func resource(_ type: String) -> String { #"{"properties": {"type": {"enum": ["\#(type)"]}, "id": {}, "attributes": {}}}"# }
        let run = CommandRun(
            "generate", "-",
            input: Self.description(
                #"{"Article": \#(resource("articles")), "Job": \#(resource("jobs"))}"#,
                paths: #"{"/a": {"get": {"responses": {"200": \#(answer("Article")), "202": \#(answer(isSame ? "Article" : "Job"))}}}}"#
            ))
        #expect(run.status == 0, "\(run.error)")
        let note = "note: GET /a leaves out the form of the response 202, since the result is that of 200"
        #expect(run.error.contains(note) != isSame, "\(run.error)")
    }

    @Test("Schemas that are combined over a hundred levels are whole, and over more have a note", arguments: [100, 200])
    func manyLevels(count: Int) throws {
        let chain = (0..<count).map { number in
            ##", "L\##(number)": {"allOf": [{"$ref": "#/components/schemas/L\##(number + 1)"}, {"properties": {"p\##(number)": {}}}]}"##
        }
        let description = Self.articles(
            ##"{"value": {"$ref": "#/components/schemas/L0"}}"##,
            others: chain.joined() + #", "L\#(count)": {"properties": {"last": {"type": "integer"}}}"#)
        let run = CommandRun("generate", "-", input: description)
        #expect(run.output.contains("var last: Int?") || count == 200)
        #expect(run.error.contains("levels are incomplete") == (count == 200), "\(run.error)")
    }

    @Test("A version that is a number is an error that says so")
    func numericVersion() {
        let run = CommandRun("generate", "-", input: #"{"openapi": 3.1, "paths": {}}"#)
        #expect(run.status != 0 && run.error.contains("expected the version in `openapi` as a string"), "\(run.error)")
    }

    @Test("Options without a value, and options for samples, are errors", arguments: [["--only", ""], ["--out", ""], ["--explain"]])
    func uselessOptions(options: [String]) {
        let run = CommandRun(["generate"] + options + ["-"], input: Self.articles(#"{"value": {}}"#))
        #expect(run.status == 2 && run.error.contains(options[0]), "\(run.error)")
    }

    @Test("Hundreds of schemas of one type take linear time")
    func manySchemasOfOneType() {
        let growth = TimeGrowth(from: 100) { count in
            let paths = (0..<count).map { number in
                let schema =
                    #"{"properties": {"type": {"enum": ["articles"]}, "id": {}, "attributes": {"properties": {"value": {"type": "string", "minLength": \#(number)}}}}}"#
                return
                    #""/a\#(number)": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"data": \#(schema)}}}}}}}}"#
            }
            let description = Self.description("{}", paths: "{\(paths.joined(separator: ","))}")
            return processorSeconds {
                let run = CommandRun("generate", "-", input: description)
                #expect(run.status == 0 && run.output.contains("struct Article: Resource"), "\(run.error)")
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("The cost is linear in the number of schemas")
    func manySchemas() {
        let growth = TimeGrowth(from: 150) { count in
            let description = Self.description(ofTypes: count)
            return processorSeconds {
                let run = CommandRun("generate", "-", input: description)
                #expect(run.status == 0, "\(run.error)")
                #expect(run.output.contains("struct R\(count - 1): Resource"))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    /// A description of that many types, each with a path and a schema of its own, which refers to the next one.
    private static func description(ofTypes count: Int) -> String {
        func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }
        var schemas: JSONObject = ["All": ["oneOf": .array(JSONArray((0..<count).map { reference("R\($0)") }))]]
        var paths = JSONObject()
        for number in 0..<count {
            let type: JSON = ["enum": [.string("r\(number)")]]
            schemas.append(
                name: "R\(number)",
                value: [
                    "properties": ["type": type, "id": ["type": "string"], "attributes": ["properties": ["next": reference("V\(number)")]]]
                ])
            schemas.append(name: "V\(number)", value: ["properties": ["next": reference("V\((number + 1) % count)")]])
            let document: JSON = [
                "properties": ["data": reference("R\(number)"), "included": ["type": "array", "items": reference("All")]]
            ]
            paths.append(
                name: "/r\(number)",
                value: ["get": ["responses": ["200": ["content": ["application/json": ["schema": document]]]]]])
        }
        let description: JSON = ["openapi": "3.0.0", "paths": .object(paths), "components": ["schemas": .object(schemas)]]
        return description.description
    }

    @Test("A type with a longer name, because its own is reserved, has no other reserved name")
    func reservedLongerNames() {
        let get = #"""
            {"/items": {"get": {"operationId": "list", "parameters": [{"name": "query", "in": "query", "schema": {"enum": ["all", "mine"]}}],
              "responses": {"200": {"description": "OK", "content": {"application/vnd.api+json": {"schema": {"type": "object", "properties":
              {"meta": {"type": "object"}}}}}}}}}}
            """#
        let schemas = #"""
            {"Item": {"type": "object", "properties": {"type": {"enum": ["primaries"]}, "id": {"type": "string"}, "attributes":
              {"type": "object", "properties": {"kind": {"$ref": "#/components/schemas/Primary"}}}}}, "Primary": {"enum": ["a", "b"]}}
            """#
        let run = CommandRun("generate", "-", input: Self.description(schemas, paths: get))
        #expect(run.output.contains("enum QueryValueValue: String, QueryValue, CaseIterable {"), "\(run.output)\(run.error)")
        #expect(run.output.contains("enum Primary2: RawRepresentable, "))
    }
}
