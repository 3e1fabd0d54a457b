import JSONText
import Testing

/// Prepared texts, and texts that grow: what is written is what was asked for, at every length.
@Suite struct OutputPiecesTests {
    /// The same text in memory of its own, where a string of so few bytes would hold them in itself.
    private func elsewhere(_ text: String) -> String {
        var long = text + String(repeating: "-", count: 40)
        long.removeLast(40)
        return long
    }

    @Test("Strings of any length and alignment are written with escapes", arguments: 0...40)
    func escapes(_ length: Int) throws {
        for escaped in ["", "\"", "\\", "\n", "\u{1}", "/", "é", "\u{7F}"] {
            for place in 0...length {
                let text = String(repeating: "x", count: place) + escaped + String(repeating: "y", count: length - place)
                for slashes in [false, true] {
                    let one = JSONOutput(escapesSlashes: slashes, capacity: 16)
                    one.string(text)
                    let other = JSONOutput(escapesSlashes: slashes)
                    other.string(elsewhere(text))
                    #expect(one.string == other.string)
                    #expect(try JSON(parsing: one.bytes) == .string(text))
                    #expect(one.string.contains("\\/") == (slashes && escaped == "/"))
                }
            }
        }
    }

    private func add(_ name: String, to pieces: OutputPieces) -> Int? { pieces.append("\"", Array(name.utf8).span, "\":") }

    private func isName(_ pieces: OutputPieces, _ piece: Int, _ name: String) -> Bool {
        pieces.piece(piece, isName: Array(name.utf8).span)
    }

    private let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    @Test("Pieces of up to 64 bytes are written at every offset")
    func pieces() throws {
        let pieces = OutputPieces()
        for length in 0...61 {
            let name = String(letters.prefix(length))
            let piece = try #require(add(name, to: pieces))
            #expect(isName(pieces, piece, name))
            #expect(!isName(pieces, piece, name + "x"))
            if length > 0 { #expect(!isName(pieces, piece, name.dropLast() + "-")) }
            let output = JSONOutput(capacity: 16)
            var expected: [String] = []
            output.beginObject()
            for index in 0..<20 {
                output.member(piece, of: pieces, string: String(repeating: "y", count: index))
                output.member(piece, of: pieces, integer: Int64(index) - 10)
                output.member(piece, of: pieces, bool: index % 2 == 0)
                expected.append("\"\(name)\":\"\(String(repeating: "y", count: index))\"")
                expected.append("\"\(name)\":\(index - 10)")
                expected.append("\"\(name)\":\(index % 2 == 0)")
            }
            output.endObject()
            #expect(output.string == "{" + expected.joined(separator: ",") + "}")
        }
        #expect(add(String(repeating: "z", count: 62), to: pieces) == nil)
        #expect(pieces.count == 62)
    }

    @Test("The range after a mark excludes the comma")
    func ranges() {
        let output = JSONOutput()
        output.beginArray()
        let first = output.mark
        output.integer(12)
        #expect(output.bytes(in: output.range(from: first)) == Array("12".utf8))
        let second = output.mark
        output.string(",")
        #expect(output.bytes(in: output.range(from: second)) == Array("\",\"".utf8))
        output.reset(to: second)
        #expect(output.bytes(in: output.range(from: second)).isEmpty)
        output.endArray()
        #expect(output.string == "[12]")
    }
}
