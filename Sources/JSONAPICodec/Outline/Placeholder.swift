import Foundation
import JSONMapping
import JSONText

/// Values for running a model's `init(from:)` to find its keys. There are two for each type, if the type has two values.
enum Placeholder: Int, Sendable {
    case first, second

    /// Returns a value of the given type. Throws when there is none: for an enum that is not `CaseIterable`, and for types whose own
    /// `init(from:)` rejects placeholders.
    func value<Value: Decodable>(_ type: Value.Type, depth: Int = 0) throws -> Value {
        guard depth < 16 else { throw CannotMakeUp(type: "\(type)") }
        if let value = known(type, depth) as? Value { return value }
        do {
            return try Value(from: PlaceholderDecoder(self, depth: depth + 1))
        } catch let error as CannotMakeUp {
            throw error
        } catch {
            throw CannotMakeUp(type: "\(type)")
        }
    }

    private var number: Int { rawValue }

    /// Returns a value of a type that is not created by its own `init(from:)`.
    private func known(_ type: Any.Type, _ depth: Int) -> Any? {
        let isFirst = self == .first
        let identifier = ResourceIdentifier(type: "placeholder", id: "\(number)")
        switch type {
        case is Bool.Type: return !isFirst
        case is String.Type: return "\(number)"
        case is Date.Type: return Date(timeIntervalSince1970: Double(number))
        case is Data.Type: return Data([UInt8(number)])
        case is URL.Type: return URL(string: "https://example.com/\(number)")
        case is UUID.Type: return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
        case is Decimal.Type: return Decimal(number)
        case is JSON.Type: return JSON.number(JSONNumber(number))
        case is JSONNumber.Type: return JSONNumber(number)
        case is JSONObject.Type: return object
        case is RemainingMembers.Type: return RemainingMembers(object)
        case is ResourceLinks.Type: return ResourceLinks(Links(members: isFirst ? JSONObject() : ["self": "/1"]))
        case is LocalID.Type: return LocalID("\(number)")
        case is RelationshipObject.Type: return RelationshipObject(data: isFirst ? .null : .one(identifier))
        case is ResourceIdentifier.Type: return identifier
        case is ResourceObject.Type: return ResourceObject(type: identifier.type, id: identifier.id)
        case let union as any ResourceUnion.Type: return union.unknown(ResourceObject(type: identifier.type, id: identifier.id))
        case let number as any FixedWidthInteger.Type: return integer(number)
        case let number as any BinaryFloatingPoint.Type: return floating(number)
        case let wrapper as any PlaceholderWrapper.Type: return wrapper.placeholder(self, depth: depth + 1)
        case let wrapper as any ReshapingWrapper.Type: return anyValue(wrapper.wrappedType, depth + 1).flatMap(wrapper.holding)
        case let cases as any CaseIterable.Type: return oneCase(cases)
        default: return nil
        }
    }

    /// Returns a value of any type; nil when there is none.
    private func anyValue(_ type: Any.Type, _ depth: Int) -> Any? {
        func made<Value: Decodable>(_ type: Value.Type) -> Any? { try? value(type, depth: depth) }
        return (type as? any Decodable.Type).flatMap { made($0) } ?? known(type, depth)
    }

    private var object: JSONObject { self == .first ? JSONObject() : ["placeholder": 1] }
    private func integer<Number: FixedWidthInteger>(_: Number.Type) -> Any { Number(truncatingIfNeeded: number) }
    private func floating<Number: BinaryFloatingPoint>(_: Number.Type) -> Any { Number(number) }
    private func oneCase<Cases: CaseIterable>(_: Cases.Type) -> Any? {
        Cases.allCases.dropFirst(number).first ?? Cases.allCases.first
    }
}

/// The error for a type without a placeholder.
struct CannotMakeUp: Error {
    let type: String
}

/// A generic type with its own placeholders.
private protocol PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any?
}

extension Optional: PlaceholderWrapper {
    fileprivate static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any? {
        func some<Value: Decodable>(_ type: Value.Type) -> Any { (try? placeholder.value(type, depth: depth)) as Any }
        guard placeholder == .second, let wrapped = Wrapped.self as? any Decodable.Type else { return Wrapped?.none as Any }
        return some(wrapped)
    }
}

extension Array: PlaceholderWrapper {
    fileprivate static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any? {
        func one<Value: Decodable>(_ type: Value.Type) -> Any { [try? placeholder.value(type, depth: depth)].compactMap { $0 } }
        guard placeholder == .second, let element = Element.self as? any Decodable.Type else { return [Element]() }
        return one(element)
    }
}

extension ToOne: PlaceholderWrapper {
    fileprivate static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any? {
        placeholder == .first
            ? ToOne.notLoaded : ToOne(ResourceIdentifier(type: "placeholder", id: "\(placeholder.rawValue)"))
    }
}

extension ToMany: PlaceholderWrapper {
    fileprivate static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any? {
        placeholder == .first ? ToMany.notLoaded : ToMany.empty
    }
}

extension Embedded: PlaceholderWrapper where Reference: PlaceholderWrapper {
    fileprivate static func placeholder(_ placeholder: Placeholder, depth: Int) -> Any? {
        (Reference.placeholder(placeholder, depth: depth) as? Reference).map { Embedded(projectedValue: $0) }
    }
}

// MARK: - The decoder of placeholders

/// Presents a value that has every requested member: a placeholder.
struct PlaceholderDecoder: Decoder {
    let placeholder: Placeholder
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ placeholder: Placeholder, depth: Int) {
        self.placeholder = placeholder
        self.depth = depth
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(PlaceholderContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { PlaceholderElements(decoder: self) }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { PlaceholderValue(decoder: self) }
}

private struct PlaceholderContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) throws -> Bool { decoder.placeholder == .first }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.placeholder.value(type, depth: decoder.depth)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        decoder.placeholder == .first ? nil : try decoder.placeholder.value(type, depth: decoder.depth)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder.container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder.unkeyedContainer() }
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

/// An empty array.
private struct PlaceholderElements: UnkeyedDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw CannotMakeUp(type: "\(type)") }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        throw CannotMakeUp(type: "an element")
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw CannotMakeUp(type: "an element") }
    mutating func superDecoder() throws -> any Decoder { throw CannotMakeUp(type: "an element") }
}

private struct PlaceholderValue: SingleValueDecodingContainer {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    func decodeNil() -> Bool { decoder.placeholder == .first }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.placeholder.value(type, depth: decoder.depth) }
}
