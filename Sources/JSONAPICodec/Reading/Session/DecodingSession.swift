import JSONText

/// The state of one call of the decoder: caches, the resources being read, and diagnostics.
///
/// Only one thread uses it. Decoders and containers keep it alive when a model keeps them.
package final class DecodingSession {
    package let document: ParsedDocument
    let index: ResourceIndex
    /// A copy of `document.view`, which is renewed when the tape takes over its bytes.
    private(set) var view: TapeView
    let entries: ScratchStack<ResourceEntry>
    let readsISODates: Bool
    /// Whether a client sent the document.
    let isRequest: Bool

    // Unchecked, like the following properties: one thread uses a session, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var findings = TapeFindings()
    /// Whether a resource is read once more, so that what is found may be known.
    @safe @exclusivity(unchecked) var isReadingAgain = false
    /// The last value whose place in its resource was searched for a coding path, with that place.
    var lastWalk: (word: Int, pointer: JSONPointer)?
    /// Some of the types in the document, for advice.
    private(set) lazy var presentTypes = Array(
        ByteText.distinct(entries.indices.prefix(1000).compactMap { document.identifier(of: $0)?.type }).prefix(50))
    /// What the session tolerated, cut or left out so far.
    package var diagnostics: Diagnostics {
        findings.diagnostics(view, maximumBytes: document.options.maximumDiagnosticBytes, isAsFound: true)
    }
    let tables: SessionTables
    /// The types of resources without a `type`, by ordinal. Only the leniency `missingTypes` accepts such resources; each is read as the
    /// model's type.
    var assumedTypes: [Int: String] = [:]
    /// The resources for which the source was asked, by model, and whether it may have them.
    var inSource: [ObjectIdentifier: [ResourceIdentifier: Bool]] = [:]
    /// The names that a key strategy makes from coding keys; nil when keys stay as they are.
    let memberNames: MemberNames?

    /// The resources being read, outermost first.
    let frames: ScratchStack<PathFrame>
    /// Finds members by name.
    let finder: MemberFinder

    /// The number of resources that are being read inside each other.
    @inline(__always)
    var resourceDepth: Int { frames.count }

    /// Whether values are kept for later requests. It becomes false when the call ends. Otherwise a model that keeps its decoder would keep
    /// the session and its values, including itself.
    @safe @exclusivity(unchecked) private(set) var keepsValues = true

    /// The number of embedded values that were cut, and the number of references that were made. While a value is made, the first stays
    /// unchanged if the value can be shared, and the second if the value holds no reference to the document.
    private(set) var cutCount = 0
    /// The relationships that embedded values of a resource lack, because they would contain themselves.
    @safe @exclusivity(unchecked) private var cuts: [Int: Set<ByteText>] = [:]
    /// The models of the resources in these relationships.
    private var cutModels: [CutRelationship: any ResourceRepresentable.Type] = [:]
    /// The values that were made from resources other than the primary ones, by ordinal: for each type the first value, even if it was cut.
    /// Nil if they are not needed.
    @safe @exclusivity(unchecked) var related: [Int: [JSONAPIDecoder.RelatedValue]]?
    var referenceCount = 0
    private var expansionCount = 0
    @safe @exclusivity(unchecked) private var nesting = 0
    /// Whether any resource has relationships.
    let hasRelationships: Bool
    private lazy var stackFloor = StackGuard.lowestAddress

    /// Whether only the returned values outlive the session; see `answerValues`.
    @safe @exclusivity(unchecked) private var answersValuesOnly = false
    /// Whether the linkage may be counted, because nothing else reads the tape.
    @safe @exclusivity(unchecked) private var countsLinkage = false
    /// The number of identifiers for each resource; see `prepareLinkage`.
    @safe @exclusivity(unchecked) private var linkageCounts: LinkageCounts?
    @safe @exclusivity(unchecked) private var hasCounted = false
    /// Whether missing resources of embedded to-one relationships are ignored without a report.
    @safe @exclusivity(unchecked) private(set) var ignoresMissing = false
    /// Whether missing elements of embedded arrays are ignored without a report.
    @safe @exclusivity(unchecked) private(set) var ignoresGaps = false

    /// The resolver for references; nil until the first reference is made.
    @safe @exclusivity(unchecked) private(set) var resolver: ReferenceResolver?
    /// Set when the call has ended, if it has made references. These then show their values, on every thread.
    @safe @exclusivity(unchecked) private var finished: SharedFlag?
    /// The source of resources that are not in the document.
    let source: SourceResolver?
    /// The source of the resources that a plain value refers to; nil if it contains them.
    var held: SourceResolver?
    /// Embedded resources that are not in the document, but may be in the source.
    @safe @exclusivity(unchecked) package var wanted: [WantedResource] = []
    /// The errors of resources that cannot be read whatever they contain, by ordinal. Set this before anything is read.
    @safe @exclusivity(unchecked) package var unreadable: [Int: any Error] = [:]
    /// Returns the place in the original document for a place in this one, for messages.
    @safe @exclusivity(unchecked) package var place: (JSONPointer) -> JSONPointer = { $0 }
    /// The pages among the relationships at a word, by the words of their linkage.
    @safe @exclusivity(unchecked) var pages: (relationships: Int, byData: [Int: Int]) = (0, [:])
    /// The known problems, while all problems of a document are collected; see `ProblemCollector`.
    var knownProblems: KnownProblems?
    /// Referenced resources that have not been read yet. They are read before the call ends, so that a fault in one is an error now and not
    /// later.
    @safe @exclusivity(unchecked) private var pending: [(plan: AnyElementPlan, ordinal: Int)] = []

    struct PathFrame {
        let ordinal: Int
        /// The word of the name of the relationship through which the resource was reached; 0 for primary data.
        let name: Int
    }

    /// Whether the session reads single resources for a reference, after the session that made the reference.
    let isDetached: Bool

    /// Creates the first session over a document or, with a resolver, a session that reads a resource for a reference.
    ///
    /// - Parameter tables: Belong to this session as long as something holds it.
    package init(
        _ document: ParsedDocument, resolver: ReferenceResolver? = nil, source: SourceResolver? = nil,
        tables: SessionTables = SessionTables()
    ) {
        self.tables = tables
        frames = tables.frames
        finder = tables.finder
        self.document = document
        index = document.index
        self.resolver = resolver ?? source
        self.source = source
        isDetached = resolver != nil
        view = document.view
        tables.finder.begin(document.tape.wordCount)
        entries = document.index.entries
        hasRelationships = document.index.hasRelationships
        if case .iso8601 = document.options.dateDecodingStrategy { readsISODates = true } else { readsISODates = false }
        isRequest = document.options.source == .request
        memberNames = MemberNames.of(document.options.keyStrategy)
        self.resolver?.beginReading()
    }

    @inline(__always)
    var options: JSONAPIDecoder { document.options }
}

