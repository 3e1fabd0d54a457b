import JSONText

/// Writes models as schemas of OpenAPI 3.1, which are JSON Schema 2020-12.
///
/// <https://json-schema.org/draft/2020-12>
package struct SchemaWriter {
    /// Declarations by their names.
    private typealias Scope = [String: TypeDeclaration]

    private let models: [TypeDeclaration]
    private let modelsByName: Scope
    /// The prefix of references to schemas.
    private let base: String

    package init(_ models: SwiftModels, isJSONSchema: Bool) {
        self.models = models.types
        modelsByName = SchemaWriter.scope(of: models.types)
        base = isJSONSchema ? "#/$defs/" : "#/components/schemas/"
    }

    /// An OpenAPI description without paths.
    package var description: JSON {
        [
            "openapi": "3.1.0", "info": ["title": "API", "version": "1"], "paths": [:],
            "components": ["schemas": .object(definitions)],
        ]
    }

    /// A JSON Schema of documents with these resources.
    package var jsonSchema: JSON {
        [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": reference("Document"), "$defs": .object(definitions),
        ]
    }

    private func reference(_ name: String) -> JSON { .string(base + name) }

    private static func scope(of declarations: [TypeDeclaration]) -> Scope {
        Scope(declarations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

// MARK: - Documents and resources

extension SchemaWriter {
    private var definitions: JSONObject {
        var schemas = JSONObject()
        var resources: [JSON] = []
        for model in models {
            guard case .resource(let type, _) = model.kind else { continue }
            schemas.append(name: model.name, value: resource(model, type))
            resources.append(["$ref": reference(model.name)])
        }
        let any: JSON = resources.count == 1 ? resources[0] : ["anyOf": .array(JSONArray(resources))]
        let many: JSON = ["type": "array", "items": any]
        schemas.append(
            name: "Document",
            value: [
                "type": "object", "required": ["data"],
                "properties": [
                    "data": ["anyOf": [["type": "null"], any, many]], "included": many, "links": ["type": "object"],
                    "meta": ["type": "object"], "jsonapi": ["type": "object"],
                ],
            ])
        return schemas
    }

    private func resource(_ model: TypeDeclaration, _ type: String) -> JSON {
        var properties: JSONObject = ["type": ["const": .string(type)]]
        var required: [JSON] = ["type"]
        for property in model.properties {
            switch property.role {
            case .id:
                properties.append(name: "id", value: ["type": "string"])
                if !property.type.isOptional { required.append("id") }
            case .localID: properties.append(name: "lid", value: ["type": "string"])
            default: break
            }
        }
        let scopes = [SchemaWriter.scope(of: model.nested)]
        let attributes = object(model.properties.filter { $0.role == .attribute }, scopes)
        properties.append(name: "attributes", value: .object(attributes))
        if attributes.contains(name: "required") { required.append("attributes") }
        let relationships = model.properties.filter { $0.role == .relationship }
        if !relationships.isEmpty {
            let members = relationships.map { JSONObject.Member(name: $0.member, value: relationship($0.type)) }
            properties.append(name: "relationships", value: ["type": "object", "properties": .object(JSONObject(members: members))])
        }
        for property in model.properties where property.role == .links || property.role == .meta {
            let isMeta = property.role == .meta
            properties.append(name: property.member, value: isMeta ? value(property.type.core, scopes) : ["type": "object"])
        }
        return ["type": "object", "required": .array(JSONArray(required)), "properties": .object(properties)]
    }

    private func relationship(_ type: SwiftType) -> JSON {
        var properties: JSONObject = ["links": ["type": ["object", "null"]], "meta": ["type": "object"]]
        switch type {
        case .toOne(let target), .embeddedOne(let target): properties["data"] = nullable(identifier(of: target))
        case .toMany(let target), .embeddedMany(let target): properties["data"] = ["type": "array", "items": identifier(of: target)]
        default: break
        }
        return ["type": "object", "properties": .object(properties)]
    }

    /// A resource identifier with the types of a model or union. New resources are identified by a `lid`.
    private func identifier(of target: String) -> JSON {
        let types: [String] =
            switch modelsByName[target]?.kind {
            case .resource(let type, _): [type]
            case .union(let cases): cases.map(\.type)
            default: []
            }
        let type: JSON = types.isEmpty ? ["type": "string"] : ["enum": .array(JSONArray(types.map(JSON.string)))]
        return [
            "type": "object", "required": ["type"],
            "properties": ["type": type, "id": ["type": "string"], "lid": ["type": "string"]],
            "if": ["required": ["lid"]], "else": ["required": ["id"]],
        ]
    }
}

// MARK: - Values

extension SchemaWriter {
    /// Returns an object with the given properties. `around` has the scopes in which their types are declared, the innermost last.
    private func object(_ properties: [Property], _ around: [Scope]) -> JSONObject {
        var members = JSONObject()
        var required: [JSON] = []
        for property in properties {
            members.append(name: property.member, value: SchemaWriter.allow(property.emptyForms, in: value(property.type, around)))
            if !property.type.isOptional { required.append(.string(property.member)) }
        }
        var object: JSONObject = ["type": "object", "properties": .object(members)]
        if !required.isEmpty { object["required"] = .array(JSONArray(required)) }
        return object
    }

    /// Returns the schema of a value. The recursion is limited by the number of distinguished levels.
    private func value(_ type: SwiftType, _ around: [Scope]) -> JSON {
        switch type {
        case .bool: ["type": "boolean"]
        case .int: ["type": "integer"]
        case .double: ["type": "number"]
        // https://spec.openapis.org/registry/format/decimal.html
        case .jsonNumber: ["type": "number", "format": "decimal"]
        case .string: ["type": "string"]
        case .date: ["type": "string", "format": "date-time"]
        // https://spec.openapis.org/registry/format/date-time-local.html
        case .localDate: ["type": "string", "format": "date-time-local"]
        case .decimal: ["type": "string", "format": "decimal"]
        case .url: ["type": "string", "format": "uri"]
        case .jsonObject: ["type": "object"]
        case .array(let element): ["type": "array", "items": value(element, around)]
        case .dictionary(let element): ["type": "object", "additionalProperties": value(element, around)]
        case .optional(let wrapped), .field(let wrapped): nullable(value(wrapped, around))
        case .named(let name): named(name, around)
        case .json, .toOne, .toMany, .embeddedOne, .embeddedMany, .relationshipObject, .links, .meta, .localID: [:]
        }
    }

    private func named(_ name: String, _ around: [Scope]) -> JSON {
        guard let type = around.reversed().lazy.compactMap({ $0[name] }).first else { return [:] }
        // The names in the samples can be incomplete, so they are not a restriction.
        if case .enumeration(let cases) = type.kind {
            return ["type": "string", "x-extensible-enum": .array(JSONArray(cases.map { .string($0.value) }))]
        }
        return .object(object(type.properties, around + [SchemaWriter.scope(of: type.nested)]))
    }

    /// Returns the schema of the same value or one of the given values.
    private static func allow(_ values: [JSON], in schema: JSON) -> JSON {
        guard !values.isEmpty, schema.object?.isEmpty == false else { return schema }
        let parts = Array(schema["anyOf"]?.array ?? [schema])
        return ["anyOf": .array(JSONArray(parts + [["enum": .array(JSONArray(values))]]))]
    }

    /// Returns the schema of the same value or null. A schema that allows anything allows null already.
    private func nullable(_ schema: JSON) -> JSON {
        guard let object = schema.object, !object.isEmpty else { return schema }
        guard let type = object["type"]?.string else { return ["anyOf": [schema, ["type": "null"]]] }
        var changed = object
        changed["type"] = [.string(type), "null"]
        return .object(changed)
    }
}
