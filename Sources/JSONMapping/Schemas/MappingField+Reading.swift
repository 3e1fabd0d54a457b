import JSONText

extension MappingField {
    /// Reads the field and sets the property.
    func load(
        _ input: FieldInput, into root: inout Root, _ mode: ReadMode<Root>, _ context: MappingContext, _ issues: inout IssueCollector
    ) {
        if isPlain, mode.hooks == nil, let json = input.json, !json.isNull, let set = property.set {
            // The common case. It uses few generic calls, because each one costs more than the work itself.
            do {
                if let value = try conversion.decoding(json, context) { return set(&root, value) }
            } catch {
                issues.add(failure(error, with: json, at: paths.all.first).issues)
                return
            }
            return settle(&root, issues: &issues) { () throws(FieldFailure) in
                try empty(Found(value: nil, path: paths.all.first, unconverted: json.kindName), mode, context)
            }
        }
        settle(&root, issues: &issues) { () throws(FieldFailure) in try outcome(input, mode, context) }
    }

    /// Whether the field reads one member, has neither a constraint nor a hook, and has a conversion that is not asked for absent values.
    private var isPlain: Bool { member != nil && constraint == nil && hook == nil && !conversion.handlesAbsent }

    private func settle(_ root: inout Root, issues: inout IssueCollector, _ outcome: () throws(FieldFailure) -> Outcome) {
        do throws(FieldFailure) {
            switch try outcome() {
            case .leave: break
            case .clear: property.clear?(&root)
            case .null: property.setNull?(&root)
            case .value(let value): property.set?(&root, value)
            }
        } catch {
            issues.add(error.issues)
        }
    }

    /// Reads the field and returns the value for the property.
    func read(
        _ input: FieldInput, _ mode: ReadMode<Root>, _ context: MappingContext, _ issues: inout IssueCollector
    ) -> ReadValue {
        do throws(FieldFailure) {
            switch try outcome(input, mode, context) {
            case .leave: return .leave
            case .clear: return .clear
            case .null: return .null
            case .value(let value): return .value(value)
            }
        } catch {
            issues.add(error.issues)
            return .leave
        }
    }

    /// Sets the property to a value that `read` or `unarchive` returned.
    func assign(_ root: inout Root, _ read: ReadValue) {
        switch read {
        case .leave: break
        case .clear: property.clear?(&root)
        case .null: property.setNull?(&root)
        case .value(let value):
            if let value = value as? Value { property.set?(&root, value) }
        }
    }

    // MARK: - Steps

    /// What happens to the property.
    private enum Outcome {
        case leave
        case clear
        case null
        case value(Value)
    }

    /// The value that the paths lead to.
    private struct Found {
        var value: Value?
        /// The path of the value, or else of the first null, or else the first path.
        var path: MappingPath?
        /// Whether no path led to a member.
        var isAbsent = false
        /// Whether a path led to null.
        var isNull = false
        /// The kind of the first value for which the conversion had no result.
        var unconverted: String?
        /// The object that was read.
        var object = JSONObject()

        /// What was found in place of a value.
        var description: String {
            if isAbsent { return path?.obstacle(in: object) ?? "nothing" }
            return unconverted.map { "\($0) that cannot be converted" } ?? "null"
        }
    }

    /// Applies the paths, the conversion, the policy, the constraint and the hooks.
    private func outcome(_ input: FieldInput, _ mode: ReadMode<Root>, _ context: MappingContext) throws(FieldFailure) -> Outcome {
        let found = try find(input, mode, context)
        guard let value = found.value else { return try empty(found, mode, context) }
        // The conversion's value for a missing member satisfies `required`, but does not replace an existing value.
        if found.isAbsent, mode.existing != nil { return .leave }
        return .value(try accepted(value, mode, at: found.path))
    }

    private func find(_ input: FieldInput, _ mode: ReadMode<Root>, _ context: MappingContext) throws(FieldFailure) -> Found {
        var null: MappingPath?
        var isNull = false
        var unconverted: String?
        var failure: FieldFailure?
        for path in paths.all {
            guard let json = member == nil ? path.value(in: input.object) : input.json else { continue }
            if json.isNull {
                isNull = true
                null = null ?? path
                continue
            }
            do throws(FieldFailure) {
                if let value = try convert(json, at: path, mode.hooks, context) { return Found(value: value, path: path) }
                null = null ?? path
                unconverted = unconverted ?? json.kindName
            } catch {
                if error.isTooDeep { throw error }
                failure = error
            }
        }
        if let failure { throw paths.all.count == 1 ? failure : missing(found: "nothing that can be converted") }
        var found = Found(value: nil, path: null ?? paths.all.first, isAbsent: null == nil, isNull: isNull, unconverted: unconverted)
        found.object = input.object
        if conversion.handlesAbsent, !(found.isAbsent && mode.isPartial) {
            found.value = try convert(nil, at: found.path, mode.hooks, context)
        }
        return found
    }

