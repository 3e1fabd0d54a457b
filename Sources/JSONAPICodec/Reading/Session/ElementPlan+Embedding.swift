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

    init(_ list: IdentifierList, _ plan: AnyElementPlan, _ view: TapeView) {
        self.plan = plan
        count = list.count
        position = view.first(in: list.word)
        end = view.end(of: list.word)
        relationship = list.relationship
    }

    /// Goes on to the next identifier that leads to a resource; false at the end.
    @inline(__always)
    mutating func advance(_ session: DecodingSession, _ name: FieldName) throws -> Bool {
        while position < end {
            word = position
            position = session.view.next(after: position)
            if let found = try plan.target(session, elementAt: word, of: name) {
                target = found
                return true
            }
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

    /// The resource that one identifier of a to-many relationship leads to; nil when it is left out, which is reported.
    @inline(__always)
    final func target(_ session: DecodingSession, elementAt word: Int, of name: FieldName) throws -> Int? {
        if let target = session.countedTarget(word) {
            if target >= 0, canEmbed(session, target) { return target }
            if target < 0, session.ignoresMissing { return nil }
        }
        return try uncountedTarget(session, elementAt: word, of: name)
    }

    @inline(never)
    private func uncountedTarget(_ session: DecodingSession, elementAt word: Int, of name: FieldName) throws -> Int? {
        let identifier = try session.identifierEntry(word)
        let target = plainTarget(session, identifier)
        if target >= 0 { return target }
        try leaveOut(session, identifier, name)
        return nil
    }

    @inline(never)
    private func leaveOut(_ session: DecodingSession, _ identifier: IdentifierEntry, _ name: FieldName) throws {
        guard session.index.ordinal(of: identifier, session.view) != nil else {
            session.want(identifier, name.text)
            if session.options.missingResources == .throw { throw session.notIncluded(identifier, name.text) }
            return session.report(
                .notIncluded, at: identifier.word, "the related resource is not in the document; left out of `\(name.text)`")
        }
        guard accepts(session, typeAt: identifier.type) else {
            if session.options.unknownTypes == .throw { throw session.unexpectedLinkage(identifier, valueType, requiredType) }
            return session.report(
                .unknownType, at: identifier.word, "a related resource of a type that \(valueType) is not for; left out of `\(name.text)`")
        }
        session.cut(identifier, name)
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

    /// The values of a to-many relationship; none, which is reported, when it is not loaded.
    final func many(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Value] {
        if let values = try manyIfPresent(session, ordinal, name) { return values }
        session.report(
            .notLoaded, at: session.relationship(name, of: ordinal) ?? Int(session.entries[ordinal].word),
            "`\(name.text)` is not loaded; shown as an empty array")
        return []
    }

    /// The same, nil when it is not loaded.
    final func manyIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Value]? {
        switch try session.linkage(name, of: ordinal) {
        case .notLoaded: return nil
        case .none: return []
        case .attribute(let word): return try plainMany(session, at: ValuePlace(field: word))
        case .identifiers(let list):
            return try elements(list, session, name)
        }
    }

    private func elements(_ list: IdentifierList, _ session: DecodingSession, _ name: FieldName) throws -> [Value] {
        session.prepareLinkage()
        var cursor = ElementCursor(list, self, session.view)
        var values: [Value] = []
        values.reserveCapacity(list.count)
        guard session.options.invalidElements == .drop else {
            while try cursor.advance(session, name) { values.append(try cursor.value(Value.self, session)) }
            return values
        }
        while try cursor.advance(session, name) {
            do {
                values.append(try cursor.value(Value.self, session))
            } catch let error where session.dropsElement(error, at: cursor.word) {
                // Left out.
            }
        }
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
