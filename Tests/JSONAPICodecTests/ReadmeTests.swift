// The samples keep the spacing that they have in the README.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPIStore
import JSONAPIValidation
import JSONMapping
import JSONText
import TestSupport
import Testing

/// The samples of README.md, run.
///
/// README.md contains the lines between `// README` and `// end` word for word, without their indentation.
@Suite("README samples")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func document(_ name: String) throws -> Data {
        try Data(contentsOf: Self.root.appendingPathComponent("Conformance/sections/\(name).json"))
    }

    @Test("Models, Key, resolution, request bodies, and archives")
    func mainJob() throws {
        let data = try document("compound-document")
        let url = TestFolder.url.appendingPathComponent("readme-\(UUID().uuidString).archive")
        defer { try? FileManager.default.removeItem(at: url) }
        // README
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Comment: Resource {
            static let type = "comments"
            var id: String
            var body: String
            var author: ToOne<Person>      // a reference: the identifier, and the person if the document includes it
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var publishedAt: Date?
            var author: Person             // embedded: the person itself, taken from `included`
            var comments: ToMany<Comment>  // references
        }

        let articles = try JSONAPIDecoder().decode([Article].self, from: data)
        let author = articles[0].author.name                   // "Marit Osei"
        let bodies = articles[0].comments.values.map(\.body)   // the bodies of two comments
        // end
        #expect(author == "Marit Osei")
        #expect(bodies.count == 2)

        // README
        struct Headline: Resource {
            static let type = "articles"
            var id: String
            var text: String
            var writer: Person?

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                text = try map.decode(String.self, forKey: .attributes("title"))     // a nested value: .attributes("place", "city")
                writer = try map.decodeIfPresent(Person.self, forKey: .relationships("author"))
            }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(text, forKey: .attributes("title"))
                try map.encodeIfPresent(writer, forKey: .relationships("author"))
            }
        }
        // end
        let headlines = try JSONAPIDecoder().decode([Headline].self, from: data)
        #expect(headlines.map(\.text) == articles.map(\.title))
        #expect(headlines[0].writer?.name == author)
        try JSONAPIEncoder().checkCoding(of: headlines[0])

        // README
        let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
        let comments = document.data[0].comments
        let ids = comments.ids                                      // ["c-201", "c-205"], even if nothing is included
        let commenter = comments.values.first?.author.value?.name   // "Jun Castellane", through two references
        let people = try document.included(Person.self)             // every included person
        let next = document.links.next?.href                        // the address of the next page
        // end
        #expect(ids == ["c-201", "c-205"])
        #expect(commenter == "Jun Castellane")
        #expect(people.map(\.id) == ["u-3", "u-8"])
        #expect(next?.hasPrefix("https://quillpost.example/articles") == true)
        #expect(document.diagnostics.isEmpty)

        // README
        let encoder = JSONAPIEncoder()
        let create = try encoder.encode(Create(articles[0]))                       // without an id: the server assigns it
        let patch = articles[0].patch { $0.title = "New"; $0.publishedAt = nil }   // only what changed; nil becomes null
        let update = patch.isEmpty ? nil : try encoder.encode(patch)               // from two values: Patch(from: old, to: new)
        let page = try encoder.encode(articles, include: ["author", "comments"], fields: ["comments": ["body"]])
        // end
        #expect(try JSON(parsing: page)["included"]?[1]?["relationships"] == nil)
        #expect(try JSON(parsing: page)["included"]?[0] == ["type": "people", "id": "u-3", "attributes": ["name": "Marit Osei"]])
        #expect(try JSON(parsing: create)["data"]?["id"] == nil)
        let attributes = try JSON(parsing: try #require(update))["data"]?["attributes"]
        #expect(attributes == ["title": "New", "publishedAt": nil])

        // README
        var writer = Archive.Writer()
        try writer.encode(articles, forKey: "home")                 // with the resources that the articles embed or refer to
        try writer.write(to: url)                                   // replaces the file atomically
        let archive = try Archive(contentsOf: url)
        let home = try archive.decode([Article].self, forKey: "home")
        let person = try archive.resource(Person.self, id: "u-3")   // reads one resource and not the rest
        // end
        #expect(home.map(\.id) == articles.map(\.id))
        #expect(home[0].author.name == author)
        #expect(home[0].comments.values.map(\.body) == bodies)
        #expect(person?.name == author)
    }

    @Test("States of a relationship")
    func states() throws {
        struct Frame: Resource {
            static let type = "frames"
            var id: String
        }
        struct Observer: Resource {
            static let type = "observers"
            var id: String
        }
        struct Observation: Resource {
            static let type = "observations"
            var id: String
            var frames: ToMany<Frame>
            var supervisor: ToOne<Observer>
            var observers: ToMany<Observer>
        }
        let data = try document("relationship-states")
        let observation = try JSONAPIDecoder().decode(Observation.self, from: data)
        let hasFrames = observation.frames.isLoaded         // false: the relationship has no data
        let isAlone = observation.supervisor.isEmpty        // true: it is null
        let observerIDs = observation.observers.ids         // ["p-1", "p-2"]: identifiers
        let observers = observation.observers.allValues     // nil: the resources themselves are not in the document
        #expect(!hasFrames)
        #expect(isAlone)
        #expect(observerIDs == ["p-1", "p-2"])
        #expect(observers == nil)
    }

    @Test("Modes and leniencies")
    func modes() throws {
        struct Boat: Resource {
            static let type = "boats"
            var id: String
        }
        let data = Data(#"{"data": {"type": "boats", "id": 42}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Boat.self, from: data) }
        var decoder = JSONAPIDecoder()                // standard mode ignores what the specification tells clients to ignore
        decoder.leniencies.insert(.integerIDs)        // also accepts integer ids
        let lenient = JSONAPIDecoder(mode: .lenient)  // every leniency
        let strict = JSONAPIDecoder(mode: .strict)    // for servers and tests
        #expect(try decoder.decode(Boat.self, from: data).id == "42")
        #expect(try lenient.decode(Boat.self, from: data).id == "42")
        #expect(throws: DecodingError.self) { try strict.decode(Boat.self, from: data) }
    }

    @Test("Errors say where, what, and how to fix it")
    func errors() throws {
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
        }
        var explained: [String] = []
        func show(_ text: String?) { explained.append(text ?? "") }
        let decoder = JSONAPIDecoder()
        for text in [
            #"{"data": {"type": "articles", "id": "1", "attributes": {"titel": "x"}}}"#,
            #"{"errors": [{"detail": "Too short.", "source": {"pointer": "/data/attributes/title"}}]}"#,
        ] {
            let data = Data(text.utf8)
            // README
            do {
                _ = try decoder.decode(Article.self, from: data)
            } catch let document as ErrorDocument {        // the server returned errors
                show(document.errors(at: "title").first?.detail)
            } catch let error as DecodingError {           // the document does not fit the model
                show(error.failure?.description)           // where, what was expected, what was found, and how to fix it
            }
            // end
        }
        #expect(explained.count == 2)
        #expect(explained.first?.contains("titel") == true)
        #expect(explained.last == "Too short.")
    }

    @Test("A direct initializer decodes what Codable decodes")
    func direct() throws {
        struct Tag: DirectResource {
            static let type = "tags"
            var id: String
            var label: String

            init(resource: ResourceView) throws {
                id = try resource.id()
                label = try resource.attribute("label")
            }

            func write(to resource: ResourceWriter) throws {
                try resource.attribute("label", label)
            }
        }
        let data = try document("compound-document")
        let tags = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data).included(Tag.self)
        #expect(tags.map(\.label) == ["Clocks & springs", "Patience"])
        #expect(try JSON(parsing: JSONAPIEncoder().encode(tags[1]))["data"]?["attributes"] == ["label": "Patience"])
    }

    @Test("Bodies and operations")
    func bodies() throws {
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
        }
        struct Comment: Resource {
            static let type = "comments"
            var id: String
            var body: String
        }
        let article = Article(id: "1", title: "T")
        let comment = Comment(id: "2", body: "B")
        let encoder = JSONAPIEncoder()
        let link = try encoder.encode(Linkage(adding: [ResourceIdentifier(type: "comments", id: "5")]))
        let project = Create(type: "projects", attributes: ["title": "Test Project"], relationships: [.toMany("points", [])])
        var operations = AtomicOperations()
        let new = operations.add(article)                             // returns a local id
        operations.add(comment, linking: ["article": new])
        let request = try encoder.encode(operations)
        #expect(try JSON(parsing: link)["data"] == [["type": "comments", "id": "5"]])
        #expect(try JSON(parsing: encoder.encode(project))["data"]?["relationships"] == ["points": ["data": []]])
        let second = try JSON(parsing: request)["atomic:operations"]?[1]
        #expect(second?["data"]?["relationships"]?["article"]?["data"] == new.json)
    }

    @Test("Queries, pages, validation, and a store")
    func requests() async throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var author: ToOne<Person>
        }
        let address = try #require(URL(string: "https://blog.example/articles"))
        let asked = Asked()
        let fetch: @Sendable (URL) async throws -> Data = { url in
            await asked.add(url)
            let next = await asked.count == 1 ? #""/articles?page[number]=2""# : "null"
            return Data(
                #"{"data":[{"type":"articles","id":"1","attributes":{"title":"T"}}],"links":{"next":\#(next)}}"#.utf8)
        }
        var titles: [String] = []
        let body = #"{"data":{"type":"articles","attributes":{"id":"1"}}}"#
        let data = try document("compound-document")
        let articles = [Article(id: "1", title: "T", author: .notLoaded)]
        nonisolated(unsafe) var changes = 0
        let storeURL = TestFolder.url.appendingPathComponent("readme-\(UUID().uuidString).archive")
        defer { try? FileManager.default.removeItem(at: storeURL) }
        // README
        let query = Query(include: ["author"], fields: ["articles": ["title", "author"]], sort: ["-publishedAt"])
        for try await article in Pages(of: Article.self, from: query.appending(to: address), fetch: fetch).elements {   // fetch: your (URL) async throws -> Data
            titles.append(article.title)
        }
        let report = Validator(.create).validate(body)              // each broken rule, its place, and how to fix it
        let response: JSONAPIResponse = try report.isValid ? .created(articles[0], at: "/articles/1") : .errors(ErrorDocument(report))   // 201 or 422
        let store = ResourceStore()
        let file = try StoreFile(storeURL, of: store)               // loads what was saved
        let kept = try store.decode([Article].self, from: data)     // merges the document into the store
        let observation = store.observe(ResourceIdentifier(type: "people", id: "u-3")) { _ in changes += 1 }
        try file.save()                                             // writes what changed, or nothing if it fails
        // end
        #expect(titles == ["T", "T"])
        #expect(await asked.first?.query?.contains("sort=-publishedAt") == true)
        #expect(report.errors.map { "\($0.pointer)" } == ["/data/attributes/id"])
        #expect(response.status == 422)

        let person = try store.resource(Person.self, id: "u-3")
        #expect(try file.archive.resource(Person.self, id: "u-3")?.name == person?.name)
        #expect(kept[0].author.value?.name == person?.name && person != nil)
        let before = changes
        try store.ingest(Person(id: "u-3", name: "New"))
        #expect(changes == before + 1)
        observation.cancel()
    }

    private actor Asked {
        private var urls: [URL] = []
        var count: Int { urls.count }
        var first: URL? { urls.first }
        func add(_ url: URL) { urls.append(url) }
    }

    @Test("A schema maps any JSON")
    func mapping() throws {
        struct User {
            var id = 0
            var name = ""
        }
        let schema = MappingSchema<User>(creating: User()) {
            MappingField(\.id, from: "user_id", .required, .lenientInt).checked(.greater(than: 0))
            MappingField(\.name, from: "profile.name", .default("nobody"))
        }
        let user = try schema.decode(try JSON(parsing: #"{"user_id": "42", "profile": {"name": "Ann"}}"#))
        #expect(user.id == 42 && user.name == "Ann")
    }

    // MARK: - The README itself

    @Test("The README contains exactly these samples")
    func samplesAreInReadme() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let samples = Self.blocks(in: try String(contentsOfFile: #filePath, encoding: .utf8), from: "// README", to: "// end")
        let shown = Self.blocks(in: readme, from: "```swift", to: "```")
        #expect(samples.count > 5)
        for sample in samples { #expect(shown.contains(sample), "not in README.md:\n\(sample)") }
        for sample in shown { #expect(samples.contains(sample), "not run by a test:\n\(sample)") }
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    }

    @Test("Files named in the README exist")
    func namedFilesExist() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        for name in readme.matches(of: /(?:Sources|Tests|Conformance)\/[A-Za-z\/.-]*[A-Za-z\/]/).map({ String($0.output) }) {
            #expect(FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(name).path), "\(name)")
        }
    }

    /// Returns the lines between two marks, without the indentation of the first mark.
    private static func blocks(in text: String, from first: String, to last: String) -> [String] {
        var blocks: [String] = []
        var lines: [Substring]?
        var indentation = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if let open = lines {
                lines = content == last ? nil : open + [line.dropFirst(min(indentation, line.count))]
                if content == last { blocks.append(open.joined(separator: "\n")) }
            } else if content == first {
                lines = []
                indentation = line.count - content.count
            }
        }
        return blocks
    }
}
