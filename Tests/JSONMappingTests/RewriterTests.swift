import JSONMapping
import JSONText
import Testing

@Suite struct RewriterTests {
    @Test func theFourPhasesRunInOrder() throws {
        let rewriter = Rewriter(unreferenced: .keep) {
            Rule("name", from: "test_name")
            Rule("location", from: ["lat", "long"]) { _, input in ["lat": input["lat"] ?? nil, "long": input["long"] ?? nil] }.optional
            Rule("rating", from: "stars").ifMissing { rule, _ in .string(rule.key) }
            Rule("filled", from: "nowhere").ifMissing { _, _ in 1 }
            Rule("count", from: "n", .lenientInt).optional
        }
        let input: JSON = ["test_name": nil, "lat": 1, "filled": 2, "tags": [], "name": "ignored", "n": "12"]
        let result = try rewriter.rewrite(input)
        #expect(result == ["name": nil, "filled": 2, "tags": [], "rating": "rating", "count": 12])
        #expect(try rewriter.rewrite(each: [input, input]) == [result, result])
    }

    @Test func ofTheRulesOfAKeyTheLastOneThatRunsCounts() throws {
        let rewriter = Rewriter {
            Rule("name", from: "login")
            Rule("name", from: "full_name")
        }
        #expect(try rewriter.rewrite(["login": "a", "full_name": "Ann"]) == ["name": "Ann"])
        #expect(try rewriter.rewrite(["full_name": "Ann", "login": "a"]) == ["name": "Ann"])
        #expect(try rewriter.rewrite(["login": "a"]) == ["name": "a"])
    }

    @Test func aClosureThatReturnsNilLeavesItsKeyMissing() throws {
        let rewriter = Rewriter {
            Rule("b", from: "a") { _, _ in nil }
            Rule("a", from: "a") { _, _ in nil }
            Rule("c", from: "a")
        }
        let report = try rewriter.report(["a": 1])
        #expect(report.result == ["c": 1])
        #expect(report.missing == ["a", "b"])
        #expect(throws: ValidationError.self) { try rewriter.rewrite(["a": 1]) }
        #expect(try rewriter.rewrite(["a": 1]) { result, missing in missing == nil ? result : nil } == nil)
    }

