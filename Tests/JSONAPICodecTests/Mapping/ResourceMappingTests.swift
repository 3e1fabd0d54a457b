import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import Testing

@Suite struct ResourceMappingTests {
    private struct Member: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
        var latitude: Double
    }

    private let document = Data(
        #"""
        {"data":{"type":"people","id":"1","attributes":{"full_name":"Ann","location":{"lat":1.5}},
                 "relationships":{"boss":{"data":{"type":"teams","id":"2"}}}},
         "included":[{"type":"teams","id":"2","attributes":{"full_name":"stays"}}]}
        """#.utf8)

    private var decoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.rewriters["people"] = Rewriter {
            Rule("name", from: "full_name")
            Rule("latitude", from: "location.lat")
        }
        return decoder
    }

    @Test func aRewriterAppliesToOneType() throws {
        let document = try decoder.decode(Document<Member>.self, from: document)
        #expect(document.data == Member(id: "1", name: "Ann", latitude: 1.5))
        #expect(document.included[0].attributes == ["full_name": "stays"])
    }

    @Test func aMissingValueOfARewriterIsReportedWithItsPlace() throws {
        let text = Data(#"{"data":[{"type":"people","id":"1","attributes":{"full_name":"Ann"}}]}"#.utf8)
        do {
            _ = try decoder.decode([Member].self, from: text)
            Testing.Issue.record("nothing was thrown")
        } catch let error as ValidationError {
            #expect(error.issues.map { "\($0.pointer)" } == ["/data/0/attributes/latitude"])
            let object = try #require(ErrorDocument(error).errors.first)
            #expect(object.status == "422" && object.source?.pointer?.description == "/data/0/attributes")
        }
    }

    @Test func anEncoderRewritesBack() throws {
        var encoder = JSONAPIEncoder()
        encoder.rewriters["people"] = Rewriter {
            Rule("full_name", from: "name")
            Rule("location", from: "latitude") { _, input in ["lat": input["latitude"] ?? .null] }
        }
        let body = try JSON(parsing: encoder.encode(Create(Member(id: "1", name: "Ann", latitude: 1.5))))
        #expect(body["data"]?["attributes"] == ["full_name": "Ann", "location": ["lat": 1.5]])
        let back = try decoder.decode(Member.self, from: encoder.encode(Member(id: "1", name: "Ann", latitude: 1.5)))
        #expect(back == Member(id: "1", name: "Ann", latitude: 1.5))
    }

    private struct Profile: SchemaResource, Equatable {
        static let type = "profiles"
        static let relationshipNames: Set<String> = ["avatar"]
        static let schema = MappingSchema<Profile>(creating: Profile()) {
            MappingField(\.id, "id")
            MappingField(\.userName, from: "user_name")
            MappingField(\.age, from: "age", .required, .int)
            MappingField(\.avatarID, from: "avatar.data.id", .omit)
        }
        var id = ""
        var userName = ""
        var age = 0
        var avatarID: String?
    }

    private struct Card: SchemaResource, Equatable {
        static let type = "profiles"
        static let relationshipNames: Set<String> = ["avatar"]
        static let schema = MappingSchema<Card>(creating: Card()) {
            MappingField(\.id, "id")
            MappingField(\.avatar, from: "avatar.data", .omit)
        }
        var id = ""
        var avatar: JSON?
    }

    @Test("A schema writes a relationship whose identifier it maps as a whole, and refuses an id without a type")
    func relationshipsOfASchema() throws {
        let card = Card(id: "1", avatar: ["type": "images", "id": "5"])
        let text = try JSONAPIEncoder().encode(card)
        #expect(try JSON(parsing: text)["data"]?["relationships"] == ["avatar": ["data": ["type": "images", "id": "5"]]])
        #expect(try JSONAPIDecoder().decode(Card.self, from: text) == card)
        let error = #expect(throws: EncodingError.self) {
            try JSONAPIEncoder().encode(Profile(id: "1", userName: "ann", age: 7, avatarID: "5"))
        }
        #expect(error?.failure?.advice?.contains("type") == true)
    }

    @Test("Of relationships with the same name, a schema reads the last")
    func repeatedRelationship() throws {
        let text = #"""
            {"data":{"type":"profiles","id":"1","relationships":{
              "avatar":{"data":{"type":"images","id":"5"}},"avatar":{"data":{"type":"images","id":"6"}}}}}
            """#
        #expect(try JSONAPIDecoder().decode(Card.self, from: Data(text.utf8)).avatar?["id"] == "6")
    }

    @Test("A received change without a value for a rule of a nested path is an error with status 422")
    func changesOfANestedPath() throws {
        let body = Data(#"{"data":{"type":"people","id":"1","attributes":{"location":null}}}"#.utf8)
        let error = #expect(throws: ErrorDocument.self) { try Changes<Member>(body, decoder: decoder) }
        #expect(error?.errors.first?.status == "422")
    }

    @Test func aSchemaDecodesAResource() throws {
        let text = Data(
            #"""
            {"data":{"type":"profiles","id":"1","attributes":{"user_name":"ann","age":7},
                     "relationships":{"avatar":{"data":{"type":"images","id":"5"}}}}}
            """#.utf8)
        let profile = try JSONAPIDecoder().decode(Profile.self, from: text)
        #expect(profile == Profile(id: "1", userName: "ann", age: 7, avatarID: "5"))
    }

    @Test func aSchemaReportsEveryProblemWithItsPlace() throws {
        let text = Data(
            #"""
            {"data":[{"type":"profiles","id":"1","attributes":{"age":"x"},
                     "relationships":{"avatar":{"data":{"type":"images","id":5}}}}]}
            """#.utf8)
        do {
            _ = try JSONAPIDecoder().decode([Profile].self, from: text)
            Testing.Issue.record("nothing was thrown")
        } catch let error as ValidationError {
            #expect(
                Set(error.issues.map { "\($0.pointer)" }) == [
                    "/data/0/attributes/user_name", "/data/0/attributes/age", "/data/0/relationships/avatar/data/id",
                ])
        }
    }

    @Test func aSchemaEncodesAResource() throws {
        let tree = try JSON(parsing: JSONAPIEncoder().encode(Profile(id: "1", userName: "ann", age: 7)))
        #expect(tree["data"]?["attributes"]?["user_name"] == "ann")
        #expect(tree["data"]?["id"] == "1" && tree["data"]?["attributes"]?["id"] == nil)
    }

    @Test func schemasOfACoderOverrideTheSchemaOfAType() throws {
        var schemas = SchemaSet()
        schemas[Profile.self] = MappingSchema(creating: Profile()) {
            MappingField(\.id, "id")
            MappingField(\.userName, "userName")
            MappingField(\.age, "age", .lenientInt)
        }.keys(.kebabCase)
        var decoder = JSONAPIDecoder()
        decoder.schemas = schemas
        let text = Data(#"{"data":{"type":"profiles","id":"1","attributes":{"user-name":"ann","age":"7"}}}"#.utf8)
        let profile = try decoder.decode(Profile.self, from: text)
        #expect(profile == Profile(id: "1", userName: "ann", age: 7))
        var encoder = JSONAPIEncoder()
        encoder.schemas = schemas
        #expect(try JSON(parsing: encoder.encode(profile))["data"]?["attributes"] == ["user-name": "ann", "age": 7])
        decoder.schemas = nil
        #expect(throws: ValidationError.self) { try decoder.decode(Profile.self, from: text) }
        #expect(encoder.schemas?[Profile.self] != nil && decoder.schemas == nil)
    }

    @Test func aSchemaDecodesAttributesInAnyOrderWithNullAndUnusualShapes() throws {
        for (text, place) in [
            (#"{"data":{"attributes":{"age":7,"x":1,"user_name":"ann"},"id":"1","type":"profiles"}}"#, nil),
            (#"{"data":{"type":"profiles","id":"1","attributes":null}}"#, ""),
            (#"{"data":{"type":"profiles","id":"1"}}"#, "/data/attributes/user_name"),
            (#"{"data":{"type":"profiles","id":"1","attributes":{"user_name":"a","age":1},"relationships":null}}"#, ""),
            (#"{"data":{"type":"profiles","id":"1","attributes":[],"relationships":7}}"#, ""),
        ] {
            let result = Result { try JSONAPIDecoder().decode(Profile.self, from: Data(text.utf8)) }
            switch result {
            case .success(let profile): #expect(place == nil && profile.id == "1", "\(text)")
            case .failure(let error as ValidationError): #expect(error.issues.first?.pointer.description == place, "\(text)")
            case .failure: #expect(place == "", "\(text)")
            }
        }
    }

    private struct Level {
        static let schema = MappingSchema<Level>(creating: Level()) {
            MappingField(
                \.height, "height",
                .int.then(
                    decode: { $0 },
                    encode: { height in
                        guard height < 100 else { throw CancellationError() }
                        return height
                    }))
            MappingField(\.note, "note", .string)
        }
        static let high = Conversion<JSON, Level>(decode: { _ in nil }, encode: { ["height": .string("\($0.height) m")] })
        var height = 0
        var note = Presence<String>.absent
    }

    private struct Tower: SchemaResource {
        static let type = "towers"
        static let schema = MappingSchema<Tower>(creating: Tower()) {
            MappingField(\.id, "id")
            MappingField(\.level, "level", .object(Level.schema).or(Level.high))
        }
        var id = ""
        var level = Level()
    }

    @Test("What the first conversion of `or` says is absent does not count if it fails")
    func absentInTheFirstOfTwo() throws {
        let text = #"{"data":{"type":"towers","id":"1","attributes":{"level":{"height":5,"note":"a"}}}}"#
        let base = try JSONAPIDecoder().decode(ResourceObject.self, from: Data(text.utf8))
        let tower = try JSONAPIDecoder().decode(Tower.self, from: Data(text.utf8))
        func patched(_ height: Int) throws -> JSONObject? {
            var edited = tower
            edited.level = Level(height: height, note: .absent)
            return try Patch(from: tower, to: edited, base: base).object().attributes
        }
        #expect(try patched(6) == ["level": ["height": 6, "note": "a"]])
        #expect(try patched(600) == ["level": ["height": "600 m"]])
    }

    private struct Place: SchemaResource, Equatable {
        static let type = "places"
        static let relationshipNames: Set<String> = ["friends", "owner"]
        static let schema = MappingSchema<Place>(creating: Place()) {
            MappingField(\.id, "id")
            MappingField(\.userName, "userName", from: "user_name")
            MappingField(\.lat, from: "location.lat", .omit)
            MappingField(\.state, from: "address.state.code", .string)
            MappingField(\.friends, "friends")
            MappingField(\.owner, from: "owner.data", .omit)
        }
        var id = ""
        var userName = ""
        var lat: Double?
        var state = Presence<String>.absent
        var friends: JSON?
        var owner: JSON?
        var unmapped = ""
    }

    private let placeText = Data(
        #"""
        {"data":{"type":"places","id":"1",
          "attributes":{"user_name":"ann","location":{"lat":1,"long":2,"city":"X"},"address":{"state":{"code":"N","name":"Nord"},"zip":"1"}},
          "relationships":{"owner":{"data":{"type":"people","id":"2"}},"friends":{"data":{"type":"people","id":"3"}}}}}
        """#.utf8)

    private func place() throws -> Place { try JSONAPIDecoder().decode(Place.self, from: placeText) }

    private func data(_ body: some DocumentBody) throws -> JSON? { try JSON(parsing: JSONAPIEncoder().encode(body))["data"] }

    @Test("A key path names the field of a schema")
    func keyPathsOfASchema() throws {
        let patch = Patch<Place>(id: "1")
        #expect(try patch.set(\.userName, "New").object().attributes == ["user_name": "New"])
        let owned = try patch.set(\.owner, ["type": "people", "id": "9"]).object()
        #expect(owned[relationship: "owner"]?.data == .one(ResourceIdentifier(type: "people", id: "9")) && owned.attributes == nil)
        #expect(try patch.setNull(\.owner).object()[relationship: "owner"]?.data == .null)
        #expect(encodingFailure { _ = try patch.setNull(\.friends).object() }?.kind == .missingLinkage)
        #expect(encodingFailure { _ = try patch.set(\.id, "2").object() }?.kind == .unknownName)
        #expect(encodingFailure { _ = try patch.set(\.unmapped, "x").object() }?.kind == .unknownName)
        let edited = try place().patch {
            $0.userName = "New"
            $0.owner = nil
        }
        #expect(try edited.omitting(\.userName).object().attributes == nil)
        #expect(try edited.omitting(\.owner).object().relationships == nil)
        #expect(encodingFailure { _ = try edited.omitting(\.lat).object() }?.kind == .unknownName)
        #expect(try ErrorDocument(errors: []).errors(at: \Place.userName).isEmpty)
    }

    @Test("A key path to a part of an attribute needs the rest of the attribute")
    func partByKeyPath() throws {
        #expect(encodingFailure { _ = try Patch<Place>(id: "1").set(\.lat, 9.5).object() }?.kind == .wrongPlace)
        let (place, base) = (try place(), try JSONAPIDecoder().decode(ResourceObject.self, from: placeText))
        let patch = Patch(from: place, to: place, base: base)
        #expect(try patch.set(\.lat, 9.5).object().attributes == ["location": ["lat": 9.5, "long": 2, "city": "X"]])
        #expect(try patch.setNull(\.lat).object().attributes == ["location": ["lat": nil, "long": 2, "city": "X"]])
    }

    @Test("A patch of a part that a schema maps never deletes the other parts")
    func partsOfASchema() throws {
        let (place, base) = (try place(), try JSONAPIDecoder().decode(ResourceObject.self, from: placeText))
        for lat in [9.5, nil] {
            let failure = encodingFailure { _ = try place.patch { $0.lat = lat }.object() }
            #expect(failure?.kind == .wrongPlace && failure?.expected.contains("whole of the attribute `location`") == true)
            #expect(failure?.description.contains("unless it is a SchemaResource, or use Patch(from:to:base:) with") == true)
        }
        let other = encodingFailure {
            var edited = place
            edited.lat = 9.5
            _ = try Patch(from: place, to: edited, base: ResourceObject(type: "places", id: "1")).object()
        }
        #expect(other?.description.contains("or use a base that has the attribute, or a draft of a store") == true)
        var edited = place
        edited.lat = 9.5
        edited.state = .value("S")
        let changed: JSONObject = [
            "location": ["lat": 9.5, "long": 2, "city": "X"], "address": ["state": ["code": "S", "name": "Nord"], "zip": "1"],
        ]
        #expect(try Patch(from: place, to: edited, base: base).object().attributes == changed)
        edited.lat = nil
        edited.state = .null
        let cleared: JSONObject = [
            "location": ["lat": nil, "long": 2, "city": "X"], "address": ["state": ["code": nil, "name": "Nord"], "zip": "1"],
        ]
        #expect(try Patch(from: place, to: edited, base: base).object().attributes == cleared)
        edited.state = .absent
        #expect(try Patch(from: place, to: edited, base: base).object().attributes == ["location": ["lat": nil, "long": 2, "city": "X"]])
    }

    @Test("A relationship of a schema that is nil is never an attribute")
    func clearedRelationshipsOfASchema() throws {
        let place = try place()
        let cleared = try place.patch {
            $0.friends = nil
            $0.owner = nil
        }.object()
        #expect(cleared.attributes == nil)
        #expect(cleared[relationship: "friends"]?.data == .null && cleared[relationship: "owner"]?.data == .null)
        var several = place
        several.friends = ["data": [["type": "people", "id": "3"]]]
        #expect(encodingFailure { _ = try several.patch { $0.friends = nil }.object() }?.kind == .missingLinkage)
        for friends in [JSON?.none, .some(.null)] {
            let created = try data(Create(Place(id: "1", userName: "ann", friends: friends)))
            #expect(created == ["type": "places", "attributes": ["user_name": "ann"]])
        }
        let failure = encodingFailure { _ = try JSONAPIEncoder().encode(Place(id: "1", friends: 5)) }
        #expect(failure?.kind == .wrongPlace && failure?.advice?.contains("friends.data") == true)
    }

    private struct Keeper: SchemaResource {
        static let type = "keepers"
        static let relationshipNames: Set<String> = ["kept"]
        static let schema = MappingSchema<Keeper>(creating: Keeper()) { MappingField(\.id, "id") }.unknownMembers(.keep(in: \.rest))
        var id = ""
        var rest = JSONObject()
    }

    @Test("A schema keeps unknown attributes and declared relationships, and writes them back to their places")
    func unknownMembersOfASchema() throws {
        let text = #"""
            {"data":{"type":"keepers","id":"1","attributes":{"a":1},
              "relationships":{"friends":{"data":[{"type":"p","id":"2"}]},"kept":{"data":null}}}}
            """#
        let keeper = try JSONAPIDecoder().decode(Keeper.self, from: Data(text.utf8))
        #expect(keeper.rest == ["a": 1, "kept": ["data": nil]])
        let written: JSON = ["type": "keepers", "id": "1", "attributes": ["a": 1], "relationships": ["kept": ["data": nil]]]
        #expect(try JSON(parsing: JSONAPIEncoder().encode(keeper))["data"] == written)
    }

    @Test("Names given as text are checked against the schema")
    func namesOfASchema() throws {
        let (place, encoder) = (try place(), JSONAPIEncoder())
        let person = ResourceIdentifier(type: "people", id: "1")
        for patch in [
            Patch<Place>(id: "1").set("userName", "New"), Patch<Place>(id: "1").set("owner", 1),
            Patch<Place>(id: "1").link("user_name", to: person), Patch<Place>(id: "1").set("user_name", "x").omitting("userName"),
        ] {
            #expect(encodingFailure { _ = try patch.object() }?.kind == .unknownName)
        }
        #expect(encodingFailure { _ = try encoder.encode(Create(place).omitting("userName")) }?.kind == .unknownName)
        #expect(encodingFailure { _ = try encoder.encode([place], fields: ["places": ["userName"]]) }?.kind == .unknownName)
        #expect(try Patch<Place>(id: "1").set("user_name", "New").object().attributes == ["user_name": "New"])
        #expect(try data(Create(place).omitting("location", "address", "owner", "friends"))?["attributes"] == ["user_name": "ann"])
        let sparse = try JSON(parsing: encoder.encode([Place(id: "1", userName: "ann")], fields: ["places": ["user_name", "location"]]))
        #expect(sparse["data"]?[0]?["attributes"] == ["user_name": "ann"])
    }

    @Test("Names of a replaced schema are checked, and key strategies change no name of a schema")
    func namesOfAnotherSchema() throws {
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = .kebabCase
        #expect(try Patch<Place>(id: "1").set(\.userName, "New").object(encoder).attributes == ["user_name": "New"])
        #expect(try encoder.resourceObject(place()).attributes?["user_name"] == "ann")
        var schemas = SchemaSet()
        schemas[Place.self] = MappingSchema(creating: Place()) {
            MappingField(\.id, "id")
            MappingField(\.userName, "nick")
        }
        encoder.schemas = schemas
        #expect(try Patch<Place>(id: "1").set("nick", "New").object(encoder).attributes == ["nick": "New"])
        #expect(try Patch<Place>(id: "1").set(\.userName, "New").object(encoder).attributes == ["nick": "New"])
        #expect(encodingFailure { _ = try Patch<Place>(id: "1").set("user_name", "New").object(encoder) }?.kind == .unknownName)
    }

    @Test("A schema reads the identity, and not a field called id")
    func identityOfASchema() throws {
        let text = #"{"data":{"type":"profiles","id":"1","attributes":{"id":"77","user_name":"ann","age":7}}}"#
        #expect(try JSONAPIDecoder().decode(Profile.self, from: Data(text.utf8)).id == "1")
    }

    private struct Shop: SchemaResource {
        static let type = "shops"
        static let relationshipNames: Set<String> = ["owner"]
        static let schema = MappingSchema<Shop>(creating: Shop()) {
            MappingField(\.id, "id")
            MappingField(\.title, "title")
            MappingField(\.city, from: "address.city")
            MappingField(\.zip, from: "address.zip")
            MappingField(\.owner, from: "owner.data")
        }
        var id = "1"
        var title: Field<String> = .absent
        var city: Field<String> = .absent
        var zip: Field<String> = .absent
        var owner: Field<JSON> = .absent
    }

    @Test("A patch leaves the members of a schema whose Field is absent as they are")
    func absentFields() throws {
        let old = Shop(title: "A", city: "Oslo", zip: "1", owner: .value(["type": "people", "id": "9"]))
        let base = try JSONAPIEncoder().resourceObject(old)
        let cleared = try Patch(from: old, to: Shop(title: .null, city: "Oslo", zip: "1"), base: base).object()
        #expect(cleared.attributes == ["title": nil] && cleared.relationships == nil)
        let changed = try Patch(from: Shop(zip: "1"), to: Shop(zip: "3"), base: base).object()
        #expect(changed.attributes == ["address": ["city": "Oslo", "zip": "3"]] && changed.relationships == nil)
        #expect(Patch(from: old, to: Shop(city: "Oslo", zip: "1")).isEmpty)
    }

    private struct PlainShops: SchemaCodec { let schema = Shop.schema }

    private struct TitledShops: SchemaCodec {
        let schema = Shop.schema
        func encode(_ root: Shop, by mapping: Mapping<Shop>) throws -> JSONObject {
            var object = try mapping.encode(root)
            if !object.contains(name: "title") { object["title"] = "none" }
            return object
        }
    }

    @Test("A patch leaves the members whose Field is absent as they are, also with a codec that does not write them")
    func absentFieldsWithACodec() throws {
        let old = Shop(title: "A", city: "Oslo", zip: "1", owner: .value(["type": "people", "id": "9"]))
        let base = try JSONAPIEncoder().resourceObject(old)
        var encoder = JSONAPIEncoder()
        encoder.schemas = SchemaSet()
        encoder.schemas?.register(PlainShops())
        let patch = try Patch(from: old, to: Shop(city: "Bergen"), base: base).object(encoder)
        #expect(patch.attributes == ["address": ["city": "Bergen", "zip": "1"]] && patch.relationships == nil)
        encoder.schemas?.register(TitledShops())
        #expect(try Patch(from: old, to: Shop(city: "Oslo"), base: base).object(encoder).attributes == ["title": "none"])
    }

    @Test("A key path sets no Field that is absent, which would clear the member")
    func absentFieldByKeyPath() throws {
        let patch = Patch<Shop>(id: "1")
        #expect(encodingFailure { _ = try patch.set(\.title, .absent).object() }?.kind == .misuse)
        #expect(encodingFailure { _ = try patch.set(\.owner, .absent).object() }?.kind == .missingLinkage)
        let set = try patch.set(\.title, .null).set(\.owner, .null).object()
        #expect(set.attributes == ["title": nil] && set[relationship: "owner"]?.data == .null)
    }

    private struct Part: SchemaResource {
        static let type = "parts"
        static let schema = MappingSchema<Part>(creating: Part()) {
            MappingField(\.id, "id")
            MappingField(\.kind, from: "type")
        }
        var id = ""
        var kind: String?
    }

    @Test("A field of a schema can be an attribute called `type`, also by its name in a patch")
    func attributeCalledType() throws {
        var encoder = JSONAPIEncoder()
        let patch = Patch<Part>(id: "1")
        #expect(throws: EncodingError.self) { try encoder.encode(patch.set("type", "bolt")) }
        encoder.checksNames = false
        #expect(try patch.set("type", "bolt").object(encoder).attributes == ["type": "bolt"])
        #expect(try patch.setNull("type").object(encoder).attributes == ["type": nil])
        #expect(throws: EncodingError.self) { try encoder.encode(patch.set("id", "2")) }
        #expect(throws: EncodingError.self) { try encoder.encode(patch.set("kind", "bolt")) }
    }
}
