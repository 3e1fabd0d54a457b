import JSONAPICodec
import JSONText

/// Splits the text of a document, which arrives in chunks of any size, into portions that can be read on their own.
///
/// It reads only the outermost level: braces, names, colons and commas of the document and of its two arrays of resources. It skips the
/// contents of values, which are checked when the portion is read. When the outermost level is not JSON, the parser of whole texts
/// determines the error. It is given a prefix that brings it into the same state, so that there is only one grammar with one set of errors.
///
/// A splitter holds at most one chunk, and the bytes of one resource or of one other member. It looks at every byte once.
struct DocumentSplitter {
    /// The place of the next byte in the grammar.
    private enum State {
        case start, firstName, name, inName, colon, value, inValue
        case firstElement, element, inElement, afterElement
        case afterMember, end
    }

    /// Elements are returned as soon as they have this many bytes together.
    static let portionSize = 1 << 18

    private let options: JSONReadingOptions
    private let maximumResourceBytes: Int
    private let countsLines: Bool

    private var buffer: [UInt8] = []
    /// The offset of `buffer` in the document.
    private var base = 0
    /// The first byte in the buffer that was not returned yet: of a member, or of the waiting elements.
    private var start = 0
    /// The next byte to read.
    private var position = 0
    private var isComplete = false

    private var state = State.start
    private var scanner = ValueScanner()
    /// The section whose array is open, or whose name was read last.
    private var section: DocumentSection?
    /// The ranges of the waiting elements in the buffer.
    private var waiting: [Range<Int>] = []
    /// The start of the open value: of an element, or of a member.
    private var valueStart = 0
    private var counts: [DocumentSection: Int] = [:]
    /// Names of the outermost level: all of them when none may repeat, otherwise only those of the sections.
    private var names: Set<[UInt8]> = []
    /// The place of the document's first brace, once it was read.
    private(set) var opening: (offset: Int, position: TextPosition?)?
    /// The number of bytes in members other than the sections.
    private var memberBytes = 0
    private var lines = LineLocator()
    /// The error to throw after the elements before it were returned.
    private var fault: DecodingFailure?

    init(_ options: JSONReadingOptions, maximumResourceBytes: Int, countsLines: Bool) {
        self.options = options
        self.maximumResourceBytes = maximumResourceBytes
        self.countsLines = countsLines
    }

    /// The number of bytes that were appended.
    var byteCount: Int { base + buffer.count }

    /// Whether the document has ended and nothing follows it.
    var isAtEnd: Bool { state == .end && isComplete && position == buffer.count }

    /// Whether the document has the section.
    func has(_ section: DocumentSection) -> Bool { names.contains(Array(section.rawValue.utf8)) }

    /// Appends the next bytes. Call this only after `next` has returned nil, when no elements wait.
    mutating func append(_ chunk: some Sequence<UInt8>) {
        assert(waiting.isEmpty, "elements wait to be returned")
        if start > 0, start >= buffer.count / 2 { dropHandedOut() }
        buffer.append(contentsOf: chunk)
        // On 32-bit systems, offsets of a document that arrives in chunks could overflow.
        if base > Int.max - buffer.count - 64, fault == nil {
            fault = DecodingFailure(
                JSONSyntaxError(.sizeLimit, offset: base, reason: "the document is too long for this system", pointer: .root))
        }
    }

    /// Marks the end of the bytes.
    mutating func complete() { isComplete = true }

    /// Releases all bytes, at the end of the document.
    mutating func letGo() {
        guard isAtEnd else { return }
        base += buffer.count
        buffer = []
        start = 0
        position = 0
    }

    private mutating func dropHandedOut() {
        passLines(to: start)
        buffer.removeFirst(start)
        base += start
        position -= start
        valueStart -= start
        start = 0
    }
}

// MARK: - Portions

extension DocumentSplitter {
    private enum Step {
        case goOn, needsMore
        /// A member is complete, or elements of the section's array wait to be returned.
        case member, elements
    }

