import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

/// Fields that a schema reads, but does not represent.
extension ChangesTests {
    @Test("Changes keep the fields that a schema does not represent, and clients cannot set them")
    func fieldsThatASchemaDoesNotRepresent() throws {
        struct Login: Mapped {
            static let schema = MappingSchema<Login>(creating: Login()) {
                MappingField(\.name, "name")
                MappingField(\.hash, "hash")
            }.representing("name")
            var name = ""
            var hash = ""
        }
        struct User: SchemaResource {
            static let type = "users"
            static let schema = MappingSchema<User>(creating: User()) {
                MappingField(\.id, "id")
                MappingField(\.name, "name")
                MappingField(\.hash, "hash")
                MappingField(\.login, "login")
            }.representing("id", "name", "login")
            var id = "1"
            var name = ""
            var hash = ""
            var login = Login()
        }
        func body(_ attributes: String) -> Data { Data(#"{"data":{"type":"users","id":"1","attributes":\#(attributes)}}"#.utf8) }
        let user = User(name: "Old", hash: "secret", login: Login(name: "ann", hash: "inner"))
        let renamed = try Changes<User>(body(#"{"name":"New"}"#)).applied(to: user)
        #expect(renamed.name == "New" && renamed.hash == "secret")
        #expect(renamed.login.name == "ann" && renamed.login.hash == "inner")
        let both = body(#"{"name":"New","hash":"x"}"#)
        #expect(answer { _ = try Changes<User>(both).applied(to: user) } == ["422 /data/attributes/hash"])
        // It would not be ignored, but set.
        let hidden = ["422 /data/attributes/hash"]
        #expect(answer { _ = try Changes<User>(both).applied(to: user, ignoringUnknownNames: true) } == hidden)
        let new = body(#"{"name":"New","hash":"x","login":{"name":"ann","hash":"inner"}}"#)
        #expect(
            answer { _ = try JSONAPIDecoder().decodeNew(User.self, from: new, ignoringUnknownNames: true) } == hidden + [
                "422 /data/attributes/login/hash"
            ])
    }

    fileprivate struct Login: Mapped, Equatable {
        static let schema = MappingSchema<Login>(creating: Login()) {
            MappingField(\.name, "name")
            MappingField(\.hash, from: ["hash", "old.hash"], .omit)
        }.representing("name")
        var name = ""
        var hash: String?
    }

    fileprivate struct Account: SchemaResource, Equatable {
        static let type = "accounts"
        static let relationshipNames: Set<String> = ["owner"]
        static let schema = MappingSchema<Account>(creating: Account()) {
            MappingField(\.id, "id")
            MappingField(\.name, "name", .omit)
            MappingField(\.city, from: "place.city", .omit)
            MappingField(\.secret, from: ["place.secret", "secret"], .omit)
            MappingField(\.login, from: ["login", "account"], .omit)
            MappingField(\.logins, "logins", .omit)
            MappingField(\.owner, from: "owner.data", .omit)
        }.representing("id", "name", "place.city", "login", "logins")
        var id = "1"
        var name: String?
        var city: String?
        var secret: String?
        var login: Login?
        var logins: [Login]?
        var owner: JSON?
    }

    fileprivate enum LoginForm: ConversionSource { static var conversion: Conversion<JSON, Login> { Login.conversion } }

    /// Only the value in an attribute has a schema.
    fileprivate struct Plain: Resource {
        static let type = "accounts"
        var id = "1"
        @ConvertedIfPresent<LoginForm> var login: Login?
    }

    private func body(_ members: String) -> Data { Data(#"{"data":{"type":"accounts","id":"1",\#(members)}}"#.utf8) }

    private static let setting = [
        #""place":{"secret":"X"}"#: "place/secret", #""place":{"city":"c","secret":"X"}"#: "place/secret",
        #""login":{"name":"n","hash":"X"}"#: "login/hash", #""login":{"name":"n","old":{"hash":"X"}}"#: "login/old/hash",
        #""logins":[{"name":"m"},{"name":"n","hash":"X"}]"#: "logins/1/hash",
    ]

    private static let settingByUnknownNames = [
        #""secret":"X""#: "secret", #""account":{"name":"n","hash":"X"}"#: "account/hash", #""secret":null"#: "secret",
    ]

    @Test(
        "A client cannot set a field that a schema does not represent, however deep it is",
        arguments: setting.merging(settingByUnknownNames) { $1 })
    func hiddenFields(attributes: String, path: String) {
        let text = body(#""attributes":{\#(attributes)}"#)
        let full = Account(
            name: "n", city: "c", secret: "s", login: Login(name: "n", hash: "h"), logins: [Login(name: "n", hash: "h")],
            owner: ["type": "people", "id": "2"])
        /// Whether an error is about the attribute.
        func isRefused(_ answer: [String]) -> Bool {
            !answer.isEmpty && answer.contains { $0.hasPrefix("422 /data/attributes/\(path.prefix { $0 != "/" })") }
        }
        let settings = Self.setting[attributes] == nil ? [true] : [true, false]
        for ignores in settings {
            #expect(isRefused(answer { _ = try JSONAPIDecoder().decodeNew(Account.self, from: text, ignoringUnknownNames: ignores) }))
            for old in [Account(), full] {
                // A member that is not read, because an earlier one has a value, is ignored like any other.
                let kept = { try? Changes<Account>(text).applied(to: old, ignoringUnknownNames: ignores) }
                let refusal = answer { _ = try Changes<Account>(text).applied(to: old, ignoringUnknownNames: ignores) }
                #expect(isRefused(refusal) || ignores && old == full && kept() == old)
            }
        }
    }

    @Test("A client cannot set a relationship that a schema does not represent", arguments: [true, false])
    func hiddenRelationship(ignores: Bool) throws {
        let text = body(#""relationships":{"owner":{"data":{"type":"people","id":"9"}}}"#)
        let expected = ["422 /data/relationships/owner/data"]
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Account.self, from: text, ignoringUnknownNames: ignores) } == expected)
    }

    @Test(
        "Changes keep such fields in the objects that a request replaces",
        arguments: [#""place":{"city":"c"}"#, #""place":{}"#, #""place":null"#, #""login":{"name":"m"}"#, #""name":"x""#])
    func keptHiddenFields(attributes: String) throws {
        let old = Account(name: "n", city: "b", secret: "s", login: Login(name: "n", hash: "h"))
        for ignores in [true, false] {
            let new = try Changes<Account>(body(#""attributes":{\#(attributes)}"#)).applied(to: old, ignoringUnknownNames: ignores)
            #expect(new.secret == "s" && new.login?.hash == "h")
            #expect(
                new.city
                    == (attributes.hasPrefix(#""place""#) ? attributes.contains("c\"") && attributes.contains("city") ? "c" : nil : "b"))
            #expect(new.login?.name == (attributes.contains("login") ? "m" : "n"))
        }
    }

    @Test("The same for a value with a schema in a model without one")
    func hiddenFieldsOfConvertedValue() throws {
        let set = body(#""attributes":{"login":{"name":"m","hash":"X"}}"#)
        let expected = ["422 /data/attributes/login/hash"]
        for login in [nil, Login(name: "n", hash: "h")] {
            #expect(answer { _ = try Changes<Plain>(set).applied(to: Plain(login: login)) } == expected)
        }
        #expect(answer { _ = try JSONAPIDecoder().decodeNew(Plain.self, from: set) } == expected)
        let renaming = try Changes<Plain>(body(#""attributes":{"login":{"name":"m"}}"#))
        #expect(try renaming.applied(to: Plain(login: Login(name: "n", hash: "h"))).login == Login(name: "m", hash: "h"))
    }

    fileprivate struct Box: Mapped, Hashable {
        static let schema = MappingSchema<Box>(creating: Box()) {
            MappingField(\.number, "number", .default(0))
            MappingField(\.login, from: ["login", "account"], .omit)
        }
        var number = 0
        var login: BoxLogin?
    }

    fileprivate struct BoxLogin: Mapped, Hashable {
        static let schema = MappingSchema<BoxLogin>(creating: BoxLogin()) {
            MappingField(\.name, "name", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("name")
        var name: String?
        var hash: String?
    }

    fileprivate struct Boxes: SchemaResource {
        static let type = "accounts"
        static let schema = MappingSchema<Boxes>(creating: Boxes()) {
            MappingField(\.id, "id")
            MappingField(\.box, "box", .omit)
            MappingField(\.set, "set", .default([]), .set(Box.conversion))
            MappingField(\.title, "title", .omit)
            MappingField(\.slug, from: ["slug", "title"], .omit)
            MappingField(\.shown, from: "a.b.shown", .omit)
            MappingField(\.secret, from: "a.b.secret", .omit)
            MappingField(\.json, "json", .omit)
            MappingField(\.inJSON, from: "json.secret", .omit)
        }.representing("box", "set", "title", "a.b.shown", "json")
        var id = "1"
        var box: Box?
        var set: Set<Box> = []
        var title: String?
        var slug: String?
        var shown: String?
        var secret: String?
        var json: JSON?
        var inJSON: String?
    }

    @Test(
        "The places of such fields are those from which they are read, whatever the model writes",
        arguments: [
            #""box":{"account":{"name":"n","hash":"X"}}"#, #""set":[{"number":2,"login":{"hash":"X"}},{"number":1}]"#,
            #""set":[{"number":1},{"number":2,"login":{"hash":"X"}}]"#, #""slug":"X""#,
        ])
    func placesOfHiddenFields(attributes: String) {
        let text = body(#""attributes":{\#(attributes)}"#)
        for ignores in [true, false] {
            #expect(answer { _ = try JSONAPIDecoder().decodeNew(Boxes.self, from: text, ignoringUnknownNames: ignores) } != [])
            for old in [Boxes(), Boxes(box: Box(login: BoxLogin(name: "n", hash: "h")), json: ["secret": "j"], inJSON: "j")] {
                let refusal = answer { _ = try Changes<Boxes>(text).applied(to: old, ignoringUnknownNames: ignores) }
                #expect(refusal.count == 1 && refusal[0].hasPrefix("422 /data/attributes/"))
            }
        }
    }

    @Test(
        "Fields that clients know are not refused beside them",
        arguments: [
            #""title":"x""#, #""a":{"b":{"shown":null}}"#, #""a":{"b":{}}"#, #""a":null"#, #""json":{"other":1}"#,
            #""json":{"secret":"X"}"#,
            #""set":[{"number":2},{"number":1,"login":{"name":"n"}}]"#, #""box":{"login":{"name":"m"}}"#,
        ])
    func knownBesideHiddenFields(attributes: String) throws {
        let text = body(#""attributes":{\#(attributes)}"#)
        let made = try JSONAPIDecoder().decodeNew(Boxes.self, from: text)
        #expect(made.slug == nil && made.inJSON == nil)
        for old in [Boxes(slug: "s", shown: "a", secret: "b"), Boxes(shown: "a", secret: "b", json: ["secret": "j"], inJSON: "k")] {
            var old = old
            old.box = Box(login: BoxLogin(name: "n", hash: "h"))
            let new = try Changes<Boxes>(text).applied(to: old)
            #expect(new.secret == "b" && new.slug == old.slug && new.inJSON == old.inJSON && new.box?.login?.hash == "h")
        }
    }

    @Test("Null for an attribute also clears what the schema of its value does not represent")
    func clearedWithHiddenFields() throws {
        let old = Account(login: Login(name: "n", hash: "h"), logins: [Login(name: "n", hash: "h")])
        #expect(try Changes<Account>(body(#""attributes":{"login":null,"logins":[]}"#)).applied(to: old).login == nil)
        // No element of an array is the same as an earlier one.
        let replaced = try Changes<Account>(body(#""attributes":{"logins":[{"name":"n"}]}"#)).applied(to: old)
        #expect(replaced.logins == [Login(name: "n")])
    }
}
