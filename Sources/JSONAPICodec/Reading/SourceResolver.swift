import JSONAPIRules
import JSONText

/// A source of single resource objects, such as a store or an archive.
///
/// References that were read from a source keep it alive. A source that keeps values with such references must therefore pass an object
/// that refers to it weakly.
package protocol ResourceSource: AnyObject, Sendable {
    /// Returns the JSON text of the resource object with the given identity (type and id, or type and lid); nil when there is none.
    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]?

    /// Whether the source can tell that a resource is missing.
    var knowsWhatIsMissing: Bool { get }

    /// Returns the place of the resource in the document that the source represents; nil when the source is not a document.
    func place(of identifier: ResourceIdentifier) -> SourcePlace?

    /// Returns the resource as a model: the result of `read`, or a value that the source kept from an earlier read.
    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model?
}

extension ResourceSource {
    package var knowsWhatIsMissing: Bool { true }

    package func place(of identifier: ResourceIdentifier) -> SourcePlace? { nil }

    package func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        try read()
    }
}

/// The place of a resource of a source in a document.
package struct SourcePlace {
    let pointer: JSONPointer
    /// The offset of its text; nil when the source returns a different text.
    let offset: Int?
    /// Returns the line and column of an offset, if positions are wanted.
    let position: (Int) -> TextPosition?

    package init(pointer: JSONPointer, offset: Int?, position: @escaping (Int) -> TextPosition?) {
        (self.pointer, self.offset, self.position) = (pointer, offset, position)
    }
}

/// Resolves references through a source. Each reference reads its resource on access.
package final class SourceResolver: ReferenceResolver, @unchecked Sendable {
    private let source: any ResourceSource
    private let decoder: JSONAPIDecoder

    package init(_ source: any ResourceSource, _ decoder: JSONAPIDecoder) {
        self.source = source
        self.decoder = decoder
    }

    override var options: JSONAPIDecoder? { decoder }

    override var origin: AnyObject { source }

    package override func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        try source.resourceValue(type, identifier) {
            guard var gathering = try ResourceGathering([identifier], source, decoder) else { return nil }
            return try gathering.values(type, self)[0]
        }
    }

    /// Returns the resources with the given identities, read together; nil for each that `value` returns nil for.
    func values<Target: ResourceRepresentable>(_ type: Target.Type, _ identifiers: [ResourceIdentifier]) throws -> [Target?] {
        guard var gathering = try ResourceGathering(identifiers, source, decoder) else { return identifiers.map { _ in nil } }
        return try gathering.values(type, self)
    }

    override func locate(_ identifier: ResourceIdentifier) throws -> LocatedResource? {
        guard let document = try ResourceGathering([identifier], source, decoder)?.document() else { return nil }
        return LocatedResource(document: document, ordinal: 0, resolver: self)
    }

    /// Whether the resource may exist, also where reading it fails.
    func mayHave(_ identifier: ResourceIdentifier) -> Bool {
        guard source.knowsWhatIsMissing else { return true }
        do { return try source.resourceText(identifier) != nil } catch { return true }
    }
}

/// Gathers resources from a source, together with those that their models embed.
///
/// What a model embeds is known only when the model is read. The resources are therefore read alone first. Missing ones are then fetched,
/// with everything that the same relationships lead to from there, and the resources are read again. The number of rounds is at most the
/// number of different embedded relationships in the models.
private struct ResourceGathering {
    private let source: any ResourceSource
    private let decoder: JSONAPIDecoder
    /// The ordinal of each resource in the document; nil for those that the source does not have.
    private var ordinals: [Int?] = []
    /// The number of resources that the source has.
    private var count = 0
    private var known: Set<ResourceIdentifier>
    /// The texts of all fetched resources, the primary ones first.
    private var texts: [[UInt8]] = []
    /// The identities of the resources in `texts`.
    private var identifiers: [ResourceIdentifier] = []
    private var relationships: Set<EmbeddedRelationship> = []