// MARK: - Values that are requested again

extension DecodingSession {
    /// Declares that only the returned values, and what they hold, outlive the session, or that its references resolve through a source. A
    /// value is then kept only while other linkage refers to it.
    ///
    /// - Parameter only: Whether the diagnostics are not needed, and not collected.
    package func answerValues(only: Bool = false) {
        answersValuesOnly = only
        countsLinkage = !isDetached && resolver === source
    }

    /// Counts the linkage of the document, before the first embedded relationship is read or the first value is kept. Counting leaves marks
    /// on the tape. Once a reference was made, other threads may read the tape, so counting is no longer possible.
    @inline(__always)
    func prepareLinkage() { if !hasCounted { countLinkage() } }

    @inline(never)
    private func countLinkage() {
        hasCounted = true
        guard countsLinkage else { return }
        markLinkage()
        ignoresMissing = answersValuesOnly && options.missingResources != .throw && options.unknownTypes != .throw
        ignoresGaps = ignoresMissing && source == nil && leavesOutElements
    }

    /// Looks up the resource of each identifier and marks it on the tape, for a check of the whole document. Must be called before anything
    /// is returned, like `prepareLinkage()`.
    func markLinkage() { if linkageCounts == nil { linkageCounts = LinkageCounts(index, view, tables.linkageCounts) } }

