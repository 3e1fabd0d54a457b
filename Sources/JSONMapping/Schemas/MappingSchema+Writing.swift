import JSONText

extension MappingSchema {
    /// The object that stands for a value.
    ///
    /// `paths`: those that are written, when not all are; unknown ones do not matter. It limits this object; nested ones keep to their own
    /// `representedPaths`. Where fields meet at one place, equal values are one, objects are joined and null gives way. Throws
    /// `ValidationError` with every value that is missing or cannot be converted, and `nameConflict` for two values at one place.
    public func encode(_ root: Root, only paths: [String]? = nil) throws -> JSONObject {
        do {
            return try encode(root, paths, MappingContext(schemas: schemas))
        } catch {
            throw ValidationError(
                ValidationError.issues(of: error, kind: .custom, expected: "a value that can be written", found: "an error"), name: name)
        }
    }

    /// The object that stands for a value, with null for everything that is missing or cannot be converted.
    ///
    /// `paths`: as in `encode`. Deeper nesting than the stack carries is null, too.
    public func represent(_ root: Root, only paths: [String]? = nil) -> JSONObject {
        // Every failure has become null inside.
        (try? encode(root, paths, MappingContext(schemas: schemas, isRepresenting: true))) ?? JSONObject()
    }

    func encode(_ root: Root, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject {
        if let conflict, !context.isRepresenting { throw conflict }
        guard let codec else { return try encodeByFields(root, paths, context) }
        return try codec.encode(root, by: Mapping(schema: self, context: context, paths: paths))
    }

    func encodeByFields(_ root: Root, _ paths: [String]?, _ context: MappingContext) throws -> JSONObject {
        var issues = IssueCollector()
        var object = JSONObject()
        let written = (paths ?? representedPaths).map { Set($0.map { ByteText($0) }) }
        for field in fields {
            if let written, !written.contains(field.steps.place) { continue }
            if hooks == nil, let member = field.steps.member, let scalar = field.steps.scalar, let json = scalar.json(from: root) {
                place(json, of: field, [member], &object, &issues)
            } else if let path = field.paths.all.first, let json = field.steps.written(root, hooks, context, &issues) {
                place(json, of: field, path.segments, &object, &issues)
            }
        }
        if written == nil, let unknown = unknownMembers.write?(root) {
            for member in unknown where !object.contains(name: member.name) { object.append(name: member.name, value: member.value) }
        }
        if !context.isRepresenting { try issues.throwIfAny(name: name) }
        return object
    }

    private func place(
        _ json: JSON, of field: SchemaField<Root>, _ segments: [String], _ object: inout JSONObject, _ issues: inout IssueCollector
    ) {
        if !sharesPlaces, segments.count == 1, let member = segments.first { return object.append(name: member, value: json) }
        if object.place(json, at: segments) { return }
        let other = segments.isEmpty ? nil : fields.first { $0.steps !== field.steps && $0.overlaps(segments) }
        issues.add(
            MappingIssue(
                .nameConflict, expected: "one value for the place", found: other.map { "another one from the field `\($0.name)`" } ?? "two",
                advice: other == nil ? nil : "let both properties agree, or write one of them elsewhere"),
            at: JSONPointer(tokens: segments), property: [field.name])
    }
}

extension SchemaField {
    /// Whether it is written at that place, above it or below it.
    fileprivate func overlaps(_ segments: [String]) -> Bool {
        guard let path = paths.all.first else { return false }
        return zip(path.segments, segments).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }
}

// MARK: - Archives

extension MappingSchema {
    /// Writes a value under the names of its properties, without any conversion for the outside: `Codable` values as such, nested
    /// objects by their own schema.
    ///
    /// ```swift
    /// func encode(to encoder: any Encoder) throws { try Self.schema.archive(self, to: encoder, version: 2) }
    /// ```
    ///
    /// Throws what the encoder throws, and `nameConflict` for a schema that cannot be used. Recurses as the encoder does.
    public func archive(_ root: Root, to encoder: any Encoder, version: Int? = nil) throws {
        try archive(root, to: encoder, MappingContext(schemas: schemas), version: version)
    }

    /// The value that was archived. Properties that the archive lacks keep what the initialiser gave.
    public func unarchive(from decoder: any Decoder) throws -> Root {
        try unarchive(from: decoder, MappingContext(schemas: schemas))
    }

    /// The version that was archived with a value, nil without one.
    public func archivedVersion(in decoder: any Decoder) throws -> Int? {
        try decoder.container(keyedBy: NameKey.self).decodeIfPresent(Int.self, forKey: Self.versionKey)
    }

    /// No property has such a name.
    private static var versionKey: NameKey { NameKey("@version") }

    func archive(_ root: Root, to encoder: any Encoder, _ context: MappingContext, version: Int? = nil) throws {
        if let conflict { throw conflict }
        guard let codec else { return try archiveByFields(root, to: encoder, context, version: version) }
        try codec.archive(root, to: encoder, by: Mapping(schema: self, context: context, version: version))
    }

    func unarchive(from decoder: any Decoder, _ context: MappingContext) throws -> Root {
        if let conflict { throw conflict }
        return try context.undoingFailure {
            guard let codec else { return try unarchiveByFields(from: decoder, context) }
            return try codec.unarchive(from: decoder, by: Mapping(schema: self, context: context))
        }
    }

    func archiveByFields(_ root: Root, to encoder: any Encoder, _ context: MappingContext, version: Int?) throws {
        var container = encoder.container(keyedBy: NameKey.self)
        try container.encodeIfPresent(version, forKey: Self.versionKey)
        for field in fields { try field.steps.archive(root, &container, context) }
    }

    func unarchiveByFields(from decoder: any Decoder, _ context: MappingContext) throws -> Root {
        let container = try decoder.container(keyedBy: NameKey.self)
        let values = try fields.map { try $0.steps.unarchive(container, context) }
        var root = try create(SchemaValues(json: JSONObject(), positions: fieldPositions, values: values))
        try assign(values, to: &root, context)
        try finish(&root, nil)
        return root
    }
}
