import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText
import TestSupport
import Testing

/// Hostile documents: the result is a tree or a typed error.
@Suite("Expanding hostile documents")
struct HostileExpansionTests {
    static let shapes: [String] = [
        "null", "true", "17", "1.5", #""text""#, "[]", "[1]", "[null]", "[[]]", "{}", #"{"id": {}}"#, #"{"href": 1}"#, #"{"type": []}"#,
        #"[{"id": null, "links": []}]"#,
    ]

    static let places: [String] = [
        "@", #"{"links": @, "posts": [{"id": "1"}]}"#,
        #"{"links": {"posts.author": @}, "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9"}]}"#,
        #"{"links": {"posts.author": {"href": @, "type": "people"}}, "posts": [{"id": "1", "links": {"author": "9"}}]}"#,
        #"{"links": {"posts.author": {"href": "/{posts.author}", "type": @}}, "posts": [{"id": "1", "links": {"author": "9"}}]}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": @, "people": [{"id": "9"}]}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": [{"links": {"author": "9"}}], "people": @}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": [{"links": {"author": "9"}}], "linked": @}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": [{"links": {"author": "9"}}], "linked": {"people": @}}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": [{"links": @}]}"#,
        #"{"links": {"posts.author": {"href": "/{posts.author}", "type": "people"}}, "posts": [{"links": {"author": @}}], "people": []}"#,
        #"{"links": {"posts.author": "/{posts.author}"}, "posts": [{"links": {"author": @}}]}"#,
        #"{"links": {"posts.author": "/{posts.author}/{posts.x}"}, "posts": [{"x": @, "links": {"author": ["1", @]}}]}"#,
        #"{"links": {"posts.author": {"type": "people"}}, "posts": [{"links": {"author": ["9", @]}}], "people": [{"id": @}, {"id": "9"}]}"#,
        #"{"links": {"links.a": "/", "meta.b": "/", "linked.c": {"type": "meta"}, "posts.links": "/"}, "meta": @, "posts": [{"links": @}]}"#,
    ]

    static let documentPlaces: [String] = [
        #"{"data": @}"#, #"{"data": [@]}"#, #"{"data": [], "included": @}"#, #"{"data": {"type": "a", "id": "1"}, "included": [@]}"#,
        #"{"data": {"type": @, "id": @, "lid": @}}"#, #"{"data": {"type": "a", "id": "1", "attributes": @}}"#,
        #"{"data": {"type": "a", "id": "1", "relationships": @}}"#, #"{"data": {"type": "a", "id": "1", "links": @, "meta": @}}"#,
        #"{"data": {"type": "a", "id": "1", "links": {"self": @}, "relationships": {"b": @}}}"#,
        #"{"data": {"type": "a", "id": "1", "relationships": {"b": {"data": @}, "c": {"data": [@]}, "d": {"links": @}}}}"#,
        #"{"data": {"type": "a", "id": "1", "relationships": {"b": {"links": {"related": @}}, "c": {"data": {"type": @, "id": @}}}}}"#,
    ]

    @Test("Any value in any place of an old document", arguments: places, shapes)
    func anyValue(place: String, shape: String) throws {
        let json = try JSON(parsing: place.replacingOccurrences(of: "@", with: shape))
        for missing in Expander.Missing.allCases {
            expectAnswer(json) { () throws(ExpansionError) in try Expander(missing: missing, primary: ["people"]).expand(legacy: json) }
            expectAnswer(json) { () throws(ExpansionError) in try Expander(missing: missing).expand(legacy: json) }
        }
        expectAnswer(json) { () throws(ExpansionError) in try LegacyDocument(json).document.json }
        expectAnswer(json) { () throws(ExpansionError) in try LegacyDocument(json, primary: ["posts", "people"]).document.json }
    }

    @Test("Any value in any place of a current document", arguments: documentPlaces, shapes)
    func anyDocumentValue(place: String, shape: String) throws {
        let json = try JSON(parsing: place.replacingOccurrences(of: "@", with: shape))
        let document = DocumentObject(members: json.object ?? [:])
        for missing in Expander.Missing.allCases {
            expectAnswer(json) { () throws(ExpansionError) in try document.expanded(Expander(missing: missing)) }
        }
    }

