import Foundation
import JSONText

/// What one call of the encoder needs, and what ends with it: the text, the resource being written, those still to come.
///
/// Used by one thread. One resource is written at a time: resources inside it are noted, not written there, so nothing recurses
/// along relationships.
final class EncodingSession {
    let options: JSONAPIEncoder
    let sink: ValueSink
    /// The text itself: the output of `sink`.
    let output = OutputPool.shared.take()
    /// The relationships of the current resource: they come behind the attributes, whatever the order of the properties.
    let relationships = JSONOutput()
    let renamesKeys: Bool
    let checksNames: Bool

    let tree: IncludeTree
    let fieldsets: [String: [String]]
    let included: IncludedResources
    /// The prepared texts of names and types.
    let pieces = OutputPieces()
    private(set) var groupPieces: (attributes: Int, relationships: Int)
    let types: KnownTypes
    /// The names of members.
    let names: FieldNames
    /// Names of fields that are left out of a request.
    var omitted: [String] = []
    /// The resources that a request creates together with new related ones.
    var created: Set<Int> = []
    /// Looks for misspelt names, where there are names given as text.
    var nameCheck: NameCheck?
    /// Whether a request is written: relationships come with linkage alone, or not at all.
    var isRequest = false
    /// Whether the resource is to be created, so that the server has nothing of it yet.
    var isCreation = false
    /// Whether the resource object is checked as a whole by whoever asked for it.
    var isCheckedLater = false
    /// Whether an embedded resource that is nil is an empty relationship.
    var clearsRelationships = false
    /// Whether a reference that is nil is one, too, whatever it was.
    var statesCleared = false
    /// Whether references that a source resolves lead to resources which are written, too.
    var followsSources = true

    /// What the relationships of raw resources resolve through.
    var resolver: ReferenceResolver?
    /// The document that is written again; nil for one that the program made.
    var document: ParsedDocument? { (resolver as? DocumentResolver)?.document }
    /// The first error that a container threw.
    // Unchecked, as what follows: one thread uses a session, and these are looked at for every field.
    @safe @exclusivity(unchecked) var firstError: (any Error)?

    /// The number by which containers name the resource object they write to.
    @safe @exclusivity(unchecked) private(set) var serial = 0
    /// Whether some fields are left out.
    @safe @exclusivity(unchecked) private(set) var hasFilter = false
    /// Whether the object of the attributes is begun.
    @safe @exclusivity(unchecked) var hasAttributes = false
    /// Whether the object of the relationships is begun.
    @safe @exclusivity(unchecked) var hasRelationships = false
    /// The resource object being written.
    @safe @exclusivity(unchecked) var resource = ResourceState()
    /// Its number among the resources that were met, or `loose`.
    @safe @exclusivity(unchecked) private var number = EncodingSession.loose
    /// The identity of a resource that is not among those met.
    private var looseIdentity = ResourceIdentifier(ofObject: "")

    /// Whether two values with one identity are compared.
    let comparesValues: Bool
    /// Whether links are made by the encoder's closure.
    let hasLinkMaker: Bool
    /// Whether dates are written as RFC 3339 says.
    let writesISODates: Bool

    private let writers = TypeTable()
    private let elementWriters = TypeTable()
    let containerMakers = TypeTable()
    /// Names made from those of coding keys; nil where no key strategy makes any.
    let memberNames: MemberNames?
    private var nesting = 0
    private lazy var stackFloor = StackGuard.lowestAddress

    init(_ options: JSONAPIEncoder, include: IncludePaths, fields: [String: [String]]) {
        self.options = options
        groupPieces = Self.addGroups(to: pieces)
        names = FieldNames(pieces)
        types = KnownTypes(pieces)
        sink = ValueSink(output, names: names)
        tree = IncludeTree(include)
        fieldsets = fields
        checksNames = options.checksNames
        included = IncludedResources(types)
        if case .useDefaultKeys = options.keyStrategy { memberNames = nil } else { memberNames = MemberNames(options.keyStrategy) }
        renamesKeys = memberNames != nil
        hasLinkMaker = options.linkMaker != nil
        comparesValues = options.conflictingResources == .throw
        if case .iso8601 = options.dateEncodingStrategy { writesISODates = true } else { writesISODates = false }
    }

