/// The output buffer of everything that writes JSON.
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
/// The output adds commas, colons and line breaks. The caller writes a name before each member's value, and an end for each beginning.
@usableFromInline
package final class JSONOutput {
    // Exclusivity is not checked, because these change several times for each value. No closure can access the output while they change.
    @safe @exclusivity(unchecked) var memory: OutputMemory
    @safe @exclusivity(unchecked) package private(set) final var depth = 0
    @safe @exclusivity(unchecked) final var position = Position.first
    /// The number of spaces for each level, or -1 for text on one line.
    let indentation: Int
    private let plain: PlainBytes

    enum Position {
        /// At the start of the text or of a container.
        case first
        /// After a value.
        case next
        /// After a member's name.
        case afterName
    }

    /// Creates an empty output.
    package init(_ style: JSONWriter.Style = .compact, escapesSlashes: Bool = false, capacity: Int = 256) {
        memory = OutputMemory(capacity: capacity)
        indentation = style.indentation ?? -1
        plain = PlainBytes(withSlash: !escapesSlashes)
    }

    /// Calls `body` with the text written so far. `body` must not write to this output.
    package func withText<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result { try memory.withText(body) }

    /// The bytes written so far.
    package var bytes: [UInt8] { memory.bytes(in: 0..<count) }

    /// Returns the bytes in a range of the text written so far.
    package func bytes(in range: Range<Int>) -> [UInt8] { memory.bytes(in: range) }

    /// The text written so far.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns whether both ranges contain the same bytes.
    package func areEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        memory.withText { Bytes.areEqual($0.extracting(first), $0.extracting(second)) }
    }

    /// The number of bytes written so far.
    package var count: Int { memory.count }

    /// The number of bytes for which memory is allocated.
    package var capacity: Int { memory.capacity }

    /// Reserves memory for `count` more bytes.
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

    @inline(__always)
    private func begin(_ bracket: UInt8) {
        prepare()
        memory.append(bracket)
        deepen(.first)
    }

    /// Increments the depth at the start of a container.
    @inline(__always)
    func deepen(_ position: Position) {
        depth &+= 1
        self.position = position
    }

    @inline(__always)
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

    /// Writes a member's name that needs no escapes, and the colon.
    package func name(plain: StaticString) {
        prepare()
        memory.append(0x22)
        memory.append(plain)
        memory.append(0x22)
        endName()
    }

    /// Writes a member's name from UTF-8 bytes, and the colon.
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

    /// Writes the text of a number.
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
    /// Throws `.notRepresentable` and writes nothing for infinity and NaN.
    package func double(_ value: Double) throws(JSONNumberError) {
        guard value.isFinite else { return number(try JSONNumber(value)) }
        if fewDecimals(value) { return }
        let text = value.description
        UTF8Bytes.withBytes(of: text) { bytes in
            // Swift writes whole numbers with a fraction: "1.0".
            let isWhole = bytes.count > 2 && bytes[bytes.count - 1] == 0x30 && bytes[bytes.count - 2] == 0x2E
            raw(bytes.extracting(0..<(isWhole ? bytes.count - 2 : bytes.count)))
        }
    }

    /// Writes a number between -10⁹ and 10⁹ with at most four decimals, in a quarter of the usual time. Returns false for any other number
    /// and for 0.
    ///
    /// The text is the shortest one. With fewer decimals, it would read back as another number. Texts with the same number of decimals
    /// are further apart than neighboring `Double` values.
    @inline(__always)
    private func fewDecimals(_ value: Double) -> Bool {
        let magnitude = value.magnitude
        guard magnitude > 0, magnitude < 1e9 else { return false }
        var scale: UInt64 = 1
        for decimals in 0...4 {
            let product = magnitude * Double(scale)
            let scaled = UInt64(product + 0.5)
            // Both operands are exact, so their quotient is the number that the text reads back as. If it is equal to the value, the
            // product differs from an integer only by rounding, by less than 0.003. Checking this first avoids most divisions.
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
    /// Throws `.notRepresentable` and writes nothing for infinity and NaN.
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

    /// Writes a value from its text, such as a number from another JSON text. The text must be valid JSON.
    package func raw(_ text: Span<UInt8>) {
        prepare()
        memory.append(text)
        position = .next
    }

    /// Writes a value from its text, which must be valid JSON.
    package func raw(_ text: [UInt8]) { raw(text.span) }

    /// Writes a value from the text of another output.
    package func raw(_ other: JSONOutput) { other.withText { raw($0) } }

    /// Writes a string of at most `room` bytes that need no escapes. `body` stores the bytes and returns their number.
    package func plainString(room: Int, _ body: (inout MutableSpan<UInt8>) -> Int) {
        prepare()
        memory.append(0x22)
        memory.append(room: room, body)
        memory.append(0x22)
        position = .next
    }

    // MARK: - Separators

    private func endName() {
        memory.append(0x3A)
        if indentation >= 0 { memory.append(0x20) }
        position = .afterName
    }

    /// Writes the separator before the next value or name.
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

// Members and objects that begin with a prepared piece. Only for text on one line.

extension JSONOutput {
    /// Writes a member's name. The piece includes its quotation marks and the colon.
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

    /// Writes a member whose value is a boolean.
    package func member(_ piece: Int, of pieces: OutputPieces, bool value: Bool) {
        begin(with: piece, of: pieces)
        memory.append(value)
        position = .next
    }

    /// Begins a member whose value is an object. The piece includes the name of the object's first member and ends with its colon.
    package func beginObject(naming piece: Int, of pieces: OutputPieces) {
        begin(with: piece, of: pieces)
        deepen(.afterName)
    }

    /// Begins an object, and writes a string. The piece includes the brace and everything up to the colon before the string.
    package func beginObject(with piece: Int, of pieces: OutputPieces, _ text: String) {
        begin(with: piece, of: pieces)
        memory.append(quoted: text, plain)
        deepen(.next)
    }

    /// Writes an object that ends with a string. The piece includes everything up to the colon before the string.
    package func object(with piece: Int, of pieces: OutputPieces, _ text: String) {
        begin(with: piece, of: pieces)
        memory.append(quoted: text, plain)
        memory.append(0x7D)
        position = .next
    }

    /// Writes a comma if needed, and a piece.
    @inline(__always)
    private func begin(with piece: Int, of pieces: OutputPieces) {
        assert(indentation < 0)
        memory.append(piece, of: pieces, withComma: position == .next)
    }
}

// MARK: - Marks and gaps

extension JSONOutput {
    /// A position in the text to which `reset` can return.
    package struct Mark: Sendable {
        /// The number of bytes written before the mark.
        package let count: Int
        /// The number of open arrays and objects.
        package let depth: Int
        fileprivate let position: Position

        /// The start of a text.
        package static let start = Mark(count: 0, depth: 0, position: .first)
    }

    /// The current position.
    package var mark: Mark { Mark(count: count, depth: depth, position: position) }

    /// Removes everything after a mark.
    package func reset(to mark: Mark) {
        memory.truncate(to: mark.count)
        depth = mark.depth
        position = mark.position
    }

    /// Returns the range of the value that was written after a mark, without the comma before it.
    package func range(from mark: Mark) -> Range<Int> {
        let start = mark.position == .next && mark.count < count ? mark.count + 1 : mark.count
        return min(start, count)..<count
    }

    /// Passes the text written so far to `body` and then empties the buffer, for text that is written in pieces. Existing marks are no
    /// longer valid.
    package func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {
        try withText(body)
        memory.truncate(to: 0)
    }

    /// Replaces everything from an offset with another text.
    package func replace(from offset: Int, with text: [UInt8]) {
        memory.truncate(to: offset)
        memory.append(text.span)
    }

    /// Leaves a gap for a value that `fill` inserts later. Returns the offset of the gap.
    package func gap() -> Int {
        prepare()
        position = .next
        return count
    }

    /// Inserts texts into gaps. The gaps must be in the order of their offsets.
    ///
    /// - Complexity: O(n), n = number of bytes after the first gap, including the inserted texts.
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
