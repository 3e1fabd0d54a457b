import JSONMapping
import JSONText

/// The members of a resource that its schema reads and writes.
struct SchemaMembers {
    /// The model.
    let model: ObjectIdentifier
    /// The names of the attributes and relationships that fields read, and of all declared relationships.
    let names: [String]
    /// The declared relationships.
    let relationships: [String]
    /// The paths into the attributes of which only parts are written, each beginning with the name of the attribute.
    let parts: [[String]]
    /// Whether the value also keeps members that no field names.
    let isOpen: Bool

    init<Model: SchemaResource>(_ model: Model.Type, _ schema: MappingSchema<Model>, writesAll: Bool = false) {
        self.model = ObjectIdentifier(model)
        relationships = Array(Model.relationshipNames)
        isOpen = schema.readsUnknownMembers
        let declared = relationships
        func isDeclared(_ name: String) -> Bool { declared.contains { UTF8Bytes.areEqual($0, name) } }
        names = schema.memberNames.map(\.name).filter { !UTF8Bytes.areEqual($0, "id") && !isDeclared($0) } + declared
        let written = writesAll ? schema.fields : schema.representedFields
        let wholes = written.compactMap(\.paths.all.first?.segments).filter { $0.count < 2 }
        func isPart(_ path: [String]) -> Bool {
            guard path.count > 1, !isDeclared(path[0]) else { return false }
            return !wholes.contains { whole in whole.first.map { UTF8Bytes.areEqual($0, path[0]) } ?? true }
        }
        parts = written.flatMap(\.paths.all).map(\.segments).filter(isPart)
    }

    /// Returns the members of a `SchemaResource`, by its schema in `schemas` or else by its own; nil for any other type.
    static func of(_ type: Any.Type, _ schemas: SchemaSet?) -> SchemaMembers? {
        func members<Model: SchemaResource>(_ model: Model.Type) -> SchemaMembers { SchemaMembers(model, model.activeSchema(in: schemas)) }
        return (type as? any SchemaResource.Type).map { members($0) }
    }

    func isRelationship(_ name: String) -> Bool { relationships.contains { UTF8Bytes.areEqual($0, name) } }
}

/// A property of a model with a schema.
struct SchemaProperty {
    /// The path at which the property is written, from the flat object of the resource.
    let path: [String]
    let members: SchemaMembers
    /// Returns the JSON for a value of the property; nil for an absent one.
    let json: (Any) throws -> JSON?

    /// Nil when the schema has no field with the key path.
    init?<Model, Described: SchemaResource>(_ property: PartialKeyPath<Model>, in model: Described.Type, _ schemas: SchemaSet?) {
        let schema = model.activeSchema(in: schemas)
        // Both are the same type.
        guard let property = (property as AnyKeyPath) as? PartialKeyPath<Described>, let field = schema.field(of: property),
            let path = field.paths.all.first?.segments
        else { return nil }
        self.path = path
        members = SchemaMembers(model, schema)
        json = { try schema.json(of: $0, for: field) }
    }

    /// The key of the property: that of the whole relationship for a part of one, because a request contains only linkage.
    var key: OutlineKey {
        guard let name = path.first else { return OutlineKey(Key.exact(["attributes"])) }
        if path.count == 1, UTF8Bytes.areEqual(name, "id") { return OutlineKey(Key.id) }
        return OutlineKey(Key.exact(members.isRelationship(name) ? ["relationships", name] : ["attributes"] + path))
    }
}
