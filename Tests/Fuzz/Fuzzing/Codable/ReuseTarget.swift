import Foundation
import JSONAPICodec
import JSONText

extension FuzzTarget {
    /// An earlier document must not affect the next one. Every second job of a process must have the same result as in a process without
    /// the first job.
    static let reuse = FuzzTarget(name: "reuse", seeds: { $0.sound }, divisor: 10) { _, _ in
        let execution = FuzzWatch.current
        let isReplay = ReuseJobs.options.replay != nil
        let batch = isReplay ? 1 : ReuseJobs.batch
        guard (execution + 1) % batch == 0 else { return }
        FuzzWatch.end()
        try ReuseJobs.compare(execution + 1 - batch, batch)
    }
}

/// Pairs of jobs. The first can leave something behind, and the result of the second is compared.
enum ReuseJobs {
    /// The number of jobs in one process.
    static let batch = 40
    nonisolated(unsafe) static var options = FuzzOptions()
    /// What the first jobs keep: references, decoders, and containers.
    nonisolated(unsafe) static var kept: [Any] = []

    /// Runs two processes, one with all jobs and one with only the second of each pair, and compares their output.
    static func compare(_ first: Int, _ count: Int) throws {
        let busy = try run("--busy", first, count)
        let fresh = try run("--fresh", first, count)
        for (index, (one, other)) in zip(busy, fresh).enumerated() where one != other {
            throw FuzzFinding("pair \(first + index): after another job\n\(one)\nalone\n\(other)")
        }
        try require(
            busy.count == count && fresh.count == count, "\(busy.count) and \(fresh.count) outcomes from pair \(first) on, not \(count)")
    }

    private static func run(_ mode: String, _ first: Int, _ count: Int) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = [
            "--target", "reuse", "--seed", "\(options.seed)", "--first", "\(first)", "--executions", "\(count)", "--corpus", options.corpus,
            "--jobs", mode,
        ]
        // Dictionaries in a fixed order.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try require(process.terminationStatus == 0, "\(mode) from pair \(first) on ended with \(process.terminationStatus)")
        // Each outcome ends with the separator, and one without values is empty.
        return String(decoding: output, as: UTF8.self).split(separator: "\u{1E}", omittingEmptySubsequences: false).dropLast()
    }

    /// Runs the jobs of such a process.
    static func print(_ options: FuzzOptions, _ corpus: FuzzCorpus, isBusy: Bool) {
        for pair in options.first..<options.first + options.executions {
            var random = FuzzRandom(seed: options.seed, target: "reuse", execution: pair)
            var other = FuzzRandom(seed: options.seed, target: "left behind", execution: pair)
            if isBusy {
                _ = outcome(&other, corpus, keeps: true)
                if kept.count > 20 || other.chance(1, in: 3) { kept.removeAll() }
            }
            Swift.print(outcome(&random, corpus, keeps: false), terminator: "\u{1E}")
            fflush(nil)
        }
    }

    // MARK: - Jobs

    private static func outcome(_ random: inout FuzzRandom, _ corpus: FuzzCorpus, keeps: Bool) -> String {
        switch random.below(4) {
        case 0:
            let drivenCase = DrivenCase.random(&random)
            let (run, error) = drivenCase.readOurs()
            if keeps { kept.append(run) }
            return run.traces.flatMap { $0.events.map(\.description) }.joined(separator: "\n") + "\n" + text(error)
        case 1:
            let writingCase = WritingCase.random(&random)
            switch writingCase.writeOurs().values {
            case .success(let values): return values.map { sorted($0) }.joined(separator: "\n")
            case .failure(let error): return text(error)
            }
        default: return models(&random, corpus, keeps: keeps)
        }
    }

    private static func models(_ random: inout FuzzRandom, _ corpus: FuzzCorpus, keeps: Bool) -> String {
        var input = random.pick(corpus.sound)
        var mutator = FuzzMutator(random: random, others: corpus.sound)
        mutator.mutate(&input)
        random = mutator.random
        let decoder = FuzzModels.decoder(&random)
        let data = Data(input)
        switch random.below(8) {
        case 0: return document([FuzzModels.Article].self, decoder, data, keeps)
        case 1: return document([FuzzModels.Story].self, decoder, data, keeps)
        case 2: return document([FuzzModels.Contributor].self, decoder, data, keeps)
        case 3: return document([FuzzModels.Direct].self, decoder, data, keeps)
        case 4: return values([FuzzModels.Story].self, decoder, data, keeps)
        case 5: return values([FuzzModels.Wide].self, decoder, data, keeps)
        case 6: return values([Keeping].self, decoder, data, keeps)
        default: return values([FuzzModels.Comment].self, decoder, data, keeps)
        }
    }

    private static func document<Primary: PrimaryValue>(
        _ type: Primary.Type, _ decoder: JSONAPIDecoder, _ data: Data, _ keeps: Bool
    ) -> String {
        do {
            let document = try decoder.decode(Document<Primary>.self, from: data)
            if keeps { kept.append(document) }
            let diagnostics = document.diagnostics.map(\.description).joined(separator: "\n")
            return encode { try $0.encode(document) } + "\n" + encode { try $0.encode(document.data) } + "\n" + diagnostics
        } catch { return text(error) }
    }

    private static func values<Primary: PrimaryValue>(
        _ type: Primary.Type, _ decoder: JSONAPIDecoder, _ data: Data, _ keeps: Bool
    ) -> String {
        do {
            let values = try decoder.decode(type, from: data)
            if keeps { kept.append(values) }
            return encode { try $0.encode(values) }
        } catch { return text(error) }
    }

    private static func encode(_ body: (JSONAPIEncoder) throws -> Data) -> String {
        var encoder = JSONAPIEncoder()
        encoder.sortsNames = true
        encoder.conflictingResources = .keepFirst
        do { return String(decoding: try body(encoder), as: UTF8.self) } catch { return text(error) }
    }

    private static func text(_ error: (any Error)?) -> String {
        switch error {
        case let error as DecodingError: "\(DrivenRun.describe(error)) \(error.failure?.description ?? "")"
        case let error as EncodingError: "\(error.failure?.description ?? "\(error)")"
        case let error?: "\(error)"
        case nil: ""
        }
    }

    private static func sorted(_ tree: JSON) -> String {
        switch tree {
        case .object(let members): "{" + members.map { "\($0.name): \(sorted($0.value))" }.sorted().joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(sorted).joined(separator: ",") + "]"
        default: "\(tree)"
        }
    }

    /// Keeps its decoder and a container, and ignores errors.
    struct Keeping: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        var author: FuzzModels.Writer?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: DrivenKey.self)
            id = try container.decode(String.self, forKey: DrivenKey("id"))
            title = (try? container.decode(Int.self, forKey: DrivenKey("title"))).map(String.init)
            if title == nil { title = try? container.decode(String.self, forKey: DrivenKey("title")) }
            author = try? container.decode(FuzzModels.Writer.self, forKey: DrivenKey("author"))
            ReuseJobs.kept.append((decoder, container))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: DrivenKey.self)
            try container.encodeIfPresent(title, forKey: DrivenKey("title"))
            try container.encodeIfPresent(author, forKey: DrivenKey("author"))
        }
    }
}
