import JSONText

/// What all element writers share, whatever they write.
class AnyElementWriter {
    /// Writes a kept value as a whole resource object.
    func write(
        _ session: EncodingSession, _ value: UnsafeRawPointer, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {}

    /// Gives up the kept values.
    func forgetValues() {}
}

/// A value that the writer of its Swift type keeps, as two words: there is one for each resource that is included.
///
/// Good until the writer gives its values up; the session keeps the writer.
struct KeptValue {
    private let owner: Unmanaged<AnyElementWriter>
    let address: UnsafeRawPointer

    init(_ writer: AnyElementWriter, _ address: UnsafeRawPointer) {
        owner = .passUnretained(writer)
        self.address = address
    }

    @inline(__always)
    var writer: AnyElementWriter { owner._withUnsafeGuaranteedRef { $0 } }

    @inline(__always)
    func write(
        _ session: EncodingSession, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try owner._withUnsafeGuaranteedRef { try $0.write(session, address, as: identity, at: place, node: node) }
    }
}

/// Writes values of one Swift type as resource objects, and keeps those that `included` waits for.
class ElementWriter<Element: ResourceRepresentable>: AnyElementWriter {
    /// Values that stood alone.
    private let values = StableList<Element>()
    /// Values that stood in an array: all of them are kept by keeping the array.
    private let arrays = StableList<[Element]>()

    /// Writes the object, from brace to brace.
    func writeObject(
        _ value: UnsafePointer<Element>, _ session: EncodingSession, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        try session.beginResource(identity, at: place, node: node)
        try Element._encode(value, to: ResourceEncoder(session))
        try session.endResource()
    }

    final func writeValue(
        _ value: Element, _ session: EncodingSession, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        try withUnsafePointer(to: value) { try writeObject($0, session, as: identity, at: place, node: node) }
    }

    final override func write(
        _ session: EncodingSession, _ value: UnsafeRawPointer, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        try writeObject(value.assumingMemoryBound(to: Element.self), session, as: identity, at: place, node: node)
    }

    final override func forgetValues() {
        values.removeAll()
        arrays.removeAll()
    }

    /// Keeps all values of an array where they are, for as long as the writer keeps values. O(1).
    final func keep(_ array: UnsafePointer<[Element]>) -> KeptArray<Element> {
        KeptArray(arrays.keep(copyOf: array))
    }

    /// Keeps a value, unless its array is kept already.
    private func keep(_ value: UnsafePointer<Element>, isKept: Bool) -> KeptValue {
        KeptValue(self, isKept ? value : UnsafePointer(values.keep(copyOf: value)))
    }

    /// A related value, to be included where `node` leads.
    final func meet(
        _ value: UnsafePointer<Element>, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node,
        isKept: Bool = false
    ) {
        meet(value, identifier, session.types.known(identifier.type), session, node, isKept: isKept)
    }

    /// A related value whose type is looked up already.
    ///
    /// - Parameter isKept: whether it is an element of an array that this writer keeps.
    func meet(
        _ value: UnsafePointer<Element>, _ identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>,
        _ session: EncodingSession, _ node: IncludeTree.Node, isKept: Bool
    ) {
        meet(session.included.entry(identifier, type), value, session, node, isKept: isKept)
    }

    /// The same for one of a short id.
    func meet(
        _ value: UnsafePointer<Element>, _ identity: ShortIdentity, _ session: EncodingSession, _ node: IncludeTree.Node, isKept: Bool
    ) {
        meet(session.included.entry(identity.id, identity.type), value, session, node, isKept: isKept)
    }

    @inline(__always)
    private func meet(
        _ entry: (ordinal: Int, isNew: Bool), _ value: UnsafePointer<Element>, _ session: EncodingSession, _ node: IncludeTree.Node,
        isKept: Bool
    ) {
        guard entry.isNew else { return meetAgain(entry.ordinal, value, session, node, isKept: isKept) }
        let included = session.included
        let kept = keep(value, isKept: isKept)
        included.known(entry.ordinal).pointee.value = kept
        if node >= 0 { _ = included.visit(entry.ordinal, node) }
        included.append(kept, entry.ordinal, node, isWritten: false)
    }

    /// A value whose identity is known: compared, and searched when a longer path leads to it.
    @inline(__always)
    private func meetAgain(
        _ ordinal: Int, _ value: UnsafePointer<Element>, _ session: EncodingSession, _ node: IncludeTree.Node, isKept: Bool
    ) {
        let included = session.included
        if session.comparesValues, let present = included.known(ordinal).pointee.value, present.writer === self,
            !SameBits.areEqual(present.address.assumingMemoryBound(to: Element.self), value)
        {
            included.doubtful.append((ordinal, keep(value, isKept: isKept)))
        }
        if session.tree.hasChildren(node), included.visit(ordinal, node) {
            included.append(keep(value, isKept: isKept), ordinal, node, isWritten: true)
        }
    }

    /// Notes a primary value that is not kept yet.
    final func notePrimary(_ value: Element, _ session: EncodingSession, at place: ObjectPlace) throws {
        try notePrimary(UnsafePointer(values.pointer(values.append(value))), session, at: place)
    }

    /// Notes a primary value, which is kept already. Throws when there is no identity, or when it is not the first with it. Raw
    /// resources of a document that was read, such as a request to create one, may have none.
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
        session.included.known(ordinal).pointee.value = KeptValue(self, value)
        if session.tree.root >= 0 { _ = session.included.visit(ordinal, session.tree.root) }
    }
}

/// Resources that write themselves without `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeObject(
        _ value: UnsafePointer<Model>, _ session: EncodingSession, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
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
        _ value: UnsafePointer<Union>, _ session: EncodingSession, as identity: UnsafePointer<KnownResource>, at place: ObjectPlace,
        node: IncludeTree.Node
    ) throws {
        func write<Inner: ResourceRepresentable>(_ inner: Inner) throws {
            try session.elementWriter(for: Inner.self).writeValue(inner, session, as: identity, at: place, node: node)
        }
        try write(value.pointee.resource)
    }

    override func meet(
        _ value: UnsafePointer<Union>, _ identifier: ResourceIdentifier, _ type: UnsafeMutablePointer<KnownTypes.Known>,
        _ session: EncodingSession, _ node: IncludeTree.Node, isKept: Bool
    ) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            withUnsafePointer(to: inner) { session.elementWriter(for: Inner.self).meet($0, identifier, session, node) }
        }
        meet(value.pointee.resource)
    }

    override func meet(
        _ value: UnsafePointer<Union>, _ identity: ShortIdentity, _ session: EncodingSession, _ node: IncludeTree.Node, isKept: Bool
    ) {
        guard let identifier = Union._identifier(of: value) else { return }
        meet(value, identifier, identity.type, session, node, isKept: isKept)
    }
}
