import Measuring

/// Rows that are times: the works that must be timed together, and the value of the row.
extension Row {
    /// The race of the row; nil for a row that is not a time.
    var race: String? {
        switch measure {
        case .speed(let work, _, let input): Self.race(work, input)
        case .timePerReference(let work, let input): "\(work) \(input)"
        case .cost(_, let reference): Self.race(reference.work, reference.input)
        case .timeGrowth(let work, let small, let large): "\(work) from \(small) to \(large)"
        case .instructions, .allocations, .memory, .instructionGrowth: nil
        }
    }

    private static func race(_ work: String, _ input: String) -> String {
        work.hasPrefix("encode") || work.hasPrefix("archive") ? "encode \(input)" : "decode \(input)"
    }

    var contenders: [Race.Contender] {
        switch measure {
        case .speed(let work, let baseline, let input): [.init(baseline, input), .init(work, input)]
        case .timePerReference(let work, let input): [.init(work, input)]
        case .cost(let contender, let reference): [reference, contender]
        case .timeGrowth(let work, let small, let large): [.init(work, small), .init(work, large)]
        case .instructions, .allocations, .memory, .instructionGrowth: []
        }
    }

    /// The value, computed from the times of its contenders.
    func ratio(_ times: [Race.Contender: Double], _ inputs: Inputs) throws -> Double? {
        switch measure {
        case .speed(let work, let baseline, let input):
            quotient(times[.init(baseline, input)], times[.init(work, input)])
        case .timePerReference(let work, let input):
            try times[.init(work, input)].map { $0 * 1e9 / Double(try inputs.counts(input).followed) }
        case .cost(let contender, let reference): quotient(times[contender], times[reference])
        case .timeGrowth(let work, let small, let large):
            try quotient(times[.init(work, large)], times[.init(work, small)]).map {
                $0 * Double(try inputs.counts(small).resources) / Double(try inputs.counts(large).resources)
            }
        case .instructions, .allocations, .memory, .instructionGrowth: nil
        }
    }

    private func quotient(_ a: Double?, _ b: Double?) -> Double? {
        guard let a, let b, b > 0 else { return nil }
        return a / b
    }
}