    /// Returns the resource of the identifier at `word`, or -1, when the linkage was counted. Nil for an identifier that needs a closer
    /// look.
    @inline(__always)
    func countedTarget(_ word: Int) -> Int? {
        guard view.isObject(word) else { return nil }
        let mark = view.mark(at: word)
        return mark == 0 ? nil : mark == LinkageCounts.missing ? -1 : mark - 1
    }

    /// Whether a value that was just read may be requested again.
    ///
    /// - Parameter isTarget: Whether an identifier led to it, and not its place in the primary data.
    @inline(__always)
    func mayBeAsked(for ordinal: Int, again isTarget: Bool) -> Bool {
        guard countsLinkage else { return true }
        prepareLinkage()
        guard let linkageCounts else { return true }
        // Primary data asks for a resource as well.
        return linkageCounts[ordinal] > (isTarget && ordinal >= document.index.primaryCount ? 1 : 0)
    }
}

// MARK: - Resources being read

extension DecodingSession {
    @inline(__always)
    func enter(_ ordinal: Int, through name: Int) throws {
        frames.push(PathFrame(ordinal: ordinal, name: name))
        do {
            try nest()
        } catch {
            frames.pop()
            throw error
        }
    }

    @inline(__always)
    func leave() {
        frames.pop()
        nesting -= 1
    }

    /// Counts one more level of nested `init(from:)`; `unnest` or `leave` ends it. When it throws, nothing is counted, because a model may
    /// catch the error and continue.
    ///
    /// Each level checks the stack, which takes one comparison. A single level may need a hundred kilobytes, and so may the next.
    @inline(__always)
    func nest() throws {
        // A decoder that was kept may now be used on another thread.
        let floor = keepsValues ? stackFloor : StackGuard.lowestAddress
        guard StackGuard.hasRoom(above: floor) else { throw stackIsFull() }
        nesting += 1
    }

    @inline(__always)
    func unnest() { nesting -= 1 }

    @inline(never)
    private func stackIsFull() -> DecodingFailure {
        DecodingFailure(
            .nestingLimit, at: pointer(ofResource: frames.last?.ordinal ?? 0), resource: frames.last.flatMap { identifier(of: $0.ordinal) },
            expected: "values that nest less deeply",
            found: "\(nesting + 1) values inside each other" + (frames.count > 2 ? ", through \(relationshipPath)" : ""),
            advice: "declare the relationship as ToOne or ToMany, which do not nest, or decode on a thread with a larger stack")
    }

    /// Counts a value that is read again because it could not be shared.
    func countExpansion(_ ordinal: Int) throws {
        expansionCount += 1
        guard expansionCount > options.maximumExpansions else { return }
        throw DecodingFailure(
            .expansionLimit, at: pointer(ofResource: ordinal), resource: identifier(of: ordinal),
            expected: "at most \(options.maximumExpansions) repeated embedded values",
            found: "a graph of resources that embed each other through \(relationshipPath)",
            advice: "declare one of these relationships as ToOne or ToMany, or raise maximumExpansions")
    }

    /// Counts from 0 again, for the next of several resources that are read on their own.
    func restartExpansions() { expansionCount = 0 }

    /// Returns a text for each resource being read, outermost first. Of more than twelve, only for the first six and the last three: an error
    /// may be caught, and must not cost as much as the depth.
    func steps(_ text: (PathFrame) -> String?) -> [String] {
        guard frames.count > 12 else { return frames.compactMap(text) }
        return frames.prefix(6).compactMap(text) + ["…"] + frames.suffix(3).compactMap(text)
    }

    /// The relationships through which the innermost resource was reached, for example `author.articles.author`.
    var relationshipPath: String { steps { $0.name == 0 ? nil : view.string(at: $0.name) }.joined(separator: ".") }
}

// MARK: - References

extension DecodingSession {
    /// Returns the resolver for references to this document. From now on the tape owns its bytes.
    func referenceResolver() -> ReferenceResolver { resolver ?? documentResolver() }

    /// Returns the resolver for a session over its own document.
    func documentResolver() -> DocumentResolver {
        if let made = resolver as? DocumentResolver { return made }
        keepDocument()
        countsLinkage = false
        let made = DocumentResolver(document, isFinished)
        resolver = made
        if keepsValues { made.beginReading() }
        return made
    }

