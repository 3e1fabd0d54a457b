/// Reads the parts of a date from ASCII text, front to back. The scanner stores only its position. Pass the same text to every call.
struct DateScanner {
    private var position = 0

    func isAtEnd(_ text: Span<UInt8>) -> Bool { position == text.count }

    private func next(_ text: Span<UInt8>) -> UInt8? { position < text.count ? text[position] : nil }

    /// Reads exactly `count` digits.
    mutating func digits(_ count: Int, _ text: Span<UInt8>) -> Int? { digits(count...count, text) }

    /// Reads as many digits as there are, within a range.
    mutating func digits(_ counts: ClosedRange<Int>, _ text: Span<UInt8>) -> Int? {
        var value = 0
        var end = position
        while end < text.count, end - position < counts.upperBound {
            let digit = text[end] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            value = value * 10 + Int(digit)
            end += 1
        }
        guard end - position >= counts.lowerBound else { return nil }
        position = end
        return value
    }

    /// Reads one of the given bytes. Returns false if there is another one.
    mutating func take(_ text: Span<UInt8>, _ wanted: UInt8...) -> Bool {
        guard let next = next(text), wanted.contains(next) else { return false }
        position += 1
        return true
    }

    /// Reads one of the given words, ignoring case, and returns its index. The first match is used.
    mutating func word(_ text: Span<UInt8>, of words: [String]) -> Int? {
        words.firstIndex { takeWord(text, $0) }
    }

    /// Reads a word, ignoring case.
    private mutating func takeWord(_ text: Span<UInt8>, _ word: String) -> Bool {
        var end = position
        for letter in word.utf8 {
            guard end < text.count, text[end] | 0x20 == letter | 0x20 else { return false }
            end += 1
        }
        position = end
        return true
    }

    /// Reads the digits of a fraction: exactly `count`, or as many as there are. Digits after the eighteenth are ignored.
    mutating func fraction(_ text: Span<UInt8>, count: Int? = nil) -> DateFields.Fraction? {
        var fraction = DateFields.Fraction()
        var read = 0
        while let next = next(text), next &- UInt8(ascii: "0") <= 9, read < count ?? .max {
            fraction.append(next &- UInt8(ascii: "0"))
            read += 1
            position += 1
        }
        return read > 0 && read == count ?? read ? fraction : nil
    }

    /// Reads a zone such as `Z`, `+01`, `+0100` or `+01:00`, and returns its seconds east of UTC.
    mutating func zone(_ text: Span<UInt8>) -> Int? {
        if take(text, UInt8(ascii: "Z"), UInt8(ascii: "z")) { return 0 }
        let isWest = next(text) == UInt8(ascii: "-")
        guard take(text, UInt8(ascii: "+"), UInt8(ascii: "-")), let hours = digits(2, text), hours < 24 else { return nil }
        var minutes = 0
        if take(text, UInt8(ascii: ":")) {
            guard let read = digits(2, text) else { return nil }
            minutes = read
        } else if !isAtEnd(text), let read = digits(2, text) {
            minutes = read
        }
        guard minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// Returns whether a text ends with a zone in the form of RFC 3339: `Z`, or a sign, two digits, a colon and two digits. The digits are
    /// not checked here.
    static func endsWithCompleteZone(_ text: Span<UInt8>) -> Bool {
        let count = text.count
        guard count >= 6 else { return false }
        if text[count - 1] | 0x20 == UInt8(ascii: "z") { return true }
        let sign = text[count - 6]
        return text[count - 3] == UInt8(ascii: ":") && (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
    }

    /// Reads an ISO 8601 date in the extended form, up to the end of the text. `isComplete` requires the form of RFC 3339.
    mutating func standard(_ text: Span<UInt8>, isComplete: Bool) -> DateFields? {
        var fields = DateFields()
        guard let year = digits(4, text), take(text, UInt8(ascii: "-")), let month = digits(2, text), take(text, UInt8(ascii: "-")),
            let day = digits(2, text)
        else { return nil }
        (fields.year, fields.month, fields.day) = (year, month, day)
        if isAtEnd(text) { return isComplete ? nil : fields }
        guard take(text, UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")), let hour = digits(2, text),
            take(text, UInt8(ascii: ":")), let minute = digits(2, text)
        else { return nil }
        (fields.hour, fields.minute) = (hour, minute)
        if take(text, UInt8(ascii: ":")) {
            guard let second = digits(2, text) else { return nil }
            fields.second = second
            if take(text, UInt8(ascii: ".")) {
                guard let fraction = fraction(text) else { return nil }
                fields.fraction = fraction
            }
        } else if isComplete {
            return nil
        }
        if isAtEnd(text), isComplete { return nil }
        if !isAtEnd(text) {
            guard let offset = zone(text), isAtEnd(text) else { return nil }
            fields.offset = offset
        }
        if !isComplete { fields.readEndOfDay() }
        return fields
    }
}

// MARK: - Foundation's form

extension DateScanner {
    /// Reads a complete date in the forms that Foundation's ISO 8601 strategies accept. A field of two digits can have a single digit. The
    /// zone can be a name or have seconds. `24:00:00` is the end of the day.
    mutating func foundationDate(_ text: Span<UInt8>) -> DateFields? {
        var fields = DateFields()
        guard let year = digits(4, text), take(text, UInt8(ascii: "-")), let month = digits(1...2, text), take(text, UInt8(ascii: "-")),
            let day = digits(1...2, text), take(text, UInt8(ascii: "T"), UInt8(ascii: "t")), let hour = digits(1...2, text),
            take(text, UInt8(ascii: ":")), let minute = digits(1...2, text), take(text, UInt8(ascii: ":")),
            let second = digits(1...2, text)
        else { return nil }
        (fields.year, fields.month, fields.day) = (year, month, day)
        (fields.hour, fields.minute, fields.second) = (hour, minute, second)
        if take(text, UInt8(ascii: ".")) {
            guard let fraction = fraction(text) else { return nil }
            fields.fraction = fraction
        }
        guard let offset = namedZone(text), isAtEnd(text) else { return nil }
        fields.offset = offset
        fields.readEndOfDay()
        return fields
    }

    /// Reads a zone and returns its seconds east of UTC. It is `Z`, `UTC` or `GMT`, ignoring case, or an offset, or `UTC` or `GMT` and an
    /// offset.
    private mutating func namedZone(_ text: Span<UInt8>) -> Int? {
        if take(text, UInt8(ascii: "Z"), UInt8(ascii: "z")) { return 0 }
        if takeWord(text, "utc") || takeWord(text, "gmt"), isAtEnd(text) { return 0 }
        let isWest = next(text) == UInt8(ascii: "-")
        guard take(text, UInt8(ascii: "+"), UInt8(ascii: "-")), let hours = digits(1...2, text), hours < 24 else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where !isAtEnd(text) {
            // Without a colon, a unit has two digits: `+013015`. After a colon, it has one or two: `+01:30:15`.
            let counts = take(text, UInt8(ascii: ":")) ? 1...2 : 2...2
            guard let value = digits(counts, text), value < 60 else { return nil }
            seconds += value * unit
        }
        return isWest ? -seconds : seconds
    }
}
