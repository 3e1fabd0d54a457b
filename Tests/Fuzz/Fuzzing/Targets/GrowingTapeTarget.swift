import JSONText

extension FuzzTarget {
    /// Elements that are appended to an array on a tape, in pieces. The tape must become that of the whole text, or the elements are refused
    /// and so is the whole text.
    static let growing = FuzzTarget(name: "growing", seeds: seeds) { input, random in
        var options = JSONReadingOptions()
        options.maximumDepth = random.pick([4, 512])
        options.maximumValues = random.pick([40, 1_000_000])
        var grown = GrownTape(options)
        for piece in pieces(of: input, &random) where piece.contains(where: { !" \t\n\r".utf8.contains($0) }) {
            if random.chance(1, in: 4) { grown.copy() }
            if try !grown.append(piece) { return }
        }
    }

    /// Documents in a row, as they would be in an array.
    private static func seeds(_ corpus: FuzzCorpus) -> [[UInt8]] {
        corpus.documents.indices.map { start in
            Array(corpus.documents[start...].prefix(3).joined(separator: [UInt8(ascii: ",")]))
        }
    }

    /// The input, cut at commas, mostly at those between two elements.
    private static func pieces(of input: [UInt8], _ random: inout FuzzRandom) -> [[UInt8]] {
        var pieces: [[UInt8]] = [[]]
        var depth = 0
        for byte in input {
            if "[{".utf8.contains(byte) { depth += 1 }
            if "]}".utf8.contains(byte) { depth -= 1 }
            if byte == UInt8(ascii: ","), random.chance(1, in: depth == 0 ? 2 : 500) {
                pieces.append([])
            } else {
                pieces[pieces.count - 1].append(byte)
            }
        }
        return pieces
    }
}

/// A tape that grows, and the text that it has.
private struct GrownTape {
    private let options: JSONReadingOptions
    private var tape: Tape?
    private var text = Array(#"{"list":[]}"#.utf8)

    init(_ options: JSONReadingOptions) {
        self.options = options
        tape = try? Tape.with(text.span, options: options) { $0 }
    }

    mutating func copy() { tape = tape?.copy() }

    /// Appends elements, and compares the tape with that of the whole text. Returns false if both were refused.
    mutating func append(_ elements: [UInt8]) throws -> Bool {
        // A piece may have ended the list.
        guard let tape, let list = tape.view.member("list", of: tape.view.root), tape.view.isArray(list),
            tape.view.end(of: list) == tape.wordCount
        else { return false }
        let comma = tape.view.count(at: list) > 0 ? [UInt8(ascii: ",")] : []
        text.replaceSubrange((text.count - 2)..., with: comma + elements + Array("]}".utf8))
        var isRefused = false
        do { try tape.append(elements.span, to: list, options: options) } catch { isRefused = true }
        return try Self.matches(tape, text, options, isRefused: isRefused)
    }

    private static func matches(_ grown: Tape, _ text: [UInt8], _ options: JSONReadingOptions, isRefused: Bool) throws -> Bool {
        let whole = try? Tape.with(text.span, options: options) { $0 }
        guard let whole else {
            try require(isRefused, "elements were accepted that the parser refuses")
            return false
        }
        try require(!isRefused, "elements were refused that the parser accepts")
        try require(grown.wordCount == whole.wordCount, "another number of words")
        try require(grown.view.json(at: grown.view.root) == whole.view.json(at: whole.view.root), "another value")
        try require(grown.withText { $0.count } == text.count, "another text")
        try require(grown.duplicates.map(\.name) == whole.duplicates.map(\.name), "other repeated names")
        return true
    }
}
