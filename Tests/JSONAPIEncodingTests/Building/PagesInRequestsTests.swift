import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
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

    @Test("Another page of the same relationship is no change, also if a wrapper writes it")
    func otherPageInWrapper() throws {
        struct Logged: Encodable, Sendable {
            var value: ToMany<Tag>
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        struct Wrapping: Resource {
            static let type = "articles"
            var id = "1"
            var tags: Logged
            enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags" }
            init(_ tags: ToMany<Tag>) { self.tags = Logged(value: tags) }
            init(from decoder: any Decoder) throws { self.init(.notLoaded) }
        }
        let first = try decoder.decode(Article.self, from: page).tags
        let text = String(decoding: page, as: UTF8.self).replacingOccurrences(of: #""id":"2""#, with: #""id":"3""#)
        let second = try decoder.decode(Article.self, from: Data(text.utf8)).tags
        #expect(try tags(Patch(from: Wrapping(first), to: Wrapping(second))) == nil)
        var whole = first
        whole.identifiers = ["1", "2", "3"].map { ResourceIdentifier(type: "tags", id: $0) }
        #expect(try tags(Patch(from: Wrapping(first), to: Wrapping(whole))) == three)
    }

    @Test("A whole list that was set in place of a page is sent, also with a base")
    func wholeInPlaceOfPage() throws {
        let article = try decoder.decode(Article.self, from: page)
        let base = try decoder.decode(ResourceObject.self, from: page)
        var new = article
        new.tags.identifiers = ["1", "2", "3"].map { ResourceIdentifier(type: "tags", id: $0) }
        #expect(try tags(Patch(from: article, to: new, base: base)) == three)
        new.tags = article.tags
        new.tags.append(id: "3")
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: article, to: new, base: base)) }?.kind == .missingLinkage)
    }

    // MARK: - Raw relationships

    private let all = Linkage.many(["1", "2", "3"].map { ResourceIdentifier(type: "tags", id: $0) })

    @Test("An edit of a page in a relationship object is an error, and another object in its place is not")
    func relationshipObject() throws {
        struct Raw: Resource {
            static let type = "articles"
            var id: String
            var title: String?
            var tags: RelationshipObject
        }
        struct Changes: ResourceFields {
            static let type = "articles"
            var tags: RelationshipObject
        }
        let raw = try decoder.decode(Raw.self, from: page)
        let failure = encodingFailure { _ = try encoder.encode(raw.patch { $0.tags.data = all }) }
        #expect(failure?.kind == .missingLinkage && failure?.advice?.contains("Linkage(adding:)") == true)
        #expect(try tags(raw.patch { $0.tags = RelationshipObject(data: all) }) == three)
        #expect(try encoder.tree(raw.patch { $0.title = "B" })["data"]?["relationships"] == nil)
        #expect(encodingFailure { _ = try encoder.encode(Patch(id: "1", Changes(tags: raw.tags))) }?.kind == .missingLinkage)
        #expect(try tags(Create(Changes(tags: raw.tags)))?["data"]?.array?.count == 2)
    }

    @Test("An edit of a page in a raw resource is an error")
    func resourceObject() throws {
        let object = try decoder.decode(ResourceObject.self, from: page)
        var new = object
        new[relationship: "tags"]?.data = all
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: object, to: new)) }?.kind == .missingLinkage)
        new[relationship: "tags"] = RelationshipObject(data: all)
        #expect(try tags(Patch(from: object, to: new)) == three)
        new = object
        new[attribute: "title"] = "B"
        #expect(try encoder.tree(Patch(from: object, to: new))["data"]?["relationships"] == nil)
    }

    @Test("A whole list with the identifiers of the page that it replaces is sent")
    func wholeEqualToPage() throws {
        struct Raw: Resource {
            static let type = "articles"
            var id: String
            var tags: RelationshipObject
        }
        let two = RelationshipObject(data: .many(["1", "2"].map { ResourceIdentifier(type: "tags", id: $0) }))
        let raw = try decoder.decode(Raw.self, from: page)
        let patch = raw.patch { $0.tags = two }
        #expect(!patch.isEmpty)
        #expect(try tags(patch) == two.json)
        let object = try decoder.decode(ResourceObject.self, from: page)
        var new = object
        new[relationship: "tags"] = two
        #expect(try tags(Patch(from: object, to: new)) == two.json)
        #expect(try tags(Patch(from: object, to: new, base: object)) == two.json)
        #expect(try tags(Patch(from: new, to: object)) == nil)
    }

    @Test("Identifiers at the path of linkage are not read from a page, unless the options allow it")
    func linkageAtPath() throws {
        struct AtPath: Resource {
            static let type = "articles"
            var id: String
            var tags: [ResourceIdentifier]
            enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags.data" }
        }
        let error = #expect(throws: DecodingError.self) { try decoder.decode(AtPath.self, from: page) }
        #expect(error?.failure?.kind == .notIncluded)
        var omitting = decoder
        omitting.missingResources = .omit
        #expect(try omitting.decode(AtPath.self, from: page).tags.count == 2)
    }

    private struct AtPath<Value: Codable & Sendable>: Resource {
        static var type: String { "articles" }
        var id: String
        var tags: Value
        enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags.data" }
    }

    private struct AtObject<Value: Codable & Sendable>: Resource {
        static var type: String { "articles" }
        var id: String
        var tags: Value
        enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags" }
    }

    private struct Reference: Codable, Sendable { var type, id: String }
    private struct Holder<Element: Codable & Sendable>: Codable, Sendable { var data: [Element] }

    private struct ByKey: Resource {
        static let type = "articles"
        var id: String
        var tags: [ResourceIdentifier]
        enum CodingKeys: CodingKey { case id, tags }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            tags = try map.decode([ResourceIdentifier].self, forKey: .relationships("tags", "data"))
        }
    }

    private struct ByContainer: Resource {
        static let type = "articles"
        var id: String
        var tags: [ResourceIdentifier]
        enum CodingKeys: CodingKey { case id, tags, data }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            tags = try map.nestedContainer(keyedBy: CodingKeys.self, forKey: .tags).decode([ResourceIdentifier].self, forKey: .data)
        }
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encode(tags, forKey: .tags)
        }
    }

    private struct ByElement: Resource {
        static let type = "articles"
        var id: String
        var tags: [ResourceIdentifier] = []
        enum CodingKeys: CodingKey { case id, tags }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            var list = try map.nestedUnkeyedContainer(forKey: .relationships("tags", "data"))
            while !list.isAtEnd { tags.append(try list.decode(ResourceIdentifier.self)) }
        }
    }

    /// Whether a model reads the whole list, and not a page of it.
    private func readsOnlyTheWhole<Model: Resource>(_ type: Model.Type) throws -> Bool {
        let whole = String(decoding: page, as: UTF8.self).replacingOccurrences(of: #""next""#, with: #""related""#)
        _ = try decoder.decode(type, from: Data(whole.utf8))
        let error = #expect(throws: DecodingError.self) { try decoder.decode(type, from: page) }
        return error?.failure?.kind == .notIncluded
    }

    @Test("Linkage that is read without its relationship object is not a page, whatever reads it")
    func linkageAlone() throws {
        #expect(try readsOnlyTheWhole(ByKey.self))
        #expect(try readsOnlyTheWhole(ByContainer.self))
        #expect(try readsOnlyTheWhole(ByElement.self))
        #expect(try readsOnlyTheWhole(AtPath<Field<[ResourceIdentifier]>>.self))
        #expect(try readsOnlyTheWhole(AtPath<[Reference]>.self))
        #expect(try readsOnlyTheWhole(AtPath<Linkage>.self))
        #expect(try readsOnlyTheWhole(AtPath<JSON>.self))
        #expect(try readsOnlyTheWhole(AtObject<Holder<ResourceIdentifier>>.self))
        #expect(try readsOnlyTheWhole(AtObject<Holder<Reference>>.self))
        #expect(try decoder.decode(AtObject<[String: JSON]>.self, from: page).tags["links"]?["next"] != nil)
        var omitting = decoder
        omitting.missingResources = .omit
        let document = try omitting.decode(Document<AtObject<Holder<Reference>>>.self, from: page)
        #expect(document.data.tags.data.count == 2)
        #expect(document.diagnostics.map(\.kind) == [.notIncluded])
    }

    private struct Sheet: SchemaResource {
        static let type = "articles"
        static let relationshipNames: Set<String> = ["tags"]
        static let schema = MappingSchema<Sheet>(creating: Sheet()) {
            MappingField(\.id, "id")
            MappingField(\.tags, "tags")
        }
        var id = ""
        var tags: JSON?
    }

    private struct LinkSheet: SchemaResource {
        static let type = "articles"
        static let relationshipNames: Set<String> = ["tags"]
        static let schema = MappingSchema<LinkSheet>(creating: LinkSheet()) {
            MappingField(\.id, "id")
            MappingField(\.tags, from: "tags.data", .omit)
        }
        var id = ""
        var tags: JSON?
    }

    /// Reads more than the linkage, but not the links.
    private struct CountSheet: SchemaResource {
        static let type = "articles"
        static let relationshipNames: Set<String> = ["tags"]
        static let schema = MappingSchema<CountSheet>(creating: CountSheet()) {
            MappingField(\.id, "id")
            MappingField(\.tags, from: "tags.data", .omit)
            MappingField(\.count, from: "tags.meta.count", .omit)
        }
        var id = ""
        var tags: JSON?
        var count: JSON?
    }

    private struct PageSheet: SchemaResource {
        static let type = "articles"
        static let relationshipNames: Set<String> = ["tags"]
        static let schema = MappingSchema<PageSheet>(creating: PageSheet()) {
            MappingField(\.id, "id")
            MappingField(\.tags, from: "tags.data", .omit)
            MappingField(\.next, from: "tags.links.next", .omit)
        }
        var id = ""
        var tags: JSON?
        var next: JSON?
    }

    @Test("A schema does not read a page as the linkage, and does not send an edited one")
    func schemas() throws {
        let sheet = try decoder.decode(Sheet.self, from: page)
        let edited = sheet.patch { sheet in
            var object = sheet.tags?.object ?? JSONObject()
            object["data"] = all.json
            sheet.tags = .object(object)
        }
        #expect(encodingFailure { _ = try encoder.encode(edited) }?.kind == .missingLinkage)
        #expect(throws: DecodingError.self) { try decoder.decode(LinkSheet.self, from: page) }
        #expect(throws: DecodingError.self) { try decoder.decode(CountSheet.self, from: page) }
        let shown = try decoder.decode(PageSheet.self, from: page).patch { $0.tags = all.json }
        #expect(encodingFailure { _ = try encoder.encode(shown) }?.kind == .missingLinkage)
    }
}
