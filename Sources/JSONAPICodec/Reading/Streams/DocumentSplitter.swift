import JSONText

/// Cuts the text of a document, which comes in chunks of any size, into portions that can be read alone.
///
/// Only the outermost level is read here: braces, names, colons and commas of the document and of its two arrays of resources.
/// What lies inside a value is counted through and checked by whoever reads the portion. Where the outermost level is not JSON,
/// the parser of whole texts is asked for the error, behind a beginning that brings it into the same state: there is one
/// grammar, with one set of errors.
///
/// Holds at most the bytes of one resource, or one other member, and one chunk. Every byte is looked at once.
struct DocumentSplitter {
    /// Where in the grammar the next byte stands.
    private enum State {
        case start, firstName, name, inName, colon, value, inValue
        case firstElement, element, inElement, afterElement
        case afterMember, end
    }

    /// Elements are handed out when they take so many bytes together.
    static let portionSize = 1 << 18

    private let options: JSONReadingOptions
    private let maximumResourceBytes: Int
    private let countsLines: Bool

    private var buffer: [UInt8] = []
    /// Where `buffer` begins in the document.
    private var base = 0
    /// The first byte in the buffer that was not handed out: of a member, or of the elements that wait.
    private var start = 0
    /// The next byte to look at.
    private var position = 0
    private var isComplete = false

    private var state = State.start
    private var scanner = ValueScanner()
    /// The section whose array is open, or whose name was read.
    private var section: DocumentSection?
    /// The elements that wait, in the buffer.
    private var waiting: [Range<Int>] = []
    private var elementStart = 0
    private var counts: [DocumentSection: Int] = [:]
    /// Names of the outermost level: all where none may repeat, else the two of the sections.
    private var names: Set<[UInt8]> = []
    /// Bytes of the members that are no resources.
    private var memberBytes = 0
    private var lines = LineLocator()
    /// What is wrong, thrown when the elements in front of it were handed out.
    private var fault: DecodingFailure?

    init(_ options: JSONReadingOptions, maximumResourceBytes: Int, countsLines: Bool) {
        self.options = options
        self.maximumResourceBytes = maximumResourceBytes
        self.countsLines = countsLines
    }

    /// How many bytes have come.
    var byteCount: Int { base + buffer.count }

    /// Whether the document is over, with nothing behind it.
    var isAtEnd: Bool { state == .end && isComplete && position == buffer.count }

    /// Whether the document has the section.
    func has(_ section: DocumentSection) -> Bool { names.contains(Array(section.rawValue.utf8)) }

    /// Takes the next bytes, when `next` has returned nil: then no elements wait.
    mutating func append(_ chunk: some Sequence<UInt8>) {
        assert(waiting.isEmpty, "elements wait to be handed out")
        if start > 0, start >= buffer.count / 2 { dropHandedOut() }
        buffer.append(contentsOf: chunk)
        // On systems of 32 bits: offsets of a document that comes in chunks would run over.
        if base > Int.max - buffer.count - 64, fault == nil {
            fault = DecodingFailure(
                JSONSyntaxError(.sizeLimit, offset: base, reason: "the document is too long for this system", pointer: .root))
        }
    }

    /// Says that no more bytes come.
    mutating func complete() { isComplete = true }

    /// Lets go of all bytes, at the end of the document.
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
        elementStart -= start
        start = 0
    }
}

// MARK: - Portions

extension DocumentSplitter {
    private enum Step {
        case goOn, needsMore
        case portion(DocumentPortion.Kind)
    }

    /// The next portion; nil when more bytes have to come first, and at the end. Throws when the outermost level is not JSON, a
    /// limit is met, or a section stands there twice.
    mutating func next() throws(DecodingFailure) -> DocumentPortion? {
        while fault == nil {
            do throws(DecodingFailure) {
                switch try step() {
                case .goOn: continue
                case .portion(let kind): return take(kind)
                case .needsMore where isComplete && !isAtEnd: throw failure(at: errorStart)
                case .needsMore: break
                }
            } catch {
                fault = error
            }
            // What is there is handed out: the next bytes may take their time.
            guard let section, !waiting.isEmpty else { break }
            return take(.elements(section))
        }
        if let fault { throw fault }
        return nil
    }

    /// What stands in front of a portion's bytes. Resources are included beside primary data only.
    private static func beginning(of kind: DocumentPortion.Kind) -> String {
        switch kind {
        case .elements(.data): #"{"data":["#
        case .elements(.included): #"{"data":[],"included":["#
        case .value(.included): #"{"data":[],"#
        case .value(.data), .member: "{"
        }
    }

