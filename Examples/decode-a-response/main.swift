// Decodes a compound document and prints its resources.

import Foundation
import JSONAPICodec

struct Person: Resource {
    static let type = "people"
    var id: String
    var name: String
}

struct Comment: Resource {
    static let type = "comments"
    var id: String
    var body: String
    var author: ToOne<Person>
}

struct Article: Resource {
    static let type = "articles"
    var id: String
    var title: String
    var publishedAt: Date?
    var author: Person
    var comments: ToMany<Comment>
}

struct Page: Decodable {
    var total: Int
}

let data = Data(
    #"""
    {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Mending a clock", "publishedAt": "2031-05-09T07:30:00Z"},
       "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                         "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "6"}]}}}],
     "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}},
                  {"type": "comments", "id": "5", "attributes": {"body": "Mine stopped at noon."},
                   "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
     "links": {"next": "/articles?page[number]=2"}, "meta": {"total": 11}}
    """#.utf8)

let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
for article in document.data {
    print("\(article.title), by \(article.author.name)")
    for comment in article.comments.values {
        print("  \(comment.author.value?.name ?? "somebody"): \(comment.body)")
    }
    print("  \(article.comments.count) comments, \(article.comments.values.count) of them here")
}
print("\(try document.meta(Page.self)?.total ?? 0) articles in all; next: \(document.links.next?.href ?? "none")")
