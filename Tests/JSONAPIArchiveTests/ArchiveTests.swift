import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@testable import JSONAPIArchive

@Suite("Values by key in archives")
struct ArchiveTests {
    @Test("Arrays, resources, and plain values are decoded by key")
    func roots() throws {
        let archive = try Sample.archive()
        #expect(archive.keys == ["home", "me", "settings"])
        let home = try archive.decode([Article].self, forKey: "home")
        #expect(home == Sample.articles)
        #expect(home[0].comments.values == Sample.comments)
        #expect(home[0].comments.values.map { $0.author.value } == [Sample.ben, Sample.marit])
        #expect(home[1].comments == .notLoaded)
        #expect(try archive.decode(Person.self, forKey: "me") == Sample.marit)
        #expect(try archive.decode(Settings.self, forKey: "settings") == Sample.settings)
        #expect(archive.modelVersion == 3)
        #expect(archive.verify().isEmpty)
    }

    @Test("The error for a value of another type names the key")
    func otherType() throws {
        var writer = Archive.Writer()
        try writer.encode(7, forKey: "count")
        let archive = try Archive(data: try writer.data())
        let error = #expect(throws: DecodingError.self) { try archive.decode(String.self, forKey: "count") }
        #expect(error?.failure?.kind == .wrongType)
        #expect(error?.failure?.description.contains("under the key `count`") == true)
    }

    @Test("A patch refuses an array that was assigned in place of links that were not available, also after it was archived")
    func assigned() throws {
        struct Team: Resource {
            static let type = "teams"
            var id: String
            @Embedded<ToMany<Person>> var members: [Person]?
        }
        let links = #"{"data":[{"type":"people","id":"98"},{"type":"people","id":"99"}]}"#
        let text = #"{"data":{"type":"teams","id":"1","relationships":{"members":\#(links)}}}"#
        var team = try JSONAPIDecoder().decode(Team.self, from: Data(text.utf8))
        team.members = [Sample.ben]
        var writer = Archive.Writer()
        try writer.encode(team, forKey: "team")
        let stored = try Archive(data: try writer.data()).decode(Team.self, forKey: "team")
        #expect(stored.members == [Sample.ben])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(stored.patch { $0.members?.append(Sample.marit) }) }
        let unchanged = try JSON(parsing: JSONAPIEncoder().encode(stored.patch { $0.members = $0.members }))
        #expect(unchanged["data"] == ["type": "teams", "id": "1"])
    }

