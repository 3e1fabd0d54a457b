import Foundation
import JSONMapping
import JSONText

/// Golden cases of classes with external and internal names, requirements, and transformations.
enum SeedClasses {
    @Sendable static func create(_ seed: SeedCase, _ report: inout Report) throws {
        report.expect(seed, outcome: try created(seed.input, seed.config), equals: .object(seed.expected))
    }

    @Sendable static func createEach(_ seed: SeedCase, _ report: inout Report) throws {
        for (input, expected) in zip(seed.input.array ?? [], seed.expected["results"]?.array ?? []) {
            report.expect(seed, outcome: try created(input, seed.config), equals: expected)
        }
    }

    private static func created(_ input: JSON, _ config: JSONObject) throws -> JSON {
        let schema = try SeedClassSchemas(config).root
        return try SeedValues.outcome { SeedValues.object(try schema.decode(input)) }
    }

    @Sendable static func validate(_ seed: SeedCase, _ report: inout Report) throws {
        let issues = try SeedClassSchemas(seed.config).root.validate(seed.input)
        report.expect(seed, SeedValues.errors(issues), equals: SeedValues.sorted(seed.expected["errors"] ?? []))
    }

    @Sendable static func outline(_ seed: SeedCase, _ report: inout Report) throws {
        let schema = try SeedClassSchemas(seed.config).root
        let error = ValidationError(schema.validate(seed.input), name: schema.name)
        let rows = error.outline.map { row -> JSON in
            let last: JSON = row.issue.map { .string($0.kind.description) } ?? .number(JSONNumber(row.count ?? 0))
            return [.number(JSONNumber(row.indent)), .string(row.label), last]
        }
        report.expect(seed, .array(JSONArray(rows)), equals: seed.expected["outline"])
        if error.description.split(separator: "\n").count != rows.count { report.fail(seed.name, "the printed tree has other lines") }
    }

    @Sendable static func update(_ seed: SeedCase, _ report: inout Report) throws {
        let schemas = SeedClassSchemas(seed.config)
        var object = schemas.object(seed.config["existing"] ?? [:])
        var errors: JSON = []
        do {
            try schemas.root.apply(seed.input, to: &object)
        } catch let error as ValidationError {
            errors = SeedValues.errors(error.issues)
        }
        report.expect(seed, errors, equals: SeedValues.sorted(seed.expected["errors"] ?? []))
        report.expect(seed, SeedValues.object(object), equals: seed.expected["object"])
    }

    @Sendable static func represent(_ seed: SeedCase, _ report: inout Report) throws {
        let schemas = SeedClassSchemas(seed.config)
        let only = (seed.config["keys"] ?? seed.config["only"])?.array.map { $0.compactMap(\.string) }
        report.expect(seed, .object(try schemas.root.represent(schemas.object(seed.input), only: only)), equals: seed.expected["value"])
    }

    static func roundTrip(_ seed: SeedCase, _ report: inout Report) throws {
        let schema = try SeedClassSchemas(seed.config).root
        let outcome = try SeedValues.outcome { .object(schema.represent(try schema.decode(seed.input))) }
        report.expect(seed, outcome: outcome, equals: .object(seed.expected))
    }

    @Sendable static func archiveRoundTrip(_ seed: SeedCase, _ report: inout Report) throws {
        let schemas = SeedClassSchemas(seed.config)
        let schema = try schemas.root
        let data = try JSONEncoder().encode(Archived(schema: schema, object: schemas.object(seed.input)))
        let names = try JSON(parsing: data).object?.names.map { $0 } ?? []
        for key in (seed.expected["archiveKeysAtLeast"]?.array ?? []).compactMap(\.string) where !names.contains(key) {
            report.fail(seed.name, "the archive has no key `\(key)`")
        }
        let decoder = JSONDecoder()
        decoder.userInfo[Archived.key] = schema
        let object = try decoder.decode(Archived.self, from: data).object
        report.expect(seed, SeedValues.object(object), equals: seed.expected["value"])
    }

    private struct Archived: Codable {
        static let key = CodingUserInfoKey(rawValue: "schema") ?? { preconditionFailure("a key is any text") }()
        let schema: MappingSchema<DynamicObject>
        let object: DynamicObject

        init(schema: MappingSchema<DynamicObject>, object: DynamicObject) {
            self.schema = schema
            self.object = object
        }

        init(from decoder: any Decoder) throws {
            guard let schema = decoder.userInfo[Self.key] as? MappingSchema<DynamicObject> else { throw UnknownWord(word: "no schema") }
            self.schema = schema
            object = try schema.unarchive(from: decoder)
        }

        func encode(to encoder: any Encoder) throws { try schema.archive(object, to: encoder) }
    }
}
