import Foundation
import JSONAPICodec
import JSONText

/// Models that together use every feature of models.
package enum FuzzModels {
    package struct Person: Resource, Hashable {
        package static let type = "people"
        package var id: String
        package var name: String?
        package var firstName: String?
        package var articles: ToMany<Article>

        package init(id: String, name: String?, articles: ToMany<Article>) {
            self.id = id
            self.name = name
            self.articles = articles
        }
    }

    package struct Article: Resource, Hashable {
        package static let type = "articles"
        package var id: String
        package var title: String?
        package var body: String?
        package var author: ToOne<Person>
        package var comments: ToMany<Comment>
    }

    package struct Comment: Resource, Hashable {
        package static let type = "comments"
        package var id: String
        package var body: String?
        package var author: ToOne<Contributor>
        package var links: ResourceLinks?
        package var lid: LocalID?
    }

    /// Embeds its related resources.
    package struct Story: Resource, Hashable {
        package static let type = "articles"
        package var id: String
        package var title: String?
        package var author: Writer?
        package var comments: [Remark]
    }

    package struct Writer: Resource, Hashable {
        package static let type = "people"
        package var id: String
        package var name: String?
        package var articles: [Story]
    }

    package struct Remark: Resource, Hashable {
        package static let type = "comments"
        package var id: String
        package var body: String?
        package var author: Writer?
    }

    /// Attributes of every kind.
    package struct Wide: Resource {
        package static let type = "articles"
        package var id: Int
        package var title: JSON?
        package var created: Date?
        package var updated: Date?
        package var count: Int?
        package var rating: Double?
        package var tags: [String]?
        package var url: URL?
        package var nested: [String: [JSON]]?
        package var meta: ResourceMeta<JSON>?
        package var kind: String?

        enum CodingKeys: String, CodingKey {
            case id, title, created, updated, count, rating, tags, url, nested, meta
            case kind = "attributes.type"
        }
    }

    package struct Direct: DirectResource, Hashable {
        package static let type = "people"
        package var id: String
        package var name: String?
        package var articles: ToMany<Article>

        package init(resource: ResourceView) throws {
            id = try resource.id()
            name = try resource.attributeIfPresent("name")
            articles = try resource.relationship("articles")
        }
    }

    package enum Contributor: ResourceUnion, Hashable {
        case person(Person), article(Article)
        case unknown(ResourceObject)
        package static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.article)]
        package var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .article(let article): article
            case .unknown(let object): object
            }
        }
    }

    package static func decoder(_ random: inout FuzzRandom) -> JSONAPIDecoder {
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
