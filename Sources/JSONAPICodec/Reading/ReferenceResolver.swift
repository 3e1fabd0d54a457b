import JSONText

/// Resolves references, through the document that they came from or through a source of single resources.
///
/// While a thread reads models whose references it resolves, it gives that thread no values: the models would read each other without end.
/// While the document itself is read, it gives none to any thread.
///
/// `@unchecked Sendable`: `lock` protects the variables.
package class ReferenceResolver: @unchecked Sendable {
    private let lock = Lock()
    /// The threads that read such models, once for each session.
    private var readers: [UInt] = []
    private var adoptedCuts: [ResourceIdentifier: Set<ByteText>] = [:]
    private var cutModels: [CutRelationship: any ResourceRepresentable.Type] = [:]

    /// The decoder whose strategies read the resources.
    var options: JSONAPIDecoder? { nil }

    /// Whether what the resolver knows does not change any more.
    var isReady: Bool { true }

    /// What the values come from. Two resolvers with the same origin lead to the same resources.
    var origin: AnyObject { self }

    /// Returns the resource with the given identity as a value; nil when it is not available, and when `Target` does not accept its type.
    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? { nil }

    /// Returns the resource as a value that no other document shares, so that it is what is there now.
    func newValue<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        try value(type, identifier)
    }

    /// Returns the resource with the given identity as it was read; nil when it is not available. Throws when it exists but cannot be read.
    func locate(_ identifier: ResourceIdentifier) throws -> LocatedResource? { nil }
}

extension ReferenceResolver {
    func beginReading() { lock.withLock { readers.append(RunningThread.number) } }

    func endReading() { lock.withLock { if let index = readers.lastIndex(of: RunningThread.number) { readers.remove(at: index) } } }

    /// The relationships that embedded values of resources lack, because they would contain themselves.
    var cuts: [ResourceIdentifier: Set<ByteText>] { lock.withLock { adoptedCuts } }

    /// Returns the model of the resources in a relationship that embedded values lack.
    func model(ofCut relationship: CutRelationship) -> (any ResourceRepresentable.Type)? { lock.withLock { cutModels[relationship] } }

    /// Keeps what embedded values lack, when a session ends.
    func adopt(cuts: [(ResourceIdentifier, Set<ByteText>)], _ models: [CutRelationship: any ResourceRepresentable.Type]) {
        lock.withLock {
            cutModels.merge(models) { first, _ in first }
            for (identifier, names) in cuts { adoptedCuts[identifier, default: []].formUnion(names) }
        }
    }

    private func checkIsNotReading() throws {
        guard !isReady || lock.withLock({ readers.contains(RunningThread.number) }) else { return }
        throw DecodingFailure(
            .cycle, at: .root, expected: "a reference whose document has been read", found: "one that is followed while its model is read",
            advice: "follow it after decoding; or declare the relationship as the model itself, which is embedded"
        ).decodingError(codingPath: [])
    }

    /// Returns the value of a reference, which may have a cell. A resource with neither id nor lid is found by the cell that was made for it.
    func value<Target: ResourceRepresentable>(
        _ type: Target.Type, _ identifier: ResourceIdentifier, in cell: ReferenceCell?
    ) throws -> Target? {
        try checkIsNotReading()
        guard identifier.id == nil, identifier.lid == nil, let cell else { return try value(type, identifier) }
        if let value = cell.value(type) { return value }
        guard let ordinal = cell.ordinal, let resolver = self as? DocumentResolver else { return nil }
        return try resolver.value(type, ordinal)
    }
}

/// A relationship that some values of resources lack.
struct CutRelationship: Hashable {
    /// The type of the resources.
    let type: ByteText
    let name: ByteText
}

/// A resource object of a parsed document, and the resolver for its relationships.
struct LocatedResource {
    let document: ParsedDocument
    let ordinal: Int
    let resolver: ReferenceResolver
}

