// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONMapping
import JSONText
import Testing

@Suite("The article Mapping JSON with schemas")
struct MappingJSONTests {
    struct Message {
        var id = 0
        var sentAt: Date?
        var text = ""

        static let schema = MappingSchema(creating: Message()) {
            MappingField(\.id, from: "message_id")
            MappingField(\.sentAt, "sentAt", from: "published_at", .date("yyyy-MM-dd"))
            MappingField(\.text, "text", .default(""))
        }
    }
    struct User {
        var id = 0
        var name = ""
        var age: Int?
        var messages: [Message] = []

        static let schema = MappingSchema(creating: User()) {
            MappingField(\.id, from: "user_id", .required, .lenientInt).checked(.greater(than: 0))
            MappingField(\.name, "name", from: ["name", "profile.login"])
            MappingField(\.age, "age", .omit).checked(.all(.atLeast(0), .less(than: 150)))
            MappingField(\.messages, "messages", .default([]), .list(.object(Message.schema)))
        }
    }

    private let json: JSON

    init() throws { json = try JSON(parsing: try #require(DocumentationPage.named("MappingJSON").documents.first)) }

    @Test("A schema reads, writes and applies")
    func schemas() throws {
        let user = try User.schema.decode(json)
        let written = try User.schema.encode(user)                    // user_id 42, name "ann", messages
        #expect(user.id == 42 && user.name == "ann" && user.messages[0].sentAt != nil)
        #expect(written["user_id"] == 42 && written["name"] == "ann" && written["age"] == nil)

        var changed = user
        try User.schema.apply(["name": "Ann Osei", "age": 31], to: &changed, isPartial: true)
        #expect(changed.name == "Ann Osei" && changed.age == 31 && changed.id == 42)
    }

    struct Weather {
        var kind: String?

        static let schema = MappingSchema(creating: Weather()) {
            MappingField(\.kind, from: "weather", .omit, Conversion(decode: { (json: JSON) in json[0]?["main"]?.string }))
        }
    }

    struct Coordinate {
        let latitude: Double
        let longitude: Double

        static let schema = MappingSchema<Coordinate> {
            MappingField(\.latitude, "latitude", from: "lat")
            MappingField(\.longitude, "longitude", from: "lon")
        } make: { values in
            try Coordinate(latitude: values[\.latitude], longitude: values[\.longitude])
        }
    }

    @Test("A closure creates a value with constants")
    func constants() throws {
        let coordinate = try Coordinate.schema.decode(["lat": 59.9, "lon": 10.7])
        #expect(coordinate.latitude == 59.9 && coordinate.longitude == 10.7)
        #expect(User.schema.validate(["name": "Ann"], for: User()).map { "\($0.pointer)" } == ["/user_id"])
        #expect(User.schema.validate(["name": "Ann"], for: User(), isPartial: true).isEmpty)
    }

    @Test("A conversion reads an element of an array")
    func elements() throws {
        #expect(try Weather.schema.decode(["weather": [["main": "snow"]]]).kind == "snow")
    }

    @Test("A failed run restores an instance of a class")
    func instances() {
        final class Account {
            var name = ""
            var revision = 0
        }
        let accounts = MappingSchema<Account>(creating: Account()) { MappingField(\.name, "name") }
            .restoring(\.revision)
            .finishing { account in
                account.revision += 1
                if account.name.isEmpty { throw MappingIssue(.constraintFailed, expected: "a name", found: "none") }
            }
        let account = Account()
        let issues = accounts.validate(["name": ""], for: account)    // one issue; account.revision is 0
        #expect(issues.count == 1 && account.revision == 0)
    }

    @Test("Every problem is reported at once")
    func problems() throws {
        var places: [String] = []
        var tree = ""
        do {
            _ = try User.schema.decode(["user_id": 0, "nam": "Ann", "age": 200, "messages": [["message_id": "x"]]])
        } catch let error as ValidationError {
            places = error.issues.map { "\($0.pointer)" }             // /user_id, /name, /age, /messages/0/message_id
            tree = "\(error)"
        }
        #expect(places == ["/user_id", "/name", "/age", "/messages/0/message_id"])
        #expect(tree.contains("messages"))
    }

    @Test("Conversions go both ways")
    func conversions() throws {
        let cents = Conversion<JSON, Int>.int.then(decode: { Decimal($0) / 100 }, encode: { NSDecimalNumber(decimal: $0 * 100).intValue })
        let price = try cents.decode(1250)                            // 12.5
        let back = try cents.encode(12.5)                             // 1250
        let level = Conversion<JSON, Int>.table(["low": 1, "high": 2], fallback: 0)
        let either = Conversion<JSON, Date>.date(.iso8601).or(.secondsSince1970)
        #expect(price == 12.5 && back == 1250)

        let posted = DateLayout("EEE, d MMM yyyy HH:mm:ss Z").text(Date(timeIntervalSince1970: 0))   // Thu, 1 Jan 1970 00:00:00 +0000
        let layout = try DateLayout(validating: "h:mm a")             // throws for unknown letters
        #expect(posted == "Thu, 1 Jan 1970 00:00:00 +0000" && layout.date("1:30 PM") != nil)
        #expect(try level.decode("high") == 2 && level.decode("?") == 0)
        #expect(try either.decode(0) == either.decode("1970-01-01T00:00:00Z"))
    }

    @Test("Types that exist only as data, and single values")
    func dynamic() throws {
        var schemas = SchemaSet()
        schemas["Picture"] = MappingSchema("Picture") {
            MappingField("url", .required, .string)
            MappingField("width", .omit, .lenientInt)
        }
        schemas["Page"] = MappingSchema("Page") {
            MappingField("title", .required, .string)
            MappingField("pictures", .omit, .list(.object(named: "Picture")))
        }
        let page = try schemas.schema(named: "Page").decode(["title": "Home", "pictures": [["url": "/1.png", "width": "120"]]])
        let pictures = page["pictures", as: [DynamicObject].self]
        let width = pictures?.first?["width", as: Int.self]           // 120
        #expect(width == 120)

        let login: String = try json.read(["name", "profile.login"])  // the first member that can be read as a String
        let number = try json.read("user_id", as: .lenientInt)        // 42
        let missing = json.readIfPossible("age", as: .int) ?? 0
        #expect(login == "ann" && number == 42 && missing == 0)
    }

    @Test("A rewriter converts one object to another")
    func rewriting() throws {
        let rewriter = Rewriter(unreferenced: .keep) {
            Rule("name", from: "full_name")
            Rule("latitude", from: "location.lat")
            Rule("rating", from: "stars").ifMissing { _, _ in 0 }
            Rule("note", from: "comment").optional
        }
        let place = try rewriter.rewrite(["full_name": "Café", "location": ["lat": 40.7], "id": "1"])
        #expect(place == ["name": "Café", "latitude": 40.7, "id": "1", "rating": 0])
    }

    @Test("The landing page")
    func landing() throws {
        struct User {
            var id = 0
            var name = ""
            var website: URL?

            static let schema = MappingSchema(creating: User()) {
                MappingField(\.id, from: "user_id", .required, .lenientInt).checked(.greater(than: 0))
                MappingField(\.name, from: "profile.name", .default("unknown"))
                MappingField(\.website, "website")
            }
        }

        let user = try User.schema.decode(["user_id": "42", "profile": ["name": "Ann"]])
        #expect(user.id == 42 && user.name == "Ann" && user.website == nil)
    }
}
