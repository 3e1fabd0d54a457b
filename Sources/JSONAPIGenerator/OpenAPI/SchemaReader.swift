import JSONText

/// Reads the schemas of an OpenAPI description: follows references, and combines `allOf`, `oneOf`, and `anyOf`.
///
/// Each component is combined once, so the cost is linear in the size of the description, except for repeated inheritance, and for components
/// that combine each other.
final class SchemaReader {
    let document: OpenAPIDocument
    private var known: [String: FlatSchema] = [:]
    /// The components that are being combined, and those below them that lead back to one of them, in the order in which they were met.
    private var open: [String] = []
    /// Their positions.
    private var positions: [String: Int] = [:]
    /// The lowest position to which the components below the present one lead back.
    private var lowest = Int.max
    /// Whether there were too many levels of schemas to combine them all.
    private(set) var isIncomplete = false
    /// The types that discriminators assign to components.
    private let mappedTypes: [String: [String]]

    /// The maximum depth of nested `allOf`, where a reference takes two levels.
    static let maximumLevels = 256
    /// The maximum number of schemas that are combined to one object.
    private static let maximumParts = 1000

    init(_ document: OpenAPIDocument) {
        self.document = document
        mappedTypes = SchemaReader.mappings(in: document)
    }

    /// A schema, without references and wrappers around a single schema.
    struct Resolved {
        var schema: JSON
        /// The reference to it; nil for a schema that is written in place.
        var reference: String?
    }

    /// Follows `$ref`, and `allOf` with one element, if they stand beside nothing else that matters.
    func resolve(_ schema: JSON) -> Resolved {
        var resolved = Resolved(schema: schema, reference: nil)
        for _ in 0..<SchemaReader.maximumLevels {
            if let reference = resolved.schema["$ref"]?.string {
                guard !SchemaReader.hasMembers(beside: "$ref", in: resolved.schema), let target = document.target(of: reference) else {
                    break
                }
                resolved = Resolved(schema: target, reference: reference)
            } else if let only = wrapped(resolved.schema) {
                resolved.schema = only
            } else {
                break
            }
        }
        return resolved
    }

    private func wrapped(_ schema: JSON) -> JSON? {
        guard let object = schema.object else { return nil }
        guard !["properties", "discriminator", "required", "x-abstract"].contains(where: { object.contains(name: $0) }) else { return nil }
        guard let name = SchemaReader.combinations.first(where: { object[$0]?.array != nil }),
            !SchemaReader.hasMembers(beside: name, in: schema)
        else { return nil }
        // The list can be long.
        var only: JSON?
        for schema in object[name]?.array ?? [] where !isOnlyNull(schema) {
            guard only == nil else { return nil }
            only = schema
        }
        return only
    }

    /// Whether a schema, or the one that it refers to, allows nothing but null.
    private func isOnlyNull(_ schema: JSON) -> Bool {
        (schema["$ref"]?.string.flatMap { document.target(of: $0) } ?? schema).isOnlyNull
    }

    private static let combinations = ["allOf", "oneOf", "anyOf"]

    /// Whether a schema has members of its own, or combines others, beside what it refers to.
    private static func hasMembers(beside name: String, in schema: JSON) -> Bool {
        schema["properties"]?.object?.isEmpty == false || combinations.contains { $0 != name && schema[$0]?.array?.isEmpty == false }
    }

    /// Returns the schema with everything that is combined into it.
    func flat(_ schema: JSON) -> FlatSchema { flat(schema, level: 0) }

    private func flat(_ schema: JSON, level: Int) -> FlatSchema {
        var result = FlatSchema()
        guard let object = schema.object else { return result }
        guard level < SchemaReader.maximumLevels else {
            // Nothing that leads here is complete.
            lowest = -1
            isIncomplete = true
            return result
        }
        // Many schemas can refer to one with many properties, which are not copied.
        if object.count == 1, let reference = object["$ref"]?.string {
            result = component(reference, level)
            (result.discriminator, result.isAbstract) = (nil, false)
            return result
        }
        result.addMembers(of: object)
        if let variants = object[FlatSchema.variants]?.array {
            result = FlatSchema(variants: variants.map { ($0, flat($0, level: level + 1)) })
        }
        if let reference = object["$ref"]?.string { result.merge(component(reference, level)) }
        for part in object["allOf"]?.array ?? [] {
            let own = flat(part, level: level + 1)
            if part.object?.contains(name: "$ref") != true {
                result.discriminator = result.discriminator ?? own.discriminator
                result.isAbstract = result.isAbstract || own.isAbstract
            }
            result.merge(own)
        }
        for name in ["oneOf", "anyOf"] { addAlternatives(object[name]?.array, to: &result, level) }
        return result
    }

