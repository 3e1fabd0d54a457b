import Foundation
import JSONMapping
import JSONText
import TestSupport
import Testing

@testable import JSONAPICodec
@testable import JSONAPIStreams

@Suite("Documents in files")
struct DocumentReaderTests {
    typealias Support = StreamingSupport

    @Test("References and embedded resources equal those of the whole document")
    func relationships() throws {
        let data = Data(Support.blog.utf8)
        let stories = try JSONAPIDecoder().decode([Support.Story].self, from: data)
        let articles = try JSONAPIDecoder().decode([Support.Article].self, from: data)
        try Support.withFile(data) { url in
            let reader = try DocumentReader(url)
            let (embedded, error) = Support.read(reader.resources(Support.Story.self))
            #expect(error == nil && embedded == stories)
            #expect(embedded[0].related?.first?.author?.name == "Eve")
            let (references, none) = Support.read(reader.resources(Support.Article.self))
            #expect(none == nil && references == articles)
            #expect(references.map { $0.author.value?.name } == ["Dan", "Eve", nil])
            #expect(Support.read(reader.included(Support.Person.self)).values.map(\.name) == ["Dan", "Eve"])
            #expect(Support.read(reader.included(ResourceObject.self)).values.count == 3)
            #expect(try reader.header().meta?["total"]?.int == 3)
            #expect(try reader.resource(Support.Person.self, id: "8")?.name == "Eve")
            #expect(try reader.resource(Support.Person.self, id: "7") == nil)
        }
    }

