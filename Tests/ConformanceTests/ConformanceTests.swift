import Foundation
import JSONText
import Testing

/// Runs the cases of `Conformance/` and of the folders in `CONFORMANCE_CASES`.
@Suite struct ConformanceTests {
    @Test func conformanceCasesPass() {
        var report = Report()
        for url in CaseFolder.all() { run(url, &report) }
        report.closeKnownGaps()
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.cases > 0)
        print(report.rules.table)
        print("conformance: \(report.cases) cases, \(report.failures.count) failures")
    }

    private func run(_ url: URL, _ report: inout Report) {
        do {
            let folder = try CaseFolder(url)
            for file in try folder.unlistedFiles() { report.fail("\(folder.name)/\(file)", "the index does not name it") }
            for entry in folder.entries where !entry.isSkipped { report.run(entry) { try check(entry, &$0) } }
        } catch {
            report.fail(url.path, "no usable index.json: \(error)")
        }
    }

    private func check(_ entry: CaseEntry, _ report: inout Report) throws {
        switch entry.form {
        case .text: try TextCases.check(entry, &report)
        case .valid:
            try DocumentCases.checkValid(entry, &report)
            try ValidationCases.checkValid(entry, &report)
        case .fragment: try DocumentCases.checkFragment(entry, &report)
        case .invalid:
            try DocumentCases.checkInvalid(entry, &report)
            try ValidationCases.checkInvalid(entry, &report)
        case .servers: try ServerCases.check(entry, &report)
        case nil: throw CaseFolder.Unusable("the index does not say what to check")
        }
    }
}
