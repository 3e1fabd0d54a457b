import Foundation
import JSONText
import TestSupport
import Testing

/// Generates models from all samples of an API except one, and decodes that one, for each sample in turn. This measures how well models
/// decode the next response. Prints the figures for `.ci/generated`.
@Suite("Models and the next response", .serialized)
struct LeaveOneOutTests {
    /// A folder for each API, with its sample documents.
    private static let samples = OpenAPICompileTests.descriptions.appendingPathComponent("../samples")

    /// Whether the samples of all APIs are tried, as in `.ci/generated`. Otherwise, and with `--embed`, only those of a few are, because the
    /// models of each trial are compiled.
    private static let isWhole = ProcessInfo.processInfo.environment["LEAVE_ONE_OUT"] == "all"
    private static let few = ["blog", "hotel", "shop"]

    private struct Trial {
        let file: String
        let others: [String]
        let prefix: String
    }

    private static func trials(ofAll: Bool) throws -> [Trial] {
        let manager = FileManager.default
        var trials: [Trial] = []
        for api in try manager.contentsOfDirectory(atPath: samples.path).sorted() {
            let folder = samples.appendingPathComponent(api)
            let files = try manager.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }.sorted()
                .map { folder.appendingPathComponent($0).path }
            for file in files where ofAll || few.contains(api) {
                trials.append(Trial(file: file, others: files.filter { $0 != file }, prefix: "T\(trials.count)"))
            }
        }
        return trials
    }

    /// Code that decodes and encodes one sample, and prints the result.
    private static let program = #"""
        import Foundation
        import JSONAPICodec
        import JSONAPITesting
        import JSONMapping
        import JSONText

        func isDate(_ change: DocumentDiff.Change) -> Bool {
            guard let old = change.old?.string, let new = change.new?.string, let date = DateLayout.iso8601.date(old) else { return false }
            return date == DateLayout.iso8601.date(new)
        }
        func attempt<Primary>(
            _ file: String, _ type: Document<Primary>.Type, _ included: (Document<Primary>) throws -> Void
        ) {
            do {
                let text = try Data(contentsOf: URL(fileURLWithPath: file))
                let document = try JSONAPIDecoder().decode(type, from: text)
                try included(document)
                let diff = try DocumentDiff(text, JSONAPIEncoder().encode(document))
                let lost = diff.changes.filter { !isDate($0) }
                print(lost.isEmpty ? "same" : "other \(file) \(lost[0])")
            } catch {
                print("failed \(file) \(error)")
            }
        }
        """#

    @Test(
        "Models from all other samples decode and encode each sample",
        .enabled(if: BuiltModules.folder != nil, "the built modules are not there"),
        arguments: isWhole ? [[], ["--embed"]] : [[]])
    func nextAnswer(options: [String]) throws {
        let modules = try #require(BuiltModules.folder)
        let work = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: work) }
        var program = [Self.program]
        var sources: [String] = []
        let trials = try Self.trials(ofAll: Self.isWhole && options.isEmpty)
        for trial in trials {
            let run = CommandRun(["generate", "--prefix", trial.prefix] + options + trial.others)
            #expect(run.status == 0, "\(run.error)")
            let source = work.appendingPathComponent("\(trial.prefix).swift")
            try Data(run.output.utf8).write(to: source)
            sources.append(source.path)
            let all = try CommandRun(["generate", "--json", "--prefix", trial.prefix] + trial.others + [trial.file]).outputJSON
            let known = try CommandRun(["generate", "--json", "--prefix", trial.prefix] + trial.others).outputJSON
            let models = Set(known["types"]?.object?.names.map { String($0) } ?? [])
            let wanted = all["documents"]?.array?.last?["data"]?.string ?? "NoData"
            // A type that only this sample has is not known to the models.
            let isMany = wanted.hasPrefix("[")
            let base = wanted.filter { !"[]?".contains($0) }
            let isKnown = !base.hasPrefix(trial.prefix) || models.contains(base)
            let data = isKnown ? wanted : isMany ? "[ResourceObject]" : "ResourceObject"
            let included =
                known["types"]?.object?.filter { $0.value[0]?["external"]?.string == "id" && !$0.name.contains(".") }.map(\.name) ?? []
            program.append(
                """
                attempt("\(trial.file)", Document<\(data)>.self) { document in
                    \(included.map { "_ = try document.included(\($0).self)" }.joined(separator: "; "))
                }
                """)
        }
        let main = work.appendingPathComponent("main.swift")
        try Data(program.joined(separator: "\n").utf8).write(to: main)
        let binary = work.appendingPathComponent("program").path
        let compiler = try modules.run(["swiftc"] + modules.arguments + ["-o", binary, main.path] + sources)
        #expect(compiler.status == 0, "\(compiler.output.prefix(4000))")
        guard compiler.status == 0 else { return }
        let lines = try modules.run([binary]).output.split(separator: "\n")
        #expect(lines.count == trials.count)
        let read = lines.count { !$0.hasPrefix("failed") }
        let valid = zip(lines, trials).filter { CommandRun("validate", $1.file).status == 0 }.map(\.0)
        let same = valid.count { $0 == "same" }
        let result = "\(read) of \(trials.count) samples are read, \(same) of \(valid.count) valid ones are written as they were"
        print("leave-one-out: \(([result] + options).joined(separator: ", with "))")
        for line in lines where line != "same" { print("leave-one-out: \(line)") }
        #expect(read * 100 >= trials.count * 95, "\(lines)")
        #expect(same * 100 >= valid.count * 90, "\(lines)")
    }
}
