import Foundation
import JSONAPICodec
import JSONAPIStore
import JSONText
import TestSupport
import Testing

/// A store that reads sloppy documents keeps what its decoder reads.
@Suite struct LenientIntakeTests {
    private struct Report: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person> = .notLoaded
        var editor: Person?
        var rev: ResourceMeta<[String: Int]>?
    }

    private let lenient = JSONAPIDecoder(mode: .lenient)

    private func person(_ id: String, _ name: String) -> String {
        #"{"type":"people","id":"\#(id)","attributes":{"name":"\#(name)"}}"#
    }

    private func report(author: String, editor: String = "null", included: String = "") -> Data {
        let relationships = #"{"author":{"data":\#(author)},"editor":{"data":\#(editor)}}"#
        return Data(#"{"data":{"type":"articles","id":"1","relationships":\#(relationships)},"included":[\#(included)]}"#.utf8)
    }

    @Test func wholeResourcesInRelationshipsAreResourcesOfTheStore() throws {
        let store = ResourceStore(decoder: lenient)
        _ = try store.decode(Person.self, from: Data(#"{"data":\#(person("9", "Old"))}"#.utf8))
        let read = try store.decode(Report.self, from: report(author: person("9", "New"), editor: person("9", "New")))
        #expect(read.author.value?.name == "New" && read.editor?.name == "New")
        #expect(try store.resource(Person.self, id: "9")?.name == "New")
        _ = try store.decode(Person.self, from: Data(#"{"data":\#(person("9", "Newer"))}"#.utf8))
        let again = try #require(try store.resource(Report.self, id: "1"))
        #expect(again.author.value?.name == "Newer" && again.editor?.name == "Newer")
    }

    @Test(arguments: [ResourceStore.Keeping.everything, .included, .nothing])
    func wholeResourcesAreReadHoweverTheDocumentIsKept(keeping: ResourceStore.Keeping) throws {
        let store = ResourceStore(decoder: lenient)
        let nested = #"{"type":"people","id":"9","attributes":{"name":"Ann"},"relationships":{"articles":{"data":[]}}}"#
        let read = try store.decode(Report.self, from: report(author: nested), keeping: keeping)
        #expect(read.author.value?.name == "Ann")
    }

    @Test func whatIsIncludedCountsMoreThanWhatIsEmbedded() throws {
        let document = report(author: person("9", "Embedded"), editor: person("9", "Second"), included: person("9", "Included"))
        let store = ResourceStore(decoder: lenient)
        let read = try store.decode(Report.self, from: document)
        let decoded = try lenient.decode(Report.self, from: document)
        #expect(read.author.value?.name == decoded.author.value?.name && read.author.value?.name == "Included")
        let other = report(author: person("9", "First"), editor: person("9", "Second"))
        let first = try ResourceStore(decoder: lenient).decode(Report.self, from: other)
        #expect(try first.author.value?.name == lenient.decode(Report.self, from: other).author.value?.name)
    }

    @Test func `a custom policy gets each identity of a document once, wherever the whole resources are`() throws {
        let text = report(author: person("9", "First"), editor: person("9", "Second"), included: person("9", "Included"))
        let store = ResourceStore(decoder: lenient)
        let names = Record<String>()
        let policy = MergePolicy.custom { _, newer in
            if newer.id == "9" { names.append(newer[attribute: "name"]?.string ?? "") }
            return newer
        }
        try store.ingest(document(String(decoding: text, as: UTF8.self)), merging: policy)
        #expect(names.elements.isEmpty && store[.person("9")]?[attribute: "name"] == "Included")
        _ = try store.decode(Report.self, from: report(author: person("9", "Third"), editor: person("9", "Fourth")), merging: policy)
        #expect(names.elements == ["Third"])
    }

    @Test func anIngestedDocumentKeepsWholeResources() throws {
        let store = ResourceStore(decoder: lenient)
        let document = try lenient.decode(Document<Report>.self, from: report(author: person("9", "Ann")))
        try store.ingest(document)
        #expect(try store.resource(Person.self, id: "9")?.name == "Ann")
        #expect(try store.resource(Report.self, id: "1")?.author.value?.name == "Ann")
    }

    @Test func aRawResourceKeepsWholeResources() throws {
        let store = ResourceStore(decoder: lenient)
        let raw = try lenient.decode(ResourceObject.self, from: report(author: person("9", "Ann")))
        try store.ingest(raw)
        #expect(try store.resource(Person.self, id: "9")?.name == "Ann")
        #expect(try store.resource(Report.self, id: "1")?.author.value?.name == "Ann")
        // The same from an archive of a store that did not look for them.
        let plain = ResourceStore()
        try plain.ingest(raw)
        let other = ResourceStore(decoder: lenient)
        let file = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try plain.save(to: file)
        try other.ingest(Archive(contentsOf: file))
        #expect(try other.resource(Person.self, id: "9")?.name == "Ann")
    }

    @Test func wholeResourcesAreKeptBesideIncludedOnes() throws {
        let store = ResourceStore(decoder: lenient)
        let read = try store.decode(Report.self, from: report(author: person("9", "Ann")), keeping: .included)
        #expect(read.author.value?.name == "Ann" && store.identifiers == [.person("9")])
    }

    @Test func theIdentifierOfAWholeResourceHasNoMetaThatIsNoObject() throws {
        let store = ResourceStore(decoder: lenient)
        let whole = #"{"type":"people","id":"9","attributes":{"name":"Ann"},"meta":[]}"#
        _ = try store.decode(Report.self, from: report(author: whole))
        let linkage = store[ResourceIdentifier(type: "articles", id: "1")]?.relationships?["author"]?.data
        #expect(linkage == .one(.person("9")))
    }

    @Test func withoutTheLeniencyLinkageIsOnlyLinkage() throws {
        let store = ResourceStore()
        let read = try store.decode(Report.self, from: report(author: person("9", "Ann")))
        #expect(read.author.identifier?.id == "9" && read.author.value == nil)
        #expect(try store.resource(Person.self, id: "9") == nil)
    }

    @Test(arguments: ["null", "[]"])
    func whatIsReadAsAbsentKeepsWhatTheStoreHas(value: String) throws {
        let store = ResourceStore(decoder: lenient)
        let full = #"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}},"meta":{"rev":1}}"#
        _ = try store.decode(Report.self, from: Data(#"{"data":\#(full)}"#.utf8))
        let sloppy = #"{"type":"articles","id":"1","relationships":{"author":\#(value)},"meta":\#(value)}"#
        let read = try store.decode(Report.self, from: Data(#"{"data":\#(sloppy)}"#.utf8))
        #expect(read.author.identifier == .person("9"))
        #expect(read.rev?.value == ["rev": 1])
    }

    @Test func aTypeThatTheServerLeavesOutIsThatOfTheModel() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .missingTypes
        let store = ResourceStore(decoder: decoder)
        let people = try store.decode([Person].self, from: Data(#"{"data":[{"id":"1","attributes":{"name":"Ann"}}]}"#.utf8))
        #expect(people.map(\.name) == ["Ann"])
        #expect(try store.resource(Person.self, id: "1")?.name == "Ann")
    }

    @Test func aResourceThatTheSourceCannotReadIsAnEncodingError() throws {
        let included = #"{"type":"people","id":"9","attributes":{"name":"Ann"},"relationships":[]}"#
        let document = try lenient.decode(Document<Report>.self, from: report(author: #"{"type":"people","id":"9"}"#, included: included))
        let store = ResourceStore()
        try store.ingest(document)
        let read = try #require(try store.resource(Report.self, id: "1"))
        let error = #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(read) }
        #expect(error?.failure?.resource == .person("9"))
        #expect(error?.failure?.advice?.contains("options of the decoder") == true)
    }
}
