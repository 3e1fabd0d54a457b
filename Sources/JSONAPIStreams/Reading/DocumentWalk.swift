import JSONAPICodec
import JSONText

/// Follows a document from portion to portion. It keeps the members that are not resources, counts resources, and checks the rules for the
/// whole document.
struct DocumentWalk {
    let options: JSONAPIDecoder
    private var splitter: DocumentSplitter
    /// The text of the members that are not resources, separated by commas.
    private var memberText: [UInt8] = []
    /// The start of each of them in `memberText`, and in the document.
    private var memberPlaces: [(start: Int, offset: Int, lines: LineLocator)] = []
    private var members = JSONObject()
    /// The number of values in these members.
    private var memberValueCount = 0
    private var resourceCount = 0
    /// The fault after the portion that was returned last.
    private var fault: (any Error)?
    /// Whether `data` is one resource.
    private var hasSingleData = false
    /// Whether `errors` was read, and has errors.
    private var hasErrors = false
    /// The first fault beside the errors of the server, which are thrown in its place.
    private var passedOver: (any Error)?
    /// Whether the portions after such a fault are not returned.
    private(set) var endsEarly = false
    private(set) var isFinished = false
    /// The leniencies that the members besides the resources need, known at the end.
    private(set) var diagnostics = Diagnostics()

    init(_ options: JSONAPIDecoder, maximumResourceBytes: Int) {
        self.options = options
        splitter = DocumentSplitter(
            options.reading, maximumResourceBytes: min(maximumResourceBytes, options.reading.maximumBytes),
            countsLines: options.reportsPositions)
    }

    /// The members read so far, without `data` and `included`.
    var header: DocumentObject { DocumentObject(members: members) }

    var byteCount: Int { splitter.byteCount }

    /// Whether the part of the document that was read has the section.
    func has(_ section: DocumentSection) -> Bool { splitter.has(section) }

    /// Releases the bytes of a finished walk.
    mutating func letGo() { if isFinished { splitter.letGo() } }

    mutating func append(_ chunk: some Sequence<UInt8>) { splitter.append(chunk) }

    mutating func complete() { splitter.complete() }

    /// Returns the next portion with resources; nil when more bytes are needed, and at the end, when `isFinished` is true.
    ///
    /// Throws `ErrorDocument` at the end of a document with `errors`, or a failure if the document is a request. Portions after the errors
    /// are returned only with the leniency `dataWithErrors`.
    mutating func next() throws -> DocumentPortion? {
        if let fault { throw fault }
        while let next = try splitter.next() {
            guard next.section == nil else {
                let portion = try counted(next)
                if endsEarly || members.contains(name: "errors") && !options.leniencies.contains(.dataWithErrors) {
                    try checkBesideErrors(portion)
                    continue
                }
                return portion
            }
            try keep(next)
        }
        guard splitter.isAtEnd, !isFinished else { return nil }
        isFinished = true
        // A cursor can go on with this walk after another one has come to its end.
        do {
            try finish()
            // A second member `errors` can have said that there are none.
            if let passedOver { throw passedOver }
        } catch {
            fault = error
        }
        if let fault { throw fault }
        return nil
    }

    /// Whether the errors of a server were read, and are thrown at the end. Outside of strict mode, they matter more than any other fault
    /// beside them, except for text that is not JSON, and limits.
    private var prefersErrors: Bool { hasErrors && options.mode != .strict && options.source == .response }

    /// Checks a portion that is not returned. Its text must be JSON.
    private func checkBesideErrors(_ portion: DocumentPortion) throws {
        if !prefersErrors { return try portion.check(options) }
        try portion.withTape(options) { _ in }
    }

    /// Returns whether the errors of the server are thrown at the end in place of the error of a portion that was returned.
    ///
    /// - Parameter endsEarly: Whether this is a fault of the document, after which no resource is returned.
    mutating func passesOver(_ error: any Error, endsEarly: Bool) -> Bool {
        let kind = ((error as? DecodingError)?.failure ?? error as? DecodingFailure)?.kind
        guard prefersErrors, !(error is DocumentFileError), kind != .syntax, kind?.category != .limit else { return false }
        passedOver = passedOver ?? error
        if endsEarly { self.endsEarly = true }
        return true
    }

