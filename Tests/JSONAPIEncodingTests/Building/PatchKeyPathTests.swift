import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Key paths to parts of meta and of attributes.
@Suite struct PatchKeyPathTests {
    private let encoder = JSONAPIEncoder()

    private struct Info: Codable, Sendable, Equatable { var revision: Int? }
    private struct Page: Resource {
        static let type = "pages"
        var id: String
        var title: String?
        var revision: Int?
        var etag: String?
        var city: String?
        var zip: String?
        enum CodingKeys: String, CodingKey {
            case id, title, revision = "meta.revision", etag = "meta.etag", city = "attributes.place.city", zip = "attributes.place.zip"
        }
    }
    private struct Sheet: Resource {
        static let type = "pages"
        var id: String
        var title: String?
        var info: ResourceMeta<Info>?
        var links: ResourceLinks?
        var lid: LocalID?
        var author: ToOne<Writer>
    }
    private struct Venue: Resource {
        static let type = "venues"
        var id: String
        var city: String?
        var place: RemainingMembers
        var extra: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place", extra }
    }

    @Test("Parts of meta that are set one after another are all sent, with the rest of the base's meta")
    func partsOfMeta() throws {
        let page = Page(id: "1", revision: 1)
        // The base has no meta.
        let patch = Patch(from: page, to: page, base: ResourceObject(type: "pages", id: "1")).set(\.revision, 2).set(\.etag, "x")
        #expect(try patch.object().meta == ["revision": 2, "etag": "x"])
        let base = ResourceObject(type: "pages", id: "1", meta: ["revision": 1, "other": 5])
        #expect(try Patch(from: page, to: page, base: base).set(\.revision, 2).object().meta == ["revision": 2, "other": 5])
        struct Flagged: Resource {
            static let type = "flagged"
            var id: String
            var flags: [String: Bool]?
            enum CodingKeys: String, CodingKey { case id, flags = "meta.flags" }
        }
        let flagged = Flagged(id: "1")
        let twice = Patch(from: flagged, to: flagged, base: ResourceObject(type: "flagged", id: "1")).set(\.flags, ["b": true])
            .set(\.flags, ["a": true])
        #expect(try twice.object().meta == ["flags": ["a": true]], "the later value replaces the earlier one")
        let whole = Patch<Sheet>(id: "1").set(\.info, ResourceMeta(Info(revision: 3)))
        #expect(try whole.object().meta == ["revision": 3])
        #expect(try whole.set(\.info, ResourceMeta(Info())).object().meta?["revision"] != 3)
    }

    @Test("A key path leaves out meta or a field as a whole, and is an error for a part of one")
    func omittedParts() throws {
        let sheet = Sheet(id: "1", title: "T", info: ResourceMeta(Info(revision: 1)), author: .notLoaded)
        let edited = sheet.patch {
            $0.title = "N"
            $0.info = ResourceMeta(Info(revision: 2))
            $0.author = ToOne(id: "9")
        }
        #expect(try edited.omitting(\.info).object().meta == nil)
        let titleOnly = ResourceObject(type: "pages", id: "1", attributes: ["title": "N"])
        #expect(try edited.omitting(\.info, \.author, \.links).object() == titleOnly)
        #expect(try edited.omitting(\.title).object().attributes == nil)
        for patch in [edited.omitting(\.id), edited.omitting(\.lid)] {
            #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .unknownName)
        }
        let page = Page(id: "1", title: "T", revision: 1, city: "Oslo", zip: "1")
        var changed = page
        changed.city = "Bergen"
        changed.zip = "2"
        changed.revision = 2
        let read = ResourceObject(type: "pages", id: "1", attributes: ["place": ["city": "Oslo", "zip": "1"]], meta: ["revision": 1])
        let moved = Patch(from: page, to: changed, base: read)
        let part = encodingFailure { _ = try encoder.encode(moved.omitting(\.city)) }
        #expect(part?.kind == .unknownName && part?.advice?.contains(#"omitting("place")"#) == true)
        let meta = encodingFailure { _ = try encoder.encode(moved.omitting(\.revision)) }
        #expect(meta?.kind == .unknownName && meta?.advice?.contains("ResourceMeta") == true)
        #expect(try moved.omitting("place").object().meta?["revision"] == 2)
    }

