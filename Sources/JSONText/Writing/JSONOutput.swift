/// The sink into which everything that writes JSON appends its bytes.
///
/// ```swift
/// let output = JSONOutput()
/// output.beginObject()
/// output.name("id")
/// output.string("1")
/// output.endObject()
/// output.string  // {"id":"1"}
/// ```
///
/// It sets commas, colons and line breaks. The caller keeps the order: a name in front of each member's value, and an
/// end for each beginning.
@usableFromInline
package final class JSONOutput {
    // Unchecked: these change several times for each value, and no closure sees the output while it changes.
    @safe @exclusivity(unchecked) var memory: OutputMemory
    @safe @exclusivity(unchecked) package private(set) final var depth = 0
    @safe @exclusivity(unchecked) final var position = Position.first
    /// Spaces for each level, -1 for one line.
    let indentation: Int
    private let plain: PlainBytes

    enum Position {
        /// At the start of the text or of a container.
        case first
        /// Behind a value.
        case next
        /// Behind a member's name.
        case afterName
    }

    /// An empty sink.
    package init(_ style: JSONWriter.Style = .compact, escapesSlashes: Bool = false, capacity: Int = 256) {
        memory = OutputMemory(capacity: capacity)
        indentation = style.indentation ?? -1
        plain = PlainBytes(withSlash: !escapesSlashes)
    }

    /// Calls `body` with what is written so far. Nothing may be written meanwhile.
    package func withText<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result { try memory.withText(body) }

    /// What is written so far.
    package var bytes: [UInt8] { memory.bytes(in: 0..<count) }

    /// The bytes in a range of what is written so far.
    package func bytes(in range: Range<Int>) -> [UInt8] { memory.bytes(in: range) }

    /// What is written so far, as a string.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the same bytes were written in both ranges.
    package func areEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        memory.withText { UTF8Bytes.areEqual($0.extracting(first), $0.extracting(second)) }
    }

    /// Bytes written so far.
    package var count: Int { memory.count }

    /// Bytes for which there is memory.
    package var capacity: Int { memory.capacity }

    /// Makes room for that many bytes more.
    package func reserve(_ count: Int) { memory.reserve(count) }

    // MARK: - Containers

    /// Writes `[`.
    package func beginArray() { begin(0x5B) }

    /// Writes `]`.
    package func endArray() { end(0x5D) }

    /// Writes `{`.
    package func beginObject() { begin(0x7B) }

    /// Writes `}`.
    package func endObject() { end(0x7D) }

    private func begin(_ bracket: UInt8) {
        prepare()
        memory.append(bracket)
        deepen(.first)
    }

    /// Counts a container that is begun.
    @inline(__always)
    func deepen(_ position: Position) {
        depth &+= 1
        self.position = position
    }

    private func end(_ bracket: UInt8) {
        depth &-= 1
        if indentation >= 0, position != .first { breakLine() }
        memory.append(bracket)
        position = .next
    }

    // MARK: - Names and scalars

    /// Writes a member's name and the colon.
    package func name(_ name: String) {
        prepare()
        memory.append(quoted: name, plain)
        endName()
    }

    /// Writes a member's name in which nothing has to be escaped.
    package func name(plain: StaticString) {
        prepare()
        memory.append(0x22)
        memory.append(plain)
        memory.append(0x22)
        endName()
    }

    /// Writes a member's name, given as UTF-8, and the colon.
    package func name(_ bytes: Span<UInt8>) {
        prepare()
        memory.append(quoted: bytes, plain)
        endName()
    }

    /// Writes a string.
    package func string(_ text: String) {
        prepare()
        memory.append(quoted: text, plain)
        position = .next
    }

    /// Writes a number as its text says.
    @usableFromInline
    package func number(_ number: JSONNumber) { UTF8Bytes.withBytes(of: number.text) { raw($0) } }

    /// Writes an integer.
    @inlinable
    package func integer(_ value: some BinaryInteger) {
        if let small = Int64(exactly: value) {
            integer(small)
        } else {
            number(JSONNumber(value))
        }
    }

    /// Writes an integer.
    @usableFromInline
    package func integer(_ value: Int64) {
        prepare()
        memory.append(integer: value)
        position = .next
    }

    /// Writes the shortest text that reads back as the same `Double`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, and writes nothing then.
    package func double(_ value: Double) throws(JSONNumberError) {
        guard value.isFinite else { return number(try JSONNumber(value)) }
        if fewDecimals(value) { return }
        let text = value.description
        UTF8Bytes.withBytes(of: text) { bytes in
            // Swift writes whole values with a fraction: "1.0".
            let isWhole = bytes.count > 2 && bytes[bytes.count - 1] == 0x30 && bytes[bytes.count - 2] == 0x2E
            raw(bytes.extracting(0..<(isWhole ? bytes.count - 2 : bytes.count)))
        }
    }

    /// Writes a number between -10⁹ and 10⁹ that has at most four decimals, a quarter of the cost of the general way. Returns false
    /// for any other.
    ///
    /// It is the shortest text: with one decimal less it would read back as another number, and no other number with so many is as
    /// near as the next `Double`.
    @inline(__always)
    private func fewDecimals(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        guard magnitude > 0, magnitude < 1e9 else { return false }
        var scale: UInt64 = 1
        for decimals in 0...4 {
            let product = magnitude * Double(scale)
            let scaled = UInt64(product + 0.5)
            // Both are exact, so their quotient is the number that the decimals read back as. Where it is the same number, the product
            // is off by its rounding only, below 0.003; looking at that first saves most of the divisions.
            if (Double(scaled) - product).magnitude < 0.01, Double(scaled) / Double(scale) == magnitude {
                prepare()
                memory.append(scaled, decimals: decimals, scale: scale, isNegative: value < 0)
                position = .next
                return true
            }
            scale *= 10
        }
        return false
    }

    /// Writes the shortest text that reads back as the same `Float`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, and writes nothing then.
    package func float(_ value: Float) throws(JSONNumberError) { number(try JSONNumber(value)) }

    /// Writes `true` or `false`.
    package func bool(_ value: Bool) {
        prepare()
        memory.append(value)
        position = .next
    }

    /// Writes `null`.
    package func null() {
        prepare()
        memory.append("null")
        position = .next
    }

    /// Writes one value whose text is known to be right, such as a number of another JSON text.
    package func raw(_ text: Span<UInt8>) {
        prepare()
        memory.append(text)
        position = .next
    }

    /// Writes one value whose text is known to be right.
    package func raw(_ text: [UInt8]) { raw(text.span) }

    /// Writes the value that is the text of another output.
    package func raw(_ other: JSONOutput) { other.withText { raw($0) } }

    /// Writes a string of at most `room` bytes that need no escape: `body` puts them and returns how many they are.
    package func plainString(room: Int, _ body: (inout MutableSpan<UInt8>) -> Int) {
        prepare()
        memory.append(0x22)
        memory.append(room: room, body)
        memory.append(0x22)
        position = .next
    }

    // MARK: - Workings

    private func endName() {
        memory.append(0x3A)
        if indentation >= 0 { memory.append(0x20) }
        position = .afterName
    }

    /// Writes what stands between the last token and the next value or name.
    @inline(__always)
    private func prepare() {
        switch position {
        case .afterName: return
        case .next:
            memory.append(0x2C)
            if indentation >= 0 { breakLine() }
        case .first: if depth > 0, indentation >= 0 { breakLine() }
        }
    }

    private func breakLine() {
        memory.append(0x0A)
        memory.append(0x20, times: indentation * depth)
    }
}

