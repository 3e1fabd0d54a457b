import JSONAPICodec
import JSONText
import Testing

@Suite("Resource")
struct ResourceObjectTests {
    @Test("Every member is read and written")
    func members() {
        ModelSupport.check(\ResourceObject.id, "id", wire: "1", value: "1")
        ModelSupport.check(\ResourceObject.lid, "lid", wire: "l", value: "l")
        ModelSupport.check(\ResourceObject.attributes, "attributes", wire: ["a": nil], value: ["a": nil])
        ModelSupport.check(
            \ResourceObject.relationships, "relationships", wire: ["a": ["data": nil]],
            value: ["a": RelationshipObject(data: .null)])
        ModelSupport.check(\ResourceObject.links, "links", wire: ["self": "/1"], value: ["self": "/1"])
        ModelSupport.check(\ResourceObject.meta, "meta", wire: ["a": 1], value: ["a": 1])
    }

    @Test("Members of other shapes are nil and kept; an empty array is an empty object")
    func otherShapes() {
        let objects: [JSON] = [[:], ["x": 1], ["data": 1, "type": nil], []]
        ModelSupport.checkOtherShapes(\ResourceObject.id, "id", readable: ["text", 17])
        ModelSupport.checkOtherShapes(\ResourceObject.lid, "lid", readable: ["text"])
        ModelSupport.checkOtherShapes(\ResourceObject.attributes, "attributes", readable: objects)
        ModelSupport.checkOtherShapes(\ResourceObject.relationships, "relationships", readable: objects)
        ModelSupport.checkOtherShapes(\ResourceObject.links, "links", readable: objects)
        ModelSupport.checkOtherShapes(\ResourceObject.meta, "meta", readable: objects)
    }

    @Test("The type is empty if it is absent or not a string")
    func type() {
        var resource = ResourceObject(members: ["id": "1", "type": 17])
        #expect(resource.type == "")
        resource.type = "articles"
        #expect(resource.description == #"{"id":"1","type":"articles"}"#)
        #expect(resource.type == "articles")
        #expect(ResourceObject(members: [:]).type == "")
    }

