/// Calculates days of the Gregorian calendar without a formatter, a locale or time zone data.
package enum CalendarDay {
    /// Returns the number of days in a month.
    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the number of days since 1970-01-01. The calculation starts the year in March, so that the leap day is its last day.
    package static func number(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// Returns the day that is `number` days after 1970-01-01.
    package static func day(number: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = floorDivide(shifted, 146_097)
        // Divisions of 32 bits take half as many instructions.
        let dayOfEra = UInt32(truncatingIfNeeded: shifted - era * 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = Int(marchMonth < 10 ? marchMonth + 3 : marchMonth - 9)
        return (Int(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0), month, Int(dayOfYear - (153 * marchMonth + 2) / 5 + 1))
    }

    /// Divides and rounds down.
    @inline(__always)
    package static func floorDivide<Number: FixedWidthInteger & SignedInteger>(_ a: Number, _ b: Number) -> Number {
        a >= 0 ? a / b : -((b - 1 - a) / b)
    }
}
