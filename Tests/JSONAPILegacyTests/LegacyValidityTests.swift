import JSONAPICodec
import JSONAPILegacy
import JSONAPIValidation
import JSONText
import TestSupport
import Testing

/// A converted legacy document is valid, or its diagnostics say why not.
@Suite("Converted legacy documents are valid")
struct LegacyValidityTests {
    private func diagnostics(_ text: String, primary: [String]? = nil) throws -> [String] {
        try LegacyDocument(JSON(parsing: text), primary: primary).diagnostics.map { "\($0.kind) \($0.pointer)" }
    }

    @Test("A document without diagnostics is valid")
    func validity() throws {
        var numbers = SeededRandom(seed: 5)
        var (valid, others) = (0, 0)
        for run in 0..<1500 {
            let json = Self.document(&numbers)
            guard let legacy = try? LegacyDocument(json, primary: ["posts"]) else { continue }
            let report = Validator().validate(legacy.document.description)
            if legacy.diagnostics.isEmpty {
                valid += 1
                #expect(report.isValid, "run \(run): \(json) -> \(legacy.document): \(report.issues)")
            } else {
                others += 1
                let isOnlyLoss = legacy.diagnostics.allSatisfy { $0.message.contains("left out") }
                #expect(!report.isValid || isOnlyLoss, "run \(run): \(json) -> \(legacy.document): \(legacy.diagnostics)")
            }
            for problem in legacy.diagnostics where problem.kind != .missingID && problem.kind != .illegalAddress {
                #expect(json[pointer: problem.pointer] != nil, "\(problem)")
            }
        }
        #expect(valid > 150 && others > 150, "\(valid) \(others)")
    }

