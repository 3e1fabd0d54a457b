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
