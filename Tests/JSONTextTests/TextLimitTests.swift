import JSONText
import TestSupport
import Testing

/// Each limit of reading holds exactly, and rules hold on both sides of the sizes where another way is taken.
@Suite struct TextLimitTests {
    private func kind(_ text: String, _ options: JSONReadingOptions) -> JSONSyntaxError.Kind? {
        do throws(JSONSyntaxError) { _ = try JSON(parsing: text, options: options) } catch { return error.kind }
        return nil
    }

    @Test(arguments: [
        "1", "-1", "123", "-0", "1.25", "1e5", "12345678901234567890", "-1.5E+10", "0.1",
    ])
    func theLimitForNumbersIsInclusive(number: String) {
        var options = JSONReadingOptions()
        for text in [number, "[\(number)]", #"{"a":\#(number)}"#, "[1,\(number) ]"] {
            options.maximumNumberLength = number.utf8.count
            #expect(kind(text, options) == nil)
            options.maximumNumberLength = number.utf8.count - 1
            #expect(kind(text, options) == .numberLimit)
        }
    }

    @Test(arguments: ["a", "abcdefg", "abcdefgh", "abcdefghijklmnopqrstuvwxyz", "\u{E9}", "a\\n", "\\u00e9b", "\u{1F600}"])
    func theLimitForTextsIsInclusive(string: String) {
        var options = JSONReadingOptions()
        let count = string.utf8.count
        for text in [#""\#(string)""#, #"["\#(string)"]"#, #"{"\#(string)":1}"#, #"["\#(string)", 1]"#] {
            options.maximumStringLength = count
            #expect(kind(text, options) == nil)
            options.maximumStringLength = count - 1
            #expect(kind(text, options) == .stringLimit)
        }
    }

    @Test(arguments: [2, 3, 16, 17, 31, 32, 33, 34, 64, 65, 200])
    func repeatedNamesAreFoundInObjectsOfAnySize(count: Int) throws {
        var refusing = JSONReadingOptions()
        refusing.duplicateNames = .refuse
        for place in [0, (count - 1) / 2, count - 2] {
            var members = (0..<count - 1).map { #""name\#($0)":\#($0)"# }
            #expect(kind("{\(members.joined(separator: ","))}", refusing) == nil)
            members.append(#""name\#(place)":true"#)
            let text = "{\(members.joined(separator: ","))}"
            #expect(kind(text, refusing) == .duplicateName)
            #expect(try JSON(parsing: text)["name\(place)"] == true)
        }
    }

    private func isRead(_ bytes: [UInt8]) -> Bool { (try? JSON(parsing: [0x22] + bytes + [0x22])) != nil }

    @Test func overlongSequencesAreInvalid() {
        // The first and the last of each length, and what stands just outside.
        for bytes in [
            [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xF0, 0x90, 0x80, 0x80],
            [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]] {
            #expect(isRead(bytes))
            #expect(!isRead(Array(bytes.dropLast())))
        }
        for bytes in [
            [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]] {
            #expect(!isRead(bytes))
        }
    }

    @Test(arguments: [
        (#"\ud83d\ude00"#, true), (#"\uD83D\uDE00"#, true), (#"\ud83d\u0041"#, false), (#"\ud83d\ud83d"#, false), (#"\ud83d"#, false),
        (#"\ude00"#, false), (#"\ud83dx"#, false), (#"\ud83d\n"#, false), (#"\udbff\udfff"#, true), (#"\ud800\udc00"#, true),
    ])
    func unpairedSurrogatesAreInvalid(text: String, isPair: Bool) {
        #expect(isRead(Array(text.utf8)) == isPair)
    }

    @Test("Names that are compared with a long escaped name take linear time")
    func longEscapedName() throws {
        let growth = try TimeGrowth(from: 4000) { count in
            let long = #"\u0061"# + String(repeating: "a", count: 8 * count)
            let text = "[{\"\(long)\":1,\"b\":1}" + String(repeating: #",{"x":1,"x":1}"#, count: count) + "]"
            return try processorSeconds { _ = try JSON(parsing: text) }
        }
        #expect(growth.isLinear, "\(growth)")
    }
}
