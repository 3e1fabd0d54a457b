import Foundation
import JSONMapping
import JSONText
import Testing

@testable import JSONAPICodec
@testable import JSONAPISchemas

@Suite("Schemas of models")
struct ModelSchemaTests {
    private static let articles = Result { try ModelSchema(of: SchemaModels.Article.self).document }

    private func attributes(_ schema: JSON, _ model: String) throws -> JSON {
        try #require(schema["$defs"]?[model]?["properties"]?["attributes"])
    }

    private func check(_ schema: JSON) -> SchemaCheck {
        SchemaCheck { reference in reference.hasPrefix("#/$defs/") ? schema["$defs"]?[String(reference.dropFirst(8))] : nil }
    }

    @Test("A resource without an id that nothing refers to fits if the decoder accepts it", arguments: [true, false])
    func unusedResourcesWithoutID(isLenient: Bool) throws {
        let decoder = JSONAPIDecoder(mode: isLenient ? .lenient : .standard)
        let schema = try ModelSchema(of: SchemaModels.Restricted.self, decoder: decoder).document
        let text = #"{"data": {"type": "x", "id": "1"}, "included": [{"type": "people", "id": null}]}"#
        let isAccepted = (try? decoder.decode(ResourceObject.self, from: Data(text.utf8))) != nil
        #expect(isAccepted == isLenient)
        #expect(check(schema).allows(schema["properties"]?["included"] ?? false, [["type": "people", "id": .null]]) == isLenient)
    }

    // MARK: - Attributes

