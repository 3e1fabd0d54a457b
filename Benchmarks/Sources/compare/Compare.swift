import Foundation
import Measuring

@main
struct Compare {
    static func main() {
        do {
            if try Child.runIfAsked() { return }
            exit(try run(try Options(Array(CommandLine.arguments.dropFirst()))) ? 0 : 1)
        } catch {
            Progress.fail("compare: \(error)")
            exit(2)
        }
    }

    /// Whether no row misses its limit.
    private static func run(_ options: Options) throws -> Bool {
        if options.wantsHelp {
            print(Options.usage)
            return true
        }
        let rows = try options.rows()
        if options.lists {
            for row in rows { print(row.name) }
            return true
        }
        let measurements = try Measurements(rows, options.isQuick ? .quick : .full)
        if options.checksOnly {
            try measurements.checkResults()
            return true
        }
        return report(rows, try measurements.values())
    }

    /// Prints the table. Returns whether every limit is met.
    private static func report(_ rows: [Row], _ values: [String: Double]) -> Bool {
        var isMet = true
        for row in rows {
            let value = values[row.name]
            let verdict: String
            if let value {
                verdict = row.must == nil ? "-" : row.isMet(by: value) ? "ok" : "short"
                isMet = isMet && row.isMet(by: value)
            } else {
                verdict = "skipped"
            }
            print([row.name, text(value), text(row.must), text(row.aim), verdict].joined(separator: "\t"))
        }
        return isMet
    }

    private static func text(_ value: Double?) -> String { value.map { fixed($0, 2) } ?? "-" }
}
