import Foundation
import JSONAPICodec

/// The models as most programs would declare them: synthesized `Codable`, with embedded related resources.
struct Article: Resource, Equatable {
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
    var author: Person?
    var comments: [Comment]
    var tags: [Tag]
}

struct SEO: Codable, Sendable, Equatable {
    var description: String
    var priority: Double
    var noIndex: Bool
}

struct Person: Resource, Equatable {
    static let type = "people"
    var id: String
    var firstName: String
    var lastName: String
    var email: String
    var twitter: String?
}

struct Tag: Resource, Equatable {
    static let type = "tags"
    var id: String
    var name: String
    var color: String
}

struct Comment: Resource, Equatable {
    static let type = "comments"
    var id: String
    var body: String
    var createdAt: Date
    var likes: Int
    var author: Person?
}
