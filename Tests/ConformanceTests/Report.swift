/// Collects what was run and what went wrong.
struct Report {
    private(set) var cases = 0
    private(set) var failures: [String] = []
    /// What the validator reported of all cases.
    var rules = RuleCoverage()
    private var occurred: Set<KnownGap.Key> = []

    /// Runs the checks of one case. What they throw is a failure, too.
    mutating func run(_ entry: CaseEntry, _ checks: (inout Report) throws -> Void) {
        cases += 1
        do { try checks(&self) } catch { fail(entry, "reading", "\(error)") }
    }

    /// The same for a case that only has a name.
    mutating func run(_ name: String, _ checks: (inout Report) throws -> Void) {
        cases += 1
        do { try checks(&self) } catch { fail(name, "\(error)") }
    }

    /// Notes a failure of one check, unless it is a known gap.
    mutating func fail(_ entry: CaseEntry, _ check: String, _ message: String) {
        let key = KnownGap.Key(name: entry.name, check: check)
        if KnownGap.all.contains(where: { $0.key == key }) {
            occurred.insert(key)
        } else {
            fail(entry.name, "\(check): \(message)")
        }
    }

    mutating func fail(_ name: String, _ message: String) { failures.append("\(name): \(message)") }

    /// To be called at the end: a gap that did not occur is to be taken off the list.
    mutating func closeKnownGaps() {
        for gap in KnownGap.all where !occurred.contains(gap.key) {
            fail(gap.key.name, "\(gap.key.check): listed as a known gap, but it no longer occurs")
        }
    }
}
