import JSONMapping
import JSONText

/// The properties of a model as its `init(from:)` reads them, with the coding key of each.
///
/// They are found by running `init(from:)` with placeholders. That works only when there is a placeholder for the type of every property.
struct ModelOutline: Sendable {
    /// A key that `init(from:)` asked for.
    struct Property: Sendable {
        /// The text of the coding key.
        let name: String
        let key: OutlineKey
    }

    private(set) var properties: [Property] = []

    /// What `init(from:)` requested for the key that was changed; nil if it requested no value of one type.
    fileprivate(set) var request: OutlineRequest?

    /// Adds a key, unless it was added before.
    fileprivate mutating func add(_ key: OutlineKey) {
        if !properties.contains(where: { $0.key == key }) { properties.append(Property(name: key.text, key: key)) }
    }
}

/// A value that `init(from:)` requested.
struct OutlineRequest: Sendable {
    /// The requested type, and its optional type.
    private let types: [ObjectIdentifier]
    /// The wrapper that was requested; nil for any other type.
    let wrapper: (any ReshapingWrapper.Type)?
    /// The form of the placeholder; nil if it cannot be written.
    let form: JSON?

    fileprivate init<Value>(_ value: Value) {
        types = [ObjectIdentifier(Value.self), ObjectIdentifier(Value?.self)]
        wrapper = Value.self as? any ReshapingWrapper.Type
        form = (value as? any Encodable).flatMap { try? JSONAPIEncoder().json($0) }
    }

    /// Whether the property has the requested type, or is an optional of it.
    func isOf(_ type: Any.Type) -> Bool { types.contains(ObjectIdentifier(type)) }
}

/// A coding key of any type.
struct OutlineKey: Sendable, Hashable {
    let text: String
    /// The key itself when it is a `Key`, whose place its text may not show.
    let place: Key?

    init(_ key: some CodingKey) {
        text = key.stringValue
        place = key as? Key
    }

    /// The key for reading or writing the property.
    var codingKey: Key { place ?? Key(text) }
}

extension ModelOutline {
    /// Runs a model's `init(from:)`. Returns the value, with the second placeholder at `changed` and the first one everywhere else.
    ///
    /// Throws `CannotMakeUp`, or what the model throws.
    static func run<Model: Decodable>(_ model: Model.Type, changing changed: OutlineKey? = nil) throws -> (Model, ModelOutline) {
        let recorder = OutlineRecorder(changed)
        let value = try Model(from: OutlineDecoder(recorder: recorder))
        return (value, recorder.outline)
    }
}

/// Records what one run of `init(from:)` asks for.
private final class OutlineRecorder {
    var outline = ModelOutline()
    private let changed: OutlineKey?

    init(_ changed: OutlineKey?) { self.changed = changed }

    /// Records a key, and returns its placeholder.
    func note(_ key: some CodingKey) -> Placeholder {
        let key = OutlineKey(key)
        outline.add(key)
        return key == changed ? .second : .first
    }

    /// Returns the placeholder of a type for a key.
    func value<Value: Decodable>(_ type: Value.Type, _ key: some CodingKey) throws -> Value {
        let value = try note(key).value(type)
        if OutlineKey(key) == changed { outline.request = OutlineRequest(value) }
        return value
    }
}

/// Presents a resource object that has every requested member.
private struct OutlineDecoder: Decoder {
    let recorder: OutlineRecorder
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(OutlineContainer<Key>(recorder: recorder))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CannotMakeUp(type: "an array in place of a resource") }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { OutlineValue(decoder: self) }
}

/// A container for types that wrap a resource.
private struct OutlineValue: SingleValueDecodingContainer {
    let decoder: OutlineDecoder
    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { false }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: decoder) }
}

private struct OutlineContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: OutlineRecorder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        _ = recorder.note(key)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool { recorder.note(key) == .first }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try recorder.value(type, key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        recorder.note(key) == .first ? nil : try recorder.value(type, key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try PlaceholderDecoder(recorder.note(key), depth: 1).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try PlaceholderDecoder(recorder.note(key), depth: 1).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { OutlineDecoder(recorder: recorder) }
    func superDecoder(forKey key: Key) throws -> any Decoder { PlaceholderDecoder(recorder.note(key), depth: 1) }
}
