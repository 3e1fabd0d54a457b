import JSONText

// Plans that make values from a resource object, for each kind of Swift type.

/// Makes values of a model type with `Codable`.
class ResourcePlan<Model: Resource>: ElementPlan<Model> {
    required init(_ session: DecodingSession) { super.init(session, requiredType: Model.type) }

    override func readModel() { require(Model.type) }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(from: ResourceDecoder(session: session, ordinal: ordinal))
    }
}

/// Makes values of a model type with a direct initializer.
final class DirectResourcePlan<Model: DirectResource>: ResourcePlan<Model> {
    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(resource: ResourceView(session, ordinal))
    }
}

/// Makes values of a union: with the table's row for the resource's type, or from the raw object.
final class UnionPlan<Union: ResourceUnion>: ElementPlan<Union> {
    private var members = Union.members

    override func readModel() { members = Union.members }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Union {
        if let member = member(session, ordinal) { return try member.make(session, ordinal) }
        if session.options.unknownTypes == .throw { throw session.unexpectedType(ofResource: ordinal, members.map(\.type)) }
        session.report(
            .unknownType, at: Int(session.entries[ordinal].word), "a resource of a type that \(Union.self) does not name; it is kept raw")
        return .unknown(ResourceObject(members: session.object(at: Int(session.entries[ordinal].word))))
    }

    override func isMemberInProgress(_ session: DecodingSession, _ ordinal: Int) -> Bool {
        member(session, ordinal)?.plan(session).isInProgress(session, ordinal) ?? false
    }

    /// Returns the table's row for the resource's type.
    private func member(_ session: DecodingSession, _ ordinal: Int) -> UnionMember<Union>? {
        let type = Int(session.entries[ordinal].type)
        return type == 0 ? nil : members.first { session.view.string(at: type, equals: $0.type) }
    }
}

/// Makes raw resource objects.
final class RawResourcePlan: ElementPlan<ResourceObject> {
    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> ResourceObject {
        ResourceObject(members: session.object(at: Int(session.entries[ordinal].word)))
    }
}

extension DecodingSession {
    /// Returns the failure for a resource whose type the model does not accept.
    func unexpectedType(ofResource ordinal: Int, _ expected: [String]) -> DecodingFailure {
        let entry = entries[ordinal]
        return unexpectedType(at: Int(entry.type == 0 ? entry.word : entry.type), expected)
    }

    /// Returns the failure for a type, or for a resource without a type.
    func unexpectedType(at word: Int, _ expected: [String]) -> DecodingFailure {
        // A document with a source may be a part of another one, which has more types.
        let present = resolver is SourceResolver ? [] : presentTypes
        return DecodingFailure(.unexpectedType, note(at: word, .resourceType(expected: expected, present: present)))
    }
}
