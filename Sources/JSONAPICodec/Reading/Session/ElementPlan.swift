import JSONAPIRules
import JSONText

/// How far each resource has come, four bytes a resource: one of these, or `firstValue` and twice the number of its value. A resource that
/// has a value has 1 more if that holds references.
enum ElementState {
    static let untouched: UInt32 = 0
    static let inProgress: UInt32 = 1
    static let notKept: UInt32 = 2
    /// Noted for later.
    static let pending: UInt32 = 3
    /// Read, and not kept, as nothing was left that led to it.
    static let givenAway: UInt32 = 4
    /// The value is in the cell of the references to it.
    static let inCell: UInt32 = 6
    static let firstValue: UInt32 = 8
}

/// What all element plans share, whatever they make.
class AnyElementPlan {
    /// The `type` that resources must have, nil when any is welcome.
    private(set) final var requiredType: String?
    /// Its bytes, which are compared with those on the tape.
    private var requiredBytes: [UInt8]
    /// The type of the values.
    let valueType: Any.Type
    /// Whether some property seen so far holds these values; primary resources that nothing can link to need not be kept.
    /// In a document with relationships, such a property may turn up later.
    var isLinkedTo = false

    /// The state of each resource.
    private let states: ScratchZeroes<UInt32>
    /// How many states there are: none in a session that reads single resources for a reference, where `sparse` has them.
    private var stateCount = 0
    private var sparse: [Int: UInt32] = [:]
    /// Whether a session uses the plan; else `prepare` comes before everything else.
    private(set) final var isPrepared = false
    private lazy var typeHash = Self.hash(requiredType)
    /// Why resources could not be read, so that the next reference to one fails at once.
    private var failures: [Int: any Error] = [:]
    /// The cells of the references that were handed out.
    fileprivate final var references: ReferenceTable?
    /// The class of the cells.
    private let cellType: ReferenceCell.Type

    init(_ session: DecodingSession, _ valueType: Any.Type, _ cellType: ReferenceCell.Type, requiredType: String?) {
        self.valueType = valueType
        self.cellType = cellType
        self.requiredType = requiredType
        requiredBytes = Array((requiredType ?? "").utf8)
        states = ScratchZeroes(capacity: session.isDetached ? 1 : session.entries.count)
        start(session)
    }

    private func start(_ session: DecodingSession) {
        isPrepared = true
        isForgotten = false
        stateCount = session.isDetached ? 0 : session.entries.count
        states.renew(stateCount)
        for (ordinal, error) in session.unreadable {
            setState(ordinal, ElementState.notKept)
            failures[ordinal] = error
        }
    }

    /// Makes the plan that another session has left as good as new.
    @inline(never)
    final func prepare(_ session: DecodingSession) {
        readModel()
        start(session)
    }

    /// Asks the model anew for what it says about itself: a program may compute it.
    func readModel() {}

    final func require(_ type: String) {
        if let requiredType, UTF8Bytes.areEqual(type, requiredType) { return }
        requiredType = type
        requiredBytes = Array(type.utf8)
        typeHash = Self.hash(type)
    }

    private static func hash(_ type: String?) -> UInt64 { type.map(ResourceIndex.hash(ofType:)) ?? 0 }

    /// Lets go of all that belongs to the session, and of much memory.
    final func endSession() {
        guard isPrepared else { return }
        isPrepared = false
        isLinkedTo = false
        if !isForgotten { forget() }
        if states.capacity > Self.keptCount { states.shrink(to: 1) }
    }

    /// Lets go of the values, for a session that goes on without keeping any: resources are read again when they are asked for.
    final func forget() {
        stateCount = 0
        if !sparse.isEmpty { sparse = [:] }
        if !failures.isEmpty { failures = [:] }
        if references != nil { references = nil }
        if hasValues { removeValues() }
        hasValues = false
        isForgotten = true
    }

    /// Whether the plan keeps values: asked here, as to ask an array of a type that is not known costs a look-up, even when it is empty.
    fileprivate final var hasValues = false
    /// Whether there is nothing to let go of.
    fileprivate final var isForgotten = true

    /// The plan keeps memory for no more resources than that when a session ends.
    fileprivate static var keptCount: Int { 1 << 13 }

    fileprivate func removeValues() {}

    @inline(__always)
    fileprivate final func state(_ ordinal: Int) -> UInt32 {
        stateCount == 0 ? sparse[ordinal, default: ElementState.untouched] : states[ordinal]
    }

    @inline(__always)
    fileprivate final func setState(_ ordinal: Int, _ state: UInt32) {
        if stateCount > 0 { return states[ordinal] = state }
        sparse[ordinal] = state
        isForgotten = false
    }

    /// Whether the resource type at `word` can be made into a value.
    @inline(__always)
    final func accepts(_ session: DecodingSession, typeAt word: Int) -> Bool {
        requiredType == nil || session.view.string(at: word, equals: requiredBytes.span)
    }

