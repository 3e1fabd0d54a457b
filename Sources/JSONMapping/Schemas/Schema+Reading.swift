import JSONText

extension Schema {
    /// The value that an object stands for.
    ///
    /// Throws `ValidationError` with every problem.
    /// - Complexity: O(n), n = size of the mapped members, and the fields.
    public func decode(_ json: JSON) throws -> Root {
        let context = MappingContext(schemas: schemas)
        do {
            return try decode(json, context)
        } catch {
            context.transaction.rollBack()
            throw named(error, json)
        }
    }

    /// All problems that decoding, or applying to `existing`, would find. Nothing is changed.
    ///
    /// Initialisers of nested objects are run, and the outer one without `existing`.
    public func validate(_ json: JSON, for existing: Root? = nil, isPartial: Bool = false) -> [Issue] {
        let context = MappingContext(schemas: schemas)
        defer { context.transaction.rollBack() }
        do {
            if var copy = existing { try apply(json, to: &copy, isPartial, context) } else { _ = try decode(json, context) }
            return []
        } catch {
            return named(error, json).issues
        }
    }

    /// Changes a value as an object says: a missing member leaves its property alone, null clears it, nested values are replaced whole.
    ///
    /// All or nothing: when it throws `ValidationError`, neither the value nor any instance that an initialiser answered has changed. A
    /// missing member that is required is a problem unless the JSON is partial.
    public func apply(_ json: JSON, to root: inout Root, isPartial: Bool = false) throws {
        let context = MappingContext(schemas: schemas)
        do {
            var copy = root
            try apply(json, to: &copy, isPartial, context)
            root = copy
        } catch {
            context.transaction.rollBack()
            throw named(error, json)
        }
    }

    // MARK: - Steps

    func decode(_ json: JSON, _ context: MappingContext) throws -> Root {
        let object = try object(json)
        let values = try read(object, ReadMode(), context)
        var root = try create(SchemaValues(json: object, fields: fields, values: values))
        try assign(values, unknownMembers(of: object), to: &root, context)
        return root
    }

    private func apply(_ json: JSON, to root: inout Root, _ isPartial: Bool, _ context: MappingContext) throws {
        let object = try object(json)
        let values = try read(object, ReadMode(existing: root, isPartial: isPartial), context)
        try assign(values, unknownMembers(of: object), to: &root, context)
    }

    private func object(_ json: JSON) throws -> JSONObject {
        guard case .object(let object) = json else {
            throw Issue(.notAnObject, expected: "an object", found: json.kindName)
        }
        return object
    }

    private func read(_ object: JSONObject, _ mode: ReadMode<Root>, _ context: MappingContext) throws -> [ReadValue] {
        var issues = IssueCollector()
        var values: [ReadValue] = []
        values.reserveCapacity(fields.count)
        for field in fields { values.append(field.read(object, mode, context, &issues)) }
        try issues.throwIfAny(name: name)
        return values
    }

    func create(_ values: SchemaValues<Root>) throws -> Root {
        do {
            if let root = try make(values) { return root }
        } catch {
            throw ValidationError(
                ValidationError.issues(
                    of: error, kind: .initializationFailed, expected: "values for the initialiser of \(name)", found: "an error"),
                name: name)
        }
        throw Issue(.initializationFailed, expected: "an instance of \(name)", found: "none from its initialiser")
    }

    /// Sets the properties. Only hooks can fail here.
    func assign(_ values: [ReadValue], _ unknown: JSONObject?, to root: inout Root, _ context: MappingContext) throws {
        remember(root, context)
        for (field, value) in zip(fields, values) { field.assign(&root, value) }
        do {
            if let unknown { try unknownMembers.read?(&root, unknown) }
            try finish?(&root)
        } catch {
            throw ValidationError(
                ValidationError.issues(
                    of: error, kind: .constraintFailed, expected: "a value that \(name) accepts", found: "another value"),
                name: name)
        }
    }

    /// Notes how to bring back the properties of an instance that others may know, too.
    private func remember(_ root: Root, _ context: MappingContext) {
        guard Root.self is AnyObject.Type else { return }
        let restoring = fields.compactMap { $0.snapshot(root) }
        context.transaction.onFailure {
            var root = root
            for restore in restoring { restore(&root) }
        }
    }

    private func unknownMembers(of object: JSONObject) -> JSONObject? {
        guard unknownMembers.read != nil else { return nil }
        // An object, because its names are compared by bytes.
        var known = JSONObject()
        for path in fields.flatMap(\.paths.all) where !known.contains(name: path.root) { known.append(name: path.root, value: .null) }
        return JSONObject(members: object.filter { !known.contains(name: $0.name) })
    }

    private static func issues(of error: any Error) -> [Issue] {
        ValidationError.issues(of: error, kind: .custom, expected: "a value that can be read", found: "an error")
    }

    private func named(_ error: any Error, _ json: JSON) -> ValidationError {
        var issues = Self.issues(of: error)
        // Few are enough to see what went wrong, and hostile input cannot make the search costly.
        for position in issues.indices.prefix(20) { issues[position].adviseNearestName(in: json) }
        return ValidationError(issues, name: name)
    }
}

extension Conversion where Input == JSON {
    /// A nested object by its own schema, which is looked up when it is needed: schemas may contain themselves and each other.
    public static func object(_ schema: @autoclosure @escaping @Sendable () -> Schema<Output>) -> Self {
        .nested { _ in schema() }
    }

    static func nested(_ schema: @escaping @Sendable (MappingContext) throws -> Schema<Output>) -> Self {
        Self(
            archiving: Archiving(
                encode: { try schema($2).archive($0, to: $1, $2.nested()) },
                decode: { try schema($1).unarchive(from: $0, $1.nested()) }),
            decoding: { json, context in
                guard let json else { return nil }
                guard case .object = json else { throw Issue.mismatch("an object", json) }
                return try schema(context).decode(json, context.nested())
            },
            encoding: { value, context in .object(try schema(context).encode(value, nil, context.nested())) })
    }
}
