import Foundation
import JSONText

/// Reads and writes dates in RFC 3339 and in the forms of Foundation's ISO 8601 strategies. It calculates dates itself, without a
/// formatter, a locale or time zone data.
///
/// All years use the Gregorian calendar, as ISO 8601 specifies. Foundation's own strategies use the Julian calendar before 1582-10-15.
/// They read the same text as another date there.
package enum DateText {
    /// Returns the date in text such as `2026-11-21T09:30:00Z`, or nil for other text and for days that do not exist.
    ///
    /// Accepts the text that `JSONDecoder` accepts with `.iso8601`: a fraction of any length, and a zone in the form `Z`, `+01:00`,
    /// `+0100` or `+01`. `24:00:00` is midnight at the end of the day. A leap second is read as the second after it. Unlike Foundation, it
    /// rejects dates and times that do not exist (February 30, 25:00), and text after the zone.
    package static func date(_ text: Span<UInt8>) -> Date? {
        if let date = plainDate(text) { return date }
        return rareDate(text)
    }

    /// Whether both texts are dates, of the same instant, or less than a number of seconds apart.
    package static func areEqual(_ a: String, _ b: String, within seconds: Double = 0) -> Bool {
        guard let first = UTF8Bytes.withBytes(of: a, { DateText.date($0) }), let second = UTF8Bytes.withBytes(of: b, { DateText.date($0) })
        else { return false }
        return first == second || abs(first.timeIntervalSince(second)) < seconds
    }

    /// Returns the date in text whose fields have all their digits, as servers usually write them. Returns nil for other text.
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

    /// Returns the date in text of a rare form.
    @inline(never)
    private static func rareDate(_ text: Span<UInt8>) -> Date? {
        var scanner = DateScanner()
        return scanner.foundationDate(text)?.date
    }

    /// Returns the date that is `seconds` and `fraction` after 1970. All dates that are read from text are created here, so that equal
    /// texts give equal dates.
    ///
    /// A `Date` stores seconds since 2001. Up to microseconds, the sum is calculated in seconds since 1970, as most programs do. Smaller
    /// units need the higher precision of seconds since 2001.
    ///
    /// The date is always in the given second. Far from 2001, the nearest `Date` can be the start of the next second: in the year 9999, a
    /// `Date` has a precision of 31 microseconds. The result is then the last `Date` before it. So `9999-12-31T23:59:59.9999999Z`, which
    /// often stands for "never", remains in a year that can be written.
    static func moment(_ seconds: Int64, _ fraction: DateFields.Fraction) -> Date {
        if fraction.scale == 1 { return Date(timeIntervalSince1970: Double(seconds)) }
        let nearest =
            fraction.scale <= 1_000_000
            ? Date(timeIntervalSince1970: number(seconds, fraction))
            : Date(timeIntervalSinceReferenceDate: number(seconds - from1970To2001, fraction))
        let next = Double(seconds - from1970To2001 + 1)
        return nearest.timeIntervalSinceReferenceDate < next ? nearest : Date(timeIntervalSinceReferenceDate: next.nextDown)
    }

    /// Returns the sum of seconds and fraction as a `Double`. The result is correctly rounded whenever a `Date` is precise enough to show
    /// the difference.
    private static func number(_ seconds: Int64, _ fraction: DateFields.Fraction) -> Double {
        let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: fraction.scale)
        let (total, overflows) = scaled.addingReportingOverflow(fraction.units)
        if !isTooLarge, !overflows {
            // Both operands are exact, so only the division rounds.
            if total.magnitude <= 1 << 53 { return Double(total) / Double(fraction.scale) }
            // More than 15 digits only matter within seconds of 2001.
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

    /// Returns the fraction at `position` and moves past it. Returns 0 if there is none, and nil for a point without digits.
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

    /// Returns the seconds east of UTC for `Z`, `±hh:mm`, `±hhmm` or `±hh`. Returns nil if the text does not end there.
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
    /// Returns whether the date is in the years 0 to 9999.
    package static func isWritable(_ date: Date) -> Bool {
        let interval = date.timeIntervalSinceReferenceDate
        return interval >= -63_145_526_400 && interval < 252_423_993_600
    }

    /// The size of a buffer for any text, in bytes.
    package static let longest = 40

    /// The parts of the text that `write` stores.
    struct Parts {
        /// The first twenty bytes: "2026-11-", "21T09:30", ":00" and `Z` or a point. The lowest byte of each integer holds its first
        /// character.
        var date: UInt64
        var time: UInt64
        var end: UInt32
        /// The digits after the point.
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
        let (century, ofCentury) = UInt32(truncatingIfNeeded: year).quotientAndRemainder(dividingBy: 100)
        let time = UInt32(truncatingIfNeeded: seconds - number * 86400)
        let (hour, minute) = (time / 60).quotientAndRemainder(dividingBy: 60)
        let end: UInt64 = fraction.scale == 1 ? 0x5A : 0x2E
        return Parts(
            date: pair(century) | pair(ofCentury) << 16 | 0x2D << 32 | pair(month) << 40 | 0x2D << 56,
            time: pair(day) | 0x54 << 16 | pair(hour) << 24 | 0x3A << 40 | pair(minute) << 48,
            end: UInt32(truncatingIfNeeded: 0x3A | pair(time % 60) << 8 | end << 24), fraction: fraction, digitCount: fraction.digitCount)
    }

    /// Returns a number below 100 as two digits, with the first digit in the lowest byte.
    @inline(__always)
    private static func pair(_ value: some FixedWidthInteger) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: value)
        let tens = (value &* 103) >> 10
        return (0x30 &+ tens) | (0x30 &+ value &- tens &* 10) << 8
    }

    /// Returns the seconds since 1970 and a fraction that read back as the same date. The fraction has 3, 6, 7, 8, 9, 12, 15 or 18 digits,
    /// as few as possible. The date must be in the years that `isWritable` accepts.
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
        // Seven digits, as .NET writes them, are read as seconds since 2001. A whole number of milliseconds or microseconds since 2001 is
        // written with trailing zeros, even if other digits read back as well.
        let (ticks, nano): (Int64, Int64) = (10_000_000, 1_000_000_000)
        if let found = exact(1000, ticks) ?? exact(1_000_000, ticks) ?? exact(ticks, ticks) { return found }
        if let found = exact(nano / 10, nano / 10) ?? exact(nano, nano) { return found }
        if let found = exact(nano * 1000, nano * 1000) ?? exact(nano * 1_000_000, nano * 1_000_000) { return found }
        // A date is only more precise within 8 seconds of 2001.
        return finest(interval) ?? rounded(nano * 1_000_000, nano * 1_000_000)
    }

    /// Returns a number of seconds times 10¹⁸, rounded to the nearest integer and from the middle to the even one; nil from 9 seconds on.
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

    /// Returns seconds and fraction with 18 digits, or nil for a date that is more than about 9 seconds from 2001.
    private static func finest(_ interval: Double) -> (seconds: Int64, fraction: DateFields.Fraction)? {
        let scale: Int64 = 1_000_000_000_000_000_000
        guard let magnitude = attoseconds(interval.magnitude) else { return nil }
        let total = interval < 0 ? -magnitude : magnitude
        let seconds = CalendarDay.floorDivide(total, scale)
        let units = total - seconds * scale
        return (seconds + from1970To2001, units == 0 ? DateFields.Fraction() : DateFields.Fraction(units: units, scale: scale))
    }
}
