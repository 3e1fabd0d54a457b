import JSONText

extension MappingSchema {
    /// Returns the value that a JSON object represents.
    ///
    /// Throws a `ValidationError` with every problem.
    /// - Complexity: O(n), n = size of the mapped members plus the number of fields.
    public func decode(_ json: JSON) throws -> Root {
        let context = MappingContext(schemas: schemas)
        do {
            return try decode(json, context)
        } catch {
            context.run.rollBack()
            throw named(error, json)
        }
    }

    /// Does the same for the flat object of a resource. If the decoder reads a request, hidden fields are only read from the shadow.
    ///
    /// - Parameter names: Those of the id and the relationships.
    package func decode(_ json: JSON, for decoder: any Decoder, names: [String]) throws -> Root {
        let context = MappingContext(schemas: schemas, shadow: Shadow(in: decoder.userInfo), namesOfResource: names)
        defer { context.run.noteRefusals() }
        do {
            return try decode(json, context)
        } catch {
            context.run.rollBack()
            throw named(error, json)
        }
    }

    /// Returns all problems that decoding, or applying to `existing`, would find. No value is changed.
    ///
    /// Validation runs the initializers of nested objects, and of the outer one if `existing` is nil. It also runs `finish` and handlers of
    /// unknown members. Their changes to instances of classes are undone in fields and in properties named with `restoring(_:)`.
    public func validate(_ json: JSON, for existing: Root? = nil, isPartial: Bool = false) -> [MappingIssue] {
        let context = MappingContext(schemas: schemas)
        defer { context.run.rollBack() }
        do {
            if var copy = existing { try apply(json, to: &copy, isPartial: isPartial, context) } else { _ = try decode(json, context) }
            return []
        } catch {
            return named(error, json).issues
        }
    }

    /// Applies a JSON object to a value. A missing member leaves its property unchanged, null clears it, and nested values are replaced as
    /// a whole.
    ///
    /// The operation is all or nothing. When it throws a `ValidationError`, neither the value nor an instance that an initializer returned
    /// has changed. In an instance of a class, this covers the fields, the property that keeps unknown members, and the properties named
    /// with `restoring(_:)`. A missing required member is a problem unless `isPartial` is true. A constant keeps its value.
    public func apply(_ json: JSON, to root: inout Root, isPartial: Bool = false) throws {
        let context = MappingContext(schemas: schemas)
        do {
            var copy = root
            try apply(json, to: &copy, isPartial: isPartial, context)
            root = copy
        } catch {
            context.run.rollBack()
            throw named(error, json)
        }
    }

    // MARK: - Steps

    func decode(_ json: JSON, _ context: MappingContext) throws -> Root {
        if let issue = conflict ?? constantIssue { throw issue }
        return try context.undoingFailure {
            guard let codec else { return try decodeByFields(json, context) }
            guard let shadow = context.run.shadow else { return try codec.decode(json, by: Mapping(schema: self, context: context)) }
            return try codec.decode(json.without(shadow), by: Mapping(schema: self, context: context, shadowed: json))
        }
    }

    private func apply(_ json: JSON, to root: inout Root, isPartial: Bool, _ context: MappingContext) throws {
        if let conflict { throw conflict }
        guard let codec else { return try applyByFields(json, to: &root, isPartial: isPartial, context) }
        remember(root, context)
        try codec.apply(json, to: &root, by: Mapping(schema: self, context: context, isPartial: isPartial))
    }

    func decodeByFields(_ json: JSON, _ context: MappingContext) throws -> Root {
        let object = try source(object(json), context)
        let mode = ReadMode<Root>(hooks: hooks)
        if codec == nil, reach != .object, let prototype {
            // The properties are set while the fields are read. The value is discarded if one of them fails.
            var root = prototype()
            try load(object, into: &root, mode, context)
            try finish(&root, object.visible)
            return root
        }
        let values = try read(object, mode, context)
        var root = try create(SchemaValues(json: object.whole, positions: fieldPositions, values: values))
        try assign(values, to: &root, context, isNew: prototype != nil)
        try finish(&root, object.visible)
        return root
    }

    func applyByFields(_ json: JSON, to root: inout Root, isPartial: Bool, _ context: MappingContext) throws {
        let object = ObjectSource<Root>(visible: try object(json))
        let mode = ReadMode(isPartial: isPartial, hooks: hooks, existing: root)
        if codec == nil, reach == .value {
            try load(object, into: &root, mode, context)
        } else {
            try assign(read(object, mode, context), to: &root, context)
        }
        try finish(&root, object.visible, isUpdate: true)
    }

    private func object(_ json: JSON) throws -> JSONObject {
        guard case .object(let object) = json else {
            throw MappingIssue(.notAnObject, expected: "an object", found: json.kindName)
        }
        return object
    }

    /// Reads all fields into a value. The caller discards the value if this method throws.
    private func load(_ object: ObjectSource<Root>, into root: inout Root, _ mode: ReadMode<Root>, _ context: MappingContext) throws {
        var issues = IssueCollector()
        var position = 0
        object.refuse(context, &issues)
        for field in fields {
            let steps = field.steps
            if object.isRefused(steps) { continue }
            let input = object.input(steps, &position)
            if let json = input.json, let scalar = steps.scalar, mode.hooks == nil, scalar.read(json, into: &root) { continue }
            let (refusals, known) = (context.run.refusalCount, issues.issues.count)
            steps.load(input, &root, mode, context, &issues)
            field.noteRefusals(since: refusals, in: input.object, context, known, &issues)
        }
        try issues.throwIfAny(name: name)
    }

