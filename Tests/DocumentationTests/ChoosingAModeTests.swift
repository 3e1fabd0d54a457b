// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import Testing

@Suite("The article Choosing a mode")
struct ChoosingAModeTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
    }

    private let page: DocumentationPage

    init() throws { page = try DocumentationPage.named("ChoosingAMode") }

    @Test("Three modes")
    func modes() {
        let strict = JSONAPIDecoder(mode: .strict)
        let standard = JSONAPIDecoder()
        let lenient = JSONAPIDecoder(mode: .lenient)
        #expect(strict.mode == .strict && strict.unknownTypes == .throw)
        #expect(standard.mode == .standard && standard.leniencies.isEmpty)
        #expect(lenient.leniencies == Leniencies.all.subtracting([.textNumbers, .emptyArrayValues]))
    }

    @Test("Each use of a leniency is a diagnostic")
    func leniencies() throws {
        let sloppy = page.documents[0]
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.integerIDs, .nullContainers]

        let document = try decoder.decode(Document<Article>.self, from: sloppy)
        let id = document.data.id                                     // "42"
        let used = document.diagnostics.map(\.kind)                   // leniency.integerIDs, leniency.nullContainers
        #expect(id == "42")
        #expect(Set(used.map(\.description)) == ["leniency.integerIDs", "leniency.nullContainers"])
        #expect(try JSONAPIDecoder(mode: .lenient).decode(Article.self, from: sloppy).id == "42")
    }

    @Test("An error names the leniency that accepts the fault")
    func advice() throws {
        let sloppy = page.documents[0]
        var advice: String?
        do {
            _ = try JSONAPIDecoder().decode(Article.self, from: sloppy)
        } catch let error as DecodingError {
            advice = error.failure?.advice                            // names the leniency integerIDs
        }
        #expect(advice?.contains("integerIDs") == true)
    }

    @Test("An element that cannot be decoded is left out")
    func invalidElements() throws {
        let mixed = Data(
            #"""
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Clocks"}},
                      {"type": "articles", "id": "2", "attributes": {"title": 7}}]}
            """#.utf8)
        var tolerant = JSONAPIDecoder()
        tolerant.invalidElements = .drop
        let list = try tolerant.decode(Document<[Article]>.self, from: mixed)       // without the article whose title is a number
        let dropped = list.diagnostics.count                                        // 1
        #expect(list.data.map(\.id) == ["1"] && dropped == 1)
    }

    @Test("Lenient mode finds a whole resource in linkage, and standard mode only its identifier")
    func wholeResources() throws {
        struct Report: Resource {
            static let type = "reports"
            var id: String
            var article: ToOne<Article>
        }
        let whole = Data(
            #"""
            {"data": {"type": "reports", "id": "1", "relationships": {
              "article": {"data": {"type": "articles", "id": "2", "attributes": {"title": "Clocks"}}}}}}
            """#.utf8)
        let standard = try JSONAPIDecoder().decode(Report.self, from: whole).article
        #expect(standard.id == "2" && standard.value == nil)
        #expect(try JSONAPIDecoder(mode: .lenient).decode(Report.self, from: whole).article.value?.title == "Clocks")
    }

    struct Chapter: Resource {
        static let type = "chapters"
        var id: String
        var related: [Chapter]?
    }

    @Test("In a cycle, lenient mode leaves out the resource around the array, and standard mode leaves out the array")
    func cycles() throws {
        func chapters(_ ids: String...) -> Data {
            let linkage = ids.map { #"{"type": "chapters", "id": "\#($0)"}"# }.joined(separator: ", ")
            return Data(
                #"""
                {"data": {"type": "chapters", "id": "1", "relationships": {"related": {"data": [\#(linkage)]}}},
                 "included": [{"type": "chapters", "id": "2"}]}
                """#.utf8)
        }
        let lenient = JSONAPIDecoder(mode: .lenient)
        #expect(try JSONAPIDecoder().decode(Chapter.self, from: chapters("1", "2")).related == nil)
        #expect(try lenient.decode(Chapter.self, from: chapters("1", "2")).related?.map(\.id) == ["2"])
        #expect(try lenient.decode(Chapter.self, from: chapters("1")).related?.count == 0)
        // Without a cycle, the values are equal.
        for decoder in [JSONAPIDecoder(), lenient] {
            #expect(try decoder.decode(Chapter.self, from: chapters("3")).related == nil)
            #expect(try decoder.decode(Chapter.self, from: chapters("2")).related?.map(\.id) == ["2"])
        }
    }
}
