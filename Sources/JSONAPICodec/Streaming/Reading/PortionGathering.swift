import JSONText

/// The resources of a portion, with those of the file that their models embed.
struct PortionGathering {
    private let portion: DocumentPortion
    /// The text of the portion's own document.
    private let text: [UInt8]
    private let file: DocumentFile?
    private var included: [UInt8] = []
    private var known: Set<ResourceIdentifier> = []
    /// Where the fetched resources stand in the whole document.
    private(set) var places: [ResourcePlace] = []

    init(_ portion: DocumentPortion, _ text: [UInt8], _ file: DocumentFile?) {
        self.portion = portion
        self.text = text
        self.file = file
    }

    /// The document of the portion and of what was fetched. Its tape owns its bytes.
    func document(_ options: JSONAPIDecoder) throws -> ParsedDocument {
        var bytes = text
        if !included.isEmpty {
            // In place of the closing brace, and in `included` of the bracket too.
            let isIncluded = portion.section == .included
            bytes.removeLast(isIncluded ? 2 : 1)
            bytes += isIncluded ? (portion.elements.isEmpty ? "" : ",").utf8 : #","included":["#.utf8
            bytes += included
            bytes += DocumentPortion.suffix
        }
        return try bytes.withUnsafeBufferPointer { buffer in
            let tape = try options.tape(of: buffer)
            tape.takeOwnership()
            return try ParsedDocument(tape, options: options, findsByIdentity: file != nil)
        }
    }

    private func tooMuch() -> DecodingFailure {
        DecodingFailure(
            .resourceLimit, at: JSONPointer(portion.section?.rawValue ?? ""), expected: "embedded resources that fit into memory",
            found: "more than \(file?.maximumResourceBytes ?? 0) bytes of them behind a few resources",
            advice: "declare some of the relationships as ToOne or ToMany, or raise maximumResourceBytes")
    }

    /// Fetches resources, and what relationships of these names lead to from there; false when there was nothing to fetch.
    mutating func fetch(_ wanted: [ResourceIdentifier], _ names: [String]) throws -> Bool {
        guard let file else { return false }
        let count = places.count
        var next = wanted
        while !next.isEmpty {
            let requests = try file.requests(for: next.filter { known.insert($0.identity).inserted })
            guard included.count + requests.byteCount <= file.maximumResourceBytes else { throw tooMuch() }
            let fetched = try file.fetch(requests, linkageOf: names)
            if !included.isEmpty, !fetched.text.isEmpty { included.append(UInt8(ascii: ",")) }
            included += fetched.text
            places += fetched.places
            next = fetched.linkage
        }
        return places.count > count
    }
}

extension ResourceIdentifier {
    /// The identity alone, without meta and other members.
    fileprivate var identity: ResourceIdentifier {
        if let id { return ResourceIdentifier(type: type, id: id) }
        return lid.map { ResourceIdentifier(type: type, lid: $0) } ?? self
    }
}

// MARK: - Linkage

extension ParsedDocument {
    /// What relationships of these names lead to that is not in the document.
    func missingLinkage(of entry: ResourceEntry, _ names: [String]) -> [ResourceIdentifier] {
        view.linkage(of: entry, names) { index.ordinal(of: $0, view) == nil }
    }
}

extension TapeView {
    /// The identities that relationships of these names lead to, as far as they are wanted.
    func linkage(
        of entry: ResourceEntry, _ names: [String], where isWanted: (IdentifierEntry) -> Bool
    ) -> [ResourceIdentifier] {
        var identifiers: [ResourceIdentifier] = []
        func add(_ word: Int) {
            guard isObject(word) else { return }
            let identifier = IdentifierEntry(self, at: word)
            let key = identifier.id != 0 ? identifier.id : identifier.lid
            guard identifier.type != 0, key != 0, isString(identifier.type), isWanted(identifier) else { return }
            let type = string(at: identifier.type)
            let text = string(at: key)
            identifiers.append(identifier.id != 0 ? ResourceIdentifier(type: type, id: text) : ResourceIdentifier(type: type, lid: text))
        }
        guard entry.relationships != 0, isObject(Int(entry.relationships)) else { return [] }
        forEachMember(of: Int(entry.relationships)) { name, relationship in
            guard isObject(relationship), names.contains(where: { string(at: name, equals: $0) }),
                let data = member("data", of: relationship)
            else { return }
            if isArray(data) { forEachElement(of: data) { element, _ in add(element) } } else { add(data) }
        }
        return identifiers
    }
}
