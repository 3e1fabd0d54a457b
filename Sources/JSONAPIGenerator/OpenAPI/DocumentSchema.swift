import JSONText

/// The contents of the documents of a schema.
struct DocumentSchema {
    enum Data {
        /// No `data`: only meta, or nothing.
        case none
        /// Resource objects of these types.
        case resources([ResourceSchema], isArray: Bool, isNullable: Bool)
        /// Resource identifiers.
        case identifiers(isArray: Bool, isNullable: Bool, types: [String])
        /// The operations or results of the Atomic Operations extension.
        case atomic
    }

    let data: Data
    /// The schema of the resource objects that can be included.
    var included: JSON?
    /// Whether the document can have `included`.
    var hasIncluded = false
}

extension SchemaReader {
    /// Returns the schema of a document; nil if it is not of JSON:API. If `isLinkage` is true, its data identifies resources.
    func document(_ schema: JSON, isLinkage: Bool) -> DocumentSchema? {
        let flat = flat(schema)
        if flat.property("atomic:operations") != nil || flat.property("atomic:results") != nil { return DocumentSchema(data: .atomic) }
        guard let data = flat.property("data") else {
            let isDocument = flat.property("meta") != nil && flat.properties.allSatisfy { ["meta", "jsonapi", "links"].contains($0.name) }
            return isDocument ? DocumentSchema(data: .none) : nil
        }
        let value = self.flat(data.schema)
        // The elements of an array, or the resource itself. Alternatives of both kinds do not describe one document.
        let parts = value.alternatives.isEmpty ? [data.schema] : value.alternatives
        let arrays = parts.filter { self.flat($0).isArray }
        guard arrays.isEmpty || arrays.count == parts.count else { return nil }
        let elements = arrays.isEmpty ? [data.schema] : arrays.compactMap { self.flat($0).items }
        let found = elements.flatMap { resources(in: $0) }
        guard !found.isEmpty else { return nil }
        let isNullable = self.parts(of: data.schema).contains(where: \.isNullable)
        let isIdentifier = isLinkage || elements.allSatisfy(isLinkageElement)
        guard !isIdentifier else {
            return DocumentSchema(
                data: .identifiers(isArray: !arrays.isEmpty, isNullable: isNullable, types: found.map(\.type)))
        }
        var document = DocumentSchema(data: .resources(found, isArray: !arrays.isEmpty, isNullable: isNullable))
        if let included = flat.property("included") {
            document.hasIncluded = true
            document.included = self.flat(included.schema).items
        }
        return document
    }

    private func isLinkageElement(_ schema: JSON) -> Bool {
        let found = resources(in: schema)
        return !found.isEmpty && found.allSatisfy(isIdentifier)
    }
}