    @Test func errorsOfClosuresAreReportedTogetherAtTheirKeys() {
        let rewriter = Rewriter(unreferenced: .value { _, _ in throw CancellationError() }) {
            Rule("x", from: "a", .int)
            Rule("y", from: "a") { _, _ in throw CancellationError() }
        }
        do {
            _ = try rewriter.rewrite(["a": "1", "b": 2])
            Testing.Issue.record("it was rewritten")
        } catch {
            #expect(
                (error as? ValidationError)?.issues.map { "\($0.kind) \($0.pointer)" } == [
                    "type-mismatch /x", "conversion /y", "conversion /b",
                ])
        }
    }

    @Test func anErrorWithoutIssuesIsReportedAtItsKey() throws {
        let rewriter = Rewriter {
            Rule("y", from: "a") { _, _ in throw ValidationError([]) }.optional
        }
        let error = #expect(throws: ValidationError.self) { try rewriter.rewrite(["a": 1]) }
        #expect(error?.issues == [MappingIssue(.conversionFailed, at: JSONPointer("y"), expected: "", found: "")])
    }

    @Test func twoMembersThatTheDefaultRuleGivesOneEntryAreAnIssue() throws {
        let rewriter = Rewriter(
            unreferenced: .entry { rule, input in input[rule.key].map { JSONObject.Member(name: rule.key.lowercased(), value: $0) } }
        ) {
            Rule("key", from: "k")
        }
        #expect(throws: ValidationError([MappingIssue(.nameConflict, at: JSONPointer("id"), expected: "", found: "")])) {
            try rewriter.rewrite(["k": 0, "ID": 1, "id": 2])
        }
        #expect(try rewriter.rewrite(["k": 0, "ID": 1, "KEY": 2]) == ["key": 0, "id": 1])
        #expect(try rewriter.rewrite(JSON(parsing: #"{"k":0,"ID":1,"a":2,"ID":3}"#)) == ["key": 0, "id": 3, "a": 2])
    }

    @Test func aRuleForTheWholeInputIsNotAppliedToAPart() throws {
        let rewriter = Rewriter(unreferenced: .keep) {
            Rule("fullName", from: "") { _, input in
                let names: [String] = ["first", "last"].compactMap { input[$0]?.string }
                return .string(names.joined(separator: " "))
            }
            Rule("years", from: "age")
        }
        #expect(try rewriter.rewrite(["first": "A", "last": "B", "age": 1])["fullName"] == "A B")
        let lost = ValidationError([MappingIssue(.required, at: JSONPointer("fullName"), expected: "", found: "")])
        #expect(throws: lost) { try rewriter.forChanges(["first": "A"]) }
        #expect(try rewriter.forChanges([:]).rewrite([:]) == [:])
        #expect(throws: lost) { try rewriter.leavingOut(from: ["first": "A"]) { $0 == "last" } }
        #expect(try rewriter.leavingOut(from: [:]) { $0 == "last" }.rules.map(\.key) == ["years"])
        #expect(try rewriter.leavingOut { $0 != "first" && $0 != "age" }.rewrite(["first": "A", "age": 1]) == ["first": "A", "years": 1])
    }

    @Test func withoutDefaultsEntriesAreMadeOnlyFromMembersThatAreThere() throws {
        let rewriter = Rewriter(unreferenced: .keep) {
            Rule("views", from: "seen").ifMissing { _, _ in 0 }
            Rule("stars", from: "rating", Conversion<JSON, Int>.lenientInt.whenAbsent { 3 })
            Rule("place", from: ["lat", "long"]) { _, _ in "here" }
            Rule("title", from: "name")
        }
        #expect(try rewriter.withoutDefaults(for: ["name": "T", "x": 1]).rewrite(["name": "T", "x": 1]) == ["title": "T", "x": 1])
        #expect(try rewriter.withoutDefaults(for: ["lat": 1]).rewrite(["lat": 1]) == [:])
        #expect(try rewriter.withoutDefaults(for: ["seen": 5]).rewrite(["seen": 5]) == ["views": 5])
        #expect(try rewriter.withoutDefaults(for: [:]).rewrite([:]) == [:])
    }

    @Test func theSourceOfAnEntryIsTheOnlyValueThatItIsMadeFrom() {
        let rules = [
            Rule("title", from: "name"), Rule("city", from: "address.city"), Rule("place", from: ["lat", "long"]),
            Rule("views", from: "seen"),
        ]
        let keeping = Rewriter(rules: rules, unreferenced: .keep)
        let input: JSONObject = ["name": "T", "title": 1, "address": ["city": "X"], "lat": 1, "long": 2, "other": 3]
        #expect(keeping.source(of: "city", in: input)?.segments == ["address", "city"])
        #expect(keeping.source(of: "other", in: input)?.segments == ["other"])
        #expect(keeping.source(of: "title", in: input)?.segments == ["name"])
        // Several values, or none.
        for entry in ["place", "views", "name", "unknown"] { #expect(keeping.source(of: entry, in: input) == nil, "\(entry)") }
        let dropping = Rewriter(rules: rules)
        #expect(dropping.source(of: "title", in: input)?.segments == ["name"] && dropping.source(of: "other", in: input) == nil)
    }

    @Test func aRuleForTheWholeInputDoesNotReferToTheEmptyName() throws {
        let rewriter = Rewriter(unreferenced: .keep) { Rule("raw", from: "") { _, input in .number(JSONNumber(input.count)) } }
        #expect(try rewriter.rewrite(["": 1, "a": 2]) == ["raw": 2, "": 1, "a": 2])
    }

    @Test func failingElementsHaveTheirIndex() {
        let rewriter = Rewriter { Rule("x", from: "a") }
        #expect(throws: ValidationError([MappingIssue(.required, at: JSONPointer("1", "x"), expected: "", found: "")])) {
            try rewriter.rewrite(each: [["a": 1], [:]])
        }
    }

    @Test func aRewriterIsReentrantAndThreadSafe() async throws {
        let inner = Rewriter { Rule("x", from: "a") }
        let rewriter = Rewriter { Rule("y", from: "b") { rule, input in .object(try inner.rewrite(input["b"] ?? nil)) } }
        try await withThrowingTaskGroup(of: JSONObject.self) { group in
            for number in 0..<50 { group.addTask { try rewriter.rewrite(["b": ["a": .number(JSONNumber(number))]]) } }
            var sum = 0
            for try await result in group { sum += result["y"]?["x"]?.int ?? 0 }
            #expect(sum == 1225)
        }
    }

    @Test func manyMembersTakeLinearTime() throws {
        var input = JSONObject()
        for number in 0..<50_000 { input.append(name: "k\(number)", value: 1) }
        #expect(try Rewriter(unreferenced: .keep) {}.rewrite(.object(input)).count == 50_000)
    }
}
