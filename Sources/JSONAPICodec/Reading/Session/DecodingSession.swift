import Foundation
import JSONText

/// What one call of the decoder needs, and what ends with it: caches, the resources being read, diagnostics.
///
/// Used by one thread. Decoders and containers keep it alive if a model keeps them.
final class DecodingSession {
    let document: ParsedDocument
    let index: ResourceIndex
    /// A copy of `document.view`; renewed when the tape takes its bytes over.
    private(set) var view: TapeView
    let entries: ScratchStack<ResourceEntry>
    let renamesKeys: Bool
    let readsISODates: Bool

    private var findings = SurveyFindings()
    /// What was tolerated, cut or left out so far.
    var diagnostics: Diagnostics { findings.diagnosticsAsFound(view, maximumBytes: document.options.maximumDiagnosticBytes) }
    /// Owns the tables below.
    let tables: SessionTables
    private let plans: TypeTable
    private let elementPlans: TypeTable
    /// The types of the models that resources without one were asked for as, which only the leniency `missingTypes` lets through.
    var assumedTypes: [Int: String] = [:]
    /// Names made from those of coding keys; nil where no key strategy makes any.
    private let memberNames: MemberNames?

    /// The resources being read, outermost first.
    private let frames: ScratchStack<PathFrame>
    /// Finds members by name.
    let finder: MemberFinder

    /// How many resources are being read inside each other.
    @inline(__always)
    var resourceDepth: Int { frames.count }

    /// Whether values that were made are kept for others who ask. No longer once the call is over: a model that keeps its decoder would
    /// keep the session, and with it the values, among them itself.
    private(set) var keepsValues = true

    /// How many embedded values were cut so far, and how many references were handed out. A value during whose making the
    /// first did not change may be shared; one for which the second did not change holds no reference to the document.
    var cutCount = 0
    var referenceCount = 0
    private var expansionCount = 0
    private var nesting = 0
    /// Whether any resource has relationships.
    let hasRelationships: Bool
    private lazy var stackFloor = StackGuard.lowestAddress

    /// Whether nothing outlives the session but the values it answers; see `answerValuesOnly`.
    private var answersValuesOnly = false
    /// Whether what leads to each resource may be counted, as nobody else reads the tape.
    private var countsLinkage = false
    /// What leads to each resource; see `prepareLinkage`.
    private var linkageCounts: LinkageCounts?
    private var hasCounted = false
    /// Whether embedded to-one relationships go without resources that are missing, and nobody wants to know.
    private(set) var ignoresMissing = false
    /// The same for the elements of embedded arrays.
    private(set) var ignoresGaps = false

    /// Set once a reference is handed out: what it resolves through.
    private(set) var resolver: ReferenceResolver?
    /// Where resources that are not in the document may come from.
    let source: SourceResolver?
    /// Embedded resources that the document does not have, but the source may.
    var wanted: [(identifier: ResourceIdentifier, relationship: String)] = []
    /// Why resources cannot be read whatever they hold, by their ordinals. To be set before anything is read.
    var unreadable: [Int: any Error] = [:]
    /// Where a place of the document is in the one that it was taken from, for messages.
    var place: (JSONPointer) -> JSONPointer = { $0 }
    /// The problems that are known, while all of a document are collected; see `ProblemCollector`.
    var knownProblems: KnownProblems?
    /// Referenced resources that have not been read yet, so that a fault in one is an error now and not later.
    private var pending: [(plan: AnyElementPlan, ordinal: Int)] = []

    struct PathFrame {
        let ordinal: Int
        /// The relationship's name word through which the resource was reached; 0 for primary data.
        let name: Int
    }

    /// Whether it reads single resources for a reference, after the session that made the reference.
    let isDetached: Bool

