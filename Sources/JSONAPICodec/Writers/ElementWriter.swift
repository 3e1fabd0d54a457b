import JSONText

/// What all element writers share, whatever they write.
class AnyElementWriter {
    /// Writes a kept value as a whole resource object.
    func write(_ session: EncodingSession, _ number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {}

    /// Gives up the kept values.
    func forgetValues() {}
}

/// Writes values of one Swift type as resource objects, and keeps those that `included` waits for.
class ElementWriter<Element: ResourceRepresentable>: AnyElementWriter {
    private let values = ValueStore<Element>()

    /// Writes the object, from brace to brace.
    func writeObject(
        _ value: Element, _ session: EncodingSession, as identity: ObjectIdentity, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(identity, at: place, node: node)
        try value.encode(to: ResourceEncoder(session))
        try session.endResource()
    }

    final override func write(_ session: EncodingSession, _ number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        let value = values[number]
        guard let identifier = value.identifier else { return }
        try writeObject(value, session, as: ObjectIdentity(identifier), at: place, node: node)
    }

    final override func forgetValues() { values.removeAll() }

    /// Keeps a value; answers its number.
    final func keep(_ value: Element) -> Int {
        values.append(value)
        return values.count - 1
    }

    /// A related value, to be included where `node` leads.
    func meet(_ value: Element, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node) {
        let included = session.included
        let (ordinal, isNew) = included.entry(identifier)
        if isNew {
            let number = keep(value)
            included.entries[ordinal].writer = self
            included.entries[ordinal].value = number
            if node >= 0 { _ = included.visit(ordinal, node) }
            included.append(.init(ordinal: ordinal, node: node, isWritten: false, content: .value(self, number)))
            return
        }
        let entry = included.entries[ordinal]
        if entry.writer === self, session.options.conflictingResources == .throw, !SameBits.areEqual(values[entry.value], value) {
            included.doubtful.append((ordinal, self, keep(value)))
        }
        if session.tree.hasChildren(node), included.visit(ordinal, node) {
            included.append(.init(ordinal: ordinal, node: node, isWritten: true, content: .value(self, keep(value))))
        }
    }

    /// Notes a primary value. Throws when there is no identity, or when it is not the first with it. Raw resources of a document
    /// that was read, such as a request to create one, may have none.
    final func notePrimary(_ value: Element, _ session: EncodingSession, at place: ObjectPlace) throws {
        guard let identifier = value.identifier else {
            if value is ResourceObject, session.document != nil { return }
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
        session.included.entries[ordinal].writer = self
        session.included.entries[ordinal].value = keep(value)
        if session.tree.root >= 0 { _ = session.included.visit(ordinal, session.tree.root) }
    }
}

/// Resources that write themselves without `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeObject(
        _ value: Model, _ session: EncodingSession, as identity: ObjectIdentity, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(identity, at: place, node: node)
        try value.write(to: ResourceWriter(session, value))
        try session.endResource()
    }
}

/// Values of a union: what is inside is written as its own type would be.
final class UnionWriter<Union: ResourceUnion>: ElementWriter<Union> {
    override func writeObject(
        _ value: Union, _ session: EncodingSession, as identity: ObjectIdentity, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        func write<Inner: ResourceRepresentable>(_ inner: Inner) throws {
            try session.elementWriter(for: Inner.self).writeObject(inner, session, as: identity, at: place, node: node)
        }
        try write(value.resource)
    }

    override func meet(_ value: Union, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            session.elementWriter(for: Inner.self).meet(inner, identifier, session, node)
        }
        meet(value.resource)
    }
}

extension ObjectIdentity {
    init(_ identifier: ResourceIdentifier) {
        self.init(type: identifier.type, id: identifier.id, lid: identifier.id == nil ? identifier.lid : nil)
    }
}
