import Foundation
import JSONAPICodec
import JSONAPIStreams
import Testing

@Suite("Walking documents whose models embed others")
struct DocumentWalkTests {
    typealias Support = StreamingSupport

    private struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String
    }

    private struct Comment: Resource, Hashable {
        static let type = "comments"
        var id: String
        var body: String
        var author: Person?
    }

    private struct Post: Resource, Hashable {
        static let type = "posts"
        var id: String
        var title: String
        var author: Person?
        var comments: [Comment]
    }

    /// Several portions of posts, with comments and people far away from them.
    private static func document(isIncludedFirst: Bool = false) -> Data {
        let filler = String(repeating: #"long \"text\" "#, count: 130)
        let posts = (0..<600).map { number in
            let comments = (0..<3).map { #"{"type":"comments","id":"\#(number * 3 + $0)"}"# }.joined(separator: ",")
            return #"""
                {"type":"posts","id":"\#(number)","attributes":{"title":"\#(filler)\#(number)"},"relationships":{
                 "author":{"data":{"id":"p-\#(number * 7 % 500)","type":"people"}},"comments":{"data":[\#(comments)]}}}
                """#
        }
        let comments = (0..<1800).map { number in
            let author = #"{"type":"peop\u006ce","id":"p-\#(number * 13 % 500)"}"#
            return #"""
                {"type":"comments","id":"\#(number)","attributes":{"body":"no. \#(number)"},"relationships":{"author":{"data":\#(author)}}}
                """#
        }
        let people = (0..<500).map { #"{"type":"people","id":"p\u002d\#($0)","attributes":{"name":"person \#($0)"}}"# }
        let data = #""data":[\#(posts.joined(separator: ","))]"#
        let included = #""included":[\#((comments + people).joined(separator: ",\n"))]"#
        let sections = isIncludedFirst ? "\(included),\(data)" : "\(data),\(included)"
        return Data(#"{"meta":{"n":1},\#(sections),"links":{"self":"/posts"}}"#.utf8)
    }

    @Test("Embedded resources equal those of the whole document", arguments: [false, true])
    func embedded(isIncludedFirst: Bool) throws {
        let data = Self.document(isIncludedFirst: isIncludedFirst)
        let whole = try JSONAPIDecoder().decode([Post].self, from: data)
        try #require(whole[599].comments[2].author?.name == "person \(1799 * 13 % 500)")
        try Support.withFile(data) { url in
            let reader = try DocumentReader(url)
            // A reader can be read again.
            for _ in 0..<(isIncludedFirst ? 1 : 2) {
                let cursor = reader.resources(Post.self)
                let (values, error) = Support.read(cursor)
                #expect(error == nil && values == whole)
                #expect(try cursor.next() == nil)
                #expect(cursor.progress.fraction == 1 && cursor.progress.resources == 600)
                #expect(cursor.header.meta?["n"]?.int == 1 && cursor.header.links?["self"] != nil)
                #expect(cursor.diagnostics.count(of: .notIncluded) == 0)
            }
            let comments = Support.read(reader.included(Comment.self)).values
            #expect(comments == whole.flatMap(\.comments))
        }
    }

    @Test("Strict mode checks everything after the primary data")
    func strict() throws {
        let text = #"""
            {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
             "included":[{"type":"people","id":"9","attributes":{"name":"Dan"}},{"type":"people","id":"8","attributes":{"type":1}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: JSONAPIDecoder(mode: .strict)).resources(Support.Story.self)
            #expect(try cursor.next()?.author?.name == "Dan")
            let error = #expect(throws: DecodingError.self) { try cursor.next() }
            #expect(error?.failure?.pointer.description == "/included/1/attributes/type")
        }
    }

    @Test("A repeated identity embeds one resource")
    func repeatedIdentities() throws {
        func person(_ id: String, _ name: String) -> String { #"{"type":"people","id":"\#(id)","attributes":{"name":"\#(name)"}}"# }
        let articles = (0..<3000).map { number in
            #"""
            {"type":"articles","id":"\#(number)","attributes":{"title":"a title of no importance whatsoever"},
             "relationships":{"author":{"data":{"type":"people","id":"\#(number % 100)"}},"related":{"data":[]}}}
            """#
        }
        let people = (0..<100).map { person("\($0)", "first") } + (0..<50).map { person("\($0)", "second") }
        try Support.withFile(#"{"data":[\#(articles.joined(separator: ","))],"included":[\#(people.joined(separator: ","))]}"#.utf8) {
            url in
            let (values, error) = Support.read(try DocumentReader(url).resources(Support.Story.self))
            #expect(error == nil && values.count == 3000)
            #expect(values.allSatisfy { $0.author?.id == "\((Int($0.id) ?? 0) % 100)" && $0.author?.name == "first" })
        }
    }

    @Test("Missing resources are omitted in every portion, and counted")
    func missing() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let articles = (0..<3000).map { number in
            #"""
            {"type":"articles","id":"\#(number)","attributes":{"title":"a title of no importance whatsoever"},
             "relationships":{"author":{"data":{"type":"people","id":"\#(number % 2)"}},"related":{"data":[{"type":"notes","id":"x"}]}}}
            """#
        }
        let text = #"{"data":[\#(articles.joined(separator: ","))],"included":[{"type":"people","id":"1","attributes":{"name":"Dan"}}]}"#
        let whole = try decoder.decode([Support.Story].self, from: Data(text.utf8))
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Support.Story.self)
            let (values, error) = Support.read(cursor)
            #expect(error == nil && values == whole)
            #expect(cursor.diagnostics.count(of: .notIncluded) == 4500)
        }
    }

    @Test("An omitted resource is reported once, even if its portion is read again")
    func droppedOnce() throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let text = #"""
            {"data":[{"type":"articles","id":"1","attributes":{"title":5},"relationships":{"related":{"data":[]}}},
             {"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"9"}},"related":{"data":[]}}}],
             "included":[{"type":"people","id":"9","attributes":{"name":"Dan"}}]}
            """#
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Support.Story.self)
            #expect(Support.read(cursor).values.map(\.author?.name) == ["Dan"])
            #expect(cursor.diagnostics.count(of: .droppedElement) == 1)
        }
    }

    @Test("A decoder that a model keeps still reads its resource after the walk")
    func keptDecoder() throws {
        final class Kept: @unchecked Sendable {
            let decoder: any Decoder
            init(_ decoder: any Decoder) { self.decoder = decoder }
        }
        struct Keeper: Resource {
            static let type = "posts"
            var id: String
            var kept: Kept?
            enum CodingKeys: CodingKey { case id, title }
            init(from decoder: any Decoder) throws {
                id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
                kept = (Int(id) ?? 0) % 500 == 0 ? Kept(decoder) : nil
            }
            func encode(to encoder: any Encoder) throws {}
        }
        try Support.withFile(Self.document()) { url in
            let (values, error) = Support.read(try DocumentReader(url).resources(Keeper.self))
            #expect(error == nil && values.count == 600)
            for value in values {
                guard let decoder = value.kept?.decoder else { continue }
                let title = try decoder.container(keyedBy: Keeper.CodingKeys.self).decode(String.self, forKey: .title)
                #expect(title.hasSuffix(" \(value.id)"))
            }
        }
    }
}
