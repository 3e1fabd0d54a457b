// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONMapping
import JSONText
import Testing

/// What the older systems showed first, written with this module.
@Suite struct SampleTests {
    @Test func aUserWithMessages() throws {
        struct Message {
            var id = 0
            var publicationDate: Date?
            var isRead = false
            var text = ""

            static let schema = MappingSchema(creating: Message()) {
                MappingField(\.id, from: "message_id")
                MappingField(\.publicationDate, from: "published_at", .date("yyyy-MM-dd"))
                MappingField(\.isRead, from: "read", .default(false))
                MappingField(\.text, "text", .default(""))
            }
        }
        struct User {
            var id = 0
            var name = ""
            var messages: [Message] = []
            var website: URL?

            static let schema = MappingSchema(creating: User()) {
                MappingField(\.id, from: "user_id").checked(.greater(than: 0))
                MappingField(\.name, from: "username").checked(.count(1...))
                MappingField(\.messages, "messages", .default([]), .list(.object(Message.schema)))
                MappingField(\.website, "website")
            }
        }
        let json: JSON = [
            "user_id": 42, "username": "john.doe", "website": "http://www.example.com",
            "messages": [["message_id": 1, "published_at": "2014-02-13", "read": true, "text": "FYI"]],
        ]
        let user = try User.schema.decode(json)
        #expect(user.messages[0].isRead)
        #expect(JSON.object(try User.schema.encode(user)) == json)
    }

    @Test func rewritingAPlace() throws {
        let rewriter = Rewriter {
            Rule("testName", from: "test_name")
            Rule("latitude", from: "location.lat")
            Rule("longitude", from: "location.long")
        }
        let place: JSON = ["test_name": "Cafe", "location": ["lat": 40.7, "long": -74.0]]
        #expect(try rewriter.rewrite(place) == ["testName": "Cafe", "latitude": 40.7, "longitude": -74.0])

        let inverse = Rewriter {
            Rule("location", from: ["latitude", "longitude"]) { _, input in
                ["lat": try input.read("latitude"), "long": try input.read("longitude")]
            }
        }
        #expect(try inverse.rewrite(["latitude": 40.7, "longitude": -74.0]) == ["location": ["lat": 40.7, "long": -74.0]])
    }

    @Test func anObjectWithoutASwiftType() throws {
        var schemas = SchemaSet()
        schemas["Thumbnail"] = MappingSchema("Thumbnail") {
            MappingField("url", .required, .string)
            MappingField("width", .omit, .lenientInt)
            MappingField("height", .omit, .lenientInt)
        }
        schemas["Test"] = MappingSchema("Test") {
            MappingField("id", .required, .string)
            MappingField("title", .omit, .string)
            MappingField("publishedAt", .omit, .date(.iso8601))
            MappingField("thumbnails", .omit, .list(.object(named: "Thumbnail")))
        }
        let test = try schemas.schema(named: "Test").decode([
            "id": "a1", "publishedAt": "2016-05-16T23:47:02.000Z", "thumbnails": [["url": "http://x/1.png", "width": "120"]],
        ])
        #expect(test["thumbnails", as: [DynamicObject].self]?.first?["width", as: Int.self] == 120)
        #expect(try schemas.schema(named: "Test").encode(test)["publishedAt"] == "2016-05-16T23:47:02Z")
        #expect(try JSON.object(schemas.schema(named: "Thumbnail").encode(DynamicObject(["url": "u", "width": 1]))) == ["url": "u", "width": 1])
    }

    @Test func readingValueByValue() throws {
        struct User {
            let name: String
            let id: Int
            let photo: URL?
            let tags: [String]

            init(_ json: JSON) throws {
                name = try json.read("user.name")
                id = try json.read(["id", "user_id"], as: .lenientInt)
                photo = json.readIfPossible("photo")
                tags = json.readIfPossible("tags") ?? []
            }
        }
        let user = try User(["user": ["name": "Ann"], "user_id": "7", "photo": 1])
        #expect(user.name == "Ann" && user.id == 7 && user.photo == nil && user.tags.isEmpty)
    }

    @Test func aMissingMemberSuggestsTheNearest() {
        struct User { var name = "" }
        let schema = MappingSchema(creating: User()) { MappingField(\.name, "userName") }
        #expect(schema.validate(["user_name": "x"]).first?.advice == "did you mean `user_name`, which is present?")
    }
}
