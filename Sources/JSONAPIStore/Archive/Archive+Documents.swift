public import JSONAPICodec
import JSONText

// A document under a key: its resources are in the archive, each once, and the key has their order, the links and the meta.

extension Archive.Writer {
    /// Keeps a document under a key: its primary and included resources, their order, and the links, meta and other members of its top
    /// level.
    ///
    /// ```swift
    /// let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
    /// try writer.encode(document, forKey: "home")
    /// let home = try archive.decodeDocument([Article].self, forKey: "home")      // home?.data, home?.links
    /// ```
    ///
    /// Of a document that the program has made, all resources are kept that its primary data embed, hold or refer to.
    ///
    /// Throws `EncodingError` as `JSONAPIEncoder` does, and `ArchiveError` of kind `missingIdentity` for a resource without an id.
    public mutating func encode<Primary: PrimaryValue>(_ document: Document<Primary>, forKey key: String) throws {
        let data = try encoder.encode(document, include: .all)
        let object = DocumentObject(members: try JSON(parsing: Array(data)).object ?? JSONObject())
        let kept: [UInt8]
        do { kept = try KeptDocument(object).text() } catch is StoreError {
            throw ArchiveError(.missingIdentity, "a resource without an id cannot be kept")
        }
        let resources = object.data.resources + (object.included ?? [])
        let texts = try resources.map { resource in
            guard let identifier = resource.identifier else {
                throw ArchiveError(.missingIdentity, "a resource without type, or with neither id nor lid, cannot be kept")
            }
            return (identifier, try JSONWriter().write(resource.json))
        }
        // Nothing is taken until all texts are there.
        for (identifier, text) in texts { try insert(identifier, text.span) }
        try put(kept.span, forKey: key)
    }
}

extension Archive {
    /// The document that a key names, with its primary resources in their order; nil when there is no such key. Resources that have been
    /// removed from the archive since are left out.
    ///
    /// Throws `ArchiveError` for damage and for a key that names something else, and `DecodingError`.
    ///
    /// - Complexity: O(the resources of the document and what they embed).
    public func decodeDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, forKey key: String
    ) throws -> Document<[Model]>? {
        guard let kept = try keptDocument(key) else { return nil }
        return kept.document(try located { try models(Model.self, kept.identifiers).compactMap { $0 } })
    }

    /// The same for a document with one resource, or with none.
    public func decodeDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, forKey key: String
    ) throws -> Document<Model?>? {
        guard let kept = try keptDocument(key) else { return nil }
        return kept.document(try located { try models(Model.self, kept.identifiers).compactMap { $0 }.first })
    }

    private func keptDocument(_ key: String) throws -> KeptDocument? {
        try located {
            guard let root = try contents.root(named: key) else { return nil }
            guard case .value(let text) = root, case .object = try ArchiveForm.json(text, "the value of the key `\(key)`") else {
                throw ArchiveError(.otherForm, "the key `\(key)` names no document")
            }
            return try KeptDocument(text: text)
        }
    }
}
