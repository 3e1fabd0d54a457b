import JSONText

/// What all element writers share, whatever they write.
class AnyElementWriter {
    /// Writes a kept value as a whole resource object.
    func write(_ session: EncodingSession, _ value: KeptValue, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {}

    /// Whether two kept values are the same by what their type says: by `==`, or because they are one object. False says nothing.
    func areEqual(_ a: KeptValue, _ b: KeptValue) -> Bool { false }

    /// Gives up the kept values.
    func forgetValues() {}
}

/// A value that the writer of its Swift type keeps: one of an array, or one that stood alone.
///
/// Good until the writer gives its values up.
struct KeptValue {
    let writer: AnyElementWriter
    /// The number of the array among those kept; -1 for a value that stood alone.
    fileprivate let array: Int
    fileprivate let index: Int

    init(_ writer: AnyElementWriter, array: Int, index: Int) {
        self.writer = writer
        self.array = array
        self.index = index
    }

    func write(_ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        try writer.write(session, self, as: number, at: place, node: node)
    }
}

/// Writes values of one Swift type as resource objects, and keeps those that `included` waits for.
class ElementWriter<Element: ResourceRepresentable>: AnyElementWriter {
    /// Values that stood alone.
    private var values: [Element] = []
    /// Values that stood in an array: all of them are kept by keeping the array.
    private var arrays: [[Element]] = []
    private let comparison = ValueComparison.make(for: Element.self)
    /// The type of the last value.
    var typeHint = 0

    /// Writes the object, from brace to brace.
    func writeObject(
        _ value: Element, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(number, at: place, node: node)
        try value.encode(to: ResourceEncoder(session))
        try session.endResource()
    }

    final override func write(
        _ session: EncodingSession, _ value: KeptValue, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try writeObject(self[value], session, as: number, at: place, node: node)
    }

    final override func areEqual(_ a: KeptValue, _ b: KeptValue) -> Bool { comparison?.areEqual(self[a], self[b]) ?? false }

    final override func forgetValues() {
        values.removeAll()
        arrays.removeAll()
    }

    private subscript(kept: KeptValue) -> Element { kept.array < 0 ? values[kept.index] : arrays[kept.array][kept.index] }

    /// Keeps all values of an array. Returns its number. O(1).
    final func keep(_ array: [Element]) -> Int {
        arrays.append(array)
        return arrays.count - 1
    }

    private func keep(_ value: Element) -> KeptValue {
        values.append(value)
        return KeptValue(self, array: -1, index: values.count - 1)
    }

    // MARK: - Meeting values

    /// A related value.
    ///
    /// - Parameter kept: where it is kept already, if it is.
    final func meet(
        _ value: Element, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node, in kept: KeptValue? = nil
    ) {
        meet(value, identifier, session.types.number(of: identifier.type, near: typeHint), session, node, in: kept)
    }

    /// A related value whose type is looked up already.
    func meet(
        _ value: Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node,
        in kept: KeptValue?
    ) {
        typeHint = type
        let included = session.included
        let (number, isNew) = included.enter(identifier, type: type)
        guard isNew else { return meetAgain(number, value, session, node, in: kept) }
        let kept = kept ?? keep(value)
        included.set(kept, for: number)
        if node >= 0 { _ = included.visit(number, node) }
        included.append(kept, number, node, isWritten: false)
    }

    /// A value whose identity is known: compared, and searched when a longer path leads to it.
    private func meetAgain(
        _ number: Int, _ value: Element, _ session: EncodingSession, _ node: IncludeTree.Node, in kept: KeptValue?
    ) {
        let included = session.included
        var kept = kept
        if session.comparesValues, let present = included[number].value, present.writer === self,
            comparison?.areEqual(self[present], value) != true
        {
            let other = kept ?? keep(value)
            kept = other
            included.doubtful.append((number, other))
        }
        if session.tree.hasChildren(node), included.visit(number, node) {
            included.append(kept ?? keep(value), number, node, isWritten: true)
        }
    }

    /// Notes a primary value. Throws when there is no identity, or when it is not the first with it. Raw resources of a document that
    /// was read, such as a request to create one, may have none; nil then. Returns its number.
    @discardableResult
    final func notePrimary(_ value: Element, _ session: EncodingSession, at place: ObjectPlace, in kept: KeptValue? = nil) throws -> Int? {
        guard let identifier = value.identifier else {
            if Element.self == ResourceObject.self, session.document != nil { return nil }
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer(tokens: place.tokens), expected: "a resource with an id", found: "one without",
                advice: "a resource that the server will create goes into a Create")
        }
        let (number, isNew) = session.included.enter(identifier, isPrimary: true)
        guard isNew else {
            throw EncodingFailure(
                .duplicateResource, at: JSONPointer(tokens: place.tokens), resource: identifier,
                expected: "each resource once in the primary data", found: "one that stands there already")
        }
        session.included.set(kept ?? keep(value), for: number)
        if session.tree.root >= 0 { _ = session.included.visit(number, session.tree.root) }
        return number
    }
}

/// Compares values of one type by what the type itself says.
class ValueComparison<Value> {
    func areEqual(_ a: Value, _ b: Value) -> Bool { false }

    /// Nil for a type that is neither `Equatable` nor a class.
    static func make(for type: Value.Type) -> ValueComparison<Value>? {
        func equality<Equal: Equatable>(_: Equal.Type) -> AnyObject { Equality<Equal>() }
        if let type = type as? any Equatable.Type { return equality(type) as? ValueComparison<Value> }
        return type is AnyObject.Type ? Sameness<Value>() : nil
    }
}

private final class Equality<Value: Equatable>: ValueComparison<Value> {
    override func areEqual(_ a: Value, _ b: Value) -> Bool { a == b }
}

private final class Sameness<Value>: ValueComparison<Value> {
    override func areEqual(_ a: Value, _ b: Value) -> Bool { (a as AnyObject) === (b as AnyObject) }
}

/// Resources that write themselves without `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeObject(
        _ value: Model, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(number, at: place, node: node)
        try value.write(to: ResourceWriter(session))
        try session.endResource()
    }
}

/// Values of a union: what is inside is written as its own type would be.
final class UnionWriter<Union: ResourceUnion>: ElementWriter<Union> {
    override func writeObject(
        _ value: Union, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        func write<Inner: ResourceRepresentable>(_ inner: Inner) throws {
            try session.elementWriter(for: Inner.self).writeObject(inner, session, as: number, at: place, node: node)
        }
        try write(value.resource)
    }

    override func meet(
        _ value: Union, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node,
        in kept: KeptValue?
    ) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            session.elementWriter(for: Inner.self).meet(inner, identifier, type, session, node, in: nil)
        }
        meet(value.resource)
    }
}
