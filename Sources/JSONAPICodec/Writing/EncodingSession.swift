import Foundation
import JSONMapping
import JSONText

/// The state of one call of the encoder: the text, the resource being written, and those that follow.
///
/// Only one thread uses it. Resources are written one at a time. A related resource is noted and written later, so nothing recurses along
/// relationships.
package final class EncodingSession {
    package let options: JSONAPIEncoder
    /// Owns the texts and tables below.
    let memory = EncodingPool.take()
    let sink: ValueSink
    /// The text itself: the output of `sink`.
    package let output: JSONOutput
    /// The relationships of the current resource. They are written after the attributes, whatever the order of the properties.
    let relationships: JSONOutput

    package let tree: IncludeTree
    let fieldsets: [ByteText: [String]]
    /// The filters for the types with a fieldset that were written, so that each is made once.
    var filters: [ByteText: FieldFilter] = [:]
    package let included: IncludedResources
    /// The prepared texts of names and types.
    let pieces: OutputPieces
    let types: KnownTypes
    /// The names of members.
    let names: FieldNames
    /// The names of the fields that a request leaves out.
    @safe @exclusivity(unchecked) var omitted: [String] = []
    /// The resources that a request creates together with new related ones.
    var created: Set<Int> = []
    /// The resources that have only a part of their attributes, by place, for the encoder's rewriters.
    var parts: [JSONPointer: ResourceRewriting.Part] = [:]
    /// Finds misspelled names, if names were given as text.
    package var nameCheck: NameCheck?
    /// Writes resources with `RemainingMembers` once more, to find the properties that are nil.
    var nilProbe: EncodingSession?
    /// Whether a request is written. Its relationships have only linkage, and are left out without it.
    var isRequest = false
    /// Whether the resource will be created, so that the server does not have it yet.
    var isCreation = false
    /// Whether `ResourceFields` are written, whose identity is given separately.
    @safe @exclusivity(unchecked) var writesFields = false
    /// Whether the caller checks the finished resource object.
    var isCheckedLater = false
    /// How fields that have no value are written.
    var absentFields = AbsentFields.ordinary
    /// Whether to leave out a resource that a reference finds in a source; without an identifier, whether most of its resources.
    var leavesOut: (any ResourceSource, ResourceIdentifier?) -> Bool = { _, _ in false }
    /// Called with the identity of each resource object that is written, and with what it contains only in part.
    var noteParts: ((ResourceIdentifier, AttributeParts) -> Void)?
    /// Whether a plain value gets references in place of the resources that it holds.
    var refersToResources = false

    /// The resolver for the relationships of raw resources.
    var resolver: ReferenceResolver? { didSet { if let resolver { noteCuts(of: resolver) } } }
    /// The last resolver whose strategies were compared with those of the encoder, and the result.
    var comparedResolver: ReferenceResolver?
    var writesComparedForm = true
    /// The document that is written again; nil when the program made the document.
    var document: ParsedDocument? { (resolver as? DocumentResolver)?.document }
    /// The relationships that embedded values lack, by their resources, and what finds these; nil when values are written without them.
    @safe @exclusivity(unchecked) fileprivate(set) var cuts: [ResourceIdentifier: (resolver: ReferenceResolver, names: Set<ByteText>)]?
    /// Finds the resources in the value that is being written, if that was read from a source to be written by its model.
    @safe @exclusivity(unchecked) var readingResolver: ReferenceResolver?
    /// The resolvers whose cuts were noted.
    private var cutResolvers: [ObjectIdentifier: ReferenceResolver] = [:]
    /// The first error that a container threw.
    // Unchecked, like the following properties: one thread uses a session, and these are read for every field.
    @safe @exclusivity(unchecked) var firstError: (any Error)?

    /// The number by which containers identify their resource object.
    @safe @exclusivity(unchecked) private(set) var serial = 0
    /// Whether some fields may be left out.
    @safe @exclusivity(unchecked) var hasFilter = false
    /// Whether the object of the attributes was begun.
    @safe @exclusivity(unchecked) var hasAttributes = false
    /// Whether the object of the relationships was begun.
    @safe @exclusivity(unchecked) var hasRelationships = false
    /// The resource object being written.
    @safe @exclusivity(unchecked) package var resource = ResourceState()
    /// The index of the current resource among the noted ones, or `loose`.
    @safe @exclusivity(unchecked) private var number = EncodingSession.loose
    /// The identity of a resource that is not among the noted ones.
    private var looseIdentity = ResourceIdentifier(ofObject: "")

    /// Whether two different values with the same identity are an error.
    let comparesValues: Bool
    /// Sees what equal values refer to.
    package let watch = ReferenceWatch()
    /// The root of the search that writes the current resource object; nil outside of searches. See `OtherValue.root`.
    var searchRoot: Int?
    /// Whether the encoder's closure makes links.
    let hasLinkMaker: Bool
    /// Whether an attribute that is nil is written as null.
    let writesNulls: Bool
    /// Whether dates are written as RFC 3339.
    let writesISODates: Bool
    /// Whether the names of dictionaries are sorted: in archives, and inside of sets, whose elements are sorted by their texts.
    @safe @exclusivity(unchecked) var sortsDictionaries: Bool
    /// Whether schemas also write what they do not represent, because the same program reads it again.
    let writesAll: Bool

    /// The names that a key strategy makes from coding keys; nil when keys stay as they are.
    let memberNames: MemberNames?
    @safe @exclusivity(unchecked) private var nesting = 0
    /// The lowest address of the stack of the thread that has called `forgetResources`, or first needed it.
    private lazy var stackFloor = StackGuard.lowestAddress

    package init(_ options: JSONAPIEncoder, include: IncludePaths = .none, fields: [String: [String]] = [:]) {
        self.options = options
        output = memory.output
        relationships = memory.relationships
        pieces = memory.pieces
        types = memory.types
        names = memory.names
        included = memory.included
        sink = ValueSink(output, names: names)
        tree = IncludeTree(include)
        fieldsets = ByteText.keys(of: fields)
        memberNames = MemberNames.of(options.keyStrategy)
        hasLinkMaker = options.linkMaker != nil
        writesNulls = options.nilEncodingStrategy == .null
        sortsDictionaries = options.isForArchives
        writesAll = SchemaSet.writesAll(in: options.userInfo)
        comparesValues = options.conflictingResources == .throw
        if case .iso8601 = options.dateEncodingStrategy { writesISODates = true } else { writesISODates = false }
    }

    deinit { EncodingPool.giveBack(memory) }
}

