/// The exact value of a number in a text, as its sign, its significant digits and a power of ten.
///
/// `-0.0120e5` has a minus sign, the digits `12`, and the power of ten 2: -12 × 10^2. This form is unique, so numbers are equal if these
/// parts are equal. The digits are not copied from the text.
struct DecimalNumber {
    /// Whether the text has a minus sign. True for `-0`, too.
    let isNegative: Bool
    /// The byte offset of the first digit other than 0.
    let first: Int
    /// The byte offset of the last digit other than 0. There may be a decimal point between the two.
    let last: Int
    /// The number of digits from `first` to `last`, or 0 if the value is zero.
    let count: Int
    /// The power of ten of the last significant digit, without the exponent of the text.
    private let shift: Int64
    /// The digits of the exponent, without leading zeros.
    private let exponentDigits: Range<Int>
    private let exponentIsNegative: Bool
    /// The power of ten of the last significant digit, clamped to ±10^18.
    let clampedExponent: Int64

    var isZero: Bool { count == 0 }

    /// Whether the value has no fraction. The last significant digit is not 0, so a negative power of ten means that there is one.
    var isWhole: Bool { isZero || clampedExponent >= 0 }

    /// -1, 0, or 1.
    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    /// - Complexity: O(n), n = number of bytes.
    init(_ bytes: Span<UInt8>) {
        let end = bytes.count
        var index = 0
        isNegative = end > 0 && bytes[0] == 0x2D
        if isNegative { index = 1 }
        var first = -1
        var last = -1
        var point = -1
        while index < end {
            let byte = bytes[index]
            if byte == 0x2E, point < 0 {
                point = index
            } else if byte &- 0x30 <= 9 {
                if byte != 0x30 {
                    if first < 0 { first = index }
                    last = index
                }
            } else {
                break
            }
            index += 1
        }
        let wholeEnd = point < 0 ? index : point
        self.first = max(first, 0)
        self.last = max(last, 0)
        if first < 0 {
            count = 0
            shift = 0
        } else if last < wholeEnd {
            count = last - first + 1
            shift = Int64(wholeEnd - last - 1)
        } else {
            count = last - first + (first < point ? 0 : 1)
            shift = -Int64(last - point)
        }

        let written: Int64
        (exponentIsNegative, exponentDigits, written) = DecimalNumber.exponent(bytes, from: index)
        let sum = (exponentIsNegative ? 0 &- written : written) &+ shift
        clampedExponent = min(max(sum, -DecimalNumber.exponentLimit), DecimalNumber.exponentLimit)
    }

    /// Returns the sign of the exponent at `start`, its digits without leading zeros, and its magnitude, which is at most `exponentLimit`.
    private static func exponent(_ bytes: Span<UInt8>, from start: Int) -> (isNegative: Bool, digits: Range<Int>, magnitude: Int64) {
        let end = bytes.count
        var index = start
        var isNegative = false
        if index < end {
            index += 1
            if index < end, bytes[index] == 0x2D || bytes[index] == 0x2B {
                isNegative = bytes[index] == 0x2D
                index += 1
            }
        }
        while index < end, bytes[index] == 0x30 { index += 1 }
        if end - index > 18 { return (isNegative, index..<end, exponentLimit) }
        var magnitude: Int64 = 0
        for place in index..<end { magnitude = magnitude &* 10 &+ Int64(bytes[place] &- 0x30) }
        return (isNegative, index..<end, magnitude)
    }

    /// Exponents below this limit are compared as integers, and others as digits.
    private static let exponentLimit: Int64 = 1_000_000_000_000_000_000

    /// Returns the exact power of ten of the last significant digit.
    ///
    /// - Complexity: O(1) for an exponent of up to 18 digits, and otherwise O(n), n = number of digits of the exponent.
    func exponent(in bytes: Span<UInt8>) -> Exponent {
        if exponentDigits.count <= 18, clampedExponent.magnitude < DecimalNumber.exponentLimit.magnitude {
            return .small(clampedExponent)
        }
        var digits = exponentDigits.map { bytes[$0] }
        // The exponent has at least 18 digits here. The shift is a count of bytes and cannot change the sign.
        let isSubtraction = (shift < 0) != exponentIsNegative && shift != 0
        DecimalNumber.add(shift.magnitude, subtracting: isSubtraction, to: &digits)
        if digits.count <= 18 {
            var value: Int64 = 0
            for digit in digits { value = value &* 10 &+ Int64(digit &- 0x30) }
            return .small(exponentIsNegative ? -value : value)
        }
        return .large(isNegative: exponentIsNegative, digits: digits)
    }

