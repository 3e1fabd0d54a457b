import JSONText

extension JSON {
    /// Returns the value with another one at a path of member names and indexes. Objects are added as needed.
    func setting(_ value: JSON, at path: ArraySlice<String>) -> JSON {
        guard let name = path.first else { return value }
        if var array, let index = Int(name) {
            let element = (array.indices.contains(index) ? array[index] : .object(JSONObject())).setting(value, at: path.dropFirst())
            if array.indices.contains(index) { array.replaceSubrange(index...index, with: [element]) } else { array.append(element) }
            return .array(array)
        }
        var object = object ?? JSONObject()
        object[name] = (object[name] ?? .object(JSONObject())).setting(value, at: path.dropFirst())
        return .object(object)
    }

    /// Returns the value without the member at a path of names.
    func removing(_ path: ArraySlice<String>) -> JSON {
        guard let name = path.first, var object, let member = object[name] else { return self }
        // Not `… ? nil : member`, in which nil would be `JSON.null`.
        if path.count == 1 { object[name] = nil } else { object[name] = member.removing(path.dropFirst()) }
        return .object(object)
    }

    func value(at path: [String]) -> JSON? {
        path.reduce(self) { (json: JSON?, name) in json?.array == nil ? json?[name] : Int(name).flatMap { json?[$0] } }
    }
}

extension JSON {
    /// Returns the schema with a change to its schema of objects. That is the schema itself, or the alternative that has properties.
    func changingObjectSchema(_ change: (inout JSONObject) -> Void) -> JSON {
        guard var schema = object else { return self }
        guard let alternatives = schema["anyOf"]?.array else {
            change(&schema)
            return .object(schema)
        }
        schema["anyOf"] = .array(JSONArray(alternatives.map { $0["properties"] == nil ? $0 : $0.changingObjectSchema(change) }))
        return .object(schema)
    }
}
