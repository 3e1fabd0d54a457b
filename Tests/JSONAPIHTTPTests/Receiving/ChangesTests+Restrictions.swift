import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

/// Fields that only the server writes, sent under other names than their own.
extension ChangesTests {
    fileprivate struct Member: Resource, RestrictedFields {
        static let type = "members"
        static let readOnlyFields = ["address", "owner", "role", "type"]
        var id: String?
        var lid: LocalID?
        var name: String?
        var city: String?
        var role: String?
        var kind: String?
        var owner: ToOne<Member> = .notLoaded
        enum CodingKeys: String, CodingKey {
            case id, lid, name, city = "attributes.address.city", role = "attributes.role", kind = "attributes.type"
            case owner = "relationships.owner"
        }
    }

    fileprivate struct Open: Resource, RestrictedFields {
        static let type = "members"
        static let readOnlyFields = ["address", "role"]
        var id: String?
        var city: String?
        var role: String?
        var rest = RemainingMembers()
        enum CodingKeys: String, CodingKey { case id, city = "address.city", role = "attributes.role", rest = "attributes" }
    }

    fileprivate struct Club: Resource {
        static let type = "clubs"
        var id: String?
        var head: ToOne<Member> = .notLoaded
    }

    fileprivate enum Headline: AlternativeSource {
        typealias Value = String?
        static let names = ["headline", "attributes.texts.title"]
    }

    fileprivate struct Titled: Resource, RestrictedFields {
        static let type = "titles"
        static let readOnlyFields = ["title"]
        var id: String?
        @Alternatives<Headline> var title: String?
        var headline = Alias()
        var old = Alias()
        enum CodingKeys: String, CodingKey { case id, title, headline, old = "attributes.texts.title" }
    }

    private static let dotted = [
        #""attributes":{"address.city":"X"}"#, #""attributes":{"attributes.address.city":"X"}"#, #""attributes":{"attributes.role":"X"}"#,
        #""attributes":{"attributes.type":"X"}"#, #""attributes.role":"X""#, #""attributes.address.city":"X""#,
        #""relationships":{"relationships.owner":{"data":{"type":"members","id":"2"}}}"#,
        #""relationships.owner":{"data":{"type":"members","id":"2"}}"#,
    ]

