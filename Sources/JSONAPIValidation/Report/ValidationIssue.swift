import JSONText

/// One broken rule at one place of a document.
///
/// ```
/// {"data": {"type": "articles"}}
///
/// error document-structure/resource-objects/id-required at /data, line 1, column 10:
/// a resource object without `id`; give it an `id`, a string
/// ```
public struct ValidationIssue: Sendable, Hashable {
    /// Whether a document is wrong, or only not as it should be.
    public enum Severity: String, Sendable, CaseIterable {
        /// A MUST or MUST NOT is broken.
        case error
        /// A SHOULD is not met, or a reading on which people differ speaks against the document.
        case warning
    }

    /// The rule that is broken.
    public let rule: ValidationRule
    /// Whether the document is wrong, or only not as it should be.
    public let severity: Severity
    /// A value of the document that exists: a missing member is reported at its parent, one too many at itself, a repeated one
    /// at the later of the two. The root for a text that is no JSON.
    public let pointer: JSONPointer
    /// Where that value begins in the text.
    public let position: TextPosition
    /// What is wrong, without values of the document.
    public let message: String
    /// What to change.
    public let cure: String
}

extension ValidationIssue: CustomStringConvertible {
    /// `error: a resource object without `id`; give it an `id`, a string [rule-id] /data`
    ///
    /// A pointer of more than about 1,000 bytes is cut in the middle.
    public var description: String { "\(severity.rawValue): \(message); \(cure) [\(rule.id)] \(pointer.shortened(to: 1000))" }
}
