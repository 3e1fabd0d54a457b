import JSONText

// Compound documents: <https://jsonapi.org/format/1.1/#document-compound-documents>

extension DocumentSurvey {
    // MARK: - One identity twice

    /// In a compound document no two resource objects have one type and id. Without `included`, that rule does not speak.
    ///
    /// Primary data that is nothing but identifiers may be the linkage of a relationship, whose resources are included: then
    /// each identity may be there, and more than once; the index takes the included ones for the resources.
    mutating func checkDuplicateResources() throws {
        let index = document.index
        guard !index.duplicates.isEmpty else { return }
        for ordinal in index.duplicates where !index.embeddedOrdinals.contains(ordinal) {
            let entry = index.entries[ordinal]
            let isIncluded = ordinal >= index.primaryCount
            try refuseDuplicate(entry, isFault: document.layout.included != 0 && (isIncluded || !index.primaryIsLinkage))
        }
    }

    private mutating func refuseDuplicate(_ entry: ResourceEntry, isFault: Bool) throws {
        let message = "a resource object with the identity of one before it; linkage takes the first"
        let isLocal = entry.id == 0
        let word = isLocal ? Int(entry.lid) : Int(entry.word)
        // A lid stands for one resource in any document: https://jsonapi.org/format/1.1/#document-resource-object-identification
        guard isFault || isLocal else { return report(.duplicateResource, at: word, message) }
        try refuse(
            .duplicateResource, at: word, unless: .duplicateIncluded, expected: "each identity once in a compound document",
            found: "one that a resource object before it has", message)
    }

    // MARK: - One name twice

    /// JSON allows a name to stand twice in an object; the last one counts.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc8259#section-4>
    mutating func checkDuplicateNames() throws {
        let duplicates = document.tape.duplicates
        if isStrict, let first = duplicates.min(by: { $0.name < $1.name }) {
            throw DecodingFailure(
                .duplicateName, at: view.pointer(to: first.object), offset: view.start(of: first.name),
                resource: document.identifier(holding: first.object), expected: "each name once in an object",
                found: "`\(view.shown(first.name))` a second time",
                advice: "the modes standard and lenient take the last one")
        }
        for duplicate in duplicates {
            report(.duplicateName, at: view.next(after: duplicate.name), "a name that stands in this object before; the last one counts")
        }
    }

    // MARK: - Full linkage

    /// Looks for included resources that no chain of linkage from primary data leads to. In strict mode one of them is a fault in a
    /// response, unless the request asked for a sparse fieldset (`JSONAPIDecoder.fields`) that may have left the linkage out.
    ///
    /// <https://jsonapi.org/format/1.1/#document-compound-documents>
    /// - Complexity: O(resources + identifiers).
    mutating func checkFullLinkage() throws {
        let index = document.index
        guard !index.includedOrdinals.isEmpty else { return }
        var walk = LinkageWalk(document)
        walk.run()
        let isFault = isStrict && options.source == .response && !mayHideLinkage(walk)
        for ordinal in index.includedOrdinals where !walk.reached[ordinal] {
            let word = Int(index.entries[ordinal].word)
            if isFault {
                throw failure(
                    .notLinked, at: word, expected: "a chain of linkage from primary data to each included resource",
                    found: "none to this one",
                    advice: "if the request had a sparse fieldset that leaves the linkage out, set the decoder's `fields`")
            }
            report(.notLinked, at: word, "an included resource that nothing links to")
        }
    }

    /// Whether the request restricted the fields of a type of which a resource was reached.
    private func mayHideLinkage(_ walk: LinkageWalk) -> Bool {
        guard !options.fields.isEmpty else { return false }
        return document.index.entries.indices.contains { ordinal in
            let type = Int(document.index.entries[ordinal].type)
            return walk.reached[ordinal] && type != 0 && view.isString(type) && options.fields[view.string(at: type)] != nil
        }
    }
}

/// Follows linkage from primary data with a list of work, never by recursion.
struct LinkageWalk {
    private let document: ParsedDocument
    private let view: TapeView
    private(set) var reached: [Bool]
    private var work: [Int] = []
    /// Resource objects with the identity of an earlier one, by that one.
    private var twins: [Int: [Int]] = [:]

    init(_ document: ParsedDocument) {
        self.document = document
        view = document.view
        reached = [Bool](repeating: false, count: document.index.entries.count)
        for twin in document.index.duplicates {
            let identifier = IdentifierEntry(view, at: Int(document.index.entries[twin].word))
            if let first = document.index.ordinal(ofIdentity: identifier, view) { twins[first, default: []].append(twin) }
        }
    }

    mutating func run() {
        for ordinal in 0..<document.index.primaryCount {
            reach(ordinal)
            // The linkage of a relationship: what it names is elsewhere.
            if document.index.primaryIsLinkage { followIdentifier(Int(document.index.entries[ordinal].word)) }
        }
        while let ordinal = work.popLast() { follow(ordinal) }
    }

    private mutating func reach(_ ordinal: Int) {
        guard !reached[ordinal] else { return }
        reached[ordinal] = true
        work.append(ordinal)
        guard let others = twins[ordinal] else { return }
        for other in others where !reached[other] {
            reached[other] = true
            work.append(other)
        }
    }

    private mutating func follow(_ ordinal: Int) {
        let relationships = Int(document.index.entries[ordinal].relationships)
        guard relationships != 0 else { return }
        var member = view.first(in: relationships)
        let end = view.end(of: relationships)
        while member < end {
            let value = view.next(after: member)
            if view.isObject(value), let data = view.member("data", of: value) { followLinkage(data) }
            member = view.next(after: value)
        }
    }

    private mutating func followLinkage(_ data: Int) {
        if view.isObject(data) { return followIdentifier(data) }
        guard view.isArray(data) else { return }
        var element = view.first(in: data)
        let end = view.end(of: data)
        while element < end {
            if view.isObject(element) { followIdentifier(element) }
            element = view.next(after: element)
        }
    }

    private mutating func followIdentifier(_ word: Int) {
        let identifier = IdentifierEntry(view, at: word)
        // An embedded resource is itself reached, and an included one that it stands for.
        if let own = document.index.embedded[UInt32(truncatingIfNeeded: word)] { reach(own) }
        if let ordinal = document.index.ordinal(ofIdentity: identifier, view) { reach(ordinal) }
    }
}
