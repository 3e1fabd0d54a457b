// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPIStore
import JSONAPITesting
import Observation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private enum OfflineApp {
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

    protocol Transport: Sendable {
        func send<Answer: Sendable>(_ request: JSONAPIRequest<Answer>) async throws -> Answer
    }

    struct Network: Transport {
        func send<Answer: Sendable>(_ request: JSONAPIRequest<Answer>) async throws -> Answer {
            let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
            return try request.answer(data, response)
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor @Observable
    final class ArticleList {
        private(set) var articles: [Article] = []
        private(set) var message: String?

        private let store: ResourceStore
        private let transport: any Transport
        private let endpoint = Endpoint<Article>("https://example.com/articles")

        init(store: ResourceStore, transport: any Transport) {
            self.store = store
            self.transport = transport
        }

        /// Follows the store until the task is canceled.
        func follow() async {
            for await articles in store.values([Article].self, sort: { $0.title < $1.title }, onError: { [weak self] in self?.show($0) }) {
                self.articles = articles
            }
        }

        /// Loads the articles, and merges them into the store.
        func refresh() async {
            await report {
                let document = try await transport.send(endpoint.list(Query(include: ["author"])))
                try store.ingest(document)
            }
        }

        /// Changes a title. The list shows it immediately, and shows the old title again if the request fails.
        func rename(_ id: String, to title: String) async {
            await report {
                let patch = Patch<Article>(id: id).set(\.title, title)
                let undo = try store.apply(patch)
                let answer: ChangeAnswer<Article>
                do {
                    answer = try await transport.send(endpoint.update(patch))
                } catch {
                    try store.apply(undo)
                    throw error
                }
                if let document = answer.document { try store.ingest(document) }
            }
        }

        private func report(_ work: () async throws -> Void) async {
            do {
                try await work()
                message = nil
            } catch let errors as ErrorDocument {
                message = errors.localizedDescription             // what the server says
            } catch is CancellationError {
                // The view has disappeared.
            } catch let error as URLError where error.code == .cancelled {
                // URLSession says the same with an error of its own.
            } catch is URLError {
                message = "Offline. Showing saved articles."
            } catch {
                message = "\(error)"
            }
        }

        /// Shows an error that occurs on any thread.
        private nonisolated func show(_ error: any Error) {
            Task { @MainActor in self.message = "\(error)" }
        }
    }
}

@Suite("The article An offline-first app")
struct OfflineFirstTests {
    private typealias Article = OfflineApp.Article

    /// Returns recorded responses, and fails when there is none.
    private struct Recording: OfflineApp.Transport {
        let server: RecordedServer
        func send<Answer: Sendable>(_ request: JSONAPIRequest<Answer>) async throws -> Answer { try server.answer(request) }
    }

    private struct Log: Sendable {
        func error(_ text: String) { Issue.record("\(text)") }
    }

    private struct Failing: OfflineApp.Transport {
        let error: any Error
        func send<Answer: Sendable>(_ request: JSONAPIRequest<Answer>) async throws -> Answer { throw error }
    }

    private let url = TestFolder.url.appendingPathComponent("offline-\(UUID().uuidString).archive")

    @Test("A view model shows, refreshes, edits, and undoes")
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    func viewModel() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let log = Log()
        let store = ResourceStore()
        let file = try StoreFile(url, of: store)                      // the store now has what was saved
        file.autosave { log.error("\($0.localizedDescription)") }     // saves a second after each change, not on the main thread
        let online = Recording(server: RecordedServer([
            RecordedExchange(
                .get, "/articles?include=author", status: 200,
                received: [
                    "data": [
                        [
                            "type": "articles", "id": "1", "attributes": ["title": "Clocks"],
                            "relationships": ["author": ["data": ["type": "people", "id": "9"]]],
                        ]
                    ],
                    "included": [["type": "people", "id": "9", "attributes": ["name": "Marit"]]],
                ]),
            RecordedExchange(
                .patch, "/articles/1", sent: ["data": ["type": "articles", "id": "1", "attributes": ["title": "Stairs"]]], status: 200,
                received: [
                    "data": [
                        "type": "articles", "id": "1", "attributes": ["title": "Stairs"],
                        "relationships": ["author": ["data": ["type": "people", "id": "9"]]],
                    ]
                ]),
            RecordedExchange(
                .patch, "/articles/1", sent: ["data": ["type": "articles", "id": "1", "attributes": ["title": ""]]], status: 422,
                received: ["errors": [["title": "Too short"]]]),
        ]))
        let model = OfflineApp.ArticleList(store: store, transport: online)
        let following = Task { await model.follow() }
        await model.refresh()
        while model.articles.isEmpty { await Task.yield() }
        #expect(model.articles[0].author.value?.name == "Marit" && model.message == nil)

        await model.rename("1", to: "Stairs")
        while model.articles[0].title != "Stairs" { await Task.yield() }
        await model.rename("1", to: "")
        #expect(model.message?.contains("Too short") == true)
        #expect(try store.resource(Article.self, id: "1")?.title == "Stairs")

        let offline = OfflineApp.ArticleList(store: store, transport: Failing(error: URLError(.notConnectedToInternet)))
        await offline.refresh()
        #expect(offline.message == "Offline. Showing saved articles.")
        await offline.rename("1", to: "Bells")
        #expect(try store.resource(Article.self, id: "1")?.title == "Stairs")
        following.cancel()
        file.close()

        let again = ResourceStore()
        let reopened = try StoreFile(url, of: again)
        #expect(try again.resource(Article.self, id: "1")?.author.value?.name == "Marit")
        reopened.close()
    }

    @Test("A canceled request shows no message, and an article that cannot be read does")
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    func messages() async throws {
        let store = ResourceStore()
        for error in [URLError(.cancelled), CancellationError()] as [any Error] {
            let model = OfflineApp.ArticleList(store: store, transport: Failing(error: error))
            await model.refresh()
            #expect(model.message == nil)
        }
        try store.ingest(ResourceObject(type: "articles", id: "1"))
        let model = OfflineApp.ArticleList(store: store, transport: Failing(error: CancellationError()))
        let following = Task { await model.follow() }
        while model.message == nil { await Task.yield() }
        #expect(model.articles.isEmpty)
        following.cancel()
    }

    @Test("One resource, a limit, and signing out")
    func parts() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let store = ResourceStore()
        let file = try StoreFile(url, of: store)
        try store.ingest(Article(id: "1", title: "Stairs", author: ToOne(id: "9")))
        var title: String?
        for await article in store.value(Article.self, id: "1") {
            title = article?.title
            if title == "Stairs" { break }
        }
        #expect(title == "Stairs")

        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let configured = ResourceStore(decoder: decoder)      // its encoder writes the same names
        #expect(configured.isEmpty)

        let small = ResourceStore(limit: 10_000)
        #expect(small.isEmpty)

        try store.removeAll()
        try file.save()
        try file.compact()                                            // removes their bytes from the file
        #expect(try store.isEmpty && file.archive.count == 0)
    }
}
