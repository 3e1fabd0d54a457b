import JSONText

/// A type that primary data can be read as: a `Resource`, a `ResourceUnion`, `ResourceObject` or `ResourceIdentifier`, an optional one
/// (`data` may be null), or an array of them. Use `NoData` for documents without `data`.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-top-level>
public protocol PrimaryValue: Sendable {
    /// Implemented by this library.
    static func _decode(_ source: PrimarySource) throws -> Self
    /// Implemented by this library.
    func _encode(_ target: PrimaryTarget) throws
}

/// The destination that primary data is written to.
public struct PrimaryTarget {
    let session: EncodingSession
}

/// The source that primary data is read from.
public struct PrimarySource {
    let session: DecodingSession

    package init(session: DecodingSession) { self.session = session }
}

/// The primary data of a document without `data`, which has only meta or members of an extension. If a document has `data` all the same, it
/// is ignored, with a diagnostic.
public struct NoData: PrimaryValue, Hashable {
    /// Creates the value for no data.
    public init() {}
    public static func _decode(_ source: PrimarySource) throws -> NoData {
        let data = source.session.document.layout.data
        if data != 0 { source.session.report(.ignoredData, at: data, "it is ignored, because the document is read as Document<NoData>") }
        return NoData()
    }
    public func _encode(_ target: PrimaryTarget) throws {}
}

/// One element of primary data.
public protocol PrimaryElement: PrimaryValue {
    /// Implemented by this library.
    static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self
    /// Implemented by this library.
    static func _encode(_ elements: [Self], isArray: Bool, _ target: PrimaryTarget) throws
}

extension PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> Self { try source.one(Self.self) }
    public func _encode(_ target: PrimaryTarget) throws { try Self._encode([self], isArray: false, target) }
}

extension PrimaryElement where Self: ResourceRepresentable {
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self { try source.resource(Self.self, ordinal) }
    public static func _encode(_ elements: [Self], isArray: Bool, _ target: PrimaryTarget) throws {
        try target.resources(elements, isArray: isArray)
    }
}

extension ResourceObject: PrimaryElement {
    public static func _encode(_ elements: [Self], isArray: Bool, _ target: PrimaryTarget) throws {
        // The resources were read from the linkage of a relationship. The resources that it names are included.
        if let document = target.session.document, document.index.primaryIsLinkage, document.layout.included != 0 {
            let identifiers = elements.compactMap(\.bareIdentifier)
            if identifiers.count == elements.count { return try target.identifiers(identifiers, isArray: isArray) }
        }
        try target.resources(elements, isArray: isArray)
    }
}

extension ResourceObject {
    /// The object as an identifier; nil when it has fields or links, or neither id nor lid.
    fileprivate var bareIdentifier: ResourceIdentifier? {
        guard attributes == nil, relationships == nil, links == nil else { return nil }
        return ResourceIdentifier(members: members).flatMap { $0.isWithoutIdentity ? nil : $0 }
    }
}

extension ResourceIdentifier: PrimaryElement {
    public static func _element(_ source: PrimarySource, _ ordinal: Int) throws -> Self {
        let (session, word) = (source.session, Int(source.session.entries[ordinal].word))
        try DocumentSurvey.check(identifier: word, of: session.document)
        return session.identifier(try session.identifierEntry(word)).withoutFields
    }
    public static func _encode(_ elements: [Self], isArray: Bool, _ target: PrimaryTarget) throws {
        try target.identifiers(elements, isArray: isArray)
    }
}

extension Optional: PrimaryValue where Wrapped: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> Wrapped? {
        let data = try source.data()
        return source.session.view.isNull(data) ? nil : try source.one(Wrapped.self)
    }

    public func _encode(_ target: PrimaryTarget) throws {
        if let self { return try self._encode(target) }
        target.session.output.name("data")
        target.session.output.null()
    }
}

extension Array: PrimaryValue where Element: PrimaryElement {
    public static func _decode(_ source: PrimarySource) throws -> [Element] { try source.many(Element.self) }
    public func _encode(_ target: PrimaryTarget) throws { try Element._encode(self, isArray: true, target) }
}

