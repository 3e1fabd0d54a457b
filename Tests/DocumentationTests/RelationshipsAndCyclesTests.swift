// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import Testing

@Suite("The article Relationships and cycles")
struct RelationshipsAndCyclesTests {
    private let data: Data

    init() throws { data = try #require(DocumentationPage.named("RelationshipsAndCycles").documents.first) }

    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var articles: ToMany<Article>
    }
    struct Comment: Resource {
        static let type = "comments"
        var id: String
        var body: String
    }
    struct Tag: Resource {
        static let type = "tags"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Person>
        var editor: ToOne<Person>
        var comments: ToMany<Comment>
        var tags: ToMany<Tag>
    }

    @Test("States, editing, and cycles of references")
    func references() throws {
        let article = try JSONAPIDecoder().decode(Article.self, from: data)
        let name = article.author.value?.name                  // "Marit": the document includes this person
        let isUnedited = article.editor.isEmpty                // true: the article has no editor
        let ids = article.comments.ids                         // ["5", "12"]
        let bodies = article.comments.values.map(\.body)       // one body: the document includes one of the comments
        let all = article.comments.allValues                   // nil: the document does not include all of them
        let isTagged = article.tags.isLoaded                   // false: the relationship has no `data`
        let address = article.tags.links?.related?.href        // the address to load it from
        #expect(name == "Marit" && isUnedited && ids == ["5", "12"] && bodies == ["Mine stopped at noon."])
        #expect(all == nil && !isTagged && address == "/articles/1/tags")

        try checkLinks(article)

        var edited = article
        edited.author = ToOne(id: "12")                        // by id
        edited.editor = article.author                         // by another reference
        edited.author = nil                                    // no author
        edited.comments.append(Comment(id: "17", body: "No oil at all."))
        edited.comments.remove(ResourceIdentifier(type: "comments", id: "5"))
        edited.tags = ToMany(ids: ["clocks"])
        #expect(edited.author.isEmpty && edited.editor == article.author && edited.editor.value?.name == "Marit")
        #expect(edited.comments.ids == ["12", "17"] && edited.comments.values.map(\.body) == ["No oil at all."])
        #expect(edited.tags.ids == ["clocks"])

        var unloaded = article
        unloaded.tags.append(id: "clocks")
        let refused = try? JSONAPIEncoder().encode(Patch(from: article, to: unloaded))                  // nil
        let added = try JSONAPIEncoder().encode(Linkage(adding: unloaded.tags.identifiers ?? []))       // POST /articles/1/relationships/tags
        #expect(refused == nil && String(decoding: added, as: UTF8.self) == #"{"data":[{"type":"tags","id":"clocks"}]}"#)

        let back = article.author.value?.articles.values.first?.author.value?.name    // "Marit"
        #expect(back == "Marit")
    }

    struct Credit: Codable {
        var role: String
    }

    private func checkLinks(_ article: Article) throws {
        let credit = try article.author.identifier?.meta?.decode(Credit.self)                      // Credit(role: "lead")
        let notes = article.comments.identifiers?.map { $0.meta?["note"]?.string }                 // of each link

        var promoted = article
        var illustrator = ResourceIdentifier(type: "people", id: "9")
        illustrator.meta = ["role": "illustrator"]
        promoted.author = ToOne(illustrator)
        promoted.comments.identifiers?[0].meta = ["note": "first"]
        let promotion = try JSONAPIEncoder().encode(Patch(from: article, to: promoted))
        #expect(credit?.role == "lead" && notes?.count == 2)
        let sent = try JSON(parsing: promotion)["data"]?["relationships"]
        #expect(sent?["author"]?["data"] == ["type": "people", "id": "9", "meta": ["role": "illustrator"]])
        #expect(
            sent?["comments"]?["data"] == [
                ["type": "comments", "id": "5", "meta": ["note": "first"]], ["type": "comments", "id": "12"],
            ])
        #expect(sent?.object?.count == 2)
    }

    struct Author: Resource {
        static let type = "people"
        var id: String
        var articles: [Essay]?
    }
    struct Essay: Resource {
        static let type = "articles"
        var id: String
        var author: Author?
    }

    @Test("Cycles of embedded values are cut")
    func cuts() throws {
        let document = try JSONAPIDecoder().decode(Document<Essay>.self, from: data)
        let essays = document.data.author?.articles            // nil: the list would contain this essay again
        let cuts = document.diagnostics.count(of: .cycleCut)   // 1
        #expect(essays == nil && cuts == 1)
    }

    @Test("A missing resource can be an error")
    func gaps() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .throw                      // a comment that is not included is now an error
        #expect(throws: DecodingError.self) { try decoder.decode(Article.self, from: data) }
        decoder.missingResources = .omit                       // arrays leave out what is not included
        #expect(try decoder.decode(Article.self, from: data).comments.ids == ["5"])
    }
}
