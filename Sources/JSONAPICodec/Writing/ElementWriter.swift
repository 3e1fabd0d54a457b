import JSONText

/// Values of one Swift type that wait to be written: those of an array, or a single one.
package class WaitingValues {
    /// The Swift type of the values.
    package final let type: ObjectIdentifier
    /// The Swift type of the values, for a call that needs more than its identity.
    var model: Any.Type { ResourceObject.self }

    fileprivate init(of type: Any.Type) { self.type = ObjectIdentifier(type) }

    /// Returns the fields that a request leaves out when it creates one of the values.
    func restrictedFields(_ index: Int) -> [String] { [] }

    /// Writes one of the values as a whole resource object.
    func write(_ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {}
}

/// A single waiting value.
package struct WaitingValue {
    /// The index of the `WaitingValues` in `IncludedResources`. A reference would be counted at each of the several copies of a value: 8 %
    /// of the time of direct encoding.
    let holder: Int
    let index: Int
}

/// Waiting values with their static type.
class WaitingElements<Element: ResourceRepresentable>: WaitingValues {
    fileprivate let writer: ElementWriter<Element>

    fileprivate init(_ writer: ElementWriter<Element>) {
        self.writer = writer
        super.init(of: Element.self)
    }

    override final var model: Any.Type { Element.self }

    fileprivate func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool { false }
}

/// The values of an array, which it keeps.
final class WaitingArray<Element: ResourceRepresentable>: WaitingElements<Element> {
    private let elements: [Element]

    required init(_ elements: [Element], _ writer: ElementWriter<Element>) {
        self.elements = elements
        super.init(writer)
    }

    override func write(_ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        try elements.borrow(index) { try writer.writeObject($0, session, as: number, at: place, node: node) }
    }

    override func restrictedFields(_ index: Int) -> [String] { FieldRestriction.whenCreating(elements[index].resourceType) }

    override func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool {
        let elements = elements
        let span = elements.span
        return span.borrow(index, value) { comparison.areEqual($0, $1) }
    }
}

/// A single value.
private final class WaitingOne<Element: ResourceRepresentable>: WaitingElements<Element> {
    private let element: Element

    init(_ element: Element, _ writer: ElementWriter<Element>) {
        self.element = element
        super.init(writer)
    }

    override func write(_ index: Int, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node) throws {
        try writer.writeObject(element, session, as: number, at: place, node: node)
    }

    override func restrictedFields(_ index: Int) -> [String] { FieldRestriction.whenCreating(element.resourceType) }

    override func isEqual(_ index: Int, to value: borrowing Element, by comparison: ValueComparison<Element>) -> Bool {
        comparison.areEqual(element, value)
    }
}

extension Array {
    /// Calls `body` with an element, without the copy that unspecialized code makes of each element.
    @inline(__always)
    func borrow<Result>(_ index: Int, _ body: (borrowing Element) throws -> Result) rethrows -> Result { try span.borrow(index, body) }
}

extension Span where Element: ~Copyable {
    /// Calls `body` with an element and another value.
    @inline(__always)
    fileprivate func borrow<Result>(
        _ index: Int, _ other: borrowing Element, _ body: (borrowing Element, borrowing Element) -> Result
    ) -> Result {
        body(self[index], other)
    }

    @inline(__always)
    fileprivate func borrow<Result>(_ index: Int, _ body: (borrowing Element) throws -> Result) rethrows -> Result { try body(self[index]) }
}

/// Writes values of one Swift type as resource objects.
package class ElementWriter<Element: ResourceRepresentable> {
    private let comparison = ValueComparison.make(for: Element.self)
    private let elementType = ObjectIdentifier(Element.self)
    // Looked up once for each type, not for each array.
    private let arrayType = WaitingArray<Element>.self
    /// The index of the last value's type: a guess, which is compared before it is used.
    // Unchecked: one thread uses a session, and nothing calls back while it changes.
    @safe @exclusivity(unchecked) final var typeHint = 0

    /// Whether the values are those of a union, behind whose references resources of other types may be another time.
    var isOfUnion: Bool { false }

    /// Writes the whole object, including its braces.
    package func writeObject(
        _ value: borrowing Element, _ session: EncodingSession, as number: Int, at place: ObjectPlace, node: IncludeTree.Node
    ) throws {
        try session.beginResource(number, at: place, node: node)
        try writeProperties(of: value, to: session)
        if let probe = try session.beginNilProbe() {
            try writeProperties(of: value, to: probe)
            try session.noteClearedPaths(probe)
        }
        session.noteReadPaths(of: Element.self)
        if session.writesAll { session.noteCompletion(by: copy value) }
        try session.preferLinksAtPaths()
        try session.endResource()
    }

    /// Writes the properties of a value to the resource object that was begun.
    func writeProperties(of value: borrowing Element, to session: EncodingSession) throws { try value.encode(to: ResourceEncoder(session)) }

    // MARK: - Meeting values

    /// Notes a related value.
    ///
    /// - Parameter giver: The cell that gave the value; nil for an embedded value.
    package final func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ session: EncodingSession, _ node: IncludeTree.Node,
        from giver: AnyObject?
    ) {
        meet(value, identifier, session.types.number(of: identifier.type, near: typeHint), session, node, from: giver)
    }

    /// Notes a single related value whose type was looked up.
    func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node,
        from giver: AnyObject?
    ) {
        let meeting = meeting(value, identifier, type, session, node)
        guard meeting.needsValue else { return }
        let kept = keep(value, session)
        session.note(meeting, kept, node)
        guard meeting.isOther else { return }
        session.noteOther(meeting, kept, node, from: object(value) ?? giver)
    }

    /// Notes a related value in an array whose type was looked up.
    ///
    /// - Parameter holder: The index of the array, once some of its values wait.
    func meet(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession,
        _ node: IncludeTree.Node, in elements: [Element], at index: Int, _ holder: inout Int?
    ) {
        let meeting = meeting(value, identifier, type, session, node)
        guard meeting.needsValue else { return }
        let number = holder ?? hold(elements, session)
        holder = number
        let waiting = WaitingValue(holder: number, index: index)
        session.note(meeting, waiting, node)
        guard meeting.isOther else { return }
        session.noteOther(meeting, waiting, node, from: object(value))
    }

    @inline(__always)
    private func meeting(
        _ value: borrowing Element, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node
    ) -> EncodingSession.Meeting {
        typeHint = type
        var meeting = session.meet(identifier, type, node)
        if !meeting.isNew, let first = session.included.value(meeting.number) {
            if let (isEqual, isSame) = compared(value, first, session), !isSame {
                meeting.difference = difference(value, isEqual, meeting.number, session, node)
            }
        }
        return meeting
    }

    /// Returns whether a value is equal to one that waits, and whether it also leads to the same resources. Nil for a value of another type,
    /// which is not compared.
    @inline(__always)
    private func compared(
        _ value: borrowing Element, _ waiting: WaitingValue, _ session: EncodingSession
    ) -> (isEqual: Bool, isSame: Bool)? {
        let values = session.included.values(of: waiting)
        guard values.type == elementType else { return nil }
        session.watch.sawOther = false
        let isEqual = KnownObject.of(values, as: WaitingElements<Element>.self).isEqual(waiting.index, to: value, by: comparison)
        return (isEqual, isEqual && !session.watch.sawOther)
    }

    /// Returns what to do with a value that is not the same as the first one with its identity.
    @inline(never)
    private func difference(
        _ value: borrowing Element, _ isEqual: Bool, _ number: Int, _ session: EncodingSession, _ node: IncludeTree.Node
    ) -> EncodingSession.Meeting.Difference {
        guard isEqual ? session.tree.leadsOn(node) : session.comparesValues else { return .ignored }
        // The same value is often met many times in a row.
        if let last = session.included.lastOther(number), last.node == node, compared(value, last.value, session)?.isSame == true {
            return .ignored
        }
        return isEqual ? .equal : .doubtful
    }

    /// Returns the object that a value of a class is; nil for other values.
    private func object(_ value: borrowing Element) -> AnyObject? { Element.self is AnyObject.Type ? (copy value as AnyObject) : nil }

    /// Keeps an array until its values are written, and returns its index.
    final func hold(_ elements: [Element], _ session: EncodingSession) -> Int { session.included.hold(arrayType.init(elements, self)) }

    private func keep(_ value: borrowing Element, _ session: EncodingSession) -> WaitingValue {
        WaitingValue(holder: session.included.hold(WaitingOne(copy value, self)), index: 0)
    }

    /// Keeps a primary value, with which later values of its identity are compared.
    fileprivate func keepPrimary(_ value: borrowing Element, _ session: EncodingSession) -> WaitingValue { keep(value, session) }

    /// Notes a primary value, and returns its index. Throws when it has no identity, and when an earlier one has the same. Raw resources of
    /// a document that was read, such as a request to create one, may have no identity; then this returns nil.
    ///
    /// - Parameter waiting: The value in an array that keeps it. Nil for the value of a union, because the resource inside is kept.
    @discardableResult
    package final func notePrimary(
        _ value: borrowing Element, _ session: EncodingSession, at place: ObjectPlace, waiting: WaitingValue? = nil
    ) throws -> Int? {
        guard let identifier = value.identifier else {
            if Element.self == ResourceObject.self, session.document != nil { return nil }
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer(tokens: place.tokens), expected: "a resource with an id", found: "a resource without one",
                advice: "use Create for a resource that the server will create")
        }
        let (number, isNew) = session.included.enter(identifier, isPrimary: true)
        guard isNew else {
            throw EncodingFailure(
                .duplicateResource, at: JSONPointer(tokens: place.tokens), resource: identifier,
                expected: "each resource once in the primary data", found: "a resource that occurs twice",
                advice: "remove one of the two values, or give them different ids")
        }
        let kept = if let waiting { waiting } else { keepPrimary(value, session) }
        session.included.set(kept, for: number)
        if session.tree.root >= 0 { _ = session.included.visit(number, session.tree.root) }
        return number
    }
}

