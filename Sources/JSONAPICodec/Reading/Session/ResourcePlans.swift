import JSONText

// How values are made of a resource object, by the kind of the Swift type.

/// Values of a model type, through `Codable`.
final class ResourcePlan<Model: Resource>: ElementPlan<Model> {
    required init(_ session: DecodingSession) { super.init(session, requiredType: Model.type) }

    override func readModel() { require(Model.type) }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(from: ResourceDecoder(session, ordinal))
    }
}

/// Values of a model type with a direct initialiser.
final class DirectResourcePlan<Model: DirectResource>: ElementPlan<Model> {
    required init(_ session: DecodingSession) { super.init(session, requiredType: Model.type) }

    override func readModel() { require(Model.type) }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(resource: ResourceView(session, ordinal))
    }
}

/// Values of a union: the table's row for the resource's type, or the raw object.
final class UnionPlan<Union: ResourceUnion>: ElementPlan<Union> {
    private var members = Union.members

    override func readModel() { members = Union.members }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Union {
        let type = Int(session.entries[ordinal].type)
        if type != 0, let member = members.first(where: { session.view.string(at: type, equals: $0.type) }) {
            return try member.make(session, ordinal)
        }
        if session.options.unknownTypes == .throw {
            throw session.unexpectedType(at: ordinal, NearestName.list(members.map(\.type)))
        }
        session.report(
            .unknownType, at: Int(session.entries[ordinal].word), "a resource of a type that \(Union.self) does not name, kept raw")
        return .unknown(ResourceObject(members: session.view.object(at: Int(session.entries[ordinal].word))))
    }
}

/// Raw resource objects.
final class RawResourcePlan: ElementPlan<ResourceObject> {
    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> ResourceObject {
        ResourceObject(members: session.view.object(at: Int(session.entries[ordinal].word)))
    }
}

extension DecodingSession {
    /// The failure for a resource of a type that the model is not for.
    func unexpectedType(at ordinal: Int, _ expected: String) -> DecodingFailure {
        let entry = entries[ordinal]
        return failure(
            .unexpectedType, at: entry.type == 0 ? Int(entry.word) : Int(entry.type), expected: "a resource of type \(expected)",
            found: "a resource of type `\(entry.type == 0 ? "" : view.string(at: Int(entry.type)))`",
            advice: "several types in one place need a ResourceUnion")
    }
}
