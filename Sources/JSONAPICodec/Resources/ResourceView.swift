import Foundation
import JSONText

/// One resource object, shown to a direct initialiser.
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
/// Names are members' names, without key strategy. What a name may be, where it is looked for and what is thrown is as with
/// `Codable`; the type of the property chooses the overload. Valid during the initialiser.
public struct ResourceView {
    let session: DecodingSession
    let ordinal: Int
    /// The word of the attributes, 0 for none, and the slot of their hint.
    private let attributes: Int
    private let slot: Int

    init(_ session: DecodingSession, _ ordinal: Int) {
        self.session = session
        self.ordinal = ordinal
        attributes = Int(session.entries[ordinal].attributes)
        slot = session.hintSlot
    }

    // MARK: - Identity

    /// The id. Throws when there is none, or when it is no `ID`.
    public func id<ID: ResourceID>() throws -> ID {
        let word = Int(session.entries[ordinal].id)
        if word != 0, let id = ID(wireText: session.view.string(at: word)) { return id }
        return try edge("id") {
            guard word != 0 else { throw session.missing("id", in: ordinal, as: ID.self) }
            throw session.failure(.invalidValue, at: word, expected: "an id that \(ID.self) can hold", found: "another text")
        }
    }

    /// The id as text.
    public func id() throws -> String {
        let word = Int(session.entries[ordinal].id)
        if word != 0 { return session.view.string(at: word) }
        return try edge("id") { throw session.missing("id", in: ordinal, as: String.self) }
    }

    /// The resource's type.
    public var type: String {
        let word = Int(session.entries[ordinal].type)
        return word == 0 ? session.assumedTypes[ordinal] ?? "" : session.view.string(at: word)
    }

    // MARK: - Attributes

    /// The attribute as text.
    public func attribute(_ name: StaticString) throws -> String { try scalar(name) }
    /// The attribute as an integer.
    public func attribute(_ name: StaticString) throws -> Int { try scalar(name) }
    /// The attribute as a number.
    public func attribute(_ name: StaticString) throws -> Double { try scalar(name) }
    /// The attribute as a boolean.
    public func attribute(_ name: StaticString) throws -> Bool { try scalar(name) }
    /// The attribute as text; nil when it is absent or null.
    public func attributeIfPresent(_ name: StaticString) throws -> String? { try scalarIfPresent(name) }
    /// The attribute as an integer; nil when it is absent or null.
    public func attributeIfPresent(_ name: StaticString) throws -> Int? { try scalarIfPresent(name) }
    /// The attribute as a number; nil when it is absent or null.
    public func attributeIfPresent(_ name: StaticString) throws -> Double? { try scalarIfPresent(name) }
    /// The attribute as a boolean; nil when it is absent or null.
    public func attributeIfPresent(_ name: StaticString) throws -> Bool? { try scalarIfPresent(name) }

    /// A date, by the decoder's strategy.
    public func attribute(_ name: StaticString) throws -> Date {
        if let word = word(name), let date = session.plainDate(at: word) { return date }
        return try planned(name)
    }

    /// The same, nil when the attribute is absent or null.
    public func attributeIfPresent(_ name: StaticString) throws -> Date? {
        guard let word = word(name), !session.view.isNull(word) else { return nil }
        return try session.plainDate(at: word) ?? planned(name)
    }

    /// An attribute that is an array of texts.
    public func attribute(_ name: StaticString) throws -> [String] {
        if let word = word(name), let strings = session.plainStrings(at: word) { return strings }
        return try planned(name)
    }

    /// The attribute as any decodable type: dates, URLs, arrays, nested values.
    public func attribute<Value: Decodable>(_ name: StaticString) throws -> Value { try planned(name) }

