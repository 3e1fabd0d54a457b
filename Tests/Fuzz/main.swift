// Runs the library on mutated inputs and looks for what must not happen.
//
//     fuzz --target document --executions 200000 --seed 1
//     fuzz --target document --seed 1 --replay 4711        shows one input, and runs it
//
// Every input depends on seed, target and number alone. A crash or a hang (a second of processor time on one input, or `--seconds`) ends the
// process with a line that says which execution it was.

import Foundation

var options = FuzzOptions()
do {
    options = try FuzzOptions(Array(CommandLine.arguments.dropFirst()))
} catch {
    print("\(error)\n\(FuzzOptions.usage)")
    exit(2)
}

do {
    let corpus = try FuzzCorpus(URL(fileURLWithPath: options.corpus))
    DrivenTrace.ignored = options.ignored
    ReuseJobs.options = options
    if let jobs = options.jobs {
        ReuseJobs.print(options, corpus, isBusy: jobs == "--busy")
        exit(0)
    }
    FuzzWatch.start(seconds: options.seconds)
    var findings = 0
    for target in options.targets { findings += try await FuzzRun(target, corpus, options).run() }
    exit(findings == 0 ? 0 : 1)
} catch {
    print(error)
    exit(2)
}
