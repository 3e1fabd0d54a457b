import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

@Suite("Received changes")
struct ChangesTests {
    struct Article: Resource, RestrictedFields, Equatable {
        static let type = "articles"
        static let readOnlyFields = ["createdAt", "editor"]
        static let createOnlyFields = ["slug"]
        var id: String
        var title: String
        var subtitle: String?
        var place: Place?
        var createdAt: Date?
        var slug: String?
        var author: ToOne<Blog.Person> = .notLoaded
        var editor: ToOne<Blog.Person> = .notLoaded
        var tags: ToMany<ResourceObject> = .notLoaded
    }
    struct Place: Codable, Equatable {
        var city: String
        var zip: String?
    }

    let article = Article(
        id: "1", title: "Old", subtitle: "Sub", place: Place(city: "Ulm", zip: "1"), createdAt: Date(timeIntervalSince1970: 0.25),
        slug: "s",
        author: ToOne(Blog.Person(id: "9", name: "Ann")))

    func changes(_ data: String, for id: String? = "1") throws -> Changes<Article> {
        try Changes(Data(#"{"data":\#(data)}"#.utf8), for: id)
    }

    func answer(_ body: () throws -> Void) -> [String] {
        do { try body() } catch {
            return ErrorDocument(error).errors.map { "\($0.status ?? "") \($0.source?.pointerText ?? "")" }
        }
        return []
    }

    @Test("They contain what is set, cleared, linked, and absent")
    func reading() throws {
        let changes = try changes(
            #"""
            {"type":"articles","id":"1","attributes":{"title":"New","subtitle":null,"@x":1},
             "relationships":{"author":{"data":{"type":"people","id":"3"}},"tags":{"data":[]}}}
            """#)
        #expect(changes.names == ["title", "subtitle", "author", "tags"])
        #expect(changes["title"] == .value("New") && changes["subtitle"] == .null && changes["place"] == .absent)
        #expect(changes.linkage("author") == .one(ResourceIdentifier(type: "people", id: "3")))
        #expect(changes.linkage("tags") == .many([]) && changes.linkage("editor") == .absent)
        #expect(changes.contains("tags") && !changes.contains("place") && !changes.isEmpty && changes.id == "1")
        #expect(try changes.value(String.self, of: "title").value == "New")
        #expect(try changes.value(String.self, of: "subtitle").isNull)
        #expect(answer { _ = try changes.value(Int.self, of: "title") } == ["422 /data/attributes/title"])
    }

    private class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        let id: String
        let name: String
    }
    private final class Dog: Animal, RestrictedFields, @unchecked Sendable {
        static let createOnlyFields = ["breed"]
        let breed: String

        private enum CodingKeys: CodingKey { case breed }
        required init(from decoder: any Decoder) throws {
            breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(breed, forKey: .breed)
        }
    }

    private let dog = Data(#"{"data":{"type":"animals","id":"1","attributes":{"name":"Rex","breed":"Terrier"}}}"#.utf8)

    @Test("Applying changes to an object of a subclass keeps its class and its properties")
    func subclass() throws {
        let dog = try JSONAPIDecoder().decode(Dog.self, from: dog)
        let body = #"{"data":{"type":"animals","id":"1","attributes":{"name":"Max"}}}"#
        let changed = try Changes<Animal>(Data(body.utf8), for: "1").applied(to: dog)
        #expect(changed.name == "Max" && (changed as? Dog)?.breed == "Terrier")
    }

    private final class Wolf: Animal, @unchecked Sendable {
        override class var type: String { "wolves" }
    }

    @Test("A new resource of a class that is chosen at run time has the type of that class")
    func chosenClass() throws {
        let type: Animal.Type = Wolf.self
        let body = Data(#"{"data":{"type":"wolves","id":"1","attributes":{"name":"Max"}}}"#.utf8)
        #expect(try JSONAPIDecoder().decodeNew(type, from: body) is Wolf)
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(type, from: dog) } == ["409 /data/type"])
    }

    @Test("Fields that only the subclass of an object restricts are refused")
    func restrictedSubclass() throws {
        let changes = try Changes<Animal>(
            Data(#"{"data":{"type":"animals","id":"1","attributes":{"name":"Max","breed":"Poodle"}}}"#.utf8))
        let dog: Animal = try JSONAPIDecoder().decode(Dog.self, from: dog)
        #expect(answer { _ = try changes.applied(to: dog) } == ["403 /data/attributes/breed"])
        let animal = try JSONAPIDecoder().decode(Animal.self, from: self.dog)
        #expect(answer { _ = try changes.applied(to: animal) } == ["422 /data/attributes/breed"])
    }

    @Test("Applying changes keeps everything else")
    func applying() throws {
        let changes = try changes(
            #"{"type":"articles","id":"1","attributes":{"title":"New","subtitle":null,"place":{"city":"Bonn"}},"relationships":{"tags":{"data":[{"type":"tags","id":"t"}]}}}"#
        )
        var expected = article
        expected.title = "New"
        expected.subtitle = nil
        expected.place = Place(city: "Bonn")
        expected.tags = ToMany(identifiers: [ResourceIdentifier(type: "tags", id: "t")])
        let changed = try changes.applied(to: article)
        #expect(changed == expected)
        #expect(changed.author.value?.name == "Ann")
        var copy = article
        try changes.apply(to: &copy)
        #expect(copy == expected)
        let relinked = try self.changes(
            #"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"3"}}}}"#
        ).applied(to: article)
        #expect(relinked.author.id == "3" && relinked.author.value == nil && relinked.title == "Old")
    }

    @Test("Invalid changes are errors with a status and a place")
    func refusals() throws {
        #expect(answer { _ = try changes(#"{"type":"people","id":"1"}"#) } == ["409 /data/type"])
        #expect(answer { _ = try changes(#"{"type":"articles"}"#) } == ["400 /data"])
        #expect(answer { _ = try changes(#"{"type":"articles","id":"2"}"#) } == ["409 /data/id"])
        #expect(try changes(#"{"type":"articles","id":"2"}"#, for: nil).id == "2")
        #expect(answer { _ = try changes("[]") } == ["400 /data"])
        #expect(answer { _ = try changes("null") } == ["400 /data"])
        #expect(
            answer {
                _ = try changes(
                    #"{"type":"articles","id":"1","attributes":{"createdAt":"x","slug":"n"},"relationships":{"editor":{"data":null}}}"#)
            } == ["403 /data/attributes/createdAt", "403 /data/relationships/editor", "403 /data/attributes/slug"])
        func applied(_ data: String) -> [String] { answer { _ = try changes(data).applied(to: article) } }
        #expect(applied(#"{"type":"articles","id":"1","attributes":{"title":null}}"#) == ["422 /data/attributes/title"])
        #expect(applied(#"{"type":"articles","id":"1","attributes":{"place":{"zip":"1"}}}"#) == ["422 /data/attributes/place"])
        #expect(applied(#"{"type":"articles","id":"1","attributes":{"titel":"T"}}"#) == ["422 /data/attributes/titel"])
        #expect(applied(#"{"type":"articles","id":"1","relationships":{"autor":{"data":null}}}"#) == ["422 /data/relationships/autor"])
        #expect(answer { _ = try changes(#"{"type":"articles","id":"2"}"#, for: nil).applied(to: article) } == ["409 /data"])
        let unknown = try changes(#"{"type":"articles","id":"1","attributes":{"titel":"T","title":"New"}}"#)
        #expect(try unknown.applied(to: article, ignoringUnknownNames: true).title == "New")
    }

    @Test("An empty id is refused as in a POST request")
    func emptyID() throws {
        let data = #"{"type":"articles","id":"","attributes":{"title":"T"}}"#
        let created = answer { _ = try JSONAPIDecoder().decodeNew(Article.self, from: Data(#"{"data":\#(data)}"#.utf8)) }
        #expect(created == ["422 /data/id"])
        #expect(answer { _ = try changes(data, for: nil) } == created)
        #expect(answer { _ = try changes(data) } == ["409 /data/id"])
        let operations = try ReceivedOperations(Data(#"{"atomic:operations":[{"op":"update","data":\#(data)}]}"#.utf8))
        #expect(answer { _ = try operations[0].changes(Article.self) } == created)
    }

    private struct Venue: Resource {
        static let type = "venues"
        var id: String?
        var place: Place?
        var town: String?
        var latitude: Double?
        enum CodingKeys: String, CodingKey {
            case id, place
            case town = "attributes.addr.city"
            case latitude = "attributes.addr.geo.lat"
        }
    }

    @Test(
        "Members beside a coding key with a path are unknown fields, because they would be lost",
        arguments: [
            (#"{"city":"X","zip":"2"}"#, ["422 /data/attributes/addr/zip"]), (#"{"zip":"2"}"#, ["422 /data/attributes/addr/zip"]),
            (#"{"geo":{"lat":1,"lon":2},"zip":"2"}"#, ["422 /data/attributes/addr/geo/lon", "422 /data/attributes/addr/zip"]),
            (#""X""#, ["422 /data/attributes/addr"]), (#"{"city":"X","geo":{"lat":1}}"#, []), (#"{"city":null,"@note":1}"#, []),
            ("{}", []), ("null", []),
        ] as [(String, [String])])
    func membersBesidePaths(addr: String, expected: [String]) throws {
        let text = #"{"data":{"type":"venues","id":"1","attributes":{"addr":\#(addr)}}}"#
        let new = text.replacing(#""id":"1","#, with: "")
        #expect(answer { _ = try Changes<Venue>(Data(text.utf8), for: "1").applied(to: Venue(id: "1")) } == expected)
        #expect(answer { _ = try JSONAPIDecoder(mode: .strict).decodeNew(Venue.self, from: Data(new.utf8)) } == expected)
        let changes = try Changes<Venue>(Data(text.utf8), for: "1")
        // A text in place of the object is not an unknown name.
        let ignoring = addr == #""X""# ? expected : []
        #expect(answer { _ = try changes.applied(to: Venue(id: "1"), ignoringUnknownNames: true) } == ignoring)
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Venue.self, from: Data(new.utf8), ignoringUnknownNames: true) } == ignoring)
    }

    @Test("Members of a nested value are the business of its type, and RemainingMembers keeps those beside a path")
    func nestedMembers() throws {
        struct Site: Resource {
            static let type = "venues"
            var id: String?
            var town: String?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey {
                case id
                case town = "attributes.addr.city"
                case rest = "attributes.addr"
            }
        }
        let place = Data(#"{"data":{"type":"venues","attributes":{"place":{"city":"R","area":"1"}}}}"#.utf8)
        #expect(try JSONAPIDecoder(mode: .strict).decodeNew(Venue.self, from: place).place == Place(city: "R"))
        let addr = Data(#"{"data":{"type":"venues","attributes":{"addr":{"city":"X","zip":"2"}}}}"#.utf8)
        let site = try JSONAPIDecoder(mode: .strict).decodeNew(Site.self, from: addr)
        #expect(site.town == "X" && site.rest.members["zip"] == "2")
    }

    private struct Geo: Codable {
        var lat: Double
    }
    private struct Spot: Resource {
        static let type = "spots"
        var id: String
        var title: String?
        var geo: Geo?
        var list: [Geo]?
        var rest: RemainingMembers
        enum CodingKeys: String, CodingKey {
            case id, title, geo, list
            case rest = "attributes"
        }
    }
    private struct Trip: Resource {
        static let type = "trips"
        var id: String
        var name: String
        var spot: Spot?
    }

    @Test("Changes keep the members inside nested values that only the remaining members have")
    func remainingInsideValues() throws {
        let text = #"{"type":"spots","id":"1","attributes":{"title":"a","geo":{"lat":1,"alt":3},"list":[{"lat":2,"alt":4}],"x":5}}"#
        let spot = try JSONAPIDecoder().decode(Spot.self, from: Data(#"{"data":\#(text)}"#.utf8))
        func rest(_ attributes: String) throws -> JSONObject {
            let body = #"{"data":{"type":"spots","id":"1","attributes":\#(attributes)}}"#
            return try Changes<Spot>(Data(body.utf8), for: "1").applied(to: spot).rest.members
        }
        let expected: JSONObject = ["title": "b", "geo": ["lat": 1, "alt": 3], "list": [["lat": 2, "alt": 4]], "x": 5]
        #expect(try rest(#"{"title":"b"}"#) == expected)
        // What the client sends replaces an attribute as a whole.
        #expect(try rest(#"{"geo":{"lat":9}}"#)["geo"] == ["lat": 9])
        let linked = #"{"type":"trips","id":"1","attributes":{"name":"n"},"relationships":{"spot":{"data":{"type":"spots","id":"1"}}}}"#
        let trip = try JSONAPIDecoder().decode(Trip.self, from: Data(#"{"data":\#(linked),"included":[\#(text)]}"#.utf8))
        let renamed = #"{"data":{"type":"trips","id":"1","attributes":{"name":"m"}}}"#
        let changed = try Changes<Trip>(Data(renamed.utf8)).applied(to: trip)
        #expect(changed.name == "m" && changed.spot?.rest.members["geo"] == ["lat": 1, "alt": 3])
    }

    private struct Paper: Resource {
        static let type = "papers"
        var id: String
        var title: String
        var revision: Int
        var stamp: String?
        enum CodingKeys: String, CodingKey {
            case id, title
            case revision = "meta.revision"
            case stamp = "meta.log.stamp"
        }
    }
    private struct Ledger: Resource {
        static let type = "papers"
        var id: String
        var title: String
        var meta: ResourceMeta<JSONObject>
    }

    @Test(
        "A value in meta stays if the request does not have it",
        arguments: [
            (#"{"trace":"x"}"#, 7, "s"), ("{}", 7, "s"), (#"{"revision":8}"#, 8, "s"), (#"{"log":{"trace":"x"}}"#, 7, "s"),
            (#"{"log":{"stamp":"t"}}"#, 7, "t"), (#"{"log":{"stamp":null}}"#, 7, nil),
        ] as [(String, Int, String?)])
    func valuesInMeta(_ meta: String, _ revision: Int, _ stamp: String?) throws {
        let body = #"{"data":{"type":"papers","id":"1","attributes":{"title":"b"},"meta":\#(meta)}}"#
        let changed = try Changes<Paper>(Data(body.utf8), for: "1").applied(to: Paper(id: "1", title: "a", revision: 7, stamp: "s"))
        #expect(changed.title == "b" && changed.revision == revision && changed.stamp == stamp)
    }

    @Test("Meta replaces the whole meta of a model that has all of it")
    func wholeMeta() throws {
        let old = #"{"data":{"type":"papers","id":"1","attributes":{"title":"a"},"meta":{"revision":7}}}"#
        let ledger = try JSONAPIDecoder().decode(Ledger.self, from: Data(old.utf8))
        func meta(_ members: String) throws -> JSON? {
            let body = #"{"data":{"type":"papers","id":"1","attributes":{"title":"b"}\#(members)}}"#
            let changed = try Changes<Ledger>(Data(body.utf8), for: "1").applied(to: ledger)
            return try JSONAPIEncoder().resourceObject(changed).meta.map { JSON.object($0) }
        }
        #expect(try meta(#","meta":{"trace":"x"}"#) == ["trace": "x"])
        #expect(try meta("") == ["revision": 7])
    }

    @Test("A restricted name that is only that of meta or of a value in it is an error of the server")
    func restrictedMeta() throws {
        struct Stamped: Resource, RestrictedFields {
            static let type = "papers"
            static let readOnlyFields = ["revision"]
            var id: String
            var title: String
            var revision: Int?
            enum CodingKeys: String, CodingKey {
                case id, title
                case revision = "meta.revision"
            }
        }
        struct Titled: Resource, RestrictedFields {
            static let type = "papers"
            static let readOnlyFields = ["meta"]
            var id: String
            var title: String
            var meta: ResourceMeta<JSONObject>?
        }
        let body = Data(#"{"data":{"type":"papers","id":"1","attributes":{"title":"b"},"meta":{"revision":9}}}"#.utf8)
        #expect(answer { _ = try Changes<Stamped>(body).applied(to: Stamped(id: "1", title: "a")) } == ["500 "])
        #expect(answer { _ = try Changes<Titled>(body).applied(to: Titled(id: "1", title: "a")) } == ["500 "])
    }

    @Test("A UUID is the same id in upper and lower case, and every other id is compared byte by byte")
    func idsInEitherCase() throws {
        struct Photo: Resource {
            static let type = "photos"
            var id: UUID
            var title: String
        }
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        for text in [uuid.uuidString, uuid.uuidString.lowercased()] {
            let data = #"{"type":"photos","id":"\#(text)","attributes":{"title":"New"}}"#
            let changes = try Changes<Photo>(Data(#"{"data":\#(data)}"#.utf8), for: uuid)
            #expect(changes.id == uuid && changes.identifier.id == uuid.uuidString)
            #expect(try changes.applied(to: Photo(id: uuid, title: "Old")).title == "New")
            let ref = #"{"type":"photos","id":"\#(uuid.uuidString)"}"#
            let operation = #"{"atomic:operations":[{"op":"update","ref":\#(ref),"data":\#(data)}]}"#
            #expect(try ReceivedOperations(Data(operation.utf8))[0].changes(Photo.self).id == uuid)
        }
        #expect(answer { _ = try changes(#"{"type":"articles","id":"A"}"#, for: "a") } == ["409 /data/id"])
        #expect(answer { _ = try changes(#"{"type":"articles","id":"é"}"#, for: "e\u{301}") } == ["409 /data/id"])
    }

    @Test("Linking an embedded resource that is not available is an error")
    func embedded() throws {
        struct Thread: Resource {
            static let type = "threads"
            var id: String
            var people: [Blog.Person]
            var owner: Blog.Person?
        }
        let ann = Blog.Person(id: "9", name: "Ann")
        let thread = Thread(id: "1", people: [ann, Blog.Person(id: "3", name: "Bea")], owner: ann)
        func applied(_ relationships: String) throws -> Thread {
            let text = #"{"data":{"type":"threads","id":"1","relationships":\#(relationships)}}"#
            return try Changes<Thread>(Data(text.utf8)).applied(to: thread)
        }
        #expect(try applied(#"{"people":{"data":[{"type":"people","id":"3"}]},"owner":{"data":null}}"#).people.map(\.name) == ["Bea"])
        #expect(try applied(#"{"people":{"data":[]}}"#).people == [])
        for unknown in [#"{"people":{"data":[{"type":"people","id":"4"}]}}"#, #"{"owner":{"data":{"type":"people","id":"4"}}}"#] {
            let refused = answer { _ = try applied(unknown) }
            #expect(refused.count == 1 && refused[0].hasPrefix("422 /data/relationships/"))
        }
    }

    @Test("Applying changes uses the strategies of the decoder", arguments: ["seconds", "milliseconds", "layout", "deferred", "iso8601"])
    func strategies(dates: String) throws {
        struct Event: Resource, Equatable {
            static let type = "events"
            var id: Int
            var startsAt: Date
            var endsAt: Date?
        }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        let (strategy, value): (JSONAPIDecoder.DateDecodingStrategy, String) =
            switch dates {
            case "seconds": (.secondsSince1970, "86400")
            case "milliseconds": (.millisecondsSince1970, "86400000")
            case "layout": (.layout("dd.MM.yyyy"), #""02.01.1970""#)
            case "deferred": (.deferredToDate, "-978220800")
            default: (.iso8601, #""1970-01-02T00:00:00Z""#)
            }
        decoder.dateDecodingStrategy = strategy
        let body = Data(#"{"data":{"type":"events","id":"7","attributes":{"starts-at":\#(value)}}}"#.utf8)
        let day: Double = 86_400
        let event = Event(id: 7, startsAt: .init(timeIntervalSince1970: 0), endsAt: .init(timeIntervalSince1970: 9 * day))
        let changed = try Changes<Event>(body, for: 7, decoder: decoder).applied(to: event)
        #expect(changed == Event(id: 7, startsAt: .init(timeIntervalSince1970: day), endsAt: event.endsAt))
        #expect(try Changes<Event>(body, decoder: decoder).value(Date.self, of: "starts-at").value == changed.startsAt)
    }

    @Test("Links of the encoder's linkMaker do not become part of the model")
    func noLinks() throws {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = AddressTemplates(server: "/api").linkMaker
        let changes = try changes(#"{"type":"articles","id":"1","attributes":{"title":"New"}}"#)
        let changed = try changes.applied(to: article, encoder: encoder)
        #expect(changed.author.links == nil && changed.author == article.author)
    }

    @Test("Restricted fields are omitted from requests, and kept in responses")
    func restrictedFields() throws {
        func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
        let encoder = JSONAPIEncoder()
        var plain = article
        plain.place = nil
        plain.editor = ToOne(id: "4")
        #expect(
            try text(encoder.encode(Create(plain)))
                == #"{"data":{"type":"articles","attributes":{"title":"Old","subtitle":"Sub","slug":"s"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}}}"#
        )
        let patch = plain.patch {
            $0.title = "New"
            $0.slug = "n"
            $0.editor = nil
        }
        #expect(try text(encoder.encode(patch)) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"New"}}}"#)
        let named = Patch<Article>(id: "1").set("slug", "n")
        #expect(try text(encoder.encode(named)) == #"{"data":{"type":"articles","id":"1"}}"#)
        var operations = AtomicOperations()
        operations.add(plain, clientID: true)
        operations.update(patch)
        let sent = try text(encoder.encode(operations))
        #expect(!sent.contains("slug\":\"n") && sent.contains("slug\":\"s") && !sent.contains("createdAt"))
        #expect(try text(encoder.encode(plain)).contains("createdAt"))
        let object = ResourceObject(type: "articles", attributes: ["title": "T", "createdAt": "x"])
        #expect(answer { try Article.checkCreation(object) } == ["403 /data/attributes/createdAt"])
    }

    @Test("A relationship without data says nothing, so the linkage stays")
    func withoutData() throws {
        let decoder = JSONAPIDecoder(mode: .lenient)
        var tagged = article
        tagged.tags = ToMany(identifiers: [ResourceIdentifier(type: "tags", id: "1")])
        for body in [#"{"author":{"meta":{}},"tags":{"links":{"related":"/t"}}}"#, #"{"author":{},"tags":{}}"#] {
            let text = #"{"data":{"type":"articles","id":"1","relationships":\#(body)}}"#
            let result = try Changes<Article>(Data(text.utf8), decoder: decoder).applied(to: tagged)
            #expect(result.author.id == "9" && result.tags.data == tagged.tags.data)
            // Names of relationships that the model has not loaded are known, too.
            let bare = Article(id: "1", title: "T")
            #expect(try Changes<Article>(Data(text.utf8), decoder: decoder).applied(to: bare).tags.isLoaded == false)
        }
    }

    @Test("Linkage that a client sends is whole, also for a relationship of which the server has read one page")
    func pages() throws {
        struct Album: Resource {
            static let type = "albums"
            var id: String
            var tracks: ToMany<Blog.Person> = .notLoaded
            var covers: RelationshipObject?
        }
        let links = #"{"self":"/albums/1/relationships/t","first":"/t?page=1","next":"/t?page=2","last":"/t?page=9"}"#
        let page = #"{"data":[{"type":"people","id":"1"}],"links":\#(links)}"#
        let document = #"{"data":{"type":"albums","id":"1","relationships":{"tracks":\#(page),"covers":\#(page)}}}"#
        let album = try JSONAPIDecoder().decode(Album.self, from: Data(document.utf8))
        func applied(_ relationships: String) throws -> Album {
            let text = #"{"data":{"type":"albums","id":"1","relationships":\#(relationships)}}"#
            return try Changes<Album>(Data(text.utf8)).applied(to: album)
        }
        var changed = try applied(#"{"tracks":{"data":[]},"covers":{"data":[]}}"#)
        #expect(changed.tracks.isEmpty && changed.tracks.allValues == [])
        for left in [changed.tracks.links, changed.covers?.links] { #expect(left?.members.names.map { $0 } == ["self"]) }
        changed.tracks.append(id: "2")
        let published = try JSON(parsing: JSONAPIEncoder().encode(changed))["data"]?["relationships"]?["tracks"]
        #expect(published?["data"] == [["type": "people", "id": "2"]] && published?["links"]?["next"] == nil)
        // What is not sent stays a page.
        let other = try applied(#"{"covers":{"data":[]}}"#).tracks
        #expect(other.links?.next != nil && other.allValues == nil)
    }

    @Test("An attribute with the name of a relationship is an unknown field, and the reverse")
    func wrongGroup() throws {
        func applied(_ data: String) -> [String] {
            answer { _ = try changes(#"{"type":"articles","id":"1",\#(data)}"#).applied(to: article) }
        }
        #expect(applied(#""attributes":{"author":"Ann"}"#) == ["422 /data/attributes/author"])
        #expect(applied(#""relationships":{"subtitle":{"data":null}}"#) == ["422 /data/relationships/subtitle"])
    }

    @Test("Resources that an optional array cannot embed are refused, even if unknown names are ignored")
    func optionalArray() throws {
        struct Shelf: Resource {
            static let type = "shelves"
            var id: String
            var books: [Blog.Person]?
        }
        let text = #"{"data":{"type":"shelves","id":"1","relationships":{"books":{"data":[{"type":"people","id":"9"}]}}}}"#
        let changes = try Changes<Shelf>(Data(text.utf8))
        for ignoring in [false, true] {
            #expect(throws: ErrorDocument.self) { _ = try changes.applied(to: Shelf(id: "1"), ignoringUnknownNames: ignoring) }
            let answers = answer { _ = try changes.applied(to: Shelf(id: "1"), ignoringUnknownNames: ignoring) }
            #expect(answers == ["422 /data/relationships/books"])
        }
        let held = Shelf(id: "1", books: [Blog.Person(id: "9", name: "Ann")])
        #expect(try changes.applied(to: held).books?.map(\.name) == ["Ann"])
    }

    @Test("The limits of the decoder apply to the request only")
    func limits() throws {
        struct Note: Resource {
            static let type = "notes"
            var id: String
            var body: JSON?
            var other: JSON?
        }
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 2000
        let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        let data = #"{"type":"notes","id":"1","attributes":{"body":\#(deep)}}"#
        let body = Data(#"{"data":\#(data)}"#.utf8)
        func isDeep(_ json: JSON?) -> Bool { json?[0]?[0]?[0]?[0]?[0] != nil }

        let changes = try Changes<Note>(body, decoder: decoder)
        #expect(isDeep(try changes.value(JSON.self, of: "body").value))
        #expect(isDeep(try changes.applied(to: Note(id: "1")).body))
        #expect(isDeep(try decoder.decodeNew(Note.self, from: body).body))
        func operation(_ code: String) throws -> ReceivedOperation {
            try ReceivedOperations(Data(#"{"atomic:operations":[{"op":"\#(code)","data":\#(data)}]}"#.utf8), decoder: decoder)[0]
        }
        #expect(isDeep(try operation("add").resource(Note.self).body))
        #expect(isDeep(try operation("update").changes(Note.self).applied(to: Note(id: "1")).body))

        // A model can be larger than a request may be.
        decoder.reading.maximumDepth = 4
        decoder.reading.maximumBytes = 100
        let small = try Changes<Note>(Data(#"{"data":{"type":"notes","id":"1","attributes":{"body":1}}}"#.utf8), decoder: decoder)
        let large = Note(id: "1", other: try JSON(parsing: "[[[[[[\"\(String(repeating: "x", count: 200))\"]]]]]]"))
        #expect(isDeep(try small.applied(to: large).other))
    }

    @Test("All problems of a request become errors")
    func allProblems() throws {
        struct Counter: Resource {
            static let type = "counters"
            var id: String?
            var from: Int
            var to: Int
        }
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        let body = Data(#"{"data":{"type":"counters","id":"1","attributes":{"from":"x","to":"y"}}}"#.utf8)
        let expected = ["422 /data/attributes/from", "422 /data/attributes/to"]
        #expect(answer { _ = try decoder.decodeNew(Counter.self, from: body) } == expected)
        let counter = Counter(id: "1", from: 1, to: 2)
        #expect(answer { _ = try Changes<Counter>(body, decoder: decoder).applied(to: counter) } == expected)
        // Further problems are counted.
        let attributes = #"{"from":"x","to":"y"}"#
        let many = (0..<800).map { #"{"type":"counters","id":"\#($0)","attributes":\#(attributes)}"# }.joined(separator: ",")
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Counter].self, from: Data(#"{"data":[\#(many)]}"#.utf8)) }
        let failure = try #require(error?.failure)
        let errors = ErrorDocument(failure).errors
        #expect(failure.omittedCount > 0 && errors.count == failure.others.count + 2)
        #expect(errors.last?.detail == "\(failure.omittedCount) more problems are left out." && errors.last?.source == nil)
    }

    @Test("A rewriter of the decoder changes what the request has, and nothing else")
    func rewriting() throws {
        struct Shop: Resource, Equatable {
            static let type = "shops"
            var id: String
            var testName: String?
            var count: Int?
            var kind: String?
        }
        var decoder = JSONAPIDecoder()
        decoder.rewriters = [
            "shops": Rewriter(unreferenced: .drop) {
                Rule("testName", from: "test_name")
                Rule("count", from: "number", .lenientInt)
                Rule("kind", from: "sort").ifMissing { _, _ in "plain" }
            }
        ]
        func changes(_ attributes: String) throws -> Changes<Shop> {
            try Changes(Data(#"{"data":{"type":"shops","id":"1","attributes":\#(attributes)}}"#.utf8), decoder: decoder)
        }
        let shop = Shop(id: "1", testName: "kept", count: 1, kind: "special")
        #expect(
            try changes(#"{"number":"5"}"#).applied(to: shop) == Shop(id: "1", testName: "kept", count: 5, kind: "special"))
        #expect(try changes(#"{"test_name":null}"#).applied(to: shop) == Shop(id: "1", testName: nil, count: 1, kind: "special"))
        var encoder = JSONAPIEncoder()
        encoder.rewriters = ["shops": Rewriter { Rule("test_name", from: "testName").optional }]
        let counted = Shop(id: "1", testName: "kept", count: 5, kind: "special")
        #expect(try changes(#"{"number":"5"}"#).applied(to: shop, encoder: encoder) == counted)
        #expect(answer { _ = try changes(#"{"number":"x"}"#) } == ["422 /data/attributes/number"])
        // Nothing reads these two, although the model has one of the names.
        let unread = try changes(#"{"number":"5","nummer":"6","count":7}"#)
        #expect(answer { _ = try unread.applied(to: shop) } == ["422 /data/attributes/nummer", "422 /data/attributes/count"])
        #expect(try unread.applied(to: shop, ignoringUnknownNames: true).count == 5)
        // An operation is rewritten once, and its restricted fields are found under their names in the model.
        struct Stall: Resource, RestrictedFields {
            static let type = "shops"
            static let readOnlyFields = ["count"]
            var id: String?
            var testName: String?
            var count: Int?
        }
        func operation(_ code: String, _ attributes: String) throws -> ReceivedOperation {
            let data = #"{"type":"shops","id":"1","attributes":\#(attributes)}"#
            let body = #"{"atomic:operations":[{"op":"\#(code)","data":\#(data)}]}"#
            return try ReceivedOperations(Data(body.utf8), decoder: decoder)[0]
        }
        #expect(try operation("update", #"{"number":"5"}"#).changes(Shop.self).applied(to: shop).count == 5)
        #expect(try operation("add", #"{"test_name":"n","number":"5"}"#).resource(Shop.self).count == 5)
        #expect(answer { _ = try operation("update", #"{"number":"5"}"#).changes(Stall.self) } == ["403 /data/attributes/number"])
        let added = answer { _ = try operation("add", #"{"test_name":"n","number":"5"}"#).resource(Stall.self) }
        #expect(added == ["403 /data/attributes/number"])
    }
}
