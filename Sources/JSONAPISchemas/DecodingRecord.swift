import JSONAPICodec
import JSONMapping
import JSONText

/// What the `init(from:)` of a type asked a decoder for, in order.
///
/// `@unchecked Sendable`: one call of the decoder uses the record, on one thread, and it is read after the call.
final class DecodingRecord: @unchecked Sendable {
    /// A request for a value or a container.
    struct Request {
        /// The names of the members that lead to the value, from the resource object or the value that is read.
        let path: [String]
        let kind: Kind
    }

    enum Kind {
        /// A value of the type.
        case value(any Decodable.Type)
        case keyedContainer
        case unkeyedContainer
        /// The names of all members.
        case memberNames
        /// Only whether there is a value, and whether it is null.
        case presence
    }

    private(set) var requests: [Request] = []
    private let strategy: KeyStrategy

    init(_ strategy: KeyStrategy) { self.strategy = strategy }

    func note(_ path: [String], _ kind: Kind) { requests.append(Request(path: path, kind: kind)) }

    /// Returns the path of a resource object's member for a coding key. The type of the value selects the part of the object.
    func memberPath(_ key: OutlineKey, _ type: Any.Type?) -> [String] {
        if let place = key.place, place.root != .flat {
            var path = place.path
            if place.root != .member { path[1] = strategy.memberName(path[1]) }
            return path
        }
        if let marker = type.flatMap(PropertyRole.marker) { return [marker] }
        if ResourcePart.isIdentity(key.text) { return [key.text] }
        if key.isDotted { return key.segments }
        if type == RemainingMembers.self, RemainingMembers.areOfResource(key.text) { return ["attributes"] }
        if type == nil, ResourcePart(rawValue: key.text) != nil { return [key.text] }
        let group = type.map(PropertyRole.isRelationship) == true ? "relationships" : "attributes"
        return [group, strategy.memberName(key.text)]
    }
}

/// Passes everything to another decoder, and records it.
struct RecordingDecoder: Decoder {
    let base: any Decoder
    let record: DecodingRecord
    let path: [String]
    /// Whether `base` presents a resource object.
    var isResource = false

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if !isResource { record.note(path, .keyedContainer) }
        return KeyedDecodingContainer(
            RecordingContainer(base: try base.container(keyedBy: type), record: record, path: path, isResource: isResource))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        record.note(path, .unkeyedContainer)
        return RecordingElements(base: try base.unkeyedContainer(), record: record, path: path)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        RecordingValue(decoder: self, base: try base.singleValueContainer())
    }
}

private struct RecordingValue: SingleValueDecodingContainer {
    let decoder: RecordingDecoder
    let base: any SingleValueDecodingContainer
    var codingPath: [any CodingKey] { base.codingPath }

    func decodeNil() -> Bool {
        decoder.record.note(decoder.path, .presence)
        return base.decodeNil()
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A type that wraps a resource: the value reads the same resource.
        if let resource = decoder.base as? ResourceDecoder {
            let readsItself = type is any ResourceRepresentable.Type || resource.session.plan(for: type).usesCodable
            return try readsItself ? Value(from: decoder) : base.decode(type)
        }
        decoder.record.note(decoder.path, .value(type))
        return try base.decode(type)
    }
}

private struct RecordingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let base: KeyedDecodingContainer<Key>
    let record: DecodingRecord
    let path: [String]
    let isResource: Bool

    var codingPath: [any CodingKey] { base.codingPath }
    var allKeys: [Key] {
        record.note(path, .memberNames)
        return base.allKeys
    }

    private func path(_ key: Key, _ type: Any.Type? = nil) -> [String] {
        isResource ? record.memberPath(OutlineKey(key), type) : path + [key.stringValue]
    }

    func contains(_ key: Key) -> Bool {
        record.note(path(key), .presence)
        return base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        record.note(path(key), .presence)
        return try base.decodeNil(forKey: key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        record.note(path(key, type), .value(type))
        return try base.decode(type, forKey: key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        if let unread = type as? any UnreadRequest.Type {
            // An attribute that a wrapper cannot decode has any form. A relationship keeps that of its type.
            let isAttribute = !PropertyRole.isRelationship(unread.wrappedType) && PropertyRole.marker(unread.wrappedType) == nil
            if isAttribute { record.note(path(key, JSON.self), .value(JSON.self)) }
        } else {
            record.note(path(key, type), .value(type))
        }
        return try base.decodeIfPresent(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        record.note(path(key), .keyedContainer)
        return KeyedDecodingContainer(
            RecordingContainer<Nested>(
                base: try base.nestedContainer(keyedBy: type, forKey: key), record: record, path: path(key), isResource: false))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        record.note(path(key), .unkeyedContainer)
        return RecordingElements(base: try base.nestedUnkeyedContainer(forKey: key), record: record, path: path(key))
    }

    func superDecoder() throws -> any Decoder {
        // As with JSONDecoder, the superclass of a value inside an attribute is its member `super`.
        RecordingDecoder(base: try base.superDecoder(), record: record, path: isResource ? path : path + ["super"], isResource: isResource)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        RecordingDecoder(base: try base.superDecoder(forKey: key), record: record, path: path(key))
    }
}

/// A request for what a property wrapper could not decode.
private protocol UnreadRequest {
    static var wrappedType: Any.Type { get }
}

extension UnreadMember: UnreadRequest {
    fileprivate static var wrappedType: Any.Type { Value.self }
}

/// The elements of an array. Their indexes are the last names of their paths.
private struct RecordingElements: UnkeyedDecodingContainer {
    var base: any UnkeyedDecodingContainer
    let record: DecodingRecord
    let path: [String]

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }
    private var element: [String] { path + [String(currentIndex)] }

    mutating func decodeNil() throws -> Bool {
        record.note(element, .presence)
        return try base.decodeNil()
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        record.note(element, .value(type))
        return try base.decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let place = element
        record.note(place, .keyedContainer)
        let nested = try base.nestedContainer(keyedBy: type)
        return KeyedDecodingContainer(RecordingContainer(base: nested, record: record, path: place, isResource: false))
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let place = element
        record.note(place, .unkeyedContainer)
        return RecordingElements(base: try base.nestedUnkeyedContainer(), record: record, path: place)
    }

    mutating func superDecoder() throws -> any Decoder {
        let place = element
        return RecordingDecoder(base: try base.superDecoder(), record: record, path: place)
    }
}

// MARK: - Types that are read with a record

extension CodingUserInfoKey {
    /// The key of the record in the user information of a decoder. Nil never, because the text is not empty.
    static let decodingRecord = CodingUserInfoKey(rawValue: "JSONAPICodec.DecodingRecord")
}

extension Decoder {
    fileprivate var decodingRecord: DecodingRecord {
        CodingUserInfoKey.decodingRecord.flatMap { userInfo[$0] as? DecodingRecord } ?? DecodingRecord(.useDefaultKeys)
    }
}

/// A resource whose requests are recorded.
struct RecordedResource<Model: Resource>: Resource {
    static var type: String { Model.type }
    let model: Model
    var id: Model.ID { model.id }

    init(from decoder: any Decoder) throws {
        model = try Model(from: RecordingDecoder(base: decoder, record: decoder.decodingRecord, path: [], isResource: true))
    }

    func encode(to encoder: any Encoder) throws { try model.encode(to: encoder) }
}

/// A value whose requests are recorded.
struct RecordedValue<Value: Decodable>: Decodable {
    init(from decoder: any Decoder) throws {
        _ = try Value(from: RecordingDecoder(base: decoder, record: decoder.decodingRecord, path: []))
    }
}
