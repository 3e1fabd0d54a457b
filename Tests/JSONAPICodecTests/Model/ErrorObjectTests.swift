import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Error")
struct ErrorObjectTests {
    @Test("Every member is read and written")
    func members() {
        let properties: [(WritableKeyPath<ErrorObject, String?>, String)] = [
            (\.id, "id"), (\.status, "status"), (\.code, "code"), (\.title, "title"), (\.detail, "detail"),
        ]
        for (property, name) in properties {
            ModelSupport.check(property, name, wire: "422", value: "422")
        }
        ModelSupport.check(\ErrorObject.links, "links", wire: ["about": "/1"], value: ["about": "/1"])
        ModelSupport.check(
            \ErrorObject.source, "source", wire: ["header": "Accept"], value: ErrorSource(header: "Accept"))
        ModelSupport.check(\ErrorObject.meta, "meta", wire: ["n": 1], value: ["n": 1])
    }

    @Test("Members of other shapes are nil and kept; a status as a number reads as text")
    func otherShapes() throws {
        let objects: [JSON] = [[:], ["x": 1], ["data": 1, "type": nil]]
        ModelSupport.checkOtherShapes(\ErrorObject.id, "id", readable: ["text", 17, 1.5])
        ModelSupport.checkOtherShapes(\ErrorObject.status, "status", readable: ["text", 17, 1.5])
        ModelSupport.checkOtherShapes(\ErrorObject.code, "code", readable: ["text", 17, 1.5])
        ModelSupport.checkOtherShapes(\ErrorObject.title, "title", readable: ["text"])
        ModelSupport.checkOtherShapes(\ErrorObject.detail, "detail", readable: ["text"])
        ModelSupport.checkOtherShapes(\ErrorObject.links, "links", readable: objects + [[]])
        ModelSupport.checkOtherShapes(\ErrorObject.source, "source", readable: objects)
        ModelSupport.checkOtherShapes(\ErrorObject.meta, "meta", readable: objects + [[]])
        let error = ErrorObject(members: try ModelSupport.members(#"{"status":422,"code":1.50}"#))
        #expect(error.status == "422")
        #expect(error.code == "1.50")
        #expect(error.description == #"{"status":422,"code":1.50}"#)
    }

    @Test("Errors given as strings have that detail")
    func strings() throws {
        let text = #"{"errors":["Not found",{"status":"500"}]}"#
        var document = DocumentObject(members: try ModelSupport.members(text))
        #expect(document.errors == [ErrorObject(detail: "Not found"), ErrorObject(status: "500")])
        try ModelSupport.expectIdentical(document.members, text)
        document.errors?[1].title = "Broken"
        try ModelSupport.expectIdentical(
            document.members, #"{"errors":[{"detail":"Not found"},{"status":"500","title":"Broken"}]}"#)
        #expect(ErrorObject(json: 17) == nil)
        #expect(ErrorObject(json: []) == nil)
        #expect(try JSONDecoder().decode(ErrorObject.self, from: Data(#""x""#.utf8)) == ErrorObject(detail: "x"))
    }

    @Test("The initializer writes members in a fixed order, without nil")
    func initializer() {
        #expect(ErrorObject().description == "{}")
        #expect(
            ErrorObject(
                id: "1", links: ["about": "/1"], status: "422", code: "c", title: "t", detail: "d",
                source: ErrorSource(pointer: JSONPointer("data", "id")), meta: [:]
            ).description
                == """
                {"id":"1","links":{"about":"/1"},"status":"422","code":"c","title":"t","detail":"d",\
                "source":{"pointer":"/data/id"},"meta":{}}
                """)
    }
}

@Suite("Error source")
struct ErrorSourceTests {
    @Test("Every member is read and written")
    func members() {
        ModelSupport.check(
            \ErrorSource.pointer, "pointer", wire: "/data/0/a~1b", value: JSONPointer("data", "0", "a/b"))
        ModelSupport.check(\ErrorSource.pointer, "pointer", wire: "", value: .root)
        ModelSupport.check(\ErrorSource.pointerText, "pointer", wire: "data.title", value: "data.title")
        ModelSupport.check(\ErrorSource.parameter, "parameter", wire: "include", value: "include")
        ModelSupport.check(\ErrorSource.header, "header", wire: "Accept", value: "Accept")
        #expect(
            ErrorSource(pointer: JSONPointer(""), parameter: "p", header: "h").description
                == #"{"pointer":"/","parameter":"p","header":"h"}"#)
        #expect(ErrorSource().description == "{}")
    }

    @Test("A text that is not a pointer is kept")
    func faultyPointers() {
        for text in ["data/title", "/a~2", "~", "#/data"] {
            var source = ErrorSource(members: ["pointer": .string(text), "x": 1])
            #expect(source.pointer == nil)
            #expect(source.pointerText == text)
            source.pointer?.tokens.append("x")
            #expect(source.pointerText == text)
            source.pointer = .root
            #expect(source.description == #"{"pointer":"","x":1}"#)
        }
    }

    @Test("Members of other shapes are nil, and are kept")
    func otherShapes() {
        ModelSupport.checkOtherShapes(\ErrorSource.pointer, "pointer", readable: [])
        ModelSupport.checkOtherShapes(\ErrorSource.pointerText, "pointer", readable: ["text"])
        ModelSupport.checkOtherShapes(\ErrorSource.parameter, "parameter", readable: ["text"])
        ModelSupport.checkOtherShapes(\ErrorSource.header, "header", readable: ["text"])
    }
}

@Suite("JSON:API object")
struct JSONAPIObjectTests {
    @Test("Every member is read and written")
    func members() {
        ModelSupport.check(\JSONAPIObject.version, "version", wire: "1.1", value: "1.1")
        ModelSupport.check(\JSONAPIObject.ext, "ext", wire: ["https://a", "https://b"], value: ["https://a", "https://b"])
        ModelSupport.check(\JSONAPIObject.ext, "ext", wire: [], value: [])
        ModelSupport.check(\JSONAPIObject.profile, "profile", wire: ["https://a"], value: ["https://a"])
        ModelSupport.check(\JSONAPIObject.meta, "meta", wire: [:], value: [:])
        #expect(
            JSONAPIObject(version: "1.1", ext: [], profile: ["p"], meta: [:]).description
                == #"{"version":"1.1","ext":[],"profile":["p"],"meta":{}}"#)
    }

    @Test("Members of other shapes are nil, and are kept")
    func otherShapes() {
        ModelSupport.checkOtherShapes(\JSONAPIObject.version, "version", readable: ["text"])
        ModelSupport.checkOtherShapes(\JSONAPIObject.ext, "ext", readable: [[]])
        ModelSupport.checkOtherShapes(\JSONAPIObject.profile, "profile", readable: [[]])
    }
}
