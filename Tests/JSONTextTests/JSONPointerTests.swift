import Foundation
import JSONText
import Testing

@Suite("JSON Pointers")
struct JSONPointerTests {
    /// The document and the table of RFC 6901, section 5.
    @Test(
        "The examples of RFC 6901 lead to their values",
        arguments: [
            ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func examples(text: String, value: String) throws {
        let document: JSON = [
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, #"i\j"#: 5, #"k"l"#: 6, " ": 7,
            "m~n": 8,
        ]
        let pointer = try JSONPointer(parsing: text)
        #expect(document[pointer: pointer]?.description == value)
        #expect(pointer.description == text)
        #expect(document[pointer: .root] == document)
    }

    @Test("Escapes are replaced in one pass")
    func escapes() throws {
        #expect(try JSONPointer(parsing: "/~01/~00/~1~0").tokens == ["~1", "~0", "/~"])
        #expect(JSONPointer("~1", "~0", "/~").description == "/~01/~00/~1~0")
        #expect(try JSONPointer(parsing: "").tokens == [])
        #expect(try JSONPointer(parsing: "/").tokens == [""])
        #expect(try JSONPointer(parsing: "/a//b/").tokens == ["a", "", "b", ""])
        #expect(try JSONPointer(parsing: "/é/\u{1F600}").tokens == ["é", "\u{1F600}"])
    }

    @Test(
        "A syntax error has its offset in bytes",
        arguments: [
            ("a", "missingSlash", 0), ("#/a", "missingSlash", 0), ("/~", "invalidEscape", 1),
            ("/a~2", "invalidEscape", 2),
            ("/é~", "invalidEscape", 3), ("/a/~/b", "invalidEscape", 3),
        ])
    func faults(text: String, kind: String, offset: Int) {
        do {
            _ = try JSONPointer(parsing: text)
            Issue.record("\(text) is no pointer")
        } catch {
            #expect(error.kind.description == kind)
            #expect(error.offset == offset)
        }
    }

    @Test("Array indexes are digits without leading zeros")
    func positions() {
        let array: JSON = [10, 11]
        #expect(array[pointer: JSONPointer("1")] == 11)
        for token in ["-", "01", "00", "2", "-1", "+1", "1.0", "", " 1", "１", "99999999999999999999999"] {
            #expect(array[pointer: JSONPointer(token)] == nil, "\(token)")
        }
        #expect((["01": 1] as JSON)[pointer: JSONPointer("01")] == 1)
        #expect(("text" as JSON)[pointer: JSONPointer("0")] == nil)
    }

    @Test("Setting replaces, adds, and removes in an existing container")
    func setting() {
        var json: JSON = ["data": [["id": "1"], ["id": "2"]]]
        json[pointer: JSONPointer("data", "1", "id")] = "3"
        json[pointer: JSONPointer("data", "0", "type")] = "articles"
        json[pointer: JSONPointer("data", "-")] = 4
        json[pointer: JSONPointer("data", "3")] = "beyond the end"
        json[pointer: JSONPointer("absent", "x")] = "no container"
        json[pointer: JSONPointer("data", "-")] = nil
        #expect("\(json)" == #"{"data":[{"id":"1","type":"articles"},{"id":"3"},4]}"#)
        json[pointer: JSONPointer("data", "0")] = nil
        json[pointer: JSONPointer("data", "0", "id")] = nil
        #expect("\(json)" == #"{"data":[{},4]}"#)
        json[pointer: .root] = nil
        #expect("\(json)" == #"{"data":[{},4]}"#)
        json[pointer: .root] = 1
        #expect(json == 1)
    }

    @Test("Pointers are compared by bytes")
    func equality() {
        #expect(JSONPointer("caf\u{E9}") != JSONPointer("cafe\u{301}"))
        #expect(JSONPointer("a", "b") != JSONPointer("ab"))
        #expect(Set([JSONPointer("a"), JSONPointer("a"), JSONPointer("a", ""), .root]).count == 3)
    }

    @Test("Parents, children, and prefixes")
    func places() {
        let pointer = JSONPointer.root.appending("data").appending(0)
        #expect(pointer.description == "/data/0")
        #expect(pointer.parent == JSONPointer("data"))
        #expect(JSONPointer.root.parent == nil)
        #expect(JSONPointer("data").isPrefix(of: pointer))
        #expect(pointer.isPrefix(of: pointer))
        #expect(JSONPointer.root.isPrefix(of: pointer))
        #expect(!pointer.isPrefix(of: JSONPointer("data")))
        #expect(!JSONPointer("dat").isPrefix(of: pointer))
    }

    @Test("A pointer is encoded as its text")
    func codable() throws {
        let data = try JSONEncoder().encode([JSONPointer("a", "b~")])
        #expect(try JSONDecoder().decode([JSONPointer].self, from: data) == [JSONPointer("a", "b~")])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([JSONPointer].self, from: Data(#"["a"]"#.utf8))
        }
    }
}
