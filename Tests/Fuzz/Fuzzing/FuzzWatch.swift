import Foundation

/// Prints the number of the execution if the process crashes or hangs.
enum FuzzWatch {
    /// The line to print. It is created before each execution, so that a signal handler only needs to write it.
    private nonisolated(unsafe) static let line = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    private nonisolated(unsafe) static var lineLength = 0
    private nonisolated(unsafe) static var execution = -1
    private nonisolated(unsafe) static var watched = -1

    /// - Parameter seconds: The processor time from which an execution counts as a hang.
    static func start(seconds: Int) {
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
            signal(number) { number in
                FuzzWatch.report("crashed")
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        signal(SIGPROF) { _ in
            if FuzzWatch.execution >= 0, FuzzWatch.execution == FuzzWatch.watched {
                FuzzWatch.report("took too long")
                _exit(3)
            }
            FuzzWatch.watched = FuzzWatch.execution
        }
        // Processor time, because the machine can be busy with other processes.
        var timer = itimerval(it_interval: timeval(tv_sec: seconds, tv_usec: 0), it_value: timeval(tv_sec: seconds, tv_usec: 0))
        #if canImport(Glibc)
            setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
        #else
            setitimer(ITIMER_PROF, &timer, nil)
        #endif
    }

    static func begin(_ target: String, _ seed: UInt64, _ number: Int) {
        var length = 0
        func append(_ text: String) {
            for byte in text.utf8 where length < 255 {
                line[length] = byte
                length += 1
            }
        }
        append(": fuzz --target ")
        append(target)
        append(" --seed \(seed) --replay \(number)\n")
        lineLength = length
        execution = number
    }

    static func end() { execution = -1 }

    /// The current execution.
    static var current: Int { execution }

    private static func report(_ what: StaticString) {
        _ = write(2, what.utf8Start, what.utf8CodeUnitCount)
        _ = write(2, line, lineLength)
    }

    /// The maximum memory of the process so far, in MB.
    static var peakMemory: Int {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return usage.ru_maxrss >> 10
        #else
            getrusage(RUSAGE_SELF, &usage)
            // Bytes on Apple systems, KiB elsewhere.
            return usage.ru_maxrss >> (usage.ru_maxrss > 1 << 27 ? 20 : 10)
        #endif
    }
}
