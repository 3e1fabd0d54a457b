import Foundation
import JSONMapping
import JSONText

/// Golden cases of types that exist only as data, with lenient scalars and a policy for empty values.
enum SeedSchemas {
    @Sendable static func decode(_ seed: SeedCase, _ report: inout Report) throws {
        let root = try root(seed)
        report.expect(
            seed, outcome: try SeedValues.outcome { SeedValues.object(try root.decode(seed.input)) }, equals: .object(seed.expected))
    }

    @Sendable static func encode(_ seed: SeedCase, _ report: inout Report) throws {
        let object = object(seed.input, seed.config["root"]?.string ?? "", seed.config)
        let root = try root(seed)
        report.expect(seed, outcome: try SeedValues.outcome { .object(try root.encode(object)) }, equals: .object(seed.expected))
    }

    @Sendable static func roundTrip(_ seed: SeedCase, _ report: inout Report) throws {
        guard seed.config["schemas"] != nil else { return try SeedClasses.roundTrip(seed, &report) }
        let root = try root(seed)
        report.expect(
            seed, outcome: try SeedValues.outcome { .object(try root.encode(root.decode(seed.input))) }, equals: .object(seed.expected))
    }

    private static func root(_ seed: SeedCase) throws -> MappingSchema<DynamicObject> {
        var schemas = SchemaSet()
        for member in seed.config["schemas"]?.object ?? [:] {
            let fields = try (member.value.array ?? []).map { try field($0) }
            schemas[member.name] = MappingSchema(member.name, fields: fields) { _ in DynamicObject() }
                .unknownMembers(seed.config["unknownKeys"]?.string == "keep" ? .keep : .drop)
        }
        return try schemas.schema(named: seed.config["root"]?.string ?? "")
    }

    private static func field(_ json: JSON) throws -> SchemaField<DynamicObject> {
        let name = json["key"]?.string ?? ""
        let policy: Policy<SeedValue> =
            switch json["empty"]?.string {
            case nil, "null": .null
            case "omit", "remove": .omit
            case "blank": .default(SeedValue(base: ""))
            case "require", "assert": .required
            case let word?: throw UnknownWord(word: word)
            }
        let field = MappingField(name, from: Paths(MappingPath(segments: [name])), policy, try conversion(json))
        return SchemaField(json["explicitNull"]?.string == "keep" ? field.keepingNull() : field)
    }

    private static func conversion(_ json: JSON) throws -> Conversion<JSON, SeedValue> {
        switch json["type"]?.string {
        case nil, "raw", "string": return listed(.json, json)
        case "int", "long": return listed(recovering(.lenientInt, json["fallback"]?.int), json)
        case "float", "double": return listed(recovering(.lenientDouble, json["fallback"]?.double), json)
        case "bool": return listed(recovering(.lenientBool, json["fallback"]?.bool), json)
        case "date":
            return listed(.date(.iso8601, writing: json["encodeFormat"]?.string.map { DateLayout($0) } ?? .rfc3339), json)
        case "object", "class": return listed(.object(named: json["of"]?.string ?? ""), json)
        case let word?: throw UnknownWord(word: word)
        }
    }

    private static func recovering<Value: Sendable>(_ conversion: Conversion<JSON, Value>, _ fallback: Value?) -> Conversion<JSON, Value> {
        fallback.map { conversion.fallback($0) } ?? conversion
    }

    private static func listed<Value: Hashable & Sendable>(
        _ conversion: Conversion<JSON, Value>, _ json: JSON
    ) -> Conversion<JSON, SeedValue> {
        json["list"]?.bool == true ? erased(.list(conversion)) : erased(conversion)
    }

    private static func erased<Value: Hashable & Sendable>(_ conversion: Conversion<JSON, Value>) -> Conversion<JSON, SeedValue> {
        let typed = conversion.then(
            decode: { SeedValue(base: $0) },
            encode: { value in
                guard let value = value.base as? Value else { throw UnknownWord(word: "another type") }
                return value
            })
        // A blank replacement is written unchanged, for every type of field.
        return typed.or(
            Conversion(
                decode: { _ in throw UnknownWord(word: "no value") },
                encode: { value in
                    guard !(value.base is Value) else { throw UnknownWord(word: "a value of the field's type") }
                    return SeedValues.json(value)
                }))
    }

    /// Returns the object for a neutral value.
    private static func object(_ json: JSON, _ name: String, _ config: JSONObject) -> DynamicObject {
        var object = DynamicObject()
        for field in config["schemas"]?[name]?.array ?? [] {
            guard let key = field["key"]?.string, let value = json[key] else { continue }
            object.set(key, to: value.isNull ? nil : SeedValue(base: typed(value, field, config)))
        }
        return object
    }

    private static func typed(_ json: JSON, _ field: JSON, _ config: JSONObject) -> any Hashable & Sendable {
        let isList = field["list"]?.bool == true
        switch field["type"]?.string {
        case "date": return isList ? (json.array ?? []).compactMap { SeedValues.date($0) } : SeedValues.date(json) ?? .distantPast
        case "object", "class":
            let name = field["of"]?.string ?? ""
            return isList ? (json.array ?? []).map { object($0, name, config) } : object(json, name, config)
        case "int", "long": return isList ? (json.array ?? []).compactMap(\.int) : either(json.int, json)
        case "float", "double": return isList ? (json.array ?? []).compactMap(\.double) : either(json.double, json)
        case "bool": return isList ? (json.array ?? []).compactMap(\.bool) : either(json.bool, json)
        default: return isList ? json.array.map(Array.init) ?? [] : json
        }
    }

    private static func either(_ value: (any Hashable & Sendable)?, _ json: JSON) -> any Hashable & Sendable {
        if let value { return value }
        return json
    }
}
