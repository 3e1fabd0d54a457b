import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@testable import JSONAPIArchive

@Suite("Documents in archives")
struct ArchiveDocumentTests {
    private struct Writer: Resource, Equatable {
        static let type = "writers"
        var id: String
        var name: String
    }
    private struct Text: Resource, Equatable {
        static let type = "texts"
        var id: String
        var title: String
        var author: ToOne<Writer>
    }

    private let data = Data(
        """
        {"data":[{"type":"texts","id":"2","attributes":{"title":"B"},"relationships":{"author":{"data":{"type":"writers","id":"9"}}}},
                 {"type":"texts","id":"1","attributes":{"title":"A"},"relationships":{"author":{"data":{"type":"writers","id":"9"}}}}],
         "included":[{"type":"writers","id":"9","attributes":{"name":"Ann"}}],"links":{"next":"/2"},"meta":{"total":2}}
        """.utf8)

    @Test("Primary data that was decoded as identifiers replaces no resources")
    func linkage() throws {
        let links = Data(#"{"data":[{"type":"texts","id":"1"}]}"#.utf8)
        let document = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: links)
        var writer = Archive.Writer()
        try writer.encode([Text(id: "1", title: "Whole", author: .empty)], forKey: "texts")
        try writer.encode(document, forKey: "links")
        let archive = try Archive(data: writer.data())
        #expect(try archive.decode([Text].self, forKey: "texts").map(\.title) == ["Whole"])
        #expect(try archive.decodeDocument([ResourceObject].self, forKey: "links")?.data.map(\.id) == ["1"])
        #expect(archive.count == 1)
    }

