import JSONAPICodec
import JSONText

// The schemas of relationship objects.
//
// https://jsonapi.org/format/1.1/#document-resource-object-relationships

extension SchemaBuilder {
    /// The schema of a relationship object, from the types of the properties that read it and from what the decoder accepts there.
    func relationship(_ node: SchemaNode, _ path: [String], _ samples: SchemaSamples) -> JSON {
        var properties: JSONObject = ["links": ["type": ["object", "null"]], "meta": ["type": "object"]]
        var object: JSONObject = ["type": "object"]
        let roles = node.types.compactMap { PropertyRole.relationship($0) }
        for model in roles.flatMap({ $0.target.map { PropertyRole.models(of: $0) } ?? [] }) { wait(for: model) }
        if roles.count == 1, !samples.accepts(["data": SchemaLeaf.strangeText], at: path) {
            properties = ["data": data(roles[0], path, samples)]
            properties.append(name: "links", value: ["type": ["object", "null"]])
            properties.append(name: "meta", value: ["type": "object"])
            if !samples.accepts(["meta": [:]], at: path) { object["required"] = ["data"] }
        }
        object["properties"] = .object(properties)
        var parts = SchemaParts(.object, object)
        widen(&parts, besides: [.object]) { samples.accepts($0, at: path) }
        return parts.json
    }

    /// The schema of linkage.
    private func data(_ role: PropertyRole.Relationship, _ path: [String], _ samples: SchemaSamples) -> JSON {
        let isToMany = role.isToMany == true
        let other: JSON = ["type": "\u{2026}", "id": "1"]
        let isOpen = samples.accepts(["data": isToMany ? [other] : other], at: path)
        let identifier = identifier(of: role.target, isOpen: isOpen)
        var parts = isToMany ? SchemaParts(.array, ["items": .object(identifier)]) : SchemaParts(.object, identifier)
        widen(&parts, besides: [isToMany ? .array : .object]) { samples.accepts(["data": $0], at: path) }
        return parts.json
    }

    /// The schema of identifiers of the types that a property reads. If it accepts others, too, the types are only named.
    private func identifier(of target: (any ResourceRepresentable.Type)?, isOpen: Bool) -> JSONObject {
        var names: [JSON] = []
        for model in target.map({ PropertyRole.models(of: $0) }) ?? [] where !names.contains(.string(model.type)) {
            names.append(.string(model.type))
        }
        var type: JSONObject = ["type": "string"]
        if !names.isEmpty { type[isOpen ? "x-extensible-enum" : "enum"] = .array(JSONArray(names)) }
        let id: JSON = ["type": decoder.leniencies.contains(.integerIDs) ? ["string", "integer"] : "string"]
        var schema: JSONObject = [
            "type": "object", "required": ["type"], "properties": ["type": .object(type), "id": id, "lid": ["type": "string"]],
        ]
        if !decoder.leniencies.contains(.identifiersWithoutID) {
            schema["if"] = ["required": ["lid"]]
            schema["else"] = ["required": ["id"]]
        }
        return schema
    }
}
