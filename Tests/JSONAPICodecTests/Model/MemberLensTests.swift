import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Lenses over the members of an object")
struct MemberLensTests {
    @Test("Setting a member keeps unknown, @-, and extension members in place")
    func survival() throws {
        var resource = ResourceObject(
            members: try ModelSupport.members(
                """
                {"@id":"a","type":"articles","x":1.50,"attributes":{"@c":null,"title":"Old","ns:a":[]},"id":"1","ns:v":{}}
                """))
        resource[attribute: "title"] = "New"
        resource.id = "2"
        resource.lid = "l"
        try ModelSupport.expectIdentical(
            resource.members,
            """
            {"@id":"a","type":"articles","x":1.50,"attributes":{"@c":null,"title":"New","ns:a":[]},"id":"2","ns:v":{},\
            "lid":"l"}
            """)
    }

    @Test("An optional chain through an unreadable member changes nothing")
    func chain() throws {
        let text = #"{"type":"a","meta":null,"links":"x","attributes":17,"relationships":[1],"id":null}"#
        var resource = ResourceObject(members: try ModelSupport.members(text))
        resource.meta?["x"] = 1
        resource.links?["next"] = "/2"
        resource.attributes?["x"] = 1
        resource.relationships?["x"] = RelationshipObject()
        resource.id?.append("x")
        resource[attribute: "x"]?["y"] = 1
        resource[relationship: "x"]?.meta = [:]
        try ModelSupport.expectIdentical(resource.members, text)
    }

    @Test("An optional chain through an absent member adds nothing")
    func chainOverNothing() {
        var document = DocumentObject()
        document.meta?["x"] = 1
        document.errors?.append(ErrorObject(title: "x"))
        document.included?.removeAll()
        document.jsonapi?.version = "1.1"
        #expect(document.members.isEmpty)
    }

