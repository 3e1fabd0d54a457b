import Workloads

/// Works that are timed against each other in one process. They alternate, so that other load slows down all of them.
public struct Race {
    /// A work, and the name of its document.
    public struct Contender: Hashable, Sendable {
        public let work: String
        public let input: String

        public init(_ work: String, _ input: String) {
            self.work = work
            self.input = input
        }
    }

    private struct Lane {
        let contender: Contender
        let run: () throws -> Void
        let repetitions: Int
        var best = Double.infinity
    }

    /// The maximum duration of a race.
    public struct Effort: Sendable {
        let seconds: Double
        let rounds: ClosedRange<Int>

        public static let full = Effort(seconds: 8, rounds: 8...40)
        public static let quick = Effort(seconds: 1.5, rounds: 2...10)
    }

    /// The minimum duration of a batch in seconds, for a reliable clock.
    private static let batch = 0.005

    private var lanes: [Lane] = []

    public init() {}

    /// Adds a job, after one run that determines the number of repetitions.
    public mutating func add(_ contender: Contender, run: @escaping () throws -> Void) throws {
        try run()
        let once = try Stopwatch.seconds(of: run)
        lanes.append(Lane(contender: contender, run: run, repetitions: max(1, Int(Self.batch / max(once, 1e-9)))))
    }

    /// The shortest time of each job, in seconds for one run.
    public mutating func run(_ effort: Effort) throws -> [Contender: Double] {
        let start = Stopwatch.seconds
        var round = 0
        while round < effort.rounds.lowerBound || (round < effort.rounds.upperBound && Stopwatch.seconds - start < effort.seconds) {
            for i in lanes.indices { try runBatch(&lanes[i]) }
            round += 1
        }
        return Dictionary(uniqueKeysWithValues: lanes.map { ($0.contender, $0.best) })
    }

    private func runBatch(_ lane: inout Lane) throws {
        let time = try Stopwatch.seconds { for _ in 0..<lane.repetitions { try lane.run() } }
        lane.best = min(lane.best, time / Double(lane.repetitions))
    }
}
