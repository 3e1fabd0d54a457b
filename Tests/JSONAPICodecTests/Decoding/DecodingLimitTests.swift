import Foundation
import JSONAPICodec
import Testing

/// Each limit is exact on every path.
@Suite struct DecodingLimitTests {
    private struct Item: Resource {
        static let type = "items"
        var id: String
        var parts: [Item]?
    }

    private func kind(_ body: () throws -> Void) -> DecodingFailure.Kind? {
        do { try body() } catch { return (error as? DecodingError)?.failure?.kind }
        return nil
    }

    private func items(_ range: Range<Int>) -> String {
        range.map { #"{"type":"items","id":"\#($0)"}"# }.joined(separator: ",")
    }

    @Test(arguments: [(10, 0), (0, 10), (6, 4), (1, 9)])
    func maximumResourcesIsInclusive(primary: Int, included: Int) throws {
        let text = #"{"data":[\#(items(0..<primary))],"included":[\#(items(primary..<primary + included))]}"#
        var decoder = JSONAPIDecoder()
        decoder.maximumResources = 10
        #expect(try decoder.decode([Item].self, from: Data(text.utf8)).count == primary)
        #expect(try decoder.decode(Document<[Item]>.self, from: Data(text.utf8)).data.count == primary)
        decoder.maximumResources = 9
        #expect(kind { _ = try decoder.decode([Item].self, from: Data(text.utf8)) } == .resourceLimit)
    }

    @Test func resourcesInsideRelationshipsCountTowardTheLimit() throws {
        let parts = (1...5).map { #"{"type":"items","id":"\#($0)","attributes":{"n":1}}"# }.joined(separator: ",")
        let text = #"{"data":[{"type":"items","id":"0","relationships":{"parts":{"data":[\#(parts)]}}}]}"#
        var decoder = JSONAPIDecoder()
        decoder.leniencies.insert(.embeddedResources)
        decoder.maximumResources = 6
        #expect(try decoder.decode([Item].self, from: Data(text.utf8)).first?.parts?.count == 5)
        decoder.maximumResources = 5
        #expect(kind { _ = try decoder.decode([Item].self, from: Data(text.utf8)) } == .resourceLimit)
    }

    private struct Part: Resource {
        static let type = "parts"
        var id: String
        var part: ToOne<Part>?
    }

    @Test func resourcesInsideEachOtherAreCopiedOnce() throws {
        let depth = 100
        let text =
            (0..<depth).map { #"{"type":"parts","id":"\#($0)","attributes":{"n":\#($0)},"relationships":{"part":{"data":"# }.joined()
            + "null" + String(repeating: "}}}", count: depth)
        let data = Data(#"{"data":\#(text)}"#.utf8)
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<Part>.self, from: data)
        #expect(document.data.part?.identifier?.additionalMembers == [:])
        let written = try JSONAPIEncoder().encode(document)
        #expect(written.count < 3 * data.count)
        #expect(try JSONAPIDecoder().decode(Document<Part>.self, from: written).data.part?.value?.part?.value?.id == "2")
        #expect(String(decoding: written, as: UTF8.self).contains(#""n":99"#))
    }

    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var next: [Node]?
    }

    /// Nodes that all link to each other.
    private func everyToEvery(_ count: Int) -> Data {
        let linkage = (0..<count).map { #"{"type":"nodes","id":"\#($0)"}"# }.joined(separator: ",")
        let nodes = (0..<count).map { #"{"type":"nodes","id":"\#($0)","relationships":{"next":{"data":[\#(linkage)]}}}"# }
        return Data(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8)
    }

    /// The number of nodes in all values together.
    private func size(_ nodes: [Node]) -> Int { nodes.reduce(0) { $0 + 1 + size($1.next ?? []) } }

    @Test func maximumExpansionsIsInclusive() throws {
        // A value with a cut is not reused. All except the first of each node are repeated.
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let data = everyToEvery(4)
        let total = size(try decoder.decode([Node].self, from: data))
        #expect(total == 4 * (1 + 3 * (1 + 2 * (1 + 1))))
        decoder.maximumExpansions = total - 4
        #expect(size(try decoder.decode([Node].self, from: data)) == total)
        decoder.maximumExpansions = total - 5
        #expect(kind { _ = try decoder.decode([Node].self, from: data) } == .expansionLimit)
    }

    @Test(arguments: [999, 1000, 1001])
    func aThousandDiagnosticsAreKept(count: Int) throws {
        let items = (0..<count).map { #"{"type":"items","id":"\#($0)","extra":1}"# }.joined(separator: ",")
        var decoder = JSONAPIDecoder()
        decoder.maximumDiagnosticBytes = 1 << 24
        let diagnostics = try decoder.decode(Document<[Item]>.self, from: Data(#"{"data":[\#(items)]}"#.utf8)).diagnostics
        #expect(diagnostics.count(of: .unknownMember) == count)
        #expect(diagnostics.count == min(count, 1000) && diagnostics.omittedCount == max(0, count - 1000))
    }
}
