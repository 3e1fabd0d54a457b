import JSONText

/// Something that must hold for every input and does not.
struct FuzzFinding: Error, CustomStringConvertible {
    let description: String
    /// The same for all findings of one kind, of which one is printed; nil where every finding is of its own.
    let kind: String?
    init(_ description: String, kind: String? = nil) {
        self.description = description
        self.kind = kind
    }
}

/// A part of the library and what must hold for it.
struct FuzzTarget: Sendable {
    let name: String
    /// What its inputs are made from.
    let seeds: @Sendable (FuzzCorpus) -> [[UInt8]]
    /// How many times fewer executions it gets when all targets run, because each costs that much.
    var divisor = 1
    /// Runs one input. Throws `FuzzFinding`, or whatever the library was not meant to throw.
    let run: @Sendable (_ input: [UInt8], _ random: inout FuzzRandom) async throws -> Void

    static let all = [
        text, foundation, document, models, codable, encodable, reuse, stack, roundtrip, validator, stream, walk, writer, store, archive,
        query,
        mediaType, template,
    ]
}

/// Throws when a thing that must hold does not.
func require(_ holds: Bool, _ what: @autoclosure () -> String) throws {
    if !holds { throw FuzzFinding(what()) }
}

/// The tree of a text in which no name stands twice, so that every pointer has one meaning; nil for another text.
func unambiguousTree(_ input: [UInt8]) -> JSON? {
    var options = JSONReadingOptions()
    options.duplicateNames = .refuse
    return try? JSON(parsing: input, options: options)
}

/// Whether something stands at the place, or it is one level below a container, where a member is missing.
func exists(_ pointer: JSONPointer, in tree: JSON) -> Bool {
    tree[pointer: pointer] != nil || pointer.parent.map { tree[pointer: $0] != nil } == true
}
