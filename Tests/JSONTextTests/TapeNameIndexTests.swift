import JSONText
import TestSupport
import Testing

@Suite("The index of an object's names")
struct TapeNameIndexTests {
    private func withTape(_ text: String, _ body: (TapeView) throws -> Void) throws {
        try UTF8Bytes.withBytes(of: text) { bytes in
            try Tape.with(bytes, options: JSONReadingOptions()) { tape in try body(tape.view) }
        }
    }

    @Test("The last value of a repeated name counts, with any escapes")
    func repeatedNames() throws {
        try withTape(#"{"a":1,"b":[{"a":9}],"\u0061":2,"":3,"c":4,"":5}"#) { view in
            let index = TapeNameIndex(view.root, of: view)
            #expect(index.distinctCount == 4)
            #expect(index.value("a", in: view).map(view.numberText) == "2")
            #expect(index.value("", in: view).map(view.numberText) == "5")
            #expect(index.value("c", in: view).map(view.numberText) == "4")
            #expect(index.value("b", in: view).map(view.isArray) == true)
            #expect(index.value("d", in: view) == nil)
            var last: [Bool] = []
            view.forEachMember(of: view.root) { name, _ in last.append(index.isLast(nameAt: name, in: view)) }
            #expect(last == [false, true, true, false, true, true])
        }
    }

    @Test("Composed and decomposed letters are different names")
    func normalization() throws {
        try withTape("{\"\u{E9}\":1,\"e\u{301}\":2}") { view in
            let index = TapeNameIndex(view.root, of: view)
            #expect(index.distinctCount == 2)
            #expect(index.value("\u{E9}", in: view).map(view.numberText) == "1")
            #expect(index.value("e\u{301}", in: view).map(view.numberText) == "2")
        }
    }

    @Test("Every name of a large object is found without a scan", arguments: [0, 1, 7, 8, 9, 5_000])
    func manyNames(_ count: Int) throws {
        // Names that a weak hash would put into one slot: zeros and one letter at every place, or numbers in one pattern.
        let names = (0..<count).map { $0 % 2 == 0 ? String(repeating: "0", count: $0 % 60) + "\($0)" : "\($0 &* 65_536)" }
        let text = "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
        var expected: [String: Int] = [:]
        for (number, name) in names.enumerated() { expected[name] = number }
        try withTape(text) { view in
            let index = TapeNameIndex(view.root, of: view)
            #expect(index.distinctCount == expected.count)
            for name in expected.keys.prefix(100) { #expect(view.member(name, of: view.root) == index.value(name, in: view)) }
            #expect(expected.allSatisfy { name, number in index.value(name, in: view).map(view.numberText) == String(number) })
        }
    }

    @Test("Hash collisions do not make look-up slow")
    func hostileNames() throws {
        let growth = try TimeGrowth(from: 2_500) { count in
            // Equal length, equal first and last bytes, equal sums: pairs of one code unit up and the next one down.
            let names = (0..<count).map { number in
                let digits = (0..<17).map { number >> $0 & 1 == 0 ? "bd" : "cc" }.joined()
                return "aaaaaaaaaaaaaaaa" + digits + "aaaaaaaaaaaaaaaa"
            }
            var seconds = 0.0
            try withTape("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}") { view in
                seconds = processorSeconds {
                    let index = TapeNameIndex(view.root, of: view)
                    #expect(index.distinctCount == names.count)
                    #expect(names.allSatisfy { index.value($0, in: view) != nil })
                }
            }
            return seconds
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Other values have no names")
    func otherValues() throws {
        try withTape("[1]") { view in
            let index = TapeNameIndex(view.root, of: view)
            #expect(index.distinctCount == 0)
            #expect(index.value("a", in: view) == nil)
        }
    }
}
