import Foundation

/// The processor time of this thread, which does not include time of other programs.
enum Stopwatch {
    static var seconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    static func seconds(of body: () throws -> Void) rethrows -> Double {
        let start = seconds
        try body()
        return seconds - start
    }
}
