import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// `Field`, and bodies for relationship endpoints.
@Suite struct FieldTests {
    private let encoder = JSONAPIEncoder()

    struct Changes: ResourceFields, Codable, Equatable {
        static let type = "articles"
        var title = Field<String>.absent
        var at = Field<Date>.absent
        var count = Field<Int>.absent
        var author = Field<ToOne<Writer>>.absent
        var editor = Field<Writer>.absent
        var tags = Field<[String]>.absent
    }

    @Test("Absent is omitted, null is null, and a value goes to the place of its type")
    func fields() throws {
        #expect(try encoder.text(Patch(id: "1", Changes())) == #"{"data":{"type":"articles","id":"1"}}"#)
        #expect(Patch(id: "1", Changes()).isEmpty)
        #expect(
            try encoder.text(
                Patch(id: "1", Changes(title: .null, at: .value(Date(timeIntervalSince1970: 0)), author: .null, tags: .value([]))))
                == #"{"data":{"type":"articles","id":"1","attributes":{"title":null,"at":"1970-01-01T00:00:00Z","tags":[]},"#
                + #""relationships":{"author":{"data":null}}}}"#)
        #expect(
            try encoder.text(Patch(id: "1", Changes(author: .value(ToOne(id: "9")), editor: .value(Writer(id: "2", firstName: "E")))))
                == #"{"data":{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}},"#
                + #""editor":{"data":{"type":"people","id":"2"}}}}}"#)
        #expect(try encoder.text(Patch(id: "1", Changes(author: .value(.notLoaded)))) == #"{"data":{"type":"articles","id":"1"}}"#)
        #expect(try encoder.text(Create(Changes(title: .value("T")))) == #"{"data":{"type":"articles","attributes":{"title":"T"}}}"#)
        #expect(Field<Int>(nil) == .null && Field(1) == .value(1) && Field(1).value == 1 && Field<Int>.null.value == nil)
    }

    struct AtPaths: ResourceFields {
        static let type = "articles"
        var author = Field<ToOne<Writer>>.absent
        var editor = Field<Writer>.absent
        enum CodingKeys: String, CodingKey { case author = "relationships.author", editor = "relationships.editor" }
    }

    @Test("Null clears a relationship also if the coding key is a path")
    func paths() throws {
        #expect(
            try encoder.text(Patch(id: "1", AtPaths(author: .null, editor: .null)))
                == #"{"data":{"type":"articles","id":"1","relationships":{"author":{"data":null},"editor":{"data":null}}}}"#)
        #expect(try encoder.text(Patch(id: "1", AtPaths())) == #"{"data":{"type":"articles","id":"1"}}"#)
    }

