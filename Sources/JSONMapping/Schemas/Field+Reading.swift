import JSONText

extension Field {
    /// The value for the property: paths, conversion, policy, constraint, hook.
    func read(
        _ object: JSONObject, _ mode: ReadMode<Root>, _ context: MappingContext, _ issues: inout IssueCollector
    ) -> ReadValue {
        do throws(FieldFailure) {
            let found = try find(in: object, context)
            var value = found.value
            if value == nil, let result = try empty(found, mode, &value) { return result }
            try judge(&value, mode, at: found.pointer)
            return value.map { .value($0) } ?? .leave
        } catch {
            issues.add(error.issues)
            return .leave
        }
    }

    /// What the paths led to.
    private struct Found {
        var value: Value?
        /// Whether there was no member at all.
        var isAbsent: Bool
        var pointer: JSONPointer
    }

    private func find(in object: JSONObject, _ context: MappingContext) throws(FieldFailure) -> Found {
        var null: Path?
        var failure: FieldFailure?
        for path in paths.all {
            guard let json = path.value(in: object) else { continue }
            if json.isNull {
                null = null ?? path
                continue
            }
            do throws(FieldFailure) {
                if let value = try convert(json, at: path.pointer, context) {
                    return Found(value: value, isAbsent: false, pointer: path.pointer)
                }
                null = null ?? path
            } catch {
                failure = error
            }
        }
        if let failure { throw paths.all.count == 1 ? failure : missing(found: "nothing that can be converted") }
        let place = (null ?? paths.all.first)?.pointer ?? .root
        let value = conversion.handlesAbsent ? try convert(nil, at: place, context) : nil
        return Found(value: value, isAbsent: null == nil, pointer: place)
    }

    private func convert(_ json: JSON?, at pointer: JSONPointer, _ context: MappingContext) throws(FieldFailure) -> Value? {
        do {
            return try conversion.decode(json, context)
        } catch {
            let found = "\(json?.kindName ?? "nothing") that cannot be"
            throw FieldFailure(
                ValidationError.issues(of: error, kind: .conversionFailed, expected: "a value that can be converted", found: found),
                at: pointer, name)
        }
    }

    /// What the policy says about an empty value: a value to go on with, or a result.
    private func empty(_ found: Found, _ mode: ReadMode<Root>, _ value: inout Value?) throws(FieldFailure) -> ReadValue? {
        let isUpdate = mode.existing != nil
        if found.isAbsent, mode.isPartial { return .leave }
        switch policy {
        case .required:
            throw missing(found: found.isAbsent ? "nothing" : "null", at: found.pointer)
        case .standIn(let standard):
            if found.isAbsent, isUpdate { return .leave }
            value = standard()
            return nil
        case .optional, .omit, .null:
            try judge(&value, mode, at: found.pointer)
            if found.isAbsent, isUpdate || !policy.isNull { return .leave }
            if property.clear == nil {
                if found.isAbsent { return .leave }
                throw missing(found: "null", at: found.pointer)
            }
            return policy.isNull ? .null : .clear
        }
    }

    private func judge(_ value: inout Value?, _ mode: ReadMode<Root>, at pointer: JSONPointer) throws(FieldFailure) {
        if let constraint {
            let issues = constraint.issues(with: value)
            if !issues.isEmpty { throw FieldFailure(issues, at: pointer, name) }
        }
        guard let hook, let judged = value else { return }
        do {
            value = try hook(judged, mode.existing)
        } catch {
            throw FieldFailure(
                ValidationError.issues(
                    of: error, kind: .constraintFailed, expected: "a value that the type accepts", found: "another value"),
                at: pointer, name)
        }
    }

    private func missing(found: String, at pointer: JSONPointer? = nil) -> FieldFailure {
        var issue = Issue(.required, expected: "a value", found: found)
        issue.pointer = pointer ?? paths.all.first?.pointer ?? .root
        if paths.all.count > 1 { issue.alternatives = paths.all.map(\.pointer) }
        return FieldFailure([issue], at: .root, name)
    }

    /// Sets the property; the value is one that `read` or `unarchive` gave.
    func assign(_ root: inout Root, _ read: ReadValue) {
        switch read {
        case .leave: break
        case .clear: property.clear?(&root)
        case .null: property.setNull?(&root)
        case .value(let value):
            if let value = value as? Value { property.set?(&root, value) }
        }
    }
}

/// What was wrong with one field.
private struct FieldFailure: Error {
    let issues: [Issue]

    init(_ issues: [Issue], at pointer: JSONPointer, _ name: String) {
        self.issues = issues.map { $0.moved(below: pointer, property: [name]) }
    }
}

extension Policy {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
