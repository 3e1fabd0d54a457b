import Foundation
import JSONText

/// A resource object, as a direct initializer reads it.
///
/// ```swift
/// init(resource: ResourceView) throws {
///     id = try resource.id()
///     title = try resource.attribute("title")
///     subtitle = try resource.attributeIfPresent("subtitle")
///     author = try resource.relationship("author")
///     comments = try resource.relationship("comments")
/// }
/// ```
///
/// Names are those of members; key strategies do not apply. A dot is a part of the name, and makes no path: read a member inside an
/// attribute with `attribute(_:read:)`. Legal names, the order of look-up and errors are the same as with `Codable`. The type of the
/// property selects the overload. A view is valid only during the initializer.
///
/// Except in lenient mode, an optional attribute also throws when there is a relationship of its name, because it would be nil whatever the
/// server sends.
public struct ResourceView {
    let session: DecodingSession
    let ordinal: Int
    /// The word of the attributes, 0 for none, and the slot in which the reader of the attributes keeps its position.
    private let attributes: Int
    private let slot: Int

    init(_ session: DecodingSession, _ ordinal: Int) {
        self.session = session
        self.ordinal = ordinal
        attributes = Int(session.entries[ordinal].attributes)
        slot = MemberFinder.attributeSlot(session.resourceDepth)
    }

    // MARK: - Identity

    /// Returns the id. Throws `DecodingError` when there is none, and when `ID` cannot represent it.
    public func id<ID: ResourceID>() throws -> ID {
        let word = Int(session.entries[ordinal].id)
        if word != 0, let id = ID(wireText: session.view.string(at: word)) { return id }
        return try edge("id", ID.self) {
            if word != 0 { throw session.otherID(ID.self, at: word) }
            return try "id".withName { try session.plan(for: ID.self).decode(session, ordinal, $0) }
        }
    }

    /// Returns the id as text. Throws `DecodingError` when there is none.
    public func id() throws -> String {
        let word = Int(session.entries[ordinal].id)
        if word != 0 { return session.view.string(at: word) }
        return try edge("id", String.self) { throw session.missing("id", in: ordinal, as: String.self) }
    }

    /// Returns the id; nil if the resource has none, which only requests and the leniency `missingIDs` allow.
    ///
    /// ```swift
    /// id = try resource.idIfPresent()     // var id: String?
    /// ```
    ///
    /// Throws `DecodingError` when `ID` cannot represent it.
    public func idIfPresent<ID: ResourceID>() throws -> ID? { session.entries[ordinal].id == 0 ? nil : try id() }

    /// The resource's type.
    public var type: String {
        let word = Int(session.entries[ordinal].type)
        return word == 0 ? session.assumedTypes[ordinal] ?? "" : session.view.string(at: word)
    }

    // MARK: - Attributes

    /// Returns the attribute as a string. Throws `DecodingError` when it is absent or not a string.
    public func attribute(_ name: StaticString) throws -> String { try scalar(name) }
    /// Returns the attribute as an integer. Throws `DecodingError` when it is absent or not an integer that fits.
    public func attribute(_ name: StaticString) throws -> Int { try scalar(name) }
    /// Returns the attribute as a number. Throws `DecodingError` when it is absent or not a number.
    public func attribute(_ name: StaticString) throws -> Double { try scalar(name) }
    /// Returns the attribute as a boolean. Throws `DecodingError` when it is absent or not a boolean.
    public func attribute(_ name: StaticString) throws -> Bool { try scalar(name) }
    /// Returns the attribute as a string; nil when it is absent or null. Throws `DecodingError` for any other value.
    public func attributeIfPresent(_ name: StaticString) throws -> String? { try scalarIfPresent(name) }
    /// Returns the attribute as an integer; nil when it is absent or null. Throws `DecodingError` for any other value.
    public func attributeIfPresent(_ name: StaticString) throws -> Int? { try scalarIfPresent(name) }
    /// Returns the attribute as a number; nil when it is absent or null. Throws `DecodingError` for any other value.
    public func attributeIfPresent(_ name: StaticString) throws -> Double? { try scalarIfPresent(name) }
    /// Returns the attribute as a boolean; nil when it is absent or null. Throws `DecodingError` for any other value.
    public func attributeIfPresent(_ name: StaticString) throws -> Bool? { try scalarIfPresent(name) }

