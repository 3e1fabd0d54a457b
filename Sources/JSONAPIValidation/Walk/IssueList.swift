import JSONAPICodec
import JSONText

/// What a check has found so far: words on the tape. Pointers and positions are made at the end, in one walk each.
struct IssueList {
    private struct Found {
        let rule: ValidationRule
        let severity: ValidationIssue.Severity
        let word: Int
        let message: String
        let cure: String
    }

    private var found: [Found] = []
    private var omittedErrors = 0
    private var omittedWarnings = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Sentences are made for those only that are kept.
    mutating func add(
        _ rule: ValidationRule, _ severity: ValidationIssue.Severity, _ word: Int, _ message: () -> String, _ cure: () -> String
    ) {
        if found.count < limit {
            found.append(Found(rule: rule, severity: severity, word: word, message: message(), cure: cure()))
        } else if severity == .error {
            omittedErrors += 1
        } else {
            omittedWarnings += 1
        }
    }

    /// The issues in the order of the document; of one place, in the order in which they were found.
    ///
    /// - Complexity: O(bytes + n log n), n = issues.
    func report(_ view: TapeView, _ bytes: UnsafeBufferPointer<UInt8>) -> ValidationReport {
        let order = found.indices.sorted { (found[$0].word, $0) < (found[$1].word, $1) }
        let positions = TextPosition.positions(of: order.map { view.start(of: found[$0].word) }, in: bytes)
        var walk = PointerWalk(view)
        let issues = zip(order, positions).map { index, position in
            let one = found[index]
            return ValidationIssue(
                rule: one.rule, severity: one.severity, pointer: walk.pointer(to: one.word),
                position: position ?? TextPosition(line: 1, column: 1), message: one.message, cure: one.cure)
        }
        return ValidationReport(issues: issues, omittedErrors: omittedErrors, omittedWarnings: omittedWarnings)
    }
}
