// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIStreams
import TestSupport
import Testing

@Suite("The article Large documents")
struct LargeDocumentsTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: Person
    }

    /// Runs `body` with the address of a file that does not exist yet, in a folder that is removed afterwards.
    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("articles.json"))
    }

    @Test("A document is written and read one resource at a time")
    func files() throws {
        try withFile { url in
            let author = Person(id: "2", name: "Ann")
            let writer = try DocumentWriter(url, include: ["author"])
            for number in 1...1000 { try writer.append(Article(id: "\(number)", title: "No. \(number)", author: author)) }
            try writer.finish(meta: ["total": 1000])

            var titles: [String] = []
            let reader = try DocumentReader(url)
            let articles = reader.resources(Article.self)
            while let article = try articles.next() {
                titles.append("\(article.title) by \(article.author.name)")
            }
            let total = articles.header.meta?["total"]?.int              // the members beside `data`, after the loop
            let part = articles.progress.fraction                        // 1.0: how much of the file was read
            #expect(titles.count == 1000 && titles.first == "No. 1 by Ann" && total == 1000 && part == 1)

            let person = try reader.resource(Person.self, id: "2")
            let everybody = reader.included(Person.self)
            #expect(person?.name == "Ann")
            #expect(try everybody.next()?.id == "2")
            #expect(try everybody.next() == nil)
        }
    }

    @Test("A stream decodes chunks as they arrive")
    func chunks() async throws {
        let text = #"{"data": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}}, {"type": "people", "id": "2", "attributes": {"name": "Bo"}}]}"#
        let chunks = AsyncStream<[UInt8]> { continuation in
            for byte in text.utf8 { continuation.yield([byte]) }
            continuation.finish()
        }
        var names: [String] = []
        let people = DocumentStream(chunks, of: Person.self)
        for try await person in people { names.append(person.name) }
        #expect(names == ["Ann", "Bo"])
    }
}
