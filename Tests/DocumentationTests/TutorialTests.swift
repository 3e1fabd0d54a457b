// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

@Suite("The tutorial")
struct TutorialTests {
    /// The file after each step, without its imports.
    private func steps() throws -> [[Substring]] {
        try Repository.files(in: "Sources/JSONAPIStore/JSONAPIStore.docc/Tutorial/Resources", withExtension: "swift")
            .filter { $0.lastPathComponent.wholeMatch(of: /reading-list-[0-9]+\.swift/) != nil }
            .map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) }
            .map { Array($0.drop { $0.hasPrefix("import ") || $0.isEmpty }) }
    }

    @Test("Each step continues the previous step, and the tests contain the last")
    func stepsContinue() throws {
        let steps = try steps().map { Array($0.dropLast()) }
        #expect(steps.count > 3)
        for (before, after) in zip(steps, steps.dropFirst()) {
            #expect(before.count < after.count && after.starts(with: before))
        }
        let program = try #require(steps.last).map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n")
        #expect(try String(contentsOfFile: #filePath, encoding: .utf8).contains(program), "the program of the last step is not run by a test")
    }

    @Test("The program of the last step")
    func program() throws {
        var output: [String] = []
        func print(_ parts: String...) { output.append(parts.joined(separator: " ")) }

        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }

        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var author: ToOne<Person>
        }

        let response = Data(
            #"""
            {
              "data": [
                {"type": "articles", "id": "1", "attributes": {"title": "Mending a clock"},
                 "relationships": {"author": {"data": {"type": "people", "id": "9"}}}},
                {"type": "articles", "id": "2", "attributes": {"title": "Stairs"},
                 "relationships": {"author": {"data": {"type": "people", "id": "12"}}}}
              ],
              "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}}]
            }
            """#.utf8)

        let articles = try JSONAPIDecoder().decode([Article].self, from: response)
        for article in articles {
            print("\(article.title), by \(article.author.value?.name ?? "person \(article.author.id ?? "?")")")
        }

        let patch = articles[0].patch { $0.title = "Mending an old clock" }
        if !patch.isEmpty {
            let body = try JSONAPIEncoder().encode(patch)
            print("PATCH /articles/1", String(decoding: body, as: UTF8.self))
        }

        let url = FileManager.default.temporaryDirectory.appendingPathComponent("reading-list.archive")
        var writer = Archive.Writer()
        try writer.encode(articles, forKey: "articles")
        try writer.write(to: url)

        let archive = try Archive(contentsOf: url)
        let saved = try archive.decode([Article].self, forKey: "articles")
        let author = try archive.resource(Person.self, id: "9")
        print("\(saved.count) articles saved, the first by \(author?.name ?? "?")")
        try? FileManager.default.removeItem(at: url)
        #expect(output == [
            "Mending a clock, by Marit", "Stairs, by person 12",
            #"PATCH /articles/1 {"data":{"type":"articles","id":"1","attributes":{"title":"Mending an old clock"}}}"#,
            "2 articles saved, the first by Marit",
        ])
    }
}
