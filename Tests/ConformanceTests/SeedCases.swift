import Foundation
import JSONText
import Testing

/// One golden case of an older system: its input, configuration, and output. See the README of `Conformance/`.
struct SeedCase {
    let members: JSONObject

    var name: String { "seeds/\(members["id"]?.string ?? "?")" }
    var operation: String { config["operation"]?.string ?? "" }
    var input: JSON { members["input"] ?? .null }
    var config: JSONObject { members["config"]?.object ?? JSONObject() }
    var expected: JSONObject { members["expected"]?.object ?? JSONObject() }
}

/// Runs the golden cases of `Conformance/seeds` and of the files in `CONFORMANCE_SEEDS`.
@Suite struct SeedCases {
    typealias Check = @Sendable (SeedCase, inout Report) throws -> Void

    /// The function that runs each operation with the public API.
    static let checks: [String: Check] = [
        "build-resource": BuildingCases.check,
        "expand-templates": SeedExpansion.checkTemplates,
        "expand-document": SeedExpansion.checkDocument,
        "decode-resource": SeedTreasure.checkReading,
        "validate-documents": SeedTreasure.checkValidation,
        "top-level": SeedStores.checkTopLevel,
        "key-paths": SeedTreasure.checkKeyPaths, "error-objects": SeedTreasure.checkErrorObjects,
        "same-identity": SeedStores.checkIdentity,
        "rewrite": SeedRewriting.rewrite, "rewrite-each": SeedRewriting.rewriteEach,
        "decode": SeedSchemas.decode, "encode": SeedSchemas.encode, "round-trip": SeedSchemas.roundTrip,
        "create": SeedClasses.create, "create-each": SeedClasses.createEach, "validate": SeedClasses.validate,
        "validate-outline": SeedClasses.outline, "update": SeedClasses.update, "represent": SeedClasses.represent,
        "archive-round-trip": SeedClasses.archiveRoundTrip, "check-constraint": SeedConstraints.check, "read": SeedReading.read,
        "generate": SeedGeneration.check, "store-script": SeedStores.checkStore, "observed-cache-script": SeedStores.checkCache,
    ]

    /// Operations that are not run yet. Remove an operation from this list when it is run.
    static let missing: Set<String> = []

    @Test func goldenCasesPass() throws {
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
    /// Records a failure unless both are equal JSON values, with members in any order.
    mutating func expect(_ seed: SeedCase, _ found: JSON?, equals expected: JSON?) {
        if found != expected {
            fail(seed.name, "expected \(expected.map { "\($0)" } ?? "nothing"), found \(found.map { "\($0)" } ?? "nothing")")
        }
    }
}