/// Resolves references through a parsed document, and through the values that the session has already made.
///
/// It keeps a value only when the value cannot refer back to it, because such a value would keep itself alive; see `ReferenceGraph`. Other
/// values are read again on each access, at the cost of that one resource.
///
/// `@unchecked Sendable`: only `adopt` writes to `kept`, before the first session ends.
final class DocumentResolver: ReferenceResolver, @unchecked Sendable {
    let document: ParsedDocument
    /// Tables of values, by their types.
    private let kept = TypeTable(capacity: 8)

    /// Set when the document has been read; nil when it was read before.
    private let isFinished: SharedFlag?

    init(_ document: ParsedDocument, _ isFinished: SharedFlag? = nil) {
        self.document = document
        self.isFinished = isFinished
    }

    override var isReady: Bool { isFinished?.isSet ?? true }

    override var options: JSONAPIDecoder? { document.options }

    /// Keeps the values that a session has made, when the session ends.
    ///
    /// - Parameter table: The cells for values of that type.
    func adopt(_ table: ReferenceTable, of type: Any.Type) { kept.insert(table, for: ObjectIdentifier(type)) }

    /// Returns the cell of a resource; nil when there is none.
    func cell(_ type: Any.Type, _ ordinal: Int) -> ReferenceCell? {
        kept.object(for: ObjectIdentifier(type), as: ReferenceTable.self)?[ordinal]
    }

    override func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        guard let ordinal = document.index.ordinal(of: identifier, document.view) else { return nil }
        return try value(type, ordinal)
    }

    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinal: Int) throws -> Target? {
        if let value = cell(Target.self, ordinal)?.value(Target.self) { return value }
        return try withSession { try read(Target.self, ordinal, $0) }
    }

    /// Returns the resources at these ordinals as values, in one session, so that what several of them embed is read once. A decoder whose
    /// `invalidElements` is `drop` leaves out those that cannot be read.
    func values<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinals: [Int]) throws -> [Target] {
        try withSession { session in
            try ordinals.compactMap { ordinal in
                if let value = cell(Target.self, ordinal)?.value(Target.self) { return value }
                session.restartExpansions()
                do {
                    return try read(type, ordinal, session)
                } catch let error where session.dropsElement(error, at: Int(document.index.entries[ordinal].word)) {
                    return nil
                }
            }
        }
    }

    /// Runs `body` with a session for single resources. Its errors have their words, so that they do not keep the document.
    @inline(never)
    private func withSession<Result>(_ body: (DecodingSession) throws -> Result) throws -> Result {
        let memory = DecodingPool.take()
        var session = DecodingSession(document, resolver: self, tables: memory.tables)
        defer {
            // A model may have kept a decoder or container, which reads through the session.
            let isOver = isKnownUniquelyReferenced(&session)
            session.end(isOver: false)
            if isOver { DecodingPool.giveBack(memory) }
        }
        do {
            return try body(session)
        } catch {
            throw ErrorRelocation().moved(error)
        }
    }

    /// A separate function, so that nothing else holds the session when the caller looks at it again.
    @inline(never)
    private func read<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinal: Int, _ session: DecodingSession) throws -> Target? {
        let plan = session.elementPlan(for: type)
        guard plan.accepts(session, typeAt: Int(document.index.entries[ordinal].type)) else { return nil }
        return try plan.value(session, ordinal, through: 0)
    }

    override func locate(_ identifier: ResourceIdentifier) -> LocatedResource? {
        let index = document.index
        guard let ordinal = index.ordinal(of: identifier, document.view) else { return nil }
        // The primary data of a relationship's document consists of identifiers, not of resources.
        guard ordinal >= index.primaryCount || !index.primaryIsLinkage else { return nil }
        return LocatedResource(document: document, ordinal: ordinal, resolver: self)
    }
}

/// The members of a relationship object other than its data: links, meta and others.
final class RelationshipDetails: Sendable, Hashable {
    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    /// Whether a relationship object may have these members only, without `data`.
    ///
    /// <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
    var areEnough: Bool { RelationshipObject(members: members).isEnoughWithoutData }

    static func == (a: RelationshipDetails, b: RelationshipDetails) -> Bool { a.members == b.members }
    func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
