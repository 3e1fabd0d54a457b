import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import Testing

/// Leniencies and local identities in documents that are read part by part.
@Suite struct StreamLeniencyTests {
    typealias Support = StreamingSupport

    struct Item: Resource {
        static let type = "items"
        var id: String?
        var name: String?
        var other: ToOne<Item>
    }

    private let faulty = #"""
        {"data":[{"type":"items","id":7,"attributes":null},{"id":"8","relationships":{"other":{"data":{"type":"items","id":9}}}}],
         "included":[{"type":"items","id":9,"attributes":[]}],"links":null,"meta":null,"extra":1}
        """#

    private func uses(_ diagnostics: Diagnostics) -> Set<String> {
        Set(diagnostics.filter { "\($0.kind)".contains("leniency") }.map { "\($0.kind) \($0.pointer)" })
    }

    @Test("A reader reports the leniencies that the whole document needs, and a stream those of what it reads", arguments: [1, 40, 4000])
    func reported(size: Int) async throws {
        let decoder = JSONAPIDecoder(mode: .lenient)
        let whole = try uses(decoder.decode(Document<[Item]>.self, from: Data(faulty.utf8)).diagnostics)
        #expect(whole.count == 8)
        try Support.withFile(faulty.utf8) { url in
            let reader = try DocumentReader(url, decoder: decoder)
            var found: Set<String> = []
            for cursor in [reader.resources(Item.self), reader.included(Item.self)] {
                #expect(Support.read(cursor).error == nil)
                found.formUnion(uses(cursor.diagnostics))
            }
            #expect(found == whole)
        }
        let stream = DocumentStream(Support.chunks(faulty, size: size), of: Item.self, decoder: decoder)
        #expect(await Support.read(stream).error == nil)
        #expect(uses(stream.diagnostics) == whole.filter { !$0.contains("/included") })
    }

    struct Bare: Resource {
        static let type = "items"
        var id: String
    }

    @Test("A fault that no model is concerned with hides no leniency of its portion", arguments: [1, 4000])
    func besideFaults(size: Int) async throws {
        let text = #"{"data":[{"type":"items","id":7},{"type":"items","id":"8","links":{"self":5}}],"links":null,"meta":5}"#
        let decoder = JSONAPIDecoder(mode: .lenient)
        func check(_ read: (values: [Bare], error: (any Error)?), _ diagnostics: Diagnostics) {
            #expect(read.error == nil && read.values.map(\.id) == ["7", "8"])
            #expect(diagnostics.count(of: .leniency(.integerIDs)) == 1)
            #expect(diagnostics.count(of: .leniency(.nullContainers)) == 1)
            #expect(diagnostics.count == 2)
        }
        let stream = DocumentStream(Support.chunks(text, size: size), of: Bare.self, decoder: decoder)
        check(await Support.read(stream), stream.diagnostics)
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Bare.self)
            check(Support.read(cursor), cursor.diagnostics)
        }
    }

    @Test("Without leniencies, a fault that no model is concerned with is no error and not reported")
    func others() async throws {
        let text = #"{"data":[{"type":"items","id":"1","extra":1}],"other":2}"#
        let stream = DocumentStream(Support.chunks(text, size: 10), of: Item.self)
        #expect(await Support.read(stream).error == nil)
        #expect(stream.diagnostics.isEmpty)
    }

    @Test("Strict mode reads lids of requests, whose resources may be in other parts", arguments: [1, 50, 1000])
    func localIdentities(size: Int) async throws {
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.source = .request
        let link = #""relationships":{"other":{"data":{"type":"items","lid":"b"}}}"#
        let text = #"{"data":[{"type":"items","lid":"a",\#(link)},{"type":"items","lid":"b",\#(link)}]}"#
        let whole = try decoder.decode([Item].self, from: Data(text.utf8)).map(\.other.identifier?.lid)
        #expect(whole == ["b", "b"])
        let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: size), of: Item.self, decoder: decoder))
        #expect(error == nil && values.map(\.other.identifier?.lid) == whole)
        try Support.withFile(text.utf8) { url in
            let read = try Support.read(DocumentReader(url, decoder: decoder).resources(Item.self))
            #expect(read.error == nil && read.values.map(\.other.identifier?.lid) == whole)
        }
    }

    @Test("Rewriters see what the leniencies read as resources")
    func rewritten() async throws {
        var decoder = JSONAPIDecoder(mode: .lenient)
        decoder.rewriters = ["items": Rewriter(unreferenced: .keep) { Rule("name", from: "title").ifMissing { _, _ in "none" } }]
        let other = #"{"type":"items","id":"9","attributes":{"title":"B"}}"#
        let text =
            #"{"data":[{"id":"1","attributes":{"title":"A"},"relationships":{"other":{"data":\#(other)}}},{"type":"items","id":"2"}]}"#
        func names(_ items: [Item]) -> [String?] { items.flatMap { [$0.name, $0.other.value?.name] } }
        let expected = ["A", "B", "none", nil]
        #expect(try names(decoder.decode([Item].self, from: Data(text.utf8))) == expected)
        let (values, error) = await Support.read(DocumentStream(Support.chunks(text, size: 30), of: Item.self, decoder: decoder))
        #expect(error == nil && values.map(\.name) == ["A", "none"])
        try Support.withFile(text.utf8) { url in
            let read = try Support.read(DocumentReader(url, decoder: decoder).resources(Item.self))
            #expect(read.error == nil && names(read.values) == expected)
        }
        let writer = try DocumentWriter(encoder: JSONAPIEncoder()) { _ in }
        try writer.append(contentsOf: values)
        try writer.finish()
    }
}
