import JSONText

/// A broken property of the library for one input.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String
    /// Equal for all findings of one kind, of which only one is printed; nil if each finding is different.
    let kind: String?
    package init(_ description: String, kind: String? = nil) {
        self.description = description
        self.kind = kind
    }
}

/// A part of the library, and the properties that must hold for it.
package struct FuzzTarget: Sendable {
    let name: String
    /// The inputs for mutations.
    let seeds: @Sendable (FuzzCorpus) -> [[UInt8]]
    /// The factor by which it gets fewer executions when all targets run, because each one takes longer.
    let divisor: Int
    /// Runs one input. Throws `FuzzFinding`, or an unexpected error of the library.
    let run: @Sendable (_ input: [UInt8], _ random: inout FuzzRandom) async throws -> Void

    package init(
        name: String, seeds: @escaping @Sendable (FuzzCorpus) -> [[UInt8]], divisor: Int = 1,
        run: @escaping @Sendable (_ input: [UInt8], _ random: inout FuzzRandom) async throws -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.divisor = divisor
        self.run = run
    }

    /// The targets that need only the codec.
    package static let codec = [text, foundation, document, models, codable, encodable, reuse, stack, roundtrip, edits, growing]
}

/// Throws if a property does not hold.
package func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw FuzzFinding(what()) }
}

/// Returns the tree of a text without repeated names, in which every pointer is unambiguous; nil for another text.
package func unambiguousTree(_ input: [UInt8]) -> JSON? {
    var options = JSONReadingOptions()
    options.duplicateNames = .refuse
    return try? JSON(parsing: input, options: options)
}

/// Whether there is a value at the place, or a container that lacks the member.
package func exists(_ pointer: JSONPointer, in tree: JSON) -> Bool {
    tree[pointer: pointer] != nil || pointer.parent.map { tree[pointer: $0] != nil } == true
}
