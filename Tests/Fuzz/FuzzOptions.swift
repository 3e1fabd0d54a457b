/// What the command line asks for.
struct FuzzOptions: Sendable {
    var targets = FuzzTarget.all
    var executions = 10_000
    var seed: UInt64 = 1
    var first = 0
    var replay: Int?
    /// How many findings are printed.
    var findings = 10
    /// For the processes that `reuse` starts: `--busy` with all jobs, `--fresh` with the second of each pair alone.
    var jobs: String?
    /// What the judges of `Codable` do not look at: `types` of errors, `paths` of errors, `kinds` of errors. To look for something else first.
    var ignored: Set<String> = []
    var corpus = "Conformance"
    /// The most memory in MB; sanitizers need many times as much.
    var memory = 512

    static let usage =
        "usage: fuzz [--target NAME|all] [--executions N] [--seed N] [--first N] [--replay EXECUTION] [--memory MB] [--corpus FOLDER] [--findings N] [--ignore types,paths,kinds]\n"
        + "targets: " + FuzzTarget.all.map { $0.name }.joined(separator: ", ")

    init() {}

    init(_ arguments: [String]) throws {
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
                targets = FuzzTarget.all.filter { $0.name == value }
                if targets.isEmpty { throw FuzzFinding("no target \(value)") }
            case "--executions": executions = try number()
            case "--seed": seed = UInt64(try number())
            case "--first": first = try number()
            case "--replay": replay = try number()
            case "--memory": memory = try number()
            case "--jobs": jobs = value
            case "--findings": findings = try number()
            case "--ignore": ignored = Set(value.split(separator: ",").map(String.init))
            case "--corpus": corpus = value
            default: throw FuzzFinding("unknown option \(option)")
            }
        }
    }
}
