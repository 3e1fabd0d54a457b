import Foundation

/// A moment, taken apart. What a text does not name keeps the first value.
struct DateFields {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    /// From 0 to below 1.
    var nanoseconds = 0
    /// Seconds east of UTC.
    var offset = 0

    init() {}

    /// The moment in UTC, nil outside the years 0 to 9999.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        // About the years -5000 to 9999: far inside what Int holds. NaN fails, too.
        guard abs(interval) < 3e11 else { return nil }
        var whole = Int(interval.rounded(.down))
        nanoseconds = Int(((interval - interval.rounded(.down)) * 1e9).rounded())
        if nanoseconds >= 1_000_000_000 {
            whole += 1
            nanoseconds = 0
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
        return Date(timeIntervalSinceReferenceDate: Double(whole - Self.referenceDate) + Double(nanoseconds) / 1e9)
    }

    /// `2026-11-21T09:30:00Z`, with as many digits of the fraction as tell the moment.
    var standardText: String {
        var text = Self.digits(year, 4) + "-" + Self.digits(month, 2) + "-" + Self.digits(day, 2)
        text += "T" + Self.digits(hour, 2) + ":" + Self.digits(minute, 2) + ":" + Self.digits(second, 2)
        if let fraction { text += "." + fraction }
        return text + "Z"
    }

    /// 3, 6 or 9 digits: the fewest that give the same moment again.
    private var fraction: String? {
        guard nanoseconds > 0, let date else { return nil }
        for (unit, count) in [(1_000_000, 3), (1000, 6)] {
            var rounded = self
            rounded.nanoseconds = (nanoseconds + unit / 2) / unit * unit
            if rounded.nanoseconds < 1_000_000_000, rounded.date == date {
                return Self.digits(rounded.nanoseconds / unit, count)
            }
        }
        return Self.digits(nanoseconds, 9)
    }

    static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// 2001-01-01 in seconds since 1970.
    private static let referenceDate = 978_307_200
}
