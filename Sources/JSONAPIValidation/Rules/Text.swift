import JSONAPIRules
import JSONText

// The text itself: RFC 8259.

extension ValidationRule {
    static let syntax = ValidationRule("json/syntax", .must, "section-2", "A document is a JSON text in UTF-8.")
}

extension ValidationIssue {
    /// A text that cannot be read: at the root, since no value in it is known to exist.
    static func syntax(_ error: JSONSyntaxError, in text: Span<UInt8>) -> ValidationIssue {
        let position = TextPosition.positions(of: [error.offset], in: text).first ?? nil
        return ValidationIssue(
            rule: .syntax, severity: .error, pointer: JSONPointer(), position: position ?? TextPosition(line: 1, column: 1),
            message: error.kind.isLimit ? "the text goes beyond a limit: \(error.reason)" : "the text is no JSON: \(error.reason)",
            cure: error.kind.isLimit ? "send less, or raise the limit" : "write JSON in UTF-8")
    }
}

extension DocumentCheck {
    /// Readers differ on which of two equal names counts. Reported once for each name, at the last; what is inside the
    /// others has no pointer, since a pointer leads to the last.
    ///
    /// - Complexity: O(bytes of the objects' names + n log n), n = repeated names.
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