    /// A power of ten of any size. The representation is unique.
    enum Exponent: Hashable {
        case small(Int64)
        case large(isNegative: Bool, digits: [UInt8])
    }

    /// Adds or subtracts an integer, digit by digit. The result has no leading zeros.
    private static func add(_ number: UInt64, subtracting: Bool, to digits: inout [UInt8]) {
        var rest = number
        var index = digits.count
        var carry: UInt8 = 0
        while index > 0, rest > 0 || carry > 0 {
            index -= 1
            let operand = UInt8(truncatingIfNeeded: rest % 10) &+ carry
            rest /= 10
            let digit = digits[index] &- 0x30
            if subtracting {
                carry = digit < operand ? 1 : 0
                digits[index] = 0x30 &+ (digit &+ (carry == 1 ? 10 : 0) &- operand)
            } else {
                let sum = digit &+ operand
                carry = sum > 9 ? 1 : 0
                digits[index] = 0x30 &+ (sum > 9 ? sum &- 10 : sum)
            }
        }
        if carry > 0, !subtracting { digits.insert(0x31, at: 0) }
        if let start = digits.firstIndex(where: { $0 != 0x30 }) {
            digits.removeFirst(start)
        } else {
            digits = []
        }
    }

    // MARK: - Order

    /// Returns -1, 0, or 1 if the first value is less than, equal to, or greater than the second one. The values are exact, unless both have
    /// exponents beyond ±10^18, which are clamped.
    ///
    /// - Complexity: O(n), n = number of bytes in both texts.
    static func order(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Int {
        let left = DecimalNumber(lhs)
        let right = DecimalNumber(rhs)
        guard left.sign == right.sign, !left.isZero else { return (left.sign - right.sign).signum() }
        // The powers of ten of the first digits.
        let leftPower = left.clampedExponent + Int64(left.count)
        let rightPower = right.clampedExponent + Int64(right.count)
        if leftPower != rightPower { return leftPower < rightPower ? -left.sign : left.sign }
        var leftIndex = left.first
        var rightIndex = right.first
        // In bounds: both have at least so many digits, and at most one point, from `first` to `last`.
        for _ in 0..<min(left.count, right.count) {
            if lhs[leftIndex] == 0x2E { leftIndex += 1 }
            if rhs[rightIndex] == 0x2E { rightIndex += 1 }
            if lhs[leftIndex] != rhs[rightIndex] { return lhs[leftIndex] < rhs[rightIndex] ? -left.sign : left.sign }
            leftIndex += 1
            rightIndex += 1
        }
        return left.sign * (left.count - right.count).signum()
    }

    // MARK: - Equality and hash

    /// Returns whether both texts have exactly the same value.
    ///
    /// - Complexity: O(n), n = number of bytes in both texts.
    static func areEqual(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Bool {
        let left = DecimalNumber(lhs)
        let right = DecimalNumber(rhs)
        if left.isZero || right.isZero { return left.isZero && right.isZero }
        guard left.isNegative == right.isNegative, left.count == right.count else { return false }
        var leftIndex = left.first
        var rightIndex = right.first
        // In bounds: both have `count` digits and at most one point from `first` to `last`.
        for _ in 0..<left.count {
            if lhs[leftIndex] == 0x2E { leftIndex += 1 }
            if rhs[rightIndex] == 0x2E { rightIndex += 1 }
            guard lhs[leftIndex] == rhs[rightIndex] else { return false }
            leftIndex += 1
            rightIndex += 1
        }
        return left.exponent(in: lhs) == right.exponent(in: rhs)
    }

    /// Hashes the exact value. Texts with the same value have the same hash.
    ///
    /// - Complexity: O(n), n = number of bytes.
    static func hash(_ bytes: Span<UInt8>, into hasher: inout Hasher) {
        let decimal = DecimalNumber(bytes)
        hasher.combine(decimal.count)
        guard !decimal.isZero else { return }
        hasher.combine(decimal.isNegative)
        hasher.combine(decimal.exponent(in: bytes))
        for index in decimal.first...decimal.last where bytes[index] != 0x2E { hasher.combine(bytes[index]) }
    }
}
