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
    /// What changes, in memory of its own: the properties of a class would be checked for overlapping access at each use.
    let state: UnsafeMutablePointer<State>

    struct State {
        var buffer: TextBuffer
        var depth = 0
        var position = Position.first
        /// Spaces for each level, -1 for one line.
        let indentation: Int
        let escapesSlashes: Bool
    }

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
        ShortText.learnLayout
        state = .allocate(capacity: 1)
        state.initialize(
            to: State(
                buffer: TextBuffer(capacity: capacity), indentation: style.indentation ?? -1, escapesSlashes: escapesSlashes))
    }

    deinit {
        state.pointee.buffer.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// What is written so far. Valid until more is written.
    package var text: UnsafeBufferPointer<UInt8> { state.pointee.buffer.bytes }

    /// What is written so far.
    package var bytes: [UInt8] { Array(text) }

    /// What is written so far, as a string.
    package var string: String { String(decoding: text, as: UTF8.self) }

    /// Bytes written so far.
    package var count: Int { state.pointee.buffer.count }

    /// Bytes for which there is memory.
    package var capacity: Int { state.pointee.buffer.capacity }

    /// How many arrays and objects are open.
    package var depth: Int { state.pointee.depth }

    /// Makes room for that many bytes more.
    package func reserve(_ count: Int) { state.pointee.buffer.reserve(count) }

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
        prepare(room: 1)
        state.pointee.buffer.put(bracket)
        state.pointee.depth &+= 1
        state.pointee.position = .first
    }

    private func end(_ bracket: UInt8) {
        state.pointee.depth &-= 1
        if state.pointee.indentation >= 0, state.pointee.position != .first { breakLine() }
        state.pointee.buffer.append(bracket)
        state.pointee.position = .next
    }

    // MARK: - Names and scalars

    /// Writes a member's name and the colon.
    package func name(_ name: String) {
        quoted(name)
        endName()
    }

    /// Writes a member's name that is escaped already: the bytes between the quotes of a JSON text.
    package func name(escaped: UnsafeBufferPointer<UInt8>) {
        prepare(room: escaped.count &+ 5)
        state.pointee.buffer.putName(escaped)
        if state.pointee.indentation >= 0 { state.pointee.buffer.put(0x20) }
        state.pointee.position = .afterName
    }

    /// Writes a member's name in which nothing has to be escaped.
    package func name(plain: StaticString) {
        name(escaped: UnsafeBufferPointer(start: plain.utf8Start, count: plain.utf8CodeUnitCount))
    }

    /// Writes a member's name, given as UTF-8, and the colon.
    package func name(_ bytes: UnsafeBufferPointer<UInt8>) {
        quoted(bytes)
        endName()
    }

    /// Writes a string.
    package func string(_ text: String) {
        if let short = ShortText(inside: text) {
            prepare(room: ShortText.room)
            quote(short)
        } else {
            quoted(text)
        }
        state.pointee.position = .next
    }

    /// Writes a string that is escaped already: the bytes between the quotes of a JSON text.
    package func string(escaped: UnsafeBufferPointer<UInt8>) {
        quoted(escaped: escaped)
        state.pointee.position = .next
    }

    /// Writes a number as its text says.
    @usableFromInline
    package func number(_ number: JSONNumber) { UTF8Bytes.with(number.text) { raw($0) } }

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
        prepare(room: 20)
        if value < 0 { state.pointee.buffer.put(0x2D) }
        state.pointee.buffer.put(decimal: value.magnitude)
        state.pointee.position = .next
    }

    /// Writes the shortest text that reads back as the same `Double`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, and writes nothing then.
    package func double(_ value: Double) throws(JSONNumberError) {
        guard value.isFinite else { return number(try JSONNumber(value)) }
        if fewDecimals(value) { return }
        var text = value.description
        text.withUTF8 { bytes in
            // Swift writes whole values with a fraction: "1.0".
            let isWhole = bytes.count > 2 && bytes[bytes.count - 1] == 0x30 && bytes[bytes.count - 2] == 0x2E
            raw(isWhole ? UnsafeBufferPointer(rebasing: bytes.dropLast(2)) : bytes)
        }
    }

    /// Writes a number between -10⁹ and 10⁹ that has at most four decimals, a quarter of the cost of the general way; false for any
    /// other.
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
                prepare(room: 20)
                state.pointee.buffer.put(scaled, decimals: decimals, scale: scale, isNegative: value < 0)
                state.pointee.position = .next
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
        prepare(room: 8)
        state.pointee.buffer.put(value)
        state.pointee.position = .next
    }

    /// Writes `null`.
    package func null() { literal("null") }

    /// Writes one value whose text is known to be right, such as a number of another JSON text.
    package func raw(_ text: UnsafeBufferPointer<UInt8>) {
        prepare(room: text.count)
        state.pointee.buffer.put(text)
        state.pointee.position = .next
    }

    /// Writes one value whose text is known to be right.
    package func raw(_ text: [UInt8]) { text.withUnsafeBufferPointer { raw($0) } }

    private func literal(_ text: StaticString) { text.withUTF8Buffer { raw($0) } }

    /// Writes a string of at most `room` bytes that need no escape: `body` puts them and answers how many they are.
    package func plainString(room: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        prepare(room: room + 2)
        state.pointee.buffer.put(0x22)
        state.pointee.buffer.put(room: room, body)
        state.pointee.buffer.put(0x22)
        state.pointee.position = .next
    }

    // MARK: - Workings

    private func endName() {
        state.pointee.buffer.reserve(2)
        state.pointee.buffer.put(0x3A)
        if state.pointee.indentation >= 0 { state.pointee.buffer.put(0x20) }
        state.pointee.position = .afterName
    }

    /// Writes what stands between the last token and the next value or name, and makes room for that value.
    @inline(__always)
    func prepare(room: Int) {
        state.pointee.buffer.reserve(room &+ 1)
        switch state.pointee.position {
        case .afterName: return
        case .next:
            state.pointee.buffer.put(0x2C)
            if state.pointee.indentation >= 0 { breakLine(room) }
        case .first: if state.pointee.depth > 0, state.pointee.indentation >= 0 { breakLine(room) }
        }
    }

    private func breakLine(_ room: Int = 0) {
        guard state.pointee.indentation >= 0 else { return }
        let spaces = state.pointee.indentation * state.pointee.depth
        state.pointee.buffer.reserve(spaces + 1 + room)
        state.pointee.buffer.put(0x0A)
        for _ in 0..<spaces { state.pointee.buffer.put(0x20) }
    }

    @inline(__always)
    private func quoted(escaped: UnsafeBufferPointer<UInt8>) {
        prepare(room: escaped.count &+ 4)
        state.pointee.buffer.put(0x22)
        state.pointee.buffer.put(escaped)
        state.pointee.buffer.put(0x22)
    }

    @inline(__always)
    private func quoted(_ text: String) { UTF8Bytes.with(text) { quoted($0) } }

    private func quoted(_ bytes: UnsafeBufferPointer<UInt8>) {
        prepare(room: bytes.count &+ 4)
        quote(bytes)
    }

    /// There is room for the bytes as they are and two more.
    @inline(__always)
    func quote(_ bytes: UnsafeBufferPointer<UInt8>) {
        state.pointee.buffer.put(0x22)
        JSONEscaping.append(bytes, to: &state.pointee.buffer, escapesSlashes: state.pointee.escapesSlashes)
        state.pointee.buffer.append(0x22)
    }

    /// The same for a short text, for which there is the room that it needs.
    @inline(__always)
    func quote(_ text: ShortText) {
        state.pointee.buffer.put(0x22)
        JSONEscaping.append(text, to: &state.pointee.buffer, escapesSlashes: state.pointee.escapesSlashes)
        state.pointee.buffer.append(0x22)
    }
}

