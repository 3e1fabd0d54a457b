import JSONText

/// The flat keyed container for writing a resource object.
///
/// Scalars take a fast path. Everything else, and every unusual key, uses the writer of its type.
struct ResourceEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    private let serial: Int

    init(_ encoder: ResourceEncoder) { (session, serial) = (encoder.session, encoder.serial) }

    var codingPath: [any CodingKey] { session.codingPath([]) }

    // MARK: - Scalars

    @inline(__always)
    private func scalar<Value: Scalar>(_ value: Value, _ key: Key) throws {
        let name = session.memberNames.member(key)
        guard isOpen, value.isRepresentable, let piece = session.beginPlainAttribute(session.names.number(of: name)) else {
            return try property(value, key)
        }
        session.output.name(piece, of: session.pieces)
        try session.edge { try value.write(session.output) }
    }

    /// Does the same for a string, which is written together with its name.
    @inline(__always)
    private func text(_ value: String, _ key: Key) throws {
        guard isOpen else { return try property(value, key) }
        let number = session.names.number(of: session.memberNames.member(key))
        if let piece = session.beginPlainAttribute(number) {
            session.output.member(piece, of: session.pieces, string: value)
        } else if number < 0 || !session.names[number].isID || session.writesFields {
            try property(value, key)
        }
        // Otherwise it is the id, which is already written.
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ value: Value?, _ key: Key) throws {
        if let value { try scalar(value, key) } else { try scalarIsNil(key) }
    }

    @inline(__always)
    private func scalarIsNil(_ key: Key) throws {
        if writesPlainNull(key) { return }
        if session.writesNulls, writesNull(key) {
            try encodeNull(key)
        } else if session.nameCheck != nil {
            noteName(of: key)
        }
    }

    /// Writes null if nil is written as null, and the key is the name of an attribute with a prepared text. Returns false for another key.
    @inline(never)
    private func writesPlainNull(_ key: Key) -> Bool {
        guard session.writesNulls, isOpen else { return false }
        let number = session.names.number(of: session.memberNames.member(key))
        guard let piece = session.beginPlainAttribute(number) else { return false }
        session.output.name(piece, of: session.pieces)
        session.output.null()
        return true
    }

    /// Whether nil is written as null for a key, because it is that of an attribute. Only if nil is written as null at all.
    @inline(never)
    private func writesNull(_ key: Key) -> Bool {
        guard case .path(let segments) = session.place(of: key) else { return true }
        return segments.count > 1 && !isRelationship(segments) && (segments[0] == "attributes" || session.clearsParts)
    }

    private func isRelationship(_ path: [String]) -> Bool { path.count == 2 && path[0] == "relationships" }

    /// Notes the name of a property that is nil, if the coding key does not have it.
    @inline(never)
    private func noteName(of key: Key) {
        if let check = session.nameCheck, case .path(let segments) = session.place(of: key) { check.note(path: segments) }
    }

    /// Whether the keys are those of a dictionary, and not of a model.
    private static var areOfDictionary: Bool {
        Key.self == JSONObject.Name.self || String(reflecting: Key.self) == "Swift._DictionaryCodingKey"
    }

    /// Whether the container can be written to, and its keys are names.
    @inline(__always)
    private var isOpen: Bool { JSONAPICodec.Key.self != Key.self && serial == session.serial && session.sink.isIdle }

    // MARK: - Anything

    @inline(never)
    private func property<Value: Encodable>(_ value: Value, _ key: Key) throws {
        try session.edge {
            try session.checkOpen(serial)
            let writer = session.writer(for: Value.self)
            if session.namesRelationships { noteAlternatives(Value.self, key) }
            switch session.place(of: key) {
            case .field(let name): try session.write(value, with: writer, as: name)
            case .identity(let name): try session.checkIdentity(value, name, isInDictionary: Self.areOfDictionary)
            case .path(let segments):
                session.nameCheck?.note(path: segments)
                if isRelationship(segments), !writer.writesAttributes {
                    try session.write(value, with: writer, as: session.known(segments[1]))
                } else {
                    try writer.write(value, session, at: segments)
                }
            }
        }
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try property(value, key) }

    /// Leaves out a nil attribute or writes null, depending on the encoder. Other properties that are nil are left out.
    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        // Not `if let`: the runtime would look up `Value?` to copy it.
        if try value.borrow({ try property($0, key) }) { return }
        let writer = session.writer(for: Value.self)
        if session.nameCheck != nil { noteName(of: key) }
        guard session.clearsRelationships || session.writesNulls else { return }
        if writer.leavesOutNil { return noteAbsent(key, Value.self) }
        if let kind = writer.relationship {
            try clear(kind, writer, key)
        } else if writer.writesAttributes, case .path(let path) = session.place(of: key), isRelationship(path) {
            // A struct of the model's own for the whole relationship object.
            try clear(.any, writer, key)
        } else if writer.writesAttributes, session.writesNulls, writesNull(key) {
            try null(writer, key)
        }
    }

    /// Notes the other places of a property with `@Alternatives`.
    private func noteAlternatives(_ type: Any.Type, _ key: Key) {
        guard let wrapper = type as? any AlternativesType.Type, let name = session.fieldName(of: key) else { return }
        let keys = wrapper.otherNames.compactMap { Key(stringValue: $0) }
        let members = keys.compactMap { key -> [String]? in
            guard session.fieldName(of: key) == nil, case .path(let path) = session.place(of: key) else { return nil }
            return path
        }
        session.extras.alternatives.append(
            AlternativePlaces(name: name, fields: keys.compactMap { session.fieldName(of: $0) }, members: members))
    }

    /// Notes a property that is not written.
    private func noteAbsent(_ key: Key, _ type: Any.Type) {
        switch session.place(of: key) {
        case .field(let name): session.noteAbsent(name.text, type)
        case .path(let path): session.noteAbsent(at: path)
        case .identity: return
        }
    }

    /// Writes a relationship that is nil. At a path inside an attribute, it is a plain value.
    @inline(never)
    private func clear<Value: Encodable>(_ kind: RelationshipKind, _ writer: PropertyWriter<Value>, _ key: Key) throws {
        var relationship: KnownName?
        switch session.place(of: key) {
        case .identity: return
        case .field(let name): relationship = name
        case .path(let path):
            // The whole object, or only the linkage.
            relationship = (isRelationship(path) ? path[1] : path.linkedName).map { session.known($0) }
            if relationship == nil, session.writesNulls, writesNull(key) { try null(writer, key) }
        }
        guard let relationship, session.clearsRelationships else { return }
        try session.edge {
            try session.checkOpen(serial)
            try session.writeCleared(kind, as: relationship)
        }
    }

    @inline(never)
    private func null<Value: Encodable>(_ writer: PropertyWriter<Value>, _ key: Key) throws {
        if let empty = writer.empty { try property(empty, key) } else { try encodeNull(key) }
    }

    mutating func encodeNil(forKey key: Key) throws { try encodeNull(key) }

    /// Writes null. Not as an `Optional`, because the runtime would look up its type for every property.
    @inline(never)
    private func encodeNull(_ key: Key) throws {
        try session.edge {
            try session.checkOpen(serial)
            switch session.place(of: key) {
            case .field(let name): if try session.beginAttribute(name) { session.output.null() }
            case .identity: return
            case .path(let segments) where isRelationship(segments):
                try session.writeEmptyToOne(session.known(segments[1]))
            case .path(let segments):
                session.nameCheck?.note(path: segments)
                session.sink(at: segments).output.null()
            }
        }
    }

    // MARK: - Containers inside

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        nestedEncoder(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nestedEncoder(key).unkeyedContainer() }

    /// Returns an encoder for the resource itself, because a superclass's properties are fields of the same resource.
    mutating func superEncoder() -> any Encoder { ResourceEncoder(session, serial) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key) }

    /// Returns an encoder for one value, which is inserted at the end of the resource.
    private func nestedEncoder(_ key: Key) -> ValueEncoder {
        guard serial == session.serial else { return .closed(session) }
        let segments: [String]
        switch session.place(of: key, isContainer: true) {
        case .field(let name): segments = ["attributes", name.text]
        case .identity(let name):
            session.note(session.misplaced(name))
            return .closed(session)
        case .path(let path):
            if path.count == 1 { session.nameCheck?.open(path[0]) }
            segments = path
        }
        let sink = session.sink(at: segments)
        return ValueEncoder(session, sink, sink.open(.same))
    }

    // MARK: - Scalars by name

    @inline(__always)
    mutating func encode<Value: Scalar>(_ value: Value, forKey key: Key) throws { try scalar(value, key) }
    mutating func encode(_ value: String, forKey key: Key) throws { try text(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }

    // Not generic: the standard library has functions of these types, which would be preferred.
    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws {
        if let value { try text(value, key) } else { try scalarIsNil(key) }
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try scalarIfPresent(value, key) }
}

