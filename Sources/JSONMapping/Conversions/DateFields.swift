import Foundation

/// A moment, taken apart. What a text does not name keeps the first value.
struct DateFields {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var fraction = Fraction()
    /// Seconds east of UTC.
    var offset = 0

    /// A part of a second, from 0 to below 1.
    struct Fraction {
        var value = 0.0
        /// How many digits it was written with.
        var digits = 0
    }

    init() {}

    /// The moment in UTC, rounded to nanoseconds; nil outside the years 0 to 9999.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        // About the years -5000 to 9999: far inside what Int holds. NaN fails, too.
        guard abs(interval) < 3e11 else { return nil }
        var whole = Int(interval.rounded(.down))
        fraction.value = interval - interval.rounded(.down)
        if (fraction.value * 1e9).rounded() >= 1e9 {
            whole += 1
            fraction.value = 0
        }
        let seconds = whole + Self.referenceDate
        let number = CalendarDay.floorDivide(seconds, 86400)
        (year, month, day) = CalendarDay.day(number: number)
        guard 0...9999 ~= year else { return nil }
        let ofDay = seconds - number * 86400
        hour = ofDay / 3600
        minute = ofDay / 60 % 60
        second = ofDay % 60
    }

    /// The moment; nil for a day or a time that does not exist.
    var date: Date? {
        guard 1...12 ~= month, day >= 1, day <= CalendarDay.days(in: month, of: year), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        let days = CalendarDay.number(year: year, month: month, day: day)
        let whole = days * 86400 + hour * 3600 + minute * 60 + second - offset
        return DateText.moment(whole, fraction.value, digits: fraction.digits)
    }

    /// The first digits of the fraction.
    func fractionText(digits: Int) -> String {
        String(Self.digits(Int((fraction.value * 1e9).rounded()), 9).prefix(digits))
    }

    static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// 2001-01-01 in seconds since 1970.
    private static let referenceDate = 978_307_200
}
