import Foundation

/// The parsed pattern of a date layout.
struct DatePattern: Sendable, Hashable {
    private enum Part: Sendable, Hashable {
        case number(Field, Width)
        /// `yy`
        case shortYear
        /// `MMM`, `MMMM`
        case monthName(isShort: Bool)
        /// `EEE`, `EEEE`
        case weekdayName(isShort: Bool)
        /// `a`
        case halfOfDay
        case fraction(Int)
        /// `X` with its number of repetitions, or 0 for `Z`.
        case zone(Int)
        case literal(String)
    }

    private enum Field: Sendable, Hashable {
        case year, month, day, hour, hourOfHalf, minute, second
    }

    /// The number of digits that a number has.
    private enum Width: Sendable, Hashable {
        /// Exactly this many digits.
        case fixed(Int)
        /// As many digits as needed, but at most this many.
        case upTo(Int)
    }

    let text: String

    /// The parts; empty if the pattern is invalid.
    private let parts: [Part]

    /// The mistake in the pattern, in words.
    private let fault: String?

    init(_ text: String) {
        self.text = text
        do throws(Fault) {
            parts = try Self.checked(Self.parts(of: text))
            fault = nil
        } catch {
            parts = []
            fault = error.found
        }
    }

    /// The issue that every use of an invalid pattern throws.
    var issue: MappingIssue? {
        fault.map {
            .unconvertible("a valid date pattern", $0, advice: "see `DateLayout` for the letters, and enclose literal text in '")
        }
    }

    /// What the pattern reads and writes, in words; the mistake in an invalid one.
    var expected: String {
        fault.map { "a valid date pattern instead of \(text), where \($0) is the mistake" } ?? "a date in the form \(text)"
    }

    /// The years that `yy` can stand for.
    private static let shortYears = 1950...2049
}

// MARK: - The text of a pattern

extension DatePattern {
    private struct Fault: Error {
        let found: String
    }

    private static func parts(of text: String) throws(Fault) -> [Part] {
        var parts: [Part] = []
        var rest = Array(text)[...]
        while let first = rest.first {
            if first == "'" {
                guard let literal = quoted(&rest) else { throw Fault(found: "a ' without a closing '") }
                parts.append(.literal(literal))
                continue
            }
            let run = rest.prefix { $0 == first }
            rest = rest.dropFirst(run.count)
            guard first.isASCII, first.isLetter else {
                parts.append(.literal(String(run)))
                continue
            }
            guard let part = part(first, run.count) else { throw Fault(found: "`\(String(run.prefix(20)))`") }
            parts.append(part)
        }
        return parts
    }

