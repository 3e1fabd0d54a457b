import Foundation

/// Returns the seconds for which `body` keeps this thread on a processor. Other work on the machine does not count.
public func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try body()
    return now() - start
}

/// Returns the least processor time of several runs of `body`, which returns the time of the part that counts. Other work on the machine
/// empties caches, and a virtual machine that waits for its host counts that as processor time.
public func leastSeconds(_ body: () throws -> Double) rethrows -> Double {
    var least = try body()
    for _ in 0..<3 { least = try min(least, body()) }
    return least
}

/// How processor time grows with the length of the input.
public struct TimeGrowth: CustomStringConvertible {
    private let count: Int
    private let factor: Int
    private let small: Double
    private var large: Double

    /// Measures work with an input of that length, and with one that is `factor` times as long.
    ///
    /// `seconds` does the work for an input of the given length, and returns the processor time of the part that counts.
    public init(from count: Int, times factor: Int = 8, seconds: (Int) throws -> Double) rethrows {
        self.count = count
        self.factor = factor
        // The first run also sets up what lives as long as the process.
        _ = try seconds(max(1, count / 8))
        small = try min(seconds(count), seconds(count))
        large = try seconds(count * factor)
        // The same reasons as in `leastSeconds`.
        for _ in 0..<4 where !isLinear { large = try min(large, seconds(count * factor)) }
    }

    /// Whether the time has grown at most three times as much as the input. Quadratic work grows by the square of the factor.
    public var isLinear: Bool { large < 3 * Double(factor) * max(small, 1e-4) }

    public var description: String { "\(small) s for \(count), \(large) s for \(count * factor)" }
}
