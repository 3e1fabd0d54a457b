import JSONMapping
import JSONText

// How a property is read and written, whatever its type is.

/// Reads properties of one Swift type from resource objects. There is one instance for each type and session.
///
/// The base class reads attributes. Relationships and markers override the place.
package class PropertyPlan<Value> {
    /// Whether the property is a relationship.
    var readsRelationships: Bool { false }

    /// Whether a relationship is written as a plain value where the name of the property is a path.
    var isWrittenAtPaths: Bool { false }

    /// Whether the property is an attribute, or the identity.
    var readsAttributes: Bool { !readsRelationships }

    /// Whether it does the same as the type's own `init(from:)`, which can also read a resource.
    package var usesCodable: Bool { false }

    /// The value of a missing property; nil when that is an error.
    var valueOfNothing: Value? { nil }

    /// Whether null is a value, also of a property that may be missing.
    var readsNull: Bool { false }

    /// Reads a plain JSON value at any place.
    func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Value {
        throw session.failure(.wrongType, at: place.word, expected: "\(Value.self)")
    }

    /// Reads a member of an object, as the method of a container for the type does.
    func decode(_ session: DecodingSession, member place: ValuePlace) throws -> Value { try decode(session, at: place) }

    /// Reads the property `name` of a resource. Throws when it is missing.
    func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return try decode(session, at: place)
        case .identity(let word): return try identity(session, ordinal, name, word)
        case .absent(let word): return try absent(session, ordinal, name, after: word)
        }
    }

    /// A separate function. When it was inlined, the runtime looked up the type of the optional on every path, which took 3 % of decoding a
    /// compound document.
    @inline(never)
    private func absent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName, after word: Int) throws -> Value {
        if let value = valueOfNothing {
            if readsAttributes { try session.checkNotElsewhere(name, of: ordinal, Value.self, after: word) }
            return value
        }
        if name.isType, let type = session.assumedTypes[ordinal] as? Value { return type }
        try session.checkNotElsewhere(name, of: ordinal, Value.self)
        throw session.missingProperty(name.text, in: ordinal, as: Value.self)
    }

    /// Reads the property `name` of a resource; nil when it is missing or null.
    func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return session.view.isNull(place.word) ? nil : try decode(session, at: place)
        case .identity(let word): return try identity(session, ordinal, name, word)
        case .absent(let word):
            if name.isType { return assumedType(session, ordinal) }
            try session.checkNotElsewhere(name, of: ordinal, Value.self, after: word)
            return nil
        }
    }

    /// Reads the identity. When a property `type` cannot be one, it may be meant as the attribute of that name.
    private func identity(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName, _ word: Int) throws -> Value {
        do { return try decodeIdentity(session, at: word) } catch {
            guard name.isType, DecodingFailure.of(error) != nil, session.attribute(name, of: ordinal) != nil else { throw error }
            throw session.otherText(
                at: word, "the type of the resource as \(Value.self)", "name the attribute `type` by the coding key `attributes.type`")
        }
    }

    @inline(never)
    private func assumedType(_ session: DecodingSession, _ ordinal: Int) -> Value? { session.assumedTypes[ordinal] as? Value }

    /// Returns the value for a resource without the relationship `name`, whatever its attributes are.
    func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        throw session.missingRelationship(name.text, in: ordinal)
    }

    /// Reads an `id` or `type` member, which is a string in the document, whatever the Swift type is.
    func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value { try decode(session, at: ValuePlace(field: word)) }
}

extension EncodingSession {
    func relationshipInAttribute(_ type: Any.Type, _ sink: ValueSink) -> EncodingFailure {
        failure(
            .wrongPlace, in: sink, expected: "a plain value", found: "\(type), which represents a relationship or a part of a resource",
            advice: """
                declare it as a property of the resource itself. A coding key with a dot is a path: for a relationship whose name has a dot, \
                write encode(to:) with Key.relationships
                """)
    }
}

extension ValueEncoder {
    /// Throws unless the value is that of a whole relationship, which a key with a path names. Returns whether a request is written, whose
    /// relationships have only linkage.
    func isRequestForRelationship(_ type: Any.Type) throws -> Bool {
        let tokens = sink.path.compactMap(\.token)
        guard sink.group.isEmpty, tokens.count == 2, tokens[0] == "relationships" else { throw session.relationshipInAttribute(type, sink) }
        return session.isRequest
    }
}

extension [String] {
    /// The name of the relationship to whose linkage the path leads; nil for any other path.
    var linkedName: String? { count == 3 && self[0] == "relationships" && self[2] == "data" ? self[1] : nil }
}

/// How many resources a relationship can have.
enum RelationshipKind { case toOne, toMany, any }

/// Writes properties of one Swift type into resource objects. There is one instance for each type and session.
///
/// The base class writes attributes. Relationships and markers override the place.
class PropertyWriter<Value> {
    /// Whether the property is an attribute. A nil of any other kind is never written.
    var writesAttributes: Bool { relationship == nil }

    /// Whether a nil stands for no value at all, which is neither written as null nor cleared.
    var leavesOutNil: Bool { false }

    /// Whether some values are left out of objects.
    final let canBeOmitted = Value.self is any OmittedWrapper.Type

    /// A value that is written in place of nil when nil is written as null; nil for null itself.
    var empty: Value? { nil }

    /// Notes a member of the innermost object of `sink` that is left out, if a patch does not remove all of it.
    func noteOmitted(_ name: String, _ session: EncodingSession, _ sink: ValueSink) {}

    /// Writes a plain JSON value at any place.
    func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        throw session.relationshipInAttribute(Value.self, sink)
    }

    /// The kind of a relationship; nil for a property that is not one.
    var relationship: RelationshipKind? { nil }

    /// Writes the property `name` of the current resource.
    func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        guard try session.beginAttribute(name) else { return }
        let sink = session.sink
        try sink.closingAfterError { try write(value, session, sink, inside: .name(name.text)) }
    }

    /// Writes a value as an element or a member of the innermost value of `sink`.
    @inline(__always)
    final func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink, inside step: PathStep) throws {
        _ = sink.open(step)
        try write(value, session, sink)
        sink.closeSilently()
    }

    /// Writes a property that is nil: null for an attribute, and nothing for other parts, unless a patch compares relationships.
    final func writeNil(_ session: EncodingSession, as name: KnownName) throws {
        if writesAttributes {
            if try session.beginAttribute(name) { session.output.null() }
        } else if session.clearsRelationships, let relationship {
            try session.writeCleared(relationship, as: name)
        }
    }

    /// Writes the value at a path of names that starts at the resource object.
    func write(_ value: Value, _ session: EncodingSession, at segments: [String]) throws {
        let sink = session.sink(at: segments)
        try sink.closingAfterError { try write(value, session, sink) }
    }
}

extension EncodingSession {
    /// Writes a property of the current resource that the model gives to its container.
    @inline(__always)
    func write<Value>(_ value: Value, with writer: PropertyWriter<Value>, as name: KnownName) throws {
        if clearsRelationships, !writer.writesAttributes { noteGiven(name.text) }
        try writer.write(value, self, as: name)
    }
}

extension ValueSink {
    /// Runs `body`. When it throws, closes the values that it has opened.
    @inline(__always)
    func closingAfterError(_ body: () throws -> Void) throws {
        let depth = depth
        do {
            try body()
        } catch {
            abandon(to: depth)
            throw error
        }
    }
}
