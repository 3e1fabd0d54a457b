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
    /// Their places in the whole document.
    private(set) var places: [ResourcePlace] = []
    /// The start of each: in the text, relative to the first one, and in the file.
    private var starts: [(text: Int, file: Int)] = []

    init(_ file: DocumentFile? = nil, textStart: Int = 0) {
        self.file = file
        self.textStart = textStart
    }

    var count: Int { places.count }

    /// Appends resources whose texts follow `byteCount` bytes of earlier ones.
    mutating func append(_ fetched: FetchedResources, behind byteCount: Int) {
        places += fetched.places
        starts += fetched.starts.map { (byteCount + $0.text, $0.file) }
    }

    /// Returns the offset in the file of a byte of the small document; nil for a byte of the portion itself.
    func documentOffset(of textOffset: Int) -> Int? {
        let offset = textOffset - textStart
        guard offset >= 0, !starts.isEmpty else { return nil }
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle].text <= offset { low = middle } else { high = middle }
        }
        return starts[low].file + offset - starts[low].text
    }

    /// Returns the line and column of a byte of the file.
    func position(of offset: Int) -> TextPosition? { file?.position(of: offset) }
}
