import JSONAPICodec
import JSONText

/// Reads the resources of portions as values of one type.
///
/// A portion is read in one session, at the cost of a whole document of its size. Resources that its models embed are fetched from the file
/// and appended in `included`. The first portions show which relationships are embedded, so that later portions are read only once.
final class PortionDecoder<Element: PrimaryElement> {
    private let options: JSONAPIDecoder
    private let resolver: SourceResolver
    /// Nil for a document that arrives in chunks, in which nothing can be looked up by identity.
    private let file: DocumentFile?
    /// The type that resources of `included` must have to be read; nil for any.
    private let requiredType = (Element.self as? any Resource.Type)?.type
    /// The relationships whose resources are embedded.
    private var names: [String] = []
    /// The memory of the previous session.
    private var kept: DecodingMemory?
    private(set) var diagnostics: Diagnostics

    init(_ options: JSONAPIDecoder, _ file: DocumentFile?) {
        self.options = options
        self.file = file
        resolver = SourceResolver(file ?? NoResources(), options.forLookups)
        diagnostics = Diagnostics(maximumBytes: options.maximumDiagnosticBytes)
    }

    /// Returns the values in order, with an error for each that cannot be read, and the fault of the portion after them.
    func decode(_ portion: DocumentPortion) -> (values: [Result<Element, any Error>], fault: (any Error)?) {
        // A rewritten text has other offsets, but the same pointers.
        var isRewritten = false
        do {
            var gathering = try PortionGathering(portion, of: Element.self, options, file)
            isRewritten = !options.rewriters.isEmpty
            return (try attempt(&gathering), nil)
        } catch let failure as DecodingFailure {
            let fault = portion.moved(failure, options, isRewritten: isRewritten)
            let index = isRewritten ? portion.element(at: failure.pointer) : failure.offset.flatMap { portion.element(at: $0) }
            guard let index, index > 0 else { return ([], fault) }
            // The text is read before the rules are checked, so an earlier element may break a rule.
            let (values, earlier) = decode(portion.prefix(index))
            return (values, earlier ?? fault)
        } catch {
            return ([], error)
        }
    }

    private func attempt(_ gathering: inout PortionGathering) throws -> [Result<Element, any Error>] {
        let uses = try gathering.check()
        try gathering.fetchLinkage(names, goingOnWith: names)
        while true {
            let knewFault = file?.fault != nil
            let reading = try read(gathering)
            if let file {
                // A model may have stopped at the first missing relationship. The next one must not cost a round for each.
                let hasMore = try gathering.fetchLinkage(learn(reading.wanted), goingOnWith: names)
                if try gathering.fetch(reading.wanted.map(\.identifier), names) || hasMore { continue }
                // The first look-up reads the whole file. What was not found may be after its fault.
                if !knewFault, !reading.wanted.isEmpty, file.fault != nil { continue }
            }
            diagnostics.append(uses)
            diagnostics.append(reading.diagnostics)
            return reading.values
        }
    }

    /// Notes which relationships are embedded, and returns the new ones.
    private func learn(_ wanted: [WantedResource]) -> [String] {
        let known = names.count
        for name in Set(wanted.map(\.relationship.name)) where !names.contains(where: { UTF8Bytes.areEqual($0, name) }) {
            names.append(name)
        }
        return Array(names[known...])
    }
}

// MARK: - One session

extension PortionDecoder {
    /// The result of a session over the portion and the fetched resources.
    private struct Reading {
        let values: [Result<Element, any Error>]
        /// The resources that were missing.
        let wanted: [WantedResource]
        let diagnostics: Diagnostics
    }

    /// An error of the file. Its place already refers to the whole document.
    private struct FileFault: Error {
        let error: any Error
    }

    private func read(_ gathering: PortionGathering) throws -> Reading {
        // No running session may use this memory. A model may read the next resource while it is being created.
        let memory = kept.take() ?? DecodingMemory()
        let text = gathering.documentText()
        return try options.withPortionTape(text.span, reusing: memory.takeTape()) { tape in
            try read(tape, memory, gathering)
        } released: { tape in
            // The session and the document held the tape and have been released, so nothing else reads their memory.
            memory.renew(from: tape)
            kept = memory
        }
    }

