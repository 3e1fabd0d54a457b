import JSONAPIRules
import JSONText

// Resources embedded by value: what a relationship leads to, whatever the Swift type, and then the values.

/// What the linkage of a to-one relationship leads to.
enum EmbeddedTarget {
    case nothing
    /// A resource, reached through the relationship of that name word.
    case resource(Int, through: Int)
    /// No relationship, but an attribute of that name.
    case attribute(Int)
}

/// What a to-many relationship is.
enum EmbeddedLinkage {
    case notLoaded
    case none
    case identifiers(IdentifierList)
    /// No relationship, but an attribute of that name.
    case attribute(Int)
}

/// The array of identifiers of a to-many relationship; not empty.
@usableFromInline struct IdentifierList {
    let word: Int
    @usableFromInline let count: Int
    /// The name word of the relationship.
    let relationship: Int
}

/// Walks over the resources that the identifiers of a to-many relationship lead to.
@usableFromInline struct ElementCursor {
    /// What makes the values.
    fileprivate let plan: AnyElementPlan
    /// How many identifiers there are.
    @usableFromInline let count: Int
    private var position: Int
    private let end: Int
    /// The name word of the relationship.
    fileprivate let relationship: Int
    /// The resource that the last identifier led to.
    fileprivate var target = 0
    /// The word of the last identifier.
    fileprivate var word = 0
    /// What the array lacks.
    fileprivate var gaps: ArrayGaps

    /// - Parameter isRequired: whether the property is `[Element]`, which has to be whole.
    init(_ list: IdentifierList, _ plan: AnyElementPlan, _ view: TapeView, isRequired: Bool) {
        self.plan = plan
        count = list.count
        position = view.first(in: list.word)
        end = view.end(of: list.word)
        relationship = list.relationship
        gaps = ArrayGaps(list, isRequired: isRequired)
    }

    /// Goes on to the next identifier that leads to a resource; false at the end.
    @inline(__always)
    mutating func advance(_ session: DecodingSession, _ name: FieldName) throws -> Bool {
        while position < end {
            word = position
            position = session.view.next(after: position)
            if let found = try plan.target(session, elementAt: word, of: name, &gaps) {
                target = found
                return true
            }
            if gaps.isInCircle { return false }
        }
        return false
    }

    /// The value of the resource that was found.
    @inline(__always)
    func value<Value: ResourceRepresentable>(_ type: Value.Type, _ session: DecodingSession) throws -> Value {
        try KnownObject.of(plan, as: ElementPlan<Value>.self).value(session, target, through: relationship)
    }
}

extension DecodingSession {
    @inline(__always)
    func linkage(_ name: FieldName, of ordinal: Int) throws -> EmbeddedLinkage {
        guard let relationship = try relationshipEntry(name, of: ordinal) else {
            guard let word = attribute(name, of: ordinal), !view.isNull(word) else { return .notLoaded }
            return .attribute(word)
        }
        guard relationship.data != 0 else { return .notLoaded }
        guard try checkToMany(relationship) else { return .none }
        let count = view.count(at: relationship.data)
        if count == 0 { return .none }
        return .identifiers(IdentifierList(word: relationship.data, count: count, relationship: nameWord(of: relationship.word)))
    }
}

