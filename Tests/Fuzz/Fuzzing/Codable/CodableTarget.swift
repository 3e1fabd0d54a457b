import Foundation

extension FuzzTarget {
    /// Programs that decode values with `JSONAPIDecoder` and with `JSONDecoder`, and must see the same.
    static let codable = FuzzTarget(name: "codable", seeds: { _ in [[]] }) { _, random in
        let drivenCase = DrivenCase.random(&random)
        guard let difference = drivenCase.difference else { return }
        // Reducing a finding takes longer than one execution may.
        FuzzWatch.end()
        throw FuzzFinding(drivenCase.reduced(difference.kind).description, kind: difference.kind)
    }
}

extension DrivenCase {
    /// The difference between this library's result and Foundation's.
    var difference: DrivenDifference? {
        let (theirs, expected) = readTheirs()
        let (ours, found) = readOurs()
        for (index, trace) in theirs.traces.enumerated() {
            guard index < ours.traces.count else {
                return DrivenDifference(kind: "value not read", description: "value \(index) is not read: \(found.map { "\($0)" } ?? "")")
            }
            if let difference = trace.difference(ours.traces[index]) { return difference }
        }
        if ours.traces.count > theirs.traces.count {
            return DrivenDifference(kind: "another value read", description: "\(ours.traces.count) values, not \(theirs.traces.count)")
        }
        switch (expected, found) {
        case (nil, nil): return nil
        case (let expected?, let found?):
            // The errors were compared before. If a dictionary has several faults, either can be the first.
            if theirs.traces.last?.endsInDictionary == true { return nil }
            let texts = [expected, found].map { DrivenRun.describe($0).0.prefix { $0 != " " } }
            if texts[0] == texts[1] || DrivenTrace.ignored.contains("kinds") { return nil }
            if DrivenDifferences.isNullMismatch(texts[0], texts[1]) { return nil }
            return DrivenDifference(kind: "end: \(texts[1]) instead of \(texts[0])", description: "\(found) instead of \(expected)")
        case (let expected?, nil): return DrivenDifference(kind: "only Foundation fails", description: "no error instead of \(expected)")
        case (nil, let found?): return DrivenDifference(kind: "only ours fails", description: "\(found)")
        }
    }

    /// Returns the smallest case that still has this difference.
    func reduced(_ kind: String) -> DrivenCase {
        var best = self
        var tries = 1500
        var isSmaller = true
        while isSmaller, tries > 0 {
            isSmaller = false
            for candidate in best.smaller {
                tries -= 1
                if tries == 0 { break }
                if candidate.difference?.kind == kind {
                    best = candidate
                    isSmaller = true
                    break
                }
            }
        }
        return best
    }

    private var smaller: [DrivenCase] {
        var cases: [DrivenCase] = []
        func add(_ change: (inout DrivenCase) -> Void) {
            var changed = self
            change(&changed)
            cases.append(changed)
        }
        if values.count > 1 { for index in values.indices { add { $0.values.remove(at: index) } } }
        for index in decoys.indices { add { $0.decoys.remove(at: index) } }
        if style.escapes { add { $0.style.escapes = false } }
        if style.blanks { add { $0.style.blanks = false } }
        if dates != 5 { add { $0.dates = 5 } }
        if ![.attribute, .flat].contains(route) { add { $0.route = .attribute } }
        for program in program.smaller { add { $0.program = program } }
        for (index, value) in values.enumerated() {
            for smaller in value.smaller where smaller.isObject || ![.meta, .documentMeta, .flat].contains(route) {
                add { $0.values[index] = smaller }
            }
        }
        return cases
    }
}

extension DrivenTree {
    var isObject: Bool { if case .object = self { true } else { false } }
}

extension DrivenCase: CustomStringConvertible {
    var description: String {
        let difference = difference
        return """
            [\(difference?.kind ?? "no difference")] route \(route), strategy \(dates)
            \(document)
            \(program)
              \(difference?.description ?? "")
            """
    }
}
