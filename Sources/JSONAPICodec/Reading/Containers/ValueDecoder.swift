import JSONText

/// The place of a value: its word, and how it was reached. The coding path is made from these links, without a walk over the document.
struct ValuePlace {
    let word: Int
    /// The decoder of the container around it; nil for a value directly in a resource object or in the document.
    fileprivate(set) var parent: ValueDecoder?
    let step: Step

    enum Step {
        /// An element of an array, from 0.
        case index(Int)
        /// A member of an object. Its name comes directly before it.
        case member
        /// A value outside all resources, or somewhere below a field.
        case elsewhere
    }

    init(_ word: Int, _ step: Step, in parent: ValueDecoder?) {
        self.word = word
        self.step = step
        self.parent = parent
    }

    /// Creates the place of a field's value, or of another member of a resource object.
    @inline(__always)
    init(field word: Int) { self.init(word, .member, in: nil) }
}

/// Presents a plain JSON value to `init(from:)`, as `JSONDecoder` does.
final class ValueDecoder: Decoder {
    let session: DecodingSession
    // Unchecked: it only changes when the decoder is freed.
    @safe @exclusivity(unchecked) private(set) var place: ValuePlace
    /// The number of containers around the value inside its field.
    let depth: Int
    /// The coding path, if it was needed before. A model that tries one type after another fails several times at the same place.
    private var knownPath: [any CodingKey]?
    /// Whether the coding path is kept. Deeper decoders do not keep theirs, which together would need much memory.
    var keepsPath: Bool { depth < 32 }

    init(_ session: DecodingSession, _ place: ValuePlace) {
        self.session = session
        self.place = place
        depth = (place.parent?.depth ?? -1) + 1
    }

    // A model can nest as many containers as the document has levels.
    deinit { if depth > 32 { ChainRelease.free(&place.parent) } }

    @inline(__always)
    var word: Int { place.word }

    var codingPath: [any CodingKey] {
        if let knownPath { return knownPath }
        let path = session.codingPath(of: place)
        if keepsPath { knownPath = path }
        return path
    }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo(of: session.frames.last?.ordinal ?? 0) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let maker = session.containerMaker(for: type)
        do {
            try session.checkObject(at: word)
            if maker.isOfObservable { try maker.checkNames(of: [word], session) }
        } catch {
            throw error.decodingError(codingPath: codingPath, type: [String: Any].self)
        }
        return maker.make(self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard session.view.isArray(word) else {
            throw session.mismatch(at: word, expected: "an array").decodingError(codingPath: codingPath, type: [Any].self)
        }
        try session.edge(codingPath, [Any].self) { try session.checkWhole(linkageAt: word) }
        return ElementContainer(self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.view.isNull(word) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.edge(codingPath, type) { try session.value(of: type, at: place) }
    }

    func decode<Value: Scalar>(_ type: Value.Type) throws -> Value { try scalar() }

    private func scalar<Value: Scalar>() throws -> Value {
        if let value = Value.read(session.view, word) { return value }
        return try session.edge(codingPath, Value.self) { try session.scalar(at: word) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}

// MARK: - Containers of objects

/// Creates the containers for coding keys of one type.
///
/// `KeyedDecodingContainer` keeps a generic container in a box of a generic class. In code that is not specialized for the key, the runtime
/// looks up the type of the container every time: 500 of 1,400 instructions. Here it is known.
class DecodingContainerMaker<Key: CodingKey> {
    /// Whether the keys can be those of the properties that the macro `@Observable` makes.
    final let isOfObservable = Key(stringValue: "_$observationRegistrar") != nil && Key(stringValue: "_$") == nil

    func make(_ decoder: ResourceDecoder) -> KeyedDecodingContainer<Key> { KeyedDecodingContainer(ResourceContainer<Key>(decoder)) }

    func make(_ decoder: ValueDecoder) -> KeyedDecodingContainer<Key> { KeyedDecodingContainer(ValueContainer<Key>(decoder)) }
}

private final class MakerOf<Resource: KeyedDecodingContainerProtocol & Made, Value: KeyedDecodingContainerProtocol & Made>:
    DecodingContainerMaker<Resource.Key>
where Value.Key == Resource.Key, Resource.Origin == ResourceDecoder, Value.Origin == ValueDecoder {
    override func make(_ decoder: ResourceDecoder) -> KeyedDecodingContainer<Resource.Key> { KeyedDecodingContainer(Resource(decoder)) }

    override func make(_ decoder: ValueDecoder) -> KeyedDecodingContainer<Resource.Key> { KeyedDecodingContainer(Value(decoder)) }
}

extension ResourceContainer: Made {}
extension ValueContainer: Made {}

extension DecodingSession {
    @inline(__always)
    func containerMaker<Key: CodingKey>(for type: Key.Type) -> DecodingContainerMaker<Key> {
        tables.containerMakers.object(for: Key.self) { MakerOf<ResourceContainer<Key>, ValueContainer<Key>>() }
    }
}
