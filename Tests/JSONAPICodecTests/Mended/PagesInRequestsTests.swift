import Foundation
import JSONAPICodec
import JSONText
import Testing

/// A page of a to-many relationship is never sent as the whole list, whatever the type of the property is.
@Suite struct PagesInRequestsTests {
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    struct Tag: Resource {
        static let type = "tags"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        var tags: ToMany<Tag>
    }

    private let page = Data(
        """
        {"data":{"type":"articles","id":"1","attributes":{"title":"A"},"relationships":{"tags":{
          "links":{"self":"/a/1/relationships/tags","next":"/a/1/relationships/tags?page=2"},
          "data":[{"type":"tags","id":"1"},{"type":"tags","id":"2"}]}}}}
        """.utf8)

    private func tags(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["relationships"]?["tags"] }

    private let three: JSON = ["data": [["type": "tags", "id": "1"], ["type": "tags", "id": "2"], ["type": "tags", "id": "3"]]]

    // MARK: - References

    @Test("Fields of a patch do not contain a page, and those of a creation do")
    func pageInFields() throws {
        struct Changes: ResourceFields {
            static let type = "articles"
            var tags: Field<ToMany<Tag>>
        }
        struct Plain: ResourceFields {
            static let type = "articles"
            var tags: ToMany<Tag>
        }
        struct Shown: ResourceFields {
            static let type = "articles"
            @Embedded<ToMany<Tag>> var tags: [Tag]?
            init(_ tags: ToMany<Tag>) { _tags = Embedded(projectedValue: tags) }
        }
        let tags = try decoder.decode(Article.self, from: page).tags
        let patches = [
            Patch(id: "1", Changes(tags: .value(tags))), Patch(id: "1", Plain(tags: tags)), Patch(id: "1", Shown(tags)),
            Patch(type: "articles", id: "1", relationships: [Relationship("tags", tags)].compactMap(\.self)),
        ]
        for patch in patches {
            #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .missingLinkage)
            var operations = AtomicOperations()
            operations.update(patch)
            #expect(encodingFailure { _ = try encoder.encode(operations) }?.kind == .missingLinkage)
        }
        #expect(try self.tags(Create(Plain(tags: tags)))?["data"]?.array?.count == 2)
        var whole = tags
        whole.identifiers = tags.identifiers
        whole.append(id: "3")
        #expect(try self.tags(Patch(id: "1", Changes(tags: .value(whole)))) == three)
        #expect(try self.tags(Patch(id: "1", Plain(tags: whole))) == three)
    }

    @Test("A model that is read by Key can be patched beside a page")
    func pageBesideHandwrittenKeys() throws {
        struct ByKey: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var tags: ToMany<Tag>
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                title = try map.decode(String.self, forKey: .attributes("title"))
                tags = try map.decode(ToMany<Tag>.self, forKey: .relationships("tags"))
            }
            enum CodingKeys: CodingKey { case id, title, tags }
        }
        let article = try decoder.decode(ByKey.self, from: page)
        #expect(try encoder.tree(article.patch { $0.title = "B" })["data"]?["attributes"] == ["title": "B"])
    }
}
