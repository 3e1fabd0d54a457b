import JSONAPICodec
import JSONMapping
import JSONText

// Parses a portion, and converts places in it to places in the whole document.

extension DocumentPortion {
    /// Parses the portion and passes its tape to `body`. The tape is valid only during the call.
    func withTape<Result>(_ options: JSONAPIDecoder, _ body: (Tape) throws -> Result) throws -> Result {
        do {
            return try options.withPortionTape(text.span) { tape in
                try checkValueCounts(tape, options)
                return try body(tape)
            }
        } catch let failure as DecodingFailure {
            // Without the type, this would be the overload for errors of a rewritten text.
            throw moved(failure, options) as DecodingFailure
        }
    }

    /// Throws when the portion's resources break a rule that holds for every document.
    func check(_ options: JSONAPIDecoder) throws {
        do {
            try withTape(options) { tape in
                let document = try ParsedDocument(tape, options: options.forPortions, findsByIdentity: false)
                if options.mode == .strict { _ = try DocumentSurvey.check(part: document) }
            }
        } catch let failure as DecodingFailure {
            // The text is read before the rules are checked, so an earlier element may break a rule.
            if let index = element(of: failure), index > 0 { try prefix(index).check(options) }
            throw failure
        }
    }

    /// Returns the text, rewritten as the options ask, to be read as values of a type. Also returns the errors of elements that cannot be
    /// rewritten, by their index; their texts stay as they are.
    func rewritten(_ options: JSONAPIDecoder, of type: Any.Type) throws -> (text: [UInt8], failures: [Int: any Error]) {
        let contents = section == .included ? ResourceRewriting.Contents.resources(nil) : .init(type)
        guard let rewriting = ResourceRewriting(options.rewriters, primary: contents, leniencies: options.leniencies), let section else {
            return (text, [:])
        }
        var members = try options.withPortionTape(text.span) { tape in
            try checkValueCounts(tape, options)
            return tape.view.object(at: tape.view.root)
        }
        var failures: [Int: any Error] = [:]
        if let resources = members[section.rawValue] {
            members[section.rawValue] = rewriting.resources(resources, at: JSONPointer(section.rawValue)) { failures[$0] = $1 }
        }
        return (try JSONWriter.unlimited.write(.object(members)), failures)
    }
}

extension DocumentPortion {
    /// Throws when a resource of the portion has more values than the options allow.
    ///
    /// - Parameter tape: A tape of the portion's text, in which other resources may follow.
    /// - Complexity: O(1) when all resources together have fewer.
    func checkValueCounts(_ tape: Tape, _ options: JSONAPIDecoder) throws(DecodingFailure) {
        let view = tape.view
        let limit = options.reading.maximumValues
        guard tape.wordCount > limit, let section, let value = view.member(section.rawValue, of: view.root) else { return }
        func check(_ word: Int, _ index: Int) throws(DecodingFailure) {
            // Each word of the tape is one value.
            guard view.next(after: word) - word > limit else { return }
            throw DecodingFailure(
                JSONSyntaxError(
                    .valueLimit, offset: view.offset(at: word), reason: "one resource has more than \(limit) values, the limit",
                    pointer: pointer(ofElement: index)))
        }
        guard isArray else { return try check(value, 0) }
        try view.forEachElement(of: value) { element, index throws(DecodingFailure) in
            if index < elements.count { try check(element, index) }
        }
    }
}

// MARK: - Places

extension DocumentPortion {
    /// The number of resource objects in the portion.
    var resourceCount: Int {
        if section == .data, !isArray { return text.suffix(5).elementsEqual("null}".utf8) ? 0 : 1 }
        return elements.count
    }

    /// Returns the place of an element in the portion's own document.
    func pointer(ofElement index: Int) -> JSONPointer {
        let section = JSONPointer(section?.rawValue ?? "")
        return isArray ? section.appending(index) : section
    }

