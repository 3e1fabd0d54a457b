import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Key paths of models with direct initializers and writers, whose names need not be the coding keys.
@Suite struct DirectKeyPathTests {
    private let encoder = JSONAPIEncoder()
    private var snake: JSONAPIEncoder {
        var encoder = encoder
        encoder.keyStrategy = .snakeCase
        return encoder
    }

    private struct Info: Codable, Sendable, Equatable { var revision: Int? }

    private struct Tag: DirectResource {
        static let type = "tags"
        var id: String
        var firstName: String
        var owner: ToOne<Tag>
        var both: String

        init(resource: ResourceView) throws {
            id = try resource.id()
            firstName = try resource.attribute("first-name")
            owner = try resource.relationship("the-owner")
            both = try resource.attribute("both")
        }
        func write(to resource: ResourceWriter) throws {
            try resource.attribute("first-name", firstName)
            try resource.relationship("the-owner", owner)
            try resource.attribute("both", both)
            try resource.attribute("again", both)
        }
    }

    @Test("The key path of a direct model writes the name that the model writes, or is an error")
    func directModels() throws {
        let named = try encoder.encode(Patch<Tag>(id: "1").set(\.firstName, "Ann"))
        #expect(try JSON(parsing: named)["data"]?["attributes"] == ["first-name": "Ann"])
        let other = ResourceIdentifier(type: "tags", id: "2")
        let linked = try encoder.encode(Patch<Tag>(id: "1").set(\.owner, ToOne(other)))
        #expect(try JSON(parsing: linked)["data"]?["relationships"]?["the-owner"]?["data"]?["id"] == "2")
        let error = #expect(throws: EncodingError.self) { try encoder.encode(Patch<Tag>(id: "1").set(\.both, "x")) }
        #expect("\(error as Any)".contains("give the property's name as text"))
    }

    /// A direct model that writes itself as Codable does.
    private struct Place: DirectResource {
        static let type = "places"
        enum CodingKeys: String, CodingKey { case id, title, city = "attributes.place.city", info = "meta" }
        var id: String?
        var title: String?
        var city: String?
        var info: ResourceMeta<Info>?

        init(resource: ResourceView) throws {
            id = try resource.idIfPresent()
            title = try resource.attributeIfPresent("title")
        }
    }

    private struct Wrapped: DirectResource {
        static let type = "wrapped"
        var id: String
        var firstName: String?
        @DateFormatIfPresent<DateLayouts.Day> var openedAt: Date?

        init(resource: ResourceView) throws {
            id = try resource.id()
            firstName = try resource.attributeIfPresent("firstName")
            _openedAt = try resource.attribute("openedAt")
        }
    }

    @Test("The key path of a direct model that writes itself as Codable does follows wrappers and the key strategy")
    func directModelsWithWrappers() throws {
        let date = Date(timeIntervalSince1970: 86_400)
        let patch = Patch<Wrapped>(id: "1").set(\.firstName, "Ann").set(\.openedAt, date)
        #expect(try JSON(parsing: snake.encode(patch))["data"]?["attributes"] == ["first_name": "Ann", "opened_at": "1970-01-02"])
        #expect(try JSON(parsing: encoder.encode(patch))["data"]?["attributes"] == ["firstName": "Ann", "openedAt": "1970-01-02"])
    }

    @Test("The key path of a direct model with an optional id, parts, and meta works as in other models")
    func directModelsWithoutID() throws {
        let place = ResourceIdentifier(type: "places", id: "1")
        #expect(try JSON(parsing: encoder.encode(Patch<Place>(place).set(\.title, "A")))["data"]?["attributes"] == ["title": "A"])
        #expect(throws: EncodingError.self) { try encoder.encode(Patch<Place>(place).set(\.city, "Paris")) }
        let named = try snake.encode(Patch<Tag>(id: "1").set(\.firstName, "Ann"))
        #expect(try JSON(parsing: named)["data"]?["attributes"] == ["first-name": "Ann"])
    }
}
