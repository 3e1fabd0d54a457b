import JSONText

/// How far each resource has come: untouched, noted for later, being read, read but not kept, or the index of its value plus
/// `firstIndex`. Four bytes a resource; a session that reads single resources for a reference uses a table instead.
final class ElementStates {
    static let untouched: UInt32 = 0
    static let inProgress: UInt32 = 1
    static let notKept: UInt32 = 2
    static let pending: UInt32 = 3
    static let firstIndex: UInt32 = 4

    private let dense: Scratch<UInt32>
    private var sparse: [Int: UInt32] = [:]

    init(_ session: DecodingSession) {
        dense = Scratch(repeating: Self.untouched, count: session.isDetached ? 0 : session.entries.count)
    }

    subscript(ordinal: Int) -> UInt32 {
        @inline(__always)
        get { dense.count == 0 ? sparse[ordinal, default: Self.untouched] : dense[ordinal] }
        @inline(__always)
        set { if dense.count == 0 { sparse[ordinal] = newValue } else { dense[ordinal] = newValue } }
    }
}

/// What all element plans share, whatever they make.
class AnyElementPlan {
    fileprivate let states: ElementStates
    /// The `type` that resources must have, nil when any is welcome.
    let requiredType: String?
    private let requiredBytes: Scratch<UInt8>?
    private let typeHash: UInt64
    /// The type of the values.
    let valueType: Any.Type
    /// Whether some property seen so far holds these values; primary resources that nothing can link to need not be kept.
    /// In a document with relationships, such a property may turn up later.
    var isLinkedTo = false

    init(_ session: DecodingSession, _ valueType: Any.Type, requiredType: String?) {
        states = ElementStates(session)
        self.valueType = valueType
        self.requiredType = requiredType
        requiredBytes = requiredType.map { Scratch($0.utf8) }
        typeHash = requiredType.map(ResourceIndex.hash(ofType:)) ?? 0
    }

    /// Whether the resource type at `word` can be made into a value.
    @inline(__always)
    final func accepts(_ session: DecodingSession, typeAt word: Int) -> Bool {
        guard let requiredBytes else { return true }
        return session.view.string(at: word, equals: requiredBytes.buffer)
    }

    /// The resource that an identifier leads to when it can be embedded at once: it is there, of the right type, and not being
    /// read further out. Else -1.
    @inline(__always)
    final func plainTarget(_ session: DecodingSession, _ identifier: IdentifierEntry) -> Int {
        let index = session.index
        guard let requiredBytes else {
            guard let target = index.ordinal(of: identifier, session.view), !isInProgress(target) else { return -1 }
            return target
        }
        guard identifier.id != 0, session.view.string(at: identifier.type, equals: requiredBytes.buffer) else { return -1 }
        let target = index.ordinal(of: identifier, typeHash: typeHash, session.view)
        return target >= 0 && !isInProgress(target) ? target : -1
    }

    /// Whether the resource is being read, further out: to embed it now would never end.
    @inline(__always)
    final func isInProgress(_ ordinal: Int) -> Bool { states[ordinal] == ElementStates.inProgress }

    /// Whether the resource was neither read nor noted for reading; notes it.
    @inline(__always)
    final func notePending(_ ordinal: Int) -> Bool {
        guard states[ordinal] == ElementStates.untouched else { return false }
        states[ordinal] = ElementStates.pending
        return true
    }

    /// Reads a resource that is only referred to, once.
    func verify(_ session: DecodingSession, _ ordinal: Int) throws {}
    /// The values that hold no references, as `KeptValues`: only they may be kept by what references resolve through, or
    /// each would keep the other alive.
    func keptValues() -> (any Sendable)? { nil }
}

/// Makes values of one Swift type from resource objects, each resource once, and shares them.
///
/// A value in whose making a cycle was cut depends on the way it was reached. It is handed out, but not kept: reaching the
/// resource on another way reads it again, which the session counts.
class ElementPlan<Value: ResourceRepresentable>: AnyElementPlan {
    /// The values kept, and for each its resource, and 1 if it holds references.
    private let values = StableList<Value>()
    private let ordinals = ScratchStack<Int>(capacity: 16)
    private let referenceMarks = ScratchStack<UInt8>(capacity: 16)
    /// Why resources could not be read, so that the next reference to one fails at once.
    private var failures: [Int: any Error] = [:]

    init(_ session: DecodingSession, requiredType: String? = nil) {
        super.init(session, Value.self, requiredType: requiredType)
    }

    /// Makes the value, with no regard to what was made before.
    func build(_ session: DecodingSession, _ ordinal: Int) throws -> Value {
        throw DecodingFailure(
            .wrongType, at: session.pointer(ofResource: ordinal), expected: "a resource", found: "\(Value.self)")
    }

    /// The value for a resource, made or shared. Ask `isInProgress` first.
    final func value(_ session: DecodingSession, _ ordinal: Int, through name: Int) throws -> Value {
        if let index = index(session, ordinal) { return values[index] }
        return try make(session, ordinal, through: name)
    }