    private func addAlternatives(_ array: JSONArray?, to result: inout FlatSchema, _ level: Int) {
        guard let array else { return }
        let rest = array.filter { !isOnlyNull($0) }
        if rest.count < array.count { result.isNullable = true }
        switch rest.count {
        case 0: break
        case 1: result.merge(flat(rest[0], level: level + 1))
        default: result.addAlternatives(Array(rest))
        }
    }

    /// Returns a schema and all of its alternatives, and theirs, each once: the schemas that an object can match at the same time. Leaves
    /// out the alternatives for which `isKept` is false.
    func parts(of schema: JSON, where isKept: (JSON, FlatSchema) -> Bool = { _, _ in true }) -> [FlatSchema] {
        var parts: [FlatSchema] = []
        var known: Set<JSON> = []
        var rest = [schema]
        while let next = rest.popLast(), parts.count < SchemaReader.maximumParts {
            guard known.insert(next).inserted else { continue }
            let flat = flat(next)
            guard parts.isEmpty || isKept(next, flat) else { continue }
            parts.append(flat)
            rest += (flat.alternatives + flat.moreAlternatives).reversed()
        }
        return parts
    }

    /// Components that lead to each other have the same members. Only the one that was met first has all of them when it is done: the others are
    /// combined again when they are asked for.
    private func component(_ reference: String, _ level: Int) -> FlatSchema {
        if let schema = known[reference] { return schema }
        if let position = positions[reference] {
            lowest = min(lowest, position)
            return FlatSchema()
        }
        guard let target = document.target(of: reference) else { return FlatSchema() }
        let (position, before) = (open.count, lowest)
        open.append(reference)
        positions[reference] = position
        lowest = Int.max
        let schema = flat(target, level: level + 1)
        let isComplete = lowest >= position
        if isComplete { known[reference] = schema }
        if isComplete || position == 0 {
            for reference in open[position...] { positions[reference] = nil }
            open.removeSubrange(position...)
            lowest = before
        } else {
            lowest = min(lowest, before)
        }
        return schema
    }
}

extension JSON {
    /// Whether a schema allows nothing but null.
    fileprivate var isOnlyNull: Bool {
        if self["type"]?.string == "null" || object?.contains(name: "const") == true && self["const"]?.isNull == true { return true }
        guard let values = self["enum"]?.array, !values.isEmpty else { return false }
        return values.allSatisfy(\.isNull)
    }
}

// MARK: - Discriminators

extension SchemaReader {
    /// The types that discriminators named `type` assign to a component.
    func mappedTypes(of reference: String?) -> [String] { reference.flatMap { mappedTypes[$0] } ?? [] }

    /// The mapping of a discriminator: the values of `type`, and their components.
    static func mapping(of discriminator: JSON?) -> [(type: String, reference: String)] {
        guard discriminator?["propertyName"]?.string == "type" else { return [] }
        return (discriminator?["mapping"]?.object ?? [:]).compactMap { member in
            member.value.string.map { target in
                (member.name, target.utf8.contains(UInt8(ascii: "#")) ? target : "#/components/schemas/\(target)")
            }
        }
    }

    /// Searches all schemas, because any of them can have a discriminator.
    private static func mappings(in document: OpenAPIDocument) -> [String: [String]] {
        var types: [String: [String]] = [:]
        var known: [String: Set<String>] = [:]
        var rest: [JSON] = [document.root["components"]?["schemas"], document.root["paths"]].compactMap(\.self)
        while let json = rest.popLast() {
            if let object = json.object {
                for (type, reference) in mapping(of: object["discriminator"]) where known[reference, default: []].insert(type).inserted {
                    types[reference, default: []].append(type)
                }
                for member in object where member.value.object != nil || member.value.array != nil { rest.append(member.value) }
            } else if let array = json.array {
                rest += array.filter { $0.object != nil || $0.array != nil }
            }
        }
        return types
    }
}
