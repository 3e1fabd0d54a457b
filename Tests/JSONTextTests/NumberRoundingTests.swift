import Foundation
import JSONText
import Testing

/// Texts that are no shortest form of a double, so that all of their digits have to be looked at.
@Suite struct NumberRoundingTests {
    private func expectRight(_ text: String, _ location: SourceLocation = #_sourceLocation) {
        let expected = Double(text)
        let found = try? JSONNumber(text: text)?.double()
        #expect(found?.bitPattern == expected?.bitPattern, "\(text)", sourceLocation: location)
    }

    @Test(arguments: [
        "8635522971537700640e14", "9007199254740993", "9007199254740993e0", "9007199254740995e3", "18014398509481985e22",
        "18014398509481983e21", "9007199254740993e22", "9007199254740991e23", "1e23", "8.5e23", "123456789012345678e-22",
        "9007199254740993e-27", "17976931348623157e292", "4.9406564584124654e-324", "2.2250738585072011e-308",
        "0.1000000000000000055511151231257827",
    ])
    func difficultTexts(text: String) {
        expectRight(text)
        expectRight("-" + text)
    }

    @Test func slightlyMoreThanAMidpointRoundsUp() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            // The middle of two doubles from 2^53 on is an odd number of halves of the unit in the last place.
            let bits = UInt64.random(in: 1 << 52..<1 << 53, using: &numbers)
            let shift = UInt64.random(in: 1...10, using: &numbers)
            let middle = (bits << 1 | 1) << (shift - 1)
            for exponent in ["", "0", "000", "e0", "e1", "e-1", "00e-2", "e5", "e-7"] {
                expectRight("\(middle)\(exponent)")
                expectRight("\(middle + 1)\(exponent)")
                expectRight("\(middle - 1)\(exponent)")
            }
        }
    }

    @Test func digitsBeyondAWordAndLargeExponents() {
        var numbers = SystemRandomNumberGenerator()
        for count in 15...20 {
            for exponent in -30...30 {
                for _ in 0..<10 {
                    let digits = (0..<count).map { String(Int.random(in: $0 == 0 ? 1...9 : 0...9, using: &numbers)) }.joined()
                    expectRight("\(digits)e\(exponent)")
                    let point = digits.index(digits.startIndex, offsetBy: Int.random(in: 1..<count, using: &numbers))
                    expectRight("\(digits[..<point]).\(digits[point...])e\(exponent)")
                }
            }
        }
    }

    @Test(arguments: [700, 800, 801, 802, 1000, 5000])
    func aDigitFarAfterAMidpointDecides(count: Int) {
        // 2^53 + 1 is the middle of two doubles.
        let zeros = String(repeating: "0", count: count - 17)
        expectRight("9007199254740993.\(zeros)1")
        expectRight("9007199254740993.\(zeros)0")
        expectRight("9007199254740992.\(String(repeating: "9", count: count - 16))")
    }

    @Test(arguments: [
        ("9223372036854775807", Int64.max), ("9223372036854775808", nil), ("-9223372036854775808", Int64.min),
        ("-9223372036854775809", nil), ("9223372036854775806", Int64.max - 1), ("9223372036854775808e0", nil),
        ("92233720368547758.07e2", Int64.max),
    ])
    func integersAtTheirLimits(text: String, expected: Int64?) {
        #expect((try? JSONNumber(text: text)?.integer(as: Int64.self)) == expected)
    }
}