    /// Returns the offset of an element in the portion's text. For a single resource that is its brace.
    func start(ofElement index: Int) -> Int? {
        if elements.indices.contains(index) { return elements[index].lowerBound }
        return text.dropFirst(prefixCount).firstIndex(of: UInt8(ascii: "{"))
    }

    /// Returns the place in the whole document for a place in the portion's own document.
    ///
    /// - Parameter fetched: The places of the resources that were appended to `included`, after the portion's own.
    func moved(_ pointer: JSONPointer, fetched: FetchedPlaces = FetchedPlaces()) -> JSONPointer {
        guard pointer.tokens.count > 1, let index = JSONPointer.position(pointer.tokens[1]) else { return pointer }
        var tokens = pointer.tokens
        let isOwn = tokens[0] == section?.rawValue
        if isOwn, isArray, index < elements.count {
            tokens[1] = String(index + firstOrdinal)
        } else if tokens[0] == DocumentSection.included.rawValue {
            let number = isOwn ? index - elements.count : index
            guard fetched.origins.indices.contains(number) else { return pointer }
            tokens = fetched.origins[number].place.pointer.tokens + tokens.dropFirst(2)
        }
        return JSONPointer(tokens: tokens)
    }

    /// Returns the index of the element that contains a place in the portion's own document.
    func element(at pointer: JSONPointer) -> Int? {
        guard isArray, pointer.tokens.count > 1, pointer.tokens[0] == section?.rawValue else { return nil }
        return JSONPointer.position(pointer.tokens[1]).flatMap { elements.indices.contains($0) ? $0 : nil }
    }

    /// Returns the index of the element that contains the place of a failure in the whole document.
    func element(of failure: DecodingFailure) -> Int? { failure.offset.flatMap { element(at: $0 - offset + prefixCount) } }

    /// Returns the failure in the whole document for a failure in the portion's own document, or in its rewritten text.
    func moved(
        _ failure: DecodingFailure, _ options: JSONAPIDecoder, fetched: FetchedPlaces = FetchedPlaces(), isRewritten: Bool = false
    ) -> DecodingFailure {
        let pointer = moved(failure.pointer, fetched: fetched)
        // A rewritten text has other offsets.
        guard !isRewritten, let (offset, position) = failure.offset.flatMap({ place(of: $0, options, fetched) }) else {
            return failure.at(pointer, offset: nil, position: nil)
        }
        guard let error = failure.syntaxError else { return failure.at(pointer, offset: offset, position: position) }
        var moved = DecodingFailure(JSONSyntaxError(error.kind, offset: offset, reason: error.reason, pointer: pointer))
        moved.position = position
        return moved
    }

    /// Returns the offset in the whole document for a byte of the portion's own document, with line and column if these are wanted.
    private func place(
        of textOffset: Int, _ options: JSONAPIDecoder, _ fetched: FetchedPlaces
    ) -> (offset: Int, position: TextPosition?)? {
        if let offset = fetched.documentOffset(of: textOffset) {
            return (offset, options.reportsPositions ? fetched.position(of: offset) : nil)
        }
        guard textOffset <= text.count, let offset = documentOffset(of: textOffset) else { return nil }
        return (offset, options.reportsPositions ? position(of: textOffset) : nil)
    }

    /// Returns the error in the whole document for any error that reading a resource of the text, rewritten if the options say so, has
    /// thrown.
    func moved(_ error: any Error, _ options: JSONAPIDecoder, fetched: FetchedPlaces = FetchedPlaces()) -> any Error {
        let isRewritten = !options.rewriters.isEmpty
        let relocation = ErrorRelocation(
            pointer: { moved($0, fetched: fetched) }, failure: { moved($0, options, fetched: fetched, isRewritten: isRewritten) },
            codingPath: moved)
        return relocation.moved(error)
    }

    private func moved(_ codingPath: [any CodingKey]) -> [any CodingKey] {
        guard section == .data, isArray, let index = codingPath.first?.intValue else { return codingPath }
        return [PathKey(index: index + firstOrdinal)] + codingPath.dropFirst()
    }
}