    @Test("The name of a property that has meta, links or the lid is not that of an attribute or a relationship")
    func namesOfParts() throws {
        let sheet = Sheet(id: "1", title: "T", info: ResourceMeta(Info(revision: 1)), author: .notLoaded)
        let patch = Patch<Sheet>(id: "1").set("title", "N")
        let person = ResourceIdentifier(type: "people", id: "9")
        for body in [patch.set("info", 3), patch.link("info", to: person), patch.omitting("info"), patch.omitting("links")] {
            #expect(encodingFailure { _ = try encoder.encode(body) }?.kind == .unknownName)
        }
        let failure = encodingFailure { _ = try encoder.encode(Create(sheet).omitting("info")) }
        #expect(failure?.kind == .unknownName && failure?.advice?.contains("nil") == true)
        #expect(try encoder.tree(Create(sheet).omitting("title"))["data"]?["attributes"] == nil)
    }

    @Test("Remaining members are not set beside properties that name members of the same object")
    func remainingMembers() throws {
        let failure = encodingFailure {
            _ = try encoder.encode(Patch<Venue>(id: "1").set(\.place, RemainingMembers(["zip": "0151"])))
        }
        #expect(failure?.kind == .wrongPlace && failure?.advice?.contains(#"set("place", …)"#) == true)
        let whole = Patch<Venue>(id: "1").set(\.extra, RemainingMembers(["a": 1]))
        #expect(try whole.object().attributes == ["extra": ["a": 1]])
        #expect(try Patch<Venue>(id: "1").set("place", ["zip": "0151"]).object().attributes == ["place": ["zip": "0151"]])
    }

    private struct Stamped: Resource {
        static let type = "stamps"
        var id: String
        var rev: Int?
        var deep: Int?
        enum CodingKeys: String, CodingKey { case id, rev = "meta.revision", deep = "meta.a.b" }
    }

    @Test("A patch of a part of meta keeps the rest, or is an error that names the cure")
    func partOfMeta() throws {
        let text = Data(#"{"data":{"type":"stamps","id":"1","meta":{"revision":1,"owner":"x"}}}"#.utf8)
        let old = try JSONAPIDecoder().decode(Stamped.self, from: text)
        struct Fields: ResourceFields {
            static let type = "stamps"
            var rev: Int
            enum CodingKeys: String, CodingKey { case rev = "meta.revision" }
        }
        let blind: [any DocumentBody] = [
            old.patch { $0.rev = 2 }, Patch<Stamped>(id: "1").set(\.rev, 2), Patch<Stamped>(id: "1").setNull(\.rev),
            Patch(id: "1", Fields(rev: 2)),
        ]
        for patch in blind {
            let failure = encodingFailure { _ = try encoder.encode(patch) }
            #expect(failure?.kind == .wrongPlace && failure?.pointer == JSONPointer("data", "meta", "revision"))
            #expect(failure?.advice?.contains("Patch(from:to:base:)") == true)
        }
        #expect(old.patch { _ in }.isEmpty)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        func meta(_ base: ResourceObject, _ edit: (inout Stamped) -> Void) throws -> JSONObject? {
            var new = old
            edit(&new)
            return try Patch(from: old, to: new, base: base).object().meta
        }
        #expect(try meta(base) { $0.rev = 2 } == ["revision": 2, "owner": "x"])
        #expect(try meta(base) { $0.deep = 3 } == ["revision": 1, "owner": "x", "a": ["b": 3]])
        #expect(try meta(base) { $0.rev = nil } == ["revision": nil, "owner": "x"])
        // Known to be absent.
        #expect(try meta(ResourceObject(type: "stamps", id: "1")) { $0.rev = 2 } == ["revision": 2])
    }

    private enum Raw: String, Codable, Sendable { case a, b }
    private enum Shape: Codable, Sendable { case circle(Int), square }
    private struct Inner: Codable, Sendable {
        var kind: Raw?
        var size: Int?
    }
    private struct Odd: Resource {
        static let type = "odd"
        var id: String
        var title: String
        var kind: Raw?
        var shape: Shape?
        var range: ClosedRange<Int>?
        var inner: Inner?
        var counts: [String: Int]
        var marks: Set<String>
        var byNumber: [Int: String]
        @LossyDictionary var lossy: [String: Int] = [:]
    }

    private struct Twins: Resource {
        static let type = "twins"
        var id: String
        var name: String
        var first: Raw?
        var second: Raw?
    }

    private func attributes(_ patch: Patch<Odd>) throws -> JSONObject? { try patch.object().attributes }

    @Test("An optional value without a placeholder has a key path, and hides no other one")
    func optionalWithoutPlaceholder() throws {
        let odd = Patch<Odd>(id: "1")
        #expect(try attributes(odd.set(\.title, "T").set(\.kind, .a)) == ["title": "T", "kind": "a"])
        #expect(try attributes(odd.setNull(\.kind).setNull(\.shape).setNull(\.range)) == ["kind": nil, "shape": nil, "range": nil])
        #expect(try attributes(odd.set(\.inner, Inner(kind: .b, size: 1))) == ["inner": ["kind": "b", "size": 1]])
        #expect(try Patch<Twins>(id: "1").set(\.name, "N").object().attributes == ["name": "N"])
        let failure = encodingFailure { _ = try encoder.encode(Patch<Twins>(id: "1").set(\.first, .a)) }
        #expect(failure?.kind == .unknownName && failure?.found.contains("second") == true)
    }

