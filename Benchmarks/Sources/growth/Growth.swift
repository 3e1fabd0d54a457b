import Foundation
import Measuring

@main
struct Growth {
    static func main() {
        do {
            if try Child.runIfAsked() { return }
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp { return print(Options.usage) }
            exit(try report(options) ? 0 : 1)
        } catch {
            Progress.fail("growth: \(error)")
            exit(2)
        }
    }

    /// Prints the curves. Returns whether all are within their limits.
    private static func report(_ options: Options) throws -> Bool {
        let measurements = try CurveMeasurements(countsInstructions: options.countsInstructions)
        var isMet = true
        var table = Table(["work", "document", "units", "µs per unit", "instructions per unit", "limits"])
        for curve in try options.curves() {
            let points = try measurements.points(of: curve)
            for point in points {
                table.add([
                    curve.work, point.input, "\(point.units)", point.seconds.map { fixed($0 * 1e6, 3) } ?? "failed",
                    point.instructions.map { fixed($0, 0) } ?? "-", "",
                ])
            }
            let verdict = curve.verdict(points)
            isMet = isMet && verdict.isMet
            table.add([curve.work, "growth", "", verdict.time, verdict.instructions, verdict.text])
        }
        print(table.text)
        return isMet
    }
}
