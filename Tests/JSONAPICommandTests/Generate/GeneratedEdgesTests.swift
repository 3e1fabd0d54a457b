import Foundation
import JSONText
import Testing

/// Names and schemas with which generated code once failed to compile, trapped, lost values, or grew without end.
@Suite("jsonapi generate, unusual names and schemas")
struct GeneratedEdgesTests {
    private static let venues = OpenAPICompileTests.descriptions.appendingPathComponent("venues.json").path

    /// The output for the description of the venues, without line breaks inside of calls.
    private static func requests(_ paths: String) -> CommandRun {
        let article = #"""
            {"Article": {"type": "object", "required": ["type", "id"], "properties": {"type": {"enum": ["articles"]}, "id": {"type": "string"},
              "attributes": {"type": "object", "properties": {"title": {"type": "string"}}}}},
             "Document": {"type": "object", "properties": {"data": {"$ref": "#/components/schemas/Article"}}}}
            """#
        let document = ##"{"content": {"application/vnd.api+json": {"schema": {"$ref": "#/components/schemas/Document"}}}}"##
        let paths = paths.replacingOccurrences(of: "BODY", with: #""requestBody": \#(document)"#)
            .replacingOccurrences(of: "ANSWER", with: #""responses": {"200": \#(document)}"#)
        return CommandRun("generate", "-", input: OpenAPIGenerateTests.description(article, paths: paths))
    }

    // MARK: - Names

    @Test(
        "An attribute with the name of a part of the resource object is read from the attributes",
        arguments: ["meta", "links", "attributes", "relationships", "id", "type"])
    func partsOfResources(name: String) throws {
        let sample =
            #"{"data": {"type": "notes", "id": "1", "attributes": {"\#(name)": {"k": 1}}, "relationships": {"\#(name)2": {"data": null}}}}"#
        #expect(CommandRun("generate", "-", input: sample).output.contains(#" = "attributes.\#(name)""#))
        let related = #"{"data": {"type": "notes", "id": "1", "relationships": {"\#(name)": {"data": {"type": "notes", "id": "2"}}}}}"#
        #expect(CommandRun("generate", "-", input: related).output.contains(#" = "relationships.\#(name)""#))
        let description = OpenAPIGenerateTests.articles(#"{"\#(name)": {"type": "string"}}"#)
        #expect(CommandRun("generate", "-", input: description).output.contains(#" = "attributes.\#(name)""#))
    }

    @Test(
        "A direct initializer reads a missing attribute with the name of a part of the resource object as nil",
        arguments: ["meta", "links", "attributes", "relationships"])
    func directPartsOfResources(name: String) {
        let description = OpenAPIGenerateTests.articles(#"{"\#(name)": {"type": "string"}, "title": {"type": "string"}}"#)
        let run = CommandRun("generate", "--direct", "-", input: description)
        #expect(run.lines.contains("    @EmptyAsNil var \(name): String? = nil"), "\(run.output)\(run.error)")
        #expect(run.lines.contains(#"        _\#(name) = try resource.attribute("\#(name)")"#))
        #expect(run.lines.contains(#"        try resource.attribute("\#(name)", _\#(name))"#))
        #expect(run.lines.contains(#"        title = try resource.attributeIfPresent("title")"#))
        #expect(CommandRun("generate", "-", input: description).lines.contains("    var \(name): String?"))
    }

    @Test(
        "A field with a dot in its name is left out, because a coding key with a dot is a path",
        arguments: [[], ["--direct"], ["--strict"]])
    func dots(options: [String]) throws {
        let sample = #"""
            {"data": {"type": "notes", "id": "1", "attributes": {"a.b": 1, "c": {"d.e": 1}, "f": 2}, "relationships": {"g.h": {"data": null}}}}
            """#
        let run = CommandRun(["generate"] + options + ["-"], input: sample)
        #expect(!run.output.contains("aB") && !run.output.contains("gH"), "\(run.output)")
        #expect(run.output.contains(#"case dE = "d.e""#))
        #expect(run.output.contains(#"/// Without "a.b", "g.h": a coding key with a dot is a path."#))
        #expect(run.output.contains(#"// - Note: without "a.b", "g.h", since a coding key with a dot is a path"#))
    }

    @Test("In a description, a field with a dot in its name is left out of all models, with a note")
    func dotsInDescriptions() {
        let run = CommandRun("generate", Self.venues)
        #expect(!run.output.contains("mapUrl"))
        #expect(run.output.contains(#"/// Without "map.url": a coding key with a dot is a path."#))
        #expect(run.error.contains(#"note: Event is without "map.url", since a coding key with a dot is a path"#), "\(run.error)")
    }

    @Test(
        "A model does not hide a type that generated code uses",
        arguments: [
            "embedded", "emptyAsNil", "decimalText", "dateFormatAsRead", "caseIterable", "rawRepresentable", "remainingMembers",
        ])
    func reservedNames(type: String) throws {
        let sample = #"{"data": {"type": "\#(type)", "id": "1", "attributes": {"\#(type)": {"x": 1}}}}"#
        let names =
            try CommandRun("generate", "--json", "-", input: sample).outputJSON["types"]?.object?.names.map { $0.lowercased() } ?? []
        #expect(names.count == 2)
        #expect(!names.contains { $0.split(separator: ".").contains { $0 == type.lowercased() } }, "\(names)")
    }

    @Test("A nested type does not hide a union that a relationship needs")
    func unions() throws {
        let outline = try CommandRun("generate", "--json", Self.venues).outputJSON
        let event = outline["types"]?["Event"]?.array ?? []
        let types = Dictionary(event.map { ($0["external"]?.string ?? "", $0["type"]?.string ?? "") }) { first, _ in first }
        #expect(types["source"] == "ToOne<EventSource>")
        #expect(types["eventSource"] != nil && types["eventSource"] != "EventSource?")
    }

    // MARK: - Values

    @Test("Dates without a time zone are written as they were read, also if they are required", arguments: [[], ["--strict"]])
    func localDates(options: [String]) {
        let data = (0..<10).map { #"{"type": "stays", "id": "\#($0)", "attributes": {"from": "2026-11-21T15:00:00"}}"# }
        let run = CommandRun(["generate"] + options + ["-"], input: #"{"data": [\#(data.joined(separator: ","))]}"#)
        #expect(
            run.output.contains(
                """
                    /// Without a time zone in the samples. Read as UTC, and written as it was read until it is set.
                    @DateFormatAsRead<DateLayouts.ISO8601> var from: Date? = nil

                """), "\(run.output)")
        let required = OpenAPIGenerateTests.articles(#"{"value": {"type": "string", "format": "date-time-local"}}"#)
        let source = CommandRun(["generate"] + options + ["-"], input: required).output
        #expect(source.contains("@DateFormatAsRead<DateLayouts.ISO8601> var value: Date? = nil"), "\(source)")
    }

    @Test("Schemas that refer to themselves several times do not multiply")
    func circles() throws {
        func reference(_ name: String) -> JSON { ["$ref": .string("#/components/schemas/\(name)")] }
        let links = ["left", "right", "up", "next", "first", "last"]
        func node(_ target: JSON) -> JSON {
            var properties: JSONObject = ["data": ["type": "string"]]
            for name in links { properties.append(name: name, value: target) }
            return ["type": "object", "properties": .object(properties)]
        }
        let described: (String) -> JSON = { ["allOf": [reference($0), ["description": "Another one."]]] }
        let schemas: JSON = [
            "Article": [
                "properties": [
                    "type": ["enum": ["articles"]], "id": [:],
                    "attributes": [
                        "properties": [
                            "tree": reference("Node"), "part": reference("Holder/properties/part"), "list": reference("List"),
                            "other": described("Described"), "map": reference("Map"),
                        ]
                    ],
                ]
            ],
            "Node": node(reference("Node")), "Holder": ["properties": ["part": node(reference("Holder/properties/part"))]],
            "List": ["type": "array", "items": node(reference("List"))], "Described": node(described("Described")),
            "Map": ["type": "object", "additionalProperties": node(reference("Map"))],
        ]
        let run = CommandRun("generate", "-", input: OpenAPIGenerateTests.description(schemas.description))
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.utf8.count < 2_000_000)
        let types = try OpenAPIGenerateTests.types(OpenAPIGenerateTests.description(schemas.description), of: "Node")
        #expect(types["data"] == "String?" && types["left"] == "JSON?")
        #expect(run.output.contains("var tree: Node?"))
    }

    @Test("All alternatives of the attributes have their fields")
    func alternatives() throws {
        let types = try OpenAPIGenerateTests.types(String(contentsOfFile: Self.venues, encoding: .utf8), of: "Event")
        #expect(types["seats"] == "Int?" && types["standing"] == "Int?" && types["price"] == "Double?" && types["isFree"] == "Bool?")
        let both = #"""
            {"Article": {"type": "object", "properties": {"type": {"enum": ["articles"]}, "id": {}, "attributes": {
              "oneOf": [{"properties": {"a": {}}}, {"oneOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]}],
              "anyOf": [{"properties": {"d": {}}}, {"properties": {"e": {}}}]}}}}
            """#
        let fields = try OpenAPIGenerateTests.types(OpenAPIGenerateTests.description(both), of: "Article")
        #expect(Set(fields.keys) == ["id", "a", "b", "c", "d", "e"])
    }

    // MARK: - Requests

    @Test(
        "The id of an update is the variable at the end of the path, and of no other resource",
        arguments: [
            ("/articles/{id}", "Patch(id: id, body)"), ("/tenants/{t}/articles/{id}", "Patch(id: id, body)"),
            ("/articles/{id}/", "Patch(id: id, body)"), ("/articles/{id}:publish", "Patch(id: id, body)"),
            ("/users/{userId}/article", "Patch(id: resourceID, body)"), ("/article", "Patch(id: resourceID, body)"),
            ("/a/{id}/b/{c}/article", "Patch(id: resourceID, body)"),
        ])
    func updates(path: String, expected: String) {
        let run = Self.requests(#"{"\#(path)": {"patch": {BODY, ANSWER}}}"#)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains(expected), "\(run.output)")
    }

    @Test("A variable that a path has twice is one parameter")
    func repeatedVariables() {
        let run = Self.requests(#"{"/a/{id}/b/{id}": {"get": {"operationId": "twin", ANSWER}}}"#)
        #expect(run.output.contains(#"["id": id]"#), "\(run.output)")
        #expect(run.output.contains("func twin(") && !run.output.contains("id2"))
    }

    @Test("A request to fetch has no body, and a note says so")
    func bodyOfGet() {
        let run = Self.requests(#"{"/articles": {"get": {"operationId": "list", BODY, ANSWER}}}"#)
        #expect(run.status == 0)
        #expect(!run.output.contains("body:") && run.output.contains("func list("), "\(run.output)")
        #expect(run.error.contains("note: GET /articles leaves out the body, since requests to fetch have none"), "\(run.error)")
    }

    @Test("What a request leaves out of its description is in the notes, and so are operations that are left out")
    func omissions() {
        let cookies = #"[{"name": "session", "in": "cookie", "required": true}, {"name": "theme", "in": "cookie"}]"#
        let run = Self.requests(
            #"{"/articles": {"servers": [{"url": "/v2"}], "get": {"operationId": "list", "parameters": \#(cookies), ANSWER}}, "/plain": {"get": {}}}"#
        )
        #expect(run.status == 0)
        #expect(run.error.contains(#"note: GET /articles leaves out the cookie "session", which the configuration can send as a header"#))
        #expect(run.error.contains("note: GET /articles leaves out the address under servers"))
        #expect(!run.error.contains("theme"))
        #expect(run.error.contains("note: operations without documents of JSON:API are left out: GET /plain"), "\(run.error)")
    }

    @Test func `the default of a server variable is text, even if it names other variables`() {
        let variables = (0..<40).map { #""v\#($0)": {"default": "{v\#($0 + 1)}{v\#($0 + 1)}"}"# }.joined(separator: ", ")
        let server = #"{"url": "https://{v0}.example/{unknown}/v1", "variables": {\#(variables)}}"#
        let run = Self.requests(#"{"/articles": {"get": {"operationId": "list", ANSWER}}}, "servers": [\#(server)]"#)
        #expect(run.output.contains(#""https://{v1}{v1}.example/{unknown}/v1""#), "\(run.error)")
    }

    @Test(
        "An object of any members in the query has a note",
        arguments: [
            #""style": "deepObject", "schema": {"type": "object", "additionalProperties": true}"#, #""schema": {"type": "object"}"#,
        ])
    func freeObjectsInQueries(form: String) {
        let parameters = #"[{"name": "filter", "in": "query", \#(form)}]"#
        let run = Self.requests(#"{"/articles": {"get": {"operationId": "list", "parameters": \#(parameters), ANSWER}}}"#)
        #expect(run.output.contains("query: Query = Query()") && !run.output.contains("filter"), "\(run.output)")
        let note = #"note: GET /articles leaves out the members of "filter", which have no names; append them to the query"#
        #expect(run.error.contains(note), "\(run.error)")
    }

    @Test("A property that a required object in the query requires is required")
    func requiredQueries() throws {
        let parameter =
            #"{"name": "area", "in": "query", "required": R, "schema": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}, "land": {"type": "string"}}}}"#
        for isRequired in [true, false] {
            let run = Self.requests(
                #"{"/articles": {"get": {"operationId": "list", "parameters": [\#(parameter)], ANSWER}}}"#.replacingOccurrences(
                    of: #""required": R"#, with: #""required": \#(isRequired)"#))
            #expect(run.output.contains("var city: String\n") == isRequired, "\(run.output)")
            #expect(run.output.contains("var city: String?\n") != isRequired && run.output.contains("var land: String?\n"))
        }
    }

    @Test(
        "An object in the query without a parameter for each property, and a value in a media type, are one text",
        arguments: [
            #""schema": OBJECT, "explode": false"#, #""schema": OBJECT, "style": "pipeDelimited""#,
            #""schema": OBJECT, "style": "spaceDelimited", "explode": false"#, #""content": {"application/json": {"schema": OBJECT}}"#,
            #""content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}"#,
            #""content": {"application/json": {"schema": {"type": "integer"}}}"#,
        ])
    func textsInQueries(form: String) {
        let object = #"{"type": "object", "properties": {"city": {"type": "string"}, "land": {"type": "string"}}}"#
        let parameter = #"{"name": "area", "in": "query", \#(form.replacingOccurrences(of: "OBJECT", with: object))}"#
        let run = Self.requests(#"{"/articles": {"get": {"operationId": "list", "parameters": [\#(parameter)], ANSWER}}}"#)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.contains("var area: String?\n"), "\(run.output)")
        #expect(run.output.contains(#"query.append("area", area)"#) && !run.output.contains("city"), "\(run.output)")
    }
}
