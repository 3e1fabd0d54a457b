/// How far the reading of a document has come.
public struct ReadingProgress: Sendable, Hashable {
    /// Bytes of the document that were read.
    public internal(set) var bytes = 0
    /// All its bytes; nil where that is not known.
    public internal(set) var totalBytes: Int?
    /// Resources handed out.
    public internal(set) var resources = 0

    /// The part that was read, from 0 to 1; nil where the size is not known.
    public var fraction: Double? {
        totalBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}
