import JSONAPIRules
import JSONText

/// The state of a resource, in four bytes: one of these values, or `firstValue` plus twice the index of its value. The state of a resource
/// with a value is 1 higher when the value holds references.
enum ElementState {
    static let untouched: UInt32 = 0
    static let inProgress: UInt32 = 1
    static let notKept: UInt32 = 2
    /// Noted, to be read later.
    static let pending: UInt32 = 3
    /// Read and not kept, because nothing else referred to it.
    static let givenAway: UInt32 = 4
    /// Read once for references, and not kept.
    static let verified: UInt32 = 5
    /// The value is in the cell of its references.
    static let inCell: UInt32 = 6
    static let firstValue: UInt32 = 8
}

/// The part of an element plan that does not depend on the type of its values.
class AnyElementPlan {
    /// The `type` that resources must have; nil when any type is accepted.
    private(set) final var requiredType: String?
    /// The bytes of `requiredType`, which are compared with those on the tape.
    private var requiredBytes: [UInt8]
    /// The type of the values.
    let valueType: Any.Type
    /// Whether a property seen so far holds these values. Primary resources that nothing can link to need not be kept. In a document with
    /// relationships, such a property may be found later.
    @safe @exclusivity(unchecked) var isLinkedTo = false

    /// The state of each resource.
    private let states: Scratch<UInt32>
    // Unchecked, like the following properties: one thread uses a session, and nothing calls back while these change. For small documents,
    // the checks took a tenth of the time.
    /// The number of states. It is 0 in a session that reads single resources for a reference, where `sparse` has the states.
    @safe @exclusivity(unchecked) private var stateCount = 0
    @safe @exclusivity(unchecked) private var sparse: [Int: UInt32] = [:]
    /// Whether a session uses the plan. Otherwise `prepare` must be called first.
    @safe @exclusivity(unchecked) private(set) final var isPrepared = false
    @safe @exclusivity(unchecked) private var typeHash: UInt64
    /// The errors of resources that could not be read, so that the next reference to one fails at once.
    @safe @exclusivity(unchecked) fileprivate final var failures: [Int: any Error] = [:]
    /// The cells of the references that were made.
    @safe @exclusivity(unchecked) fileprivate final var references: ReferenceTable?
    /// The class of the cells.
    private let cellType: ReferenceCell.Type

    init(_ session: DecodingSession, _ valueType: Any.Type, _ cellType: ReferenceCell.Type, requiredType: String?) {
        self.valueType = valueType
        self.cellType = cellType
        self.requiredType = requiredType
        requiredBytes = Array((requiredType ?? "").utf8)
        typeHash = Self.hash(requiredType)
        states = Scratch(zeroes: session.isDetached ? 1 : session.entries.count)
        start(session)
    }

    private func start(_ session: DecodingSession) {
        isPrepared = true
        stateCount = session.isDetached ? 0 : session.entries.count
        states.renew(stateCount)
        for (ordinal, error) in session.unreadable {
            setState(ordinal, ElementState.notKept)
            failures[ordinal] = error
        }
    }

    /// Prepares the plan after another session has used it.
    @inline(never)
    final func prepare(_ session: DecodingSession) {
        readModel()
        start(session)
    }

    /// Reads the model's static properties again, because a program may compute them.
    func readModel() {}

    final func require(_ type: String) {
        if let requiredType, UTF8Bytes.areEqual(type, requiredType) { return }
        requiredType = type
        requiredBytes = Array(type.utf8)
        typeHash = Self.hash(type)
    }

    private static func hash(_ type: String?) -> UInt64 { type.map(ResourceIndex.hash(ofType:)) ?? 0 }

    /// Releases everything that belongs to the session, and large memory.
    final func endSession() {
        guard isPrepared else { return }
        isPrepared = false
        isLinkedTo = false
        forget()
        if states.capacity > Self.keptCount { states.replace(with: 1) }
    }

    /// Releases the values, for a session that continues without keeping any. Resources are then read again on each request.
    final func forget() {
        stateCount = 0
        if !sparse.isEmpty { sparse = [:] }
        if !failures.isEmpty { failures = [:] }
        if references != nil { references = nil }
        if hasValues { removeValues() }
        hasValues = false
    }

