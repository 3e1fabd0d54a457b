import JSONText
import Testing

@Suite("A tape that grows")
struct GrowingTapeTests {
    private let options = JSONReadingOptions()

    private func withTape(_ text: String, _ body: (Tape) throws -> Void) throws {
        try UTF8Bytes.withBytes(of: text) { bytes in
            try Tape.with(bytes, options: options) { tape in
                tape.takeOwnership()
                try body(tape)
            }
        }
    }

    private func append(_ elements: String, to tape: Tape, _ options: JSONReadingOptions? = nil) throws {
        let list = try #require(tape.view.member("list", of: tape.view.root))
        try tape.append(Array(elements.utf8).span, to: list, options: options ?? self.options)
    }

    /// Whether two tapes have the same words and texts.
    private func expectSame(_ tape: Tape, _ whole: Tape, _ comment: Comment? = nil) {
        #expect(tape.wordCount == whole.wordCount && tape.byteCount == whole.byteCount, comment)
        let isSameText = tape.withText { mine in whole.withText { Bytes.areEqual(mine, $0) } }
        #expect(isSameText, comment)
        #expect(tape.duplicates.map(\.name) == whole.duplicates.map(\.name), comment)
        let (view, other) = (tape.view, whole.view)
        var word = view.root
        while word < min(tape.wordCount, whole.wordCount) {
            #expect(view.kind(at: word) == other.kind(at: word) && view.offset(at: word) == other.offset(at: word), comment)
            #expect(view.count(at: word) == other.count(at: word) && view.end(of: word) == other.end(of: word), comment)
            #expect(view.length(at: word) == other.length(at: word) && view.isEscaped(word) == other.isEscaped(word), comment)
            #expect(view.next(after: word) == other.next(after: word) && view.string(at: word) == other.string(at: word), comment)
            word = view.isContainer(word) ? view.first(in: word) : view.next(after: word)
        }
    }

    private static let elements = [
        #"{"type":"a","id":"1"}"#, "1", "-2.5e3", "null", "true", #""""#, #""é\u00e9""#, "[]", "{}", "[[],{},[[]]]",
        #"{"a":1,"b":2,"a":3}"#,
        #"{"a":{"b":[1,{"c":null}]},"d":[true,false]}"#, " {} ", "1 , [2\n]", #""\"\\\n""#,
        "\"" + String(repeating: "ü", count: 20_000) + "\"", "\"" + String(repeating: "x", count: 40_000) + #"","y""#,
        "{" + (0..<40).map { "\"name\($0 % 39)\":\($0)" }.joined(separator: ",") + "}",
    ]

    @Test(
        "It is that of the whole text, however the text is divided",
        arguments: [#"{"list":[]}"#, #"{"data":{"id":"1"},"list":[{"a":[1]},2]}"#])
    func wholeText(_ start: String) throws {
        for step in 1...3 {
            try withTape(start) { tape in
                var text = String(start.dropLast(2))
                for index in stride(from: 0, to: Self.elements.count * 4, by: step) {
                    let piece = (index..<index + step).map { Self.elements[$0 % Self.elements.count] }.joined(separator: ",")
                    try append(piece, to: tape)
                    text += (text.hasSuffix("[") ? "" : ",") + piece
                    if index % 7 == 0 { try withTape(text + "]}") { expectSame(tape, $0, "\(piece.prefix(80))") } }
                }
                try withTape(text + "]}") { expectSame(tape, $0) }
            }
        }
    }

    @Test("A copy keeps its contents when the tape grows")
    func copy() throws {
        try withTape(#"{"list":["a",{"b":1,"b":2}]}"#) { tape in
            let copy = tape.copy()
            for number in 0..<1000 { try append(#"{"c":\#(number)}"#, to: tape) }
            try withTape(#"{"list":["a",{"b":1,"b":2}]}"#) { expectSame(copy, $0) }
        }
    }

    @Test(
        "Elements that are not JSON are refused, and leave an empty tape",
        arguments: ["", ",", "1,", "1 2", "[", "{", "]", "]}", "],\"x\":[", "\"", "\"\\", "nul", "{\"a\"}", "1]", "\u{FEFF}1"])
    func faults(_ elements: String) throws {
        try withTape(#"{"list":[1,2]}"#) { tape in
            let expected = #expect(throws: JSONSyntaxError.self) { try withTape(#"{"list":[1,2,"# + elements + "]}") { _ in } }
            let error = #expect(throws: JSONSyntaxError.self) { try append(elements, to: tape) }
            #expect(error?.kind == expected?.kind && error?.offset == expected?.offset && error?.pointer == expected?.pointer)
            #expect(tape.wordCount == 0)
        }
        try withTape(#"{"list":[]}"#) { tape in
            #expect(throws: JSONSyntaxError.self) { try append(elements, to: tape) }
            #expect(tape.wordCount == 0)
        }
    }

    @Test("The limits hold for the whole text")
    func limits() throws {
        var small = options
        small.maximumBytes = 20
        var few = options
        few.maximumValues = 10
        var flat = options
        flat.maximumDepth = 3
        var unique = options
        unique.duplicateNames = .refuse
        let cases: [(JSONReadingOptions, String, String, JSONSyntaxError.Kind)] = [
            (small, "1234567", "12345678901", .sizeLimit), (few, "1,2,3", "4,5,6", .valueLimit), (flat, "[1]", "[[1]]", .depthLimit),
            (unique, #"{"a":1}"#, #"{"a":1,"a":2}"#, .duplicateName),
        ]
        for (options, good, bad, kind) in cases {
            try withTape(#"{"list":[]}"#) { tape in
                try append(good, to: tape, options)
                let error = #expect(throws: JSONSyntaxError.self) { try append(bad, to: tape, options) }
                #expect(error?.kind == kind)
            }
        }
    }
}
