import JSONText
import Testing

@Suite("The tape")
struct TapeViewTests {
    private func withTape(_ text: String, _ body: (TapeView) throws -> Void) throws {
        try UTF8Bytes.withBytes(of: text) { bytes in
            try Tape.with(bytes, options: JSONReadingOptions()) { tape in try body(tape.view) }
        }
    }

    @Test("Members are found by spans, strings, and literals, and nested ones are not")
    func members() throws {
        try withTape(#"{"geo":{"lat":1,"name":"INNER"},"name":"outer","n\u0061me":"last","é":[]}"#) { view in
            let object = view.root
            let literal = try #require(view.member("name", of: object))
            #expect(view.string(at: literal) == "last")
            for name in ["geo", "name", "é", "lat", "nam", "names", ""] {
                let found = UTF8Bytes.withBytes(of: name) { view.member($0, of: object) }
                #expect(found == view.member(name, of: object), "\(name)")
            }
            #expect(view.member("lat", of: object) == nil)
            let names = view.names(of: object)
            #expect(names == ["geo", "name", "name", "é"])
        }
    }

    private static let texts = [
        "null", "true", "false", "-1.50e+3", #""""#, #""é\u00e9""#, "[]", "{}", "[[],{},[[]]]",
        #"{"a":{"b":[1,{"c":null}]},"d":[true,false]}"#,
        #"{"a":"\"\\\n\t\b\f\r"}"#, #"{"a":"\/"}"#, #"{"\u0061":1}"#, #"{"a":1,"a":2}"#, #"["\u001f","\\u0041","\\/"]"#,
        "[1 ]", "[ 1]", "[1, 2]", #"{"a" :1}"#, #"{"a": 1}"#, "[[1] ]", "[[ ]]", "{ }", "[{\"a\":1}\n,2]", #"[1,[2,[3]],4]"#,
        "[\"\u{7F}\u{2028}\"]",
    ]

    @Test("A compact text is the one that is written", arguments: texts)
    func compactTexts(_ text: String) throws {
        for text in [text, "[0,\(text),0]", "[ \(text) ,0]", "{\"x\":\(text)}"] {
            try withTape(text) { view in
                var word = view.root
                while word < view.end(of: view.root) || word == view.root {
                    let (written, compact) = (JSONOutput(), JSONOutput())
                    view.write(word, into: written)
                    #expect(view.compactText(at: word, compact) == written.bytes)
                    word = view.isContainer(word) ? view.first(in: word) : view.next(after: word)
                }
            }
        }
    }

