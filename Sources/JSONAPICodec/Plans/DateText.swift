import Foundation

/// Dates of RFC 3339, by calendar arithmetic: no formatter, no locale, no time zone data.
enum DateText {
    /// The date of `2026-11-21T09:30:00Z`, with an optional fraction of any length and an offset in place of `Z`; nil for every
    /// other text and for days that do not exist. A leap second counts as the second after it.
    static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        guard text.count >= 20, text[4] == dash, text[7] == dash, text[10] | 0x20 == UInt8(ascii: "t"),
            text[13] == colon, text[16] == colon,
            let century = twoDigits(text, 0), let ofCentury = twoDigits(text, 2), let month = twoDigits(text, 5),
            let day = twoDigits(text, 8), let hour = twoDigits(text, 11), let minute = twoDigits(text, 14),
            let second = twoDigits(text, 17)
        else { return nil }
        let year = century * 100 + ofCentury
        guard 1...12 ~= month, day >= 1, day <= days(in: month, of: year), hour < 24, minute < 60, second <= 60 else { return nil }
        var position = 19
        guard let fraction = fraction(text, &position), let offset = offset(text, position) else { return nil }
        let whole = daysSince1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(whole) + fraction)
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    @inline(__always)
    private static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        let tens = text[start] &- UInt8(ascii: "0")
        let ones = text[start + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// The fraction at `position`, 0 when there is none; moves behind it. Nil for a point without digits.
    private static func fraction(_ text: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Double? {
        guard text[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        let start = position
        var digits = 0.0
        var scale = 1.0
        while position < text.count, text[position] &- UInt8(ascii: "0") < 10 {
            // 15 digits are all that a Double keeps.
            if position - start < 15 {
                digits = digits * 10 + Double(text[position] &- UInt8(ascii: "0"))
                scale *= 10
            }
            position += 1
        }
        return position > start ? digits / scale : nil
    }

    /// Seconds east of UTC from `Z` or `±hh:mm`, which has to end the text.
    private static func offset(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> Int? {
        guard position < text.count else { return nil }
        if text[position] | 0x20 == UInt8(ascii: "z") { return position + 1 == text.count ? 0 : nil }
        let isWest = text[position] == dash
        guard isWest || text[position] == UInt8(ascii: "+"), position + 6 == text.count, text[position + 3] == colon,
            let hours = twoDigits(text, position + 1), let minutes = twoDigits(text, position + 4), hours < 24, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the Gregorian calendar. The year is taken to begin in March, so that the leap day comes last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
