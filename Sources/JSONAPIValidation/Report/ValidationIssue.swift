import JSONText

/// A broken rule at a place in a document.
///
/// ```
/// {"data": {"type": "articles"}}
///
/// error document-structure/resource-objects/id-required at /data, line 1, column 10:
/// a resource object without `id`; add `id`, a string
/// ```
public struct ValidationIssue: Sendable, Hashable {
    /// The severity of an issue.
    public enum Severity: String, Sendable, CaseIterable {
        /// The document breaks a MUST or MUST NOT.
        case error
        /// The document does not meet a SHOULD, or breaks a rule whose interpretation is contested.
        case warning
    }

    /// The broken rule.
    public let rule: ValidationRule
    /// The severity of the issue.
    public let severity: Severity
    /// The place of an existing value in the document. A missing member is reported at its parent, and a repeated member at the later one.
    /// For text that is not JSON, it is the root.
    public let pointer: JSONPointer
    /// The start of the value in the text. For text that is not JSON, it is the position of the error.
    public let position: TextPosition
    /// A description of the problem, without values of the document.
    public let message: String
    /// How to fix the problem.
    public let cure: String
}

extension ValidationIssue: CustomStringConvertible {
    /// The issue as text: `error: a resource object without `id`; add `id`, a string [rule-id] /data`
    ///
    /// A pointer of more than 1,000 bytes is shortened in the middle.
    public var description: String { "\(severity.rawValue): \(message); \(cure) [\(rule.id)] \(pointer.shortened(to: 1000))" }
}
