// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import JSONText
import Testing

@Suite("The articles of JSONText")
struct JSONTextTests {
    @Test("The landing page")
    func landing() throws {
        let json = try JSON(parsing: #"{"id": 9007199254740993, "price": 1.50, "tags": ["a", null]}"#)
        let id = json["id"]?.int                       // 9007199254740993
        let price = json["price"]?.number?.text        // "1.50"
        let second = json["tags"]?[1]?.isNull          // true
        #expect(id == 9_007_199_254_740_993 && price == "1.50" && second == true)
    }

    @Test("Values, pointers, and numbers")
    func values() throws {
        var article: JSON = ["type": "articles", "id": "1", "attributes": ["title": "Clocks", "words": 1240]]
        let words = article["attributes"]?["words"]?.int       // 1240
        article["attributes"]?["title"] = "Stairs"             // replaced in place
        article["attributes"]?["draft"] = true                 // added at the end
        article["id"] = nil                                    // removed
        #expect(words == 1240)
        #expect(article.description == #"{"type":"articles","attributes":{"title":"Stairs","words":1240,"draft":true}}"#)

        let pointer = try JSONPointer(parsing: "/attributes/title")
        let title = article[pointer: pointer]?.string          // "Stairs"
        article[pointer: JSONPointer("attributes", "a/b")] = 1
        let text = JSONPointer("attributes", "a/b").description    // "/attributes/a~1b"
        #expect(title == "Stairs" && text == "/attributes/a~1b" && article["attributes"]?["a/b"] == 1)

        let number = JSONNumber(text: "12345678901234567890.10")
        let digits = number?.text                              // "12345678901234567890.10"
        let isSame = JSONNumber(text: "1.0") == JSONNumber(text: "10e-1")      // true
        let whole = try JSONNumber(text: "1E2")?.integer(as: Int.self)         // 100
        #expect(digits == "12345678901234567890.10" && isSame && whole == 100)

        let compact = article.description
        let pretty = try JSONWriter(style: .indented(spaces: 2), sortsNames: true).string(article)
        #expect(try JSON(parsing: compact) == JSON(parsing: pretty) && pretty.hasPrefix("{\n  \"attributes\""))
    }

    @Test("Values from variables")
    func variables() throws {
        let (title, pages, price, names) = ("Clocks", 12, 0.5, ["a", "b"])
        let book: JSON = try ["title": JSON(title), "pages": JSON(pages), "price": JSON(price)]
        let list = JSON(names.map { JSON($0) })                // an array of the texts
        #expect(book.description == #"{"title":"Clocks","pages":12,"price":0.5}"# && list == ["a", "b"])
    }

    @Test("Errors and limits")
    func errors() throws {
        var found: [String] = []
        let broken = #"{"a": 1,}"#
        do {
            _ = try JSON(parsing: broken)
        } catch {
            let kind = error.kind                              // unexpectedByte
            let position = error.position(in: broken.utf8)     // 1:9
            found.append("\(position): \(kind)")
        }
        #expect(found == ["1:9: unexpectedByte"])

        var options = JSONReadingOptions()
        options.maximumDepth = 64
        options.duplicateNames = .refuse
        let json = try JSON(parsing: #"{"a": [1]}"#, options: options)
        #expect(json == ["a": [1]])
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: #"{"a": 1, "a": 2}"#, options: options) }
    }
}
