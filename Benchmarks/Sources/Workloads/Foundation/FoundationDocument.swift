import Foundation

/// Hand-written `Codable` structs in the shape of the document, as a careful user without a JSON:API library would write them.
struct FoundationDocument<Primary: Codable>: Codable {
    var data: Primary
    var included: [FoundationResource]?
}

struct FoundationArticle: Codable {
    var type: String
    var id: String
    var attributes: Attributes
    var relationships: Relationships
    var links: [String: String]?

    struct Attributes: Codable {
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
    }

    struct Relationships: Codable {
        var author: FoundationToOne
        var comments: FoundationToMany
        var tags: FoundationToMany
    }
}

struct FoundationIdentifier: Codable {
    var type: String
    var id: String
}

struct FoundationToOne: Codable { var data: FoundationIdentifier? }

struct FoundationToMany: Codable {
    var data: [FoundationIdentifier]
    var links: [String: String]?
}

/// An included resource: one of three types.
enum FoundationResource: Codable {
    case person(id: String, PersonAttributes)
    case tag(id: String, TagAttributes)
    case comment(id: String, CommentAttributes, CommentRelationships)

    struct PersonAttributes: Codable {
        var firstName: String
        var lastName: String
        var email: String
        var twitter: String?
    }

    struct TagAttributes: Codable {
        var name: String
        var color: String
    }

    struct CommentAttributes: Codable {
        var body: String
        var createdAt: Date
        var likes: Int
    }

    struct CommentRelationships: Codable { var author: FoundationToOne }

    private enum CodingKeys: CodingKey { case type, id, attributes, relationships }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(String.self, forKey: .id)
        switch try container.decode(String.self, forKey: .type) {
        case "people": self = .person(id: id, try container.decode(PersonAttributes.self, forKey: .attributes))
        case "tags": self = .tag(id: id, try container.decode(TagAttributes.self, forKey: .attributes))
        default:
            self = .comment(
                id: id, try container.decode(CommentAttributes.self, forKey: .attributes),
                try container.decode(CommentRelationships.self, forKey: .relationships))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .person(let id, let attributes):
            try container.encode("people", forKey: .type)
            try container.encode(id, forKey: .id)
            try container.encode(attributes, forKey: .attributes)
        case .tag(let id, let attributes):
            try container.encode("tags", forKey: .type)
            try container.encode(id, forKey: .id)
            try container.encode(attributes, forKey: .attributes)
        case .comment(let id, let attributes, let relationships):
            try container.encode("comments", forKey: .type)
            try container.encode(id, forKey: .id)
            try container.encode(attributes, forKey: .attributes)
            try container.encode(relationships, forKey: .relationships)
        }
    }
}
