import Foundation

/// A type that can be a resource's `id`: `String`, the integers, `UUID`, `Identifier`, or an optional one of these.
///
/// On the wire an id is always a string (<https://jsonapi.org/format/1.1/#document-resource-object-identification>).
public protocol ResourceID: Hashable, Codable, Sendable {
    /// The id that the text stands for, or nil when it stands for none.
    init?(wireText: String)

    /// The text that goes into `id`; nil for no id at all.
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
    /// The UUID of that text, in whatever case it is written; nil when it is none.
    public init?(wireText: String) { self.init(uuidString: wireText) }
    /// Upper case, as `uuidString`. Ids compare by bytes: where a server writes them in lower case, use `String` or
    /// `Identifier` to keep them as they are.
    public var wireText: String? { uuidString }
}

extension ResourceID where Self: FixedWidthInteger {
    /// The integer that is written as that text again; nil for every other text, as `007`.
    public init?(wireText: String) {
        // Only the form that is written again: "007" is another id than "7".
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

/// An optional id, for models that also stand for resources which have none yet.
extension Optional: ResourceID where Wrapped: ResourceID {
    /// The id of that text; nil when it stands for none.
    public init?(wireText: String) {
        guard let value = Wrapped(wireText: wireText) else { return nil }
        self = value
    }
    /// The text of the id; nil without one.
    @inlinable
    public var wireText: String? {
        switch self {
        case .some(let id): id.wireText
        case .none: nil
        }
    }
}

/// An id that knows whose id it is, so that a person's id cannot be passed for an article's.
///
/// ```swift
/// struct Person: Resource { static let type = "people"; var id: Identifier<Person> }
/// let id: Identifier<Person> = "9"
/// ```
///
/// Equal when the bytes are equal: composed and decomposed é are two ids.
public struct Identifier<Owner>: ResourceID, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The id as it is on the wire.
    public let rawValue: String

    /// The id of that text.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// The id of that text.
    public init(stringLiteral value: String) { self.init(value) }
    /// The id of that text; never nil.
    public init?(wireText: String) { self.init(wireText) }
    /// The id as it is on the wire.
    @inlinable
    public var wireText: String? { rawValue }
    /// The id as it is on the wire.
    public var description: String { rawValue }

    /// Reads the id as a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the id as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Whether both have the same bytes.
    public static func == (a: Self, b: Self) -> Bool { a.rawValue.utf8.elementsEqual(b.rawValue.utf8) }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