    /// The same, nil when the attribute is absent or null.
    public func attributeIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        guard let word = word(name), !session.view.isNull(word) else { return nil }
        return try edge(name) { try session.plan(for: Value.self).decode(session, at: word) }
    }

    /// An attribute that is an object, read member by member by `read`; without `Codable`'s cost.
    public func attribute<Value>(_ name: StaticString, read: (ObjectView) throws -> Value) throws -> Value {
        guard let word = word(name) else {
            return try edge(name) { throw session.missing("\(name)", in: ordinal, as: Value.self) }
        }
        guard session.view.isObject(word) else {
            return try edge(name) { throw session.failure(.wrongType, at: word, expected: "an object") }
        }
        return try read(ObjectView(session, word))
    }

    // MARK: - Relationships

    /// The related resource, embedded. Throws when there is none.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model {
        try edge(name) { try elements(Model.self)._withUnsafeGuaranteedRef { try $0.one(session, ordinal, FieldName(name)) } }
    }

    /// The same, nil when there is nothing to embed.
    public func relationshipIfPresent<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model? {
        try edge(name) { try elements(Model.self)._withUnsafeGuaranteedRef { try $0.oneIfPresent(session, ordinal, FieldName(name)) } }
    }

    /// The related resource, embedded; nil when there is nothing to embed.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> Model? {
        try relationshipIfPresent(name)
    }

    /// The related resources, embedded.
    // Inlinable, so that the array is made where its type is known: in the library the runtime looks the type up each time, which
    // took 3 % of decoding a compound document.
    @inlinable
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model] {
        guard let list = try identifiers(name) else { return try unusualRelationship(name) }
        if list.count > 8 { return try [Model](unsafeUninitializedCapacity: list.count) { try fill($0, &$1, list, name) } }
        // An array with uninitialized memory is made by a call that asks the runtime for its type again, which costs more than to move
        // a few values.
        var models: [Model] = []
        models.reserveCapacity(list.count)
        try withUnsafeTemporaryAllocation(of: Model.self, capacity: list.count) { memory in
            var count = 0
            do {
                try fill(memory, &count, list, name)
            } catch {
                // In both ways the memory is left without values.
                memory[..<count].deinitialize()
                throw error
            }
            for index in 0..<count { models.append(memory.moveElement(from: index)) }
        }
        return models
    }

    /// The identifiers of a to-many relationship; nil where there are none, for whatever reason.
    @usableFromInline
    func identifiers(_ name: StaticString) throws -> IdentifierList? {
        try edge(name) {
            guard case .identifiers(let list) = try session.linkage(FieldName(name), of: ordinal) else { return nil }
            return list
        }
    }

    @usableFromInline
    func fill<Model: ResourceRepresentable>(
        _ buffer: UnsafeMutableBufferPointer<Model>, _ count: inout Int, _ list: IdentifierList, _ name: StaticString
    ) throws {
        try edge(name) { try elements(Model.self)._withUnsafeGuaranteedRef { try $0.fill(buffer, &count, session, list, FieldName(name)) } }
    }

    @usableFromInline
    func unusualRelationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model] {
        try edge(name) { try elements(Model.self)._withUnsafeGuaranteedRef { try $0.many(session, ordinal, FieldName(name)) } }
    }

    /// The same, nil when the relationship is not loaded.
    public func relationshipIfPresent<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model]? {
        try edge(name) { try elements(Model.self)._withUnsafeGuaranteedRef { try $0.manyIfPresent(session, ordinal, FieldName(name)) } }
    }

    /// The related resources, embedded; nil when the relationship is not loaded.
    public func relationship<Model: ResourceRepresentable>(_ name: StaticString) throws -> [Model]? {
        try relationshipIfPresent(name)
    }

    // Disfavored, since results do not rank overloads: without it the call for an embedded resource would be ambiguous.

    /// The relationship, as `ToOne`, `ToMany`, `RelationshipObject` or `ResourceIdentifier`.
    @_disfavoredOverload
    public func relationship<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name) { try session.plan(for: Value.self).decode(session, ordinal, FieldName(name)) }
    }

    /// The same, nil when there is none.
    @_disfavoredOverload
    public func relationshipIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        try edge(name) { try session.plan(for: Value.self).decodeIfPresent(session, ordinal, FieldName(name)) }
    }

    // MARK: - Links and meta

    /// The resource's links; empty when it has none.
    public func links() throws -> Links {
        try edge("links") { try session.plan(for: ResourceLinks.self).decode(session, ordinal, FieldName("links")).links }
    }

    /// The resource's meta as a value; nil when it has none.
    public func metaIfPresent<Value: Codable & Sendable>() throws -> Value? {
        try edge("meta") { try session.plan(for: ResourceMeta<Value>.self).decodeIfPresent(session, ordinal, FieldName("meta"))?.value }
    }

    // MARK: - Workings

    @inline(__always)
    private func word(_ name: StaticString) -> Int? {
        attributes == 0 ? nil : session.member(FieldName(name), of: attributes, slot)
    }

    /// Lives as long as the session.
    @inline(__always)
    private func elements<Model: ResourceRepresentable>(_ type: Model.Type) -> Unmanaged<ElementPlan<Model>> {
        let elements = session.elementPlanReference(for: type)
        elements._withUnsafeGuaranteedRef { $0.isLinkedTo = true }
        return elements
    }

    @inline(never)
    private func planned<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name) {
            guard let word = word(name) else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            return try session.plan(for: Value.self).decode(session, at: word)
        }
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ name: StaticString) throws -> Value {
        if let word = word(name), let value = Value.read(session.view, word) { return value }
        return try edge(name) {
            guard let word = word(name) else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            return try session.scalar(at: word)
        }
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ name: StaticString) throws -> Value? {
        guard let word = word(name), !session.view.isNull(word) else { return nil }
        if let value = Value.read(session.view, word) { return value }
        return try edge(name) { try session.scalar(at: word) }
    }

    @inline(__always)
    private func edge<Value>(_ name: StaticString, _ body: () throws -> Value) throws -> Value {
        try session.edge(session.codingPath(ofResource: ordinal) + [PathKey("\(name)")], body)
    }
}

