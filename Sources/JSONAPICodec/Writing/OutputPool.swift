import Foundation
import JSONText

/// Keeps memory for the texts of future sessions. A session that ends leaves its output here for the next one.
///
/// A text of 200 KB in new memory begins with pages that the system has to clear. That takes 2 µs for each page, and was a quarter of the
/// time of encoding. The pool keeps at most two outputs of at most two megabytes each.
///
/// `@unchecked Sendable`: the outputs are accessed only under the lock.
final class OutputPool: @unchecked Sendable {
    static let shared = OutputPool()

    private static let limit = 2
    /// Texts up to this capacity are copied out of the memory that they were written to, so that the pool can keep it.
    static let keptCapacity = 1 << 21

    private let lock = Lock()
    private var outputs: [JSONOutput] = []

    /// Returns an empty output.
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
