import Foundation
import Workloads

/// A work that runs in its own process, so that its memory and instructions can be measured separately.
///
/// The process is this executable. With `child` as its first argument, it is the child.
public enum Child {
    /// Runs the work of a child, and returns true. Returns false if this is not a child.
    public static func runIfAsked() throws -> Bool {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, arguments[1] == "child", let repetitions = Int(arguments[6]) else { return false }
        let input = Input(name: arguments[4], text: try Data(contentsOf: URL(fileURLWithPath: arguments[5])))
        let work = try Inputs.work(arguments[3])
        switch arguments[2] {
        case "memory": print(try PeakMemory.ofThisProcess(work, input))
        default: try onSmallStack(if: input.hostileSize != nil) { try repeatWork(work, input, repetitions) }
        }
        return true
    }

    private static func repeatWork(_ work: Work, _ input: Input, _ repetitions: Int) throws {
        let job = try work.prepare(input)
        for _ in 0..<repetitions { try job.run() }
    }

    /// Runs it in a thread with a stack of 512 KiB, as secondary threads have on Apple's systems.
    private static func onSmallStack(if isSmall: Bool, _ body: @escaping @Sendable () throws -> Void) throws {
        guard isSmall else { return try body() }
        let outcome = Outcome()
        let thread = Thread { outcome.finish(Result { try body() }) }
        thread.stackSize = 512 << 10
        thread.start()
        try outcome.wait()
    }

    private final class Outcome: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        /// Written before the semaphore is signaled, and read after.
        private var result = Result<Void, any Error>.success(())

        func finish(_ result: Result<Void, any Error>) {
            self.result = result
            done.signal()
        }

        func wait() throws {
            done.wait()
            try result.get()
        }
    }

    /// Whether a separate process runs the work without an error or a crash.
    public static func survives(_ work: String, _ input: String, _ inputs: Inputs, _ workspace: Workspace) throws -> Bool {
        let file = try workspace.document(input, inputs)
        do {
            _ = try output(executable, arguments("repeat", work, input, file, repetitions: 1))
            return true
        } catch let failure as ChildFailure {
            Progress.note("  \(work) \(input): \(failure)")
            return false
        }
    }

    static func arguments(_ task: String, _ work: String, _ input: String, _ file: String, repetitions: Int) -> [String] {
        ["child", task, work, input, file, "\(repetitions)"]
    }

    /// The path of this executable. It is read before the working directory can change.
    static var executable: URL { Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]) }

    /// Runs a program to its end, and returns its output on both streams. Throws if it fails.
    static func output(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ChildFailure(description: "\(program.lastPathComponent) failed: \(text)") }
        return text
    }
}

struct ChildFailure: Error, CustomStringConvertible {
    let description: String
}
