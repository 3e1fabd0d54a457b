import JSONText

/// The origins of the resources that follow the portion's own in `included`.
///
///     {"data":[…],"included":[{"type":"people","id":"9"},{"type":"people","id":"8"}]}
///                             textStart                  + 27
///
/// A failure in one of them is found by its offset in that text, and gets its place in the file.
struct FetchedPlaces {
    private let file: DocumentFile?
    /// The offset of the first one in the text of the small document.
    private let textStart: Int
    /// The start of each in the text, relative to the first one, and in the file; its place in the whole document.
    private(set) var origins: [FetchedResources.Origin] = []

    init(_ file: DocumentFile? = nil, textStart: Int = 0) {
        self.file = file
        self.textStart = textStart
    }

    var count: Int { origins.count }

    /// Appends resources whose texts follow `byteCount` bytes of earlier ones.
    mutating func append(_ fetched: FetchedResources, behind byteCount: Int) {
        origins += fetched.origins.map { (byteCount + $0.text, $0.file, $0.place) }
    }

    /// Returns the offset in the file of a byte of the small document; nil for a byte of the portion itself.
    func documentOffset(of textOffset: Int) -> Int? {
        let offset = textOffset - textStart
        guard offset >= 0, !origins.isEmpty else { return nil }
        var (low, high) = (0, origins.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if origins[middle].text <= offset { low = middle } else { high = middle }
        }
        return origins[low].file + offset - origins[low].text
    }

    /// Returns the line and column of a byte of the file.
    func position(of offset: Int) -> TextPosition? { file?.position(of: offset) }
}
