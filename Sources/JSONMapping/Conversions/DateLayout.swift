import Foundation
import JSONText

/// How a date is written: a standard, or a pattern as `"yyyy-MM-dd"`. Always UTC, never the locale's.
///
/// Letters of a pattern: `yyyy` `MM` `dd` `HH` `mm` `ss`, `S` for each digit of a fraction, and for the zone `X` (`Z`, `+01`), `XX`
/// (`Z`, `+0100`), `XXX` (`Z`, `+01:00`) or `Z` (`+0100`). Other letters stand between `'`; everything else is itself. What a pattern does not
/// name is the first: month and day 1, hour 0. Without a zone the date is UTC.
public struct DateLayout: Sendable, Hashable, ExpressibleByStringLiteral {
    enum Form: Sendable, Hashable {
        case iso8601
        case rfc3339
        case pattern(DatePattern)
    }

    let form: Form

    private init(_ form: Form) { self.form = form }

    /// A pattern. One with unknown letters reads and writes nothing: each use is `conversionFailed`, which says so.
    public init(_ pattern: String) { form = .pattern(DatePattern(pattern)) }

    /// A pattern.
    public init(stringLiteral pattern: String) { self.init(pattern) }

    /// `2026-11-21T09:30:00Z`. Reading takes a day alone, a time without seconds, a fraction of any length, a blank for `T`, and any offset;
    /// no zone means UTC. Written with `Z`, and with as few groups of three digits of a fraction as tell the moment.
    public static let iso8601 = DateLayout(.iso8601)

    /// As `iso8601`, but reading needs day, time with seconds, and zone: https://www.rfc-editor.org/rfc/rfc3339#section-5.6
    public static let rfc3339 = DateLayout(.rfc3339)

    /// The date of a text; nil for every other text and for days that do not exist. A leap second counts as the second after it.
    public func date(_ text: String) -> Date? {
        text.withBytes { bytes in
            guard bytes.count <= 100 else { return nil }
            var scanner = DateScanner()
            switch form {
            // What servers send is complete; the scanner takes its time for everything else.
            case .iso8601: return DateText.plainDate(bytes) ?? scanner.standard(bytes, isComplete: false)?.date
            case .rfc3339: return DateText.plainDate(bytes) ?? scanner.standard(bytes, isComplete: true)?.date
            case .pattern(let pattern): return pattern.read(bytes)?.date
            }
        }
    }

    /// The text of a date; nil outside the years 0 to 9999.
    public func text(_ date: Date) -> String? {
        switch form {
        case .iso8601, .rfc3339: return DateText.text(date)
        case .pattern(let pattern): return DateFields(date).flatMap { pattern.text($0) }
        }
    }

    package var expected: String {
        switch form {
        case .iso8601: "a date of ISO 8601"
        case .rfc3339: "a date of RFC 3339"
        case .pattern(let pattern): "a date of the form \(pattern.text)"
        }
    }
}

extension Conversion where Input == JSON, Output == Date {
    /// A date as text. Text of another form, or a day that does not exist, is `conversionFailed`.
    public static func date(_ layout: DateLayout = .iso8601) -> Self {
        .date(layout, writing: layout)
    }

    /// A date that is read in one layout and written in another.
    public static func date(_ layout: DateLayout, writing output: DateLayout) -> Self {
        var conversion = Self.text(
            layout.expected, parse: { layout.date($0) },
            format: { date in
                guard let text = output.text(date) else {
                    throw MappingIssue.unconvertible("a date of the years 0 to 9999 and a pattern with known letters", "another one")
                }
                return text
            })
        if layout == .iso8601, output == .iso8601 { conversion.preset = .date }
        return conversion
    }

    /// Seconds since 1970 as a number.
    public static var secondsSince1970: Self {
        Conversion<JSON, Double>.double.then(decode: { Date(timeIntervalSince1970: $0) }, encode: { $0.timeIntervalSince1970 })
    }

    /// Milliseconds since 1970 as a number.
    public static var millisecondsSince1970: Self {
        Conversion<JSON, Double>.double.then(
            decode: { Date(timeIntervalSince1970: $0 / 1000) }, encode: { ($0.timeIntervalSince1970 * 1000).rounded() })
    }
}

extension Date: JSONConvertible {
    /// ISO 8601.
    public static var conversion: Conversion<JSON, Date> { .date(.iso8601) }
}
