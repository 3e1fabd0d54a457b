import Foundation
import JSONMapping
import JSONText

/// Values for running a model's `init(from:)` to find its keys. There are two for each type, if the type has two values.
enum Placeholder: Int, Sendable {
    case first, second

    /// Returns a value of the given type. Throws when there is none: for an enum that is not `CaseIterable`, and for types whose own
    /// `init(from:)` rejects placeholders.
    func value<Value: Decodable>(_ type: Value.Type, depth: PlaceholderDepth = PlaceholderDepth()) throws -> Value {
        try depth.enter("\(type)")
        if let value = known(type, depth) as? Value { return value }
        do {
            return try Value(from: PlaceholderDecoder(placeholder: self, depth: depth.deeper))
        } catch let error as CannotMakeUp {
            throw error
        } catch {
            throw CannotMakeUp(type: "\(type)")
        }
    }

    /// Returns a value of a type that is not created by its own `init(from:)`.
    private func known(_ type: Any.Type, _ depth: PlaceholderDepth) -> Any? {
        let isFirst = self == .first
        let identifier = ResourceIdentifier(type: "placeholder", id: "\(rawValue)")
        switch type {
        case is Bool.Type: return !isFirst
        case is String.Type: return "\(rawValue)"
        case let leaf as any LeafType.Type: return leaf.placeholder(rawValue)
        case is JSON.Type: return JSON.number(JSONNumber(rawValue))
        case is JSONObject.Type: return object
        case is RemainingMembers.Type: return RemainingMembers(object)
        case is ResourceLinks.Type: return ResourceLinks(Links(members: isFirst ? JSONObject() : ["self": "/1"]))
        case is LocalID.Type: return LocalID("\(rawValue)")
        case is RelationshipObject.Type: return RelationshipObject(data: isFirst ? .null : .one(identifier))
        case is ResourceIdentifier.Type: return identifier
        case is ResourceObject.Type: return ResourceObject(type: identifier.type, id: identifier.id)
        case let union as any ResourceUnion.Type: return union.unknown(ResourceObject(type: identifier.type, id: identifier.id))
        case let number as any FixedWidthInteger.Type: return number.init(truncatingIfNeeded: rawValue)
        case let number as any BinaryFloatingPoint.Type: return number.init(rawValue)
        case let wrapper as any PlaceholderWrapper.Type: return wrapper.placeholder(self, depth: depth.deeper)
        case let wrapper as any ReshapingWrapper.Type: return anyValue(wrapper.wrappedType, depth.deeper).flatMap(wrapper.holding)
        case let cases as any CaseIterable.Type: return oneCase(cases)
        default: return nil
        }
    }

    /// Returns a value of any type; nil when there is none.
    func anyValue(_ type: Any.Type, _ depth: PlaceholderDepth) -> Any? {
        func made<Value: Decodable>(_ type: Value.Type) -> Any? { try? value(type, depth: depth) }
        return (type as? any Decodable.Type).flatMap { made($0) } ?? known(type, depth)
    }

    private var object: JSONObject { self == .first ? JSONObject() : ["placeholder": 1] }
    private func oneCase<Cases: CaseIterable>(_: Cases.Type) -> Any? { Cases.allCases.dropFirst(rawValue).first ?? Cases.allCases.first }
}

/// The error for a type without a placeholder.
struct CannotMakeUp: Error {
    let type: String
    /// The key of the model that the value is for, or is inside of.
    private(set) var key: OutlineKey?
    /// Whether the type contains itself.
    private(set) var isTooDeep = false

    /// Returns the error for a value at a key of the model.
    func at(_ key: OutlineKey) -> CannotMakeUp {
        var error = self
        error.key = key
        return error
    }
}

/// The depth of a placeholder, and the number of values that may still be requested.
///
/// Every key has a value, so an initializer that follows keys for as long as there are any would never end. All requests of one run
/// therefore share one budget, and none is deeper than 16 values.
struct PlaceholderDepth {
    private final class Budget {
        var rest = 10_000
    }

    private let budget = Budget()
    private var levels = 0

    init() {}

