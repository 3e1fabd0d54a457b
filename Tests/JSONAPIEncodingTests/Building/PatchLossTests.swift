import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// A patch never deletes what the model did not see, and never ignores a nil.
@Suite struct PatchLossTests {
    private let encoder = JSONAPIEncoder()

    enum Suit: String, Codable, CaseIterable { case hearts, spades }

    struct Card: Resource {
        static let type = "cards"
        var id = "1"
        @Lossy var height: Int?
        @LossyArray var suits: [Suit]
        @LossyDictionary var counts: [String: Int]
    }

    private func card(_ attributes: String) throws -> Card {
        try JSONAPIDecoder().decode(Card.self, from: Data(#"{"data":{"type":"cards","id":"1","attributes":{\#(attributes)}}}"#.utf8))
    }

    private func attributes(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }

    @Test("Elements that a LossyArray cannot decode stay where they are when the array is edited")
    func lossyArray() throws {
        let card = try card(#""suits":[{"x":1},"hearts","cups",null]"#)
        #expect(card.suits == [.hearts])
        #expect(try attributes(card.patch { $0.suits.append(.spades) }) == ["suits": [["x": 1], "hearts", "cups", nil, "spades"]])
        #expect(try attributes(card.patch { $0.suits = [] }) == ["suits": [["x": 1], "cups", nil]])
        #expect(card.patch { $0.suits = [.hearts] }.isEmpty)
    }

    @Test("Values that a LossyDictionary or a Lossy property cannot decode are written back")
    func lossyValues() throws {
        let card = try card(#""counts":{"a":1,"b":"x"},"height":"tall""#)
        #expect(try attributes(card.patch { $0.counts["c"] = 2 })?["counts"] == ["a": 1, "b": "x", "c": 2])
        #expect(try attributes(card.patch { $0.counts["b"] = 2 })?["counts"] == ["a": 1, "b": 2])
        #expect(try encoder.resourceObject(card)[attribute: "height"] == "tall")
        #expect(try attributes(card.patch { $0.height = 5 }) == ["height": 5])
    }

    @Test("A value that was made anew does not delete what could not be decoded")
    func lossyValuesMadeAnew() throws {
        let old = try card(#""suits":["hearts","cups"],"height":"tall""#)
        let fresh = Card(height: nil, suits: [.hearts, .spades], counts: [:])
        let failure = encodingFailure { _ = try encoder.encode(Patch(from: old, to: fresh)) }
        #expect(
            failure?.pointer == JSONPointer("data", "attributes", "height")
                || failure?.pointer == JSONPointer("data", "attributes", "suits"))
        #expect(failure?.advice?.contains("patch { }") == true)
        let elements = try self.card(#""suits":["hearts","cups"]"#)
        let anew = Card(height: nil, suits: [.hearts, .spades], counts: [:])
        #expect(
            encodingFailure { _ = try encoder.encode(Patch(from: elements, to: anew)) }?.pointer
                == JSONPointer("data", "attributes", "suits"))
        let whole = Patch(from: old, to: fresh).set("suits", ["spades"]).setNull("height").omitting("counts")
        #expect(try attributes(whole) == ["height": nil, "suits": ["spades"]])
    }

    struct Person: Resource {
        static let type = "people"
        var id: String
    }
    struct Info: Codable, Sendable { var revision: Int }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var tags: ToMany<Person>
        var authors: [Person]?
        var fans: ToMany<Person>?
        var editor: ToOne<Person>?
        var raw: RelationshipObject?
        var info: ResourceMeta<Info>?
        var links: ResourceLinks?
    }

    private let text = Data(
        """
        {"data":{"type":"articles","id":"1","meta":{"revision":1,"other":2},"relationships":{
          "tags":{"data":[{"type":"people","id":"404"},{"type":"people","id":"9"},{"type":"people","id":"405"}]},
          "authors":{"data":[{"type":"people","id":"9"}]},"fans":{"data":[{"type":"people","id":"9"}]},
          "raw":{"data":[]},"editor":{"links":{"related":"/e"}}}},
         "included":[{"type":"people","id":"9"}]}
        """.utf8)

    @Test("References that missingResources leaves out stay on the server")
    func omittedReferences() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let article = try decoder.decode(Article.self, from: text)
        #expect(article.tags.ids == ["9"])
        func tags(_ patch: Patch<Article>) throws -> [String]? {
            try patch.object(encoder)[relationship: "tags"]?.data.identifiers.compactMap(\.id)
        }
        #expect(try tags(article.patch { $0.tags.append(id: "8") }) == ["404", "9", "405", "8"])
        #expect(try tags(article.patch { $0.tags.append(id: "404") }) == ["9", "405", "404"], "once")
        #expect(try tags(article.patch { $0.tags.identifiers?.removeAll() }) == ["404", "405"])
        #expect(try tags(article.patch { $0.tags.remove(ResourceIdentifier(type: "people", id: "405")) }) == ["404", "9"])
        #expect(try tags(article.patch { $0.tags = .empty }) == [])
        #expect(article.tags.data.identifiers.count == 3)
    }

    @Test("Nil is an error where null is no value, and names the cure")
    func impossibleNil() throws {
        let article = try JSONAPIDecoder().decode(Article.self, from: text)
        let edits: [(String, (inout Article) -> Void)] = [
            ("authors", { $0.authors = nil }), ("fans", { $0.fans = nil }), ("raw", { $0.raw = nil }),
            ("meta", { $0.info = nil }),
        ]
        for (name, edit) in edits {
            let failure = encodingFailure { _ = try encoder.encode(article.patch(edit)) }
            #expect(failure?.advice != nil, "\(name)")
            #expect(!article.patch(edit).isEmpty, "\(name)")
        }
        #expect(article.patch { $0.editor = nil }.isEmpty, "it was not loaded")
        #expect(try article.patch { $0.authors = [] }.object()[relationship: "authors"]?.data == .many([]))
        #expect(try article.patch { $0.authors = nil }.link("authors", to: [Person]()).object()[relationship: "authors"]?.data == .many([]))
        #expect(encodingFailure { _ = try encoder.encode(Patch<Article>(id: "1").set(\.links, ResourceLinks())) }?.advice != nil)
        #expect(encodingFailure { _ = try encoder.encode(Patch<Article>(id: "1").set(\.tags, .notLoaded)) }?.advice != nil)
        struct Fields: ResourceFields {
            static let type = "articles"
            var authors: Field<[Person]> = .null
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch(id: "1", Fields())) }?.kind == .missingLinkage)
    }

