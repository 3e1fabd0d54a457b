import Foundation
import JSONText
import TestSupport
import Testing

/// Compiles the code for OpenAPI descriptions with the modules of this build, decodes recorded responses, and creates requests.
@Suite("Code generated from OpenAPI")
struct OpenAPICompileTests {
    static let descriptions = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../Conformance/openapi")

    /// The checks of the models of `newsroom.json`, line by line: an expression and its output.
    private static let checks: [(expression: String, expected: String)] = [
        (#"list.data[0].title ?? """#, "One"),
        (#"list.data[0].`class` ?? "none""#, "none"),
        (#"list.data[0].state == .inReview"#, "true"),
        (#"list.data[1].state == .unknown("brand new")"#, "true"),
        (#"list.data[0].platform == .macOs"#, "true"),
        (#"list.data[0].labels?["en"] ?? """#, "Hi"),
        (#"list.data[0].matrix?[0][1] == nil"#, "true"),
        (#"list.data[0].sections?[0].parts?[0].text ?? """#, "deep"),
        (#"list.data[0].cover?.next?["text"]?.string ?? """#, "inner"),
        (#"list.data[0].author.value?.name ?? """#, "Ann"),
        (#"list.data[0].reviewers.data"#, #"[{"type":"people","id":"9"},{"type":"robots","id":"1"}]"#),
        (#"list.data[0].title2.id ?? """#, "h1"),
        (#"list.data[0].fieldType ?? """#, "kind"),
        (#"list.data[0].firstName2 ?? """#, "kebab"),
        (#"list.data[0].firstName ?? """#, "camel"),
        (#"list.data[1].author.isLoaded"#, "false"),
        (##"String(decoding: try writer.encode(written), as: UTF8.self).contains(#""anything":null"#)"##, "true"),
        (
            #"request.url.absoluteString.removingPercentEncoding ?? """#,
            "https://eu.example.com/api/v1/articles?include=author&fields[articles]=title,class&sort=-title&page[size]=5"
                + "&filter[state]=draft,PUBLISHED&filter[id]=1&filter[id]=2&limit=3&exists[cover]=true"
        ),
        (#"request.headers["revision"] ?? """#, "2026-01-15"),
        (
            #"String(decoding: created.body ?? Data(), as: UTF8.self)"#,
            #"{"data":{"type":"articles","attributes":{"title":"New","class":null},"relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#
        ),
        (
            #"try api.articlesCreate(.init(title: "A", class: .null, author: ToOne(id: "9"), size: .init(height: .null))).text"#,
            #"{"data":{"type":"articles","attributes":{"title":"A","class":null,"size":{"height":null}},"#
                + #""relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#
        ),
        (
            #"String(decoding: updated.body ?? Data(), as: UTF8.self)"#,
            #"{"data":{"type":"articles","id":"a/b","attributes":{"class":null}}}"#
        ),
        (#"updated.url.absoluteString"#, "https://eu.example.com/api/v1/articles/a%2Fb"),
        (#"String(decoding: added.body ?? Data(), as: UTF8.self)"#, #"{"data":[{"type":"people","id":"9"}]}"#),
        (#"try api.articlesReviewersRequest().headers["Accept"] ?? """#, "application/json"),
        // Names that hide others, a variable that a path has twice, and a resource whose id is not in the path.
        (#"events.data[0].meta?.k ?? 0"#, "1"),
        (#"events.data[0].links ?? """#, "l"),
        (#"directEvents.map { $0.meta?.k ?? 0 }"#, "[1, 0]"),
        (#"directEvents.map { $0.links ?? "none" }"#, #"["l", "none"]"#),
        (#"events.data[0].tree?.data ?? """#, "root"),
        (#"events.data[0].source.identifier?.type ?? """#, "profiles"),
        (#"events.data[0].seats ?? 0"#, "5"),
        (#"events.data[0].isFree == true"#, "true"),
        (#"events.data[0].pages ?? []"#, #"["", "/a"]"#),
        (##"eventsAgain.contains(#""seatMap":{"page":""}"#)"##, "true"),
        (##"eventsAgain.contains(#""opensAt":"2026-11-23 20:00""#)"##, "true"),
        (#"try venues.eventsCopy(id: "a").url.absoluteString"#, "https://venues.example/events/a/copies/a"),
        (
            #"try venues.profileUpdate(userId: "u", resourceID: "p", .init(bio: "x")).text"#,
            #"{"data":{"type":"profiles","id":"p","attributes":{"bio":"x"}}}"#
        ),
        (
            #"try venues.eventsUpdate(tenant: "t", eventId: "e", .init(title: "x", meta: .init(k: 2))).text"#,
            #"{"data":{"type":"events","id":"e","attributes":{"title":"x","meta":{"k":2}}}}"#
        ),
        (#"eventsQuery.url.absoluteString.removingPercentEncoding ?? """#, "https://venues.example/events?area[city]=Oslo"),
    ]

    private static let program = #"""
        import Foundation
        import JSONAPICodec
        import JSONAPIHTTP
        import JSONText

        extension NewsroomAPI {
            func articlesReviewersRequest() throws -> JSONAPIRequest<Document<[ArticleReviewer]>> { try articlesReviewers(articleId: "1") }
        }
        let api = NewsroomAPI()
        var query = ArticlesListQuery(
            fieldsArticles: [.title, .`class`], include: [.author], limit: 3, sort: [.titleDescending], filterState: [.draft, .published],
            filterId: ["1", "2"], existsCover: true, pageSize: 5)
        let request = try api.articlesList(query)
        let data = Data("""
            {"data": [
              {"type": "articles", "id": "1", "attributes": {"title": "One", "class": null, "state": "in review", "platform": "MAC_OS",
               "labels": {"en": "Hi"}, "matrix": [[1, null]], "sections": [{"text": "a", "parts": [{"text": "deep"}]}],
               "cover": {"text": "c", "next": {"text": "inner"}}, "type": "kind", "first-name": "kebab", "first_name": "snake",
               "firstName": "camel", "publishedAt": "2026-11-21T09:30:00Z", "anything": [1]},
               "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                "reviewers": {"data": [{"type": "people", "id": "9"}, {"type": "robots", "id": "1"}]},
                "title": {"data": {"type": "headlines", "id": "h1"}}, "parent": {"data": null}}, "meta": {"views": 3}},
              {"type": "articles", "id": "2", "attributes": {"state": "brand new", "anything": null}}],
             "included": [{"type": "people", "id": "9", "attributes": {"name": "Ann"}}]}
            """.utf8)
        let list = try request.answer(status: 200, body: data)
        var written = list
        // A resource with an attribute and a relationship of the same name is not encoded.
        written.data[0].title2 = .notLoaded
        var writer = JSONAPIEncoder()
        writer.checksNames = false
        let again = try JSONAPIDecoder().decode(Document<[Article]>.self, from: writer.encode(written))
        precondition(again.data.map(\.title) == list.data.map(\.title) && again.data[0].sections == list.data[0].sections)
        let created = try api.articlesCreate(Article.New(title: "New", class: .null, author: ToOne(id: "9")))
        let updated = try api.articlesUpdate(articleId: "a/b", Article.Update2(class: .null))
        let added = try api.postV1ArticlesArticleIdRelationshipsReviewers(articleId: "1", [ResourceIdentifier(type: "people", id: "9")])
        let gone = try api.articlesDelete(articleId: "1").answer(status: 204, body: nil)
        precondition(gone.document == nil)

        let fleet = try FleetAPI("https://fleet.example").getVehicles().answer(status: 200, body: Data(
            #"{"data": [{"type": "cars", "id": "1", "attributes": {"wheels": 4, "fuel": null, "seats": 5}}, {"type": "trucks", "id": "2", "attributes": {"load": 1.5}}]}"#.utf8))
        switch (fleet.data[0], fleet.data[1]) {
        case (.car(let car), .truck(let truck)): precondition(car.seats == 5 && truck.load == 1.5)
        default: preconditionFailure()
        }

        let venues = VenuesAPI("https://venues.example")
        let eventsQuery = try venues.eventsList(EventsListQuery(areaCity: "Oslo"))
        let eventsBody = Data("""
            {"data": [
              {"type": "events", "id": "1", "attributes": {"meta": {"k": 1}, "links": "l", "tree": {"data": "root", "left": {"data": "leaf"}},
               "eventSource": {"name": "n"}, "seats": 5, "isFree": true, "opensAt": "2026-11-23 20:00", "map.url": "/m",
               "pages": ["", "/a"], "seatMap": {"page": ""}},
               "relationships": {"source": {"data": {"type": "profiles", "id": "p"}}}, "meta": {"version": 3}},
              {"type": "events", "id": "2", "attributes": {"title": "t"}, "meta": {"version": 4}}]}
            """.utf8)
        let events = try eventsQuery.answer(status: 200, body: eventsBody)
        // The variant with direct initializers.
        let directEvents = try JSONAPIDecoder().decode([V2Event].self, from: eventsBody)
        let eventsAgain = String(decoding: try JSONAPIEncoder().encode(events), as: UTF8.self)
        """#

    @Test(
        "It compiles without warnings, decodes responses, and creates requests",
        .enabled(if: BuiltModules.folder != nil, "the built modules are not there"))
    func compiles() throws {
        let modules = try #require(BuiltModules.folder)
        let work = TestFolder.url.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: work) }
        let own = ["newsroom", "fleet", "venues"].map { Self.descriptions.appendingPathComponent("\($0).json").path }
        var sources: [String] = []
        let styles = VendorStyles.names.map { name in
            (file: Self.descriptions.appendingPathComponent("\(name).json").path, options: VendorStyles.options(name))
        }
        let variants = styles + Self.variants(own, styles.map(\.file))
        for (number, (file, options)) in variants.enumerated() {
            let out = work.appendingPathComponent("\(number)").path
            let run = CommandRun(["generate", "--out", out] + options + [file])
            #expect(run.status == 0, "\(run.error)")
            sources += run.lines.dropLast()
        }
        // Two files of a module cannot have the same name, and neither can those of two variants.
        sources = try sources.enumerated().map { number, path in
            let copy = work.appendingPathComponent("S\(number).swift")
            try FileManager.default.copyItem(atPath: path, toPath: copy.path)
            return copy.path
        }
        let main = work.appendingPathComponent("main.swift")
        let checks = Self.checks + VendorStyles.checks
        let lines = checks.map { "print(\($0.expression))" }
        try Data(([Self.program, VendorStyles.program] + lines).joined(separator: "\n").utf8).write(to: main)
        let binary = work.appendingPathComponent("program").path
        let compiler = try modules.run(["swiftc"] + modules.arguments + ["-o", binary, main.path] + sources)
        #expect(compiler.status == 0, "\(compiler.output.prefix(4000))")
        guard compiler.status == 0 else { return }
        let run = try modules.run([binary])
        let printed = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(printed.count == checks.count, "\(run.output)")
        for (line, check) in zip(printed, checks) { #expect(line == check.expected, "\(check.expression)") }
        print("openapi: \(sources.count) files of \(Set(variants.map(\.file)).count) descriptions compile and work, in two variants each")
    }

    /// Each description, with internal and with public code. Also the shared descriptions, if they exist.
    private static func variants(_ own: [String], _ styles: [String]) -> [(file: String, options: [String])] {
        var variants = own.map { (file: $0, options: [String]()) }
        for (number, file) in (own + styles + shared).enumerated() {
            variants.append((file, ["--prefix", "V\(number)", "--access", "public", "--direct", "--strict"]))
        }
        return variants
    }

    private static var shared: [String] {
        guard let cases = ProcessInfo.processInfo.environment["CONFORMANCE_CASES"] else { return [] }
        let folder = URL(fileURLWithPath: cases).deletingLastPathComponent().appendingPathComponent("openapi")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { folder.appendingPathComponent($0).path }
    }
}
