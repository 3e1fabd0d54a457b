import JSONText

extension MappingSchema {
    /// Returns the JSON object for a value.
    ///
    /// If `paths` is not nil, only these paths are written, and unknown paths are ignored. The list applies to this object only. Nested
    /// objects use their own `representedPaths`.
    ///
    /// If several fields have the same place, equal values are written once, objects are merged, and a value replaces null. A null is
    /// not written below another null, or below a value that is not an object.
    ///
    /// Throws a `ValidationError` with every value that is missing or cannot be converted, and with `nameConflict` for two different values
    /// at the same place. The first object that is nested too deeply for the stack is the only issue: in a cycle of instances, there is no
    /// end of such objects.
    public func encode(_ root: Root, only paths: [String]? = nil) throws -> JSONObject {
        try rethrowing { try encode(root, paths, MappingContext(schemas: schemas)) }
    }

    /// Does the same for an encoder. Archives and stores get all fields. With `notingAbsent`, also returns the paths of the fields, and of
    /// those in nested objects, whose properties say that there is no member. A codec can still have written one.
    ///
    /// - Parameter names: Those of the id and the relationships of a resource.
    package func encode(
        _ root: Root, for encoder: any Encoder, notingAbsent: Bool, names: [String]
    ) throws -> (object: JSONObject, absent: [[String]]) {
        let userInfo = encoder.userInfo
        let context = MappingContext(
            schemas: schemas, writesAll: SchemaSet.writesAll(in: userInfo), shadow: Shadow(in: userInfo), namesOfResource: names)
        if notingAbsent { context.run.absent = [] }
        let object = try rethrowing { try encode(root, nil, context) }
        return (object, context.run.absent ?? [])
    }

    /// Does the same for a value whose schema was found by its type. An instance of a subclass can have another schema in the set.
    func encodeByClass(_ root: Root, only paths: [String]?) throws -> JSONObject {
        try rethrowing { try encodeByClass(root, paths, MappingContext(schemas: schemas)) }
    }

    private func rethrowing(_ step: () throws -> JSONObject) throws -> JSONObject {
        do { return try step() } catch {
            throw ValidationError(
                ValidationError.issues(of: error, kind: .custom, expected: "a value that can be written", found: "an error"), name: name)
        }
    }

    /// Returns the JSON object for a value, with null for each value that is required and missing, or that cannot be converted.
    ///
    /// A member is absent if the policy of its field leaves out a missing value, or if `transformBack` of the codec throws for it.
    ///
    /// `paths` works as in `encode`. Objects that are nested too deeply for the stack also become null. After 1,000 of them, every nested
    /// object does. If the schema has a codec that throws, the result is an empty object.
    public func represent(_ root: Root, only paths: [String]? = nil) -> JSONObject {
        // Only a codec can still throw here.
        (try? encode(root, paths, MappingContext(schemas: schemas, isRepresenting: true))) ?? JSONObject()
    }