    /// Returns the attribute as a date, with the decoder's strategy. Throws `DecodingError` when it is absent or not such a date.
    public func attribute(_ name: StaticString) throws -> Date {
        if let word = word(name), let date = session.plainDate(at: word) { return date }
        return try planned(name)
    }

    /// Returns the attribute as a date; nil when it is absent or null. Throws `DecodingError` for any other value.
    public func attributeIfPresent(_ name: StaticString) throws -> Date? {
        guard let word = word(name) else { return try absent(name, Date.self) }
        return session.view.isNull(word) ? nil : try session.plainDate(at: word) ?? planned(name)
    }

    /// Returns the attribute as an array of strings. Throws `DecodingError` when it is absent or not an array of strings.
    public func attribute(_ name: StaticString) throws -> [String] {
        if let word = word(name), let strings: [String] = session.plainScalars(at: word) { return strings }
        return try planned(name)
    }

    /// Returns the attribute as any decodable type, such as a date, a URL, an array or a nested value. Throws `DecodingError` when it is
    /// absent or cannot be decoded, and what `Value` throws.
    public func attribute<Value: Decodable>(_ name: StaticString) throws -> Value { try planned(name) }

    /// Returns the attribute as any decodable type; nil when it is absent or null. Throws `DecodingError` when it cannot be decoded, and
    /// what `Value` throws.
    ///
    /// Null is nil for a `Field`, too: read a property that is a `Field` with `attribute(_:)`, which tells null from absent.
    public func attributeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        if Value.self == RemainingMembers.self { return try edge(name, Value.self) { try remaining(name) } }
        guard let word = word(name) else { return try absent(name, Value.self) }
        if session.view.isNull(word) { return nil }
        return try edge(name, Value.self) { try session.plan(for: Value.self).decode(session, at: ValuePlace(field: word)) }
    }

    /// Returns the value that `read` makes from an attribute that is an object, member by member. Avoids the cost of `Codable`. Throws
    /// `DecodingError` when it is absent or not an object, and what `read` throws.
    public func attribute<Value>(_ name: StaticString, read: (ObjectView) throws -> Value) throws -> Value {
        try edge(name, Value.self) {
            guard let word = word(name) else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            try session.edge(session.codingPath(ofResource: ordinal) + [PathKey("\(name)")], [String: Any].self) {
                try session.checkObject(at: word)
            }
            return try read(ObjectView(session, ValuePlace(field: word)))
        }
    }

    // MARK: - Relationships

    /// Returns the related resource, embedded. Throws `DecodingError` when there is none.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model {
        try edge(name, Model.self) { try name.withName { try elements(Model.self).one(session, ordinal, $0) } }
    }

    /// Returns the related resource, embedded; nil when there is none. Throws `DecodingError` when it cannot be read as the model.
    public func relationshipIfPresent<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model? {
        try edge(name, Model.self) { try name.withName { try elements(Model.self).oneIfPresent(session, ordinal, $0) } }
    }

    /// Returns the related resource, embedded; nil when there is none. Throws as `relationshipIfPresent` does.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model? { try relationshipIfPresent(name) }

    /// Returns all related resources, embedded. Throws `DecodingError` when the relationship is not loaded, and when one of the resources
    /// cannot be embedded. Inlinable, so that the array is created where its type is known. In the library the runtime looks up the type
    /// each time, which took 3 % of decoding a compound document.
    @inlinable
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model] {
        guard var cursor = try cursor(name, Model.self) else { return try unusualRelationship(name) }
        var models: [Model] = []
        models.reserveCapacity(cursor.capacity)
        while try advance(&cursor, name) { models.append(try value(cursor, name)) }
        return models
    }

    /// Returns a cursor over the identifiers of a to-many relationship. Nil when there are none, and when elements may be dropped.
    @usableFromInline
    func cursor<Model: ResourceRepresentable>(_ name: StaticString, _ type: Model.Type) throws -> ElementCursor? {
        // The other way reads the elements one by one, and has a placeholder for the array.
        guard session.options.invalidElements != .drop, session.options.problems != .all else { return nil }
        return try edge(name, [Model].self) {
            guard case .identifiers(let list) = try name.withName({ try session.linkage($0, of: ordinal) }) else { return nil }
            session.prepareLinkage()
            return ElementCursor(list, elements(type), session, isRequired: true)
        }
    }

    @usableFromInline
    func advance(_ cursor: inout ElementCursor, _ name: StaticString) throws -> Bool {
        try edge(name, Any.self) { try name.withName { try cursor.advance(session, $0) } }
    }

    @usableFromInline
    func value<Model: ResourceRepresentable>(_ cursor: ElementCursor, _ name: StaticString) throws -> Model {
        try edge(name, Model.self) { try cursor.value(Model.self, session) }
    }

    @usableFromInline
    func unusualRelationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model] {
        try edge(name, [Model].self) { try name.withName { try elements(Model.self).many(session, ordinal, $0) } }
    }

    /// Returns all related resources, embedded. Nil when the relationship is not loaded, when the document contains none of the resources,
    /// and when one of them is currently being read. Throws `DecodingError` when the document contains only some of them.
    public func relationshipIfPresent<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model]? {
        try edge(name, [Model].self) { try name.withName { try elements(Model.self).manyIfPresent(session, ordinal, $0) } }
    }

    /// Returns the related resources, embedded; nil when `relationshipIfPresent` returns nil. Throws as that function does.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model]? { try relationshipIfPresent(name) }

    // Disfavored, because the type of a result does not rank overloads. Otherwise the call for an embedded resource would be ambiguous.

    /// Returns the relationship as `ToOne`, `ToMany`, `RelationshipObject` or `ResourceIdentifier`. Throws `DecodingError` when the type
    /// cannot represent it.
    @_disfavoredOverload
    public func relationship<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name, Value.self) { try name.withName { try session.plan(for: Value.self).decode(session, ordinal, $0) } }
    }

    /// Returns the relationship as one of these types; nil when there is none. Throws as the function above does.
    @_disfavoredOverload
    public func relationshipIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        try edge(name, Value.self) { try name.withName { try session.plan(for: Value.self).decodeIfPresent(session, ordinal, $0) } }
    }

    // MARK: - Links and meta

    /// Returns the resource's links; empty when it has none. Throws `DecodingError` when they are not links.
    public func links() throws -> Links { try marker("links", ResourceLinks.self)?.links ?? Links() }

    /// Returns the resource's meta as a value; nil when it has none. Throws `DecodingError` when it cannot be decoded.
    public func metaIfPresent<Value: Codable & Sendable>() throws -> Value? { try marker("meta", ResourceMeta<Value>.self)?.value }

    // MARK: - Workings

    private func marker<Marker: ResourceMarker>(_ name: StaticString, _ type: Marker.Type) throws -> Marker? {
        try edge(name, type) { try name.withName { try session.plan(for: type).decodeIfPresent(session, ordinal, $0) } }
    }

    @inline(__always)
    private func word(_ name: StaticString) -> Int? {
        attributes == 0 ? nil : name.withName { session.finder.member($0, of: attributes, slot: slot, in: session.view) }
    }

    @inline(__always)
    private func elements<Model: ResourceRepresentable>(_ type: Model.Type) -> ElementPlan<Model> {
        let elements = session.elementPlan(for: type)
        elements.isLinkedTo = true
        return elements
    }

    /// Reads `RemainingMembers`, optional or not. The key decides whether they are members of one attribute or of all.
    private func remaining<Value: Decodable>(_ name: StaticString) throws -> Value {
        try name.withName { try session.plan(for: Value.self).decode(session, ordinal, $0) }
    }

    @inline(never)
    private func planned<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name, Value.self) {
            let plan = session.plan(for: Value.self)
            if Value.self == RemainingMembers.self || Value.self == RemainingMembers?.self { return try remaining(name) }
            if let word = word(name) { return try plan.decode(session, member: ValuePlace(field: word)) }
            guard let value = plan.valueOfNothing else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            // Throws if there is a relationship of that name. The parts of the resource, and what is at a path, are no attributes here.
            let isPlain = plan.readsAttributes && name.withName { !$0.isIdentity && !$0.hasDot && ResourcePart($0) == nil }
            if plan.readsRelationships { try name.withName { try session.checkNotElsewhere($0, of: ordinal, Value.self) } }
            return isPlain ? try name.withName { try plan.decode(session, ordinal, $0) } : value
        }
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ name: StaticString) throws -> Value {
        if let word = word(name), let value = Value.read(session.view, word) { return value }
        return try edge(name, Value.self) {
            guard let word = word(name) else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            return try session.scalar(at: word)
        }
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ name: StaticString) throws -> Value? {
        guard let word = word(name) else { return try absent(name, Value.self) }
        if session.view.isNull(word) { return nil }
        if let value = Value.read(session.view, word) { return value }
        return try edge(name, Value.self) { try session.scalar(at: word) }
    }

    /// Returns nil for an attribute that is missing. Throws if the resource has something else of that name.
    @inline(never)
    private func absent<Value>(_ name: StaticString, _ type: Value.Type) throws -> Value? {
        try edge(name, type) {
            try name.withName { try session.checkNotElsewhere($0, of: ordinal, type) }
            return nil
        }
    }

    /// - Parameter type: A closure, because the runtime would look up `[Model]` for every relationship.
    @inline(__always)
    private func edge<Value>(_ name: StaticString, _ type: @autoclosure () -> Any.Type, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { return try session.placeholder(ordinal, PathKey("\(name)"), type(), for: error) }
    }
}