    /// Returns the next portion; nil when more bytes are needed, and at the end. Throws when the outermost level is not JSON, when a limit
    /// is exceeded, and when a section occurs twice.
    mutating func next() throws(DecodingFailure) -> DocumentPortion? {
        while fault == nil {
            do throws(DecodingFailure) {
                switch try step() {
                case .goOn: continue
                case .member: return take(isArray: false)
                case .elements: return take(isArray: true)
                case .needsMore where isComplete && !isAtEnd: throw failure(at: errorStart)
                case .needsMore: break
                }
            } catch {
                fault = error
            }
            // Return the elements that are complete, because the next bytes may arrive much later.
            guard !waiting.isEmpty else { break }
            return take(isArray: true)
        }
        if let fault { throw fault }
        return nil
    }

    /// Returns the prefix of a portion. Included resources need primary data beside them.
    private func prefix(isArray: Bool) -> String {
        switch (section, isArray) {
        case (.data, true): #"{"data":["#
        case (.included, true): #"{"data":[],"included":["#
        case (.included, false): #"{"data":[],"#
        default: "{"
        }
    }

    private mutating func take(isArray: Bool) -> DocumentPortion {
        let prefix = Array(prefix(isArray: isArray).utf8)
        var end = position
        var suffix = Array("}".utf8)
        var first = 0
        if isArray, let section {
            suffix = DocumentPortion.suffix
            start = waiting.first?.lowerBound ?? position
            end = waiting.last?.upperBound ?? position
            first = counts[section, default: 0] - waiting.count
        }
        passLines(to: start)
        var text: [UInt8] = []
        text.reserveCapacity(prefix.count + end - start + suffix.count)
        text += prefix
        text += buffer[start..<end]
        text += suffix
        let shift = prefix.count - start
        let portion = DocumentPortion(
            section: section, isArray: isArray, text: text, prefixCount: prefix.count, offset: base + start, firstOrdinal: first,
            elements: waiting.map { $0.lowerBound + shift..<$0.upperBound + shift }, lines: PortionLines(lines))
        waiting.removeAll(keepingCapacity: true)
        passLines(to: end)
        start = end
        return portion
    }

    /// Counts the lines up to a byte of the buffer.
    private mutating func passLines(to end: Int) {
        guard countsLines else { return }
        let passed = lines.count - base
        guard passed < end else { return }
        let bytes = buffer
        lines.pass(bytes.span.extracting(passed..<end))
    }
}

// MARK: - The outermost level