    /// Counts the resources of a portion. Returns it, or its resources before the limit.
    private mutating func counted(_ portion: DocumentPortion) throws -> DocumentPortion {
        resourceCount += portion.resourceCount
        if portion.section == .data, !portion.isArray, portion.resourceCount > 0 { hasSingleData = true }
        guard resourceCount > options.maximumResources else { return portion }
        let index = max(portion.resourceCount - (resourceCount - options.maximumResources), 0)
        let failure = portion.moved(
            DecodingFailure(
                .resourceLimit, at: portion.pointer(ofElement: index), offset: portion.start(ofElement: index),
                expected: "at most \(options.maximumResources) resource objects", found: "more",
                advice: "raise maximumResources if you trust the document"), options)
        guard index > 0 else { throw failure }
        fault = failure
        return portion.prefix(index)
    }

    /// A placeholder for primary data that is a single resource.
    private static let anyResource = #"{"type":"any","id":"1"}"#

    /// The maximum number of other members. Each takes much more memory than the few bytes of its text.
    private static let maximumMembers = 100_000

    private mutating func keep(_ portion: DocumentPortion) throws {
        guard memberPlaces.count < Self.maximumMembers else {
            throw portion.moved(tooMany("at most \(Self.maximumMembers) members besides `data` and `included`", portion), options)
        }
        try portion.withTape(options) { tape in
            // An object counts as two values; this one is not in the document.
            memberValueCount += tape.wordCount - 2
            guard memberValueCount <= options.reading.maximumValues else {
                throw tooMany("at most \(options.reading.maximumValues) values besides `data` and `included`", portion)
            }
            for member in tape.view.object(at: tape.view.root) {
                members.append(name: member.name, value: member.value)
                if member.name == "errors" { hasErrors = !ErrorObject.list(in: member.value).isEmpty }
            }
        }
        if !memberText.isEmpty { memberText.append(UInt8(ascii: ",")) }
        memberPlaces.append((memberText.count, portion.offset, portion.lines.start))
        memberText += portion.text.dropFirst().dropLast()
    }

    /// Returns the failure of a member, with its place in the portion's own document.
    private func tooMany(_ reason: String, _ portion: DocumentPortion) -> DecodingFailure {
        DecodingFailure(JSONSyntaxError(.valueLimit, offset: portion.prefixCount, reason: reason))
    }

    // MARK: - The whole

    private mutating func finish() throws {
        do {
            let document = try headerDocument()
            diagnostics = try DocumentSurvey.check(part: document)
            // Errors that are null or empty do not count as errors.
            if document.layout.errors != 0 { throw try options.errors(DecodingSession(document)) }
        } catch let failure as DecodingFailure {
            throw located(failure)
        }
    }

    /// Returns a failure in the text of the members, which follows an added brace, with its place in the whole document.
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

    /// Returns the document without its resources.
    private func headerDocument() throws -> ParsedDocument {
        var parts = memberText.isEmpty ? [] : [memberText]
        for section in [DocumentSection.data, .included] where splitter.has(section) {
            parts.append(Array("\"\(section.rawValue)\":\(section == .data && hasSingleData ? Self.anyResource : "[]")".utf8))
        }
        let text = [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
        // The members were read before, and the arrays are added here.
        var unlimited = options
        unlimited.reading.maximumDepth = .max
        return try unlimited.withPortionTape(text.span) { tape in
            // A document keeps views of the tape.
            tape.takeOwnership()
            return try ParsedDocument(tape, options: options)
        }
    }

    /// Throws when the document, now at its end, has no primary data.
    func requireData() throws {
        guard !splitter.has(.data) else { return }
        var failure = DecodingFailure(
            .missingMember, at: .root, offset: splitter.opening?.offset, expected: "the member `data`", found: "a document without it")
        failure.position = splitter.opening?.position
        throw failure
    }
}

extension JSONAPIDecoder {
    /// The reading options for a portion, without the limits on the size of a text. These limit each of its resources.
    var portionReading: JSONReadingOptions {
        var reading = reading
        reading.maximumBytes = .max
        reading.maximumValues = .max
        // A portion can have two levels around its values where the document has fewer. The depth of the document was checked before.
        reading.maximumDepth = max(reading.maximumDepth, 2)
        return reading
    }

    /// The options for the document of a portion, whose elements were counted before. A resource inside a relationship, which a leniency
    /// reads, does not count, because no other portion would know of it.
    var forPortions: JSONAPIDecoder {
        var options = self
        options.maximumResources = .max
        return options
    }

    /// The options for a resource that is looked up in a file. It was checked and rewritten before.
    var forLookups: JSONAPIDecoder {
        var options = forPortions
        options.rewriters = [:]
        options.reading = portionReading
        return options
    }
}
