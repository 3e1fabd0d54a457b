import Foundation
import Measuring

@main
struct Compare {
    static func main() {
        do {
            if try Child.runIfAsked() { return }
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp { return print(Options.usage) }
            let rows = try options.rows()
            if options.lists { return rows.forEach { print($0.name) } }
            let measurements = try Measurements(rows, options.isQuick ? .quick : .full)
            if options.checksOnly { return try measurements.checkResults() }
            exit(try report(rows, try measurements.values()) ? 0 : 1)
        } catch {
            Progress.fail("compare: \(error)")
            exit(2)
        }
    }

    /// Prints the table; whether every must is met.
    private static func report(_ rows: [Row], _ values: [String: Double]) throws -> Bool {
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
