import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Bodies that contain an attribute of which the model knows only a part, and what a patch leaves out.
@Suite struct PatchPartsTests {
    private let encoder = JSONAPIEncoder()

    struct Venue: Resource {
        static let type = "venues"
        var id: String
        var city: String?
        var street: String?
        var place: RemainingMembers
        enum CodingKeys: String, CodingKey {
            case id, city = "attributes.place.city", street = "attributes.place.address.street", place = "attributes.place"
        }
    }

    struct Site: Resource {
        static let type = "venues"
        var id: String
        var city: String?
        var zip: String?
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", zip = "attributes.place.zip" }
    }

    private let text = Data(
        #"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150","address":{"street":"A","floor":2}}}}}"#.utf8)

    private func place(_ body: some DocumentBody) throws -> JSON? {
        try encoder.tree(body)["data"]?["attributes"]?["place"]
    }

    @Test("Remaining members inside an object of which a key names one member are sent as well")
    func nestedRest() throws {
        let venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        let all: JSON = ["city": "Bergen", "zip": "0150", "address": ["street": "A", "floor": 2]]
        #expect(try place(venue.patch { $0.city = "Bergen" }) == all)
        let moved: JSON = ["city": "Oslo", "zip": "0150", "address": ["street": "B", "floor": 2]]
        #expect(try place(venue.patch { $0.street = "B" }) == moved)
        let cleared: JSON = ["city": "Oslo", "zip": "0150", "address": ["street": nil, "floor": 2]]
        #expect(try place(venue.patch { $0.street = nil }) == cleared)
    }

    private struct Home: Resource {
        static let type = "venues"
        var id: String
        var city: Field<String>
        var zip: Field<String>
        enum CodingKeys: String, CodingKey { case id, city = "attributes.address.city", zip = "attributes.address.zip" }
    }

    @Test("A part whose Field is absent in both values stays as it was read")
    func absentInBoth() throws {
        func address(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"]?["address"] }
        let text = Data(#"{"data":{"type":"venues","id":"1","attributes":{"address":{"city":"Oslo","zip":"1","floor":2}}}}"#.utf8)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        func sent(_ old: Field<String>, _ new: Field<String>) throws -> JSON? {
            let home = Home(id: "1", city: old, zip: .value("2"))
            return try address(Patch(from: home, to: Home(id: "1", city: new, zip: .value("3")), base: base))
        }
        #expect(try sent(.absent, .absent) == ["city": "Oslo", "zip": "3", "floor": 2])
        #expect(try sent(.value("Bergen"), .absent) == ["city": "Bergen", "zip": "3", "floor": 2])
        #expect(try sent(.absent, .null) == ["city": nil, "zip": "3", "floor": 2])
        struct Whole: Resource {
            static let type = "venues"
            var id: String
            var city: Field<String>
            var zip: String
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey {
                case id, city = "attributes.address.city", zip = "attributes.address.zip", rest = "attributes.address"
            }
        }
        var whole = try JSONAPIDecoder().decode(Whole.self, from: text)
        whole.city = .absent
        #expect(try address(whole.patch { $0.zip = "3" }) == ["city": "Oslo", "zip": "3", "floor": 2])
    }

    @Test("A second edit keeps the first one")
    func secondEdit() throws {
        var venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        venue.city = "Bergen"
        let both: JSON = ["city": "Bergen", "zip": "0150", "address": ["street": "B", "floor": 2]]
        #expect(try place(venue.patch { $0.street = "B" }) == both)
        venue.street = nil
        let cleared: JSON = ["city": "Lund", "zip": "0150", "address": ["street": nil, "floor": 2]]
        #expect(try place(venue.patch { $0.city = "Lund" }) == cleared)
        struct Geo: Codable, Sendable { var lat: Double, lon: Double? }
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var geo: Geo
            var tags: [String]
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, geo, tags, rest = "attributes" }
        }
        let data = Data(
            #"{"data":{"type":"spots","id":"1","attributes":{"geo":{"lat":1,"lon":2,"alt":3},"tags":["a"]}}}"#.utf8)
        func attributes(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }
        var spot = try JSONAPIDecoder().decode(Spot.self, from: data)
        spot.geo.lat = 10
        spot.tags.append("b")
        #expect(try attributes(spot.patch { $0.geo.lon = 20 }) == ["geo": ["lat": 10, "lon": 20, "alt": 3]])
        #expect(try attributes(spot.patch { $0.tags.append("c") }) == ["tags": ["a", "b", "c"]])
        #expect(try attributes(spot.patch { $0.geo.lat = 1 }) == ["geo": ["lat": 1, "lon": 2, "alt": 3]])
        spot.geo.lon = nil
        let geo = try attributes(spot.patch { $0.geo.lat = 5 })?["geo"]
        #expect(geo?["lat"] == 5 && geo?["alt"] == 3 && geo?["lon"] ?? .null == .null)
    }

    @Test("An edit to 0 is sent although the document had the number as a text")
    func textualNumber() throws {
        struct Hall: Resource {
            static let type = "halls"
            var id: String
            var seats: Int
            var place: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, seats = "attributes.place.seats", place = "attributes.place" }
        }
        var decoder = JSONAPIDecoder()
        decoder.leniencies.insert(.textNumbers)
        let hall = try decoder.decode(
            Hall.self, from: Data(#"{"data":{"type":"halls","id":"1","attributes":{"place":{"seats":"5","zip":"1"}}}}"#.utf8))
        #expect(try place(hall.patch { $0.seats = 0 }) == ["seats": 0, "zip": "1"])
        #expect(try place(hall.patch { $0.seats = 7 }) == ["seats": 7, "zip": "1"])
    }

    @Test("A second edit keeps the first one whatever the form of dates is")
    func secondEditWithDates() throws {
        struct Geo: Codable, Sendable { var lat: Double, name: String? }
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var geo: Geo
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, geo, rest = "attributes" }
        }
        let data = Data(#"{"data":{"type":"spots","id":"1","attributes":{"geo":{"lat":1,"name":"A","alt":3}}}}"#.utf8)
        var spot = try JSONAPIDecoder().decode(Spot.self, from: data)
        spot.geo.name = nil
        var encoder = JSONAPIEncoder()
        encoder.dataEncodingStrategy = .deferredToData
        for strategy: JSONAPIEncoder.DateEncodingStrategy in [.iso8601, .secondsSince1970] {
            encoder.dateEncodingStrategy = strategy
            let geo = try encoder.tree(spot.patch { $0.geo.lat = 9 })["data"]?["attributes"]?["geo"]
            #expect(geo?["lat"] == 9 && geo?["alt"] == 3 && geo?["name"] ?? .null == .null)
        }
    }

    @Test("A patch adds no null for a part that was not there")
    func absentPart() throws {
        let text = Data(#"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150"}}}}"#.utf8)
        let venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        #expect(try place(venue.patch { $0.city = "Bergen" }) == ["city": "Bergen", "zip": "0150"])
        #expect(try place(venue.patch { $0.street = "A" }) == ["city": "Oslo", "zip": "0150", "address": ["street": "A"]])
    }

    @Test("A patch of one part creates no objects for the others where the attribute was absent or null")
    func partsOfNothing() throws {
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var a: Int?
            var b: Int?
            var c: Int?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey {
                case id, a = "attributes.cfg.a", b = "attributes.cfg.sub.b", c = "attributes.cfg.sub.c", rest = "attributes"
            }
        }
        struct Part: Resource {
            static let type = "spots"
            var id: String
            var a: Int?
            var b: Int?
            enum CodingKeys: String, CodingKey { case id, a = "attributes.cfg.a", b = "attributes.cfg.sub.b" }
        }
        func cfg(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"]?["cfg"] }
        for attributes in ["", #","attributes":{}"#, #","attributes":{"cfg":null}"#, #","attributes":{"cfg":{}}"#] {
            let text = Data(#"{"data":{"type":"spots","id":"1"\#(attributes)}}"#.utf8)
            var spot = try JSONAPIDecoder().decode(Spot.self, from: text)
            #expect(try cfg(spot.patch { $0.a = 1 }) == ["a": 1])
            #expect(try cfg(spot.patch { $0.b = 1 }) == ["sub": ["b": 1]])
            spot.a = 5
            #expect(try cfg(spot.patch { $0.b = 1 }) == ["a": 5, "sub": ["b": 1]])
        }
        let base = ResourceObject(type: "spots", id: "1", attributes: ["cfg": nil])
        #expect(try cfg(Patch(from: Part(id: "1"), to: Part(id: "1", a: 1), base: base)) == ["a": 1])
        #expect(try cfg(Patch(from: Part(id: "1", a: 5), to: Part(id: "1", a: 5, b: 1), base: base)) == ["a": 5, "sub": ["b": 1]])
    }

    @Test("A value that an earlier patch removed does not come back with the next one")
    func removedValues() throws {
        struct Address: Codable, Sendable { var city: String }
        struct Stop: Codable, Sendable { var id: Int, name: String }
        struct Hall: Resource {
            static let type = "halls"
            var id: String
            var address: Address?
            var places: [String: Address]
            var stops: [Stop]
        }
        struct Spot: Resource {
            static let type = "halls"
            var id: String
            var address: Address?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, address, rest = "attributes" }
        }
        let oslo = #"{"city":"Oslo","zip":"0150"}"#
        let attributes = #"{"address":\#(oslo),"places":{"a":\#(oslo)},"stops":[{"id":1,"name":"S","x":1},{"id":2,"name":"T","x":2}]}"#
        let text = Data(#"{"data":{"type":"halls","id":"1","attributes":\#(attributes)}}"#.utf8)
        func sent(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"]?["attributes"] }
        var spot = try JSONAPIDecoder().decode(Spot.self, from: text)
        spot.address = nil
        #expect(try sent(spot.patch { $0.address = Address(city: "Bergen") }) == ["address": ["city": "Bergen"]])
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var old = try JSONAPIDecoder().decode(Hall.self, from: text)
        old.address = nil
        old.places["a"] = nil
        old.stops.removeFirst()
        var new = old
        new.address = Address(city: "Bergen")
        new.places["a"] = Address(city: "Bergen")
        new.stops.append(Stop(id: 1, name: "S"))
        let city: JSON = ["city": "Bergen"]
        let stops: JSON = [["id": 2, "name": "T", "x": 2], ["id": 1, "name": "S"]]
        #expect(try sent(Patch(from: old, to: new, base: base)) == ["address": city, "places": ["a": city], "stops": stops])
    }

    @Test("Nulls that a program wrote into a value stay in it")
    func writtenNulls() throws {
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var info: JSON?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, info, rest = "attributes" }
        }
        var spot = Spot(id: "1", rest: RemainingMembers(["info": nil]))
        spot.info = ["x": nil, "y": 1]
        #expect(try encoder.tree(spot.patch { $0.info?["y"] = 2 })["data"]?["attributes"] == ["info": ["x": nil, "y": 2]])
    }

    @Test("Remaining members of all attributes complete nested values, and bring nothing back")
    func allAttributes() throws {
        struct Geo: Codable, Sendable { var lat: Double, lon: Double? }
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var name: String?
            var note: String?
            var geo: Geo
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, name, note, geo, rest = "attributes" }
        }
        struct ByHand: Resource {
            static let type = "spots"
            var id: String
            var note: String?
            var rest: RemainingMembers

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                note = try map.decodeIfPresent(String.self, forKey: .attributes("note"))
                rest = try map.decode(RemainingMembers.self, forKey: .attributes())
            }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encodeIfPresent(note, forKey: .attributes("note"))
                try map.encode(rest, forKey: .attributes())
            }
        }
        let text =
            #"{"data":{"type":"spots","id":"1","attributes":{"name":"N","note":"x","geo":{"lat":1,"lon":2,"alt":3},"size":4}}}"#
        let spot = try JSONAPIDecoder().decode(Spot.self, from: Data(text.utf8))
        func attributes(_ edit: (inout Spot) -> Void) throws -> JSON? { try encoder.tree(spot.patch(edit))["data"]?["attributes"] }
        #expect(try attributes { $0.geo.lat = 5 } == ["geo": ["lat": 5, "lon": 2, "alt": 3]])
        #expect(try attributes { $0.geo.lon = nil } == ["geo": ["lat": 1, "alt": 3]])
        #expect(try attributes { $0.note = nil } == ["note": nil])
        var changed = spot
        changed.note = nil
        let written = try JSON(parsing: encoder.encode(changed))["data"]?["attributes"]
        #expect(written?["note"] == nil && written?["size"] == 4 && written?["name"] == "N")
        var byHand = try JSONAPIDecoder().decode(ByHand.self, from: Data(text.utf8))
        byHand.note = nil
        #expect(
            try JSON(parsing: encoder.encode(byHand))["data"]?["attributes"]?.object?.names.elementsEqual(["name", "geo", "size"]) == true)
        #expect(try encoder.tree(byHand.patch { $0.note = "y" })["data"]?["attributes"] == ["note": "y"])
        let bare = try JSONAPIDecoder().decode(
            Spot.self, from: Data(#"{"data":{"type":"spots","id":"1","attributes":{"geo":{"lat":1}}}}"#.utf8))
        #expect(bare.rest.members.count == 1)
    }

    @Test("Beside remaining members, what is left out need not be writable")
    func unwritableFieldsBesideTheRest() throws {
        struct Owner: Resource {
            static let type = "people"
            var id: String?
        }
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var name: String?
            var score: Double
            var owner: Owner
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, name, score, owner, rest = "attributes" }
        }
        let spot = Spot(id: "1", name: nil, score: .nan, owner: Owner(id: nil), rest: RemainingMembers(["name": "N", "size": 4]))
        #expect(throws: EncodingError.self) { try encoder.encode(Create(spot)) }
        #expect(try encoder.tree(Create(spot).omitting("score", "owner"))["data"]?["attributes"] == ["size": 4])
        let text = try encoder.text(spot, fields: ["spots": ["name", "size"]])
        #expect(text == #"{"data":{"type":"spots","id":"1","attributes":{"size":4}}}"#)
    }

    @Test("A value with new remaining members deletes nothing that was read, and members are removed one by one")
    func restMadeAnew() throws {
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var name: String?
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, name, rest = "attributes" }
        }
        let data = Data(#"{"data":{"type":"spots","id":"1","attributes":{"name":"N","size":4,"color":"red"}}}"#.utf8)
        let spot = try JSONAPIDecoder().decode(Spot.self, from: data)
        let fresh = Spot(id: "1", name: "M", rest: RemainingMembers())
        let failure = encodingFailure { _ = try encoder.encode(Patch(from: spot, to: fresh)) }
        #expect(failure?.kind == .wrongPlace && failure?.advice?.contains("the RemainingMembers of the old one") == true)
        func attributes(_ new: Spot) throws -> JSON? { try encoder.tree(Patch(from: spot, to: new))["data"]?["attributes"] }
        #expect(try attributes(Spot(id: "1", name: "M", rest: spot.rest)) == ["name": "M"])
        var members = spot.rest.members
        members["size"] = nil
        #expect(try attributes(Spot(id: "1", name: nil, rest: RemainingMembers(members))) == ["name": nil, "size": nil])
        #expect(try encoder.tree(Patch(from: fresh, to: spot))["data"]?["attributes"] == ["name": "N", "size": 4, "color": "red"])
        let venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        let moved = Patch(from: venue, to: Venue(id: "1", city: "Bergen", street: "A", place: RemainingMembers()))
        #expect(encodingFailure { _ = try encoder.encode(moved) }?.pointer == JSONPointer("data", "attributes", "place"))
        #expect(try place(moved.set("place", ["city": "Bergen"])) == ["city": "Bergen"])
    }

    @Test("Remaining members of a part say nothing about the rest of the attribute")
    func restOfAPart() throws {
        struct Spot: Resource {
            static let type = "venues"
            var id: String
            var street: String?
            var address: RemainingMembers
            enum CodingKeys: String, CodingKey {
                case id, street = "attributes.place.address.street", address = "attributes.place.address"
            }
        }
        let spot = try JSONAPIDecoder().decode(Spot.self, from: text)
        let failure = encodingFailure { _ = try encoder.encode(spot.patch { $0.street = "B" }) }
        #expect(failure?.advice?.contains("attributes.place") == true)
    }

    @Test("A property that is nil does not come back from the remaining members")
    func clearedPart() throws {
        var venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        venue.city = nil
        venue.street = nil
        let rest: JSON = ["zip": "0150", "address": ["floor": 2]]
        #expect(try place(Create(venue)) == rest)
        #expect(try JSON(parsing: encoder.encode(venue))["data"]?["attributes"]?["place"] == rest)
        let again = try JSONAPIDecoder().decode(Venue.self, from: encoder.encode(venue))
        #expect(again.city == nil && again.street == nil)
        struct Fields: ResourceFields {
            static let type = "venues"
            var city: String?
            var place: RemainingMembers
            enum CodingKeys: String, CodingKey { case city = "attributes.place.city", place = "attributes.place" }
        }
        #expect(try place(Create(Fields(city: nil, place: RemainingMembers(["city": "Oslo", "zip": "1"])))) == ["zip": "1"])
    }

    @Test("A key path completes an attribute from the base of the patch")
    func baseAndKeyPath() throws {
        let site = try JSONAPIDecoder().decode(Site.self, from: text)
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        let whole: JSON = ["city": "Oslo", "zip": "9", "address": ["street": "A", "floor": 2]]
        #expect(try place(Patch(from: site, to: site, base: base).set(\.zip, "9")) == whole)
        var moved = site
        moved.city = "Bergen"
        let both: JSON = ["city": "Bergen", "zip": nil, "address": ["street": "A", "floor": 2]]
        #expect(try place(Patch(from: site, to: moved, base: base).setNull(\.zip)) == both)
        #expect(encodingFailure { _ = try encoder.encode(Patch(from: site, to: site).set(\.zip, "9")) }?.kind == .wrongPlace)
    }

    struct Report: Resource, RestrictedFields {
        static let type = "reports"
        static let readOnlyFields = ["seenAt", "place"]
        var id: String
        var title: String
        var seenAt: String?
        var city: String?
        enum CodingKeys: String, CodingKey { case id, title, seenAt, city = "attributes.place.city" }
    }

    @Test("A patch of fields that clients must not write is empty, and is what the encoder writes")
    func restrictedOnly() throws {
        let report = Report(id: "1", title: "T", seenAt: "now", city: "Oslo")
        let seen = report.patch { $0.seenAt = "later" }
        #expect(seen.isEmpty)
        #expect(try seen.object() == ResourceObject(type: "reports", id: "1"))
        #expect(try encoder.text(seen) == #"{"data":{"type":"reports","id":"1"}}"#)
        // Only a part of `place` is known, but it is left out.
        let both = report.patch {
            $0.title = "N"
            $0.city = "Bergen"
        }
        #expect(!both.isEmpty)
        #expect(try encoder.text(both) == #"{"data":{"type":"reports","id":"1","attributes":{"title":"N"}}}"#)
    }

    @Test("Nil for an array of related resources by key path is an error that names the cure")
    func nilArray() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var title: String?
            var editor: Writer?
            var writers: [Writer]?
            var readers: ToMany<Writer>?
        }
        for patch in [Patch<Post>(id: "1").set(\.writers, nil), Patch<Post>(id: "1").setNull(\.readers)] {
            let failure = encodingFailure { _ = try encoder.encode(patch) }
            #expect(
                failure?.kind == .missingLinkage && failure?.advice?.contains("set an empty array to remove all related resources") == true)
        }
        let legal = Patch<Post>(id: "1").set(\.title, nil).set(\.editor, nil).set(\.writers, [])
        let relationships = #""relationships":{"editor":{"data":null},"writers":{"data":[]}}"#
        #expect(try encoder.text(legal) == #"{"data":{"type":"posts","id":"1","attributes":{"title":null},\#(relationships)}}"#)
    }
}
