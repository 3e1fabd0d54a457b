import JSONText

// Keys, null, and nested containers.

extension ResourceContainer {
    /// The identity and the names of attributes and relationships, each once, if `Key` has a key for them. With a key strategy, these are
    /// the keys that the strategy converts to these names.
    var allKeys: [Key] {
        let entry = session.entries[ordinal]
        var names: [String] = []
        if entry.attributes != 0 { names += session.view.names(of: Int(entry.attributes)) }
        if entry.relationships != 0 { names += session.view.names(of: Int(entry.relationships)) }
        var keys = names.compactMap { session.keyName($0) }
        if entry.type != 0 { keys.insert("type", at: 0) }
        if entry.id != 0 { keys.insert("id", at: 0) }
        return ByteText.distinct(keys).compactMap { Key(stringValue: $0) }
    }

    /// Whether the resource has an attribute or a relationship of that name, or that part of a resource object.
    func contains(_ key: Key) -> Bool { word(of: key) != nil }

    /// Whether the attribute, or the data of the relationship, is null. Throws when there is neither, as `JSONDecoder` does.
    func decodeNil(forKey key: Key) throws -> Bool {
        guard let word = word(of: key) else { throw missing(key) }
        if session.view.isNull(word) { return true }
        guard isRelationship(key), session.view.isObject(word), let data = session.view.member("data", of: word) else { return false }
        return session.view.isNull(data)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try nestedDecoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try nestedDecoder(key).unkeyedContainer() }

    /// Returns a decoder for the resource itself, because a superclass's properties are fields of the same resource.
    func superDecoder() throws -> any Decoder { ResourceDecoder(session: session, ordinal: ordinal) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nestedDecoder(key) }

    // MARK: - Places

    /// Returns a decoder for the value of a key. As in the encoder, the names of the parts of a resource object stand for these parts.
    private func nestedDecoder(_ key: Key) throws -> ValueDecoder {
        if isPart(key) {
            guard let word = member(key) else { throw missingPart(key) }
            return ValueDecoder(session, ValuePlace(field: word))
        }
        guard let place = place(of: key) else { throw missing(key) }
        return ValueDecoder(session, place)
    }

    private func missingPart(_ key: Key) -> DecodingError {
        let name = key.stringValue
        return session.failure(
            .missingMember, at: Int(session.entries[ordinal].word), expected: "the resource's member `\(name)`",
            found: "a resource without it", advice: "read an attribute of that name with the key `attributes.\(name)`"
        ).decodingError(missing: key, in: codingPath)
    }

    private func missing(_ key: Key) -> DecodingError {
        let failure =
            ExplicitPlace(key)?.missing(session, ordinal, Any.self)
            ?? session.missingProperty(session.memberNames.member(key), in: ordinal, as: Any.self)
        return failure.decodingError(missing: key, in: codingPath)
    }

    private func place(of key: Key) -> ValuePlace? { session.place(ofField: key, in: ordinal) }

    private func word(of key: Key) -> Int? { place(of: key)?.word ?? (isPartOrLID(key) ? member(key) : nil) }

    /// Whether the key has the name of a part of a resource object. A key strategy does not convert it.
    private func isPart(_ key: Key) -> Bool { ExplicitPlace(key) == nil && ResourcePart(rawValue: key.stringValue) != nil }

    /// Whether the key has the name of a part, or of the lid.
    private func isPartOrLID(_ key: Key) -> Bool { isPart(key) || ExplicitPlace(key) == nil && key.stringValue == "lid" }

    private func member(_ key: Key) -> Int? { session.member(key.stringValue, of: ordinal) }

    private func isRelationship(_ key: Key) -> Bool {
        if let place = ExplicitPlace(key) { return place.isRelationship }
        let name = session.memberNames.member(key)
        guard session.attribute(name, of: ordinal) == nil else { return false }
        return session.relationship(name, of: ordinal) != nil || session.relationship(atPath: name, of: ordinal) != nil
    }
}

extension DecodingSession {
    /// Returns the attribute, the relationship object or the identity for a key of a resource.
    func place(ofField key: some CodingKey, in ordinal: Int) -> ValuePlace? {
        if let place = ExplicitPlace(key) { return place.word(self, ordinal).map(place.place) }
        let name = memberNames.member(key)
        switch name.withName({ place(of: $0, in: ordinal) }) {
        case .value(let place): return place
        case .identity(let word): return ValuePlace(field: word)
        case .absent: return name.withName { isOnlyPath($0) ? nil : relationship($0, of: ordinal) }.map { ValuePlace(field: $0) }
        }
    }

    /// Returns a member of the resource object; nil for an empty array that is read as absent.
    fileprivate func member(_ name: String, of ordinal: Int) -> Int? {
        guard let word = view.member(name, of: Int(entries[ordinal].word)), !isEmptyArrayContainer(word) else { return nil }
        return word
    }
}

