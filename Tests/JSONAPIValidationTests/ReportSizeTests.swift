import JSONAPIValidation
import JSONText
import Testing

/// The size of reports, and the counts of omitted issues.
@Suite struct ReportSizeTests {
    /// A request of about the given size: one long name, with many faults below it.
    private static func longName(_ bytes: Int) -> (text: String, faults: Int) {
        let name = String(repeating: "n", count: bytes / 2)
        let count = bytes / 60
        let linkage = (0..<count).map { #"{"type": "p", "id": "\#($0)", "x": 1}"# }.joined(separator: ",")
        return (#"{"data": {"type": "a", "id": "1", "relationships": {"\#(name)": {"data": [\#(linkage)]}}}}"#, count)
    }

    private static func manyFaults(_ count: Int) -> String {
        #"{"data": [\#((0..<count).map { #"{"type": "a", "id": "\#($0)", "x": 1}"# }.joined(separator: ","))]}"#
    }

    private static func deep(_ levels: Int) -> String {
        let link = Array(repeating: #"{"href": "", "\#(String(repeating: "n", count: 100))": 1, "describedby": "#, count: levels).joined()
        return #"{"data": null, "links": {"self": \#(link)null\#(String(repeating: "}", count: levels))}}"#
    }

    private static let budget = 1 << 20

    private func check(_ text: String, faults: Int) throws {
        let report = Validator().validate(text)
        #expect(report.issues.count + report.omittedErrors + report.omittedWarnings == faults)
        let rule = try #require(report.issues.first?.rule ?? report.omittedIssues.keys.first)
        #expect(report.count(of: rule) == faults)
        #expect(!report.isValid)
        let body = try JSONWriter().string(.array(JSONArray(report.errorObjects.map(\.json))))
        #expect(body.utf8.count <= Self.budget + 4096)
        #expect(report.description.utf8.count < 4 * Self.budget)
        let last = report.errorObjects.last
        if report.omittedErrors > 0 { #expect(last?.detail?.hasPrefix("\(report.omittedErrors) more") == true) }
    }

    @Test(arguments: [80_000, 800_000]) func aLongNameWithManyFaults(_ bytes: Int) throws {
        let (text, faults) = Self.longName(bytes)
        try check(text, faults: faults)
    }

    @Test func manyFaults() throws { try check(Self.manyFaults(50_000), faults: 50_000) }

    @Test func manyNestedFaults() throws { try check(Self.deep(500), faults: 500) }

    /// Escapes make a text longer in JSON, and count toward the limit.
    @Test func namesWithEscapes() throws {
        let name = String(repeating: #"\u0001"#, count: 10_000)
        let linkage = (0..<1000).map { #"{"type": "p", "id": "\#($0)", "x": 1}"# }.joined(separator: ",")
        let text = #"{"data": {"type": "a", "id": "1", "relationships": {"\#(name)": {"data": [\#(linkage)]}}}}"#
        let report = Validator().validate(text)
        let body = try JSONWriter().string(.array(JSONArray(report.errorObjects.map(\.json))))
        #expect(body.utf8.count <= Self.budget + 4096)
        #expect(report.omittedErrors > 900)
    }

    @Test func theMaximumSizeIsAnOption() {
        var validator = Validator()
        validator.maximumReportBytes = 2000
        let report = validator.validate(Self.manyFaults(100))
        #expect(report.issues.count > 2 && report.issues.count < 10)
        #expect(report.issues.count + report.omittedErrors == 100)
        validator.maximumReportBytes = 0
        let empty = validator.validate(Self.manyFaults(100))
        #expect(empty.issues.count == 1 && !empty.isValid && empty.omittedErrors == 99)
        #expect(empty.errorObjects.count == 2)
    }

    @Test func maximumIssuesCountsByRule() throws {
        var validator = Validator()
        validator.maximumIssues = 10
        let report = validator.validate(Self.manyFaults(100))
        #expect(report.issues.count == 10)
        #expect(report.omittedIssues.values.reduce(0, +) == 90)
        #expect(report.count(of: try #require(report.issues.first?.rule)) == 100)
    }
}
