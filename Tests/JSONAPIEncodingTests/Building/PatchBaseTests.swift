import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// What a patch clears, and what it takes from its base.
@Suite struct PatchBaseTests {
    private let encoder = JSONAPIEncoder()

    private struct Post: Resource {
        static let type = "posts"
        var id = "1"
        var author: Writer?
        var editor: ToOne<Writer>?
        var members: [Writer]?

        init(author: Writer? = nil, editor: ToOne<Writer>? = nil, members: [Writer]? = nil) {
            (self.author, self.editor, self.members) = (author, editor, members)
        }

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            author = try map.decode(Writer?.self, forKey: .relationships("author"))
            editor = try map.decode(ToOne<Writer>?.self, forKey: .relationships("editor"))
            members = try map.decode([Writer]?.self, forKey: Key("members"))
        }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(author, forKey: .relationships("author"))
            try map.encode(editor, forKey: .relationships("editor"))
            try map.encode(members, forKey: Key("members"))
        }
    }

    private let ann = Writer(id: "1", firstName: "Ann")

    private func relationships(_ patch: Patch<Post>) throws -> JSON? { try encoder.tree(patch)["data"]?["relationships"] }

    private struct Track: Resource {
        struct Point: Codable {
            var lat: Int
            var lon: Int?
        }
        static let type = "tracks"
        var id: String
        var points: [Point]
    }

    @Test("Elements whose only other parts are nulls can be removed and replaced")
    func nullsInElements() throws {
        let text = #"{"data":{"type":"tracks","id":"1","attributes":{"points":[{"lat":1,"lon":null},{"lat":2,"lon":null,"x":XX}]}}}"#
        func points(_ x: String, _ change: (inout Track) -> Void) throws -> JSON? {
            let document = try JSONAPIDecoder().decode(
                Document<Track>.self, from: Data(text.replacingOccurrences(of: "XX", with: x).utf8))
            var track = document.data
            change(&track)
            let base = try #require(document.object.data.resources.first)
            return try encoder.tree(Patch(from: document.data, to: track, base: base))["data"]?["attributes"]?["points"]
        }
        let moved = try points("null") { track in
            track.points.removeFirst()
            track.points.append(Track.Point(lat: 3))
        }
        #expect(moved == [["lat": 2, "lon": nil, "x": nil], ["lat": 3]])
        #expect(try points("null") { $0.points = [Track.Point(lat: 4)] } == [["lat": 4]])
        #expect(throws: EncodingError.self) { _ = try points("5") { $0.points = [Track.Point(lat: 4)] } }
    }

    @Test("A relationship that is written as an optional is cleared by nil")
    func clearedOptionals() throws {
        let post = Post(author: ann, editor: ToOne(ann), members: [ann])
        #expect(try relationships(post.patch { $0.author = nil }) == ["author": ["data": nil]])
        #expect(try relationships(post.patch { $0.editor = nil }) == ["editor": ["data": nil]])
        #expect(encodingFailure { _ = try encoder.encode(post.patch { $0.members = nil }) }?.kind == .missingLinkage)
        #expect(Post().patch { $0.author = nil }.isEmpty)
        #expect(try encoder.text(Create(Post())) == #"{"data":{"type":"posts"}}"#)
        #expect(try relationships(Patch<Post>(id: "1").setNull(\.author)) == ["author": ["data": nil]])
    }

    private struct Spot: Resource {
        static let type = "spots"
        var id: String
        var geo: Geo
        var lat: Int?
        var rank: Int?

        struct Geo: Codable, Sendable {
            var lat: Int
            var lon: Int
        }
        enum CodingKeys: String, CodingKey { case id, geo, lat = "attributes.place.lat", rank = "meta.rank" }
    }

    @Test("Several edits in a row with one base keep what the earlier ones changed")
    func editsInARow() throws {
        let text = Data(
            """
            {"data":{"type":"spots","id":"1","attributes":{"geo":{"lat":1,"lon":2,"alt":3},"place":{"lat":4,"city":"X"}},
              "meta":{"rank":5,"by":"us"}}}
            """.utf8)
        let read = try JSONAPIDecoder().decode(Spot.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var first = read
        first.geo.lat = 50
        first.lat = 40
        first.rank = 6
        let sent = try encoder.tree(Patch(from: read, to: first, base: base))["data"]
        #expect(sent?["attributes"] == ["geo": ["lat": 50, "lon": 2, "alt": 3], "place": ["lat": 40, "city": "X"]])
        var second = first
        second.geo.lon = 70
        let resent = try encoder.tree(Patch(from: first, to: second, base: base))["data"]
        #expect(resent?["attributes"] == ["geo": ["lat": 50, "lon": 70, "alt": 3]] && resent?["meta"] == nil)
        second.rank = 7
        #expect(try encoder.tree(Patch(from: first, to: second, base: base))["data"]?["meta"] == ["rank": 7, "by": "us"])
    }

    private struct Area: Resource {
        static let type = "spots"
        var id: String
        var geo: Geo
        var city: String?
        var floor: Int?
        var info: ResourceMeta<Info>

        struct Geo: Codable, Sendable {
            var lat: Int?
            var lon: Int
        }
        struct Info: Codable, Sendable {
            var rank: Int?
            var note: String?
        }
        enum CodingKeys: String, CodingKey {
            case id, geo, info, city = "attributes.place.city", floor = "attributes.place.address.floor"
        }
    }

    @Test("A second edit with one base keeps the members that the first one added or removed")
    func addedAndRemovedMembers() throws {
        func sent(_ attributes: String, _ meta: String, _ edits: [(inout Area) -> Void]) throws -> JSON? {
            let text = Data(#"{"data":{"type":"spots","id":"1","attributes":{\#(attributes)},"meta":\#(meta)}}"#.utf8)
            let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
            var old = try JSONAPIDecoder().decode(Area.self, from: text)
            for edit in edits.dropLast() { edit(&old) }
            var new = old
            edits.last?(&new)
            return try encoder.tree(Patch(from: old, to: new, base: base))["data"]
        }
        let added = try sent(
            #""geo":{"lon":2,"alt":3},"place":{"zip":"1"}"#, #"{"by":"us"}"#,
            [
                {
                    $0.geo.lat = 10
                    $0.city = "Oslo"
                    $0.info.value.rank = 1
                },
                {
                    $0.geo.lon = 20
                    $0.floor = 4
                    $0.info.value.note = "x"
                },
            ])
        #expect(added?["attributes"]?["geo"] == ["lon": 20, "alt": 3, "lat": 10])
        #expect(added?["attributes"]?["place"] == ["zip": "1", "city": "Oslo", "address": ["floor": 4]])
        #expect(added?["meta"] == ["by": "us", "rank": 1, "note": "x"])
        let removed = try sent(
            #""geo":{"lat":1,"lon":2,"alt":3},"place":{"city":"Oslo","address":{"floor":4,"door":"b"}}"#, #"{"rank":1,"by":"us"}"#,
            [
                {
                    $0.geo.lat = nil
                    $0.floor = nil
                    $0.info.value.rank = nil
                },
                {
                    $0.geo.lon = 20
                    $0.city = "Bergen"
                    $0.info.value.note = "x"
                },
            ])
        #expect(removed?["attributes"]?["geo"] == ["lon": 20, "alt": 3])
        #expect(removed?["attributes"]?["place"] == ["city": "Bergen", "address": ["floor": nil, "door": "b"]])
        #expect(removed?["meta"]?["rank"] ?? .null == .null && removed?["meta"]?["by"] == "us" && removed?["meta"]?["note"] == "x")
    }

    /// A model that leaves out what is nil.
    private struct Sparse: Resource {
        static let type = "spots"
        var id: String
        var city: String?
        var floor: Int?
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", floor = "attributes.place.address.floor" }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encode(id, forKey: .id)
            if let city { try map.encode(city, forKey: .city) }
            if let floor { try map.encode(floor, forKey: .floor) }
        }
    }

    @Test("A part that a first edit removed is null in the second one, and the object around it stays")
    func removedParts() throws {
        let text = Data(
            #"{"data":{"type":"spots","id":"1","attributes":{"place":{"city":"Oslo","address":{"floor":4,"door":"b"}}}}}"#.utf8)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var old = try JSONAPIDecoder().decode(Sparse.self, from: text)
        old.floor = nil
        var new = old
        new.city = "Bergen"
        let place = try encoder.tree(Patch(from: old, to: new, base: base))["data"]?["attributes"]?["place"]
        #expect(place == ["city": "Bergen", "address": ["floor": nil, "door": "b"]])
    }

    @Test("A second edit keeps the first one also if the encoder has a strategy that no decoder can reverse")
    func editsWithCustomDates() throws {
        var custom = encoder
        custom.dateEncodingStrategy = .custom { _, encoder in
            var container = encoder.singleValueContainer()
            try container.encode("today")
        }
        struct Place: Resource {
            static let type = "spots"
            var id: String
            var geo: Area.Geo
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, geo, rest = "attributes" }
        }
        let text = Data(#"{"data":{"type":"spots","id":"1","attributes":{"geo":{"lat":1,"lon":2,"alt":3}}}}"#.utf8)
        var place = try JSONAPIDecoder().decode(Place.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        place.geo.lat = 10
        var moved = place
        moved.geo.lon = 20
        let geo: JSON = ["lat": 10, "lon": 20, "alt": 3]
        #expect(try custom.tree(Patch(from: place, to: moved))["data"]?["attributes"]?["geo"] == geo)
        #expect(try custom.tree(Patch(from: place, to: moved, base: base))["data"]?["attributes"]?["geo"] == geo)
    }

    @Test("With a strategy that no decoder can reverse, an element can be added beside those with defaults that were not read")
    func defaultsWithCustomDates() throws {
        struct Step: Codable, Sendable {
            var name: String
            var done = false

            init(_ name: String) { self.name = name }

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: CodingKeys.self)
                name = try map.decode(String.self, forKey: .name)
                done = try map.decodeIfPresent(Bool.self, forKey: .done) ?? false
            }
        }
        struct Plan: Resource {
            static let type = "plans"
            var id: String
            var steps: [Step]
            var info: ResourceMeta<Info>

            struct Info: Codable, Sendable { var steps: [Step] }
        }
        var custom = encoder
        custom.dateEncodingStrategy = .custom { _, _ in }
        let steps = #"{"steps":[{"name":"a","note":"x"}]}"#
        let text = Data(#"{"data":{"type":"plans","id":"1","attributes":\#(steps),"meta":\#(steps)}}"#.utf8)
        let plan = try JSONAPIDecoder().decode(Plan.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var longer = plan
        longer.steps.append(Step("b"))
        longer.info.value.steps.append(Step("b"))
        let sent = try custom.tree(Patch(from: plan, to: longer, base: base))["data"]
        let expected: JSON = ["steps": [["name": "a", "note": "x"], ["name": "b", "done": false]]]
        #expect(sent?["attributes"] == expected && sent?["meta"] == expected)
    }

    /// Returns the attributes of a patch for an edit of a model that was read from the given attributes.
    private func attributes<Model: Resource>(
        of type: Model.Type, _ attributes: String, by encoder: JSONAPIEncoder = JSONAPIEncoder(),
        from decoder: JSONAPIDecoder = JSONAPIDecoder(), _ edit: (inout Model) -> Void
    ) throws -> JSON? {
        let text = Data(#"{"data":{"type":"\#(Model.type)","id":"1","attributes":\#(attributes)}}"#.utf8)
        let old = try decoder.decode(Model.self, from: text)
        let base = try decoder.decode(ResourceObject.self, from: text)
        var new = old
        edit(&new)
        return try encoder.tree(Patch(from: old, to: new, base: base))["data"]?["attributes"]
    }

    @Test("A value that only the decoder's user info can read keeps the other members of its base")
    func decoderOnlyUserInfo() throws {
        struct Page: Resource {
            struct Title: Codable, Sendable {
                static let language = CodingUserInfoKey(rawValue: "language")!
                var language: String
                var text: String

                init(from decoder: any Decoder) throws {
                    language = decoder.userInfo[Self.language] as? String ?? "en"
                    text = try [String: String](from: decoder)[language] ?? ""
                }

                func encode(to encoder: any Encoder) throws { try [language: text].encode(to: encoder) }
            }
            static let type = "pages"
            var id: String
            var title: Title
        }
        var german = JSONAPIDecoder()
        german.userInfo[Page.Title.language] = "de"
        let sent = try attributes(of: Page.self, #"{"title":{"de":"Hallo","en":"Hello"}}"#, from: german) { $0.title.text = "Moin" }
        #expect(sent == ["title": ["de": "Moin", "en": "Hello"]])
    }

    @Test("Members that each reading makes anew are no changes of an object, and tell no elements apart")
    func membersMadeByReading() throws {
        struct Line: Codable, Sendable {
            var id = UUID()
            var name: String

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: CodingKeys.self)
                id = try map.decodeIfPresent(UUID.self, forKey: .id) ?? UUID()
                name = try map.decode(String.self, forKey: .name)
            }
        }
        struct Cart: Resource {
            static let type = "carts"
            var id: String
            var first: Line
            var lines: [Line]
        }
        let read = #"{"first":{"name":"f","x":0},"lines":[{"name":"a","x":1},{"name":"b","x":2}]}"#
        #expect(try attributes(of: Cart.self, read) { $0.first.name = "g" } == ["first": ["name": "g", "x": 0]])
        let sent = try attributes(of: Cart.self, read) { $0.lines[1].name = "c" }
        #expect(sent?["lines"]?[0] == ["name": "a", "x": 1] && sent?["lines"]?[1]?["x"] == 2 && sent?["lines"]?[1]?["name"] == "c")
    }

    @Test("With a strategy that no decoder can reverse, members that were not edited stay as the server wrote them")
    func formsWithCustomDates() throws {
        struct Trip: Resource {
            struct Stop: Codable, Sendable {
                var at: Date
                var height: Float
                var note: String
            }
            static let type = "trips"
            var id: String
            var stop: Stop
        }
        var custom = encoder
        custom.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ISO8601DateFormatter().string(from: date))
        }
        let stop = #"{"stop":{"at":"2021-01-01T00:00:00.123Z","height":1.123456789,"note":"a","gate":5}}"#
        let sent = try attributes(of: Trip.self, stop, by: custom) { $0.stop.note = "b" }
        #expect(sent?["stop"]?["at"] == "2021-01-01T00:00:00.123Z" && sent?["stop"]?["height"] == 1.123456789)
        #expect(sent?["stop"]?["note"] == "b" && sent?["stop"]?["gate"] == 5)
        let moved = try attributes(of: Trip.self, stop, by: custom) { $0.stop.at += 60 }
        #expect(moved?["stop"]?["at"] == "2021-01-01T00:01:00Z")
    }

    @Test("An absent field inside the value of an attribute stays as it is in the base")
    func absentMembersOfValues() throws {
        struct Shop: Resource {
            struct Address: Codable, Sendable {
                var city: Field<String>
                var zip: Field<String>
            }
            static let type = "shops"
            var id: String
            var address: Address
        }
        let base = ResourceObject(type: "shops", id: "1", attributes: ["address": ["city": "Oslo", "zip": "1", "floor": 2]])
        let old = Shop(id: "1", address: .init(city: .absent, zip: "1"))
        let new = Shop(id: "1", address: .init(city: .absent, zip: "3"))
        let address = try encoder.tree(Patch(from: old, to: new, base: base))["data"]?["attributes"]?["address"]
        #expect(address == ["city": "Oslo", "zip": "3", "floor": 2])
        let known = Shop(id: "1", address: .init(city: "Oslo", zip: "1"))
        #expect(try encoder.tree(Patch(from: known, to: new))["data"]?["attributes"]?["address"] == ["city": "Oslo", "zip": "3"])
    }

    @Test("An absent field inside a nested object of a schema, or inside a converted value, stays as it is")
    func absentMembersOfMappedValues() throws {
        struct Address: Mapped {
            var city: Field<String> = .absent
            var zip: Field<String> = .absent
            static let schema = MappingSchema<Address>(creating: Address()) {
                MappingField(\.city, "city")
                MappingField(\.zip, "zip")
            }
        }
        struct Addresses: ConversionSource {
            static var conversion: Conversion<JSON, Address> { .object(Address.schema) }
        }
        struct Shop: SchemaResource {
            static let type = "shops"
            static let schema = MappingSchema<Shop>(creating: Shop()) {
                MappingField(\.id, "id")
                MappingField(\.address, "address")
                MappingField(\.others, "others", .default([:]), .dictionary(.object(Address.schema)))
            }
            var id = "1"
            var address = Address()
            var others: [String: Address] = [:]
        }
        struct Plain: Resource {
            static let type = "shops"
            var id = "1"
            @Converted<Addresses> var address: Address
        }
        let (old, new) = (Address(city: "Oslo", zip: "1"), Address(city: "Bergen"))
        let sent: JSON = ["city": "Bergen", "zip": "1"]
        let shops = (Shop(address: old, others: ["a": old]), Shop(address: new, others: ["a": new]))
        #expect(try Patch(from: shops.0, to: shops.1).object().attributes == ["address": sent, "others": ["a": sent]])
        let base = ResourceObject(type: "shops", id: "1", attributes: ["address": ["city": "Oslo", "zip": "1", "floor": 2]])
        let converted = try Patch(from: Plain(address: old), to: Plain(address: new), base: base).object()
        #expect(converted.attributes == ["address": ["city": "Bergen", "zip": "1", "floor": 2]])
    }

    private struct Cart: Resource {
        static let type = "carts"
        var id: String
        var items: [Item]

        struct Item: Codable, Sendable {
            var id: Int
            var name: String
        }
    }

    @Test("A new element does not get the unknown members of the one that it replaces")
    func replacedElement() throws {
        let text = Data(
            """
            {"data":{"type":"carts","id":"1","attributes":{"items":[
              {"id":1,"name":"a","sku":"A-1"},{"id":2,"name":"b","sku":"B-2"}]}}}
            """.utf8)
        let cart = try JSONAPIDecoder().decode(Cart.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        func items(_ edit: (inout Cart) -> Void) throws -> JSON? {
            var new = cart
            edit(&new)
            return try encoder.tree(Patch(from: cart, to: new, base: base))["data"]?["attributes"]?["items"]
        }
        #expect(throws: EncodingError.self) { _ = try items { $0.items[0] = Cart.Item(id: 9, name: "new") } }
        let renamed = try items { $0.items[0].name = "new" }
        #expect(renamed?[0] == ["id": 1, "name": "new", "sku": "A-1"] && renamed?[1] == ["id": 2, "name": "b", "sku": "B-2"])
        let moved = try items {
            $0.items.swapAt(0, 1)
        }
        #expect(moved?[0]?["sku"] == "B-2" && moved?[1]?["sku"] == "A-1")
        #expect(try items { $0.items.removeFirst() } == [["id": 2, "name": "b", "sku": "B-2"]])
    }

    @Test("Meta of identifiers that only the base has stays when an embedded array changes")
    func metaOfIdentifiers() throws {
        let text = Data(
            """
            {"data":{"type":"posts","id":"1","relationships":{"members":{"data":[
              {"type":"people","id":"1","meta":{"role":"chair"}},{"type":"people","id":"2"}]}}},
             "included":[{"type":"people","id":"1","attributes":{"firstName":"A"}},
              {"type":"people","id":"2","attributes":{"firstName":"B"}}]}
            """.utf8)
        let old = try JSONAPIDecoder().decode(Post.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var new = old
        new.members?.append(Writer(id: "3", firstName: "C"))
        #expect(
            try relationships(Patch(from: old, to: new, base: base)) == [
                "members": [
                    "data": [
                        ["type": "people", "id": "1", "meta": ["role": "chair"]], ["type": "people", "id": "2"],
                        ["type": "people", "id": "3"],
                    ]
                ]
            ])
        // A reference keeps the meta itself, so its removal is an edit.
        struct Club: Resource {
            static let type = "posts"
            var id: String
            var members: ToMany<Writer>
        }
        let club = try JSONAPIDecoder().decode(Club.self, from: text)
        var plain = club
        plain.members.identifiers = [ResourceIdentifier(type: "people", id: "1")]
        let body = try encoder.tree(Patch(from: club, to: plain, base: base))
        #expect(body["data"]?["relationships"]?["members"]?["data"] == [["type": "people", "id": "1"]])
    }

    private func nested(_ depth: Int, _ innermost: JSON) -> JSON {
        var value = innermost
        for _ in 0..<depth { value = ["a": value] }
        return value
    }

    private func object(_ value: JSON) -> ResourceObject { ResourceObject(type: "posts", id: "1", attributes: ["deep": value]) }

    private func deepPatch(_ depth: Int, base: JSON) throws -> JSON? {
        var encoder = JSONAPIEncoder()
        encoder.maximumDepth = depth + 10
        let patch = Patch(from: object(nested(depth, 1)), to: object(nested(depth, 2)), base: object(base))
        return try patch.object(encoder)[attribute: "deep"]
    }

    @Test("A base completes values of any depth, or throws where the stack has no room")
    func deepBase() async {
        await onSmallStack {
            let equal = try? deepPatch(100_000, base: nested(100_000, 1))
            #expect(equal == nested(100_000, 2))
            let merge = JSONMerge(resource: ResourceIdentifier(type: "posts", id: "1"), name: "deep")
            let completed = try? merge.merged(nested(20, ["v": 1, "h": 3]), from: nested(20, ["v": 1]), to: nested(20, ["v": 2]))
            #expect(completed == nested(20, ["v": 2, "h": 3]))
            let failure = encodingFailure { _ = try deepPatch(3000, base: nested(3000, ["h": 3])) }
            #expect(failure?.kind == .nestingLimit && failure?.advice != nil)
        }
    }

    /// Runs `body` on a thread with a stack of 256 KiB.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = 256 * 1024
            thread.start()
        }
    }
}
