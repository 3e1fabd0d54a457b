/// Everything that a validation found, in the order of the document.
///
/// ```swift
/// let report = Validator().validate(text)
/// if !report.isValid { report.errors.forEach { print($0) } }
/// ```
public struct ValidationReport: Error, Sendable, Hashable {
    /// The issues, in the order of the document; of one place, in the order in which they were found.
    public let issues: [ValidationIssue]
    /// Errors and warnings beyond `Validator.maximumIssues`, which were counted only.
    public let omittedErrors: Int
    /// Warnings beyond `Validator.maximumIssues`, which were counted only.
    public let omittedWarnings: Int

    init(issues: [ValidationIssue], omittedErrors: Int = 0, omittedWarnings: Int = 0) {
        self.issues = issues
        self.omittedErrors = omittedErrors
        self.omittedWarnings = omittedWarnings
    }

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
