import JSONAPIRules
import JSONText

// Resources that are embedded by value: first the targets of a relationship, for any Swift type, then the values.

/// The target of a to-one relationship.
enum EmbeddedTarget {
    case nothing
    /// A resource, and the word of the name of the relationship.
    case resource(Int, through: Int)
    /// There is an attribute at that path instead of a relationship.
    case attribute(ValuePlace)
}

/// The linkage of a to-many relationship.
enum EmbeddedLinkage {
    case notLoaded
    case none
    case identifiers(IdentifierList)
    /// There is an attribute at that path instead of a relationship.
    case attribute(ValuePlace)
}

/// The array of identifiers of a to-many relationship, which is not empty.
@usableFromInline struct IdentifierList {
    let word: Int
    @usableFromInline let count: Int
    /// The word of the relationship's name.
    let relationship: Int
}

/// Iterates over the resources that the identifiers of a to-many relationship refer to.
@usableFromInline struct ElementCursor {
    /// The plan that makes the values.
    fileprivate let plan: AnyElementPlan
    /// The number of elements for which there is room from the start. There can be many more identifiers than resources.
    @usableFromInline let capacity: Int
    private var position: Int
    private let end: Int
    /// The word of the relationship's name.
    fileprivate let relationship: Int
    /// The resource of the last identifier.
    fileprivate var target = 0
    /// The word of the last identifier.
    fileprivate var word = 0
    /// The resources that the array lacks.
    fileprivate var gaps: ArrayGaps

    /// - Parameter isRequired: Whether the property is `[Element]`, which must be complete.
    init(_ list: IdentifierList, _ plan: AnyElementPlan, _ session: DecodingSession, isRequired: Bool) {
        self.plan = plan
        capacity = min(list.count, session.entries.count)
        position = session.view.first(in: list.word)
        end = session.view.end(of: list.word)
        relationship = list.relationship
        gaps = ArrayGaps(list, isRequired: isRequired)
    }

    /// Advances to the next identifier with a resource to embed. Returns false at the end.
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

    /// Returns the value of the current resource.
    @inline(__always)
    func value<Value: ResourceRepresentable>(_ type: Value.Type, _ session: DecodingSession) throws -> Value {
        try KnownObject.of(plan, as: ElementPlan<Value>.self).value(session, target, through: relationship)
    }
}

extension DecodingSession {
    /// Returns the place of the attribute that has the name of a relationship, or of the value at the path that the name spells. Nil when
    /// there is none, and for the path of a relationship.
    func plainPlace(_ name: FieldName, of ordinal: Int) throws -> ValuePlace? {
        let found = place(of: name, in: ordinal)
        if case .absent(let word) = found { try checkPassable(word) }
        guard case .value(let place) = found else { return nil }
        return name.hasDot && relationship(atPath: name.text, of: ordinal) != nil ? nil : place
    }

    @inline(__always)
    func linkage(_ name: FieldName, of ordinal: Int) throws -> EmbeddedLinkage {
        guard let relationship = try relationshipEntry(name, of: ordinal) else {
            return try embeddedPlace(name, of: ordinal).map { .attribute($0) } ?? .notLoaded
        }
        guard relationship.data != 0 else { return .notLoaded }
        guard try checkToMany(relationship) else { return .none }
        if relationship.links != 0 || relationship.hasOthers { try checkWhole(relationship) }
        let count = view.count(at: relationship.data)
        if count == 0 { return .none }
        return .identifiers(IdentifierList(word: relationship.data, count: count, relationship: view.name(ofValue: relationship.word)))
    }
}

extension DecodingSession {
    /// Returns the place of a resource that is written inside an attribute, at the path that the name spells; nil when there is none.
    ///
    /// Throws when an attribute has the name of the property. The value would be written as a relationship, and the attribute lost.
    @inline(never)
    func embeddedPlace(_ name: FieldName, of ordinal: Int, orNull: Bool = false) throws -> ValuePlace? {
        guard let place = try plainPlace(name, of: ordinal), orNull || !view.isNull(place.word) else { return nil }
        if name.hasDot { return place }
        throw failure(
            .wrongType, at: place.word, expected: "the relationship `\(name.text)`", found: "an attribute of that name",
            advice: "name a resource inside an attribute by the coding key `attributes.\(name.text)`, or use a type that is no Resource")
    }

    /// Reads a resource type inside an attribute, or an array of it, as an ordinary `Codable` value.
    func plain<Value: Decodable>(_ type: Value.Type, at place: ValuePlace) throws -> Value {
        try nest()
        defer { unnest() }
        return try Value(from: ValueDecoder(self, place))
    }
}

