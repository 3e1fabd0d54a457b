// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONMapping
import JSONText
import TestSupport
import Testing

@Suite("The articles of JSONAPIStore and JSONAPIArchive")
struct StoreTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var city: String?
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Person>
    }

    private let data: Data

    init() throws { data = try #require(DocumentationPage.named("KeepingResources").documents.first) }

    /// Calls `body` with a folder that is removed at the end.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = TestFolder.url.appendingPathComponent("documentation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test("A store merges, edits, and reports")
    func keeping() throws {
        let store = ResourceStore()
        let article = try store.decode(Article.self, from: data)      // stores the article and the included resources
        let author = try store.resource(Person.self, id: "9")         // from any document that the store has decoded
        let name = article.author.value?.name                         // resolved through the store
        let people = try store.resources(Person.self)                 // all people, in the order of arrival
        #expect(author?.city == "Lüderitz" && name == "Marit" && people.map(\.id) == ["9"])

        let received = try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: data))
        #expect(received.inserted == 0 && received.conflicts.isEmpty)

        let report = try store.ingest(Person(id: "9", name: "Marit Osei"))
        let updated = report.updated                                  // 1
        let conflicts = report.conflicts.first?.fields                // /attributes/name
        let city = try store.resource(Person.self, id: "9")?.city     // "Lüderitz": the new version does not mention it
        #expect(updated == 1 && conflicts == [JSONPointer("attributes", "name")] && city == "Lüderitz")

        var draft = try store.draft(Article.self, id: "1")
        draft.value.title = "Stairs"
        let body = try JSONAPIEncoder().encode(draft.patch)           // the body of the PATCH request
        let disputed = try draft.conflicts()                          // fields that have changed in the store since
        try draft.commit()                                            // changes the store
        #expect(try JSON(parsing: body)["data"]?["attributes"] == ["title": "Stairs"] && disputed.isEmpty)
        #expect(try store.resource(Article.self, id: "1")?.title == "Stairs")
    }

    @Test("A draft of a store whose decoder has a key strategy")
    func draftWithKeyStrategy() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var startTime: String
        }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let store = ResourceStore(decoder: decoder)
        let data = Data(#"{"data":{"type":"events","id":"1","attributes":{"start_time":"9"}}}"#.utf8)
        _ = try store.decode(Event.self, from: data)
        var draft = try store.draft(Event.self, id: "1")
        draft.value.startTime = "10"
        let patch = try JSONAPIEncoder(matching: decoder).encode(draft.patch)
        #expect(try JSON(parsing: patch)["data"]?["attributes"] == ["start_time": "10"])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(draft.patch) }
    }

    @Test("Transactions and observers")
    func observing() throws {
        let store = ResourceStore()
        nonisolated(unsafe) var changes: [ResourceChange.Kind] = []
        let tenth = ResourceIdentifier(type: "people", id: "10")
        let observation = store.observe(tenth) { change in
            changes.append(change.kind)                               // inserted, updated, removed, evicted
        }
        let stream = store.changes(ofType: "articles", buffering: .bufferingNewest(1))

        try store.transaction { transaction in
            try transaction.ingest(Person(id: "10", name: "Jun"))
            try transaction.remove(ResourceIdentifier(type: "people", id: "9"))
        }
        #expect(changes == [.inserted] && store.count == 1)
        observation.cancel()
        _ = stream
    }

    @Test("Live values, and undoing a change")
    func live() async throws {
        let store = ResourceStore()
        _ = try store.decode(Article.self, from: data)
        try store.ingest(Article(id: "2", title: "Bells", author: .notLoaded))
        var lines: [String] = []
        let sorted = store.values([Article].self, where: { $0.title != "" }, sort: { $0.title < $1.title })
        for await articles in sorted {
            lines = articles.map { "\($0.title) by \($0.author.value?.name ?? "somebody")" }
            if articles.count == 2 { break }
        }
        #expect(lines == ["Bells by somebody", "Clocks by Marit"])

        let undo = try store.apply(Patch<Article>(id: "1").set("title", "Stairs"))
        try store.apply(undo)                                         // if the server refuses the change
        #expect(try store.resource(Article.self, id: "1")?.title == "Clocks")
    }

    @Test("The landing page, and archives")
    func archives() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store.archive")
            let data = Data("{\"data\": [{\"type\": \"articles\", \"id\": \"1\", \"attributes\": {\"title\": \"Clocks\"}}]}".utf8)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)                      // the store now has what was saved
            let articles = try store.decode([Article].self, from: data)   // and the document's resources
            try file.save()                                               // writes what changed, or nothing if it fails
            #expect(try articles.count == 1 && file.archive.count == 1)
        }
        try withFolder { folder in
            let url = folder.appendingPathComponent("home.archive")
            let articles = [try JSONAPIDecoder().decode(Article.self, from: data)]
            var writer = Archive.Writer(modelVersion: 1)
            try writer.encode(articles, forKey: "home")
            try writer.encode(["theme": "dark"], forKey: "settings")
            try writer.write(to: url)

            let archive = try Archive(contentsOf: url)
            let home = try archive.decode([Article].self, forKey: "home")
            let settings = try archive.decode([String: String].self, forKey: "settings")
            let author = try archive.resource(Person.self, id: "9")       // reads one resource and not the rest
            #expect(home.map(\.author) == articles.map(\.author) && settings == ["theme": "dark"] && author?.name == "Marit")
            #expect(home[0].author.value?.city == "Lüderitz" && archive.verify().isEmpty)

            struct Home: Codable {
                var title: String
                var articles: [Article]
            }
            try writer.encode(Home(title: "Today", articles: articles), forKey: "page")
            let page = try Archive(data: writer.data()).decode(Home.self, forKey: "page")
            #expect(page.articles.map(\.title) == ["Clocks"])
            let text = try #require(DocumentationPage.named("Archives").documents.first)
            #expect(try Archive(data: writer.data()).json(forKey: "page") == JSON(parsing: Array(text)))

            final class Station: Mapped {
                var name = ""
                var next: Station?
                static let schema: MappingSchema<Station> = MappingSchema(creating: Station()) {
                    MappingField(\.name, "name")
                    MappingField(\.next, "next")
                }
            }
            let station = Station()
            let second = Station()
            (station.next, second.next) = (second, station)
            try writer.encode(station, forKey: "first")
            let first = try Archive(data: writer.data()).decode(Station.self, forKey: "first")
            let isRound = first.next?.next === first
            #expect(isRound && first.next !== first)
            (station.next, first.next) = (nil, nil)

            let file = try ArchiveFile(url)
            try file.commit { changes in
                try changes.encode(articles[0], forKey: "last")
                try changes.removeValue(forKey: "settings")
            }
            let last = try file.archive.decode(Article.self, forKey: "last")
            file.close()
            #expect(last.title == "Clocks")

            var log: [String] = []
            let rescuedURL = folder.appendingPathComponent("rescued.archive")
            let salvage = try ArchiveFile.salvage(url)
            for loss in salvage.losses { log.append(loss.description) }       // what is damaged, and where
            try Archive.Writer(salvage.archive).write(to: rescuedURL)         // the intact part
            #expect(try log.isEmpty && Archive(contentsOf: rescuedURL).count == Archive(contentsOf: url).count)

            let model = ArchiveModel(
                version: 2,
                migrations: [
                    .init(to: 2) { resource, _ in
                        guard resource.type == "people" else { return [resource] }
                        var resource = resource
                        resource[attribute: "fullName"] = resource[attribute: "name"]
                        resource[attribute: "name"] = nil
                        return [resource]
                    }
                ])
            let migrated = try Archive(contentsOf: url, model: model)
            let person = try migrated.resource(ResourceObject.self, ResourceIdentifier(type: "people", id: "9"))
            #expect(person?[attribute: "fullName"] == "Marit")
        }
    }

    @Test("A migration that renames a type, also in links to resources that the archive does not have")
    func renamedType() throws {
        let renaming = ArchiveModel.Migration(to: 3) { resource, _ in
            var resource = resource
            if resource.type == "people" { resource.type = "persons" }
            if var author = resource[relationship: "author"]?.data.identifiers.first, author.type == "people" {
                author.type = "persons"
                resource[relationship: "author"]?.data = .one(author)
            }
            return [resource]
        }
        var writer = Archive.Writer(modelVersion: 2)
        try writer.insert([ResourceObject(type: "people", id: "9")])
        for id in ["9", "10"] {
            let author: JSON = ["type": "people", "id": .string(id), "meta": ["since": 3]]
            var article = ResourceObject(type: "articles", id: id)
            article[relationship: "author"] = RelationshipObject(data: try #require(Linkage(json: author)))
            try writer.insert([article])
        }
        let archive = try Archive(data: writer.data(), model: ArchiveModel(version: 3, migrations: [renaming]))
        for id in ["9", "10"] {
            let article = try archive.resource(ResourceObject.self, ResourceIdentifier(type: "articles", id: id))
            let expected: JSON = ["type": "persons", "id": .string(id), "meta": ["since": 3]]
            #expect(article?[relationship: "author"]?.data.json == expected)
        }
        #expect(try archive.contains(ResourceIdentifier(type: "persons", id: "9")))
    }

    @Test("Key and date strategies")
    func strategies() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var startsAt: Date?
            var nextEvent: ToOne<Event>?
        }
        let data = Data(#"""
            {"data": [{"type": "events", "id": "1", "attributes": {"starts-at": 10},
                       "relationships": {"next-event": {"data": {"type": "events", "id": "2"}}}}],
             "included": [{"type": "events", "id": "2", "attributes": {"starts-at": 20}}]}
            """#.utf8)
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let encoder = JSONAPIEncoder(matching: decoder)

        let events = try decoder.decode([Event].self, from: data)
        var writer = Archive.Writer(encoder: encoder)
        try writer.encode(events, forKey: "events")
        let archive = try Archive(data: writer.data(), decoder: decoder)
        let saved = try archive.decode([Event].self, forKey: "events")
        #expect(saved[0].startsAt == Date(timeIntervalSince1970: 10))
        #expect(saved[0].nextEvent?.value?.startsAt == Date(timeIntervalSince1970: 20))

        let store = ResourceStore(decoder: decoder)
        try store.ingest(events)
        #expect(try store.resource(Event.self, id: "2")?.startsAt == Date(timeIntervalSince1970: 20))
    }

    @Test("A file for a store, and archives in coders")
    func files() throws {
        try withFolder { folder in
            let storeURL = folder.appendingPathComponent("store.archive")
            let articles = [try JSONAPIDecoder().decode(Article.self, from: data)]
            let store = ResourceStore()
            let storeFile = try StoreFile(storeURL, of: store)
            try store.ingest(articles)
            try storeFile.save()
            #expect(try storeFile.archive.resource(Article.self, id: "1")?.title == "Clocks")

            let coder = NSKeyedArchiver(requiringSecureCoding: true)
            try coder.encodeArchived(articles, forKey: "articles", modelVersion: 1)
            coder.finishEncoding()
            let reader = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
            #expect(try reader.decodeArchived([Article].self, forKey: "articles").map(\.title) == ["Clocks"])
        }
    }
}