    @Test("An identifier in the primary data does not take the place of its included resource", arguments: [false, true])
    func identifiersOfIncludedResources(isStored: Bool) throws {
        let text = #"{"data":[{"type":"writers","id":"9"}],"included":[{"type":"writers","id":"9","attributes":{"name":"Ann"}}]}"#
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: Data(text.utf8))
        var writer = Archive.Writer()
        if isStored { try writer.encode([Writer(id: "9", name: "Ann")], forKey: "writers") }
        writer.encoder.conflictingResources = isStored ? .throw : .keepFirst
        try writer.encode(document, forKey: "list")
        let archive = try Archive(data: writer.data())
        #expect(try archive.decodeDocument([Writer].self, forKey: "list")?.data.map(\.name) == ["Ann"])
    }

    @Test("A decoded document keeps order, links, meta, and references")
    func read() throws {
        let document = try JSONAPIDecoder().decode(Document<[Text]>.self, from: data)
        var writer = Archive.Writer()
        try writer.encode(document, forKey: "home")
        let archive = try Archive(data: writer.data())
        let home = try #require(try archive.decodeDocument([Text].self, forKey: "home"))
        #expect(home.data == document.data && home.data.map(\.id) == ["2", "1"])
        #expect(home.data[0].author.value?.name == "Ann")
        #expect(home.links.next?.href == "/2" && home.meta == ["total": 2])
        #expect(archive.count == 3)
        #expect(try archive.decodeDocument([ResourceObject].self, forKey: "home")?.data.map(\.id) == ["2", "1"])
        #expect(try archive.decodeDocument([Text].self, forKey: "none") == nil)
    }

    @Test("A document does not replace a resource that the same archive has with other contents")
    func conflicts() throws {
        let sparse = Data(#"{"data":[{"type":"writers","id":"9","attributes":{}}]}"#.utf8)
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: sparse)
        var writer = Archive.Writer()
        try writer.encode([Writer(id: "9", name: "Ann")], forKey: "writers")
        #expect(archiveError { try writer.encode(document, forKey: "list") }?.kind == .conflict)
        #expect(try Archive(data: writer.data()).keys == ["writers"])
        writer.encoder.conflictingResources = .keepFirst
        try writer.encode(document, forKey: "list")
        let archive = try Archive(data: writer.data())
        #expect(try archive.decode([Writer].self, forKey: "writers") == [Writer(id: "9", name: "Ann")])
        #expect(try archive.decodeDocument([Writer].self, forKey: "list")?.data.map(\.name) == ["Ann"])
    }

    @Test func `a primary resource of another type is an error, and a removed one is left out`() throws {
        let text = #"{"type":"texts","id":"1","attributes":{"title":"A"}}"#
        let many = Data(#"{"data":[\#(text),{"type":"writers","id":"9","attributes":{"name":"Ann"}}]}"#.utf8)
        let one = Data(#"{"data":\#(text)}"#.utf8)
        var writer = Archive.Writer()
        try writer.encode(try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: many), forKey: "many")
        try writer.encode(try JSONAPIDecoder().decode(Document<ResourceObject?>.self, from: one), forKey: "one")
        let archive = try Archive(data: writer.data())
        #expect(archiveError { _ = try archive.decodeDocument([Writer].self, forKey: "many") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decodeDocument(Writer?.self, forKey: "one") }?.kind == .otherForm)
        try writer.remove(ResourceIdentifier(type: "texts", id: "1"))
        let rest = try Archive(data: writer.data())
        #expect(try rest.decodeDocument([Writer].self, forKey: "many")?.data.map(\.name) == ["Ann"])
        let removed = try #require(try rest.decodeDocument(Writer?.self, forKey: "one"))
        #expect(removed.data == nil)
    }

    @Test func `a document is archived as its models are, without rewriters and checks`() throws {
        struct Refusal: Error {}
        var encoder = JSONAPIEncoder()
        encoder.rewriters["writers"] = Rewriter(unreferenced: .keep) { Rule("fullName", from: "name") }
        encoder.check = { _, _ in throw Refusal() }
        let ann = Writer(id: "9", name: "Ann")
        var models = Archive.Writer(encoder: encoder)
        try models.encode([ann], forKey: "writers")
        var documents = Archive.Writer(encoder: encoder)
        try documents.encode(Document<[Writer]>([ann]), forKey: "writers")
        let identifier = ResourceIdentifier(type: "writers", id: "9")
        let objects = try [models, documents].map { try Archive(data: $0.data()).resource(ResourceObject.self, identifier) }
        #expect(objects[0]?.attributes == ["name": "Ann"])
        #expect(objects[0] == objects[1])
        #expect(try Archive(data: documents.data()).decodeDocument([Writer].self, forKey: "writers")?.data == [ann])
    }

    @Test("Another plain value is no document, and a document without primary data is one")
    func otherValues() throws {
        let values: [String: JSON] = [
            "settings": ["theme": "dark"], "empty": [:], "data": ["data": ["a", "b"]], "types": ["data": ["type": "texts"]],
            "held": ["articles": [["@resource": ["type": "texts", "id": "1"]]]], "graph": ["root": 0, "instances": [[:]]],
        ]
        var writer = Archive.Writer()
        for (key, value) in values { try writer.encode(value, forKey: key) }
        try writer.encode(Document<NoData>(NoData(), meta: ["total": 2]), forKey: "meta")
        let archive = try Archive(data: writer.data())
        for key in values.keys {
            #expect(archiveError { _ = try archive.decodeDocument([Text].self, forKey: key) }?.kind == .otherForm, "\(key)")
            #expect(archiveError { _ = try archive.decodeDocument(Text?.self, forKey: key) }?.kind == .otherForm, "\(key)")
        }
        let meta = try #require(try archive.decodeDocument([Text].self, forKey: "meta"))
        #expect(meta.data == [] && meta.meta == ["total": 2])
    }

    @Test("A migration leaves a plain value that looks like a document, and changes documents of archives and stores")
    func migration() throws {
        let lookalike: JSON = ["data": [["type": "writers", "id": "8"], ["type": "writers", "id": "9"]], "note": "as sent"]
        let meta: JSONObject = ["sent": ["@resource": ["type": "writers", "id": "9"]]]
        let document = Document<[Writer]>([Writer(id: "8", name: "Ann"), Writer(id: "9", name: "Bob")], meta: meta)
        var writer = Archive.Writer()
        try writer.encode(document, forKey: "document")
        try writer.encode(lookalike, forKey: "value")
        try writer.put(Array(#"{"data":[{"type":"writers","id":"9"}]}"#.utf8).span, forKey: "document:/writers")
        let migrations = ["people", "humans"].enumerated().map { index, type in
            ArchiveModel.Migration(to: index + 1) { resource, _ in
                guard let id = resource.id, id != "8" else { return [] }
                return [ResourceObject(resource, as: ResourceIdentifier(type: type, id: id))]
            }
        }
        // A copy, and a document that is stored again, are documents too.
        let first = try Archive(data: writer.data(), model: ArchiveModel(version: 1, migrations: migrations))
        let second = try Archive(data: Archive.Writer(first).data(), model: ArchiveModel(version: 2, migrations: migrations))
        for (archive, type) in [(first, "people"), (second, "humans")] {
            #expect(try archive.json(forKey: "value") == lookalike)
            let home = try #require(try archive.decodeDocument([ResourceObject].self, forKey: "document"))
            #expect(home.data.map(\.identifier) == [ResourceIdentifier(type: type, id: "9")] && home.meta == meta)
            let kept = try archive.json(forKey: "document:/writers")
            #expect(kept == ["data": [["type": .string(type), "id": "9"]]])
        }
    }

    @Test("Documents made by the program, with one resource or none")
    func made() throws {
        var writer = Archive.Writer()
        let text = Text(id: "1", title: "A", author: ToOne(Writer(id: "9", name: "Ann")))
        try writer.encode(Document<Text?>(text, meta: ["a": 1]), forKey: "one")
        try writer.encode(Document<Text?>(nil), forKey: "nil")
        try writer.encode([1], forKey: "list")
        let archive = try Archive(data: writer.data())
        let one = try #require(try archive.decodeDocument(Text?.self, forKey: "one"))
        #expect(one.data?.author.value?.name == "Ann" && one.meta == ["a": 1])
        let none = try archive.decodeDocument(Text?.self, forKey: "nil")
        #expect(none != nil && none?.data == nil)
        #expect(throws: ArchiveError.self) { try archive.decodeDocument([Text].self, forKey: "list") }
    }
}
