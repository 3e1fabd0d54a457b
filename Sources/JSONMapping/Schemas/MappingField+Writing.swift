import JSONText

extension MappingField {
    /// Writes the property's value, or what the policy says for none, at the first path.
    func write(
        _ root: Root, _ object: inout JSONObject, _ hooks: FieldHooks?, _ context: MappingContext, _ issues: inout IssueCollector
    ) {
        guard let path = paths.all.first else { return }
        do {
            guard var json = try json(of: property.get(root), context) else { return }
            if let hooks { json = try hooks.transformBack(json, name) }
            guard object.insert(json, at: path.segments[...]) else {
                throw MappingIssue(.nameConflict, expected: "an object on the way", found: "the value of another field")
            }
        } catch {
            issues.add(error, at: path.pointer, property: [name], found: "a value that cannot be")
        }
    }

    /// Nil when nothing is to be written.
    private func json(of presence: Presence<Value>, _ context: MappingContext) throws -> JSON? {
        if case .value(let value) = presence { return try json(of: value, context) }
        switch policy {
        case .required:
            if context.isRepresenting { return .null }
            throw MappingIssue(.required, expected: "a value", found: "nothing")
        case .optional: return presence.isNull || property.treatsAbsentAsNil ? .some(.null) : .none
        case .null: return .null
        case .omit: return nil
        case .standIn(let value): return try json(of: value(), context)
        }
    }

    private func json(of value: Value, _ context: MappingContext) throws -> JSON {
        do {
            return try conversion.encoding(value, context)
        } catch {
            if context.isRepresenting { return .null }
            throw error
        }
    }
}

// MARK: - Archives

extension MappingField {
    /// Writes the value under the property's own name, without the conversion for the outside.
    func archive(_ root: Root, _ container: inout KeyedEncodingContainer<NameKey>, _ context: MappingContext) throws {
        switch property.get(root) {
        case .absent: break
        case .null: try container.encodeNil(forKey: NameKey(name))
        case .value(let value): try conversion.archive.encode(value, container.superEncoder(forKey: NameKey(name)), context)
        }
    }

    func unarchive(_ container: KeyedDecodingContainer<NameKey>, _ context: MappingContext) throws -> ReadValue {
        let key = NameKey(name)
        guard container.contains(key) else { return .leave }
        if try container.decodeNil(forKey: key) { return .null }
        return .value(try conversion.archive.decode(container.superDecoder(forKey: key), context))
    }
}

extension JSONObject {
    /// Puts a value at the end of a path and makes the objects on the way; false when something else is on the way.
    mutating func insert(_ value: JSON, at segments: ArraySlice<String>) -> Bool {
        guard let first = segments.first else {
            // The empty path is the whole object.
            guard case .object(let whole) = value else { return false }
            for member in whole { self[member.name] = member.value }
            return true
        }
        if segments.count == 1 {
            self[first] = value
            return true
        }
        var inner = JSONObject()
        if let present = self[first] {
            guard let object = present.object else { return false }
            inner = object
        }
        guard inner.insert(value, at: segments.dropFirst()) else { return false }
        self[first] = .object(inner)
        return true
    }
}
