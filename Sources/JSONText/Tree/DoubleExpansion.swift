/// Writes all decimal digits of a `Double`.
///
/// Every finite `Double` is an integer times a power of two, so its decimal expansion is finite: 2^-3 is 0.125.
enum DoubleExpansion {
    /// Returns the text of a number with exactly this value. It has up to about 780 digits. Returns `0` for infinity and NaN.
    ///
    /// - Complexity: O(1), at most 1,074 multiplications of at most 90 limbs.
    static func text(of value: Double) -> String {
        guard value.isFinite, value != 0 else { return "0" }
        // The value is significand × 2^power, with an integer significand.
        let significand: UInt64
        let power: Int
        if value.isNormal {
            significand = value.significandBitPattern | 1 << 52
            power = Int(value.exponent) - 52
        } else {
            significand = value.significandBitPattern
            power = -1074
        }
        // 2^-n is 5^n × 10^-n.
        var limbs = [UInt64(significand % limbSize), UInt64(significand / limbSize)]
        for _ in 0..<abs(power) { multiply(&limbs, by: power < 0 ? 5 : 2) }
        var digits = ""
        for limb in limbs.reversed() {
            let part = String(limb)
            digits += String(repeating: "0", count: 9 - part.utf8.count) + part
        }
        let significant = digits.drop { $0 == "0" }
        return (value < 0 ? "-" : "") + significant + (power < 0 ? "e\(power)" : "")
    }

    /// One more than the largest limb. A limb holds nine decimal digits, and the lowest limb comes first.
    private static let limbSize: UInt64 = 1_000_000_000

    private static func multiply(_ limbs: inout [UInt64], by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = limbs[index] * factor + carry
            limbs[index] = product % limbSize
            carry = product / limbSize
        }
        if carry > 0 { limbs.append(carry) }
    }
}
