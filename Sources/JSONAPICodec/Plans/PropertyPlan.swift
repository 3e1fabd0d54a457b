import JSONText

/// How a property of one Swift type is read from a resource object. One instance per type and session.
///
/// The base class reads attributes; relationships and markers override where to look.
class PropertyPlan<Value> {
    /// Whether the property is a relationship.
    var readsRelationships: Bool { false }

    /// Whether the property is an attribute, or the identity.
    var readsAttributes: Bool { !readsRelationships }

    /// Reads a plain JSON value, wherever it stands.
    func decode(_ session: DecodingSession, at word: Int) throws -> Value {
        throw session.failure(.wrongType, at: word, expected: "\(Value.self)")
    }

    /// Reads the property `name` of a resource. Throws when it is missing.
    func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        switch session.place(of: name, in: ordinal) {
        case .value(let word): return try decode(session, at: word)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent: return try absent(session, ordinal, name)
        }
    }

    /// A function of its own: where it was inlined, the runtime was asked for the type of the optional on every way, which took
    /// 3 % of decoding a compound document.
    @inline(never)
    private func absent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        if name.isType, let type = session.assumedTypes[ordinal] as? Value { return type }
        throw session.missing(name.description, in: ordinal, as: Value.self)
    }

    /// The same, nil when the property is missing or null.
    func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        switch session.place(of: name, in: ordinal) {
        case .value(let word): return session.view.isNull(word) ? nil : try decode(session, at: word)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent: return name.isType ? assumedType(session, ordinal) : nil
        }
    }

    @inline(never)
    private func assumedType(_ session: DecodingSession, _ ordinal: Int) -> Value? { session.assumedTypes[ordinal] as? Value }

    /// Reads an `id` or `type` member: a string on the wire, whatever the Swift type.
    func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value {
        try decode(session, at: word)
    }
}

/// Any `Decodable` type, through its own `init(from:)`.
final class CodablePlan<Value: Decodable>: PropertyPlan<Value> {
    override func decode(_ session: DecodingSession, at word: Int) throws -> Value {
        try session.nest()
        defer { session.unnest() }
        do {
            return try Value(from: ValueDecoder(session, word))
        } catch let error as DecodingError {
            throw session.located(error, at: word, as: Value.self)
        }
    }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value {
        guard let type = Value.self as? any ResourceID.Type else { return try decode(session, at: word) }
        guard let value = type.init(wireText: session.view.string(at: word)) as? Value else {
            throw session.failure(.invalidValue, at: word, expected: "an id that \(Value.self) can hold", found: "another text")
        }
        return value
    }
}

/// An optional of a type with a plan of its own.
final class OptionalPlan<Wrapped>: PropertyPlan<Wrapped?> {
    private let wrapped: PropertyPlan<Wrapped>

    init(_ wrapped: PropertyPlan<Wrapped>) { self.wrapped = wrapped }

    override var readsRelationships: Bool { wrapped.readsRelationships }

    override func decode(_ session: DecodingSession, at word: Int) throws -> Wrapped? {
        session.view.isNull(word) ? nil : try wrapped.decode(session, at: word)
    }

    override var readsAttributes: Bool { wrapped.readsAttributes }

    /// An attribute that is asked for in this way may be null but not absent, as with `JSONDecoder`. An id may be absent: a
    /// model that is generic over its id asks in this way.
    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapped? {
        if readsAttributes, !name.isIdentity, case .absent = session.place(of: name, in: ordinal) {
            throw session.missing(name.description, in: ordinal, as: Wrapped.self)
        }
        return try wrapped.decodeIfPresent(session, ordinal, name)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapped?? {
        try wrapped.decodeIfPresent(session, ordinal, name).map { .some($0) }
    }
}

// MARK: - Where a property is

/// Where a flat name leads in a resource object.
enum PropertyPlace {
    case value(Int)
    /// The `id` or `type` member.
    case identity(Int)
    case absent
}

extension DecodingSession {
    /// The order of look-up, the same for every property that is no relationship and no marker:
    ///
    /// 1. `id` and `type` are the identity;
    /// 2. an attribute of exactly that name;
    /// 3. for a name with a dot, the path it spells.
    func place(of name: FieldName, in ordinal: Int) -> PropertyPlace {
        if name.isIdentity { return identityPlace(name, entries[ordinal]) }
        if let word = attribute(name, of: ordinal) { return .value(word) }
        if name.hasDot, let word = path(name.description, in: ordinal) { return .value(word) }
        return .absent
    }

    func place(of name: String, in ordinal: Int) -> PropertyPlace {
        var name = name
        return name.withUTF8 { place(of: FieldName($0), in: ordinal) }
    }

    /// Whether the name is `id` or `type`.
    @inline(__always)
    static func isIdentityName(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name == "id"
        case 4: name == "type"
        default: false
        }
    }

    private func identityPlace(_ name: FieldName, _ entry: ResourceEntry) -> PropertyPlace {
        let word = name.isID ? entry.id : entry.type
        return word == 0 ? .absent : .identity(Int(word))
    }

    /// The value that a dotted path leads to: from the resource object when it begins with the name of one of its objects,
    /// else from the attributes.
    func path(_ name: String, in ordinal: Int) -> Int? {
        let segments = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let entry = entries[ordinal]
        if let first = segments.first, ["attributes", "relationships", "links", "meta"].contains(first),
            let word = walk(segments, from: Int(entry.word))
        {
            return word
        }
        return entry.attributes == 0 ? nil : walk(segments, from: Int(entry.attributes))
    }

    /// Follows member names; in what is left of the path, an exact name with dots wins over a step.
    func walk(_ segments: [String], from start: Int) -> Int? {
        var word = start
        var rest = segments[...]
        while let first = rest.first {
            guard view.isObject(word) else { return nil }
            if rest.count > 1, let exact = view.member(rest.joined(separator: "."), of: word) { return exact }
            guard let next = view.member(first, of: word) else { return nil }
            word = next
            rest = rest.dropFirst()
        }
        return word
    }
}

// MARK: - What is missing

extension DecodingSession {
    /// The failure for a property that is not there: says what is, and where else the name stands.
    func missing(_ name: String, in ordinal: Int, as type: Any.Type) -> DecodingFailure {
        let entry = entries[ordinal]
        if Self.isIdentityName(name) {
            return DecodingFailure(
                .missingMember, at: pointer(ofResource: ordinal), offset: view.start(of: Int(entry.word)),
                expected: "the member `\(name)`", found: "a resource object without it",
                advice: "make `\(name)` optional where resources have none")
        }
        let attributes = entry.attributes == 0 ? [] : view.names(of: Int(entry.attributes))
        let relationships = entry.relationships == 0 ? [] : view.names(of: Int(entry.relationships))
        var advice: String?
        if relationships.contains(where: { UTF8Bytes.areEqual($0, name) }) {
            advice = "`\(name)` is a relationship: declare it as ToOne, ToMany or an embedded Resource instead of \(type)"
        } else if let near = NearestName.find(name, in: attributes) {
            advice = "the nearest attribute is `\(near)`; name it by a coding key, or choose a key strategy"
        } else if !attributes.isEmpty {
            advice = "if it was left out by a sparse fieldset, make the property optional"
        }
        let found = attributes.isEmpty ? "a resource without attributes" : "only \(NearestName.list(attributes))"
        return DecodingFailure(
            .missingMember, at: pointer(ofResource: ordinal), offset: view.start(of: Int(entry.word)),
            resource: identifier(of: ordinal), expected: "the attribute `\(name)`", found: found, advice: advice)
    }
}
