import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIStore
import JSONAPIStreams
import JSONAPIValidation
import JSONMapping
import JSONText
import Testing

/// Documents of models from stores: the resources that their references find are written by the models that read them.
@Suite struct StoredModelsTests {
    private struct Account: SchemaResource {
        static let type = "accounts"
        static let schema = MappingSchema<Account>(creating: Account()) {
            MappingField(\.id, "id")
            MappingField(\.age, "age")
            MappingField(\.password, "password")
        }.representing("id", "age")
        var id: String?
        var age: Int?
        var password: String?
    }

    private func store(_ text: String) throws -> ResourceStore {
        let store = ResourceStore()
        try store.ingest(JSONAPIDecoder().decode(DocumentObject.self, from: Data(text.utf8)))
        return store
    }

    private func text(_ model: some Resource, _ include: IncludePaths = .all) throws -> String {
        String(decoding: try JSONAPIEncoder().encode(model, include: include), as: UTF8.self)
    }

    private func included(_ model: some Resource, _ include: IncludePaths = .all) throws -> [ResourceObject] {
        try JSONAPIDecoder().decode(DocumentObject.self, from: JSONAPIEncoder().encode(model, include: include)).included ?? []
    }

    // MARK: - Hidden fields

    private struct Author: Resource {
        static let type = "people"
        var id: String
        var articles: [Essay]?
        var next: ToOne<Note>
    }

    private struct Essay: Resource {
        static let type = "articles"
        var id: String
        var author: Author?
    }

    private struct Note: Resource {
        static let type = "notes"
        var id: String
        var essay: ToOne<Essay>
    }

    private struct Root: Resource {
        static let type = "roots"
        var id: String
        var author: ToOne<Author>
        var account: ToOne<Account>
    }

