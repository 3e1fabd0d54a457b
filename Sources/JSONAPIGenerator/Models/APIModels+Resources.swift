import JSONText

// The model of one resource type, and the fields that requests can send for it.

extension APIModels {
    mutating func declaration(
        of resource: APIResources.Resource, _ relations: [ByteText: RelationshipSchema], _ values: ValueSchemas
    ) -> TypeDeclaration {
        let name = naming.modelName(of: resource.type)
        let created = FieldSchemas(resource.created.schemas, of: resource.type, reader, isRequest: true)
        let updated = FieldSchemas(resource.updated.schemas, of: resource.type, reader, isRequest: true)
        let isSent = !resource.sent.schemas.isEmpty
        let schemas = isSent ? resource.sent.schemas : resource.created.schemas + resource.updated.schemas
        let fields = FieldSchemas(schemas, of: resource.type, reader)
        var scope = values.scope(in: [name])
        // These names are claimed first, so that all models use the same ones, unless the API has resources with these names.
        if created.areDescribed { newNames[ByteText(resource.type)] = values.take("New", &scope) }
        if updated.areDescribed { updateNames[ByteText(resource.type)] = values.take("Update", &scope) }
        var properties = properties(of: fields, resource, relations, values, &scope)
        if !isSent { properties = properties.map { $0.role == .attribute ? $0.optional : $0 } }
        var model = TypeDeclaration(name: name, kind: .resource(type: resource.type, isDirect: isDirect(fields)))
        model.notes = fields.notes.isEmpty ? [] : [""] + fields.notes
        if schemas.isEmpty { model.notes.append("The description has identifiers of this type only.") }
        if let names = ResourceModels.list(fields.paths) {
            model.notes +=
                (model.notes.isEmpty ? [] : [""]) + SwiftText.documentation("Without \(names): a coding key with a dot is a path.")
            add(note: "\(name) is without \(names), since a coding key with a dot is a path")
        }
        (model.readOnlyFields, model.createOnlyFields) = restrictions(fields, created, updated)
        let readOnly = Set(model.readOnlyFields.map(ByteText.init))
        model.properties = properties.map { $0.markedReadOnly(if: readOnly.contains(ByteText($0.member)) && $0.isField) }
        if let newName = newNames[ByteText(resource.type)] {
            values.add(requestFields(named: newName, created, resource, relations, values, &scope, isUpdate: false), to: &scope)
        }
        if let updateName = updateNames[ByteText(resource.type)] {
            values.add(requestFields(named: updateName, updated, resource, relations, values, &scope, isUpdate: true), to: &scope)
        }
        model.nested = scope.declarations
        return model
    }

    /// Names the unions of the relationships of a resource, in the order in which `declaration` needs them.
    mutating func nameUnions(of resource: APIResources.Resource, _ relations: [ByteText: RelationshipSchema]) {
        for schemas in [resource.sent.schemas, resource.created.schemas, resource.updated.schemas] {
            for field in FieldSchemas(schemas, of: resource.type, reader).relationships {
                _ = relationshipType(relations[ByteText(field.name)] ?? RelationshipSchema(), field.name, of: resource.type)
            }
        }
    }

    private func isDirect(_ fields: FieldSchemas) -> Bool {
        let names = Set(fields.attributes.map { ByteText($0.name) })
        return settings.isDirect && !fields.relationships.contains { names.contains(ByteText($0.name)) }
    }

    /// Returns the fields that clients never write, and those that they can only write when they create a resource.
    ///
    /// The API says so, or it describes the bodies of requests without these fields.
    private func restrictions(
        _ sent: FieldSchemas, _ created: FieldSchemas, _ updated: FieldSchemas
    ) -> (readOnly: [String], createOnly: [String]) {
        var (readOnly, createOnly): ([String], [String]) = ([], [])
        let hasRequests = created.count + updated.count > 0
        for (list, openness) in [(\FieldSchemas.attributes, \FieldSchemas.attributesAreOpen), (\.relationships, \.relationshipsAreOpen)] {
            let names = { (fields: FieldSchemas) in Set(fields[keyPath: list].map { ByteText($0.name) }) }
            let (new, changed) = (names(created), names(updated))
            for field in sent[keyPath: list] where !ResourceModels.isIdentity(field.name) {
                let isWritten = { (fields: FieldSchemas, names: Set<ByteText>) in
                    names.contains(ByteText(field.name)) || fields[keyPath: openness] && !field.isReadOnly
                }
                if isWritten(updated, changed) { continue }
                if isWritten(created, new) {
                    if updated.count > 0 { createOnly.append(field.name) }
                } else if hasRequests || field.isReadOnly {
                    readOnly.append(field.name)
                }
            }
        }
        return (readOnly, createOnly)
    }
}

// MARK: - Properties

