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

let response = Data(
    #"""
    {
      "data": [
        {"type": "articles", "id": "1", "attributes": {"title": "Mending a clock"},
         "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
        {"type": "articles", "id": "2", "attributes": {"title": "Stairs"},
         "relationships": {"author": {"data": {"type": "people", "id": "12"}}}}
      ],
      "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}}]
    }
    """#.utf8)

let articles = try JSONAPIDecoder().decode([Article].self, from: response)
for article in articles {
    print("\(article.title), by \(article.author.value?.name ?? "person \(article.author.id ?? "?")")")
}

let patch = articles[0].patch { $0.title = "Mending an old clock" }
if !patch.isEmpty {
    let body = try JSONAPIEncoder().encode(patch)
    print("PATCH /articles/1", String(decoding: body, as: UTF8.self))
}

let url = FileManager.default.temporaryDirectory.appendingPathComponent("reading-list.archive")
var writer = Archive.Writer()
try writer.encode(articles, forKey: "articles")
try writer.write(to: url)

let archive = try Archive(contentsOf: url)
let saved = try archive.decode([Article].self, forKey: "articles")
let author = try archive.resource(Person.self, id: "9")
print("\(saved.count) articles saved, the first by \(author?.name ?? "?")")