    /// Returns the text between two `'`. `''` stands for a single one.
    private static func quoted(_ rest: inout ArraySlice<Character>) -> String? {
        rest = rest.dropFirst()
        var literal = ""
        while let next = rest.popFirst() {
            guard next == "'" else {
                literal.append(next)
                continue
            }
            guard rest.first == "'" else { return literal.isEmpty ? "'" : literal }
            guard !literal.isEmpty else { return "'" }
            literal.append("'")
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func part(_ letter: Character, _ count: Int) -> Part? {
        switch (letter, count) {
        case ("y", 4): .number(.year, .fixed(4))
        case ("y", 2): .shortYear
        case ("y", 1): .number(.year, .upTo(4))
        case ("M", 3...4): .monthName(isShort: count == 3)
        case ("E", 1...4): .weekdayName(isShort: count < 4)
        case ("M", 1...2): .number(.month, width(count))
        case ("d", 1...2): .number(.day, width(count))
        case ("H", 1...2): .number(.hour, width(count))
        case ("h", 1...2): .number(.hourOfHalf, width(count))
        case ("m", 1...2): .number(.minute, width(count))
        case ("s", 1...2): .number(.second, width(count))
        case ("a", 1): .halfOfDay
        case ("S", 1...9): .fraction(count)
        case ("X", 1...3): .zone(count)
        case ("Z", 1): .zone(0)
        default: nil
        }
    }

    private static func width(_ count: Int) -> Width { count == 2 ? .fixed(2) : .upTo(2) }

    /// Throws when text in this pattern could not be read back.
    private static func checked(_ parts: [Part]) throws(Fault) -> [Part] {
        for (part, next) in zip(parts, parts.dropFirst()) {
            if case .number(_, .upTo) = part, startsWithDigit(next) {
                throw Fault(found: "digits directly after a number without a fixed width")
            }
        }
        func has(_ field: Field) -> Bool {
            parts.contains { if case .number(field, _) = $0 { true } else { false } }
        }
        if has(.hourOfHalf) != parts.contains(.halfOfDay) {
            throw Fault(found: has(.hourOfHalf) ? "`h` without `a`" : "`a` without `h`")
        }
        return parts
    }

    private static func startsWithDigit(_ part: Part) -> Bool {
        switch part {
        case .number, .shortYear, .fraction: true
        case .literal(let literal): literal.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
        case .monthName, .weekdayName, .halfOfDay, .zone: false
        }
    }
}

// MARK: - Reading

extension DatePattern {
    /// The parts that were read, before they are combined.
    private struct Reading {
        var fields = DateFields()
        var hourOfHalf: Int?
        var isAfternoon = false
        var weekday: Int?
    }

    func read(_ text: Span<UInt8>) -> DateFields? {
        guard fault == nil else { return nil }
        var scanner = DateScanner()
        var reading = Reading()
        for part in parts {
            guard Self.read(part, text, &scanner, &reading) else { return nil }
        }
        guard scanner.isAtEnd(text) else { return nil }
        if let hour = reading.hourOfHalf {
            guard 1...12 ~= hour else { return nil }
            reading.fields.hour = hour % 12 + (reading.isAfternoon ? 12 : 0)
        }
        if let weekday = reading.weekday, namesDay, reading.fields.weekday != weekday { return nil }
        return reading.fields
    }

    /// Whether the pattern contains year, month and day, which determine the day of the week.
    private var namesDay: Bool {
        var (hasYear, hasMonth, hasDay) = (false, false, false)
        for part in parts {
            switch part {
            case .number(.year, _), .shortYear: hasYear = true
            case .number(.month, _), .monthName: hasMonth = true
            case .number(.day, _): hasDay = true
            default: break
            }
        }
        return hasYear && hasMonth && hasDay
    }

    private static func read(_ part: Part, _ text: Span<UInt8>, _ scanner: inout DateScanner, _ reading: inout Reading) -> Bool {
        switch part {
        case .number(let field, let width):
            let value =
                switch width {
                case .fixed(let count): scanner.digits(count, text)
                case .upTo(let count): scanner.digits(1...count, text)
                }
            return set(field, value, &reading)
        case .shortYear:
            guard let value = scanner.digits(2, text) else { return false }
            reading.fields.year = value < 50 ? 2000 + value : 1900 + value
        case .monthName(let isShort):
            guard let position = scanner.word(text, of: isShort ? DateNames.shortMonths : DateNames.months) else { return false }
            reading.fields.month = position + 1
        case .weekdayName(let isShort):
            guard let position = scanner.word(text, of: isShort ? DateNames.shortWeekdays : DateNames.weekdays) else { return false }
            reading.weekday = position
        case .halfOfDay:
            guard let position = scanner.word(text, of: DateNames.halves) else { return false }
            reading.isAfternoon = position == 1
        case .fraction(let count):
            guard let fraction = scanner.fraction(text, count: count) else { return false }
            reading.fields.fraction = fraction
        case .zone:
            guard let offset = scanner.zone(text) else { return false }
            reading.fields.offset = offset
        case .literal(let literal): return literal.utf8.allSatisfy { scanner.take(text, $0) }
        }
        return true
    }

    private static func set(_ field: Field, _ value: Int?, _ reading: inout Reading) -> Bool {
        guard let value else { return false }
        switch field {
        case .year: reading.fields.year = value
        case .month: reading.fields.month = value
        case .day: reading.fields.day = value
        case .hour: reading.fields.hour = value
        case .hourOfHalf: reading.hourOfHalf = value
        case .minute: reading.fields.minute = value
        case .second: reading.fields.second = value
        }
        return true
    }
}

// MARK: - Writing

extension DatePattern {
    /// Returns the text of a date, or nil for a year that the pattern cannot write.
    func text(_ date: Date) -> String? {
        guard fault == nil, let fields = DateFields(date, fractionDigits: max(3, fractionDigits)) else { return nil }
        if parts.contains(.shortYear), !Self.shortYears.contains(fields.year) { return nil }
        return parts.reduce(into: "") { $0 += Self.text($1, fields) }
    }

    private var fractionDigits: Int {
        parts.reduce(0) { longest, part in
            if case .fraction(let count) = part { max(longest, count) } else { longest }
        }
    }

    private static func text(_ part: Part, _ fields: DateFields) -> String {
        switch part {
        case .number(let field, .fixed(let count)): DateFields.digits(value(field, fields), count)
        case .number(let field, .upTo): String(value(field, fields))
        case .shortYear: DateFields.digits(fields.year % 100, 2)
        case .monthName(let isShort): (isShort ? DateNames.shortMonths : DateNames.months)[fields.month - 1]
        case .weekdayName(let isShort): (isShort ? DateNames.shortWeekdays : DateNames.weekdays)[fields.weekday ?? 0]
        case .halfOfDay: DateNames.halves[fields.hour / 12]
        case .fraction(let count): fields.fractionText(digits: count)
        case .zone(let count): count == 0 ? "+0000" : "Z"
        case .literal(let literal): literal
        }
    }

    private static func value(_ field: Field, _ fields: DateFields) -> Int {
        switch field {
        case .year: fields.year
        case .month: fields.month
        case .day: fields.day
        case .hour: fields.hour
        case .hourOfHalf: (fields.hour + 11) % 12 + 1
        case .minute: fields.minute
        case .second: fields.second
        }
    }
}

/// The English names in dates, equal to those of `DateFormatter` for `en_US_POSIX`.
private enum DateNames {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
    ]
    static let shortMonths = months.map { String($0.prefix(3)) }
    /// The names from Sunday to Saturday.
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let shortWeekdays = weekdays.map { String($0.prefix(3)) }
    static let halves = ["AM", "PM"]
}
