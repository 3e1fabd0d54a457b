import Foundation
import JSONText

/// Dates of RFC 3339 and of Foundation's ISO 8601 strategies, by calendar arithmetic: no formatter, no locale, no time zone data.
///
/// The calendar is the Gregorian one for all years, as ISO 8601 and other languages have it. Foundation's own strategies count days
/// before 1582-10-15 by the Julian calendar: there the same text is another moment to them.
package enum DateText {
    /// Returns the date of `2026-11-21T09:30:00Z`; nil for other texts and for days that do not exist.
    ///
    /// Reads what `JSONDecoder` reads with `.iso8601`: a fraction of any length, and a zone of the forms `Z`, `+01:00`, `+0100` and
    /// `+01`. `24:00:00` is the midnight that ends the day. A leap second counts as the second after it. Unlike Foundation, it
    /// refuses moments that do not exist (February 30, 25:00) and texts that go on behind the zone.
    package static func date(_ text: Span<UInt8>) -> Date? {
        if let date = plainDate(text) { return date }
        return rareDate(text)
    }

    /// Returns the date of a text in which every field has all its digits, as servers write it; nil for everything else.
    static func plainDate(_ text: Span<UInt8>) -> Date? {
        guard text.count >= 20, text[4] == dash, text[7] == dash, text[10] | 0x20 == UInt8(ascii: "t"),
            text[13] == colon, text[16] == colon,
            let century = twoDigits(text, 0), let ofCentury = twoDigits(text, 2), let month = twoDigits(text, 5),
            let day = twoDigits(text, 8), let hour = twoDigits(text, 11), let minute = twoDigits(text, 14),
            let second = twoDigits(text, 17)
        else { return nil }
        let year = century * 100 + ofCentury
        guard 1...12 ~= month, day >= 1, day <= CalendarDay.days(in: month, of: year), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        var position = 19
        guard let fraction = fraction(text, &position), let offset = offset(text, position) else { return nil }
        let ofDay = hour * 3600 + minute * 60 + second - offset
        return moment(Int64(CalendarDay.number(year: year, month: month, day: day)) * 86400 + Int64(ofDay), fraction)
    }

    /// The forms that hardly anybody writes.
    @inline(never)
    private static func rareDate(_ text: Span<UInt8>) -> Date? {
        guard text.count <= 100 else { return nil }
        var scanner = DateScanner()
        return scanner.foundationDate(text)?.date
    }

    /// Returns the date so many seconds and a fraction after 1970. Every date that is read from text is made here, so that one text
    /// is one date.
    ///
    /// A `Date` is a number of seconds since 2001. Up to microseconds the sum is made as people make it, in seconds since 1970;
    /// from there on the finer steps of the number itself are needed.
    static func moment(_ seconds: Int64, _ fraction: DateFields.Fraction) -> Date {
        if fraction.scale == 1 { return Date(timeIntervalSince1970: Double(seconds)) }
        return fraction.scale <= 1_000_000
            ? Date(timeIntervalSince1970: number(seconds, fraction))
            : Date(timeIntervalSinceReferenceDate: number(seconds - from1970To2001, fraction))
    }

    /// Returns the number next to the sum of both. It is exactly the nearest one wherever a `Date` of so many digits can tell.
    private static func number(_ seconds: Int64, _ fraction: DateFields.Fraction) -> Double {
        let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: fraction.scale)
        let (total, overflows) = scaled.addingReportingOverflow(fraction.units)
        if !isTooLarge, !overflows {
            // Both are exact, so the quotient is rounded once.
            if total.magnitude <= 1 << 53 { return Double(total) / Double(fraction.scale) }
            // More digits than that count within seconds of 2001 alone.
            if fraction.scale > 1_000_000_000_000_000, let exact = Double("\(total)e-\(fraction.digitCount)") { return exact }
        }
        return Double(seconds) + Double(fraction.units) / Double(fraction.scale)
    }

    static let from1970To2001: Int64 = 978_307_200

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    @inline(__always)
    private static func twoDigits(_ text: Span<UInt8>, _ start: Int) -> Int? {
        let tens = text[start] &- UInt8(ascii: "0")
        let ones = text[start + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// Returns the fraction at `position`, 0 when there is none, and moves behind it. Nil for a point without digits.
    @inline(__always)
    private static func fraction(_ text: Span<UInt8>, _ position: inout Int) -> DateFields.Fraction? {
        var fraction = DateFields.Fraction()
        guard text[position] == UInt8(ascii: ".") else { return fraction }
        position += 1
        let start = position
        while position < text.count {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            fraction.append(digit)
            position += 1
        }
        return position > start ? fraction : nil
    }

    /// Returns the seconds east of UTC of `Z`, `±hh:mm`, `±hhmm` or `±hh`, which has to end the text.
    @inline(__always)
    private static func offset(_ text: Span<UInt8>, _ position: Int) -> Int? {
        guard position < text.count else { return nil }
        if text[position] | 0x20 == UInt8(ascii: "z") { return position + 1 == text.count ? 0 : nil }
        let isWest = text[position] == dash
        guard isWest || text[position] == UInt8(ascii: "+") else { return nil }
        var minutesAt = position + 3
        switch text.count - position {
        case 6 where text[minutesAt] == colon: minutesAt += 1
        case 3, 5: break
        default: return nil
        }
        guard let hours = twoDigits(text, position + 1), hours < 24 else { return nil }
        guard let minutes = minutesAt < text.count ? twoDigits(text, minutesAt) : 0, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }
}

// MARK: - Writing

extension DateText {
    /// Whether the date is one of the years 0 to 9999.
    package static func isWritable(_ date: Date) -> Bool {
        let interval = date.timeIntervalSinceReferenceDate
        return interval >= -63_145_526_400 && interval < 252_423_993_600
    }

    /// Room for the longest text, in bytes: whole words.
    package static let longest = 40

    /// A text as `write` puts it together.
    struct Parts {
        /// The first twenty bytes: "2026-11-", "21T09:30", ":00" and `Z` or a point, in each word the first one lowest.
        var date: UInt64
        var time: UInt64
        var end: UInt32
        /// The digits behind the point.
        let fraction: DateFields.Fraction
        let digitCount: Int

        var count: Int { digitCount == 0 ? 20 : 21 + digitCount }
    }

    /// Returns the parts of `text(_:)`.
    static func parts(of date: Date) -> Parts? {
        guard isWritable(date) else { return nil }
        let (seconds, fraction) = decimal(of: date)
        let number = CalendarDay.floorDivide(seconds, 86400)
        let (year, month, day) = CalendarDay.day(number: Int(number))
        guard 0...9999 ~= year else { return nil }
        let (century, ofCentury) = year.quotientAndRemainder(dividingBy: 100)
        let time = Int(seconds - number * 86400)
        let (hour, minute) = (time / 60).quotientAndRemainder(dividingBy: 60)
        let end: UInt64 = fraction.scale == 1 ? 0x5A : 0x2E
        return Parts(
            date: pair(century) | pair(ofCentury) << 16 | 0x2D << 32 | pair(month) << 40 | 0x2D << 56,
            time: pair(day) | 0x54 << 16 | pair(hour) << 24 | 0x3A << 40 | pair(minute) << 48,
            end: UInt32(truncatingIfNeeded: 0x3A | pair(time % 60) << 8 | end << 24), fraction: fraction, digitCount: fraction.digitCount)
    }

    /// A number below 100 as two digits, the first one lowest.
    @inline(__always)
    private static func pair(_ value: Int) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: value)
        let tens = (value &* 103) >> 10
        return (0x30 &+ tens) | (0x30 &+ value &- tens &* 10) << 8
    }

    /// Returns the seconds since 1970 and the fraction that are read back as the same date, with as few groups of three digits as
    /// that takes. The date has to be finite and within some thousand years of 2001.
    static func decimal(of date: Date) -> (seconds: Int64, fraction: DateFields.Fraction) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        if whole == interval { return (Int64(whole) + from1970To2001, DateFields.Fraction()) }
        let start = Int64(whole) + from1970To2001
        func rounded(_ precision: Int64, _ scale: Int64) -> (seconds: Int64, fraction: DateFields.Fraction) {
            let units = Int64(((interval - whole) * Double(precision)).rounded())
            if units == 0 { return (start, DateFields.Fraction()) }
            if units == precision { return (start + 1, DateFields.Fraction()) }
            return (start, DateFields.Fraction(units: units &* (scale / precision), scale: scale))
        }
        func exact(_ precision: Int64, _ scale: Int64) -> (seconds: Int64, fraction: DateFields.Fraction)? {
            let found = rounded(precision, scale)
            return moment(found.seconds, found.fraction) == date ? found : nil
        }
        if let found = exact(1000, 1000) ?? exact(1_000_000, 1_000_000) { return found }
        // What is whole milliseconds since 2001 ends in zeros, although other digits might do as well.
        let nano: Int64 = 1_000_000_000
        if let found = exact(1000, nano) ?? exact(1_000_000, nano) ?? exact(nano, nano) { return found }
        if let found = exact(nano * 1000, nano * 1000) ?? exact(nano * 1_000_000, nano * 1_000_000) { return found }
        // Only within 8 seconds of 2001 does a date have finer steps.
        return finest(interval) ?? rounded(nano * 1_000_000, nano * 1_000_000)
    }

    /// A number of seconds times 10¹⁸, rounded to the nearest integer, of two equally near to the even one; nil from 9 seconds on.
    ///
    /// The product of the significand and 10¹⁸ has 113 bits. The binary exponent says where its fraction begins.
    private static func attoseconds(_ seconds: Double) -> Int64? {
        guard seconds < 9 else { return nil }
        guard seconds.isNormal, seconds.exponent > -64 else { return 0 }
        let significand = seconds.significandBitPattern | 1 << 52
        let (high, low) = significand.multipliedFullWidth(by: 1_000_000_000_000_000_000)
        let shift = 52 - Int(seconds.exponent)
        func hasBits(below bit: Int) -> Bool {
            bit <= 64 ? low & (bit == 64 ? .max : (1 << bit) - 1) != 0 : low != 0 || high & ((1 << (bit - 64)) - 1) != 0
        }
        let whole = shift < 64 ? high << (64 - shift) | low >> shift : high >> (shift - 64)
        let half = shift <= 64 ? low >> (shift - 1) & 1 : high >> (shift - 65) & 1
        let roundsUp = half == 1 && (hasBits(below: shift - 1) || whole & 1 == 1)
        return Int64(whole) + (roundsUp ? 1 : 0)
    }

    /// Returns the same with 18 digits; nil for a date that is more than 9 seconds from 2001.
    private static func finest(_ interval: Double) -> (seconds: Int64, fraction: DateFields.Fraction)? {
        let scale: Int64 = 1_000_000_000_000_000_000
        guard let magnitude = attoseconds(interval.magnitude) else { return nil }
        let total = interval < 0 ? -magnitude : magnitude
        let seconds = CalendarDay.floorDivide(total, scale)
        let units = total - seconds * scale
        return (seconds + from1970To2001, units == 0 ? DateFields.Fraction() : DateFields.Fraction(units: units, scale: scale))
    }
}