extension AnyElementPlan {
    /// What a to-one relationship embeds; where there is nothing, or an error, when a value is required, that says why.
    final func target(
        _ session: DecodingSession, _ ordinal: Int, _ name: FieldName, isRequired: Bool
    ) throws -> EmbeddedTarget {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            guard let word = session.attribute(name, of: ordinal), isRequired || !session.view.isNull(word) else { return .nothing }
            return .attribute(word)
        }
        guard relationship.data != 0 else {
            if isRequired { throw session.notLoaded(name.text, relationship) }
            return .nothing
        }
        session.prepareLinkage()
        if let target = session.countedTarget(relationship.data) {
            if target >= 0, canEmbed(session, target) { return .resource(target, through: session.nameWord(of: relationship.word)) }
            if target < 0, !isRequired, session.ignoresMissing { return .nothing }
        }
        guard let identifier = try session.toOneIdentifier(relationship) else {
            if isRequired { throw session.emptyRelationship(name.text, relationship) }
            return .nothing
        }
        let target = plainTarget(session, identifier)
        if target >= 0 { return .resource(target, through: session.nameWord(of: relationship.word)) }
        try refuse(session, identifier, name, isRequired: isRequired)
        return .nothing
    }

    /// Reports why a to-one relationship has nothing to embed, or throws that.
    @inline(never)
    private func refuse(
        _ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName, isRequired: Bool
    ) throws {
        guard session.index.ordinal(of: identifier, session.view) != nil else {
            session.want(identifier, name.text)
            if isRequired || session.options.missingResources == .throw { throw session.notIncluded(identifier, name.text) }
            return session.report(.notIncluded, at: identifier.word, "the related resource is not in the document")
        }
        guard accepts(session, typeAt: identifier.type) else {
            if isRequired || session.options.unknownTypes == .throw {
                throw session.unexpectedLinkage(identifier, valueType, requiredType)
            }
            return session.report(
                .unknownType, at: identifier.word, "a related resource of a type that \(valueType) is not for")
        }
        session.cut(identifier, name)
        if isRequired { throw session.cycle(identifier, name.text, valueType) }
    }

    /// The resource that one identifier of a to-many relationship leads to; nil when there is none to embed, which is noted in `gaps`.
    @inline(__always)
    final func target(
        _ session: DecodingSession, elementAt word: Int, of name: FieldName, _ gaps: inout ArrayGaps
    ) throws -> Int? {
        if let target = session.countedTarget(word) {
            if target >= 0, canEmbed(session, target) { return target }
            if target < 0, session.ignoresGaps { return nil }
        }
        return try uncountedTarget(session, elementAt: word, of: name, &gaps)
    }

    @inline(never)
    private func uncountedTarget(
        _ session: DecodingSession, elementAt word: Int, of name: FieldName, _ gaps: inout ArrayGaps
    ) throws -> Int? {
        let identifier = try session.identifierEntry(word)
        let target = plainTarget(session, identifier)
        if target >= 0 { return target }
        if session.index.ordinal(of: identifier, session.view) == nil {
            try gaps.noteMissing(session, identifier, name, self)
        } else if !accepts(session, typeAt: identifier.type) {
            try leaveOutUnknown(session, identifier, name)
        } else {
            try gaps.noteCircle(session, identifier, name, self)
        }
        return nil
    }

    private func leaveOutUnknown(_ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName) throws {
        if session.options.unknownTypes == .throw { throw session.unexpectedLinkage(identifier, valueType, requiredType) }
        session.report(
            .unknownType, at: identifier.word, "a related resource of a type that \(valueType) is not for; left out of `\(name.text)`")
    }
}

extension ElementPlan {
    /// The value of a to-one relationship; throws where there is none.
    final func one(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        switch try target(session, ordinal, name, isRequired: true) {
        case .resource(let target, let through): return try value(session, target, through: through)
        case .attribute(let word): return try plainOne(session, at: ValuePlace(field: word))
        case .nothing: throw session.missingRelationship(name.text, in: ordinal)
        }
    }

    /// The same, nil where there is nothing to embed.
    final func oneIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        switch try target(session, ordinal, name, isRequired: false) {
        case .resource(let target, let through): return try value(session, target, through: through)
        case .attribute(let word): return try plainOne(session, at: ValuePlace(field: word))
        case .nothing: return nil
        }
    }

    /// The values of a to-many relationship: all of them, or an error.
    final func many(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Value] {
        if let values = try values(session, ordinal, name, isRequired: true) { return values }
        return try session.unloaded(name, of: ordinal, Value.self)
    }

    /// The same, nil when the relationship is not loaded, when none of the resources is at hand, and where a circle ends.
    final func manyIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Value]? {
        try values(session, ordinal, name, isRequired: false)
    }

    private func values(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName, isRequired: Bool) throws -> [Value]? {
        switch try session.linkage(name, of: ordinal) {
        case .notLoaded: return nil
        case .none: return []
        case .attribute(let word): return try plainMany(session, at: ValuePlace(field: word))
        case .identifiers(let list): return try elements(list, session, name, isRequired: isRequired)
        }
    }

    private func elements(
        _ list: IdentifierList, _ session: DecodingSession, _ name: FieldName, isRequired: Bool
    ) throws -> [Value]? {
        session.prepareLinkage()
        var cursor = ElementCursor(list, self, session.view, isRequired: isRequired)
        var values: [Value] = []
        values.reserveCapacity(list.count)
        if session.options.invalidElements == .drop {
            while try cursor.advance(session, name) {
                do {
                    values.append(try cursor.value(Value.self, session))
                } catch let error where session.dropsElement(error, at: cursor.word) {
                    // Left out.
                }
            }
        } else {
            while try cursor.advance(session, name) { values.append(try cursor.value(Value.self, session)) }
        }
        if values.count < list.count, try !cursor.gaps.admit(values.count, session, name, self) { return nil }
        return values
    }

    /// A resource type inside an attribute value is an ordinary `Codable` value.
    final func plainOne(_ session: DecodingSession, at place: ValuePlace) throws -> Value {
        try session.nest()
        defer { session.unnest() }
        return try Value(from: ValueDecoder(session, place))
    }

    final func plainMany(_ session: DecodingSession, at place: ValuePlace) throws -> [Value] {
        try session.nest()
        defer { session.unnest() }
        return try [Value](from: ValueDecoder(session, place))
    }
}
