import Foundation
import JSONText
import TestSupport
import Testing

@Suite("jsonapi schema")
struct SchemaCommandTests {
    private static let samples = OpenAPICompileTests.descriptions.appendingPathComponent("../samples")

    private static let apis = (try? FileManager.default.contentsOfDirectory(atPath: samples.path).sorted()) ?? []

    private static func files(_ api: String) throws -> [String] {
        let folder = samples.appendingPathComponent(api)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
            .map { folder.appendingPathComponent($0).path }
    }

    @Test("Models from the schemas equal models from the samples", arguments: apis)
    func roundTrip(api: String) throws { try compareModels(of: api, []) }

    // Relationships without linkage are the exception in the others: strict samples require them, schemas never do.
    @Test("Models from strict schemas equal models from the samples", arguments: ["blog", "shop"])
    func strictRoundTrip(api: String) throws { try compareModels(of: api, ["--strict"]) }

    private func compareModels(of api: String, _ options: [String]) throws {
        let files = try Self.files(api)
        let direct = try CommandRun(["generate", "--json"] + options + files).outputJSON
        let schema = CommandRun(["schema"] + options + files)
        #expect(schema.status == 0, "\(schema.error)")
        // With `--strict`, because the schema already says what is required.
        let again = try CommandRun(["generate", "--json", "--strict", "-"], input: schema.output).outputJSON
        let names = try #require(direct["types"]?.object?.names)
        #expect(!names.isEmpty)
        for name in names {
            let rows = { (json: JSON) in (json["types"]?[name]?.array ?? []).map(\.description).sorted() }
            #expect(rows(again) == rows(direct), "\(name)")
        }
    }

    @Test("The OpenAPI file describes resource objects, and the JSON Schema documents")
    func forms() throws {
        let sample =
            #"{"data": {"type": "articles", "id": "1", "attributes": {"title": "x", "n": null}, "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}}"#
        let description = try CommandRun("schema", "--strict", "-", input: sample).outputJSON
        let article = description["components"]?["schemas"]?["Article"]
        #expect(description["openapi"] == "3.1.0")
        #expect(article?["required"] == ["type", "id", "attributes"])
        #expect(article?["properties"]?["type"] == ["const": "articles"])
        #expect(article?["properties"]?["attributes"]?["properties"]?["title"] == ["type": "string"])
        #expect(
            article?["properties"]?["relationships"]?["properties"]?["author"]?["properties"]?["data"]?["properties"]?["type"] == [
                "enum": ["people"]
            ])
        let schema = try CommandRun("schema", "--json-schema", "-", input: sample).outputJSON
        #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$ref"] == "#/$defs/Document")
        #expect(schema["$defs"]?["Document"]?["properties"]?["included"]?["items"]?["anyOf"]?[0]?["$ref"] == "#/$defs/Article")
    }

    @Test("What servers write for no value is allowed, and read again as a nil property")
    func emptyForms() throws {
        let documents = [#"{"seo": {"title": "x"}, "at": "2026-11-23T08:00:00Z"}"#, #"{"seo": [], "at": ""}"#].map {
            #"{"data": {"type": "nodes", "id": "1", "attributes": \#($0)}}"#
        }
        let sample = #"{"data": [\#(documents.map { $0.dropFirst(9).dropLast() }.joined(separator: ", "))]}"#
        let description = try CommandRun("schema", "-", input: sample).outputJSON
        let attributes = description["components"]?["schemas"]?["Node"]?["properties"]?["attributes"]
        #expect(attributes?["properties"]?["seo"]?["anyOf"]?.array?.last == ["enum": [[]]])
        #expect(attributes?["properties"]?["at"]?["anyOf"]?.array?.last == ["enum": [""]])
        let models = CommandRun("generate", "-", input: description.description)
        #expect(models.output.contains("@EmptyAsNil var seo: Seo?"), "\(models.output)\(models.error)")
        #expect(models.output.contains("@EmptyAsNil var at: Date?"))
    }

    @Test(
        "A number that fits neither Int nor Double is a decimal number, also after generating models from the schema",
        arguments: ["9223372036854775808", "1E400", "9007199254740993, 0.5", "null, 1E400"])
    func wideNumbers(values: String) throws {
        let data = values.split(separator: ",").map { #"{"type": "t", "id": "1", "attributes": {"n": \#($0)}}"# }
        let schema = try CommandRun("schema", "--strict", "-", input: #"{"data": [\#(data.joined(separator: ","))]}"#).outputJSON
        let number = schema["components"]?["schemas"]?["T"]?["properties"]?["attributes"]?["properties"]?["n"]
        #expect(number?["type"] == (values.hasPrefix("null") ? ["number", "null"] : "number") && number?["format"] == "decimal")
        let models = CommandRun("generate", "-", input: schema.description)
        #expect(models.output.contains("var n: JSONNumber"), "\(models.output)\(models.error)")
    }

    @Test("The schema of linkage with a local id allows both kinds of identifiers")
    func localIDs() throws {
        let sample =
            #"{"data": {"type": "a", "id": "1", "relationships": {"one": {"data": {"type": "b", "lid": "x"}}, "many": {"data": []}}}}"#
        let schema = try CommandRun("schema", "--json-schema", "-", input: sample).outputJSON
        let one = schema["$defs"]?["A"]?["properties"]?["relationships"]?["properties"]?["one"]?["properties"]?["data"]
        #expect(one?["required"] == ["type"])
        #expect(one?["properties"]?["lid"] == ["type": "string"])
        #expect(one?["if"] == ["required": ["lid"]] && one?["else"] == ["required": ["id"]])
    }

    @Test("A file with nothing to describe is an error")
    func unusable() {
        #expect(CommandRun("schema", "-", input: #"{"meta": {}}"#).status == 1)
        #expect(CommandRun("schema", "-", input: "[").status == 1)
        #expect(CommandRun("schema").status == 2)
        #expect(CommandRun("schema", "-", "-").status == 2)
    }

    @Test("Time grows with the number of types and of objects in attributes, and not with its square", arguments: [true, false])
    func growth(areObjects: Bool) {
        func sample(_ count: Int) -> String {
            let end = String(repeating: "n", count: 30)
            let resources = (0..<count).map { number in
                areObjects
                    ? #""a\#(number)\#(end)": {"x": 1}"#
                    : #"{"type": "a\#(number)\#(end)", "id": "1", "relationships": {"r": {"data": {"type": "a\#(count - number)\#(end)", "id": "1"}}}}"#
            }
            let list = resources.joined(separator: ", ")
            return areObjects ? #"{"data": {"type": "t", "id": "1", "attributes": {\#(list)}}}"# : #"{"data": [\#(list)]}"#
        }
        let growth = TimeGrowth(from: TestEffort.count(500, debug: 200), times: 16) { count in
            let sample = sample(count)
            return processorSeconds { #expect(CommandRun("schema", "--strict", "-", input: sample).status == 0) }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