    /// Reads all fields and returns their values. The caller sets the properties once all fields are valid.
    private func read(_ object: ObjectSource<Root>, _ mode: ReadMode<Root>, _ context: MappingContext) throws -> [ReadValue] {
        var issues = IssueCollector()
        var position = 0
        var values: [ReadValue] = []
        values.reserveCapacity(fields.count)
        object.refuse(context, &issues)
        for field in fields {
            if object.isRefused(field.steps) {
                values.append(.leave)
                continue
            }
            let input = object.input(field.steps, &position)
            let (refusals, known) = (context.run.refusalCount, issues.issues.count)
            values.append(field.steps.read(input, mode, context, &issues))
            field.noteRefusals(since: refusals, in: input.object, context, known, &issues)
        }
        try issues.throwIfAny(name: name)
        return values
    }

    func create(_ values: SchemaValues<Root>) throws -> Root {
        do {
            if let root = try make(values) { return root }
        } catch {
            throw ValidationError(
                ValidationError.issues(
                    of: error, kind: .initializationFailed, expected: "values for the initializer of \(name)", found: "an error"),
                name: name)
        }
        throw MappingIssue(.initializationFailed, expected: "an instance of \(name)", found: "nil from its initializer")
    }

    /// Sets the properties.
    ///
    /// - Parameter isNew: Whether the value comes from the prototype, so that nothing else has the objects that its setters may change.
    func assign(_ values: [ReadValue], to root: inout Root, _ context: MappingContext, isNew: Bool = false) throws {
        if !isNew || reach == .object { remember(root, context) }
        for (field, value) in zip(fields, values) {
            guard let assigning else {
                field.steps.assign(&root, value)
                continue
            }
            if case .leave = value { continue }
            assigning(field.name, &root) { field.steps.assign(&$0, value) }
        }
    }

    /// Calls the handler of unknown members and `finish`. `object` is nil when an archive is read.
    func finish(_ root: inout Root, _ object: JSONObject?, isUpdate: Bool = false) throws {
        guard finish != nil || unknownMembers.read != nil else { return }
        do {
            if let handle = unknownMembers.read, let object {
                let members = JSONObject(members: object.filter { !memberNames.contains(name: $0.name) })
                if isUpdate, let merge = unknownMembers.merge { merge(&root, members) } else { try handle(&root, members) }
            }
            try finish?(&root)
        } catch {
            throw ValidationError(
                ValidationError.issues(
                    of: error, kind: .constraintFailed, expected: "a value that \(name) accepts", found: "another value"),
                name: name)
        }
    }

    /// Registers closures that restore the properties of objects that may have other references.
    private func remember(_ root: Root, _ context: MappingContext) {
        guard reach != .value else { return }
        let restoring = restoring(root)
        context.run.onFailure {
            var root = root
            // The observers of a property that is restored can change one that was restored before it.
            for _ in 1...2 { for restore in restoring { restore(&root) } }
        }
    }

    private func named(_ error: any Error, _ json: JSON) -> ValidationError {
        var issues = ValidationError.issues(of: error, kind: .custom, expected: "a value that can be read", found: "an error")
        // Only the first 20 issues get advice, so that hostile input cannot make the search slow.
        for position in issues.indices.prefix(20) { issues[position].adviseNearestName(in: json) }
        return ValidationError(issues, name: name)
    }
}

extension Conversion where Input == JSON {
    /// A nested object with its own schema. The schema is evaluated when it is needed, so schemas can contain themselves and each other.
    ///
    /// If the outermost schema comes from a `SchemaSet` that has a schema for the type, that schema is used instead. If the nested schema
    /// comes from a set, objects inside it use that set, unless the set of the outermost schema has a schema for them. They do not use the
    /// sets of the schemas in between.
    ///
    /// If the schema creates instances with `creating:`, an instance of a subclass is written by the schema that is registered for its class
    /// in these sets. If there is none, writing throws `typeMismatch`, because the properties of the subclass would be lost. With `make:` or a
    /// codec, the schema decides about subclasses itself.
    public static func object(_ schema: @autoclosure @escaping @Sendable () -> MappingSchema<Output>) -> Self {
        .nested { context in try context.registered(Output.self) ?? schema() }
    }

    static func nested(_ schema: @escaping @Sendable (MappingContext) throws -> MappingSchema<Output>) -> Self {
        Self(
            archiving: Archiving(
                encode: { value, encoder, context in
                    let own = try schema(context)
                    if Output.self is AnyObject.Type, let graph = context.run.graphWriter {
                        var container = encoder.singleValueContainer()
                        try container.encode(graph.number(of: value, own, context))
                    } else {
                        if let issue = own.subclassIssue(value) { throw issue }
                        try context.nested().inside(own) { try own.archive(value, to: encoder, $0) }
                    }
                },
                decode: { decoder, context in
                    if Output.self is AnyObject.Type, let graph = context.run.graphReader {
                        let number = try decoder.singleValueContainer().decode(Int.self)
                        return try graph.instance(number, schema(context), context)
                    }
                    let own = try schema(context)
                    return try context.nested().inside(own) { try own.unarchive(from: decoder, $0) }
                }),
            decoding: { json, context in
                guard let json else { return nil }
                guard case .object = json else { throw MappingIssue.mismatch("an object", json) }
                let own = try schema(context)
                return try context.nested().inside(own) { try own.decode(json, $0) }
            },
            encoding: { value, context in
                let nested = try context.nested(advice: "use a thread with a larger stack, or leave out references that form a cycle")
                let own = try schema(context)
                return .object(try nested.inside(own) { try own.encodeByClass(value, nil, $0) })
            })
    }
}
