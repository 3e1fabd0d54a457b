import JSONText

/// A schema of resource objects or identifiers of one type.
struct ResourceSchema {
    let type: String
    let schema: JSON
    /// Whether the type is a guess, because the schema only has it as an example.
    var isGuess = false
}

/// What the schema of a relationship says.
struct RelationshipSchema {
    var isToMany = false
    /// Whether the schema says if the relationship is to-one or to-many.
    var hasCardinality = false
    /// Whether the schema describes linkage.
    var hasData = false
    /// The types of the related resources.
    var types: [String] = []
}

extension RelationshipSchema {
    /// Combines what several schemas of one relationship say. A schema without linkage, as of a response that only has links, says nothing.
    init(merging relations: [RelationshipSchema]) {
        let relations = relations.filter(\.hasData)
        guard let first = relations.first else { return }
        self = first
        for other in relations.dropFirst() {
            hasCardinality = hasCardinality && other.hasCardinality && isToMany == other.isToMany
            let known = Set(types.map(ByteText.init))
            types += other.types.filter { !known.contains(ByteText($0)) }
        }
    }
}

extension SchemaReader {
    /// The maximum number of schemas that are followed from one place to find resources.
    private static let maximumAlternatives = 10_000

    /// Returns the resource objects or identifiers that match a schema, one for each type and schema of it; empty for a schema of something
    /// else.
    func resources(in schema: JSON) -> [ResourceSchema] {
        var found: [ResourceSchema] = []
        var known: [ByteText: Set<JSON>] = [:]
        var references: Set<String> = []
        var rest = [schema]
        var count = 0
        while let next = rest.popLast(), count < SchemaReader.maximumAlternatives {
            count += 1
            let resolved = resolve(next)
            if let reference = resolved.reference, !references.insert(reference).inserted { continue }
            let flat = flat(resolved.schema)
            if !flat.alternatives.isEmpty, flat.property("type") == nil {
                rest += flat.alternatives.reversed()
                continue
            }
            for resource in own(resolved, flat) where known[ByteText(resource.type), default: []].insert(resource.schema).inserted {
                found.append(resource)
            }
            // A mapping need not name all alternatives.
            let mapped = Set(SchemaReader.mapping(of: flat.discriminator).map(\.reference))
            if !mapped.isEmpty { rest += flat.alternatives.reversed().filter { !mapped.contains(resolve($0).reference ?? "") } }
        }
        return found
    }

    private func own(_ resolved: Resolved, _ flat: FlatSchema) -> [ResourceSchema] {
        let mapping = SchemaReader.mapping(of: flat.discriminator)
        var resources = mapping.compactMap { type, reference -> ResourceSchema? in
            guard reference != resolved.reference, let target = document.target(of: reference), target["x-abstract"]?.bool != true else {
                return nil
            }
            return isAbstract(target) ? nil : ResourceSchema(type: type, schema: ["$ref": .string(reference)])
        }
        guard mapping.isEmpty || !flat.isAbstract && !mappedTypes(of: resolved.reference).isEmpty else { return resources }
        let schema: JSON = resolved.reference.map { ["$ref": .string($0)] } ?? resolved.schema
        let (types, isGuess) = typeNames(schema, flat, resolved.reference)
        resources += types.map { ResourceSchema(type: $0, schema: schema, isGuess: isGuess) }
        return resources
    }

    private func isAbstract(_ schema: JSON) -> Bool {
        (schema["allOf"]?.array ?? []).contains { $0["x-abstract"]?.bool == true }
    }

    /// Returns the types that objects of a schema can have.
    private func typeNames(_ schema: JSON, _ flat: FlatSchema, _ reference: String?) -> (types: [String], isGuess: Bool) {
        guard let property = flat.property("type") else { return ([], false) }
        let describes = { (flat: FlatSchema, names: [String]) in names.contains { flat.property($0) != nil } }
        let fields = ["attributes", "relationships"]
        let isIdentified = describes(flat, ["id", "lid"] + fields) || parts(of: schema).contains { describes($0, ["id", "lid"] + fields) }
        guard isIdentified else { return ([], false) }
        let type = self.flat(property.schema)
        let values = (type.values ?? []).compactMap(\.string)
        if values.count == 1 { return (values, false) }
        let mapped = mappedTypes(of: reference)
        if !mapped.isEmpty { return (mapped, false) }
        if !values.isEmpty { return (values, false) }
        guard let hint = type.hint, !hint.isEmpty, parts(of: schema).contains(where: { describes($0, fields) }) else { return ([], false) }
        return ([hint], true)
    }

    /// Returns a schema of resources of a type, and its alternatives, without those that are of other types.
    func parts(of schema: JSON, type: String) -> [FlatSchema] {
        parts(of: schema) { alternative, flat in
            let types = typeNames(alternative, flat, resolve(alternative).reference).types
            return types.isEmpty || types.contains { ByteText($0) == ByteText(type) }
        }
    }

    /// Whether resources are identifiers: they have only `type`, `id`, `lid`, and `meta`.
    func isIdentifier(_ resource: ResourceSchema) -> Bool {
        let parts = parts(of: resource.schema, type: resource.type)
        return parts.contains { !$0.properties.isEmpty }
            && parts.allSatisfy { part in part.properties.allSatisfy { ["type", "id", "lid", "meta"].contains($0.name) } }
    }

    /// Returns what the schema of a relationship object says.
    func relationship(_ schema: JSON) -> RelationshipSchema {
        var relationship = RelationshipSchema()
        guard let data = flat(schema).property("data") else { return relationship }
        relationship.hasData = true
        let flat = flat(data.schema)
        let parts = flat.alternatives.isEmpty ? [data.schema] : flat.alternatives
        let arrays = parts.filter { self.flat($0).isArray }
        guard arrays.isEmpty || arrays.count == parts.count else { return relationship }
        // A schema that says nothing allows linkage of any form.
        guard !arrays.isEmpty || parts.allSatisfy({ self.flat($0).isObject || !self.flat($0).alternatives.isEmpty }) else {
            return relationship
        }
        relationship.isToMany = !arrays.isEmpty
        relationship.hasCardinality = true
        var known: Set<ByteText> = []
        for part in parts {
            let target = relationship.isToMany ? self.flat(part).items : part
            let found = target.map { resources(in: $0) } ?? []
            for resource in found where known.insert(ByteText(resource.type)).inserted { relationship.types.append(resource.type) }
        }
        return relationship
    }
}