// MARK: - Going back

extension JSONOutput {
    /// A place in what is written, to which `reset` goes back.
    package struct Mark: Sendable {
        /// Bytes written so far.
        package let count: Int
        fileprivate let depth: Int
        fileprivate let position: Position

        /// The start of a text.
        package static let start = Mark(count: 0, depth: 0, position: .first)
    }

    /// The present place.
    package var mark: Mark { Mark(count: count, depth: state.pointee.depth, position: state.pointee.position) }

    /// Takes back everything behind `mark`.
    package func reset(to mark: Mark) {
        state.pointee.buffer.truncate(to: mark.count)
        state.pointee.depth = mark.depth
        state.pointee.position = mark.position
    }

    /// Hands the text written so far to `body` and goes on behind it with an empty buffer: for texts that are written away piece
    /// by piece. Marks taken before are void.
    package func drain(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) rethrows {
        try body(text)
        state.pointee.buffer.truncate(to: 0)
    }

    /// Hands the text over to the caller, who gives its memory back by `free` of the C library, and goes on with an empty text.
    package func take() -> UnsafeMutableBufferPointer<UInt8> {
        let text = state.pointee.buffer.take()
        reset(to: .start)
        return text
    }

    /// Puts another text in the place of everything from an offset on.
    package func replace(from offset: Int, with text: [UInt8]) {
        state.pointee.buffer.truncate(to: offset)
        text.withUnsafeBufferPointer { state.pointee.buffer.append($0) }
    }

    /// Leaves a gap for one value, which `fill` puts in later; answers its offset.
    package func gap() -> Int {
        prepare(room: 0)
        state.pointee.position = .next
        return count
    }

    /// Puts texts into gaps, given in the order of their offsets. O(bytes behind the first gap).
    package func fill(_ gaps: [(offset: Int, text: [UInt8])]) {
        guard let first = gaps.first else { return }
        let tail = Array(text[first.offset...])
        var filled: [UInt8] = []
        for (index, gap) in gaps.enumerated() {
            filled += gap.text
            let end = index + 1 < gaps.count ? gaps[index + 1].offset : first.offset + tail.count
            filled += tail[(gap.offset - first.offset)..<(end - first.offset)]
        }
        replace(from: first.offset, with: filled)
    }
}
