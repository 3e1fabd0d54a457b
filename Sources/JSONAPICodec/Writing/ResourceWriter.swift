import Foundation
import JSONMapping
import JSONText

/// The destination of one resource object, for a direct `write(to:)`.
///
/// ```swift
/// func write(to resource: ResourceWriter) throws {
///     try resource.attribute("name", name)
///     try resource.attribute("color", color)              // an optional: left out when it is nil
///     try resource.relationship("author", author)
/// }
/// ```
///
/// The type and the id are already written. Names are those of members; key strategies do not apply. Results and errors are the same as
/// with `Codable`. A writer is valid only during the call. When it is used later, it throws, or the whole encoding throws.
///
/// All functions throw `EncodingError` for a name that the specification forbids or that was written before, and for a value that JSON
/// cannot represent.
public struct ResourceWriter {
    let session: EncodingSession
    let serial: Int

    init(_ session: EncodingSession) {
        self.session = session
        serial = session.serial
    }

    // MARK: - Attributes

    /// Writes an attribute that is a string. Throws `EncodingError` as described for the type.
    public func attribute(_ name: StaticString, _ value: String) throws {
        if let piece = beginPlain(name) {
            session.output.member(piece, of: session.pieces, string: value)
        } else if try begin(name) {
            session.output.string(value)
        }
    }

    /// Writes an attribute that is an integer. Throws `EncodingError` as described for the type.
    public func attribute(_ name: StaticString, _ value: Int) throws {
        if let piece = beginPlain(name) {
            session.output.member(piece, of: session.pieces, integer: Int64(value))
        } else if try begin(name) {
            session.output.integer(Int64(value))
        }
    }

    /// Writes an attribute that is a boolean. Throws `EncodingError` as described for the type.
    public func attribute(_ name: StaticString, _ value: Bool) throws {
        if let piece = beginPlain(name) {
            session.output.member(piece, of: session.pieces, bool: value)
        } else if try begin(name) {
            session.output.bool(value)
        }
    }

    /// Writes an attribute that is a number. Throws `EncodingError` for NaN and infinity, unless the encoder has a strategy for them.
    public func attribute(_ name: StaticString, _ value: Double) throws {
        guard value.isFinite else { return try other(name, value) }
        if try begin(name) { try session.output.double(value) }
    }

    /// Writes an attribute that is a date, with the encoder's strategy. Throws `EncodingError` as described for the type.
    public func attribute(_ name: StaticString, _ value: Date) throws {
        guard session.writesISODates, DateText.isWritable(value) else { return try other(name, value) }
        if try begin(name) { session.output.date(value) }
    }

    /// Writes an attribute that is an array of strings. Throws `EncodingError` as described for the type.
    public func attribute(_ name: StaticString, _ values: [String]) throws {
        guard try begin(name) else { return }
        guard session.sink.wireDepth < session.options.maximumDepth else {
            return try session.edge { throw session.tooDeep(at: ["attributes", name.description]) }
        }
        session.output.beginArray()
        for value in values { session.output.string(value) }
        session.output.endArray()
    }

