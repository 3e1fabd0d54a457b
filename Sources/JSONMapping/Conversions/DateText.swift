import Foundation

/// Dates of RFC 3339, by calendar arithmetic: no formatter, no locale, no time zone data.
package enum DateText {
    /// The date of `2026-11-21T09:30:00Z`, with an optional fraction of any length and an offset in place of `Z`; nil for every
    /// other text and for days that do not exist. A leap second counts as the second after it.
    package static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
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
        let whole = CalendarDay.number(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second - offset
        return moment(whole, fraction.value, digits: fraction.digits)
    }

    /// The date so many seconds and a fraction of that many digits after 1970. Every date that is read from text is made here, so that
    /// one text is one date.
    ///
    /// A date is a number of seconds since 2001. Up to microseconds the sum is made as people make it, in seconds since 1970;
    /// from there on the finer steps of the number itself are needed.
    static func moment(_ seconds: Int, _ fraction: Double, digits: Int) -> Date {
        digits <= 6
            ? Date(timeIntervalSince1970: Double(seconds) + fraction)
            : Date(timeIntervalSinceReferenceDate: Double(seconds - from1970To2001) + fraction)
    }

    private static let from1970To2001 = 978_307_200

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    @inline(__always)
    private static func twoDigits(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        let tens = text[start] &- UInt8(ascii: "0")
        let ones = text[start + 1] &- UInt8(ascii: "0")
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    /// The fraction at `position` and its number of digits, 0 when there is none; moves behind it. Nil for a point without digits.
    private static func fraction(_ text: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> (value: Double, digits: Int)? {
        guard text[position] == UInt8(ascii: ".") else { return (0, 0) }
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
        return position > start ? (digits / scale, position - start) : nil
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

    // MARK: - Writing

    /// The date in UTC, with 0, 3, 6, 9, 12 or 15 digits of the second, as few as give the same date when they are read; nil
    /// outside the years 0 to 9999. More than 9 are needed near the year 2001 alone, where a date is finest.
    package static func text(_ date: Date) -> String? {
        var count: Int?
        let text = String(unsafeUninitializedCapacity: longest) { buffer in
            count = write(date, into: buffer)
            return count ?? 0
        }
        return count == nil ? nil : text
    }

    /// Whether the date is one of the years 0 to 9999.
    package static func isWritable(_ date: Date) -> Bool {
        let interval = date.timeIntervalSinceReferenceDate
        return interval >= -63_145_526_400 && interval < 252_423_993_600
    }

    /// Bytes of the longest text.
    package static let longest = 40

    /// Puts the text of `text(_:)` into memory for `longest` bytes; answers how many they are.
    package static func write(_ date: Date, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
        guard isWritable(date) else { return nil }
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        if whole == interval { return write(Int(whole) + from1970To2001, 0, digits: 0, into: buffer) }
        for (digits, scale) in [(0, 1.0), (3, 1e3), (6, 1e6), (9, 1e9), (12, 1e12), (15, 1e15)] {
            var fraction = ((interval - whole) * scale).rounded()
            var seconds = Int(whole) + from1970To2001
            if fraction == scale {
                seconds += 1
                fraction = 0
            }
            if digits == 15 || moment(seconds, fraction / scale, digits: digits) == date {
                return write(seconds, Int(fraction), digits: digits, into: buffer)
            }
        }
        return nil
    }

    private static func write(
        _ seconds: Int, _ fraction: Int, digits: Int, into buffer: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let number = CalendarDay.floorDivide(seconds, 86400)
        let (year, month, day) = CalendarDay.day(number: number)
        guard 0...9999 ~= year, buffer.count >= longest, let start = buffer.baseAddress else { return nil }
        let text = UnsafeMutableRawPointer(start)
        // "2026-11-", "21T09:30" and ":00Z", each a word of letters, the first one lowest. In bounds: twenty bytes of `longest`.
        let (century, ofCentury) = year.quotientAndRemainder(dividingBy: 100)
        text.storeBytes(
            of: (pair(century) | pair(ofCentury) << 16 | 0x2D << 32 | pair(month) << 40 | 0x2D << 56).littleEndian, as: UInt64.self)
        let time = seconds - number * 86400
        let (hour, minute) = (time / 60).quotientAndRemainder(dividingBy: 60)
        text.storeBytes(
            of: (pair(day) | 0x54 << 16 | pair(hour) << 24 | 0x3A << 40 | pair(minute) << 48).littleEndian, toByteOffset: 8, as: UInt64.self
        )
        let end: UInt64 = digits == 0 ? 0x5A : 0x2E
        let last = UInt32(truncatingIfNeeded: 0x3A | pair(time % 60) << 8 | end << 24)
        text.storeBytes(of: last.littleEndian, toByteOffset: 16, as: UInt32.self)
        guard digits > 0 else { return 20 }
        return put(fraction, digits, into: buffer)
    }

    /// A number below 100 as two digits, the first one lowest.
    @inline(__always)
    private static func pair(_ value: Int) -> UInt64 {
        let value = UInt64(truncatingIfNeeded: value)
        let tens = (value &* 103) >> 10
        return (0x30 &+ tens) | (0x30 &+ value &- tens &* 10) << 8
    }

    /// Puts so many digits of a second behind the point, and the `Z`; answers the number of bytes of the whole text.
    private static func put(_ fraction: Int, _ digits: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var rest = fraction
        for place in stride(from: 19 + digits, through: 20, by: -1) {
            buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        buffer[20 + digits] = UInt8(ascii: "Z")
        return 21 + digits
    }
}
