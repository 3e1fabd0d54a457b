import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText
import Testing

@Suite("Writing documents one resource at a time")
struct DocumentWriterTests {
    @Test("A writer that goes on on another thread finds what equal values refer to")
    func otherThread() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
        }
        struct Tag: Resource, Equatable {
            static let type = "tags"
            var id: String
            var author: ToOne<Person>
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var tags: [Tag]
        }
        final class Job: @unchecked Sendable {
            // One thread at a time uses them.
            var text = Data()
            var writer: DocumentWriter?
        }
        let tags = [
            Tag(id: "1", author: ToOne(ResourceIdentifier(type: "people", id: "1"))), Tag(id: "1", author: ToOne(Person(id: "1"))),
        ]
        let job = Job()
        job.writer = try DocumentWriter { job.text += $0 }
        try job.writer?.append(Article(id: "0", tags: []))
        let thread = Thread { try? job.writer?.append(Article(id: "1", tags: tags)) }
        thread.start()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        try job.writer?.finish()
        let document = try JSONAPIDecoder().decode(DocumentObject.self, from: job.text)
        #expect(document.included?.map(\.type).sorted() == ["people", "tags"])
    }

    typealias Support = StreamingSupport
    typealias Person = StreamingSupport.Person
    typealias Story = StreamingSupport.Story

    static let dan = Person(id: "9", name: "Dan")
    static let stories = [
        Story(id: "1", title: "One", author: dan, related: [StreamingSupport.Note(id: "5", author: Person(id: "8", name: "Eve"))]),
        Story(id: "2", title: nil, author: dan, related: []), Story(id: "3", title: "Ünï", author: nil, related: []),
    ]

    /// The output of a writer.
    private func text(
        _ encoder: JSONAPIEncoder = JSONAPIEncoder(), include: IncludePaths = .all, fields: [String: [String]] = [:],
        _ body: (DocumentWriter) throws -> Void
    ) throws -> Data {
        var text = Data()
        let writer = try DocumentWriter(encoder: encoder, include: include, fields: fields, jsonapi: JSONAPIObject(version: "1.1")) {
            text.append($0)
        }
        try body(writer)
        try writer.finish(links: ["self": "/x"], meta: ["n": 1])
        return text
    }

    @Test(
        "The text equals the encoder's text for all resources",
        arguments: [IncludePaths.all, .none, [], ["author"], ["related.author"], ["author", "related.author"]])
    func sameAsEncoder(include: IncludePaths) throws {
        for fields in [[:], ["articles": ["title", "author"], "people": []]] {
            for (style, sorts) in [(JSONWriter.Style.compact, false), (.indented(), false), (.compact, true), (.indented(spaces: 4), true)]
            {
                var encoder = JSONAPIEncoder()
                encoder.style = style
                encoder.sortsNames = sorts
                let whole = try encoder.encode(
                    Self.stories, include: include, fields: fields, links: ["self": "/x"], meta: ["n": 1],
                    jsonapi: JSONAPIObject(version: "1.1"))
                let streamed = try text(encoder, include: include, fields: fields) { try $0.append(contentsOf: Self.stories) }
                #expect(String(decoding: streamed, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
            }
        }
    }

    @Test("A written file decodes equal, and can be written again")
    func roundTrip() throws {
        try Support.withFolder { folder in
            let url = folder.appendingPathComponent("a.json")
            let writer = try DocumentWriter(url)
            try writer.append(contentsOf: Self.stories)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("a.json") == false)
            try writer.finish()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
            let reader = try DocumentReader(url)
            #expect(Support.read(reader.resources(Story.self)).values == Self.stories)
            // References that the file resolves include their resources.
            let copy = folder.appendingPathComponent("b.json")
            let second = try DocumentWriter(copy)
            try reader.resources(Support.Article.self).forEach { try second.append($0) }
            try second.finish()
            let articles = try DocumentReader(copy).resources(Support.Article.self)
            #expect(Support.read(articles).values.map { $0.author.value?.name } == ["Dan", "Dan", nil])
            #expect(second.progress.resources == 3 && second.progress.included == 1)
            #expect(try Data(contentsOf: copy).count == second.progress.bytes)
        }
    }

    @Test("Primary data is never included, in any order")
    func primaryIsNotIncluded() throws {
        for order in [[0, 1], [1, 0]] {
            let data = try text { writer in
                for which in order {
                    if which == 0 { try writer.append(Self.stories[0]) } else { try writer.append(Self.dan) }
                }
            }
            let document = try JSONAPIDecoder().decode(DocumentObject.self, from: data)
            #expect(document.included?.map(\.id) == ["5", "8"])
        }
    }

    @Test("All included resources are written once, beyond the memory limit")
    func spilled() throws {
        let filler = String(repeating: "x", count: 1000)
        let data = try text { writer in
            for index in 0..<5000 {
                let author = Person(id: String(index / 2), name: filler)
                try writer.append(Story(id: String(index), title: nil, author: author, related: []))
            }
        }
        let document = try JSONAPIDecoder().decode(Document<[Story]>.self, from: data)
        #expect(document.data.count == 5000 && document.included.map(\.id) == (0..<2500).map { String($0) })
        #expect(document.data.allSatisfy { $0.author?.name == filler })
    }

    @Test("A resource that fails to encode leaves no trace")
    func failure() throws {
        let data = try text { writer in
            try writer.append(Self.dan)
            #expect(throws: EncodingError.self) { try writer.append(Self.dan) }
            #expect(throws: EncodingError.self) { try writer.append(Person(id: "", name: "x")) }
            var other = Self.stories[0]
            other.author = Person(id: "9", name: "Another")
            let error = #expect(throws: EncodingError.self) { try writer.append(other) }
            #expect(error?.failure?.kind == .duplicateResource)
            try writer.append(Self.stories[1])
        }
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data)
        #expect(document.data.map(\.id) == ["9", "2"] && document.included.isEmpty)
    }

    @Test("Two different values with one identity are an error, unless the first is kept")
    func conflicts() throws {
        let first = Story(id: "1", title: nil, author: Self.dan, related: [])
        let second = Story(id: "2", title: nil, author: Person(id: "9", name: "Another"), related: [])
        _ = try text { writer in
            try writer.append(first)
            #expect(throws: EncodingError.self) { try writer.append(second) }
        }
        var encoder = JSONAPIEncoder()
        encoder.conflictingResources = .keepFirst
        let kept = try text(encoder) { try $0.append(contentsOf: [first, second]) }
        #expect(try JSONAPIDecoder().decode([Story].self, from: kept).map(\.author?.name) == ["Dan", "Dan"])
    }

    /// Models that differ only in their texts.
    private struct Writer: Resource {
        static let type = "people"
        var id: String
        var friends: [Writer] = []
    }
    private struct Book: Resource {
        static let type = "books"
        var id: String
        var authors: [Writer]
        var editor: Writer?
    }

    @Test("A repeated value in one resource does not affect the next")
    func doubtsOfOneResource() throws {
        let ann = Writer(id: "a", friends: [Writer(id: "b")])
        let data = try text { writer in
            try writer.append(Book(id: "1", authors: [ann, ann], editor: ann))
            try writer.append(Writer(id: "c"))
            try writer.append(Book(id: "2", authors: [Writer(id: "d"), Writer(id: "e")], editor: nil))
        }
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data)
        #expect(document.data.map(\.id) == ["1", "c", "2"] && document.included.map(\.id) == ["a", "b", "d", "e"])
    }

    @Test("Include paths are followed from each resource")
    func pathsOfEachResource() throws {
        let books = (0..<30).map { number in
            let author = Writer(id: "author \(number)", friends: [Writer(id: "friend \(number)", friends: [Writer(id: "none")])])
            return Book(id: "\(number)", authors: [author], editor: author)
        }
        for include in [["authors", "editor.friends"], ["editor.friends", "authors"], ["authors.friends", "editor"]] {
            let data = try text(include: .paths(include)) { try $0.append(contentsOf: books) }
            let included = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data).included.compactMap(\.id)
            #expect(Set(included) == Set((0..<30).flatMap { ["author \($0)", "friend \($0)"] }) && included.count == 60)
        }
    }

    @Test("Of equal values with one identity, each leads to the resources that it holds")
    func resourcesOfEqualValues() throws {
        struct Node: Resource {
            static let type = "nodes"
            var id: String
            var next: ToOne<Node> = .notLoaded
        }
        let bare = Node(id: "middle", next: ToOne(ResourceIdentifier(type: "nodes", id: "last")))
        let full = Node(id: "middle", next: ToOne(Node(id: "last")))
        for middles in [[bare, full], [full, bare], [bare, bare, full, bare]] {
            let roots = middles.enumerated().map { Node(id: "\($0)", next: ToOne($1)) }
            for include in [IncludePaths.all, ["next.next"]] {
                let streamed = try JSON(parsing: text(include: include) { try $0.append(contentsOf: roots) })
                #expect(streamed["included"]?.array?.compactMap { $0["id"]?.string } == ["middle", "last"])
            }
        }
    }

    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var name: String?
        var next: ToOne<Node> = .notLoaded
        var others: ToMany<Node> = .notLoaded
    }

    private enum AnyNode: ResourceUnion {
        case node(Node), unknown(ResourceObject)
        static let members: [UnionMember<AnyNode>] = [.init(AnyNode.node)]
        var resource: any ResourceRepresentable {
            switch self {
            case .node(let node): node
            case .unknown(let object): object
            }
        }
    }

    @Test("A value of a union in the primary data is searched and compared with others of its identity like any value")
    func secondValueOfAPrimaryUnion() throws {
        let bare = Node(id: "middle", next: ToOne(ResourceIdentifier(type: "nodes", id: "last")))
        let root = Node(id: "root", others: [Node(id: "middle", next: ToOne(Node(id: "last")))])
        for nodes in [[bare, root], [root, bare]] {
            let streamed = try JSON(parsing: text { try $0.append(contentsOf: nodes.map(AnyNode.node)) })
            #expect(streamed["included"]?.array?.compactMap { $0["id"]?.string } == ["last"])
        }
        let others = [Node(id: "middle", name: "New"), Node(id: "root", others: [Node(id: "middle", name: "Old")])]
        for nodes in [others, others.reversed()] {
            _ = try text { writer in
                try writer.append(AnyNode.node(nodes[0]))
                #expect(throws: EncodingError.self) { try writer.append(AnyNode.node(nodes[1])) }
            }
        }
    }

    @Test("Rewriters and added resources are written")
    func rewritersAndAdditions() throws {
        var encoder = JSONAPIEncoder()
        encoder.rewriters["people"] = Rewriter { Rule("full_name", from: "name") }
        let data = try text(encoder) { writer in
            try writer.append(Self.stories[1])
            try writer.include(Person(id: "7", name: "Fay"))
            try writer.include(Self.dan)
        }
        let included = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: data).included
        #expect(included.map { $0.attributes?["full_name"]?.string } == ["Dan", "Fay"])
    }

    @Test("A long include path through resources with much linkage is an error instead of a long computation")
    func denseCircles() throws {
        struct Friend: Resource {
            static let type = "people"
            var id: String
            var friends: ToMany<Friend>
        }
        let ids = (0..<30).map { "\($0)" + String(repeating: "0", count: 2000) }
        let linkage = ids.map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
        let people = ids.map { #"{"type":"people","id":"\#($0)","relationships":{"friends":{"data":[\#(linkage)]}}}"# }
        let all = try JSONAPIDecoder().decode([Friend].self, from: Data(#"{"data":[\#(people.joined(separator: ","))]}"#.utf8))
        func write(_ count: Int) throws -> Data {
            let path = Array(repeating: "friends", count: count).joined(separator: ".")
            return try text(include: .paths([path])) { try $0.append(all[0]) }
        }
        #expect(try JSON(parsing: write(5))["included"]?.array?.count == 29)
        let error = #expect(throws: EncodingError.self) { _ = try write(100) }
        #expect(error?.failure?.kind == .includeLimit)
    }

    @Test("A resource that cannot be rewritten is named by its place in the document")
    func placesOfRewriters() throws {
        var encoder = JSONAPIEncoder()
        encoder.rewriters["people"] = Rewriter { Rule("age", from: "name", .lenientInt) }
        _ = try text(encoder) { writer in
            for name in ["1", "2"] { try writer.append(Person(id: name, name: name)) }
            let error = #expect(throws: ValidationError.self) { try writer.append(Person(id: "3", name: "x")) }
            #expect(error?.issues.map(\.pointer.description) == ["/data/2/attributes/age"])
        }
    }

    @Test("An unfinished document leaves no file, and keeps an old one")
    func unfinished() throws {
        try Support.withFolder { folder in
            let url = folder.appendingPathComponent("a.json")
            try Data("old".utf8).write(to: url)
            do {
                let writer = try DocumentWriter(url)
                for index in 0..<2000 { try writer.append(Person(id: String(index), name: String(repeating: "n", count: 100))) }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.json"])
            #expect(try Data(contentsOf: url) == Data("old".utf8))
            #expect(throws: DocumentFileError.self) { try DocumentWriter(folder.appendingPathComponent("no/a.json")) }
        }
    }

    @Test("A failed output stays failed, and nothing can be written after the end")
    func handingOn() throws {
        struct Full: Error {}
        let writer = try DocumentWriter { _ in throw Full() }
        #expect(throws: Full.self) { for index in 0..<100_000 { try writer.append(Person(id: String(index), name: "n")) } }
        #expect(throws: Full.self) { try writer.finish() }
        let finished = try DocumentWriter { _ in }
        try finished.finish()
        #expect(throws: EncodingError.self) { try finished.append(Self.dan) }
    }

    @Test("Equal remaining members in another order are no conflict")
    func equalRemainingMembers() throws {
        struct Rest: Resource {
            static let type = "rests"
            var id: String
            var title: String
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, title, rest = "attributes" }
        }
        struct Holder: Resource {
            static let type = "holders"
            var id: String
            var rest: Rest
        }
        func rest(_ members: String) throws -> Rest {
            let text = #"{"data":{"type":"rests","id":"9","attributes":{"title":"t",\#(members)}}}"#
            return try JSONAPIDecoder().decode(Rest.self, from: Data(text.utf8))
        }
        let values = try [#""x":1,"y":2"#, #""y":2,"x":1"#, #""y":2,"x":3"#].map(rest)
        let written = try text { writer in
            try writer.append(Holder(id: "1", rest: values[0]))
            try writer.append(Holder(id: "2", rest: values[1]))
            #expect(throws: EncodingError.self) { try writer.append(Holder(id: "3", rest: values[2])) }
        }
        #expect(try JSON(parsing: written)["included"]?.array?.count == 1)
    }

    @Test("Equal dictionaries in another order are no conflict")
    func equalDictionaries() throws {
        struct Player: Resource {
            static let type = "players"
            var id: String
            var scores: [String: Int]
        }
        struct Game: Resource {
            static let type = "games"
            var id: String
            var player: Player
        }
        func game(_ id: String, _ capacity: Int, last: Int = 59) -> Game {
            var scores = [String: Int](minimumCapacity: capacity)
            for number in 0..<60 { scores["c\(number)"] = number == 59 ? last : number }
            return Game(id: id, player: Player(id: "9", scores: scores))
        }
        let written = try text { writer in
            try writer.append(game("1", 0))
            try writer.append(game("2", 5000))
        }
        #expect(try JSON(parsing: written)["included"]?.array?.count == 1)
        #expect(throws: EncodingError.self) {
            _ = try text { writer in
                try writer.append(game("1", 0))
                try writer.append(game("2", 0, last: 60))
            }
        }
    }

    @Test("A misspelled name is found when the document is finished, and no file is left")
    func misspelledNames() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var author: ToOne<Person>
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: url) }
        let articles = [
            Article(id: "1", author: .empty), Article(id: "2", author: ToOne(Person(id: "1", name: "n"))),
            Article(id: "3", author: .notLoaded),
        ]
        func write(_ include: IncludePaths, _ fields: [String: [String]] = [:]) throws {
            let writer = try DocumentWriter(url, include: include, fields: fields)
            try writer.append(contentsOf: articles)
            try writer.finish()
        }
        let wrong: [(IncludePaths, [String: [String]])] = [(["auhtor"], [:]), (["author.boss"], [:]), (["author"], ["people": ["nane"]])]
        for (include, fields) in wrong {
            let error = #expect(throws: EncodingError.self) { try write(include, fields) }
            #expect(error?.failure?.kind == .unknownName)
            #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(articles, include: include, fields: fields) }
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }
        let writer = try DocumentWriter(fields: ["articles": ["auhtor"]]) { (_: Data) in }
        try writer.append(articles[0])
        for _ in 0..<4 { #expect(throws: EncodingError.self) { try writer.append(articles[0]) } }
        #expect(throws: EncodingError.self) { try writer.finish() }
        try write(["author"], ["people": ["name"], "articles": ["author"]])
        #expect(FileManager.default.fileExists(atPath: url.path))
    }
}