    /// Writes an attribute that is a string. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type.
    public func attribute(_ name: StaticString, _ value: String?) throws {
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute that is an integer. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type.
    public func attribute(_ name: StaticString, _ value: Int?) throws {
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute that is a boolean. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type.
    public func attribute(_ name: StaticString, _ value: Bool?) throws {
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute that is a number. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type.
    public func attribute(_ name: StaticString, _ value: Double?) throws {
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute that is a date. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type.
    public func attribute(_ name: StaticString, _ value: Date?) throws {
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute of any encodable type, such as a URL, an array or a nested value. Throws `EncodingError` as described for the
    /// type, and what the value throws.
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value) throws { try other(name, value) }

    /// Writes an attribute of any encodable type. Nil is left out or written as null, depending on the encoder. Throws `EncodingError` as
    /// described for the type, and what the value throws.
    @inlinable
    public func attribute<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        // Inlined: where `Value` is not known, creating an optional of it costs more than writing it.
        if let value { try attribute(name, value) } else { try _writeNil(name) }
    }

    /// Writes an attribute that is an object, member by member. Avoids the cost of `Codable`. Throws `EncodingError` as described for the
    /// type, and what `write` throws.
    public func attribute(_ name: StaticString, write: (ObjectWriter) throws -> Void) throws {
        guard try begin(name) else { return }
        try session.edge {
            let sink = session.sink
            try sink.closingAfterError {
                let id = sink.open(.name(name.description))
                guard session.begin(.keyed, sink, id) else { throw session.misuse(sink) }
                try write(ObjectWriter(session: session, id: id))
            }
            sink.close()
        }
    }

    // MARK: - Relationships

    /// Writes a relationship: `ToOne`, `ToMany`, an embedded resource or an array of them. Throws `EncodingError` as described for the
    /// type, and for a resource without an identity.
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value) throws { try other(name, value) }

    /// Writes a relationship, or leaves it out when it is nil. Throws as the function above does.
    @inlinable
    public func relationship<Value: Encodable>(_ name: StaticString, _ value: Value?) throws {
        // Not `if let`: that copies the resource.
        if try !value.borrow({ try relationship(name, $0) }) { try _clear(name, Value.self) }
    }

    // MARK: - Links and meta

    /// Writes the resource's links, or leaves them out when there are none.
    public func links(_ links: Links) {
        do { try session.edge { try checkOpen() } } catch { return }
        if !links.members.isEmpty { session.extras.links = links.json }
    }

    /// Writes the resource's meta. Throws `EncodingError` for a value that is not encoded as an object.
    public func meta<Value: Codable & Sendable>(_ meta: Value) throws {
        try session.edge {
            try checkOpen()
            try session.writer(for: ResourceMeta<Value>.self).write(ResourceMeta(meta), session, as: session.known("meta"))
        }
    }

    // MARK: - Workings

    private func checkOpen() throws {
        guard serial == session.serial, session.sink.isIdle else {
            throw session.failure(
                .misuse, at: [], expected: "a ResourceWriter whose resource is being written",
                found: serial == session.serial
                    ? "a property of the resource, written while an object in it is open" : "a ResourceWriter whose resource is finished",
                advice: "use the writer during `write(to:)` only, and the inner writer inside an object")
        }
    }

    /// Returns the prepared text of an attribute's name; nil for a name without one.
    @inline(__always)
    private func beginPlain(_ name: StaticString) -> Int? {
        guard serial == session.serial, session.sink.isIdle, !session.hasFilter else { return nil }
        return session.beginPlainAttribute(session.names.number(of: name))
    }

    /// Writes the name of an attribute. Returns false when the fieldset excludes it.
    @inline(__always)
    private func begin(_ name: StaticString) throws -> Bool {
        if let piece = beginPlain(name) {
            session.output.name(piece, of: session.pieces)
            return true
        }
        return try session.edge {
            try checkOpen()
            return try session.beginAttribute(session.known(name))
        }
    }

    /// Writes a property of any kind, with the writer of its type.
    private func other<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try session.edge {
            try checkOpen()
            try session.write(value, with: session.writer(for: Value.self), as: session.known(name))
        }
    }

    @usableFromInline
    func _writeNil(_ name: StaticString) throws {
        if session.options.nilEncodingStrategy == .null, try begin(name) { session.output.null() }
    }

    /// Leaves out a relationship that is nil, or clears it when a patch compares values.
    @usableFromInline
    func _clear<Value: Encodable>(_ name: StaticString, _ type: Value.Type) throws {
        guard session.clearsRelationships, let kind = session.writer(for: Value.self).relationship else { return }
        try session.edge {
            try checkOpen()
            try session.writeCleared(kind, as: session.known(name))
        }
    }
}

extension Optional where Wrapped: ~Copyable {
    /// Calls `body` with the value, without a copy of it. Returns false when there is none.
    @inlinable @inline(__always)
    borrowing func borrow(_ body: (borrowing Wrapped) throws -> Void) rethrows -> Bool {
        switch self {
        case .some(let value):
            try body(value)
            return true
        case .none: return false
        }
    }
}

/// The destination of a JSON object inside an attribute, for a direct `write(to:)`.
///
/// ```swift
/// try resource.attribute("seo") { object in
///     object.member("description", seo.description)
///     try object.member("priority", seo.priority)
/// }
/// ```
public struct ObjectWriter {
    let session: EncodingSession
    /// The number of the object in the session's sink.
    let id: Int

    // The methods that cannot throw note the error, and encoding throws it at the end.

    /// Writes a string.
    public func member(_ name: StaticString, _ value: String) { if begin(name) { session.output.string(value) } }

    /// Writes an integer.
    public func member(_ name: StaticString, _ value: Int) { if begin(name) { session.output.integer(Int64(value)) } }

    /// Writes a boolean.
    public func member(_ name: StaticString, _ value: Bool) { if begin(name) { session.output.bool(value) } }

    /// Writes a number. Throws `EncodingError` for NaN and infinity, unless the encoder has a strategy for them.
    public func member(_ name: StaticString, _ value: Double) throws {
        guard value.isFinite else { return try other(name, value) }
        if begin(name) { try session.output.double(value) }
    }

    /// Writes a member of any encodable type. Throws `EncodingError` when it cannot be written, and what the value throws.
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value) throws { try other(name, value) }

    /// Writes a member of any encodable type, or leaves it out when it is nil. Throws as the function above does.
    @inlinable
    public func member<Value: Encodable>(_ name: StaticString, _ value: Value?) throws { if let value { try member(name, value) } }

    private func other<Value: Encodable>(_ name: StaticString, _ value: Value) throws {
        try session.edge {
            let writer = session.writer(for: Value.self)
            if writer.canBeOmitted, let wrapper = value as? any OmittedWrapper, wrapper.isOmitted {
                return writer.noteOmitted(name.description, session, session.sink)
            }
            try writeName(name)
            try session.write(value, as: .name(name.description), in: session.sink)
        }
    }

    /// Writes the name of a member. Returns false when the name cannot be written.
    @inline(__always)
    private func begin(_ name: StaticString) -> Bool {
        do {
            try session.edge { try writeName(name) }
            return true
        } catch {
            return false
        }
    }

    @inline(__always)
    private func writeName(_ name: StaticString) throws {
        guard session.sink.isCurrent(id) else { throw session.misuse(session.sink) }
        try session.writeName(session.names.number(of: name), name.description, of: id)
    }
}

extension EncodingSession {
    /// Returns the name for a literal, with its index in the table of names.
    @inline(__always)
    func known(_ name: StaticString) -> KnownName {
        let number = names.number(of: name)
        return KnownName(text: number >= 0 ? names.text(number) : name.description, number: number)
    }
}
