import JSONText
import Testing

@Suite("Limits and places of reading")
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

    @Test("Nesting up to the limit is read, one level more is refused at its bracket", arguments: ["[", #"{"a":"#])
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

    @Test("A million levels end in a clear error, or in a value where the limit is raised")
    func aMillionLevels() {
        let open = String(repeating: "[", count: 1_000_000)
        #expect(failure(open)?.kind == .depthLimit)
        #expect(failure(open) { $0.maximumDepth = 2_000_000 }?.kind == .unexpectedEnd)
        #expect(failure(open + String(repeating: "]", count: 1_000_000)) { $0.maximumDepth = 1_000_000 } == nil)
    }

    @Test("A text longer than the limit is not read at all")
    func size() {
        #expect(failure("nonsense") { $0.maximumBytes = 4 }?.kind == .sizeLimit)
        #expect(failure("true") { $0.maximumBytes = 4 } == nil)
    }

    @Test("More values than the limit are refused; an array or object counts two, a name one")
    func values() {
        let options: (inout JSONReadingOptions) -> Void = { $0.maximumValues = 6 }
        #expect(failure("[1,2,3,4]", options) == nil)
        #expect(failure("[1,2,3,4,5]", options)?.kind == .valueLimit)
        #expect(failure(#"{"a":1,"b":2}"#, options) == nil)
        #expect(failure(#"{"a":1,"b":[]}"#, options)?.kind == .valueLimit)
    }

    @Test("Long strings, names and numbers are refused at their first byte where a limit is set")
    func longTokens() {
        #expect(failure(#"["abc","abcd"]"#) { $0.maximumStringLength = 3 }?.kind == .stringLimit)
        #expect(failure(#"["abc","abcd"]"#) { $0.maximumStringLength = 3 }?.offset == 7)
        #expect(failure(#"{"abcd":1}"#) { $0.maximumStringLength = 3 }?.offset == 1)
        #expect(failure("[1,12345]") { $0.maximumNumberLength = 4 }?.kind == .numberLimit)
        #expect(failure("[1,12345]") { $0.maximumNumberLength = 4 }?.offset == 3)
    }

    @Test("A repeated name is kept by default, the last one answers; it is refused at the second one on request")
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

    @Test("Composed and decomposed letters make different names")
    func normalization() {
        #expect(failure("{\"\u{E9}\":1,\"e\u{301}\":2}") { $0.duplicateNames = .refuse } == nil)
    }

    @Test("Objects of every size find their repeated name", arguments: [2, 3, 10, 32, 33, 1000, 100_000])
    func repeatedNameInLargeObjects(_ count: Int) {
        let members = (0..<count).map { "\"name\($0)\":0" }
        #expect(failure("{" + members.joined(separator: ",") + "}") { $0.duplicateNames = .refuse } == nil)
        let repeated = "{" + (members + ["\"name\(count / 2)\":0"]).joined(separator: ",") + "}"
        let error = failure(repeated) { $0.duplicateNames = .refuse }
        #expect(error?.kind == .duplicateName)
        #expect(error?.offset == repeated.utf8.count - "\"name\(count / 2)\":0}".utf8.count)
    }

    @Test("Strings and numbers longer than a tape word can say are read whole")
    func veryLongTokens() throws {
        let length = 1 << 24
        let text = String(repeating: "x", count: length)
        #expect(try JSON(parsing: "[\"\(text)\",1]")[0]?.string?.utf8.count == length)
        #expect(try JSON(parsing: "[\"\(text)\",1]")[1]?.int == 1)
        let escaped = String(repeating: #"\\"#, count: length)
        #expect(try JSON(parsing: "{\"\(escaped)\":2}").object?.first?.name.utf8.count == length)
        #expect(try JSON(parsing: "[1\(String(repeating: "0", count: length))]")[0]?.number?.text.utf8.count == length + 1)
    }

    @Test("An empty buffer, a slice that starts anywhere and a sequence without storage are read alike")
    func buffers() throws {
        #expect(failure("")?.kind == .unexpectedEnd)
        let bytes = Array(#"xyz{"a": [1, "é"]}"#.utf8)
        let expected: JSON = ["a": [1, "é"]]
        #expect(try JSON(parsing: bytes[3...]) == expected)
        #expect(try JSON(parsing: AnySequence(bytes[3...])) == expected)
    }

    @Test("A text cut anywhere ends with an error at its length")
    func truncation() {
        let text = #"{"a":[1.5e-3,true,null,"é\u00e9\ud83d\ude00"],"b":{"c":-0}}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            do throws(JSONSyntaxError) {
                _ = try JSON(parsing: bytes[..<length])
                Issue.record("the first \(length) bytes were read")
            } catch {
                let isCutCharacter = error.kind == .invalidUTF8
                #expect(error.offset == length || isCutCharacter, "at \(length): \(error)")
            }
        }
    }

    @Test("Line and column count from one, whatever ends a line; a byte-order mark counts for nothing")
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
