import JSONText
import TestSupport
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test(
        "Valid number texts",
        arguments: ["0", "-0", "1", "-12", "0.5", "-0.0", "1e5", "1E+5", "1.25e-10", "0e0", "100000000000000000000"])
    func grammar(text: String) {
        #expect(JSONNumber(text: text)?.text == text)
    }

    @Test(
        "Invalid number texts",
        arguments: [
            "", "-", "+1", "01", "-01", ".5", "1.", "1.e5", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ", "1,",
            "--1", "1.2.3", "1e5.0", "１",
        ])
    func wrongGrammar(text: String) {
        #expect(JSONNumber(text: text) == nil)
    }

    @Test("Integers convert exactly in every form")
    func integers() throws {
        for (text, value) in [
            ("0", 0), ("-0", 0), ("-0.0", 0), ("0e9999999999999999999999", 0), ("1.0", 1), ("1E2", 100), ("100e-2", 1),
            ("-12.50e1", -125), ("0.00012e6", 120), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775807.000", .max), ("922337203685477580.7e1", .max), ("12000e-3", 12),
            ("0.0000000000000000000000000000001e32", 10),
        ] as [(String, Int64)] {
            #expect(try number(text).integer(as: Int64.self) == value, "\(text)")
        }
        #expect(try number("18446744073709551615").integer(as: UInt64.self) == .max)
        #expect(try number("1844674407370955161.5e1").integer(as: UInt64.self) == .max)
        #expect(try number("-128").integer(as: Int8.self) == -128)
        #expect(try number("2.55e2").integer(as: UInt8.self) == 255)
        #expect(try number("-0").integer(as: UInt.self) == 0)
    }

    @Test("An integer that does not fit is out of range")
    func integersOutOfRange() throws {
        for text in ["9223372036854775808", "-9223372036854775809", "1e19", "1e999999999999999999999999", "1e400"] {
            #expect(throws: JSONNumberError(.outOfRange, text: ""), "\(text)") {
                try number(text).integer(as: Int64.self)
            }
        }
        for text in ["128", "-129", "1e3", "12.8e1"] {
            #expect(throws: JSONNumberError(.outOfRange, text: "")) { try number(text).integer(as: Int8.self) }
        }
        for text in ["-1", "18446744073709551616", "-1e2"] {
            #expect(throws: JSONNumberError(.outOfRange, text: "")) { try number(text).integer(as: UInt64.self) }
        }
    }

    @Test("A fraction is not an integer, no matter how small")
    func fractions() throws {
        for text in ["0.5", "1e-1", "1.5e400", "-1e-999999999999999999999", "300.5", "1.00000000000000000000001"] {
            let kind: JSONNumberError.Kind = text == "1.5e400" ? .outOfRange : .notWhole
            #expect(throws: JSONNumberError(kind, text: ""), "\(text)") { try number(text).integer(as: Int8.self) }
        }
    }

    @Test(
        "Doubles are rounded correctly",
        arguments: [
            ("0", 0), ("1", 1), ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23),
            ("123456789012345678", 123_456_789_012_345_680),
            ("9007199254740993", 9007199254740992), ("9007199254740993.0000000000000000000000001", 9007199254740994),
            ("1.7976931348623157e308", .greatestFiniteMagnitude), ("17976931348623157e292", .greatestFiniteMagnitude),
            ("2.2250738585072014e-308", .leastNormalMagnitude),
            ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
            ("4.9406564584124654e-324", .leastNonzeroMagnitude), ("2.4703282292062328e-324", .leastNonzeroMagnitude),
            ("-0.000001", -0.000001), ("1E5", 100000), ("1e+5", 100000), ("1e00000000000000000000000000005", 100000),
            ("0.000000000000000000000000000000000000000001e42", 1), ("0e999999999999", 0), ("123e-2", 1.23),
        ] as [(String, Double)])
    func doubles(text: String, value: Double) throws {
        #expect(try number(text).double() == value)
        #expect(try number("-" + text.drop { $0 == "-" }).double() == -abs(value))
    }

    @Test("The fast paths round like the standard library")
    func shortPaths() throws {
        var generator = SystemRandomNumberGenerator()
        for round in 0..<20_000 {
            var digits = generator.next() >> UInt64.random(in: 0..<64, using: &generator)
            if round % 2 == 0 {
                // A half between two doubles, or one beside it: bit 54 of the significand is set alone or nearly alone.
                digits = digits | 1 << 63
                digits = digits & ~0x7FF | 0x400
                digits = digits &+ UInt64.random(in: 0...2, using: &generator) &- 1
            }
            let text = "\(digits)e\(Int.random(in: -30...30, using: &generator))"
            #expect(try number(text).double() == Double(text), "\(text)")
            var decimal = String(digits)
            let place = Int.random(in: 0...decimal.count, using: &generator)
            let point = place == 0 ? "0." : place == decimal.count ? ".0" : "."
            decimal.insert(contentsOf: point, at: decimal.index(decimal.startIndex, offsetBy: place))
            #expect(try number(decimal).double() == Double(decimal), "\(decimal)")
        }
    }

    @Test("Minus zero keeps its sign as a Double")
    func minusZero() throws {
        for text in ["-0", "-0.0", "-0e5", "-0.0e-99999999999999999999"] {
            let value = try number(text).double()
            #expect(value == 0)
            #expect(value.sign == .minus)
        }
    }

    @Test("Conversion to Double throws instead of giving infinity or zero")
    func doublesOutOfRange() {
        for text in [
            "1e400", "-1e400", "1e-400", "1e9999999999", "-1e-9999999999999999999999", "1.7976931348623159e308",
            "2.4703282292062327e-324", "1e309",
        ] {
            #expect(throws: JSONNumberError(.outOfRange, text: ""), "\(text)") { try number(text).double() }
        }
    }

    @Test("A digit a thousand places after the midpoint decides the rounding")
    func longDoubles() throws {
        let zeros = String(repeating: "0", count: 5_000)
        #expect(try number("9007199254740993." + zeros).double() == 9007199254740992)
        #expect(try number("9007199254740993." + zeros + "1").double() == 9007199254740994)
        #expect(try number("0." + zeros + "1e5001").double() == 1)
        #expect(try number("1" + zeros + "e-5000").double() == 1)
        #expect(try number("1" + zeros + "e-5000").integer(as: Int.self) == 1)
    }

    @Test("Numbers of a million digits are handled in linear time")
    func millionDigits() {
        let growth = TimeGrowth(from: 125_000) { count in
            let digits = String(repeating: "7", count: count)
            return processorSeconds {
                let number = JSONNumber(text: "0." + digits)
                #expect((try? number?.double()) == 0.7777777777777778)
                let large = JSONNumber(text: "1e" + digits)
                let sameLarge = JSONNumber(text: "10e" + digits.dropLast() + "6")
                #expect(large == sameLarge)
                #expect(large?.hashValue == sameLarge?.hashValue)
                #expect(JSONNumber(text: digits) == JSONNumber(text: digits + ".0"))
                #expect(JSONNumber(text: "1e-" + digits) != JSONNumber(text: "1e" + digits))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(
        "Numbers with equal values are equal, with equal hashes",
        arguments: [
            ["0", "-0", "0.000", "0e5", "-0e-99999999999999999999999"],
            ["1", "1.0", "1e0", "10e-1", "0.1e1", "0.001E+3", "1000000e-6"],
            ["120", "12e1", "1.2e2", "0.12e3", "120.0", "1200e-1"],
            ["-12.5", "-125e-1", "-0.125e2"],
            ["1e1000000000000000000", "10e999999999999999999", "0.1e1000000000000000001"],
            ["1e-1000000000000000000", "10e-1000000000000000001", "0.1e-999999999999999999"],
            ["1e999999999999999999", "0.1e1000000000000000000", "0.01e1000000000000000001"],
            ["1e100000000000000000000000000000", "1000e99999999999999999999999999997"],
        ])
    func equality(texts: [String]) throws {
        for left in texts {
            for right in texts {
                let (left, right) = (try number(left), try number(right))
                #expect(left == right)
                #expect(left.hashValue == right.hashValue)
            }
        }
    }

    @Test("Numbers with different values differ")
    func inequality() throws {
        let numbers = try [
            "0", "1", "-1", "10", "100", "1.1", "11", "1.01", "101", "1e-1", "1e400", "1e401", "-1e400", "1e-400",
            "1e1000000000000000000", "1e1000000000000000001", "1e-1000000000000000000", "1e2000000000000000000",
            "9007199254740992", "9007199254740993", "0.30000000000000004", "0.3",
        ].map(number)
        for (index, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() where index != other {
                #expect(left != right)
            }
        }
    }

    @Test("Numbers are ordered by their exact values, whatever their form")
    func order() throws {
        // Each line has one value, in several forms; lines ascend.
        let lines = [
            ["-1e999999999999999999999"], ["-12.01", "-1201e-2"], ["-12"], ["-1.19"], ["-0.1"], ["-1e-400"], ["0", "-0", "0e9", "0.00e-7"],
            ["1e-999999999999999999999"], ["9e-401"], ["1e-400", "0.1e-399"], ["0.0999"], ["0.1", "1e-1", "0.10"],
            ["0.10000000000000000001"], ["9", "9.0"], ["9.5", "95e-1"], ["10", "1e1"], ["99.99"], ["100"], ["1.5e400"], ["15.1e399"],
        ]
        let numbers = try lines.enumerated().flatMap { line, texts in
            try texts.map { (line: line, number: try #require(JSONNumber(text: $0))) }
        }
        for left in numbers {
            for right in numbers {
                #expect(left.number.order(to: right.number) == (left.line - right.line).signum(), "\(left.number) \(right.number)")
            }
        }
    }

    @Test("Integers and doubles are written with the fewest digits that parse equal")
    func texts() throws {
        #expect(JSONNumber(-5).text == "-5")
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        for (value, text) in [
            (1, "1"), (-0.0, "-0"), (0, "0"), (0.1, "0.1"), (1e15, "1000000000000000"), (1e16, "1e+16"),
            (1.5e300, "1.5e+300"),
            (5e-7, "5e-07"), (0.5, "0.5"), (-123.25, "-123.25"),
        ] as [(Double, String)] {
            #expect(try JSONNumber(value).text == text)
        }
        #expect(try JSONNumber(Float(0.1)).text == "0.1")
        let literal: JSONNumber = 2.50
        #expect(literal.text == "2.5")
    }

    @Test("Every double round-trips exactly")
    func roundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<5_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let number = try JSONNumber(value)
            #expect(JSONNumber(text: number.text) == number)
            #expect(try number.double().bitPattern == value.bitPattern)
            #expect(try number.exactDouble().bitPattern == value.bitPattern)
        }
        for exponent in -1074...1023 {
            let value = Double(sign: .plus, exponent: exponent, significand: 1)
            #expect(try JSONNumber(value).double() == value)
        }
    }

    @Test("Infinity and NaN have no JSON text")
    func notRepresentable() {
        for value in [Double.infinity, -.infinity, .nan] {
            #expect(throws: JSONNumberError(.notRepresentable, text: "")) { try JSONNumber(value) }
            #expect(throws: JSONNumberError(.notRepresentable, text: "")) { try JSONNumber(Float(value)) }
        }
    }

    @Test("An exact Double keeps all digits or throws")
    func exactDoubles() throws {
        for text in [
            "0", "-0", "0.1", "1e5", "9007199254740992", "1208925819614629174706176", "0.5",
            "0.1000000000000000055511151231257827021181583404541015625", "1e22", "1e23", "3.0", "1e-320",
        ] {
            #expect(throws: Never.self, "\(text)") { try number(text).exactDouble() }
        }
        for text in [
            "9007199254740993", "0.10000000000000000001", "1208925819614629174706177", "18446744073709551615",
        ] {
            #expect(throws: JSONNumberError(.precisionLoss, text: ""), "\(text)") { try number(text).exactDouble() }
        }
        #expect(throws: JSONNumberError(.outOfRange, text: "")) { try number("1e400").exactDouble() }
    }

    @Test("An error contains its number, shortened")
    func errors() throws {
        let long = try number(String(repeating: "1", count: 100))
        do {
            _ = try long.integer(as: Int.self)
            Issue.record("A hundred digits do not fit Int.")
        } catch {
            #expect(error.kind == .outOfRange)
            #expect(error.text == String(repeating: "1", count: 32) + "…")
            #expect(error.description == "The number \(error.text) is outside the range of the type.")
        }
    }

    @Test("A number is written as an integer unless it has a fraction or an exponent")
    func isInteger() throws {
        #expect(try ["1", "-0", "12345678901234567890"].map { try number($0).isInteger } == [true, true, true])
        #expect(try ["1.0", "1e2", "1E2"].map { try number($0).isInteger } == [false, false, false])
    }

    @Test("Invalid bytes never trap")
    func otherBytes() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("0123456789.-+eE/: \u{1}".utf8) + [0xFF, 0x80]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
            let span = bytes.span
            _ = NumberParsing.int64(span)
            _ = NumberParsing.double(span)
            _ = NumberParsing.isNumber(span)
            _ = try? NumberParsing.integer(span, as: UInt8.self)
            _ = try? NumberParsing.integer(span, as: UInt64.self)
            let text = String(decoding: bytes, as: UTF8.self)
            let number = JSONNumber(uncheckedText: text)
            _ = number.hashValue
            _ = number == JSONNumber(uncheckedText: text + "0")
        }
    }

    private func number(_ text: some StringProtocol) throws -> JSONNumber {
        try #require(JSONNumber(text: String(text)))
    }
}
