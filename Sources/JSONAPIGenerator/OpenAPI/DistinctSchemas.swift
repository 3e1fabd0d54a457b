import JSONText

/// Schemas in the order in which they were found, each once.
struct DistinctSchemas {
    private(set) var schemas: [JSON] = []
    private var known: Set<JSON> = []

    func contains(_ schema: JSON) -> Bool { known.contains(schema) }

    mutating func append(_ schema: JSON) {
        if known.insert(schema).inserted { schemas.append(schema) }
    }

    mutating func append(contentsOf more: [JSON]) {
        for schema in more { append(schema) }
    }
}
