import Foundation
import JSONText

/// Memory for the texts of sessions to come: one that has ended leaves its output here for the next.
///
/// A text of 200 KB in memory of its own begins with pages that the system has to clear, 2 µs each, which was a quarter of the time
/// of encoding it. At most two outputs of at most two megabytes are kept.
///
/// `@unchecked Sendable`: the outputs are reached under the lock only.
final class OutputPool: @unchecked Sendable {
    static let shared = OutputPool()

    private static let limit = 2
    /// Texts up to this capacity are copied out of the memory that they were written to.
    static let keptCapacity = 1 << 21

    private let lock = Lock()
    private var outputs: [JSONOutput] = []

    /// An empty output.
    func take() -> JSONOutput {
        lock.lock()
        let output = outputs.popLast()
        lock.unlock()
        return output ?? JSONOutput(capacity: 8192)
    }

    /// Keeps an output that is no longer used.
    func giveBack(_ output: JSONOutput) {
        guard (8192...Self.keptCapacity).contains(output.capacity) else { return }
        output.reset(to: .start)
        lock.lock()
        if outputs.count < Self.limit { outputs.append(output) }
        lock.unlock()
    }
}
