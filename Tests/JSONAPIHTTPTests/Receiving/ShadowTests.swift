import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

/// What clients send in place of fields that a schema does not represent never becomes their value.
@Suite struct ShadowTests {
    private struct Login: Mapped, Equatable {
        static let schema = MappingSchema<Login>(creating: Login()) {
            MappingField(\.name, "name", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("name")
        var name: String?
        var hash: String?
    }

    private enum LoginForm: ConversionSource { static var conversion: Conversion<JSON, Login> { Login.conversion } }

    private let encoder = JSONAPIEncoder()
    private func text(_ model: some Resource) throws -> String { String(decoding: try encoder.encode(Document(model)), as: UTF8.self) }
    private func body(_ attributes: String) -> Data { Data(#"{"data":{"type":"m","id":"1","attributes":\#(attributes)}}"#.utf8) }
    private var setting: Data { body(#"{"login":{"name":"n","hash":"X"}}"#) }

    private func refusal(_ step: () throws -> Void) -> [String] {
        do {
            try step()
            return []
        } catch {
            return ErrorDocument(error).errors.map { "\($0.status ?? "") \($0.source?.pointer?.description ?? "")" }
        }
    }

    private struct Key: Mapped {
        static let schema = MappingSchema<Key> {
            MappingField(\.name, "name")
            MappingField(\.secret, "secret")
        } make: {
            Key(name: try $0[\.name], secret: try $0[\.secret])
        }.representing("name")
        var name: String
        let secret: String
    }

    private enum KeyForm: ConversionSource { static var conversion: Conversion<JSON, Key> { Key.conversion } }

    @Test("A hidden value without which an instance cannot be made does not let a client set another one")
    func requiredHiddenValue() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            @Converted<KeyForm> var key: Key
            @ConvertedIfPresent<LoginForm> var login: Login?
        }
        let model = Model(key: Key(name: "k", secret: "s"), login: nil)
        #expect(refusal { _ = try Changes<Model>(setting).applied(to: model) } == ["422 /data/attributes/login/hash"])
        let renamed = try Changes<Model>(body(#"{"key":{"name":"new"}}"#)).applied(to: model)
        #expect(renamed.key.name == "new" && renamed.key.secret == "s")
    }

    private struct Lenient: Resource {
        static let type = "m"
        var id = "1"
        @LossyArray var logins: [Converted<LoginForm>]
        @Lossy var login: Converted<LoginForm>?
    }

    @Test("A client sets nothing through properties that ignore errors", arguments: [true, false])
    func ignoredErrors(ignores: Bool) throws {
        let list = body(#"{"logins":[{"name":"n","hash":"X"}]}"#)
        for (text, place) in [(setting, "login/hash"), (list, "logins/0/hash")] {
            let expected = ["422 /data/attributes/\(place)"]
            #expect(
                refusal { _ = try Changes<Lenient>(text).applied(to: Lenient(logins: []), ignoringUnknownNames: ignores) } == expected)
            #expect(refusal { _ = try JSONAPIDecoder().decodeNew(Lenient.self, from: text, ignoringUnknownNames: ignores) } == expected)
        }
    }

    @Test("A null in place of an earlier path does not let a client set what is behind a later one", arguments: [true, false])
    func nullAtAnEarlierPath(ignores: Bool) throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.city, from: "place.city")
                MappingField(\.login, from: ["login", "place.login"])
            }
            var id = "1"
            var city: String?
            var login: Login?
        }
        let text = body(#"{"place":{"login":{"name":"n","hash":"X"}}}"#)
        #expect(refusal { _ = try Changes<Model>(text).applied(to: Model(), ignoringUnknownNames: ignores) } != [])
    }

    @Test("Many issues of the server's own values hide none of a client")
    func manyIssues() throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.keys, "keys", .default([]))
                MappingField(\.login, "login", .omit)
            }
            var id = "1"
            var keys: [Key] = []
            var login: Login?
        }
        let model = Model(keys: Array(repeating: Key(name: "k", secret: "s"), count: 1_200))
        #expect(refusal { _ = try Changes<Model>(setting).applied(to: model) } == ["422 /data/attributes/login/hash"])
        #expect(try Changes<Model>(body(#"{"login":null}"#)).applied(to: model).keys.allSatisfy { $0.secret == "s" })
    }

    private struct Ref: Mapped {
        static let schema = MappingSchema<Ref>(creating: Ref()) {
            MappingField(\.type, "type")
            MappingField(\.id, "id")
            MappingField(\.role, from: "meta.role", .omit)
        }.representing("type", "id")
        var type = ""
        var id = ""
        var role: String?
    }

    private enum RefForm: ConversionSource { static var conversion: Conversion<JSON, Ref> { Ref.conversion } }

    @Test("A client sets nothing in linkage and in meta, and both keep what it does not know")
    func linkageAndMeta() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            @ConvertedIfPresent<RefForm> var owner: Ref?
            @ConvertedIfPresent<LoginForm> var login: Login?
            enum CodingKeys: String, CodingKey { case id, owner = "relationships.owner.data", login = "meta.login" }
        }
        func request(_ members: String) -> Data { Data(#"{"data":{"type":"m","id":"1",\#(members)}}"#.utf8) }
        func linking(_ meta: String, to id: String = "2") -> Data {
            request(#""relationships":{"owner":{"data":{"type":"p","id":"\#(id)"\#(meta)}}}"#)
        }
        let model = Model(owner: Ref(type: "p", id: "2", role: "r"), login: Login(name: "n", hash: "h"))
        for old in [model, Model(owner: nil, login: nil)] {
            let linked = try? Changes<Model>(linking(#","meta":{"role":"X"}"#)).applied(to: old)
            #expect(linked == nil || linked?.owner?.role == old.owner?.role)
        }
        #expect(try Changes<Model>(linking("")).applied(to: model).owner?.role == "r")
        // It belongs to the link.
        let other = try Changes<Model>(linking("", to: "3")).applied(to: model).owner
        #expect(other?.id == "3" && other?.role == nil)
        #expect(try Changes<Model>(request(#""meta":{"login":{"name":"m"}}"#)).applied(to: model).login == Login(name: "m", hash: "h"))
    }

    @Test("A hidden field is not read where a client can write, whatever else is read there")
    func sharedPlaces() throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.title, "title", .omit)
                MappingField(\.slug, from: ["slug", "title"], .omit)
                MappingField(\.city, from: "place.city", .omit)
                MappingField(\.place, "place", .omit)
            }.representing("id", "title", "place.city")
            var id = "1"
            var title: String?
            var slug: String?
            var city: String?
            var place: JSON?
        }
        let text = body(#"{"title":"X","place":{"city":"c","secret":"X"}}"#)
        let old = Model(title: "t", place: ["secret": "s"])
        let new = try Changes<Model>(text).applied(to: old, ignoringUnknownNames: true)
        #expect(new.title == "X" && new.slug == nil && new.city == "c" && new.place == ["secret": "s"])
        let made = try JSONAPIDecoder().decodeNew(Model.self, from: text, ignoringUnknownNames: true)
        #expect(made.title == "X" && made.slug == nil && made.city == "c" && made.place == nil)
        #expect(try Changes<Model>(body(#"{"place":{"city":"c"}}"#)).applied(to: old).slug == nil)
    }

    private struct Renaming: SchemaCodec {
        let schema = Login.schema
        func decode(_ json: JSON, by mapping: Mapping<Login>) throws -> Login {
            var object = json.object ?? JSONObject()
            if let old = object["pw"] { object["hash"] = old }
            return try mapping.decode(.object(object))
        }
    }

    @Test("A codec that renames members gives a client nothing either")
    func renamingCodec() throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.login, "login", .omit, .object(Login.schema.coded(by: Renaming())))
            }
            var id = "1"
            var login: Login?
        }
        let text = body(#"{"login":{"name":"n","pw":"X"}}"#)
        for old in [nil, Login(name: "a", hash: "h")] {
            let new = try? Changes<Model>(text).applied(to: Model(login: old))
            #expect(new == nil || new?.login?.hash == old?.hash)
        }
        #expect((try? JSONAPIDecoder().decodeNew(Model.self, from: text))?.login?.hash == nil)
    }

    private struct Note: Mapped {
        static let fields = MappingSchema<Note>(creating: Note()) {
            MappingField(\.logins, "logins", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("logins")
        static let schema = fields.coded(by: Collecting())
        var logins: [Login]?
        var hash: String?
        var received = JSONObject()
    }

    private struct Collecting: SchemaCodec {
        let schema = Note.fields
        func decode(_ json: JSON, by mapping: Mapping<Note>) throws -> Note {
            var note = try mapping.decode(json)
            note.received = json.object ?? JSONObject()
            return note
        }
    }

    @Test("A codec receives what a client knows, and the fields that it reads with its mapping have their hidden values")
    func collectingCodec() throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.title, "title", .omit)
                MappingField(\.note, "note", .omit)
            }
            var id = "1"
            var title: String?
            var note: Note?
        }
        let old = Model(note: Note(logins: [Login(name: "a", hash: "h"), Login(name: "b", hash: "i")], hash: "s"))
        let new = try Changes<Model>(body(#"{"title":"t"}"#)).applied(to: old)
        #expect(new.title == "t" && new.note?.logins == old.note?.logins && new.note?.hash == "s")
        #expect(new.note?.received == ["logins": [["name": "a"], ["name": "b"]]])
        let made = try Changes<Model>(body(#"{"note":{"logins":[]}}"#)).applied(to: old)
        #expect(made.note?.logins == [] && made.note?.hash == "s" && made.note?.received == ["logins": []])
    }

    private struct Card: Mapped {
        static let schema = MappingSchema<Card>(creating: Card()) {
            MappingField(\.kind, "kind").checked(.oneOf("card"))
            MappingField(\.code, "code", .omit)
        }.representing("kind")
        var kind = "card"
        var code: String?
    }

    private struct Bank: Mapped {
        static let schema = MappingSchema<Bank>(creating: Bank()) {
            MappingField(\.kind, "kind").checked(.oneOf("bank"))
            MappingField(\.code, "code", .omit)
        }
        var kind = "bank"
        var code: String?
    }

    private enum Pay {
        case card(Card), bank(Bank)
        struct Other: Error {}
    }

    private enum PayForm: ConversionSource {
        static var conversion: Conversion<JSON, Pay> {
            Card.conversion.then(
                decode: { .card($0) },
                encode: { pay in
                    guard case .card(let card) = pay else { throw Pay.Other() }
                    return card
                }
            ).or(
                Bank.conversion.then(
                    decode: { .bank($0) },
                    encode: { pay in
                        guard case .bank(let bank) = pay else { throw Pay.Other() }
                        return bank
                    }))
        }
    }

    @Test("A member that one form of a value hides and another has is accepted for that one, and does not move to it")
    func otherForm() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            @ConvertedIfPresent<PayForm> var pay: Pay?
        }
        let bank = body(#"{"pay":{"kind":"bank","code":"B"}}"#)
        #expect(try text(JSONAPIDecoder().decodeNew(Model.self, from: bank)).contains(#""code":"B""#))
        #expect(try text(Changes<Model>(bank).applied(to: Model(pay: .bank(Bank(code: "A"))))).contains(#""code":"B""#))
        let moved = try Changes<Model>(body(#"{"pay":{"kind":"bank"}}"#)).applied(to: Model(pay: .card(Card(code: "SECRET"))))
        #expect(try !text(moved).contains("code"))
    }

    @Test("Changes keep a hidden value beside a member that the old value did not have")
    func besideNewMember() throws {
        struct Visit: Mapped {
            static let schema = MappingSchema<Visit>(creating: Visit()) {
                MappingField(\.city, from: "at.city", .omit)
                MappingField(\.ip, from: "at.ip", .omit)
            }.representing("at.city")
            var city: String?
            var ip: String?
        }
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id")
                MappingField(\.visit, "visit", .omit)
            }
            var id = "1"
            var visit: Visit?
        }
        for city in ["Oslo", nil] {
            let changes = try Changes<Model>(body(#"{"visit":{"at":{"city":"Rome"}}}"#))
            let new = try changes.applied(to: Model(visit: Visit(city: city, ip: "10.0.0.1")))
            #expect(new.visit?.city == "Rome" && new.visit?.ip == "10.0.0.1")
        }
    }

    @Test("A hidden field that only a rewriter supplies is read")
    func suppliedByRewriter() throws {
        struct Model: SchemaResource {
            static let type = "m"
            static let schema = MappingSchema<Model>(creating: Model()) {
                MappingField(\.id, "id", .omit)
                MappingField(\.name, "name", .omit)
                MappingField(\.hash, "hash", .omit)
            }.representing("id", "name")
            var id: String?
            var name: String?
            var hash: String?
        }
        var decoder = JSONAPIDecoder()
        decoder.rewriters = [
            "m": Rewriter {
                Rule("name", from: "name")
                Rule("hash", from: "hash", Conversion<JSON, String>.string.whenAbsent { "none" })
            }
        ]
        let made = try decoder.decodeNew(Model.self, from: body(#"{"name":"n"}"#))
        #expect(made.name == "n" && made.hash == "none")
        #expect(refusal { _ = try decoder.decodeNew(Model.self, from: body(#"{"name":"n","hash":"X"}"#)) } != [])
    }

    @Test("A changed model publishes no hidden value, and keeps each: of values as read, and of linked resources")
    func published() throws {
        struct Linked: Resource {
            static let type = "l"
            var id = "1"
            @ConvertedIfPresent<LoginForm> var login: Login?
        }
        struct Other: SchemaResource {
            static let type = "o"
            static let schema = MappingSchema<Other>(creating: Other()) {
                MappingField(\.id, "id")
                MappingField(\.name, "name", .omit)
                MappingField(\.hash, "hash", .omit)
            }.representing("id", "name")
            var id = "1"
            var name: String?
            var hash: String?
        }
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            var title: String?
            @ConvertedAsRead<LoginForm> var login: Login? = nil
            var linked: ToOne<Linked> = .empty
            var others: ToMany<Other> = .empty
        }
        let model = Model(
            title: "t", login: Login(name: "n", hash: "SECRET"), linked: ToOne(Linked(login: Login(name: "n", hash: "SECRET"))),
            others: [Other(name: "n", hash: "SECRET")])
        var changed = model
        for title in ["u", "v"] {
            changed = try Changes<Model>(body(#"{"title":"\#(title)"}"#)).applied(to: changed)
            #expect(changed.login?.hash == "SECRET" && changed.linked.value?.login?.hash == "SECRET")
            #expect(changed.others.values.map(\.hash) == ["SECRET"] && changed.title == title)
            var expected = model
            expected.title = title
            #expect(try text(changed) == text(expected) && !text(changed).contains("SECRET"))
        }
        let renamed = try Changes<Model>(body(#"{"login":{"name":"m"}}"#)).applied(to: changed)
        #expect(renamed.login == Login(name: "m", hash: "SECRET"))
        #expect(try !text(renamed).contains("SECRET"))
    }

    private enum Contact: Codable, Sendable {
        case login(Login), other(JSON)

        init(from decoder: any Decoder) throws {
            if let login = try? Converted<LoginForm>(from: decoder) {
                self = .login(login.wrappedValue)
            } else {
                self = .other(try JSON(from: decoder))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .login(let login): try Converted<LoginForm>(wrappedValue: login).encode(to: encoder)
            case .other(let json): try json.encode(to: encoder)
            }
        }
    }

    @Test("A value that cannot be read in its first form has no hidden fields of the earlier one")
    func otherForms() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            @Lossy var login: Converted<LoginForm>?
            @LossyDictionary var logins: [String: Converted<LoginForm>]
            var contact: Contact
        }
        let login = Login(name: "n", hash: "SECRET")
        let model = Model(login: Converted(wrappedValue: login), logins: ["a": Converted(wrappedValue: login)], contact: .login(login))
        let text = body(#"{"login":{"name":9},"logins":{"a":{"name":9}},"contact":{"name":9}}"#)
        let changed = try self.text(Changes<Model>(text).applied(to: model))
        #expect(!changed.contains("SECRET") && !changed.contains("shadow") && changed.contains(#""login":{"name":9}"#))
    }

    private struct Person: Resource {
        static let type = "p"
        var id = "2"
        @ConvertedIfPresent<LoginForm> var login: Login?
    }

    @Test("Meta, relationships, and raw resources beside a value with hidden fields do not have these")
    func besideOtherProperties() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            var title: String?
            var author: ToOne<Person> = .empty
            var raw: ToOne<ResourceObject> = .empty
            var meta: ResourceMeta<[String: JSON]>?
            @ConvertedIfPresent<LoginForm> var role: Login?
            @ConvertedIfPresent<LoginForm> var login: Login?
            enum CodingKeys: String, CodingKey {
                case id, title, author, raw, meta, role = "relationships.author.meta", login = "meta.login"
            }
        }
        let login = Login(name: "n", hash: "SECRET")
        let model = Model(
            author: ToOne(Person(login: login)), raw: ToOne(ResourceIdentifier(type: "p", id: "2")), meta: ResourceMeta(["x": 1]),
            role: login,
            login: login)
        let changed = try Changes<Model>(body(#"{"title":"t"}"#)).applied(to: model)
        #expect(changed.login?.hash == "SECRET" && changed.role?.hash == "SECRET" && changed.author.value?.login?.hash == "SECRET")
        #expect(try !text(changed).contains("SECRET") && !text(changed).contains("shadow"))
    }

    @Test("What a model includes is the server's, also in a form that a client must not send")
    func includedByTheServer() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            var raw: ToOne<ResourceObject> = .empty
            var person: ToOne<Person> = .empty
        }
        let text =
            #"{"data":{"type":"m","id":"1","relationships":{"raw":{"data":{"type":"p","id":"2"}},"person":{"data":{"type":"p","id":"2"}}}},"#
            + #""included":[{"type":"p","id":"2","attributes":{"login":{"name":"n","hash":"SECRET"}}}]}"#
        let model = try JSONAPIDecoder().decode(Model.self, from: Data(text.utf8))
        let changed = try Changes<Model>(body("{}")).applied(to: model)
        #expect(changed.person.value?.login == Login(name: "n", hash: "SECRET"))
        let again = try Changes<Model>(body("{}")).applied(to: changed)
        #expect(again.person.value?.login == Login(name: "n", hash: "SECRET"))
    }

    @Test("Members among the remaining ones of an object with hidden fields are not published")
    func remainingMembers() throws {
        struct Model: Resource {
            static let type = "m"
            var id = "1"
            @ConvertedIfPresent<LoginForm> var login: Login?
            var title: String?
            var rest = RemainingMembers()
            enum CodingKeys: String, CodingKey { case id, login, title, rest = "attributes.login" }
        }
        let model = Model(login: Login(name: "n", hash: "SECRET"))
        let changed = try Changes<Model>(body(#"{"title":"t"}"#)).applied(to: model)
        #expect(changed.login?.hash == "SECRET")
        #expect(try !text(changed).contains("SECRET") && !text(changed).contains("shadow"))
    }

    @Test("A class that extends another one in a set hides the same fields")
    func extendedClass() throws {
        class User: @unchecked Sendable {
            var name: String?
            var hash: String?
            required init() {}
        }
        final class Admin: User, @unchecked Sendable {}
        var schemas = SchemaSet()
        schemas[User.self] = MappingSchema<User>(creating: User()) {
            MappingField(\.name, "name", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("name")
        schemas.extend(User.self, to: Admin.self, creating: Admin()) { $0 }
        let admin = Admin()
        (admin.name, admin.hash) = ("a", "SECRET")
        #expect(try schemas.schema(for: Admin.self).encode(admin) == ["name": "a"])
    }

    private struct Reader: Resource {
        static let type = "people"
        var id: String
        var age: Int
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var title: String
        @Lossy var author: Reader?
        @Lossy var readers: [Reader]?
    }

    @Test("A change keeps the relationships whose resources a lossy property could not read", arguments: [true, false])
    func lossyRelationships(isIncluded: Bool) throws {
        let included = isIncluded ? #"{"type": "people", "id": "9", "attributes": {"age": "old"}}"# : ""
        let links = #""author": {"data": {"type": "people", "id": "9"}}, "readers": {"data": [{"type": "people", "id": "9"}]}"#
        let text = #"""
            {"data": {"type": "posts", "id": "1", "attributes": {"title": "T"}, "relationships": {\#(links)}}, "included": [\#(included)]}
            """#
        let post = try JSONAPIDecoder().decode(Post.self, from: Data(text.utf8))
        #expect(post.author == nil && post.readers == nil)
        let request = Data(#"{"data": {"type": "posts", "id": "1", "attributes": {"title": "N"}}}"#.utf8)
        let new = try Changes<Post>(request).applied(to: post)
        var unlinked = new
        unlinked.readers = []
        #expect(try JSONAPIEncoder().encode(Patch(from: post, to: new)) == encoder.encode(Patch<Post>(id: "1").set("title", "N")))
        let linked = try JSONAPIDecoder().decode(ResourceObject.self, from: JSONAPIEncoder().encode(new))
        #expect(linked[relationship: "author"]?.data.identifiers.count == 1 && linked[relationship: "readers"]?.data.identifiers.count == 1)
        let patch = try JSONAPIDecoder().decode(ResourceObject.self, from: JSONAPIEncoder().encode(Patch(from: new, to: unlinked)))
        #expect(patch[relationship: "author"] == nil && patch[relationship: "readers"]?.data == .many([]))
    }
}