    /// The same, written to uninitialized memory.
    final func value(
        _ session: DecodingSession, _ ordinal: Int, through name: Int, at place: UnsafeMutablePointer<Value>
    ) throws {
        if let index = index(session, ordinal) { return values.copy(index, to: place) }
        place.initialize(to: try make(session, ordinal, through: name))
    }

    /// The index of the value that is there to be shared.
    @inline(__always)
    private func index(_ session: DecodingSession, _ ordinal: Int) -> Int? {
        let state = states[ordinal]
        guard state >= ElementStates.firstIndex else { return nil }
        let index = Int(state - ElementStates.firstIndex)
        if referenceMarks[index] != 0 { session.referenceCount += 1 }
        return index
    }

    private func make(_ session: DecodingSession, _ ordinal: Int, through name: Int) throws -> Value {
        if states[ordinal] != ElementStates.untouched { try checkAgain(session, ordinal) }
        let cuts = session.cutCount
        let references = session.referenceCount
        try session.enter(ordinal, through: name)
        states[ordinal] = ElementStates.inProgress
        let value: Value
        do {
            value = try build(session, ordinal)
        } catch {
            session.leave()
            states[ordinal] = ElementStates.notKept
            if session.cutCount == cuts, (error as? DecodingError)?.failure?.kind.category != .limit { failures[ordinal] = error }
            throw error
        }
        session.leave()
        if session.cutCount == cuts, isLinkedTo || session.hasRelationships {
            states[ordinal] = ElementStates.firstIndex + UInt32(truncatingIfNeeded: values.count)
            values.append(value)
            ordinals.push(ordinal)
            referenceMarks.push(session.referenceCount != references ? 1 : 0)
        } else {
            states[ordinal] = ElementStates.notKept
        }
        return value
    }

    /// For a resource that was met before and has no value to share.
    @inline(never)
    private func checkAgain(_ session: DecodingSession, _ ordinal: Int) throws {
        switch states[ordinal] {
        case ElementStates.inProgress: throw session.nestedInItself(ordinal)
        case ElementStates.notKept:
            if let failure = failures[ordinal] { throw failure }
            try session.countExpansion(ordinal)
        default: break
        }
    }

    // MARK: - For references

    override func verify(_ session: DecodingSession, _ ordinal: Int) throws {
        guard states[ordinal] == ElementStates.pending else { return }
        _ = try value(session, ordinal, through: 0)
    }

    override func keptValues() -> (any Sendable)? {
        guard isLinkedTo else { return nil }
        let kept = KeptValues<Value>(
            (0..<values.count).compactMap { referenceMarks[$0] != 0 ? nil : (ordinals[$0], values[$0]) })
        return kept.isEmpty ? nil : kept
    }
}

/// Values that outlive their session, by resource.
final class KeptValues<Value: Sendable>: Sendable {
    private let values: [Int: Value]

    init(_ values: [(Int, Value)]) { self.values = Dictionary(values) { first, _ in first } }

    var isEmpty: Bool { values.isEmpty }
    subscript(ordinal: Int) -> Value? { values[ordinal] }
}

/// Values of a model type, through `Codable`.
final class ResourcePlan<Model: Resource>: ElementPlan<Model> {
    init(_ session: DecodingSession) { super.init(session, requiredType: Model.type) }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(from: ResourceDecoder(session, ordinal))
    }
}

/// Values of a model type with a direct initialiser.
final class DirectResourcePlan<Model: DirectResource>: ElementPlan<Model> {
    init(_ session: DecodingSession) { super.init(session, requiredType: Model.type) }

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Model {
        if session.entries[ordinal].type == 0 { session.assumedTypes[ordinal] = requiredType }
        return try Model(resource: ResourceView(session, ordinal))
    }
}

/// Values of a union: the table's row for the resource's type, or the raw object.
final class UnionPlan<Union: ResourceUnion>: ElementPlan<Union> {
    private let members = Union.members

    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> Union {
        let type = Int(session.entries[ordinal].type)
        if type != 0, let member = members.first(where: { session.view.string(at: type, equals: $0.type) }) {
            return try member.make(session, ordinal)
        }
        if session.options.unknownTypes == .throw {
            throw session.unexpectedType(at: ordinal, NearestName.list(members.map(\.type)))
        }
        session.report(
            .unknownType, at: Int(session.entries[ordinal].word), "a resource of a type that \(Union.self) does not name, kept raw")
        return .unknown(ResourceObject(members: session.view.object(at: Int(session.entries[ordinal].word))))
    }
}

/// Raw resource objects.
final class RawResourcePlan: ElementPlan<ResourceObject> {
    override func build(_ session: DecodingSession, _ ordinal: Int) throws -> ResourceObject {
        ResourceObject(members: session.view.object(at: Int(session.entries[ordinal].word)))
    }
}

extension DecodingSession {
    /// The failure for a resource of a type that the model is not for.
    func unexpectedType(at ordinal: Int, _ expected: String) -> DecodingFailure {
        let entry = entries[ordinal]
        return failure(
            .unexpectedType, at: entry.type == 0 ? Int(entry.word) : Int(entry.type), expected: "a resource of type \(expected)",
            found: "a resource of type `\(entry.type == 0 ? "" : view.string(at: Int(entry.type)))`",
            advice: "several types in one place need a ResourceUnion")
    }
}
