import JSONText
import TestSupport
import Testing

@Suite("Names in generated models")
struct GeneratedNamesTests {
    /// The Swift names of the given attributes.
    private static func names(_ members: [String]) throws -> [String] {
        let attributes = JSONObject(members: members.map { JSONObject.Member(name: $0, value: 1) })
        let sample: JSON = ["data": ["type": "t", "id": "1", "attributes": .object(attributes)]]
        let rows = try CommandRun("generate", "--json", "-", input: sample.description).outputJSON["types"]?["T"]?.array ?? []
        return rows.dropFirst().map { $0["internal"]?.string ?? "" }
    }

    /// The model names of the given types.
    private static func models(_ types: [String], _ options: String...) throws -> [String] {
        let data = types.map { ["type": .string($0), "id": "1", "attributes": ["a": 1]] as JSON }
        let run = CommandRun(["generate", "--json"] + options + ["-"], input: JSON.object(["data": .array(JSONArray(data))]).description)
        return try run.outputJSON["types"]?.object?.names.filter { !$0.hasSuffix("AnyResource") } ?? []
    }

    @Test(
        "Members become properties",
        arguments: [
            ("first-name", "firstName"), ("first_name", "firstName"), ("first name", "firstName"), ("FirstName", "firstName"),
            ("FIRST_NAME", "firstName"), ("URLPath", "urlPath"), ("userID", "userID"), ("1st", "_1st"), ("😀", "field"), ("", "field"),
            ("_links", "links"), ("größe", "größe"), ("Élan", "élan"), ("İ", "_İ"), ("日本", "日本"), ("self", "selfField"),
            ("init", "initField"), ("id", "fieldID"),
            ("type", "fieldType"), ("a\"b\\c", "aBC"),
        ])
    func properties(member: String, expected: String) throws {
        #expect(try Self.names([member]) == [expected])
    }

    @Test("Of colliding names, a valid Swift name is kept, and later ones are numbered")
    func clashes() throws {
        #expect(try Self.names(["a-b", "a_b", "aB", "aB2"]) == ["aB3", "aB4", "aB", "aB2"])
        #expect(try Self.names(["é", "e\u{301}"]).count == 2)
        let count = TestEffort.count(3000, debug: 1000)
        #expect(try Set(Self.names((0..<count).map { String(repeating: "-", count: $0) })).count == count)
    }

    @Test(
        "Types become models in the singular",
        arguments: [
            ("articles", "Article"), ("people", "Person"), ("categories", "Category"), ("movies", "Movie"), ("addresses", "Address"),
            ("boxes", "Box"), ("caches", "Cache"), ("statuses", "Status"), ("houses", "House"), ("causes", "Cause"), ("status", "Status"),
            ("news", "News"), ("blog-posts", "BlogPost"), ("blogPosts", "BlogPost"), ("heroes", "Hero"), ("shoes", "Shoe"),
            ("responses", "Response"), ("databases", "Database"), ("analyses", "Analysis"), ("access", "Access"), ("us", "Us"),
            ("documents", "DocumentModel"), ("strings", "StringModel"), ("types", "TypeModel"), ("🎉", "Model"), ("2fa", "Model_2fa"),
            ("日本", "Model日本"),
        ])
    func singulars(type: String, expected: String) throws {
        #expect(try Self.models([type]) == [expected])
    }

    @Test("Types with colliding model names get different names")
    func modelClashes() throws {
        #expect(try Self.models(["people", "person"]) == ["People", "Person"])
        #expect(try Self.models(["urls", "URLs", "url"]) == ["Urls", "URLModel", "Url"])
        #expect(try Self.models(["documents", "tags"], "--prefix", "API") == ["APIDocument", "APITag"])
    }

    @Test(
        "A type whose name has a meaning for the compiler or its own conformances gets another name",
        arguments: [
            "string-literal-type", "integer-literal-type", "float-literal-type", "boolean-literal-type", "unicode-scalar-literal-type",
            "extended-grapheme-cluster-literal-type", "array-literal-element", "raw-value", "all-cases",
        ])
    func namesForTheCompiler(member: String) throws {
        let name = member.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        if !member.hasSuffix("s") { #expect(try Self.models(["\(member)s"]) == ["\(name)Model"]) }
        let data = (0..<12).map { number -> JSON in
            ["type": "keys", "id": .string("\(number)"), "attributes": [member: .string(["open", "closed"][number % 2])]]
        }
        let run = CommandRun("generate", "-", input: JSON.object(["data": .array(JSONArray(data))]).description)
        #expect(run.output.contains("    nonisolated enum \(name)Value: RawRepresentable, "), "\(run.output)")
    }

    @Test("A name that is numbered because it is taken is not one of Swift's either")
    func numberedNames() throws {
        #expect(try Self.models(["int3", "int-3"]) == ["Int3", "Int33"])
    }

    @Test("Text of a document cannot escape its literal or comment")
    func injection() {
        let name = "x\"\n}\nimport Evil // \\(y) \u{2028}\u{202E}"
        let sample: JSON = [
            "data": [
                "type": .string(name), "id": "1", "attributes": [name: "a"],
                "relationships": ["r": ["data": ["type": .string(name), "id": "1"]]],
            ]
        ]
        let run = CommandRun("generate", "--direct", "-", input: sample.description)
        #expect(run.status == 0)
        #expect(!run.lines.contains { $0.hasPrefix("import Evil") })
        #expect(run.output.contains(#"static let type = "x\"\u{A}}\u{A}import Evil // \\(y) \u{2028}\u{202E}""#))
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isWhitespace || $0 == " " })
    }

    @Test("Objects nested too deeply become JSON")
    func deep() {
        let text = String(repeating: #"{"a":"#, count: 500) + "1" + String(repeating: "}", count: 500)
        let run = CommandRun("generate", "--strict", "-", input: #"{"data":{"type":"t","id":"1","attributes":{"o":\#(text)}}}"#)
        #expect(run.status == 0)
        #expect(run.output.contains("var a: JSON\n"))
        #expect(run.output.utf8.count < 10_000)
    }
}
