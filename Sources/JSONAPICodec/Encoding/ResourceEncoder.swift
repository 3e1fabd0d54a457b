/// Takes one resource object from a model's `encode(to:)`: identity, attributes and relationships in a single flat container.
struct ResourceEncoder: Encoder {
    let session: EncodingSession

    init(_ session: EncodingSession) { self.session = session }

    var codingPath: [any CodingKey] { session.codingPath([]) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ResourceEncodingContainer<Key>(session))
    }

    /// A resource object is no array: whatever is written into this container fails.
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementEncodingContainer(session, .closed(), ValueEncoder.closed)
    }

    /// For types that wrap a resource: `encode` hands on to the same resource object.
    func singleValueContainer() -> any SingleValueEncodingContainer { WrappedResourceContainer(session: session) }
}

/// A resource as a single value.
struct WrappedResourceContainer: SingleValueEncodingContainer {
    let session: EncodingSession
    var codingPath: [any CodingKey] { session.codingPath([]) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try session.edge {
            guard !(value is any WritableScalar) else {
                throw session.failure(.wrongPlace, at: [], expected: "a resource object", found: "a single \(Value.self)")
            }
            try session.nest()
            defer { session.unnest() }
            try value.encode(to: ResourceEncoder(session))
        }
    }

    func encodeNil() throws {
        try session.edge { throw session.failure(.wrongPlace, at: [], expected: "a resource object", found: "null") }
    }
}
