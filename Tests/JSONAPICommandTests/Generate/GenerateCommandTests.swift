import Foundation
import JSONText
import TestSupport
import Testing

@Suite("jsonapi generate")
struct GenerateCommandTests {
    /// The output for one sample on standard input, with `--strict`.
    static func source(_ sample: String, _ options: [String] = []) -> String {
        let run = CommandRun(["generate", "--strict"] + options + ["-"], input: sample)
        #expect(run.status == 0, "\(run.error)")
        return run.output
    }

    /// The type of each property of a model, by name.
    static func types(_ sample: String, of model: String, _ options: [String] = []) throws -> [String: String] {
        let run = CommandRun(["generate", "--json", "--strict"] + options + ["-"], input: sample)
        #expect(run.status == 0, "\(run.error)")
        let rows = try run.outputJSON["types"]?[model]?.array ?? []
        let pairs = rows.map { ($0["internal"]?.string ?? "", $0["type"]?.string ?? "") }
        return Dictionary(pairs) { first, _ in first }
    }

    static let article = """
        {"data": [
          {"type": "blog-articles", "id": "1",
           "attributes": {"title": "One", "word-count": 12, "class": "a", "price": 1.5, "publishedAt": "2026-11-21T09:30:00Z",
                          "site": "https://example.org/a", "address": {"city": "Oslo", "lines": [{"text": "x"}]}},
           "relationships": {"author": {"data": {"type": "people", "id": "9"}}, "tags": {"data": []}, "history": {"links": {"self": "/h"}}},
           "links": {"self": "/blog-articles/1"}, "meta": {"draft": true}},
          {"type": "blog-articles", "id": "2",
           "attributes": {"title": "Two", "word-count": 7, "class": "b", "price": 2, "publishedAt": null,
                          "site": "https://example.org/b", "address": {"city": "Rome", "lines": []}},
           "relationships": {"author": {"data": {"type": "teams", "id": "3"}}, "tags": {"data": [{"type": "tags", "id": "1"}]}}}
        ], "included": [{"type": "people", "id": "9", "attributes": {"name": "Ann"}}]}
        """

    @Test("A struct for each type, with inferred types, coding keys and a union")
    func models() {
        let expected = """
            import Foundation
            import JSONAPICodec
            import JSONMapping

            // try JSONAPIDecoder().decode(Document<[BlogArticle]>.self, from: data)

            /// Resources of the type "blog-articles".
            struct BlogArticle: Resource {
                static let type = "blog-articles"
                var id: String
                var title: String
                var wordCount: Int
                var `class`: String
                var price: Double
                @EmptyAsNil var publishedAt: Date? = nil
                var site: URL
                var address: Address
                var author: ToOne<BlogArticleAuthor>
                var tags: ToMany<Tag>
                /// No sample has linkage: ToOne or ToMany of a model, once it is known which.
                var history: RelationshipObject?
                var links: ResourceLinks
                var meta: ResourceMeta<Meta>?

                enum CodingKeys: String, CodingKey {
                    case id
                    case title
                    case wordCount = "word-count"
                    case `class`
                    case price
                    case publishedAt
                    case site
                    case address
                    case author
                    case tags
                    case history
                    case links
                    case meta
                }

                nonisolated struct Address: Codable, Hashable, Sendable {
                    var city: String
                    var lines: [Line]

                    nonisolated struct Line: Codable, Hashable, Sendable {
                        var text: String
                    }
                }

                nonisolated struct Meta: Codable, Hashable, Sendable {
                    var draft: Bool
                }
            }

            /// Resources of the type "people".
            struct Person: Resource {
                static let type = "people"
                var id: String
                var name: String
            }

            /// Resources of the type "teams".
            /// The samples hold identifiers of this type only.
            struct Team: Resource {
                static let type = "teams"
                var id: String
            }

            /// Resources of the type "tags".
            /// The samples hold identifiers of this type only.
            struct Tag: Resource {
                static let type = "tags"
                var id: String
            }

            /// Resources of several types; those of any other are kept as they are.
            nonisolated enum BlogArticleAuthor: ResourceUnion {
                case person(Person)
                case team(Team)
                case unknown(ResourceObject)

                static let members: [UnionMember<BlogArticleAuthor>] = [
                    .init(BlogArticleAuthor.person),
                    .init(BlogArticleAuthor.team),
                ]

                var resource: any ResourceRepresentable {
                    switch self {
                    case .person(let value): value
                    case .team(let value): value
                    case .unknown(let value): value
                    }
                }
            }

            """
        #expect(Self.source(Self.article) == expected)
        #expect(Self.source(Self.article) == Self.source(Self.article))
    }