/// The place of a `Key` that was made by `attributes`, `relationships` or a static member. It is the only place where the value is looked
/// up.
struct ExplicitPlace {
    private let key: JSONAPICodec.Key

    /// Returns nil for all other keys, which are flat.
    @inline(__always)
    init?<Other: CodingKey>(_ other: Other) {
        guard let key = JSONAPICodec.Key.explicit(other) else { return nil }
        self.key = key
    }

    var isRelationship: Bool { key.root == .relationships && key.segments.count == 1 }

    /// Returns the place of the value at `word`, which the key refers to.
    func place(_ word: Int) -> ValuePlace { key.segments.count == 1 ? ValuePlace(field: word) : ValuePlace(word, .elsewhere, in: nil) }

    func word(_ session: DecodingSession, _ ordinal: Int) -> Int? {
        var word = 0
        return find(&word, session, ordinal) ? word : nil
    }

    /// Follows the path by segments to its value, or to the last value on the way. Returns whether it has found the value. Each segment is
    /// a literal name, even with dots.
    private func find(_ word: inout Int, _ session: DecodingSession, _ ordinal: Int) -> Bool {
        let entry = session.entries[ordinal]
        switch key.root {
        case .flat: return false
        case .member:
            word = session.member(key.stringValue, of: ordinal) ?? 0
            return word != 0
        case .attributes: word = Int(entry.attributes)
        case .relationships: word = Int(entry.relationships)
        }
        for (i, segment) in key.segments.enumerated() {
            let name = i == 0 ? fieldName(session) : segment
            let slot = MemberFinder.valueSlot(i)
            guard word != 0, session.view.isObject(word),
                let next = name.withName({ session.finder.member($0, of: word, slot: slot, in: session.view) })
            else { return false }
            word = next
        }
        return word != 0
    }

    func decode<Value>(_ plan: PropertyPlan<Value>, _ session: DecodingSession, _ ordinal: Int) throws -> Value {
        if isRelationship, plan.readsRelationships {
            return try fieldName(session).withName { name in
                try hasRelationship(name, session, ordinal)
                    ? plan.decode(session, ordinal, name) : plan.decodeAbsent(session, ordinal, name)
            }
        }
        if readsMember(plan) { return try firstName.withName { try plan.decode(session, ordinal, $0) } }
        var word = 0
        if find(&word, session, ordinal) { return try plan.decode(session, member: place(word)) }
        guard let value = plan.valueOfNothing else { throw missing(session, ordinal, Value.self) }
        if key.root == .attributes { try session.checkPassable(word) }
        return value
    }

    func decodeIfPresent<Value>(_ plan: PropertyPlan<Value>, _ session: DecodingSession, _ ordinal: Int) throws -> Value? {
        if isRelationship, plan.readsRelationships {
            return try fieldName(session).withName { name in
                try hasRelationship(name, session, ordinal)
                    ? plan.decodeIfPresent(session, ordinal, name) : plan.readsNull ? plan.valueOfNothing : nil
            }
        }
        if readsMember(plan) { return try firstName.withName { try plan.decodeIfPresent(session, ordinal, $0) } }
        var word = 0
        guard find(&word, session, ordinal) else {
            if key.root == .attributes { try session.checkPassable(word) }
            return plan.readsNull ? plan.valueOfNothing : nil
        }
        return session.view.isNull(word) && !plan.readsNull ? nil : try plan.decode(session, at: place(word))
    }

    private var firstName: String { key.segments.first ?? "" }

    /// The name of the attribute or relationship in the document.
    private func fieldName(_ session: DecodingSession) -> String {
        session.memberNames == nil ? firstName : session.options.keyStrategy.memberName(firstName)
    }

    /// Whether the resource has a relationship with exactly that name, and not only an attribute or a path.
    private func hasRelationship(_ name: FieldName, _ session: DecodingSession, _ ordinal: Int) throws -> Bool {
        try session.relationship(name, of: ordinal) != nil && session.relationshipEntry(name, of: ordinal) != nil
    }

    /// Whether the plan itself finds the member: the identity, or what `ResourceMeta`, `ResourceLinks` and `LocalID` read.
    private func readsMember<Value>(_ plan: PropertyPlan<Value>) -> Bool {
        if key == .id || key == .type { return plan.readsAttributes }
        return key.root == .member && !plan.readsAttributes && !plan.readsRelationships
    }

    /// Returns the failure for a missing value. It names the place where the value was looked up.
    func missing(_ session: DecodingSession, _ ordinal: Int, _ type: Any.Type) -> DecodingFailure {
        if key.root != .member, key.segments.count > 1 { return session.missing(key, in: ordinal, as: type) }
        if key.root == .attributes { return session.missing(firstName, in: ordinal, as: type) }
        if isRelationship { return session.missingRelationship(firstName, in: ordinal) }
        return session.failure(
            .missingMember, at: Int(session.entries[ordinal].word), expected: "the resource's member `\(key.stringValue)`",
            found: "a resource without it")
    }
}
