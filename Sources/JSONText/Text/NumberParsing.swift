/// Converts the text of numbers to values.
///
/// The functions expect the bytes of one number in the grammar of RFC 8259, unless noted otherwise. For other bytes they return a wrong
/// value or none, but never trap. The time does not depend on the exponent: `1e999999999` takes as long as `1e9`.
package enum NumberParsing {
    /// The reason why a number cannot be converted.
    package enum Failure: Error {
        /// The value has a fraction.
        case notWhole
        /// The value is outside the range of the type.
        case outOfRange
    }

    /// Returns the value as `Int64`, or nil if it is not a whole number or is out of range. `1.0` and `1E2` are whole numbers.
    ///
    /// - Complexity: O(n), n = number of bytes. Integers of up to 19 bytes take a fast path.
    @inlinable
    package static func int64(_ bytes: Span<UInt8>) -> Int64? {
        var index = 0
        let count = bytes.count
        let isNegative = count > 0 && bytes[0] == 0x2D
        if isNegative { index = 1 }
        // 19 digits cannot overflow UInt64, so the loop does not check for overflow.
        guard count > index, count - index <= 19 else { return int64Slowly(bytes) }
        var magnitude: UInt64 = 0
        while index < count {
            let digit = bytes[index] &- 0x30
            guard digit <= 9 else { return int64Slowly(bytes) }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            index += 1
        }
        if magnitude <= UInt64(Int64.max) {
            let value = Int64(truncatingIfNeeded: magnitude)
            return isNegative ? 0 &- value : value
        }
        return isNegative && magnitude == UInt64(Int64.max) + 1 ? Int64.min : nil
    }

    /// Returns the value as an integer type.
    ///
    /// Throws `.notWhole` if the value has a fraction, and `.outOfRange` if it is outside the range of the type.
    /// - Complexity: O(n), n = number of bytes.
    @inlinable
    package static func integer<T: FixedWidthInteger>(
        _ bytes: Span<UInt8>, as type: T.Type
    ) throws(Failure) -> T {
        if let value = int64(bytes) {
            guard let converted = T(exactly: value) else { throw .outOfRange }
            return converted
        }
        return try integerSlowly(bytes, as: type)
    }

    /// Returns the nearest `Double`, with ties to even. Returns nil if it is infinite, or zero for a number other than zero.
    ///
    /// - Complexity: O(n), n = number of bytes. Up to 19 digits with powers of ten from -27 to 27 take a fast path.
    package static func double(_ bytes: Span<UInt8>) -> Double? {
        quickDouble(bytes) ?? slowly(bytes, -324...308)
    }

    /// Returns the nearest `Float`, with ties to even, rounded once. Returns nil if it is infinite, or zero for a number other than zero.
    ///
    /// - Complexity: O(n), n = number of bytes. Up to 19 digits with powers of ten from -27 to 27 take a fast path.
    package static func float(_ bytes: Span<UInt8>) -> Float? {
        quickFloat(bytes) ?? slowly(bytes, -46...38)
    }

    /// Returns whether the bytes are exactly one number in the grammar of RFC 8259, section 6. Accepts any bytes.
    package static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        let count = bytes.count
        func skipDigits() -> Bool {
            let start = index
            while index < count, bytes[index] &- 0x30 <= 9 { index += 1 }
            return index > start
        }
        if index < count, bytes[index] == 0x2D { index += 1 }
        if index < count, bytes[index] == 0x30 {
            index += 1
        } else if !skipDigits() {
            return false
        }
        if index < count, bytes[index] == 0x2E {
            index += 1
            guard skipDigits() else { return false }
        }
        if index < count, bytes[index] | 0x20 == 0x65 {
            index += 1
            if index < count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
            guard skipDigits() else { return false }
        }
        return index == count
    }

    // MARK: - Slow paths

    @usableFromInline
    package static func int64Slowly(_ bytes: Span<UInt8>) -> Int64? {
        do throws(Failure) {
            return try integerSlowly(bytes, as: Int64.self)
        } catch {
            return nil
        }
    }

    @usableFromInline
    package static func integerSlowly<T: FixedWidthInteger>(
        _ bytes: Span<UInt8>, as type: T.Type
    ) throws(Failure) -> T {
        let decimal = DecimalNumber(bytes)
        guard !decimal.isZero else { return 0 }
        guard decimal.isWhole else { throw .notWhole }
        // A decimal digit is more than one bit, so a number with more digits than the type has bits is out of range. This also bounds the
        // loops below.
        guard Int64(decimal.count) + decimal.clampedExponent <= Int64(T.bitWidth), let ten = T(exactly: 10) else {
            throw .outOfRange
        }
        var value: T = 0
        func append(_ digit: UInt8) -> Bool {
            let (shifted, shiftOverflow) = value.multipliedReportingOverflow(by: ten)
            let (sum, sumOverflow) =
                decimal.isNegative
                ? shifted.subtractingReportingOverflow(T(truncatingIfNeeded: digit))
                : shifted.addingReportingOverflow(T(truncatingIfNeeded: digit))
            value = sum
            return !shiftOverflow && !sumOverflow
        }
        for index in decimal.first...decimal.last where bytes[index] != 0x2E {
            guard append(bytes[index] &- 0x30) else { throw .outOfRange }
        }
        for _ in 0..<decimal.clampedExponent {
            guard append(0) else { throw .outOfRange }
        }
        return value
    }

    /// Returns the digits without the decimal point, and the power of ten of the last digit. Returns nil if the number needs the slow path.
    @inline(__always)
    private static func quickDecimal(_ bytes: Span<UInt8>) -> (digits: UInt64, exponent: Int)? {
        let count = bytes.count
        guard count > 0, count <= 40 else { return nil }
        if count <= 19, let decimal = plainDecimal(bytes) { return decimal }
        var index = bytes[0] == 0x2D ? 1 : 0
        var digits: UInt64 = 0
        var exponent = 0
        var hasPoint = false
        while index < count {
            let byte = bytes[index]
            let digit = byte &- 0x30
            if digit <= 9 {
                // Below this limit, another digit cannot overflow.
                guard digits < UInt64.max / 10 else { return nil }
                digits = digits &* 10 &+ UInt64(digit)
                if hasPoint { exponent -= 1 }
            } else if byte == 0x2E {
                hasPoint = true
            } else {
                break
            }
            index += 1
        }
        if index < count {
            index += 1
            guard index < count else { return nil }
            let isNegative = bytes[index] == 0x2D
            if isNegative || bytes[index] == 0x2B { index += 1 }
            var written = 0
            while index < count {
                let digit = bytes[index] &- 0x30
                guard digit <= 9, written < 1000 else { return nil }
                written = written * 10 + Int(digit)
                index += 1
            }
            exponent += isNegative ? -written : written
        }
        return (digits, exponent)
    }

    /// Returns the digits of a number of up to 19 bytes without an exponent, the power of ten of the last digit, and the sign. Returns nil
    /// for any other number.
    package static func shortDecimal(_ bytes: Span<UInt8>) -> (digits: UInt64, exponent: Int, isNegative: Bool)? {
        guard bytes.count <= 19, !bytes.isEmpty, let (digits, exponent) = plainDecimal(bytes) else { return nil }
        return (digits, exponent, bytes[0] == 0x2D)
    }

    /// Does the same for up to 19 bytes, which cannot overflow. Returns nil for a number with an exponent.
    @inline(__always)
    private static func plainDecimal(_ bytes: Span<UInt8>) -> (digits: UInt64, exponent: Int)? {
        let count = bytes.count
        var index = bytes[0] == 0x2D ? 1 : 0
        var digits: UInt64 = 0
        func readDigits() {
            while index < count {
                let digit = bytes[index] &- 0x30
                if digit > 9 { return }
                digits = digits &* 10 &+ UInt64(truncatingIfNeeded: digit)
                index &+= 1
            }
        }
        readDigits()
        if index == count { return (digits, 0) }
        guard bytes[index] == 0x2E else { return nil }
        index &+= 1
        let start = index
        readDigits()
        return index == count ? (digits, start &- index) : nil
    }

    private static func quickDouble(_ bytes: Span<UInt8>) -> Double? {
        guard let (digits, exponent) = quickDecimal(bytes) else { return nil }
        if let value = exactDouble(digits, exponent) { return bytes[0] == 0x2D ? -value : value }
        guard let (significand, power) = binary(digits, exponent) else { return nil }
        // The power of two is an exact, normal `Double`, so only the conversion of the significand rounds.
        let value = Double(significand) * Double(sign: .plus, exponentBitPattern: UInt(power + 1023), significandBitPattern: 0)
        return bytes[0] == 0x2D ? -value : value
    }

    /// Integers up to 2^53 and powers of ten up to 10^22 are exact as `Double`. One division or multiplication therefore rounds only once,
    /// and the result is correct.
    private static func exactDouble(_ digits: UInt64, _ exponent: Int) -> Double? {
        guard digits <= 1 << 53 else { return nil }
        if exponent == 0 || digits == 0 { return Double(digits) }
        guard exponent >= -22, exponent <= 22 else { return nil }
        return exponent < 0 ? Double(digits) / powersOfTen[-exponent] : Double(digits) * powersOfTen[exponent]
    }

    /// Rounds the digits once. A conversion through `Double` would round twice: `8589973000.00000001` is close to the midpoint of two
    /// floats, and its `Double` is exactly the midpoint.
    private static func quickFloat(_ bytes: Span<UInt8>) -> Float? {
        guard let (digits, exponent) = quickDecimal(bytes) else { return nil }
        if digits == 0 { return bytes[0] == 0x2D ? -0.0 : 0.0 }
        // The slow path handles powers of two outside the range of normal floats. An infinite product is rejected below.
        guard let (significand, power) = binary(digits, exponent), power >= -126, power <= 127 else { return nil }
        let value = Float(significand) * Float(sign: .plus, exponentBitPattern: UInt(power + 127), significandBitPattern: 0)
        guard value.isFinite else { return nil }
        return bytes[0] == 0x2D ? -value : value
    }

    /// Returns the number as a significand and a power of two. The significand is exact, except for its lowest bit.
    ///
    /// The products fit in 128 bits, because powers of five up to 5^27 have at most 64 bits. A power of ten is a power of five times a
    /// power of two, and the latter only moves the binary point. If the significand is not exact, it has 63 or 64 bits, and its lowest bit
    /// is set if any lower bit would be set. This bit is far below the 53 bits of a `Double` and the 24 bits of a `Float`, so the
    /// conversion of the significand rounds correctly.
    private static func binary(_ digits: UInt64, _ exponent: Int) -> (significand: UInt64, power: Int)? {
        guard digits != 0, exponent >= -27, exponent <= 27 else { return nil }
        if exponent >= 0 {
            let (high, low) = digits.multipliedFullWidth(by: powersOfFive[exponent])
            guard high != 0 else { return (low, exponent) }
            let shift = high.leadingZeroBitCount
            // If `shift` is 0, `low` is shifted by 64, which gives 0 in Swift, as needed.
            var upper = high << UInt64(shift) | low >> UInt64(64 - shift)
            if low << UInt64(shift) != 0 { upper |= 1 }
            return (upper, exponent + 64 - shift)
        }
        let five = powersOfFive[-exponent]
        let shift = digits.leadingZeroBitCount
        let divisorShift = five.leadingZeroBitCount
        let numerator = digits << UInt64(shift)
        let divisor = five << UInt64(divisorShift)
        // Both have their highest bit set, so numerator × 2^63 / divisor is between 2^62 and 2^64 and cannot overflow.
        let (quotient, remainder) = divisor.dividingFullWidth((numerator >> 1, numerator << 63))
        return (remainder == 0 ? quotient : quotient | 1, exponent + divisorShift - shift - 63)
    }

    /// Converts any number.
    ///
    /// - Parameter magnitudes: The powers of ten of the first digit with which a number can have a value. A greater number exceeds every
    ///   finite value, and a smaller one rounds to zero. The largest float is 3.4 × 10^38, and half of the smallest is 7 × 10^-46.
    private static func slowly<Value: BinaryFloatingPoint & LosslessStringConvertible>(
        _ bytes: Span<UInt8>, _ magnitudes: ClosedRange<Int64>
    ) -> Value? {
        let decimal = DecimalNumber(bytes)
        guard !decimal.isZero else { return decimal.isNegative ? -Value.zero : Value.zero }
        guard magnitudes.contains(decimal.clampedExponent + Int64(decimal.count) - 1) else { return nil }
        guard let value = Value(shortened(decimal, in: bytes)), value.isFinite, value != 0 else { return nil }
        return value
    }

    /// Returns a text of bounded length with the same nearest `Double` and the same nearest `Float`.
    ///
    /// The midpoint of two doubles has at most 768 digits. After 800 digits, it only matters whether there are more. A single digit 1
    /// replaces them: 0.5000…0001 is above the midpoint, just as 0.5000…0000372 is.
    static func shortened(_ decimal: DecimalNumber, in bytes: Span<UInt8>) -> String {
        var text: [UInt8] = decimal.isNegative ? [0x2D] : []
        var kept = 0
        for index in decimal.first...decimal.last where bytes[index] != 0x2E {
            guard kept < 800 else { break }
            text.append(bytes[index])
            kept += 1
        }
        var exponent = decimal.clampedExponent + Int64(decimal.count - kept)
        if kept < decimal.count {
            text.append(0x31)
            exponent -= 1
        }
        return String(decoding: text, as: UTF8.self) + "e\(exponent)"
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static let powersOfFive: [UInt64] = [
        1, 5, 25, 125, 625, 3125, 15625, 78125, 390625, 1_953_125, 9_765_625, 48_828_125, 244_140_625, 1_220_703_125,
        6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625, 19_073_486_328_125,
        95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625, 11_920_928_955_078_125,
        59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625, 7_450_580_596_923_828_125,
    ]
}
