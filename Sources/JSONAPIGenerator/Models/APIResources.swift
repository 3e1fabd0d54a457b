import JSONText

/// What an API says about the resources of each type: how they are sent, created, and updated.
struct APIResources {
    struct Resource {
        let type: String
        /// The schemas of the objects that the API sends.
        var sent = DistinctSchemas()
        var created = DistinctSchemas()
        var updated = DistinctSchemas()
        /// Whether the API omits fields on request.
        var hasSparseFields = false
        /// Whether the type is a guess.
        var isGuess = false
    }

    private(set) var resources: [Resource] = []
    private var positions: [ByteText: Int] = [:]

    /// Collects the resources of operations, and of components that no operation uses.
    init(_ reader: SchemaReader, _ operations: [APIOperation]) {
        var included: Set<JSON> = []
        for operation in operations {
            add(operation)
            // Many operations include the same resources.
            guard let schema = operation.included, included.insert(schema).inserted else { continue }
            for resource in reader.resources(in: schema) { add(resource, to: \.sent) }
        }
        for (reference, schema) in reader.document.componentSchemas where reader.flat(schema).property("type") != nil {
            addComponent(reference, reader)
        }
        for operation in operations {
            for parameter in operation.query where parameter.name.hasPrefix("fields[") && parameter.name.hasSuffix("]") {
                let type = String(parameter.name.dropFirst("fields[".count).dropLast())
                if let position = positions[ByteText(type)] { resources[position].hasSparseFields = true }
            }
        }
    }

    /// Adds a type of which only the name is known.
    mutating func add(type: String) { _ = position(of: type) }

    func contains(type: String) -> Bool { positions[ByteText(type)] != nil }

    private mutating func add(_ operation: APIOperation) {
        if case .resources(let resources, _, _) = operation.answer {
            for resource in resources { add(resource, to: \.sent) }
        }
        for change in operation.changes {
            switch change {
            case .create(let resource, _, _): add(resource, to: \.created)
            case .update(let resource): add(resource, to: \.updated)
            default: break
            }
        }
    }

    /// Adds a component that describes objects with an id and a type that no operation sends.
    private mutating func addComponent(_ reference: String, _ reader: SchemaReader) {
        let schema: JSON = ["$ref": .string(reference)]
        let flat = reader.flat(schema)
        guard flat.property("id") != nil, flat.property("attributes") != nil || flat.property("relationships") != nil else { return }
        for resource in reader.resources(in: schema) {
            let known = positions[ByteText(resource.type)].map { resources[$0] }
            guard known?.sent.schemas.isEmpty != false, known?.updated.contains(resource.schema) != true else { continue }
            add(resource, to: \.sent)
        }
    }

    private mutating func add(_ resource: ResourceSchema, to list: WritableKeyPath<Resource, DistinctSchemas>) {
        let position = position(of: resource.type)
        if resource.isGuess { resources[position].isGuess = true }
        resources[position][keyPath: list].append(resource.schema)
    }

    private mutating func position(of type: String) -> Int {
        let key = ByteText(type)
        if let position = positions[key] { return position }
        positions[key] = resources.count
        resources.append(Resource(type: type))
        return resources.count - 1
    }
}