    /// The flag for references that the session makes.
    var isFinished: SharedFlag {
        if let finished { return finished }
        let made = SharedFlag()
        // A model may have kept its decoder, and make references after the call.
        if !keepsValues, !isDetached { made.set() }
        finished = made
        return made
    }

    /// Lets the document outlive the buffer that it was parsed from.
    func keepDocument() {
        document.tape.takeOwnership()
        view = document.view
    }

    /// Notes that a reference to the resource is made. `finish` reads the resource once.
    @inline(__always)
    func addPending(_ plan: AnyElementPlan, _ ordinal: Int) { if plan.notePending(ordinal) { pending.append((plan, ordinal)) } }

    /// Notes a reference from one resource to another.
    @inline(__always)
    func noteReference(from ordinal: Int, to target: Int) {
        referenceCount += 1
        if keepsValues { tables.links.push(ReferenceGraph.link(from: ordinal, to: target)) }
    }

    /// Notes that the value of the current resource lacks a relationship to resources of a model, because it would contain itself.
    func noteCut(_ name: String, _ model: Any.Type) {
        cutCount += 1
        guard !isDetached, let frame = frames.last else { return }
        let isNew = cuts[frame.ordinal, default: []].insert(ByteText(name)).inserted
        guard isNew, let model = model as? any ResourceRepresentable.Type, let identifier = identifier(of: frame.ordinal) else { return }
        cutModels[CutRelationship(type: ByteText(identifier.type), name: ByteText(name))] = model
    }

    /// Notes a value that was made, for `related`.
    @inline(never)
    func noteRelated<Value: ResourceRepresentable>(_ value: Value, _ ordinal: Int) {
        guard ordinal >= index.primaryCount, related?[ordinal]?.contains(where: { $0.type == Value.self }) != true else { return }
        related?[ordinal, default: []].append((Value.self, value, cuts[ordinal] ?? []))
    }

    /// Notes that the current resource embeds the value of another one, which holds references.
    @inline(never)
    func noteEmbedding(of ordinal: Int) {
        referenceCount += 1
        guard keepsValues, let frame = frames.last else { return }
        tables.links.push(ReferenceGraph.link(from: frame.ordinal, to: ordinal, isEmbedded: true))
    }

    /// Reads the resources that references refer to, one after another, so that chains of any length need no stack. Values are shared by
    /// all references to the same resource.
    func finish() throws {
        while let (plan, ordinal) = pending.popLast() {
            do {
                try plan.verify(self, ordinal)
            } catch let error where dropsElement(error, at: Int(entries[ordinal].word)) {
                // The references to it keep their identifiers, without a value.
                continue
            }
        }
    }

    /// Does the same for one of several resources that are read on their own. An error is that of this resource only.
    package func finishOne() throws {
        defer { pending.removeAll() }
        try finish()
    }

    /// Returns the first resources as models, and the first error. A model is nil if `Target` does not accept the type of the resource, or
    /// if the resource cannot be read.
    ///
    /// - Parameter isFinishing: Whether the resources that references of a model refer to are read with it.
    func firstValues<Target: ResourceRepresentable>(
        _ type: Target.Type, _ count: Int, finishing isFinishing: Bool = false
    ) -> ([Target?], (any Error)?) {
        let plan = elementPlan(for: type)
        var failure: (any Error)?
        var values: [Target?] = []
        values.reserveCapacity(count)
        for ordinal in 0..<count {
            do {
                let isAccepted = plan.accepts(self, typeAt: Int(entries[ordinal].type))
                values.append(isAccepted ? try plan.value(self, ordinal, through: 0) : nil)
                if isFinishing { try finishOne() }
            } catch {
                // The others are read too, so that everything that is missing is known.
                if values.count == ordinal { values.append(nil) }
                failure = failure ?? error
            }
        }
        return (values, failure)
    }

    /// Runs `body` with a session, and ends the session.
    @inline(never)
    static func run<Result>(_ session: consuming DecodingSession, _ body: (DecodingSession) throws -> Result) rethrows -> Result {
        var session = session
        defer { end(&session) }
        return try body(session)
    }

