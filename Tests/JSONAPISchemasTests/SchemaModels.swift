import Foundation
import JSONAPICodec
import JSONAPISchemas
import JSONMapping
import JSONText

// Models of many shapes, for the tests of schemas.

enum SchemaModels {
    /// Has a title, unless it is of the last kind.
    struct Block: Resource {
        enum Kind: String, Codable, CaseIterable { case a, b, c, d, e, f, g, h, i, j, k, l, m, n }

        struct Number: RawRepresentable, Codable, CaseIterable {
            static var allCases: [Number] { (0..<1200).map { Number(text: "\($0)") } }
            var rawValue: String
            init(text: String) { rawValue = text }
            init?(rawValue: String) {
                guard let number = Int(rawValue), 0..<1200 ~= number else { return nil }
                self.rawValue = rawValue
            }
        }

        static let type = "blocks"
        var id: String
        var kind: Kind
        var number: Number
        var title: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(String.self, forKey: .id)
            kind = try container.decode(Kind.self, forKey: .attributes("kind"))
            number = try container.decode(Number.self, forKey: .attributes("number"))
            title = kind == .n ? nil : try container.decode(String.self, forKey: .attributes("title"))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(id, forKey: .id)
            try container.encode(kind, forKey: .attributes("kind"))
            try container.encode(number, forKey: .attributes("number"))
            try container.encodeIfPresent(title, forKey: .attributes("title"))
        }
    }

    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var subtitle: String?
        var views: Int
        var rating: Double
        var isDraft: Bool
        var publishedAt: Date
        var homepage: URL?
        var code: UUID
        var price: Decimal
        var thumbnail: Data
        var state: State
        var mood: Mood?
        var tags: [String]
        var counts: [String: Int]
        var address: Address
        var places: [Address]
        var extra: JSON
        var options: JSONObject?
        var small: UInt8
        var author: ToOne<Person>
        var editor: Person?
        var comments: [Comment]
        var reviewers: ToMany<Contributor>
        var related: RelationshipObject?
        var links: ResourceLinks
        var revision: ResourceMeta<Revision>?
    }

    enum State: String, Codable, CaseIterable { case draft, published, archived }
    /// Has no list of its cases.
    enum Mood: String, Codable { case happy, sad }

    struct Address: Codable, Equatable {
        var street: String
        var zip: String?
    }

    struct Revision: Codable, Equatable {
        var number: Int
        var by: String?
    }

    struct Person: Resource {
        static let type = "people"
        var id: Int
        var firstName: String
        var favorites: ToMany<Article>
    }

    struct Comment: Resource {
        static let type = "comments"
        var id: UUID
        var body: String
        var author: Person
    }

    struct Team: Resource {
        static let type = "teams"
        var id: String
        var name: String
    }

    enum Contributor: ResourceUnion {
        case person(Person), team(Team), unknown(ResourceObject)
        static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.team)]
        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .team(let team): team
            case .unknown(let object): object
            }
        }
    }

    /// Reads values that do not fit.
    struct Tolerant: Resource {
        static let type = "tolerant"
        var id: String
        @Lossy var height: Int?
        @LossyArray var suits: [State]
        @Default<Defaults.False> var isRead: Bool
        @Lossy var address: Address?
        var note: Field<String>
        var place: RemainingMembers
        var city: String?
        enum CodingKeys: String, CodingKey { case id, height, suits, isRead, address, note, place, city = "attributes.place.city" }
    }

    /// Reads itself by hand: one of two forms of a value, a default, and members that depend on another.
    struct Handwritten: Resource {
        static let type = "handwritten"
        var id: String
        var size: String
        var count: Int
        var isLong: Bool
        var body: String?
        var summary: String?
        var manager: ToOne<Person>

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            if let number = try? map.decode(Int.self, forKey: .attributes("size")) {
                size = "\(number)"
            } else {
                size = try map.decode(String.self, forKey: .attributes("size"))
            }
            count = try map.decodeIfPresent(Int.self, forKey: .attributes("count")) ?? 0
            isLong = try map.decode(Bool.self, forKey: .attributes("isLong"))
            if isLong {
                body = try map.decode(String.self, forKey: .attributes("text", "body"))
            } else {
                summary = try map.decode(String.self, forKey: .attributes("summary"))
            }
            manager = try map.decode(ToOne<Person>.self, forKey: .relationships("manager"))
        }
    }

    /// Contains itself in an attribute.
    struct Section: Codable {
        var heading: String
        var sections: [Section]
    }

    struct Book: Resource {
        static let type = "books"
        var id: String?
        var contents: Section
        var parent: Section?
    }

    class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        var id: String
        var legs: Int
    }

    final class Dog: Animal, @unchecked Sendable {
        override static var type: String { "dogs" }
        var name: String
        enum CodingKeys: CodingKey { case name }
        required init(from decoder: any Decoder) throws {
            name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
        }
    }

    struct Restricted: Resource, RestrictedFields {
        static let type = "restricted"
        static let readOnlyFields = ["created-at"]
        static let createOnlyFields = ["slug"]
        var id: String
        var slug: String
        var createdAt: Date
        var bestFriend: ToOne<Person>
    }

    /// Keeps the attributes that have no property.
    struct Spot: Resource, RestrictedFields {
        static let type = "spots"
        static let readOnlyFields = ["views"]
        var id: String
        var name: String
        var views: Int?
        var rest: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, name, views, rest = "attributes" }
    }

    /// Requires no attribute.
    struct Sketch: Resource, RestrictedFields {
        static let type = "sketches"
        static let readOnlyFields = ["views"]
        static let createOnlyFields = ["slug"]
        var id: String
        var title: String?
        var slug: String?
        var views: Int?
    }

    /// No value is known for the property.
    struct Moody: Resource {
        static let type = "moody"
        var id: String
        var mood: Mood
    }

    struct MoodyFriend: Resource {
        static let type = "friends"
        var id: String
        var friend: ToOne<Moody>
    }

    /// Accepts only certain texts.
    struct Email: Codable {
        var text: String
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.contains("@") else {
                throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no e-mail address"))
            }
        }
    }

    struct Account: Resource {
        static let type = "accounts"
        var id: String
        var email: Email
        var limits: [Int: String]
        var flags: Set<String>
    }
}

