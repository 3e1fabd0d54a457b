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
    let entries: ScratchList<ResourceEntry>
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
    private var memberNames: [String: String] = [:]

    /// The resources being read, outermost first.
    private let frames: ScratchStack<PathFrame>
    /// Where a sibling had the last member, by depth; see `TapeView.member(_:of:hint:)`.
    /// Attributes use the first half of the list, relationships the second.
    private let hints: ScratchList<Int>
    private var valueHint = 0
    static let hintCount = 64

    /// The place of the current resource in the list of hints.
    @inline(__always)
    var hintSlot: Int { frames.count & (Self.hintCount - 1) }

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
    /// Whether embedded relationships go without resources that are missing, and nobody wants to know.
    private(set) var ignoresMissing = false

    /// Set once a reference is handed out: what it resolves through.
    private(set) var resolver: ReferenceResolver?
    /// Where resources that are not in the document may come from.
    let source: SourceResolver?
    /// Embedded resources that the document does not have, but the source may.
    var wanted: [(identifier: ResourceIdentifier, relationship: String)] = []
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
        hints = tables.hints.zeroes(Self.hintCount * 2)
        self.document = document
        index = document.index
        self.resolver = resolver ?? source
        self.source = source
        isDetached = resolver != nil
        view = document.view
        entries = document.index.entries
        hasRelationships = document.index.hasRelationships
        if case .iso8601 = document.options.dateDecodingStrategy { readsISODates = true } else { readsISODates = false }
        if case .useDefaultKeys = document.options.keyStrategy { renamesKeys = false } else { renamesKeys = true }
    }

    @inline(__always)
    var options: JSONAPIDecoder { document.options }

    /// The name of the member that a coding key stands for.
    @inline(__always)
    func memberName(_ key: some CodingKey) -> String {
        renamesKeys ? renamed(key.stringValue) : key.stringValue
    }

    @inline(never)
    private func renamed(_ name: String) -> String {
        if let known = memberNames[name] { return known }
        // The identity is no attribute.
        let isKept = Self.isIdentityName(name) || name.utf8.contains(UInt8(ascii: "."))
        let converted = isKept ? name : options.keyStrategy.memberName(name)
        memberNames[name] = converted
        return converted
    }
}

// MARK: - Plans

extension DecodingSession {
    /// How a value of this type is read. Worked out once per type and session.
    @inline(__always)
    func plan<Value: Decodable>(for type: Value.Type) -> PropertyPlan<Value> {
        if let plan = plans.object(for: ObjectIdentifier(type)) {
            // The table is filled below only, with a plan of the very type that is its key.
            return unsafeDowncast(plan, to: PropertyPlan<Value>.self)
        }
        return makePlan(for: type)
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
        elementPlanReference(for: type).takeUnretainedValue()
    }

    /// The same without another reference to the plan, which lives as long as the session.
    @inline(__always)
    func elementPlanReference<Element: ResourceRepresentable>(for type: Element.Type) -> Unmanaged<ElementPlan<Element>> {
        if let plan = elementPlans.lent(for: ObjectIdentifier(type)) {
            // The table is filled below only, with a plan of the very type that is its key.
            let plan = Unmanaged<ElementPlan<Element>>.fromOpaque(plan.toOpaque())
            plan._withUnsafeGuaranteedRef { if !$0.isPrepared { $0.prepare(self) } }
            return plan
        }
        return .passUnretained(makeElementPlan(for: type))
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
        return attributes == 0 ? nil : member(name, of: attributes, hintSlot)
    }

    /// The relationship object of exactly that name.
    @inline(__always)
    func relationship(_ name: FieldName, of ordinal: Int) -> Int? {
        let relationships = Int(truncatingIfNeeded: entries[ordinal].relationships)
        return relationships == 0 ? nil : member(name, of: relationships, hintSlot + Self.hintCount)
    }

    /// The member of an object, tried where the hint in `slot` says.
    @inline(__always)
    func member(_ name: FieldName, of object: Int, _ slot: Int) -> Int? {
        var hint = hints[slot]
        let value = view.member(name.bytes, of: object, hint: &hint)
        hints[slot] = hint
        return value
    }

