import CMeasuring
import Foundation

/// The number of instructions of a work. It comes from the processor's counter if a program may read it, otherwise from valgrind, as the
/// difference of two processes that repeat the work a different number of times.
public struct Instructions {
    private let inputs: Inputs
    private let workspace: Workspace
    private let valgrind: URL?

    public init(_ inputs: Inputs, _ workspace: Workspace) {
        self.inputs = inputs
        self.workspace = workspace
        valgrind = Self.program("valgrind")
    }

    /// The instructions of one run; nil if nothing can count them.
    public func count(_ work: String, _ input: String) throws -> Double? {
        if let count = try countByProcessor(work, input) { return count }
        guard let valgrind else { return nil }
        let more = try inputs[input].text.count > 1_000_000 ? 1 : 10
        let once = try total(valgrind, work, input, repetitions: 1)
        return (try total(valgrind, work, input, repetitions: 1 + more) - once) / Double(more)
    }

    private func countByProcessor(_ work: String, _ input: String) throws -> Double? {
        let probe = perf_instructions_start()
        guard probe >= 0, perf_instructions_stop(probe) >= 0 else { return nil }
        let job = try inputs.job(work, input)
        try job.run()
        let counter = perf_instructions_start()
        guard counter >= 0 else { return nil }
        let outcome = Result { try job.run() }
        let count = perf_instructions_stop(counter)
        try outcome.get()
        return count < 0 ? nil : Double(count)
    }

    private func total(_ valgrind: URL, _ work: String, _ input: String, repetitions: Int) throws -> Double {
        let arguments = Child.arguments("repeat", work, input, try workspace.document(input, inputs), repetitions: repetitions)
        let output = try Child.output(
            valgrind, Self.options + [try executable()] + arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
        guard let line = output.split(separator: "\n").first(where: { $0.contains("I ") && $0.contains("refs:") }),
            let count = line.split(separator: " ").last.flatMap({ Double($0.replacing(",", with: "")) })
        else { throw ChildFailure(description: "valgrind counted nothing: \(output)") }
        return count
    }

    /// Without its cache simulation, cachegrind counts the same instructions as callgrind, four times as fast.
    private static let options = ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]

    /// A copy of this executable without debug information, which valgrind cannot always read.
    private func executable() throws -> String {
        try workspace.file("executable") { url in
            guard let strip = Self.program("strip") else { return try FileManager.default.copyItem(at: Child.executable, to: url) }
            _ = try Child.output(strip, ["-g", "-o", url.path, Child.executable.path])
        }
    }

    private static func program(_ name: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
