public import JSONAPICodec
import JSONText

// A document under a key. The archive stores each resource once. The key stores their order, the links and the meta.

extension Archive.Writer {
    /// Stores a document under a key: its primary and included resources, their order, and its links and meta.
    ///
    /// ```swift
    /// let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
    /// try writer.encode(document, forKey: "home")
    /// let home = try archive.decodeDocument([Article].self, forKey: "home")      // home?.data, home?.links
    /// ```
    ///
    /// Primary data that consists of identifiers has no resources to store. `json(forKey:)` also shows the other members of the top level.
    ///
    /// For a document that the program made, this method stores all resources that its primary data embeds, holds or refers to.
    ///
    /// Throws `EncodingError` as `JSONAPIEncoder` does. Throws `ArchiveError` of kind `missingIdentity` for a resource without an identity,
    /// and of kind `conflict` if another call stored other contents for the same resource, for example more fields.
    public mutating func encode<Primary: PrimaryValue>(_ document: Document<Primary>, forKey key: String) throws {
        let object = try document.object(writtenBy: encoder.forArchives, asRead: false, leavingOut: isOwn)
        let kept = try KeptDocument(object) { _ in ArchiveError(.missingIdentity, "a resource without an id cannot be kept") }.markedText()
        let included = object.included ?? []
        var primary = KeptDocument.isLinkage(Primary.self) ? [] : object.data.resources
        // Identifiers of included resources are the linkage of a relationship.
        if primary.allSatisfy(\.isIdentifier) {
            let known = Set(included.compactMap { $0.identifier?.bare })
            primary.removeAll { resource in resource.identifier.map { known.contains($0.bare) } ?? false }
        }
        var gathered = Gathering()
        for resource in primary + included {
            guard let identifier = resource.identifier else {
                throw ArchiveError(.missingIdentity, "a resource without type, or with neither id nor lid, cannot be kept")
            }
            gathered.append(identifier, try JSONWriter.unlimited.write(resource.json))
        }
        // Nothing is stored before all texts exist, so that an error leaves the writer unchanged.
        try put(gathered, rootSize: key.utf8.count + kept.count)
        try put(kept.span, forKey: key)
    }
}

extension Archive {
    /// Returns the document under a key, with its primary resources in order. Returns nil if the key does not exist. Resources that were
    /// removed from the archive are left out.
    ///
    /// Throws `ArchiveError` if the archive is damaged, or if the key names something else or resources of another type. Throws
    /// `DecodingError` if a resource cannot be read.
    ///
    /// - Complexity: O(n), n = size of the document's resources and of the resources that they embed.
    public func decodeDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: [Model].Type, forKey key: String
    ) throws -> Document<[Model]>? {
        guard let kept = try keptDocument(key) else { return nil }
        return kept.document(try primary(Model.self, kept, key), decoder)
    }

    /// Returns the document under a key, with one primary resource or none. Returns nil if the key does not exist. Throws as the function
    /// above does.
    public func decodeDocument<Model: ResourceRepresentable & PrimaryElement>(
        _ type: Model?.Type, forKey key: String
    ) throws -> Document<Model?>? {
        guard let kept = try keptDocument(key) else { return nil }
        return kept.document(try primary(Model.self, kept, key).first, decoder)
    }

    private func primary<Model: ResourceRepresentable>(_ type: Model.Type, _ kept: KeptDocument, _ key: String) throws -> [Model] {
        try located { try ArchiveForm.many(type, kept.identifiers.compactMap(StoredIdentity.init), key, self) }
    }

    private func keptDocument(_ key: String) throws -> KeptDocument? {
        try located {
            guard let root = try contents.root(named: key) else { return nil }
            guard case .value(let text) = root, case .object = try ArchiveForm.json(text, "the value of the key `\(key)`"),
                case let kept = try KeptDocument(text: text), kept.isDocument
            else {
                throw ArchiveError(
                    .otherForm, "the key `\(key)` names no document",
                    advice: "use decode(_:forKey:) for what was not encoded as a document")
            }
            return kept
        }
    }
}
