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
    let types = KnownTypes()
    /// Names of fields that are left out of a request.
    var omitted: [String] = []
    /// Whether a request is written: relationships come with linkage alone, or not at all.
    var isRequest = false
    /// Whether an embedded resource that is nil is an empty relationship.
    var clearsRelationships = false
    /// Whether references that a source resolves lead to resources which are written, too.
    var followsSources = true

    /// What the relationships of raw resources resolve through.
    var resolver: ReferenceResolver?
    /// The document that is written again; nil for one that the program made.
    var document: ParsedDocument? { (resolver as? DocumentResolver)?.document }
    /// The first error that a container threw.
    var firstError: (any Error)?

    /// What is looked at for every field, in memory of its own: the properties of a class would be checked for overlapping
    /// access at each use.
    private let hot: HotState
    /// The names of fields as they are written.
    let names = FieldNames()
    /// Whether two values with one identity are compared.
    let comparesValues: Bool
    /// Whether dates are written as RFC 3339 says.
    let writesISODates: Bool

    private let writers = TypeTable()
    private let elementWriters = TypeTable()
    /// Names made from those of coding keys, by the key.
    var memberNames: [String: String] = [:]
    private var nesting = 0
    /// The document, `data`, the resource object and its attributes are around every value, and one array may be inside.
    private let nestingLimit: Int
    private lazy var stackFloor = StackGuard.lowestAddress

    init(_ options: JSONAPIEncoder, include: IncludePaths, fields: [String: [String]]) {
        self.options = options
        sink = ValueSink(output)
        tree = IncludeTree(include)
        fieldsets = fields
        checksNames = options.checksNames
        nestingLimit = options.maximumDepth - 5
        included = IncludedResources(types)
        hot = HotState(loose: KnownResource(loose: ResourceIdentifier(ofObject: ""), types.known("")))
        if case .useDefaultKeys = options.keyStrategy { renamesKeys = false } else { renamesKeys = true }
        comparesValues = options.conflictingResources == .throw
        if case .iso8601 = options.dateEncodingStrategy { writesISODates = true } else { writesISODates = false }
    }

    deinit { OutputPool.shared.giveBack(output) }
}

// MARK: - What is looked at for every field

/// The state of the resource being written.
///
/// The values behind both pointers are initialized as long as the object lives.
private final class HotState {
    struct State {
        var identity: UnsafePointer<KnownResource>
        var serial = 0
        var hasFilter = false
        var hasAttributes = false
        var hasRelationships = false
    }

    let state: UnsafeMutablePointer<State>
    let resource: UnsafeMutablePointer<ResourceState>
    /// A resource that is not among those met.
    let loose: UnsafeMutablePointer<KnownResource>

    init(loose known: KnownResource) {
        loose = .allocate(capacity: 1)
        loose.initialize(to: known)
        state = .allocate(capacity: 1)
        state.initialize(to: State(identity: loose))
        resource = .allocate(capacity: 1)
        resource.initialize(to: ResourceState())
    }

    deinit {
        state.deallocate()
        loose.deinitialize(count: 1)
        loose.deallocate()
        resource.deinitialize(count: 1)
        resource.deallocate()
    }
}

extension EncodingSession {
    @inline(__always)
    private var resourceAddress: UnsafeMutablePointer<ResourceState> { hot.resource }

    /// The resource object being written.
    var resource: ResourceState {
        // Addresses: anything else would copy the whole state to look at one part of it.
        unsafeAddress { UnsafePointer(resourceAddress) }
        unsafeMutableAddress { resourceAddress }
    }

    /// Which one it is. Valid until the next begins.
    private var known: UnsafePointer<KnownResource> {
        @inline(__always) get { hot.state.pointee.identity }
    }

    /// Who it is.
    var identity: ResourceIdentifier { known.pointee.identifier }

    /// The identity, where there is one.
    var identified: ResourceIdentifier? { identity.id == nil && identity.lid == nil ? nil : identity }

    /// Keeps a resource that is not among those met, until another is kept.
    func keep(_ identity: ResourceIdentifier) -> UnsafePointer<KnownResource> {
        hot.loose.pointee = KnownResource(loose: identity, types.known(identity.type))
        return UnsafePointer(hot.loose)
    }

    /// The number by which containers name the resource they write to.
    var serial: Int {
        @inline(__always) get { hot.state.pointee.serial }
        @inline(__always) set { hot.state.pointee.serial = newValue }
    }

    /// Whether some fields are left out.
    var hasFilter: Bool {
        @inline(__always) get { hot.state.pointee.hasFilter }
        @inline(__always) set { hot.state.pointee.hasFilter = newValue }
    }

    /// Whether the object of the attributes is begun.
    var hasAttributes: Bool {
        @inline(__always) get { hot.state.pointee.hasAttributes }
        @inline(__always) set { hot.state.pointee.hasAttributes = newValue }
    }

    /// Whether the object of the relationships is begun.
    var hasRelationships: Bool {
        @inline(__always) get { hot.state.pointee.hasRelationships }
        @inline(__always) set { hot.state.pointee.hasRelationships = newValue }
    }

