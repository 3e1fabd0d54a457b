import JSONAPICodec
import JSONText
import Testing

@Suite("Whole documents keep their members")
struct DocumentRoundTripTests {
    /// A document with everything that JSON:API 1.1 defines, and everything that it tells readers to ignore.
    static let everything = """
        {"@context":{"@vocab":"x"},"jsonapi":{"version":"1.1","ext":["https://jsonapi.org/ext/version"],"profile":[],\
        "@j":1,"meta":{"build":1.50}},"links":{"self":{"href":"/articles?page[size]=2","rel":"self","@l":null,\
        "describedby":{"href":"/schema","describedby":"/meta-schema"},"title":"All","type":"text/html",\
        "hreflang":["en","de"],"meta":{"n":1E2}},"related":"","describedby":"/d","first":"/1","last":null,"prev":null,\
        "next":"/2","previous":"/0","version:x":"y"},"included":[{"type":"people","id":"9","attributes":{"name":"Dan",\
        "age":null}},{"id":"007","type":"people"}],"data":[{"@r":[],"type":"articles","id":"1","version:id":"42",\
        "attributes":{"title":"caf\u{E9}","cafe\u{301}":{"links":[],"type":1},"big":12345678901234567890.10,"@a":0},\
        "relationships":{"author":{"links":{"self":"/a","related":{"href":"/b"}},"data":{"type":"people","id":"9",\
        "meta":{"since":2001},"@i":1}},"editor":{"data":null},"tags":{"data":[]},"notLoaded":{"meta":{}},"comments":{\
        "data":[{"type":"comments","lid":"c1"},{"type":"comments","id":"5"},{"type":"comments","id":"5"}],"x":-0},\
        "@rel":{"data":1}},"links":{"self":"/articles/1"},"meta":{"cursor":"z"},"extra":true}],\
        "errors":[{"id":"1","links":{"about":"/e","type":null},"status":"422","code":"c","title":"t","detail":"d",\
        "source":{"pointer":"/data/0/a~1b","parameter":"p","header":"h","line":3},"meta":{},"stack":[[]]}],\
        "meta":{"page":{"total":100}},"pagination":{"offset":0}}
        """

    @Test("A document keeps members, their order, and the text of numbers")
    func untouched() throws {
        let document = DocumentObject(members: try ModelSupport.members(Self.everything))
        try ModelSupport.expectIdentical(document.members, Self.everything)
        #expect(document.description == Self.everything)
    }

    @Test("Setting each property to its own value changes nothing")
    func rewritten() throws {
        var document = DocumentObject(members: try ModelSupport.members(Self.everything))
        Self.rewrite(&document)
        #expect(document.description == Self.everything)
        try ModelSupport.expectIdentical(document.members, Self.everything)
    }

    @Test("Every part of the document has a typed property")
    func reading() throws {
        let document = DocumentObject(members: try ModelSupport.members(Self.everything))
        #expect(document.jsonapi?.meta?["build"]?.number?.text == "1.50")
        #expect(document.links?.`self`?.object?.describedby?.object?.describedby == "/meta-schema")
        #expect(document.links?.names.last == "previous")
        #expect(document.included?.map(\.id) == ["9", "007"])
        let article = try #require(document.data.resources.first)
        #expect(article.fieldNames.count == 8)
        #expect(article[attribute: "caf\u{E9}"] == nil)
        #expect(article[attribute: "cafe\u{301}"]?["type"] == 1)
        #expect(article[relationship: "author"]?.data.identifiers.first?.meta == ["since": 2001])
        #expect(article[relationship: "editor"]?.data == .null)
        #expect(article[relationship: "tags"]?.data == .many([]))
        #expect(article[relationship: "notLoaded"]?.data == .absent)
        #expect(article[relationship: "comments"]?.data.identifiers.map(\.lid) == ["c1", nil, nil])
        #expect(article.extensionMembers(namespace: "version") == ["version:id": "42"])
        #expect(document.errors?.first?.source?.pointer == JSONPointer("data", "0", "a/b"))
        #expect(document.unknownMembers == ["pagination": ["offset": 0]])
    }

