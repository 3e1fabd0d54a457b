import Foundation
import JSONText
import Testing

/// One golden case of an older system: what goes in, how it is configured, what comes out. the README of `Conformance/` says more.
struct SeedCase {
    let members: JSONObject

    var name: String { "seeds/\(members["id"]?.string ?? "?")" }
    var operation: String { config["operation"]?.string ?? "" }
    var input: JSON { members["input"] ?? .null }
    var config: JSONObject { members["config"]?.object ?? JSONObject() }
    var expected: JSONObject { members["expected"]?.object ?? JSONObject() }
}

/// Runs the golden cases of `Conformance/seeds`, and of the files named in `CONFORMANCE_SEEDS`.
@Suite struct SeedCases {
    typealias Check = @Sendable (SeedCase, inout Report) throws -> Void

    /// How each operation is run through the public API.
    static let checks: [String: Check] = [
        "expand-templates": SeedExpansion.checkTemplates,
        "expand-document": SeedExpansion.checkDocument,
        "generate": SeedGeneration.check,
    ]

    /// Operations that nothing runs yet; the README's status says what is missing. One that is run has to leave this list.
    static let missing: Set<String> = [
        "archive-round-trip", "build-resource", "check-constraint", "create", "create-each", "decode", "decode-resource", "encode",
        "key-paths", "observed-cache-script", "read", "represent", "rewrite",
        "rewrite-each", "round-trip", "same-identity", "store-script", "top-level", "update", "validate", "validate-documents",
        "validate-outline",
    ]

    @Test func theGoldenCasesHold() throws {
        #expect(Self.missing.isDisjoint(with: Self.checks.keys))
        var report = Report()
        for url in Self.files {
            for json in try JSON(parsing: Data(contentsOf: url)).array ?? [] {
                let seed = SeedCase(members: json.object ?? JSONObject())
                if let check = Self.checks[seed.operation] {
                    report.run(seed.name) { try check(seed, &$0) }
                } else if !Self.missing.contains(seed.operation) {
                    report.fail(seed.name, "no check for the operation `\(seed.operation)`")
                }
            }
        }
        for failure in report.failures { Issue.record("\(failure)") }
        print("seeds: \(report.cases) cases, \(report.failures.count) failures")
    }

    private static var files: [URL] {
        let more = ProcessInfo.processInfo.environment["CONFORMANCE_SEEDS", default: ""].split(separator: ":")
        return [CaseFolder.root.appendingPathComponent("seeds/cases.json")] + more.map { URL(fileURLWithPath: String($0)) }
    }
}

extension Report {
    /// Notes a failure unless both are the same JSON value, whatever the order of members.
    mutating func expect(_ seed: SeedCase, _ found: JSON?, equals expected: JSON?) {
        if found != expected {
            fail(seed.name, "expected \(expected.map { "\($0)" } ?? "nothing"), found \(found.map { "\($0)" } ?? "nothing")")
        }
    }
}