    /// The first session over a document, or, with a resolver, one that reads a resource for a reference.
    ///
    /// - Parameter tables: belong to this session, until nothing holds it any more.
    init(
        _ document: ParsedDocument, resolver: ReferenceResolver? = nil, source: SourceResolver? = nil,
        tables: SessionTables = SessionTables()
    ) {
        self.tables = tables
        plans = tables.plans
        elementPlans = tables.elementPlans
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
        let strategy = document.options.keyStrategy
        if case .useDefaultKeys = strategy { memberNames = nil } else { memberNames = MemberNames(strategy) }
        renamesKeys = memberNames != nil
    }

    @inline(__always)
    var options: JSONAPIDecoder { document.options }

    /// The name of the member that a coding key stands for.
    @inline(__always)
    func memberName(_ key: some CodingKey) -> String {
        guard let memberNames else { return key.stringValue }
        return memberNames.member(key.stringValue)
    }

    /// The name of the coding key that a member was asked for by.
    func codingName(_ memberName: String) -> String { memberNames?.key(memberName) ?? memberName }
}

// MARK: - Plans

extension DecodingSession {
    /// How a value of this type is read. Worked out once per type and session.
    @inline(__always)
    func plan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        // The table is filled below only, with a plan of the very type that is its key.
        plans.object(for: ObjectIdentifier(type), as: PropertyPlan<Value>.self) ?? makePlan(for: type)
    }

    @inline(never)
    private func makePlan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        let plan = PlanFactory.plan(for: type, self)
        plans.insert(plan, for: ObjectIdentifier(type))
        return plan
    }

    /// How a resource of this type is read, and what was read of it already.
    @inline(__always)
    func elementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        guard let plan = elementPlans.object(for: ObjectIdentifier(type), as: ElementPlan<Element>.self) else {
            return makeElementPlan(for: type)
        }
        if !plan.isPrepared { plan.prepare(self) }
        return plan
    }

    @inline(never)
    private func makeElementPlan<Element: ResourceRepresentable>(for type: Element.Type) -> ElementPlan<Element> {
        let plan = PlanFactory.elementPlan(for: type, self)
        elementPlans.insert(plan, for: ObjectIdentifier(type))
        return plan
    }
}

// MARK: - Members

extension DecodingSession {
    /// The value of the attribute of exactly that name.
    @inline(__always)
    func attribute(_ name: FieldName, of ordinal: Int) -> Int? {
        let attributes = Int(truncatingIfNeeded: entries[ordinal].attributes)
        return attributes == 0 ? nil : finder.member(name, of: attributes, slot: MemberFinder.attributeSlot(resourceDepth), in: view)
    }

    /// The relationship object of exactly that name.
    @inline(__always)
    func relationship(_ name: FieldName, of ordinal: Int) -> Int? {
        let relationships = Int(truncatingIfNeeded: entries[ordinal].relationships)
        if relationships == 0 { return nil }
        return finder.member(name, of: relationships, slot: MemberFinder.relationshipSlot(resourceDepth), in: view)
    }

    @inline(__always)
    func attribute(_ name: String, of ordinal: Int) -> Int? { name.withName { attribute($0, of: ordinal) } }

    @inline(__always)
    func relationship(_ name: String, of ordinal: Int) -> Int? { name.withName { relationship($0, of: ordinal) } }
}

// MARK: - What is asked for again

extension DecodingSession {
    /// Says that nothing outlives the session but the values it answers, and what those hold: nobody sees the diagnostics, and
    /// values are kept only as long as something else leads to them.
    func answerValuesOnly() {
        answersValuesOnly = true
        answerValues()
    }

    /// Says the same of all but the diagnostics. For a session with a source, through which its references resolve, or one of which
    /// nothing outlives the values.
    func answerValues() { countsLinkage = !isDetached && resolver === source }

    /// Counts what leads to each resource, before the first embedded relationship is read or the first value is kept. Once a
    /// reference was handed out, other threads may read the tape, where the count leaves marks.
    @inline(__always)
    func prepareLinkage() {
        if !hasCounted { countLinkage() }
    }

    @inline(never)
    private func countLinkage() {
        hasCounted = true
        guard countsLinkage else { return }
        markLinkage()
        ignoresMissing = answersValuesOnly && options.missingResources != .throw
        ignoresGaps = ignoresMissing && source == nil && leavesOutElements
    }

