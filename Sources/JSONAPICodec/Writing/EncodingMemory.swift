import JSONText

/// The memory of one call of the encoder: its texts, its tables of names, types and resources, and its writers. A call that ends leaves it to
/// the next one.
///
/// For a single resource, making the tables and the writers took more than half of the time. A long text leaves memory of its length, so that
/// the next one need not grow.
///
/// Writers have no state of a call. Whatever they read from the encoder's options, they read when they write.
final class EncodingMemory {
    /// The document.
    let output = JSONOutput(capacity: EncodingPool.firstCapacity)
    /// The relationships of the current resource.
    let relationships = JSONOutput()
    /// The prepared texts of names and types.
    let pieces = OutputPieces()
    /// The prepared texts `"attributes":` and `"relationships":`.
    private(set) var groupPieces: (attributes: Int, relationships: Int)
    let types: KnownTypes
    /// The names of members.
    let names: FieldNames
    let included: IncludedResources
    let writers = TypeTable()
    let elementWriters = TypeTable()
    let containerMakers = TypeTable()

    init() {
        groupPieces = Self.addGroups(to: pieces)
        types = KnownTypes(pieces)
        names = FieldNames(pieces)
        included = IncludedResources(types)
    }

    private static func addGroups(to pieces: OutputPieces) -> (attributes: Int, relationships: Int) {
        func piece(_ name: String) -> Int { UTF8Bytes.withBytes(of: name) { pieces.append("\"", $0, "\":") } ?? 0 }
        return (piece("attributes"), piece("relationships"))
    }

    /// Forgets the resources of a document, and the names and types if there are many or long ones.
    func forgetResources() {
        included.forgetAll()
        guard types.count > 64 || names.count > 512 || types.byteCount + names.byteCount > Self.keptBytes else { return }
        types.removeAll()
        names.removeAll()
        pieces.removeAll()
        groupPieces = Self.addGroups(to: pieces)
    }

    /// The maximum number of bytes in names and types that are kept.
    private static let keptBytes = 1 << 16

    /// Forgets the document.
    fileprivate func reset() {
        output.reset(to: .start)
        relationships.reset(to: .start)
        forgetResources()
        names.forgetObjects()
    }

    /// Whether the memory is small enough to be kept.
    fileprivate var isSmall: Bool {
        output.capacity <= EncodingPool.keptCapacity && relationships.capacity <= 1 << 16 && included.isSmall
            && writers.count <= 256 && elementWriters.count <= 256 && containerMakers.count <= 256
    }
}

/// Keeps memory for future calls of the encoder: at most four, each with room for a text of at most two megabytes.
enum EncodingPool {
    private static let kept = MemoryPool()
    /// The memory for the first text, and for the text after one that was too long to keep its memory.
    static let firstCapacity = 1 << 13
    /// The largest memory for a text that is kept.
    static let keptCapacity = 1 << 21

    /// Returns memory without contents.
    static func take() -> EncodingMemory { kept.take() as? EncodingMemory ?? EncodingMemory() }

    /// Keeps memory that is no longer used.
    static func giveBack(_ memory: EncodingMemory) {
        guard memory.isSmall else { return }
        memory.reset()
        kept.keep(memory)
    }
}