    /// Returns nil when the source has none of the resources.
    init?(_ identifiers: [ResourceIdentifier], _ source: any ResourceSource, _ decoder: JSONAPIDecoder) throws {
        self.source = source
        self.decoder = decoder
        known = Set(identifiers.map(\.bare))
        ordinals.reserveCapacity(identifiers.count)
        // A resource that is repeated is read once, so that its places share an instance.
        var ordinalsOfRepeated: [ResourceIdentifier: Int?] = [:]
        let isAnyRepeated = known.count < identifiers.count
        for identifier in identifiers {
            if isAnyRepeated, let ordinal = ordinalsOfRepeated[identifier.bare] {
                ordinals.append(ordinal)
                continue
            }
            ordinals.append(try addPrimary(identifier))
            if isAnyRepeated { ordinalsOfRepeated.updateValue(ordinals.last ?? nil, forKey: identifier.bare) }
        }
        if count == 0 { return nil }
    }

    /// Returns the ordinal of the resource; nil when the source does not have it.
    private mutating func addPrimary(_ identifier: ResourceIdentifier) throws -> Int? {
        guard let text = try source.resourceText(identifier) else { return nil }
        add(text, identifier)
        count += 1
        return count - 1
    }

    private mutating func add(_ text: [UInt8], _ identifier: ResourceIdentifier) {
        texts.append(text)
        identifiers.append(identifier)
    }

    /// Returns the texts of resources as the elements of an array.
    private static func elements(_ texts: ArraySlice<[UInt8]>) -> [UInt8] {
        var list: [UInt8] = []
        list.reserveCapacity(texts.reduce(0) { $0 + $1.count + 1 })
        for text in texts {
            if !list.isEmpty { list.append(UInt8(ascii: ",")) }
            list += text
        }
        return list
    }

    private var isMany: Bool { ordinals.count > 1 }
    private var beginning: String { isMany ? #"{"data":["# : #"{"data":"# }
    private static let includedBeginning = #","included":["#

    /// Returns the document of the resources that were fetched so far.
    func document() throws -> ParsedDocument {
        var bytes = beginning.utf8 + Self.elements(texts[..<count])
        if isMany { bytes.append(UInt8(ascii: "]")) }
        if texts.count > count { bytes += Self.includedBeginning.utf8 + Self.elements(texts[count...]) + "]".utf8 }
        bytes.append(UInt8(ascii: "}"))
        return try bytes.withText { text in
            let tape = try decoder.tape(of: text, inside: 4)
            tape.takeOwnership()
            let document = try ParsedDocument(tape, options: decoder)
            // Each text must be one resource object. Any other text could shift the others, or leave no resource at all.
            guard document.index.primaryCount == count, document.layout.data != 0 else {
                throw DecodingFailure(
                    .documentStructure, at: JSONPointer("data"), expected: "the text of a resource object", found: "another text")
            }
            return document
        }
    }

    /// Returns the resources as models; nil for those that do not exist, and for those whose type `Target` does not accept.
    mutating func values<Target: ResourceRepresentable>(_ type: Target.Type, _ resolver: SourceResolver) throws -> [Target?] {
        _ = try fetch([], along: EmbeddedRelationships.shared.relationships(of: type))
        while true {
            let gathering = self
            let (found, wanted) = DecodingSession.run(DecodingSession(try document(), source: resolver)) { session in
                (gathering.results(type, session), session.wanted)
            }
            guard try fetch(wanted.map(\.identifier.bare), along: Set(wanted.map(\.relationship))) else {
                return try found.map { try $0.mapError(placed).get() }
            }
            EmbeddedRelationships.shared.add(relationships, of: type)
        }
    }

    private func results<Target: ResourceRepresentable>(_ type: Target.Type, _ session: DecodingSession) -> [Result<Target?, any Error>] {
        let plan = session.elementPlan(for: type)
        let values = (0..<count).map { ordinal in
            Result<Target?, any Error> {
                guard plan.accepts(session, typeAt: Int(session.entries[ordinal].type)) else { return nil }
                let value = try plan.value(session, ordinal, through: 0)
                try session.finishOne()
                return value
            }
        }
        return ordinals.map { $0.map { values[$0] } ?? .success(nil) }
    }

    /// Fetches the wanted resources, and those that all fetched resources refer to by these and earlier relationships. Returns false when
    /// there was nothing to fetch.
    private mutating func fetch(_ wanted: [ResourceIdentifier], along new: Set<EmbeddedRelationship>) throws -> Bool {
        let count = texts.count
        let unknown = new.subtracting(relationships)
        relationships.formUnion(unknown)
        for identifier in wanted where known.insert(identifier).inserted {
            if let text = try source.resourceText(identifier) { add(text, identifier) }
        }
        // A model may have stopped at the first missing relationship. The next one must not cost a round for each resource.
        var linked = linkage(of: texts[..<count], unknown) + linkage(of: texts[count...], relationships)
        var unread: Set<ResourceIdentifier> = []
        while !linked.isEmpty {
            let fetched = texts.count
            for identifier in linked where !known.contains(identifier) && !unread.contains(identifier) {
                // One that cannot be read may not be needed. If it is, it will be wanted.
                guard let text = try? source.resourceText(identifier) else {
                    unread.insert(identifier)
                    continue
                }
                known.insert(identifier)
                add(text, identifier)
            }
            linked = linkage(of: texts[fetched...], relationships)
        }
        return texts.count > count
    }

    /// Returns the identities in the given relationships of resources. Nothing for texts that are not JSON, which reading the document
    /// reports.
    private func linkage(of texts: ArraySlice<[UInt8]>, _ relationships: Set<EmbeddedRelationship>) -> [ResourceIdentifier] {
        if texts.isEmpty || relationships.isEmpty { return [] }
        return ([UInt8(ascii: "[")] + Self.elements(texts) + [UInt8(ascii: "]")]).withText { list in
            guard let tape = try? decoder.tape(of: list, inside: 1) else { return [] }
            var linkage = LinkageReading(tape.view, relationships)
            tape.view.forEachElement(of: tape.view.root) { resource, _ in linkage.read(resource) }
            return linkage.identifiers
        }
    }
}

/// The identities in some relationships of resources on a tape.
private struct LinkageReading {
    private let view: TapeView
    /// The names of the relationships by the type of the resources that have them.
    private let names: [ByteText: [String]]
    private(set) var identifiers: [ResourceIdentifier] = []

