import JSONText
import Testing

@Suite("The filter of an object's names")
struct NameFilterTests {
    private func check(_ names: [String], escaped: Bool) throws -> (filter: NameFilter, isComplete: Bool) {
        let members = names.map { name in
            let text = escaped ? name.unicodeScalars.map { "\\u" + String(0x10000 + $0.value, radix: 16).dropFirst() }.joined() : name
            return "\"\(text)\":1"
        }
        return try UTF8Bytes.withBytes(of: "{" + members.joined(separator: ",") + "}") { bytes in
            try Tape.with(bytes, options: JSONReadingOptions()) { tape in
                let filter = NameFilter(namesOf: tape.view.root, in: tape.view)
                return (filter, names.allSatisfy { UTF8Bytes.withBytes(of: $0) { filter.mayContain($0) } })
            }
        }
    }

    @Test("It contains every name of the object, empty and with escapes too", arguments: [false, true])
    func containsAll(escaped: Bool) throws {
        let letters = Array("abcdefgé世")
        for _ in 0..<200 {
            let names = (0..<Int.random(in: 0...12)).map { _ in
                String((0..<Int.random(in: 0...9)).map { _ in letters.randomElement() ?? "a" })
            }
            #expect(try check(names, escaped: escaped).isComplete, "\(names)")
        }
    }

    @Test("It tells most absent names from those of a small object")
    func absent() throws {
        let filter = try check(["area", "badge", "contact"], escaped: false).filter
        let others = ["alias", "building", "floor", "language", "manager", "mobile", "motto", "office", "region", "room", ""]
        #expect(others.filter { UTF8Bytes.withBytes(of: $0) { filter.mayContain($0) } }.count <= 1)
    }
}
