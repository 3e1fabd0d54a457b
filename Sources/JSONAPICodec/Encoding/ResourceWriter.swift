import Foundation
import JSONMapping
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

    init(_ session: EncodingSession) { self.session = session }

    // MARK: - Attributes

    /// Writes a text.
    public func attribute(_ name: StaticString, _ value: String) throws {
        if let piece = session.beginKnown(name) {
            session.output.member(piece, string: value)
        } else if try begin(name) {
            session.output.string(value)
        }
    }

    /// Writes an integer.
    public func attribute(_ name: StaticString, _ value: Int) throws {
        if let piece = session.beginKnown(name) {
            session.output.member(piece, integer: Int64(value))
        } else if try begin(name) {
            session.output.integer(Int64(value))
        }
    }

    /// Writes a boolean.
    public func attribute(_ name: StaticString, _ value: Bool) throws {
        if let piece = session.beginKnown(name) {
            session.output.member(piece, bool: value)
        } else if try begin(name) {
            session.output.bool(value)
        }
    }

    /// Throws for NaN and infinity, unless the encoder has a strategy for them.
    public func attribute(_ name: StaticString, _ value: Double) throws {
        guard value.isFinite else { return try other(name, value) }
        if try begin(name) { try session.output.double(value) }
    }

    /// A date, as the encoder's strategy says.
    public func attribute(_ name: StaticString, _ value: Date) throws {
        guard session.writesISODates, DateText.isWritable(value) else { return try other(name, value) }
        if try begin(name) { session.output.date(value) }
    }

    /// Writes an array of texts.
    public func attribute(_ name: StaticString, _ values: [String]) throws {
        guard try begin(name) else { return }
        session.output.beginArray()
        for value in values { session.output.string(value) }
        session.output.endArray()
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

    /// Writes a number; nil is left out or null, as the encoder says.
    public func attribute(_ name: StaticString, _ value: Double?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// Writes a date; nil is left out or null, as the encoder says.
    public func attribute(_ name: StaticString, _ value: Date?) throws {
        if let value { try attribute(name, value) } else { try writeNil(name) }
    }

    /// An attribute of any encodable type: URLs, arrays, nested values.
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value) throws { try other(name, value) }

    /// The same; one that is nil is left out or null, as the encoder says.
    @inlinable
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        // Inlined: where `Value` is not known, an optional of it costs more than writing it.
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// An attribute that is an object, written member by member; without `Codable`'s cost.
    public func attribute(_ name: StaticString, write: (ObjectWriter) throws -> Void) throws {
        guard try begin(name) else { return }
        session.output.beginObject()
        try session.edge { try write(ObjectWriter(session: session)) }
        session.output.endObject()
    }

    // MARK: - Relationships

    /// A relationship: `ToOne`, `ToMany`, an embedded resource or an array of them.
    @inlinable
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try withUnsafePointer(to: value) { try _relationship(name, $0) }
    }

    /// The same; one that is nil is left out.
    @inlinable
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if value == nil { return try _clear(name, Value.self) }
        // An optional keeps its value at its beginning. Taking it out would copy it.
        try withUnsafePointer(to: value) { try _relationship(name, UnsafeRawPointer($0).assumingMemoryBound(to: Value.self)) }
    }

    // MARK: - Links and meta

    /// The resource's links; left out when there are none.
    public func links(_ links: Links) { if !links.members.isEmpty { session.extras.links = links.json } }

    /// The resource's meta, as any encodable type that is an object.
    public func meta<Value: Codable & Sendable>(_ meta: Value) throws {
        try session.edge { try session.writer(for: ResourceMeta<Value>.self).write(ResourceMeta(meta), session, as: "meta") }
    }

    /// The properties of a model as its `encode(to:)` writes them.
    func writeCodable(_ model: some Encodable) throws { try model.encode(to: ResourceEncoder(session)) }

    // MARK: - Workings

    /// Writes an attribute's name. False when the fieldset leaves it out.
    @inline(__always)
    private func begin(_ name: StaticString) throws -> Bool {
        try session.edge { try session.beginAttribute(name) }
    }

    /// A property of any kind, by the writer of its type.
    private func other<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try session.edge { try session.writer(for: Value.self).write(value, session, as: session.names.text(name)) }
    }

    @usableFromInline
    func _relationship<Value: Encodable>(_ name: StaticString, _ value: UnsafePointer<Value>) throws {
        try session.edge {
            try session.withWriter(for: Value.self) { try $0.write(at: value, session, as: session.names.text(name)) }
        }
    }

    @usableFromInline
    func _writeNil(_ name: StaticString) throws { try writeNil(name) }

    private func writeNil(_ name: StaticString) throws {
        if session.options.nilEncodingStrategy == .null, try begin(name) { session.output.null() }
    }

    /// A relationship that is nil: left out, but where a patch compares values.
    @usableFromInline
    func _clear<Value: Encodable>(_ name: StaticString, _ type: Value.Type) throws {
        guard session.clearsRelationships else { return }
        try session.edge { try session.writer(for: Value.self).writeCleared(session, as: name.description) }
    }
}

/// A JSON object inside an attribute, to be written by a direct `write(to:)`.
///
/// ```swift
/// try resource.attribute("seo") { object in
///     object.member("description", seo.description)
///     try object.member("priority", seo.priority)
/// }
/// ```
public struct ObjectWriter {
    let session: EncodingSession

    /// Writes a text.
    public func member(_ name: StaticString, _ value: String) {
        if let piece = piece(name) { return session.output.member(piece, string: value) }
        begin(name)
        session.output.string(value)
    }

    /// Writes an integer.
    public func member(_ name: StaticString, _ value: Int) {
        if let piece = piece(name) { return session.output.member(piece, integer: Int64(value)) }
        begin(name)
        session.output.integer(Int64(value))
    }

    /// Writes a boolean.
    public func member(_ name: StaticString, _ value: Bool) {
        if let piece = piece(name) { return session.output.member(piece, bool: value) }
        begin(name)
        session.output.bool(value)
    }

    /// Throws for NaN and infinity, unless the encoder has a strategy for them.
    public func member(_ name: StaticString, _ value: Double) throws {
        guard value.isFinite else { return try other(name, value) }
        begin(name)
        try session.output.double(value)
    }

    /// A member of any encodable type.
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value) throws { try other(name, value) }

    /// The same, left out when it is nil.
    @inlinable
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        if let value { try member(name, value) }
    }

    private func other<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        begin(name)
        try session.edge { try session.writer(for: Value.self).write(value, session, session.sink) }
    }

    private func begin(_ name: StaticString) {
        if let piece = piece(name) { session.output.name(piece) } else { session.output.name(name.utf8Buffer) }
    }

    @inline(__always)
    private func piece(_ name: StaticString) -> OutputPiece? { session.names.known(name)?.pointee.member }
}

extension EncodingSession {
    /// As `beginAttribute(_:)` for a text of the program.
    @inline(__always)
    func beginAttribute(_ name: StaticString) throws -> Bool {
        guard let piece = beginKnown(name) else { return try beginAttribute(names.text(name)) }
        output.name(piece)
        return true
    }

    /// A name that is to be written now as the next attribute's; nil for one that has to be looked at first.
    @inline(__always)
    func beginKnown(_ name: StaticString) -> OutputPiece? {
        guard !hasFilter, let piece = names.known(name)?.pointee.member else { return nil }
        if !hasAttributes { openAttributes() }
        return piece
    }
}
