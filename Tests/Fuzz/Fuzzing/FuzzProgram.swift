import Foundation

/// A program that runs the library on mutated inputs and looks for what must not happen.
///
///     fuzz --target document --executions 200000 --seed 1
///     fuzz --target document --seed 1 --replay 4711        shows one input, and runs it
///
/// Every input depends on seed, target and number alone. A crash or a hang (a second of processor time on one input, or `--seconds`) ends the
/// process with a line that says which execution it was.
package enum FuzzProgram {
    /// Does what the arguments of the process say, and exits.
    package static func run(_ targets: [FuzzTarget]) async -> Never {
        do {
            let options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()), targets)
            do {
                exit(try await findings(options) == 0 ? 0 : 1)
            } catch {
                print(error)
            }
        } catch {
            print("\(error)\n\(FuzzOptions.usage(targets))")
        }
        exit(2)
    }

    private static func findings(_ options: FuzzOptions) async throws -> Int {
        let corpus = try FuzzCorpus(URL(fileURLWithPath: options.corpus))
        DrivenTrace.ignored = options.ignored
        ReuseJobs.options = options
        if let jobs = options.jobs {
            ReuseJobs.print(options, corpus, isBusy: jobs == "--busy")
            return 0
        }
        FuzzWatch.start(seconds: options.seconds)
        var findings = 0
        for target in options.targets { findings += try await FuzzRun(target, corpus, options).run() }
        return findings
    }
}
