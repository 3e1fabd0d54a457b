import JSONText

/// What all element writers share, whatever they write.
class AnyElementWriter {
    /// Writes a kept value as a whole resource object.
    func write(
        _ session: EncodingSession, _ number: Int, as identifier: ResourceIdentifier, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {}

    /// Gives up the kept values.
    func forgetValues() {}
}

/// Writes values of one Swift type as resource objects, and keeps those that `included` waits for.
class ElementWriter<Element: ResourceRepresentable>: AnyElementWriter {
    private let values = StableList<Element>()

    /// Writes the object, from brace to brace.
    func writeObject(
        _ value: UnsafePointer<Element>, _ session: EncodingSession, as identity: ResourceIdentifier, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        try session.beginResource(identity, at: place, node: node)
        try Element._encode(value, to: ResourceEncoder(session))
        try session.endResource()
    }

    final func writeValue(
        _ value: Element, _ session: EncodingSession, as identity: ResourceIdentifier, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try withUnsafePointer(to: value) { try writeObject($0, session, as: identity, at: place, node: node) }
    }

    final override func write(
        _ session: EncodingSession, _ number: Int, as identifier: ResourceIdentifier, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try writeObject(values.pointer(number), session, as: identifier, at: place, node: node)
    }

    final override func forgetValues() { values.removeAll() }

    /// Keeps a value; answers its number.
    final func keep(_ value: UnsafePointer<Element>) -> Int { values.append(copying: value) }

    /// A related value, to be included where `node` leads.
    func meet(_ value: UnsafePointer<Element>, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node) {
        let included = session.included
        let (ordinal, isNew) = included.entry(identifier)
        if isNew {
            let number = keep(value)
            let entry = included.entries.pointer(ordinal)
            entry.pointee.writer = self
            entry.pointee.value = number
            if node >= 0 { _ = included.visit(ordinal, node) }
            included.append(.init(ordinal: ordinal, node: node, isWritten: false, content: .value(self, number)))
            return
        }
        let entry = included.entries.pointer(ordinal)
        if entry.pointee.writer === self, session.comparesValues,
            !SameBits.areEqual(values.pointer(entry.pointee.value), value)
        {
            included.doubtful.append((ordinal, self, keep(value)))
        }
        if session.tree.hasChildren(node), included.visit(ordinal, node) {
            included.append(.init(ordinal: ordinal, node: node, isWritten: true, content: .value(self, keep(value))))
        }
    }

    /// Notes a primary value. Throws when there is no identity, or when it is not the first with it. Raw resources of a document
    /// that was read, such as a request to create one, may have none.
    final func notePrimary(_ value: UnsafePointer<Element>, _ session: EncodingSession, at place: ObjectPlace) throws {
        guard let identifier = Element._identifier(of: value) else {
            if Element.self == ResourceObject.self, session.document != nil { return }
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer(tokens: place.tokens), expected: "a resource with an id", found: "one without",
                advice: "a resource that the server will create goes into a Create")
        }
        let (ordinal, isNew) = session.included.entry(identifier, isPrimary: true)
        guard isNew else {
            throw EncodingFailure(
                .duplicateResource, at: JSONPointer(tokens: place.tokens), resource: identifier,
                expected: "each resource once in the primary data", found: "one that stands there already")
        }
        let entry = session.included.entries.pointer(ordinal)
        entry.pointee.writer = self
        entry.pointee.value = keep(value)
        if session.tree.root >= 0 { _ = session.included.visit(ordinal, session.tree.root) }
    }
}

/// Resources that write themselves without `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeObject(
        _ value: UnsafePointer<Model>, _ session: EncodingSession, as identity: ResourceIdentifier, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        try session.beginResource(identity, at: place, node: node)
        try Model._write(value, to: ResourceWriter(session))
        try session.endResource()
    }
}

/// Values of a union: what is inside is written as its own type would be.
final class UnionWriter<Union: ResourceUnion>: ElementWriter<Union> {
    override func writeObject(
        _ value: UnsafePointer<Union>, _ session: EncodingSession, as identity: ResourceIdentifier, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        func write<Inner: ResourceRepresentable>(_ inner: Inner) throws {
            try session.elementWriter(for: Inner.self).writeValue(inner, session, as: identity, at: place, node: node)
        }
        try write(value.pointee.resource)
    }

    override func meet(
        _ value: UnsafePointer<Union>, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node
    ) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            withUnsafePointer(to: inner) { session.elementWriter(for: Inner.self).meet($0, identifier, session, node) }
        }
        meet(value.pointee.resource)
    }
}