/// The place of a coding key's value in a resource object.
enum KeyPlace {
    /// An attribute or a relationship, depending on the type of the value.
    case field(KnownName)
    /// `id` or `type`.
    case identity(String)
    /// A path of names that starts at the resource object.
    case path([String])
}

extension EncodingSession {
    /// Returns the place of a coding key, in the same order as the decoder: the identity, a field with that name, and the path for a name
    /// with dots.
    ///
    /// - Parameter isContainer: Whether a nested container is requested, which the parts of a resource object also have.
    func place(of key: some CodingKey, isContainer: Bool = false) -> KeyPlace {
        if let key = Key.explicit(key) { return place(ofExplicit: key) }
        let name = memberNames.member(key)
        if ResourcePart.isIdentity(name) { return .identity(name) }
        if isContainer, ResourcePart(rawValue: key.stringValue) != nil { return .path([key.stringValue]) }
        let known = known(name)
        let hasDot = known.number >= 0 ? names[known.number].hasDot : UTF8Bytes.contains(UInt8(ascii: "."), in: name)
        guard hasDot else { return .field(known) }
        let segments = UTF8Bytes.parts(of: name, separatedBy: UInt8(ascii: "."))
        return .path(ResourcePart(rawValue: segments[0]) == nil ? ["attributes"] + segments : segments)
    }

