import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

/// Resources to be created.
extension ChangesTests {
    @Test("A resource to be created is checked by the same rules as changes")
    func creation() throws {
        func create(_ data: String, ignoring: Bool = false) throws -> Article {
            try JSONAPIDecoder().decodeNew(
                Article.self, from: Data(#"{"data":{"type":"articles","id":"1"\#(data)}}"#.utf8), ignoringUnknownNames: ignoring)
        }
        #expect(try create(#","attributes":{"title":"T","slug":"s"}"#).slug == "s")
        let faults = [
            #","attributes":{"title":"T","titel":"T"}"#: "422 /data/attributes/titel", #","attributes":{}"#: "422 /data",
            #","attributes":{"title":7}"#: "422 /data/attributes/title", #","attributes":7"#: "400 /data/attributes",
            #","attributes":{"title":"T","createdAt":null}"#: "403 /data/attributes/createdAt",
            #","attributes":{"title":"T"},"relationships":{"autor":{"data":null}}"#: "422 /data/relationships/autor",
            #","attributes":{"title":"T"},"relationships":{"author":{"data":[]}}"#: "422 /data/relationships/author/data",
        ]
        for (data, expected) in faults { #expect(answer { _ = try create(data) } == [expected], "\(data)") }
        #expect(try create(#","attributes":{"title":"T","titel":"T"}"#, ignoring: true).title == "T")
    }

    @Test("Another type is status 409, whatever other fields and links the resource has")
    func anotherTypeOfACreation() {
        for members in [
            "", #","attributes":{"createdAt":null}"#, #","relationships":{"author":{"data":{"type":"people","lid":"x"}}}"#,
        ] {
            let body = Data(#"{"data":{"type":"people"\#(members)}}"#.utf8)
            #expect(answer { _ = try JSONAPIDecoder().decodeNew(Article.self, from: body) } == ["409 /data/type"], "\(members)")
        }
    }

    @Test("A resource to be created keeps its links, or is refused; null is no unknown name")
    func linkageOfACreation() throws {
        struct NewPost: Resource {
            static let type = "posts"
            var id: String?
            var author: Blog.Person?
            var editor: ToOne<Blog.Person>
            var fans: ToMany<Blog.Person>
            @DateFormatIfPresent<DateLayouts.Day> var paidAt: Date?
        }
        func create(_ data: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> NewPost {
            try decoder.decodeNew(NewPost.self, from: Data(#"{"data":{"type":"posts",\#(data)}}"#.utf8))
        }
        let person = #"{"type":"people","id":"9"}"#
        let embedded = #""relationships":{"author":{"data":\#(person)}}"#
        #expect(answer { _ = try create(embedded) } == ["422 /data/relationships/author"])
        var omitting = JSONAPIDecoder()
        omitting.missingResources = .omit
        let links = #""relationships":{"editor":{"data":\#(person)},"fans":{"data":[\#(person)]},"author":{"data":null}}"#
        for decoder in [JSONAPIDecoder(), omitting] {
            let post = try create(links, decoder)
            #expect(post.editor.id == "9" && post.fans.ids == ["9"])
        }
        #expect(try create(#""attributes":{"paidAt":null}"#).paidAt == nil)
    }

    @Test(
        "What only a response has, a server could not store, or would store wrongly is refused with a place",
        arguments: [JSONAPIDecoder.Mode.strict, .standard, .lenient])
    func refusedRequests(_ mode: JSONAPIDecoder.Mode) {
        let decoder = JSONAPIDecoder(mode: mode)
        let title = #""attributes":{"title":"T"}"#
        func linked(_ author: String) -> String { #","id":"1",\#(title),"relationships":{"author":{"data":\#(author)}}}}"# }
        let resource = #"{"data":{"type":"articles""#
        let bodies = [
            #"{"errors":[{"status":"500","title":"pwn"}]}"#: "400 /errors",
            #"{"errors":[]}"#: "400",
            resource + linked(#"{"type":"people","id":""}"#): "422 /data/relationships/author/data",
            resource + linked(#"{"type":"people","lid":"10"}"#): "422 /data/relationships/author/data/lid",
            resource + linked(#"{"type":"dogs","id":"5"}"#): "409 /data/relationships/author/data/type",
        ]
        for (body, expected) in bodies {
            let created = answer { _ = try decoder.decodeNew(Article.self, from: Data(body.utf8)) }
            #expect(created.count == 1 && created[0].hasPrefix(expected), "\(body): \(created)")
            let changed = answer { _ = try Changes<Article>(Data(body.utf8), for: "1", decoder: decoder).applied(to: article) }
            #expect(changed.count == 1 && changed[0].hasPrefix(expected), "\(body): \(changed)")
        }
        guard mode != .lenient else { return }
        let repeated = Data(#"{"data":{"type":"articles","id":"1","meta":{"a":1,"a":2}}}"#.utf8)
        #expect(answer { _ = try Changes<Article>(repeated, decoder: decoder) } == ["400 /data/meta"])
    }

    @Test("A new resource can link to itself and to included resources by their lids")
    func localIDsOfTheRequest() throws {
        struct Node: Resource {
            static let type = "nodes"
            var id: String?
            var lid: LocalID?
            var parent: ToOne<ResourceObject>
            var next: ToOne<ResourceObject>
        }
        let body = #"""
            {"data":{"type":"nodes","lid":"a","relationships":{
              "parent":{"data":{"type":"nodes","lid":"a"}},"next":{"data":{"type":"nodes","lid":"b"}}}},
             "included":[{"type":"nodes","lid":"b"}]}
            """#
        let node = try JSONAPIDecoder().decodeNew(Node.self, from: Data(body.utf8))
        #expect(node.parent.identifier?.lid == "a" && node.next.identifier?.lid == "b")
        #expect(node.next.value?.type == "nodes")
    }

    @Test("A server does not publish what a client includes under an id")
    func includedByTheClient() throws {
        struct NewPost: Resource {
            static let type = "posts"
            var id: String?
            var author: ToOne<Blog.Person>
            var fans: ToMany<Blog.Person>
        }
        let person = #"{"type":"people","id":"9"}"#
        let body =
            #"{"data":{"type":"posts","relationships":{"author":{"data":\#(person)},"fans":{"data":[\#(person)]}}},"#
            + #""included":[{"type":"people","id":"9","attributes":{"name":"evil"}}]}"#
        var post = try JSONAPIDecoder().decodeNew(NewPost.self, from: Data(body.utf8))
        #expect(post.author.id == "9" && post.author.value == nil && post.fans.ids == ["9"] && post.fans.values.isEmpty)
        post.id = "1"
        #expect(try !String(decoding: JSONAPIEncoder().encode(post), as: UTF8.self).contains("evil"))
    }

    private enum Contributor: ResourceUnion {
        case person(Blog.Person), unknown(ResourceObject)
        static let members: [UnionMember<Contributor>] = [.init(Contributor.person)]
        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .unknown(let object): object
            }
        }
    }

    @Test(
        "An embedded resource that a client includes under an id is not available",
        arguments: [JSONAPIDecoder.Mode.strict, .standard, .lenient])
    func embeddedByTheClient(_ mode: JSONAPIDecoder.Mode) throws {
        struct NewPost: Resource {
            static let type = "posts"
            var id: String?
            var author: Blog.Person?
            var fans: [Blog.Person]?
            var helper: Contributor?
            var helpers: [Contributor]?
        }
        let decoder = JSONAPIDecoder(mode: mode)
        let person = #"{"type":"people","id":"9"}"#
        let whole = #"{"type":"people","id":"9","attributes":{"name":"evil"}}"#
        for (name, isMany) in [("author", false), ("fans", true), ("helper", false), ("helpers", true)] {
            func refused(_ identifier: String, _ others: String) -> [String] {
                let data = isMany ? "[\(identifier)]" : identifier
                let body = #"{"data":{"type":"posts","relationships":{"\#(name)":{"data":\#(data)}}}\#(others)}"#
                return answer { _ = try decoder.decodeNew(NewPost.self, from: Data(body.utf8)) }
            }
            #expect(refused(person, #","included":[\#(whole)]"#) == ["422 /data/relationships/\(name)"], "\(name)")
            // Only lenient mode reads a whole resource in place of an identifier.
            if mode == .lenient { #expect(refused(whole, "") == ["422 /data/relationships/\(name)"], "\(name)") }
        }
    }

    @Test("A required embedded resource that a client includes under an id is an error that says what the server accepts")
    func requiredByTheClient() {
        struct NewPost: Resource {
            static let type = "posts"
            var id: String?
            var author: Blog.Person
        }
        let body =
            #"{"data":{"type":"posts","relationships":{"author":{"data":{"type":"people","id":"9"}}}},"#
            + #""included":[{"type":"people","id":"9","attributes":{"name":"evil"}}]}"#
        #expect(
            answer { _ = try JSONAPIDecoder().decodeNew(NewPost.self, from: Data(body.utf8)) } == ["422 /data/relationships/author/data"])
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decodeNew(NewPost.self, from: Data(body.utf8)) }
        #expect(error?.failure?.expected == "a new resource with a lid")
    }

    @Test("A resource to be created has no links, and of its relationships only the linkage, so that a server does not publish the rest")
    func responseMembersOfACreation() throws {
        struct NewPost: Resource {
            static let type = "posts"
            var id: String?
            var links: ResourceLinks
            var author: ToOne<Blog.Person>
            var fans: ToMany<Blog.Person>
            var editor: RelationshipObject?
            var reviewer: RelationshipObject?
            @Lossy var owner: Blog.Person?
        }
        let person = #"{"type":"people","id":"9"}"#
        let evil = #""links":{"self":"https://evil.example/1"}"#
        let data = #"""
            {"type":"posts",\#(evil),"relationships":{
              "author":{"data":\#(person),\#(evil),"meta":{"evil":1},"@evil":1},
              "fans":{"data":[\#(person)],"links":{"next":"https://evil.example/2"}},
              "editor":{"data":\#(person),\#(evil)},"reviewer":{\#(evil)},"owner":{"data":[],\#(evil)}}}
            """#
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.emptyRelationships]
        let operation = #"{"atomic:operations":[{"op":"add","data":\#(data)}]}"#
        let posts = try [
            decoder.decodeNew(NewPost.self, from: Data(#"{"data":\#(data)}"#.utf8)),
            ReceivedOperations(Data(operation.utf8), decoder: decoder)[0].resource(NewPost.self),
        ]
        for var post in posts {
            #expect(post.author.id == "9" && post.author.links == nil && post.author.meta == nil)
            #expect(post.links == ResourceLinks() && post.reviewer == nil)
            post.id = "1"
            post.fans.append(id: "10")
            let published = try JSONAPIEncoder().encode(post)
            #expect(!String(decoding: published, as: UTF8.self).contains("evil"))
            let relationships = try JSON(parsing: published)["data"]?["relationships"]
            #expect(relationships?["editor"]?["data"]?["id"] == "9" && relationships?["fans"]?["data"]?.array?.count == 2)
        }
    }

    @Test("A resource with a schema gets only the linkage that a client sends, too")
    func responseMembersForASchema() throws {
        struct Member: SchemaResource {
            static let type = "members"
            static let relationshipNames: Set<String> = ["avatar"]
            static let schema = MappingSchema<Member>(creating: Member()) { MappingField(\.avatar, from: "avatar", .omit) }
            var id: String?
            var avatar: JSON?
        }
        let linkage = #"{"data":{"type":"images","id":"1"},"links":{"self":"https://evil.example/1"}}"#
        let text = #"{"data":{"type":"members","relationships":{"avatar":\#(linkage)}}}"#
        let member = try JSONAPIDecoder().decodeNew(Member.self, from: Data(text.utf8))
        #expect(member.avatar == ["data": ["type": "images", "id": "1"]])
    }

    @Test("Another name of a property, which a schema only reads, does not undo a change")
    func nameThatASchemaOnlyReads() throws {
        struct User: SchemaResource {
            static let type = "users"
            static let schema = MappingSchema<User>(creating: User()) {
                MappingField(\.id, "id")
                MappingField(\.name, "name")
                MappingField(\.name, "user_name")
            }.representing("id", "name")
            var id = "1"
            var name: String?
        }
        let body = Data(#"{"data":{"type":"users","id":"1","attributes":{"name":"New"}}}"#.utf8)
        #expect(try Changes<User>(body).applied(to: User(name: "Old")).name == "New")
    }

    @Test("Null for a field that a schema omits is no unknown field, also if it is nil already")
    func omittedFieldsOfASchema() throws {
        struct Task: SchemaResource {
            static let type = "tasks"
            static let schema = MappingSchema<Task>(creating: Task()) {
                MappingField(\.id, "id")
                MappingField(\.note, from: "note", .omit)
                MappingField(\.lat, from: "place.lat", .omit)
                MappingField(\.lon, from: "place.lon", .omit)
            }
            var id = "1"
            var note: String?
            var lat: Int?
            var lon: Int?
        }
        func text(_ attributes: String) -> Data {
            Data(#"{"data":{"type":"tasks","id":"1","attributes":\#(attributes)}}"#.utf8)
        }
        let body = text(#"{"note":null,"place":null}"#)
        let cleared = try Changes<Task>(body).applied(to: Task(note: "n", lat: 1))
        #expect(cleared.note == nil && cleared.lat == nil)
        #expect(try Changes<Task>(body).applied(to: cleared).note == nil)
        #expect(try JSONAPIDecoder().decodeNew(Task.self, from: body).note == nil)
        #expect(answer { _ = try Changes<Task>(text(#"{"nota":null}"#)).applied(to: cleared) } == ["422 /data/attributes/nota"])
        let inside = text(#"{"place":{"lot":null}}"#)
        #expect(answer { _ = try Changes<Task>(inside).applied(to: cleared) } == ["422 /data/attributes/place/lot"])
    }
}
