import Foundation
import JSONText
import Testing

/// What models from samples assume, and what they do not assume.
@Suite("jsonapi generate, safe by default")
struct SafeModelsTests {
    /// A document with the given number of articles.
    private static func document(_ count: Int, _ attributes: (Int) -> String) -> String {
        let data = (0..<count).map { #"{"type": "articles", "id": "\#($0)", "attributes": \#(attributes($0))}"# }
        return #"{"data": [\#(data.joined(separator: ","))]}"#
    }

    private static func types(_ documents: [String], _ options: String...) throws -> (types: [String: String], guesses: [String]) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try documents.enumerated().map { number, text -> String in
            let file = folder.appendingPathComponent("\(number).json")
            try Data(text.utf8).write(to: file)
            return file.path
        }
        let outline = try CommandRun(["generate", "--json"] + options + files).outputJSON
        let rows = outline["types"]?["Article"]?.array ?? []
        let types = Dictionary(rows.map { ($0["internal"]?.string ?? "", $0["type"]?.string ?? "") }) { $1 }
        return (types, outline["guesses"]?.array?.compactMap(\.string) ?? [])
    }

    @Test(
        "An attribute is required when ten objects in three documents have it",
        arguments: [
            ([10], "String?"), ([4, 4], "String?"), ([1, 1, 1], "String?"), ([5, 5], "String?"), ([4, 3, 3], "String"),
            ([8, 1, 1], "String"),
        ])
    func requirement(counts: [Int], expected: String) throws {
        let documents = counts.map { Self.document($0) { #"{"title": "a\#($0)"}"# } }
        let (types, guesses) = try Self.types(documents)
        #expect(types["title"] == expected)
        #expect(guesses == (expected == "String" ? [] : ["Article.title: optional, since too few samples have it"]))
        #expect(try Self.types(documents, "--strict").types["title"] == "String")
    }

    @Test(
        "Dates get the type and the wrapper that read them",
        arguments: [
            ("2026-11-21T09:30:00Z", "var value: Date?"), ("2026-11-21T09:30:00+0000", "var value: Date?"),
            ("2026-11-21T09:30:00", "@DateFormatIfPresent<DateLayouts.ISO8601> var value: Date?"),
            ("2026-11-21 09:30", "@DateFormatIfPresent<DateLayouts.ISO8601> var value: Date?"), ("2026-11-21", "var value: String?"),
            ("2026", "var value: String?"), ("12.50", "var value: String?"),
        ])
    func dates(text: String, expected: String) throws {
        let run = CommandRun("generate", "-", input: Self.document(2) { _ in #"{"value": "\#(text)"}"# })
        #expect(run.lines.contains("    \(expected)"), "\(run.output)")
        #expect(run.output.contains("import JSONMapping") == expected.hasPrefix("@"))
        #expect(run.output.contains("A decimal number in every sample.") == (text == "12.50"))
    }

    @Test(
        "A measure is not taken for a whole number because a few samples have whole numbers",
        arguments: [
            ("rating", "Double?"), ("averageAge", "Double?"), ("unit_price", "Double?"), ("LAT", "Double?"), ("count", "Int?"),
            ("rateLimit", "Int?"), ("operate", "Int?"),
        ])
    func measures(name: String, expected: String) throws {
        let document = Self.document(2) { #"{"\#(name)": \#($0)}"# }
        #expect(try Self.types([document]).types.filter { $0.key != "id" }.values.first == expected)
        #expect(try Self.types([document], "--strict").types.filter { $0.key != "id" }.values.first == "Int")
        let many = [10, 10, 10].map { Self.document($0) { #"{"\#(name)": \#($0)}"# } }
        #expect(try Self.types(many).types.filter { $0.key != "id" }.values.first == "Int")
    }

    @Test("An embedded relationship keeps its links and meta")
    func embeddedRelationships() throws {
        let document = """
            {"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "9"},
            "links": {"related": "/articles/1/author"}, "meta": {"since": 2026}}, "editor": {"data": {"type": "people", "id": "9"}}}},
            "included": [{"type": "people", "id": "9", "attributes": {"name": "Ada"}}]}
            """
        let run = CommandRun("generate", "--embed", "-", input: document)
        for line in [
            "    var author: Person?", "    var authorLinks: Links?", "    var authorMeta: JSONObject?",
            "        case authorLinks = \"relationships.author.links\"", "        case authorMeta = \"relationships.author.meta\"",
        ] { #expect(run.lines.contains(line), "\(run.output)") }
        #expect(!run.output.contains("editorLinks"))
        #expect(!CommandRun("generate", "-", input: document).output.contains("authorLinks"))
    }

    @Test("One null or missing value makes an attribute optional", arguments: ["{}", #"{"title": null}"#])
    func exception(attributes: String) throws {
        let documents = (0..<4).map { number in Self.document(5) { number == 2 && $0 == 1 ? attributes : #"{"title": "a\#($0)"}"# } }
        #expect(try Self.types(documents).types["title"] == "String?")
    }

    @Test(
        "Objects with names that look like data become dictionaries",
        arguments: [
            (#"{"1001": 1, "1002": 2}"#, "[String: Int]?"), (#"{"en": "a", "pt-BR": "b"}"#, "[String: String]?"),
            (#"{"/a/b": true}"#, "[String: Bool]?"), (#"{"2026-01-01": 1.5, "2026-01-02": 2}"#, "[String: Double]?"),
            (#"{"6f1c1b1e-0000-4000-8000-000000000001": {"n": 1}}"#, "[String: Value]?"), (#"{"12": null, "13": 1}"#, "[String: Int?]?"),
            (#"{"en": "a", "name": "b"}"#, "Value?"), (#"{"to": "a", "by": "b"}"#, "Value?"), (#"{"id": 1, "is": 2}"#, "Value?"),
        ])
    func dictionaries(value: String, expected: String) throws {
        #expect(try Self.types([Self.document(2) { _ in #"{"value": \#(value)}"# }]).types["value"] == expected)
        #expect(try Self.types([Self.document(2) { _ in #"{"value": \#(value)}"# }], "--strict").types["value"]?.hasPrefix("[") == false)
    }

    @Test("A few repeated texts become an enumeration that keeps unknown ones")
    func enumeration() throws {
        let sample = Self.document(6) { #"{"state": "\#($0 % 2 == 0 ? "draft" : "on hold")"}"# }.replacingOccurrences(
            of: "on hold", with: "on-hold")
        #expect(try Self.types([sample]).types["state"] == "State?")
        let source = CommandRun("generate", "-", input: sample).output
        #expect(source.contains("case onHold\n") && source.contains("case unknown(String)"))
        #expect(source.contains("// - Article.State: no other values than those of the samples have a name\n"))
    }

    @Test("A relationship without linkage is optional")
    func relationships() throws {
        let sample = #"{"data": [{"type": "articles", "id": "1", "relationships": {"history": {"links": {"self": "/h"}}}}]}"#
        #expect(try Self.types([sample, sample, sample]).types["history"] == "RelationshipObject?")
        #expect(try Self.types([sample], "--strict").types["history"] == "RelationshipObject")
    }

    @Test("--explain writes comments about the samples")
    func explanation() {
        let sample = Self.document(3) { $0 == 0 ? #"{"title": "a", "n": null}"# : #"{"title": "b\#($0)"}"# }
        let source = CommandRun("generate", "--explain", "-", input: sample).output
        #expect(source.contains("    /// In 3 of 3 objects, in 1 document.\n    var title: String?\n"))
        #expect(source.contains("    /// In 1 of 3 objects, in 1 document, null somewhere.\n    var n: JSON?\n"))
    }

    @Test("With --out, guesses are printed to standard error")
    func guesses() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = CommandRun("generate", "--out", folder.path, "-", input: Self.document(1) { _ in #"{"title": "a"}"# })
        #expect(run.status == 0)
        #expect(run.error == "guessed: Article.title: optional, since too few samples have it\n")
    }
}
