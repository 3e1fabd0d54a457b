import Foundation
import JSONText

/// A type that provides a conversion. A property wrapper needs a type because it has no arguments while it is decoded.
public protocol ConversionSource {
    /// The type of the property.
    associatedtype Value
    /// The conversion from and to JSON.
    static var conversion: Conversion<JSON, Value> { get }
}

/// A property that is read and written by a conversion.
///
/// ```swift
/// enum Cents: ConversionSource {
///     static let conversion = Conversion<JSON, Int>.lenientInt.then(decode: { Money(cents: $0) }, encode: { $0.cents })
/// }
/// struct Order: Codable {
///     @Converted<Cents> var total: Money
///     @LenientInt var count: Int
///     @DateFormat<DateLayouts.Day> var placedAt: Date
/// }
/// ```
///
/// A missing member throws `DecodingError.keyNotFound`, unless the conversion handles absent values. For an optional property, use
/// `ConvertedIfPresent`. A failed conversion throws `DecodingError.dataCorrupted` with the `ValidationError` as the underlying error. With
/// `JSONAPIDecoder`, it is that of the error's failure.
@propertyWrapper public struct Converted<Source: ConversionSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// An optional property that is read and written by a conversion. A missing member and null are nil, and so is a value for which the
/// conversion returns nil. Nil is not written.
@propertyWrapper public struct ConvertedIfPresent<Source: ConversionSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value?

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value?) { self.wrappedValue = wrappedValue }
}

// MARK: - Common conversions

/// Common conversions for property wrappers.
public enum Conversions {
    /// `.lenientInt`.
    public enum LenientInt: ConversionSource { public static var conversion: Conversion<JSON, Int> { .lenientInt } }
    /// `.lenientDouble`.
    public enum LenientDouble: ConversionSource { public static var conversion: Conversion<JSON, Double> { .lenientDouble } }
    /// `.lenientBool`.
    public enum LenientBool: ConversionSource { public static var conversion: Conversion<JSON, Bool> { .lenientBool } }
    /// `.lenientString`.
    public enum LenientString: ConversionSource { public static var conversion: Conversion<JSON, String> { .lenientString } }
    /// `.date(_:)` with a layout.
    public enum DateText<Layout: DateLayoutSource>: ConversionSource {
        public static var conversion: Conversion<JSON, Date> { .date(Layout.layout) }
    }
}

/// A type that provides the layout of a date.
public protocol DateLayoutSource {
    /// The layout.
    static var layout: DateLayout { get }
}

/// Common layouts of dates.
public enum DateLayouts {
    /// `2026-11-21T09:30:00Z`. Reading also accepts the shorter forms of ISO 8601.
    public enum ISO8601: DateLayoutSource {
        /// `.iso8601`.
        public static var layout: DateLayout { .iso8601 }
    }
    /// `2026-11-21T09:30:00Z`. Reading requires the complete form.
    public enum RFC3339: DateLayoutSource {
        /// `.rfc3339`.
        public static var layout: DateLayout { .rfc3339 }
    }
    /// `2026-11-21`, the start of the day in UTC.
    public enum Day: DateLayoutSource {
        /// `yyyy-MM-dd`.
        public static var layout: DateLayout { "yyyy-MM-dd" }
    }
}

/// `@LenientInt var count: Int` also reads `"42"`.
public typealias LenientInt = Converted<Conversions.LenientInt>
/// `@LenientDouble var price: Double` also reads `"1.5"`.
public typealias LenientDouble = Converted<Conversions.LenientDouble>
/// `@LenientBool var isOpen: Bool` also reads `"yes"` and 1.
public typealias LenientBool = Converted<Conversions.LenientBool>
/// `@LenientString var code: String` also reads 42.
public typealias LenientString = Converted<Conversions.LenientString>
/// `@DateFormat<DateLayouts.Day> var born: Date`
public typealias DateFormat<Layout: DateLayoutSource> = Converted<Conversions.DateText<Layout>>
/// `@DateFormatIfPresent<DateLayouts.Day> var died: Date?`
public typealias DateFormatIfPresent<Layout: DateLayoutSource> = ConvertedIfPresent<Conversions.DateText<Layout>>

// MARK: - Codable

extension Converted: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let json = try JSON.readDigits(from: decoder)
        wrappedValue = try Source.conversion.value(json, json.kindName, decoder)
    }
}

extension Converted: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        try Source.conversion.json(wrappedValue, encoder).writeDigits(to: encoder)
    }
}

extension ConvertedIfPresent: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Source.conversion.valueIfAny(JSON.readDigits(from: decoder), decoder)
    }
}

extension ConvertedIfPresent: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        let json = try wrappedValue.map { try Source.conversion.json($0, encoder) } ?? .null
        try json.writeDigits(to: encoder)
    }
}

extension Conversion where Input == JSON {
    /// Returns the converted value. Errors are thrown as `DecodingError`.
    func value(_ json: JSON?, _ found: String, _ decoder: any Decoder) throws -> Output {
        try value(json, found, decoder.codingPath, decoder.userInfo)
    }