    init(_ view: TapeView, _ relationships: Set<EmbeddedRelationship>) {
        self.view = view
        names = Dictionary(grouping: relationships) { ByteText($0.type) }.mapValues { $0.map(\.name) }
    }

    mutating func read(_ resource: Int) {
        guard view.isObject(resource) else { return }
        let entry = ResourceEntry(view, at: resource)
        guard let names = names[ByteText(text(at: Int(entry.type)) ?? "")], view.isObject(Int(entry.relationships)) else { return }
        view.forEachMember(of: Int(entry.relationships)) { name, relationship in
            guard view.isObject(relationship), names.contains(where: { view.string(at: name, equals: $0) }) else { return }
            let data = RelationshipEntry(view, at: relationship).data
            guard data != 0 else { return }
            if view.isArray(data) { view.forEachElement(of: data) { element, _ in note(element) } } else { note(data) }
        }
    }

    /// Notes an identity. Reading the model reports an object that is none.
    private mutating func note(_ word: Int) {
        guard view.isObject(word) else { return }
        let entry = IdentifierEntry(view, at: word)
        guard let type = text(at: entry.type) else { return }
        if let id = text(at: entry.id) ?? integer(at: entry.id) {
            identifiers.append(ResourceIdentifier(type: type, id: id))
        } else if let lid = text(at: entry.lid) {
            identifiers.append(ResourceIdentifier(type: type, lid: lid))
        }
    }

    private func text(at word: Int) -> String? { word != 0 && view.isString(word) ? view.string(at: word) : nil }

    /// An id that is an integer, which a leniency allows.
    private func integer(at word: Int) -> String? {
        word != 0 && view.kind(at: word) == .number && view.isInteger(word) ? view.numberText(at: word) : nil
    }
}

/// The relationships that models turned out to embed, by model type: what they lead to is fetched before the model is read the next time.
///
/// A hint: with relationships that are too many, more is fetched than is read; with too few, a model is read twice.
///
/// `@unchecked Sendable`: the table is used under the lock.
private final class EmbeddedRelationships: @unchecked Sendable {
    static let shared = EmbeddedRelationships()

    private static let limit = 64

