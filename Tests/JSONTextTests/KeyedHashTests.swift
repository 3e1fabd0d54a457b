import JSONText
import Testing

@Suite("The hash of identities")
struct KeyedHashTests {
    private func hash(_ text: String, _ keys: KeyedHash = .shared, into state: UInt64 = 0) -> UInt64 {
        let bytes = Array(text.utf8)
        return keys.mix(bytes.span, into: state)
    }

    @Test("Different texts have different hashes")
    func textsDiffer() {
        for number: UInt64 in 1...60 {
            expectDifferent(KeyedHash(first: number &* 0x9E37_79B9_7F4A_7C15, second: number &* 0xD1B5_4A32_D192_ED03 | 1))
        }
        expectDifferent(.shared)
    }

    private func expectDifferent(_ keys: KeyedHash) {
        var texts: Set<String> = []
        for number in 0..<3000 { texts.insert(String(number)) }
        for count in 0..<70 {
            texts.insert(String(repeating: "a", count: count))
            texts.insert(String(repeating: "\0", count: count))
            for place in 0..<count {
                texts.insert(String(repeating: "a", count: place) + "b" + String(repeating: "a", count: count - place - 1))
            }
        }
        #expect(Set(texts.map { hash($0, keys) }).count == texts.count)
        // The upper half alone tells nearly all apart: tables compare it first.
        #expect(Set(texts.map { hash($0, keys) >> 32 }).count > texts.count - 4)
    }

    @Test("An empty text has one hash, with or without a base address")
    func empty() {
        #expect(KeyedHash.shared.mix(Span(), into: 7) == hash("", into: 7))
    }

    @Test("The hash depends on earlier input")
    func stateCounts() {
        #expect(hash("1", into: hash("people")) != hash("1", into: hash("tags")))
        #expect(hash("people", into: hash("1")) != hash("1", into: hash("people")))
    }

    @Test("The hash depends on the keys")
    func keysCount() {
        #expect(hash("1", KeyedHash(first: 1, second: 3)) != hash("1", KeyedHash(first: 2, second: 3)))
    }
}
