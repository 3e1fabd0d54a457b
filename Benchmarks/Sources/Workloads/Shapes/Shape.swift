import Foundation
import JSONAPICodec

/// A document of another form than the blog's, with its own models on both sides.
///
/// Its name is the document's. The works `foundation-resolve`, `foundation-encode`, `decode-codable` and `encode-codable` do for it what
/// they do for the blog.
struct Shape: Sendable {
    let name: String
    let summary: String
    /// The document. A shape of many documents has one on each line.
    let text: @Sendable () -> [UInt8]
    /// The number of references that are followed if all are.
    let followed: Int?
    /// The possible works, by name.
    let jobs: [String: @Sendable (Input) throws -> Job]

    static let all = [numbers, text, wide, nested, links, chain] + others

    /// Those whose rows are reading and writing, with the same limits.
    static let others = [singles, errors, unions, enums, structs, dictionaries, json, classes, kebab, snake, sparse]

    static func named(_ name: String) -> Shape? { all.first { $0.name == name } }

    /// The job of a work with the document of a shape; nil for other documents.
    static func job(_ work: String, _ input: Input) throws -> Job? {
        guard let shape = named(input.name) else { return nil }
        guard let job = shape.jobs[work] else { throw WrongResult("\(work) is nothing for \(input.name)") }
        return try job(input)
    }
}