extension APIModels {
    private mutating func properties(
        of fields: FieldSchemas, _ resource: APIResources.Resource, _ relations: [ByteText: RelationshipSchema], _ values: ValueSchemas,
        _ scope: inout ValueSchemas.Scope
    ) -> [Property] {
        var names = NameScope(taken: ["id", "type"])
        let members = fields.attributes.map(\.name) + fields.relationships.map(\.name)
        var chosen = names.properties(for: members, reserved: ResourceModels.reserved)[...]
        var properties = [Property(member: "id", name: "id", key: "id", role: .id, type: .string)]
        let isDirect = isDirect(fields)
        for field in fields.attributes {
            let value = values.value(of: field.schema, named: SwiftName.upperCamel(field.name), &scope)
            let mayBeAbsent = !fields.isRequired(field) || value.isWriteOnly || resource.hasSparseFields && !settings.isStrict
            properties.append(
                Property(
                    member: field.name, name: chosen.popFirst() ?? "",
                    key: ResourceModels.needsPlace(field.name) ? "attributes.\(field.name)" : field.name, role: .attribute,
                    type: value.readsNil || mayBeAbsent || value.type.isAlwaysOptional ? value.type.orNil : value.type,
                    notes: value.notes,
                    // A direct initializer reads an attribute that is missing beside a part of that name only with a wrapper.
                    keepsEmpty: value.keepsEmpty || isDirect && ResourceModels.isPart(field.name)))
        }
        let attributes = Set(fields.attributes.map { ByteText($0.name) })
        for field in fields.relationships {
            properties.append(relationship(field, named: chosen.popFirst() ?? "", of: resource, relations, attributes))
        }
        return properties + markers(of: fields, &names, values, &scope)
    }

    private mutating func relationship(
        _ field: FieldSchemas.Field, named name: String, of resource: APIResources.Resource,
        _ relations: [ByteText: RelationshipSchema], _ attributes: Set<ByteText>
    ) -> Property {
        let isClear = !ResourceModels.needsPlace(field.name) && !attributes.contains(ByteText(field.name))
        let relation = relations[ByteText(field.name)] ?? RelationshipSchema()
        let type = relationshipType(relation, field.name, of: resource.type)
        return Property(
            member: field.name, name: name, key: isClear ? field.name : "relationships.\(field.name)", role: .relationship, type: type,
            notes: reader.flat(field.schema).description.map { SwiftText.documentation($0) } ?? [],
            initial: relation.hasCardinality ? ".notLoaded" : nil)
    }

    private mutating func relationshipType(_ relation: RelationshipSchema, _ name: String, of type: String) -> SwiftType {
        guard relation.hasCardinality else { return .optional(.relationshipObject) }
        let ending = relation.isToMany ? SwiftName.singularUpperCamel(name) : SwiftName.upperCamel(name)
        let target = element(of: relation.types, named: naming.modelName(of: type) + ending)
        return relation.isToMany ? .toMany(target) : .toOne(target)
    }

    /// The properties for the links and meta of the resource.
    private func markers(
        of fields: FieldSchemas, _ names: inout NameScope, _ values: ValueSchemas, _ scope: inout ValueSchemas.Scope
    ) -> [Property] {
        var properties: [Property] = []
        if fields.hasLinks {
            let name = names.take("links", "resourceLinks")
            properties.append(Property(member: "links", name: name, key: name, role: .links, type: .links, initial: "ResourceLinks()"))
        }
        if let meta = fields.meta {
            let name = names.take("meta", "resourceMeta")
            var type = values.value(of: meta, named: "Meta", &scope).type
            if case .named = type {} else { type = .jsonObject }
            properties.append(Property(member: "meta", name: name, key: name, role: .meta, type: .optional(.meta(type))))
        }
        return properties
    }
}

// MARK: - Requests

extension APIModels {
    /// Adds the fields that a request to create or update a resource can have.
    private mutating func requestFields(
        named name: String, _ fields: FieldSchemas, _ resource: APIResources.Resource, _ relations: [ByteText: RelationshipSchema],
        _ values: ValueSchemas, _ scope: inout ValueSchemas.Scope, isUpdate: Bool
    ) -> TypeDeclaration {
        var names = NameScope(taken: ["type"])
        let members = fields.attributes.map(\.name) + fields.relationships.map(\.name)
        var chosen = names.properties(for: members, reserved: ResourceModels.reserved)[...]
        var inside = values.scope(in: [naming.modelName(of: resource.type), name], isRequest: true)
        var properties: [Property] = []
        for field in fields.attributes {
            let value = values.value(of: field.schema, named: SwiftName.upperCamel(field.name), &inside)
            let isRequired = !isUpdate && fields.isRequired(field)
            let base = value.type.unwrapped
            let type: SwiftType = value.canBeNil ? .field(base) : isRequired ? base : base.orNil
            properties.append(
                Property(
                    member: field.name, name: chosen.popFirst() ?? "",
                    key: ResourceModels.needsPlace(field.name) ? "attributes.\(field.name)" : field.name, role: .attribute, type: type,
                    notes: value.notes, initial: value.canBeNil && !isRequired ? ".absent" : nil))
        }
        let attributes = Set(fields.attributes.map { ByteText($0.name) })
        for field in fields.relationships {
            var property = relationship(field, named: chosen.popFirst() ?? "", of: resource, relations, attributes)
            if !isUpdate, fields.isRequired(field) { property.initial = nil }
            properties.append(property)
        }
        // Required fields come first.
        let required = properties.filter { $0.initial == nil && !$0.type.isOptional }
        let others = properties.filter { $0.initial != nil || $0.type.isOptional }
        let note =
            isUpdate ? "The fields that an update may have; those that are not given stay as they are." : "The fields of a new resource."
        return TypeDeclaration(
            name: name, kind: .fields(type: resource.type), notes: [note], properties: required + others, nested: inside.declarations)
    }
}

extension Property {
    var isField: Bool { role == .attribute || role == .relationship }

    /// The same property with an optional type.
    var optional: Property {
        Property(
            member: member, name: name, key: key, role: role, type: type.orNil, notes: notes, initial: initial, keepsEmpty: keepsEmpty)
    }

    func markedReadOnly(if isReadOnly: Bool) -> Property {
        guard isReadOnly, !notes.contains("Read-only.") else { return self }
        var property = self
        property.notes += (notes.isEmpty ? [] : [""]) + ["Read-only."]
        return property
    }
}