    @Test("A client cannot write a field under the text of its coding key", arguments: dotted)
    func dottedNames(members: String) throws {
        var old = Member(id: "1", name: "n", city: "Rome", role: "user")
        old.owner = ToOne(id: "9")
        var unchecked = JSONAPIEncoder()
        unchecked.checksNames = false
        let body = Data(#"{"data":{"type":"members","id":"1",\#(members)}}"#.utf8)
        // A relationship of that name is an error, because the model could not be written with it.
        if let new = try? JSONAPIDecoder().decodeNew(Member.self, from: body, ignoringUnknownNames: true) {
            #expect(new.city == nil && new.role == nil && new.kind == nil && new.owner.identifier == nil)
        } else {
            #expect(members.hasPrefix(#""relationships":"#))
        }
        if let new = try? Changes<Member>(body).applied(to: old, encoder: unchecked, ignoringUnknownNames: true) {
            #expect(new.city == "Rome" && new.role == "user" && new.kind == nil && new.owner.identifier?.id == "9")
        } else {
            #expect(members.hasPrefix(#""relationships":"#))
        }
        let club = Data(
            #"""
            {"data":{"type":"clubs","relationships":{"head":{"data":{"type":"members","lid":"m"}}}},
             "included":[{"type":"members","lid":"m",\#(members)}]}
            """#.utf8)
        if let head = try? JSONAPIDecoder().decodeNew(Club.self, from: club, ignoringUnknownNames: true).head.value {
            #expect(head.city == nil && head.role == nil && head.kind == nil && head.owner.identifier == nil)
        } else {
            #expect(members.hasPrefix(#""relationships":"#))
        }
    }

    @Test(
        "The text of a coding key is no name of a field, even if the model keeps all attributes",
        arguments: ["address.city", "attributes.address.city", "attributes.role"])
    func dottedNamesAmongRemaining(name: String) throws {
        let body = Data(#"{"data":{"type":"members","id":"1","attributes":{"\#(name)":"X"}}}"#.utf8)
        var unchecked = JSONAPIEncoder()
        unchecked.checksNames = false
        let new = try JSONAPIDecoder().decodeNew(Open.self, from: body, encoder: unchecked)
        #expect(new.city == nil && new.role == nil)
        let changed = try Changes<Open>(body).applied(to: Open(id: "1", city: "Rome", role: "user"), encoder: unchecked)
        #expect(changed.city == "Rome" && changed.role == "user")
    }

    @Test(
        "The other names of a field that only the server writes are restricted, too",
        arguments: [#""headline":"X""#: "headline", #""texts":{"title":"X"}"#: "texts"])
    func alternatives(attributes: String, name: String) {
        let body = Data(#"{"data":{"type":"titles","id":"1","attributes":{\#(attributes)}}}"#.utf8)
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .strict)] {
            let expected = ["403 /data/attributes/\(name)"]
            #expect(answer { _ = try decoder.decodeNew(Titled.self, from: body, ignoringUnknownNames: true) } == expected)
            for title in [nil, "old"] {
                let old = Titled(id: "1", title: title)
                #expect(answer { _ = try Changes<Titled>(body, decoder: decoder).applied(to: old, ignoringUnknownNames: true) } == expected)
            }
        }
    }

    fileprivate enum OutsideFields: AlternativeSource {
        typealias Value = String?
        static let names = ["meta.title", "meta.old.title"]
    }

    @Test("Nor can a client write such a field in meta", arguments: [#"{"title":"X"}"#: "title", #"{"old":{"title":"X"}}"#: "old/title"])
    func alternativesInMeta(meta: String, path: String) {
        struct Titled: Resource, RestrictedFields {
            static let type = "titles"
            static let readOnlyFields = ["title"]
            var id: String?
            @Alternatives<OutsideFields> var title: String?
            var inMeta = Alias()
            var oldInMeta = Alias()
            enum CodingKeys: String, CodingKey { case id, title, inMeta = "meta.title", oldInMeta = "meta.old.title" }
        }
        let body = Data(#"{"data":{"type":"titles","id":"1","meta":\#(meta)}}"#.utf8)
        let expected = ["403 /data/meta/\(path)"]
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .strict)] {
            #expect(answer { _ = try decoder.decodeNew(Titled.self, from: body) } == expected)
            #expect(answer { _ = try Changes<Titled>(body, decoder: decoder).applied(to: Titled(id: "1")) } == expected)
        }
    }

    @Test(
        "The other paths from which a schema reads a field that only the server writes are restricted, too",
        arguments: ["createdOn", "times", "made"])
    func pathsOfSchema(name: String) {
        struct Task: SchemaResource, RestrictedFields {
            static let type = "tasks"
            static let readOnlyFields = ["created"]
            static let schema = MappingSchema<Task>(creating: Task()) {
                MappingField(\.id, "id")
                MappingField(\.created, from: ["created", "createdOn", "times.created"])
                MappingField(\.created, "made")
                MappingField(\.name, "name")
            }.representing("id", "created", "name")
            var id: String?
            var created: String?
            var name: String?
        }
        let value = name == "times" ? #"{"created":"X"}"# : #""X""#
        let body = Data(#"{"data":{"type":"tasks","id":"1","attributes":{"\#(name)":\#(value)}}}"#.utf8)
        let expected = ["403 /data/attributes/\(name)"]
        for ignores in [true, false] {
            #expect(answer { _ = try JSONAPIDecoder().decodeNew(Task.self, from: body, ignoringUnknownNames: ignores) } == expected)
            for created in [nil, "2020"] {
                let old = Task(id: "1", created: created)
                #expect(answer { _ = try Changes<Task>(body).applied(to: old, ignoringUnknownNames: ignores) } == expected)
            }
        }
    }

    fileprivate struct Note: Resource {
        static let type = "notes"
        var id: String?
        var value: JSON?
        var rest = RemainingMembers()
        enum CodingKeys: String, CodingKey { case id, value, rest = "attributes" }
    }

    @Test(
        "An attribute that the server could not send is refused, unless the encoder does not check names",
        arguments: ["_x", "a.b", "", "a@", "-", "type", "id"])
    func illegalNames(name: String) throws {
        let body = Data(#"{"data":{"type":"notes","id":"1","attributes":{"\#(name)":1}}}"#.utf8)
        let expected = ["422 /data/attributes/\(name)"]
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Note.self, from: body) } == expected)
        #expect(answer { _ = try Changes<Note>(body).applied(to: Note(id: "1")) } == expected)
        var unchecked = JSONAPIEncoder()
        unchecked.checksNames = false
        #expect(try JSONAPIDecoder().decodeNew(Note.self, from: body, encoder: unchecked).id == "1")
        // What the model does not keep does not matter.
        let article = Data(#"{"data":{"type":"articles","id":"1","attributes":{"\#(name)":1}}}"#.utf8)
        #expect(throws: Never.self) { try Changes<Article>(article).applied(to: self.article, ignoringUnknownNames: true) }
    }

    @Test("What is accepted is not too deep for any response")
    func depth() throws {
        func body(_ depth: Int) -> Data {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return Data(#"{"data":{"type":"notes","id":"1","attributes":{"value":\#(value)}}}"#.utf8)
        }
        let new = try JSONAPIDecoder().decodeNew(Note.self, from: body(507))
        _ = try JSONAPIResponse.results(AtomicResults([AtomicResult(new)]))
        _ = try JSONAPIResponse.ok([Changes<Note>(body(507)).applied(to: Note(id: "1"))])
        for depth in [508, 509] {
            #expect(throws: (any Error).self) { try JSONAPIDecoder().decodeNew(Note.self, from: body(depth)) }
            #expect(throws: (any Error).self) { try Changes<Note>(body(depth)) }
        }
        var deep = JSONAPIDecoder()
        deep.reading.maximumDepth = 600
        #expect(try deep.decodeNew(Note.self, from: body(590)).value != nil)
    }
}
