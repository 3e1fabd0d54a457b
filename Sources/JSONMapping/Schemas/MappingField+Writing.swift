import JSONText

extension MappingField {
    /// Returns the JSON to write at the first path, or nil to write nothing. The policy applies if the property has no value.
    ///
    /// Throws only a nesting limit. Other errors are added to `issues`.
    func written(_ root: Root, _ hooks: FieldHooks?, _ context: MappingContext, _ issues: inout IssueCollector) throws -> JSON? {
        do {
            if let issue = property.mismatch?(root) {
                if context.isRepresenting { return .null }
                throw issue
            }
            guard let json = try json(of: property.get(root), context) else { return nil }
            guard let hooks, !json.isNull else { return json }
            return try hooks.transformBack(json, name)
        } catch {
            if !context.isRepresenting { try issues.addUnlessTooDeep(error, at: paths.all.first?.pointer ?? .root, property: [name]) }
            return nil
        }
    }

    /// Whether the property says that there is no member, which is not the same as nil.
    func isAbsent(in root: Root) -> Bool { property.mismatch?(root) == nil && isAbsent(property.get(root)) }

    private func isAbsent(_ presence: Presence<Value>) -> Bool {
        guard !property.treatsAbsentAsNil, case .absent = presence else { return false }
        switch policy {
        case .optional, .omit: return true
        case .required, .null, .standIn: return false
        }
    }

    /// Returns the JSON for a value that the property could have; null for one that is left out when it is nil, and nil for `.absent`.
    func json(ofProperty value: Any, _ hooks: FieldHooks?, _ context: MappingContext) throws -> JSON? {
        guard let presence = Self.presence(of: value) else {
            throw MappingIssue(.typeMismatch, expected: "a value of the property's type", found: "a value of another type")
        }
        if isAbsent(presence) { return nil }
        guard let json = try json(of: presence, context), !json.isNull else { return .null }
        return try hooks?.transformBack(json, name) ?? json
    }

    private static func presence(of value: Any) -> Presence<Value>? {
        if let presence = value as? Presence<Value> { return presence }
        guard let optional = value as? Value? else { return nil }
        return Presence(optional)
    }

    /// Returns the JSON for a value, a null or no value. Nil means that nothing is written.
    private func json(of presence: Presence<Value>, _ context: MappingContext) throws -> JSON? {
        if case .value(let value) = presence {
            let encoded = try json(of: value, context)
            // Reading null would find no value.
            guard encoded.isNull, case .required = policy, property.clear != nil, !keepsNull, !context.isRepresenting else {
                return encoded
            }
            throw MappingIssue(.required, expected: "a value", found: "null")
        }
        if keepsNull, presence.isNull { return .null }
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
    /// Writes the value under the property's internal name, without converting it to its external form.
    func archive(_ root: Root, _ container: inout KeyedEncodingContainer<NameKey>, _ context: MappingContext) throws {
        if let issue = property.mismatch?(root) { throw issue.moved(below: JSONPointer(name), property: [name]) }
        switch property.get(root) {
        case .absent: break
        case .null: try container.encodeNil(forKey: NameKey(name))
        case .value(let value): try conversion.archive.encode(value, container.superEncoder(forKey: NameKey(name)), context)
        }
    }

    func unarchive(_ members: ArchivedMembers, _ context: MappingContext) throws -> ReadValue {
        guard let key = members.key(of: name) else { return .leave }
        let container = members.container
        guard try container.decodeNil(forKey: key) else { return .value(try archived(container, key, context)) }
        // A property that always has a value can have one that is written as null, such as `JSON.null`.
        guard property.clear == nil, let value = try? archived(container, key, context) else { return .null }
        return .value(value)
    }

    private func archived(_ container: KeyedDecodingContainer<NameKey>, _ key: NameKey, _ context: MappingContext) throws -> Value {
        try conversion.archive.decode(container.superDecoder(forKey: key), context)
    }
}

/// The members of an archived value.
final class ArchivedMembers {
    let container: KeyedDecodingContainer<NameKey>
    private let coder: any Any.Type
    private let fieldNames: () -> [String]

    init<Root>(of schema: MappingSchema<Root>, in decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: NameKey.self)
        coder = type(of: decoder)
        fieldNames = { schema.fields.map(\.name) }
    }

    /// Returns the key of a field; nil if the archive does not contain it.
    ///
    /// Foundation's key strategies do not restore all names: `userID` is written as `user_id`, and read as `userId`. A name that is missing
    /// is therefore also found with other uppercase letters and underscores, unless another field has that name.
    func key(of name: String) -> NameKey? {
        let key = NameKey(name)
        return container.contains(key) ? key : renamed[Self.folded(name)]
    }

    /// The keys that are not names of fields, by their folded names. Empty for a decoder that does not rename keys.
    private lazy var renamed: [String: NameKey] = {
        guard JSONObject.renamesKeys(coder) else { return [:] }
        let known = Set(fieldNames())
        let others = container.allKeys.filter { !known.contains($0.stringValue) }
        return Dictionary(others.map { (Self.folded($0.stringValue), $0) }, uniquingKeysWith: { first, _ in first })
    }()

    private static func folded(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }
}
