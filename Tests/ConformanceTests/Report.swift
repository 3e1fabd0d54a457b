/// Collects the checks that were run, and their failures.
struct Report {
    private(set) var cases = 0
    private(set) var failures: [String] = []
    /// The rules that the validator reported in all cases.
    var rules = RuleCoverage()
    private var occurred: Set<KnownGap.Key> = []

    /// Runs the checks of one case. An error that they throw is also a failure.
    mutating func run(_ entry: CaseEntry, _ checks: (inout Report) throws -> Void) {
        cases += 1
        do { try checks(&self) } catch { fail(entry, "reading", "\(error)") }
    }

    /// Runs the checks of a case that has only a name.
    mutating func run(_ name: String, _ checks: (inout Report) throws -> Void) {
        cases += 1
        do { try checks(&self) } catch { fail(name, "\(error)") }
    }

    /// Records a failure of one check, unless it is a known gap.
    mutating func fail(_ entry: CaseEntry, _ check: String, _ message: String) {
        let key = KnownGap.Key(name: entry.name, check: check)
        if KnownGap.all.contains(where: { $0.key == key }) {
            occurred.insert(key)
        } else {
            fail(entry.name, "\(check): \(message)")
        }
    }

    mutating func fail(_ name: String, _ message: String) { failures.append("\(name): \(message)") }

    /// Call this at the end. A known gap that did not occur must be removed from the list.
    mutating func closeKnownGaps() {
        for gap in KnownGap.all where !occurred.contains(gap.key) {
            fail(gap.key.name, "\(gap.key.check): listed as a known gap, but it no longer occurs")
        }
    }
}
