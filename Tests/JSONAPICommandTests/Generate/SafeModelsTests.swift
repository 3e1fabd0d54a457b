import Foundation
import JSONText
import TestSupport
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
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
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
            ("2026-11-21T09:30:00Z", "@EmptyAsNil var value: Date? = nil"),
            ("2026-11-21T09:30:00+0000", "@EmptyAsNil var value: Date? = nil"),
            ("2026-11-21T09:30:00", "@DateFormatAsRead<DateLayouts.ISO8601> var value: Date? = nil"),
            ("2026-11-21 09:30", "@DateFormatAsRead<DateLayouts.ISO8601> var value: Date? = nil"),
            ("2026-11-21", "@EmptyAsNil var value: String? = nil"), ("2026", "@EmptyAsNil var value: String? = nil"),
            ("12.50", "@EmptyAsNil var value: String? = nil"), ("", "@EmptyAsNil var value: String? = nil"),
        ])
    func dates(text: String, expected: String) throws {
        let run = CommandRun("generate", "-", input: Self.document(2) { _ in #"{"value": "\#(text)"}"# })
        #expect(run.lines.contains("    \(expected)"), "\(run.output)")
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
        #expect(try Self.types([document], "--strict").types.filter { $0.key != "id" }.values.first == String(expected.dropLast()))
        let many = [10, 10, 10].map { Self.document($0) { #"{"\#(name)": \#($0)}"# } }
        #expect(try Self.types(many).types.filter { $0.key != "id" }.values.first == "Int")
    }

    @Test(
        "Texts of numbers are decimal numbers by their names, or if several have the same number of fraction digits",
        arguments: [
            ("price", ["19.99"], "Decimal?"), ("unitPrice", ["19.99", "20", ""], "Decimal?"), ("total_tax", ["0.0"], "Decimal?"),
            ("sum", ["1.00", "2.50", "13.75"], "Decimal?"), ("sum", ["1.00", "2.50"], "String?"),
            ("sum", ["1.00", "2.50", "3.5"], "String?"),
            ("sum", ["1.0", "2.5", "3.5"], "String?"), ("version", ["1.10", "1.12", "2.00"], "String?"),
            ("price", ["20", "30"], "String?"), ("price", ["020.5"], "String?"), ("price", ["1.2.3"], "String?"),
            ("price", ["1.5E3"], "String?"), ("price_code", ["1.50"], "String?"), ("phone", ["22.33"], "String?"),
            ("tax_id", ["12.50", "13.50", "14.50"], "String?"), ("price", ["+1.5"], "String?"),
        ])
    func decimals(name: String, texts: [String], expected: String) throws {
        let document = Self.document(texts.count) { #"{"\#(name)": "\#(texts[$0])"}"# }
        let (types, guesses) = try Self.types([document])
        #expect(types.first { $0.key != "id" }?.value == expected)
        #expect(guesses.contains { $0.hasSuffix(": a decimal number, since all texts are") } == (expected == "Decimal?"))
    }

    @Test(
        "Empty strings, arrays and objects in place of another value do not change its type",
        arguments: [
            ([#"{"a": 1}"#, "[]"], "Value?"), ([#"{"a": 1}"#, "\"\"", "null"], "Value?"),
            ([#"{"12": 1, "13": 2}"#, "[]"], "[String: Int]?"),
            ([#""2026-11-21T09:30:00Z""#, "\"\""], "Date?"), ([#""https://a.example/x""#, "\"\"", "[]"], "URL?"), (["7", "\"\""], "Int?"),
            (["[1]", "\"\"", "{}"], "[Int]?"), ([#""a""#, "[]"], "String?"), (["[]", "{}"], "JSON?"), (["\"\"", "[]"], "JSON?"),
            (["[]"], "JSON?"),
            (["7", #""a""#, "[]"], "JSON?"), ([#"["2026-11-21T09:30:00Z", ""]"#], "[String]?"), ([#"[{"a": 1}, []]"#], "[JSON]?"),
        ])
    func emptyForms(values: [String], expected: String) throws {
        let document = Self.document(values.count) { #"{"value": \#(values[$0])}"# }
        #expect(try Self.types([document]).types["value"] == expected)
        // An empty form stands for no value, also with --strict.
        guard values.count > 1, expected != "JSON?" else { return }
        #expect(try Self.types([document], "--strict").types["value"]?.hasSuffix("?") == true)
    }

    @Test("An embedded relationship keeps its reference, with links and meta")
    func embeddedRelationships() throws {
        let document = """
            {"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "9"},
            "links": {"related": "/articles/1/author"}, "meta": {"since": 2026}}, "editor": {"data": {"type": "people", "id": "9"}}}},
            "included": [{"type": "people", "id": "9", "attributes": {"name": "Ada"}}]}
            """
        let run = CommandRun("generate", "--embed", "-", input: document)
        for name in ["author", "editor"] {
            #expect(run.lines.contains("    @Embedded<ToOne<Person>> var \(name): Person? = nil"), "\(run.output)")
        }
        #expect(!CommandRun("generate", "-", input: document).output.contains("Embedded"))
    }

    @Test("Where other members are left out, an attribute that all samples have is optional")
    func otherMembersLeftOut() throws {
        let documents = (0..<4).map { number in
            Self.document(5) { #"{"title": "a\#($0)"\#(number == 2 && $0 == 1 ? "" : #", "n": 1"#)}"# }
        }
        let (types, guesses) = try Self.types(documents)
        #expect(types["title"] == "String?" && types["n"] == "Int?")
        #expect(guesses.contains("Article.title: optional, since other members are left out"))
    }

    @Test("One null or missing value makes an attribute optional", arguments: ["{}", #"{"title": null}"#])
    func exception(attributes: String) throws {
        let documents = (0..<4).map { number in Self.document(5) { number == 2 && $0 == 1 ? attributes : #"{"title": "a\#($0)"}"# } }
        #expect(try Self.types(documents).types["title"] == "String?")
    }

    @Test(
        "Objects with names that look like data become dictionaries",
        arguments: [
            (#"{"1001": 1, "1002": 2}"#, "[String: Int]?"), (#"{"en": "a", "pt-BR": "b"}"#, "[String: String?]?"),
            (#"{"en_us": null}"#, "[String: JSON]?"),
            (#"{"/a/b": true}"#, "[String: Bool]?"), (#"{"2026-01-01": 1.5, "2026-01-02": 2}"#, "[String: Double]?"),
            (#"{"6f1c1b1e-0000-4000-8000-000000000001": {"n": 1}}"#, "[String: Value]?"), (#"{"12": null, "13": 1}"#, "[String: Int?]?"),
            (#"{"en": "a", "name": "b"}"#, "Value?"), (#"{"to": "a", "by": "b"}"#, "Value?"), (#"{"id": 1, "is": 2}"#, "Value?"),
        ])
    func dictionaries(value: String, expected: String) throws {
        #expect(try Self.types([Self.document(2) { _ in #"{"value": \#(value)}"# }]).types["value"] == expected)
        let strict = try Self.types([Self.document(2) { _ in #"{"value": \#(value)}"# }], "--strict")
        #expect(strict.types["value"] == String(expected.dropLast()))
    }

    @Test("Translations can be null until enough documents have none")
    func translations() throws {
        let documents = (0..<3).map { _ in Self.document(4) { #"{"value": {"en": "a \#($0)", "pt-BR": "b \#($0)"}}"# } }
        #expect(try Self.types(documents).types["value"] == "[String: String]")
        #expect(try Self.types(Array(documents.prefix(2))).types["value"] == "[String: String?]?")
    }

    @Test(
        "An object whose members differ is no struct if its users choose them",
        arguments: [
            ("metadata", "JSONObject?"), ("public_metadata", "JSONObject?"), ("statusTimestamps", "JSONObject?"), ("address", "Address?"),
        ])
    func freeObjects(name: String, expected: String) throws {
        let document = Self.document(2) { #"{"\#(name)": {"\#($0 == 0 ? "a" : "b")": 1}}"# }
        #expect(try Self.types([document]).types.first { $0.key != "id" }?.value == expected)
        let uniform = Self.document(2) { _ in #"{"\#(name)": {"a": 1}}"# }
        #expect(try Self.types([uniform]).types.first { $0.key != "id" }?.value.hasPrefix("JSON") == false)
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

    @Test("--strict changes which properties are optional, and not their types")
    func strictTypes() throws {
        let documents = (0..<3).map { _ in
            Self.document(4) {
                """
                {"titles": {"en": "a \($0)", "en_jp": "b \($0)"}, "ratings": {"2": "1", "3": "4"}, "averageRating": "7\($0).50", "tags": [],
                 "state": "\($0 % 2 == 0 ? "draft" : "live")", "rating": \($0), "metadata": {"k\($0)": 1}}
                """
            }
        }
        let plain = { (types: [String: String]) in types.mapValues { $0.hasSuffix("?") ? String($0.dropLast()) : $0 } }
        for count in [1, 3] {
            let usual = try Self.types(Array(documents.prefix(count))).types
            let strict = try Self.types(Array(documents.prefix(count)), "--strict").types
            #expect(plain(strict) == plain(usual))
            #expect(strict["titles"]?.hasPrefix("[String: String") == true && strict["ratings"] == "[String: String]")
            #expect(strict["averageRating"] == "Decimal?" && strict["metadata"] == "JSONObject" && strict["tags"] == "JSON")
        }
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
        #expect(source.contains("    /// In 3 of 3 objects, in 1 document.\n    @EmptyAsNil var title: String? = nil\n"))
        #expect(source.contains("    /// In 1 of 3 objects, in 1 document, null somewhere.\n    @EmptyAsNil var n: JSON? = nil\n"))
    }

    @Test("With --out, guesses are printed to standard error")
    func guesses() {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = CommandRun("generate", "--out", folder.path, "-", input: Self.document(1) { _ in #"{"title": "a"}"# })
        #expect(run.status == 0)
        #expect(run.error == "guessed: Article.title: optional, since too few samples have it\n")
    }
}