    @Test("Members inside nested values that only remaining members have are archived, and a later patch keeps them")
    func nestedMembers() throws {
        struct Place: Codable {
            var city: String
            var street: String?
        }
        struct Venue: Resource {
            static let type = "venues"
            var id: String
            var place: Place?
            var stops: [Place]
            var lat: Int?
            var size: Int
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, place, stops, lat = "attributes.geo.lat", size, rest = "attributes" }
        }
        let text = """
            {"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","street":"A","zip":"0150"},
            "stops":[{"city":"A","zip":"1"},{"city":"B","zip":"2"}],"geo":{"lat":1,"alt":{"m":3}},"other":{"x":1},"size":5}}}
            """
        var venue = try JSONAPIDecoder().decode(Venue.self, from: Data(text.utf8))
        func stored() throws -> Venue {
            var writer = Archive.Writer()
            try writer.encode(venue, forKey: "venue")
            return try Archive(data: try writer.data()).decode(Venue.self, forKey: "venue")
        }
        let first = try stored()
        #expect(first.rest == venue.rest)
        let body = try JSON(parsing: JSONAPIEncoder().encode(first.patch { $0.place?.city = "Bergen" }))
        #expect(body["data"]?["attributes"] == ["place": ["city": "Bergen", "street": "A", "zip": "0150"]])
        venue.place?.street = nil
        venue.place?.city = "Bodø"
        venue.stops.removeFirst()
        venue.lat = nil
        venue.size = 6
        let rest = try stored().rest.members
        #expect(rest["place"] == ["city": "Bodø", "zip": "0150"], "the model removed the street")
        #expect(try stored().size == 6)
        #expect(rest["stops"] == [["city": "B", "zip": "2"]])
        #expect(rest["geo"] == ["alt": ["m": 3]] && rest["other"] == ["x": 1])
        venue.place = nil
        #expect(try stored().rest.members["place"] ?? .null == .null)
    }

    private enum Latitude: PathSource {
        typealias Value = Int
        static let path: MappingPath = "lat"
    }

    @Test("Nil of a nested value: its attribute is archived, and a later patch keeps the members of the attribute")
    func nestedNil() throws {
        struct Venue: Resource {
            static let type = "venues"
            var id: String
            @NestedIfPresent<Latitude> var lat: Int?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, lat = "geo", rest = "attributes" }
        }
        let text = #"{"data":{"type":"venues","id":"1","attributes":{"geo":{"alt":3},"other":1}}}"#
        let venue = try JSONAPIDecoder().decode(Venue.self, from: Data(text.utf8))
        var writer = Archive.Writer()
        try writer.encode(venue, forKey: "venue")
        let stored = try Archive(data: try writer.data()).decode(Venue.self, forKey: "venue")
        #expect(stored.rest == venue.rest)
        let body = try JSON(parsing: JSONAPIEncoder().encode(stored.patch { $0.lat = 8 }))
        #expect(body["data"]?["attributes"] == ["geo": ["alt": 3, "lat": 8]])
    }

    @Test("Each resource is stored once")
    func once() throws {
        let archive = try Sample.archive()
        #expect(archive.count == 6)
        let names = try archive.identifiers.map { "\($0.type)/\($0.id ?? "")" }
        #expect(Set(names).count == 6 && names.count == 6)
    }

    @Test("One resource is read by type and id, or is nil")
    func single() throws {
        let archive = try Sample.archive()
        #expect(try archive.resource(Person.self, id: "2") == Sample.ben)
        #expect(try archive.resource(Article.self, id: "é")?.title == "Zweiter\nArtikel")
        #expect(try archive.resource(Article.self, id: "e\u{301}") == nil)
        #expect(try archive.resource(Person.self, id: "3") == nil)
        #expect(try archive.resource(Node.self, id: "3") == nil)
        #expect(try archive.contains(ResourceIdentifier(type: "people", id: "9")))
        #expect(try archive.resources(Person.self).map(\.id).sorted() == ["2", "9"])
    }

    @Test(
        "Plain values of every form", arguments: ["[]", "{}", "null", "true", "\"text\"", "12.50", #"{"a":[1,{"b":null}]}"#])
    func plain(text: String) throws {
        var writer = Archive.Writer()
        try writer.encode(try JSON(parsing: text), forKey: "value")
        let archive = try Archive(data: try writer.data())
        #expect(try archive.json(forKey: "value")?.description == text)
        #expect(try archive.decode(JSON.self, forKey: "value") == JSON(parsing: text))
    }

    @Test("Optional values, resources, and lists")
    func optionals() throws {
        var writer = Archive.Writer()
        try writer.encode(Person?.none, forKey: "nobody")
        try writer.encode(Person?.some(Sample.ben), forKey: "somebody")
        try writer.encode([Person]?.none, forKey: "none")
        try writer.encode([Person](), forKey: "empty")
        try writer.encode(Int?.none, forKey: "number")
        let archive = try Archive(data: try writer.data())
        #expect(try archive.decode(Person?.self, forKey: "nobody") == nil)
        #expect(try archive.decode(Person?.self, forKey: "somebody") == Sample.ben)
        #expect(try archive.decode([Person]?.self, forKey: "none") == nil)
        #expect(try archive.decode([Person]?.self, forKey: "empty") == [])
        #expect(try archive.decode(Int?.self, forKey: "number") == nil)
        #expect(try archive.decodeIfPresent(Int.self, forKey: "other") == nil)
    }

    @Test("Generic code finds the right form")
    func generic() throws {
        func save<Value: Codable & Equatable>(_ value: Value) throws -> Value {
            var writer = Archive.Writer()
            try writer.encode(value, forKey: "value")
            return try Archive(data: try writer.data()).decode(Value.self, forKey: "value")
        }
        #expect(try save(Sample.articles) == Sample.articles)
        #expect(try save(Sample.ben) == Sample.ben)
        #expect(try save(Sample.settings) == Sample.settings)
    }

    @Test("Cycles of references are stored and decoded")
    func circles() throws {
        var writer = Archive.Writer()
        try writer.encode(
            [Node(id: "1", next: ToOne(ResourceIdentifier(type: "nodes", id: "2"))), Node(id: "2", next: ToOne(id: "1"))], forKey: "nodes")
        let archive = try Archive(data: try writer.data())
        let node = try #require(try archive.resource(Node.self, id: "1"))
        #expect(node.next.value?.next.value == node)
    }

    private struct Writer: Resource {
        static let type = "people"
        var id: String
        var books: [Book]?
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var writers: [Writer]?
        var related: ToMany<Book>
    }

    /// The reference is in the value that was cut, or in one that is written after it.
    @Test("A relationship in which a cycle of embedded values was cut is stored if a reference leads there", arguments: [2, 3])
    func cuts(owner: Int) throws {
        let books = [2, 3].map { id in
            let related = id == owner ? #""related":{"data":[{"type":"books","id":"2"}]},"# : ""
            let writers = #""writers":{"data":[{"type":"people","id":"1"}]}"#
            return #"{"type":"books","id":"\#(id)","relationships":{\#(related)\#(writers)}}"#
        }
        let linkage = #"[{"type":"books","id":"2"},{"type":"books","id":"3"}]"#
        let author = #"{"type":"people","id":"1","relationships":{"books":{"data":\#(linkage)}}}"#
        let text = #"{"data":\#(author),"included":[\#(books.joined(separator: ","))]}"#
        var model = try JSONAPIDecoder().decode(Writer.self, from: Data(text.utf8))
        // The second time, the model comes from an archive.
        for _ in 1...2 {
            var writer = Archive.Writer()
            try writer.encode(model, forKey: "model")
            let archive = try Archive(data: try writer.data())
            for id in ["2", "3"] {
                #expect(try archive.resource(Book.self, id: id)?.writers?.map(\.id) == ["1"])
            }
            model = try archive.decode(Writer.self, forKey: "model")
            #expect(model.books?.count == 2 && model.books?.contains { $0.writers != nil } == false)
            #expect(model.books?.flatMap(\.related.values).map { $0.writers?.count } == [1])
        }
    }

    @Test("States of relationships, links, meta, unknown members, and unknown types are kept")
    func raw() throws {
        let text = #"""
            {"type":"things","id":"7","x":[1.50],"attributes":{"a":1e400,"@b":null},"relationships":{"none":{"links":{"related":"/a"}},\#
            "empty":{"data":null},"one":{"data":{"type":"never-heard","id":"1","meta":{"m":1}}},"many":{"data":[]}},"meta":{},"ext:y":true}
            """#
        var writer = Archive.Writer()
        let object = try ResourceObject(text)
        try writer.encode(object, forKey: "thing")
        try writer.insert(try ResourceObject(#"{"id":"1","type":"never-heard"}"#))
        try writer.insert(try ResourceObject(#"{"type":"a\"b","id":"\n"}"#))
        try writer.insert(try ResourceObject(#"{"type":"local","lid":"1","attributes":{"a":1}}"#))
        try writer.insert(try ResourceObject(#"{"type":"numbers","id":7}"#))
        let archive = try Archive(data: try writer.data())
        #expect(try archive.decode(ResourceObject.self, forKey: "thing").json.description == object.json.description)
        #expect(
            try archive.resource(ResourceObject.self, .init(type: "never-heard", id: "1"))?.json.description
                == #"{"id":"1","type":"never-heard"}"#)
        #expect(try archive.resource(ResourceObject.self, .init(type: "a\"b", id: "\n"))?.type == "a\"b")
        #expect(try archive.contains(.init(type: "local", lid: "1")))
        #expect(try archive.contains(.init(type: "local", id: "1")) == false)
        #expect(try archive.contains(.init(type: "numbers", id: "7")))
        #expect(archive.verify().isEmpty)
    }

    @Test("Another form, a missing key, and another type are errors")
    func misuse() throws {
        let archive = try Sample.archive()
        let missing = archiveError { _ = try archive.decode(Person.self, forKey: "mee") }
        #expect(missing?.kind == .missingKey)
        #expect(missing?.advice == "did you mean `me`?")
        let many = archiveError { _ = try archive.decode(Article.self, forKey: "home") }
        #expect(many?.kind == .otherForm && many?.advice == "decode it as an array of models for the type `articles`")
        let one = archiveError { _ = try archive.decode([Person].self, forKey: "me") }
        #expect(one?.kind == .otherForm && one?.advice == "decode it as a model for the type `people`")
        #expect(archiveError { _ = try archive.decodeDocument([Person].self, forKey: "settings") }?.advice?.contains("decode(") == true)
        #expect(archiveError { _ = try archive.decode(Person.self, forKey: "home") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decode([Person].self, forKey: "me") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decode(Int.self, forKey: "me") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decode(Article.self, forKey: "me") }?.kind == .otherForm)
        #expect(archiveError { _ = try archive.decode([Person].self, forKey: "home") }?.kind == .otherForm)
        #expect(throws: DecodingError.self) { try archive.decode(Int.self, forKey: "settings") }
    }

    private struct Tree: Resource {
        static let type = "trees"
        var id: String
        var root: JSON
    }

    @Test("What the options allow to be nested deeply is not damaged, and can be migrated")
    func depth() throws {
        var root: JSON = 1
        for _ in 0..<600 { root = [root] }
        var (encoder, decoder) = (JSONAPIEncoder(), JSONAPIDecoder())
        encoder.maximumDepth = 1000
        decoder.reading.maximumDepth = 1000
        var writer = Archive.Writer(encoder: encoder)
        try writer.encode(Tree(id: "1", root: root), forKey: "tree")
        try writer.encode(root, forKey: "value")
        try writer.encode(Document<[Tree]>([Tree(id: "2", root: root)], meta: ["root": root]), forKey: "document")
        var object = ResourceObject(type: "trees", id: "3")
        object[attribute: "root"] = root
        try writer.insert(object)
        let migration = ArchiveModel.Migration(to: 1) { resource, old in
            #expect(old["trees", resource.id ?? ""] != nil)
            return [resource]
        }
        let data = try writer.data()
        for model in [nil, ArchiveModel(version: 1, migrations: [migration])] {
            let archive = try Archive(data: data, model: model, decoder: decoder)
            #expect(archive.verify() == [])
            #expect(try archive.decode(Tree.self, forKey: "tree").root == root)
            #expect(try archive.decode(JSON.self, forKey: "value") == root)
            #expect(try archive.json(forKey: "value") == root)
            #expect(try archive.decodeDocument([Tree].self, forKey: "document")?.data.map(\.root) == [root])
            #expect(try archive.resource(ResourceObject.self, ResourceIdentifier(type: "trees", id: "3")) == object)
        }
        var shallow = Archive.Writer()
        #expect(throws: JSONWriteError.self) { try shallow.insert(object) }
    }

    @Test("Raw resources are read as they are, whatever the rules of the decoder are")
    func rules() throws {
        let text = #"{"type":"trees","id":"1","attributes":{"a":1,"a":2}}"#
        var writer = Archive.Writer()
        let bytes = Array(text.utf8)
        try writer.insert(ResourceIdentifier(type: "trees", id: "1"), bytes.span)
        try writer.setRoot("trees", [ResourceIdentifier(type: "trees", id: "1")], isMany: true)
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.reading.maximumBytes = 10
        let archive = try Archive(data: writer.data(), decoder: decoder)
        #expect(try archive.decode([ResourceObject].self, forKey: "trees").map(\.json.description) == [text])
    }

    @Test("Different values for one resource are an error, and the second call changes nothing")
    func conflict() throws {
        var writer = try Sample.writer()
        var other = Sample.marit
        other.city = "Jinja"
        #expect(archiveError { try writer.encode([other, Person(id: "77", name: "x")], forKey: "other") }?.kind == .conflict)
        let archive = try Archive(data: try writer.data())
        #expect(archive.keys == ["home", "me", "settings"])
        #expect(archive.count == 6)
        writer.encoder.conflictingResources = .keepFirst
        try writer.encode(other, forKey: "other")
        #expect(try Archive(data: try writer.data()).decode(Person.self, forKey: "other") == Sample.marit)
        try writer.insert([other])
        #expect(try Archive(data: try writer.data()).decode(Person.self, forKey: "me") == other)
    }

    @Test("A writer with the contents of another archive replaces them, but not what was encoded since then", arguments: [true, false])
    func changedCopy(keepsFirst: Bool) throws {
        var writer = try Archive.Writer(try Sample.archive())
        if keepsFirst { writer.encoder.conflictingResources = .keepFirst }
        var other = Sample.marit
        other.city = "Jinja"
        try writer.encode(other, forKey: "me")
        if keepsFirst {
            try writer.encode(Sample.marit, forKey: "again")
        } else {
            #expect(archiveError { try writer.encode(Sample.marit, forKey: "again") }?.kind == .conflict)
        }
        let archive = try Archive(data: try writer.data())
        #expect(try archive.decode(Person.self, forKey: "me") == other)
        #expect(try archive.decode([Article].self, forKey: "home").first?.author == other)
        #expect(archive.count == 6 && archive.verify().isEmpty)
    }

    @Test("A value that is found after the text of its resource replaces it, whatever the policy is", arguments: [true, false])
    func lateValue(keepsFirst: Bool) throws {
        let text = #"""
            {"data":{"type":"comments","id":"1","attributes":{"body":"a"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}},
            "included":[{"type":"people","id":"9","attributes":{"name":"Old"}}]}
            """#
        let read = try JSONAPIDecoder().decode(Comment.self, from: Data(text.utf8))
        let edited = Comment(id: "1", body: "a", author: ToOne(Person(id: "9", name: "New", city: nil)))
        #expect(edited == read)
        var writer = Archive.Writer()
        if keepsFirst { writer.encoder.conflictingResources = .keepFirst }
        try writer.encode([read, edited], forKey: "list")
        #expect(try Archive(data: writer.data()).resource(Person.self, id: "9")?.name == "New")
        // What is not stored does not count as a conflict.
        var second = Archive.Writer()
        try second.encode(Person(id: "9", name: "New", city: nil), forKey: "me")
        try second.encode([read, edited], forKey: "list")
        #expect(try Archive(data: second.data()).resource(Person.self, id: "9")?.name == "New")
    }

    @Test("A value that is encoded as the archive already has it counts like any other", arguments: [true, false], [true, false])
    func equalFirst(isCopy: Bool, keepsFirst: Bool) throws {
        let old = Person(id: "9", name: "Old", city: nil)
        let other = Person(id: "9", name: "Other", city: nil)
        func encodeBoth(_ changes: inout Archive.Writer) throws {
            changes.encoder.conflictingResources = keepsFirst ? .keepFirst : .throw
            try changes.encode(old, forKey: "me")
            let error = archiveError { try changes.encode([other], forKey: "list") }
            #expect(error?.kind == (keepsFirst ? nil : ArchiveError.Kind.conflict))
            let kept = try Archive(data: changes.data())
            #expect(try kept.decode(Person.self, forKey: "me") == old)
            // After a removal, there is nothing to differ from.
            try changes.remove(ResourceIdentifier(type: "people", id: "9"))
            try changes.encode([other], forKey: "list")
            let replaced = try Archive(data: changes.data())
            #expect(try replaced.decode([Person].self, forKey: "list") == [other])
        }
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            defer { file.close() }
            try file.commit { try $0.encode(old, forKey: "me") }
            if isCopy {
                var copy = try Archive.Writer(try file.archive)
                try encodeBoth(&copy)
            } else {
                try file.commit(encodeBoth)
            }
        }
    }

    @Test("Equal contents with members in another order are no conflict")
    func orderOfMembers() throws {
        let text = #"""
            {"data":{"type":"comments","id":"1","attributes":{"body":"a"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}},
            "included":[{"id":"9","type":"people","attributes":{"city":"Oslo","name":"Ann"}}]}
            """#
        let comment = try JSONAPIDecoder().decode(Comment.self, from: Data(text.utf8))
        let author = try #require(comment.author.value)
        var writer = Archive.Writer()
        try writer.encode([comment], forKey: "home")
        try writer.encode(author, forKey: "me")
        let archive = try Archive(data: writer.data())
        #expect(try archive.decode(Person.self, forKey: "me") == author)
        #expect(try archive.decode([Comment].self, forKey: "home").map(\.author.value) == [author])
        #expect(archiveError { try writer.encode(Person(id: "9", name: "Ann", city: nil), forKey: "me") }?.kind == .conflict)
    }

    @Test("A resource has the same text alone and in a document, also if the encoder sorts names")
    func sortedNames() throws {
        var encoder = JSONAPIEncoder()
        encoder.sortsNames = true
        var (alone, inDocument) = (Archive.Writer(encoder: encoder), Archive.Writer(encoder: encoder))
        try alone.encode([Sample.marit], forKey: "list")
        try inDocument.encode(Document<[Person]>([Sample.marit]), forKey: "list")
        let identifier = ResourceIdentifier(type: "people", id: "9")
        let text = try #require(try Archive(data: alone.data()).resourceText(identifier))
        #expect(try Archive(data: inDocument.data()).resourceText(identifier) == text)
    }

    private struct Draft: Resource {
        static let type = "drafts"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    @Test("Resources with only a lid, and with integer ids, are kept")
    func localIDs() throws {
        var writer = Archive.Writer()
        try writer.encode([Draft(id: nil, lid: LocalID("a"), text: "one"), Draft(id: "a", lid: nil, text: "two")], forKey: "drafts")
        try writer.insert(try ResourceObject(#"{"type":"numbers","id":7}"#))
        let archive = try Archive(data: try writer.data())
        #expect(try archive.decode([Draft].self, forKey: "drafts").map(\.text) == ["one", "two"])
        #expect(try archive.resource(Draft.self, ResourceIdentifier(type: "drafts", lid: "a"))?.lid?.value == "a")
        #expect(try archive.resource(ResourceObject.self, ResourceIdentifier(type: "drafts", lid: "a"))?.lid == "a")
        #expect(
            try archive.resource(ResourceObject.self, ResourceIdentifier(type: "numbers", id: "7"))?.json.description
                == #"{"type":"numbers","id":7}"#)
    }

    @Test("A resource without an identity is an error")
    func identity() throws {
        var writer = Archive.Writer()
        #expect(archiveError { try writer.insert(ResourceObject(type: "people")) }?.kind == .missingIdentity)
        #expect(throws: EncodingError.self) { try writer.encode(ResourceObject(type: "people"), forKey: "x") }
    }

    @Test("Keys are compared by bytes")
    func keys() throws {
        var writer = Archive.Writer()
        try writer.encode(1, forKey: "é")
        try writer.encode(2, forKey: "e\u{301}")
        try writer.encode(3, forKey: "")
        let archive = try Archive(data: try writer.data())
        #expect(try archive.decode(Int.self, forKey: "é") == 1)
        #expect(try archive.decode(Int.self, forKey: "e\u{301}") == 2)
        #expect(try archive.decode(Int.self, forKey: "") == 3)
    }

    @Test("Keys and resources can be replaced and removed before writing")
    func editing() throws {
        var writer = try Sample.writer()
        try writer.encode(5, forKey: "settings")
        try writer.removeValue(forKey: "me")
        try writer.remove(ResourceIdentifier(type: "people", id: "2"))
        try writer.remove(ResourceIdentifier(type: "people", id: "none"))
        let archive = try Archive(data: try writer.data())
        #expect(archive.keys == ["home", "settings"])
        #expect(try archive.decode(Int.self, forKey: "settings") == 5)
        #expect(archive.count == 5)
        #expect(try archive.contains(ResourceIdentifier(type: "people", id: "2")) == false)
        #expect(archive.verify().isEmpty)
    }

    @Test("The archive of many resources is smaller than their compact document")
    func size() throws {
        let people = (0..<20_000).map { Person(id: "\($0)", name: "Name \($0)", city: $0 % 3 == 0 ? nil : "City") }
        var writer = Archive.Writer()
        try writer.encode(people, forKey: "people")
        #expect(try writer.data().count <= JSONAPIEncoder().encode(people).count)
    }

    @Test("An empty archive is valid")
    func empty() throws {
        let archive = try Archive(data: try Archive.Writer().data())
        #expect(archive.keys.isEmpty && archive.count == 0)
        #expect(try archive.identifiers.isEmpty)
        #expect(archive.verify().isEmpty)
    }
}
