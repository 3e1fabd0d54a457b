import JSONText

/// Converts an OpenAPI description to Swift types and requests.
package struct APIModels {
    /// Options for the models.
    package struct Settings {
        /// The resource types to generate models for, by their names in documents. An empty array means all types.
        package var only: [String] = []
        package var prefix = ""
        package var isDirect = false
        /// Whether fields are required as the description says, although the API can leave them out.
        package var isStrict = false

        package init() {}
    }

    let reader: SchemaReader
    let settings: Settings
    private(set) var operations: [APIOperation]
    private(set) var resources: APIResources
    /// What was left out or guessed, as messages.
    package private(set) var notes: [String] = []
    var naming: ModelNaming
    /// The names of the types inside a model that contain the fields of requests.
    var newNames: [ByteText: String] = [:]
    var updateNames: [ByteText: String] = [:]

    /// Throws `OpenAPIDocument.Problem` if the description has no resources of JSON:API, or lacks a type in `only`.
    package init(_ document: OpenAPIDocument, _ settings: Settings) throws {
        reader = SchemaReader(document)
        self.settings = settings
        naming = ModelNaming(prefix: settings.prefix)
        let (operations, others) = OperationReader(reader).operations()
        self.operations = operations
        resources = APIResources(reader, operations)
        guard !resources.resources.isEmpty else {
            throw OpenAPIDocument.Problem(
                message: "no schema describes resource objects of JSON:API: objects with a `type` of one value, and `id` or `attributes`;"
                    + " for plain JSON write samples and use --root NAME")
        }
        notes += document.deadReferences.map { reference in
            reference.utf8.first == UInt8(ascii: "#")
                ? "the reference \(SwiftText.shown(reference)) leads nowhere, so what it stands for is left out or JSON"
                : "the reference \(SwiftText.shown(reference)) leads to another file; put all into one file first, for example with"
                    + " `npx @redocly/cli bundle --dereferenced`"
        }
        if !others.isEmpty {
            let rest = others.count - APIModels.shownOperations
            let shown = others.prefix(APIModels.shownOperations) + (rest > 0 ? ["and \(rest) more"] : [])
            notes.append("operations without documents of JSON:API are left out: \(shown.joined(separator: ", "))")
        }
        for resource in resources.resources where resource.isGuess {
            notes.append("the type \(SwiftText.shown(resource.type)) is an example or a default in the description, taken as it is")
        }
        try checkOnly()
        for operation in self.operations {
            notes += operation.omissions.map { "\(operation.shown) leaves out \($0)" }
        }
    }

    /// How many of the operations that are left out a note names.
    private static let shownOperations = 10

    mutating func add(note: String) { notes.append(note) }

    private mutating func checkOnly() throws {
        guard !settings.only.isEmpty else { return }
        for type in settings.only where !resources.contains(type: type) {
            let known = resources.resources.prefix(20).map(\.type).joined(separator: ", ")
            throw OpenAPIDocument.Problem(message: "it has no resources of the type \(SwiftText.shown(type)); there are: \(known)")
        }
        let only = Set(settings.only.map(ByteText.init))
        let named = operations.filter { operation in operation.types.contains { only.contains(ByteText($0)) } }
        let places = Set(named.map(\.place))
        let typed = Set(operations.filter { !$0.types.isEmpty }.map(\.place))
        // A request without types, such as DELETE, belongs to the others of its path, or else to those of the collection.
        operations = operations.filter { operation in
            guard !operation.types.isEmpty else {
                return places.contains(typed.contains(operation.place) ? operation.place : operation.collection ?? operation.place)
            }
            return operation.types.contains { only.contains(ByteText($0)) }
        }
    }

    private func isWanted(_ type: String) -> Bool {
        settings.only.isEmpty || settings.only.contains { ByteText($0) == ByteText(type) }
    }
}

// MARK: - Models

