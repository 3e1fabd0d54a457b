import Foundation
import JSONAPICodec

/// The same models with references instead of embedded resources.
struct ReferringArticle: Resource {
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
    var author: ToOne<Person>
    var comments: ToMany<ReferringComment>
    var tags: ToMany<Tag>
}

struct ReferringComment: Resource {
    static let type = "comments"
    var id: String
    var body: String
    var createdAt: Date
    var likes: Int
    var author: ToOne<Person>
}

// MARK: - Checksum

extension Article {
    /// All resources behind the references.
    init(_ referring: ReferringArticle) {
        self.init(
            id: referring.id, title: referring.title, slug: referring.slug, body: referring.body, viewCount: referring.viewCount,
            rating: referring.rating, featured: referring.featured, publishedAt: referring.publishedAt, seo: referring.seo,
            keywords: referring.keywords, subtitle: referring.subtitle, author: referring.author.value,
            comments: referring.comments.values.map {
                Comment(id: $0.id, body: $0.body, createdAt: $0.createdAt, likes: $0.likes, author: $0.author.value)
            }, tags: referring.tags.values)
    }
}
