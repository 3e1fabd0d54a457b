/// One line of the table: what is measured, and what it has to be.
struct Row: Sendable {
    enum Measure: Sendable {
        /// How many times faster the work is than the baseline, on the same document.
        case speed(work: String, baseline: String, input: String)
        /// How many times longer the work takes for one document than for another.
        case order(work: String, input: String, reference: String)
        /// Nanoseconds of the work for each reference that is followed.
        case timePerReference(work: String, input: String)
        /// Million instructions of one run.
        case instructions(work: String, input: String)
        /// Allocations for each resource, beyond those of the work `own`.
        case allocations(work: String, input: String, own: String?)
        /// Memory at the peak, above the input, as a multiple of the input.
        case memory(work: String, input: String)
        /// Time for each resource, or unit of a hostile document: the larger document's against the smaller one's.
        case timeGrowth(work: String, small: String, large: String)
        /// Instructions for each resource and reference: the larger document's against the smaller one's.
        case instructionGrowth(work: String, small: String, large: String)
    }

    enum Sense: Sendable { case atLeast, atMost }

    let name: String
    let measure: Measure
    let sense: Sense
    let must: Double?
    let aim: Double?

    /// Whether that value is within the must. A row without a must is always.
    func isMet(by value: Double) -> Bool {
        guard let must else { return true }
        return sense == .atLeast ? value >= must : value <= must
    }
}

extension Row {
    static func faster(
        _ name: String, _ work: String, than baseline: String, _ input: String, must: Double? = nil, aim: Double? = nil
    ) -> Row {
        Row(name: name, measure: .speed(work: work, baseline: baseline, input: input), sense: .atLeast, must: must, aim: aim)
    }

    static func atMost(_ name: String, _ measure: Measure, must: Double? = nil, aim: Double? = nil) -> Row {
        Row(name: name, measure: measure, sense: .atMost, must: must, aim: aim)
    }
}
