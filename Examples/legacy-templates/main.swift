// Decodes a document from before JSON:API 1.0, with URL templates, and flattens it.

import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText

struct Person: Resource {
    static let type = "people"
    var id: String
    var name: String
}

struct Post: Resource {
    static let type = "posts"
    var id: String
    var title: String
    var author: ToOne<Person>
}

let data = Data(
    #"""
    {"links": {"posts.author": {"href": "/people/{posts.author}", "type": "people"}},
     "posts": [{"id": "1", "title": "Clocks", "links": {"author": "9"}}, {"id": "2", "title": "Stairs", "links": {"author": "9"}}],
     "people": [{"id": "9", "name": "Marit"}]}
    """#.utf8)

let document = try LegacyDocument(parsing: data)
for post in try document.decode([Post].self) {
    print("\(post.title), by \(post.author.value?.name ?? "unknown"), at \(post.author.links?.related?.href ?? "unknown")")
}

print("as a JSON:API 1.1 document:")
print(document.document)

print("as a tree:")
print(try Expander().expand(legacy: JSON(parsing: data)))