    func encode(_ root: Root, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject {
        if let conflict, !context.isRepresenting { throw conflict }
        if context.run.absent != nil {
            for path in fields.compactMap({ $0.steps.isAbsent(root) ? $0.paths.all.first : nil }) { context.run.noteAbsent(path.segments) }
        }
        guard let codec else { return try encodeByFields(root, paths, context) }
        return try codec.encode(root, by: Mapping(schema: self, context: context, paths: paths))
    }

    func encodeByFields(_ root: Root, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject {
        var issues = IssueCollector()
        let written = (paths ?? representedPaths).map { Set($0.map { ByteText($0) }) }
        var object = WrittenObject()
        for field in fields where written?.contains(field.steps.place) != false {
            try put(field, of: root, into: &object, context, &issues)
        }
        if written != nil { context.run.leavesFieldsOut = true }
        let writesAll = paths == nil && context.run.writesAll
        if writesAll, written != nil { try putHiddenFields(of: root, into: &object, context) }
        object.placeNulls()
        if written == nil || writesAll, let unknown = unknownMembers.write?(root) {
            // Of members with the same name, the last one counts.
            let known = object.members
            for member in unknown where !known.contains(name: member.name) { object.members[member.name] = member.value }
        }
        if !context.isRepresenting { try issues.throwIfAny(name: name) }
        return object.members
    }

    private func put(
        _ field: SchemaField<Root>, of root: Root, into object: inout WrittenObject, _ context: MappingContext,
        _ issues: inout IssueCollector
    ) throws {
        if hooks == nil, let member = field.steps.member, let scalar = field.steps.scalar, let json = scalar.json(from: root) {
            place(json, of: field, [member], &object.members, &issues)
        } else if let path = field.paths.all.first,
            let json = try context.run.writing(at: path.segments, { try field.steps.written(root, hooks, context, &issues) })
        {
            if sharesPlaces, json.isNull, path.segments.count > 1 {
                object.nulls.append(path.segments)
            } else {
                place(json, of: field, path.segments, &object.members, &issues)
            }
        }
    }

    /// Writes the fields that are not represented. They may only be read, or have the place or the property of another field. So what cannot
    /// be written is left out.
    private func putHiddenFields(of root: Root, into object: inout WrittenObject, _ context: MappingContext) throws {
        var ignored = IssueCollector()
        guard let shadow = context.run.shadow else {
            for field in hiddenFields { try put(field, of: root, into: &object, context, &ignored) }
            return
        }
        let shadowed = shadowedFields(context)
        for field in hiddenFields where !shadowed.contains(where: { $0.steps === field.steps }) {
            try put(field, of: root, into: &object, context, &ignored)
        }
        var hidden = WrittenObject()
        for field in shadowed { try put(field, of: root, into: &hidden, context, &ignored) }
        hidden.placeNulls()
        if !hidden.members.isEmpty { object.members.append(name: shadow.name, value: .object(hidden.members)) }
    }

    private func place(
        _ json: JSON, of field: SchemaField<Root>, _ segments: [String], _ object: inout JSONObject, _ issues: inout IssueCollector
    ) {
        if !sharesPlaces, segments.count == 1, let member = segments.first { return object.append(name: member, value: json) }
        if object.place(json, at: segments) { return }
        issues.add(misplaced(json, of: field, segments), at: JSONPointer(tokens: segments), property: [field.name])
    }

    /// Returns the issue of a value that cannot be placed.
    private func misplaced(_ json: JSON, of field: SchemaField<Root>, _ segments: [String]) -> MappingIssue {
        if segments.isEmpty, json.object == nil { return .mismatch("an object, because the path is the whole value", json) }
        let other = segments.isEmpty ? nil : fields.first { $0.steps !== field.steps && $0.overlaps(segments) }
        return MappingIssue(
            .nameConflict, expected: "one value at this place",
            found: other.map { "another value from the field `\($0.name)`" } ?? "two values",
            advice: other == nil ? nil : "give both properties the same value, or write one of them at another path")
    }
}

/// An object that is being written.
private struct WrittenObject {
    var members = JSONObject()
    /// The paths of nulls that may be below values of other fields.
    var nulls: [[String]] = []

    /// Places the nulls at which there are no other values.
    mutating func placeNulls() {
        if nulls.isEmpty { return }
        for path in nulls.sorted(by: { $0.count < $1.count }) { members.placeNull(at: path) }
    }
}

// MARK: - Subclasses

/// A schema of a class that is known only at run time.
protocol ClassSchema {
    /// Returns the JSON object for an instance, or nil if it does not belong to the class of the schema.
    func encode(instance: Any, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject?
}

extension MappingSchema: ClassSchema {
    func encode(instance: Any, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject? {
        guard let root = instance as? Root else { return nil }
        return try context.inside(self) { try encode(root, paths, $0) }
    }

    /// Returns the JSON object for a value. An instance of a subclass is written by the schema that is registered for its class, unless this
    /// schema decides about subclasses itself: with a `make` closure or a codec, it must be able to read what it writes.
    func encodeByClass(_ root: Root, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject {
        if codec == nil, prototype != nil, type(of: root) != Root.self {
            if let object = try context.registered(class: type(of: root))?.encode(instance: root, paths, context) { return object }
            if var issue = subclassIssue(root) {
                issue.advice = "register a schema for the subclass in a `SchemaSet`, or \(issue.advice ?? "")"
                throw issue
            }
        }
        return try encode(root, paths, context)
    }

    /// Returns the issue of an instance of a subclass that the schema does not create, because the properties of the subclass would be
    /// lost. Nil for other values, and for a schema with a `make` closure or a codec.
    func subclassIssue(_ value: Root) -> MappingIssue? {
        let found: any Any.Type = type(of: value)
        guard found != Root.self, codec == nil, let prototype, found != type(of: prototype()) else { return nil }
        return MappingIssue(
            .typeMismatch, expected: "an instance of \(Root.self), which its schema creates",
            found: "an instance of its subclass \(found)",
            advice: "declare the property with the subclass, or use a schema with a codec or with `make:` that creates both classes")
    }
}

// MARK: - Single properties

extension MappingSchema {
    /// Whether the schema has a use for members that no field names.
    package var readsUnknownMembers: Bool { unknownMembers.read != nil }

    /// The fields that are written by default.
    package var representedFields: [SchemaField<Root>] {
        guard let paths = representedPaths.map({ Set($0.map { ByteText($0) }) }) else { return fields }
        return fields.filter { paths.contains($0.steps.place) }
    }

    /// The names of the members to which fields are written, each with those of all members from which its property is read.
    package var alternativeNames: [(name: String, others: [String])] {
        let byProperty = Dictionary(grouping: fields) { $0.steps.path }
        return fields.compactMap { field in
            guard let name = field.paths.all.first?.segments.first else { return nil }
            let same = field.steps.path == nil ? [field] : byProperty[field.steps.path] ?? [field]
            let others = same.flatMap(\.paths.all).compactMap(\.segments.first).filter { !UTF8Bytes.areEqual($0, name) }
            return others.isEmpty ? nil : (name, others)
        }
    }

    /// The names of the members of which the schema only reads something.
    package var hiddenNames: [String] {
        let represented = Set(representedFields.compactMap(\.paths.all.first?.segments.first).map { ByteText($0) })
        return fields.compactMap(\.paths.all.first?.segments.first).filter { !represented.contains(ByteText($0)) }
    }

    /// Returns the field of a property; nil when no field has its key path.
    package func field(of property: PartialKeyPath<Root>) -> SchemaField<Root>? { fields.first { $0.steps.path == property } }

    /// Returns the JSON for a value of a field's property; null for one that is left out when it is nil, and nil for `.absent`. Throws a
    /// `ValidationError` for a value that is missing or cannot be converted.
    package func json(of value: Any, for field: SchemaField<Root>) throws -> JSON? {
        do {
            return try field.steps.propertyJSON(value, hooks, MappingContext(schemas: schemas))
        } catch {
            let pointer = field.paths.all.first?.pointer ?? .root
            let issues = ValidationError.issues(
                of: error, kind: .conversionFailed, expected: "a value that can be written", found: "an error")
            throw ValidationError(issues.map { $0.moved(below: pointer, property: [field.name]) }, name: name)
        }
    }
}

extension SchemaField {
    /// Returns whether the field is written at a place, above it or below it.
    fileprivate func overlaps(_ segments: [String]) -> Bool {
        guard let path = paths.all.first else { return false }
        return zip(path.segments, segments).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }
}

// MARK: - Archives

extension MappingSchema {
    /// Writes a value to an archive under the names of its properties. Values are not converted to their external form: `Codable` values
    /// encode themselves, and nested objects use their own schema.
    ///
    /// ```swift
    /// func encode(to encoder: any Encoder) throws { try Self.schema.archive(self, to: encoder, version: 2) }
    /// ```
    ///
    /// Throws the errors of the encoder, and `nameConflict` for a schema with conflicting fields. Names that are equal in Swift, such as
    /// composed and decomposed é, conflict in an archive. So do the names `@version`, `@unknown`, and `@subclass`, which the archive itself
    /// uses.
    /// Recurses as the encoder does.
    public func archive(_ root: Root, to encoder: any Encoder, version: Int? = nil) throws {
        try archive(root, to: encoder, MappingContext(schemas: schemas), version: version)
    }

    /// Returns the value from an archive. Properties that the archive does not contain keep the value from the initializer. So do those
    /// that were `Presence.absent`, which is not archived: let them start as `.absent`. Throws the errors of the decoder and of `finish`, and
    /// a `MappingIssue` for a schema with conflicting fields, or with a constant that cannot be set. Also throws one if an instance of a
    /// subclass was archived, and a `make` closure creates an instance of `Root` itself, which would lose the subclass. The archive does not
    /// contain the name of the class, so another subclass is not noticed.
    public func unarchive(from decoder: any Decoder) throws -> Root {
        try unarchive(from: decoder, MappingContext(schemas: schemas))
    }

    /// Returns the version that was archived with a value, or nil if there is none. Throws the errors of the decoder.
    public func archivedVersion(in decoder: any Decoder) throws -> Int? {
        try decoder.container(keyedBy: NameKey.self).decodeIfPresent(Int.self, forKey: Self.versionKey)
    }

    /// The key of the version. No field can have this name.
    private static var versionKey: NameKey { NameKey("@version") }

    /// The key of the unknown members that a value keeps. No field can have this name.
    private static var unknownKey: NameKey { NameKey("@unknown") }

    /// The key of a flag for instances of subclasses. No field can have this name.
    private static var subclassKey: NameKey { NameKey("@subclass") }

    /// Returns whether a value is an instance of a subclass that a `make` closure has to create.
    private func isSubclassInstance(_ root: Root) -> Bool {
        prototype == nil && codec == nil && Root.self is AnyObject.Type && type(of: root) != Root.self
    }

    func archive(_ root: Root, to encoder: any Encoder, _ context: MappingContext, version: Int? = nil) throws {
        if let conflict { throw conflict }
        guard let codec else { return try archiveByFields(root, to: encoder, context, version: version) }
        try codec.archive(root, to: encoder, by: Mapping(schema: self, context: context, version: version))
    }

    func unarchive(from decoder: any Decoder, _ context: MappingContext) throws -> Root {
        if let issue = conflict ?? constantIssue { throw issue }
        return try context.undoingFailure {
            guard let codec else { return try unarchiveByFields(from: decoder, context) }
            return try codec.unarchive(from: decoder, by: Mapping(schema: self, context: context))
        }
    }

    func archiveByFields(_ root: Root, to encoder: any Encoder, _ context: MappingContext, version: Int?) throws {
        var names: Set<String> = [Self.versionKey.stringValue, Self.unknownKey.stringValue, Self.subclassKey.stringValue]
        // Coders compare keys as Swift compares texts. One of two equal ones would be lost.
        if let field = fields.first(where: { !names.insert($0.name).inserted }) {
            throw MappingIssue(
                .nameConflict, expected: "names of fields that are different in Swift, and not `@version`, `@unknown`, or `@subclass`",
                found: "a second `\(field.name)`",
                advice: "rename one field")
        }
        var container = encoder.container(keyedBy: NameKey.self)
        try container.encodeIfPresent(version, forKey: Self.versionKey)
        if isSubclassInstance(root) { try container.encode(true, forKey: Self.subclassKey) }
        for field in fields { try field.steps.archive(root, &container, context) }
        if let members = unknownMembers.write?(root), !members.isEmpty {
            try container.encode(JSON.object(members), forKey: Self.unknownKey)
        }
    }

    func unarchiveByFields(from decoder: any Decoder, _ context: MappingContext) throws -> Root {
        let members = try ArchivedMembers(of: self, in: decoder)
        let values = try fields.map { try $0.steps.unarchive(members, context) }
        var root = try create(SchemaValues(json: JSONObject(), positions: fieldPositions, values: values))
        if prototype == nil, codec == nil, members.container.contains(Self.subclassKey), !isSubclassInstance(root) {
            throw MappingIssue(
                .initializationFailed, expected: "an instance of a subclass of \(Root.self), as it was archived",
                found: "an instance of \(Root.self)",
                advice: "choose the class in `make:` by the value of a field, because `values.json` is empty for an archive")
        }
        try assign(values, to: &root, context, isNew: prototype != nil)
        try assignUnknownMembers(of: members.container, to: &root)
        try finish(&root, nil)
        return root
    }

    /// Restores the unknown members that a value has kept.
    func assignUnknownMembers(of container: KeyedDecodingContainer<NameKey>, to root: inout Root) throws {
        guard unknownMembers.write != nil, let members = try container.decodeIfPresent(JSON.self, forKey: Self.unknownKey)?.object else {
            return
        }
        try unknownMembers.read?(&root, members)
    }
}
