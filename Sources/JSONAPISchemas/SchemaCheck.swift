import JSONText

/// Checks values against schemas with the keywords that `ModelSchema` writes.
struct SchemaCheck {
    /// Returns a definition; nil for one that is still being made, which allows everything.
    let definition: (String) -> JSON?

    /// Whether the schema allows the value. `format`, `contentEncoding` and annotations do not restrict it.
    ///
    /// Recursion ends with the value, which is small.
    func allows(_ schema: JSON, _ value: JSON) -> Bool {
        guard let keywords = schema.object else { return schema.bool ?? true }
        if let condition = keywords["if"], let branch = keywords[allows(condition, value) ? "then" : "else"], !allows(branch, value) {
            return false
        }
        return keywords.allSatisfy { allows($0.name, $0.value, value) }
    }

    private func allows(_ keyword: String, _ argument: JSON, _ value: JSON) -> Bool {
        switch keyword {
        case "$ref": argument.string.flatMap(definition).map { allows($0, value) } ?? true
        case "anyOf": (argument.array ?? []).contains { allows($0, value) }
        case "const": argument == value
        case "enum": (argument.array ?? []).contains(value)
        case "type": (argument.array.map(Array.init) ?? [argument]).contains { isOfType($0.string, value) }
        case "minimum": compare(value, argument) { $0 >= $1 }
        case "maximum": compare(value, argument) { $0 <= $1 }
        case "required": (argument.array ?? []).allSatisfy { name in value.object?.contains(name: name.string ?? "") ?? true }
        case "properties": (argument.object ?? [:]).allSatisfy { member in value[member.name].map { allows(member.value, $0) } ?? true }
        case "additionalProperties": (value.object ?? [:]).allSatisfy { allows(argument, $0.value) }
        case "items": (value.array ?? []).allSatisfy { allows(argument, $0) }
        default: true
        }
    }

    private func isOfType(_ type: String?, _ value: JSON) -> Bool {
        type == "integer" ? value.double.map { $0 == $0.rounded() } ?? false : type == SchemaKind(value).rawValue
    }

    private func compare(_ value: JSON, _ limit: JSON, _ isRight: (Double, Double) -> Bool) -> Bool {
        guard let value = value.double, let limit = limit.double else { return true }
        return isRight(value, limit)
    }
}