    /// The value of a member of a plain object.
    @inline(__always)
    func member(_ name: UnsafeBufferPointer<UInt8>, ofValue object: Int) -> Int? {
        var hint = valueHint
        let value = view.member(name, of: object, hint: &hint)
        valueHint = hint
        return value
    }

    @inline(__always)
    func attribute(_ name: String, of ordinal: Int) -> Int? {
        var name = name
        return name.withUTF8 { attribute(FieldName($0), of: ordinal) }
    }

    @inline(__always)
    func relationship(_ name: String, of ordinal: Int) -> Int? {
        var name = name
        return name.withUTF8 { relationship(FieldName($0), of: ordinal) }
    }
}

extension StaticString {
    @inline(__always)
    var utf8Buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
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
        linkageCounts = LinkageCounts(index, view, tables.linkageCounts)
        ignoresMissing = answersValuesOnly && options.missingResources != .throw
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
    @inline(__always)
    func nest() throws {
        nesting += 1
        if nesting & (StackGuard.interval - 1) == 0 { try checkStack() }
    }

    @inline(__always)
    func unnest() { nesting -= 1 }

    @inline(never)
    private func checkStack() throws {
        guard !StackGuard.hasRoom(above: stackFloor) else { return }
        defer { nesting -= 1 }
        throw DecodingFailure(
            .nestingLimit, at: pointer(ofResource: frames.last?.ordinal ?? 0), resource: currentResource,
            expected: "values that nest less deeply",
            found: "\(nesting) values inside each other" + (frames.count > 2 ? ", through \(relationshipPath)" : ""),
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
        (resolver as? DocumentResolver)?.adopt(keptValues())
    }

    /// What references resolve through, by the types of the values.
    private func keptValues() -> [ObjectIdentifier: any Sendable] {
        var kept: [ObjectIdentifier: any Sendable] = [:]
        for case let plan as AnyElementPlan in elementPlans.objects {
            if let values = plan.keptValues() { kept[ObjectIdentifier(plan.valueType)] = values }
        }
        return kept
    }
}

// MARK: - Places

extension DecodingSession {
    func identifier(of ordinal: Int) -> ResourceIdentifier? {
        guard entries.indices.contains(ordinal) else { return nil }
        let entry = entries[ordinal]
        guard entry.type != 0, view.isString(Int(entry.type)) else { return nil }
        let type = view.string(at: Int(entry.type))
        if entry.id != 0 { return ResourceIdentifier(type: type, id: view.string(at: Int(entry.id))) }
        if entry.lid != 0 { return ResourceIdentifier(type: type, lid: view.string(at: Int(entry.lid))) }
        return nil
    }

    func pointer(ofResource ordinal: Int) -> JSONPointer {
        let index = document.index
        if ordinal < index.primaryCount {
            let data = JSONPointer("data")
            return view.isArray(document.layout.data) ? data.appending(ordinal) : data
        }
        if ordinal < entries.count - index.embedded.count {
            return JSONPointer("included").appending(ordinal - index.primaryCount)
        }
        return entries.indices.contains(ordinal) ? view.pointer(to: Int(entries[ordinal].word)) : .root
    }

    /// The path of any value; quick for values inside resources.
    func pointer(to word: Int) -> JSONPointer {
        guard let ordinal = document.index.ordinal(holding: word, view) else { return view.pointer(to: word) }
        return view.pointer(to: word, from: Int(entries[ordinal].word), prefix: pointer(ofResource: ordinal))
    }

    /// A failure at a value on the tape.
    func failure(
        _ kind: DecodingFailure.Kind, at word: Int, expected: String, found: String? = nil, advice: String? = nil
    ) -> DecodingFailure {
        let ordinal = document.index.ordinal(holding: word, view)
        return DecodingFailure(
            kind, at: pointer(to: word), offset: view.start(of: word), resource: ordinal.flatMap { identifier(of: $0) } ?? currentResource,
            expected: expected, found: found ?? view.kindName(at: word), advice: advice)
    }

    func report(_ kind: Diagnostic.Kind, at word: Int, _ message: @autoclosure () -> String) {
        if answersValuesOnly { return }
        findings.add(kind, word, message)
    }
}
