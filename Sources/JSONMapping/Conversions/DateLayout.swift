import Foundation
import JSONText

/// How a date is written: a standard, or a pattern as `"yyyy-MM-dd"`. Always UTC and English, never the locale's.
///
/// | letters | mean |
/// | --- | --- |
/// | `yyyy`, `yy`, `y` | the year; `yy` stands for 1950 to 2049, and other years cannot be written with it |
/// | `MM`, `M`, `MMM`, `MMMM` | the month: `05`, `5`, `May`, `September` |
/// | `dd`, `d` | the day |
/// | `EEE`, `EEEE` | the day of the week: `Mon`, `Monday`; a day that is another one is no date. `E` and `EE` are `EEE` |
/// | `HH`, `H`, `mm`, `m`, `ss`, `s` | hour, minute, second |
/// | `hh`, `h` with `a` | the hour from 1 to 12, and `AM` or `PM` |
/// | `S` | a digit of the second |
/// | `X`, `XX`, `XXX`, `Z` | the zone: `Z` or `+01`, `+0100`, `+01:00`; `Z` is `+0100` |
///
/// Other letters stand between `'`; everything else is itself. A double letter is exactly two digits; a single one is written without a
/// zero in front, so no digits may follow it directly. Names are read in any case. What a pattern does not name is the first: 1970,
/// month and day 1, hour 0. Without a zone the date is UTC. A date is rounded to the digits that are written, three at least.
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

    /// A pattern that comes from outside, from a configuration for example.
    ///
    /// Throws the issue `conversionFailed` for a pattern that cannot be used, and says which letters are wrong.
    public init(validating pattern: String) throws {
        let pattern = DatePattern(pattern)
        if let issue = pattern.issue { throw issue }
        form = .pattern(pattern)
    }

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

    /// The text of a date; nil outside the years 0 to 9999, and for a year that a pattern with `yy` cannot tell.
    public func text(_ date: Date) -> String? {
        switch form {
        case .iso8601, .rfc3339: return DateText.text(date)
        case .pattern(let pattern): return pattern.text(date)
        }
    }

    package var expected: String {
        switch form {
        case .iso8601: "a date of ISO 8601"
        case .rfc3339: "a date of RFC 3339"
        case .pattern(let pattern): "a date of the form \(pattern.text)"
        }
    }

    /// What is wrong with the pattern.
    var issue: MappingIssue? {
        if case .pattern(let pattern) = form { pattern.issue } else { nil }
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
            layout.expected,
            parse: { text in
                if let issue = layout.issue { throw issue }
                return layout.date(text)
            },
            format: { date in
                if let issue = output.issue { throw issue }
                guard let text = output.text(date) else {
                    throw MappingIssue.unconvertible("a date of the years that the layout can write", "another one")
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
