import Foundation

/// The fields of a date. A field that a text does not contain keeps its default.
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

    /// A fraction of a second, at least 0 and less than 1: `units / scale`.
    struct Fraction {
        var units: Int64 = 0
        /// 10 to the power of the number of digits, which is at most 18.
        var scale: Int64 = 1

        /// Appends a digit. Digits after the eighteenth are ignored.
        @inline(__always)
        mutating func append(_ digit: UInt8) {
            guard scale < 1_000_000_000_000_000_000 else { return }
            units = units &* 10 &+ Int64(digit)
            scale = scale &* 10
        }

        var digitCount: Int {
            var count = 0
            var rest = scale
            while rest > 1 {
                rest /= 10
                count += 1
            }
            return count
        }
    }

    init() {}

    /// Creates the fields of a date in UTC, rounded to `fractionDigits`. Returns nil outside the years 0 to 9999.
    init?(_ date: Date, fractionDigits: Int) {
        guard DateText.isWritable(date) else { return nil }
        let (seconds, fraction) = Self.rounded(DateText.decimal(of: date), toDigits: fractionDigits)
        self.fraction = fraction
        let number = CalendarDay.floorDivide(seconds, 86400)
        (year, month, day) = CalendarDay.day(number: Int(number))
        guard 0...9999 ~= year else { return nil }
        let ofDay = Int(seconds - number * 86400)
        hour = ofDay / 3600
        minute = ofDay / 60 % 60
        second = ofDay % 60
    }

    /// Rounds seconds and fraction together: `29.9996` with three digits is `30.000`. The last second of the year 9999 is not rounded up.
    private static func rounded(
        _ moment: (seconds: Int64, fraction: Fraction), toDigits count: Int
    ) -> (seconds: Int64, fraction: Fraction) {
        guard moment.fraction.digitCount > count else { return moment }
        let scale = (0..<count).reduce(Int64(1)) { power, _ in power * 10 }
        let step = moment.fraction.scale / scale
        let units = (moment.fraction.units + step / 2) / step
        if units < scale { return (moment.seconds, Fraction(units: units, scale: scale)) }
        let isLast = moment.seconds == 253_402_300_799
        return isLast ? (moment.seconds, Fraction(units: units - 1, scale: scale)) : (moment.seconds + 1, Fraction())
    }

    /// Reads `24:00:00` as `00:00:00` of the next day.
    mutating func readEndOfDay() {
        guard hour == 24, minute == 0, second == 0, fraction.units == 0 else { return }
        hour = 0
        offset -= 86400
    }

    /// The date, or nil for a day or a time that does not exist.
    var date: Date? {
        guard 1...12 ~= month, day >= 1, day <= CalendarDay.days(in: month, of: year), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        let days = CalendarDay.number(year: year, month: month, day: day)
        return DateText.moment(Int64(days) * 86400 + Int64(hour * 3600 + minute * 60 + second - offset), fraction)
    }

    /// The day of the week, from 0 for Sunday, or nil for a day that does not exist.
    var weekday: Int? {
        guard 1...12 ~= month, day >= 1, day <= CalendarDay.days(in: month, of: year) else { return nil }
        let number = CalendarDay.number(year: year, month: month, day: day)
        // 1970-01-01 was a Thursday.
        return number + 4 - CalendarDay.floorDivide(number + 4, 7) * 7
    }

    /// Returns the first `digits` digits of the fraction.
    func fractionText(digits: Int) -> String {
        let text = Self.digits(fraction.units, fraction.digitCount)
        return String((text + String(repeating: "0", count: digits)).prefix(digits))
    }

    static func digits(_ value: some BinaryInteger, _ count: Int) -> String {
        if count == 0 { return "" }
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
