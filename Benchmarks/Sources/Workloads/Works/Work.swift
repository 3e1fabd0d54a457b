import Foundation

/// An operation on a document, which `compare` measures and `loop` repeats.
public struct Work: Sendable {
    public let name: String
    public let summary: String
    private let make: @Sendable (Input) throws -> Job

    init(_ name: String, _ summary: String, _ make: @escaping @Sendable (Input) throws -> Job) {
        self.name = name
        self.summary = summary
        self.make = make
    }

    /// Prepares what is needed to repeat the work, such as the models of an encoder.
    public func prepare(_ input: Input) throws -> Job { try Shape.job(name, input) ?? make(input) }

    /// All works.
    public static let all: [Work] = reading + writing + keeping + changing + copying + walking + hostile

    public static func named(_ name: String) -> Work? { all.first { $0.name == name } }
}

/// A work with its input.
public struct Job {
    /// Runs the work once, and discards the result.
    public let run: () throws -> Void
    /// A checksum over every field of the result, equal for all jobs that were prepared with documents of the same content. Of a
    /// hostile document, its size. Throws when the result is wrong in itself.
    public let checksum: () throws -> UInt64

    /// - Parameters:
    ///   - result: what is measured.
    ///   - articles: what came of it, as plain values. Not measured.
    init<Result>(_ result: @escaping () throws -> Result, articles: @escaping (Result) throws -> [Article]) {
        self.init(result) { Checksum(try articles($0)).value }
    }

    init<Result>(_ result: @escaping () throws -> Result, checksum: @escaping (Result) throws -> UInt64) {
        run = { keep(try result()) }
        self.checksum = { try checksum(try result()) }
    }
}

/// Prevents the compiler from removing the computation of the value.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}

/// A wrong result.
public struct WrongResult: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