    @Test("Dictionaries and sets have key paths")
    func dictionariesAndSets() throws {
        let odd = Patch<Odd>(id: "1")
        #expect(try attributes(odd.set(\.counts, ["a": 1])) == ["counts": ["a": 1]])
        #expect(try attributes(odd.set(\.marks, ["a"])) == ["marks": ["a"]])
        #expect(try attributes(odd.set(\.byNumber, [1: "a"])) == ["byNumber": ["1": "a"]])
        #expect(try attributes(odd.set(\.lossy, ["a": 1])) == ["lossy": ["a": 1]])
    }

    private struct Geo: Codable, Sendable { var lat: Double }
    private struct Spot: Resource {
        static let type = "spots"
        var id: String
        var geo: Geo?
        var tags: [String]
    }

    @Test("A key path through a forced optional or a subscript is an error")
    func trappingKeyPaths() throws {
        let patches = [
            Patch<Spot>(id: "1").set(\.geo!.lat, 1), Patch<Spot>(id: "1").omitting(\.geo!.lat), Patch<Spot>(id: "1").set(\.tags[0], "x"),
            Patch<Spot>(id: "1").omitting(\.tags[0]),
        ]
        for patch in patches {
            let failure = encodingFailure { _ = try encoder.encode(patch) }
            #expect(failure?.kind == .unknownName && failure?.advice?.contains("name as text") == true)
        }
        let errors = ErrorDocument(errors: [])
        #expect(throws: EncodingError.self) { try errors.errors(at: \Spot.geo!.lat) }
        #expect(try errors.errors(at: \Spot.geo?.lat).isEmpty)
    }

    private enum Titles: AlternativeSource {
        typealias Value = String
        static let names = ["headline", "name"]
    }
    private struct Renamed: Resource {
        static let type = "renamed"
        var id: String
        @Alternatives<Titles> var title: String = ""
        var headline = Alias(), name = Alias()
        var size: Int?
    }

    @Test("A property with alternatives has a key path, and hides no other one")
    func alternatives() throws {
        #expect(try Patch<Renamed>(id: "1").set(\.title, "T").set(\.size, 2).object().attributes == ["title": "T", "size": 2])
        struct Strict: Resource {
            static let type = "strict"
            var id: String
            var title: String
            init(from decoder: any Decoder) throws {
                struct Refused: Error {}
                throw Refused()
            }
        }
        let failure = encodingFailure { _ = try encoder.encode(Patch<Strict>(id: "1").set(\.title, "T")) }
        #expect(failure?.found.contains("Refused") == true && failure?.advice?.contains("CaseIterable") == false)
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        @Embedded<ToOne<Writer>> var author: Writer? = nil
        @Embedded<ToOne<Writer>> var editor: Writer? = nil
        @Embedded<ToMany<Writer>> var fans: [Writer]? = nil
    }

    @Test("A key path of embedded resources, or of their relationship, sets the linkage")
    func embedded() throws {
        let post = Patch<Post>(id: "1")
        let dan = Writer(id: "9", firstName: "Dan")
        func linkage(_ patch: Patch<Post>, _ name: String) throws -> Linkage? { try patch.object()[relationship: name]?.data }
        #expect(try linkage(post.set(\.author, dan), "author") == .one(ResourceIdentifier(type: "people", id: "9")))
        #expect(try linkage(post.setNull(\.editor), "editor") == .null)
        #expect(try linkage(post.set(\.$author, ToOne(id: "2")), "author") == .one(ResourceIdentifier(type: "people", id: "2")))
        #expect(try linkage(post.set(\.fans, [dan]), "fans") == .many([ResourceIdentifier(type: "people", id: "9")]))
        #expect(try linkage(post.set(\.$fans, .empty), "fans") == .many([]))
        #expect(encodingFailure { _ = try encoder.encode(post.setNull(\.fans)) }?.advice?.contains("empty array") == true)
    }

    private struct Bare: Resource {
        static let type = "bare"
        var id: String
        var name = ""

        init(from decoder: any Decoder) throws {
            if let text = try? decoder.singleValueContainer().decode(String.self) {
                id = text
                return
            }
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            name = try map.decode(String.self, forKey: .name)
        }
    }
    private struct FromJSON: Resource {
        static let type = "json"
        var id: String
        var name: String

        init(from decoder: any Decoder) throws {
            let json = try JSON(from: decoder)
            id = json["id"]?.string ?? ""
            name = json["name"]?.string ?? ""
        }
    }