extension PrimarySource {
    /// The index of the word of `data` on the tape.
    func data() throws -> Int {
        let layout = session.document.layout
        guard layout.data != 0 else {
            throw session.failure(
                .missingMember, at: session.view.root, expected: "the member `data`", found: "a document without it",
                advice: layout.meta != 0 ? "use Document<NoData> for documents with only meta" : nil)
        }
        return layout.data
    }

    func one<Element: PrimaryElement>(_ type: Element.Type) throws -> Element {
        let data = try data()
        switch session.view.kind(at: data) {
        case .object: return try Element._element(self, 0)
        case .null:
            throw session.failure(.unexpectedNull, at: data, expected: "one resource", advice: "ask for \(type)? when there may be none")
        default:
            throw session.failure(.cardinality, at: data, expected: "one resource", found: "an array", advice: "ask for [\(type)]")
        }
    }

    func many<Element: PrimaryElement>(_ type: Element.Type) throws -> [Element] {
        let data = try data()
        switch session.view.kind(at: data) {
        case .array: break
        case .null where session.options.leniencies.contains(.nullToMany):
            session.report(.leniency(.nullToMany), at: data, "null for a collection was read as an empty one")
            return []
        default:
            throw session.failure(
                .cardinality, at: data, expected: "an array of resources",
                advice: session.view.isObject(data) ? "ask for \(type)" : "set the leniency nullToMany to read it as empty")
        }
        let total = session.document.index.primaryCount
        var elements: [Element] = []
        elements.reserveCapacity(total)
        for ordinal in 0..<total {
            do {
                elements.append(try Element._element(self, ordinal))
            } catch let error where session.dropsElement(error, at: Int(session.entries[ordinal].word)) {
                continue
            }
        }
        return elements
    }

    func resource<Element: ResourceRepresentable>(_ type: Element.Type, _ ordinal: Int) throws -> Element {
        let plan = session.elementPlan(for: type)
        let typeWord = Int(session.entries[ordinal].type)
        if typeWord == 0 { try session.checkIsObject(Int(session.entries[ordinal].word), "a resource object") }
        guard typeWord == 0 || plan.accepts(session, typeAt: typeWord) else {
            throw session.unexpectedType(ofResource: ordinal, [plan.requiredType ?? ""])
        }
        return try plan.value(session, ordinal, through: 0)
    }
}

// MARK: - Writing

extension PrimaryTarget {
    /// Writes resource objects. All identities are noted before the first is written, so that `included` repeats none of them.
    func resources<Element: ResourceRepresentable>(_ values: [Element], isArray: Bool) throws {
        let writer = session.elementWriter(for: Element.self)
        let holder = writer.hold(values, session)
        let isOfUnion = writer.isOfUnion
        let numbers = try (0..<values.count).map { index in
            let waiting = isOfUnion ? nil : WaitingValue(holder: holder, index: index)
            return try values.borrow(index) { try writer.notePrimary($0, session, at: place(index, isArray), waiting: waiting) }
        }
        session.output.name("data")
        if isArray { session.output.beginArray() }
        for (index, number) in numbers.enumerated() {
            let mark = session.output.mark
            try session.write(
                WaitingValue(holder: holder, index: index), as: number ?? session.keep(ResourceIdentifier(ofObject: "")),
                at: place(index, isArray), node: session.tree.root)
            if let number { session.included.set(session.output.range(from: mark), for: number) }
        }
        if isArray { session.output.endArray() }
    }

    /// Writes identifiers: the linkage of a relationship. Resources that they refer to in a document that was read may be included.
    func identifiers(_ identifiers: [ResourceIdentifier], isArray: Bool) throws {
        session.resource.place = ObjectPlace("data")
        session.output.name("data")
        let linkage = isArray ? Linkage.many(identifiers) : identifiers.first.map(Linkage.one) ?? .null
        try session.write(linkage.withoutFields, into: session.output, at: [])
        guard let resolver = session.resolver, session.tree.root == IncludeTree.everything else { return }
        for identifier in identifiers { session.meet(identifier, through: resolver, IncludeTree.everything) }
    }

    private func place(_ index: Int, _ isArray: Bool) -> ObjectPlace { ObjectPlace("data", index: isArray ? index : nil) }
}
