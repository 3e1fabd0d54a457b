import JSONAPICodec
import JSONText

/// The resources of a portion, together with those of the file that their models embed.
struct PortionGathering {
    let portion: DocumentPortion
    /// The text of the portion's own document, rewritten as the options ask.
    private let text: [UInt8]
    /// The errors of the portion's own elements that could not be rewritten, by index. Their text is unchanged.
    let ownFailures: [Int: any Error]
    private let options: JSONAPIDecoder
    private let file: DocumentFile?
    private var included: [UInt8] = []
    private var requests: ResourceRequests?
    /// The origins of the fetched resources.
    private(set) var places: FetchedPlaces
    /// The errors of fetched resources that could not be rewritten, by index. Their text is unchanged.
    private(set) var failures: [Int: any Error] = [:]

    /// - Parameter type: The type of the values as which the portion is read.
    init(_ portion: DocumentPortion, of type: Any.Type, _ options: JSONAPIDecoder, _ file: DocumentFile?) throws {
        let rewritten = try portion.rewritten(options, of: type)
        self.portion = portion
        text = rewritten.text
        ownFailures = rewritten.failures
        self.options = options
        self.file = file
        places = FetchedPlaces(file, textStart: text.count - Self.endCount(portion) + Self.beginning(portion).utf8.count)
    }

    /// Returns the text before the fetched resources.
    private static func beginning(_ portion: DocumentPortion) -> String {
        guard portion.section == .included else { return #","included":["# }
        return portion.elements.isEmpty ? "" : ","
    }

    /// Returns the number of bytes of the portion's text after them: the closing brace, and in `included` also the bracket.
    private static func endCount(_ portion: DocumentPortion) -> Int { portion.section == .included ? 2 : 1 }

    /// Returns the text of a document with the portion and the fetched resources.
    func documentText() -> [UInt8] {
        guard !included.isEmpty else { return text }
        let own = text.dropLast(Self.endCount(portion))
        let beginning = Self.beginning(portion)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(own.count + beginning.utf8.count + included.count + DocumentPortion.suffix.count)
        bytes += own
        bytes += beginning.utf8
        bytes += included
        bytes += DocumentPortion.suffix
        return bytes
    }

    /// In strict mode, throws when the portion's own resources break a rule. Returns the leniencies that they need.
    func check() throws -> Diagnostics {
        guard options.mode == .strict || !options.leniencies.isEmpty else { return Diagnostics() }
        return try withDocument(text) { try DocumentSurvey.check(part: $0).moved { portion.moved($0) } }
    }

    /// Fetches the resources that the available ones refer to by relationships with the given names. Returns false when there was nothing
    /// to fetch.
    ///
    /// - Parameter all: The names of the relationships to follow from there.
    @discardableResult
    mutating func fetchLinkage(_ names: [String], goingOnWith all: [String]) throws -> Bool {
        guard let file, !names.isEmpty else { return false }
        var requests = startRequests(file)
        try withDocument(documentText()) { document in
            LinkageHashing(view: document.view, names: names).add(document.entries, to: &requests)
        }
        return try fetchAll(&requests, all, file)
    }

    /// Fetches resources, and those that they refer to by relationships with the given names. Returns false when there was nothing to
    /// fetch.
    mutating func fetch(_ wanted: [ResourceIdentifier], _ names: [String]) throws -> Bool {
        guard let file, !wanted.isEmpty else { return false }
        var requests = startRequests(file)
        requests.add(wanted)
        return try fetchAll(&requests, names, file)
    }

    /// Returns the requests so far, and removes them from this value.
    private mutating func startRequests(_ file: DocumentFile) -> ResourceRequests {
        requests.take() ?? ResourceRequests(file.currentDirectory(), own: portion.documentRange)
    }

    private mutating func fetchAll(_ requests: inout ResourceRequests, _ names: [String], _ file: DocumentFile) throws -> Bool {
        let count = places.count
        while !requests.isEmpty {
            let byteCount = requests.byteCount
            guard included.count + byteCount <= file.maximumResourceBytes else { throw tooMuch(file) }
            let round = requests.takeAll()
            var fetched = FetchedResources()
            fetched.reserve(byteCount)
            try file.read(round.linking, into: &fetched)
            for identifier in round.doubtful {
                guard included.count + fetched.text.count <= file.maximumResourceBytes else { throw tooMuch(file) }
                if let found = try file.find(identifier) { fetched.append(found.text[...], found.place, offset: found.offset) }
            }
            if !fetched.origins.isEmpty { file.addLinkage(of: &fetched, names, to: &requests) }
            // These have no relationships.
            try file.read(round.others, into: &fetched)
            try append(fetched, file)
        }
        self.requests = requests
        return places.count > count
    }

    private mutating func append(_ fetched: FetchedResources, _ file: DocumentFile) throws {
        guard !fetched.origins.isEmpty else { return }
        if !included.isEmpty { included.append(UInt8(ascii: ",")) }
        let number = places.count
        let place = JSONPointer(DocumentSection.included.rawValue)
        let ownCount = portion.section == .included ? portion.elements.count : 0
        let rewritten = try file.rewritten(fetched) { place.appending(ownCount + number + $0) }
        for (index, failure) in rewritten.failures { failures[number + index] = failure }
        places.append(fetched, behind: included.count)
        included += rewritten.text
    }

    /// Repeated identities are not looked for, because most of them would be in other portions.
    private func withDocument<Result>(_ text: [UInt8], _ body: (ParsedDocument) throws -> Result) throws -> Result {
        try options.withPortionTape(text.span) { tape in
            try withExtendedLifetime(tape) { try body(ParsedDocument(tape, options: options.forPortions, findsByIdentity: false)) }
        }
    }

    private func tooMuch(_ file: DocumentFile) -> DecodingFailure {
        DecodingFailure(
            .resourceLimit, at: JSONPointer(portion.section?.rawValue ?? ""), expected: "embedded resources that fit into memory",
            found: "more than \(file.maximumResourceBytes) bytes of them for a few resources",
            advice: "declare some of the relationships as ToOne or ToMany, or raise maximumResourceBytes")
    }
}