    /// The resource that an identifier leads to when it can be embedded at once: it is there, of the right type, and not being
    /// read further out. Else -1.
    @inline(__always)
    final func plainTarget(_ session: DecodingSession, _ identifier: IdentifierEntry) -> Int {
        let index = session.index
        // Identifiers with a lid, and those of any type, are looked up in the general way.
        guard requiredType != nil, identifier.id != 0 else {
            guard accepts(session, typeAt: identifier.type), let target = index.ordinal(of: identifier, session.view),
                !isInProgress(target)
            else { return -1 }
            return target
        }
        guard session.view.string(at: identifier.type, equals: requiredBytes.span) else { return -1 }
        let target = index.ordinal(of: identifier, typeHash: typeHash, session.view)
        return target >= 0 && !isInProgress(target) ? target : -1
    }

    /// The resource that an identifier with an id leads to, when it is of the one type that is required. Else -1.
    @inline(__always)
    final func linkedTarget(_ session: DecodingSession, _ identifier: IdentifierEntry) -> Int {
        guard requiredType != nil, identifier.id != 0, session.view.string(at: identifier.type, equals: requiredBytes.span) else {
            return -1
        }
        return session.index.ordinal(of: identifier, typeHash: typeHash, session.view)
    }

    /// Whether a resource can be embedded at once: it is of the right type, and not being read further out.
    @inline(__always)
    final func canEmbed(_ session: DecodingSession, _ ordinal: Int) -> Bool {
        let state = state(ordinal)
        // There is a value only of what was accepted.
        if state >= ElementState.inCell { return true }
        return state != ElementState.inProgress && accepts(session, typeAt: Int(session.entries[ordinal].type))
    }

    /// Whether the resource is being read, further out: to embed it now would never end.
    @inline(__always)
    final func isInProgress(_ ordinal: Int) -> Bool { state(ordinal) == ElementState.inProgress }

    /// Whether the resource has no value yet and was not noted for reading; notes it.
    @inline(__always)
    final func notePending(_ ordinal: Int) -> Bool {
        switch state(ordinal) {
        case ElementState.untouched: setState(ordinal, ElementState.pending)
        case ElementState.givenAway: break
        default: return false
        }
        return true
    }

    /// Reads a resource that is only referred to, once.
    func verify(_ session: DecodingSession, _ ordinal: Int) throws {}

    /// Notes that a reference from one resource to another is handed out. Returns the cell for the other's value; nil in a session that
    /// reads single resources for a reference, where it may be read again.
    final func reference(_ session: DecodingSession, from ordinal: Int, to target: Int) -> ReferenceCell? {
        session.noteReference(from: ordinal, to: target)
        if session.isDetached {
            session.addPending(self, target)
            return keptCell(session, target)
        }
        let table = references ?? makeReferences(session)
        if let cell = table[target] { return cell }
        session.addPending(self, target)
        return table.makeCell(target)
    }

    @inline(never)
    private final func makeReferences(_ session: DecodingSession) -> ReferenceTable {
        let table = ReferenceTable(session.entries.count, of: cellType)
        references = table
        return table
    }

    @inline(never)
    private final func keptCell(_ session: DecodingSession, _ ordinal: Int) -> ReferenceCell? {
        (session.resolver as? DocumentResolver)?.cell(valueType, ordinal)
    }

    /// Gives the references to resources their values, except those that are left out. Returns a table of the values that hold no
    /// references, for what references resolve through: others would keep the table alive. Nil where nothing refers to these values.
    ///
    /// - Parameter excluded: 1 for each resource whose value no reference may hold.
    final func settleReferences(excluded: Scratch<UInt8>) -> ReferenceTable? {
        guard let table = references else { return nil }
        for ordinal in table.ordinals {
            let state = state(ordinal)
            if state < ElementState.inCell || excluded[ordinal] != 0 {
                setCell(ordinal, number: nil)
                table.drop(ordinal)
            } else {
                if state >= ElementState.firstValue { setCell(ordinal, number: Int(state - ElementState.firstValue) >> 1) }
                if state & 1 != 0 { table.drop(ordinal) }
            }
        }
        return table
    }

    /// Puts the value of that number into the cell of a resource, or nothing.
    fileprivate func setCell(_ ordinal: Int, number: Int?) {}
}

/// A value in the making.
private struct Making {
    /// What the session had counted before.
    let cuts: Int
    let references: Int
    /// Whether the resource was read before, and its value given away.
    let isRepeated: Bool
}

extension AnyElementPlan {
    @inline(__always)
    fileprivate final func begin(_ session: DecodingSession, _ ordinal: Int, through name: Int) throws -> Making {
        let state = state(ordinal)
        if state != ElementState.untouched { try checkAgain(session, ordinal) }
        let making = Making(
            cuts: session.cutCount, references: session.referenceCount, isRepeated: state == ElementState.givenAway)
        try session.enter(ordinal, through: name)
        setState(ordinal, ElementState.inProgress)
        return making
    }

    /// For a resource that was met before and has no value to share.
    @inline(never)
    private final func checkAgain(_ session: DecodingSession, _ ordinal: Int) throws {
        switch state(ordinal) {
        case ElementState.inProgress: throw session.nestedInItself(ordinal)
        case ElementState.notKept:
            if let failure = failures[ordinal] { throw failure }
            try session.countExpansion(ordinal)
        default: break
        }
    }

