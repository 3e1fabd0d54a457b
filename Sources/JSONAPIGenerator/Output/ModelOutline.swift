import JSONText

/// Models as JSON, for programs.
///
/// ```
/// {"types": {"Article": [{"external": "title", "internal": "title", "type": "String"}, …]},
///  "documents": [{"file": "articles.json", "data": "[Article]", "isRequest": false}]}
/// ```
package enum ModelOutline {
    package static func json(_ models: SwiftModels) -> JSON {
        var types = JSONObject()
        for type in models.types { add(type, in: "", to: &types) }
        var outline: JSONObject = ["types": .object(types)]
        if !models.guesses.isEmpty { outline.append(name: "guesses", value: .array(JSONArray(models.guesses.map(JSON.string)))) }
        guard !models.isPlain else { return .object(outline) }
        let documents = models.samples.map { sample -> JSON in
            ["file": .string(sample.file), "data": sample.data.map(JSON.string) ?? .null, "isRequest": .bool(sample.isRequest)]
        }
        outline.append(name: "documents", value: .array(JSONArray(documents)))
        return .object(outline)
    }

    /// Adds a type. The recursion is as deep as the nesting of objects with their own types.
    private static func add(_ type: TypeDeclaration, in path: String, to types: inout JSONObject) {
        let path = path.isEmpty ? type.name : "\(path).\(type.name)"
        var rows = type.properties.map { row(external: $0.member, internal: $0.name, type: $0.type.text) }
        if case .union(let cases) = type.kind { rows += cases.map { row(external: $0.type, internal: $0.name, type: $0.model) } }
        types.append(name: path, value: .array(JSONArray(rows)))
        for nested in type.nested { add(nested, in: path, to: &types) }
    }

    private static func row(external: String, internal: String, type: String) -> JSON {
        ["external": .string(external), "internal": .string(`internal`), "type": .string(type)]
    }
}
