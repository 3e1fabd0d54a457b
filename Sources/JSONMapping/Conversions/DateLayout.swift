import Foundation
import JSONText

/// The text form of a date: a standard, or a pattern such as `"yyyy-MM-dd"`.
///
/// Dates are written in UTC and in English, regardless of the locale.
///
/// | letters | meaning |
/// | --- | --- |
/// | `yyyy`, `yy`, `y` | the year; `yy` covers 1950 to 2049 and cannot write other years |
/// | `MM`, `M`, `MMM`, `MMMM` | the month: `05`, `5`, `May`, `September` |
/// | `dd`, `d` | the day |
/// | `EEE`, `EEEE` | the day of the week: `Mon`, `Monday`; reading fails if it does not match the date. `E` and `EE` mean `EEE` |
/// | `HH`, `H`, `mm`, `m`, `ss`, `s` | hour, minute, second |
/// | `hh`, `h` with `a` | the hour from 1 to 12, and `AM` or `PM` |
/// | `S` to `SSSSSSSSS` | the fraction of a second, with one digit for each `S` |
/// | `X`, `XX`, `XXX`, `Z` | the zone. Reading accepts `Z`, `+01`, `+0100` and `+01:00`. Writing uses `+0000` for `Z` and otherwise `Z` |
///
/// Enclose other letters in `'`. All other characters stand for themselves. A double letter is exactly two digits. A single letter has no
/// leading zero, so digits cannot follow it directly. Reading ignores the case of names.
///
/// A field that the pattern does not contain has the first value: 1970, month and day 1, hour 0. Reading assumes UTC without a zone.
/// Writing rounds a date to the number of fraction digits in the pattern, but to no fewer than three. A pattern reads no text of more than
/// 100 bytes.
public struct DateLayout: Sendable, Hashable, ExpressibleByStringLiteral {
    enum Form: Sendable, Hashable {
        case iso8601
        case rfc3339
        case pattern(DatePattern)
    }

    let form: Form

    private init(_ form: Form) { self.form = form }

    /// Creates a layout from a pattern. If the pattern is invalid, every conversion fails with an issue `conversionFailed` that names the
    /// mistake, and coders throw an error that names it. `date(_:)` and `text(_:)` return nil. To check the pattern, use
    /// `init(validating:)`.
    public init(_ pattern: String) { form = .pattern(DatePattern(pattern)) }

    /// Creates a layout from a pattern that is not known at compile time, such as one from a configuration file.
    ///
    /// Throws a `MappingIssue` of kind `conversionFailed` that names the mistake if the pattern is invalid.
    public init(validating pattern: String) throws {
        let pattern = DatePattern(pattern)
        if let issue = pattern.issue { throw issue }
        form = .pattern(pattern)
    }

    /// Creates a layout from a pattern.
    public init(stringLiteral pattern: String) { self.init(pattern) }

    /// ISO 8601: `2026-11-21T09:30:00Z`.
    ///
    /// Reading also accepts a day without a time, a time without seconds, a fraction of any length, a space instead of `T`, and any
    /// offset. Without a zone, the date is in UTC. `24:00:00` is midnight at the end of the day. Writing uses `Z`, and the fewest of 0, 3, 6, 7,
    /// 8, 9, 12, 15, or 18 fraction digits that read back as the same date. Within 8 milliseconds of 2001-01-01, a `Date` can need more digits.
    /// It has a precision of about 0.1 microseconds now, and of 31 microseconds in the year 9999.
    public static let iso8601 = DateLayout(.iso8601)

    /// RFC 3339: like `iso8601`, but reading requires a day, a time with seconds, and a zone: `Z`, or hours and minutes such as `+01:00`.
    /// It does not accept `24:00:00`.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3339#section-5.6>
    public static let rfc3339 = DateLayout(.rfc3339)

    /// Returns the date in a text, or nil for text in another form and for days that do not exist. A leap second is read as the second
    /// after it. Always nil for an invalid pattern.
    public func date(_ text: String) -> Date? {
        UTF8Bytes.withBytes(of: text) { bytes in
            var scanner = DateScanner()
            switch form {
            // Servers usually send the complete form, which has a fast path. The scanner reads everything else.
            case .iso8601: return DateText.plainDate(bytes) ?? scanner.standard(bytes, isComplete: false)?.date
            case .rfc3339:
                guard DateScanner.endsWithCompleteZone(bytes) else { return nil }
                return DateText.plainDate(bytes) ?? scanner.standard(bytes, isComplete: true)?.date
            case .pattern(let pattern): return bytes.count <= 100 ? pattern.read(bytes)?.date : nil
            }
        }
    }

    /// Returns the text of a date, or nil outside the years 0 to 9999, or for a year that a pattern with `yy` cannot write. Always nil
    /// for an invalid pattern.
    public func text(_ date: Date) -> String? {
        switch form {
        case .iso8601, .rfc3339: return DateText.text(date)
        case .pattern(let pattern): return pattern.text(date)
        }
    }

    package var expected: String {
        switch form {
        case .iso8601: "an ISO 8601 date"
        case .rfc3339: "an RFC 3339 date"
        case .pattern(let pattern): pattern.expected
        }
    }

    /// The issue of an invalid pattern.
    var issue: MappingIssue? {
        if case .pattern(let pattern) = form { pattern.issue } else { nil }
    }
}

extension Conversion where Input == JSON, Output == Date {
    /// A date as text. Text in another form, or a day that does not exist, is `conversionFailed`.
    public static func date(_ layout: DateLayout = .iso8601) -> Self {
        .date(layout, writing: layout)
    }

    /// A date as text that is read in one layout and written in another.
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
                    throw MappingIssue.unconvertible("a date in the years that the layout can write", "a date in another year")
                }
                return text
            })
        if layout == .iso8601, output == .iso8601 { conversion.preset = .date }
        return conversion
    }

    /// A date as the number of seconds since 1970.
    public static var secondsSince1970: Self {
        Conversion<JSON, Double>.double.then(decode: { Date(timeIntervalSince1970: $0) }, encode: { $0.timeIntervalSince1970 })
    }

    /// A date as the number of milliseconds since 1970. Writing rounds to whole milliseconds.
    public static var millisecondsSince1970: Self {
        Conversion<JSON, Double>.double.then(
            decode: { Date(timeIntervalSince1970: $0 / 1000) }, encode: { ($0.timeIntervalSince1970 * 1000).rounded() })
    }
}

extension Date: JSONConvertible {
    /// A conversion to and from ISO 8601 text.
    public static var conversion: Conversion<JSON, Date> { .date(.iso8601) }
}