    /// Whether the plan keeps values. Stored, because even asking an empty array of an unknown type costs a look-up.
    @safe @exclusivity(unchecked) fileprivate final var hasValues = false

    /// The maximum number of resources for which the plan keeps memory when a session ends.
    fileprivate static var keptCount: Int { 1 << 13 }

    fileprivate func removeValues() {}

    @inline(__always)
    fileprivate final func state(_ ordinal: Int) -> UInt32 {
        stateCount == 0 ? sparse[ordinal, default: ElementState.untouched] : states[ordinal]
    }

    @inline(__always)
    fileprivate final func setState(_ ordinal: Int, _ state: UInt32) {
        if stateCount > 0 { states[ordinal] = state } else { sparse[ordinal] = state }
    }

    /// Whether a value can be made from a resource whose type is at `word`.
    @inline(__always)
    final func accepts(_ session: DecodingSession, typeAt word: Int) -> Bool {
        requiredType == nil || session.view.string(at: word, equals: requiredBytes.span)
    }

    /// Returns the resource of an identifier when it can be embedded at once: it exists, has the required type and is not being read around
    /// this one. Otherwise -1.
    @inline(__always)
    final func plainTarget(_ session: DecodingSession, _ identifier: IdentifierEntry) -> Int {
        // Identifiers with a lid, and plans for any type, use the general look-up.
        guard requiredType != nil, identifier.id != 0 else {
            guard accepts(session, typeAt: identifier.type), let target = session.index.ordinal(of: identifier, session.view),
                !isInProgress(session, target)
            else { return -1 }
            return target
        }
        let target = linkedTarget(session, identifier)
        return target >= 0 && !isInProgress(session, target) ? target : -1
    }

    /// Returns the resource of an identifier with an id, when it has the required type. Otherwise -1.
    @inline(__always)
    final func linkedTarget(_ session: DecodingSession, _ identifier: IdentifierEntry) -> Int {
        guard requiredType != nil, identifier.id != 0, session.view.string(at: identifier.type, equals: requiredBytes.span) else {
            return -1
        }
        return session.index.ordinal(of: identifier, typeHash: typeHash, session.view)
    }

    /// Whether a resource can be embedded at once: it has the required type, and is not being read around this one.
    @inline(__always)
    final func canEmbed(_ session: DecodingSession, _ ordinal: Int) -> Bool {
        let state = state(ordinal)
        // Only accepted resources have values.
        if state >= ElementState.inCell { return true }
        if state == ElementState.inProgress { return false }
        return requiredType == nil ? !isMemberInProgress(session, ordinal) : accepts(session, typeAt: Int(session.entries[ordinal].type))
    }

    /// Whether the resource is being read around this one, so that embedding it would never end.
    @inline(__always)
    final func isInProgress(_ session: DecodingSession, _ ordinal: Int) -> Bool {
        state(ordinal) == ElementState.inProgress || requiredType == nil && isMemberInProgress(session, ordinal)
    }

    /// Whether the resource is being read around this one as a value of one of the union's members.
    func isMemberInProgress(_ session: DecodingSession, _ ordinal: Int) -> Bool { false }

    /// Notes the resource for reading. Returns false when it has a value or was already noted. A resource that was read without keeping its
    /// value is read once more: a cycle was cut in it, or a model has caught its error.
    @inline(__always)
    final func notePending(_ ordinal: Int) -> Bool {
        switch state(ordinal) {
        case ElementState.untouched: setState(ordinal, ElementState.pending)
        case ElementState.givenAway, ElementState.notKept: break
        // Its value may be cut, and then not be kept.
        case ElementState.inProgress: break
        default: return false
        }
        return true
    }

    /// Reads a resource once to which only references refer.
    func verify(_ session: DecodingSession, _ ordinal: Int) throws {}

    /// Notes a reference from one resource to another, and returns the cell for the other's value. Nil in a session that reads single
    /// resources for a reference, when the value can be read again by its identity.
    final func reference(_ session: DecodingSession, from ordinal: Int, to target: Int) -> ReferenceCell? {
        session.noteReference(from: ordinal, to: target)
        if session.isDetached {
            session.addPending(self, target)
            return cellWithoutIdentity(session, target)
        }
        let table = references ?? makeReferences(session)
        if let cell = table[target] { return cell }
        session.addPending(self, target)
        return table.makeCell(target)
    }

