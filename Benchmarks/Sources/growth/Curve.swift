import Measuring
import Workloads

/// A work over documents of one shape and growing size.
struct Curve {
    let work: String
    /// The sizes, ascending.
    private(set) var inputs: [String]
    /// The maximum factor by which the time and the instructions for a unit may grow from the smallest to the largest size.
    let timeLimit: Double
    let instructionLimit: Double

    struct Point {
        let input: String
        let units: Int
        /// The time for each unit; nil if the work failed.
        let seconds: Double?
        /// The instructions for each unit; nil if nothing can count them.
        let instructions: Double?
    }

    struct Verdict {
        let time: String
        let instructions: String
        let text: String
        let isMet: Bool
    }

    func shortened() -> Curve {
        var curve = self
        curve.inputs = Array(inputs.prefix(2))
        return curve
    }
}

extension Curve {
    static let all = scale + hostile

    private static let scale = [
        "decode-codable", "decode-direct", "decode-references", "decode-document", "text", "validate", "encode-codable", "encode-direct",
    ].map { Curve(work: $0, inputs: ["scale-1k", "scale-10k", "scale-100k"], timeLimit: 3.5, instructionLimit: 1.05) }

    /// Tables with a million names exceed every cache, so a unit can take longer. Work that is not linear would take a hundred times as
    /// long.
    private static let hostile = HostileFamily.allCases.flatMap { family in
        family.works.map {
            Curve(work: $0, inputs: family.sizes.map(family.inputName), timeLimit: 6, instructionLimit: 1.25)
        }
    }
}

// MARK: - Verdict

extension Curve {
    func verdict(_ points: [Point]) -> Verdict {
        let time = ratio(points) { $0.seconds }
        let instructions = ratio(points) { $0.instructions }
        let failed = points.contains { $0.seconds == nil }
        let isMet = !failed && (time ?? 0) <= timeLimit && (instructions ?? 0) <= instructionLimit
        return Verdict(
            time: text(time), instructions: text(instructions),
            text: limits(instructions != nil) + (isMet ? "ok" : "short"), isMet: isMet)
    }

    private func limits(_ countsInstructions: Bool) -> String {
        "× \(fixed(timeLimit, 2)) " + (countsInstructions ? "× \(fixed(instructionLimit, 2)) " : "")
    }

    private func ratio(_ points: [Point], _ value: (Point) -> Double?) -> Double? {
        guard let first = points.first.flatMap(value), let last = points.last.flatMap(value), first > 0 else { return nil }
        return last / first
    }

    private func text(_ ratio: Double?) -> String { ratio.map { "× " + fixed($0, 2) } ?? "-" }
}
