import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Bodies of creation requests.
@Suite struct CreateTests {
    private let encoder = JSONAPIEncoder()

    struct Draft: Resource {
        static let type = "drafts"
        var id: String?
        var name: LocalID?
        var title: String
    }

    struct NewStory: ResourceFields {
        static let type = "articles"
        var title: String
        var subtitle: String?
        var author: ToOne<Writer> = .notLoaded
        var tags: ToMany<Team> = .notLoaded
        var lid: LocalID?
    }

    @Test("A model is created without its id, with the client's id, or with a lid")
    func identities() throws {
        let team = Team(id: "1", name: "Red")
        #expect(try encoder.text(Create(team)) == #"{"data":{"type":"teams","attributes":{"name":"Red"}}}"#)
        #expect(try encoder.text(Create(Team(id: "", name: "Red"))) == #"{"data":{"type":"teams","attributes":{"name":"Red"}}}"#)
        #expect(try encoder.text(Create(team, clientID: true)) == #"{"data":{"type":"teams","id":"1","attributes":{"name":"Red"}}}"#)
        #expect(try encoder.text(Create(team, lid: "a")) == #"{"data":{"type":"teams","lid":"a","attributes":{"name":"Red"}}}"#)
        #expect(try encoder.text(Create(Draft(title: "T"))) == #"{"data":{"type":"drafts","attributes":{"title":"T"}}}"#)
        #expect(try encoder.text(Create(Draft(id: "7", title: "T"))) == #"{"data":{"type":"drafts","id":"7","attributes":{"title":"T"}}}"#)
        #expect(
            try encoder.text(Create(Draft(name: "n", title: "T"))) == #"{"data":{"type":"drafts","lid":"n","attributes":{"title":"T"}}}"#)
        struct Scan: Resource {
            static let type = "scans"
            let id: UUID
        }
        let scan = Scan(id: try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f")))
        #expect(try encoder.text(Create(scan, clientID: true)) == #"{"data":{"type":"scans","id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}}"#)
    }

    @Test("A lid in a property wrapper is the identity of its resource, as a lid in an optional is")
    func lidsInWrappers() throws {
        struct Stated: Resource {
            static let type = "drafts"
            var id: String?
            var lid: Presence<LocalID>
        }
        struct Kept: Resource {
            static let type = "drafts"
            var id: String?
            @Lossy var lid: LocalID?
        }
        struct Nested: Resource {
            static let type = "drafts"
            var id: String?
            var lid: Presence<LocalID>?
        }
        func check<Model: Resource>(_ draft: Model, none: Model) throws {
            // What is known of a type does not depend on its first value.
            #expect(none.identifier == nil)
            let identifier = ResourceIdentifier(type: "drafts", lid: "n")
            #expect(draft.identifier == identifier)
            #expect(try encoder.text(draft) == #"{"data":{"type":"drafts","lid":"n"}}"#)
            #expect(try encoder.text(Create(draft)) == #"{"data":{"type":"drafts","lid":"n"}}"#)
            let body = Create(type: "a", relationships: [try #require(Relationship("draft", ToOne(draft)))])
            #expect(
                try encoder.text(body) == #"{"data":{"type":"a","relationships":{"draft":{"data":{"type":"drafts","lid":"n"}}}}}"#)
            var operations = AtomicOperations()
            let added = operations.add(draft)
            #expect(added == identifier)
        }
        try check(Stated(lid: .value("n")), none: Stated(lid: .absent))
        try check(Kept(lid: "n"), none: Kept(lid: nil))
        try check(Nested(lid: .value("n")), none: Nested(lid: .absent))
    }

    @Test("Relationships contain only linkage, and are absent if not loaded")
    func relationships() throws {
        let text = #"""
            {"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{"author":{"data":{"type":"people","id":"9"},
            "links":{"related":"/a"},"meta":{"m":1}},"comments":{"data":[]},"reviewers":{"links":{"related":"/r"}}}},"included":
            [{"type":"people","id":"9","attributes":{"firstName":"D"}}]}
            """#
        let story = try JSONAPIDecoder().decode(Story.self, from: Data(text.utf8))
        #expect(
            try encoder.text(Create(story))
                == #"{"data":{"type":"articles","attributes":{"title":"T"},"relationships":{"author":{"data":{"type":"people","id":"9"}},"#
                + #""comments":{"data":[]}}}}"#)
        #expect(
            try encoder.text(Create(story).omitting("comments", "title").omitting("subtitle"))
                == #"{"data":{"type":"articles","relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#)
    }

    @Test("Links and meta with dotted keys are not part of a request")
    func dottedMembers() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var author: ToOne<Writer>
            var authorLinks: Links?
            enum CodingKeys: String, CodingKey { case id, author, authorLinks = "relationships.author.links" }
        }
        let post = Post(id: "1", author: nil, authorLinks: ["related": "/a"])
        #expect(try encoder.text(Create(post)) == #"{"data":{"type":"posts","relationships":{"author":{"data":null}}}}"#)
        let unloaded = Post(id: "1", author: .notLoaded, authorLinks: ["related": "/a"])
        #expect(try encoder.text(Create(unloaded)) == #"{"data":{"type":"posts"}}"#)
        #expect(
            try encoder.text(unloaded) == #"{"data":{"type":"posts","id":"1","relationships":{"author":{"links":{"related":"/a"}}}}}"#)
    }

    @Test("Fields without identity")
    func fields() throws {
        let new = NewStory(title: "New", author: ToOne(id: "9"), tags: [])
        #expect(
            try encoder.text(Create(new))
                == #"{"data":{"type":"articles","attributes":{"title":"New"},"relationships":{"author":{"data":{"type":"people","id":"9"}},"#
                + #""tags":{"data":[]}}}}"#)
        #expect(
            try encoder.text(Create(NewStory(title: "N"), id: "1")) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"N"}}}"#)
        #expect(
            try encoder.text(Create(NewStory(title: "N", lid: "own")))
                == #"{"data":{"type":"articles","lid":"own","attributes":{"title":"N"}}}"#)
        #expect(
            try encoder.text(Create(NewStory(title: "N", lid: "own"), lid: "given"))
                == #"{"data":{"type":"articles","lid":"given","attributes":{"title":"N"}}}"#)
    }

    @Test("Without a model, absent and empty differ, and the last relationship of a name counts")
    func raw() throws {
        #expect(try encoder.text(Create(type: "projects")) == #"{"data":{"type":"projects"}}"#)
        #expect(
            try encoder.text(Create(type: "projects", attributes: [:], relationships: []))
                == #"{"data":{"type":"projects","attributes":{},"relationships":{}}}"#)
        #expect(
            try encoder.text(
                Create(
                    type: "projects", lid: "l", attributes: ["b": 1, "a": nil],
                    relationships: [
                        .toOne("users", ResourceIdentifier(type: "users", id: "4")), .toMany("points", []), .toOne("users", nil),
                    ], meta: ["m": 1]))
                == #"{"data":{"type":"projects","lid":"l","attributes":{"b":1,"a":null},"relationships":{"users":{"data":null},"#
                + #""points":{"data":[]}},"meta":{"m":1}}}"#)
        let object = ResourceObject(type: "a", id: "1", attributes: ["x": 1])
        #expect(try encoder.text(Create(object)) == #"{"data":{"type":"a","id":"1","attributes":{"x":1}}}"#)
    }

    @Test("Several bodies, none, and bodies of different models")
    func arrays() throws {
        let bodies = [Create(Team(id: "", name: "A")), Create(Draft(title: "T")), Create(type: "x")]
        #expect(
            try encoder.text(bodies)
                == #"{"data":[{"type":"teams","attributes":{"name":"A"}},{"type":"drafts","attributes":{"title":"T"}},{"type":"x"}]}"#)
        #expect(try encoder.text([Create]()) == #"{"data":[]}"#)
        let failure = try #require(encodingFailure { _ = try encoder.encode([Create(type: "x"), Create(type: "x", id: "")]) })
        #expect("\(failure.pointer)" == "/data/1/id")
    }

    @Test(
        "An invalid request is an error with its kind and place",
        arguments: [
            (Create(type: ""), .missingIdentity, "/data"),
            (Create(type: "a b/"), .illegalName, "/data/type"),
            (Create(type: "ns:books"), .illegalName, "/data/type"),
            (Create(type: "@books"), .illegalName, "/data/type"),
            (Create(type: "a", id: ""), .missingIdentity, "/data/id"),
            (Create(type: "a", lid: ""), .missingIdentity, "/data/lid"),
            (Create(Team(id: "", name: ""), clientID: true), .missingIdentity, "/data/id"),
            (Create(type: "a", attributes: ["id": 1]), .illegalName, "/data/attributes/id"),
            (Create(type: "a", attributes: ["type": 1]), .illegalName, "/data/attributes/type"),
            (Create(type: "a", relationships: [.toOne("type", nil)]), .illegalName, "/data/relationships/type"),
            (Create(type: "a", attributes: ["x.y": 1]), .illegalName, "/data/attributes/x.y"),
            (Create(type: "a", attributes: ["": 1]), .illegalName, "/data/attributes/"),
            (Create(type: "a", attributes: ["audit:": 1]), .illegalName, "/data/attributes/audit:"),
            (Create(type: "a", attributes: ["audit:-x": 1]), .illegalName, "/data/attributes/audit:-x"),
            (Create(type: "a", relationships: [.toOne("a:b:c", nil)]), .illegalName, "/data/relationships/a:b:c"),
            (Create(type: "a", attributes: ["n": 1], relationships: [.toOne("n", nil)]), .duplicateName, "/data/relationships/n"),
            (
                Create(type: "a", attributes: JSONObject(members: [.init(name: "n", value: 1), .init(name: "n", value: 2)])),
                .duplicateName, "/data/attributes"
            ),
            (
                Create(type: "a", relationships: [.toOne("r", ResourceIdentifier(type: "x", id: ""))]), .missingIdentity,
                "/data/relationships/r/data"
            ),
            (
                Create(type: "a", relationships: [.toMany("r", [ResourceIdentifier(type: "", id: "1")])]), .missingIdentity,
                "/data/relationships/r/data"
            ),
            (Create(type: "a", relationships: [Relationship("r", .absent)]), .missingLinkage, "/data/relationships/r"),
            (Create(ResourceObject(members: ["type": "a", "attributes": [1]])), .wrongPlace, "/data/attributes"),
            (
                Create(ResourceObject(members: ["type": "a", "relationships": ["r": ["data": 1]]])), .wrongPlace,
                "/data/relationships/r/data"
            ),
            (Create(ResourceObject(members: ["type": "a", "relationships": ["r": 1]])), .missingLinkage, "/data/relationships/r"),
            (Create(ResourceObject(members: ["attributes": [:]])), .missingIdentity, "/data"),
            (Create(ResourceObject(members: ["type": "a", "id": 1.5])), .missingIdentity, "/data/id"),
            (Create(ResourceObject(members: ["type": "a", "id": nil])), .missingIdentity, "/data/id"),
            (Create(ResourceObject(members: ["type": "a", "lid": 7])), .missingIdentity, "/data/lid"),
            (Create(ResourceObject(members: ["type": "a", "id": "1", "lid": "l"])), .documentStructure, "/data/lid"),
            (Create(Draft(title: "T"), lid: ""), .missingIdentity, "/data/lid"),
            (Create(NewStory(title: "", author: ToOne(id: ""))), .missingIdentity, "/data/relationships/author/data"),
            (Create(Draft(name: "", title: "T")), .missingIdentity, "/data/lid"),
        ] as [(Create, EncodingFailure.Kind, String)])
    func refused(_ body: Create, _ kind: EncodingFailure.Kind, _ pointer: String) throws {
        let failure = encodingFailure { _ = try encoder.encode(body) }
        #expect(failure?.kind == kind)
        #expect(failure.map { "\($0.pointer)" } == pointer)
    }

    @Test("Members of extensions and @-members can be among the attributes of a request")
    func extensionMembers() throws {
        let body = Create(type: "a", attributes: ["audit:by": 1, "@note": 2])
        #expect(try encoder.text(body) == #"{"data":{"type":"a","attributes":{"audit:by":1,"@note":2}}}"#)
    }

    @Test("A relationship of a model is an error if it has a resource with neither id nor lid, and nil while it is not loaded")
    func relationshipsOfModels() throws {
        let draft = Draft(title: "T")
        let one = Relationship("draft", ToOne(draft))
        let many = Relationship("drafts", ToMany([Draft(id: "1", title: "O"), draft]))
        for relationship in [one, many] {
            let body = Create(type: "a", relationships: [try #require(relationship)])
            #expect(encodingFailure { _ = try encoder.encode(body) }?.kind == .missingLinkage)
        }
        #expect(Relationship("draft", ToOne<Draft>.notLoaded) == nil)
        #expect(Relationship("drafts", ToMany<Draft>.notLoaded) == nil)
    }

    @Test("An embedded resource without an identity is an error only if its relationship is written")
    func omittedEmbedded() throws {
        struct Letter: Resource {
            static let type = "letters"
            var id: String?
            var title = "T"
            var draft: Draft
        }
        let letter = Letter(draft: Draft(title: "D"))
        #expect(encodingFailure { _ = try encoder.encode(Create(letter)) }?.kind == .missingIdentity)
        #expect(try encoder.text(Create(letter).omitting("draft")) == #"{"data":{"type":"letters","attributes":{"title":"T"}}}"#)
    }

    @Test("Forbidden names can be allowed")
    func uncheckedNames() throws {
        var loose = encoder
        loose.checksNames = false
        #expect(
            try loose.text(Create(type: "a", attributes: ["id": 1, "x.y": 2])) == #"{"data":{"type":"a","attributes":{"id":1,"x.y":2}}}"#)
    }

    @Test("Colliding names are an error")
    func meetingNames() throws {
        struct Twice: Resource {
            static let type = "twice"
            var id: String
            var owner = "text"
            var user: ToOne<Writer> = nil
            enum CodingKeys: String, CodingKey { case id, owner, user = "relationships.owner" }
        }
        let failure = try #require(encodingFailure { _ = try encoder.encode(Create(Twice(id: "1"))) })
        #expect(failure.kind == .duplicateName && "\(failure.pointer)" == "/data/relationships/owner")
    }

    @Test("Output can be indented and sorted")
    func style() throws {
        var pretty = encoder
        pretty.style = .indented(spaces: 2)
        pretty.sortsNames = true
        #expect(
            try pretty.text(Create(type: "a", attributes: ["b": "x/y", "a": []]))
                == "{\n  \"data\": {\n    \"attributes\": {\n      \"a\": [],\n      \"b\": \"x/y\"\n    },\n    \"type\": \"a\"\n  }\n}")
        pretty.escapesSlashes = true
        #expect(try pretty.text(Create(type: "a", attributes: ["b": "x/y"])).contains(#"x\/y"#))
    }
}
