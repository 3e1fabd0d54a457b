import Foundation
import JSONText

extension Conversion where Input == JSON, Output == UUID {
    /// A UUID as text, in any case. Written in capitals, as Foundation does.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9562#section-4>
    public static var uuid: Self { .text("a UUID", parse: { UUID(uuidString: $0) }, format: { $0.uuidString }) }
}

extension UUID: JSONConvertible {
    /// Text.
    public static var conversion: Conversion<JSON, UUID> { .uuid }
}

extension Conversion where Input == JSON, Output == Decimal {
    /// A number that `Decimal` holds exactly: 38 digits. One of more digits is `conversionFailed`; nothing is rounded.
    ///
    /// For amounts as text chain it behind another one: `Conversion<JSON, JSONNumber>.lenientNumber.then(.decimal)`.
    public static var decimal: Self { Conversion<JSON, JSONNumber>.number.then(.decimal) }
}

extension Conversion where Input == JSONNumber, Output == Decimal {
    /// The number as a `Decimal` that holds it exactly, else `conversionFailed`.
    public static var decimal: Self {
        Self(
            decode: { number in
                guard let value = Decimal(string: number.text, locale: nil), value.isFinite,
                    JSONNumber(text: value.description) == number
                else { throw MappingIssue.unconvertible("a number that Decimal holds exactly", "one of more digits") }
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

extension Decimal: JSONConvertible {
    /// A number that is held exactly.
    public static var conversion: Conversion<JSON, Decimal> { .decimal }
}