extension JSONAPIEncoder {
    /// Runs `body` with a session of its own.
    func withSession<Value>(
        include: IncludePaths = .none, fields: [String: [String]] = [:], isRequest: Bool = false,
        _ body: (EncodingSession) throws -> Value
    ) throws -> Value {
        var session = EncodingSession(self, include: include, fields: fields)
        defer { if !isKnownUniquelyReferenced(&session) { session.end() } }
        session.isRequest = isRequest
        session.cuts = [:]
        return try EncodingFailure.converted { [session] in try body(session) }
    }
}

// MARK: - The resource being written

extension EncodingSession {
    /// The index of a resource that is not among the noted ones.
    static let loose = -1

    /// The identity of the resource being written.
    var identity: ResourceIdentifier { number == Self.loose ? looseIdentity : included.identifier(number) }

    /// The identity of the resource being written; nil when it has none.
    var identified: ResourceIdentifier? {
        let identity = identity
        return identity.id == nil && identity.lid == nil ? nil : identity
    }

    /// Keeps the identity of a resource that is not among the noted ones, until the next call. Returns the index with which to begin it.
    package func keep(_ identity: ResourceIdentifier) -> Int {
        looseIdentity = identity
        return Self.loose
    }

    /// State that only few resources need. It is created on first access.
    var extras: ResourceExtras {
        if let extras = resource.extras { return extras }
        let made = ResourceExtras()
        resource.extras = made
        return made
    }

    /// The attributes and the meta that the last resource wrote only in part.
    var attributeParts: AttributeParts { resource.extras?.parts ?? AttributeParts() }

    /// Begins a new current resource object.
    ///
    /// - Parameter number: The index of a noted resource, or the result of `keep(_:)`.
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

    /// Ends the resource object. Its containers can no longer be written to.
    func endSerial() { serial = sink.nextNumber() }

    /// Begins a place that is not a resource object.
    func begin(at place: ObjectPlace) { begin(keep(ResourceIdentifier(ofObject: "")), at: place, node: IncludeTree.nothing) }

    /// Notes an error of a call that cannot throw. The text is then incomplete, so encoding fails at the end.
    func note(_ error: any Error) { if firstError == nil { firstError = error } }
}

// MARK: - Writers

extension EncodingSession {
    /// Returns the writer for a type. It is determined once for each type and session.
    @inline(__always)
    func writer<Value: Encodable>(for type: Value.Type) -> PropertyWriter<Value> {
        memory.writers.object(for: Value.self) { WriterFactory.writer(for: type, self) }
    }

    /// Returns the writer for resources of a type.
    package func elementWriter<Element: ResourceRepresentable>(for type: Element.Type) -> ElementWriter<Element> {
        memory.elementWriters.object(for: Element.self) { WriterFactory.elementWriter(for: type, self) }
    }
}

// MARK: - Continuing

extension EncodingSession {
    /// Forgets the noted resources and the kept values, for a document that is written one resource at a time. Then the calling thread may use
    /// the session.
    package func forgetResources() {
        memory.forgetResources()
        stackFloor = StackGuard.lowestAddress
        begin(at: ObjectPlace())
    }

