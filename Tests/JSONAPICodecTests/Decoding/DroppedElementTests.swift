import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Elements that are no objects, of `data`, of `included`, and of linkage. By default they are errors; `invalidElements` can drop them.
@Suite struct DroppedElementTests {
    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String?
    }

    private struct Article: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String?
        var fans: ToMany<Person> = .notLoaded
        var readers: [ResourceIdentifier]?
        var embedded: [Person]?
    }

    private static let person = #"{"type":"people","id":"1"}"#

    private var dropping: [JSONAPIDecoder] {
        [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)].map { decoder in
            var decoder = decoder
            decoder.invalidElements = .drop
            return decoder
        }
    }

    private func article(_ name: String, _ element: String) -> Data {
        Data(
            #"""
            {"data":{"type":"articles","id":"1","relationships":{"\#(name)":{"data":[\#(Self.person),\#(element)]}}},
             "included":[{"type":"people","id":"1","attributes":{"name":"Ann"}}]}
            """#.utf8)
    }

    private func pointers(_ diagnostics: Diagnostics) -> [String] {
        diagnostics.filter { $0.kind == .droppedElement }.map { "\($0.pointer)" }
    }

    @Test("An element of linkage that is no identifier is dropped, and a patch does not delete it", arguments: ["null", "7", "{}"])
    func linkage(element: String) throws {
        for decoder in dropping {
            let read = try decoder.decode(Article.self, from: article("fans", element))
            #expect(read.fans.ids == ["1"] && read.fans.values.map(\.name) == ["Ann"])
            let patch = read.patch { $0.fans.append(id: "2") }
            #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(patch) }
            if element != "{}" {
                #expect(try decoder.decode(Article.self, from: article("readers", element)).readers?.map(\.id) == ["1"])
            }
            #expect(try decoder.decode(Article.self, from: article("embedded", element)).embedded?.map(\.name) == ["Ann"])
        }
    }

    @Test("That an element of linkage was dropped is still known after writing and reading", arguments: ["null", "{}"])
    func droppedAndWritten(element: String) throws {
        for decoder in dropping {
            let read = try decoder.decode(Article.self, from: article("fans", element))
            var again = try JSONAPIDecoder().decode(Article.self, from: JSONAPIEncoder().encode(read))
            #expect(again == read)
            let patch = again.patch { $0.fans.append(id: "2") }
            #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(patch) }
            #expect(again.patch { _ in }.isEmpty)
            // A list that the program sets is whole.
            again.fans.identifiers = again.fans.identifiers
            #expect(try JSON(parsing: JSONAPIEncoder().encode(again))["data"]?["relationships"]?["fans"]?["@page"] == nil)
        }
    }

    @Test("A relationship object drops an element that is no identifier, and a patch does not delete it", arguments: ["null", "{}"])
    func relationshipObject(element: String) throws {
        struct Raw: Resource {
            static let type = "articles"
            var id: String
            var title: String?
            var fans: RelationshipObject
        }
        for decoder in dropping {
            let read = try decoder.decode(Raw.self, from: article("fans", element))
            #expect(read.fans.data.identifiers.map(\.id) == ["1"])
            let body = try JSON(parsing: JSONAPIEncoder().encode(read.patch { $0.title = "B" }))
            #expect(body["data"] == ["type": "articles", "id": "1", "attributes": ["title": "B"]])
            let patch = read.patch { $0.fans.data = .many([ResourceIdentifier(type: "people", id: "2")]) }
            #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(patch) }
        }
    }

    @Test(
        "An identifier in an array that cannot be read is an error, because a patch would delete the link",
        arguments: ["{}", #"{"type":"people","id":true}"#, #"{"id":"2"}"#])
    func identifierInArray(element: String) throws {
        for decoder in dropping {
            let failure = try Blog.failure { try decoder.decode(Article.self, from: article("readers", element)) }
            #expect("\(failure.pointer)".hasPrefix("/data/relationships/readers/data/1"))
        }
    }

    @Test("A null in linkage is reported when the whole document is read", arguments: ["fans", "readers", "embedded"])
    func nullInLinkage(name: String) throws {
        for decoder in dropping {
            let document = try decoder.decode(Document<Article>.self, from: article(name, "null"))
            #expect(pointers(document.diagnostics) == ["/data/relationships/\(name)/data/1"])
        }
    }

    @Test(
        "An object in linkage that is no identifier is dropped and reported when the whole document is read",
        arguments: ["{}", #"{"id":"2"}"#, #"{"type":"people","id":true}"#, #"{"type":7,"id":"2"}"#], ["fans", "embedded"])
    func objectInLinkage(element: String, name: String) throws {
        let toOne = Data(#"{"data":{"type":"articles","id":"1","relationships":{"r":{"data":\#(element)}}}}"#.utf8)
        for decoder in dropping {
            let document = try decoder.decode(Document<Article>.self, from: article(name, element))
            #expect(document.data.fans.ids ?? document.data.embedded?.map(\.id) == ["1"])
            #expect(pointers(document.diagnostics).map { $0.hasPrefix("/data/relationships/\(name)/data/1") } == [true])
            #expect(throws: DecodingError.self) { try decoder.decode(Document<Article>.self, from: toOne) }
        }
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Document<Article>.self, from: article(name, element)) }
    }

    @Test("A null in the primary data or in the included resources is dropped and reported")
    func nullResources() throws {
        let people = Data(#"{"data":[null,\#(Self.person),7],"included":[]}"#.utf8)
        let included = Data(#"{"data":[],"included":[null]}"#.utf8)
        for decoder in dropping {
            #expect(try decoder.decode([Person].self, from: people).map(\.id) == ["1"])
            #expect(try decoder.decode([ResourceObject].self, from: people).map(\.id) == ["1"])
            #expect(try decoder.decode([ResourceIdentifier].self, from: people).map(\.id) == ["1"])
            let document = try decoder.decode(Document<[Person]>.self, from: people)
            #expect(document.data.map(\.id) == ["1"] && pointers(document.diagnostics) == ["/data/0", "/data/2"])
            let empty = try decoder.decode(Document<[Person]>.self, from: included)
            #expect(empty.included.isEmpty && pointers(empty.diagnostics) == ["/included/0"])
            #expect(try empty.included(Person.self).isEmpty)
        }
    }

    @Test("An array in place of a resource has no members", arguments: ["[1]", #"["type","people","id","2"]"#, #"[["a"],{}]"#, "[]"])
    func arrayAsResource(element: String) throws {
        for text in [#"{"data":[\#(element),\#(Self.person)]}"#, #"{"data":[\#(Self.person)],"included":[\#(element)]}"#] {
            for decoder in dropping {
                #expect(try decoder.decode([Person].self, from: Data(text.utf8)).map(\.id) == ["1"])
                #expect(try decoder.decode(Document<[Person]>.self, from: Data(text.utf8)).data.map(\.id) == ["1"])
            }
        }
    }

    @Test("Without the option, the error for an element that is no object names it")
    func advice() throws {
        let texts = [
            article("fans", "null"), Data(#"{"data":[null]}"#.utf8), Data(#"{"data":[],"included":[null]}"#.utf8),
        ]
        for text in texts {
            for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
                let failure = try Blog.failure { try decoder.decode(Document<ResourceObject?>.self, from: text) }
                #expect(failure.advice?.contains("invalidElements") == true, "\(failure)")
            }
        }
    }

    @Test("A request is refused, also if elements are dropped")
    func request() {
        for decoder in dropping {
            var decoder = decoder
            decoder.source = .request
            #expect(throws: DecodingError.self) { try decoder.decode(Document<Article>.self, from: article("fans", "null")) }
        }
    }
}