    @Test(
        "Each type of an attribute has its schema",
        arguments: [
            ("title", #"{"type":"string"}"#), ("subtitle", #"{"type":["string","null"]}"#), ("rating", #"{"type":"number"}"#),
            ("isDraft", #"{"type":"boolean"}"#), ("small", #"{"type":"integer","minimum":0,"maximum":255}"#),
            ("publishedAt", #"{"type":"string","format":"date-time"}"#), ("code", #"{"type":"string","format":"uuid"}"#),
            ("homepage", #"{"type":["string","null"],"format":"uri-reference"}"#), ("price", #"{"type":"number"}"#),
            ("thumbnail", #"{"type":"string","contentEncoding":"base64"}"#), ("mood", #"{"type":["string","null"]}"#),
            ("state", #"{"type":"string","enum":["draft","published","archived"]}"#),
            ("tags", #"{"type":"array","items":{"type":"string"}}"#), ("address", ##"{"$ref":"#/$defs/Address"}"##),
            ("places", ##"{"type":"array","items":{"$ref":"#/$defs/Address"}}"##), ("extra", "true"),
            ("options", #"{"type":["object","null"]}"#),
        ])
    func typesOfAttributes(name: String, schema: String) throws {
        let attributes = try attributes(Self.articles.get(), "Article")
        #expect(attributes["properties"]?[name]?.description == schema)
    }

    @Test("Attributes are required unless the decoder reads the model without them")
    func requiredAttributes() throws {
        let attributes = try attributes(Self.articles.get(), "Article")
        #expect(
            attributes["required"] == [
                "title", "views", "rating", "isDraft", "publishedAt", "code", "price", "thumbnail", "state", "tags", "counts", "address",
                "places", "extra", "small",
            ])
    }

    private struct Nullable: Resource {
        static let type = "nullables"
        var id: String
        var title: String
        var note: String?

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            title = try map.decode(String.self, forKey: .title)
            note = try map.decode(String?.self, forKey: .note)
        }
    }

    @Test("An attribute that may be null and must not be missing is required")
    func requiredNullableAttributes() throws {
        let attributes = try attributes(ModelSchema(of: Nullable.self).document, "Nullable")
        #expect(attributes["required"] == ["title", "note"])
    }

    @Test("A property wrapper that reads anything allows anything")
    func tolerantModels() throws {
        let schema = try ModelSchema(of: SchemaModels.Tolerant.self).document
        #expect(
            try attributes(schema, "Tolerant") == [
                "type": "object",
                "properties": [
                    "height": true, "suits": ["type": ["array", "null"]], "isRead": ["type": ["boolean", "null"]], "address": true,
                    "note": ["type": ["string", "null"]],
                    "place": ["type": ["object", "null"], "properties": ["city": ["type": ["string", "null"]]]],
                ],
            ])
    }

    @Test("A hand-written init(from:) is described by what it accepts")
    func handwrittenModels() throws {
        let attributes = try attributes(ModelSchema(of: SchemaModels.Handwritten.self).document, "Handwritten")
        #expect(attributes["required"] == ["size", "isLong"])
        let size = attributes["properties"]?["size"]?["anyOf"]?.array?.compactMap { $0["type"] }
        #expect(size == ["integer", "string"])
    }

    @Test("A type that contains itself refers to its definition")
    func recursiveTypes() throws {
        let schema = try ModelSchema(of: SchemaModels.Book.self).document
        #expect(schema["$defs"]?["Section"]?["properties"]?["sections"] == ["type": "array", "items": ["$ref": "#/$defs/Section"]])
        #expect(try attributes(schema, "Book")["required"] == ["contents"])
    }

    @Test("The properties of a superclass are attributes, too")
    func superclasses() throws {
        #expect(try attributes(ModelSchema(of: SchemaModels.Dog.self).document, "Dog")["required"] == ["name", "legs"])
    }

    @Test("The superclass of a value inside an attribute is the member `super` of the value")
    func superclassesOfValues() throws {
        class Base: Codable {
            var names: [String] = []
        }
        final class Part: Base {
            var size: Int?
            enum CodingKeys: CodingKey { case size }
            required init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: CodingKeys.self)
                size = try map.decodeIfPresent(Int.self, forKey: .size)
                try super.init(from: map.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: CodingKeys.self)
                try map.encodeIfPresent(size, forKey: .size)
                try super.encode(to: map.superEncoder())
            }
        }
        struct Machine: Resource, @unchecked Sendable {
            static let type = "machines"
            var id: String
            var part: Part
        }
        let part = try ModelSchema(of: Machine.self).document["$defs"]?["Part"]
        #expect(part?["required"] == ["super"] && part?["properties"]?["super"]?["required"] == ["names"])
        #expect(part?["properties"]?["names"] == nil)
    }

    @Test("An enumeration that also reads other spellings of its values is described by its values")
    func spellings() throws {
        enum Size: String, Codable, CaseIterable {
            case small, large

            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                guard let size = Size(rawValue: text.lowercased()) else {
                    throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "another size"))
                }
                self = size
            }
        }
        struct Shirt: Resource {
            static let type = "shirts"
            var id: String
            var size: Size
        }
        let schema = try attributes(ModelSchema(of: Shirt.self).document, "Shirt")
        #expect(schema["properties"]?["size"] == ["type": "string", "enum": ["small", "large"]])
    }

    @Test("An enumeration of numbers that reads other numbers is open, whatever its cases are")
    func openNumbers() throws {
        enum Level: Int, Codable, CaseIterable {
            case low = 0
            case high = 7

            init(from decoder: any Decoder) throws {
                self = Level(rawValue: try decoder.singleValueContainer().decode(Int.self)) ?? .low
            }
        }
        enum Mode: UInt8, Codable, CaseIterable {
            case off = 0
            case full = 255
        }
        struct Lamp: Resource {
            static let type = "lamps"
            var id: String
            var level: Level
            var mode: Mode
        }
        let schema = try attributes(ModelSchema(of: Lamp.self).document, "Lamp")
        #expect(schema["properties"]?["level"] == ["type": "integer", "x-extensible-enum": [0, 7]])
        #expect(schema["properties"]?["mode"] == ["type": "integer", "enum": [0, 255]])
    }

    @Test("A collection can be null if the decoder reads null as an empty one", arguments: [true, false])
    func nullCollections(isRead: Bool) throws {
        var decoder = JSONAPIDecoder()
        if isRead { decoder.leniencies = [.nullToMany] }
        let schema = try ModelSchema(of: SchemaModels.Restricted.self, decoder: decoder)
        let isAccepted = (try? decoder.decode([SchemaModels.Restricted].self, from: Data(#"{"data": null}"#.utf8))) != nil
        #expect(isAccepted == isRead)
        #expect(check(schema.collection).allows(schema.collection, ["data": .null]) == isRead)
        let types: JSON = isRead ? ["array", "null"] : "array"
        #expect(schema.openAPI["components"]?["schemas"]?["RestrictedCollection"]?["properties"]?["data"]?["type"] == types)
    }

    @Test("Strategies of the decoder decide on names and dates")
    func strategies() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let schema = try ModelSchema(of: SchemaModels.Restricted.self, decoder: decoder).document
        #expect(
            try attributes(schema, "Restricted")["properties"] == [
                "slug": ["type": "string"], "created-at": ["type": "number", "readOnly": true],
            ])
        #expect(schema["$defs"]?["Restricted"]?["properties"]?["relationships"]?["properties"]?["best-friend"] != nil)
    }

    // MARK: - Relationships

    private func data(of relationship: String, _ decoder: JSONAPIDecoder? = nil) throws -> JSON? {
        let schema = try decoder.map { try ModelSchema(of: SchemaModels.Article.self, decoder: $0).document } ?? Self.articles.get()
        return schema["$defs"]?["Article"]?["properties"]?["relationships"]?["properties"]?[relationship]?["properties"]?["data"]
    }

    @Test("A reference names the types of its models, and reads others unless the decoder rejects them")
    func references() throws {
        #expect(try data(of: "author")?["properties"]?["type"] == ["type": "string", "x-extensible-enum": ["people"]])
        var decoder = JSONAPIDecoder()
        decoder.unknownTypes = .throw
        #expect(try data(of: "author", decoder)?["properties"]?["type"] == ["type": "string", "enum": ["people"]])
        #expect(try data(of: "reviewers")?["items"]?["properties"]?["type"]?["x-extensible-enum"] == ["people", "teams"])
    }

    @Test("Only an embedded model that is not optional is required")
    func requiredRelationships() throws {
        let relationships = try Self.articles.get()["$defs"]?["Article"]?["properties"]?["relationships"]
        #expect(relationships?["required"] == ["comments"])
        #expect(relationships?["properties"]?["comments"]?["required"] == ["data"])
        #expect(relationships?["properties"]?["author"]?["required"] == nil)
        #expect(try data(of: "author")?["type"] == ["object", "null"])
        #expect(try data(of: "comments")?["type"] == "array")
    }

    @Test("The definitions contain every model that is referred to")
    func referredModels() throws {
        let schema = try Self.articles.get()
        #expect(Set(schema["$defs"]?.object?.names.map { $0 } ?? []) == ["Address", "Revision", "Article", "Person", "Comment", "Team"])
    }

    // MARK: - Requests

    @Test("A body that creates a resource needs no id, and must not have fields that only the server writes")
    func createBodies() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        let schema = try ModelSchema(of: SchemaModels.Restricted.self, decoder: decoder).create
        let check = check(schema)
        #expect(check.allows(schema, ["data": ["type": "restricted", "lid": "a", "attributes": ["slug": "a"]]]))
        #expect(check.allows(schema, ["data": ["type": "restricted", "id": "1", "attributes": ["slug": "a"]]]))
        #expect(!check.allows(schema, ["data": ["type": "restricted"]]))
        #expect(!check.allows(schema, ["data": ["type": "others", "attributes": ["slug": "a"]]]))
        #expect(
            !check.allows(schema, ["data": ["type": "restricted", "attributes": ["slug": "a", "created-at": "2026-11-21T09:30:00Z"]]]))
    }

