import JSONText

/// The findings in a document so far, with words on the tape. Pointers are made at the end, in one walk, as far as the budget of the report
/// allows.
package struct TapeFindings {
    private struct Finding {
        let kind: Diagnostic.Kind
        let word: Int
        let message: String
    }

    private var kept: [Finding] = []
    private var omitted: [Diagnostic.Kind: Int] = [:]

    package init() {}

    /// Whether more findings are only counted, and need no message.
    package var isFull: Bool { kept.count >= Diagnostics.limit }

    /// Adds a finding.
    package mutating func add(_ kind: Diagnostic.Kind, _ word: Int, _ message: String?) {
        if let message, !isFull {
            kept.append(Finding(kind: kind, word: word, message: message.shortened(to: Diagnostic.maximumMessageBytes)))
        } else {
            omitted[kind, default: 0] += 1
        }
    }

    /// Whether one of the findings that are kept is of this kind and at this place.
    ///
    /// - Complexity: O(`Diagnostics.limit`).
    package func contains(_ kind: Diagnostic.Kind, at word: Int) -> Bool { kept.contains { $0.word == word && $0.kind == kind } }

    /// Returns the diagnostics in document order. Diagnostics with the same place keep the order in which they were found.
    ///
    /// - Parameter isAsFound: Whether all of them keep the order in which they were found.
    /// - Complexity: O(bytes of the document).
    package func diagnostics(_ view: TapeView, maximumBytes: Int, isAsFound: Bool = false) -> Diagnostics {
        // The walk makes the pointers in document order.
        let order = kept.indices.sorted { (kept[$0].word, $0) < (kept[$1].word, $1) }
        var budget = ReportBudget(maximumBytes)
        var pointers = [JSONPointer?](repeating: nil, count: kept.count)
        var walk = PointerWalk(view)
        for number in order {
            let cost = walk.move(to: kept[number].word) + kept[number].message.utf8.count + Diagnostic.overhead
            if budget.pays(cost) { pointers[number] = walk.pointer }
        }
        var diagnostics = Diagnostics(budget)
        for number in isAsFound ? Array(kept.indices) : order {
            let finding = kept[number]
            if let pointer = pointers[number] {
                diagnostics.keep(Diagnostic(finding.kind, at: pointer, finding.message))
            } else {
                diagnostics.omit(finding.kind, 1)
            }
        }
        for (kind, count) in omitted { diagnostics.omit(kind, count) }
        return diagnostics
    }
}
