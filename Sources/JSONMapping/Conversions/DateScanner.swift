/// Reads the parts of a date from ASCII text, front to back.
struct DateScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Exactly so many digits.
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - position >= count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += count
        return value
    }

    /// One of those bytes.
    mutating func take(_ wanted: UInt8...) -> Bool {
        guard let next, wanted.contains(next) else { return false }
        position += 1
        return true
    }

    /// A fraction from digits: exactly `count`, or as many as there are. Digits past the fifteenth are read and dropped.
    mutating func fraction(count: Int? = nil) -> DateFields.Fraction? {
        var digits = 0.0
        var scale = 1.0
        var read = 0
        while let next, next &- UInt8(ascii: "0") <= 9, read < count ?? .max {
            if read < 15 {
                digits = digits * 10 + Double(next &- UInt8(ascii: "0"))
                scale *= 10
            }
            read += 1
            position += 1
        }
        guard read > 0, read == count ?? read else { return nil }
        return DateFields.Fraction(value: digits / scale, digits: read)
    }

    /// Seconds east of UTC: `Z`, `+01`, `+0100` or `+01:00`.
    mutating func zone() -> Int? {
        if take(UInt8(ascii: "Z"), UInt8(ascii: "z")) { return 0 }
        let isWest = next == UInt8(ascii: "-")
        guard take(UInt8(ascii: "+"), UInt8(ascii: "-")), let hours = digits(2), hours < 24 else { return nil }
        var minutes = 0
        if take(UInt8(ascii: ":")) {
            guard let read = digits(2) else { return nil }
            minutes = read
        } else if !isAtEnd, let read = digits(2) {
            minutes = read
        }
        guard minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    /// A date of ISO 8601 in the extended form, to the end of the text. `isComplete`: as RFC 3339 has it.
    mutating func standard(isComplete: Bool) -> DateFields? {
        var fields = DateFields()
        guard let year = digits(4), take(UInt8(ascii: "-")), let month = digits(2), take(UInt8(ascii: "-")), let day = digits(2) else {
            return nil
        }
        (fields.year, fields.month, fields.day) = (year, month, day)
        if isAtEnd { return isComplete ? nil : fields }
        guard take(UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")), let hour = digits(2), take(UInt8(ascii: ":")),
            let minute = digits(2)
        else { return nil }
        (fields.hour, fields.minute) = (hour, minute)
        if take(UInt8(ascii: ":")) {
            guard let second = digits(2) else { return nil }
            fields.second = second
            if take(UInt8(ascii: ".")) {
                guard let fraction = fraction() else { return nil }
                fields.fraction = fraction
            }
        } else if isComplete {
            return nil
        }
        if isAtEnd { return isComplete ? nil : fields }
        guard let offset = zone(), isAtEnd else { return nil }
        fields.offset = offset
        return fields
    }
}
