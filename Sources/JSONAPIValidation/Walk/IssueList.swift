import JSONText

/// The issues that a check has found, by their indices on the tape. Pointers and positions are determined at the end, each in a single
/// walk, within the budget of the report.
struct IssueList {
    private struct Found {
        let rule: ValidationRule
        let severity: ValidationIssue.Severity
        let word: Int
        let message: String
        let cure: String
    }

    private var found: [Found] = []
    private var omitted = OmittedIssues()
    private let limit: Int
    private let maximumBytes: Int

    init(limit: Int, maximumBytes: Int) {
        self.limit = limit
        self.maximumBytes = maximumBytes
    }

    /// Adds an issue. The messages are only created if the issue is kept.
    mutating func add(
        _ rule: ValidationRule, _ severity: ValidationIssue.Severity, _ word: Int, _ message: () -> String, _ cure: () -> String
    ) {
        if found.count < limit {
            found.append(Found(rule: rule, severity: severity, word: word, message: message(), cure: cure()))
        } else {
            omitted.add(rule, severity)
        }
    }

    /// Returns the issues in the order of the document. Issues at the same place are in the order in which they were found. Issues beyond
    /// the budget are only counted.
    ///
    /// - Complexity: O(m + n log n), m = number of bytes, n = number of issues.
    func report(_ view: TapeView, _ text: Span<UInt8>) -> ValidationReport {
        var omitted = omitted
        var budget = ReportBudget(maximumBytes)
        var walk = PointerWalk(view)
        var pointers: [(found: Found, pointer: JSONPointer)] = []
        for number in found.indices.sorted(by: { (found[$0].word, $0) < (found[$1].word, $1) }) {
            let one = found[number]
            let texts = one.message.utf8.count + one.cure.utf8.count + one.rule.id.utf8.count + one.rule.sentence.utf8.count
            let isPaid = budget.pays(walk.move(to: one.word) + texts + Self.overhead)
            // A single pointer is never longer than the document.
            if isPaid || pointers.isEmpty {
                pointers.append((one, walk.pointer))
            } else {
                omitted.add(one.rule, one.severity)
            }
        }
        let positions = TextPosition.positions(of: pointers.map { view.start(of: $0.found.word) }, in: text)
        let issues = zip(pointers, positions).map { place, position in
            ValidationIssue(
                rule: place.found.rule, severity: place.found.severity, pointer: place.pointer,
                position: position ?? TextPosition(line: 1, column: 1), message: place.found.message, cure: place.found.cure)
        }
        return ValidationReport(issues: issues, omitted: omitted)
    }

    /// The number of bytes of an issue besides its texts: the names of its members in a report or an error object.
    private static let overhead = 120
}

/// The numbers of issues that a report omits.
struct OmittedIssues: Sendable, Hashable {
    private(set) var errors = 0
    private(set) var warnings = 0
    private(set) var counts: [ValidationRule: Int] = [:]

    mutating func add(_ rule: ValidationRule, _ severity: ValidationIssue.Severity) {
        counts[rule, default: 0] += 1
        if severity == .error { errors += 1 } else { warnings += 1 }
    }
}
