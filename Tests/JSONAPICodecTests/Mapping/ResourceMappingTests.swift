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

    @Test("A schema reads the identity, and not a field called id")
    func identityOfASchema() throws {
        let text = #"{"data":{"type":"profiles","id":"1","attributes":{"id":"77","user_name":"ann","age":7}}}"#
        #expect(try JSONAPIDecoder().decode(Profile.self, from: Data(text.utf8)).id == "1")
    }
}
