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
