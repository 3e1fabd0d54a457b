import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Errors of code that the program gives to the decoder, and elements that fail before their value is read.
@Suite struct PlaceOfErrorTests {
    private struct Event: Resource {
        static let type = "articles"
        var id: String
        var at: Date
        var size: Int
    }

    private var decoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        decoder.dateDecodingStrategy = .custom {
            let container = try $0.singleValueContainer()
            guard try container.decode(String.self) != "noon" else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time")
            }
            return Date(timeIntervalSince1970: 0)
        }
        return decoder
    }

    @Test("The error of a custom date strategy has its place, and the other problems are found as well")
    func customDate() throws {
        let text = Blog.document(
            #"[{"type":"articles","id":"1","attributes":{"at":"noon","size":"x"}},{"type":"articles","id":"2","attributes":{"at":1,"size":2}}]"#
        )
        let error = try #require(#expect(throws: DecodingError.self) { try decoder.decode([Event].self, from: text) })
        #expect(
            error.failures.map { "\($0.pointer)" } == ["/data/0/attributes/at", "/data/0/attributes/size", "/data/1/attributes/at"])
        #expect(error.failure?.resource == ResourceIdentifier(type: "articles", id: "1"))
    }

    @Test("It does not hide the other problems of the embedded resource in which it occurs")
    func customDateInEmbedded() throws {
        struct Diary: Resource {
            static let type = "diaries"
            var id: String
            var event: Event
        }
        let text = Blog.document(
            #"{"type":"diaries","id":"1","relationships":{"event":{"data":{"type":"articles","id":"2"}}}}"#,
            included: [#"{"type":"articles","id":"2","attributes":{"at":"noon","size":"x"}}"#])
        let error = try #require(#expect(throws: DecodingError.self) { try decoder.decode(Diary.self, from: text) })
        #expect(error.failures.map { "\($0.pointer)" } == ["/included/0/attributes/at", "/included/0/attributes/size"])
    }

    @Test("So has that of a custom data strategy")
    func customData() throws {
        struct File: Resource {
            static let type = "articles"
            var id: String
            var content: Data
        }
        struct Refusal: Error {}
        var decoder = JSONAPIDecoder()
        decoder.dataDecodingStrategy = .custom {
            throw DecodingError.dataCorrupted(.init(codingPath: $0.codingPath, debugDescription: "unsealed", underlyingError: Refusal()))
        }
        let failure = try Blog.failure { try Blog.decode(File.self, attributes: #"{"content":"x"}"#, with: decoder) }
        #expect(failure.kind == .invalidValue && "\(failure.pointer)" == "/data/attributes/content")
        #expect(failure.underlyingError is Refusal)
    }

    @Test("The failure of a converted property has the words of its first issue, and keeps all issues")
    func converted() throws {
        struct Person: Resource {
            static let type = "articles"
            var id: String
            @DateFormat<DateLayouts.Day> var born: Date
            @LenientInt var size: Int
        }
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        let error = try #require(
            #expect(throws: DecodingError.self) {
                try Blog.decode(Person.self, attributes: #"{"born":"yesterday","size":"big"}"#, with: decoder)
            })
        #expect(error.failures.map { "\($0.pointer)" } == ["/data/attributes/born", "/data/attributes/size"])
        let issues = try #require((error.failure?.underlyingError as? ValidationError)?.issues)
        #expect(issues.count == 1 && error.failure?.expected == issues.first?.expected)
    }

    @Test("The error of a model's own code has the place that its coding path names, or that of the resource", arguments: [false, true])
    func ownCode(hasKey: Bool) throws {
        struct Rating: Resource {
            static let type = "articles"
            var id: String
            var stars: Int
            enum CodingKeys: String, CodingKey { case id, stars = "attributes.star_count" }
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: CodingKeys.self)
                (id, stars) = (try map.decode(String.self, forKey: .id), try map.decode(Int.self, forKey: .stars))
                if stars > 5 { throw DecodingError.dataCorruptedError(forKey: .stars, in: map, debugDescription: "too many") }
                guard stars >= 0 else { throw DecodingError.dataCorrupted(.init(codingPath: map.codingPath, debugDescription: "none")) }
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let text = Blog.document("[" + Blog.article(attributes: #"{"star_count":\#(hasKey ? 6 : -1)}"#) + "]")
        let error = try #require(#expect(throws: DecodingError.self) { try JSONAPIDecoder().decode([Rating].self, from: text) })
        #expect(error.failure.map { "\($0.pointer)" } == "/data/0" + (hasKey ? "/attributes/star_count" : ""))
        guard case .dataCorrupted(let context) = error else { return #expect(Bool(false)) }
        #expect(context.debugDescription == (hasKey ? "too many" : "none"))
    }

    private enum Numbers: ConversionSource {
        static var conversion: Conversion<JSON, [Int]> { .list(.int) }
    }

    @Test("The failure of a converted array points to the element that does not fit")
    func convertedElement() throws {
        struct Series: Resource {
            static let type = "articles"
            var id: String
            @Converted<Numbers> var numbers: [Int]
        }
        let failure = try Blog.failure { try Blog.decode(Series.self, attributes: #"{"numbers":[1,"x"]}"#) }
        #expect("\(failure.pointer)" == "/data/attributes/numbers/1")
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var comments: [Blog.Comment]
    }

    @Test(
        "An identifier that is none, and one of another type, is dropped alone",
        arguments: [#"{"type":"comments"}"#, #"{"type":"people","id":"1"}"#, "7"])
    func droppedIdentifier(element: String) throws {
        var decoder = JSONAPIDecoder()
        (decoder.invalidElements, decoder.unknownTypes) = (.drop, .throw)
        let article = Blog.article(relationships: #"{"comments":{"data":[{"type":"comments","id":"1"},\#(element)]}}"#)
        let comment = #"{"type":"comments","id":"1","attributes":{"body":"B"}}"#
        let articles = try decoder.decode([Article].self, from: Blog.document("[\(article)]", included: [comment, Blog.ann]))
        #expect(articles.map { $0.comments.map(\.id) } == [["1"]])
    }

    @Test("In lenient mode, a whole resource in place of its identifier may have a null id")
    func nullID() throws {
        struct Writer: Resource {
            static let type = "people"
            var id: String?
            var name: String
        }
        struct Book: Resource {
            static let type = "articles"
            var id: String
            var author: Writer?
        }
        let person = #"{"type":"people","id":null,"attributes":{"name":"N"}}"#
        let book = try Blog.decode(
            Book.self, relationships: #"{"author":{"data":\#(person)}}"#, with: JSONAPIDecoder(mode: .lenient))
        #expect(book.author?.name == "N" && book.author?.id == nil)
        let text = Blog.document(Blog.article(relationships: #"{"author":{"data":\#(person)}}"#))
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<Book>.self, from: text)
        #expect(document.data.author?.name == "N" && document.diagnostics.contains { $0.kind == .leniency(.missingIDs) })
    }

    @Test("RemainingMembers read an empty array as an empty object, if the leniency says so")
    func emptyArrayForRest() throws {
        struct Account: Resource {
            static let type = "articles"
            var id: String
            var settings: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, settings = "attributes.settings" }
        }
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.emptyArrayValues]
        #expect(try Blog.decode(Account.self, attributes: #"{"settings":[]}"#, with: decoder).settings.members.isEmpty)
        let failure = try Blog.failure { try Blog.decode(Account.self, attributes: #"{"settings":[]}"#) }
        #expect(failure.advice?.contains("emptyArrayValues") == true)
    }

    private enum NoAuthor: DefaultSource {
        static let defaultValue = Blog.Person(id: "0", name: "")
    }

    @Test("A direct initializer that reads a relationship as an attribute throws, also through a property wrapper")
    func wrappedRelationshipAsAttribute() throws {
        struct Book: DirectResource {
            static let type = "articles"
            var id: String
            @Default<NoAuthor> var author: Blog.Person
            init(resource: ResourceView) throws {
                id = try resource.id()
                _author = try resource.attribute("author")
            }
            func write(to resource: ResourceWriter) throws {}
        }
        let relationships = #"{"author":{"data":{"type":"people","id":"1"}}}"#
        let failure = try Blog.failure { try Blog.decode(Book.self, relationships: relationships) }
        #expect(failure.advice?.contains("`author` is a relationship") == true)
        #expect(try Blog.decode(Book.self).author.id == "0")
    }
}
