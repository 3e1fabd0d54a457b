import Foundation
import JSONAPICodec

/// The same models with direct initializers and writers.
struct DirectArticle: DirectResource, Equatable {
    static let type = "articles"
    var id: String
    var title: String
    var slug: String
    var body: String
    var viewCount: Int
    var rating: Double
    var featured: Bool
    var publishedAt: Date
    var seo: SEO
    var keywords: [String]
    var subtitle: String?
    var author: DirectPerson?
    var comments: [DirectComment]
    var tags: [DirectTag]

    init(resource: ResourceView) throws {
        id = try resource.id()
        title = try resource.attribute("title")
        slug = try resource.attribute("slug")
        body = try resource.attribute("body")
        viewCount = try resource.attribute("viewCount")
        rating = try resource.attribute("rating")
        featured = try resource.attribute("featured")
        publishedAt = try resource.attribute("publishedAt")
        seo = try resource.attribute("seo") {
            try SEO(description: $0.member("description"), priority: $0.member("priority"), noIndex: $0.member("noIndex"))
        }
        keywords = try resource.attribute("keywords")
        subtitle = try resource.attributeIfPresent("subtitle")
        author = try resource.relationshipIfPresent("author")
        comments = try resource.relationship("comments")
        tags = try resource.relationship("tags")
    }

    func write(to resource: ResourceWriter) throws {
        try resource.attribute("title", title)
        try resource.attribute("slug", slug)
        try resource.attribute("body", body)
        try resource.attribute("viewCount", viewCount)
        try resource.attribute("rating", rating)
        try resource.attribute("featured", featured)
        try resource.attribute("publishedAt", publishedAt)
        try resource.attribute("seo") {
            $0.member("description", seo.description)
            try $0.member("priority", seo.priority)
            $0.member("noIndex", seo.noIndex)
        }
        try resource.attribute("keywords", keywords)
        try resource.attribute("subtitle", subtitle)
        try resource.relationship("author", author)
        try resource.relationship("comments", comments)
        try resource.relationship("tags", tags)
    }
}

struct DirectPerson: DirectResource, Equatable {
    static let type = "people"
    var id: String
    var firstName: String
    var lastName: String
    var email: String
    var twitter: String?

    init(resource: ResourceView) throws {
        id = try resource.id()
        firstName = try resource.attribute("firstName")
        lastName = try resource.attribute("lastName")
        email = try resource.attribute("email")
        twitter = try resource.attributeIfPresent("twitter")
    }

    func write(to resource: ResourceWriter) throws {
        try resource.attribute("firstName", firstName)
        try resource.attribute("lastName", lastName)
        try resource.attribute("email", email)
        try resource.attribute("twitter", twitter)
    }
}

struct DirectTag: DirectResource, Equatable {
    static let type = "tags"
    var id: String
    var name: String
    var color: String

    init(resource: ResourceView) throws {
        id = try resource.id()
        name = try resource.attribute("name")
        color = try resource.attribute("color")
    }

    func write(to resource: ResourceWriter) throws {
        try resource.attribute("name", name)
        try resource.attribute("color", color)
    }
}

struct DirectComment: DirectResource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var createdAt: Date
    var likes: Int
    var author: DirectPerson?

    init(resource: ResourceView) throws {
        id = try resource.id()
        body = try resource.attribute("body")
        createdAt = try resource.attribute("createdAt")
        likes = try resource.attribute("likes")
        author = try resource.relationshipIfPresent("author")
    }

    func write(to resource: ResourceWriter) throws {
        try resource.attribute("body", body)
        try resource.attribute("createdAt", createdAt)
        try resource.attribute("likes", likes)
        try resource.relationship("author", author)
    }
}

// MARK: - Checksum

extension Article {
    init(_ direct: DirectArticle) {
        self.init(
            id: direct.id, title: direct.title, slug: direct.slug, body: direct.body, viewCount: direct.viewCount, rating: direct.rating,
            featured: direct.featured, publishedAt: direct.publishedAt, seo: direct.seo, keywords: direct.keywords,
            subtitle: direct.subtitle, author: direct.author.map(Person.init), comments: direct.comments.map(Comment.init),
            tags: direct.tags.map { Tag(id: $0.id, name: $0.name, color: $0.color) })
    }
}

extension Comment {
    init(_ direct: DirectComment) {
        self.init(
            id: direct.id, body: direct.body, createdAt: direct.createdAt, likes: direct.likes, author: direct.author.map(Person.init))
    }
}

extension Person {
    init(_ direct: DirectPerson) {
        self.init(
            id: direct.id, firstName: direct.firstName, lastName: direct.lastName, email: direct.email, twitter: direct.twitter)
    }
}
