import JSONText

/// The flat keyed container of a resource object.
///
/// Scalars take a fast path: the attribute with that name, tried first where a sibling had it. Everything else, and everything unusual,
/// uses the plan of its type. `PropertyPlace` describes the order of look-up.
struct ResourceContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let session: DecodingSession
    let ordinal: Int

    init(_ decoder: ResourceDecoder) {
        session = decoder.session
        ordinal = decoder.ordinal
    }

    var codingPath: [any CodingKey] { session.codingPath(ofResource: ordinal) }

    // MARK: - Scalars

    /// Returns the attribute for a key on the fast path; nil for everything that needs a closer look.
    @inline(__always)
    private func attribute(_ name: FieldName) -> Int? {
        if name.isIdentity || JSONAPICodec.Key.self == Key.self || session.isOnlyPath(name) { return nil }
        return session.attribute(name, of: ordinal)
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        let value: Value? = session.memberNames.member(key).withName { name in
            if let word = attribute(name) { return Value.read(session.view, word) }
            return name.isID ? identity() : nil
        }
        return try value ?? property(key)
    }

    /// Whether an attribute is all that the name can stand for: it is no identity, no path and no part of a resource object.
    @inline(__always)
    private func isUsual(_ name: FieldName) -> Bool {
        JSONAPICodec.Key.self != Key.self && !name.isIdentity && !name.hasDot && !ResourcePart.mayBe(name)
    }

    /// Returns the resource's id.
    @inline(__always)
    private func identity<Value: Scalar>() -> Value? {
        let word = Int(session.entries[ordinal].id)
        return word == 0 ? nil : Value.read(identity: session.view.string(at: word))
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        let (word, isAbsent) = session.memberNames.member(key).withName { name in
            let word = attribute(name)
            return (word, word == nil && isUsual(name) && session.relationship(name, of: ordinal) == nil)
        }
        if isAbsent { return nil }
        guard let word else { return try propertyIfPresent(key) }
        if session.view.isNull(word) { return nil }
        return try Value.read(session.view, word) ?? propertyIfPresent(key)
    }

    // MARK: - Anything

    private func property<Value: Decodable>(_ key: Key) throws -> Value {
        do {
            let plan = session.plan(for: Value.self)
            if let place = ExplicitPlace(key) { return try place.decode(plan, session, ordinal) }
            return try session.memberNames.member(key).withName { name in
                try checkPath(name, plan)
                return try plan.decode(session, ordinal, name)
            }
        } catch {
            return try session.placeholder(ordinal, key, Value.self, for: error)
        }
    }

    private func propertyIfPresent<Value: Decodable>(_ key: Key) throws -> Value? {
        do {
            let plan = session.plan(for: Value.self)
            if let place = ExplicitPlace(key) { return try place.decodeIfPresent(plan, session, ordinal) }
            return try session.memberNames.member(key).withName { name in
                try checkPath(name, plan)
                return try plan.decodeIfPresent(session, ordinal, name)
            }
        } catch {
            return try session.placeholder(ordinal, key, Value.self, for: error)
        }
    }

    /// Throws for a relationship whose name has a dot. The encoder takes the name as a path, and would write an attribute. In
    /// a request, the path of a relationship is not the name of another one, either.
    private func checkPath<Value>(_ name: FieldName, _ plan: PropertyPlan<Value>) throws {
        guard plan.isWrittenAtPaths || session.isRequest && plan.readsRelationships, name.hasDot,
            let word = session.relationship(name, of: ordinal)
        else { return }
        throw session.failure(
            .wrongType, at: word, expected: "a value at the path `\(name.text)`, because a coding key with a dot is a path",
            found: "a relationship with that name",
            advice: "declare it as ToOne or ToMany, or use Key.relationships(\"\(name.text)\") in init(from:) and encode(to:)")
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try property(key) }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? { try propertyIfPresent(key) }

    // Not generic: one function for all scalars costs 2 to 4 % of decoding.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }

    // Not generic: the standard library has functions of these types, which would be preferred.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try scalarIfPresent(key) }
}