    @inline(never)
    private final func makeReferences(_ session: DecodingSession) -> ReferenceTable {
        let table = ReferenceTable(session.entries.count, of: cellType, session.isFinished)
        references = table
        return table
    }

    /// Returns an empty cell for a resource with neither id nor lid, because only its ordinal finds it again.
    @inline(never)
    private final func cellWithoutIdentity(_ session: DecodingSession, _ ordinal: Int) -> ReferenceCell? {
        let entry = session.entries[ordinal]
        return entry.id == 0 && entry.lid == 0 ? ReferenceCell.make(cellType, ordinal, session.isFinished) : nil
    }

    /// Gives the references their values, except the excluded ones. Returns a table of the values without references, for the resolver,
    /// because other values would keep the table alive. Nil when nothing refers to these values.
    ///
    /// - Parameter excluded: 1 for each resource whose value no reference may hold; nil for all of them.
    final func settleReferences(excluded: Scratch<UInt8>?) -> ReferenceTable? {
        guard let table = references else { return nil }
        for ordinal in table.ordinals {
            let state = state(ordinal)
            if state < ElementState.inCell || excluded?[ordinal] != 0 {
                setCell(ordinal, number: nil)
                table.drop(ordinal)
            } else {
                if state >= ElementState.firstValue { setCell(ordinal, number: Int(state - ElementState.firstValue) >> 1) }
                if state & 1 != 0 { table.drop(ordinal) }
            }
        }
        return table
    }

    /// Stores the value with the given index in the cell of a resource, or empties the cell.
    fileprivate func setCell(_ ordinal: Int, number: Int?) {}
}

/// A value that is being made.
private struct Making {
    /// The session's counts at the start.
    let cuts: Int
    let references: Int
    /// The state of the resource at the start.
    let state: UInt32

    /// The state of the resource when its value is not kept.
    var stateWithoutValue: UInt32 { state == ElementState.verified ? ElementState.verified : ElementState.notKept }
}

extension AnyElementPlan {
    @inline(__always)
    fileprivate final func begin(_ session: DecodingSession, _ ordinal: Int, through name: Int) throws -> Making {
        let state = state(ordinal)
        if state != ElementState.untouched { try checkAgain(session, ordinal) }
        let making = Making(cuts: session.cutCount, references: session.referenceCount, state: state)
        try session.enter(ordinal, through: name)
        setState(ordinal, ElementState.inProgress)
        return making
    }

    /// Handles a resource that was read before and has no value to share.
    @inline(never)
    private final func checkAgain(_ session: DecodingSession, _ ordinal: Int) throws {
        switch state(ordinal) {
        case ElementState.inProgress: throw session.nestedInItself(ordinal)
        case ElementState.notKept, ElementState.verified:
            if let failure = failures[ordinal] { throw failure }
            try session.countExpansion(ordinal)
        default: break
        }
    }

    /// Ends making a value that failed. Returns the error, with the place of the resource if it has none.
    @inline(never)
    fileprivate final func abandon(_ making: Making, _ session: DecodingSession, _ ordinal: Int, _ error: any Error) -> any Error {
        let place = ValuePlace(Int(session.entries[ordinal].word), .elsewhere, in: nil)
        let error = (error as? DecodingError).map { session.located($0, at: place, as: valueType, of: ordinal) } ?? error
        session.leave()
        setState(ordinal, making.stateWithoutValue)
        if session.cutCount == making.cuts, (error as? DecodingError)?.failure?.kind.category != .limit { failures[ordinal] = error }
        return error
    }

    /// Ends making a value, and returns whether to keep it.
    ///
    /// - Parameter state: The state of the resource if the value is kept.
    @inline(__always)
    fileprivate final func end(
        _ making: Making, _ session: DecodingSession, _ ordinal: Int, through name: Int, as state: @autoclosure () -> UInt32
    ) -> Bool {
        session.leave()
        guard session.keepsValues, session.cutCount == making.cuts, isLinkedTo || session.hasRelationships else {
            setState(ordinal, making.stateWithoutValue)
            return false
        }
        guard making.state == ElementState.givenAway || session.mayBeAsked(for: ordinal, again: name != 0) else {
            setState(ordinal, ElementState.givenAway)
            return false
        }
        setState(ordinal, state() + (session.referenceCount != making.references ? 1 : 0))
        return true
    }
}

