import JSONText

/// Converts the resources of samples to Swift types.
package struct ResourceModels {
    private let resources: [ResourceShape]
    private let isDirect: Bool
    private let rules: SampleRules
    private var guesses: [String] = []
    private let embeds: Bool
    private var naming: ModelNaming

    package init(_ survey: SampleSurvey, prefix: String, embeds: Bool, isDirect: Bool, rules: SampleRules) {
        self.rules = rules
        resources = survey.resources
        self.isDirect = isDirect
        self.embeds = embeds
        naming = ModelNaming(prefix: prefix)
        naming.nameModels(resources.map(\.type))
    }

    /// Returns the models in the order of the types in the samples, followed by the unions.
    package mutating func models(of samples: [SampleSurvey.Sample]) -> SwiftModels {
        let targets = resources.indices.map { resource in
            resources[resource].relationships.indices.map { property(for: $0, of: resource) }
        }
        var models = SwiftModels()
        models.samples = samples.map { sample in
            SwiftModels.Sample(file: sample.file, data: data(of: sample.data), isRequest: sample.needsRequestSource)
        }
        let outer = naming.typeNames.taken
        models.types = resources.indices.map { declaration(of: $0, targets[$0], outer: outer) } + naming.unions
        models.guesses = guesses
        return models
    }
}

// MARK: - Relationships

extension ResourceModels {
    private mutating func property(for relationship: Int, of resource: Int) -> (type: SwiftType, notes: [String]) {
        let shape = resources[resource].relationships[relationship]
        let isAlwaysThere = rules.isStrict && shape.count == resources[resource].count
        guard shape.hasCardinality else {
            let note =
                shape.isToOne || shape.isMalformed || shape.isToMany
                ? "The linkage in the samples is of several kinds."
                : "No sample has linkage: ToOne or ToMany of a model, once it is known which."
            return (isAlwaysThere ? .relationshipObject : .optional(.relationshipObject), [note])
        }
        guard !shape.targets.isEmpty else {
            let note = "Empty in every sample: ToOne or ToMany of a model, once it is known which."
            return (shape.isToMany ? .toMany("ResourceObject") : .toOne("ResourceObject"), [note])
        }
        let target = target(of: shape, resource)
        if embeds, shape.isIncludedSomewhere { return (shape.isToMany ? .embeddedMany(target) : .embeddedOne(target), []) }
        return (shape.isToMany ? .toMany(target) : .toOne(target), [])
    }

    private mutating func target(of relationship: RelationshipShape, _ resource: Int) -> String {
        if relationship.targets.count == 1, let type = relationship.targets.first { return naming.modelName(of: type) }
        let ending = relationship.isToMany ? SwiftName.singularUpperCamel(relationship.name) : SwiftName.upperCamel(relationship.name)
        return naming.union(of: relationship.targets, named: naming.modelName(of: resources[resource].type) + ending)
    }
}

// MARK: - Resources

extension ResourceModels {
    private mutating func declaration(of resource: Int, _ relationships: [(type: SwiftType, notes: [String])], outer: Set<String>)
        -> TypeDeclaration
    {
        let shape = resources[resource]
        let name = naming.modelName(of: shape.type)
        var types = ValueTypes(isPlain: false, rules: rules)
        var scope = ValueTypes.Scope(in: [name], outer: outer)
        let properties = properties(of: shape, relationships, &types, &scope)
        guesses += types.guesses
        let attributeNames = Set(shape.attributes.members.map { ByteText($0.name) })
        let hasClash = shape.relationships.contains { attributeNames.contains(ByteText($0.name)) }
        let canBeDirect = !shape.lacksID && !shape.hasLID && !hasClash
        var notes: [String] = []
        if shape.count == 0 { notes.append("The samples hold identifiers of this type only.") }
        if let names = ResourceModels.list(shape.attributes.members.map(\.name) + shape.relationships.map(\.name)) {
            notes += SwiftText.documentation("Without \(names): a coding key with a dot is a path.")
            guesses.append("\(name): without \(names), since a coding key with a dot is a path")
        }
        if isDirect, !canBeDirect {
            notes.append("Without a direct initializer: in some samples it has no id, a local one, or a field that is of two kinds.")
        }
        return TypeDeclaration(
            name: name, kind: .resource(type: shape.type, isDirect: isDirect && canBeDirect), notes: notes, properties: properties,
            nested: scope.declarations)
    }

