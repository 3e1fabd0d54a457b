import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Document")
struct DocumentObjectTests {
    @Test("Every member is read and written")
    func members() {
        let resource = ResourceObject(type: "people", id: "9")
        ModelSupport.check(\DocumentObject.errors, "errors", wire: [["title": "x"]], value: [ErrorObject(title: "x")])
        ModelSupport.check(\DocumentObject.meta, "meta", wire: ["a": 1], value: ["a": 1])
        ModelSupport.check(\DocumentObject.links, "links", wire: ["self": "/1"], value: ["self": "/1"])
        ModelSupport.check(
            \DocumentObject.included, "included", wire: [["type": "people", "id": "9"]], value: [resource])
        ModelSupport.check(
            \DocumentObject.jsonapi, "jsonapi", wire: ["version": "1.1"], value: JSONAPIObject(version: "1.1"))
    }

    @Test("Empty arrays and objects are written and are not absent")
    func emptyMembers() {
        ModelSupport.check(\DocumentObject.errors, "errors", wire: [], value: [])
        ModelSupport.check(\DocumentObject.included, "included", wire: [], value: [])
        ModelSupport.check(\DocumentObject.meta, "meta", wire: [:], value: [:])
        ModelSupport.check(\DocumentObject.links, "links", wire: [:], value: [:])
        ModelSupport.check(\DocumentObject.jsonapi, "jsonapi", wire: [:], value: JSONAPIObject())
    }

    @Test("Members of other shapes are nil, and are kept")
    func otherShapes() {
        let objects: [JSON] = [[:], ["x": 1], ["data": 1, "type": nil]]
        ModelSupport.checkOtherShapes(\DocumentObject.errors, "errors", readable: [[]])
        ModelSupport.checkOtherShapes(\DocumentObject.included, "included", readable: [[]])
        ModelSupport.checkOtherShapes(\DocumentObject.meta, "meta", readable: objects + [[]])
        ModelSupport.checkOtherShapes(\DocumentObject.links, "links", readable: objects + [[]])
        ModelSupport.checkOtherShapes(\DocumentObject.jsonapi, "jsonapi", readable: objects)
    }

    @Test("Absent, null, one, and many are distinguished in primary data")
    func primaryData() throws {
        let resource = ResourceObject(type: "people", id: "9")
        let cases: [(String, PrimaryData)] = [
            (#"{"meta":{}}"#, .absent),
            (#"{"meta":{},"data":null}"#, .null),
            (#"{"meta":{},"data":{"type":"people","id":"9"}}"#, .one(resource)),
            (#"{"meta":{},"data":[]}"#, .many([])),
            (#"{"meta":{},"data":[{"type":"people","id":"9"},{"type":"people","id":"9"}]}"#, .many([resource, resource])),
        ]
        for (text, data) in cases {
            #expect(DocumentObject(members: try ModelSupport.members(text)).data == data)
            var document = DocumentObject(meta: [:])
            document.data = data
            try ModelSupport.expectIdentical(document.members, text)
            document.data = .absent
            #expect(document.description == #"{"meta":{}}"#)
        }
        #expect(Set(cases.map(\.1)).count == cases.count)
    }

    @Test("Primary data of another shape is absent, and is kept")
    func unreadableData() {
        for shape: JSON in [true, 17, "x", [1], [nil], [[]], [[:], nil]] {
            let document = DocumentObject(members: ["data": shape])
            #expect(document.data == .absent)
            #expect(PrimaryData(json: shape) == nil)
            #expect(document.members["data"] == shape)
        }
    }

    @Test("The data member of a relationship document is linkage")
    func linkage() throws {
        let author = ResourceIdentifier(type: "people", id: "9")
        let cases: [(String, Linkage)] = [
            ("{}", .absent), (#"{"data":null}"#, .null), (#"{"data":[]}"#, .many([])),
            (#"{"data":{"type":"people","id":"9"}}"#, .one(author)),
            (#"{"data":[{"type":"people","id":"9"}]}"#, .many([author])),
        ]
        for (text, linkage) in cases {
            #expect(DocumentObject(members: try ModelSupport.members(text)).linkage == linkage)
            try ModelSupport.expectIdentical(DocumentObject(linkage: linkage).members, text)
        }
        #expect(DocumentObject(members: ["data": [["id": "1"]]]).linkage == .absent)
    }

    @Test("Initializers write members in a fixed order, without nil")
    func initializers() {
        let resource = ResourceObject(type: "a", id: "1")
        #expect(DocumentObject().description == "{}")
        #expect(DocumentObject(["x": 1]).description == #"{"x":1}"#)
        #expect(DocumentObject(data: .null).description == #"{"data":null}"#)
        #expect(
            DocumentObject(
                data: .one(resource), included: [], links: ["self": "/"], meta: [:],
                jsonapi: JSONAPIObject(version: "1.1")
            ).description
                == #"{"jsonapi":{"version":"1.1"},"data":{"type":"a","id":"1"},"included":[],"links":{"self":"/"},"meta":{}}"#)
        #expect(
            DocumentObject(linkage: .many([]), links: [:], meta: ["a": 1]).description
                == #"{"data":[],"links":{},"meta":{"a":1}}"#)
        #expect(DocumentObject(errors: [], meta: [:]).description == #"{"errors":[],"meta":{}}"#)
        #expect(DocumentObject(meta: ["a": 1], links: [:]).description == #"{"links":{},"meta":{"a":1}}"#)
    }

    @Test("Data and errors can both be read")
    func dataAndErrors() throws {
        let document = DocumentObject(
            members: try ModelSupport.members(#"{"errors":[{"status":"500"}],"data":[{"type":"a","id":"1"}]}"#))
        #expect(document.errors?.first?.status == "500")
        #expect(document.data.resources.first?.id == "1")
    }

    @Test("Primary data lists its resources in every form")
    func resources() {
        let resource = ResourceObject(type: "a", id: "1")
        #expect(PrimaryData.absent.resources.isEmpty)
        #expect(PrimaryData.null.resources.isEmpty)
        #expect(PrimaryData.one(resource).resources == [resource])
        #expect(PrimaryData.many([resource, resource]).resources == [resource, resource])
    }

    @Test("Primary data prints as JSON and is Codable, unless absent")
    func primaryDataCodable() throws {
        let resource = ResourceObject(type: "a", id: "1")
        for data: PrimaryData in [.null, .one(resource), .many([]), .many([resource])] {
            #expect(try ModelSupport.recoded(["data": data]) == ["data": data])
        }
        #expect(throws: EncodingError.self) { try ModelSupport.recoded(["data": PrimaryData.absent]) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([PrimaryData].self, from: Data("[17]".utf8))
        }
        #expect(PrimaryData.absent.description == "absent")
        #expect(PrimaryData.null.description == "null")
        #expect(PrimaryData.many([resource]).description == #"[{"type":"a","id":"1"}]"#)
    }
}