    @Test("Foundation's coders keep a document, except digits they cannot represent")
    func codable() throws {
        var document = DocumentObject(members: try ModelSupport.members(Self.everything))
        guard case .many(var resources) = document.data else {
            Issue.record("a collection expected")
            return
        }
        resources[0][attribute: "big"] = nil
        // Foundation's decoder treats composed and decomposed é as one name. Here there is only one of them.
        document.data = .many(resources)
        #expect(try ModelSupport.recoded(document) == document)
    }

    @Test("Editing a large document keeps the rest")
    func editing() throws {
        let resources = (0..<1_000).map { number in
            ResourceObject(
                type: "articles", id: "\(number)", attributes: ["n": .number(JSONNumber(number))],
                relationships: ["author": RelationshipObject(data: .one(.init(type: "people", id: "9")))])
        }
        var document = DocumentObject(data: .many(resources), included: [ResourceObject(type: "people", id: "9")])
        document.included?[0][attribute: "name"] = "Dan"
        document.meta = ["total": 1_000]
        #expect(document.data == .many(resources))
        #expect(document.included?.first?[attribute: "name"] == "Dan")
        #expect(Array(document.members.names) == ["data", "included", "meta"])
    }

    // MARK: - Rewriting

    private static func rewrite(_ document: inout DocumentObject) {
        document.data =
            switch document.data {
            case .one(let resource): .one(rewritten(resource))
            case .many(let resources): .many(resources.map(rewritten))
            case .absent: .absent
            case .null: .null
            }
        document.included = document.included?.map(rewritten)
        document.errors = document.errors?.map(rewritten)
        document.links = document.links.map(rewritten)
        document.meta = document.meta
        if var jsonapi = document.jsonapi {
            jsonapi.version = jsonapi.version
            jsonapi.ext = jsonapi.ext
            jsonapi.profile = jsonapi.profile
            jsonapi.meta = jsonapi.meta
            document.jsonapi = jsonapi
        }
    }

    private static func rewritten(_ resource: ResourceObject) -> ResourceObject {
        var resource = resource
        let type = resource.type
        resource.type = type
        resource.id = resource.id
        resource.lid = resource.lid
        for name in resource.fieldNames {
            let attribute = resource[attribute: name]
            resource[attribute: name] = attribute
            guard var relationship = resource[relationship: name] else { continue }
            relationship.links = relationship.links.map(rewritten)
            relationship.data =
                switch relationship.data {
                case .one(let identifier): .one(rewritten(identifier))
                case .many(let identifiers): .many(identifiers.map(rewritten))
                case .absent: .absent
                case .null: .null
                }
            relationship.meta = relationship.meta
            resource[relationship: name] = relationship
        }
        resource.attributes = resource.attributes
        resource.relationships = resource.relationships
        resource.links = resource.links.map(rewritten)
        resource.meta = resource.meta
        return resource
    }

    private static func rewritten(_ identifier: ResourceIdentifier) -> ResourceIdentifier {
        var identifier = identifier
        identifier.id = identifier.id
        identifier.lid = identifier.lid
        identifier.meta = identifier.meta
        return identifier
    }

    private static func rewritten(_ links: Links) -> Links {
        var links = links
        for (name, link) in links {
            guard case .object(var object) = link else {
                links[name] = link
                continue
            }
            object.href = object.href
            object.rel = object.rel
            object.describedby = object.describedby
            object.title = object.title
            object.type = object.type
            object.hreflang = object.hreflang
            object.meta = object.meta
            links[name] = .object(object)
        }
        return links
    }

    private static func rewritten(_ error: ErrorObject) -> ErrorObject {
        var error = error
        error.id = error.id
        error.links = error.links.map(rewritten)
        error.status = error.status
        error.code = error.code
        error.title = error.title
        error.detail = error.detail
        if var source = error.source {
            source.pointer = source.pointer
            source.parameter = source.parameter
            source.header = source.header
            error.source = source
        }
        error.meta = error.meta
        return error
    }
}
