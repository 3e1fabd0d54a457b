/// Takes one resource object from a model's `encode(to:)`: identity, attributes and relationships in a single flat container.
struct ResourceEncoder: Encoder {
    let session: EncodingSession

    init(_ session: EncodingSession) { self.session = session }

    var codingPath: [any CodingKey] { session.codingPath([]) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if let check = session.nameCheck { check.note(type, session) }
        return session.containerMaker(for: type).make(session)
    }

    /// A resource object is no array: whatever is written into this container fails.
    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ElementEncodingContainer(session, .closed(), ValueEncoder.closed)
    }

    /// For types that wrap a resource: `encode` hands on to the same resource object.
    func singleValueContainer() -> any SingleValueEncodingContainer { WrappedResourceContainer(session: session) }
}

/// Makes the containers of resources for coding keys of one type.
///
/// `KeyedEncodingContainer` keeps a generic container in a box of a generic class. In code that is not specialized for the key, each of
/// these types is looked up by the runtime every time; here the type of the container is at hand: 840 instructions instead of 1,110.
class ContainerMaker<Key: CodingKey> {
    func make(_ session: EncodingSession) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ResourceEncodingContainer<Key>(session))
    }
}

private final class MakerOf<Container: SessionContainer>: ContainerMaker<Container.Key> {
    override func make(_ session: EncodingSession) -> KeyedEncodingContainer<Container.Key> {
        KeyedEncodingContainer(Container(session))
    }
}

/// A container that a session is all it needs for.
protocol SessionContainer: KeyedEncodingContainerProtocol {
    init(_ session: EncodingSession)
}

extension ResourceEncodingContainer: SessionContainer {}

extension EncodingSession {
    @inline(__always)
    fileprivate func containerMaker<Key: CodingKey>(for type: Key.Type) -> ContainerMaker<Key> {
        // The table is filled below only, with a maker for the very type that is its key.
        containerMakers.object(for: ObjectIdentifier(type), as: ContainerMaker<Key>.self) ?? newMaker(for: type)
    }

    @inline(never)
    private func newMaker<Key: CodingKey>(for type: Key.Type) -> ContainerMaker<Key> {
        let maker = MakerOf<ResourceEncodingContainer<Key>>()
        containerMakers.insert(maker, for: ObjectIdentifier(type))
        return maker
    }
}

/// A resource as a single value.
struct WrappedResourceContainer: SingleValueEncodingContainer {
    let session: EncodingSession
    var codingPath: [any CodingKey] { session.codingPath([]) }

    func encode<Value: Encodable>(_ value: Value) throws {
        try session.edge {
            guard !(value is any Scalar) else {
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
