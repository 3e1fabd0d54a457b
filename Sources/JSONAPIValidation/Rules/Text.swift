import JSONAPIRules
import JSONText

// The JSON text: RFC 8259.

extension ValidationRule {
    static let syntax = ValidationRule("json/syntax", .must, "section-2", "A document must be JSON text in UTF-8.")
}

extension ValidationIssue {
    /// Returns the issue for text that cannot be read. Its place is the root, because no value is known to exist.
    static func syntax(_ error: JSONSyntaxError, in text: Span<UInt8>) -> ValidationIssue {
        let position = TextPosition.positions(of: [error.offset], in: text).first ?? nil
        return ValidationIssue(
            rule: .syntax, severity: .error, pointer: JSONPointer(), position: position ?? TextPosition(line: 1, column: 1),
            message: error.kind.isLimit ? "the text exceeds a limit: \(error.reason)" : "the text is not JSON: \(error.reason)",
            cure: error.kind.isLimit ? "shorten the text, or raise the limit" : "write JSON in UTF-8")
    }
}

extension DocumentCheck {
    /// Reports repeated names, because readers differ on which member they use. A name is reported once, at its last member. Names inside
    /// the other members are not reported, because a pointer only leads to the last member.
    ///
    /// - Complexity: O(m + n log n), m = bytes of all names in the objects, n = number of repeated names.
    mutating func checkDuplicateNames() {
        guard !tape.duplicates.isEmpty else { return }
        let superseded = Set(tape.duplicates.map(\.object)).flatMap { view.supersededNames(of: $0) }.sorted()
        var hidden = superseded[...]
        var end = 0
        for name in tape.duplicates.map(\.name).sorted() {
            while let next = hidden.first, next <= name {
                end = max(end, view.next(after: view.next(after: next)))
                hidden.removeFirst()
            }
            guard name >= end else { continue }
            report(Fault(.duplicateName, .repeated, at: view.next(after: name)))
        }
    }
}