    /// A separate function, so that nothing of the session is alive when the caller looks at the tape again.
    @inline(never)
    private func read(_ tape: Tape, _ memory: DecodingMemory, _ gathering: PortionGathering) throws -> Reading {
        let portion = gathering.portion
        // A rewritten text was checked before it was rewritten.
        if options.rewriters.isEmpty { try portion.checkValueCounts(tape, options) }
        let document = try ParsedDocument(tape, options: options.forPortions, findsByIdentity: file != nil, memory: memory.index)
        var session = DecodingSession(document, source: resolver, tables: memory.tables)
        defer { DecodingSession.end(&session) }
        session.answerValues()
        session.unreadable = gathering.ownFailures
        let ownCount = portion.section == .included ? portion.elements.count : document.index.primaryCount
        for (number, failure) in gathering.failures { session.unreadable[ownCount + number] = failure }
        session.place = { portion.moved($0, fetched: gathering.places) }
        var diagnostics = Diagnostics(maximumBytes: options.maximumDiagnosticBytes)
        let values = values(session, gathering, &diagnostics)
        diagnostics.append(session.diagnostics.moved { portion.moved($0, fetched: gathering.places) })
        return Reading(values: values, wanted: session.wanted, diagnostics: diagnostics)
    }

    private func values(
        _ session: DecodingSession, _ gathering: PortionGathering, _ diagnostics: inout Diagnostics
    ) -> [Result<Element, any Error>] {
        let portion = gathering.portion
        let count = portion.section == .data ? session.document.index.primaryCount : portion.elements.count
        var results: [Result<Element, any Error>] = []
        results.reserveCapacity(count)
        for (ordinal, entry) in zip(0..<count, session.document.entries) where portion.section == .data || isWanted(entry, session) {
            do {
                results.append(.success(try read(session, ordinal)))
            } catch {
                let moved = (error as? FileFault)?.error ?? portion.moved(error, options, fetched: gathering.places)
                guard drops(moved) else {
                    results.append(.failure(moved))
                    continue
                }
                diagnostics.append(.droppedElement) {
                    let failure = (moved as? DecodingError)?.failure
                    return Diagnostic(
                        .droppedElement, at: portion.moved(session.pointer(ofResource: ordinal)),
                        "left out: \(failure?.description ?? "\(moved)")")
                }
            }
        }
        return results
    }

    private func isWanted(_ entry: ResourceEntry, _ session: DecodingSession) -> Bool {
        // What is no object has no type. Reading it says so.
        guard let requiredType, entry.type != 0 else { return true }
        return session.document.view.string(at: Int(entry.type), equals: requiredType)
    }

    private func read(_ session: DecodingSession, _ ordinal: Int) throws -> Element {
        let wanted = session.wanted.count
        let result = Result<Element, any Error> {
            let value = try Element._element(PrimarySource(session: session), ordinal)
            try session.finishOne()
            return value
        }
        guard session.wanted.count > wanted else { return try result.get() }
        // The missing resource may be after the fault of the document.
        if let fault = file?.fault { throw FileFault(error: fault) }
        guard file == nil, options.missingResources != .omit else { return try result.get() }
        let name = session.wanted[wanted].relationship.name
        throw DecodingFailure(
            .notIncluded, at: session.pointer(ofResource: ordinal).appending("relationships").appending(name),
            resource: session.identifier(of: ordinal), expected: "a relationship that is not embedded",
            found: "one whose resource is embedded, in a document that arrives in chunks",
            advice:
                "declare `\(name)` as ToOne or ToMany, read the document from a file with DocumentReader, or set missingResources to omit")
    }

    /// Whether the options say to continue without a resource that cannot be read.
    private func drops(_ error: any Error) -> Bool {
        options.invalidElements == .drop && (error as? DecodingError)?.failure?.kind.category != .limit
    }
}

/// The source for documents that arrive in chunks, where no other resource is available. A resource may arrive later, so references keep
/// their identifiers, whatever the option for missing resources is.
private final class NoResources: ResourceSource {
    var knowsWhatIsMissing: Bool { false }
    var isStorage: Bool { false }
    func resourceText(_ identifier: ResourceIdentifier) -> [UInt8]? { nil }
}