extension DocumentSplitter {
    /// Reads one token of the outermost level, or the available part of a value.
    private mutating func step() throws(DecodingFailure) -> Step {
        switch state {
        case .inName, .inValue, .inElement: return try stepInside()
        case .start: if !(try begin()) { return .needsMore }
        default: break
        }
        guard let byte = try skipBlanks(), !isCharacterCut else { return .needsMore }
        switch (state, byte) {
        case (.start, UInt8(ascii: "{")) where options.maximumDepth > 0:
            opening = (base + position, countsLines ? self.position(of: base + position) : nil)
            pass(.firstName)
        case (.start, _): throw try notObject()
        case (.firstName, UInt8(ascii: "}")), (.afterMember, UInt8(ascii: "}")): pass(.end)
        case (.firstName, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")):
            start = position
            section = nil
            state = .inName
        case (.colon, UInt8(ascii: ":")): pass(.value)
        case (.value, UInt8(ascii: "[")) where section != nil && options.maximumDepth > 1: pass(.firstElement)
        case (.firstElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            pass(.afterMember)
            return waiting.isEmpty ? .goOn : .elements
        case (.value, _): try begin(.inValue, byte)
        case (.firstElement, _), (.element, _): try begin(.inElement, byte)
        case (.afterElement, UInt8(ascii: ",")): pass(.element)
        case (.afterMember, UInt8(ascii: ",")): pass(.name)
        default: throw failure(at: position)
        }
        return .goOn
    }

    private mutating func pass(_ next: State) {
        position += 1
        state = next
    }

    /// Reads the first bytes: skips a byte-order mark, and detects other encodings. Returns false when there are too few bytes.
    private mutating func begin() throws(DecodingFailure) -> Bool {
        guard base + position == 0 else { return true }
        guard buffer.count >= 4 || isComplete else { return false }
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            lines.passMark()
            position = 3
        } else if let first = buffer.first, first == 0 || first >= 0x80 || buffer.dropFirst().first == 0 {
            throw failure(at: 0)
        }
        return true
    }

    private mutating func begin(_ next: State, _ byte: UInt8) throws(DecodingFailure) {
        switch byte {
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"): throw failure(at: position)
        default: break
        }
        valueStart = position
        if next == .inElement, waiting.isEmpty { start = position }
        state = next
    }

    /// Returns the next byte that is not whitespace; nil when there is none.
    private mutating func skipBlanks() throws(DecodingFailure) -> UInt8? {
        let found = buffer[position...].firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        position = found ?? buffer.count
        if state == .colon || state == .value {
            if position - start > maximumResourceBytes { throw tooLong(from: start) }
        } else if waiting.isEmpty {
            start = position
        }
        return found.map { buffer[$0] }
    }

    /// Whether the next byte begins a character whose other bytes have not arrived. The words of an error depend on them.
    private var isCharacterCut: Bool {
        let length =
            switch buffer[position] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        return !isComplete && buffer.count - position < length
    }

    private mutating func stepInside() throws(DecodingFailure) -> Step {
        // The brace of the document, and the bracket of the array, are open around the value.
        let depth = max(options.maximumDepth - (state == .inElement ? 2 : 1), 0)
        let bytes = buffer
        let result = scanner.scan(bytes.span, &position, maximumDepth: depth)
        if position - limitStart > maximumResourceBytes { throw tooLong(from: limitStart) }
        switch result {
        case .tooDeep: throw failure(at: errorStart)
        case .needsMore: return .needsMore
        case .ended: try checkScalar()
        }
        switch state {
        case .inName: try endName()
        case .inElement: return try endElement()
        default: return try endMember()
        }
        return .goOn
    }

    /// The start of what `maximumResourceBytes` limits: a resource without the name of its section, or another member with its name.
    private var limitStart: Int { state == .inElement || state == .inValue && section != nil ? valueStart : start }

    /// Throws when the number or literal that has just ended is not JSON. The words of the error depend on the byte after it, which is not in
    /// its portion.
    private func checkScalar() throws(DecodingFailure) {
        switch buffer[position - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"): return
        default: break
        }
        let suffix = state == .inElement ? DocumentPortion.suffix : Array("}".utf8)
        let text: [UInt8] = Array(beginning.utf8) + buffer[errorStart..<position] + suffix
        guard unlimited.syntaxError(in: text.span) != nil, let failure = parserFailure(from: errorStart) else { return }
        throw failure
    }

    private mutating func endName() throws(DecodingFailure) {
        let name = try unescaped(Array(buffer[start + 1..<position - 1]))
        // No other text is equal to these ASCII names.
        section = DocumentSection(rawValue: String(decoding: name, as: UTF8.self))
        state = .colon
        guard section != nil || options.duplicateNames == .refuse else { return }
        guard names.insert(name).inserted else { throw repeated(name) }
    }

    private mutating func endElement() throws(DecodingFailure) -> Step {
        guard let section else { return .goOn }
        waiting.append(valueStart..<position)
        counts[section, default: 0] += 1
        state = .afterElement
        return position - start >= Self.portionSize ? .elements : .goOn
    }

    private mutating func endMember() throws(DecodingFailure) -> Step {
        state = .afterMember
        if section == nil {
            memberBytes += position - start
            if memberBytes > maximumResourceBytes { throw tooLong(from: start) }
        }
        return .member
    }

    private func unescaped(_ name: [UInt8]) throws(DecodingFailure) -> [UInt8] {
        guard name.contains(UInt8(ascii: "\\")) else { return name }
        guard let json = try? JSON(parsing: [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]), case .string(let text) = json else {
            throw failure(at: start)
        }
        return Array(text.utf8)
    }
}

// MARK: - Failures

extension DocumentSplitter {
    /// The position from which the parser finds the error.
    private var errorStart: Int {
        switch state {
        case .inElement: valueStart
        case .inName, .inValue, .colon, .value: start
        default: position
        }
    }

