import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONMapping
import JSONText

/// Golden cases of Treasure: reading resources, validating documents, and reading their parts.
enum SeedTreasure {
    // MARK: - Reading

    @Sendable static func checkReading(_ seed: SeedCase, _ report: inout Report) throws {
        let models = SeedModels(seed.config)
        do {
            let data = Data(try JSONWriter().write(seed.input))
            let value = try SeedModels.$current.withValue(models) { try models.read(data) }
            report.expect(seed, value, equals: seed.expected["value"])
        } catch let error as DecodingError {
            let found: JSON = ["kind": .string(kind(of: error)), "at": .string(place(of: error)?.description ?? "?")]
            report.expect(seed, [found], equals: seed.expected["errors"])
        }
    }

    /// The place of an error. The library names the object that lacks a member; the cases name the member.
    private static func place(of error: DecodingError) -> JSONPointer? {
        guard let pointer = error.failure?.pointer else { return nil }
        guard case .keyNotFound(let key, _) = error else { return pointer }
        let member = JSONPointer(tokens: MappingPath(key.stringValue).segments)
        return pointer.tokens.suffix(member.tokens.count) == member.tokens[...]
            ? pointer : JSONPointer(tokens: pointer.tokens + member.tokens)
    }

    private static func kind(of error: DecodingError) -> String {
        switch error.failure?.kind {
        case .notIncluded?: "unresolved"
        case .missingMember?, .unexpectedNull?: "required"
        case .cardinality?, .wrongType?, .unexpectedType?: "type-mismatch"
        case let kind?: kind.description
        case nil: "\(error)"
        }
    }

    // MARK: - Checking

    /// The older system's names of rules, and their ids in the standard's requirements.
    private static let rules: [(requirement: String, name: String)] = [
        ("top-level/data-and-errors-exclusive", "data-and-errors"), ("top-level/included-requires-data", "included-without-data"),
        ("top-level/required-member", "no-top-level-member"), ("top-level/primary-data-shape", "data-invalid"),
        ("errors/array", "errors-not-array"), ("error-objects/at-least-one-member", "error-empty"),
        ("resource-objects/id-required", "resource-missing-identity"), ("resource-objects/type-required", "resource-missing-identity"),
        ("relationships/at-least-one-member", "relationship-empty"), ("relationships/links-self-or-related", "relationship-empty"),
        ("resource-linkage/shape", "linkage-invalid"), ("resource-identifier-objects/id-required", "linkage-missing-identity"),
        ("resource-identifier-objects/type-required", "linkage-missing-identity"),
        ("compound-documents/unique-type-and-id", "duplicate-resource"),
    ]

    @Sendable static func checkValidation(_ seed: SeedCase, _ report: inout Report) throws {
        let results = try (seed.input.array ?? []).map { document -> JSON in
            guard let error = Validator().validate(try JSONWriter().write(document)).errors.first else { return ["valid": true] }
            let name = rules.first { error.rule.id.hasSuffix($0.requirement) }?.name ?? error.rule.id
            return ["valid": false, "rule": .string(name), "at": .string(error.pointer.description)]
        }
        report.expect(seed, .array(JSONArray(results)), equals: seed.expected["results"])
    }

    /// The problems as error objects, with pointers to existing values.
    @Sendable static func checkErrorObjects(_ seed: SeedCase, _ report: inout Report) throws {
        let pointers = try (seed.config["issues"]?.array ?? []).map { json -> JSON in
            let isRequired = json["kind"]?.string == "required"
            let issue = MappingIssue(
                isRequired ? .required : .typeMismatch, at: try JSONPointer(parsing: json["at"]?.string ?? ""), expected: "a value",
                found: "nothing")
            return .string(ErrorObject(issue, in: seed.input).source?.pointer?.description ?? "none")
        }
        report.expect(seed, .array(JSONArray(pointers)), equals: seed.expected["pointers"])
    }

    // MARK: - Parts

    @Sendable static func checkKeyPaths(_ seed: SeedCase, _ report: inout Report) throws {
        let keys = (seed.config["calls"]?.array ?? []).map { call -> JSON in
            let parts = call.array?.compactMap(\.string) ?? []
            let name = parts.count > 1 ? parts[1] : ""
            return switch parts.first {
            case "attributes": .string(Key.attributes(name).stringValue)
            case "relationships": .string(Key.relationships(name).stringValue)
            case let other: .string(Key(other ?? "").stringValue)
            }
        }
        report.expect(seed, .array(JSONArray(keys)), equals: seed.expected["results"])
    }
}

/// Models that exist only as a table: attributes by type, relationships by model.
struct SeedModels: Sendable {
    @TaskLocal static var current = SeedModels(JSONObject())

    let root: String
    private let models: JSONObject
    private let isMany: Bool

    init(_ config: JSONObject) {
        root = config["root"]?.string ?? ""
        models = config["models"]?.object ?? JSONObject()
        isMany = config["many"]?.bool ?? false
    }

    subscript(name: String) -> JSONObject { models[name]?.object ?? JSONObject() }

    /// The document's primary data as the root model.
    func read(_ data: Data) throws -> JSON {
        guard isMany else { return .object(try JSONAPIDecoder().decode(SeedResource.self, from: data).value) }
        return .array(JSONArray(try JSONAPIDecoder().decode([SeedResource].self, from: data).map { .object($0.value) }))
    }

    /// Returns a related resource as a model of the table.
    func value(_ object: ResourceObject, as model: String) -> JSON {
        var value: JSONObject = ["id": .string(object.id ?? ""), "type": .string(object.type)]
        for attribute in self[model]["attributes"]?.object ?? JSONObject() {
            value[attribute.name] = object[attribute: attribute.name] ?? .null
        }
        return .object(value)
    }
}

/// A resource of the root model, decoded with keys.
struct SeedResource: Resource {
    static var type: String { SeedModels.current[SeedModels.current.root]["type"]?.string ?? "" }
    let id: String
    private(set) var value: JSONObject

    init(from decoder: any Decoder) throws {
        let map = try decoder.container(keyedBy: Key.self)
        let models = SeedModels.current
        let model = models[models.root]
        id = try map.decode(String.self, forKey: .id)
        value = ["id": .string(id), "type": .string(Self.type)]
        for attribute in model["attributes"]?.object ?? JSONObject() {
            value[attribute.name] = try Self.attribute(attribute.name, attribute.value.string ?? "", map)
        }
        for relation in model["toOne"]?.object ?? JSONObject() {
            let name = relation.value["relationship"]?.string ?? relation.name
            let target =
                try relation.value["optional"]?.bool == true
                ? map.decodeIfPresent(ResourceObject.self, forKey: .relationships(name))
                : map.decode(ResourceObject.self, forKey: .relationships(name))
            value[relation.name] = target.map { models.value($0, as: relation.value["model"]?.string ?? "") } ?? .null
        }
        for relation in model["toMany"]?.object ?? JSONObject() {
            let name = relation.value["relationship"]?.string ?? relation.name
            let targets = try map.decode([ResourceObject].self, forKey: .relationships(name))
            value[relation.name] = .array(
                JSONArray(targets.map { models.value($0, as: relation.value["model"]?.string ?? "") }))
        }
    }

    private static func attribute(_ name: String, _ type: String, _ map: KeyedDecodingContainer<Key>) throws -> JSON {
        switch type {
        case "string": .string(try map.decode(String.self, forKey: .attributes(name)))
        case "bool": .bool(try map.decode(Bool.self, forKey: .attributes(name)))
        default: try map.decode(JSON.self, forKey: .attributes(name))
        }
    }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
