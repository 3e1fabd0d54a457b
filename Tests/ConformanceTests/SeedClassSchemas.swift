import Foundation
import JSONMapping
import JSONText

/// The schemas of the configuration `classes`.
struct SeedClassSchemas {
    let config: JSONObject

    init(_ config: JSONObject) { self.config = config }

    var root: MappingSchema<DynamicObject> {
        get throws {
            var schemas = SchemaSet()
            for member in config["classes"]?.object ?? [:] {
                schemas[member.name] = try schema(member.name, member.value)
            }
            for member in config["extends"]?.object ?? [:] {
                schemas.extend(member.value.string ?? "", to: member.name)
            }
            return try schemas.schema(named: config["class"]?.string ?? "")
        }
    }

    private func schema(_ name: String, _ fields: JSON) throws -> MappingSchema<DynamicObject> {
        let initializer = config["initializers"]?[name]
        let existing = (initializer?["object"] ?? initializer?["values"]).map { object($0) }
        var schema = MappingSchema(name, fields: try (fields.array ?? []).map { try field($0) }) { values -> DynamicObject? in
            guard let initializer else { return DynamicObject() }
            switch initializer["fn"]?.string {
            case "none": return nil
            case "from":
                var object = DynamicObject()
                for member in initializer["members"]?.object ?? [:] {
                    if let value = values.json[member.value.string ?? ""] { object.set(member.name, to: value) }
                }
                return object
            case "existing", "const", "preset": return existing
            default: throw UnknownWord(word: "\(initializer)")
            }
        }
        schema.representedPaths = config["representationKeys"]?[name]?.array.map { $0.compactMap(\.string) }
        return schema
    }

    private func field(_ json: JSON) throws -> SchemaField<DynamicObject> {
        let transform = json["transform"] ?? [:]
        let words = try table(transform)
        switch json["type"]?.string {
        case "number" where transform["number"]?.bool == true:
            return try field(json, words.then(Conversion<JSON, JSONNumber>.lenientNumber.then(decode: { JSON.number($0) })))
        case "number": return try field(json, words.then(.numeric))
        case "string": return try field(json, words.then(.string))
        case "date":
            let pattern = transform["date"]?.string
            return try field(json, .date(pattern.map { $0 == "rfc3339-seconds" ? "yyyy-MM-dd'T'HH:mm:ss'Z'" : DateLayout($0) } ?? .iso8601))
        case "url": return try field(json, .url)
        case nil, "any", "raw", "object": return try field(json, words)
        case let name?: return try field(json, .object(named: name))
        }
    }

    /// The transformations from JSON to JSON: a table of words, and a value in place of an absent one.
    private func table(_ transform: JSON) throws -> Conversion<JSON, JSON> {
        var conversion = Conversion<JSON, JSON>.json
        if let words = transform["enum"]?.object {
            conversion = .table(
                Dictionary(words.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }), fallback: transform["fallback"])
        }
        if let standard = transform["default"] { conversion = conversion.whenAbsent { standard } }
        return conversion
    }

    private func field<Value: Hashable & Sendable>(
        _ json: JSON, _ conversion: Conversion<JSON, Value>
    ) throws -> SchemaField<DynamicObject> {
        let requirement = try json["requires"].map { try SeedConstraints.constraint($0) }
        let single = requirement.map { Constraint<Value>.on({ SeedValues.json($0) }, $0) }
        let name = json["internal"]?.string ?? ""
        let paths = Paths(MappingPath(segments: [json["external"]?.string ?? name]))
        switch json["collection"]?.string {
        case "array":
            let whole = requirement.map { Constraint<[Value?]>.on({ SeedValues.json($0) }, $0) }
            let field = MappingField(name, from: paths, .list(.nullable(conversion)))
            return SchemaField(single.flatMap { each in whole.map { field.checked(.all($0, .each(.present(each)))) } } ?? field)
        case "dictionary":
            let whole = requirement.map { Constraint<[String: Value?]>.on({ SeedValues.json($0) }, $0) }
            let field = MappingField(name, from: paths, .dictionary(.nullable(conversion)))
            return SchemaField(single.flatMap { each in whole.map { field.checked(.all($0, .each(.present(each)))) } } ?? field)
        default:
            var field = MappingField(name, from: paths, conversion)
            if let single { field = field.checked(single) }
            if config["propertyHook"]?["property"]?.string == name { field = field.validated { value, _ in try Self.trimmed(value) } }
            return SchemaField(field)
        }
    }

    /// The hook `trim-and-reject-empty`.
    private static func trimmed<Value>(_ value: Value) throws -> Value {
        guard let text = value as? String else { return value }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard !trimmed.isEmpty, let value = trimmed as? Value else { throw UnknownWord(word: "empty") }
        return value
    }

    // MARK: - Objects

    /// Returns the object for a neutral value.
    func object(_ json: JSON) -> DynamicObject { object(json, config["class"]?.string ?? "") }

    private func object(_ json: JSON, _ name: String) -> DynamicObject {
        var object = DynamicObject()
        let fields = config["classes"]?[config["extends"]?[name]?.string ?? name]?.array ?? config["classes"]?[name]?.array ?? []
        for member in json.object ?? [:] {
            let field = fields.first { $0["internal"]?.string == member.name } ?? [:]
            object.set(member.name, to: member.value.isNull ? nil : property(member.value, field))
        }
        return object
    }

    private func property(_ json: JSON, _ field: JSON) -> any Hashable & Sendable {
        switch field["type"]?.string {
        case "string": return listed(json, field) { $0.string ?? "" }
        case "date": return listed(json, field) { SeedValues.date($0) ?? .distantPast }
        case "url": return listed(json, field) { SeedValues.url($0) ?? URL(fileURLWithPath: "/") }
        case nil, "number", "any", "raw", "object": return listed(json, field) { $0 }
        case let name?: return listed(json, field) { object($0, name) }
        }
    }

    private func listed<Value: Hashable & Sendable>(_ json: JSON, _ field: JSON, _ make: (JSON) -> Value) -> any Hashable & Sendable {
        func optional(_ json: JSON) -> Value? { json.isNull ? nil : make(json) }
        switch field["collection"]?.string {
        case "array": return (json.array ?? []).map { optional($0) }
        case "dictionary":
            return Dictionary((json.object ?? [:]).map { ($0.name, optional($0.value)) }, uniquingKeysWith: { $1 })
        default: return make(json)
        }
    }
}