    /// A prefix that brings the parser of whole texts into the current state.
    private var beginning: String {
        // The space prevents the following bytes from looking like another encoding.
        let array = " {\"\(section?.rawValue ?? "")\":["
        return switch state {
        case .start: base + position > 0 ? " " : ""
        case .firstName, .inName, .inValue, .colon, .value: " {"
        case .name: " {\"\":null,"
        case .element: array + "null,"
        case .firstElement, .inElement: array
        case .afterElement: array + "null"
        case .afterMember: " {\"\":null"
        case .end: " {}"
        }
    }

    /// Returns the error of the parser of whole texts for the bytes from the given position of the buffer.
    private func failure(at position: Int) -> DecodingFailure {
        parserFailure(from: state == .colon || state == .value ? start : position)
            ?? syntax(.unexpectedByte, at: base + position, "the text is not that of one document", .root)
    }

    /// The options without the limits on the size of a text.
    private var unlimited: JSONReadingOptions {
        var options = options
        options.maximumBytes = .max
        options.maximumValues = .max
        return options
    }

    private func parserFailure(from position: Int) -> DecodingFailure? {
        let beginning = Array(beginning.utf8)
        let text = beginning + buffer[position...]
        return unlimited.syntaxError(in: text.span).map { error in
            syntax(error.kind, at: base + position + error.offset - beginning.count, error.reason, error.pointer)
        }
    }

    private func syntax(_ kind: JSONSyntaxError.Kind, at offset: Int, _ reason: String, _ pointer: JSONPointer) -> DecodingFailure {
        var pointer = pointer
        // The small text does not contain the elements before this one.
        if state == .inElement, let section, pointer.tokens.count > 1 {
            pointer.tokens[1] = String(counts[section] ?? 0)
        }
        var failure = DecodingFailure(JSONSyntaxError(kind, offset: offset, reason: reason, pointer: pointer))
        if countsLines { failure.position = position(of: offset) }
        return failure
    }

    private func position(of offset: Int) -> TextPosition {
        var copy = self
        copy.passLines(to: min(max(offset - base, 0), buffer.count))
        return copy.lines.position
    }

    private func tooLong(from start: Int) -> DecodingFailure {
        let pointer = section.map { JSONPointer($0.rawValue) } ?? .root
        return syntax(
            .sizeLimit, at: base + start, "one resource or member has more than \(maximumResourceBytes) bytes, the limit",
            state == .inElement ? pointer.appending("") : pointer)
    }

    private func repeated(_ name: [UInt8]) -> DecodingFailure {
        let text = String(decoding: name, as: UTF8.self)
        let reason = "the name \"\(text)\" occurs twice in one object"
        return syntax(
            .duplicateName, at: base + start, section == nil ? reason : reason + ", and its resources were already returned", .root)
    }

    private func notObject() throws(DecodingFailure) -> DecodingFailure {
        if let failure = parserFailure(from: position), failure.offset == base + position, failure.syntaxError?.kind != .unexpectedEnd {
            return failure
        }
        return DecodingFailure(
            .documentNotObject, at: .root, offset: base + position, expected: "a JSON:API document, which is an object",
            found: "another value")
    }
}
