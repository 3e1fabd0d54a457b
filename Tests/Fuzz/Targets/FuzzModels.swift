import Foundation
import JSONAPICodec
import JSONText

/// Models that together use every feature of models.
enum FuzzModels {
    struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String?
        var firstName: String?
        var articles: ToMany<Article>
    }

    struct Article: Resource, Hashable {
        static let type = "articles"
        var id: String
        var title: String?
        var body: String?
        var author: ToOne<Person>
        var comments: ToMany<Comment>
    }

    struct Comment: Resource, Hashable {
        static let type = "comments"
        var id: String
        var body: String?
        var author: ToOne<Contributor>
        var links: ResourceLinks?
        var lid: LocalID?
    }

    /// Embeds its related resources.
    struct Story: Resource, Hashable {
        static let type = "articles"
        var id: String
        var title: String?
        var author: Writer?
        var comments: [Remark]
    }

    struct Writer: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String?
        var articles: [Story]
    }

    struct Remark: Resource, Hashable {
        static let type = "comments"
        var id: String
        var body: String?
        var author: Writer?
    }

    /// Attributes of every kind.
    struct Wide: Resource {
        static let type = "articles"
        var id: Int
        var title: JSON?
        var created: Date?
        var updated: Date?
        var count: Int?
        var rating: Double?
        var tags: [String]?
        var url: URL?
        var nested: [String: [JSON]]?
        var meta: ResourceMeta<JSON>?
        var kind: String?

        enum CodingKeys: String, CodingKey {
            case id, title, created, updated, count, rating, tags, url, nested, meta
            case kind = "attributes.type"
        }
    }

    struct Direct: DirectResource, Hashable {
        static let type = "people"
        var id: String
        var name: String?
        var articles: ToMany<Article>

        init(resource: ResourceView) throws {
            id = try resource.id()
            name = try resource.attributeIfPresent("name")
            articles = try resource.relationship("articles")
        }
    }

    enum Contributor: ResourceUnion, Hashable {
        case person(Person), article(Article)
        case unknown(ResourceObject)
        static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.article)]
        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .article(let article): article
            case .unknown(let object): object
            }
        }
    }

    static func decoder(_ random: inout FuzzRandom) -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder(mode: random.pick([.strict, .standard, .lenient]))
        if random.chance(1, in: 4) { decoder.source = .request }
        if random.chance(1, in: 4) { decoder.invalidElements = .drop }
        if random.chance(1, in: 4) { decoder.missingResources = random.pick([.keep, .omit, .throw]) }
        if random.chance(1, in: 4) { decoder.unknownTypes = random.pick([.keep, .throw]) }
        if random.chance(1, in: 8) { decoder.leniencies = Leniencies(rawValue: Int(random.next() & 0xFFFF)) }
        if random.chance(1, in: 8) { decoder.keyStrategy = .snakeCase }
        return decoder
    }
}