    /// Returns the attribute or relationship that a key names or is inside of; nil for the identity and other parts of the resource.
    fileprivate func fieldName(of key: some CodingKey) -> String? {
        switch place(of: key) {
        case .field(let name): name.text
        case .path(let path): path.count > 1 && ResourcePart(rawValue: path[0])?.holdsFields == true ? path[1] : nil
        case .identity: nil
        }
    }

    private func place(ofExplicit key: Key) -> KeyPlace {
        switch key.root {
        case .flat: return .field(known(key.stringValue))
        case .member: return key == .id || key == .type ? .identity(key.stringValue) : .path(key.segments)
        case .attributes: return .path(["attributes"] + renamedFirst(key.segments))
        case .relationships: return .path(["relationships"] + renamedFirst(key.segments))
        }
    }

    private func renamedFirst(_ segments: [String]) -> [String] {
        guard memberNames != nil, let first = segments.first else { return segments }
        return [options.keyStrategy.memberName(first)] + segments.dropFirst()
    }

    /// Checks a property for the identity, which is already written: it must have the same value. A model can write another id under a
    /// coding key of its own, for example when it shows another resource, but a dictionary or `ResourceFields` would lose a member.
    func checkIdentity(_ value: some Encodable, _ name: String, isInDictionary: Bool) throws {
        if name != "type", !isInDictionary, !writesFields, value is any ResourceID || identity.id == nil { return }
        let written = try (value as? String).map(JSON.string) ?? options.json(value)
        let text = written.string ?? written.number?.text
        guard written == .null || text.map({ UTF8Bytes.areEqual($0, name == "type" ? identity.type : identity.id ?? "") }) == true else {
            throw misplaced(name)
        }
    }

    /// Returns the failure for a property whose key is that of the identity, but which has another value.
    func misplaced(_ name: String) -> EncodingFailure {
        failure(
            .wrongPlace, at: [name], expected: name == "type" ? "the type `\(identity.type)`" : "the id of the resource",
            found: "a property `\(name)` with another value",
            advice: writesFields && name == "id"
                ? "pass the id beside the fields: Create(_:id:) or Patch(id:_:)"
                : "to write an attribute of that name, use the key `attributes.\(name)` and set checksNames to false")
    }

    /// Throws when the resource object with a serial number is finished, or a value in it is open.
    func checkOpen(_ serial: Int) throws {
        guard serial == self.serial else {
            throw failure(
                .misuse, at: [], expected: "a container of the resource that is being written",
                found: "a container whose resource is finished")
        }
        guard sink.isIdle else {
            throw failure(.misuse, expected: "a value that is finished", found: "a property of the resource, written while a value is open")
        }
    }

    /// Runs `body` and converts a failure of this library to an `EncodingError`. Other errors pass unchanged.
    @inline(__always)
    func edge<Value>(_ body: () throws -> Value) throws -> Value { do { return try body() } catch { throw failed(error) } }

    /// Returns the error for the model, and keeps it: the text is incomplete, even if the model continues.
    @inline(never)
    private func failed(_ error: any Error) -> any Error {
        let error = (error as? EncodingFailure)?.encodingError ?? error
        note(error)
        return error
    }

    /// Throws the error again that a model has caught.
    func checkWhole() throws { if let firstError { throw firstError } }
}