    @Test("A body that updates a resource needs its id and nothing else")
    func updateBodies() throws {
        let schema = try ModelSchema(of: SchemaModels.Restricted.self).update
        let check = check(schema)
        #expect(check.allows(schema, ["data": ["type": "restricted", "id": "1"]]))
        #expect(!check.allows(schema, ["data": ["type": "restricted"]]))
        #expect(!check.allows(schema, ["data": ["type": "restricted", "id": "1", "attributes": ["slug": "a"]]]))
        #expect(!check.allows(schema, ["data": ["type": "restricted", "id": "1", "attributes": ["createdAt": 7]]]))
    }

    @Test("Beside the remaining members of all attributes, each attribute that has a property keeps its schema")
    func remainingMembersOfAllAttributes() throws {
        let schema = try ModelSchema(of: SchemaModels.Spot.self)
        let attributes = try attributes(schema.document, "Spot")
        #expect(attributes["type"] == "object")
        #expect(attributes["required"] == ["name"])
        #expect(attributes["properties"]?["name"] == ["type": "string"])
        #expect(attributes["properties"]?["views"]?["readOnly"] == true)
        let check = check(schema.create)
        let body = { (attributes: JSON) -> JSON in ["data": ["type": "spots", "attributes": attributes]] }
        #expect(schema.create["properties"]?["data"]?["properties"]?["attributes"]?["properties"]?["views"] == false)
        #expect(check.allows(schema.create, body(["name": "a", "other": [1]])))
        #expect(!check.allows(schema.create, body(["name": "a", "views": 1])))
        #expect(!check.allows(schema.create, body(["name": 1])))
    }