    /// Returns the converted value when there is no decoder, as for a missing member.
    func value(_ json: JSON?, _ found: String, _ codingPath: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any] = [:]) throws -> Output {
        try rethrowing(found, codingPath, userInfo) { context in
            guard let value = try decode(json, context) else { throw MappingIssue(.required, expected: "a value", found: found) }
            return value
        }
    }

    /// Returns the converted value, or nil for null and when the conversion returns nil. Errors are thrown as `DecodingError`.
    func valueIfAny(_ json: JSON, _ decoder: any Decoder) throws -> Output? {
        if json.isNull { return nil }
        return try rethrowing(json.kindName, decoder.codingPath, decoder.userInfo) { try decode(json, $0) }
    }

    private func rethrowing<Result>(
        _ found: String, _ codingPath: [any CodingKey], _ userInfo: [CodingUserInfoKey: Any], _ step: (MappingContext) throws -> Result
    ) throws -> Result {
        let context = MappingContext(schemas: SchemaSet(in: userInfo), shadow: Shadow(in: userInfo))
        defer { context.run.noteRefusals() }
        do {
            let result = try step(context)
            // A list can have been read without the element.
            if context.run.refusalCount > 0 { throw MappingIssue.hidden }
            return result
        } catch {
            context.run.rollBack()
            var error = ValidationError(ValidationError.conversionIssues(of: error, found: found))
            if context.run.refusalCount > 0, !error.issues.contains(where: { $0.kind == .hiddenMember }) {
                error = ValidationError([.hidden] + error.issues)
            }
            var sentences = error.issues.prefix(10).map(\.description)
            if error.issues.count > 10 { sentences.append("and \(error.issues.count - 10) more") }
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: sentences.joined(separator: "; "), underlyingError: error))
        }
    }

    /// Returns what a value was read from. If a schema in it does not represent all fields, returns what the schema writes, because the other
    /// fields can be anywhere in what was read. Archives and stores get what was read.
    func visible(_ source: JSON, of value: Output, _ encoder: any Encoder) -> JSON {
        // Only objects have fields.
        guard source.object != nil || source.array != nil else { return source }
        let (userInfo, shadow) = (encoder.userInfo, Shadow(in: encoder.userInfo))
        if shadow == nil, SchemaSet.writesAll(in: userInfo) { return source }
        let context = MappingContext(schemas: SchemaSet(in: userInfo), writesAll: shadow != nil, shadow: shadow)
        guard let written = try? encoding(value, context), context.run.leavesFieldsOut else { return source }
        return written
    }

    func json(_ value: Output, _ encoder: any Encoder) throws -> JSON {
        do {
            let userInfo = encoder.userInfo
            let context = MappingContext(
                schemas: SchemaSet(in: userInfo), writesAll: SchemaSet.writesAll(in: userInfo), shadow: Shadow(in: userInfo))
            let patch = SchemaSet.notesAbsent(in: userInfo) ? encoder as? any AbsenceEncoder : nil
            if patch != nil { context.run.absent = [] }
            let json = try encoding(value, context)
            context.run.absent?.forEach { patch?.noteAbsent($0) }
            return json
        } catch {
            throw EncodingError.invalidValue(
                Output.self, .init(codingPath: encoder.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }
}

extension Converted: Sendable where Source.Value: Sendable {}
extension Converted: Equatable where Source.Value: Equatable {}
extension Converted: Hashable where Source.Value: Hashable {}
extension ConvertedIfPresent: Sendable where Source.Value: Sendable {}
extension ConvertedIfPresent: Equatable where Source.Value: Equatable {}
extension ConvertedIfPresent: Hashable where Source.Value: Hashable {}

extension KeyedDecodingContainer {
    /// Reads a member. A conversion that handles absent values is called for a missing member and for null. Synthesized `Decodable` code
    /// calls this method.
    public func decode<Source>(_ type: Converted<Source>.Type, forKey key: Key) throws -> Converted<Source> {
        if Source.conversion.handlesAbsent, try !contains(key) || decodeNil(forKey: key) {
            return Converted(wrappedValue: try Source.conversion.value(nil, "nothing", codingPath + [key]))
        }
        return try value(forKey: key)
    }

    /// Returns nil for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Source>(_ type: ConvertedIfPresent<Source>.Type, forKey key: Key) throws -> ConvertedIfPresent<Source> {
        try decodeIfPresent(type, forKey: key) ?? ConvertedIfPresent(wrappedValue: nil)
    }

    /// Reads a value of any type. Here the compiler does not choose the methods for wrappers.
    private func value<Value: Decodable>(forKey key: Key) throws -> Value { try decode(Value.self, forKey: key) }
}

extension KeyedEncodingContainer {
    /// Writes nil like the nil of any other optional property. Synthesized `Encodable` code calls this method.
    public mutating func encode<Source>(_ value: ConvertedIfPresent<Source>, forKey key: Key) throws {
        guard value.wrappedValue != nil else { return try encodeIfPresent(JSON?.none, forKey: key) }
        try put(value, forKey: key)
    }

    /// Writes a value of any type. Here the compiler does not choose the methods for wrappers.
    mutating func put(_ value: some Encodable, forKey key: Key) throws { try encode(value, forKey: key) }
}