    deinit { OutputPool.shared.giveBack(output) }
}

// MARK: - The resource being written

extension EncodingSession {
    /// The number of a resource that is not among those met.
    static let loose = -1

    /// Who the resource being written is.
    var identity: ResourceIdentifier { number == Self.loose ? looseIdentity : included.identifier(number) }

    /// The identity, where there is one.
    var identified: ResourceIdentifier? {
        let identity = identity
        return identity.id == nil && identity.lid == nil ? nil : identity
    }

    /// Keeps the identity of a resource that is not among those met, until another is kept. Returns the number to begin it with.
    func keep(_ identity: ResourceIdentifier) -> Int {
        looseIdentity = identity
        return Self.loose
    }

    /// What few resources have.
    var extras: ResourceExtras {
        if let extras = resource.extras { return extras }
        let made = ResourceExtras()
        resource.extras = made
        return made
    }

    /// The attributes of the resource that was written last of which it wrote some members alone.
    var attributeParts: AttributeParts { resource.extras?.parts ?? AttributeParts() }

    /// Makes a resource object the one that is written.
    ///
    /// - Parameter number: of a resource that was met, or what `keep(_:)` returned.
    func begin(_ number: Int, at place: ObjectPlace, node: IncludeTree.Node) {
        self.number = number
        let filter = fieldsets.isEmpty && omitted.isEmpty ? nil : makeFilter(for: identity.type)
        hasFilter = filter != nil
        resource.place = place
        resource.node = node
        resource.filter = filter
        resource.extras = nil
        resource.start = output.mark
        resource.needsCheck = false
        serial = sink.nextNumber()
        names.begin(serial)
        hasAttributes = false
        hasRelationships = false
        if let nameCheck { nameCheck.begin(self) }
    }

    /// Ends the resource object: its containers can no longer be written to.
    func endSerial() { serial = sink.nextNumber() }

    /// Makes something that is no resource object the place of what is written.
    func begin(at place: ObjectPlace) { begin(keep(ResourceIdentifier(ofObject: "")), at: place, node: IncludeTree.nothing) }

    /// Notes an error of a call that cannot throw. The text is no longer whole, so encoding fails in the end.
    func note(_ error: any Error) {
        if firstError == nil { firstError = error }
    }
}

// MARK: - Writers

extension EncodingSession {
    /// How a value of this type is written. Worked out once per type and session.
    @inline(__always)
    func writer<Value: Encodable>(for type: Value.Type) -> PropertyWriter<Value> {
        // The table is filled below only, with a writer of the very type that is its key.
        writers.object(for: ObjectIdentifier(type), as: PropertyWriter<Value>.self) ?? makeWriter(for: type)
    }

    @inline(never)
    private func makeWriter<Value: Encodable>(for type: Value.Type) -> PropertyWriter<Value> {
        let writer = WriterFactory.writer(for: type, self)
        writers.insert(writer, for: ObjectIdentifier(type))
        return writer
    }

    /// How a resource of this type is written.
    func elementWriter<Element: ResourceRepresentable>(for type: Element.Type) -> ElementWriter<Element> {
        // The table is filled below only, with a writer of the very type that is its key.
        if let writer = elementWriters.object(for: ObjectIdentifier(type), as: ElementWriter<Element>.self) { return writer }
        let writer = WriterFactory.elementWriter(for: type, self)
        elementWriters.insert(writer, for: ObjectIdentifier(type))
        return writer
    }
}

// MARK: - Going on

extension EncodingSession {
    /// Forgets the resources that were met and the values that were kept, for a document that is written resource by resource.
    func forgetResources() {
        included.forgetAll()
        if types.count > 64 || names.count > FieldNames.limit / 2 {
            types.removeAll()
            names.removeAll()
            pieces.removeAll()
            groupPieces = Self.addGroups(to: pieces)
        }
        begin(at: ObjectPlace())
    }
}

extension EncodingSession {
    /// Adds the pieces `"attributes":` and `"relationships":`.
    private static func addGroups(to pieces: OutputPieces) -> (attributes: Int, relationships: Int) {
        func piece(_ name: String) -> Int { UTF8Bytes.withBytes(of: name) { pieces.append("\"", $0, "\":") } ?? 0 }
        return (piece("attributes"), piece("relationships"))
    }
}

