import JSONAPICodec
import JSONText

/// A kind of JSON values, as JSON Schema names it. Every number is a `number`.
///
/// https://json-schema.org/draft/2020-12/json-schema-core#name-instance-data-model
enum SchemaKind: String, CaseIterable {
    case null, boolean, number, string, array, object

    init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool: self = .boolean
        case .number: self = .number
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

/// A schema as a list of alternatives, so that another kind of values can be added.
struct SchemaParts {
    struct Part {
        /// The kind of the values; nil when a reference hides it.
        let kind: SchemaKind?
        var schema: JSONObject

        /// Whether it allows every value of its kind.
        var isWhole: Bool { schema.count == 1 && schema["type"]?.string != nil && schema["type"] != "integer" }
    }

    private(set) var parts: [Part] = []

    init() {}

    /// Creates a schema of one kind of values. The type is added unless the keywords have it.
    init(_ kind: SchemaKind, _ keywords: JSONObject = [:]) {
        var schema: JSONObject = keywords["type"] == nil ? ["type": .string(kind.rawValue)] : [:]
        for member in keywords { schema.append(name: member.name, value: member.value) }
        parts = [Part(kind: kind, schema: schema)]
    }

    /// Creates a reference to a definition. `kind` is nil while the definition is being made.
    init(reference: String, _ kind: SchemaKind?) { parts = [Part(kind: kind, schema: ["$ref": .string(reference)])] }

    /// The schema that allows every value.
    static var anything: SchemaParts {
        var all = SchemaParts()
        for kind in SchemaKind.allCases { all.allow(kind) }
        return all
    }

    /// Allows all values of a kind.
    mutating func allow(_ kind: SchemaKind) {
        parts.removeAll { $0.kind == kind }
        parts.append(Part(kind: kind, schema: ["type": .string(kind.rawValue)]))
    }

    /// Allows what the other schema allows as well.
    mutating func add(_ other: SchemaParts) {
        for part in other.parts where !parts.contains(where: { $0.schema == part.schema || $0.kind == part.kind && $0.isWhole }) {
            if part.isWhole, let kind = part.kind { allow(kind) } else { parts.append(part) }
        }
    }

    /// The schema, and null.
    var nullable: SchemaParts {
        var copy = self
        copy.allow(.null)
        return copy
    }

    /// The schema. `true` allows every value.
    var json: JSON {
        if parts.isEmpty || SchemaKind.allCases.allSatisfy({ kind in parts.contains { $0.kind == kind && $0.isWhole } }) { return true }
        let whole = parts.filter(\.isWhole).compactMap(\.kind).sorted { SchemaParts.rank($0) < SchemaParts.rank($1) }
        let others = parts.filter { !$0.isWhole }
        if others.isEmpty { return ["type": SchemaParts.names(whole)] }
        guard others.count == 1, whole == [.null] || whole.isEmpty else {
            let rest: [JSON] = whole.isEmpty ? [] : [["type": SchemaParts.names(whole)]]
            return ["anyOf": .array(JSONArray(others.map { .object($0.schema) } + rest))]
        }
        return whole.isEmpty ? .object(others[0].schema) : SchemaParts.nullable(others[0].schema)
    }

    /// Null comes last, as in `["string", "null"]`.
    private static func rank(_ kind: SchemaKind) -> Int {
        kind == .null ? SchemaKind.allCases.count : SchemaKind.allCases.firstIndex(of: kind) ?? 0
    }

    private static func names(_ kinds: [SchemaKind]) -> JSON {
        kinds.count == 1 ? .string(kinds[0].rawValue) : .array(JSONArray(kinds.map { .string($0.rawValue) }))
    }

    private static func nullable(_ schema: JSONObject) -> JSON {
        guard let type = schema["type"]?.string else { return ["anyOf": [.object(schema), ["type": "null"]]] }
        var changed = schema
        changed["type"] = [.string(type), "null"]
        if let values = schema["enum"]?.array { changed["enum"] = .array(JSONArray(Array(values) + [.null])) }
        return .object(changed)
    }
}
