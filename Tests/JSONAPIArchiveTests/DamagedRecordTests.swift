import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

/// Damage to a record must not prevent the program from saving other things, or from replacing what is damaged.
@Suite("A damaged record does not prevent commits")
struct DamagedRecordTests {
    private let nine = ResourceIdentifier(type: "people", id: "9")

    private func person(_ id: String, _ name: String) -> Person { Person(id: id, name: name, city: nil) }

    /// Calls `body` once for each byte of a record, with a file in which that byte is damaged.
    private func forEachDamage(
        _ writer: Archive.Writer, _ range: (ArchiveImage) throws -> Range<Int>?, _ body: (ArchiveFile) throws -> Void
    ) throws {
        let intact = try writer.bytes()
        for offset in try #require(try range(try ArchiveImage(ArchiveBytes(intact)))) {
            try withFolder { folder in
                var bytes = intact
                bytes[offset] ^= 1
                let url = folder.appendingPathComponent("a")
                try Data(bytes).write(to: url)
                let file = try ArchiveFile(url)
                defer { file.close() }
                try body(file)
            }
        }
    }

    @Test(
        "A resource can be replaced and removed, whichever byte of its record is damaged", arguments: [false, true],
        // The directory of the small file is merged with that of the commit.
        [1, 60])
    func resource(removes: Bool, others: Int) throws {
        let rest = (10..<10 + others).map { person("\($0)", "old") }
        var writer = Archive.Writer()
        try writer.insert([person("9", "old")] + rest)
        try forEachDamage(writer, { try $0.record(StoredIdentity(type: "people", name: "9", isLocal: false))?.range }) { file in
            let image = file.image
            #expect(throws: ArchiveError.self) { try image.text(StoredIdentity(type: "people", name: "9", isLocal: false)) }
            try file.commit { changes in
                if removes { try changes.remove(nine) } else { try changes.insert([person("9", "new")]) }
            }
            try file.commit { try $0.insert([person("11", "new")]) }
            let expected = (removes ? [] : ["new"]) + rest.map { $0.id == "11" ? "new" : "old" } + (others == 1 ? ["new"] : [])
            #expect(try file.archive.resources(Person.self).map(\.name) == expected)
            try file.compact()
            #expect(try file.archive.resources(Person.self).map(\.name) == expected)
            #expect(try file.archive.verify().isEmpty)
        }
    }

    @Test("A document with a requested resource that is damaged is not written without it")
    func requested() throws {
        var writer = Archive.Writer()
        try writer.insert([Comment(id: "1", body: "a", author: ToOne(person("9", "old")))])
        try writer.insert([person("9", "old")])
        try forEachDamage(writer, { try $0.record(StoredIdentity(type: "people", name: "9", isLocal: false))?.text }) { file in
            let comment = try #require(try file.archive.resource(Comment.self, id: "1"))
            #expect(throws: ArchiveError.self) { try JSONAPIEncoder().encode(comment, include: ["author"]) }
            #expect(throws: Never.self) { try JSONAPIEncoder().encode(comment, include: .none) }
        }
    }

    @Test("A value can be replaced and removed, whichever byte of its record is damaged", arguments: [false, true])
    func value(removes: Bool) throws {
        var writer = Archive.Writer()
        try writer.encode("old", forKey: "state")
        try writer.encode(1, forKey: "other")
        try forEachDamage(writer, { try ($0.root("state") as ArchiveRecord?)?.range }) { file in
            try file.commit { changes in
                if removes { try changes.removeValue(forKey: "state") } else { try changes.encode("new", forKey: "state") }
            }
            #expect(try file.archive.keys == (removes ? ["other"] : ["state", "other"]))
            if !removes { #expect(try file.archive.decode(String.self, forKey: "state") == "new") }
            try file.compact()
            #expect(try file.archive.verify().isEmpty)
        }
    }

    @Test("Values under a key can be replaced if one of their resources is damaged")
    func references() throws {
        var writer = Archive.Writer()
        try writer.encode([person("8", "old"), person("9", "old")], forKey: "home")
        try forEachDamage(writer, { try $0.record(StoredIdentity(type: "people", name: "9", isLocal: false))?.range }) { file in
            try file.commit { try $0.encode([person("8", "old"), person("9", "new")], forKey: "home") }
            #expect(try file.archive.decode([Person].self, forKey: "home").map(\.name) == ["old", "new"])
            try file.compact()
            #expect(try file.archive.verify().isEmpty)
        }
    }

    @Test("A damaged record that was not replaced is still an error of lists and of compaction")
    func kept() throws {
        var writer = Archive.Writer()
        try writer.insert((8..<60).map { person("\($0)", "old") })
        let key = StoredIdentity(type: "people", name: "9", isLocal: false)
        try forEachDamage(writer, { try ($0.record(key)?.text).map { $0.upperBound - 1..<$0.upperBound } }) { file in
            try file.commit { try $0.insert([person("8", "new")]) }
            #expect(archiveError { try file.compact() }?.kind == .corrupt)
            #expect(archiveError { try file.archive.forEachResource { _, _ in } }?.kind == .corrupt)
        }
    }
}

