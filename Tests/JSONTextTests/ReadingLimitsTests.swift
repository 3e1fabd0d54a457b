import JSONText
import TestSupport
import Testing

@Suite("Parsing limits and error positions")
struct ReadingLimitsTests {
    private func failure(_ text: String, _ change: (inout JSONReadingOptions) -> Void = { _ in }) -> JSONSyntaxError? {
        var options = JSONReadingOptions()
        change(&options)
        do throws(JSONSyntaxError) {
            _ = try JSON(parsing: text, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("The depth limit is inclusive, and the error is at the next bracket", arguments: ["[", #"{"a":"#])
    func depth(_ bracket: String) {
        let close = bracket == "[" ? "]" : "}"
        func nested(_ levels: Int) -> String {
            String(repeating: bracket, count: levels) + (bracket == "[" ? "" : "0") + String(repeating: close, count: levels)
        }
        #expect(failure(nested(511)) == nil)
        #expect(failure(nested(512)) == nil)
        #expect(failure(nested(513))?.kind == .depthLimit)
        #expect(failure(nested(513))?.offset == 512 * bracket.utf8.count)
        #expect(failure(nested(3)) { $0.maximumDepth = 2 }?.offset == 2 * bracket.utf8.count)
    }

    @Test("A million levels are an error, or a value with a higher limit")
    func aMillionLevels() {
        let open = String(repeating: "[", count: 1_000_000)
        #expect(failure(open)?.kind == .depthLimit)
        #expect(failure(open) { $0.maximumDepth = 2_000_000 }?.kind == .unexpectedEnd)
        #expect(failure(open + String(repeating: "]", count: 1_000_000)) { $0.maximumDepth = 1_000_000 } == nil)
    }

    @Test("A text longer than the limit is not parsed")
    func size() {
        #expect(failure("nonsense") { $0.maximumBytes = 4 }?.kind == .sizeLimit)
        #expect(failure("true") { $0.maximumBytes = 4 } == nil)
    }

    @Test("Of a longer sequence that is not contiguous, only one byte more than the limit is copied")
    func sizeOfASequence() {
        var count = 0
        let spaces = AnySequence { () -> AnyIterator<UInt8> in
            AnyIterator {
                count += 1
                return count > 5000 ? nil : 0x20
            }
        }
        var options = JSONReadingOptions()
        options.maximumBytes = 1000
        var error: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            _ = try JSON(parsing: spaces, options: options)
        } catch let failure {
            error = failure
        }
        #expect(error?.kind == .sizeLimit && error?.offset == 1000)
        #expect(count == 1001)
    }

    @Test("Too many values are an error; containers count two, and names one")
    func values() {
        let options: (inout JSONReadingOptions) -> Void = { $0.maximumValues = 6 }
        #expect(failure("[1,2,3,4]", options) == nil)
        #expect(failure("[1,2,3,4,5]", options)?.kind == .valueLimit)
        #expect(failure(#"{"a":1,"b":2}"#, options) == nil)
        #expect(failure(#"{"a":1,"b":[]}"#, options)?.kind == .valueLimit)
    }

    @Test("A string, name, or number longer than its limit is an error at its first byte")
    func longTokens() {
        #expect(failure(#"["abc","abcd"]"#) { $0.maximumStringLength = 3 }?.kind == .stringLimit)
        #expect(failure(#"["abc","abcd"]"#) { $0.maximumStringLength = 3 }?.offset == 7)
        #expect(failure(#"{"abcd":1}"#) { $0.maximumStringLength = 3 }?.offset == 1)
        #expect(failure("[1,12345]") { $0.maximumNumberLength = 4 }?.kind == .numberLimit)
        #expect(failure("[1,12345]") { $0.maximumNumberLength = 4 }?.offset == 3)
    }

    @Test("Byte limits are inclusive", arguments: 1...40)
    func exactLimits(_ limit: Int) {
        for (length, isRead) in [(limit - 1, true), (limit, true), (limit + 1, false)] where length > 0 {
            let plain = String(repeating: "x", count: length)
            let digits = String(repeating: "7", count: length)
            let escapes = String(repeating: "\\n", count: length / 2)
            for text in ["\"\(plain)\"", "[\"\(plain)\"]", "[1,\"\(plain)\" ]", "{\"\(plain)\":1}", "{\"a\":\"\(plain)\"}"] {
                #expect((failure(text) { $0.maximumStringLength = max(limit, 1) } == nil) == isRead, "\(text), limit \(limit)")
            }
            // An escape counts the bytes that are written.
            #expect((failure("[\"\(escapes)\"]") { $0.maximumStringLength = limit } == nil) == (length / 2 * 2 <= limit))
            for text in [digits, "[\(digits)]", "[\(digits) ]", "{\"a\":\(digits)}", "{\"a\":\(digits),\"b\":1}"] {
                #expect((failure(text) { $0.maximumNumberLength = limit } == nil) == isRead, "\(text), limit \(limit)")
            }
            let bytes = "\"" + String(repeating: "x", count: max(length - 2, 0)) + "\""
            if length >= 2 { #expect((failure(bytes) { $0.maximumBytes = limit } == nil) == isRead) }
        }
    }

    @Test("The limit for values is inclusive", arguments: 0...200)
    func exactValues(_ limit: Int) {
        func read(_ text: String, _ values: Int) {
            let error = failure(text) { $0.maximumValues = limit }
            #expect(error?.kind == (values <= limit ? nil : .valueLimit), "\(values) values, limit \(limit)")
        }
        for count in max(limit - 3, 0)...limit + 1 {
            read("[" + Array(repeating: "1", count: count).joined(separator: ",") + "]", count + 2)
            read("[" + Array(repeating: "\"s\"", count: count).joined(separator: ", ") + "]", count + 2)
            read("{" + (0..<count / 2).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}", count / 2 * 2 + 2)
            read("{" + (0..<count / 3).map { "\"\($0)\":[]" }.joined(separator: ",") + "}", count / 3 * 3 + 2)
            read("[" + Array(repeating: "{}", count: count / 2).joined(separator: ",") + "]", count / 2 * 2 + 2)
        }
        read("1", 1)
        read("\"text\"", 1)
    }

    @Test("Depth limits of parsing and writing are inclusive for each kind", arguments: [1, 2, 3, 17, 64])
    func exactDepth(_ limit: Int) throws {
        for depth in max(limit - 1, 1)...limit + 1 {
            for isObject in [[true], [false], [true, false], [false, true]] {
                var value: JSON = 1
                for level in 0..<depth { value = isObject[level % isObject.count] ? ["a": value, "b": 2] : [0, value] }
                let text = value.description
                let error = failure(text) { $0.maximumDepth = limit }
                #expect(error?.kind == (depth <= limit ? nil : .depthLimit))
                var writer = JSONWriter()
                writer.maximumDepth = limit
                #expect(((try? writer.write(value)) != nil) == (depth <= limit))
            }
        }
        #expect(failure("1") { $0.maximumDepth = 0 } == nil)
        #expect(failure("[]") { $0.maximumDepth = 0 }?.kind == .depthLimit)
        #expect(failure("{}") { $0.maximumDepth = 0 }?.kind == .depthLimit)
    }

    @Test("Very large limits do not overflow", arguments: [Int.max, Int.max - 1, 1 << 30])
    func largestLimits(_ limit: Int) {
        let text = #"{"a":[1,"b"]}"#
        #expect(failure(text) { $0.maximumBytes = limit } == nil)
        #expect(failure(text) { $0.maximumValues = limit } == nil)
        #expect(failure(text) { $0.maximumDepth = limit } == nil)
        #expect(failure(text) { $0.maximumStringLength = limit } == nil)
        #expect(failure(text) { $0.maximumNumberLength = limit } == nil)
    }

    @Test("The last member of a repeated name counts in objects of every size", arguments: [2, 15, 16, 17, 18, 33, 100])
    func lastMemberCounts(_ count: Int) throws {
        let members = (0..<count).map { "\"name\($0)\":\($0)" } + ["\"name0\":-1", "\"n\\u0061me1\":-2", "\"name0\":-3"]
        let object = try #require(try JSON(parsing: "{" + members.joined(separator: ",") + "}").object)
        #expect(object.count == count + 3)
        #expect(object["name0"]?.int == -3)
        #expect(object["name1"]?.int == -2)
        #expect(object.firstDuplicateName == "name0")
        #expect(object.contains(name: "name\(count - 1)"))
        var copy = object
        copy["name0"] = nil
        #expect(copy.count == count)
        #expect(copy["name0"] == nil)
        var expected = JSONObject()
        for number in 0..<count { expected["name\(number)"] = number == 0 ? -3 : number == 1 ? -2 : JSON.number(JSONNumber(number)) }
        #expect(object == expected)
        #expect(object.hashValue == expected.hashValue)
    }

    @Test("Repeated names are kept by default, and are an error on request")
    func repeatedNames() throws {
        let text = #"{"x":{"a":1,"\u0061":2}}"#
        let json = try JSON(parsing: text)
        #expect(json["x"]?["a"]?.int == 2)
        #expect(json["x"]?.object?.count == 2)
        let error = failure(text) { $0.duplicateNames = .refuse }
        #expect(error?.kind == .duplicateName)
        #expect(error?.offset == 12)
        #expect(error?.pointer == JSONPointer("x"))
    }

    @Test("Of repeated names inside of each other, the outer one is the error, because its place is in no hidden value")
    func nestedRepeatedNames() {
        for (text, offset, pointer) in [
            (#"{"d":{"a":[{"b":1,"b":2}],"a":true}}"#, 26, JSONPointer("d")), (#"{"d":{"a":1,"a":[{"b":1,"b":2}]}}"#, 12, JSONPointer("d")),
            (#"{"c":{"b":1,"b":2},"d":{"a":{"b":1,"b":2},"a":3}}"#, 12, JSONPointer("c")),
            (#"{"c":{"b":1,"b":2},"d":1,"c":3,"d":4}"#, 25, JSONPointer()),
        ] {
            let error = failure(text) { $0.duplicateNames = .refuse }
            #expect(error?.kind == .duplicateName && error?.offset == offset && error?.pointer == pointer, "\(text)")
        }
        #expect(failure(#"{"a":1,"a":2"#) { $0.duplicateNames = .refuse }?.kind == .unexpectedEnd)
    }

    @Test("Composed and decomposed letters are different names")
    func normalization() {
        #expect(failure("{\"\u{E9}\":1,\"e\u{301}\":2}") { $0.duplicateNames = .refuse } == nil)
    }

    @Test("Repeated names are found in objects of every size", arguments: [2, 3, 10, 32, 33, 1000, 100_000])
    func repeatedNameInLargeObjects(_ count: Int) {
        let members = (0..<count).map { "\"name\($0)\":0" }
        #expect(failure("{" + members.joined(separator: ",") + "}") { $0.duplicateNames = .refuse } == nil)
        let repeated = "{" + (members + ["\"name\(count / 2)\":0"]).joined(separator: ",") + "}"
        let error = failure(repeated) { $0.duplicateNames = .refuse }
        #expect(error?.kind == .duplicateName)
        #expect(error?.offset == repeated.utf8.count - "\"name\(count / 2)\":0}".utf8.count)
    }

    @Test("Names that look alike are told apart, and each repeated one is found", arguments: 2...40)
    func similarNames(_ count: Int) {
        // Equal lengths, and equal first and last bytes.
        let names = (0..<count).map { "a\($0 / 10)\($0 % 10)z" }
        func text(_ names: [String]) -> String { "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(failure(text(names)) { $0.duplicateNames = .refuse } == nil)
        for place in names.indices {
            for repeated in [names[place], "\\u0061" + names[place].dropFirst()] {
                let error = failure(text(names + [repeated])) { $0.duplicateNames = .refuse }
                #expect(error?.kind == .duplicateName)
                #expect(error?.offset == text(names).utf8.count)
            }
        }
    }

    /// A debug build reads only the string, which takes it seconds.
    private static let longLengths = TestEffort.isFull ? [(1 << 24) - 1, 1 << 24, (1 << 24) + 1, 40_000_000] : [1 << 24]

    @Test("Strings and numbers longer than a tape word are complete", arguments: longLengths)
    func veryLongTokens(length: Int) throws {
        // Counted and compared as arrays of bytes, which takes no time without optimization either.
        func bytes(_ start: String, _ byte: Character, _ count: Int, _ end: String) -> [UInt8] {
            Array(start.utf8) + [UInt8](repeating: byte.asciiValue ?? 0, count: count) + Array(end.utf8)
        }
        let string = try JSON(parsing: bytes("[\"", "x", length, "\",1]"))
        #expect(string[0]?.string?.utf8.count == length)
        #expect(string[1]?.int == 1)
        guard TestEffort.isFull else { return }
        let escaped = try JSON(parsing: bytes("{\"", "\\", length & ~1, "\":2}"))
        #expect(escaped.object?.first?.name.utf8.count == length / 2)
        #expect(escaped.object?.first?.value.int == 2)
        #expect(try JSON(parsing: bytes("[1", "0", length - 1, "]"))[0]?.number?.text.utf8.count == length)
    }

    @Test("Buffers, slices, and other sequences are parsed")
    func buffers() throws {
        #expect(failure("")?.kind == .unexpectedEnd)
        let bytes = Array(#"xyz{"a": [1, "é"]}"#.utf8)
        let expected: JSON = ["a": [1, "é"]]
        #expect(try JSON(parsing: bytes[3...]) == expected)
        #expect(try JSON(parsing: AnySequence(bytes[3...])) == expected)
    }

    @Test("A truncated text is an error at its end")
    func truncation() {
        let text = #"{"a":[1.5e-3,true,null,"é\u00e9\ud83d\ude00"],"b":{"c":-0}}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            do throws(JSONSyntaxError) {
                _ = try JSON(parsing: bytes[..<length])
                Issue.record("the first \(length) bytes were read")
            } catch {
                #expect(error.kind == .unexpectedEnd && error.offset == length, "at \(length): \(error)")
            }
        }
    }

    @Test(
        "A text that ends inside a character is truncated, if its bytes can be continued",
        arguments: [
            ([0xC3], true), ([0xE2], true), ([0xE2, 0x82], true), ([0xE0, 0xA0], true), ([0xED, 0x9F], true), ([0xF0, 0x9F, 0x98], true),
            ([0xF4, 0x8F, 0xBF], true), ([0xC1], false), ([0xE0, 0x9F], false), ([0xED, 0xA0], false), ([0xF0, 0x8F], false),
            ([0xF4, 0x90], false), ([0xF5], false), ([0x80], false), ([0xE2, 0x28], false), ([0xF0, 0x9F, 0x28], false),
        ] as [([UInt8], Bool)])
    func cutCharacter(_ bytes: [UInt8], _ isTruncated: Bool) {
        let kind: JSONSyntaxError.Kind = isTruncated ? .unexpectedEnd : .invalidUTF8
        for start in [#"["a"#, #"{"é"#, #"{"a":"\n"#] {
            let text = Array(start.utf8) + bytes
            let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
            #expect(error?.kind == kind && error?.offset == (isTruncated ? text.count : start.utf8.count))
        }
    }

    @Test("Line and column start at one, with any line ending")
    func positions() {
        func position(_ offset: Int, _ text: String) -> String { TextPosition(of: offset, in: text.utf8).description }
        #expect(position(0, "ab") == "1:1")
        #expect(position(2, "a\nb") == "2:1")
        #expect(position(4, "a\r\nbc") == "2:2")
        #expect(position(3, "a\rbc") == "2:2")
        #expect(position(3, "\u{FEFF}x") == "1:1")
        #expect(position(99, "a\nb") == "2:2")
    }
}
