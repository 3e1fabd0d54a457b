import JSONText

/// Checks documents against every rule of JSON:API 1.1, Atomic Operations and Cursor Pagination that one document can show.
///
/// ```swift
/// let report = Validator().validate(text)
/// for issue in report.issues { print(issue.position, issue) }
/// // 1:10 error: a resource object without `id`; give it an `id`, a string [document-structure/resource-objects/id-required] /data
///
/// Validator(.create).validate(body).isValid
/// ```
///
/// All rules run and everything broken is reported, in the order of the document, each thing once. What is right by the
/// specification gives no error; what the specification advises against gives a warning. A validator says what is wrong with
/// a document, not whether it can be read: `JSONAPIDecoder` reads many documents that break a rule.
///
/// A text that is no JSON gives one issue, `json/syntax`. Of a member that stands twice in an object the last one is
/// looked at, as readers do.
///
/// Time and memory are linear in the size of the text, and nothing recurses on its depth.
public struct Validator: Sendable {
    /// What is validated, and what was asked for.
    public var context: ValidationContext
    /// Limits for reading the text. `duplicateNames` has no effect: a repeated name is an issue.
    public var readingOptions = JSONReadingOptions()
    /// The most issues that are described: 10,000 by default. The rest are counted in the report.
    public var maximumIssues = 10_000
    /// The most bytes that the described issues take in a report: 1 MiB by default. Issues beyond are counted in the report; the first
    /// one is always described.
    ///
    /// Each issue repeats the names around its place, so without a limit a report can be the square of the document.
    public var maximumReportBytes = 1 << 20

    /// A validator for a response of which nothing else is known, or for what the context says.
    public init(_ context: ValidationContext = ValidationContext()) { self.context = context }

    /// A validator for documents of that kind, of which nothing else is known: `Validator(.create)`.
    public init(_ kind: ValidationContext.Kind) { self.init(ValidationContext(kind)) }

    /// Validates a text in UTF-8.
    ///
    /// - Complexity: O(n), n = bytes. With `include` in the query, O(n × names in its paths).
    public func validate(_ text: some Sequence<UInt8>) -> ValidationReport { text.withBytes { validate(bytes: $0) } }

    /// Validates a text.
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
            // Reading a text throws nothing else.
            return ValidationReport(issues: [.syntax(JSONSyntaxError(.unexpectedByte, offset: 0, reason: "it cannot be read"), in: bytes)])
        }
    }
}
