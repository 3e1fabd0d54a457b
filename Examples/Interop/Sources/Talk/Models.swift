import Foundation
import JSONAPICodec

// What the client knows about both servers. The servers assign ids.

struct Person: Resource {
    static let type = "people"
    var id: String?
    var name: String
    var articles: ToMany<Article> = .notLoaded
}

struct Tag: Resource {
    static let type = "tags"
    var id: String?
    var label: String
}

struct Article: Resource {
    static let type = "articles"
    var id: String?
    var title: String
    var subtitle: String?
    var wordCount: Int?
    var publishedAt: Date?
    var author: ToOne<Person> = .notLoaded
    var tags: ToMany<Tag> = .notLoaded
}

/// The values that both servers require for a new article.
struct NewArticle: ResourceFields {
    static let type = "articles"
    var title: String
    var subtitle: String?
}