    @inline(never)
    fileprivate final func abandon(_ making: Making, _ session: DecodingSession, _ ordinal: Int, _ error: any Error) {
        session.leave()
        setState(ordinal, ElementState.notKept)
        if session.cutCount == making.cuts, (error as? DecodingError)?.failure?.kind.category != .limit {
            failures[ordinal] = error
            isForgotten = false
        }
    }

    /// Whether the value is to be kept.
    ///
    /// - Parameter state: what the state of the resource will be then.
    @inline(__always)
    fileprivate final func end(
        _ making: Making, _ session: DecodingSession, _ ordinal: Int, through name: Int, as state: @autoclosure () -> UInt32
    ) -> Bool {
        session.leave()
        guard session.keepsValues, session.cutCount == making.cuts, isLinkedTo || session.hasRelationships else {
            setState(ordinal, ElementState.notKept)
            return false
        }
        guard making.isRepeated || session.mayBeAsked(for: ordinal, again: name != 0) else {
            setState(ordinal, ElementState.givenAway)
            return false
        }
        setState(ordinal, state() + (session.referenceCount != making.references ? 1 : 0))
        return true
    }
}

/// Makes values of one Swift type from resource objects, each resource once, and shares them.
///
/// A value in whose making a cycle was cut depends on the way it was reached. It is handed out, but not kept: reaching the
/// resource on another way reads it again, which the session counts.
///
/// A value that nothing else leads to, as far as the document's linkage tells, is not kept either. A model that asks for it a
/// second time all the same has it read a second time, and from then on kept.
class ElementPlan<Value: ResourceRepresentable>: AnyElementPlan {
    /// The values kept.
    private var values: [Value] = []

    /// The state of a resource whose value is the next of `values`.
    private var newState: UInt32 { ElementState.firstValue + UInt32(truncatingIfNeeded: values.count) * 2 }

    /// Required, so that `PlanFactory` makes a plan through the type of its class, which it remembers.
    required init(_ session: DecodingSession) { super.init(session, Value.self, ValueCell<Value>.self, requiredType: nil) }

    init(_ session: DecodingSession, requiredType: String) {
        super.init(session, Value.self, ValueCell<Value>.self, requiredType: requiredType)
    }

    // The memory of a few stays: the next session needs it again.
    fileprivate override func removeValues() { values.removeAll(keepingCapacity: values.count <= 64) }

    @inline(__always)
    private func keep(_ value: Value) {
        hasValues = true
        values.append(value)
    }

    /// Makes the value, with no regard to what was made before.
    func build(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        throw DecodingFailure(
            .wrongType, at: session.pointer(ofResource: ordinal), expected: "a resource", found: "\(Value.self)")
    }

    /// The value for a resource, made or shared. Ask `isInProgress` first.
    final func value(_ session: DecodingSession, _ ordinal: Int, through name: Int) throws -> Value {
        let state = state(ordinal)
        if state >= ElementState.inCell {
            if state & 1 != 0 { session.noteEmbedding(of: ordinal) }
            if state >= ElementState.firstValue { return values[Int(state - ElementState.firstValue) >> 1] }
            return try valueInCell(session, ordinal)
        }
        let making = try begin(session, ordinal, through: name)
        let value: Value
        do {
            value = try build(session, ordinal)
        } catch {
            abandon(making, session, ordinal, error)
            throw error
        }
        if end(making, session, ordinal, through: name, as: newState) { keep(value) }
        if session.referenceCount != making.references { session.noteEmbedding(of: ordinal) }
        return value
    }

    // MARK: - For references

    override func verify(_ session: DecodingSession, _ ordinal: Int) throws {
        switch state(ordinal) {
        case ElementState.pending, ElementState.givenAway: try fillCell(session, ordinal)
        default: break
        }
    }

    /// Reads a resource into its cell.
    private func fillCell(_ session: DecodingSession, _ ordinal: Int) throws {
        let making = try begin(session, ordinal, through: 0)
        do {
            let value = try build(session, ordinal)
            if let cell = references?[ordinal] { KnownObject.of(cell, as: ValueCell<Value>.self).value = value }
        } catch {
            abandon(making, session, ordinal, error)
            throw error
        }
        if !end(making, session, ordinal, through: 0, as: ElementState.inCell) { setCell(ordinal, number: nil) }
    }

    // Apart, because the runtime would look the type of the optional up for every value: 6 % of direct decoding.
    @inline(never)
    private func valueInCell(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        if let value = references?[ordinal]?.value(Value.self) { return value }
        return try build(session, ordinal)
    }

    fileprivate override func setCell(_ ordinal: Int, number: Int?) {
        guard let cell = references?[ordinal] else { return }
        if let number {
            KnownObject.of(cell, as: ValueCell<Value>.self).value = values[number]
        } else {
            KnownObject.of(cell, as: ValueCell<Value>.self).value = nil
        }
    }
}
