/// How far a document was read.
public struct ReadingProgress: Sendable, Hashable {
    /// The number of bytes of the document that were read.
    public internal(set) var bytes = 0
    /// The size of the document in bytes; nil when it is not known.
    public internal(set) var totalBytes: Int?
    /// The number of resources that were returned.
    public internal(set) var resources = 0

    /// The fraction that was read, from 0 to 1; nil when the size is not known.
    public var fraction: Double? {
        totalBytes.map { $0 > 0 ? min(Double(bytes) / Double($0), 1) : 1 }
    }
}