/// Makes values of one Swift type from resource objects, each resource once, and shares them.
///
/// A value in which a cycle was cut depends on the path to it. It is returned but not kept. Reaching the resource on another path reads it
/// again, which the session counts.
///
/// A value that no other linkage refers to is not kept either. When a model still requests it a second time, it is read again, and kept
/// from then on.
class ElementPlan<Value: ResourceRepresentable>: AnyElementPlan {
    /// The values that are kept.
    @safe @exclusivity(unchecked) private var values: [Value] = []

    /// The state of a resource whose value is appended next to `values`.
    private var newState: UInt32 { ElementState.firstValue + UInt32(truncatingIfNeeded: values.count) * 2 }

    /// Required, so that `PlanFactory` can create a plan from the class type, which it stores.
    required init(_ session: DecodingSession) { super.init(session, Value.self, ValueCell<Value>.self, requiredType: nil) }

    init(_ session: DecodingSession, requiredType: String) {
        super.init(session, Value.self, ValueCell<Value>.self, requiredType: requiredType)
    }

    // A new array, because in generic code removing the values of one takes longer than allocating its memory.
    fileprivate override func removeValues() { values = [] }

    @inline(__always)
    private func keep(_ value: Value) {
        hasValues = true
        values.append(value)
    }

    /// Makes the value, whatever was made before.
    func build(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        throw DecodingFailure(.wrongType, at: session.pointer(ofResource: ordinal), expected: "a resource", found: "\(Value.self)")
    }

    /// Makes the value that a union contains. Meanwhile the resource is also in progress for this plan, so that cycles are cut in the same
    /// place with and without the union.
    final func buildMember(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        let state = state(ordinal)
        if state == ElementState.inProgress { throw session.nestedInItself(ordinal) }
        setState(ordinal, ElementState.inProgress)
        defer { setState(ordinal, state) }
        return try build(session, ordinal)
    }

    /// Returns the value for a resource, new or shared. Check `isInProgress` first.
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
            throw abandon(making, session, ordinal, error)
        }
        if end(making, session, ordinal, through: name, as: newState) { keep(value) }
        if session.related != nil { session.noteRelated(value, ordinal) }
        if session.referenceCount != making.references { session.noteEmbedding(of: ordinal) }
        return value
    }

    // MARK: - For references

    override func verify(_ session: DecodingSession, _ ordinal: Int) throws {
        let before = state(ordinal)
        guard before == ElementState.pending || before == ElementState.givenAway || before == ElementState.notKept else { return }
        session.isReadingAgain = before == ElementState.notKept
        defer { session.isReadingAgain = false }
        do {
            // Without cells, the value is kept like an embedded one. Otherwise each resource that embeds it would read it again.
            if references == nil { _ = try value(session, ordinal, through: 0) } else { try fillCell(session, ordinal) }
        } catch let error as DecodingError where before == ElementState.notKept && error.failure?.kind == .expansionLimit {
            // It was read before with cuts in other places. The reference reads it when its value is asked for.
        }
        if state(ordinal) == ElementState.notKept { setState(ordinal, ElementState.verified) }
    }

    /// Reads a resource into its cell.
    private func fillCell(_ session: DecodingSession, _ ordinal: Int) throws {
        let making = try begin(session, ordinal, through: 0)
        do {
            let value = try build(session, ordinal)
            if let cell = references?[ordinal] { KnownObject.of(cell, as: ValueCell<Value>.self).value = value }
            if session.related != nil { session.noteRelated(value, ordinal) }
        } catch {
            throw abandon(making, session, ordinal, error)
        }
        if !end(making, session, ordinal, through: 0, as: ElementState.inCell) { setCell(ordinal, number: nil) }
    }

    // Separate, because the runtime would look up the type of the optional for every value: 6 % of direct decoding.
    @inline(never)
    private func valueInCell(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        if let cell = references?[ordinal], let value = KnownObject.of(cell, as: ValueCell<Value>.self).value { return value }
        return try build(session, ordinal)
    }

    fileprivate override func setCell(_ ordinal: Int, number: Int?) {
        guard let cell = references?[ordinal] else { return }
        KnownObject.of(cell, as: ValueCell<Value>.self).value = number.map { values[$0] }
    }
}
