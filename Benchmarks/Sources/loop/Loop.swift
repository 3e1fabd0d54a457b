import Foundation
import Measuring
import Workloads

/// Repeats one work with one document, for profilers.
@main
struct Loop {
    static let usage = """
        usage: loop WORK DOCUMENT [TIMES]

        Does WORK with DOCUMENT so many times, 100 unless told. `loop --list` names the works and the documents.
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--list"] { return list() }
        if arguments == ["--help"] || arguments == ["-h"] { return print(usage) }
        do {
            try run(arguments)
        } catch {
            Progress.fail("loop: \(error)")
            exit(2)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard (2...3).contains(arguments.count), let times = arguments.count == 3 ? Int(arguments[2]) : 100, times >= 0 else {
            throw UsageError("wrong arguments\n\n" + usage)
        }
        let job = try Inputs().job(arguments[0], arguments[1])
        for _ in 0..<times { try job.run() }
    }

    private static func list() {
        print("works")
        for work in Work.all { print("  \(work.name): \(work.summary)") }
        print("documents")
        for workload in Workload.all { print("  \(workload.name): \(workload.summary)") }
        print("hostile documents, for the hostile works")
        for family in HostileFamily.allCases {
            print("  \(family.inputName(family.sizes[0])): so many \(family.unit)s, or any other number")
        }
    }
}
