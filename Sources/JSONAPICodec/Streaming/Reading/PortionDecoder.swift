import JSONText

/// Reads the resources of portions as values of one type.
///
/// A portion is read in one session, at the cost of a whole document of its size. What its models embed is fetched from the file
/// and put into `included` behind it; which relationships are embedded is learned from the first portions, so that later ones are
/// read once.
final class PortionDecoder<Element: PrimaryElement> {
    private let options: JSONAPIDecoder
    private let resolver: SourceResolver
    /// Nil for a document that comes in chunks: nothing in it is found by identity.
    private let file: DocumentFile?
    /// The type that resources of `included` must have to be read; nil for any.
    private let requiredType = (Element.self as? any Resource.Type)?.type
    /// The relationships whose resources are embedded.
    private var names: [String] = []
    private(set) var diagnostics = Diagnostics()

    init(_ options: JSONAPIDecoder, _ file: DocumentFile?) {
        var plain = options
        plain.rewriters = [:]
        self.options = options
        self.file = file
        resolver = SourceResolver(file ?? NoResources(), plain)
    }

    /// The values in their order, an error for each that cannot be read, and what is wrong with the portion behind them.
    func decode(_ portion: DocumentPortion) -> (values: [Result<Element, any Error>], fault: (any Error)?) {
        do {
            return (try attempt(portion), nil)
        } catch let failure as DecodingFailure {
            let fault = portion.moved(failure, options)
            guard let offset = failure.offset, let index = portion.element(at: offset), index > 0, options.rewriters.isEmpty else {
                return ([], fault)
            }
            // What stands in front of the fault is not spoiled by it.
            return ((try? attempt(portion.prefix(index))) ?? [], fault)
        } catch {
            return ([], error)
        }
    }

    private func attempt(_ portion: DocumentPortion) throws -> [Result<Element, any Error>] {
        var gathering = PortionGathering(portion, try text(of: portion), file)
        var document = try gathering.document(options)
        if options.mode == .strict { _ = try DocumentSurvey.run(document) }
        if !names.isEmpty, try gathering.fetch(linkage(of: document), names) { document = try gathering.document(options) }
        while true {
            let session = DecodingSession(document, source: resolver)
            let values = read(session, portion, gathering)
            if file != nil {
                for name in Set(session.wanted.map(\.relationship)) where !names.contains(where: { UTF8Bytes.areEqual($0, name) }) {
                    names.append(name)
                }
                if try gathering.fetch(session.wanted.map(\.identifier), names) {
                    document = try gathering.document(options)
                    continue
                }
            }
            diagnostics.append(session.diagnostics.moved { portion.moved($0, fetched: gathering.places) })
            return values
        }
    }

    private func text(of portion: DocumentPortion) throws -> [UInt8] {
        guard let rewriting = ResourceRewriting(options.rewriters) else { return portion.text }
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: portion.text, options: options.portionReading) } catch {
            throw DecodingFailure(error)
        }
        return try JSONWriter.unlimited.write(try rewriting.document(json))
    }

    /// What the embedded relationships of all resources lead to that is not in the document.
    private func linkage(of document: ParsedDocument) -> [ResourceIdentifier] {
        document.index.entries.flatMap { document.missingLinkage(of: $0, names) }
    }
}

// MARK: - One resource

extension PortionDecoder {
    private func read(_ session: DecodingSession, _ portion: DocumentPortion, _ gathering: PortionGathering) -> [Result<Element, any Error>]
    {
        let count = portion.section == .data ? session.document.index.primaryCount : portion.elements.count
        var results: [Result<Element, any Error>] = []
        results.reserveCapacity(count)
        for ordinal in 0..<count where portion.section == .data || isWanted(session, ordinal) {
            let result = Result { try read(session, ordinal) }
            guard case .failure(let error) = result else {
                results.append(result)
                continue
            }
            let moved = portion.moved(error, options, fetched: gathering.places)
            if drops(moved, session, portion.moved(session.pointer(ofResource: ordinal))) { continue }
            results.append(.failure(moved))
        }
        return results
    }

    private func isWanted(_ session: DecodingSession, _ ordinal: Int) -> Bool {
        guard let requiredType else { return true }
        return session.view.string(at: Int(session.entries[ordinal].type), equals: requiredType)
    }

    private func read(_ session: DecodingSession, _ ordinal: Int) throws -> Element {
        let wanted = session.wanted.count
        let result = Result { try Element._element(PrimarySource(session: session), ordinal) }
        guard file == nil, options.missingResources != .omit, session.wanted.count > wanted else { return try result.get() }
        let name = session.wanted[wanted].relationship
        throw DecodingFailure(
            .notIncluded, at: session.pointer(ofResource: ordinal).appending("relationships").appending(name),
            resource: session.identifier(of: ordinal), expected: "a relationship that is not embedded",
            found: "one whose resource is embedded, in a document that comes in chunks",
            advice:
                "declare `\(name)` as ToOne or ToMany, read the document from a file with DocumentReader, or set missingResources to omit")
    }

    /// Whether the options say to go on without a resource that cannot be read; reports it then.
    private func drops(_ error: any Error, _ session: DecodingSession, _ pointer: JSONPointer) -> Bool {
        let failure = (error as? DecodingError)?.failure
        guard options.invalidElements == .drop, failure?.kind.category != .limit else { return false }
        diagnostics.append(.droppedElement) {
            Diagnostic(.droppedElement, at: pointer, "left out: \(failure?.description ?? "\(error)")")
        }
        return true
    }
}

/// For documents that come in chunks: no resource is at hand when another one is read.
private final class NoResources: ResourceSource {
    func resourceText(_ identifier: ResourceIdentifier) -> [UInt8]? { nil }
}
