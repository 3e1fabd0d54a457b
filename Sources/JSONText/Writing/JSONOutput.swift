/// The sink into which everything that writes JSON appends its bytes.
///
/// ```swift
/// var output = JSONOutput()
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
package struct JSONOutput: Sendable {
    /// What is written so far.
    package private(set) var bytes: [UInt8]

    /// Spaces for each level, nil for one line.
    private let indentation: Int?
    private let escapesSlashes: Bool
    /// How many arrays and objects are open.
    package private(set) var depth = 0
    private var position = Position.first

    fileprivate enum Position {
        /// At the start of the text or of a container.
        case first
        /// Behind a value.
        case next
        /// Behind a member's name.
        case afterName
    }

    /// A sink that appends to `bytes`.
    package init(_ style: JSONWriter.Style = .compact, escapesSlashes: Bool = false, appendingTo bytes: [UInt8] = []) {
        self.bytes = bytes
        indentation = style.indentation
        self.escapesSlashes = escapesSlashes
    }

    /// What is written so far, as a string.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes, moved out; the sink is empty then.
    package mutating func takeBytes() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Makes room for that many bytes more.
    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    // MARK: - Containers

    /// Writes `[`.
    package mutating func beginArray() { begin(0x5B) }

    /// Writes `]`.
    package mutating func endArray() { end(0x5D) }

    /// Writes `{`.
    package mutating func beginObject() { begin(0x7B) }

    /// Writes `}`.
    package mutating func endObject() { end(0x7D) }

    private mutating func begin(_ bracket: UInt8) {
        prepare()
        bytes.append(bracket)
        depth += 1
        position = .first
    }

    private mutating func end(_ bracket: UInt8) {
        depth -= 1
        if position != .first { breakLine() }
        bytes.append(bracket)
        position = .next
    }

    // MARK: - Names and scalars

    /// Writes a member's name and the colon.
    package mutating func name(_ name: String) {
        prepare()
        appendQuoted(name)
        endName()
    }

    /// Writes a member's name that is escaped already: the bytes between the quotes of a JSON text.
    package mutating func name(escaped: UnsafeBufferPointer<UInt8>) {
        prepare()
        appendQuoted(escaped: escaped)
        endName()
    }

    /// Writes a string.
    package mutating func string(_ text: String) {
        prepare()
        appendQuoted(text)
        position = .next
    }

    /// Writes a string that is escaped already: the bytes between the quotes of a JSON text.
    package mutating func string(escaped: UnsafeBufferPointer<UInt8>) {
        prepare()
        appendQuoted(escaped: escaped)
        position = .next
    }

    /// Writes a number as its text says.
    @usableFromInline
    package mutating func number(_ number: JSONNumber) {
        raw(number.text.utf8)
    }

    /// Writes an integer.
    @inlinable
    package mutating func integer(_ value: some BinaryInteger) {
        if let small = Int64(exactly: value) {
            integer(small)
        } else {
            number(JSONNumber(value))
        }
    }

    /// Writes an integer.
    @usableFromInline
    package mutating func integer(_ value: Int64) {
        prepare()
        appendDigits(value)
        position = .next
    }

    /// Writes the shortest text that reads back as the same `Double`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, and writes nothing then.
    package mutating func double(_ value: Double) throws(JSONNumberError) {
        number(try JSONNumber(value))
    }

    /// Writes the shortest text that reads back as the same `Float`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, and writes nothing then.
    package mutating func float(_ value: Float) throws(JSONNumberError) {
        number(try JSONNumber(value))
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        raw((value ? "true" : "false").utf8)
    }

    /// Writes `null`.
    package mutating func null() {
        raw("null".utf8)
    }

    /// Writes one value whose text is known to be right, such as a number of another JSON text.
    package mutating func raw(_ text: UnsafeBufferPointer<UInt8>) {
        prepare()
        bytes.append(contentsOf: text)
        position = .next
    }

    private mutating func raw(_ text: String.UTF8View) {
        prepare()
        bytes.append(contentsOf: text)
        position = .next
    }

    /// Writes an object's beginning with members whose text is known to be right, without braces; none for an empty text.
    package mutating func beginObject(with members: [UInt8]) {
        begin(0x7B)
        guard !members.isEmpty else { return }
        bytes.append(contentsOf: members)
        position = .next
    }

    /// Writes one value whose text is known to be right.
    package mutating func raw(_ text: [UInt8]) {
        prepare()
        bytes.append(contentsOf: text)
        position = .next
    }

    // MARK: - Going back

    /// A place in what is written, to which `reset` goes back.
    package struct Mark: Sendable {
        /// Bytes written so far.
        package let count: Int
        fileprivate let depth: Int
        fileprivate let position: Position
    }

    /// The present place.
    package var mark: Mark { Mark(count: bytes.count, depth: depth, position: position) }

    /// Takes back everything behind `mark`.
    package mutating func reset(to mark: Mark) {
        bytes.removeSubrange(mark.count...)
        depth = mark.depth
        position = mark.position
    }

    /// Puts another text in the place of everything from an offset on.
    package mutating func replace(from offset: Int, with text: some Sequence<UInt8>) {
        bytes.removeSubrange(offset...)
        bytes.append(contentsOf: text)
    }

    /// Leaves a gap for one value, which `fill` puts in later; answers its offset.
    package mutating func gap() -> Int {
        prepare()
        position = .next
        return bytes.count
    }

    /// Puts texts into gaps, given in the order of their offsets. O(bytes behind the first gap).
    package mutating func fill(_ gaps: [(offset: Int, text: [UInt8])]) {
        guard let first = gaps.first else { return }
        let tail = Array(bytes[first.offset...])
        bytes.removeSubrange(first.offset...)
        for (index, gap) in gaps.enumerated() {
            bytes.append(contentsOf: gap.text)
            let end = index + 1 < gaps.count ? gaps[index + 1].offset : first.offset + tail.count
            bytes.append(contentsOf: tail[(gap.offset - first.offset)..<(end - first.offset)])
        }
    }

    // MARK: - Workings

    private mutating func endName() {
        bytes.append(0x3A)
        if indentation != nil { bytes.append(0x20) }
        position = .afterName
    }

    /// Writes what stands between the last token and the next value or name.
    private mutating func prepare() {
        switch position {
        case .afterName:
            return
        case .next:
            bytes.append(0x2C)
            breakLine()
        case .first:
            if depth > 0 { breakLine() }
        }
    }

    private mutating func breakLine() {
        guard let indentation else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: indentation * depth))
    }

    private mutating func appendQuoted(escaped: UnsafeBufferPointer<UInt8>) {
        bytes.append(0x22)
        bytes.append(contentsOf: escaped)
        bytes.append(0x22)
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(0x22)
        UTF8Bytes.with(text) { JSONEscaping.append($0, to: &bytes, escapesSlashes: escapesSlashes) }
        bytes.append(0x22)
    }

    private mutating func appendDigits(_ value: Int64) {
        if value < 0 { bytes.append(0x2D) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
