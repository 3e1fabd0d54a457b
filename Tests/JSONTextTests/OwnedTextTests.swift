import TestSupport
import Testing

@testable import JSONText

/// Tapes that outlive the text of the caller. They share memory only one after the other.
@Suite("A tape that owns its text")
struct OwnedTextTests {
    private let options = JSONReadingOptions()

    private func list(_ count: Int) -> [UInt8] { Array("[\((0..<count).map(String.init).joined(separator: ","))]".utf8) }

    @Test("A small one does not keep the memory of a large one")
    func smallAfterLarge() throws {
        let large = list(20_000)
        let memory = try large.withUnsafeBufferPointer { try Tape.borrowing($0, options: options).giveUpMemory() }
        let small = list(10)
        let tape = try small.withUnsafeBufferPointer { bytes in
            let tape = try Tape.borrowing(bytes, options: options, reusing: memory)
            tape.takeOwnership()
            return tape
        }
        #expect(tape.view.count(at: tape.view.root) == 10)
        #expect(tape.withText { Bytes.areEqual($0, small.span) })
        let kept = try #require(tape.giveUpMemory())
        #expect(kept.capacity < 600)
        kept.deallocate()
    }

    @Test("Texts of many sizes stay what they were while others come and go")
    func comingAndGoing() throws {
        let sizes = [3, 60_000, 70_000, 140_000, 300_000, 520_000, 530_000]
        var random = SeededRandom(seed: 7)
        var kept: [(text: [UInt8], tape: Tape)] = []
        for step in 0..<200 {
            let size = sizes.randomElement(using: &random) ?? 0
            let text = Array("\"".utf8) + [UInt8](repeating: UInt8(97 + step % 26), count: size) + Array("\"".utf8)
            try text.withUnsafeBufferPointer { bytes in
                let tape = try Tape.borrowing(bytes, options: options)
                tape.takeOwnership()
                kept.append((text, tape))
            }
            if kept.count > 6 { kept.remove(at: Int.random(in: 0..<kept.count, using: &random)) }
            #expect(kept.allSatisfy { kept in kept.tape.withText { Bytes.areEqual($0, kept.text.span) } })
        }
    }
}
