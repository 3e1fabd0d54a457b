import Foundation
import JSONMapping
import JSONText
import Testing

/// The form of values and names in archives of Foundation's coders.
@Suite struct ArchiveFormTests {
    private struct Tag: Decodable, Equatable {
        var name: String
        init(_ name: String) { self.name = name }
    }

    private struct Money: Encodable, Equatable { var cents: Int }

    private struct Post: Codable, Equatable {
        var tag = Tag("")
        var tags: [Tag] = []
        var price = Money(cents: 0)
        var prices: [String: Money?] = [:]

        static let schema: MappingSchema<Post> = {
            let tag: Conversion<JSON, Tag> = .text("a tag", parse: { Tag($0) }, format: { $0.name })
            let money = Conversion<JSON, Int>.int.then(decode: { Money(cents: $0) }, encode: { $0.cents })
            return MappingSchema(creating: Post()) {
                MappingField(\.tag, "tag", tag)
                MappingField(\.tags, "tags", .list(tag))
                MappingField(\.price, "price", money)
                MappingField(\.prices, "prices", .dictionary(.nullable(money)))
            }
        }()

        init() {}
        init(from decoder: any Decoder) throws { self = try Self.schema.unarchive(from: decoder) }
        func encode(to encoder: any Encoder) throws { try Self.schema.archive(self, to: encoder) }
    }

    @Test func aTypeThatOnlyEncodesOrOnlyDecodesIsArchivedAsJSON() throws {
        var post = Post()
        post.tag = Tag("swift")
        post.tags = [Tag("a"), Tag("b")]
        post.price = Money(cents: 5)
        post.prices = ["x": Money(cents: 7), "y": nil]
        let data = try JSONEncoder().encode(post)
        #expect(try JSON(parsing: data)["tags"] == ["a", "b"])
        #expect(try JSONDecoder().decode(Post.self, from: data) == post)
    }

    private struct Part: Mapped, Equatable {
        var partID = 0
        static let schema = MappingSchema(creating: Part()) { MappingField(\.partID, "partID") }
    }

    private struct User: Codable, Equatable {
        var userID = 0
        var counts: [String: Int] = [:]
        var partsByName: [String: [String: Part]] = [:]
        var extra = JSONObject()

        static let schema = MappingSchema(creating: User()) {
            MappingField(\.userID, "userID")
            MappingField(\.counts, "counts")
            MappingField(\.partsByName, "partsByName", .dictionary(.dictionary(.object(Part.schema))))
        }.unknownMembers(.keep(in: \.extra))

        init() {}
        init(from decoder: any Decoder) throws { self = try Self.schema.unarchive(from: decoder) }
        func encode(to encoder: any Encoder) throws { try Self.schema.archive(self, to: encoder) }
    }

    private static var user: User {
        var user = User()
        user.userID = 7
        user.counts = ["geo_point": 1, "camelCase": 2, "URL_x": 3]
        user.partsByName = ["a_b": ["c_d": Part(partID: 4), "cD": Part(partID: 5)], "aB": [:]]
        user.extra = ["q_q": 1, "qQ": ["r_r": 2]]
        return user
    }

    @Test(arguments: [false, true], [false, true])
    func keyStrategiesRenameNoNamesOfDictionaries(encodes: Bool, decodes: Bool) throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        if encodes { encoder.keyEncodingStrategy = .convertToSnakeCase }
        if decodes { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        let read = try decoder.decode(User.self, from: encoder.encode(Self.user))
        #expect(read.counts == Self.user.counts && read.extra == Self.user.extra)
        // Without the decoder's strategy, the name of a property is another one.
        guard decodes || !encodes else { return }
        #expect(read == Self.user)
    }

    @Test func namesOfPropertiesSurviveBothKeyStrategies() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let data = try encoder.encode(Self.user)
        #expect(try JSON(parsing: data)["user_id"] == 7)
        #expect(try decoder.decode(User.self, from: data).userID == 7)
    }

    @Test func aRenamedMemberIsNotThatOfAnotherField() throws {
        struct Pair: Codable {
            var userID = 1
            var userId = 2
            static let schema = MappingSchema(creating: Pair()) {
                MappingField(\.userID, "userID")
                MappingField(\.userId, "userId")
            }
            init() {}
            init(from decoder: any Decoder) throws { self = try Self.schema.unarchive(from: decoder) }
            func encode(to encoder: any Encoder) throws { try Self.schema.archive(self, to: encoder) }
        }
        let pair = try JSONDecoder().decode(Pair.self, from: Data(#"{"userId":5}"#.utf8))
        #expect(pair.userID == 1 && pair.userId == 5)
    }

    @Test func earlierArchivesAreStillRead() throws {
        let text = #"{"userID":7,"counts":{"geo_point":1},"partsByName":{"a":{"b":{"partID":4}}},"@unknown":{"x":1}}"#
        let user = try JSONDecoder().decode(User.self, from: Data(text.utf8))
        #expect(user.userID == 7 && user.counts == ["geo_point": 1] && user.extra == ["x": 1])
        #expect(user.partsByName == ["a": ["b": Part(partID: 4)]])
        // A property that was added later has its value from the initializer.
        #expect(try JSONDecoder().decode(User.self, from: Data(#"{"counts":{}}"#.utf8)).userID == 0)
    }

    @Test func graphsWithDictionariesAreReadUnderKeyStrategies() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let (a, b) = (Knot(), Knot())
        a.others = ["to_b": b, "toB": b]
        b.others = ["to_a": a]
        let read = try #require(decoder.decode(MappedGraph<Knot>.self, from: encoder.encode(MappedGraph(a))).root)
        let other = try #require(read.others["to_b"])
        #expect(other === read.others["toB"] && other !== read && other.others["to_a"] === read)
        read.others = [:]
    }

    private final class Knot: Mapped {
        var others: [String: Knot] = [:]
        static let schema: MappingSchema<Knot> = MappingSchema(creating: Knot()) {
            MappingField(\.others, "others", .dictionary(.object(Knot.schema)))
        }
    }
}
