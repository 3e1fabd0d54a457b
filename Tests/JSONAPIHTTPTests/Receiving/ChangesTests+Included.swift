import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

// New resources that a client includes with a `lid`, beside the one to be created.
extension ChangesTests {
    fileprivate struct Author: Resource, RestrictedFields {
        static let type = "people"
        static let readOnlyFields = ["isAdmin", "groups"]
        var id: String?
        var lid: LocalID?
        var name: String
        var isAdmin: Bool?
        var groups: ToMany<ResourceObject> = .notLoaded
        var friend: ToOne<Author> = .notLoaded
        var home: Home?
    }

    fileprivate struct Home: Resource {
        static let type = "homes"
        var id: String?
        var lid: LocalID?
        var city: String?
    }

    fileprivate enum Writer: ResourceUnion {
        case author(Author), unknown(ResourceObject)
        static let members: [UnionMember<Writer>] = [.init(Writer.author)]
        var resource: any ResourceRepresentable {
            switch self {
            case .author(let author): author
            case .unknown(let object): object
            }
        }
    }

    /// A story that refers to a person in each way in which a model can.
    fileprivate struct NewStory: Resource {
        static let type = "stories"
        var id: String?
        var one: ToOne<Author> = .notLoaded
        var many: ToMany<Author> = .notLoaded
        var embedded: Author?
        var list: [Author]?
        var union: ToOne<Writer> = .notLoaded
        var embeddedUnion: Writer?
        var raw: ToOne<ResourceObject> = .notLoaded
    }

