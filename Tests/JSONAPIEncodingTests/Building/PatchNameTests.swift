import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import Testing

/// A patch has the names of the resource that its values were read from, or is an error.
@Suite struct PatchNameTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var subTitle: String
        var wordCount: Int?
        var mainAuthor: ToOne<Person> = .notLoaded
    }

    private let base = ResourceObject(
        type: "posts", id: "1", attributes: ["sub_title": "x", "word_count": nil],
        relationships: ["main_author": RelationshipObject(data: .one(ResourceIdentifier(type: "people", id: "9")))])

    private var snakeCase: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        return decoder
    }

    private func read<Model: Resource>(_: Model.Type, _ decoder: JSONAPIDecoder, _ object: ResourceObject) throws -> Model {
        try decoder.decode(Model.self, from: JSONAPIEncoder().encode(object))
    }

    /// The patch for an edit of what a decoder reads of a resource object.
    private func patch<Model: Resource>(
        _ object: ResourceObject, _ decoder: JSONAPIDecoder = JSONAPIDecoder(), _ edit: (inout Model) -> Void
    ) throws -> Patch<Model> {
        let old = try read(Model.self, decoder, object)
        var new = old
        edit(&new)
        return Patch(from: old, to: new, base: object)
    }

    private func names(_ patch: Patch<some Resource>, _ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> [String] {
        let object = try patch.object(encoder)
        return Array(object.attributes?.names ?? JSONObject().names) + (object.relationships?.map(\.name) ?? [])
    }

    @Test("A patch that an encoder with other key strategies than the decoder writes is an error that names both spellings")
    func otherKeyStrategy() throws {
        let edited = try patch(base, snakeCase) { (post: inout Post) in post.subTitle = "y" }
        let failure = encodingFailure { _ = try JSONAPIEncoder().encode(edited) }
        #expect(failure?.kind == .unknownName && failure.map { "\($0.pointer)" } == "/data/attributes/subTitle")
        #expect(failure?.expected.contains("`sub_title`") == true && failure?.found == "`subTitle`")
        #expect(failure?.advice?.contains("JSONAPIEncoder(matching: decoder)") == true)
        #expect(try names(edited, JSONAPIEncoder(matching: snakeCase)) == ["sub_title"])

        let counted = try patch(base, snakeCase) { (post: inout Post) in post.wordCount = 5 }
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(counted) }?.kind == .unknownName)
        #expect(try names(counted, JSONAPIEncoder(matching: snakeCase)) == ["word_count"])
        let linked = try patch(base, snakeCase) { (post: inout Post) in post.mainAuthor = ToOne(id: "8") }
        let linkFailure = encodingFailure { _ = try JSONAPIEncoder().encode(linked) }
        #expect(linkFailure.map { "\($0.pointer)" } == "/data/relationships/mainAuthor")
        #expect(try names(linked, JSONAPIEncoder(matching: snakeCase)) == ["main_author"])
    }

    @Test("An attribute that the base lacks can be set")
    func newAttribute() throws {
        let small = ResourceObject(type: "posts", id: "1", attributes: ["subTitle": "x", "words": 3])
        #expect(try names(patch(small) { (post: inout Post) in post.wordCount = 5 }) == ["wordCount"])
    }

    @Test("A rewriter of the encoder can give a change the spelling of the base")
    func rewriters() throws {
        struct Page: Resource {
            static let type = "posts"
            var id: String
            var subTitle: String
        }
        var encoder = JSONAPIEncoder()
        encoder.rewriters["posts"] = Rewriter(unreferenced: .keep) { Rule("sub_title", from: "subTitle").optional }
        let patch = Patch(from: Page(id: "1", subTitle: "x"), to: Page(id: "1", subTitle: "y"), base: base)
        #expect(try encoder.tree(patch)["data"]?["attributes"]?["sub_title"] == "y")
    }

    private enum Titles: AlternativeSource {
        typealias Value = String
        static let names = ["sub_title"]
    }

    private enum Authors: AlternativeSource {
        typealias Value = ToOne<Person>
        static let names = ["main_author"]
    }

    @Test("A property that is read from another spelling of its name is written to its own name")
    func alternatives() throws {
        struct Page: Resource {
            static let type = "posts"
            var id: String
            @Alternatives<Titles> var subTitle: String
            var sub_title = Alias()
            @Alternatives<Authors> var mainAuthor: ToOne<Person>
            var main_author = Alias()
        }
        #expect(try names(patch(base) { (page: inout Page) in page.subTitle = "y" }) == ["subTitle"])
        #expect(try names(patch(base) { (page: inout Page) in page.mainAuthor = ToOne(id: "8") }) == ["mainAuthor"])
    }

    @Test("A model that reads another spelling by hand is written to its own name")
    func readByHand() throws {
        struct Page: Resource {
            static let type = "posts"
            var id: String
            var subTitle: String?

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                subTitle =
                    try map.decodeIfPresent(String.self, forKey: .attributes("subTitle"))
                    ?? map.decodeIfPresent(String.self, forKey: .attributes("sub_title"))
            }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(id, forKey: .id)
                try map.encodeIfPresent(subTitle, forKey: .attributes("subTitle"))
            }
        }
        #expect(try names(patch(base) { (page: inout Page) in page.subTitle = "y" }) == ["subTitle"])
        let null = ResourceObject(type: "posts", id: "1", attributes: ["sub_title": nil])
        #expect(try names(patch(null) { (page: inout Page) in page.subTitle = "y" }) == ["subTitle"])
    }
}
