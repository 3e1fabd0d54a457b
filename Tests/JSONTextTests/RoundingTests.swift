import Foundation
import JSONText
import Testing

@Suite("Rounding of long numbers")
struct RoundingTests {
    @Test(
        "Floats are rounded once, to the nearest",
        arguments: [
            // The doubles nearest to these lie on the middle itself.
            "8589973000.00000001", "8589973504.0000000001", "8589973503.9999999999", "1.00000005960464477540",
            "1.0000000596046447753906250001",
            "1.000000059604644775390625", "16777217", "16777217.0000000001", "16777216.9999999999", "33554434.0000000000000000001",
            "7.0064923216240861e-46", "7.0064923216240862e-46", "1.1754943508222874e-38", "3.4028235677973366e38", "0.1", "1e10", "1e-10",
            "8.589973e9", "123456789e-20", "1e-19", "1e-20", "1e-27", "9e-26", "123456789e-27", "-1e-25", "1e27", "18446744073709551615e27",
            "340282346638528859811704183484516925440", "-0.0", "-1.5e-40",
        ])
    func floats(text: String) throws {
        let value = try? #require(JSONNumber(text: text)).float()
        let expected = strtof(text, nil)
        if expected.isFinite, expected != 0 || text.hasPrefix("-0") {
            #expect(value?.bitPattern == expected.bitPattern)
        } else {
            #expect(value == nil)
        }
    }

    @Test("Conversion to Float throws instead of giving infinity or zero")
    func floatsOutOfRange() {
        for text in ["3.4028236e38", "1e39", "1e400", "-1e99999999999", "7e-46", "1e-400"] {
            #expect(throws: JSONNumberError(.outOfRange, text: ""), "\(text)") { try JSONNumber(text: text)?.float() }
        }
    }

    @Test("Random floats and midpoints round like the C library")
    func randomFloats() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let value = Float(bitPattern: .random(in: 0x0000_0001...0x7F7F_FFFF, using: &generator))
            let power = value.isNormal ? Int(value.exponent) - 23 : -149
            let significand = UInt64(value.significandBitPattern) | (value.isNormal ? 1 << 23 : 0)
            for text in Self.besideMiddle(significand, power, &generator) {
                #expect(try number(text).float() == strtof(text, nil), "\(text)")
            }
        }
    }

    @Test("Numbers of 18 to 900 digits round like the C library")
    func longDoubles() throws {
        var generator = SystemRandomNumberGenerator()
        for text in ["8635522971537700640e14", "86355229715377006401e13", "863552297153770064000000000000000000001e-6"] {
            #expect(try number(text).double() == strtod(text, nil), "\(text)")
        }
        for _ in 0..<500 {
            let count = Int.random(in: 18...900, using: &generator)
            var digits = (0..<count).map { _ in Character(String(Int.random(in: 0...9, using: &generator))) }
            digits[0] = "7"
            if Bool.random(using: &generator) { digits.insert(".", at: Int.random(in: 1..<count, using: &generator)) }
            let text = String(digits) + "e\(Int.random(in: (-330 - count)...(300 - count), using: &generator))"
            let expected = strtod(text, nil)
            guard expected != 0, expected.isFinite else { continue }
            #expect(try number(text).double() == expected, "\(text)")
        }
    }

    @Test("A midpoint rounds to even, and any later digit rounds up")
    func middlesOfDoubles() throws {
        var generator = SystemRandomNumberGenerator()
        for round in 0..<300 {
            let bits: ClosedRange<UInt64> = round % 2 == 0 ? 1...0x7FEF_FFFF_FFFF_FFFE : 0x4000_0000_0000_0000...0x4600_0000_0000_0000
            let value = Double(bitPattern: .random(in: bits, using: &generator))
            let power = value.isNormal ? Int(value.exponent) - 52 : -1074
            let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
            for text in Self.besideMiddle(significand, power, &generator) {
                #expect(try number(text).double() == strtod(text, nil), "\(text)")
            }
        }
    }

    @Test("Integers of 128 bits are exact up to their limits")
    func wideIntegers() throws {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        for value in [Int128.min, Int128.min + 1, -1, 0, 1, Int128(Int64.max) + 1, Int128(Int64.min) - 1, Int128.max] {
            #expect(try number("\(value)").integer(as: Int128.self) == value)
        }
        #expect(try number("\(UInt128.max)").integer(as: UInt128.self) == .max)
        #expect(try number("34028236692093846346337460743176821145e1").integer(as: UInt128.self) == UInt128.max - 5)
        #expect(try number("17014118346046923173168730371588410572.7e1").integer(as: Int128.self) == .max)
        #expect(try number("1e38").integer(as: Int128.self) == 100_000_000_000_000_000_000_000_000_000_000_000_000)
        for text in ["170141183460469231731687303715884105728", "-170141183460469231731687303715884105729", "1e39", "1e999999999"] {
            #expect(throws: JSONNumberError(.outOfRange, text: ""), "\(text)") { try number(text).integer(as: Int128.self) }
        }
        for text in ["340282366920938463463374607431768211456", "-1"] {
            #expect(throws: JSONNumberError(.outOfRange, text: ""), "\(text)") { try number(text).integer(as: UInt128.self) }
        }
        #expect(throws: JSONNumberError(.notWhole, text: "")) {
            try number("170141183460469231731687303715884105727.5").integer(as: Int128.self)
        }
    }

    private func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text: text)) }

    /// Texts of the middle between significand × 2^power and the next number of that precision, and of numbers just beside it.
    private static func besideMiddle(_ significand: UInt64, _ power: Int, _ generator: inout some RandomNumberGenerator) -> [String] {
        let (digits, exponent) = decimal(significand * 2 + 1, power - 1)
        let zeros = String(repeating: "0", count: Int.random(in: 0...900, using: &generator))
        let last = digits.utf8.last.map { Int($0) - 0x30 } ?? 0
        let above = digits + zeros + "1"
        let below = String(digits.dropLast()) + String(last - 1) + String(repeating: "9", count: zeros.utf8.count + 1)
        let scale = zeros.utf8.count + 1
        return [
            "\(digits)e\(exponent)", "\(above)e\(exponent - scale)", "\(below)e\(exponent - scale)",
            "0.\(above)e\(exponent + digits.utf8.count)",
        ]
    }

    /// All digits of significand × 2^power, without zeros at the end, and the power of ten of the last one.
    private static func decimal(_ significand: UInt64, _ power: Int) -> (digits: String, exponent: Int) {
        var limbs = [significand % 1_000_000_000, significand / 1_000_000_000 % 1_000_000_000, significand / 1_000_000_000_000_000_000]
        for _ in 0..<abs(power) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = limbs[index] * (power < 0 ? 5 : 2) + carry
                limbs[index] = product % 1_000_000_000
                carry = product / 1_000_000_000
            }
            if carry > 0 { limbs.append(carry) }
        }
        let text = limbs.reversed().map { String($0 + 1_000_000_000).dropFirst() }.joined()
        var digits = String(text.drop { $0 == "0" })
        var exponent = min(power, 0)
        while digits.hasSuffix("0") {
            digits.removeLast()
            exponent += 1
        }
        return (digits, exponent)
    }
}