extension APIModels {
    /// Returns the models of each type in a separate file, the types that they share, and the requests.
    package mutating func models() -> SwiftModels {
        let relations = relationsOfAll()
        naming.nameModels(resources.resources.map(\.type).filter(isWanted))
        let componentNames = nameComponents()
        // The types inside of models must not hide the unions.
        for resource in resources.resources where isWanted(resource.type) {
            nameUnions(of: resource, relations[ByteText(resource.type)] ?? [:])
        }
        let values = ValueSchemas(reader, componentNames: componentNames, outer: naming.typeNames.taken)
        var models = SwiftModels()
        for resource in resources.resources where isWanted(resource.type) {
            var file = SwiftModels.File(name: naming.modelName(of: resource.type))
            file.types.append(declaration(of: resource, relations[ByteText(resource.type)] ?? [:], values))
            models.files.append(file)
        }
        var requests = RequestGroups(self)
        let groups = requests.groups(&self)
        placeUnions(in: &models)
        for type in values.components() { models.files.append(SwiftModels.File(name: type.name, types: [type])) }
        for (name, group) in groups { models.files.append(SwiftModels.File(name: name, requests: group)) }
        models.types = models.files.flatMap(\.types)
        if reader.isIncomplete {
            add(note: "schemas that are combined over more than \(SchemaReader.maximumLevels / 2) levels are incomplete")
        }
        return models
    }

    /// Returns the targets of each relationship, by type and name. Types that only relationships name become resources as well.
    private mutating func relationsOfAll() -> [ByteText: [ByteText: RelationshipSchema]] {
        var relations: [ByteText: [ByteText: RelationshipSchema]] = [:]
        for resource in resources.resources {
            for schemas in [resource.sent, resource.created, resource.updated] {
                for field in FieldSchemas(schemas.schemas, of: resource.type, reader).relationships {
                    let relation = RelationshipSchema(merging: field.schemas.map { reader.relationship($0) })
                    // A request can name fewer types than the responses.
                    let known = relations[ByteText(resource.type)]?[ByteText(field.name)] ?? RelationshipSchema()
                    relations[ByteText(resource.type), default: [:]][ByteText(field.name)] = known.hasCardinality ? known : relation
                    for type in relation.types { resources.add(type: type) }
                }
            }
        }
        return relations
    }

    private mutating func nameComponents() -> [String: String] {
        var names: [String: String] = [:]
        for (reference, schema) in reader.document.componentSchemas {
            // Documents are not values.
            let flat = reader.flat(schema)
            guard flat.values != nil || flat.isObject else { continue }
            if flat.property("data") != nil, reader.document(schema, isLinkage: false) != nil { continue }
            let last = (try? JSONPointer(parsing: String(reference.dropFirst())))?.tokens.last ?? ""
            let name = SwiftName.upperCamel(last)
            let type = ReservedNames.type(settings.prefix + (name.isEmpty ? "Value" : name), word: "Value")
            names[reference] = naming.typeNames.take(type, type + "Value")
        }
        return names
    }

    /// The type with the fields of a request; nil for resources without a model.
    func requestFields(of type: String, isUpdate: Bool) -> String? {
        (isUpdate ? updateNames : newNames)[ByteText(type)].map { "\(naming.modelName(of: type)).\($0)" }
    }
}

// MARK: - Unions

extension APIModels {
    /// Returns the type to decode resources of the given types: a model, or a union.
    mutating func element(of types: [String], named base: String) -> String {
        var known: Set<String> = []
        let models = types.filter { known.insert(naming.modelName(of: $0)).inserted }
        guard models.count > 1 else { return models.first.map(naming.modelName) ?? "ResourceObject" }
        let named = models.filter { naming.modelName(of: $0) != "ResourceObject" }
        return naming.union(of: named, named: base)
    }

    /// Puts each union into the file of the model whose name it begins with, or into its own file.
    private func placeUnions(in models: inout SwiftModels) {
        for union in naming.unions {
            let place = models.files.indices.filter { union.name.hasPrefix(models.files[$0].name) }
                .max { models.files[$0].name.utf8.count < models.files[$1].name.utf8.count }
            if let place { models.files[place].types.append(union) } else { models.files.append(.init(name: union.name, types: [union])) }
        }
    }
}
