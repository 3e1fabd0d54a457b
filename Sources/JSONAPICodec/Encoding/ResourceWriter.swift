import Foundation
import JSONText

/// One resource object, to be written by a direct `write(to:)`.
///
/// ```swift
/// func write(to resource: ResourceWriter) throws {
///     try resource.attribute("name", name)
///     try resource.attribute("color", color)              // an optional: left out when it is nil
///     try resource.relationship("author", author)
/// }
/// ```
///
/// Type and id are written already. Names are members' names, without key strategy. What is written and thrown is as with
/// `Codable`. Valid during the call.
public struct ResourceWriter {
    let session: EncodingSession
    private let model: any Encodable

    init(_ session: EncodingSession, _ model: any Encodable) {
        self.session = session
        self.model = model
    }

    // MARK: - Attributes

    /// Writes a text.
    public func attribute(_ name: StaticString, _ value: String) throws {
        if try begin(name) { session.sink.output.string(value) }
    }

    /// Writes an integer.
    public func attribute(_ name: StaticString, _ value: Int) throws {
        if try begin(name) { session.sink.output.integer(value) }
    }

    /// Writes a boolean.
    public func attribute(_ name: StaticString, _ value: Bool) throws {
        if try begin(name) { session.sink.output.bool(value) }
    }

    /// Writes a text; nil is left out or null, as the encoder says.
    public func attribute(_ name: StaticString, _ value: String?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// Writes an integer; nil is left out or null, as the encoder says.
    public func attribute(_ name: StaticString, _ value: Int?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// Writes a boolean; nil is left out or null, as the encoder says.
    public func attribute(_ name: StaticString, _ value: Bool?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// An attribute of any encodable type: dates, URLs, arrays, nested values.
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try session.edge { try session.writer(for: Value.self).write(value, session, as: name.description) }
    }

    /// The same; one that is nil is left out or null, as the encoder says.
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// An attribute that is an object, written member by member; without `Codable`'s cost.
    public func attribute(_ name: StaticString, write: (ObjectWriter) throws -> Void) throws {
        guard try begin(name) else { return }
        session.sink.output.beginObject()
        try session.edge { try write(ObjectWriter(session: session)) }
        session.sink.output.endObject()
    }

    // MARK: - Relationships

    /// A relationship: `ToOne`, `ToMany`, an embedded resource or an array of them.
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try session.edge { try session.writer(for: Value.self).write(value, session, as: name.description) }
    }

    /// The same; one that is nil is left out.
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if let value { return try relationship(name, value) }
        guard session.clearsRelationships else { return }
        try session.edge { try session.writer(for: Value.self).writeCleared(session, as: name.description) }
    }

    // MARK: - Links and meta

    /// The resource's links; left out when there are none.
    public func links(_ links: Links) { if !links.members.isEmpty { session.extras.links = links.json } }

    /// The resource's meta, as any encodable type that is an object.
    public func meta<Value: Codable & Sendable>(_ meta: Value) throws {
        try session.edge { try session.writer(for: ResourceMeta<Value>.self).write(ResourceMeta(meta), session, as: "meta") }
    }

    /// The properties as `encode(to:)` writes them.
    func writeCodable() throws { try model.encode(to: ResourceEncoder(session)) }

    // MARK: - Workings

    @inline(__always)
    private func begin(_ name: StaticString) throws -> Bool {
        try session.edge { try session.beginAttribute(name) }
    }

    private func writeNil(_ name: StaticString) throws {
        if session.options.nilEncodingStrategy == .null, try begin(name) { session.sink.output.null() }
    }
}

/// A JSON object inside an attribute, to be written by a direct `write(to:)`.
public struct ObjectWriter {
    let session: EncodingSession

    /// Writes a text.
    public func member(_ name: StaticString, _ value: String) {
        begin(name)
        session.sink.output.string(value)
    }

    /// Writes an integer.
    public func member(_ name: StaticString, _ value: Int) {
        begin(name)
        session.sink.output.integer(value)
    }

    /// Writes a boolean.
    public func member(_ name: StaticString, _ value: Bool) {
        begin(name)
        session.sink.output.bool(value)
    }

    /// A member of any encodable type.
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        begin(name)
        try session.edge { try session.writer(for: Value.self).write(value, session, session.sink) }
    }

    /// The same, left out when it is nil.
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if let value { try member(name, value) }
    }

    private func begin(_ name: StaticString) { session.sink.output.name(name.description) }
}

extension EncodingSession {
    /// As `beginAttribute(_:)` for a text of the program.
    @inline(__always)
    func beginAttribute(_ name: StaticString) throws -> Bool {
        let bytes = name.utf8Buffer
        guard !hasFilter, hasAttributes, MemberName.isLegal(bytes) else {
            return try beginAttribute(name.description)
        }
        sink.output.name(escaped: bytes)
        return true
    }
}
