import Foundation

/// The issues that a validation found, in the order of the document.
///
/// ```swift
/// let report = Validator().validate(text)
/// if !report.isValid { report.errors.forEach { print($0) } }
/// ```
public struct ValidationReport: Error, Sendable, Hashable {
    /// The issues, in the order of the document. Issues at the same place are in the order in which they were found.
    public let issues: [ValidationIssue]
    private let omitted: OmittedIssues

    init(issues: [ValidationIssue], omitted: OmittedIssues = OmittedIssues()) {
        self.issues = issues
        self.omitted = omitted
    }

    /// The number of errors beyond `Validator.maximumIssues` or `Validator.maximumReportBytes`, which `issues` does not contain.
    public var omittedErrors: Int { omitted.errors }

    /// The number of warnings beyond `Validator.maximumIssues` or `Validator.maximumReportBytes`, which `issues` does not contain.
    public var omittedWarnings: Int { omitted.warnings }

    /// The number of omitted issues by rule.
    public var omittedIssues: [ValidationRule: Int] { omitted.counts }

    /// Returns the number of issues of a rule, including omitted ones.
    ///
    /// - Complexity: O(n), n = number of issues.
    public func count(of rule: ValidationRule) -> Int { (omitted.counts[rule] ?? 0) + issues.count { $0.rule == rule } }

    /// Whether there are no errors. Warnings are allowed.
    public var isValid: Bool { omittedErrors == 0 && !issues.contains { $0.severity == .error } }

    /// The issues that are errors.
    public var errors: [ValidationIssue] { issues.filter { $0.severity == .error } }

    /// The issues that are warnings.
    public var warnings: [ValidationIssue] { issues.filter { $0.severity == .warning } }
}

extension ValidationReport: LocalizedError, CustomStringConvertible {
    /// The issues as text, each on a line after `LINE:COLUMN: `. The text is empty if there are no issues.
    public var description: String {
        var lines = issues.map { "\($0.position): \($0)" }
        if omittedErrors + omittedWarnings > 0 { lines.append("and \(omittedErrors) more errors and \(omittedWarnings) more warnings") }
        return lines.joined(separator: "\n")
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}