    private mutating func take(_ kind: DocumentPortion.Kind) -> DocumentPortion {
        let prefix = Array(Self.beginning(of: kind).utf8)
        var end = position
        var suffix = Array("}".utf8)
        var first = 0
        if case .elements(let section) = kind {
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
            kind: kind, text: text, prefixCount: prefix.count, offset: base + start, firstOrdinal: first,
            elements: waiting.map { $0.lowerBound + shift..<$0.upperBound + shift }, lines: lines)
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
    /// Reads one token of the outermost level, or as much of a value as there is.
    private mutating func step() throws(DecodingFailure) -> Step {
        switch state {
        case .inName, .inValue, .inElement: return try stepInside()
        case .start: if !(try begin()) { return .needsMore }
        default: break
        }
        guard let byte = try skipBlanks() else { return .needsMore }
        switch (state, byte) {
        case (.start, UInt8(ascii: "{")) where options.maximumDepth > 0: pass(.firstName)
        case (.start, _): throw try notObject()
        case (.firstName, UInt8(ascii: "}")), (.afterMember, UInt8(ascii: "}")): pass(.end)
        case (.firstName, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")):
            start = position
            state = .inName
        case (.colon, UInt8(ascii: ":")): pass(.value)
        case (.value, UInt8(ascii: "[")) where section != nil && options.maximumDepth > 1: pass(.firstElement)
        case (.firstElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            pass(.afterMember)
            guard let section, !waiting.isEmpty else { return .goOn }
            return .portion(.elements(section))
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

    /// The first bytes: a mark to skip, or another encoding. False when there are too few of them.
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
        if next == .inElement {
            elementStart = position
            if waiting.isEmpty { start = position }
        }
        state = next
    }

    /// The next byte that is no blank.
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

    private mutating func stepInside() throws(DecodingFailure) -> Step {
        // The document's own brace, and the bracket of the array, are open around the value.
        let depth = max(options.maximumDepth - (state == .inElement ? 2 : 1), 0)
        let bytes = buffer
        let result = scanner.scan(bytes.span, &position, maximumDepth: depth)
        let valueStart = state == .inElement ? elementStart : start
        if position - valueStart > maximumResourceBytes { throw tooLong(from: valueStart) }
        switch result {
        case .tooDeep: throw failure(at: errorStart)
        case .needsMore: return .needsMore
        case .ended: break
        }
        switch state {
        case .inName: try endName()
        case .inElement: return try endElement()
        default: return try endMember()
        }
        return .goOn
    }

    private mutating func endName() throws(DecodingFailure) {
        let name = try unescaped(Array(buffer[start + 1..<position - 1]))
        section = DocumentSection(name)
        state = .colon
        guard section != nil || options.duplicateNames == .refuse else { return }
        guard names.insert(name).inserted else { throw repeated(name) }
    }

    private mutating func endElement() throws(DecodingFailure) -> Step {
        guard let section else { return .goOn }
        waiting.append(elementStart..<position)
        counts[section, default: 0] += 1
        state = .afterElement
        return position - start >= Self.portionSize ? .portion(.elements(section)) : .goOn
    }

    private mutating func endMember() throws(DecodingFailure) -> Step {
        state = .afterMember
        if let section { return .portion(.value(section)) }
        memberBytes += position - start
        if memberBytes > maximumResourceBytes { throw tooLong(from: start) }
        return .portion(.member)
    }

    private func unescaped(_ name: [UInt8]) throws(DecodingFailure) -> [UInt8] {
        guard name.contains(UInt8(ascii: "\\")) else { return name }
        guard let json = try? JSON(parsing: [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]), case .string(let text) = json else {
            throw failure(at: start)
        }
        return Array(text.utf8)
    }
}

extension DocumentSection {
    fileprivate init?(_ name: [UInt8]) {
        if name.elementsEqual("data".utf8) {
            self = .data
        } else if name.elementsEqual("included".utf8) {
            self = .included
        } else {
            return nil
        }
    }
}

// MARK: - Failures

extension DocumentSplitter {
    /// Where the parser has to begin to find what is wrong.
    private var errorStart: Int {
        switch state {
        case .inElement: elementStart
        case .inName, .inValue, .colon, .value: start
        default: position
        }
    }

    /// A beginning that brings the parser of whole texts into the present state.
    private var beginning: String {
        // The blank keeps what follows from being taken for the beginning of a text in another encoding.
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

    /// The error that the parser of whole texts has for the bytes from a position of the buffer on.
    private func failure(at position: Int) -> DecodingFailure {
        parserFailure(from: state == .colon || state == .value ? start : position)
            ?? syntax(.unexpectedByte, at: base + position, "the text is not that of one document", .root)
    }

    private func parserFailure(from position: Int) -> DecodingFailure? {
        let beginning = Array(beginning.utf8)
        let text = beginning + buffer[position...]
        return errorOptions.syntaxError(in: text.span).map { error in
            syntax(error.kind, at: base + position + error.offset - beginning.count, error.reason, error.pointer)
        }
    }

    private var errorOptions: JSONReadingOptions {
        var options = options
        options.maximumBytes = .max
        return options
    }

    private func syntax(_ kind: JSONSyntaxError.Kind, at offset: Int, _ reason: String, _ pointer: JSONPointer) -> DecodingFailure {
        var pointer = pointer
        // The elements before are not in the small text.
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
        let reason = "the name \"\(text)\" stands twice in one object"
        return syntax(
            .duplicateName, at: base + start, section == nil ? reason : reason + ", and its resources were handed out already", .root)
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
