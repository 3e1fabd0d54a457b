import JSONText

// Resources that a plain value of an archive holds. The value has references in their place, so that the archive has each resource once:
//
//     struct Home: Codable { var title: String; var articles: [Article] }
//     {"title": "Today", "articles": [{"@resource": {"type": "articles", "id": "1"}}]}

extension JSONAPIEncoder {
    /// Returns a plain value as JSON, with a reference in place of each resource that it holds. Calls `body` with these resources and those
    /// that they embed, hold or refer to, each identity once. Resources without an identity are written as plain values.
    ///
    /// Throws `EncodingError` when `encode` does, and when two different values have the same identity.
    ///
    /// - Parameter isLeftOut: Whether to leave out a resource that a reference finds in a source; see `EncodingSession.leavesOut`.
    package func json(
        _ value: some Encodable, leavingOut isLeftOut: @escaping (any ResourceSource, ResourceIdentifier?) -> Bool = { _, _ in false },
        forEachHeld body: (ResourceIdentifier, [UInt8], AttributeParts, Any.Type) throws -> Void
    ) throws -> JSON {
        try withSession(include: .all) { session in
            session.leavesOut = isLeftOut
            session.refersToResources = true
            return try session.watch.during {
                let json = try json(value, at: [], session)
                session.refersToResources = false
                try session.forEachNoted(body)
                return json
            }
        }
    }
}

extension ElementWriter {
    /// Writes a reference to a resource, and notes the resource. Returns false if the session writes resources as plain values, or if this
    /// one has no identity.
    func writeReference(to value: Element, _ session: EncodingSession, _ sink: ValueSink) throws -> Bool {
        guard session.refersToResources, let identifier = value.identifier else { return false }
        // The name cannot be that of an attribute.
        try session.writeTree(["@resource": identifier.bare.json], into: sink)
        meet(value, identifier, session, IncludeTree.everything, from: nil)
        return true
    }
}

extension DecodingSession {
    /// Returns the resource that a reference stands for. Returns nil if the value is not a reference.
    func heldResource<Model: ResourceRepresentable>(_ type: Model.Type, at word: Int) throws -> Model? {
        guard let held, let identifier = try heldIdentifier(at: word) else { return nil }
        guard let value = try held.value(type, identifier) else { throw notHeld(identifier, type, at: word) }
        return value
    }

    /// Returns the resources that an array of references stands for, without those that no longer exist. They are read together. Returns
    /// nil if an element is not a reference.
    func heldResources<Model: ResourceRepresentable>(_ type: Model.Type, at word: Int) throws -> [Model]? {
        guard let held, view.isArray(word) else { return nil }
        var references: [(word: Int, identifier: ResourceIdentifier)] = []
        var count = 0
        try view.forEachElement(of: word) { word, _ in
            count += 1
            if let identifier = try heldIdentifier(at: word) { references.append((word, identifier)) }
        }
        guard references.count == count else { return nil }
        let values = try held.values(type, references.map(\.identifier))
        return try zip(values, references).compactMap { value, reference in
            if value == nil, held.mayHave(reference.identifier, for: type) { throw notHeld(reference.identifier, type, at: reference.word) }
            return value
        }
    }

    private func heldIdentifier(at word: Int) throws -> ResourceIdentifier? {
        guard held != nil, view.isObject(word), let reference = view.member("@resource", of: word) else { return nil }
        return identifier(try identifierEntry(reference))
    }

    private func notHeld(_ identifier: ResourceIdentifier, _ type: Any.Type, at word: Int) -> DecodingFailure {
        failure(
            .notIncluded, at: word, expected: "the resource \(identifier.type) \(identifier.id ?? identifier.lid ?? "") as \(type)",
            found: "a reference to none", advice: "it was removed from the archive, or has another type; write the value again")
    }
}