    /// Ends the session of a call. When the caller is not the only holder, a model has kept a decoder.
    @inline(never)
    package static func end(_ session: inout DecodingSession) {
        let isOver = isKnownUniquelyReferenced(&session)
        session.end(isOver: isOver)
    }

    /// Ends the call. The session no longer keeps anything that it has made.
    ///
    /// - Parameter isOver: Whether only the caller holds the session. References then get their values. Otherwise a model has kept its
    ///   decoder, and the model may be among the values.
    func end(isOver: Bool) {
        settleReferences(isOver: isOver)
        // The resolver of a stream stays for all of its resources, and must not grow with them.
        if !cuts.isEmpty, source?.source.isStorage != false {
            let identified = cuts.compactMap { cut in entries[cut.key].identity(view).map { ($0, cut.value) } }
            resolver?.adopt(cuts: identified, cutModels)
            // A reference of another resource leads to the values.
            if resolver !== source { source?.adopt(cuts: identified, cutModels) }
        }
        if !isOver { keepDocument() }
        if keepsValues { resolver?.endReading() }
        if !isDetached { finished?.set() }
        keepsValues = false
        tables.elementPlans.forEach(AnyElementPlan.self) { $0.forget() }
    }

    /// Gives the references their values, or no values when a model has kept its decoder, because the model may be among them.
    private func settleReferences(isOver: Bool) {
        guard !tables.links.isEmpty, !isDetached else { return }
        // A source keeps no tables. The references alone have the values.
        let resolver = resolver as? DocumentResolver
        let excluded = isOver ? ReferenceGraph(tables.links).excluded(entries.count) : nil
        tables.elementPlans.forEach(AnyElementPlan.self) { plan in
            if let table = plan.settleReferences(excluded: excluded) { resolver?.adopt(table, of: plan.valueType) }
        }
    }
}

// MARK: - Places

extension DecodingSession {
    package func identifier(of ordinal: Int) -> ResourceIdentifier? { document.identifier(of: ordinal) }

    package func pointer(ofResource ordinal: Int) -> JSONPointer { document.pointer(ofResource: ordinal) }

    /// Returns a failure at a value on the tape.
    func failure(
        _ kind: DecodingFailure.Kind, at word: Int, expected: String, found: String? = nil, advice: String? = nil
    ) -> DecodingFailure {
        document.failure(kind, at: word, expected: expected, found: found, advice: advice)
    }

    /// Returns the failure for a value of another JSON type than the expected one.
    func mismatch(at word: Int, expected: String) -> DecodingFailure {
        guard view.isNull(word) else { return failure(.wrongType, at: word, expected: expected) }
        return failure(.unexpectedNull, at: word, expected: expected, advice: "make the property optional if null is allowed")
    }

    /// Throws unless the value at `word` can be read as an object: it is one, or an empty array with the leniency `emptyArrayValues`.
    @inline(__always)
    func checkObject(at word: Int) throws(DecodingFailure) { if !view.isObject(word) { try checkEmptyArray(at: word) } }

    @inline(never)
    private func checkEmptyArray(at word: Int) throws(DecodingFailure) {
        guard view.isArray(word), view.count(at: word) == 0 else { throw mismatch(at: word, expected: "an object") }
        guard options.leniencies.contains(.emptyArrayValues) else {
            throw failure(
                .wrongType, at: word, expected: "an object", found: "an empty array",
                advice: "set the leniency emptyArrayValues to read it as an empty object")
        }
        report(.leniency(.emptyArrayValues), at: word, "an empty array was read as an empty object")
    }

    func note(at word: Int, _ subject: FailureNote.Subject) -> FailureNote {
        FailureNote(document: document, word: word, subject: subject, isStored: source?.source.isStorage == true)
    }

    func report(_ kind: Diagnostic.Kind, at word: Int, _ message: @autoclosure () -> String) {
        if answersValuesOnly || isReadingAgain && findings.contains(kind, at: word) { return }
        // Made before the access, because it can call a key of the program.
        let message = findings.isFull ? nil : message()
        findings.add(kind, word, message)
    }
}
