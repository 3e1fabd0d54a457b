import JSONText

/// Where the resources come from that stand in `included` behind a portion's own.
///
///     {"data":[…],"included":[{"type":"people","id":"9"},{"type":"people","id":"8"}]}
///                             textStart                  + 27
///
/// A failure in one of them is found by the offset in that text, and has its place in the file.
struct FetchedPlaces {
    private let file: DocumentFile?
    /// Where the first of them begins in the text of the small document.
    private let textStart: Int
    /// Where they stand in the whole document.
    private(set) var places: [ResourcePlace] = []
    /// Where each of them begins: in the text, counted from the first one, and in the file.
    private var starts: [(text: Int, file: Int)] = []

    init(_ file: DocumentFile? = nil, textStart: Int = 0) {
        self.file = file
        self.textStart = textStart
    }

    var count: Int { places.count }

    /// Adds resources whose texts follow that many bytes of others.
    mutating func append(_ fetched: FetchedResources, behind byteCount: Int) {
        places += fetched.places
        starts += fetched.starts.map { (byteCount + $0.text, $0.file) }
    }

    /// Where a byte of the small document stands in the file; nil for one of the portion's own.
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

    /// Line and column of a byte of the file.
    func position(of offset: Int) -> TextPosition? { file?.position(of: offset) }
}
