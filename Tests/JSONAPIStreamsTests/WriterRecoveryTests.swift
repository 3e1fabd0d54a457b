import Foundation
import JSONAPICodec
import JSONAPIStreams
import TestSupport
import Testing

@Suite struct WriterRecoveryTests {
    typealias Person = StreamingSupport.Person
    typealias Story = StreamingSupport.Story

    private struct Full: Error {}

    private func contents(_ folder: URL) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    @Test func aWriterWithAFailedOutputAcceptsNothing() throws {
        var written = 0
        let writer = try DocumentWriter {
            guard written == 0 else { throw Full() }
            written += $0.count
            throw Full()
        }
        let long = Person(id: "1", name: String(repeating: "x", count: 200_000))
        #expect(throws: Full.self) { try writer.append(long) }
        #expect(throws: Full.self) { try writer.append(Person(id: "2", name: "b")) }
        #expect(throws: Full.self) { try writer.include(Person(id: "3", name: "c")) }
        #expect(throws: Full.self) { try writer.finish() }
    }

    @Test func aFinishedDocumentAcceptsNothing() throws {
        var text = Data()
        let writer = try DocumentWriter { text.append($0) }
        try writer.append(Person(id: "1", name: "a"))
        try writer.finish()
        let finished = text
        #expect(throws: EncodingError.self) { try writer.append(Person(id: "2", name: "b")) }
        #expect(throws: EncodingError.self) { try writer.finish() }
        #expect(text == finished)
        #expect(try JSONAPIDecoder().decode([Person].self, from: text) == [Person(id: "1", name: "a")])
    }

    @Test func aRejectedElementLeavesTheDocumentComplete() throws {
        var text = Data()
        let writer = try DocumentWriter { text.append($0) }
        try writer.append(Person(id: "1", name: "a"))
        #expect(throws: EncodingError.self) { try writer.append(Person(id: "1", name: "again")) }
        try writer.append(Person(id: "2", name: "b"))
        try writer.finish()
        #expect(try JSONAPIDecoder().decode([Person].self, from: text) == [Person(id: "1", name: "a"), Person(id: "2", name: "b")])
    }

    @Test func anAbandonedDocumentLeavesNoFile() throws {
        let folder = TestFolder.url.appendingPathComponent("writer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("people.json")
        try Data("old".utf8).write(to: url)
        do {
            let writer = try DocumentWriter(url)
            try writer.append(Person(id: "1", name: "a"))
        }
        #expect(try contents(folder) == ["people.json"])
        #expect(try Data(contentsOf: url) == Data("old".utf8))
    }

    @Test func aLinkedResourceThatIsAlsoPrimaryIsWrittenOnce() throws {
        var text = Data()
        let writer = try DocumentWriter { text.append($0) }
        let ann = Person(id: "1", name: "Ann")
        try writer.append(Story(id: "1", title: "One", author: ann, related: []))
        try writer.append(ann)
        try writer.finish()
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: text)
        #expect(document.data.map(\.type) == ["articles", "people"] && document.included.isEmpty)
    }

    @Test func includedResourcesBeyondTheMemoryLimitAreAllWritten() throws {
        var text = Data()
        let writer = try DocumentWriter { text.append($0) }
        for number in 0..<40 {
            let author = Person(id: "p\(number)", name: String(repeating: "n", count: 60_000))
            try writer.append(Story(id: "\(number)", title: nil, author: author, related: []))
        }
        try writer.finish()
        let stories = try JSONAPIDecoder().decode([Story].self, from: text)
        #expect(stories.map { $0.author?.id } == (0..<40).map { "p\($0)" })
        #expect(stories.allSatisfy { $0.author?.name.utf8.count == 60_000 })
    }
}