// MARK: - Members with a prepared name

// Members and objects whose beginning was made once as a piece. For texts on one line.

extension JSONOutput {
    /// Writes a member's name: the piece has its quotes and the colon.
    package func name(_ piece: Int, of pieces: OutputPieces) {
        begin(with: piece, of: pieces)
        position = .afterName
    }

    /// Writes a member whose value is a string.
    package func member(_ piece: Int, of pieces: OutputPieces, string text: String) {
        begin(with: piece, of: pieces)
        memory.append(quoted: text, plain)
        position = .next
    }

    /// Writes a member whose value is an integer.
    package func member(_ piece: Int, of pieces: OutputPieces, integer value: Int64) {
        begin(with: piece, of: pieces)
        memory.append(integer: value)
        position = .next
    }

    /// Writes a member whose value is true or false.
    package func member(_ piece: Int, of pieces: OutputPieces, bool value: Bool) {
        begin(with: piece, of: pieces)
        memory.append(value)
        position = .next
    }

    /// Writes a member whose value is an object, and begins that with the name of its first member: the piece ends with the colon.
    package func beginObject(naming piece: Int, of pieces: OutputPieces) {
        begin(with: piece, of: pieces)
        deepen(.afterName)
    }

    /// Begins an object with a string: the piece has the brace and all up to the colon in front of that string.
    package func beginObject(with piece: Int, of pieces: OutputPieces, _ text: String) {
        begin(with: piece, of: pieces)
        memory.append(quoted: text, plain)
        deepen(.next)
    }