    /// Looks up what each identifier leads to and leaves it on the tape, for a check of the whole document. Before anything is handed
    /// out, as `prepareLinkage()`.
    func markLinkage() {
        if linkageCounts == nil { linkageCounts = LinkageCounts(index, view, tables.linkageCounts) }
    }

    /// Where the linkage was counted, the resource that the identifier at `word` leads to, or -1. Nil for an identifier that needs
    /// a closer look.
    @inline(__always)
    func countedTarget(_ word: Int) -> Int? {
        guard view.isObject(word) else { return nil }
        let mark = view.mark(at: word)
        return mark == 0 ? nil : mark == LinkageCounts.missing ? -1 : mark - 1
    }

    /// Whether a value just read may be asked for again.
    ///
    /// - Parameter isTarget: whether an identifier led to it, and not its place in primary data.
    @inline(__always)
    func mayBeAsked(for ordinal: Int, again isTarget: Bool) -> Bool {
        guard countsLinkage else { return true }
        prepareLinkage()
        guard let linkageCounts else { return true }
        return linkageCounts[ordinal] > (isTarget ? 1 : 0)
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

    /// Counts one more level of `init(from:)` inside another; `unnest` (or `leave`) ends it. Where it throws, nothing is
    /// counted: a model may swallow the error and go on.
    ///
    /// Looks at the stack each time, which takes a comparison: one level may need a hundred kilobytes, and the next as many.
    @inline(__always)
    func nest() throws {
        // A decoder that was kept may be on another thread by now.
        let floor = keepsValues ? stackFloor : StackGuard.lowestAddress
        guard StackGuard.hasRoom(above: floor) else { throw stackIsFull() }
        nesting += 1
    }

    @inline(__always)
    func unnest() { nesting -= 1 }

    @inline(never)
    private func stackIsFull() -> DecodingFailure {
        DecodingFailure(
            .nestingLimit, at: pointer(ofResource: frames.last?.ordinal ?? 0), resource: currentResource,
            expected: "values that nest less deeply",
            found: "\(nesting + 1) values inside each other" + (frames.count > 2 ? ", through \(relationshipPath)" : ""),
            advice: "declare the relationship as ToOne or ToMany, which do not nest, or decode on a thread with a larger stack")
    }

    /// Counts a value that has to be read again because it could not be shared.
    func countExpansion(_ ordinal: Int) throws {
        expansionCount += 1
        guard expansionCount > options.maximumExpansions else { return }
        throw DecodingFailure(
            .expansionLimit, at: pointer(ofResource: ordinal), resource: identifier(of: ordinal),
            expected: "at most \(options.maximumExpansions) repeated embedded values",
            found: "a graph of resources that embed each other through \(relationshipPath)",
            advice: "declare one of these relationships as ToOne or ToMany, or raise maximumExpansions")
    }

    /// The resources being read, outermost first.
    var path: [PathFrame] { frames.elements }

    /// The relationships through which the innermost resource was reached: `author.articles.author`.
    var relationshipPath: String {
        let names = path.compactMap { $0.name == 0 ? nil : view.string(at: $0.name) }
        guard names.count > 12 else { return names.joined(separator: ".") }
        return names.prefix(6).joined(separator: ".") + "…" + names.suffix(3).joined(separator: ".")
    }

    var currentResource: ResourceIdentifier? { frames.last.flatMap { identifier(of: $0.ordinal) } }
}

// MARK: - References

extension DecodingSession {
    /// What references to this document resolve through. From now on the tape owns its bytes.
    func referenceResolver() -> ReferenceResolver { resolver ?? documentResolver() }

    /// The same for a session over a document of its own.
    func documentResolver() -> DocumentResolver {
        if let made = resolver as? DocumentResolver { return made }
        keepDocument()
        countsLinkage = false
        let made = DocumentResolver(document)
        resolver = made
        return made
    }

    /// Makes the document outlive the buffer it was parsed from.
    func keepDocument() {
        document.tape.takeOwnership()
        view = document.view
    }

