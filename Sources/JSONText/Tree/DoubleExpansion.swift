/// The exact decimal digits of a double, all of them.
///
/// Every finite double is a whole number times a power of two, so it has a finite decimal text: 2^-3 is 0.125.
enum DoubleExpansion {
    /// A number text of exactly that value, of up to some 780 digits.
    ///
    /// - Complexity: O(1): at most 1,074 steps over at most 90 limbs.
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

    /// Limbs hold nine digits each, the lowest first.
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