// MARK: - Rare shapes

extension SchemaModels {
    /// Attributes of rare types.
    struct Rare: Resource {
        static let type = "rare"
        var id: Int
        var point: Point
        var range: ClosedRange<Int>
        var byState: [State: Int]
        var byNumber: [Int: String]
        var shape: Shape?
        var flags: Flags
        var color: Color
        var page: Page<Address>
        var pages: [Page<Int>]?
        var small: Int8
        var large: UInt64
        var single: Float
        var locale: Locale
        var components: DateComponents?
        var nested: [[String: [Address?]]]
        var maybe: Int??
        var identifiers: [UUID]
    }

    /// Two numbers in an array.
    struct Point: Codable {
        var x: Double
        var y: Double
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            x = try container.decode(Double.self)
            y = try container.decode(Double.self)
        }
    }

    enum Shape: Codable { case circle(radius: Double), square(side: Int, color: Color) }

    struct Drawing: Resource {
        static let type = "drawings"
        var id: String
        var shape: Shape
    }

    struct Flags: OptionSet, Codable { let rawValue: Int }

    struct Color: RawRepresentable, Codable { let rawValue: String }

    struct Page<Item: Codable & Sendable>: Codable {
        var items: [Item]
        var next: URL?
    }

    /// Reads the attributes object, and whatever is in it.
    struct Dynamic: Resource {
        static let type = "dynamic"
        var id: String
        var name: String
        var others: [String: Int]

        private enum Parts: CodingKey { case id, attributes }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Parts.self)
            id = try container.decode(String.self, forKey: .id)
            let attributes = try container.nestedContainer(keyedBy: Key.self, forKey: .attributes)
            name = try attributes.decode(String.self, forKey: Key("name"))
            others = [:]
            for key in attributes.allKeys where key.stringValue.hasPrefix("n-") {
                others[key.stringValue] = try attributes.decode(Int.self, forKey: key)
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    /// Has a direct initializer.
    struct Direct: DirectResource {
        static let type = "direct"
        var id: String
        var title: String
        var size: Int?
        var author: ToOne<Person>

        init(resource: ResourceView) throws {
            id = try resource.id()
            title = try resource.attribute("title")
            size = try resource.attributeIfPresent("size")
            author = try resource.relationship("author")
        }
    }

    /// Is described by a schema of JSONMapping.
    struct Profile: SchemaResource {
        static let type = "profiles"
        static let schema = MappingSchema<Profile>(creating: Profile()) {
            MappingField(\.id, "id", .required, .string)
            MappingField(\.name, "name", from: "user_name", .required, .string)
        }
        var id = ""
        var name = ""
    }

    /// Uses fields that may be absent, and parts of the resource.
    struct Parts: Resource {
        static let type = "parts"
        var id: String
        var kind: String
        var note: Field<Int>
        var friend: Field<ToOne<Person>>
        var localID: LocalID?
        var rest: ResourceMeta<JSONObject>
        var person: ResourceIdentifier
        var people: [ResourceIdentifier]?
        var friendLinks: Links?
        var town: String

        enum CodingKeys: String, CodingKey {
            case id, note, friend, localID, rest, person, people
            case kind = "attributes.type"
            case friendLinks = "relationships.friend.links"
            case town = "address.town"
        }
    }
}

extension SchemaModels.Handwritten {
    func encode(to encoder: any Encoder) throws {}
}
