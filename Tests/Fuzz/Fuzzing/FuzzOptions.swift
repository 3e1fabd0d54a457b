/// The options of the command line.
struct FuzzOptions: Sendable {
    var targets: [FuzzTarget]
    var executions = 10_000
    var seed: UInt64 = 1
    var first = 0
    var replay: Int?
    /// The number of findings to print.
    var findings = 10
    /// For the processes that `reuse` starts: `--busy` runs all jobs, and `--fresh` runs only the second of each pair.
    var jobs: String?
    /// What the comparison with `Codable` ignores, to look for other differences first: `types`, `paths`, or `kinds` of errors.
    var ignored: Set<String> = []
    var corpus = "Conformance"
    /// The maximum memory in MB. Sanitizers need many times as much.
    var memory = 512
    /// The processor time in seconds from which an execution counts as a hang. Sanitizers need many times as much.
    var seconds = 1

    static func usage(_ all: [FuzzTarget]) -> String {
        "usage: fuzz [--target NAME|all] [--executions N] [--seed N] [--first N] [--replay EXECUTION] [--memory MB] [--seconds N] [--corpus FOLDER] [--findings N] [--ignore types,paths,kinds]\n"
            + "targets: " + all.map { $0.name }.joined(separator: ", ")
    }

    init(targets: [FuzzTarget] = []) { self.targets = targets }

    init(_ arguments: [String], _ all: [FuzzTarget]) throws {
        targets = all
        var arguments = arguments[...]
        while let option = arguments.popFirst() {
            guard let value = arguments.popFirst() else { throw FuzzFinding("\(option) needs a value") }
            func number() throws -> Int {
                guard let number = Int(value), number >= 0 else { throw FuzzFinding("\(option) needs a number") }
                return number
            }
            switch option {
            case "--target" where value == "all": continue
            case "--target":
                targets = all.filter { $0.name == value }
                if targets.isEmpty { throw FuzzFinding("no target \(value)") }
            case "--executions": executions = try number()
            case "--seed": seed = UInt64(try number())
            case "--first": first = try number()
            case "--replay": replay = try number()
            case "--memory": memory = try number()
            case "--seconds": seconds = max(1, try number())
            case "--jobs": jobs = value
            case "--findings": findings = try number()
            case "--ignore": ignored = Set(value.split(separator: ",").map(String.init))
            case "--corpus": corpus = value
            default: throw FuzzFinding("unknown option \(option)")
            }
        }
    }
}
