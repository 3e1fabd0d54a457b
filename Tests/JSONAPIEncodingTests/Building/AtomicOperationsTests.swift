import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import TestSupport
import Testing

/// Requests and responses of the Atomic Operations extension.
@Suite struct AtomicOperationsTests {
    private let encoder = JSONAPIEncoder()
    private typealias Draft = CreateTests.Draft

    private func operations(_ operations: AtomicOperations) throws -> JSON {
        let tree = try encoder.tree(operations)
        #expect(tree.object?.count == 1)
        return tree["atomic:operations"] ?? .null
    }

    @Test("New resources get lids, and other operations link to them")
    func lids() throws {
        var operations = AtomicOperations()
        let team = operations.add(Team(id: "", name: "Red"))
        let own = operations.add(Draft(name: "own", title: "T"), linking: ["team": team])
        let given = operations.add(Draft(id: "7", title: "U"), linking: ["team": team], linkingMany: ["drafts": [own], "none": []])
        let client = operations.add(Team(id: "5", name: "Blue"), clientID: true, href: "/teams")
        let fields = operations.add(CreateTests.NewStory(title: "N"))
        let raw = operations.add(ResourceObject(type: "raws", id: nil))
        #expect(team == ResourceIdentifier(type: "teams", lid: "lid-1") && own == ResourceIdentifier(type: "drafts", lid: "own"))
        #expect(given == ResourceIdentifier(type: "drafts", id: "7") && client == ResourceIdentifier(type: "teams", id: "5"))
        #expect([fields, raw].map(\.lid) == ["lid-2", "lid-3"] && operations.count == 6 && !operations.isEmpty)
        #expect(operations.index(ofAdding: given) == 2 && operations.index(ofAdding: ResourceIdentifier(type: "x", id: "1")) == nil)
        let red: JSON = ["data": ["type": "teams", "lid": "lid-1"]]
        #expect(
            try self.operations(operations) == [
                ["op": "add", "data": ["type": "teams", "lid": "lid-1", "attributes": ["name": "Red"]]],
                ["op": "add", "data": ["type": "drafts", "lid": "own", "attributes": ["title": "T"], "relationships": ["team": red]]],
                [
                    "op": "add",
                    "data": [
                        "type": "drafts", "id": "7", "attributes": ["title": "U"],
                        "relationships": ["drafts": ["data": [["type": "drafts", "lid": "own"]]], "none": ["data": []], "team": red],
                    ],
                ],
                ["op": "add", "href": "/teams", "data": ["type": "teams", "id": "5", "attributes": ["name": "Blue"]]],
                ["op": "add", "data": ["type": "articles", "lid": "lid-2", "attributes": ["title": "N"]]],
                ["op": "add", "data": ["type": "raws", "lid": "lid-3"]],
            ])
    }

    @Test("A new lid differs from the lids of earlier operations")
    func freshLids() throws {
        var operations = AtomicOperations()
        operations.add(ResourceObject(type: "teams", id: nil, lid: "lid-1"))
        #expect(operations.add(Team(id: "", name: "R")).lid == "lid-2")
    }

    @Test("Updates, removals and relationships, by identity and by address")
    func everyOperation() throws {
        let one = ResourceIdentifier(type: "people", id: "9")
        let story = ResourceIdentifier(type: "articles", id: "1")
        var operations = AtomicOperations()
        operations.update(Team(id: "1", name: "A").patch { $0.name = "B" })
        operations.update(Patch(type: "teams", id: "2", attributes: ["x": 1]), href: "/teams/2")
        operations.remove(story)
        operations.remove(href: "/articles/2")
        operations.replace("author", of: story, with: .one(one))
        operations.replace("author", of: story, with: .null)
        operations.add([one], to: "reviewers", of: story)
        operations.remove([one], from: "reviewers", of: story)
        operations.replace(relationshipAt: "/articles/1/relationships/author", with: .null)
        operations.add([one], toRelationshipAt: "/r")
        operations.remove([], fromRelationshipAt: "/r")
        let ref: (JSON) -> JSON = { ["type": "articles", "id": "1", "relationship": $0] }
        let person: JSON = ["type": "people", "id": "9"]
        #expect(
            try self.operations(operations) == [
                ["op": "update", "data": ["type": "teams", "id": "1", "attributes": ["name": "B"]]],
                ["op": "update", "href": "/teams/2", "data": ["type": "teams", "id": "2", "attributes": ["x": 1]]],
                ["op": "remove", "ref": ["type": "articles", "id": "1"]],
                ["op": "remove", "href": "/articles/2"],
                ["op": "update", "ref": ref("author"), "data": person],
                ["op": "update", "ref": ref("author"), "data": nil],
                ["op": "add", "ref": ref("reviewers"), "data": [person]],
                ["op": "remove", "ref": ref("reviewers"), "data": [person]],
                ["op": "update", "href": "/articles/1/relationships/author", "data": nil],
                ["op": "add", "href": "/r", "data": [person]],
                ["op": "remove", "href": "/r", "data": []],
            ])
    }

    @Test("Updates, linkage, and removals can use the lid of an earlier operation")
    func lidsOfEarlierOperations() throws {
        var operations = AtomicOperations()
        let team = operations.add(Team(id: "", name: "R"))
        operations.update(Patch<Team>(team).set("name", "B"))
        operations.replace("rival", of: team, with: .one(team))
        operations.remove(team)
        let tree = try self.operations(operations)
        #expect(tree[1]?["data"] == ["type": "teams", "lid": "lid-1", "attributes": ["name": "B"]])
        #expect(tree[2]?["ref"] == ["type": "teams", "lid": "lid-1", "relationship": "rival"])
        #expect(tree[3] == ["op": "remove", "ref": ["type": "teams", "lid": "lid-1"]])
    }

    private static let ghost = ResourceIdentifier(type: "teams", lid: "ghost")

    struct Wrong: Sendable {
        let make: @Sendable (inout AtomicOperations) -> Void
        let kind: EncodingFailure.Kind
        let pointer: String

        init(_ make: @escaping @Sendable (inout AtomicOperations) -> Void, _ kind: EncodingFailure.Kind, _ pointer: String) {
            (self.make, self.kind, self.pointer) = (make, kind, pointer)
        }
    }

    private static let wrongs: [Wrong] = [
        Wrong({ _ in }, .documentStructure, ""),
        Wrong({ $0.remove(ghost) }, .unknownLocalID, "/atomic:operations/1/ref"),
        Wrong({ $0.remove(ResourceIdentifier(type: "teams", id: "")) }, .missingIdentity, "/atomic:operations/1/ref"),
        Wrong({ $0.remove(ResourceIdentifier(type: "ns:teams", id: "1")) }, .illegalName, "/atomic:operations/1/ref/type"),
        Wrong(
            { $0.replace("r/", of: ResourceIdentifier(type: "x", id: "1"), with: .null) }, .illegalName,
            "/atomic:operations/1/ref/relationship"),
        Wrong(
            { $0.replace("id", of: ResourceIdentifier(type: "x", id: "1"), with: .null) }, .illegalName,
            "/atomic:operations/1/ref/relationship"),
        Wrong({ $0.add([ghost], to: "r", of: ResourceIdentifier(type: "x", id: "1")) }, .unknownLocalID, "/atomic:operations/1/data/0"),
        Wrong({ $0.replace("r", of: ResourceIdentifier(type: "x", id: "1"), with: .absent) }, .missingLinkage, "/atomic:operations/1/data"),
        Wrong(
            { $0.add(Team(id: "", name: "A"), linking: ["r": ghost]) }, .unknownLocalID,
            "/atomic:operations/1/data/relationships/r/data"),
        Wrong(
            { $0.add(Team(id: "", name: "A"), linkingMany: ["r": [ghost]]) }, .unknownLocalID,
            "/atomic:operations/1/data/relationships/r/data/0"),
        Wrong(
            { $0.add(Team(id: "", name: "A"), linking: ["name": ResourceIdentifier(type: "x", id: "1")]) }, .duplicateName,
            "/atomic:operations/1/data/relationships/name"),
        Wrong({ $0.add(ResourceObject(type: "teams", id: nil, lid: "known")) }, .duplicateResource, "/atomic:operations/1/data/lid"),
        Wrong({ $0.update(Patch<Team>(ghost).set("name", 1)) }, .unknownLocalID, "/atomic:operations/1/data"),
        Wrong({ $0.update(Patch<Team>(id: "1").set("name", Double.nan)) }, .notRepresentable, "/atomic:operations/1/data/attributes/name"),
        Wrong(
            { $0.update(Patch(from: Team(id: "1", name: ""), to: Team(id: "2", name: ""))) }, .missingIdentity,
            "/atomic:operations/1/data"),
        Wrong({ $0.add(ResourceObject(type: "", id: nil)) }, .missingIdentity, "/atomic:operations/1/data"),
        Wrong({ $0.add(Team(id: "", name: ""), clientID: true) }, .missingIdentity, "/atomic:operations/1/data/id"),
        Wrong(
            { $0.add(ResourceObject(type: "a", id: nil, attributes: ["id": 1])) }, .illegalName, "/atomic:operations/1/data/attributes/id"),
    ]

    @Test("An invalid operation is an error with a pointer to it", arguments: wrongs)
    func refused(_ wrong: Wrong) throws {
        var operations = AtomicOperations()
        if !wrong.pointer.isEmpty { operations.add(ResourceObject(type: "teams", id: nil, lid: "known")) }
        wrong.make(&operations)
        let failure = encodingFailure { _ = try encoder.encode(operations) }
        #expect(failure?.kind == wrong.kind)
        #expect(failure.map { "\($0.pointer)" } == wrong.pointer)
    }

    @Test("An error has the identity of a resource, but not its meta")
    func identityOfAFailure() throws {
        var linked = Self.ghost
        linked.meta = ["secret": 1]
        var operations = AtomicOperations()
        operations.add([linked], to: "r", of: ResourceIdentifier(type: "x", id: "1"))
        let failure = try #require(encodingFailure { _ = try encoder.encode(operations) })
        #expect(failure.kind == .unknownLocalID && failure.resource == Self.ghost)
    }

    @Test("A lid must have the same type and come from an earlier operation")
    func orderOfLids() throws {
        var operations = AtomicOperations()
        operations.add(ResourceObject(type: "a", id: nil, lid: "x"), linking: ["later": ResourceIdentifier(type: "b", lid: "x")])
        operations.add(ResourceObject(type: "b", id: nil, lid: "x"))
        let failure = try #require(encodingFailure { _ = try encoder.encode(operations) })
        #expect(failure.kind == .unknownLocalID && "\(failure.pointer)" == "/atomic:operations/0/data/relationships/later/data")
        #expect(failure.advice?.contains("add") == true)
    }

    @Test("A new resource can link to itself by its lid")
    func linkToItself() throws {
        var operations = AtomicOperations()
        let own = ResourceIdentifier(type: "teams", lid: "a")
        operations.add(ResourceObject(type: "teams", id: nil, lid: "a"), linking: ["parent": own], linkingMany: ["near": [own]])
        let relationships = try self.operations(operations)[0]?["data"]?["relationships"]
        #expect(relationships?["parent"]?["data"] == own.json && relationships?["near"]?["data"] == [own.json])
    }

    @Test("One name in `linking` and in `linkingMany` is an error")
    func twoLinks() throws {
        var operations = AtomicOperations()
        let tag = ResourceIdentifier(type: "tags", id: "1")
        operations.add(Team(id: "", name: "R"), linking: ["tags": tag], linkingMany: ["tags": [tag]])
        let failure = try #require(encodingFailure { _ = try encoder.encode(operations) })
        #expect(failure.kind == .duplicateName && "\(failure.pointer)" == "/atomic:operations/0/data/relationships/tags")
    }

    @Test("Very many operations are encoded in linear time")
    func manyOperations() throws {
        let count = TestEffort.count(10_000, debug: 2_000)
        var operations = AtomicOperations()
        var last = operations.add(Team(id: "", name: "first"))
        for index in 0..<count { last = operations.add(Team(id: "", name: "\(index)"), linking: ["before": last]) }
        #expect(operations.index(ofAdding: last) == count)
        #expect(try encoder.encode(operations).count > 100 * count)
    }

    // MARK: - Answers

    private func operations(count: Int) -> AtomicOperations {
        var operations = AtomicOperations()
        for _ in 0..<count { operations.add(Team(id: "", name: "R")) }
        return operations
    }

    @Test("Results are decoded by index, as models or raw, with or without data")
    func results() throws {
        let text = Data(
            #"""
            {"atomic:results":[{"data":{"type":"teams","id":"1","attributes":{"name":"Red"}}},{},{"data":null,"meta":{"m":1}}],"meta":{"t":1}}
            """#.utf8)
        let results = try JSONAPIDecoder().decode(AtomicResults.self, from: text, for: operations(count: 3))
        #expect(results.count == 3 && results.document.meta == ["t": 1])
        #expect(try results.resource(Team.self, at: 0) == Team(id: "1", name: "Red"))
        #expect(try results.resource(Contributor.self, at: 0) == .team(Team(id: "1", name: "Red")))
        #expect(try results.resource(ResourceObject.self, at: 0)?.id == "1")
        #expect(try results.resource(Team.self, at: 1) == nil && results.resource(Team.self, at: 2) == nil)
        #expect(results.results[2].meta == ["m": 1] && results.results[1].data == .absent)
        #expect(throws: DecodingError.self) { try results.resource(Team.self, at: 3) }
        #expect(throws: DecodingError.self) { try results.resource(Team.self, at: -1) }
        let failure = try #require(decodingFailure { _ = try results.resource(Remark.self, at: 0) })
        #expect("\(failure.pointer)".hasPrefix("/atomic:results/0/data"))
    }

    private struct Club: SchemaResource {
        static let type = "clubs"
        var id = ""
        var name = ""
        static let schema = MappingSchema(creating: Club()) { MappingField(\.name, "name") }
    }

    @Test("The error of a schema has its place in the results")
    func schemaResults() throws {
        let text = Data(#"{"atomic:results":[{},{"data":{"type":"clubs","id":"1","attributes":{"name":5}}}]}"#.utf8)
        let results = try JSONAPIDecoder().decode(AtomicResults.self, from: text)
        let error = try #require(throws: ValidationError.self) { try results.resource(Club.self, at: 1) }
        #expect(error.issues.allSatisfy { "\($0.pointer)".hasPrefix("/atomic:results/1/data/attributes") })
    }

    @Test(
        "A wrong number of results, and other documents, are errors",
        arguments: [
            (#"{"atomic:results":[]}"#, DecodingFailure.Kind.documentStructure, "/atomic:results"),
            (#"{"atomic:results":[1,{}]}"#, .wrongType, "/atomic:results/0"),
            (#"{"atomic:results":{}}"#, .wrongType, "/atomic:results"),
            (#"{"meta":{}}"#, .missingMember, ""),
            (#"{"atomic:results":[{},{}],"included":[]}"#, .documentStructure, "/included"),
            (#"{"data":null,"errors":[]}"#, .documentStructure, ""),
        ])
    func wrongResults(_ text: String, _ kind: DecodingFailure.Kind, _ pointer: String) throws {
        let failure = try #require(
            decodingFailure { _ = try JSONAPIDecoder().decode(AtomicResults.self, from: Data(text.utf8), for: operations(count: 2)) })
        #expect(failure.kind == kind && "\(failure.pointer)" == pointer)
    }

    @Test(
        "Strict mode looks into results, as the validator does",
        arguments: [
            (#"{"atomic:results":[]}"#, DecodingFailure.Kind.documentStructure, "/atomic:results"),
            (#"{"atomic:results":[{}],"data":null}"#, .documentStructure, "/data"),
            (#"{"atomic:results":[{}],"atomic:operations":[]}"#, .documentStructure, "/atomic:operations"),
            (#"{"atomic:results":[{},{"meta":1}]}"#, .wrongType, "/atomic:results/1/meta"),
            (#"{"atomic:results":[{"status":"200"}]}"#, .unknownMember, "/atomic:results/0/status"),
            (#"{"atomic:results":[{"data":5}]}"#, .wrongType, "/atomic:results/0/data"),
            (#"{"atomic:results":[{"data":{"type":"teams","lid":"a"}}]}"#, .missingMember, "/atomic:results/0/data"),
            (
                #"{"atomic:results":[{"data":{"type":"a","id":"1","attributes":{"_b":1}}}]}"#, .illegalName,
                "/atomic:results/0/data/attributes/_b"
            ),
        ])
    func strictResults(_ text: String, _ kind: DecodingFailure.Kind, _ pointer: String) throws {
        let strict = JSONAPIDecoder(mode: .strict)
        let failure = try #require(decodingFailure { _ = try strict.decode(AtomicResults.self, from: Data(text.utf8)) })
        #expect(failure.kind == kind && "\(failure.pointer)" == pointer)
        let right = #"{"atomic:results":[{"@x":1,"a:b":2,"meta":{},"data":{"type":"teams","id":"1"}},{"data":null},{}],"meta":{},"@y":1}"#
        #expect(try strict.decode(AtomicResults.self, from: Data(right.utf8)).count == 3)
    }

    @Test("Errors of a failed request name their operations")
    func errors() throws {
        let text = Data(
            #"""
            {"errors":[{"title":"A","source":{"pointer":"/atomic:operations/1/data/attributes/name"}},{"title":"B"},
            {"title":"C","source":{"pointer":"/atomic:operations/10"}}]}
            """#.utf8)
        let document = try #require(
            #expect(throws: ErrorDocument.self) {
                try JSONAPIDecoder().decode(AtomicResults.self, from: text, for: operations(count: 2))
            })
        #expect(document.errors(ofOperation: 1).map(\.title) == ["A"])
        #expect(document.errors(ofOperation: 10).map(\.title) == ["C"] && document.errors(ofOperation: 0).isEmpty)
    }

    @Test("Results beside empty errors are no failure of the operations", arguments: ["[]", "{}"])
    func resultsBesideEmptyErrors(_ errors: String) throws {
        let text = Data(#"{"atomic:results":[{"data":{"type":"teams","id":"1","attributes":{"name":"Red"}}}],"errors":\#(errors)}"#.utf8)
        let failure = try #require(
            decodingFailure { _ = try JSONAPIDecoder().decode(AtomicResults.self, from: text, for: operations(count: 1)) })
        #expect(failure.kind == .documentStructure && failure.advice?.contains("dataWithErrors") == true)
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .dataWithErrors
        for reader in [decoder, JSONAPIDecoder(mode: .lenient)] {
            let results = try reader.decode(AtomicResults.self, from: text, for: operations(count: 1))
            #expect(try results.resource(Team.self, at: 0) == Team(id: "1", name: "Red"))
        }
    }

    @Test(
        "Errors are thrown also beside results, and empty ones if there are no results",
        arguments: [JSONAPIDecoder.Mode.standard, .lenient])
    func errorsBesideResults(_ mode: JSONAPIDecoder.Mode) throws {
        for text in [#"{"atomic:results":[{}],"errors":[{"title":"A"}]}"#, #"{"errors":[]}"#, #"{"errors":[{"title":"A"}]}"#] {
            #expect(throws: ErrorDocument.self) { try JSONAPIDecoder(mode: mode).decode(AtomicResults.self, from: Data(text.utf8)) }
        }
    }

    @Test(
        "Errors are thrown whatever is beside them", arguments: [JSONAPIDecoder.Mode.standard, .lenient],
        [
            #"{"data":null,"errors":[{"title":"A"}]}"#, #"{"errors":[{"title":"A"}],"included":[]}"#, #"{"errors":"A","data":null}"#,
            #"{"atomic:results":5,"errors":[{"title":"A"}],"included":[5]}"#, #"{"links":5,"data":[5],"errors":[{"title":"A"}]}"#,
        ])
    func errorsBesideFaults(_ mode: JSONAPIDecoder.Mode, _ text: String) throws {
        let thrown = #expect(throws: ErrorDocument.self) {
            try JSONAPIDecoder(mode: mode).decode(AtomicResults.self, from: Data(text.utf8))
        }
        #expect(thrown?.errors.map { $0.title ?? $0.detail } == ["A"])
        #expect(try thrown?.object?.json == JSON(parsing: text))
    }

    @Test(
        "Errors are found by other pointers that servers write",
        arguments: [
            ("/atomic:operations[1]/data/attributes/name", 1), ("atomic:operations/1/data/attributes/name", 1),
            ("data/attributes/name", nil), ("name", nil), ("/name", nil), ("/data/attributes/name/first", nil),
        ] as [(String, Int?)])
    func otherPointers(_ pointer: String, _ operation: Int?) {
        let error = ErrorObject(title: "A", source: ErrorSource(members: ["pointer": .string(pointer)]))
        let document = ErrorDocument(errors: [error])
        #expect(document.errors(at: "name") == [error])
        #expect((0...1).filter { document.errors(ofOperation: $0) == [error] } == [operation].compactMap(\.self))
        #expect((0...1).filter { document.errors(at: "name", operation: $0) == [error] } == [operation].compactMap(\.self))
    }

    @Test("Pointers to nothing are no property", arguments: ["", "/", "/meta", "/atomic:operations", "/atomic:operations[", "/data", "~"])
    func noProperty(_ pointer: String) {
        let document = ErrorDocument(errors: [ErrorObject(title: "A", source: ErrorSource(members: ["pointer": .string(pointer)]))])
        #expect(document.errors(at: "name").isEmpty && document.errors(at: "").isEmpty && document.errors(ofOperation: 0).isEmpty)
    }

    @Test("A link whose name differs from a property by one letter is an error that suggests the property")
    func misspeltLink() throws {
        let dan = ResourceIdentifier(type: "people", id: "9")
        var operations = AtomicOperations()
        operations.add(Story(id: "1", title: "T", author: .notLoaded), linking: ["autor": dan])
        let failure = encodingFailure { _ = try encoder.encode(operations) }
        #expect(failure?.kind == .unknownName && failure?.advice?.contains("`author`") == true)
        #expect(failure.map { "\($0.pointer)" } == "/atomic:operations/0/data/relationships/autor")
        var legal = AtomicOperations()
        legal.add(Story(id: "1", title: "T", author: .notLoaded), linking: ["author": dan, "series": dan])
        #expect(throws: Never.self) { try encoder.encode(legal) }
    }
}