    /// What few resources have.
    var extras: ResourceExtras {
        if let extras = resource.extras { return extras }
        let made = ResourceExtras()
        resource.extras = made
        return made
    }

    /// Makes a resource object the one that is written.
    ///
    /// - Parameter identity: of a resource that was met, or kept by `keep(_:)`.
    func begin(_ identity: UnsafePointer<KnownResource>, at place: ObjectPlace, node: IncludeTree.Node) {
        let filter = filter(for: identity)
        hasFilter = filter != nil
        hot.state.pointee.identity = identity
        resource.place = place
        resource.node = node
        resource.filter = filter
        resource.extras = nil
        serial &+= 1
        hasAttributes = false
        hasRelationships = false
    }

    /// Makes something that is no resource object the place of what is written.
    func begin(at place: ObjectPlace) { begin(keep(ResourceIdentifier(ofObject: "")), at: place, node: IncludeTree.nothing) }
}

// MARK: - Writers

extension EncodingSession {
    /// How a value of this type is written. Worked out once per type and session.
    @inline(__always)
    func writer<Value: Encodable>(for type: Value.Type) -> PropertyWriter<Value> {
        withWriter(for: type) { $0 }
    }

    /// The same, lent for the time of `body` without counting the reference: the table keeps it.
    @inline(__always)
    func withWriter<Value: Encodable, Result>(
        for type: Value.Type, _ body: (PropertyWriter<Value>) throws -> Result
    ) rethrows -> Result {
        guard let writer = writers.lent(for: ObjectIdentifier(type)) else { return try body(makeWriter(for: type)) }
        // The table is filled below only, with a writer of the very type that is its key.
        return try writer._withUnsafeGuaranteedRef { try body(unsafeDowncast($0, to: PropertyWriter<Value>.self)) }
    }

    @inline(never)
    private func makeWriter<Value: Encodable>(for type: Value.Type) -> PropertyWriter<Value> {
        let writer = WriterFactory.writer(for: type, self)
        writers.insert(writer, for: ObjectIdentifier(type))
        return writer
    }

    /// How a resource of this type is written.
    func elementWriter<Element: ResourceRepresentable>(for type: Element.Type) -> ElementWriter<Element> {
        if let writer = elementWriters.object(for: ObjectIdentifier(type)) {
            // The table is filled below only, with a writer of the very type that is its key.
            return unsafeDowncast(writer, to: ElementWriter<Element>.self)
        }
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
        types.forgetMany()
        begin(at: ObjectPlace())
        for writer in elementWriters.objects { (writer as? AnyElementWriter)?.forgetValues() }
    }
}

// MARK: - Nesting

extension EncodingSession {
    /// Counts one more level of `encode(to:)` inside another; `unnest` ends it. Where it throws, nothing is counted.
    @inline(__always)
    func nest() throws {
        nesting += 1
        if nesting > nestingLimit || !StackGuard.hasRoom(above: stackFloor) { try checkNesting() }
    }

    @inline(__always)
    func unnest() { nesting -= 1 }

    @inline(never)
    private func checkNesting() throws {
        guard nesting > nestingLimit || !StackGuard.hasRoom(above: stackFloor) else { return }
        defer { nesting -= 1 }
        throw failure(
            .nestingLimit, expected: "values that nest less deeply", found: "\(nesting) values inside each other",
            advice: "raise maximumDepth, or encode on a thread with a larger stack")
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

    private func tooDeep(at tokens: [String]) -> EncodingFailure {
        failure(
            .nestingLimit, at: tokens, expected: "arrays and objects nested at most \(options.maximumDepth) deep", found: "more",
            advice: "raise maximumDepth")
    }

    /// A sink for a container inside the innermost value of `sink`; nil for one that would nest too deeply, which is an error in
    /// the end.
    func detached(_ step: PathStep, in sink: ValueSink) -> ValueSink? {
        // Their ends are written by recursion.
        guard sink.path.count < min(options.maximumDepth, 512) else {
            if firstError == nil { firstError = tooDeep(at: sink.group + sink.path.compactMap(\.token)).encodingError }
            return nil
        }
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
    var reading: JSONReadingOptions {
        var reading = JSONReadingOptions()
        reading.maximumDepth = .max
        reading.maximumBytes = .max
        reading.maximumValues = .max
        return reading
    }

    /// The text in the style that is asked for. Compact text stays as it is.
    func laidOut(_ output: JSONOutput) throws -> Data {
        let bytes = output.text
        guard options.style != .compact || options.sortsNames || options.escapesSlashes else { return Data(taking: output) }
        let tape = try Tape.borrowing(bytes, options: reading)
        // The view points into the tape and the text; both live to the end of this block.
        return withExtendedLifetime((tape, output)) {
            let styled = JSONOutput(options.style, escapesSlashes: options.escapesSlashes, capacity: bytes.count)
            tape.view.write(tape.view.root, into: styled, sortsNames: options.sortsNames)
            return Data(taking: styled)
        }
    }
}
