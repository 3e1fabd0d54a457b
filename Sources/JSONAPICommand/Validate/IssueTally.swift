import JSONAPIValidation

/// Counts the issues of several files, and how many of them may still be printed.
struct IssueTally {
    private var remaining: Int
    private var errors = 0
    private var warnings = 0
    private var files = 0
    private var hidden = 0

    /// Creates an empty tally that lets at most `maximum` issues be printed.
    init(maximum: Int) { remaining = maximum }

    /// Counts the issues of a file, and returns how many of them to print.
    mutating func add(_ report: ValidationReport) -> Int {
        let count = report.issues.count + report.omittedErrors + report.omittedWarnings
        guard count > 0 else { return 0 }
        let described = report.issues.filter { $0.severity == .error }.count
        errors += described + report.omittedErrors
        warnings += report.issues.count - described + report.omittedWarnings
        files += 1
        let shown = min(remaining, report.issues.count)
        remaining -= shown
        hidden += count - shown
        return shown
    }

    /// `jsonapi: 2 errors, 1 warning in 3 files`; nil if there are no issues.
    var summary: String? {
        guard files > 0 else { return nil }
        let rest = hidden > 0 ? "; \(hidden) not printed" : ""
        return "jsonapi: \(Label.count(errors, "error")), \(Label.count(warnings, "warning")) in \(Label.count(files, "file"))\(rest)"
    }
}