    @Test("Parts are changed in place, at any depth")
    func nested() throws {
        var document = DocumentObject(
            members: try ModelSupport.members(
                #"{"x":1,"errors":[{"@a":1,"links":{"about":"/1"}}],"meta":{"page":{"size":1}},"y":2}"#))
        document.errors?[0].links?.about = .null
        document.meta?["page"]?["size"] = 2
        try ModelSupport.expectIdentical(
            document.members, #"{"x":1,"errors":[{"@a":1,"links":{"about":null}}],"meta":{"page":{"size":2}},"y":2}"#)
    }

    @Test("Setting nil removes a member, and every member of a repeated name")
    func removal() throws {
        var error = ErrorObject(members: try ModelSupport.members(#"{"title":1,"status":"400","title":[],"links":7}"#))
        error.title = nil
        error.links = nil
        try ModelSupport.expectIdentical(error.members, #"{"status":"400"}"#)
    }

    @Test("The last member of a repeated name is read and set")
    func repeatedNames() throws {
        var error = ErrorObject(members: try ModelSupport.members(#"{"title":"a","status":"400","title":"b"}"#))
        #expect(error.title == "b")
        error.title = "c"
        try ModelSupport.expectIdentical(error.members, #"{"title":"a","status":"400","title":"c"}"#)
    }

    @Test("@-members, extension members, and unknown members are distinguished by name")
    func kinds() throws {
        let document = DocumentObject(
            members: try ModelSupport.members(
                """
                {"@context":1,"meta":{},"atomic:results":[],"pagination":2,"@":3,"v2:a:b":4,":x":5,"a-b:c":6,"":7,\
                "atomic:":8,"atomicx:y":9,"a@b":10,"1:é":11}
                """))
        #expect(document.atMembers.description == #"{"@context":1,"@":3}"#)
        #expect(document.extensionMembers(namespace: "atomic").description == #"{"atomic:results":[],"atomic:":8}"#)
        #expect(document.extensionMembers(namespace: "v2").description == #"{"v2:a:b":4}"#)
        #expect(document.extensionMembers(namespace: "1").description == #"{"1:é":11}"#)
        #expect(document.extensionMembers(namespace: "v2:a").isEmpty)
        #expect(document.extensionMembers(namespace: "").isEmpty)
        #expect(document.extensionMembers(namespace: "a-b").isEmpty)
        #expect(document.unknownMembers.description == #"{"pagination":2,":x":5,"a-b:c":6,"":7,"a@b":10}"#)
    }

    @Test("Each type lists the members that the specification defines")
    func definedNames() {
        let names = [
            "data", "errors", "meta", "links", "included", "jsonapi", "type", "id", "lid", "attributes",
            "relationships", "href", "rel", "describedby", "title", "hreflang", "status", "code", "detail", "source",
            "pointer", "parameter", "header", "version", "ext", "profile", "self", "related", "first", "last", "prev",
            "next", "about",
        ]
        let members = JSONObject(members: names.map { .init(name: $0, value: nil) })
        func defined(_ unknown: JSONObject) -> Set<String> { Set(names).subtracting(unknown.names) }

        #expect(
            defined(DocumentObject(members: members).unknownMembers)
                == ["data", "errors", "meta", "links", "included", "jsonapi"])
        #expect(
            defined(ResourceObject(members: members).unknownMembers)
                == ["type", "id", "lid", "attributes", "relationships", "links", "meta"])
        #expect(defined(RelationshipObject(members: members).unknownMembers) == ["data", "links", "meta"])
        #expect(
            defined(Links(members: members).unknownMembers)
                == ["self", "related", "describedby", "first", "last", "prev", "next", "about", "type"])
        #expect(
            defined(LinkObject(members: members).unknownMembers)
                == ["href", "rel", "describedby", "title", "type", "hreflang", "meta"])
        #expect(
            defined(ErrorObject(members: members).unknownMembers)
                == ["id", "links", "status", "code", "title", "detail", "source", "meta"])
        #expect(defined(ErrorSource(members: members).unknownMembers) == ["pointer", "parameter", "header"])
        #expect(defined(JSONAPIObject(members: members).unknownMembers) == ["version", "ext", "profile", "meta"])
    }

    @Test("Any member is read and written as JSON by name")
    func rawMembers() {
        var source = ErrorSource(pointer: .root)
        source[member: "line"] = 3
        #expect(source[member: "line"] == 3)
        #expect(source.description == #"{"pointer":"","line":3}"#)
        source[member: "pointer"] = nil
        #expect(source.json == ["line": 3])
        #expect(ErrorSource(attribute: "a/b").pointerText == "/data/attributes/a~1b")
        #expect(ErrorSource(relationship: "author").pointerText == "/data/relationships/author")
    }

    @Test("Equality compares bytes and exact numbers in any order, and hashes agree")
    func equality() throws {
        let first = ErrorObject(members: try ModelSupport.members(#"{"title":"é","meta":{"n":1.0}}"#))
        let reordered = ErrorObject(members: try ModelSupport.members(#"{"meta":{"n":1},"title":"é"}"#))
        let decomposed = ErrorObject(members: try ModelSupport.members(#"{"title":"e\u0301","meta":{"n":1}}"#))
        #expect(first == reordered)
        #expect(first.hashValue == reordered.hashValue)
        #expect(first != decomposed)
    }

    @Test("A copy does not change with its original")
    func copies() {
        var original = ResourceObject(type: "articles", id: "1", attributes: ["title": "a"])
        let copy = original
        original[attribute: "title"] = "b"
        original.type = "books"
        #expect(copy == ResourceObject(type: "articles", id: "1", attributes: ["title": "a"]))
    }

    @Test("100,000 levels are read, changed, compared, hashed, printed, and released without recursion")
    func depth() throws {
        func nested() -> DocumentObject {
            var value: JSON = "end"
            for _ in 0..<50_000 { value = ["a": [value]] }
            return DocumentObject(data: .one(ResourceObject(type: "a", id: "1", attributes: ["deep": value])))
        }
        var document = nested()
        #expect(document == nested())
        #expect(document.hashValue == nested().hashValue)
        #expect(document.description.utf8.count > 400_000)
        guard case .one(var resource) = document.data else {
            Issue.record("one resource expected")
            return
        }
        resource[attribute: "deep"]?["a"] = nil
        document.data = .one(resource)
        #expect(document.description == #"{"data":{"type":"a","id":"1","attributes":{"deep":{}}}}"#)
    }

    @Test("Foundation's coders keep lenses")
    func codable() throws {
        let document = DocumentObject(
            members: try ModelSupport.members(
                #"{"@a":1,"data":[{"type":"a","id":"1","attributes":{"x":null,"y":[1.5,true]}}],"ns:x":{},"meta":{}}"#))
        #expect(try ModelSupport.recoded(document) == document)
        let error = ErrorObject(status: "400", source: ErrorSource(pointer: JSONPointer("data", "a/b")))
        #expect(try ModelSupport.recoded([error]) == [error])
        #expect(try ModelSupport.recoded(["jsonapi": JSONAPIObject(version: "1.1")])["jsonapi"]?.version == "1.1")
        let links: Links = ["self": "/1", "next": .null]
        #expect(try ModelSupport.recoded(links) == links)
    }

    @Test("The error for another shape names the expected one")
    func decodingOtherShapes() {
        for text in ["[1]", #""x""#, "17", "true", "null"] {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode(ResourceObject.self, from: Data(text.utf8))
            }
        }
        #expect(throws: Never.self) { try JSONDecoder().decode(ErrorObject.self, from: Data(#""x""#.utf8)) }
    }
}
