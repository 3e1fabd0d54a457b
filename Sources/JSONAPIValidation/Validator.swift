import JSONText

/// Checks documents against the rules of JSON:API 1.1, Atomic Operations and Cursor Pagination.
///
/// ```swift
/// let report = Validator().validate(text)
/// for issue in report.issues { print(issue.position, issue) }
/// // 1:10 error: a resource object without `id`; add `id`, a string [document-structure/resource-objects/id-required] /data
///
/// Validator(.create).validate(body).isValid
/// ```
///
/// The validator applies every rule that a single document can break. It reports each problem once, in the order of the document. A
/// broken MUST is an error, and a SHOULD that is not met is a warning. A document with errors may still be readable: `JSONAPIDecoder`
/// reads many documents that break a rule.
///
/// Text that is not JSON gives a single issue, `json/syntax`. If an object repeats a name, only its last member is checked.
///
/// Time and memory are linear in the size of the text. Validation does not recurse on the depth of the text.
public struct Validator: Sendable {
    /// The kind of the document, and the request to which it belongs.
    public var context: ValidationContext
    /// Limits for reading the text. `duplicateNames` has no effect, because a repeated name is an issue.
    public var readingOptions = JSONReadingOptions()
    /// The maximum number of issues in a report. The default is 10,000. Further issues are only counted.
    public var maximumIssues = 10_000
    /// The maximum size of the issues in a report, in bytes. The default is 1 MiB. Further issues are only counted, but the first issue is
    /// always included.
    ///
    /// Each issue contains a pointer, so without a limit the size of a report can be quadratic in the size of the document.
    public var maximumReportBytes = 1 << 20

    /// Creates a validator for a context. The default is a response about which nothing else is known.
    public init(_ context: ValidationContext = ValidationContext()) { self.context = context }

    /// Creates a validator for a kind of document: `Validator(.create)`.
    public init(_ kind: ValidationContext.Kind) { self.init(ValidationContext(kind)) }

    /// Validates a text in UTF-8 and returns a report.
    ///
    /// - Complexity: O(n + m), n = number of bytes, m = size of the query.
    public func validate(_ text: some Sequence<UInt8>) -> ValidationReport { text.withBytes { validate(bytes: $0) } }

    /// Validates a text and returns a report.
    public func validate(_ text: String) -> ValidationReport { UTF8Bytes.withBytes(of: text) { validate(bytes: $0) } }

    private func validate(bytes: Span<UInt8>) -> ValidationReport {
        var options = readingOptions
        options.duplicateNames = .keep
        do {
            return try Tape.with(bytes, options: options) { tape in
                var check = DocumentCheck(tape, context, IssueList(limit: maximumIssues, maximumBytes: maximumReportBytes))
                check.run()
                return check.issues.report(tape.view, bytes)
            }
        } catch let error as JSONSyntaxError {
            return ValidationReport(issues: [.syntax(error, in: bytes)])
        } catch {
            // `Tape.with` throws no other errors.
            return ValidationReport(issues: [.syntax(JSONSyntaxError(.unexpectedByte, offset: 0, reason: "it cannot be read"), in: bytes)])
        }
    }
}