/// A JSON object inside an attribute, shown to a direct initialiser.
public struct ObjectView {
    let session: DecodingSession
    let object: Int

    init(_ session: DecodingSession, _ object: Int) {
        self.session = session
        self.object = object
    }

    /// The member as text.
    public func member(_ name: StaticString) throws -> String { try scalar(name) }
    /// The member as an integer.
    public func member(_ name: StaticString) throws -> Int { try scalar(name) }
    /// The member as a number.
    public func member(_ name: StaticString) throws -> Double { try scalar(name) }
    /// The member as a boolean.
    public func member(_ name: StaticString) throws -> Bool { try scalar(name) }

    /// The member as any decodable type.
    public func member<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name) { try session.plan(for: Value.self).decode(session, at: required(name)) }
    }

    /// The same, nil when the member is absent or null.
    public func memberIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        guard let word = word(name), !session.view.isNull(word) else { return nil }
        return try edge(name) { try session.plan(for: Value.self).decode(session, at: word) }
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ name: StaticString) throws -> Value {
        if let word = word(name), let value = Value.read(session.view, word) { return value }
        return try edge(name) { try session.scalar(at: required(name)) }
    }

    @inline(__always)
    private func word(_ name: StaticString) -> Int? { session.member(FieldName(name).bytes, ofValue: object) }

    private func required(_ name: StaticString) throws -> Int {
        if let word = word(name) { return word }
        throw session.failure(
            .missingMember, at: object, expected: "the member `\(name)`", found: "only \(NearestName.list(session.view.names(of: object)))")
    }

    private func edge<Value>(_ name: StaticString, _ body: () throws -> Value) throws -> Value {
        try session.edge(session.codingPath(ofValue: object) + [PathKey("\(name)")], body)
    }
}
