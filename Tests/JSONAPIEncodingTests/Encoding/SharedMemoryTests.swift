import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Encodings share memory for their texts, and the values of models. This must not be visible.
@Suite struct SharedMemoryTests {
    struct Note: DirectResource, Equatable {
        static let type = "notes"
        var id: String
        var text: String
        var replies: [Note] = []

        init(id: String, text: String, replies: [Note] = []) {
            self.id = id
            self.text = text
            self.replies = replies
        }

        init(resource: ResourceView) throws {
            id = try resource.id()
            text = try resource.attribute("text")
            replies = try resource.relationship("replies")
        }

        func write(to resource: ResourceWriter) throws {
            if text == "refused" { throw Refusal() }
            try resource.attribute("text", text)
            try resource.relationship("replies", replies)
        }
    }

    struct Refusal: Error {}

    private func read(_ data: Data) throws -> [Note] { try JSONAPIDecoder().decode([Note].self, from: data) }

    @Test("Texts of every length are complete", arguments: [0, 1, 8_000, 8_192, 100_000, 1_040_000, 1_100_000, 3_000_000])
    func lengths(_ length: Int) throws {
        let notes = [Note(id: "1", text: String(repeating: "x", count: length))]
        let first = try JSONAPIEncoder().encode(notes)
        let second = try JSONAPIEncoder().encode(notes)
        #expect(first == second)
        #expect(first.count == length + 101)
        #expect(try read(first) == notes)
    }

    @Test("A text does not change while others are encoded")
    func texts() throws {
        let texts = try (0..<50).map { try JSONAPIEncoder().encode([Note(id: "\($0)", text: String(repeating: "\($0)", count: 400 * $0))]) }
        for (index, text) in texts.enumerated() {
            let note = try read(text).first
            #expect(note?.text == String(repeating: "\(index)", count: 400 * index))
        }
    }

    @Test("A failed encoding does not affect the next")
    func failures() throws {
        let notes = [Note(id: "1", text: "long enough to be on the heap", replies: [Note(id: "2", text: "refused")])]
        let expected = try JSONAPIEncoder().encode([Note(id: "3", text: "kept")])
        for _ in 0..<10 {
            #expect(throws: Refusal.self) { try JSONAPIEncoder().encode(notes) }
            #expect(try JSONAPIEncoder().encode([Note(id: "3", text: "kept")]) == expected)
        }
    }

    @Test("Concurrent encoding of the same values gives the same text")
    func threads() async throws {
        let replies = (0..<40).map { Note(id: "r\($0)", text: "a reply that is long enough to be on the heap \($0)") }
        let notes = (0..<40).map { Note(id: "\($0)", text: "note \($0)", replies: Array(replies[$0...])) }
        let expected = try JSONAPIEncoder().encode(notes)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<16 { group.addTask { try JSONAPIEncoder().encode(notes) } }
            for try await text in group { #expect(text == expected) }
        }
    }

    /// A model that creates its relationships on each access.
    struct Made: DirectResource {
        static let type = "made"
        var id: String
        var depth: Int

        init(id: String, depth: Int) {
            self.id = id
            self.depth = depth
        }

        init(resource: ResourceView) throws {
            id = try resource.id()
            depth = try resource.attribute("depth")
        }

        var inner: [Made] { depth == 0 ? [] : (0..<3).map { Made(id: "\(id)/\($0)", depth: depth - 1) } }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("depth", depth)
            try resource.relationship("inner", inner)
            try resource.relationship("first", inner.first)
        }
    }

    @Test("Related values without another owner are encoded")
    func madeValues() throws {
        let made = Made(id: "an identifier that is kept on the heap", depth: 4)
        let included = try JSON(parsing: JSONAPIEncoder().encode([made]))["included"]?.array ?? []
        let ids = included.compactMap { $0["id"]?.string }
        #expect(ids.count == 120)
        #expect(Set(ids).count == 120)
        for resource in included {
            let id = resource["id"]?.string ?? ""
            let steps = id.split(separator: "/").count - 1
            let depth = resource["attributes"]?["depth"]?.int
            #expect(depth == 4 - steps)
        }
    }

    /// Class instances instead of values.
    final class Page: Resource {
        static let type = "pages"
        let id: String
        let title: String
        let links: [Page]

        init(id: String, title: String, links: [Page] = []) {
            self.id = id
            self.title = title
            self.links = links
        }
    }

    @Test("Arrays of class instances are encoded like arrays of structs")
    func objects() throws {
        let shared = Page(id: "shared", title: "a title that is long enough to be on the heap")
        let pages = (0..<20).map {
            Page(id: "\($0)", title: "page \($0)", links: [shared, Page(id: "l\($0)", title: "link", links: [shared])])
        }
        let included = try JSON(parsing: JSONAPIEncoder().encode(pages))["included"]?.array ?? []
        #expect(included.count == 21)
        let title = included.first?["attributes"]?["title"]?.string
        #expect(title == shared.title)
    }
}
