import JSONText

/// Follows a document from portion to portion: keeps the members that are no resources, counts, and checks what concerns the
/// whole.
struct DocumentWalk {
    let options: JSONAPIDecoder
    private var splitter: DocumentSplitter
    /// The members that are no resources, as text, with commas between.
    private var memberText: [UInt8] = []
    /// Where each of them begins in `memberText`, and in the document.
    private var memberPlaces: [(start: Int, offset: Int, lines: LineLocator)] = []
    private var members = JSONObject()
    private var resourceCount = 0
    /// Whether `data` is one resource.
    private var hasSingleData = false
    private(set) var isFinished = false

    init(_ options: JSONAPIDecoder, maximumResourceBytes: Int) {
        self.options = options
        splitter = DocumentSplitter(
            options.reading, maximumResourceBytes: maximumResourceBytes, countsLines: options.reportsPositions)
    }

    /// The members read so far, without `data` and `included`.
    var header: DocumentObject { DocumentObject(members: members) }

    /// The members that were read behind the first so many, without `data` and `included`.
    func members(from count: Int) -> JSONObject.SubSequence { members.dropFirst(count) }

    var byteCount: Int { splitter.byteCount }

    /// Whether the document, so far, has the section.
    func has(_ section: DocumentSection) -> Bool { splitter.has(section) }

    /// Lets go of the bytes of a walk that is finished.
    mutating func letGo() { if isFinished { splitter.letGo() } }

    mutating func append(_ chunk: some Sequence<UInt8>) { splitter.append(chunk) }

    mutating func complete() { splitter.complete() }

    /// The next portion with resources; nil when more bytes have to come first, and at the end, which `isFinished` tells apart.
    ///
    /// Throws `ErrorDocument` at the end of a document with `errors`. Portions behind the errors are not handed out.
    mutating func next() throws -> DocumentPortion? {
        while let portion = try splitter.next() {
            guard case .member = portion.kind else {
                try count(portion)
                if hasErrors, !options.leniencies.contains(.dataWithErrors) {
                    try portion.check(options)
                    continue
                }
                return portion
            }
            try keep(portion)
        }
        if splitter.isAtEnd, !isFinished { try finish() }
        return nil
    }

    private var hasErrors: Bool { members.contains(name: "errors") }

    private mutating func count(_ portion: DocumentPortion) throws {
        resourceCount += portion.resourceCount
        if case .value(.data) = portion.kind, portion.resourceCount > 0 { hasSingleData = true }
        guard resourceCount > options.maximumResources else { return }
        let index = max(portion.resourceCount - (resourceCount - options.maximumResources), 0)
        throw portion.moved(
            DecodingFailure(
                .resourceLimit, at: portion.pointer(ofElement: index), offset: portion.start(ofElement: index),
                expected: "at most \(options.maximumResources) resource objects", found: "more",
                advice: "raise maximumResources if the document is to be trusted"), options)
    }

    /// Stands for primary data that are one resource.
    private static let anyResource = #"{"type":"any","id":"1"}"#

    private mutating func keep(_ portion: DocumentPortion) throws {
        try portion.withTape(options) { tape in
            for member in tape.view.object(at: tape.view.root) { members.append(name: member.name, value: member.value) }
        }
        if !memberText.isEmpty { memberText.append(UInt8(ascii: ",")) }
        memberPlaces.append((memberText.count, portion.offset, portion.lines))
        memberText += portion.text.dropFirst().dropLast()
    }

    // MARK: - The whole

    private mutating func finish() throws {
        isFinished = true
        do {
            let document = try headerDocument()
            if options.mode == .strict { _ = try DocumentSurvey.run(document) }
            // Errors that say nothing are none.
            guard document.layout.errors != 0, !options.leniencies.contains(.dataWithErrors) || !splitter.has(.data) else { return }
            throw try ErrorDocument(DecodingSession(document))
        } catch let failure as DecodingFailure {
            throw located(failure)
        }
    }

    /// A failure in the text of the members, behind a brace of ours, at its place in the whole document.
    private func located(_ failure: DecodingFailure) -> DecodingFailure {
        guard let offset = failure.offset.map({ $0 - 1 }), offset < memberText.count,
            let place = memberPlaces.last(where: { $0.start <= offset })
        else { return failure.at(failure.pointer, offset: nil, position: nil) }
        var position: TextPosition?
        if options.reportsPositions {
            var lines = place.lines
            let text = memberText
            lines.pass(text.span.extracting(place.start..<offset))
            position = lines.position
        }
        return failure.at(failure.pointer, offset: place.offset + offset - place.start, position: position)
    }

    /// The document without its resources.
    private func headerDocument() throws -> ParsedDocument {
        var parts = memberText.isEmpty ? [] : [memberText]
        for section in [DocumentSection.data, .included] where splitter.has(section) {
            parts.append(Array("\"\(section.rawValue)\":\(section == .data && hasSingleData ? Self.anyResource : "[]")".utf8))
        }
        let text = [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
        // The members were read before; the arrays are ours.
        var unlimited = options
        unlimited.reading.maximumDepth = .max
        return try unlimited.withPortionTape(text.span) { tape in
            // A document keeps views of its own.
            tape.takeOwnership()
            return try ParsedDocument(tape, options: options)
        }
    }

    /// Throws when the document, now at its end, has no primary data.
    func requireData() throws {
        guard !splitter.has(.data) else { return }
        throw DecodingFailure(.missingMember, at: .root, expected: "the member `data`", found: "a document without it")
    }
}

extension JSONAPIDecoder {
    /// How the text of a portion is read: the limits of a whole document's size are not a portion's.
    var portionReading: JSONReadingOptions {
        var reading = reading
        reading.maximumBytes = .max
        reading.maximumValues = .max
        return reading
    }
}