/// A JSON object inside an attribute, as a direct initializer reads it.
public struct ObjectView {
    let session: DecodingSession
    private let decoder: ValueDecoder

    init(_ session: DecodingSession, _ place: ValuePlace) {
        self.session = session
        decoder = ValueDecoder(session, place)
    }

    /// Returns the member as a string. Throws `DecodingError` when it is absent or not a string.
    public func member(_ name: StaticString) throws -> String { try scalar(name) }
    /// Returns the member as an integer. Throws `DecodingError` when it is absent or not an integer that fits.
    public func member(_ name: StaticString) throws -> Int { try scalar(name) }
    /// Returns the member as a number. Throws `DecodingError` when it is absent or not a number.
    public func member(_ name: StaticString) throws -> Double { try scalar(name) }
    /// Returns the member as a boolean. Throws `DecodingError` when it is absent or not a boolean.
    public func member(_ name: StaticString) throws -> Bool { try scalar(name) }

    /// Returns the member as any decodable type. Throws `DecodingError` when it is absent or cannot be decoded.
    public func member<Value: Decodable>(_ name: StaticString) throws -> Value {
        let (found, plan) = (word(name), session.plan(for: Value.self))
        if found == nil, let nothing = plan.valueOfNothing { return nothing }
        let word = try found ?? required(name)
        return try edge(name, Value.self) { try plan.decode(session, member: ValuePlace(word, .member, in: decoder)) }
    }

    /// Returns the member as any decodable type; nil when it is absent or null. Throws `DecodingError` when it cannot be decoded.
    public func memberIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        guard let word = word(name), !session.view.isNull(word) else { return nil }
        return try edge(name, Value.self) { try session.plan(for: Value.self).decode(session, at: ValuePlace(word, .member, in: decoder)) }
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ name: StaticString) throws -> Value {
        if let word = word(name), let value = Value.read(session.view, word) { return value }
        let word = try required(name)
        return try edge(name, Value.self) { try session.scalar(at: word) }
    }

    @inline(__always)
    private func word(_ name: StaticString) -> Int? {
        name.withName { session.finder.member($0, of: decoder.word, slot: MemberFinder.valueSlot(decoder.depth), in: session.view) }
    }

    private func required(_ name: StaticString) throws -> Int {
        if let word = word(name) { return word }
        throw DecodingFailure(.missingMember, session.note(at: decoder.word, .member("\(name)")))
            .decodingError(missing: PathKey("\(name)"), in: decoder.codingPath)
    }

    private func edge<Value>(_ name: StaticString, _ type: Any.Type, _ body: () throws -> Value) throws -> Value {
        try session.edge(decoder.codingPath + [PathKey("\(name)")], type, body)
    }
}
