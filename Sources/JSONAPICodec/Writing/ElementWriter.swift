import JSONText

/// Values of one Swift type that wait until they are written: those of an array, or one that stood alone.
class WaitingValues {
    /// The Swift type of each.
    final let type: ObjectIdentifier

    fileprivate init(of type: Any.Type) { self.type = ObjectIdentifier(type) }

    /// The fields that a request to create one of them leaves out.
    var restrictedFields: [String] { [] }

    /// Writes one of them as a whole resource object.
    func write(_ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {}
}

/// One value of those that wait.
struct WaitingValue {
    /// The number of the `WaitingValues` in `IncludedResources`. A reference instead would be counted at each copy, and there are
    /// several of each value: 8 % of the time of direct encoding.
    let holder: Int
    let index: Int
}

/// The same with the type of the values.
class WaitingElements<Element: ResourceRepresentable>: WaitingValues {
    fileprivate let writer: ElementWriter<Element>

    fileprivate init(_ writer: ElementWriter<Element>) {
        self.writer = writer
        super.init(of: Element.self)
    }

    override final var restrictedFields: [String] { FieldRestriction.whenCreating(Element.self) }

    fileprivate func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool { false }
}

/// The values of an array, kept by keeping the array.
final class WaitingArray<Element: ResourceRepresentable>: WaitingElements<Element> {
    private let elements: [Element]

    required init(_ elements: [Element], _ writer: ElementWriter<Element>) {
        self.elements = elements
        super.init(writer)
    }

    override func write(
        _ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try elements.borrow(index) { try writer.writeObject($0, session, as: number, at: place, node: node) }
    }

    override func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool {
        let elements = elements
        let span = elements.span
        return span.borrow(index, value) { comparison.areEqual($0, $1) }
    }
}

/// A value that stood alone.
private final class WaitingOne<Element: ResourceRepresentable>: WaitingElements<Element> {
    private let element: Element

    init(_ element: Element, _ writer: ElementWriter<Element>) {
        self.element = element
        super.init(writer)
    }

    override func write(
        _ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try writer.writeObject(element, session, as: number, at: place, node: node)
    }

    override func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool {
        comparison.areEqual(element, value)
    }
}

extension Array {
    /// Calls `body` with an element, without the copy that code which is not specialized makes of each element it takes.
    @inline(__always)
    func borrow<Result>(_ index: Int, _ body: (borrowing Element) throws -> Result) rethrows -> Result {
        try span.borrow(index, body)
    }
}

extension Span where Element: ~Copyable {
    /// The same for an element together with another value.
    @inline(__always)
    fileprivate func borrow<Result>(
        _ index: Int, _ other: borrowing Element, _ body: (borrowing Element, borrowing Element) -> Result
    ) -> Result {
        body(self[index], other)
    }

    @inline(__always)
    fileprivate func borrow<Result>(_ index: Int, _ body: (borrowing Element) throws -> Result) rethrows -> Result {
        try body(self[index])
    }
}

/// Writes values of one Swift type as resource objects.
class ElementWriter<Element: ResourceRepresentable> {
    private let comparison = ValueComparison.make(for: Element.self)
    private let elementType = ObjectIdentifier(Element.self)
    // Looked up once for each type, not for each array.
    private let arrayType = WaitingArray<Element>.self
    /// The number of the last value's type: a guess, which is compared before it is used.
    // Unchecked: one thread uses a session, and nothing calls back while it changes.
    @safe @exclusivity(unchecked) final var typeHint = 0

    /// Writes the object, from brace to brace.
    func writeObject(
        _ value: borrowing Element, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(number, at: place, node: node)
        try value.encode(to: ResourceEncoder(session))
        try session.endResource()
    }

    // MARK: - Meeting values

    /// A related value.
    final func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node
    ) {
        meet(value, identifier, session.types.number(of: identifier.type, near: typeHint), session, node)
    }