    private let lock = Lock()
    private var table: [ObjectIdentifier: Set<EmbeddedRelationship>] = [:]

    func relationships(of type: Any.Type) -> Set<EmbeddedRelationship> { lock.withLock { table[ObjectIdentifier(type)] ?? [] } }

    func add(_ relationships: Set<EmbeddedRelationship>, of type: Any.Type) {
        lock.withLock {
            let all = table[ObjectIdentifier(type), default: []].union(relationships)
            if all.count <= Self.limit { table[ObjectIdentifier(type)] = all }
        }
    }
}

// MARK: - Places

extension ResourceGathering {
    /// Returns an error of the gathered document as an error of the source's document.
    private func placed(_ error: any Error) -> any Error {
        ErrorRelocation(pointer: { place(of: $0)?.pointer ?? $0 }, failure: placed).moved(error)
    }

    private func placed(_ failure: DecodingFailure) -> DecodingFailure {
        guard let (pointer, number, place) = place(of: failure.pointer) else { return failure }
        let offset = failure.offset.flatMap { old in place.offset.map { $0 + old - start(ofText: number) } }
        return failure.at(pointer, offset: offset, position: offset.flatMap(place.position))
    }

    /// Returns the place in the source's document for a place in the gathered document, and the index of the text that contains it.
    private func place(of pointer: JSONPointer) -> (pointer: JSONPointer, number: Int, place: SourcePlace)? {
        let isIncluded = pointer.tokens.first == "included"
        let isArray = isIncluded || isMany
        let index = isArray ? pointer.tokens.dropFirst().first.flatMap(JSONPointer.position) : 0
        guard let number = index.map({ $0 + (isIncluded ? count : 0) }), identifiers.indices.contains(number),
            let place = source.place(of: identifiers[number])
        else { return nil }
        return (JSONPointer(tokens: place.pointer.tokens + pointer.tokens.dropFirst(isArray ? 2 : 1)), number, place)
    }

    /// Returns the offset of a text in the gathered document.
    private func start(ofText number: Int) -> Int {
        if number < count { return texts[..<number].reduce(beginning.utf8.count) { $0 + $1.count + 1 } }
        // One comma less than primary resources, and the end of their array.
        let gap = (isMany ? 1 : 0) + Self.includedBeginning.utf8.count - 1
        return texts[..<number].reduce(beginning.utf8.count + gap) { $0 + $1.count + 1 }
    }
}

/// An embedded resource that is not in the document, but may be in the source.
package struct WantedResource {
    package let identifier: ResourceIdentifier
    package let relationship: EmbeddedRelationship
}

/// A relationship of the resources of one type.
package struct EmbeddedRelationship: Hashable {
    /// The type of the resources that have it; empty if they have none.
    let type: String
    package let name: String
}

extension DecodingSession {
    /// Notes an embedded resource that is missing from the document, when the session has a source.
    ///
    /// - Parameter relationship: The word of the relationship's name. The coding key may be a path.
    func want(_ identifier: IdentifierEntry, named relationship: Int) {
        if source == nil { return }
        let owner = index.ordinal(holding: relationship, view).map { Int(entries[$0].type) } ?? 0
        let type = owner != 0 && view.isString(owner) ? view.string(at: owner) : ""
        wanted.append(
            WantedResource(
                identifier: self.identifier(identifier), relationship: EmbeddedRelationship(type: type, name: view.string(at: relationship))
            ))
    }
}

extension JSONAPIDecoder {
    /// Returns the resource with the given identity as a model. Embedded relationships are resolved through the source now, references on
    /// access. Nil when the source does not have it, and when `Model` does not accept its type.
    package func resource<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, from source: any ResourceSource
    ) throws -> Model? {
        try spelled { try SourceResolver(source, self).value(type, identifier) }
    }

    /// Returns the resources with the given identities, in order. They are read together, at the cost of one document.
    package func resources<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifiers: [ResourceIdentifier], from source: any ResourceSource
    ) throws -> [Model?] {
        try spelled { try SourceResolver(source, self).values(type, identifiers) }
    }

    private func spelled<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as DecodingFailure { throw failure.spelled.decodingError(codingPath: []) }
    }
}
