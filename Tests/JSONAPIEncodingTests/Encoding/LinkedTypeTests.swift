import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Types of resources that are only linked follow the rules for types, as those of resource objects do.
@Suite struct LinkedTypeTests {
    struct Bad: Resource {
        static let type = "a?b"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var bad: ToOne<Bad> = .notLoaded
        var bads: [ResourceIdentifier]?
        var raw: RelationshipObject?
    }

    private static let identifier = ResourceIdentifier(type: "a?b", id: "2")
    private static let described = ResourceIdentifier(type: "a?b", id: "2", lid: nil, meta: ["n": 1])

    struct Case: Sendable {
        let pointer: String
        let encode: @Sendable (JSONAPIEncoder) throws -> Data
    }

    static let cases = [
        Case(pointer: "/data/relationships/bad/data/type") { try $0.encode(Article(id: "1", bad: ToOne(id: "2"))) },
        Case(pointer: "/data/relationships/bad/data/type") { try $0.encode(Create(Article(id: "1", bad: ToOne(id: "2")))) },
        Case(pointer: "/data/relationships/bads/data/1/type") {
            try $0.encode(Article(id: "1", bads: [ResourceIdentifier(type: "a", id: "1"), identifier]))
        },
        Case(pointer: "/data/relationships/bads/data/0/type") { try $0.encode(Article(id: "1", bads: [described])) },
        Case(pointer: "/data/relationships/raw/data/type") {
            try $0.encode(Article(id: "1", raw: RelationshipObject(data: .one(identifier))))
        },
        Case(pointer: "/data/relationships/bads/data/0/type") {
            let old = Article(id: "1", bads: [])
            return try $0.encode(old.patch { $0.bads = [identifier] })
        },
        Case(pointer: "/data/relationships/r/data/type") {
            try $0.encode(Create(type: "articles", relationships: [.toOne("r", identifier)]))
        },
        Case(pointer: "/data/type") { try $0.encode(Linkage(replacing: identifier)) },
        Case(pointer: "/data/0/type") { try $0.encode(Linkage(adding: [described])) },
        Case(pointer: "/data/0/type") { try $0.encode(Delete([identifier])) },
        Case(pointer: "/data/type") { try $0.encode(Document(identifier)) },
        Case(pointer: "/atomic:operations/0/ref/type") {
            var operations = AtomicOperations()
            operations.remove(identifier)
            return try $0.encode(operations)
        },
        Case(pointer: "/atomic:operations/0/data/0/type") {
            var operations = AtomicOperations()
            operations.add([identifier], to: "r", of: ResourceIdentifier(type: "a", id: "1"))
            return try $0.encode(operations)
        },
    ]

    @Test("A type that is not a legal name is an error, unless names are not checked", arguments: cases)
    func illegal(_ each: Case) throws {
        let failure = encodingFailure { _ = try each.encode(JSONAPIEncoder()) }
        #expect(failure?.kind == .illegalName && failure?.pointer.description == each.pointer)
        #expect(failure?.advice?.contains("checksNames") == true)
        var lax = JSONAPIEncoder()
        lax.checksNames = false
        #expect(String(decoding: try each.encode(lax), as: UTF8.self).contains("a?b"))
    }

    @Test("A type cannot have the name of an extension member or of an @-member", arguments: ["ns:books", "@books"])
    func membersOfOthers(_ type: String) throws {
        let identifier = ResourceIdentifier(type: type, id: "1")
        let linked = encodingFailure { _ = try JSONAPIEncoder().encode(Article(id: "1", bads: [identifier])) }
        #expect(linked?.kind == .illegalName && linked?.pointer.description == "/data/relationships/bads/data/0/type")
        let linkage = encodingFailure { _ = try JSONAPIEncoder().encode(Linkage(replacing: identifier)) }
        #expect(linkage?.kind == .illegalName && linkage?.pointer.description == "/data/type")
        let response = encodingFailure { _ = try JSONAPIEncoder().encode(Document(identifier)) }
        #expect(response?.kind == .illegalName && response?.pointer.description == "/data/type")
        let text = Data(#"{"data":[{"type":"\#(type)","id":"3"}]}"#.utf8)
        let read = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: text)
        #expect(try JSONAPIEncoder().encode(read) == text)
    }

    struct Extended: Resource {
        static let type = "ns:books"
        var id: String
    }

    @Test("The type of a model is checked in the same way")
    func modelOfExtension() throws {
        let body = encodingFailure { _ = try JSONAPIEncoder().encode(Create(Extended(id: "1"))) }
        #expect(body?.kind == .illegalName && body?.pointer.description == "/data/type")
        let response = encodingFailure { _ = try JSONAPIEncoder().encode([Extended(id: "1")]) }
        #expect(response?.kind == .illegalName && response?.pointer.description == "/data/0/type")
        var lax = JSONAPIEncoder()
        lax.checksNames = false
        #expect(try JSON(parsing: lax.encode(Extended(id: "1")))["data"]?["type"] == "ns:books")
    }

    @Test("A long type is no error")
    func long() throws {
        let type = String(repeating: "x", count: 300)
        let text = try JSONAPIEncoder().encode(Article(id: "1", bads: [ResourceIdentifier(type: type, id: "1")]))
        #expect(try JSON(parsing: text)["data"]?["relationships"]?["bads"]?["data"]?[0]?["type"] == .string(type))
    }

    @Test("A document that was read is written as it was")
    func asRead() throws {
        let text = Data(
            """
            {"data":{"type":"articles","id":"1","relationships":{"bad":{"data":{"type":"a?b","id":"2"}},
              "bads":{"data":[{"type":"a?b","id":"2","meta":{"n":1}}]},"raw":{"data":{"type":"a?b","id":"3"}}}}}
            """.utf8)
        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: text)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
        let linkage = Data(#"{"data":[{"type":"a?b","id":"2"}]}"#.utf8)
        let identifiers = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: linkage)
        #expect(try JSONAPIEncoder().encode(identifiers) == linkage)
    }
}
