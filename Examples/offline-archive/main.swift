// Keeps resources on disk: the first run of an app fills a store and saves it, the next run opens it without a network.

import Foundation
import JSONAPICodec
import JSONAPIStore

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

let answer = Data(
    #"""
    {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Mending a clock"},
               "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
     "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}}]}
    """#.utf8)

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offline-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let url = folder.appendingPathComponent("articles.archive")

func firstRun() throws {
    let store = ResourceStore()
    let file = try StoreFile(url, of: store)
    _ = try store.decode([Article].self, from: answer)
    try file.save()
    print("saved \(store.count) resources")
}

func nextRun() throws {
    let store = ResourceStore()
    let file = try StoreFile(url, of: store)
    for article in try store.resources(Article.self) {
        print("\(article.title), by \(article.author.value?.name ?? "unknown")")
    }
    try store.ingest(Person(id: "9", name: "Marit Osei"))
    try file.save()
    print("now by \(try file.archive.resource(Person.self, id: "9")?.name ?? "unknown"); damage: \(try file.archive.verify().count)")
}

try firstRun()
try nextRun()