    @Test("A document that is begun again has no hidden fields either")
    func begunAgain() throws {
        let store = try store(
            #"""
            {"data": {"type": "roots", "id": "r", "relationships": {
                "author": {"data": {"type": "people", "id": "a"}}, "account": {"data": {"type": "accounts", "id": "1"}}}},
             "included": [{"type": "accounts", "id": "1", "attributes": {"age": 3, "password": "SECRET"}},
                {"type": "people", "id": "a", "relationships": {
                    "articles": {"data": [{"type": "articles", "id": "e"}]}, "next": {"data": {"type": "notes", "id": "n"}}}},
                {"type": "articles", "id": "e", "relationships": {"author": {"data": {"type": "people", "id": "a"}}}},
                {"type": "notes", "id": "n", "relationships": {"essay": {"data": {"type": "articles", "id": "e"}}}}]}
            """#)
        let root = try #require(try store.resource(Root.self, id: "r"))
        let paths: [IncludePaths] = [.all, ["account", "author.articles", "author.next.essay"], ["account"]]
        for include in paths {
            let text = try text(root, include)
            #expect(text.contains(#""age":3"#) && !text.contains("SECRET"))
        }
    }

    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
        var editor: ToOne<Person> = .notLoaded
    }

    @Test("Of two moments of a store, the one that has the resource gives its model's form", arguments: [true, false])
    func twoMoments(isRemovedFirst: Bool) throws {
        let store = try store(
            #"""
            {"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
             "included": [{"type": "people", "id": "9", "attributes": {"name": "n", "password": "SECRET"}}]}
            """#)
        let id = ResourceIdentifier(type: "articles", id: "1")
        let before = try #require(try store.snapshot().resource(Article.self, id)).author
        _ = store.remove(ResourceIdentifier(type: "people", id: "9"))
        let now = try #require(try store.resource(Article.self, id)).author
        let both = Article(id: "2", author: isRemovedFirst ? now : before, editor: isRemovedFirst ? before : now)
        #expect(try included(both).map(\.attributes) == [["name": "n"]])
    }

    private enum Owner: ResourceUnion {
        case account(Account), unknown(ResourceObject)
        static let members: [UnionMember<Owner>] = [.init(Owner.account)]
        var resource: any ResourceRepresentable {
            switch self {
            case .account(let account): account
            case .unknown(let resource): resource
            }
        }
    }

    @Test("A stored resource that its model cannot read is left out, whatever its schemas hide", arguments: ["accounts", "admins"])
    func unreadable(type: String) throws {
        struct Holder: Resource {
            static let type = "holders"
            var id: String
            var account: ToOne<Account>
        }
        struct Owned: Resource {
            static let type = "holders"
            var id: String
            var account: ToOne<Owner>
        }
        let store = try store(
            #"""
            {"data": {"type": "holders", "id": "1", "relationships": {"account": {"data": {"type": "\#(type)", "id": "1"}}}},
             "included": [{"type": "\#(type)", "id": "1", "attributes": {"age": "three", "password": "SECRET"}}]}
            """#)
        #expect(try included(#require(try store.resource(Holder.self, id: "1"))).isEmpty)
        #expect(try !text(#require(try store.resource(Owned.self, id: "1"))).contains("SECRET") || type == "admins")
    }

    // MARK: - Values of the program

    @Test("An edit of the program comes before what a reference finds in a store", arguments: [true, false])
    func edits(keepsFirst: Bool) throws {
        let text = Data(
            #"""
            {"data": {"type": "articles", "id": "1", "relationships": {
                "author": {"data": {"type": "people", "id": "9"}}, "editor": {"data": {"type": "people", "id": "9"}}}},
             "included": [{"type": "people", "id": "9", "attributes": {"name": "old"}}]}
            """#.utf8)
        var encoder = JSONAPIEncoder()
        if keepsFirst { encoder.conflictingResources = .keepFirst }
        for read in [try JSONAPIDecoder().decode(Article.self, from: text), try ResourceStore().decode(Article.self, from: text)] {
            var (first, second) = (read, read)
            first.author = ToOne(Person(id: "9", name: "new"))
            second.editor = ToOne(Person(id: "9", name: "new"))
            for article in [first, second] {
                let document = try JSONAPIDecoder().decode(DocumentObject.self, from: encoder.encode(article))
                #expect(document.included?.map(\.attributes) == [["name": "new"]])
            }
        }
    }

    @Test("A model from a store that has changed in the meantime is written with the values that it embeds")
    func changedStore() throws {
        struct Paper: Resource {
            static let type = "papers"
            var id: String
            var author: ToOne<Person>
            var editor: Person
        }
        let store = try store(
            #"""
            {"data": {"type": "papers", "id": "1", "relationships": {
                "author": {"data": {"type": "people", "id": "9"}}, "editor": {"data": {"type": "people", "id": "9"}}}},
             "included": [{"type": "people", "id": "9", "attributes": {"name": "old"}}]}
            """#)
        let paper = try #require(try store.resource(Paper.self, id: "1"))
        try store.ingest(Person(id: "9", name: "newer"))
        #expect(try included(paper).map(\.attributes) == [["name": "old"]])
    }

    // MARK: - Several models

    private struct Short: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    private struct Long: Resource {
        static let type = "people"
        var id: String
        var name: String
        var city: String?
        var boss: ToOne<Long>
    }

    private struct Report: Resource {
        static let type = "reports"
        var id: String
        var author: ToOne<Short>
        var editor: ToOne<Long>
    }

    private let report = #"""
        {"data": {"type": "reports", "id": "1", "relationships": {
            "author": {"data": {"type": "people", "id": "1"}}, "editor": {"data": {"type": "people", "id": "1"}}}},
         "included": [{"type": "people", "id": "1", "attributes": {"name": "n", "city": "c"},
                       "relationships": {"boss": {"data": {"type": "people", "id": "2"}}}},
                      {"type": "people", "id": "2", "attributes": {"name": "boss"}}]}
        """#

    @Test("A resource that two models read is written with what both of them have")
    func twoModels() throws {
        let paths: [IncludePaths] = [.all, ["author", "editor.boss"], ["editor.boss", "author"]]
        for include in paths {
            let read = try ResourceStore().decode(Report.self, from: Data(report.utf8))
            let again = try JSONAPIDecoder().decode(Report.self, from: JSONAPIEncoder().encode(read, include: include))
            #expect(again.author.value?.name == "n" && again.editor.value?.city == "c")
            #expect(again.editor.value?.boss.value?.name == "boss")
        }
    }

    @Test("A resource that a second model reads after it was written is written again")
    func laterModel() throws {
        struct Review: Resource {
            static let type = "reviews"
            var id: String
            var editor: ToOne<Long>
        }
        struct Paper: Resource {
            static let type = "papers"
            var id: String
            var author: ToOne<Short>
            var review: ToOne<Review>
        }
        let store = try store(
            #"""
            {"data": {"type": "papers", "id": "1", "relationships": {
                "author": {"data": {"type": "people", "id": "1"}}, "review": {"data": {"type": "reviews", "id": "1"}}}},
             "included": [{"type": "reviews", "id": "1", "relationships": {"editor": {"data": {"type": "people", "id": "1"}}}},
                          {"type": "people", "id": "1", "attributes": {"name": "n", "city": "c"}}]}
            """#)
        let paper = try #require(try store.resource(Paper.self, id: "1"))
        let paths: [IncludePaths] = [.all, ["author", "review.editor"]]
        for include in paths {
            let person = try included(paper, include).first { $0.type == "people" }
            #expect(person?.attributes == ["name": "n", "city": "c"])
        }
    }

    @Test("A resource that refers to itself by another model has what that reads")
    func selfReference() throws {
        struct Own: Resource {
            static let type = "people"
            var id: String
            var name: String
            var best: ToOne<Long>
        }
        struct Page: Resource {
            static let type = "pages"
            var id: String
            var author: ToOne<Own>
        }
        let text = #"""
            {"data": {"type": "pages", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "1"}}}},
             "included": [{"type": "people", "id": "1", "attributes": {"name": "n", "city": "c"},
                           "relationships": {"best": {"data": {"type": "people", "id": "1"}}}}]}
            """#
        let page = try ResourceStore().decode(Page.self, from: Data(text.utf8))
        #expect(try included(page).map(\.attributes) == [["name": "n", "city": "c"]])
    }

    @Test("A model that comes through a document or another store counts as well", arguments: [true, false])
    func otherSources(isDocument: Bool) throws {
        let stored = try ResourceStore().decode(Report.self, from: Data(report.utf8))
        let text = Data(report.utf8)
        var mixed = try isDocument ? JSONAPIDecoder().decode(Report.self, from: text) : ResourceStore().decode(Report.self, from: text)
        mixed.author = stored.author
        let paths: [IncludePaths] = [.all, ["author", "editor.boss"]]
        for include in paths {
            let again = try JSONAPIDecoder().decode(Report.self, from: JSONAPIEncoder().encode(mixed, include: include))
            #expect(again.editor.value?.city == "c" && again.editor.value?.boss.value?.name == "boss")
        }
    }

    @Test("A resource has the state of one moment")
    func oneMoment() throws {
        let store = ResourceStore()
        var page = try store.decode(Report.self, from: Data(report.utf8))
        page.author = try #require(try store.snapshot().resource(Report.self, ResourceIdentifier(type: "reports", id: "1"))).author
        try store.ingest(Long(id: "1", name: "Bob", city: "Rome", boss: .notLoaded))
        #expect(try included(page).first?.attributes == ["name": "n", "city": "c"])
    }

    @Test("Models that read parts of one attribute write both")
    func partsOfOneAttribute() throws {
        struct City: Codable { var city: String }
        struct Zip: Codable { var zip: String }
        struct InCity: Resource {
            static let type = "people"
            var id: String
            var data: City
            var places: [City]
        }
        struct WithZip: Resource {
            static let type = "people"
            var id: String
            var data: Zip
            var places: [Zip]
        }
        struct Page: Resource {
            static let type = "pages"
            var id: String
            var one: ToOne<InCity>
            var two: ToOne<WithZip>
        }
        let text = #"""
            {"data": {"type": "pages", "id": "1", "relationships": {
                "one": {"data": {"type": "people", "id": "1"}}, "two": {"data": {"type": "people", "id": "1"}}}},
             "included": [{"type": "people", "id": "1", "attributes": {
                "data": {"city": "c", "zip": "z"}, "places": [{"city": "c", "zip": "z"}]}}]}
            """#
        let page = try ResourceStore().decode(Page.self, from: Data(text.utf8))
        #expect(
            try included(page).map(\.attributes) == [["data": ["city": "c", "zip": "z"], "places": [["city": "c", "zip": "z"]]]])
    }

    @Test("A path through a store leads on from the resource of a document that came first")
    func documentFirst() throws {
        struct Page: Resource {
            static let type = "reports"
            var id: String
            var author: ToOne<Long>
            var editor: ToOne<Long>
        }
        var page = try JSONAPIDecoder().decode(Page.self, from: Data(report.utf8))
        page.editor = try ResourceStore().decode(Page.self, from: Data(report.utf8)).editor
        #expect(try included(page, ["author", "editor.boss"]).map(\.id) == ["1", "2"])
    }

    @Test("A path is no misspelled name if a value took the place of what it leads through, or one of two models cannot read that")
    func pathsInPlace() throws {
        struct Page: Resource {
            static let type = "reports"
            var id: String
            var editor: ToOne<Long>
            var author: ToOne<Short>
        }
        struct Strict: Resource {
            static let type = "people"
            var id: String
            var missing: String
            var boss: ToOne<Long>
        }
        struct Other: Resource {
            static let type = "reports"
            var id: String
            var author: ToOne<Short>
            var editor: ToOne<Strict>
        }
        let text = Data(report.utf8)
        for var page in [try JSONAPIDecoder().decode(Page.self, from: text), try ResourceStore().decode(Page.self, from: text)] {
            page.author = ToOne(Short(id: "1", name: "edit"))
            #expect(try included(page, ["author", "editor.boss"]).first?.attributes == ["name": "edit"])
        }
        let other = try ResourceStore().decode(Other.self, from: text)
        #expect(try included(other, ["author", "editor.boss"]).first?.attributes == ["name": "n"])
    }

    private struct One: Resource {
        static let type = "xs"
        var id: String
        var a: Int
        var note: ToOne<Short>
    }

    private struct Two: Resource {
        static let type = "xs"
        var id: String
        var b: Int
    }

    private struct Middle: Resource {
        static let type = "middles"
        var id: String
        var x: ToOne<One>
    }

    private struct Outer: Resource {
        static let type = "outers"
        var id: String
        var first: ToOne<Two>
        var second: ToOne<Middle>
    }

    private let outer = #"""
        {"data": {"type": "outers", "id": "1", "relationships": {
            "first": {"data": {"type": "xs", "id": "1"}}, "second": {"data": {"type": "middles", "id": "1"}}}},
         "included": [{"type": "xs", "id": "1", "attributes": {"a": 1}, "relationships": {"note": {"data": {"type": "people", "id": "1"}}}},
                      {"type": "middles", "id": "1", "relationships": {"x": {"data": {"type": "xs", "id": "1"}}}},
                      {"type": "people", "id": "1", "attributes": {"name": "n"}}]}
        """#

    @Test("A resource that the first model cannot read is written if a later one can")
    func unreadAtFirst() throws {
        let outer = try #require(try store(outer).resource(Outer.self, id: "1"))
        #expect(try Set(included(outer).map(\.type)) == ["xs", "middles", "people"])
        #expect(try Set(included(outer, ["first", "second.x.note"]).map(\.type)) == ["xs", "middles", "people"])
        #expect(try included(outer, ["first", "second.x"]).first { $0.type == "xs" }?.attributes == ["a": 1])
        struct Alone: Resource {
            static let type = "outers"
            var id: String
            var first: ToOne<Two>
        }
        let middle = try #require(try store(self.outer).resource(Middle.self, id: "1"))
        let alone = try #require(try store(self.outer).resource(Alone.self, id: "1"))
        let paths: [IncludePaths] = [.all, ["first", "x"]]
        for include in paths {
            let document = try JSONAPIDecoder().decode(DocumentObject.self, from: written([alone, middle], include))
            #expect(document.included?.contains { $0.type == "xs" } == true)
        }
    }

    @Test("What a resource of a document links to is whole, although models of a store have read it before")
    func linkedByDocument() throws {
        struct Page: Resource {
            static let type = "pages"
            var id: String
            var stored: ToOne<Short>
            var read: ToOne<Review>
        }
        struct Review: Resource {
            static let type = "reviews"
            var id: String
            var editor: ToOne<Long>
        }
        let text = #"""
            {"data": {"type": "pages", "id": "1", "relationships": {
                "stored": {"data": {"type": "people", "id": "1"}}, "read": {"data": {"type": "reviews", "id": "1"}}}},
             "included": [{"type": "reviews", "id": "1", "relationships": {"editor": {"data": {"type": "people", "id": "1"}}}},
                          {"type": "people", "id": "1", "attributes": {"name": "n", "city": "c"},
                           "relationships": {"boss": {"data": {"type": "people", "id": "2"}}}},
                          {"type": "people", "id": "2", "attributes": {"name": "boss"}}]}
            """#
        var page = try #require(try store(text).resource(Page.self, id: "1"))
        page.read = try JSONAPIDecoder().decode(Page.self, from: Data(text.utf8)).read
        for data in [try JSONAPIEncoder().encode([page]), try written([page])] {
            let again = try #require(try JSONAPIDecoder().decode([Page].self, from: data).first)
            let editor = again.read.value?.editor.value
            #expect(again.stored.value?.name == "n" && editor?.city == "c" && editor?.boss.value?.name == "boss")
        }
    }

    @Test("A path through a resource that another model has is no misspelled name")
    func pathOfAnotherModel() throws {
        struct Mixed: Resource {
            static let type = "reports"
            var id: String
            var author: Short
            var editor: ToOne<Long>
        }
        let mixed = try JSONAPIDecoder().decode(Mixed.self, from: Data(report.utf8))
        #expect(try included(mixed, ["author", "editor.boss"]).map(\.id).first == "1")
    }

    // MARK: - Circles

    @Test("What a circle was cut from leads on by its model")
    func cut() throws {
        struct Top: Resource {
            static let type = "tops"
            var id: String
            var a: ToOne<A>
        }
        struct A: Resource {
            static let type = "as"
            var id: String
            var b: B?
            var same: ToOne<B>
        }
        struct B: Resource {
            static let type = "bs"
            var id: String
            var list: [A]?
        }
        let text = Data(
            #"""
            {"data": {"type": "tops", "id": "1", "relationships": {"a": {"data": {"type": "as", "id": "1"}}}},
             "included": [{"type": "as", "id": "1", "relationships": {
                "b": {"data": {"type": "bs", "id": "1"}}, "same": {"data": {"type": "bs", "id": "1"}}}},
                {"type": "bs", "id": "1", "relationships": {"list": {"data": [{"type": "as", "id": "1"}, {"type": "as", "id": "2"}]}}},
                {"type": "as", "id": "2"}]}
            """#.utf8)
        for top in [try JSONAPIDecoder().decode(Top.self, from: text), try ResourceStore().decode(Top.self, from: text)] {
            let paths: [IncludePaths] = [.all, ["a.b.list"]]
            for include in paths {
                #expect(try Set(included(top, include).map { "\($0.type)\($0.id ?? "")" }) == ["as1", "bs1", "as2"])
                _ = try JSONAPIDecoder().decode(Top.self, from: JSONAPIEncoder().encode(top, include: include))
            }
        }
    }

    private struct Login: Mapped {
        static let schema = MappingSchema<Login>(creating: Login()) {
            MappingField(\.name, "name", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("name")
        var name: String?
        var hash: String?
    }

    private enum LoginForm: ConversionSource { static var conversion: Conversion<JSON, Login> { Login.conversion } }

    private struct Member: Resource {
        static let type = "members"
        var id: String
        @ConvertedIfPresent<LoginForm> var login: Login?
        var team: Team?
        var other: ToOne<Team>
    }

    private struct Team: Resource {
        static let type = "teams"
        var id: String
        var members: [Member]?
    }

    @Test("Resources behind a relationship that a cycle cut have no hidden fields")
    func hiddenBehindCuts() throws {
        let store = try store(
            #"""
            {"data": {"type": "members", "id": "1", "relationships": {
                "team": {"data": {"type": "teams", "id": "1"}}, "other": {"data": {"type": "teams", "id": "1"}}}},
             "included": [{"type": "teams", "id": "1", "relationships": {
                "members": {"data": [{"type": "members", "id": "1"}, {"type": "members", "id": "2"}]}}},
                {"type": "members", "id": "2", "attributes": {"login": {"name": "n", "hash": "SECRET"}}}]}
            """#)
        let member = try #require(try store.resource(Member.self, id: "1"))
        let paths: [IncludePaths] = [.all, ["team.members", "other"]]
        for include in paths {
            #expect(try included(member, include).first { $0.type == "members" }?.attributes == ["login": ["name": "n"]])
            #expect(try !text(member, include).contains("SECRET"))
        }
    }

    // MARK: - One resource at a time

    private func written(_ models: [any Resource], _ include: IncludePaths = .all) throws -> Data {
        var text = Data()
        let writer = try DocumentWriter(include: include) { text += $0 }
        for model in models { try writer.append(model) }
        try writer.finish()
        return text
    }

    @Test("A writer has each resource once, with what all models read, whenever these are met", arguments: 0..<3)
    func writers(order: Int) throws {
        struct X: Resource {
            static let type = "xs"
            var id: String
            var person: ToOne<Short>
        }
        struct Y: Resource {
            static let type = "ys"
            var id: String
            var person: ToOne<Long>
        }
        let person = #""relationships": {"person": {"data": {"type": "people", "id": "1"}}}"#
        let store = try store(
            #"""
            {"data": [{"type": "xs", "id": "1", \#(person)}, {"type": "ys", "id": "1", \#(person)}, {"type": "xs", "id": "2", \#(person)}],
             "included": [{"type": "people", "id": "1", "attributes": {"name": "n", "city": "c", "password": "SECRET"},
                           "relationships": {"boss": {"data": {"type": "people", "id": "2"}}}},
                          {"type": "people", "id": "2", "attributes": {"name": "boss"}}]}
            """#)
        let (x, y, z) = (
            try #require(try store.resource(X.self, id: "1")), try #require(try store.resource(Y.self, id: "1")),
            try #require(try store.resource(X.self, id: "2"))
        )
        let models: [[any Resource]] = [[x, y, z], [y, x, z], [x, z, y]]
        let paths: [IncludePaths] = [.all, ["person.boss"]]
        for include in paths {
            let text = try written(models[order], include)
            let included = try JSONAPIDecoder().decode(DocumentObject.self, from: text).included ?? []
            #expect(Set(included.map(\.id)) == ["1", "2"] && included.count == 2)
            #expect(included.first { $0.id == "1" }?.attributes == ["name": "n", "city": "c"])
            #expect(Validator(.response).validate(text).isValid)
        }
        // Values of the program come first, whenever they are met.
        let edit = X(id: "3", person: ToOne(Short(id: "1", name: "edit")))
        for list in [[edit, x, y] as [any Resource], [x, y, edit]] {
            let included = try JSONAPIDecoder().decode(DocumentObject.self, from: written(list)).included ?? []
            #expect(included.filter { $0.id == "1" }.map(\.attributes) == [["name": "edit"]])
        }
    }
}
