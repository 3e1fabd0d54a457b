import Foundation
import JSONText

extension Conversion where Input == JSON, Output == UUID {
    /// A UUID as text. Reading ignores case, and writing uses uppercase letters, as Foundation does.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9562#section-4>
    public static var uuid: Self { .text("a UUID", parse: { UUID(text: $0) }, format: { $0.uuidString }) }
}

extension UUID: JSONConvertible {
    /// A conversion to and from text.
    public static var conversion: Conversion<JSON, UUID> { .uuid }
}

extension Conversion where Input == JSON, Output == Decimal {
    /// A number that `Decimal` can represent exactly, with up to 38 digits. Any other number is `conversionFailed`. Nothing is rounded.
    ///
    /// For amounts that are sent as text, chain two conversions: `Conversion<JSON, JSONNumber>.lenientNumber.then(.decimal)`.
    public static var decimal: Self { Conversion<JSON, JSONNumber>.number.then(.decimal) }
}

extension Conversion where Input == JSONNumber, Output == Decimal {
    /// The number as a `Decimal` that represents it exactly. Any other number is `conversionFailed`.
    public static var decimal: Self {
        Self(
            decode: { number in
                guard let value = Decimal(representing: number) else {
                    throw MappingIssue.unconvertible("a number that Decimal can represent exactly", "a number that it cannot")
                }
                return value
            },
            encode: { value in
                guard value.isFinite, let number = JSONNumber(text: value.description) else {
                    throw MappingIssue.unconvertible("a finite number", "NaN")
                }
                return number
            })
    }
}

extension Decimal {
    /// Creates the decimal that represents a number exactly. Returns nil if there is none.
    package init?(representing number: JSONNumber) {
        // `Decimal` reads no zero with a large exponent.
        if number == 0 {
            self = 0
            return
        }
        // Nor a text in which zeros at the end make the exponent too small.
        guard let value = Self.exact(number.text, number) ?? Self.exact(number.textWithoutZeros, number) else { return nil }
        self = value
    }

    private static func exact(_ text: String, _ number: JSONNumber) -> Decimal? {
        guard let value = Decimal(string: text, locale: nil), value.isFinite, JSONNumber(text: value.description) == number else {
            return nil
        }
        return value
    }
}

extension Decimal: JSONConvertible {
    /// A conversion to and from a number, without rounding.
    public static var conversion: Conversion<JSON, Decimal> { .decimal }
}
