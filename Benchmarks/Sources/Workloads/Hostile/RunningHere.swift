import Foundation

/// Runs asynchronous code on this thread, so that its time is this thread's.
///
/// The code must not wait for another thread.
func runHere<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
        throw WrongResult("streams are measured from macOS 15 on")
    }
    let executor = HereExecutor()
    let outcome = Outcome<Value>()
    Task(executorPreference: executor) {
        do { outcome.result = .success(try await body()) } catch { outcome.result = .failure(error) }
    }
    while outcome.result == nil { executor.runJobs() }
    return try outcome.result?.get() ?? { throw WrongResult("nothing came of it") }()
}

/// Only one thread is used here.
private final class Outcome<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}

/// Keeps jobs until the waiting thread runs them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class HereExecutor: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    func runJobs() {
        let waiting = jobs.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in waiting { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

private final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