    @Test("--access public --direct adds public initializers and direct coding")
    func publicAndDirect() {
        let sample = #"{"data": {"type": "tags", "id": "1", "attributes": {"tag-label": "x", "resource": null}, "meta": {"n": 1}}}"#
        let expected = """
            /// Resources of the type "tags".
            public struct Tag: Resource {
                public static let type = "tags"
                public var id: String
                public var tagLabel: String
                /// Null in every sample.
                @EmptyAsNil public var resource: JSON? = nil
                public var meta: ResourceMeta<Meta>?

                public init(id: String, tagLabel: String, resource: JSON? = nil, meta: ResourceMeta<Meta>? = nil) {
                    self.id = id
                    self.tagLabel = tagLabel
                    _resource = .init(wrappedValue: resource)
                    self.meta = meta
                }

                enum CodingKeys: String, CodingKey {
                    case id
                    case tagLabel = "tag-label"
                    case resource
                    case meta
                }

                nonisolated public struct Meta: Codable, Hashable, Sendable {
                    public var n: Int

                    public init(n: Int) {
                        self.n = n
                    }
                }
            }

            extension Tag: DirectResource {
                public init(resource: ResourceView) throws {
                    id = try resource.id()
                    tagLabel = try resource.attribute("tag-label")
                    _resource = try resource.attribute("resource")
                    meta = try resource.metaIfPresent().map { ResourceMeta($0) }
                }

                public func write(to resource: ResourceWriter) throws {
                    try resource.attribute("tag-label", tagLabel)
                    try resource.attribute("resource", _resource)
                    if let meta { try resource.meta(meta.value) }
                }
            }

            """
        #expect(Self.source(sample, ["--access", "public", "--direct"]).hasSuffix(expected))
    }

    @Test("--embed embeds included resources, also in cycles")
    func embedding() throws {
        let sample = """
            {"data": {"type": "articles", "id": "1", "relationships": {
                "author": {"data": {"type": "people", "id": "1"}}, "editor": {"data": {"type": "people", "id": "7"}},
                "comments": {"data": [{"type": "comments", "id": "1"}, {"type": "comments", "id": "2"}]}}},
             "included": [
               {"type": "people", "id": "1", "relationships": {"articles": {"data": [{"type": "articles", "id": "1"}]}}},
               {"type": "comments", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "1"}}, "parent": {"data": null}}},
               {"type": "comments", "id": "2", "relationships": {"author": {"data": null}, "parent": {"data": {"type": "comments", "id": "1"}}}}
             ]}
            """
        let article = try Self.types(sample, of: "Article", ["--embed"])
        #expect(article == ["id": "String", "author": "Person?", "editor": "ToOne<Person>", "comments": "[Comment]?"])
        #expect(try Self.types(sample, of: "Person", ["--embed"])["articles"] == "[Article]?")
        #expect(try Self.types(sample, of: "Comment", ["--embed"]) == ["id": "String", "author": "Person?", "parent": "Comment?"])
        #expect(try Self.types(sample, of: "Comment")["author"] == "ToOne<Person>")
    }

