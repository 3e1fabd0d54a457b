// Creates, edits, and links resources: prints the bodies of four requests.

import Foundation
import JSONAPICodec

struct Person: Resource {
    static let type = "people"
    var id: String
    var name: String
}

struct Tag: Resource {
    static let type = "tags"
    var id: String
}

struct Article: Resource {
    static let type = "articles"
    var id: String
    var title: String
    var subtitle: String?
    var author: ToOne<Person>
    var tags: ToMany<Tag>
}

/// An article that has no id yet.
struct NewArticle: ResourceFields {
    static let type = "articles"
    var title: String
}

let encoder = JSONAPIEncoder()

func show(_ request: String, _ body: Data) {
    print(request)
    print("  " + String(decoding: body, as: UTF8.self))
}

let answer = Data(
    #"""
    {"data": {"type": "articles", "id": "1", "attributes": {"title": "Old", "subtitle": "Older"},
      "relationships": {"author": {"data": {"type": "people", "id": "9"}}, "tags": {"links": {"related": "/articles/1/tags"}}}}}
    """#.utf8)
let article = try JSONAPIDecoder().decode(Article.self, from: answer)

let patch = article.patch {
    $0.title = "New"
    $0.subtitle = nil
    $0.author = ToOne(id: "12")
}
show("PATCH /articles/1", try encoder.encode(patch))
print("nothing to send: \(article.patch { $0.title = "Old" }.isEmpty)")

show("POST /articles", try encoder.encode(Create(article)))
show("POST /articles/1/relationships/tags", try encoder.encode(Linkage(adding: [ResourceIdentifier(type: "tags", id: "clocks")])))

var operations = AtomicOperations()
let new = operations.add(NewArticle(title: "Stairs"), linking: ["author": ResourceIdentifier(type: "people", id: "9")])
operations.add([new], to: "articles", of: ResourceIdentifier(type: "tags", id: "clocks"))
show("POST /operations", try encoder.encode(operations))