extension AnyElementPlan {
    /// Returns the target of a to-one relationship. When there is none and a value is required, this throws the reason.
    final func target(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName, isRequired: Bool) throws -> EmbeddedTarget {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            return try session.embeddedPlace(name, of: ordinal, orNull: isRequired).map { .attribute($0) } ?? .nothing
        }
        guard relationship.data != 0 else {
            if isRequired { throw session.notLoaded(name.text, relationship) }
            return .nothing
        }
        session.prepareLinkage()
        if let target = session.countedTarget(relationship.data) {
            if target >= 0, canEmbed(session, target) { return .resource(target, through: session.view.name(ofValue: relationship.word)) }
            if target < 0, !isRequired, session.ignoresMissing { return .nothing }
        }
        guard let identifier = try session.toOneIdentifier(relationship) else {
            if isRequired { throw session.emptyRelationship(name.text, relationship) }
            return .nothing
        }
        let target = plainTarget(session, identifier)
        if target >= 0 { return .resource(target, through: session.view.name(ofValue: relationship.word)) }
        try refuse(session, identifier, of: relationship, name, isRequired: isRequired)
        return .nothing
    }

    /// Reports why a to-one relationship has nothing to embed, or throws the reason as an error.
    @inline(never)
    private func refuse(
        _ session: DecodingSession, _ identifier: IdentifierEntry, of relationship: RelationshipEntry, _ name: FieldName, isRequired: Bool
    ) throws {
        guard session.index.ordinal(of: identifier, session.view) != nil else {
            session.want(identifier, named: session.view.name(ofValue: relationship.word), as: valueType)
            try refuseMissing(session, identifier, isRequired: isRequired)
            if isRequired || session.options.missingResources == .throw { throw session.notIncluded(identifier, name.text) }
            return session.report(.notIncluded, at: identifier.word, "the related resource is not in the document")
        }
        guard accepts(session, typeAt: identifier.type) else { return try refuseType(session, identifier, isRequired: isRequired, "") }
        session.cut(identifier, name, of: session.view.name(ofValue: relationship.word), valueType)
        if isRequired { throw session.cycle(identifier, name.text, valueType) }
    }

    /// Returns the resource of one identifier of a to-many relationship; nil when there is none to embed, which is noted in `gaps`.
    @inline(__always)
    final func target(_ session: DecodingSession, elementAt word: Int, of name: FieldName, _ gaps: inout ArrayGaps) throws -> Int? {
        if let target = session.countedTarget(word) {
            if target >= 0, canEmbed(session, target) { return target }
            if target < 0, session.ignoresGaps {
                gaps.ignore(word)
                return nil
            }
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
            try refuseMissing(session, identifier, isRequired: false)
            try gaps.noteMissing(session, identifier, name, self)
        } else if !accepts(session, typeAt: identifier.type) {
            try refuseType(session, identifier, "; it was left out of `\(name.text)`")
        } else {
            try gaps.noteCircle(session, identifier, name, self)
        }
        return nil
    }

    /// Throws for a resource that is not in the document if its type is an error, so that it would not help to include it.
    private func refuseMissing(_ session: DecodingSession, _ identifier: IdentifierEntry, isRequired: Bool) throws {
        guard isRequired || session.options.unknownTypes == .throw, requiredType != nil, !accepts(session, typeAt: identifier.type) else {
            return
        }
        throw session.unexpectedType(at: identifier.type, [requiredType ?? "\(valueType)"])
    }

    /// Reports a related resource of a type that the values cannot have, or throws an error.
    ///
    /// - Parameter consequence: The end of the report.
    final func refuseType(
        _ session: DecodingSession, _ identifier: IdentifierEntry, isRequired: Bool = false, _ consequence: @autoclosure () -> String
    ) throws {
        if isRequired || session.options.unknownTypes == .throw {
            throw session.unexpectedType(at: identifier.type, [requiredType ?? "\(valueType)"])
        }
        session.report(.unknownType, at: identifier.word, "a related resource of a type that \(valueType) does not accept\(consequence())")
    }
}

extension ElementPlan {
    /// Returns the value of a to-one relationship. Throws when there is none.
    final func one(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        switch try target(session, ordinal, name, isRequired: true) {
        case .resource(let target, let through): return try value(session, target, through: through)
        case .attribute(let place): return try session.plain(Value.self, at: place)
        case .nothing: throw session.missingRelationship(name.text, in: ordinal)
        }
    }

    /// Returns the value of a to-one relationship; nil when there is nothing to embed.
    final func oneIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        switch try target(session, ordinal, name, isRequired: false) {
        case .resource(let target, let through): return try value(session, target, through: through)
        case .attribute(let place): return try session.plain(Value.self, at: place)
        case .nothing: return nil
        }
    }

    /// Returns all values of a to-many relationship, or throws.
    final func many(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Value] {
        if let values = try manyIfPresent(session, ordinal, name, isRequired: true) { return values }
        return try session.unloaded(name, of: ordinal, Value.self)
    }

    /// Returns the values of a to-many relationship. Nil when it is not loaded, when none of the resources is available, and where a cycle
    /// ends.
    ///
    /// - Parameter isRequired: Whether the property is `[Value]`, which must be complete.
    final func manyIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName, isRequired: Bool = false) throws -> [Value]? {
        switch try session.linkage(name, of: ordinal) {
        case .notLoaded: return nil
        case .none: return []
        case .attribute(let place): return try session.plain([Value].self, at: place)
        case .identifiers(let list): return try elements(list, session, name, isRequired: isRequired)
        }
    }

    private func elements(_ list: IdentifierList, _ session: DecodingSession, _ name: FieldName, isRequired: Bool) throws -> [Value]? {
        session.prepareLinkage()
        var cursor = ElementCursor(list, self, session, isRequired: isRequired)
        var values: [Value] = []
        values.reserveCapacity(cursor.capacity)
        while true {
            do {
                guard try cursor.advance(session, name) else { break }
                values.append(try cursor.value(Value.self, session))
            } catch let error where session.dropsElement(error, at: cursor.word) {
                continue
            }
        }
        if values.count < list.count, try !cursor.gaps.admit(values.count, session, name, self) { return nil }
        return values
    }
}