    private func create(_ relationship: String, _ person: String, _ others: String = "", ignoring: Bool = false) throws -> NewStory {
        let isMany = relationship == "many" || relationship == "list"
        let identifier = #"{"type":"people","lid":"p"}"#
        let data = isMany ? "[\(identifier)]" : identifier
        let body = #"""
            {"data":{"type":"stories","relationships":{"\#(relationship)":{"data":\#(data)}}},
             "included":[{"type":"people","lid":"p",\#(person)}\#(others)]}
            """#
        return try JSONAPIDecoder().decodeNew(NewStory.self, from: Data(body.utf8), ignoringUnknownNames: ignoring)
    }

    @Test(
        "A new resource that the client includes has no fields that only the server writes",
        arguments: ["one", "many", "embedded", "list", "union", "embeddedUnion"])
    func restrictedFieldsOfIncluded(_ relationship: String) throws {
        let admin = answer { _ = try create(relationship, #""attributes":{"name":"X","isAdmin":true}"#) }
        #expect(admin == ["403 /included/0/attributes/isAdmin"])
        let groups = answer {
            _ = try create(relationship, #""attributes":{"name":"X"},"relationships":{"groups":{"data":[]}}"#, ignoring: true)
        }
        #expect(groups == ["403 /included/0/relationships/groups"])
        #expect(answer { _ = try create(relationship, #""attributes":{"name":"X"}"#) } == [])
    }

    @Test("A new resource that only another included one links to is checked, too")
    func restrictedFieldsBehindIncluded() throws {
        let friend = #","relationships":{"friend":{"data":{"type":"people","lid":"q"}}}"#
        let admin = #",{"type":"people","lid":"q","attributes":{"name":"Y","isAdmin":true}}"#
        #expect(answer { _ = try create("one", #""attributes":{"name":"X"}"# + friend, admin) } == ["403 /included/1/attributes/isAdmin"])
        let plain = #",{"type":"people","lid":"q","attributes":{"name":"Y"}}"#
        let story = try create("one", #""attributes":{"name":"X"}"# + friend, plain)
        #expect(story.one.value?.friend.value?.name == "Y" && story.one.value?.isAdmin == nil)
    }

    @Test("A field of an included new resource that its model does not have is an error, unless unknown names are ignored")
    func unknownFieldsOfIncluded() throws {
        let misspelled = #""attributes":{"name":"X","nmae":"Y"}"#
        for relationship in ["one", "embedded", "union"] {
            #expect(answer { _ = try create(relationship, misspelled) } == ["422 /included/0/attributes/nmae"], "\(relationship)")
        }
        #expect(try create("one", misspelled, ignoring: true).one.value?.name == "X")
        // A raw resource object has everything that was sent.
        #expect(try create("raw", misspelled).raw.value?[attribute: "nmae"] == "Y")
    }

    @Test("Linkage of an included new resource is checked like that of the resource to be created")
    func linkageOfIncluded() {
        func linked(_ name: String, _ identifier: String) -> [String] {
            answer { _ = try create("one", #""attributes":{"name":"X"},"relationships":{"\#(name)":{"data":\#(identifier)}}"#) }
        }
        #expect(linked("friend", #"{"type":"people","lid":"x"}"#) == ["422 /included/0/relationships/friend/data/lid"])
        #expect(linked("home", #"{"type":"homes","id":"5"}"#) == ["422 /included/0/relationships/home"])
        #expect(linked("friend", #"{"type":"people","id":"5"}"#) == [])
    }

    @Test(
        "A raw reference to the same resource does not allow fields that only the server writes", arguments: ["one", "union", "embedded"])
    func rawBesideModel(name: String) {
        let person = #"{"data":{"type":"people","lid":"p"}}"#
        let body = #"""
            {"data":{"type":"stories","relationships":{"\#(name)":\#(person),"raw":\#(person)}},
             "included":[{"type":"people","lid":"p","attributes":{"name":"X","isAdmin":true}}]}
            """#
        #expect(
            answer { _ = try JSONAPIDecoder().decodeNew(NewStory.self, from: Data(body.utf8)) }
                == ["403 /included/0/attributes/isAdmin"])
    }

    @Test(
        "A resource that the client sends both as data and included is refused, whether the data has fields or not",
        arguments: [(#""id":"p""#, "/included/1"), (#""lid":"p""#, "/included/1/lid")], ["", #","meta":{}"#, #","attributes":{}"#])
    func includedTwin(_ identity: (text: String, place: String), members: String) throws {
        let other = #"{"type":"people",\#(identity.text),"attributes":{"name":"Ann"}}"#
        let twin = #"{"type":"homes",\#(identity.text),"attributes":{"city":"Ulm"}}"#
        let data = #"{"type":"homes",\#(identity.text)\#(members)}"#
        let body = Data(#"{"data":\#(data),"included":[\#(other),\#(twin)]}"#.utf8)
        for mode in [JSONAPIDecoder.Mode.strict, .standard] {
            let decoder = JSONAPIDecoder(mode: mode)
            #expect(answer { _ = try decoder.decodeNew(Home.self, from: body) } == ["400 \(identity.place)"])
            #expect(answer { _ = try Changes<Home>(body, decoder: decoder) } == ["400 \(identity.place)"])
        }
        // The leniency `duplicateIncluded` is set.
        #expect(answer { _ = try JSONAPIDecoder(mode: .lenient).decodeNew(Home.self, from: body) } == [])
    }

    @Test("An included resource with a value that the server could not send is refused")
    func unwritableValue() {
        struct Child: Resource {
            static let type = "children"
            var id: String?
            var lid: LocalID?
            var born: Date
        }
        struct Parent: Resource {
            static let type = "parents"
            var id: String?
            var child: ToOne<Child>
        }
        let body = #"""
            {"data":{"type":"parents","relationships":{"child":{"data":{"type":"children","lid":"c"}}}},
             "included":[{"type":"children","lid":"c","attributes":{"born":"9999-12-31T23:59:59-01:00"}}]}
            """#
        #expect(
            answer { _ = try JSONAPIDecoder().decodeNew(Parent.self, from: Data(body.utf8)) } == ["422 /included/0/attributes/born"])
    }

    fileprivate struct Summary: Resource {
        static let type = "people"
        var id: String?
        var lid: LocalID?
        var name: String
    }

    @Test("A field of an included resource is unknown only if no model has it as which the resource was read")
    func twoModels() throws {
        struct Letter: Resource {
            static let type = "letters"
            var id: String?
            var author: ToOne<Author>
            var reviewer: ToOne<Summary>
        }
        let person = #"{"type":"people","lid":"p"}"#
        func received(_ attribute: String) -> [String] {
            let body = #"""
                {"data":{"type":"letters","relationships":{"author":{"data":\#(person)},"reviewer":{"data":\#(person)}}},"included":[
                 {"type":"people","lid":"p","attributes":{"name":"X","\#(attribute)":{"city":"Y"}},"relationships":{"friend":{"data":null}}}]}
                """#
            return answer { _ = try JSONAPIDecoder().decodeNew(Letter.self, from: Data(body.utf8)) }
        }
        #expect(received("other") == ["422 /included/0/attributes/other"])
        let body = #"""
            {"data":{"type":"letters","relationships":{"author":{"data":\#(person)},"reviewer":{"data":\#(person)}}},
             "included":[{"type":"people","lid":"p","attributes":{"name":"X"},"relationships":{"friend":{"data":null}}}]}
            """#
        let letter = try JSONAPIDecoder().decodeNew(Letter.self, from: Data(body.utf8))
        #expect(letter.author.value?.name == "X" && letter.reviewer.value?.name == "X")
    }

    fileprivate struct Remark: Resource {
        static let type = "remarks"
        var id: String?
        var lid: LocalID?
        var essay: NewEssay?
    }

    fileprivate struct NewEssay: Resource {
        static let type = "essays"
        var id: String?
        var remarks: [Remark]?
    }

    @Test("An included new resource may link back to the resource to be created", arguments: [#""id":"A""#, #""lid":"A""#])
    func linkBack(identity: String) throws {
        let body = #"""
            {"data":{"type":"essays",\#(identity),"relationships":{"remarks":{"data":[{"type":"remarks","lid":"c"}]}}},
             "included":[{"type":"remarks","lid":"c","relationships":{"essay":{"data":{"type":"essays",\#(identity)}}}}]}
            """#
        let essay = try JSONAPIDecoder().decodeNew(NewEssay.self, from: Data(body.utf8))
        #expect(essay.remarks?.map(\.lid?.value) == ["c"])
    }

    fileprivate struct StrictRemark: Resource {
        static let type = "remarks"
        var id: String?
        var lid: LocalID?
        var essay: StrictEssay?
    }

    fileprivate struct StrictEssay: Resource {
        static let type = "essays"
        var id: String?
        var remarks: [StrictRemark]
    }

    @Test("An included new resource that cannot be read on its own is checked, too")
    func cycleOfRequired() {
        func received(_ attributes: String) -> [String] {
            let body = #"""
                {"data":{"type":"essays","id":"A","relationships":{"remarks":{"data":[{"type":"remarks","lid":"c"}]}}},
                 "included":[{"type":"remarks","lid":"c","attributes":{\#(attributes)},
                  "relationships":{"essay":{"data":{"type":"essays","id":"A"}}}}]}
                """#
            return answer { _ = try JSONAPIDecoder().decodeNew(StrictEssay.self, from: Data(body.utf8)) }
        }
        #expect(received("") == [])
        #expect(received(#""bogus":1"#) == ["422 /included/0/attributes/bogus"])
    }

    @Test("Included new resources that link back to the resource to be created are read once")
    func manyLinksBack() {
        let lids = (0..<50).map { #"{"type":"remarks","lid":"\#($0)"}"# }.joined(separator: ",")
        let back = #""relationships":{"essay":{"data":{"type":"essays","id":"A"}}}"#
        let attributes = Array(repeating: "{}", count: 49) + [#"{"bogus":1}"#]
        let remarks = attributes.enumerated().map { #"{"type":"remarks","lid":"\#($0)",\#(back),"attributes":\#($1)}"# }
        let body = #"""
            {"data":{"type":"essays","id":"A","relationships":{"remarks":{"data":[\#(lids)]}}},
             "included":[\#(remarks.joined(separator: ","))]}
            """#
        var decoder = JSONAPIDecoder()
        decoder.maximumExpansions = 10
        #expect(answer { _ = try decoder.decodeNew(NewEssay.self, from: Data(body.utf8)) } == ["422 /included/49/attributes/bogus"])
    }

    @Test("Linkage of an included new resource is checked, also if a cycle is cut there when it is read on another path")
    func cutLater() {
        struct Node: Resource {
            static let type = "nodes"
            var id: String?
            var lid: LocalID?
            var next: [Node]?
        }
        struct Graph: Resource {
            static let type = "graphs"
            var id: String?
            var first: Node?
            var second: Node?
        }
        let (a, b) = (#"{"type":"nodes","lid":"a"}"#, #"{"type":"nodes","lid":"b"}"#)
        func received(_ other: String) -> [String] {
            let body = #"""
                {"data":{"type":"graphs","relationships":{"first":{"data":\#(a)},"second":{"data":\#(b)}}},"included":[
                 {"type":"nodes","lid":"a","relationships":{"next":{"data":[\#(b)\#(other)]}}},
                 {"type":"nodes","lid":"b","relationships":{"next":{"data":[\#(a)]}}}]}
                """#
            return answer { _ = try JSONAPIDecoder(mode: .lenient).decodeNew(Graph.self, from: Data(body.utf8)) }
        }
        #expect(received("") == [])
        #expect(received(#",{"type":"nodes","id":"5"}"#) == ["422 /included/0/relationships/next"])
    }

    @Test("The members that a client writes into an identifier are not kept")
    func membersOfIdentifiers() throws {
        struct Reader: Resource {
            static let type = "people"
            var id: String?
            var name: String?
        }
        struct Review: Resource {
            static let type = "reviews"
            var id: String?
            var author: ToOne<Reader> = .notLoaded
            var editor: RelationshipObject?
            var readers: [ResourceIdentifier]?
        }
        let author = #"""
            {"type":"people","id":"9","attributes":{"name":"evil"},"links":{"self":"https://example.com"},"meta":{"role":"lead"},
             "nick":"evil","@nick":"evil"}
            """#
        func body(_ identity: String) -> Data {
            let relationships = #"""
                "author":{"data":\#(author)},"editor":{"data":\#(author)},"readers":{"data":[\#(author)]}
                """#
            return Data(#"{"data":{"type":"reviews"\#(identity),"relationships":{\#(relationships)}}}"#.utf8)
        }
        let kept: JSON = ["type": "people", "id": "9", "meta": ["role": "lead"]]
        func check(_ review: Review) throws {
            #expect(review.author.identifier?.json == kept && review.editor?.data.json == kept)
            #expect(review.readers?.map(\.json) == [kept])
            var published = review
            published.id = "1"
            #expect(try !String(decoding: JSONAPIEncoder().encode(published), as: UTF8.self).contains("evil"))
        }
        try check(JSONAPIDecoder().decodeNew(Review.self, from: body("")))
        let changes = try Changes<Review>(body(#","id":"1""#), for: "1")
        #expect(changes.linkage("author").json == kept)
        try check(changes.applied(to: Review(id: "1")))
        let operation = #"{"op":"update","ref":{"type":"reviews","id":"1","relationship":"author"},"data":\#(author)}"#
        let operations = try ReceivedOperations(Data(#"{"atomic:operations":[\#(operation)]}"#.utf8))
        #expect(operations[0].linkage.json == kept)
    }
}