    /// Forgets the values of a call that ended, although a model has kept an encoder.
    func end() {
        forgetResources()
        resolver = nil
        comparedResolver = nil
        (cuts, cutResolvers) = (nil, [:])
    }

    /// Notes what embedded values lack that were read together with a reference, so that it is written with them. A value that was written
    /// before is written again.
    func noteCuts(of resolver: ReferenceResolver) {
        guard cuts != nil, !isRequest, cutResolvers.updateValue(resolver, forKey: ObjectIdentifier(resolver)) == nil else { return }
        for (identifier, names) in resolver.cuts where cuts?[identifier] == nil {
            cuts?[identifier] = (resolver, names)
            included.writeAgain(identifier, tree.root == IncludeTree.everything ? tree.root : IncludeTree.nothing)
        }
    }

    /// The prepared texts `"attributes":` and `"relationships":`.
    @inline(__always)
    var groupPieces: (attributes: Int, relationships: Int) { memory.groupPieces }
}

// MARK: - Nesting

extension EncodingSession {
    /// Counts one more level of nested `encode(to:)`; `unnest` ends it. When it throws, nothing is counted.
    ///
    /// Each level checks the stack, because the model determines how much a level needs.
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

    /// Writes a JSON tree. Throws when it would be nested too deeply to be read again.
    ///
    /// - Parameters:
    ///   - depth: The number of arrays and objects around `output`, when it is not the document's output.
    ///   - tokens: The place of the tree in the resource being written.
    func writeTree(_ json: JSON, into output: JSONOutput, below depth: Int = 0, at tokens: @autoclosure () -> [String]) throws {
        guard let deep = output.value(json, maximumDepth: max(max(options.maximumDepth, 0) - depth - output.depth, 0)) else { return }
        throw tooDeep(at: tokens() + deep.tokens)
    }

    func tooDeep(at tokens: [String]) -> EncodingFailure {
        failure(
            .nestingLimit, at: tokens, expected: "arrays and objects nested at most \(options.maximumDepth) deep", found: "more",
            advice: "raise maximumDepth")
    }

    /// Returns the failure for the innermost value of `sink`.
    func tooDeep(in sink: ValueSink) -> EncodingFailure { tooDeep(at: sink.group + sink.path.compactMap(\.token)) }

    /// Returns an encoder for a container inside the innermost value of `sink`. Names in it are not noted, so the finished text is checked.
    func nestedEncoder(_ step: PathStep, in sink: ValueSink) -> ValueEncoder {
        resource.needsCheck = true
        let child = sink.detached(step)
        return ValueEncoder(self, child, child.open(.same))
    }
}

// MARK: - Places

extension EncodingSession {
    /// Returns the pointer to a place in the resource being written.
    func pointer(_ tokens: [String]) -> JSONPointer { JSONPointer(tokens: resource.place.tokens + tokens) }

    /// Returns a failure at a place in the resource being written.
    package func failure(
        _ kind: EncodingFailure.Kind, at tokens: [String], expected: String, found: String, advice: String? = nil
    ) -> EncodingFailure {
        EncodingFailure(kind, at: pointer(tokens), resource: identified, expected: expected, found: found, advice: advice)
    }

    /// Returns a failure in the value being written.
    func failure(
        _ kind: EncodingFailure.Kind, in sink: ValueSink? = nil, expected: String, found: String, advice: String? = nil
    ) -> EncodingFailure {
        let sink = sink ?? self.sink
        let tokens = sink.path.compactMap(\.token)
        return failure(kind, at: tokens.isEmpty ? [] : sink.group + tokens, expected: expected, found: found, advice: advice)
    }

    /// Returns the coding path of a value: the index in the primary data, then the keys.
    func codingPath(_ steps: [PathStep]) -> [any CodingKey] {
        (resource.place.index.map { [PathKey(index: $0)] } ?? []) + steps.compactMap(\.key)
    }
}

// MARK: - The text

extension EncodingSession {
    /// Returns a text of this encoder as a tree.
    package func json(_ text: [UInt8]) throws -> JSON { try JSON(parsing: text, options: .unlimited) }

    /// Returns the text as a resource object.
    func resourceObject() throws -> ResourceObject { ResourceObject(members: try json(output.bytes).object ?? JSONObject()) }

    /// Returns the text in the requested style. Compact text stays as it is.
    func laidOut(_ output: JSONOutput) throws -> Data {
        guard options.style != .compact || options.sortsNames || options.escapesSlashes else { return Data(taking: output) }
        return try output.withText { text in
            try Tape.with(text, options: .unlimited) { tape in
                let styled = JSONOutput(options.style, escapesSlashes: options.escapesSlashes, capacity: text.count)
                tape.view.write(tape.view.root, into: styled, sortsNames: options.sortsNames)
                return Data(taking: styled)
            }
        }
    }
}