// MARK: - Nesting

extension EncodingSession {
    /// Counts one more level of `encode(to:)` inside another; `unnest` ends it. Where it throws, nothing is counted.
    ///
    /// Each level looks at the stack: what one takes is up to the model.
    @inline(__always)
    func nest() throws {
        guard StackGuard.hasRoom(above: stackFloor) else { throw stackIsFull() }
        nesting += 1
    }

    @inline(__always)
    func unnest() { nesting -= 1 }

    @inline(never)
    private func stackIsFull() -> EncodingFailure {
        failure(
            .nestingLimit, expected: "values that the stack of this thread has room for",
            found: "\(nesting) calls of encode(to:) inside each other",
            advice: "encode on a thread with a larger stack, or make the values nest less deeply")
    }

    /// A JSON tree, which may be too deep to be read again.
    ///
    /// - Parameters:
    ///   - depth: how many arrays and objects are around `output`, where that is not the document.
    ///   - tokens: the place of the tree in the resource being written.
    func writeTree(
        _ json: JSON, into output: JSONOutput, below depth: Int = 0, at tokens: @autoclosure () -> [String]
    ) throws {
        guard let deep = output.value(json, maximumDepth: max(options.maximumDepth - depth - output.depth, 0)) else { return }
        throw tooDeep(at: tokens() + deep.tokens)
    }

    func tooDeep(at tokens: [String]) -> EncodingFailure {
        failure(
            .nestingLimit, at: tokens, expected: "arrays and objects nested at most \(options.maximumDepth) deep", found: "more",
            advice: "raise maximumDepth")
    }

    /// A sink for a container inside the innermost value of `sink`. The names in it are not noted, so the finished text is checked.
    func detached(_ step: PathStep, in sink: ValueSink) -> ValueSink {
        resource.needsCheck = true
        return sink.detached(step)
    }
}

// MARK: - Places

extension EncodingSession {
    /// The pointer to something in the resource being written.
    func pointer(_ tokens: [String]) -> JSONPointer { JSONPointer(tokens: resource.place.tokens + tokens) }

    /// A failure at a place in the resource being written.
    func failure(
        _ kind: EncodingFailure.Kind, at tokens: [String], expected: String, found: String, advice: String? = nil
    ) -> EncodingFailure {
        EncodingFailure(
            kind, at: pointer(tokens), resource: identified, expected: expected, found: found, advice: advice)
    }

    /// A failure in the value that is being written.
    func failure(
        _ kind: EncodingFailure.Kind, in sink: ValueSink? = nil, _ more: [String] = [], expected: String, found: String,
        advice: String? = nil
    ) -> EncodingFailure {
        let sink = sink ?? self.sink
        let tokens = sink.path.compactMap(\.token) + more
        return failure(kind, at: tokens.isEmpty ? [] : sink.group + tokens, expected: expected, found: found, advice: advice)
    }

    /// The coding path of a value: the index in primary data, then the keys.
    func codingPath(_ steps: [PathStep]) -> [any CodingKey] {
        (resource.place.index.map { [PathKey(index: $0)] } ?? []) + steps.compactMap(\.key)
    }
}

// MARK: - The text

extension EncodingSession {
    /// A text of our own as a tree.
    func json(_ text: [UInt8]) throws -> JSON { try JSON(parsing: text, options: reading) }

    /// How a text of our own is read: whatever could be written.
    var reading: JSONReadingOptions { .unlimited }

    /// The text in the style that is asked for. Compact text stays as it is.
    func laidOut(_ output: JSONOutput) throws -> Data {
        guard options.style != .compact || options.sortsNames || options.escapesSlashes else { return Data(taking: output) }
        return try output.withText { text in
            try Tape.with(text, options: reading) { tape in
                let styled = JSONOutput(options.style, escapesSlashes: options.escapesSlashes, capacity: text.count)
                tape.view.write(tape.view.root, into: styled, sortsNames: options.sortsNames)
                return Data(taking: styled)
            }
        }
    }
}