    @Test("Fields that only the server writes are forbidden for a lenient decoder, too, which reads other forms of the attributes")
    func restrictionsOfLenientModels() throws {
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
            let schema = try ModelSchema(of: SchemaModels.Sketch.self, decoder: decoder)
            let (check, create, update) = (check(schema.create), schema.create, schema.update)
            let body = { (attributes: JSON) -> JSON in ["data": ["type": "sketches", "id": "1", "attributes": attributes]] }
            #expect(check.allows(create, body(["title": "a", "slug": "b"])))
            #expect(!check.allows(create, body(["title": "a", "views": 1])))
            #expect(check.allows(update, body(["title": "a"])))
            #expect(!check.allows(update, body(["title": "a", "slug": "b"])))
            #expect(!check.allows(update, body(["title": "a", "views": 1])))
            #expect(schema.document.description.contains(#""readOnly":true"#))
        }
    }

    private struct Restricted: SchemaResource, RestrictedFields {
        static let type = "restricted"
        static let readOnlyFields = ["created"]
        static let schema = MappingSchema<Restricted>(creating: Restricted()) {
            MappingField(\.id, "id")
            MappingField(\.created, "created", .omit)
        }
        var id = ""
        var created: String?
    }

    @Test("A request cannot have the restricted fields of a resource with a schema, whose other fields are not known")
    func restrictedFieldsOfASchema() throws {
        let schema = try ModelSchema(of: Restricted.self)
        for schema in [schema.create, schema.update] {
            let check = check(schema)
            func body(_ attributes: JSON) -> JSON { ["data": ["type": "restricted", "id": "1", "attributes": attributes]] }
            #expect(check.allows(schema, body(["title": "a"])))
            #expect(!check.allows(schema, body(["title": "a", "created": "a"])))
        }
    }

    @Test("The other names of a field that only the server writes are forbidden as well")
    func restrictedAlternatives() throws {
        enum Headline: AlternativeSource {
            typealias Value = String?
            static let names = ["headline"]
        }
        struct Poster: Resource, RestrictedFields {
            static let type = "posters"
            static let readOnlyFields = ["title"]
            var id: String
            var text: String?
            @Alternatives<Headline> var title: String?
            var headline = Alias()
        }
        let schema = try ModelSchema(of: Poster.self)
        for (schema, name) in [(schema.create, "title"), (schema.create, "headline"), (schema.update, "headline")] {
            let check = check(schema)
            let body = { (name: String) -> JSON in
                ["data": ["type": "posters", "id": "1", "attributes": .object(JSONObject(members: [.init(name: name, value: "a")]))]]
            }
            #expect(check.allows(schema, body("text")))
            #expect(!check.allows(schema, body(name)))
        }
    }

    @Test(
        "If a body need not have a field, what the decoder reads as an empty object can be in place of the fields",
        arguments: [
            ([], []), (.nullContainers, [.null]), (.emptyArrayContainers, [[]]), (.all, [.null, []]),
        ] as [(Leniencies, [JSON])])
    func bodiesWithoutFields(_ leniencies: Leniencies, _ accepted: [JSON]) throws {
        struct Counter: Resource, RestrictedFields {
            static let type = "counters"
            static let readOnlyFields = ["hits"]
            var id: String
            var hits: Int
        }
        var decoder = JSONAPIDecoder()
        decoder.leniencies = leniencies
        let restricted = try ModelSchema(of: SchemaModels.Restricted.self, decoder: decoder)
        let counter = try ModelSchema(of: Counter.self, decoder: decoder)
        for value in [.null, [], [:], 5] as [JSON] {
            let body = { (type: JSON) -> JSON in ["data": ["type": type, "id": "1", "attributes": value]] }
            let isAccepted = value == [:] || accepted.contains(value)
            #expect(check(restricted.update).allows(restricted.update, body("restricted")) == isAccepted)
            #expect(!check(restricted.create).allows(restricted.create, body("restricted")))
            #expect(check(counter.update).allows(counter.update, body("counters")) == isAccepted)
            #expect(check(counter.create).allows(counter.create, body("counters")) == isAccepted)
            #expect(!check(counter.document).allows(counter.document, body("counters")))
        }
    }

    @Test("A schema has only the definitions that it refers to")
    func definitionsInUse() throws {
        #expect(try ModelSchema(of: SchemaModels.MoodyFriend.self).update["$defs"] == nil)
    }

    // MARK: - Models without a schema

    @Test("A model for whose property no value is known has no schema, and the error says why")
    func modelsWithoutValues() throws {
        let error = #expect(throws: ModelSchemaError.self) { try ModelSchema(of: SchemaModels.Moody.self) }
        #expect(error?.pointer == JSONPointer(tokens: ["attributes", "mood"]))
        #expect(error?.type == "Mood")
        #expect(error?.description.contains("make an enum CaseIterable") == true)
    }

    /// The samples of a type that requires the given number of numbers, one after another.
    private func samples(requiring count: Int) -> SchemaSamples {
        let trial: SchemaTrial = { json in
            var requests: [DecodingRecord.Request] = []
            for number in 0..<count {
                requests.append(DecodingRecord.Request(path: ["k\(number)"], kind: .value(Int.self)))
                if json["k\(number)"] == nil { return (requests, false) }
            }
            return (requests, true)
        }
        return SchemaSamples(trial, from: [:]) { _, _ in [1] }
    }

    @Test("A model may require many values")
    func wideModels() {
        let wide = samples(requiring: 600)
        #expect(wide.bases.first?.object?.count == 600 && wide.failure == nil && !wide.exceedsLimit)
    }

    private struct Endless: Resource {
        static let type = "endless"
        var id: String

        private enum CodingKeys: String, CodingKey { case id, part }

        init(from decoder: any Decoder) throws {
            var container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            while true { container = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .part) }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test("A model that requires too many values, or values that are nested too deeply, has no schema, and the error names the limit")
    func modelsBeyondTheLimits() throws {
        let wide = samples(requiring: SchemaSamples.maximumPlaces + 1)
        #expect(wide.bases.isEmpty && wide.exceedsLimit && wide.failure?.path == ["k\(SchemaSamples.maximumPlaces)"])
        let error = #expect(throws: ModelSchemaError.self) { try ModelSchema(of: Endless.self) }
        let limit = "nested more than \(SchemaSamples.maximumDepth) levels deep"
        #expect(error?.description.contains(limit) == true, "\(String(describing: error))")
    }

    @Test("An example shows the values that cannot be found")
    func examples() throws {
        let schema = try ModelSchema(of: SchemaModels.Moody.self, example: SchemaModels.Moody(id: "1", mood: .sad)).document
        #expect(try attributes(schema, "Moody") == ["type": "object", "required": ["mood"], "properties": ["mood": ["type": "string"]]])
    }

    @Test("An example of one case of an enum with values does not exclude the other cases")
    func enumsWithValues() throws {
        let example = SchemaModels.Drawing(id: "1", shape: .circle(radius: 1))
        let schema = try ModelSchema(of: SchemaModels.Drawing.self, example: example).document
        let check = check(schema)
        let document = { (shape: JSON) -> JSON in ["data": ["type": "drawings", "id": "1", "attributes": ["shape": shape]]] }
        #expect(check.allows(schema, document(["circle": ["radius": 2.5]])))
        #expect(check.allows(schema, document(["square": ["side": 2, "color": "red"]])))
        #expect(!check.allows(schema, document("circle")))
    }

    @Test("A model without a known value that another refers to may have any attributes")
    func referredModelsWithoutValues() throws {
        let schema = try ModelSchema(of: SchemaModels.MoodyFriend.self).document
        #expect(schema["$defs"]?["Moody"]?["properties"] == ["type": ["const": "moody"], "id": ["type": "string"]])
    }

    @Test("A model that a schema of JSONMapping reads may have any attributes, and so may one that a rewriter reads")
    func hiddenFields() throws {
        let profile = try ModelSchema(of: SchemaModels.Profile.self).document["$defs"]?["Profile"]
        #expect(profile?["required"] == ["type", "id"])
        #expect(profile?["properties"]?.object?.names.map { $0 } == ["type", "id"])
        var decoder = JSONAPIDecoder()
        decoder.rewriters["people"] = Rewriter { Rule("firstName", from: "first") }
        let person = try ModelSchema(of: SchemaModels.Person.self, decoder: decoder).document["$defs"]?["Person"]
        #expect(person?["properties"]?["attributes"] == nil)
    }

    @Test("Every case of a listed enumeration is tried, and an enumeration with very many is any text")
    func manyCases() throws {
        let block = try attributes(ModelSchema(of: SchemaModels.Block.self).document, "Block")
        #expect(block["required"] == ["kind", "number"])
        #expect(block["properties"]?["kind"]?["enum"]?.array?.count == 14)
        #expect(block["properties"]?["number"] == ["type": "string"])
    }
}