    @Test(
        "Types of attributes are inferred from all samples",
        arguments: [
            ("[1, 2]", "Int"), ("[1, 2.5]", "Double"), ("[1.0]", "Double"), ("[9007199254740993, 0.5]", "JSONNumber"),
            ("[9223372036854775808]", "JSONNumber"), ("[1E400]", "JSONNumber"), ("[true]", "Bool"), (#"["a"]"#, "String"),
            (#"["2026-11-21T09:30:00.25+02:00"]"#, "Date"), (#"["2026-11-21T09:30:00Z", "soon"]"#, "String"),
            (#"["2026-11-21"]"#, "String"),
            (#"["https://a.example/x?y=1"]"#, "URL"), (#"["https://a.example", "/x"]"#, "String"), (#"["urn:a:b"]"#, "String"),
            (#"[1, "a"]"#, "JSON"), ("[null]", "JSON?"), ("[1, null]", "Int?"), ("[[]]", "JSON"), ("[[1, null]]", "[Int?]"),
            ("[[[1], []]]", "[[Int]]"), (#"[[1, "a"]]"#, "[JSON]"), ("[{}]", "JSONObject"), (#"[{"a": 1}, {}]"#, "Value"),
            (#"[[{"a": 1}]]"#, "[Value]"), (#"[{"a": 1}, 1]"#, "JSON"),
        ])
    func inference(values: String, expected: String) throws {
        let all = try JSON(parsing: values).array ?? []
        let data = all.enumerated().map { (number, value) -> JSON in
            ["type": "t", "id": .string("\(number)"), "attributes": ["value": value]]
        }
        let sample = JSON.object(["data": .array(JSONArray(data))]).description
        // Objects in `value` have the type of a struct inside the model.
        #expect(try Self.types(sample, of: "T")["value"] == expected)
    }

    @Test(
        "A number with a fraction or an exponent is a JSONNumber if a Double loses digits of it",
        arguments: [
            ("0.12345678901234567890", "JSONNumber"), ("1.00000000000000001e3", "JSONNumber"), ("9007199254740993.5", "JSONNumber"),
            ("0.12345678901234567", "JSONNumber"), ("0.30000000000000004", "Double"), ("0.10000000000000001", "Double"),
            ("0.1000000000000000055511151231257827021181583404541015625", "Double"), ("12.50", "Double"), ("1e22", "Double"),
            ("-0", "Double"),
        ])
    func digits(value: String, expected: String) throws {
        let sample = #"{"data": {"type": "t", "id": "1", "attributes": {"value": \#(value)}}}"#
        #expect(try Self.types(sample, of: "T")["value"] == expected)
    }

    @Test("Several samples are merged, and a member that one lacks is optional")
    func merging() throws {
        try CommandRun.withFile(#"{"data": {"type": "t", "id": "1", "attributes": {"a": 1, "b": "x"}}}"#) { first in
            let second = #"{"data": [{"type": "t", "id": "2", "attributes": {"a": 2.5, "c": true}}]}"#
            let run = CommandRun("generate", "--json", "--strict", first, "-", input: second)
            let rows = try run.outputJSON["types"]?["T"]?.array ?? []
            #expect(rows.map { $0["type"]?.string ?? "" } == ["String", "Double", "String?", "Bool?"])
            #expect(try run.outputJSON["documents"]?.array?.map { $0["data"]?.string ?? "" } == ["T", "[T]"])
        }
    }

    @Test("The model of a request has an optional id")
    func request() {
        let source = Self.source(#"{"data": {"type": "photos", "lid": "a", "attributes": {"title": "x"}}}"#, ["--direct"])
        #expect(source.contains("var id: String?\n    var localID: LocalID?\n"))
        #expect(source.contains("decoder.source = .request"))
        #expect(!source.contains("extension Photo: DirectResource"))
    }

    @Test("A few repeated words become an enumeration, and in plain JSON suggest one")
    func enumeration() {
        let data = (1...6).map {
            #"{"type": "t", "id": "\#($0)", "attributes": {"state": "\#($0 % 2 == 0 ? "draft" : "live")", "n": "w\#($0)"}}"#
        }
        let source = Self.source("{\"data\": [\(data.joined(separator: ","))]}")
        #expect(source.contains("    var state: State\n    var n: String\n"), "\(source)")
        let list = (1...6).map { #"{"state": "\#($0 % 2 == 0 ? "draft" : "live")"}"# }.joined(separator: ",")
        let plain = Self.source("{\"list\": [\(list)]}", ["--root", "Root"])
        #expect(
            plain.contains("    /// One of \"live\", \"draft\" in the samples: an enumeration may fit.\n    var state: String\n"),
            "\(plain)")
    }

    @Test("Plain JSON becomes Codable structs, and equal objects share one")
    func plain() {
        let sample =
            #"{"billing": {"address": {"city": "a"}}, "address": {"city": "b"}, "my_things": [{"id": "1"}, {"id": 2}], "at": "2026-11-21T09:30:00Z"}"#
        let expected = """
            import JSONText

            nonisolated struct XRoot: Codable, Hashable, Sendable {
                var billing: XBilling
                var address: XAddress
                var myThings: [XMyThing]
                /// A date in every sample.
                var at: String

                enum CodingKeys: String, CodingKey {
                    case billing
                    case address
                    case myThings = "my_things"
                    case at
                }
            }

            nonisolated struct XBilling: Codable, Hashable, Sendable {
                var address: XAddress
            }

            nonisolated struct XAddress: Codable, Hashable, Sendable {
                var city: String
            }

            nonisolated struct XMyThing: Codable, Hashable, Sendable {
                var id: JSON
            }

            """
        #expect(Self.source(sample, ["--root", "Root", "--prefix", "X"]) == expected)
        #expect(
            Self.source(sample, ["--root", "Root", "--first-element"]).contains(
                "struct MyThing: Codable, Hashable, Sendable {\n    var id: String\n"))
    }

    @Test(
        "A file without models is status 1",
        arguments: [
            (#"{"errors": [{"title": "x"}]}"#, "found one with errors (/errors)", []),
            (#"{"data": []}"#, "no sample contains a resource", []),
            (#"{"meta": {}}"#, "no sample contains a resource", []), (#"{"data": ["#, "error:", []),
            (#"{"a": 1}"#, "found the members `a`", []),
            ("[1]", "expected an object with members", ["--root", "R"]), ("{}", "an empty object", ["--root", "R"]),
        ])
    func unusable(sample: String, message: String, options: [String]) {
        let run = CommandRun(["generate"] + options + ["-"], input: sample)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.error.contains(message), "\(run.error)")
    }

    @Test(
        "Wrong usage is status 2",
        arguments: [
            [], ["-", "-"], ["--access", "open", "-"], ["--prefix", "a b", "-"], ["--root", "1x", "-"], ["--root", "String", "-"],
            ["--root", "R", "--embed", "-"], ["--force", "-"],
        ])
    func usage(arguments: [String]) {
        let run = CommandRun(["generate"] + arguments, input: #"{"a": 1}"#)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
    }

    @Test("--out writes a file for each type, and replaces files only with --force")
    func folder() throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let out = folder.appendingPathComponent("Models").path
        let first = CommandRun("generate", "--out", out, "-", input: Self.article)
        #expect(first.status == 0, "\(first.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
        #expect(names == ["BlogArticle.swift", "BlogArticleAuthor.swift", "Person.swift", "Tag.swift", "Team.swift"])
        #expect(first.lines.dropLast().map { URL(fileURLWithPath: $0).lastPathComponent }.sorted() == names)
        let tag = out + "/Tag.swift"
        #expect(
            try String(contentsOfFile: tag, encoding: .utf8).hasPrefix(
                "// Made by `jsonapi generate --out Models --force -`. Changes made here are lost.\n\nimport JSONAPICodec\n\n"
                    + "/// Resources of the type \"tags\".\n"))

        try Data("mine".utf8).write(to: URL(fileURLWithPath: tag))
        for name in names where name != "Tag.swift" { try FileManager.default.removeItem(atPath: out + "/" + name) }
        let second = CommandRun("generate", "--out", out, "-", input: Self.article)
        #expect(second.status == 2)
        #expect(second.error.contains("cannot write") && second.error.contains("--force"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["Tag.swift"])
        #expect(try String(contentsOfFile: tag, encoding: .utf8) == "mine")
        #expect(CommandRun("generate", "--out", out, "--force", "-", input: Self.article).status == 0)
        #expect(try String(contentsOfFile: tag, encoding: .utf8) != "mine")
    }
}
