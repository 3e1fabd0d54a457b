import Foundation
import JSONText

/// A type that can be a resource's `id`: `String`, the integers, `UUID`, `Identifier`, or an optional one of these.
///
/// In a document an id is always a string (<https://jsonapi.org/format/1.1/#document-resource-object-identification>).
public protocol ResourceID: Hashable, Codable, Sendable {
    /// Creates the id with the given text; nil when the text is not such an id.
    init?(wireText: String)

    /// The text of the member `id`; nil when there is no id.
    var wireText: String? { get }
}

extension String: ResourceID {
    /// The text itself.
    public init?(wireText: String) { self = wireText }
    /// The text itself.
    @inlinable
    public var wireText: String? { self }
}

extension UUID: ResourceID {
    /// Creates the UUID with the given text, in upper or lower case; nil when the text is not a UUID.
    public init?(wireText: String) { self.init(text: wireText) }
    /// The text in upper case, as in `uuidString`. Ids are compared byte by byte, except when you remove a link, look for one, or set a
    /// property of `@Embedded`. When a server writes them in lower case, use `String` or `Identifier` to keep them as they are.
    public var wireText: String? { uuidString }
}

extension ResourceID where Self: FixedWidthInteger {
    /// Creates the integer whose text is exactly the given one; nil for any other text, such as `007`.
    public init?(wireText: String) {
        // Only the form that is written again: "007" is a different id from "7".
        guard let value = Self(wireText), String(value) == wireText else { return nil }
        self = value
    }
    /// The decimal digits.
    public var wireText: String? { String(self) }
}

extension Int: ResourceID {}
extension Int32: ResourceID {}
extension Int64: ResourceID {}
extension UInt: ResourceID {}
extension UInt32: ResourceID {}
extension UInt64: ResourceID {}

extension ResourceIdentifier {
    /// Whether both identify the same resource of a model. For a model with UUIDs as ids, that includes the same UUID in the other case,
    /// because values have it in upper case and most servers write it in lower case.
    func isSameResource(as other: ResourceIdentifier, for model: Any.Type) -> Bool {
        isSameResource(as: other) || key(for: model).isSameResource(as: other.key(for: model))
    }

    /// The identity as a key of a table in which the same resource of a model has one entry: the identifier without other members, with the
    /// UUID of a model with such ids in upper case.
    func key(for model: Any.Type) -> ResourceIdentifier {
        guard let id, id.utf8.count == 36, let model = model as? any Resource.Type, Self.hasUUID(model), let uuid = UUID(uuidString: id)
        else { return bare }
        return ResourceIdentifier(type: type, id: uuid.uuidString)
    }

    /// The identifier with its UUID in lower case; nil when it is that already, and when the id is not a UUID.
    package var lowercasedUUID: ResourceIdentifier? {
        guard let id, id.utf8.count == 36, UUID(uuidString: id) != nil else { return nil }
        let lower = id.lowercased()
        return lower == id ? nil : ResourceIdentifier(type: type, id: lower)
    }

    /// The resource type of a model whose ids are UUIDs; nil for all others.
    static func typeWithUUIDs(_ model: Any.Type) -> String? {
        guard let model = model as? any Resource.Type, hasUUID(model) else { return nil }
        return model.type
    }

    private static func hasUUID<Model: Resource>(_: Model.Type) -> Bool {
        Model.ID.self == UUID.self || Model.ID.self == Optional<UUID>.self
    }
}

/// An optional id, for models of resources that may not have one yet.
extension Optional: ResourceID where Wrapped: ResourceID {
    /// Creates the id with the given text; nil when the text is not such an id.
    public init?(wireText: String) {
        guard let value = Wrapped(wireText: wireText) else { return nil }
        self = value
    }
    /// The text of the id; nil when there is no id.
    @inlinable
    public var wireText: String? { self?.wireText }
}

/// An id that belongs to one model, so that a person's id cannot be used as an article's id.
///
/// ```swift
/// struct Person: Resource { static let type = "people"; var id: Identifier<Person> }
/// let id: Identifier<Person> = "9"
/// ```
///
/// Two identifiers are equal when their bytes are equal. Composed and decomposed é are different ids.
public struct Identifier<Owner>: ResourceID, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The id as it appears in a document.
    public let rawValue: String

    /// Creates the id with the given text.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Creates the id with the given text.
    public init(stringLiteral value: String) { self.init(value) }
    /// Creates the id with the given text; never nil.
    public init?(wireText: String) { self.init(wireText) }
    /// The id as it appears in a document.
    @inlinable
    public var wireText: String? { rawValue }
    /// The id as it appears in a document.
    public var description: String { rawValue }

    /// Reads the id as a string.
    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    /// Writes the id as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Whether both have the same bytes.
    public static func == (a: Self, b: Self) -> Bool { UTF8Bytes.areEqual(a.rawValue, b.rawValue) }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) { UTF8Bytes.hash(rawValue, into: &hasher) }
}
