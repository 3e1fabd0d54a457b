import JSONText

/// What references resolve through: the parsed document, and the values already made that hold no references themselves.
///
/// Holding no references is what keeps memory clean: a kept value that referred back to this resolver would keep itself
/// alive. Values with references are read again when they are asked for, which costs that one resource.
///
/// `@unchecked Sendable`: `kept` is written once, by `adopt`, before the decoder returns.
final class ReferenceResolver: @unchecked Sendable {
    let document: ParsedDocument
    private var kept: [ObjectIdentifier: any Sendable] = [:]

    init(_ document: ParsedDocument) { self.document = document }

    /// Keeps what a session has made, at its end.
    func adopt(_ plans: [ObjectIdentifier: AnyElementPlan]) {
        kept = plans.compactMapValues { $0.keptValues() }
    }

    /// The resource with this identity as a value; nil when it is not in the document or of a type that `Target` is not for.
    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        guard let ordinal = document.index.ordinal(of: identifier, document.view) else { return nil }
        return try value(type, ordinal)
    }

    func value<Target: ResourceRepresentable>(_ type: Target.Type, _ ordinal: Int) throws -> Target? {
        if let values = kept[ObjectIdentifier(type)] as? KeptValues<Target>, let value = values[ordinal] { return value }
        let session = DecodingSession(document, resolver: self)
        let plan = session.elementPlan(for: type)
        guard plan.accepts(session, typeAt: Int(document.index.entries[ordinal].type)) else { return nil }
        return try plan.value(session, ordinal, through: 0)
    }
}

/// The members of a relationship object beside its data: links, meta, others.
final class RelationshipDetails: Sendable, Hashable {
    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    static func == (a: RelationshipDetails, b: RelationshipDetails) -> Bool { a.members == b.members }
    func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