/// Damage to resources that a model does not embed.
@Suite struct DamageBesideModelTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var comments: ToMany<Comment>
    }

    private struct Comment: Resource {
        static let type = "comments"
        var id: String
        var body: String
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person
        var comments: [Comment]
    }

    @Test("A model can be read if a resource is damaged that only a relationship of the same name elsewhere leads to")
    func relationshipOfTheSameName() throws {
        let comments = (1...3).map { Comment(id: "\($0)", body: "UNIQUE\($0)") }
        let author = Person(id: "1", comments: ToMany(ids: ["1", "2", "3"]))
        var writer = Archive.Writer()
        try writer.insert(comments)
        try writer.insert([Article(id: "1", author: author, comments: [comments[0]])])
        var data = try writer.data()
        data[try #require(data.range(of: Data("UNIQUE3".utf8))).lowerBound] = UInt8(ascii: "V")
        let archive = try Archive(data: data)
        for _ in 1...2 {
            let article = try #require(try archive.resource(Article.self, id: "1"))
            #expect(article.comments.map(\.body) == ["UNIQUE1"] && article.author.comments.count == 3)
        }
        #expect(throws: ArchiveError.self) { try archive.resource(Comment.self, id: "3") }
    }

    @Test("Resources that only a relationship of the same name elsewhere leads to do not count to the limit")
    func limit() throws {
        var decoder = JSONAPIDecoder()
        decoder.maximumResources = 10
        let store = ResourceStore(decoder: decoder)
        let comments = (1...50).map { Comment(id: "\($0)", body: "b") }
        try store.ingest(comments)
        let author = Person(id: "1", comments: ToMany(ids: comments.map(\.id)))
        try store.ingest(Article(id: "1", author: author, comments: [comments[0]]))
        for _ in 1...2 { #expect(try store.resource(Article.self, id: "1")?.author.comments.count == 50) }
    }

    private struct Chapter: Resource {
        static let type = "chapters"
        var id: String
        var text: String
        var next: Ending
    }

    private struct Ending: Resource {
        static let type = "chapters"
        var id: String
        var text: String
        var next: ToOne<Ending>
    }

    @Test("A model can be read if a resource is damaged that only the same relationship of an embedded resource leads to")
    func relationshipOfAnEmbeddedResource() throws {
        let second = Ending(id: "2", text: "second", next: ToOne(id: "3"))
        var writer = Archive.Writer()
        try writer.insert([Ending(id: "3", text: "UNIQUE", next: .empty)])
        try writer.insert([Chapter(id: "1", text: "first", next: second)])
        var data = try writer.data()
        data[try #require(data.range(of: Data("UNIQUE".utf8))).lowerBound] = UInt8(ascii: "V")
        let archive = try Archive(data: data)
        for _ in 1...2 {
            let chapter = try #require(try archive.resource(Chapter.self, id: "1"))
            #expect(chapter.next.text == "second" && chapter.next.next.identifier?.id == "3")
        }
        #expect(throws: ArchiveError.self) { try archive.resource(Ending.self, id: "3") }
    }
}