    @Test("A base completes meta")
    func metaOfTheBase() throws {
        let article = try JSONAPIDecoder().decode(Article.self, from: text)
        var new = article
        new.info?.value.revision = 2
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        #expect(try Patch(from: article, to: new, base: base).object().meta == ["revision": 2, "other": 2])
    }

    struct Entry: Codable, Equatable {
        var name: String
    }
    struct List: Resource {
        static let type = "lists"
        var id: String
        var entries: [Entry]
    }

    private func entries(_ base: String, _ edit: (inout [Entry]) -> Void) throws -> JSON? {
        let text = Data(#"{"data":{"type":"lists","id":"1","attributes":{"entries":\#(base)}}}"#.utf8)
        let old = try JSONAPIDecoder().decode(List.self, from: text)
        var new = old
        edit(&new.entries)
        let patch = Patch(from: old, to: new, base: try JSONAPIDecoder().decode(ResourceObject.self, from: text))
        return try attributes(patch)?["entries"]
    }

    @Test("A base completes the elements of an array, or the patch is refused")
    func elementsOfTheBase() throws {
        let base = #"[{"name":"a","x":1},{"name":"b","x":2}]"#
        #expect(try entries(base) { $0.append(Entry(name: "c")) } == [["name": "a", "x": 1], ["name": "b", "x": 2], ["name": "c"]])
        #expect(try entries(base) { $0.remove(at: 0) } == [["name": "b", "x": 2]])
        #expect(encodingFailure { _ = try entries(base) { $0[1].name = "c" } }?.advice?.contains("keep all members") == true)
        #expect(try entries(#"[{"name":"a","x":1},{"name":"b"}]"#) { $0[1].name = "c" } == [["name": "a", "x": 1], ["name": "c"]])
        #expect(try entries(base) { $0.reverse() } == [["name": "b", "x": 2], ["name": "a", "x": 1]])
        let failure = encodingFailure { _ = try entries(base) { $0 = [Entry(name: "c")] } }
        #expect(failure?.pointer == JSONPointer("data", "attributes", "entries"))
        #expect(failure?.advice?.contains("set the whole attribute") == true)
        #expect(try entries(#"[{"name":"a"}]"#) { $0 = [Entry(name: "c"), Entry(name: "d")] } == [["name": "c"], ["name": "d"]])
    }

    @Test("Of equal elements with different other members, one cannot be removed or added; several can be edited in place")
    func similarElementsOfTheBase() throws {
        let twins = #"[{"name":"a","x":1},{"name":"a","x":2}]"#
        for edit: (inout [Entry]) -> Void in [{ $0.remove(at: 0) }, { $0.append($0[0]) }] {
            #expect(encodingFailure { _ = try entries(twins, edit) }?.advice?.contains("keep all members") == true)
        }
        let pair = #"[{"name":"a","x":1},{"name":"b","x":2}]"#
        #expect(encodingFailure { _ = try entries(pair) { $0 = [Entry(name: "c"), Entry(name: "d")] } } != nil)
        struct Line: Codable { var sku: String, count: Int }
        struct Order: Resource {
            static let type = "orders"
            var id: String
            var lines: [Line]
        }
        let text = Data(
            #"{"data":{"type":"orders","id":"1","attributes":{"lines":[{"sku":"a","count":1,"x":1},{"sku":"b","count":1,"x":2}]}}}"#.utf8)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        let old = try JSONAPIDecoder().decode(Order.self, from: text)
        var new = old
        for index in new.lines.indices { new.lines[index].count = 2 }
        #expect(
            try attributes(Patch(from: old, to: new, base: base))
                == ["lines": [["sku": "a", "count": 2, "x": 1], ["sku": "b", "count": 2, "x": 2]]])
        new.lines.swapAt(0, 1)
        new.lines[0].sku = "c"
        new.lines[1].sku = "d"
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: old, to: new, base: base)) } != nil)
        // Elements that may have moved are not the ones at their places, even if they have a member in common with them.
        let lines = #"{"sku":"a","count":1},{"sku":"b","count":2},{"sku":"c","count":3,"x":1},{"sku":"d","count":4,"x":2}"#
        let four = Data(#"{"data":{"type":"orders","id":"1","attributes":{"lines":[\#(lines)]}}}"#.utf8)
        let before = try JSONAPIDecoder().decode(Order.self, from: four)
        var after = before
        after.lines.swapAt(0, 1)
        after.lines[2].sku = "e"
        after.lines[3].sku = "f"
        let all = try JSONAPIDecoder().decode(ResourceObject.self, from: four)
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: before, to: after, base: all)) } != nil)
    }

    @Test("Elements that were removed and edited are not told apart by a member that all of them have")
    func sharedMembers() throws {
        struct Line: Codable { var sku: String, count: Int, currency: String }
        struct Order: Resource {
            static let type = "orders"
            var id: String
            var lines: [Line]
        }
        let lines = #"{"sku":"a","count":1,"currency":"EUR","x":1},{"sku":"b","count":1,"currency":"EUR","x":2}"#
        let text = Data(#"{"data":{"type":"orders","id":"1","attributes":{"lines":[\#(lines)]}}}"#.utf8)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        let old = try JSONAPIDecoder().decode(Order.self, from: text)
        var new = old
        for index in new.lines.indices { new.lines[index].count = 5 }
        let sent = try attributes(Patch(from: old, to: new, base: base))?["lines"]
        #expect(sent?[0]?["x"] == 1 && sent?[1]?["x"] == 2)
        new = old
        new.lines.remove(at: 0)
        new.lines[0].count = 5
        new.lines.append(Line(sku: "c", count: 1, currency: "EUR"))
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: old, to: new, base: base)) } != nil)
    }

    @Test("An optional chain over a value that was not decoded changes nothing")
    func chains() throws {
        struct Place: Codable, Equatable { var city: String }
        struct Shop: Resource {
            static let type = "shops"
            var id: String
            var name: String
            @Lossy var place: Place?
            @DateFormatAsRead<DateLayouts.ISO8601> var openedAt: Date? = nil
            @DecimalText var total: Decimal? = nil
        }
        let text = #"{"data":{"type":"shops","id":"1","attributes":{"name":"A","place":"nowhere","openedAt":"","total":"19.90"}}}"#
        var shop = try JSONAPIDecoder().decode(Shop.self, from: Data(text.utf8))
        let patch = shop.patch { shop in
            shop.place?.city = "X"
            shop.openedAt?.addTimeInterval(5)
            shop.name = "B"
        }
        #expect(try attributes(patch) == ["name": "B"])
        shop.place?.city = "X"
        shop.openedAt?.addTimeInterval(5)
        #expect(try String(decoding: encoder.encode(shop), as: UTF8.self) == text)
        shop.total? += 1
        #expect(try encoder.resourceObject(shop)[attribute: "total"] == "20.9")
        shop.place = nil
        shop.total = nil
        shop.openedAt = nil
        #expect(try encoder.resourceObject(shop).attributes?["place"] ?? .null == .null)
    }

    @Test("What a wrapper cannot decode keeps its digits")
    func unreadDigits() throws {
        let card = try card(#""suits":[1e400,12345678901234567.89,"hearts"],"height":1e999,"counts":{"a":12345678901234567.89}"#)
        let sent = try attributes(card.patch { $0.suits.append(.spades) })
        #expect(try sent?["suits"] == JSON(parsing: #"[1e400,12345678901234567.89,"hearts","spades"]"#))
        let whole = try encoder.resourceObject(card)
        #expect(whole[attribute: "height"]?.description == "1e999")
        #expect(whole[attribute: "counts"]?["a"]?.description == "12345678901234567.89")
        struct Price: Resource {
            static let type = "prices"
            var id: String
            @DecimalText var total: Decimal? = nil
        }
        let text = #"{"data":{"type":"prices","id":"1","attributes":{"total":12345678901234567.89}}}"#
        let price = try JSONAPIDecoder().decode(Price.self, from: Data(text.utf8))
        #expect(price.total == Decimal(string: "12345678901234567.89"))
        #expect(try String(decoding: encoder.encode(price), as: UTF8.self) == text)
    }

    @Test("Editing embedded resources keeps the links that the decoder left out, and the meta of identifiers")
    func embeddedReferences() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            @Embedded<ToOne<Person>> var author: Person? = nil
            @Embedded<ToMany<Person>> var fans: [Person]? = nil
        }
        let text = Data(
            """
            {"data":{"type":"posts","id":"1","relationships":{
              "author":{"data":{"type":"people","id":"9","meta":{"since":1}}},
              "fans":{"data":[{"type":"people","id":"404"},{"type":"people","id":"9","meta":{"since":2}}]}}},
             "included":[{"type":"people","id":"9"}]}
            """.utf8)
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        var post = try decoder.decode(Post.self, from: text)
        let patch = try post.patch { $0.fans?.append(Person(id: "3")) }.object(encoder)
        #expect(patch[relationship: "fans"]?.data.identifiers.compactMap(\.id) == ["404", "9", "3"])
        post.author = post.author
        post.fans?.append(Person(id: "3"))
        #expect(post.$author.identifier?.meta == ["since": 1])
        #expect(post.$fans.identifiers?.map(\.meta) == [["since": 2], nil])
        #expect(post.fans?.map(\.id) == ["9", "3"])
        post.author = Person(id: "3")
        #expect(post.$author.identifier?.meta == nil)
        post.fans = []
        #expect(post.$fans.data == .many([]))
    }

    @Test("A base shows that an array was not loaded")
    func unloadedArray() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var fans: [Person]
        }
        let text = Data(#"{"data":{"type":"posts","id":"1","relationships":{"fans":{"links":{"related":"/f"}}}}}"#.utf8)
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let old = try decoder.decode(Post.self, from: text)
        var new = old
        new.fans.append(Person(id: "7"))
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        let failure = encodingFailure { _ = try encoder.encode(Patch(from: old, to: new, base: base)) }
        #expect(failure?.advice?.contains("Linkage(adding:)") == true)
    }

    @Test("Editing identifiers in place does not make a relationship loaded")
    func editsInPlace() throws {
        var article = try JSONAPIDecoder().decode(Article.self, from: text)
        article.tags = .notLoaded
        let patch = article.patch {
            $0.tags.append(id: "7")
            $0.tags.identifiers?.reverse()
        }
        #expect(encodingFailure { _ = try encoder.encode(patch) }?.advice?.contains("Linkage(adding:)") == true)
        let whole = article.patch { $0.tags.identifiers = [ResourceIdentifier(type: "people", id: "7")] }
        #expect(try whole.object()[relationship: "tags"]?.data.identifiers.count == 1)
    }
}
