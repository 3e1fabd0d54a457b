import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Resource identifier")
struct ResourceIdentifierTests {
    @Test("It takes 40 bytes")
    func layout() {
        #expect(MemoryLayout<ResourceIdentifier>.size == 40)
        #expect(MemoryLayout<ResourceIdentifier>.stride == 40)
    }

    @Test("It has type and id, or type and lid")
    func initializers() {
        let person = ResourceIdentifier(type: "people", id: "9")
        #expect(person.type == "people")
        #expect(person.id == "9")
        #expect(person.lid == nil)
        #expect(person.meta == nil)
        #expect(person.additionalMembers.isEmpty)
        #expect(person.description == #"{"type":"people","id":"9"}"#)
        let local = ResourceIdentifier(type: "people", lid: "l")
        #expect(local.id == nil)
        #expect(local.lid == "l")
        #expect(local.description == #"{"type":"people","lid":"l"}"#)
    }

    @Test("Type and id are written first, and other members in order")
    func reading() throws {
        let identifier = try #require(
            ResourceIdentifier(
                members: ModelSupport.members(
                    #"{"@x":1,"id":"9","meta":{"a":1.0},"ns:y":[],"type":"people","lid":"l","unknown":null}"#)))
        #expect(identifier.type == "people")
        #expect(identifier.id == "9")
        #expect(identifier.lid == "l")
        #expect(identifier.meta == ["a": 1])
        #expect(identifier.additionalMembers.description == #"{"@x":1,"ns:y":[],"unknown":null}"#)
        try ModelSupport.expectIdentical(
            identifier.members,
            #"{"type":"people","id":"9","@x":1,"meta":{"a":1.0},"ns:y":[],"lid":"l","unknown":null}"#)
        #expect(identifier.json == .object(identifier.members))
    }

    @Test("Setting a member keeps the order of the others")
    func writing() throws {
        var identifier = try #require(
            ResourceIdentifier(members: ModelSupport.members(#"{"type":"a","@x":1,"lid":"l","y":2}"#)))
        identifier.type = "b"
        identifier.id = "1"
        identifier.lid = "m"
        identifier.meta = ["n": 1]
        identifier.meta?["o"] = 2
        try ModelSupport.expectIdentical(
            identifier.members, #"{"type":"b","id":"1","@x":1,"lid":"m","y":2,"meta":{"n":1,"o":2}}"#)
        identifier.additionalMembers = ["z": 3, "type": "no", "id": "no", "lid": "no", "meta": "no"]
        try ModelSupport.expectIdentical(
            identifier.members, #"{"type":"b","id":"1","lid":"m","meta":{"n":1,"o":2},"z":3}"#)
        identifier.id = nil
        identifier.lid = nil
        identifier.meta = nil
        identifier.additionalMembers = [:]
        #expect(identifier.description == #"{"type":"b"}"#)
    }

    @Test("Integer ids read as digits; another shape is kept until an id is set")
    func otherIDs() throws {
        #expect(ResourceIdentifier(members: ["type": "a", "id": 17])?.description == #"{"type":"a","id":"17"}"#)
        for shape: JSON in [nil, true, 1.5, [], [:]] {
            var identifier = try #require(ResourceIdentifier(members: ["id": shape, "type": "a"]))
            #expect(identifier.id == nil)
            identifier.id?.append("x")
            #expect(identifier.members == ["type": "a", "id": shape])
            #expect(identifier.additionalMembers.isEmpty)
            identifier.id = "1"
            #expect(identifier.description == #"{"type":"a","id":"1"}"#)
        }
    }

    @Test("An identifier requires a string as its type")
    func noType() {
        for members: JSONObject in [[:], ["id": "1"], ["type": nil, "id": "1"], ["type": 1], ["type": [:]]] {
            #expect(ResourceIdentifier(members: members) == nil)
        }
        for json: JSON in [nil, "a", 1, [], ["type"]] {
            #expect(ResourceIdentifier(json: json) == nil)
        }
        #expect(ResourceIdentifier(members: ["type": ""])?.type == "")
    }

    @Test("The last of repeated names counts, and type and id are written once")
    func repeatedNames() throws {
        let identifier = try #require(
            ResourceIdentifier(
                members: ModelSupport.members(#"{"type":"a","id":"1","type":"b","id":"2","meta":{},"meta":{"x":1}}"#)))
        #expect(identifier.id == "2")
        #expect(identifier.meta == ["x": 1])
        #expect(identifier.description == #"{"type":"b","id":"2","meta":{},"meta":{"x":1}}"#)
        let bare = ResourceIdentifier(members: try ModelSupport.members(#"{"type":"a","type":"b"}"#))
        #expect(bare?.description == #"{"type":"b"}"#)
    }

    @Test("A whole resource in place of an identifier is kept")
    func embeddedResource() throws {
        let text = #"{"type":"a","id":"1","attributes":{"x":1},"relationships":{}}"#
        let identifier = try #require(ResourceIdentifier(members: ModelSupport.members(text)))
        try ModelSupport.expectIdentical(identifier.members, text)
        #expect(ResourceObject(identifier)[attribute: "x"] == 1)
    }

    @Test("Two identifiers name the same resource if type and id have the same bytes")
    func sameResource() {
        let composed = ResourceIdentifier(type: "a", id: "caf\u{E9}")
        let decomposed = ResourceIdentifier(type: "a", id: "cafe\u{301}")
        #expect(composed.isSameResource(as: composed))
        #expect(!composed.isSameResource(as: decomposed))
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(
            !ResourceIdentifier(type: "\u{E9}", id: "1").isSameResource(as: ResourceIdentifier(type: "e\u{301}", id: "1")))
        #expect(ResourceIdentifier(type: "\u{E9}", id: "1") != ResourceIdentifier(type: "e\u{301}", id: "1"))
        let one = ResourceIdentifier(type: "a", id: "7")
        for other in [("a", "007"), ("b", "7"), ("A", "7"), ("a", "7 ")] {
            #expect(!one.isSameResource(as: ResourceIdentifier(type: other.0, id: other.1)))
        }
    }

    @Test("Meta and other members affect equality, but not identity")
    func sameResourceWithMeta() {
        let plain = ResourceIdentifier(type: "a", id: "1")
        var other = plain
        other.meta = ["x": 1]
        other.additionalMembers = ["@y": 1]
        #expect(plain.isSameResource(as: other))
        #expect(plain != other)
    }

    @Test("A lid is the identity only if neither has an id")
    func sameResourceByLID() {
        let local = ResourceIdentifier(type: "a", lid: "x")
        var both = local
        both.id = "1"
        var otherLID = both
        otherLID.lid = "y"
        #expect(local.isSameResource(as: ResourceIdentifier(type: "a", lid: "x")))
        #expect(!local.isSameResource(as: ResourceIdentifier(type: "b", lid: "x")))
        #expect(!local.isSameResource(as: ResourceIdentifier(type: "a", lid: "\u{78}\u{301}")))
        #expect(!local.isSameResource(as: ResourceIdentifier(type: "a", id: "x")))
        #expect(!local.isSameResource(as: both))
        #expect(both.isSameResource(as: otherLID))
        var nothing = local
        nothing.lid = nil
        #expect(!nothing.isSameResource(as: nothing))
        #expect(nothing == nothing)
    }

    @Test("Equal identifiers have equal hashes, whatever the order of members")
    func hashes() throws {
        let first = try #require(
            ResourceIdentifier(members: ModelSupport.members(#"{"type":"a","id":"1","lid":"l","meta":{"n":1.0}}"#)))
        let second = try #require(
            ResourceIdentifier(members: ModelSupport.members(#"{"meta":{"n":1},"lid":"l","id":"1","type":"a"}"#)))
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(Set([first, second, ResourceIdentifier(type: "a", id: "1")]).count == 2)
        #expect(ResourceIdentifier(type: "a", id: "b") != ResourceIdentifier(type: "a", lid: "b"))
    }

    @Test("Foundation's coders keep it")
    func codable() throws {
        var identifier = ResourceIdentifier(type: "a", id: "1")
        identifier.meta = ["x": [1, nil]]
        identifier.additionalMembers = ["@y": "z"]
        #expect(try ModelSupport.recoded([identifier]) == [identifier])
        for text in ["[{}]", "[1]", "[null]", #"[{"type":null,"id":"1"}]"#] {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode([ResourceIdentifier].self, from: Data(text.utf8))
            }
        }
    }
}

@Suite("Linkage")
struct LinkageTests {
    private static let author = ResourceIdentifier(type: "people", id: "9")

    /// The relationship object with this linkage.
    static let cases: [(text: String, linkage: Linkage)] = [
        (#"{"meta":{}}"#, .absent),
        (#"{"meta":{},"data":null}"#, .null),
        (#"{"meta":{},"data":{"type":"people","id":"9"}}"#, .one(author)),
        (#"{"meta":{},"data":[]}"#, .many([])),
        (#"{"meta":{},"data":[{"type":"people","id":"9"},{"type":"people","id":"9"}]}"#, .many([author, author])),
    ]

    @Test("Absent, null, one, empty, and many are distinguished", arguments: cases)
    func states(text: String, linkage: Linkage) throws {
        var relationship = RelationshipObject(members: try ModelSupport.members(text))
        #expect(relationship.data == linkage)
        for other in Self.cases.map(\.linkage) {
            #expect((other == linkage) == (other.description == linkage.description))
            relationship.data = other
            #expect(relationship.data == other)
            relationship.data = linkage
            try ModelSupport.expectIdentical(relationship.members, text)
        }
    }

    @Test("Data that is not linkage is absent, and is kept")
    func otherShapes() {
        let shapes: [JSON] = [
            true, 17, "x", [1], [nil], [[]], [:], ["id": "1"], ["type": 1, "id": "1"], [["type": "a", "id": "1"], nil],
        ]
        for shape in shapes {
            let relationship = RelationshipObject(members: ["data": shape])
            #expect(relationship.data == .absent, "\(shape)")
            #expect(Linkage(json: shape) == nil, "\(shape)")
            #expect(relationship.members["data"] == shape)
        }
        #expect(Linkage(json: nil) == .absent)
        #expect(Linkage(json: .null) == .null)
    }

    @Test("Identifiers keep lid, meta, and other members in order")
    func identifiers() throws {
        let text = #"{"data":[{"type":"b","lid":"l"},{"type":"a","id":"1","meta":{"n":1.50},"@x":1},{"type":"a","id":"1"}]}"#
        var relationship = RelationshipObject(members: try ModelSupport.members(text))
        let identifiers = relationship.data.identifiers
        #expect(identifiers.map(\.type) == ["b", "a", "a"])
        #expect(identifiers.map(\.lid) == ["l", nil, nil])
        relationship.data = .many(identifiers)
        try ModelSupport.expectIdentical(relationship.members, text)
        #expect(Linkage.one(identifiers[0]).identifiers == [identifiers[0]])
        #expect(Linkage.null.identifiers.isEmpty)
        #expect(Linkage.absent.identifiers.isEmpty)
    }

    @Test("Linkage prints as JSON and is Codable, unless absent")
    func codable() throws {
        for linkage in Self.cases.map(\.linkage) where linkage != .absent {
            #expect(try ModelSupport.recoded(["data": linkage]) == ["data": linkage])
        }
        #expect(throws: EncodingError.self) { try ModelSupport.recoded(["data": Linkage.absent]) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Linkage].self, from: Data("[17]".utf8)) }
        #expect(Linkage.absent.description == "absent")
        #expect(Linkage.one(Self.author).description == #"{"type":"people","id":"9"}"#)
    }
}