    /// A related value that stands alone, and whose type is looked up already.
    func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node
    ) {
        let meeting = meeting(value, identifier, type, session, node)
        if meeting.needsValue { session.note(meeting, keep(value, session), node) }
    }

    /// A related value in an array, whose type is looked up already.
    ///
    /// - Parameter holder: the number of the array once some of its values wait.
    func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession,
        _ node: IncludeTree.Node, in elements: [Element], at index: Int, _ holder: inout Int?
    ) {
        let meeting = meeting(value, identifier, type, session, node)
        guard meeting.needsValue else { return }
        let number = holder ?? hold(elements, session)
        holder = number
        session.note(meeting, WaitingValue(holder: number, index: index), node)
    }

    @inline(__always)
    private func meeting(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node
    ) -> EncodingSession.Meeting {
        typeHint = type
        var meeting = session.meet(identifier, type, elementType, node)
        if meeting.isDoubtful, let first = session.included.value(meeting.number) {
            // The types are the same, or there would be no doubt.
            let values = KnownObject.of(session.included.values(of: first), as: WaitingElements<Element>.self)
            meeting.isDoubtful = !values.isEqual(first.index, to: value, by: comparison)
        }
        return meeting
    }

    /// Keeps an array until its values are written. Returns its number.
    final func hold(_ elements: [Element], _ session: EncodingSession) -> Int {
        session.included.hold(arrayType.init(elements, self))
    }

    private func keep(_ value: borrowing Element, _ session: EncodingSession) -> WaitingValue {
        WaitingValue(holder: session.included.hold(WaitingOne(copy value, self)), index: 0)
    }

    /// Notes a primary value. Throws when there is no identity, or when it is not the first with it. Raw resources of a document that
    /// was read, such as a request to create one, may have none; nil then. Returns its number.
    @discardableResult
    final func notePrimary(
        _ value: borrowing Element, _ session: EncodingSession, at place: ObjectPlace, waiting: WaitingValue? = nil
    ) throws -> Int? {
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
        let kept = if let waiting { waiting } else { keep(value, session) }
        session.included.set(kept, of: elementType, for: number)
        if session.tree.root >= 0 { _ = session.included.visit(number, session.tree.root) }
        return number
    }
}

/// Compares values of one type by what the type itself says.
class ValueComparison<Value> {
    func areEqual(_ a: borrowing Value, _ b: borrowing Value) -> Bool { false }

    /// Of a type that is neither `Equatable` nor a class, no two values are known to be equal.
    static func make(for type: Value.Type) -> ValueComparison<Value> {
        func equality<Equal: Equatable>(_: Equal.Type) -> AnyObject { Equality<Equal>() }
        if let type = type as? any Equatable.Type { return equality(type) as? ValueComparison<Value> ?? ValueComparison() }
        return type is AnyObject.Type ? Sameness<Value>() : ValueComparison()
    }
}

private final class Equality<Value: Equatable>: ValueComparison<Value> {
    override func areEqual(_ a: borrowing Value, _ b: borrowing Value) -> Bool { copy a == copy b }
}

private final class Sameness<Value>: ValueComparison<Value> {
    override func areEqual(_ a: borrowing Value, _ b: borrowing Value) -> Bool { (copy a as AnyObject) === (copy b as AnyObject) }
}

/// Resources that write themselves without `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeObject(
        _ value: borrowing Model, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(number, at: place, node: node)
        try value.write(to: ResourceWriter(session))
        try session.endResource()
    }
}

/// Values of a union: what is inside is written as its own type would be.
final class UnionWriter<Union: ResourceUnion>: ElementWriter<Union> {
    override func writeObject(
        _ value: borrowing Union, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        func write<Inner: ResourceRepresentable>(_ inner: Inner) throws {
            try session.elementWriter(for: Inner.self).writeObject(inner, session, as: number, at: place, node: node)
        }
        session.nameCheck?.open(node)
        try write(value.resource)
    }

    override func meet(
        _ value: borrowing Union, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node,
        in elements: [Union], at index: Int, _ holder: inout Int?
    ) {
        meet(value, identifier, type, session, node)
    }

    override func meet(
        _ value: borrowing Union, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node
    ) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            session.elementWriter(for: Inner.self).meet(inner, identifier, type, session, node)
        }
        session.nameCheck?.open(node)
        meet(value.resource)
    }
}
