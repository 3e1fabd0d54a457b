import Foundation

/// Resolves relationships by hand, with a dictionary for each type.
struct FoundationResolution {
    private var people: [String: Person] = [:]
    private var tags: [String: Tag] = [:]
    private var comments: [String: Comment] = [:]

    init(_ included: [FoundationResource]) {
        for resource in included {
            switch resource {
            case .person(let id, let attributes):
                people[id] = Person(
                    id: id, firstName: attributes.firstName, lastName: attributes.lastName, email: attributes.email,
                    twitter: attributes.twitter)
            case .tag(let id, let attributes): tags[id] = Tag(id: id, name: attributes.name, color: attributes.color)
            case .comment: break
            }
        }
        for case .comment(let id, let attributes, let relationships) in included {
            comments[id] = Comment(
                id: id, body: attributes.body, createdAt: attributes.createdAt, likes: attributes.likes,
                author: relationships.author.data.flatMap { people[$0.id] })
        }
    }

    func article(_ article: FoundationArticle) -> Article {
        let attributes = article.attributes
        let relationships = article.relationships
        return Article(
            id: article.id, title: attributes.title, slug: attributes.slug, body: attributes.body, viewCount: attributes.viewCount,
            rating: attributes.rating, featured: attributes.featured, publishedAt: attributes.publishedAt, seo: attributes.seo,
            keywords: attributes.keywords, subtitle: attributes.subtitle, author: relationships.author.data.flatMap { people[$0.id] },
            comments: relationships.comments.data.compactMap { comments[$0.id] },
            tags: relationships.tags.data.compactMap { tags[$0.id] })
    }
}