    @Test("Links of other names become relationships, or are kept in meta")
    func links() throws {
        let document = try LegacyDocument(
            JSON(
                parsing: #"""
                    {"links": {"posts.log": "/posts/{posts.id}/log", "next": "/posts?page=2", "help": "/help"},
                     "posts": [{"id": "1", "title": "A", "links": {"self": "/posts/1", "editor": {"href": "/people/3"}, "reviewer": null,
                                "drafts": [], "title": "/t", "tags": ["x"], "log": "9"}}], "meta": {"total": 1}}
                    """#))
        let expected = try JSON(
            parsing: #"""
                {"data": [{"type": "posts", "id": "1", "attributes": {"title": "A"}, "links": {"self": "/posts/1"},
                   "meta": {"links": {"title": "/t", "tags": ["x"], "log": "9"}}, "relationships": {
                     "log": {"links": {"related": "/posts/1/log"}}, "editor": {"links": {"related": {"href": "/people/3"}}},
                     "reviewer": {"data": null}, "drafts": {"data": []}}}],
                 "links": {"next": "/posts?page=2"}, "meta": {"total": 1, "links": {"help": "/help"}}}
                """#)
        #expect(document.document.json == expected, "\(document.document)")
        #expect(document.diagnostics.isEmpty && Validator().validate(document.document.description).isValid)
    }

    @Test("An id is never an address, even if its template has no address for the resource")
    func idsWithoutAddress() throws {
        let document = try LegacyDocument(
            JSON(
                parsing: #"""
                    {"links": {"posts.author": "/{posts.lang}/people/{posts.author}"},
                     "posts": [{"id": "1", "links": {"author": "9"}}, {"id": "2", "lang": "en", "links": {"author": "9"}},
                               {"id": "3", "links": {"author": {"href": "/people/9"}}}]}
                    """#))
        let expected = try JSON(
            parsing: #"""
                {"data": [
                   {"type": "posts", "id": "1", "meta": {"links": {"author": "9"}}},
                   {"type": "posts", "id": "2", "attributes": {"lang": "en"},
                    "relationships": {"author": {"links": {"related": "/en/people/9"}}}},
                   {"type": "posts", "id": "3", "relationships": {"author": {"links": {"related": {"href": "/people/9"}}}}}]}
                """#)
        #expect(document.document.json == expected, "\(document.document)")
        #expect(document.diagnostics.isEmpty && Validator().validate(document.document.description).isValid)
    }

    @Test(
        "A document without data, errors, and meta is reported",
        arguments: [
            ("{}", true), (#"{"links":{"self":"/x"}}"#, true), (#"{"jsonapi":{"version":"1.0"}}"#, true), (#"{"linked":{}}"#, true),
            (#"{"links":{"help":"/x"}}"#, false), (#"{"meta":{}}"#, false), (#"{"errors":[{"title":"x"}]}"#, false), (#"{"a":[]}"#, false),
        ])
    func empty(text: String, isReported: Bool) throws {
        let json = try JSON(parsing: text)
        for primary in [nil, []] as [[String]?] where primary == nil || !text.contains("[]") {
            let document = try LegacyDocument(json, primary: primary)
            #expect(document.diagnostics.map { "\($0.kind) \($0.pointer)" } == (isReported ? ["unknownCollection "] : []))
            #expect(Validator().validate(document.document.description).isValid == !isReported)
        }
    }

    @Test("Unlinked resources are reported and kept")
    func unlinked() throws {
        let text = #"""
            {"links": {"posts.author": {"type": "people"}, "people.boss": {"type": "people"}},
             "posts": [{"id": "1", "links": {"author": "9"}}],
             "people": [{"id": "7"}, {"id": "9", "links": {"boss": "8"}}, {"id": "8"}], "tags": [{"id": "x"}]}
            """#
        #expect(try diagnostics(text) == ["unlinked /people/0", "unlinked /tags/0"])
        #expect(try LegacyDocument(JSON(parsing: text)).document.included?.count == 4)
        #expect(try diagnostics(text, primary: ["posts", "people", "tags"]) == [])
    }

    @Test("Repeated and missing identities are reported")
    func identities() throws {
        let text = #"""
            {"links": {"posts.author": {"type": "people"}},
             "posts": [{"id": "1", "links": {"author": "9"}}, {"id": 1}, {"title": "A"}],
             "people": [{"id": "9", "name": "Dan"}, {"id": 9, "name": "Eve"}, {"id": "9", "name": "Dan"}]}
            """#
        #expect(try Set(diagnostics(text)) == ["missingID /posts/2", "duplicate /posts/1", "duplicate /people/1"])
    }

    @Test("Invalid names, members, and addresses are reported")
    func names() throws {
        let text = #"""
            {"links": {"a+b.log": "/a b/log", "self": 7}, "count": 5, "meta": "x", "linked": {"total": 3},
             "a+b": [{"id": "1", "type": "a+b", "first.name": "A", "@note": 1, "href": "/ ", "links": {"self": "/2"}},
                     {"id": "2", "type": "x", "links": {"self": "/ö"}}]}
            """#
        let found = try Set(diagnostics(text))
        #expect(
            found == [
                "illegalName /a+b", "illegalName /a+b/0/first.name", "illegalName /a+b/1/type", "illegalAddress /a+b/0/href",
                "illegalAddress /a+b/1/links/self", "illegalAddress /links/self", "undefinedMember /count",
                "typeMismatch /meta", "undefinedMember /linked",
            ])
    }

    @Test("Types and relations of templates are reported at their places")
    func templates() throws {
        let types = #"{"links":{"posts.author":{"type":"-x"}},"posts":[{"id":"1","links":{"author":"9"}}]}"#
        #expect(try diagnostics(types) == ["illegalName /links/posts.author/type"])
        #expect(try diagnostics(#"{"links":{"comments.-r":"/x"},"comments":[{"id":"1"}]}"#) == ["illegalName /links/comments.-r"])
        #expect(try diagnostics(#"{"posts":[{"id":"1"}],"@c":{}}"#).isEmpty)
    }

    // MARK: - Random documents

    private static func document(_ numbers: inout SeededRandom) -> JSON {
        func chance(_ count: Int, _ numbers: inout SeededRandom) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }
        func id(_ numbers: inout SeededRandom) -> JSON {
            let number = Int.random(in: 1...4, using: &numbers)
            return chance(2, &numbers) ? .string("\(number)") : .number(JSONNumber(number))
        }
        func link(_ numbers: inout SeededRandom) -> JSON {
            switch Int.random(in: 0..<8, using: &numbers) {
            case 0: return nil
            case 1: return []
            case 2: return .array([id(&numbers), id(&numbers)])
            case 3: return "/x/1"
            case 4: return ["href": "/y"]
            default: return id(&numbers)
            }
        }
        func resource(_ numbers: inout SeededRandom) -> JSON {
            var members = JSONObject()
            if !chance(60, &numbers) { members["id"] = id(&numbers) }
            for name in ["name", "title"] where chance(2, &numbers) { members[name] = "t" }
            for name in ["a.b", "type", "@at", "href"] where chance(40, &numbers) { members[name] = "/x" }
            var links = JSONObject()
            for name in ["author", "comments", "editor", "self", "a.b", "title"] where chance(3, &numbers) { links[name] = link(&numbers) }
            if !links.isEmpty { members["links"] = .object(links) }
            return .object(members)
        }
        func list(_ count: Int, _ numbers: inout SeededRandom) -> JSON {
            .array(JSONArray((0..<Int.random(in: 0...count, using: &numbers)).map { _ in resource(&numbers) }))
        }
        var links = JSONObject()
        let templates: [(String, JSON)] = [
            ("posts.author", ["href": "/people/{posts.author}", "type": "people"]), ("posts.comments", ["type": "comments"]),
            ("comments.author", ["type": "people"]), ("people.editor", "/people/{people.id}/editor"), ("posts.editor", ["type": "people"]),
        ]
        for (name, template) in templates where !chance(3, &numbers) { links[name] = template }
        for name in ["self", "next", "help"] where chance(6, &numbers) { links[name] = "/z" }
        var document: JSONObject = ["links": .object(links), "posts": list(3, &numbers)]
        if chance(3, &numbers) { document["people"] = list(1, &numbers) } else { document["linked"] = ["people": list(1, &numbers)] }
        if chance(3, &numbers) { document["comments"] = list(1, &numbers) }
        if chance(4, &numbers) { document["meta"] = ["total": 1] }
        if chance(30, &numbers) { document["count"] = 5 }
        if chance(20, &numbers) { document["data"] = nil }
        return .object(document)
    }
}
