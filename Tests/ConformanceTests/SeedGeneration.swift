import Foundation
import JSONAPICommand
import JSONText

/// Cases of `generate`: the outline of the types that the command creates from plain JSON. The older system used only the first element of
/// an array.
enum SeedGeneration {
    static func check(_ seed: SeedCase, _ report: inout Report) throws {
        var arguments = ["generate", "--json", "--first-element", "--root", seed.config["root"]?.string ?? "Root"]
        if let prefix = seed.config["prefix"]?.string, !prefix.isEmpty { arguments += ["--prefix", prefix] }
        let text = try JSONWriter().write(seed.input)
        var output = Data()
        let status = Command.run(
            arguments: arguments + ["-"], input: { Data(text) }, output: { output.append($0) }, error: { _ in })
        if seed.expected["errors"] != nil {
            if status != 1 { report.fail(seed.name, "expected a refusal, found the status \(status)") }
            return
        }
        guard status == 0 else { return report.fail(seed.name, "the command ended with \(status)") }
        report.expect(seed, try JSON(parsing: output)["types"], equals: seed.expected["types"])
    }
}
