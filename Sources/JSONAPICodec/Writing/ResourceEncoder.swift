/// Encodes one resource object for a model's `encode(to:)`: identity, attributes and relationships in a single flat container.
struct ResourceEncoder: Encoder {
    let session: EncodingSession
    /// The number of the resource object. The containers of an encoder that was kept cannot write to the next one.
    let serial: Int

    init(_ session: EncodingSession, _ serial: Int? = nil) { (self.session, self.serial) = (session, serial ?? session.serial) }

    var codingPath: [any CodingKey] { session.codingPath([]) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if let check = session.nameCheck { check.note(type, session) }
        return session.containerMaker(for: type).make(self)
    }

    /// Returns a closed container, because a resource object is not an array. Writing to it throws.
    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncodingContainer(.closed(session)) }

    /// Returns a container for types that wrap a resource. Its `encode` writes to the same resource object.
    func singleValueContainer() -> any SingleValueEncodingContainer { WrappedResourceContainer(encoder: self) }
}

/// Creates the containers of resources and of plain objects for coding keys of one type.
///
/// `KeyedEncodingContainer` keeps a generic container in a box of a generic class. In code that is not specialized for the key, the runtime
/// looks up these types every time. Here the container's type is known: 840 instructions instead of 1,110.
class EncodingContainerMaker<Key: CodingKey> {
    func make(_ encoder: ResourceEncoder) -> KeyedEncodingContainer<Key> { KeyedEncodingContainer(ResourceEncodingContainer<Key>(encoder)) }

    func make(_ encoder: ValueEncoder) -> KeyedEncodingContainer<Key> { KeyedEncodingContainer(ValueEncodingContainer<Key>(encoder)) }
}

private final class MakerOf<Resource: KeyedEncodingContainerProtocol & Made, Value: KeyedEncodingContainerProtocol & Made>:
    EncodingContainerMaker<Resource.Key>
where Value.Key == Resource.Key, Resource.Origin == ResourceEncoder, Value.Origin == ValueEncoder {
    override func make(_ encoder: ResourceEncoder) -> KeyedEncodingContainer<Resource.Key> { KeyedEncodingContainer(Resource(encoder)) }

    override func make(_ encoder: ValueEncoder) -> KeyedEncodingContainer<Resource.Key> { KeyedEncodingContainer(Value(encoder)) }
}

/// A container that is made of a single object.
protocol Made {
    associatedtype Origin
    init(_ origin: Origin)
}

extension ResourceEncodingContainer: Made {}
extension ValueEncodingContainer: Made {}

extension EncodingSession {
    @inline(__always)
    func containerMaker<Key: CodingKey>(for type: Key.Type) -> EncodingContainerMaker<Key> {
        memory.containerMakers.object(for: Key.self) { MakerOf<ResourceEncodingContainer<Key>, ValueEncodingContainer<Key>>() }
    }
}

/// A single value container for a resource.
struct WrappedResourceContainer: SingleValueEncodingContainer {
    let encoder: ResourceEncoder
    private var session: EncodingSession { encoder.session }
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encode<Value: Encodable>(_ value: Value) throws {
        try session.edge {
            try session.checkOpen(encoder.serial)
            guard !(value is any Scalar) else {
                throw session.failure(.wrongPlace, at: [], expected: "a resource object", found: "a single \(Value.self)")
            }
            try session.nest()
            defer { session.unnest() }
            try value.encode(to: encoder)
        }
    }

    func encodeNil() throws {
        try session.edge { throw session.failure(.wrongPlace, at: [], expected: "a resource object", found: "null") }
    }
}
