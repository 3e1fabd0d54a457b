// A view model that follows a store. It shows an edit immediately, and undoes the edit if the server refuses it.

import Foundation
import JSONAPICodec
import JSONAPIStore
import Observation

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

@available(macOS 14, *)
@MainActor @Observable
final class ArticleList {
    /// The lines of the view.
    private(set) var lines: [String] = []
    private let store: ResourceStore

    init(store: ResourceStore) { self.store = store }

    /// Follows the store until the task is canceled: `.task { await model.follow() }` in a view.
    func follow() async {
        for await articles in store.values([Article].self, sort: { $0.title < $1.title }) {
            lines = articles.map { "\($0.title), by \($0.author.value?.name ?? "unknown")" }
        }
    }

    /// Changes a title. Shows the new title before the server responds, and the old title again if the server refuses.
    func rename(_ id: String, _ title: String, send: (Patch<Article>) async throws -> Void) async throws {
        let patch = Patch<Article>(id: id).set("title", title)
        let undo = try store.apply(patch)
        do {
            try await send(patch)
        } catch {
            try store.apply(undo)
            throw error
        }
    }
}

struct Refused: Error {}

@available(macOS 14, *)
@MainActor
func run() async throws {
    let store = ResourceStore()
    let model = ArticleList(store: store)
    let following = Task { await model.follow() }

    /// Waits until the model has changed, and prints it.
    func show(_ step: String, since before: [String]) async {
        while model.lines == before { await Task.yield() }
        print("\(step): \(model.lines.isEmpty ? "nothing" : model.lines.joined(separator: "; "))")
    }

    var before = model.lines
    let answer = Data(
        #"""
        {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Mending a clock"},
                   "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
                  {"type": "articles", "id": "2", "attributes": {"title": "Stairs"},
                   "relationships": {"author": {"data": {"type": "people", "id": "2"}}}}],
         "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}}]}
        """#.utf8)
    _ = try store.decode([Article].self, from: answer)
    await show("the first response", since: before)

    before = model.lines
    try store.ingest(Person(id: "2", name: "Jun"))
    await show("a related resource arrives", since: before)

    before = model.lines
    try await model.rename("2", "All about stairs") { _ in }
    await show("an edit", since: before)

    before = model.lines
    do {
        try await model.rename("2", "Zigzag") { _ in
            await show("an edit that waits for the server", since: before)
            before = model.lines
            throw Refused()
        }
    } catch is Refused {
        await show("refused", since: before)
    }

    before = model.lines
    try store.removeAll()
    await show("signed out", since: before)
    following.cancel()
}

if #available(macOS 14, *) { try await run() }
