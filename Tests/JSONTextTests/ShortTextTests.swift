import JSONText
import Testing

/// Texts that are hashed, compared and written as words must be what they are by their bytes.
@Suite struct ShortTextTests {
    /// The same text in memory of its own, where a string of so few bytes would hold them in itself.
    private func elsewhere(_ text: String) -> String {
        var long = text + String(repeating: "-", count: 40)
        long.removeLast(40)
        return long
    }

    private static let samples = (0...17).map { String("0123456789abcdefgh".prefix($0)) } + ["é", "日本語日本", "日本語日本語", "\"", "\u{0}\u{1F}"]

    @Test("A text of up to fifteen bytes is short, wherever its bytes are", arguments: samples)
    func length(_ text: String) {
        _ = JSONOutput()
        let short = ShortText(text)
        #expect((short != nil) == (text.utf8.count < 16))
        #expect(ShortText(elsewhere(text)) == short)
        #expect(short?.string ?? text == text)
        #expect(short?.count ?? text.utf8.count == text.utf8.count)
    }

    @Test("Strings look here as they are believed to")
    func layout() {
        _ = JSONOutput()
        // Elsewhere everything would still be right, only slower: then this has to be looked at.
        #expect(ShortText(inside: "fifteen bytes..") != nil)
        #expect(ShortText(inside: "sixteen bytes...") == nil)
        #expect(ShortText(inside: elsewhere("few")) == nil)
        #expect(ShortText(inside: nil) == nil)
    }

    @Test("A short text is written with its escapes as any other", arguments: [0, 1, 7, 8, 9, 14])
    func escapes(_ place: Int) {
        for escaped in ["\"", "\\", "\n", "\u{1}", "/", "é", "\u{7F}"] {
            var text = String(repeating: "x", count: 14 - place)
            text.insert(contentsOf: escaped, at: text.index(text.startIndex, offsetBy: min(place, text.count)))
            for slashes in [false, true] {
                let one = JSONOutput(escapesSlashes: slashes)
                one.string(text)
                let other = JSONOutput(escapesSlashes: slashes)
                other.string(elsewhere(text))
                #expect(one.string == other.string)
            }
        }
    }

    @Test("A piece is written as it is, up to 32 bytes, at every place of a text that grows")
    func pieces() {
        for length in 0...29 {
            let name = String("abcdefghijklmnopqrstuvwxyzABC".prefix(length))
            guard let piece = OutputPiece("\"", name, "\":") else {
                Issue.record("no piece of \(length + 3) bytes")
                continue
            }
            let output = JSONOutput(capacity: 16)
            var expected: [String] = []
            output.beginObject()
            for index in 0..<20 {
                output.member(piece, string: String(repeating: "y", count: index))
                output.member(piece, integer: Int64(index) - 10)
                output.member(piece, bool: index % 2 == 0)
                expected.append("\"\(name)\":\"\(String(repeating: "y", count: index))\"")
                expected.append("\"\(name)\":\(index - 10)")
                expected.append("\"\(name)\":\(index % 2 == 0)")
            }
            output.endObject()
            #expect(output.string == "{" + expected.joined(separator: ",") + "}")
        }
        #expect(OutputPiece("\"", "abcdefghijklmnopqrstuvwxyzABCD", "\":") == nil)
    }
}
