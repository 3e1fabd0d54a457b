import Foundation
import JSONText
import Testing

@testable import JSONAPICommand

@Suite("Lines and columns of pointers")
struct TextPositionTests {
    private func positions(_ text: String, _ pointers: String...) throws -> [String?] {
        TextPlaces(Data(text.utf8)).positions(of: try pointers.map { try JSONPointer(parsing: $0) }).map { $0?.description }
    }

    @Test("Each pointer gets its place, in any order")
    func places() throws {
        let text = "{\n  \"a\": [1, \"x\",\n    {\"b\": null}],\n  \"c\": true\n}"
        #expect(
            try positions(text, "/c", "", "/a/1", "/a/2/b", "/a/0", "/a/2", "/a")
                == ["4:8", "1:1", "2:12", "3:11", "2:9", "3:5", "2:8"])
    }

    @Test("Each line ending counts once, and a byte-order mark does not count")
    func lineEnds() throws {
        #expect(try positions("\u{FEFF}[1,\r\n2,\r3,\n4]", "/0", "/1", "/2", "/3") == ["1:2", "2:1", "3:1", "4:1"])
    }

    @Test("A pointer to nothing has no place")
    func nowhere() throws {
        #expect(try positions(#"{"a": [1]}"#, "/b", "/a/1", "/a/-", "/a/0/c") == [nil, nil, nil, nil])
    }

    @Test("Names with escapes are found")
    func escapes() throws {
        #expect(try positions(#"{"a\/b": 1, "~": 2}"#, "/a~1b", "/~0") == ["1:10", "1:18"])
    }
}
