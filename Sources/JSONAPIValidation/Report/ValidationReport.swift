/// Everything that a validation found, in the order of the document.
///
/// ```swift
/// let report = Validator().validate(text)
/// if !report.isValid { report.errors.forEach { print($0) } }
/// ```
public struct ValidationReport: Error, Sendable, Hashable {
    /// The issues, in the order of the document; of one place, in the order in which they were found.
    public let issues: [ValidationIssue]
    private let omitted: OmittedIssues

    init(issues: [ValidationIssue], omitted: OmittedIssues = OmittedIssues()) {
        self.issues = issues
        self.omitted = omitted
    }

    /// Errors beyond `Validator.maximumIssues` or `Validator.maximumReportBytes`, which were only counted.
    public var omittedErrors: Int { omitted.errors }

    /// Warnings beyond `Validator.maximumIssues` or `Validator.maximumReportBytes`, which were only counted.
    public var omittedWarnings: Int { omitted.warnings }

    /// How many issues of each rule were only counted.
    public var omittedIssues: [ValidationRule: Int] { omitted.counts }

    /// How often a rule is broken, issues that were only counted included.
    ///
    /// - Complexity: O(n), n = issues.
    public func count(of rule: ValidationRule) -> Int { (omitted.counts[rule] ?? 0) + issues.count { $0.rule == rule } }

    /// Whether no MUST is broken. Warnings do not count.
    public var isValid: Bool { omittedErrors == 0 && !issues.contains { $0.severity == .error } }

    /// The broken MUSTs.
    public var errors: [ValidationIssue] { issues.filter { $0.severity == .error } }

    /// What is not as it should be.
    public var warnings: [ValidationIssue] { issues.filter { $0.severity == .warning } }
}

extension ValidationReport: CustomStringConvertible {
    /// A line for each issue, `LINE:COLUMN: ` and the issue; empty when there is none.
    public var description: String {
        var lines = issues.map { "\($0.position): \($0)" }
        if omittedErrors + omittedWarnings > 0 { lines.append("and \(omittedErrors) more errors, \(omittedWarnings) more warnings") }
        return lines.joined(separator: "\n")
    }
}
