import JSONText

/// The attributes and relationships of one resource type, from all of its schemas.
struct FieldSchemas {
    struct Field {
        let name: String
        /// The different schemas of the field.
        var schemas: [JSON] { distinct.schemas }
        fileprivate var distinct = DistinctSchemas()
        fileprivate(set) var requirements = 0
        /// Whether every schema says that only the server writes the field.
        fileprivate(set) var isReadOnly = true

        /// One schema that combines all of them.
        var schema: JSON { FieldSchemas.combined(schemas) }
    }

    private(set) var attributes: [Field] = []
    private(set) var relationships: [Field] = []
    private var positions: [ByteText: Int] = [:]
    private var relationshipPositions: [ByteText: Int] = [:]
    private(set) var count = 0
    /// Whether a schema allows other fields than those that it describes. A resource that describes no such fields allows none, unless it
    /// allows other members.
    private(set) var attributesAreOpen = false
    private(set) var relationshipsAreOpen = false
    private(set) var hasLinks = false
    private var metas = DistinctSchemas()
    private(set) var notes: [String] = []
    private(set) var allowsID = false
    /// The names of the fields that are left out, because a coding key could only be a path.
    private(set) var paths: [String] = []
    private var knownPaths: Set<String> = []

    /// In a request, a field is required if the object that contains it requires it, and there are no read-only fields.
    private let isRequest: Bool

    init(_ schemas: [JSON], of type: String, _ reader: SchemaReader, isRequest: Bool = false) {
        self.isRequest = isRequest
        for schema in schemas {
            count += 1
            for (position, part) in reader.parts(of: schema, type: type).enumerated() { add(part, isAlternative: position > 0, reader) }
        }
    }

    private mutating func add(_ resource: FlatSchema, isAlternative: Bool, _ reader: SchemaReader) {
        hasLinks = hasLinks || resource.property("links") != nil
        if let meta = resource.property("meta") { metas.append(meta.schema) }
        allowsID = allowsID || resource.property("id") != nil
        if notes.isEmpty, let description = resource.description { notes = SwiftText.documentation(description) }
        for (name, list, places, openness) in [
            ("attributes", \FieldSchemas.attributes, \FieldSchemas.positions, \FieldSchemas.attributesAreOpen),
            ("relationships", \.relationships, \.relationshipPositions, \.relationshipsAreOpen),
        ] {
            guard let property = resource.property(name) else {
                if resource.isOpen { self[keyPath: openness] = true }
                continue
            }
            let parts = reader.parts(of: property.schema)
            if parts.contains(where: \.isOpen) { self[keyPath: openness] = true }
            let isRequired = (isRequest || resource.requires(name)) && parts.count == 1 && !isAlternative
            for part in parts {
                for field in part.properties where FieldSchemas.isField(field.name) {
                    if ResourceModels.isPath(field.name) {
                        if knownPaths.insert(field.name).inserted { paths.append(field.name) }
                        continue
                    }
                    let isReadOnly = reader.flat(field.schema).isReadOnly
                    guard !isRequest || !isReadOnly else { continue }
                    add(field, isRequired: isRequired && part.requires(field.name), isReadOnly: isReadOnly, to: list, places)
                }
            }
        }
    }

    private mutating func add(
        _ property: FlatSchema.Property, isRequired: Bool, isReadOnly: Bool, to list: WritableKeyPath<FieldSchemas, [Field]>,
        _ places: WritableKeyPath<FieldSchemas, [ByteText: Int]>
    ) {
        let key = ByteText(property.name)
        let place = self[keyPath: places][key] ?? self[keyPath: list].count
        if place == self[keyPath: list].count {
            self[keyPath: places][key] = place
            self[keyPath: list].append(Field(name: property.name))
        }
        self[keyPath: list][place].distinct.append(property.schema)
        if isRequired { self[keyPath: list][place].requirements += 1 }
        if !isReadOnly { self[keyPath: list][place].isReadOnly = false }
    }

    /// One schema that combines those of the meta; nil if there are none.
    var meta: JSON? {
        if metas.schemas.isEmpty { return .none }
        return FieldSchemas.combined(metas.schemas)
    }

    private static func combined(_ schemas: [JSON]) -> JSON {
        schemas.count == 1 ? schemas[0] : [FlatSchema.variants: .array(JSONArray(schemas))]
    }

    /// Whether there are schemas, and they describe fields, or none are allowed.
    var areDescribed: Bool {
        let areOpen = attributesAreOpen || relationshipsAreOpen
        return count > 0 && !(areOpen && attributes.isEmpty && relationships.isEmpty)
    }

    /// Whether every schema requires the field.
    func isRequired(_ field: Field) -> Bool { field.requirements == count && count > 0 }

    /// Names with a colon belong to extensions, and readers ignore @-members.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names>
    private static func isField(_ name: String) -> Bool {
        name.utf8.first != UInt8(ascii: "@") && !name.utf8.contains(UInt8(ascii: ":"))
    }
}
