import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Offsets of errors, and errors of the bytes themselves.
@Suite struct TextPlaceTests {
    struct Page: Decodable {
        var total: Int
    }

    @Test("An error in meta has a pointer and no offset, because the object is written again before it is read")
    func meta() throws {
        let text = Data(#"{"jsonapi":{"version":"1.1"},"meta":{"total":"x"}}"#.utf8)
        let document = try JSONAPIDecoder().decode(Document<NoData>.self, from: text)
        let failure = try Blog.failure { try document.meta(Page.self) }
        #expect("\(failure.pointer)" == "/meta/total")
        #expect(failure.offset == nil && failure.expected.contains("integer"))
    }

    @Test("An error in a rewritten document has no offset, also not that of another problem")
    func rewritten() throws {
        var decoder = JSONAPIDecoder()
        decoder.rewriters["people"] = Rewriter { Rule("name", from: "full_name") }
        decoder.problems = .all
        let people = (1...2).map { #"{"type":"people","id":"\#($0)","attributes":{"full_name":5}}"# }.joined(separator: ",")
        let failure = try Blog.failure { try decoder.decode([Blog.Person].self, from: Data(#"{"data":[\#(people)]}"#.utf8)) }
        let all = [failure] + failure.others
        #expect(all.map { "\($0.pointer)" } == ["/data/0/attributes/name", "/data/1/attributes/name"])
        #expect(all.allSatisfy { $0.offset == nil && $0.position == nil })
    }
}
