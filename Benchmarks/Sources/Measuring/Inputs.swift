import Foundation
public import Workloads

/// The documents of one run, generated on first use.
public final class Inputs {
    private var inputs: [String: Input] = [:]
    private var counted: [String: Input.Counts] = [:]

    public init() {}

    public subscript(name: String) -> Input {
        get throws {
            if let input = inputs[name] { return input }
            guard let workload = Workload.named(name) else { throw UsageError("there is no document `\(name)`") }
            let input = Input(workload)
            inputs[name] = input
            return input
        }
    }

    /// Releases a document.
    public func forget(_ name: String) { inputs[name] = nil }

    public func counts(_ name: String) throws -> Input.Counts {
        if let counts = counted[name] { return counts }
        let counts = try self[name].counts()
        counted[name] = counts
        return counts
    }

    public func job(_ work: String, _ input: String) throws -> Job { try Self.work(work).prepare(try self[input]) }

    static func work(_ name: String) throws -> Work {
        guard let work = Work.named(name) else { throw UsageError("there is no work `\(name)`") }
        return work
    }
}

/// Invalid arguments.
public struct UsageError: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
