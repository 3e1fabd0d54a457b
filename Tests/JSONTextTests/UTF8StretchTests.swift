import Foundation
import JSONText
import TestSupport
import Testing

/// Texts beyond ASCII are checked in stretches. The judge is the standard library's validation of the same bytes.
struct UTF8StretchTests {
    private static let characters = ["a", "é", "ß", "日", "\u{FFFF}", "🎉", "\u{10FFFF}", "\u{800}", "\u{7FF}", "\u{10000}", "\u{D7FF}"]

    /// Bytes on the edges of what may begin or continue a character.
    private static let bytes: [UInt8] = [
        0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF,
    ]

    /// Both sides have to say the same: of every text in an array, whether it is UTF-8, and what it says.
    private func compare(_ content: [UInt8], _ comment: Comment) {
        var text = Array("[\"".utf8)
        text += content
        text += Array("\"]".utf8)
        let expected = String(validating: content, as: UTF8.self)
        let found = try? JSON(parsing: text)
        #expect(found?.array?.first?.string.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, comment)
    }

    @Test func `every two bytes beyond ASCII, at every distance from the end of a block`() {
        for distance in [0, 1, 2, 3, 13, 14, 15, 16, 126, 127, 128] {
            for first in Self.bytes {
                for second in Self.bytes {
                    let padding = [UInt8](repeating: UInt8(ascii: "x"), count: distance)
                    compare(
                        padding + [first, second] + [UInt8](repeating: UInt8(ascii: "y"), count: 300), "\(distance): \(first) \(second)")
                    compare(padding + [first, second], "\(distance) at the end: \(first) \(second)")
                }
            }
        }
    }

    @Test func `a lead or a character at every place in a short ASCII text`() {
        for length in 16...150 {
            let plain = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            for place in 0..<length {
                for bytes in [[0xC3], [0x80], [0xC3, 0xA9], [0xE6, 0x97], [0xF0, 0x9F, 0x8E, 0x89]] as [[UInt8]] {
                    let content = Array(plain[..<place]) + bytes + plain[place...]
                    compare(content, "\(bytes) at \(place) of \(length)")
                }
            }
        }
    }

    @Test func `every lead with each second and third byte`() {
        for lead in UInt8(0xC0)...0xFF {
            for second in Self.bytes {
                for third in [UInt8(0x7F), 0x80, 0xBF, 0xC0] {
                    let around = Array("0123456789abcdef0123456789".utf8)
                    for bytes in [[lead, second, third], [lead, second, third, 0x80]] {
                        // The last bytes of a text are checked one by one, so the text goes on behind the character.
                        compare(around + bytes + around, "\(bytes)")
                        compare(around + bytes, "\(bytes) at the end")
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<12) func `texts longer than a stretch, with one byte changed`(seed: UInt64) {
        var numbers = SeededRandom(seed: seed)
        for length in [33, 150, 1000, (1 << 15) - 12 + Int(seed), 70_000] {
            let plain = Bool.random(using: &numbers) ? 40 : 2
            var content: [UInt8] = []
            while content.count < length {
                let character = Int.random(in: 0..<plain, using: &numbers) == 0 ? Self.characters.randomElement(using: &numbers) : "a"
                content += Array((character ?? "a").utf8)
            }
            compare(content, "\(length) whole")
            let place = Int.random(in: 0..<content.count, using: &numbers)
            content[place] = Self.bytes.randomElement(using: &numbers) ?? 0xFF
            compare(content, "\(length) changed at \(place)")
            compare(Array(content.dropLast(Int.random(in: 0..<4, using: &numbers))), "\(length) changed and cut")
        }
    }

    @Test func `a character across the end of a stretch, after an escape and before one`() {
        for shift in 0..<8 {
            let plain = String(repeating: "x", count: (1 << 15) - 8 + shift)
            for character in Self.characters {
                let content = plain + character + "é" + character
                #expect((try? JSON(parsing: "[\"\(content)\"]"))?.array?.first?.string == content)
                #expect((try? JSON(parsing: "[\"\\n\(content)\\u00e9\(character)\"]"))?.array?.first?.string == "\n\(content)é\(character)")
            }
        }
    }

    @Test func `the place of the byte that is wrong`() throws {
        for offset in [2, 40, 500, 33_000] {
            var text = Array("[\"".utf8)
            while text.count < offset { text += Array("日".utf8) }
            let fault = text.count
            text += [0xED, 0xA0, 0x80]
            text += Array(String(repeating: "é", count: 300).utf8)
            text += Array("\"]".utf8)
            do {
                _ = try JSON(parsing: text)
                Issue.record("a surrogate was read")
            } catch {
                #expect(error.kind == .invalidUTF8)
                #expect(error.offset == fault)
            }
        }
    }

    @Test func `the place of a byte behind a whole character, in a short text`() {
        for length in 0..<40 {
            let start = Array("[\"".utf8) + [UInt8](repeating: 0x78, count: length) + Array("😀".utf8)
            do {
                _ = try JSON(parsing: start + [0x80] + Array("\"]".utf8))
                Issue.record("a byte that continues nothing was read")
            } catch {
                #expect(error.kind == .invalidUTF8 && error.offset == start.count)
            }
        }
    }

    @Test func `escapes between runs of every length`() throws {
        let escapes = [
            ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("\\b", "\u{8}"), ("\\f", "\u{C}"), ("\\n", "\n"), ("\\r", "\r"), ("\\t", "\t"),
        ]
        for length in 0..<70 {
            for (written, read) in escapes {
                let run = String(repeating: "é日x", count: length).prefix(length)
                let json = try JSON(parsing: "[\"\(run)\(written)\(run)\(written)\"]")
                #expect(json.array?.first?.string == "\(run)\(read)\(run)\(read)")
            }
        }
    }
}
