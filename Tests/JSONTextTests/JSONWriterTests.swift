import JSONText
import TestSupport
import Testing

@Suite("The JSON writer")
struct JSONWriterTests {
    @Test("Indented text has one line for each element")
    func indented() throws {
        let json: JSON = ["b": [1, [], [:]], "a": ["x": nil]]
        let writer = JSONWriter(style: .indented(spaces: 2))
        #expect(
            try writer.string(json) == """
                {
                  "b": [
                    1,
                    [],
                    {}
                  ],
                  "a": {
                    "x": null
                  }
                }
                """)
        #expect(try JSONWriter(style: .indented(spaces: -3)).string([1]) == "[\n1\n]")
    }

    @Test("Names are sorted by bytes at every level")
    func sorted() throws {
        let json: JSON = [
            "b": ["z": 1, "y": 2], "a": 1, "": 0, "é": 3, "Z": 4, "a": 2, "ab": 5, "\u{1F600}": 6, "\u{FFFF}": 7,
        ]
        var writer = JSONWriter()
        writer.sortsNames = true
        let text = #"{"":0,"Z":4,"a":1,"a":2,"ab":5,"b":{"y":2,"z":1},"é":3,"# + "\"\u{FFFF}\":7,\"\u{1F600}\":6}"
        #expect(try writer.string(json) == text)
    }

    @Test("Only quotes, backslashes, and control characters are escaped")
    func escapes() throws {
        let short: [UInt8: String] = [
            0x22: #"\""#, 0x5C: #"\\"#, 0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#,
        ]
        let digits = Array("0123456789abcdef")
        for byte in UInt8(0)..<0x80 {
            let character = String(UnicodeScalar(byte))
            let expected =
                short[byte] ?? (byte < 0x20 ? "\\u00\(digits[Int(byte / 16)])\(digits[Int(byte % 16)])" : character)
            // Every place in the words that are looked at together, and beside bytes of 0x80 and more.
            for padding in 0..<10 {
                let front = String(repeating: "é", count: padding / 2) + String(repeating: "x", count: padding % 2)
                let back = String(repeating: "x", count: 10 - padding)
                let text = try JSONWriter().string(.string(front + character + back))
                #expect(text == "\"\(front)\(expected)\(back)\"")
            }
        }
        #expect(try JSONWriter().string("\u{7F}\u{2028}\u{FEFF}é😀") == "\"\u{7F}\u{2028}\u{FEFF}é😀\"")
    }

    @Test("Escapes are found at every offset", arguments: ["\"", "\\", "\n", "\u{1F}"])
    func escapesAnywhere(special: String) throws {
        // Beside bytes that differ from it by one, and beside others than ASCII.
        for neighbor in ["a", " ", "#", "[", "]", "!", "é", "\u{7F}"] {
            for length in 0..<40 {
                for place in 0...length {
                    let text =
                        String(repeating: neighbor, count: place) + special + String(repeating: neighbor, count: length - place)
                    let json = JSON.string(text)
                    let written = json.description
                    #expect(try JSON(parsing: written) == json)
                    #expect(written.unicodeScalars.allSatisfy { $0.value >= 0x20 })
                    let added = special == "\u{1F}" ? 7 : 3
                    #expect(written.utf8.count == text.utf8.count + added)
                }
            }
        }
    }

    @Test("Texts of many escapes are written like a model of the rules, and read back", arguments: [false, true])
    func manyEscapes(escapesSlashes: Bool) throws {
        var writer = JSONWriter()
        writer.escapesSlashes = escapesSlashes
        var random = SystemRandomNumberGenerator()
        let characters: [Unicode.Scalar] = [
            "a", "é", "日", "🎉", "\"", "\\", "/", "\n", "\u{8}", "\r", "\u{0}", "\u{1F}", "\u{B}", "\u{7F}", " ",
        ]
        for _ in 0..<TestEffort.count(3_000, debug: 1_000) {
            // Some texts have an escape every few bytes, others one in a hundred.
            let rarity = 1 << Int.random(in: 0..<8, using: &random)
            let scalars = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                Int.random(in: 0..<rarity, using: &random) == 0 ? characters.randomElement(using: &random)! : "x"
            }
            let text = String(String.UnicodeScalarView(scalars))
            let written = try writer.string(.string(text))
            #expect(written == Self.quoted(scalars, escapesSlashes))
            #expect(try JSON(parsing: written).string == text)
            #expect(try JSON(parsing: Self.quotedInDigits(scalars, &random)).string == text)
        }
    }

    private static func quoted(_ scalars: [Unicode.Scalar], _ escapesSlashes: Bool) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\t": "\\t", "\n": "\\n", "\u{C}": "\\f", "\r": "\\r",
        ]
        let parts = scalars.map { scalar -> String in
            if scalar == "/", escapesSlashes { return "\\/" }
            return short[scalar]
                ?? (scalar.value < 0x20 ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar))
        }
        return "\"" + parts.joined() + "\""
    }

    /// The same text with a third of its characters written as `\u` and four digits.
    private static func quotedInDigits(_ scalars: [Unicode.Scalar], _ random: inout SystemRandomNumberGenerator) -> String {
        var parts: [String] = []
        for scalar in scalars {
            guard Int.random(in: 0..<3, using: &random) == 0 else {
                parts.append(String(quoted([scalar], true).dropFirst().dropLast()))
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                parts.append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        }
        return "\"" + parts.joined() + "\""
    }

    @Test("Slashes are escaped on request")
    func slashes() throws {
        var writer = JSONWriter()
        #expect(try writer.string(["a/b": "</script> and more/"]) == #"{"a/b":"</script> and more/"}"#)
        writer.escapesSlashes = true
        #expect(try writer.string(["a/b": "</script> and more/"]) == #"{"a\/b":"<\/script> and more\/"}"#)
    }

    @Test("Numbers are written digit by digit")
    func numbers() throws {
        for text in ["-0", "1.50", "1E+2", "12345678901234567890.10", "-0.0e-0"] {
            let number = try #require(JSONNumber(text: text))
            #expect(try JSONWriter().string(.number(number)) == text)
        }
    }

    @Test("Scalars are written at the top level")
    func scalars() throws {
        #expect(try JSONWriter().string(nil) == "null")
        #expect(try JSONWriter(style: .indented()).string("a") == "\"a\"")
        #expect(try JSONWriter().write(false) == Array("false".utf8))
    }

    @Test("The depth limit is inclusive, and a deeper value is an error with its place", arguments: [1, 2, 511, 512])
    func depthLimit(limit: Int) throws {
        var writer = JSONWriter()
        writer.maximumDepth = limit
        var arrays: JSON = []
        var objects: JSON = [:]
        for _ in 1..<max(limit, 1) {
            arrays = [0, arrays]
            objects = ["a": objects]
        }
        #expect(throws: Never.self) { try writer.write(arrays) }
        #expect(throws: Never.self) { try writer.write(objects) }
        for (value, step) in [([0, arrays] as JSON, "/1"), (["x": objects], "/x")] {
            do {
                _ = try writer.write(value)
                Issue.record("Depth \(limit + 1) was written")
            } catch {
                #expect(error.kind == .depthLimit)
                #expect(error.limit == limit)
                #expect(error.pointer.tokens.count == limit)
                #expect(error.pointer.description.hasPrefix(step))
                #expect(value[pointer: error.pointer] == (value.array == nil ? [:] : []))
            }
        }
    }

    @Test("A depth limit of 0 allows only scalars")
    func depthZero() {
        var writer = JSONWriter()
        writer.maximumDepth = 0
        #expect(throws: JSONWriteError.self) { try writer.write([]) }
        #expect(throws: Never.self) { try writer.write(1) }
        #expect(JSONWriter().maximumDepth == 512)
    }

    @Test("The place of the error follows the sorted order")
    func depthLimitSorted() {
        var writer = JSONWriter()
        writer.sortsNames = true
        writer.maximumDepth = 1
        #expect {
            try writer.write(["c": 0, "b": [], "a": 1])
        } throws: { error in
            (error as? JSONWriteError)?.pointer == JSONPointer("b")
        }
    }

    @Test("Appending keeps existing bytes, also after an error")
    func appending() throws {
        var bytes = Array("x=".utf8)
        try JSONWriter().write([1], into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "x=[1]")
        var writer = JSONWriter()
        writer.maximumDepth = 1
        #expect(throws: JSONWriteError.self) { try writer.write([1, [2]], into: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == "x=[1]")
    }

    @Test("Numbers with few decimals equal Swift's description")
    func fewDecimals() throws {
        for scale in [1.0, 10, 100, 1000, 10_000, 100_000] {
            for number in [0, 1, 2, 9, 10, 11, 99, 123, 1000, 4_365, 99_999, 100_001, 123_456_789, 999_999_999, 10_000_000_000] {
                let exact = Double(number) / scale
                for value in [exact, -exact, exact.nextUp, exact.nextDown, -exact.nextUp] {
                    var expected = value.description
                    if expected.hasSuffix(".0") { expected.removeLast(2) }
                    let output = JSONOutput()
                    try output.double(value)
                    #expect(output.string == expected)
                }
            }
        }
    }

    @Test("Integers of every size are written")
    func integers() {
        let output = JSONOutput()
        output.beginArray()
        output.integer(0)
        output.integer(Int64.min)
        output.integer(Int64.max)
        output.integer(UInt64.max)
        output.integer(-7 as Int8)
        output.endArray()
        #expect(output.string == "[0,-9223372036854775808,9223372036854775807,18446744073709551615,-7]")
    }
}