    /// Notes that a reference to the resource is handed out; `finish` reads it once.
    @inline(__always)
    func addPending(_ plan: AnyElementPlan, _ ordinal: Int) {
        if plan.notePending(ordinal) { pending.append((plan, ordinal)) }
    }

    /// Notes a reference from one resource to another.
    @inline(__always)
    func noteReference(from ordinal: Int, to target: Int) {
        referenceCount += 1
        if keepsValues { tables.links.push(ReferenceGraph.link(from: ordinal, to: target)) }
    }

    /// Notes that the resource being read embeds the value of another, which holds references.
    @inline(never)
    func noteEmbedding(of ordinal: Int) {
        referenceCount += 1
        guard keepsValues, let frame = frames.last else { return }
        tables.links.push(ReferenceGraph.link(from: frame.ordinal, to: ordinal, isEmbedded: true))
    }

    /// Reads what references point to, one after the other, so that chains of any length need no stack. Values that hold no
    /// references themselves are kept and shared by all who ask.
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

    /// Runs `body` with a session of its own, and ends it.
    @inline(never)
    static func run<Result>(_ session: consuming DecodingSession, _ body: (DecodingSession) throws -> Result) rethrows -> Result {
        var session = session
        defer { end(&session) }
        return try body(session)
    }

    /// Ends the session of a call. What holds it beside the caller is something that a model has kept.
    @inline(never)
    static func end(_ session: inout DecodingSession) {
        let isOver = isKnownUniquelyReferenced(&session)
        session.end(isOver: isOver)
    }

    /// Ends the call: nothing that the session has made is kept by it any more.
    ///
    /// - Parameter isOver: whether nothing but the caller holds the session. Then its references get the values that hold no references
    ///   themselves. Else a model has kept its decoder, and may be among the values.
    func end(isOver: Bool) {
        settleReferences(isOver: isOver)
        if !isOver { keepDocument() }
        keepsValues = false
        elementPlans.forEach(AnyElementPlan.self) { $0.forget() }
    }

    /// Gives the references their values; none where a model has kept its decoder, as it may be among them.
    private func settleReferences(isOver: Bool) {
        guard !tables.links.isEmpty, let resolver = resolver as? DocumentResolver, !isDetached else { return }
        let excluded = isOver ? ReferenceGraph(tables.links).excluded(entries.count) : Scratch(repeating: 1, count: entries.count)
        elementPlans.forEach(AnyElementPlan.self) { plan in
            if let table = plan.settleReferences(excluded: excluded) { resolver.adopt(table, of: plan.valueType) }
        }
    }
}

// MARK: - Places

extension DecodingSession {
    func identifier(of ordinal: Int) -> ResourceIdentifier? { document.identifier(of: ordinal) }

    func pointer(ofResource ordinal: Int) -> JSONPointer { document.pointer(ofResource: ordinal) }

    func pointer(to word: Int) -> JSONPointer { document.pointer(to: word) }

    /// A failure at a value on the tape.
    func failure(
        _ kind: DecodingFailure.Kind, at word: Int, expected: String, found: String? = nil, advice: String? = nil
    ) -> DecodingFailure {
        DecodingFailure(kind, note(at: word, .value(expected: expected, found: found, advice: advice)))
    }

    func note(at word: Int, _ subject: FailureNote.Subject) -> FailureNote { FailureNote(document, at: word, subject) }

    func report(_ kind: Diagnostic.Kind, at word: Int, _ message: @autoclosure () -> String) {
        if answersValuesOnly { return }
        findings.add(kind, word, message)
    }
}

// MARK: - Names of keys

extension DecodingSession {
    /// The name of a coding key that stands for a member of that name; nil where the key strategy makes no key into it.
    func keyName(_ memberName: String) -> String? {
        guard let memberNames else { return memberName }
        for candidate in [memberNames.key(memberName), options.keyStrategy.keyName(memberName), memberName] {
            if let candidate, UTF8Bytes.areEqual(memberNames.member(candidate), memberName) { return candidate }
        }
        return nil
    }
}
