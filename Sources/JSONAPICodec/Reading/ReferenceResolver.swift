import JSONText

/// What references resolve through: the document they came from, or a source of single resources.
class ReferenceResolver: @unchecked Sendable {
    /// The resource with this identity as a value; nil when it is not at hand or of a type that `Target` is not for.
    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? { nil }

    /// The resource with this identity as it was read; nil when it is not at hand.
    func locate(_ identifier: ResourceIdentifier) -> LocatedResource? { nil }
}

/// A resource object of a parsed document, and what its own relationships resolve through.
struct LocatedResource {
    let document: ParsedDocument
    let ordinal: Int
    let resolver: ReferenceResolver
}

/// Resolves through a parsed document, and through the values already made that hold no references themselves.
///
/// Holding no references is what keeps memory clean: a kept value that referred back to this resolver would keep itself
/// alive. Values with references are read again when they are asked for, which costs that one resource.
///
/// `@unchecked Sendable`: `kept` is written by `adopt` only, before the decoder returns.
final class DocumentResolver: ReferenceResolver, @unchecked Sendable {
    let document: ParsedDocument
    /// Tables of values, by their types.
    private let kept = TypeTable(capacity: 8)

    init(_ document: ParsedDocument) { self.document = document }

    /// Keeps what a session has made, at its end.
    ///
    /// - Parameter table: of cells for values of that type.
    func adopt(_ table: ReferenceTable, of type: Any.Type) { kept.insert(table, for: ObjectIdentifier(type)) }

    /// The cell of a value that is kept.
    func cell(_ type: Any.Type, _ ordinal: Int) -> ReferenceCell? {
        kept.object(for: ObjectIdentifier(type), as: ReferenceTable.self)?[ordinal]
    }

    override func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        guard let ordinal = document.index.ordinal(of: identifier, document.view) else { return nil }
        return try value(type, ordinal)
    }

    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinal: Int) throws -> Target? {
        if let value = cell(type, ordinal)?.value(type) { return value }
        let memory = DecodingPool.shared.take()
        var session = DecodingSession(document, resolver: self, tables: memory.tables)
        defer {
            // A model may have kept a decoder or container, which reads through the session.
            let isOver = isKnownUniquelyReferenced(&session)
            session.end(isOver: false)
            if isOver { DecodingPool.shared.giveBack(memory) }
        }
        return try read(type, ordinal, session)
    }

    /// A function of its own, so that nothing else holds the session when it is looked at again.
    @inline(never)
    private func read<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinal: Int, _ session: DecodingSession) throws -> Target? {
        let plan = session.elementPlan(for: type)
        guard plan.accepts(session, typeAt: Int(document.index.entries[ordinal].type)) else { return nil }
        return try plan.value(session, ordinal, through: 0)
    }

    override func locate(_ identifier: ResourceIdentifier) -> LocatedResource? {
        let index = document.index
        guard let ordinal = index.ordinal(of: identifier, document.view) else { return nil }
        // The primary data of a relationship's document are identifiers, no resources.
        guard ordinal >= index.primaryCount || !index.primaryIsLinkage else { return nil }
        return LocatedResource(document: document, ordinal: ordinal, resolver: self)
    }
}

/// The members of a relationship object beside its data: links, meta, others.
final class RelationshipDetails: Sendable, Hashable {
    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    static func == (a: RelationshipDetails, b: RelationshipDetails) -> Bool { a.members == b.members }
    func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
