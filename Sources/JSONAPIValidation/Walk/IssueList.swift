import JSONText

/// What a check has found so far: words on the tape. Pointers and positions are made at the end, in one walk each, as far as the
/// budget of the report goes.
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

    /// Sentences are made only for issues that are kept.
    mutating func add(
        _ rule: ValidationRule, _ severity: ValidationIssue.Severity, _ word: Int, _ message: () -> String, _ cure: () -> String
    ) {
        if found.count < limit {
            found.append(Found(rule: rule, severity: severity, word: word, message: message(), cure: cure()))
        } else {
            omitted.add(rule, severity)
        }
    }

    /// The issues in the order of the document; of one place, in the order in which they were found. Those that the budget does not
    /// pay for are counted.
    ///
    /// - Complexity: O(bytes + n log n), n = issues.
    func report(_ view: TapeView, _ text: Span<UInt8>) -> ValidationReport {
        var omitted = omitted
        var budget = ReportBudget(maximumBytes)
        var walk = PointerWalk(view)
        var pointers: [(found: Found, pointer: JSONPointer)] = []
        for number in found.indices.sorted(by: { (found[$0].word, $0) < (found[$1].word, $1) }) {
            let one = found[number]
            let texts = one.message.utf8.count + one.cure.utf8.count + one.rule.id.utf8.count + one.rule.sentence.utf8.count
            let isPaid = budget.pays(walk.move(to: one.word) + texts + Self.overhead)
            // One pointer alone is no longer than the document.
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

    /// What an issue costs beside its texts: the names of its members in a report or an error object.
    private static let overhead = 120
}

/// How many issues of each rule a report leaves out.
struct OmittedIssues: Sendable, Hashable {
    private(set) var errors = 0
    private(set) var warnings = 0
    private(set) var counts: [ValidationRule: Int] = [:]

    mutating func add(_ rule: ValidationRule, _ severity: ValidationIssue.Severity) {
        counts[rule, default: 0] += 1
        if severity == .error { errors += 1 } else { warnings += 1 }
    }
}