    private func convert(
        _ json: JSON?, at path: MappingPath?, _ hooks: FieldHooks?, _ context: MappingContext
    ) throws(FieldFailure) -> Value? {
        do {
            return try context.undoingFailure {
                guard let hooks, let json else { return try conversion.decode(json, context) }
                return try conversion.decode(hooks.transform(json, name), context)
            }
        } catch {
            throw failure(error, with: json, at: path)
        }
    }

    private func failure(_ error: any Error, with json: JSON?, at path: MappingPath?) -> FieldFailure {
        let found = "\(json?.kindName ?? "nothing") that cannot be"
        return FieldFailure(ValidationError.conversionIssues(of: error, found: found), at: path, name)
    }

    /// Applies the policy to an empty value.
    private func empty(_ found: Found, _ mode: ReadMode<Root>, _ context: MappingContext) throws(FieldFailure) -> Outcome {
        let isUpdate = mode.existing != nil
        if found.isAbsent, mode.isPartial { return .leave }
        if keepsNull, found.isNull, property.setNull != nil {
            if let constraint { try check(nil, constraint, at: found.path) }
            return .null
        }
        if let null = writtenAsNull(found, context) { return .value(try accepted(null, mode, at: found.path)) }
        switch policy {
        case .required:
            throw missing(found: found.description, at: found.path)
        case .standIn(let standard):
            if found.isAbsent, isUpdate { return .leave }
            return .value(try accepted(standard(), mode, at: found.path))
        case .optional, .omit, .null:
            if let constraint { try check(nil, constraint, at: found.path) }
            if found.isAbsent, isUpdate || !policy.isNull { return .leave }
            if property.clear == nil {
                if found.isAbsent { return .leave }
                throw missing(found: found.description, at: found.path)
            }
            return policy.isNull ? .null : .clear
        }
    }

    /// Returns the value that is written as null, such as `JSON.null`, if the property always has a value and the policy has none for null.
    /// So the field reads what it writes.
    private func writtenAsNull(_ found: Found, _ context: MappingContext) -> Value? {
        if case .standIn = policy { return nil }
        guard found.isNull, property.clear == nil, !conversion.handlesAbsent,
            let value = try? convert(JSON.null, at: found.path, nil, context),
            let json = try? conversion.encoding(value, context), json.isNull
        else { return nil }
        return value
    }

    /// Applies the constraint and the hooks. Returns the value or its replacement.
    private func accepted(_ value: Value, _ mode: ReadMode<Root>, at path: MappingPath?) throws(FieldFailure) -> Value {
        if let constraint { try check(value, constraint, at: path) }
        guard hook != nil || mode.hooks != nil else { return value }
        do {
            let hooked = try hook?(value, mode.existing) ?? value
            guard let hooks = mode.hooks else { return hooked }
            guard let replaced = try hooks.validate(hooked, name) as? Value else {
                throw MappingIssue(.typeMismatch, expected: "\(Value.self) from the codec's `validate`", found: "a value of another type")
            }
            return replaced
        } catch {
            throw FieldFailure(
                ValidationError.issues(
                    of: error, kind: .constraintFailed, expected: "a value that the type accepts", found: "another value"),
                at: path, name)
        }
    }

    private func check(_ value: Value?, _ constraint: Constraint<Value>, at path: MappingPath?) throws(FieldFailure) {
        if constraint.allows(value) { return }
        throw FieldFailure(constraint.issues(with: value), at: path, name)
    }

    private func missing(found: String, at path: MappingPath? = nil) -> FieldFailure {
        var issue = MappingIssue(.required, expected: "a value", found: found)
        issue.pointer = (path ?? paths.all.first)?.pointer ?? .root
        if paths.all.count > 1 { issue.alternatives = paths.all.map(\.pointer) }
        return FieldFailure([issue], at: nil, name)
    }
}

/// The issues of one field.
private struct FieldFailure: Error {
    let issues: [MappingIssue]

    var isTooDeep: Bool { issues.contains { $0.kind == .nestingLimit } }

    init(_ issues: [MappingIssue], at path: MappingPath?, _ name: String) {
        let pointer = path?.pointer ?? .root
        self.issues = issues.map { $0.moved(below: pointer, property: [name]) }
    }
}

extension Policy {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
