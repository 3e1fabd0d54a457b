import JSONAPIRules
import JSONText

// Compound documents: <https://jsonapi.org/format/1.1/#document-compound-documents>

extension DocumentSurvey {
    // MARK: - Repeated identities

    /// Checks that no two resource objects of a compound document have the same type and id. The rule does not apply without `included`.
    ///
    /// Primary data that consists only of identifiers may be the linkage of a relationship, with its resources in `included`. An identity
    /// may then occur in both, even more than once. The index uses the included ones as the resources.
    mutating func checkDuplicateResources() throws {
        let index = document.index
        for ordinal in index.duplicates where !index.embeddedOrdinals.contains(ordinal) {
            let entry = index.entries[ordinal]
            if entry.id == 0 {
                // A lid identifies one resource in any document: https://jsonapi.org/format/1.1/#document-resource-object-identification
                try settle(Fault(.uniqueLocalID, .repeated, at: Int(entry.lid)))
            } else {
                let isFault = document.layout.included != 0 && (ordinal >= index.primaryCount || !index.primaryIsLinkage)
                try settle(Fault(.uniqueResource, isFault ? .repeated : .repeatedAlone, at: Int(entry.word)))
            }
        }
    }

    // MARK: - Repeated names

    /// Checks for repeated names in an object. JSON allows them; the last one is used.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc8259#section-4>
    mutating func checkDuplicateNames() throws {
        let duplicates = document.tape.duplicates
        if isStrict, let first = duplicates.outermost {
            throw DecodingFailure(
                .duplicateName, at: view.pointer(to: first.object), offset: view.start(of: first.name),
                resource: document.identifier(around: first.object), expected: "each name once in an object",
                found: "`\(view.shown(first.name))` twice",
                advice: "the standard and lenient modes use the last one")
        }
        for duplicate in duplicates {
            report(
                .duplicateName, at: view.next(after: duplicate.name), "this name occurs more than once in the object; the last one is used")
        }
    }

    // MARK: - Full linkage

    /// Finds included resources that no chain of linkage from the primary data reaches. In strict mode they are faults in a response,
    /// unless the request used a sparse fieldset (`JSONAPIDecoder.fields`) that may have removed the linkage.
    ///
    /// <https://jsonapi.org/format/1.1/#document-compound-documents>
    /// - Complexity: O(resources + identifiers).
    mutating func checkFullLinkage() throws {
        let index = document.index
        guard !index.includedOrdinals.isEmpty else { return }
        let walk = LinkageWalk(document)
        let isExcused = options.source == .request || (isStrict && mayHideLinkage(walk))
        for ordinal in index.includedOrdinals where !walk.isReached(ordinal) && index.entries[ordinal].type != 0 {
            try settle(Fault(.fullLinkage, isExcused ? .excused : .missing, at: Int(index.entries[ordinal].word)))
        }
    }

    /// Whether the request restricted the fields of some resource that was reached.
    private func mayHideLinkage(_ walk: LinkageWalk) -> Bool {
        guard !options.fields.isEmpty else { return false }
        return document.index.entries.indices.contains { ordinal in
            let type = Int(document.index.entries[ordinal].type)
            return walk.isReached(ordinal) && type != 0 && view.isString(type) && options.fields[view.string(at: type)] != nil
        }
    }
}

extension LinkageWalk {
    /// Creates a completed walk from the primary data of a document.
    init(_ document: ParsedDocument) {
        let (index, view) = (document.index, document.view)
        var twins: [Int: [Int]] = [:]
        for twin in index.duplicates {
            let identifier = IdentifierEntry(view, at: Int(index.entries[twin].word))
            if let first = index.ordinal(ofIdentity: identifier, view) { twins[first, default: []].append(twin) }
        }
        self.init(view, count: index.entries.count, twins: twins)
        for ordinal in 0..<index.primaryCount {
            reach(ordinal)
            // The primary data is the linkage of a relationship, and its resources are elsewhere.
            let entry = index.entries[ordinal]
            if index.primaryIsLinkage, entry.type != 0 { reachIdentified(Int(entry.word), index, view) }
        }
        run(relationships: { Int(index.entries[$0].relationships) }, reachIdentified: { $0.reachIdentified($1, index, view) })
    }

    private mutating func reachIdentified(_ word: Int, _ index: ResourceIndex, _ view: TapeView) {
        // Where the linkage was counted, the identifier was looked up already.
        let mark = view.mark(at: word)
        if mark != 0 {
            if mark != LinkageCounts.missing { reach(mark - 1) }
            return
        }
        let identifier = IdentifierEntry(view, at: word)
        // An embedded resource is reached, and so is an included one with the same identity.
        if let own = index.embedded[UInt32(truncatingIfNeeded: word)] { reach(own) }
        if let ordinal = index.ordinal(ofIdentity: identifier, view) { reach(ordinal) }
    }
}