/// Compares values of one type, with the equality of that type.
class ValueComparison<Value> {
    func areEqual(_ a: borrowing Value, _ b: borrowing Value) -> Bool { false }

    /// Returns the comparison for a type. Without `Equatable`, and without identity as an object of a class, no two values are equal.
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

/// Writes resources that do not use `Codable`.
final class DirectElementWriter<Model: DirectResource>: ElementWriter<Model> {
    override func writeProperties(of value: borrowing Model, to session: EncodingSession) throws {
        try value.write(to: ResourceWriter(session))
        if let check = session.nameCheck { check.note(direct: Model.self, session) }
    }
}

/// Writes the values of a union: the resource inside is written as its own type.
final class UnionWriter<Union: ResourceUnion>: ElementWriter<Union> {
    override var isOfUnion: Bool { true }

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
        meet(value, identifier, type, session, node, from: nil)
    }

    override func meet(
        _ value: borrowing Union, _ identifier: ResourceIdentifier, _ type: Int, _ session: EncodingSession, _ node: IncludeTree.Node,
        from giver: AnyObject?
    ) {
        func meet<Inner: ResourceRepresentable>(_ inner: Inner) {
            session.elementWriter(for: Inner.self).meet(inner, identifier, type, session, node, from: giver)
        }
        session.nameCheck?.open(node)
        meet(value.resource)
    }

    /// Keeps the resource inside, so that it is compared with other values of its own type.
    override func keepPrimary(_ value: borrowing Union, _ session: EncodingSession) -> WaitingValue {
        func keep<Inner: ResourceRepresentable>(_ inner: Inner) -> WaitingValue {
            session.elementWriter(for: Inner.self).keepPrimary(inner, session)
        }
        return keep(value.resource)
    }
}
