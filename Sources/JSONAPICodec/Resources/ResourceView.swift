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

    init(_ session: DecodingSession, _ ordinal: Int) {
        self.session = session
        self.ordinal = ordinal
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

    /// The attribute as any decodable type: dates, URLs, arrays, nested values.
    public func attribute<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name) {
            guard let word = word(name) else { throw session.missing("\(name)", in: ordinal, as: Value.self) }
            return try session.plan(for: Value.self).decode(session, at: word)
        }
    }

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

    /// The relationship, as `ToOne`, `ToMany`, an embedded resource, an optional one or an array.
    public func relationship<Value: Decodable>(_ name: StaticString) throws -> Value {
        try edge(name) { try session.plan(for: Value.self).decode(session, ordinal, name.description) }
    }

    /// The same, nil when there is nothing to embed.
    public func relationshipIfPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        try edge(name) { try session.plan(for: Value.self).decodeIfPresent(session, ordinal, name.description) }
    }

    // MARK: - Links and meta

    /// The resource's links; empty when it has none.
    public func links() throws -> Links {
        try edge("links") { try session.plan(for: ResourceLinks.self).decode(session, ordinal, "links").links }
    }

    /// The resource's meta as a value; nil when it has none.
    public func metaIfPresent<Value: Codable & Sendable>() throws -> Value? {
        try edge("meta") { try session.plan(for: ResourceMeta<Value>.self).decodeIfPresent(session, ordinal, "meta")?.value }
    }

    // MARK: - Workings

    @inline(__always)
    private func word(_ name: StaticString) -> Int? {
        session.attribute(name.utf8Buffer, of: ordinal)
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
    private func word(_ name: StaticString) -> Int? { session.member(name.utf8Buffer, ofValue: object) }

    private func required(_ name: StaticString) throws -> Int {
        if let word = word(name) { return word }
        throw session.failure(
            .missingMember, at: object, expected: "the member `\(name)`", found: "only \(NearestName.list(session.view.names(of: object)))")
    }

    private func edge<Value>(_ name: StaticString, _ body: () throws -> Value) throws -> Value {
        try session.edge(session.codingPath(ofValue: object) + [PathKey("\(name)")], body)
    }
}
