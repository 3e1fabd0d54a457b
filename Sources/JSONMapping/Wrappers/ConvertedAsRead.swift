import Foundation
import JSONText

/// An optional property that is read by a conversion, and written as it was read until it is set.
///
/// ```swift
/// struct Order: Codable {
///     @DecimalText var total: Decimal? = nil                                 // 19.9 for "19.90", which is written again
///     @DateFormatAsRead<DateLayouts.ISO8601> var paidAt: Date? = nil         // "2026-11-21T09:30:00" stays without a time zone
/// }
/// ```
///
/// A missing member and null are nil, and so are `""`, `[]`, and `{}`, unless the conversion reads them, and a value for which the
/// conversion returns nil. They are written as they were read, too. If a schema in the value does not represent all fields, the value is
/// written by the schema. A failed conversion throws `DecodingError.dataCorrupted` with the
/// `ValidationError` as the underlying error. Only wrapped values are compared.
@propertyWrapper public struct ConvertedAsRead<Source: ConversionSource> {
    private var value: Source.Value?
    /// What was read; nil after the property was set, and for a missing member.
    private var source: JSON?

    /// The value.
    public var wrappedValue: Source.Value? {
        get { value }
        set { self = ConvertedAsRead(wrappedValue: newValue) }
        _modify {
            let wasNil = value == nil
            // An optional chain over nil changes nothing.
            defer { if !wasNil || value != nil { source = nil } }
            yield &value
        }
    }

    /// The JSON value that was read; nil for a missing member, and after the property was set.
    public var projectedValue: JSON? { source }

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value?) {
        value = wrappedValue
        source = nil
    }

    /// A null that was read.
    fileprivate static var null: ConvertedAsRead {
        var null = ConvertedAsRead(wrappedValue: nil)
        null.source = .null
        return null
    }
}

// MARK: - Common conversions

extension Conversions {
    /// `.decimalText`.
    public enum DecimalText: ConversionSource { public static var conversion: Conversion<JSON, Decimal> { .decimalText } }
}

/// `@DecimalText var total: Decimal? = nil` reads a decimal number that the document has as a string, such as `"19.90"`, and writes it with
/// the same digits until it is set.
public typealias DecimalText = ConvertedAsRead<Conversions.DecimalText>
/// `@DateFormatAsRead<DateLayouts.ISO8601> var paidAt: Date? = nil` reads a date in the given layout, and writes the text that was read
/// until the property is set.
public typealias DateFormatAsRead<Layout: DateLayoutSource> = ConvertedAsRead<Conversions.DateText<Layout>>

extension Conversion where Input == JSON, Output == Decimal {
    /// Reads a decimal number from a string such as `"19.90"`, or from a number, without loss. Writes a string. Text that is not a JSON
    /// number, such as `"007"` or `"1.2.3"`, is an error, and so is a number with more digits than `Decimal` can hold.
    public static var decimalText: Conversion {
        Conversion(
            decode: { json in
                guard let number = json.string.flatMap({ JSONNumber(text: $0) }) ?? json.number else {
                    throw MappingIssue.unconvertible("a decimal number as text", json.kindName)
                }
                return try Conversion<JSONNumber, Decimal>.decimal.decode(number)
            },
            encode: { value in .string(try Conversion<JSONNumber, Decimal>.decimal.encode(value).text) })
    }
}

// MARK: - Codable

extension ConvertedAsRead: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let json = try JSON.readDigits(from: decoder)
        source = json.visible(decoder.userInfo)
        do {
            value = try Source.conversion.valueIfAny(json, decoder)
        } catch {
            guard EmptyForm(json) != nil else { throw error }
            value = nil
        }
    }
}

extension ConvertedAsRead: Encodable {
    /// Writes the value as it was read, or by a schema that does not represent all fields.
    public func encode(to encoder: any Encoder) throws {
        let json =
            if let source = source {
                value.map { Source.conversion.visible(source, of: $0, encoder) } ?? source
            } else {
                try value.map { try Source.conversion.json($0, encoder) } ?? .null
            }
        try json.writeDigits(to: encoder)
    }
}

extension ConvertedAsRead: Sendable where Source.Value: Sendable {}

extension ConvertedAsRead: Equatable where Source.Value: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: ConvertedAsRead, b: ConvertedAsRead) -> Bool { a.value == b.value }
}

extension ConvertedAsRead: Hashable where Source.Value: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension KeyedDecodingContainer {
    /// Returns nil for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Source>(_ type: ConvertedAsRead<Source>.Type, forKey key: Key) throws -> ConvertedAsRead<Source> {
        try decodeIfPresent(type, forKey: key) ?? (contains(key) ? .null : ConvertedAsRead(wrappedValue: nil))
    }
}

extension KeyedEncodingContainer {
    /// Writes nil in the form that was read. Synthesized `Encodable` code calls this method.
    public mutating func encode<Source>(_ value: ConvertedAsRead<Source>, forKey key: Key) throws {
        if value.wrappedValue == nil, value.projectedValue == nil { return try encodeIfPresent(JSON?.none, forKey: key) }
        try put(value, forKey: key)
    }
}