    @Test("A key path into an attribute names the attribute")
    func insideAnAttribute() throws {
        struct Address: Codable, Sendable, Equatable { var city: String }
        struct House: Resource {
            static let type = "houses"
            var id: String
            var address: Address
        }
        let failure = encodingFailure { _ = try Patch<House>(id: "1").set(\.address.city, "B").object() }
        #expect(failure?.found.hasPrefix("a key path into the value of `address`") == true)
        let whole = try Patch<House>(id: "1").set(\.address, Address(city: "B")).object()
        #expect(whole.attributes == ["address": ["city": "B"]])
    }

    @Test("A model that tries to read a single value first has names and key paths, or an error")
    func bareValues() throws {
        #expect(try Patch<Bare>(id: "1").set("name", "x").object().attributes == ["name": "x"])
        #expect(try Patch<Bare>(id: "1").set(\.name, "x").object().attributes == ["name": "x"])
        #expect(encodingFailure { _ = try Patch<Bare>(id: "1").set("nane", "x").object() }?.kind == .unknownName)
        #expect(try Patch<FromJSON>(id: "1").set("name", "x").object().attributes == ["name": "x"])
        #expect(encodingFailure { _ = try Patch<FromJSON>(id: "1").set(\.name, "x").object() }?.kind == .unknownName)
    }

    private struct Chain: Codable, Sendable {
        var next: [Chain] = []

        init() {}
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            if map.contains(.next) { next = [try Chain(from: map.superDecoder(forKey: .next))] }
        }
    }
    private struct Chained: Resource {
        static let type = "chained"
        var id: String
        var chain: Chain
    }
    private struct Numbered: Resource {
        static let type = "numbered"
        var id: String
        var items: [String] = []

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            while let item = try? map.decode(String.self, forKey: Key("item\(items.count)")) { items.append(item) }
        }
    }

    private struct Priced: Resource {
        static let type = "priced"
        var id: String
        var price: Int
        var isOn: Bool
        var isOff: Bool {
            get { !isOn }
            set { isOn = !newValue }
        }
        enum CodingKeys: String, CodingKey { case id, price, isOn }

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            price = try map.decode(Int.self, forKey: .price) * 100
            isOn = try map.decode(Bool.self, forKey: .isOn)
        }
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encode(price / 100, forKey: .price)
            try map.encode(isOn, forKey: .isOn)
        }
    }

    @Test("A key path of a property that init(from:) converts is an error, also within one type")
    func convertedValues() throws {
        #expect(encodingFailure { _ = try Patch<Priced>(id: "1").set(\.price, 700).object() }?.kind == .unknownName)
        #expect(encodingFailure { _ = try Patch<Priced>(id: "1").set(\.isOff, true).object() }?.kind == .unknownName)
        #expect(try Patch<Priced>(id: "1").set(\.isOn, true).object().attributes == ["isOn": true])
    }

    @Test("A model that requests values without end has no key paths, and ends")
    func endlessModels() {
        #expect(encodingFailure { _ = try Patch<Chained>(id: "1").set(\.chain, Chain()).object() }?.kind == .unknownName)
        #expect(encodingFailure { _ = try Patch<Numbered>(id: "1").set(\.items, []).object() }?.kind == .unknownName)
    }

    @Test("The advice for a part that is set by itself does not name a property that the model has")
    func adviceBesideRemainingMembers() throws {
        let failure = encodingFailure { _ = try encoder.encode(Patch<Venue>(id: "1").set(\.city, "Oslo")) }
        #expect(failure?.kind == .wrongPlace && failure?.advice?.contains("give the model") == false)
        #expect(failure?.advice?.contains("edit a copy") == true)
    }

    @Test("The error for a value that is not written has the place of the property, and advice for its kind")
    func unwrittenValues() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var wordCount: Field<Int> = .absent
            var author: ToOne<Venue>
            var links: ResourceLinks?
        }
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = .snakeCase
        func failure(_ patch: Patch<Post>) -> EncodingFailure? { encodingFailure { _ = try encoder.encode(patch) } }
        let field = failure(Patch<Post>(id: "1").set(\.wordCount, .absent))
        #expect(field.map { "\($0.pointer)" } == "/data/attributes/word_count")
        #expect(field?.advice?.contains("omitting(_:)") == true && field?.advice?.contains("array") == false)
        let reference = failure(Patch<Post>(id: "1").set(\.author, .notLoaded))
        #expect(reference?.kind == .missingLinkage && reference.map { "\($0.pointer)" } == "/data/relationships/author")
        #expect(failure(Patch<Post>(id: "1").set(\.links, nil)).map { "\($0.pointer)" } == "/data/links")
    }
}