    @Test("Null of a to-many relationship is an error also at the path of its linkage")
    func nullLinkage() throws {
        struct Linked: ResourceFields {
            static let type = "articles"
            var author = Field<ResourceIdentifier>.absent
            var tags = Field<[ResourceIdentifier]>.absent
            enum CodingKeys: String, CodingKey { case author = "relationships.author.data", tags = "relationships.tags.data" }
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch(id: "1", Linked(tags: .null))) }?.kind == .missingLinkage)
        #expect(encodingFailure { _ = try encoder.encode(Create(Linked(tags: .null))) }?.kind == .missingLinkage)
        #expect(
            try encoder.tree(Patch(id: "1", Linked(author: .null, tags: .value([]))))["data"]?["relationships"]
                == ["author": ["data": nil], "tags": ["data": []]])
    }

    @Test("An id among the fields is an error, unless it is that of the request")
    func idAmongFields() throws {
        struct Identified: ResourceFields {
            static let type = "articles"
            var id: String?
            var title = "T"
        }
        struct Numbered: ResourceFields {
            static let type = "articles"
            var id: Int
        }
        for body in [Create(Identified(id: "7")), Create(Numbered(id: 7)), Create(Identified(id: "7"), id: "8")] {
            let failure = encodingFailure { _ = try encoder.encode(body) }
            #expect(failure?.kind == .wrongPlace && failure?.advice?.contains("Create(_:id:)") == true)
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch(id: "1", Identified(id: "2"))) }?.kind == .wrongPlace)
        #expect(try encoder.tree(Patch(id: "1", Identified(id: "1")))["data"]?["attributes"] == ["title": "T"])
        #expect(try encoder.tree(Create(Identified(id: "7"), id: "7"))["data"]?["id"] == "7")
        #expect(try encoder.tree(Create(Identified()))["data"] == ["type": "articles", "attributes": ["title": "T"]])
    }

    struct Form: Codable, Equatable {
        var title = Field<String>.absent
        var inner = Field<[Int]>.absent
        var optional: Field<Int>?
    }

    @Test(
        "JSONEncoder and JSONDecoder keep the three states of a field",
        arguments: [
            (Form(), "{}"), (Form(title: .null), #"{"title":null}"#),
            (Form(title: .value("T"), inner: .value([1])), #"{"inner":[1],"title":"T"}"#),
        ])
    func foundation(_ form: Form, _ text: String) throws {
        let json = JSONEncoder()
        json.outputFormatting = .sortedKeys
        #expect(String(decoding: try json.encode(form), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Form.self, from: Data(text.utf8)) == form)
    }

    struct Thing: Resource, Equatable {
        static let type = "things"
        var id: String
        var title = Field<String>.absent
        var form = Field<Form>.absent
        var list: [Field<Int>] = []
    }

    @Test(
        "A resource keeps the three states of a field",
        arguments: [
            Thing(id: "1"), Thing(id: "1", title: .null), Thing(id: "1", title: .value("T"), form: .value(Form(title: .null))),
            Thing(id: "1", form: .value(Form()), list: [.null, .value(1)]),
        ])
    func resources(_ thing: Thing) throws {
        #expect(try JSONAPIDecoder().decode(Thing.self, from: encoder.encode(thing)) == thing)
    }

    private struct Direct: DirectResource {
        static let type = "things"
        var id: String
        var title: Field<String>

        init(title: Field<String>) { (id, self.title) = ("1", title) }

        init(resource: ResourceView) throws {
            id = try resource.id()
            title = try resource.attribute("title")
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("title", title) }
    }

    @Test("A field of a model that is absent leaves the attribute as it is")
    func absentAttribute() throws {
        struct Placed: Resource {
            static let type = "things"
            var id: String
            var title: Field<String>
            var city: Field<String>
            var zip: Field<String>
            enum CodingKeys: String, CodingKey {
                case id, title = "attributes.title", city = "attributes.place.city", zip = "attributes.place.zip"
            }
        }
        func attributes(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }
        let thing = Thing(id: "1", title: .value("A"))
        #expect(thing.patch { $0.title = .absent }.isEmpty)
        #expect(try attributes(thing.patch { $0.title = .null }) == ["title": nil])
        #expect(try attributes(thing.patch { $0.title = .value("B") }) == ["title": "B"])
        #expect(Direct(title: .value("A")).patch { $0.title = .absent }.isEmpty)
        #expect(try attributes(Direct(title: .value("A")).patch { $0.title = .null }) == ["title": nil])
        let place = Placed(id: "1", title: .value("A"), city: .value("Oslo"), zip: .value("1"))
        let none = Placed(id: "1", title: .absent, city: .absent, zip: .absent)
        #expect(Patch(from: place, to: none).isEmpty)
        let base = ResourceObject(
            type: "things", id: "1", attributes: ["title": "A", "place": ["city": "Oslo", "zip": "1", "x": 2]])
        var moved = none
        moved.zip = .value("2")
        #expect(try attributes(Patch(from: place, to: moved, base: base)) == ["place": ["city": "Oslo", "zip": "2", "x": 2]])
    }

    @Test("A field of meta that is absent leaves the member as it is")
    func absentMeta() throws {
        struct Placed: Resource {
            static let type = "things"
            var id: String
            var title: Field<String>
            var revision: Field<Int>
            var note: Field<String>
            enum CodingKeys: String, CodingKey { case id, title, revision = "meta.revision", note = "meta.note" }
        }
        struct Counter: Codable, Sendable { var revision: Field<Int> }
        struct Whole: Resource {
            static let type = "things"
            var id: String
            var title: Field<String>
            var counter: Field<ResourceMeta<Counter>>
        }
        let base = ResourceObject(type: "things", id: "1", meta: ["revision": 3, "note": "a", "x": 1])
        func meta(_ patch: Patch<some ResourceRepresentable>) throws -> JSON? { try encoder.tree(patch)["data"]?["meta"] }
        let old = Placed(id: "1", title: .value("A"), revision: .value(3), note: .value("a"))
        var new = old
        new.revision = .absent
        #expect(try Patch(from: old, to: new, base: base).object().meta == nil)
        new.note = .value("b")
        #expect(try meta(Patch(from: old, to: new, base: base)) == ["revision": 3, "note": "b", "x": 1])
        var again = new
        again.note = .value("c")
        #expect(try meta(Patch(from: new, to: again, base: base)) == ["revision": 3, "note": "c", "x": 1])
        let none = Placed(id: "1", title: .value("B"), revision: .absent, note: .absent)
        #expect(try encoder.tree(Patch(from: old, to: none))["data"] == ["type": "things", "id": "1", "attributes": ["title": "B"]])
        let whole = Whole(id: "1", title: .value("A"), counter: .value(ResourceMeta(Counter(revision: .value(3)))))
        #expect(whole.patch { $0.counter = .absent }.isEmpty)
        #expect(whole.patch { $0.counter = .value(ResourceMeta(Counter(revision: .absent))) }.isEmpty)
        let renamed = whole.patch {
            $0.title = .value("B")
            $0.counter = .absent
        }
        #expect(try meta(renamed) == nil)
        let counted = whole.patch {
            $0.title = .value("B")
            $0.counter = .value(ResourceMeta(Counter(revision: .value(4))))
        }
        #expect(try meta(counted) == ["revision": 4])
        #expect(try counted.omitting(\.counter).object().meta == nil)
    }

    @Test("The null of a Field of meta or links is an error that names the member and the cure")
    func nullOfParts() throws {
        struct Counter: Codable, Sendable { var revision: Int }
        struct Whole: Resource {
            static let type = "things"
            var id: String
            var counter: Field<ResourceMeta<Counter>>
            var addresses: Field<ResourceLinks>
        }
        let failures = [Whole(id: "1", counter: .null, addresses: .absent), Whole(id: "1", counter: .absent, addresses: .null)]
            .map { whole in encodingFailure { _ = try encoder.encode(whole) } }
        #expect(failures.map { $0.map { "\($0.pointer)" } } == ["/data/meta", "/data/links"])
        #expect(failures.allSatisfy { $0?.kind == .wrongPlace && $0?.advice == "set `.absent`, which leaves the member out" })
    }

    // MARK: - Relationship endpoints

    @Test("Linkage bodies replace, add, and remove")
    func linkage() throws {
        let one = ResourceIdentifier(type: "people", id: "9")
        #expect(try encoder.text(Linkage(replacing: one)) == #"{"data":{"type":"people","id":"9"}}"#)
        #expect(try encoder.text(Linkage(replacing: nil)) == #"{"data":null}"#)
        #expect(try encoder.text(Linkage(replacing: [])) == #"{"data":[]}"#)
        #expect(try encoder.text(Linkage(adding: [one])) == #"{"data":[{"type":"people","id":"9"}]}"#)
        #expect(try encoder.text(Linkage(removing: [Identifier<Writer>("9")])) == #"{"data":[{"type":"people","id":"9"}]}"#)
        #expect(try encoder.text(Linkage(adding: [ResourceIdentifier(type: "x", lid: "l")])) == #"{"data":[{"type":"x","lid":"l"}]}"#)
        #expect(try encoder.text(Delete([one])) == #"{"data":[{"type":"people","id":"9"}]}"#)
    }

    @Test(
        "Linkage without an identity is an error",
        arguments: [
            (Linkage.absent, .missingLinkage, "/data"), (.one(ResourceIdentifier(type: "", id: "1")), .missingIdentity, "/data"),
            (.many([ResourceIdentifier(type: "x", id: "1"), ResourceIdentifier(type: "x", id: "")]), .missingIdentity, "/data/1"),
            (.one(ResourceIdentifier(type: "x", lid: "")), .missingIdentity, "/data"),
        ] as [(Linkage, EncodingFailure.Kind, String)])
    func refused(_ linkage: Linkage, _ kind: EncodingFailure.Kind, _ pointer: String) throws {
        let failure = try #require(encodingFailure { _ = try encoder.encode(linkage) })
        #expect(failure.kind == kind && "\(failure.pointer)" == pointer && failure.advice != nil)
    }

    // MARK: - Other encoders

    @Test("JSONEncoder encodes models as plain objects, and references as relationship objects")
    func otherEncoders() throws {
        let story = Story(
            id: "1", title: "T", author: ToOne(Writer(id: "9", firstName: "D")), comments: [Remark(id: "5", body: "b")],
            reviewers: [.person(Writer(id: "2", firstName: "E"))])
        let tree = try JSON(parsing: JSONEncoder().encode(story))
        #expect(
            tree == [
                "id": "1", "title": "T", "author": ["data": ["type": "people", "id": "9"]], "comments": [["id": "5", "body": "b"]],
                "reviewers": ["data": [["type": "people", "id": "2"]]],
            ])
        var bare = story
        bare.author = .notLoaded
        bare.reviewers = .notLoaded
        #expect(try JSON(parsing: JSONEncoder().encode(bare))["author"] == [:])
    }
}
