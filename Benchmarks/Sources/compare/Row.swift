import Measuring

/// A row of the table: what it measures, and its limits.
struct Row: Sendable {
    enum Measure: Sendable {
        /// The baseline's time divided by the work's time, for the same document.
        case speed(work: String, baseline: String, input: String)
        /// The time of one work divided by that of another, or by its own for another document.
        case cost(Race.Contender, relativeTo: Race.Contender)
        /// The nanoseconds of the work for each reference that it follows.
        case timePerReference(work: String, input: String)
        /// The instructions of one run, in millions.
        case instructions(work: String, input: String)
        /// The allocations for each resource, minus those of the work `own`.
        case allocations(work: String, input: String, own: String?)
        /// The peak memory above the input, as a multiple of the input.
        case memory(work: String, input: String)
        /// The time for each resource, or for each unit of a hostile document: the larger document divided by the smaller one.
        case timeGrowth(work: String, small: String, large: String)
        /// The instructions for each resource and reference: the larger document divided by the smaller one.
        case instructionGrowth(work: String, small: String, large: String)
    }

    enum Sense: Sendable { case atLeast, atMost }

    let name: String
    let measure: Measure
    let sense: Sense
    let must: Double?
    let aim: Double?

    /// Whether a value is within the limit. A row without a limit always is.
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