    @Test("Values are compared by their texts", arguments: texts)
    func valuesByText(_ text: String) throws {
        for other in Self.texts {
            try withTape("[\(text),[7, \(other) ]]") { view in
                let value = view.first(in: view.root)
                let otherValue = view.next(after: view.first(in: view.next(after: value)))
                let (mine, theirs) = (JSONOutput(), JSONOutput())
                view.write(value, into: mine)
                view.write(otherValue, into: theirs)
                let isSame = view.value(at: value, isWrittenLike: otherValue)
                #expect(isSame == view.value(at: otherValue, isWrittenLike: value))
                if isSame { #expect(mine.bytes == theirs.bytes) }
                if text == other { #expect(isSame) }
            }
        }
    }

    @Test("Names are compared by unescaped bytes")
    func names() throws {
        try withTape(#"{"\u0061b":1,"abcdefghi":2}"#) { view in
            var name = view.first(in: view.root)
            func matches(_ text: String) -> Bool { UTF8Bytes.withBytes(of: text) { view.string(at: name, equals: $0) } }
            #expect(matches("ab"))
            #expect(!matches("\\u0061b"))
            name = view.next(after: view.value(ofName: name))
            #expect(matches("abcdefghi"))
            #expect(!matches("abcdefghj"))
            #expect(view.next(after: view.value(ofName: name)) == view.end(of: view.root))
        }
    }

    @Test("A long text is not equal to the short string at which it begins")
    func longTextAndShortString() throws {
        let bytes = Array(#"{"\n":""#.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 24) + Array(#""}"#.utf8)
        try Tape.with(bytes.span, options: JSONReadingOptions()) { tape in
            let name = tape.view.first(in: tape.view.root)
            // The text from the name on. The highest bit of its length is in the place of the flag for escapes.
            let isEqual = tape.withText { tape.view.string(at: name, equals: $0.extracting(2..<(1 << 24) + 4)) }
            #expect(!isEqual)
        }
    }

    @Test("Other kinds have no bytes, elements, or members")
    func otherKinds() throws {
        try withTape(#"[null,true,"x",-1.5e3,[],{"a":1}]"#) { view in
            var word = view.first(in: view.root)
            var bytes: [Int] = []
            var counts: [Int] = []
            while word < view.end(of: view.root) {
                bytes.append(view.withBytes(at: word) { $0.count })
                counts.append(view.count(at: word))
                if !view.isContainer(word) { #expect(view.end(of: word) == word) }
                word = view.next(after: word)
            }
            #expect(bytes == [0, 0, 1, 6, 0, 0])
            #expect(counts == [0, 0, 0, 0, 0, 1])
        }
    }

    @Test("Lengths around the maximum of a tape word", arguments: 0...9)
    func secondWords(shortLength: Int) throws {
        let texts = (0...12).map { String(repeating: "x", count: $0) }
        let members =
            texts.map { #""\#($0)":"\#($0)é","\#($0)\n":1\#($0.map { _ in "0" }.joined())"# } + [#""xxxx":null"#, #""\u0078":[]"#]
        let text = "[{" + members.joined(separator: ",") + #"},"xxxxxxx"]"#
        let expected = try JSON(parsing: text)
        try UTF8Bytes.withBytes(of: text) { bytes in
            try Tape.with(bytes, options: JSONReadingOptions(), shortLength: shortLength) { tape in
                let view = tape.view
                #expect(view.json(at: view.root).isIdentical(to: expected))
                #expect(tape.duplicates.count == 2)
                let object = view.first(in: view.root)
                #expect(view.hasDuplicates(object) && view.count(at: object) == members.count + texts.count)
                let index = TapeNameIndex(object, of: view)
                for text in texts {
                    for name in [text, text + "\n"] {
                        let value = try #require(view.member(name, of: object))
                        #expect(index.value(name, in: view) == value)
                        #expect(view.json(at: value) == expected[0]?[name])
                    }
                }
                #expect(view.member("xxxx", of: object).map(view.isNull) == true)
                #expect(view.string(at: view.next(after: object), equals: "xxxxxxx"))
                #expect(view.next(after: view.next(after: object)) == view.end(of: view.root))
            }
        }
    }

    @Test("A tape that outlives its text keeps a copy")
    func outliving() throws {
        var kept: Tape?
        try Tape.with(Array(#"{"a":"long enough to be somewhere else"}"#.utf8).span, options: JSONReadingOptions()) { kept = $0 }
        let tape = try #require(kept)
        #expect(tape.view.json(at: 0) == ["a": "long enough to be somewhere else"])
        #expect(tape.withText { $0.count } == 40)
    }

    #if os(Linux) || os(macOS)
        @Test("An index beyond the tape traps")
        func behindTheTape() async {
            await #expect(processExitsWith: .failure) {
                try Tape.with(Array("[1,2]".utf8).span, options: JSONReadingOptions()) { tape in _ = tape.view.isNull(4) }
            }
            await #expect(processExitsWith: .failure) {
                try Tape.with(Array("[1,2]".utf8).span, options: JSONReadingOptions()) { tape in _ = tape.view.next(after: -1) }
            }
        }

        #if DEBUG
            @Test("An index of a second word is found by assertions")
            func secondWord() async {
                await #expect(processExitsWith: .failure) {
                    try Tape.with(Array("[[1],2]".utf8).span, options: JSONReadingOptions()) { tape in _ = tape.view.kind(at: 3) }
                }
            }
        #else
            @Test("An index of a second word is not a value")
            func secondWord() throws {
                try withTape("[[1],2]") { view in
                    #expect(!view.isNull(3) && !view.isString(3) && !view.isContainer(3))
                    #expect(view.string(at: 3) == "" && view.count(at: 3) == 0 && view.next(after: 3) == 4)
                    #expect(view.withBytes(at: 3) { $0.count } == 0)
                }
            }
        #endif
    #endif
}