    private func properties(
        of shape: ResourceShape, _ relationships: [(type: SwiftType, notes: [String])], _ types: inout ValueTypes,
        _ scope: inout ValueTypes.Scope
    ) -> [Property] {
        let attributes = shape.attributes.members.filter { !ResourceModels.isPath($0.name) }
        let relationships = zip(shape.relationships, relationships).filter { !ResourceModels.isPath($0.0.name) }
        var names = NameScope(taken: ["id", "type"])
        var chosen = names.properties(for: attributes.map(\.name) + relationships.map(\.0.name), reserved: ResourceModels.reserved)[...]
        var properties = [Property(member: "id", name: "id", key: "id", role: .id, type: shape.lacksID ? .optional(.string) : .string)]
        if shape.hasLID {
            let name = names.take("localID", "resourceLocalID")
            properties.append(Property(member: "lid", name: name, key: name, role: .localID, type: .optional(.localID)))
        }
        var keys: Set<ByteText> = []
        let isUniform = shape.attributes.isUniform
        for member in attributes {
            keys.insert(ByteText(member.name))
            let key = ResourceModels.needsPlace(member.name) ? "attributes.\(member.name)" : member.name
            properties.append(
                types.property(member, of: shape.attributes, isUniform: isUniform, named: chosen.popFirst() ?? "", key: key, &scope))
        }
        for (relationship, (type, notes)) in relationships {
            let isClear = !ResourceModels.needsPlace(relationship.name) && !keys.contains(ByteText(relationship.name))
            properties.append(
                Property(
                    member: relationship.name, name: chosen.popFirst() ?? "",
                    key: isClear ? relationship.name : "relationships.\(relationship.name)", role: .relationship, type: type, notes: notes))
        }
        return properties + markers(of: shape, &names, &types, &scope)
    }

    /// The properties for the links and meta of the resource. Their types identify them, so their names do not matter.
    private func markers(
        of shape: ResourceShape, _ names: inout NameScope, _ types: inout ValueTypes, _ scope: inout ValueTypes.Scope
    ) -> [Property] {
        var properties: [Property] = []
        if shape.hasLinks {
            let name = names.take("links", "resourceLinks")
            properties.append(Property(member: "links", name: name, key: name, role: .links, type: .links))
        }
        if shape.meta.count > 0 {
            let name = names.take("meta", "resourceMeta")
            let isTable = shape.meta.members.isEmpty
            let value: SwiftType = isTable ? .jsonObject : .named(types.declare(shape.meta, named: "Meta", &scope))
            properties.append(Property(member: "meta", name: name, key: name, role: .meta, type: .optional(.meta(value))))
        }
        return properties
    }

    static func isIdentity(_ name: String) -> Bool { name == "id" || name == "type" }

    /// Whether a resource object can have a member of that name beside its identity.
    static func isPart(_ name: String) -> Bool { ["attributes", "relationships", "links", "meta"].contains(name) }

    /// Whether a coding key with this name is written as a path: `a.b` as the member `b` of the attribute `a`.
    static func isPath(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: ".")) }

    /// The names among these that would be paths, at most ten of them; nil if there are none.
    static func list(_ names: [String]) -> String? {
        let paths = names.filter(isPath)
        guard !paths.isEmpty else { return nil }
        return paths.prefix(10).map { SwiftText.shown($0) }.joined(separator: ", ") + (paths.count > 10 ? ", …" : "")
    }

    /// Whether the coding key of a field with this name says where the field is, because a resource object has a member of that name.
    static func needsPlace(_ name: String) -> Bool {
        isIdentity(name) || isPart(name)
    }

    /// Another name for a field named `id` or `type`. These names mean the identity, but fields can have them too.
    static func reserved(_ name: String) -> String? {
        switch name {
        case "id": "fieldID"
        case "type": "fieldType"
        default: ReservedNames.property(name)
        }
    }
}

// MARK: - Primary data

extension ResourceModels {
    /// The type to decode. It contains only types that occur in the samples.
    private mutating func data(of shape: SampleSurvey.PrimaryShape) -> String? {
        switch shape {
        case .none: nil
        case .null: "ResourceObject?"
        case .identifier: "ResourceIdentifier"
        case .identifiers: "[ResourceIdentifier]"
        case .one(let types): element(of: types)
        case .many(let types): "[\(element(of: types))]"
        }
    }

    private mutating func element(of types: [String]) -> String {
        switch types.count {
        case 0: "ResourceObject"
        case 1: naming.modelName(of: types[0])
        default: naming.union(of: types, named: naming.full("AnyResource"))
        }
    }
}
