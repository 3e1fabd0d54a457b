import Foundation

/// The executions of one target.
struct FuzzRun {
    private let target: FuzzTarget
    private let seeds: [[UInt8]]
    private let options: FuzzOptions

    init(_ target: FuzzTarget, _ corpus: FuzzCorpus, _ options: FuzzOptions) {
        self.target = target
        self.options = options
        seeds = target.seeds(corpus)
    }

    /// Runs all executions, and returns the number of failures. Prints the first ones, one of each kind.
    func run() async throws -> Int {
        if let replay = options.replay { return try await self.replay(replay) }
        let start = Date()
        let executions = options.targets.count > 1 ? options.executions / target.divisor : options.executions
        var findings = 0
        var kinds: [String: Int] = [:]
        for execution in options.first..<options.first + executions {
            FuzzWatch.begin(target.name, options.seed, execution)
            var (input, random) = input(execution)
            do {
                try await target.run(input, &random)
            } catch {
                findings += 1
                let kind = (error as? FuzzFinding)?.kind ?? "\(findings)"
                kinds[kind, default: 0] += 1
                if kinds[kind] == 1, kinds.count <= options.findings {
                    say("\(target.name): execution \(execution), seed \(options.seed): \(error)")
                }
            }
        }
        FuzzWatch.end()
        let seconds = Date().timeIntervalSince(start)
        say(
            "\(target.name): \(executions) executions, seed \(options.seed), \(findings) findings, "
                + "\(Int(Double(executions) / max(seconds, 0.001))) per second, peak memory \(FuzzWatch.peakMemory) MB")
        if kinds.values.contains(where: { $0 > 1 }) {
            for (kind, count) in kinds.sorted(by: { $0.value > $1.value }) { say("  \(count) × \(kind)") }
        }
        let isTooMuch = FuzzWatch.peakMemory > options.memory
        if isTooMuch { say("\(target.name): more than \(options.memory) MB of memory") }
        return findings + (isTooMuch ? 1 : 0)
    }

    /// Prints a line immediately, because the process could end.
    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    private func input(_ execution: Int) -> ([UInt8], FuzzRandom) {
        var random = FuzzRandom(seed: options.seed, target: target.name, execution: execution)
        var input = random.pick(seeds)
        var mutator = FuzzMutator(random: random, others: seeds)
        mutator.mutate(&input)
        return (input, mutator.random)
    }

    private func replay(_ execution: Int) async throws -> Int {
        var (input, random) = input(execution)
        print(String(decoding: input, as: UTF8.self))
        FuzzWatch.begin(target.name, options.seed, execution)
        do {
            try await target.run(input, &random)
            print("nothing found")
            return 0
        } catch {
            print("found: \(error)")
            return 1
        }
    }
}