    /// The depth inside a value at this depth.
    var deeper: PlaceholderDepth {
        var depth = self
        depth.levels += 1
        return depth
    }

    /// Counts one request. Throws when it is too deep, and when there were too many.
    func enter(_ type: @autoclosure () -> String) throws {
        guard levels <= 16, budget.rest > 0 else { throw CannotMakeUp(type: type(), isTooDeep: true) }
        budget.rest -= 1
    }

    /// Counts one request. Returns false when there were too many.
    func mayContinue() -> Bool { (try? enter("a value")) != nil }
}

/// A generic type with its own placeholders.
protocol PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any?
}

extension Optional: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        placeholder == .first ? Wrapped?.none as Any : placeholder.anyValue(Wrapped.self, depth).flatMap { $0 as? Wrapped } as Any
    }
}

extension Array: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        guard placeholder == .second, let element = placeholder.anyValue(Element.self, depth) as? Element else { return [Element]() }
        return [element]
    }
}

extension Dictionary: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        guard placeholder == .second, let key = placeholder.anyValue(Key.self, depth) as? Key,
            let value = placeholder.anyValue(Value.self, depth) as? Value
        else { return [Key: Value]() }
        return [key: value]
    }
}

extension Set: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        Set([Element].placeholder(placeholder, depth: depth) as? [Element] ?? [])
    }
}

// MARK: - The decoder of placeholders

/// Presents a value that has every requested member: a placeholder.
struct PlaceholderDecoder: Decoder {
    let placeholder: Placeholder
    let depth: PlaceholderDepth
    /// Records the keys of a model and chooses the placeholder for each; nil for the values in a model.
    var outline: ModelOutline?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the decoder of a member.
    func member(_ key: some CodingKey) -> PlaceholderDecoder {
        PlaceholderDecoder(placeholder: outline?.note(key) ?? placeholder, depth: depth.deeper)
    }

    /// The decoder of a type that reads the same value.
    var inner: PlaceholderDecoder { PlaceholderDecoder(placeholder: placeholder, depth: depth.deeper, outline: outline) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try depth.enter("a value that contains itself")
        return KeyedDecodingContainer(PlaceholderContainer<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard outline == nil else { throw CannotMakeUp(type: "an array in place of a resource") }
        try depth.enter("a value that contains itself")
        return PlaceholderElements(decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { PlaceholderValue(decoder: self) }
}

private struct PlaceholderContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: PlaceholderDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        _ = decoder.member(key)
        return decoder.depth.mayContinue()
    }
    func decodeNil(forKey key: Key) throws -> Bool {
        guard decoder.depth.mayContinue() else { return true }
        return decoder.outline?.isNil(key) ?? (decoder.placeholder == .first)
    }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        guard let outline = decoder.outline else { return try decoder.placeholder.value(type, depth: decoder.depth) }
        if outline.isMissing(key), !(type is any OptionalType.Type) {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "a value that was nil before"))
        }
        return try outline.value(type, key)
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        decoder.outline?.note(type, key)
        if try decodeNil(forKey: key) {
            decoder.outline?.noteMissing(key)
            return nil
        }
        // A value that cannot be made up is nil. A type that contains itself is not tried again at each depth.
        do { return try decode(type, forKey: key) } catch let error as CannotMakeUp where decoder.outline != nil || !error.isTooDeep {
            return nil
        }
    }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder.member(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder.member(key).unkeyedContainer() }
    func superDecoder() throws -> any Decoder {
        try decoder.depth.enter("a superclass")
        return decoder.inner
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.depth.enter("a superclass")
        return decoder.member(key)
    }
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
    func decodeNil() -> Bool { decoder.outline == nil && decoder.placeholder == .first }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard decoder.outline != nil else { return try decoder.placeholder.value(type, depth: decoder.depth) }
        // A resource is no scalar. The initializer of a scalar would request the same value again.
        if type is any Scalar.Type { throw CannotMakeUp(type: "\(type) in place of a resource") }
        // A type that wraps a resource reads the same resource.
        try decoder.depth.enter("\(type)")
        return try Value(from: decoder.inner)
    }
}
