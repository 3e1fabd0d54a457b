import JSONText
import Testing

@Suite struct ManyErrorsTests {
    /// A document with the given number of unresolved identifiers.
    private func document(_ count: Int) -> String {
        let links = (0..<count).map { #"{"type":"a","id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"data":{"type":"b","id":"1","relationships":{"as":{"data":[\#(links)]}}}}"#
    }

    @Test(arguments: [49, 50, 51, 60])
    func flattenCountsTheErrorsItOmits(count: Int) {
        let run = CommandRun("flatten", "--missing", "error", "-", input: document(count))
        #expect(run.status == 1 && run.output.isEmpty)
        let lines = run.error.split(separator: "\n")
        #expect(lines.filter { $0.contains(": error: ") }.count == min(count, 50))
        let rest = lines.filter { $0.contains(": note: ") }
        #expect(rest.count == (count > 50 ? 1 : 0))
        if count > 50 { #expect(rest.first?.contains("\(count - 50) more errors") == true) }
    }

    @Test(arguments: ["--help", "-h"])
    func aFileCanHaveTheNameOfAnOption(name: String) {
        for subcommand in ["show", "validate", "flatten", "format"] {
            let run = CommandRun(subcommand, "--", name)
            #expect(run.status == 2 && run.output.isEmpty)
            #expect(run.error.contains(name))
            #expect(CommandRun(subcommand, name).status == 0)
        }
    }
}