    @Test("With the leniency, errors beside data come after the resources, and do not disturb look-ups", arguments: [false, true])
    func errorsWithData(isFirst: Bool) throws {
        let errors = #""errors":[{"status":"500"}]"#
        let data = #""data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}]"#
        let included = #""included":[{"type":"people","id":"9","attributes":{"name":"Dan"}}]"#
        let text = "{\((isFirst ? [errors, data, included] : [data, included, errors]).joined(separator: ","))}"
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url, decoder: JSONAPIDecoder(mode: .lenient))
            let cursors = [reader.resources(Support.Story.self), reader.resources(Support.Story.self)]
            for cursor in cursors {
                let (values, error) = Support.read(cursor)
                #expect(values.map(\.author?.name) == ["Dan"] && (error as? ErrorDocument)?.errors.first?.status == "500")
            }
            #expect(try reader.resource(Support.Person.self, id: "9")?.name == "Dan")
            #expect(try reader.resource(Support.Person.self, id: "8") == nil)
            #expect(throws: ErrorDocument.self) { try reader.header() }
        }
    }

    @Test("With the leniency, a fault after errors leaves what can be read, and what is not found may be after it")
    func errorsWithFault() throws {
        let data = #""data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}]"#
        let included = #""included":[{"type":"people","id":"9","attributes":{"name":"Dan"}},1]"#
        let text = #"{"errors":[{"status":"500"}],\#(data),\#(included)}"#
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url, decoder: JSONAPIDecoder(mode: .lenient))
            let (values, error) = Support.read(reader.resources(Support.Story.self))
            #expect(values.map(\.author?.name) == ["Dan"] && (error as? ErrorDocument)?.errors.first?.status == "500")
            #expect(try reader.resource(Support.Person.self, id: "9")?.name == "Dan")
            #expect(throws: ErrorDocument.self) { try reader.resource(Support.Person.self, id: "8") }
        }
    }

    @Test("A reference outlives the reader that it came from")
    func references() throws {
        let article = try Support.withFile(Support.blog.utf8) { try DocumentReader($0).resources(Support.Article.self).next() }
        // The file is removed, but still open.
        #expect(try article?.author.resolved()?.name == "Dan")
    }

    @Test("Reading in portions gives the same values and cuts as the whole document")
    func manyPortions() throws {
        struct Node: Resource, Hashable {
            static let type = "nodes"
            var id: String
            var text: String
            var next: [Node]
        }
        let count = 3000
        let text = String(repeating: "x", count: 200)
        let nodes = (0..<count).map { index in
            #"{"type":"nodes","id":"\#(index)","attributes":{"text":"\#(text)"},"relationships":{"next":{"data":[{"type":"nodes","id":"\#(index ^ 1)"}]}}}"#
        }
        let data = Data(#"{"data":[\#(nodes.joined(separator: ",\n"))]}"#.utf8)
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let whole = try decoder.decode([Node].self, from: data)
        try Support.withFile(data) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Node.self)
            let (values, error) = Support.read(cursor)
            #expect(error == nil && values == whole)
            #expect(cursor.progress.fraction == 1 && cursor.progress.resources == count)
            #expect(cursor.diagnostics.count(of: .cycleCut) == count)
        }
    }

    @Test("Linkage of a relationship document resolves to included resources")
    func relationshipDocument() throws {
        let text = #"""
            {"data":[{"type":"articles","id":"1"}],"included":[
             {"type":"articles","id":"1","attributes":{"title":"T"}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let article = try DocumentReader(url).resource(Support.Article.self, id: "1")
            #expect(article?.title == "T")
        }
    }

    @Test("Bare primary resources are found, and an included resource with the same identity is preferred")
    func barePrimaryResources() throws {
        struct Tag: Resource, Equatable {
            static let type = "tags"
            var id: String
            var text: String?
        }
        struct Note: Resource {
            static let type = "notes"
            var id: String
            var tag: Tag?
            var other: ToOne<Tag>
        }
        let text = #"""
            {"data":[{"type":"tags","id":"0"},{"type":"tags","id":"1"}],"included":[
             {"type":"notes","id":"1","relationships":{"tag":{"data":{"type":"tags","id":"0"}},"other":{"data":{"type":"tags","id":"0"}}}},
             {"type":"tags","id":"1","attributes":{"text":"T"}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url)
            #expect(try reader.resource(Tag.self, id: "0") == Tag(id: "0"))
            #expect(try reader.resource(Tag.self, id: "1") == Tag(id: "1", text: "T"))
            let note = try #require(try reader.included(Note.self).next())
            #expect(note.tag == Tag(id: "0") && note.other.value == Tag(id: "0"))
        }
    }

    @Test("Strict mode reads resources of the same identity, however near to each other they are")
    func repeatedIdentitiesInStrictMode() throws {
        let data = #"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#
        let person = #"{"type":"people","id":"9","attributes":{"name":"Dan"}}"#
        for gap in ["", String(repeating: " ", count: 300_000)] {
            let text = #"{"data":[\#(data),\#(gap)\#(data)],"included":[\#(person),\#(gap)\#(person)]}"#
            try Support.withFile(text.utf8) { url in
                let reader = try DocumentReader(url, decoder: JSONAPIDecoder(mode: .strict))
                let primary = Support.read(reader.resources(ResourceObject.self))
                #expect(primary.error == nil && primary.values.map(\.id) == ["1", "1"])
                let included = Support.read(reader.included(Support.Person.self))
                #expect(included.error == nil && included.values.map(\.name) == ["Dan", "Dan"])
            }
        }
    }

    @Test("A syntax error in a part that is not decoded has its place, also with rewriters", arguments: [true, false])
    func placeOfSyntaxError(hasRewriter: Bool) throws {
        var decoder = JSONAPIDecoder()
        if hasRewriter { decoder.rewriters["people"] = Rewriter { Rule("name", from: "full_name") } }
        let text = #"{"data":[],"meta":{"aaaaaaaaaaaaaaaaaaaaa":1},"included":[   {"type":"a","id":"1"},{"type":"a","id":"2",}]}"#
        let expected = #expect(throws: DecodingError.self) { try decoder.decode([Support.Article].self, from: Data(text.utf8)) }?.failure
        try Support.withFile(text.utf8) { url in
            let error = #expect(throws: DecodingError.self) {
                let articles = try DocumentReader(url, decoder: decoder).resources(Support.Article.self)
                while try articles.next() != nil {}
            }
            #expect(error?.failure?.offset == expected?.offset && error?.failure?.position == expected?.position)
            #expect(error?.failure?.syntaxError?.offset == expected?.syntaxError?.offset)
        }
    }

    @Test("Rewriters apply to every resource")
    func rewriters() throws {
        var decoder = JSONAPIDecoder()
        decoder.rewriters["people"] = Rewriter { Rule("name", from: "full_name") }
        let text = #"""
            {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
             "included":[{"type":"people","id":"9","attributes":{"full_name":"Dan"}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url, decoder: decoder)
            #expect(try reader.resources(Support.Story.self).next()?.author?.name == "Dan")
            #expect(try reader.resources(Support.Article.self).next()?.author.value?.name == "Dan")
            #expect(Support.read(reader.included(Support.Person.self)).values.map(\.name) == ["Dan"])
        }
    }

    @Test("A fault after the primary data is thrown at the end, and by look-ups")
    func faultBehind() throws {
        let text = #"{"data":[{"type":"articles","id":"1"}],"included":[{"type":"people","id":5}]}"#
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url)
            let cursor = reader.resources(Support.Article.self)
            #expect(try cursor.next()?.id == "1")
            for _ in 0..<2 {
                let error = #expect(throws: DecodingError.self) { try cursor.next() }
                #expect(error?.failure?.pointer.description == "/included/0/id")
            }
            #expect(throws: DecodingError.self) { try reader.header() }
            #expect(throws: DecodingError.self) { try reader.resource(Support.Person.self, id: "5") }
        }
    }

    @Test("A failure in an embedded resource has its place in the document")
    func failureInEmbedded() throws {
        let text = #"""
            {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
             "included":[{"type":"notes","id":"1"},{"type":"people","id":"9","attributes":{"name":5}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let error = #expect(throws: DecodingError.self) { _ = try DocumentReader(url).resources(Support.Story.self).next() }
            #expect(error?.failure?.pointer.description == "/included/1/attributes/name")
        }
    }

    @Test("Embedding more than the memory limit is an error")
    func tooMuchEmbedded() throws {
        let people = (0..<100).map { #"{"type":"people","id":"\#($0)","attributes":{"name":"a name of some length"}}"# }
        let articles = (0..<100).map {
            #"{"type":"articles","id":"\#($0)","relationships":{"author":{"data":{"type":"people","id":"\#($0)"}}}}"#
        }
        let text = #"{"data":[\#(articles.joined(separator: ","))],"included":[\#(people.joined(separator: ","))]}"#
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url, maximumResourceBytes: 1000)
            let error = #expect(throws: DecodingError.self) { _ = try reader.resources(Support.Story.self).next() }
            #expect(error?.failure?.kind == .resourceLimit)
        }
    }

    @Test("Resources inside a portion are not fetched, and do not count toward the limit")
    func embeddedInThePortion() throws {
        struct Node: Resource, Hashable {
            static let type = "nodes"
            var id: String
            var text: String
            var next: [Node]
        }
        func node(_ id: String, _ text: String, _ next: [String]) -> String {
            let linkage = next.map { #"{"type":"nodes","id":"\#($0)"}"# }.joined(separator: ",")
            return #"{"type":"nodes","id":"\#(id)","attributes":{"text":"\#(text)"},"relationships":{"next":{"data":[\#(linkage)]}}}"#
        }
        let ids = (1...5).map { "\($0)" }
        let data = ids.map { node($0, String(repeating: "x", count: 700), ["hub"]) }
        // The hub is fetched, and links back to resources that are already available.
        let text = #"{"data":[\#(data.joined(separator: ","))],"included":[\#(node("hub", "", ids))]}"#
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let whole = try decoder.decode([Node].self, from: Data(text.utf8))
        try Support.withFile(text.utf8) { url in
            let (values, error) = Support.read(try DocumentReader(url, decoder: decoder, maximumResourceBytes: 1000).resources(Node.self))
            #expect(error == nil && values == whole)
        }
    }

    @Test("A decoder limit is an error, even if invalid elements are dropped")
    func limitsAreNotDropped() throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        decoder.maximumExpansions = 10
        final class Node: Resource {
            static let type = "nodes"
            let id: String
            let all: [Node]
        }
        let links = (0..<12).map { #"{"type":"nodes","id":"\#($0)"}"# }.joined(separator: ",")
        let nodes = (0..<12).map { #"{"type":"nodes","id":"\#($0)","relationships":{"all":{"data":[\#(links)]}}}"# }
        try Support.withFile(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Node.self)
            let (_, error) = Support.read(cursor)
            #expect((error as? DecodingError)?.failure?.kind == .expansionLimit)
            #expect(cursor.diagnostics.count(of: .droppedElement) == 0)
        }
    }

    @Test("An element of included that is no object is an error, or dropped and reported")
    func includedNoObject() throws {
        let text = #"{"data":[],"included":[null,{"type":"people","id":"9","attributes":{"name":"Dan"}},7]}"#
        var decoder = JSONAPIDecoder()
        try Support.withFile(text.utf8) { url in
            #expect(Support.read(try DocumentReader(url, decoder: decoder).included(Support.Person.self)).error is DecodingError)
            decoder.invalidElements = .drop
            let cursor = try DocumentReader(url, decoder: decoder).included(Support.Person.self)
            let (people, error) = Support.read(cursor)
            #expect(error == nil && people.map(\.name) == ["Dan"])
            let dropped = cursor.diagnostics.filter { $0.kind == .droppedElement }
            #expect(dropped.map { "\($0.pointer)" } == ["/included/0", "/included/2"])
        }
    }

    @Test("An id and a lid with the same text are found separately")
    func localIdentities() throws {
        let text = #"""
            {"data":[{"type":"articles","relationships":{"author":{"data":{"type":"people","lid":"1"}}}}],
             "included":[{"type":"people","id":"1","attributes":{"name":"Dan"}},{"type":"people","lid":"1","attributes":{"name":"Eve"}},
              {"type":"people","lid":"2","attributes":{"name":"Fay"}}]}
            """#
        struct Draft: Resource {
            static let type = "articles"
            var id: String?
            var author: ToOne<ResourceObject>
        }
        var decoder = JSONAPIDecoder()
        decoder.source = .request
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url, decoder: decoder)
            func name(_ identifier: ResourceIdentifier) throws -> String? {
                let resource = try reader.resource(ResourceObject.self, identifier)
                return resource?[attribute: "name"]?.string
            }
            #expect(try name(ResourceIdentifier(type: "people", id: "1")) == "Dan")
            #expect(try name(ResourceIdentifier(type: "people", lid: "1")) == "Eve")
            #expect(try name(ResourceIdentifier(type: "people", lid: "2")) == "Fay")
            #expect(try name(ResourceIdentifier(type: "people", id: "2")) == nil)
            #expect(try reader.resources(Draft.self).next()?.author.resolved()?[attribute: "name"] == "Eve")
        }
    }

    @Test("Two identities with the same hash are both found")
    func sharedHash() throws {
        let text = #"{"data":[{"type":"people","id":"1"},{"type":"people","id":"1"}]}"#
        try Support.withFile(text.utf8) { url in
            let directory = try DocumentFile(url.path, JSONAPIDecoder(), maximumResourceBytes: 1000).currentDirectory()
            let identifiers = ["1", "2"].map { ResourceIdentifier(type: "people", id: $0) }
            let hash = try #require(ResourceDirectory.hash(identifiers[0]))
            var requests = ResourceRequests(directory, own: 0..<0)
            // Hashes have secret keys, so another identity with the same hash can only be simulated.
            for number in identifiers.indices { requests.add(hash, number) }
            requests.lookUp { identifiers[$0] }
            #expect(requests.takeAll().doubtful == identifiers)
        }
    }

    private class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        let id: String
    }
    private final class Wolf: Animal, @unchecked Sendable {
        override class var type: String { "wolves" }
    }

    @Test("Looking up a class that is chosen at run time reads that class")
    func chosenClass() throws {
        let type: Animal.Type = Wolf.self
        try Support.withFile(#"{"data":[{"type":"animals","id":"1"},{"type":"wolves","id":"1"}]}"#.utf8) { url in
            let reader = try DocumentReader(url)
            #expect(try reader.resource(type, id: "1") is Wolf)
            #expect(try reader.resource(type, ResourceIdentifier(type: "wolves", id: "1")) is Wolf)
            #expect(try reader.resource(Animal.self, id: "1") is Wolf == false)
        }
    }

    @Test("Looking up thousands of resources with one identity is fast")
    func repeatedIdentities() throws {
        let count = 5000
        let person = #"{"type":"people","id":"9","attributes":{"name":"Dan"}}"#
        let article = #"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#
        let people = [String](repeating: person, count: count).joined(separator: ",")
        let articles = [String](repeating: article, count: count).joined(separator: ",")
        try Support.withFile(#"{"data":[\#(articles)],"included":[\#(people)]}"#.utf8) { url in
            let (values, error) = Support.read(try DocumentReader(url).resources(Support.Article.self))
            #expect(error == nil && values.count == count && values.allSatisfy { $0.author.value?.name == "Dan" })
        }
    }

    @Test("A missing file or a folder is an error")
    func noFile() throws {
        #expect(throws: DocumentFileError.self) { try DocumentReader(URL(fileURLWithPath: "/nowhere/at/all.json")) }
        #expect(throws: DocumentFileError.self) { try DocumentReader(TestFolder.url) }
    }
}
