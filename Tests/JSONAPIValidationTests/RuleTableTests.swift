import Foundation
import JSONAPIValidation
import JSONText
import Testing

@Suite struct RuleTableTests {
    private static func requirements() throws -> [JSON] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: root.appendingPathComponent("Conformance/requirements.json"))
        return try Array(#require(JSON(parsing: data).array))
    }

    @Test func everyRequirementThatADocumentCanBreakHasARule() throws {
        let rules = Dictionary(uniqueKeysWithValues: ValidationRule.all.map { ($0.id, $0) })
        var sections: [String: Int] = [:]
        for requirement in try Self.requirements() where requirement["checkable_on_document"]?.bool == true {
            let id = try #require(requirement["id"]?.string)
            let rule = try #require(rules[id], "no rule \(id)")
            #expect(rule.level.rawValue == requirement["level"]?.string, "level of \(id)")
            #expect(rule.address == requirement["url"]?.string, "address of \(id)")
            sections[String(id.prefix { $0 != "/" }), default: 0] += 1
        }
        #expect(sections.values.reduce(0, +) == 127)
    }

    @Test func everyRuleIsARequirementOrATextRule() throws {
        let ids = try Set(Self.requirements().compactMap { $0["id"]?.string })
        for rule in ValidationRule.all where !rule.id.hasPrefix("json/") { #expect(ids.contains(rule.id), "\(rule.id)") }
    }

    /// The cases of these tests, and those of `Conformance/invalid`.
    @Test func everyRuleIsBrokenByACase() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let index = try JSON(parsing: Data(contentsOf: root.appendingPathComponent("Conformance/invalid/index.json")))
        var broken = try Set(#require(index.array).compactMap { $0["violates"]?.string })
        let cases = [
            TopLevelRuleTests.cases, ResourceRuleTests.cases, RelationshipRuleTests.cases, LinkRuleTests.cases, CompoundRuleTests.linkage,
            CompoundRuleTests.requests, WritingRuleTests.cases, ErrorRuleTests.cases, AtomicRuleTests.documents, AtomicRuleTests.operations,
            CursorRuleTests.pages, CursorRuleTests.errors,
        ].flatMap { $0 }
        #expect(cases.count > 200)
        for issue in cases.flatMap(\.issues) { broken.insert(String(issue.drop { $0 == "~" }.prefix { $0 != " " })) }
        for rule in ValidationRule.all where rule.reportedAs.isEmpty && rule.id != "json/syntax" {
            #expect(broken.contains(rule.id), "nothing breaks \(rule.id)")
        }
    }

    @Test func reportedAsNamesARuleThatIsReported() {
        let rules = Dictionary(uniqueKeysWithValues: ValidationRule.all.map { ($0.id, $0) })
        for rule in ValidationRule.all {
            for id in rule.reportedAs { #expect(rules[id]?.reportedAs == [], "\(rule.id) is reported as \(id)") }
            // An optional rule can only be broken as a consequence of another rule.
            #expect(rule.level != .may || !rule.reportedAs.isEmpty, "\(rule.id)")
        }
    }
}
