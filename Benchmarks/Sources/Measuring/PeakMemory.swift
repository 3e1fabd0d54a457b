import CMeasuring
import Foundation
import Workloads

/// The peak memory of a work, above the memory of the process with its input.
public enum PeakMemory {
    /// The peak in bytes, measured in a separate process.
    public static func bytes(_ work: String, _ input: String, _ inputs: Inputs, _ workspace: Workspace) throws -> Double {
        let file = try workspace.document(input, inputs)
        let output = try Child.output(Child.executable, Child.arguments("memory", work, input, file, repetitions: 1))
        guard let bytes = Double(output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ChildFailure(description: "no number of bytes: \(output)")
        }
        return bytes
    }

    static func ofThisProcess(_ work: Work, _ input: Input) throws -> Int {
        // Code and metadata that every process has do not count.
        let first = HostileFamily.smallest(like: input.name) ?? "medium"
        try work.prepare(Input(name: first, text: Workload.named(first)?.text() ?? Data())).run()
        let job = try work.prepare(input)
        let before = mark()
        try job.run()
        return max(0, peak - before)
    }

    #if os(Linux)
        /// Resets the peak, and returns the current memory in bytes.
        private static func mark() -> Int {
            heap_trim()
            // 5 resets the peak.
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
            return status("VmRSS:")
        }

        private static var peak: Int { status("VmHWM:") }

        private static func status(_ name: String) -> Int {
            let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
            let line = lines.first { $0.hasPrefix(name) } ?? ""
            return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
    #else
        /// The peak of the process so far. Nothing before was as large as the input.
        private static func mark() -> Int { peak }

        private static var peak: Int {
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        }
    #endif
}