    @Test("An integer id reads as all of its digits, and is written as a string once set")
    func integerID() throws {
        var resource = ResourceObject(
            members: try ModelSupport.members(#"{"id":123456789012345678901234567890,"type":"a"}"#))
        #expect(resource.id == "123456789012345678901234567890")
        try ModelSupport.expectIdentical(resource.members, #"{"id":123456789012345678901234567890,"type":"a"}"#)
        resource.id = resource.id
        try ModelSupport.expectIdentical(resource.members, #"{"id":"123456789012345678901234567890","type":"a"}"#)
        #expect(ResourceObject(members: ["id": 1.5]).id == nil)
    }

    @Test("The initializer writes members in a fixed order, without nil")
    func initializer() {
        #expect(ResourceObject(type: "a").description == #"{"type":"a"}"#)
        #expect(
            ResourceObject(
                type: "a", id: "1", lid: "l", attributes: ["x": 1], relationships: ["r": RelationshipObject(data: .null)],
                links: ["self": "/1"], meta: [:]
            ).description
                == """
                {"type":"a","id":"1","lid":"l","attributes":{"x":1},"relationships":{"r":{"data":null}},\
                "links":{"self":"/1"},"meta":{}}
                """)
        let identifier = ResourceIdentifier(type: "a", lid: "l")
        #expect(ResourceObject(identifier).description == #"{"type":"a","lid":"l"}"#)
    }

    @Test("Attributes are read, set, added, and removed by name; null is a value")
    func attributes() throws {
        var resource = ResourceObject(type: "a")
        resource[attribute: "x"] = nil
        #expect(resource.description == #"{"type":"a"}"#)
        resource[attribute: "x"] = 1
        resource[attribute: "y"] = .null
        #expect(resource[attribute: "y"] == .null)
        #expect(resource[attribute: "z"] == nil)
        resource[attribute: "x"] = [:]
        resource[attribute: "x"]?["z"] = true
        #expect(resource.description == #"{"type":"a","attributes":{"x":{"z":true},"y":null}}"#)
        resource[attribute: "x"] = nil
        resource[attribute: "y"] = nil
        #expect(resource.description == #"{"type":"a","attributes":{}}"#)
    }

    @Test("Setting an attribute replaces attributes that are not an object")
    func attributesOfOtherShape() {
        for shape: JSON in [nil, 17, "x", [1], []] {
            var resource = ResourceObject(members: ["attributes": shape, "type": "a"])
            #expect(resource[attribute: "x"] == nil)
            resource[attribute: "x"] = 1
            #expect(resource.description == #"{"attributes":{"x":1},"type":"a"}"#)
        }
    }

    @Test("Attributes and relationships may be called type, id or links")
    func fieldsWithNamesOfMembers() {
        var resource = ResourceObject(type: "a", id: "1")
        resource[attribute: "type"] = "inner"
        resource[attribute: "links"] = 1
        resource[relationship: "data"] = RelationshipObject(data: .many([]))
        #expect(resource.type == "a")
        #expect(resource.links == nil)
        #expect(resource.fieldNames == ["type", "links", "data"])
    }

    @Test("Relationships are read, set, added, and removed by name")
    func relationships() throws {
        var resource = ResourceObject(
            members: try ModelSupport.members(
                #"{"relationships":{"@x":{},"a":{"data":null,"ns:y":1},"b":null,"c":[],"d":{}},"type":"t"}"#))
        #expect(resource[relationship: "a"]?.data == .null)
        #expect(resource[relationship: "b"] == nil)
        #expect(resource[relationship: "c"]?.data == .absent)
        #expect(resource[relationship: "nothing"] == nil)
        resource[relationship: "a"]?.data = .many([])
        resource[relationship: "b"] = RelationshipObject(data: .null)
        resource[relationship: "d"] = nil
        try ModelSupport.expectIdentical(
            resource.members,
            #"{"relationships":{"@x":{},"a":{"data":[],"ns:y":1},"b":{"data":null},"c":[]},"type":"t"}"#)
        var empty = ResourceObject(type: "t")
        empty[relationship: "a"] = nil
        #expect(empty.relationships == nil)
        empty[relationship: "a"] = RelationshipObject(meta: [:])
        #expect(empty.description == #"{"type":"t","relationships":{"a":{"meta":{}}}}"#)
    }

    @Test("Field names omit @-members, extension members, and invalid relationships")
    func fieldNames() throws {
        let resource = ResourceObject(
            members: try ModelSupport.members(
                """
                {"relationships":{"b":{},"@c":{},"ns:d":{},"e":null},"attributes":{"@a":1,"title":2,"ns:x":3,"null":null}}
                """))
        #expect(resource.fieldNames == ["title", "null", "b"])
        #expect(ResourceObject(type: "a").fieldNames.isEmpty)
    }

    @Test("A resource without fields and links could be an identifier")
    func identifiers() throws {
        let bare = ResourceObject(members: ["type": "a", "id": "1", "meta": ["x": 1], "@y": 2])
        #expect(bare.isIdentifier)
        #expect(bare.identifier == ResourceIdentifier(type: "a", id: "1"))
        #expect(ResourceObject(type: "a", lid: "l").isIdentifier)
        #expect(ResourceObject(type: "a", lid: "l").identifier == ResourceIdentifier(type: "a", lid: "l"))
        #expect(!ResourceObject(type: "a").isIdentifier)
        #expect(ResourceObject(type: "a").identifier == nil)
        #expect(ResourceObject(members: ["id": "1"]).identifier == nil)
        #expect(ResourceObject(members: ["type": nil, "id": "1"]).identifier == nil)
        for name in ["attributes", "relationships", "links"] {
            var resource = bare
            resource[member: name] = [:]
            #expect(!resource.isIdentifier)
            #expect(resource.identifier == bare.identifier)
        }
        let both = try #require(ResourceObject(type: "a", id: "1", lid: "l").identifier)
        #expect(both.id == "1")
        #expect(both.lid == "l")
    }

    @Test("Setting ten thousand attributes takes linear time")
    func manyAttributes() {
        var resource = ResourceObject(type: "a", id: "1")
        for number in 0..<10_000 {
            resource[attribute: "a\(number)"] = 1
            resource.attributes?["b\(number)"] = 2
            resource[relationship: "c\(number)"] = RelationshipObject(data: .null)
        }
        #expect(resource.fieldNames.count == 30_000)
    }
}

@Suite("Relationship")
struct RelationshipObjectTests {
    @Test("Every member is read and written")
    func members() {
        ModelSupport.check(\RelationshipObject.links, "links", wire: ["related": "/1"], value: ["related": "/1"])
        ModelSupport.check(\RelationshipObject.meta, "meta", wire: [:], value: [:])
        #expect(
            RelationshipObject(data: .null, links: ["self": "/"], meta: [:]).description
                == #"{"links":{"self":"/"},"data":null,"meta":{}}"#)
        #expect(RelationshipObject().description == "{}")
    }

    @Test("Members of other shapes are nil, and are kept")
    func otherShapes() {
        let objects: [JSON] = [[:], ["x": 1], ["data": 1, "type": nil], []]
        ModelSupport.checkOtherShapes(\RelationshipObject.links, "links", readable: objects)
        ModelSupport.checkOtherShapes(\RelationshipObject.meta, "meta", readable: objects)
    }

    @Test("Iterating over relationships visits each relationship object in order")
    func sequence() throws {
        let relationships = Relationships(
            members: try ModelSupport.members(#"{"b":{"data":null},"@c":{},"ns:d":{},"a":{},"e":null,"f":17}"#))
        #expect(relationships.names == ["b", "a"])
        #expect(relationships.map(\.relationship.data) == [.null, .absent])
        #expect(Relationships(relationships.map { $0 }).description == #"{"b":{"data":null},"a":{}}"#)
        #expect(relationships["f"] == nil)
        #expect(relationships["@c"] == RelationshipObject())
    }

    @Test("Relationships are set and removed by name")
    func setting() {
        var relationships: Relationships = ["a": RelationshipObject(data: .null)]
        relationships["b"] = RelationshipObject(meta: [:])
        relationships["a"]?.data = .many([])
        #expect(relationships.description == #"{"a":{"data":[]},"b":{"meta":{}}}"#)
        relationships["a"] = nil
        #expect(relationships.description == #"{"b":{"meta":{}}}"#)
    }
}