    /// Writes a whole object that ends with a string: the piece has the brace and all up to the colon in front of that string.
    package func object(with piece: Int, of pieces: OutputPieces, _ text: String) {
        begin(with: piece, of: pieces)
        memory.append(quoted: text, plain)
        memory.append(0x7D)
        position = .next
    }

    /// Writes a comma where one is due, and a piece.
    @inline(__always)
    private func begin(with piece: Int, of pieces: OutputPieces) {
        assert(indentation < 0)
        memory.append(piece, of: pieces, withComma: position == .next)
    }
}

// MARK: - Going back

extension JSONOutput {
    /// A place in what is written, to which `reset` goes back.
    package struct Mark: Sendable {
        /// Bytes written so far.
        package let count: Int
        /// How many arrays and objects are open.
        package let depth: Int
        fileprivate let position: Position

        /// The start of a text.
        package static let start = Mark(count: 0, depth: 0, position: .first)
    }

    /// The present place.
    package var mark: Mark { Mark(count: count, depth: depth, position: position) }

    /// Takes back everything behind `mark`.
    package func reset(to mark: Mark) {
        memory.truncate(to: mark.count)
        depth = mark.depth
        position = mark.position
    }

    /// The bytes of the value written behind `mark`, without the comma in front.
    package func range(from mark: Mark) -> Range<Int> {
        let start = mark.position == .next && mark.count < count ? mark.count + 1 : mark.count
        return min(start, count)..<count
    }

    /// Hands the text written so far to `body` and goes on behind it with an empty buffer: for texts that are written away piece
    /// by piece. Marks taken before are no longer valid.
    package func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try withText(body)
        memory.truncate(to: 0)
    }

    /// Puts another text in the place of everything from an offset on.
    package func replace(from offset: Int, with text: [UInt8]) {
        memory.truncate(to: offset)
        memory.append(text.span)
    }

    /// Leaves a gap for one value, which `fill` puts in later. Returns its offset.
    package func gap() -> Int {
        prepare()
        position = .next
        return count
    }

    /// Puts texts into gaps, given in the order of their offsets. O(bytes behind the first gap).
    package func fill(_ gaps: [(offset: Int, text: [UInt8])]) {
        guard let first = gaps.first else { return }
        let tail = bytes(in: first.offset..<count)
        var filled: [UInt8] = []
        for (index, gap) in gaps.enumerated() {
            filled += gap.text
            let end = index + 1 < gaps.count ? gaps[index + 1].offset : first.offset + tail.count
            filled += tail[(gap.offset - first.offset)..<(end - first.offset)]
        }
        replace(from: first.offset, with: filled)
    }
}