    /// Checks that the place of every problem exists, or is inside an existing container.
    private func expectAnswer(
        _ input: JSON, sourceLocation: SourceLocation = #_sourceLocation, _ expand: () throws(ExpansionError) -> JSON
    ) {
        do throws(ExpansionError) { _ = try expand() } catch {
            #expect(!error.problems.isEmpty, sourceLocation: sourceLocation)
            for problem in error.problems {
                #expect(input[pointer: problem.pointer] != nil, "\(problem) in \(input)", sourceLocation: sourceLocation)
                #expect(!problem.message.isEmpty, sourceLocation: sourceLocation)
            }
        }
    }

    // MARK: - Size

    /// Levels of two resources, each of which links to both of the next level: the tree doubles with each level.
    static func layers(_ count: Int) throws -> JSON {
        let resources = (0..<count).flatMap { layer in
            (0..<2).map { #"{"id": "\#(layer).\#($0)", "links": {"next": ["\#(layer + 1).0", "\#(layer + 1).1"]}}"# }
        }
        return try JSON(
            parsing: #"""
                {"links": {"first.next": {"type": "nodes"}, "nodes.next": {"type": "nodes"}}, "first": {"id": "x", "links": {"next": "0.0"}},
                 "nodes": [\#(resources.joined(separator: ","))]}
                """#)
    }

    @Test("A tree that doubles with each level exceeds the limit")
    func doubling() throws {
        #expect(throws: Never.self) { try Expander().expand(legacy: Self.layers(10)) }
        let json = try Self.layers(64)
        var expander = Expander()
        expander.maximumSize = 1 << 20
        #expect(
            Legacy.problems { () throws(ExpansionError) in try expander.expand(legacy: json) }.first?.hasPrefix("expansionLimit /nodes/")
                == true)
    }

    @Test("Resources that all refer to each other exceed the limit")
    func everythingToEverything() throws {
        let ids = (0..<30).map { #"{"type": "a", "id": "\#($0)"}"# }.joined(separator: ",")
        let resources = (0..<30).map { #"{"type": "a", "id": "\#($0)", "relationships": {"all": {"data": [\#(ids)]}}}"# }
        var expander = Expander()
        expander.maximumSize = 1 << 22
        let problems = try Legacy.documentProblems(#"{"data": [\#(resources.joined(separator: ","))]}"#, expander)
        #expect(problems.count == 1 && problems.first?.hasPrefix("expansionLimit /data/") == true)
    }

    @Test("Primary identifiers that all refer to one resource exceed the limit")
    func copiesOfOneResource() throws {
        let relationships = (0..<500).map { #""r\#($0)": {"data": null}"# }.joined(separator: ",")
        let resource = #"{"type": "a", "id": "1", "relationships": {\#(relationships)}}"#
        func problems(_ count: Int) throws -> [String] {
            var expander = Expander()
            expander.maximumSize = 1 << 20
            let identifiers = Array(repeating: #"{"type": "a", "id": "1"}"#, count: count).joined(separator: ",")
            return try Legacy.documentProblems(#"{"data": [\#(identifiers)], "included": [\#(resource)]}"#, expander)
        }
        #expect(try problems(10) == [])
        let found = try problems(1000)
        #expect(found.count == 1 && found.first?.hasPrefix("expansionLimit /data/") == true)
    }

    @Test("Many templates, and long lists in templates, exceed the limit")
    func templates() throws {
        var expander = Expander()
        expander.maximumSize = 1 << 20
        let templates = (0..<2000).map { #""posts.r\#($0)": "/{posts.none}""# }.joined(separator: ",")
        let many = #"{"links": {\#(templates)}, "posts": [\#(Array(repeating: "{}", count: 2000).joined(separator: ","))]}"#
        #expect(try Legacy.problems(many, expander).map { $0.hasPrefix("expansionLimit /posts/") } == [true])
        let types = (0..<2000).map { #""posts.r\#($0)": {"type": "x"}"# }.joined(separator: ",")
        let typed = #"{"links": {\#(types)}, "posts": [\#(Array(repeating: "{}", count: 2000).joined(separator: ","))]}"#
        #expect(try Legacy.problems(typed, expander).map { $0.hasPrefix("expansionLimit /posts/") } == [true])
        let list = Array(repeating: "1", count: 5000).joined(separator: ",")
        let long = String(repeating: "{posts.x}", count: 5000)
        let wide = #"{"links": {"posts.x": "\#(long)"}, "posts": [{"links": {"x": [\#(list)]}}]}"#
        #expect(try Legacy.problems(wide, expander) == ["expansionLimit /posts/0/links/x"])
        let json = try JSON(parsing: many)
        let read = Legacy.problems { () throws(ExpansionError) in try LegacyDocument(json, maximumSize: 1 << 20) }
        #expect(read.map { $0.hasPrefix("expansionLimit /posts/") } == [true])
    }

    @Test("Long names that a document has once, and its result for each resource, exceed the limit")
    func longNames() throws {
        let name = String(repeating: "n", count: 10_000)
        let resources = Array(repeating: "{}", count: 200).joined(separator: ",")
        var expander = Expander()
        expander.maximumSize = 1 << 20
        let relation = #"{"links": {"posts.\#(name)": "/"}, "posts": [\#(resources)]}"#
        #expect(try Legacy.problems(relation, expander).map { $0.hasPrefix("expansionLimit /posts/") } == [true])
        func limit(_ text: String) throws -> [Bool] {
            let json = try JSON(parsing: text)
            return Legacy.problems { () throws(ExpansionError) in try LegacyDocument(json, maximumSize: 1 << 20) }
                .map { $0.hasPrefix("expansionLimit /") }
        }
        #expect(try limit(relation) == [true])
        let collection = #"{"links": {"\#(name).x": "/"}, "\#(name)": [\#(resources)]}"#
        #expect(try Legacy.problems(collection, expander) == [])
        #expect(try limit(collection) == [true])
        let ids = Array(repeating: "1", count: 200).joined(separator: ",")
        #expect(try limit(#"{"links": {"posts.x": {"type": "\#(name)"}}, "posts": [{"id": 1, "links": {"x": [\#(ids)]}}]}"#) == [true])
    }

    @Test("A long chain of resources is expanded on a small stack")
    func chain() async throws {
        let count = TestEffort.count(100_000, debug: 20_000)
        let resources = (0..<count).map { #"{"id": \#($0), "links": {"next": \#($0 + 1)}}"# }.joined(separator: ",")
        let text = #"{"links": {"first.next": {"type": "nodes"}, "nodes.next": {"type": "nodes"}}, "first": {"links": {"next": 0}}, "#
        let legacy = try JSON(parsing: text + #""nodes": [\#(resources)]}"#)
        let depth = await Legacy.onSmallStack { () -> Int in
            guard var value = try? Expander().expand(legacy: legacy)["first"] else { return -1 }
            var depth = 0
            while let next = value["next"] {
                value = next
                depth += 1
            }
            return depth
        }
        #expect(depth == count + 1)

        let included = (1..<20_000).map {
            #"{"type": "n", "id": "\#($0)", "relationships": {"next": {"data": [{"type": "n", "id": "\#(($0 + 1) % 20_000)"}]}}}"#
        }
        let document = try JSON(
            parsing: #"""
                {"data": {"type": "n", "id": "0", "relationships": {"next": {"data": {"type": "n", "id": "1"}}}},
                 "included": [\#(included.joined(separator: ","))]}
                """#)
        let isWritten = await Legacy.onSmallStack { (try? DocumentObject(members: document.object ?? [:]).expanded()) != nil }
        #expect(isWritten)
    }

    @Test("Attribute values can be nested to any depth")
    func deepValues() async throws {
        let isWritten = await Legacy.onSmallStack { () -> Bool in
            var deep: JSON = 1
            for _ in 0..<100_000 { deep = [deep] }
            let legacy: JSON = [
                "links": ["posts.author": ["type": "people"]], "posts": [["links": ["author": "9", "x": deep]]],
                "people": [["id": "9", "deep": deep]],
            ]
            let document = DocumentObject(members: ["data": ["type": "a", "id": "1", "attributes": ["deep": deep]]])
            return (try? Expander().expand(legacy: legacy)) != nil && (try? document.expanded()) != nil
                && (try? LegacyDocument(legacy)) != nil
        }
        #expect(isWritten)
    }

    // MARK: - Names

    @Test("Names that differ in bytes only are different collections and relations")
    func unicode() throws {
        try Legacy.expect(
            #"""
            {"links": {"caf\u00e9.a": {"type": "b"}, "cafe\u0301.a": "/{cafe\u0301.id}/{cafe\u0301.\ud83d\ude00}"},
             "caf\u00e9": [{"links": {"a": "1"}}], "cafe\u0301": [{"id": "\u00fc", "\ud83d\ude00": "\ud83d\ude00"}], "b": [{"id": "1"}]}
            """#,
            becomes: #"""
                {"caf\u00e9": [{"a": {"id": "1"}}],
                 "cafe\u0301": [{"id": "\u00fc", "\ud83d\ude00": "\ud83d\ude00", "a": {"href": "/%C3%BC/%F0%9F%98%80"}}]}
                """#)
    }

    @Test("The last member of a repeated name counts")
    func repeatedNames() throws {
        try Legacy.expect(
            #"""
            {"links": {}, "links": {"posts.a": "/1/{", "posts.a": "/{posts.id}/{posts.a}"}, "posts": [1],
             "posts": [{"id": "1", "id": "2", "links": 1, "links": {"a": "x", "a": "y"}}]}
            """#,
            becomes: #"{"posts": [{"id": "1", "id": "2", "a": {"href": "/2/y"}}]}"#)
    }

    // MARK: - Random documents

    @Test("Random documents give a tree or an error, within the limit", arguments: 0..<UInt64(TestEffort.count(40, debug: 15)))
    func random(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for _ in 0..<50 {
            var expander = Expander(missing: Expander.Missing.allCases.randomElement(using: &numbers) ?? .stub)
            expander.primary = Bool.random(using: &numbers) ? nil : ["a", "b"]
            expander.maximumSize = 1 << 16
            let old = RandomDocument.legacy(&numbers)
            let size = RandomDocument.size(old)
            do throws(ExpansionError) {
                let tree = try expander.expand(legacy: old)
                #expect(RandomDocument.size(tree) <= size + expander.maximumSize)
            } catch {
                for problem in error.problems { #expect(old[pointer: problem.pointer] != nil, "\(problem) in \(old)") }
            }
            if let document = try? LegacyDocument(old).document {
                let new = try? document.expanded(expander)
                #expect(RandomDocument.size(new ?? nil) <= RandomDocument.size(document.json) + expander.maximumSize)
                _ = try? JSONAPIDecoder(mode: .lenient).decode([ResourceObject].self, from: Data(document.description.utf8))
            }
        }
    }
}

/// Small documents with four collections that link to each other at random, sometimes with an invalid value.
enum RandomDocument {
    static let names = ["a", "b", "c", "d"]

    static func legacy(_ numbers: inout SeededRandom) -> JSON {
        var links = JSONObject()
        for collection in names {
            for relation in names where Int.random(in: 0..<3, using: &numbers) == 0 {
                links.append(name: "\(collection).\(relation)x", value: template(collection, relation, &numbers))
            }
        }
        var members: JSONObject = ["links": .object(links)]
        var linked = JSONObject()
        for name in names {
            let resources = (0..<Int.random(in: 0..<4, using: &numbers)).map { resource($0, &numbers) }
            let value: JSON = odd(&numbers) ?? .array(JSONArray(resources))
            if Int.random(in: 0..<4, using: &numbers) == 0 {
                linked.append(name: name, value: value)
            } else {
                members.append(name: name, value: value)
            }
        }
        if !linked.isEmpty { members.append(name: "linked", value: .object(linked)) }
        return .object(members)
    }

    private static func template(_ collection: String, _ relation: String, _ numbers: inout SeededRandom) -> JSON {
        let href: JSON = .string("/\(relation)/{\(collection).\(["id", "\(relation)x", "none"].randomElement(using: &numbers) ?? "id")}")
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: return href
        case 1: return ["href": href, "type": .string(relation)]
        default: return odd(&numbers) ?? ["type": .string(relation)]
        }
    }

    private static func resource(_ id: Int, _ numbers: inout SeededRandom) -> JSON {
        var links = JSONObject()
        for name in names where Bool.random(using: &numbers) {
            let ids = (0..<Int.random(in: 0..<4, using: &numbers)).map { JSON.string("\($0)") }
            links.append(
                name: name + "x", value: odd(&numbers) ?? (Bool.random(using: &numbers) ? .array(JSONArray(ids)) : ids.first ?? .null))
        }
        let number: JSON = Bool.random(using: &numbers) ? .string("\(id)") : .number(JSONNumber(id))
        return odd(&numbers) ?? ["id": odd(&numbers) ?? number, "n": number, "links": .object(links)]
    }

    /// Rarely, an invalid value.
    private static func odd(_ numbers: inout SeededRandom) -> JSON? {
        guard Int.random(in: 0..<200, using: &numbers) == 0 else { return nil }
        let values: [JSON] = [.null, true, 1, "x", [], [1], [:], ["id": "0"], ["links": 1]]
        return values.randomElement(using: &numbers)
    }

    static func size(_ json: JSON) -> Int { json.description.utf8.count }
}
