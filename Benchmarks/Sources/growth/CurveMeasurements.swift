import Measuring
import Workloads

/// Measures the points of curves.
final class CurveMeasurements {
    private let inputs = Inputs()
    private let workspace: Workspace
    private let instructions: Instructions?

    init(countsInstructions: Bool) throws {
        workspace = try Workspace()
        instructions = countsInstructions ? Instructions(inputs, workspace) : nil
    }

    func points(of curve: Curve) throws -> [Curve.Point] {
        Progress.note("measuring \(curve.work) over \(curve.inputs.joined(separator: ", "))")
        let survives = try curve.inputs.allSatisfy { try !Workload.isHostile($0) || Child.survives(curve.work, $0, inputs, workspace) }
        let times = survives ? try times(of: curve) : [:]
        let points = try curve.inputs.map { try point($0, times[.init(curve.work, $0)], curve.work) }
        for input in curve.inputs where Workload.isHostile(input) || input == "scale-100k" { inputs.forget(input) }
        return points
    }

    private func times(of curve: Curve) throws -> [Race.Contender: Double] {
        var race = Race()
        for input in curve.inputs {
            let job = try inputs.job(curve.work, input)
            if let size = try inputs[input].hostileSize, try job.checksum() != UInt64(size) {
                throw WrongResult("\(curve.work) of \(input) gives a wrong result")
            }
            try race.add(.init(curve.work, input), run: job.run)
        }
        return try race.run(.quick)
    }

    /// The time is for each resource, and the instructions are for each resource and reference.
    private func point(_ input: String, _ seconds: Double?, _ work: String) throws -> Curve.Point {
        let counts = try inputs.counts(input)
        let count = seconds == nil ? nil : try instructions?.count(work, input)
        return Curve.Point(
            input: input, units: counts.resources, seconds: seconds.map { $0 / Double(counts.resources) },
            instructions: count.map { $0 / Double(counts.resources + counts.references) })
    }
}
