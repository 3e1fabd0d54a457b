import JSONAPIRules
import JSONText

/// Fetches resources from a source.
private struct TextGathering {
    let source: any ResourceSource
    /// The identities of the resources that the source has, in the order in which they were fetched.
    private(set) var identifiers: [ResourceIdentifier] = []
    /// The types of the models that have UUIDs as ids.
    private var typesWithUUIDs: [String] = []
    /// The texts that were not taken yet, separated by commas.
    private var texts: [UInt8]
    /// The number of bytes before these texts.
    private var start: Int

    /// - Parameter beginning: What precedes the first texts.
    init(_ source: any ResourceSource, _ beginning: String) {
        self.source = source
        texts = Array(beginning.utf8)
        start = texts.count
    }

    /// Fetches a resource. Returns false when the source does not have it.
    mutating func fetch(_ identifier: ResourceIdentifier) throws -> Bool {
        let end = texts.count
        if end > start { texts.append(UInt8(ascii: ",")) }
        var isThere = false
        defer { if !isThere { texts.removeLast(texts.count - end) } }
        isThere = try source.appendText(of: identifier, to: &texts)
        if !isThere, let text = try respelledText(identifier) {
            texts += text
            isThere = true
        }
        guard isThere else { return false }
        // An empty text would not be noticed if no other text is read with it. Reading reports null.
        if texts[end...].allSatisfy({ $0 <= UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }) { texts += "null".utf8 }
        identifiers.append(identifier)
        return true
    }

    /// Looks for resources of these types under their UUIDs in lower case as well.
    mutating func respell(_ types: some Sequence<String>) {
        for type in types where !typesWithUUIDs.contains(where: { UTF8Bytes.areEqual($0, type) }) { typesWithUUIDs.append(type) }
    }

    /// Returns the text of a resource that the source has under its UUID in lower case. The text has the UUID as it was requested, so that
    /// the links to the resource lead to it.
    private func respelledText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        guard let other = source.respelling(of: identifier, typesWithUUIDs), let text = try source.resourceText(other) else { return nil }
        // What is no object is reported when it is read.
        guard var members = (try? JSON(parsing: text, options: .unlimited))?.object else { return text }
        members["id"] = identifier.id.map(JSON.string)
        return try JSONWriter.unlimited.write(.object(members))
    }

    /// Whether there are texts that were not taken.
    var hasTexts: Bool { texts.count > start }

    /// Passes the texts that were fetched since the last call to `body`.
    ///
    /// - Parameter ending: What follows them.
    mutating func takeTexts<Result>(_ ending: String = "", _ body: ([UInt8]) throws -> Result) rethrows -> Result {
        texts += ending.utf8
        defer {
            texts.removeAll(keepingCapacity: true)
            start = 0
        }
        return try body(texts)
    }
}

/// Gathers resources from a source, together with those that their models embed.
///
/// What a model embeds is known only when the model is read. The resources are therefore read alone first. Missing ones are then fetched,
/// with everything that the same relationships lead to from there, and the resources are read again. The number of rounds is at most the
/// number of different embedded relationships in the models.
///
/// All texts become one document, which is parsed as it grows: `{"data":…,"included":[…]}`.
struct ResourceGathering {
    private let decoder: JSONAPIDecoder
    private let options: JSONReadingOptions
    /// The ordinal of each resource in the document; nil for those that the source does not have.
    private let ordinals: [Int?]
    /// The number of primary resources.
    private let count: Int
    private var fetched: TextGathering
    /// The document of the fetched resources, the primary ones first.
    private var tape: Tape
    /// Whether the document was read. What was made of it may hold the tape, so that the tape must not grow any more.
    private var isRead = false
    /// The words of `data` and of `included` on the tape.
    private let data: Int
    private let included: Int

    private var relationships: Set<EmbeddedRelationship> = []
    private var linkage = GatheredLinkage()
    /// The word of the first resource whose linkage was not read.
    private var unread: Int
    /// The requested resources, and those that the models wanted.
    private var wanted: Set<ResourceIdentifier>

    /// Returns nil when the source has none of the resources.
    ///
    /// - Parameter model: The type of the models that the primary resources are read as; nil for none.
    init?(_ identifiers: [ResourceIdentifier], _ source: any ResourceSource, _ decoder: JSONAPIDecoder, of model: Any.Type? = nil) throws {
        let isMany = identifiers.count > 1
        var fetched = TextGathering(source, isMany ? #"{"data":["# : #"{"data":"#)
        if let type = model.flatMap(ResourceIdentifier.typeWithUUIDs) { fetched.respell([type]) }
        wanted = Set(identifiers.map(\.bare))
        ordinals = try Self.ordinals(identifiers, isAnyRepeated: wanted.count < identifiers.count, &fetched)
        count = fetched.identifiers.count
        if count == 0 { return nil }
        self.decoder = decoder
        options = decoder.reading(inside: 4)
        tape = try fetched.takeTexts(isMany ? #"],"included":[]}"# : #","included":[]}"#) { text in
            try text.withText { text in
                let tape = try decoder.tape(of: text, inside: 4)
                tape.takeOwnership()
                return tape
            }
        }
        self.fetched = fetched
        let root = tape.view.root
        guard let data = tape.view.member("data", of: root), let included = tape.view.member("included", of: root) else {
            throw Self.otherText
        }
        (self.data, self.included, unread) = (data, included, data)
        try check()
    }

    /// Fetches the primary resources.
    private static func ordinals(
        _ identifiers: [ResourceIdentifier], isAnyRepeated: Bool, _ fetched: inout TextGathering
    ) throws -> [Int?] {
        // A resource that is repeated is read once, so that its places share an instance.
        var ordinalsOfRepeated: [ResourceIdentifier: Int?] = [:]
        return try identifiers.map { identifier in
            if isAnyRepeated, let ordinal = ordinalsOfRepeated[identifier.bare] { return ordinal }
            let ordinal = try fetched.fetch(identifier) ? fetched.identifiers.count - 1 : nil
            if isAnyRepeated { ordinalsOfRepeated.updateValue(ordinal, forKey: identifier.bare) }
            return ordinal
        }
    }

    private var isMany: Bool { ordinals.count > 1 }

    /// Throws if a text is not one JSON value. Any other text could shift the others, or leave no resource at all.
    private func check() throws {
        let view = tape.view
        let isSound = isMany ? view.isArray(data) && view.count(at: data) == count : view.isObject(data)
        guard isSound, view.count(at: view.root) == 2, view.count(at: included) == fetched.identifiers.count - count else {
            throw Self.otherText
        }
    }

    private static var otherText: DecodingFailure {
        DecodingFailure(.documentStructure, at: JSONPointer("data"), expected: "the text of a resource object", found: "another text")
    }

    /// Returns the document of the resources that were fetched so far.
    func document() throws -> ParsedDocument { try ParsedDocument(tape, options: decoder) }

    /// Returns the resources as models; nil for those that do not exist, and for those whose type `Target` does not accept.
    mutating func values<Target: ResourceRepresentable>(_ type: Target.Type, _ resolver: SourceResolver) throws -> [Target?] {
        _ = try fetch([], along: EmbeddedRelationships.shared.relationships(of: type))
        while true {
            let count = count
            isRead = true
            let (values, failure, wanted) = DecodingSession.run(DecodingSession(try document(), source: resolver)) { session in
                let (values, failure) = session.firstValues(type, count, finishing: true)
                return (values, failure, session.wanted)
            }
            guard try fetch(wanted.map(\.identifier.bare), along: Set(wanted.map(\.relationship))) else {
                if let failure { throw placed(failure) }
                // The usual case: each resource exists, and is requested once.
                return ordinals.count == count ? values : ordinals.map { $0.flatMap { values[$0] } }
            }
            EmbeddedRelationships.shared.add(relationships, of: type)
        }
    }

    /// Fetches the wanted resources, and those that all fetched resources refer to by these and earlier relationships. Returns false when
    /// there was nothing to fetch.
    private mutating func fetch(_ wanted: [ResourceIdentifier], along new: Set<EmbeddedRelationship>) throws -> Bool {
        let before = fetched.identifiers.count
        if !new.isSubset(of: relationships) {
            relationships.formUnion(new)
            fetched.respell(new.compactMap(\.typeWithUUIDs))
            linkage.follow(relationships)
            // A model may have stopped at the first missing relationship. The next one must not cost a round for each resource.
            unread = data
        }
        for identifier in wanted where self.wanted.insert(identifier).inserted && !linkage.hasFetched(identifier, tape.view) {
            _ = try fetched.fetch(identifier)
        }
        repeat {
            try parseFetched()
            readLinkage()
            while let identifier = linkage.next(tape.view) {
                // One that cannot be read may not be needed. If it is, it will be wanted.
                if let isThere = try? fetched.fetch(identifier), isThere { linkage.noteFetched() }
            }
        } while fetched.hasTexts
        return fetched.identifiers.count > before
    }

    /// Adds the fetched texts to the document.
    private mutating func parseFetched() throws {
        guard fetched.hasTexts else { return }
        if isRead { tape = tape.copy() }
        isRead = false
        let (tape, included, options) = (tape, included, options)
        try fetched.takeTexts { texts in
            do throws(JSONSyntaxError) { try tape.append(texts.span, to: included, options: options) } catch {
                throw DecodingFailure(error)
            }
        }
        try check()
    }

    /// Reads the linkage of the resources that are new in the document.
    private mutating func readLinkage() {
        if linkage.isEmpty { return }
        let view = tape.view
        if unread == data {
            if isMany { view.forEachElement(of: data) { element, _ in linkage.read(element, view) } } else { linkage.read(data, view) }
            unread = view.first(in: included)
        }
        while unread < view.end(of: included) {
            linkage.read(unread, view)
            unread = view.next(after: unread)
        }
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
        let identifiers = fetched.identifiers
        let index = isArray ? pointer.tokens.dropFirst().first.flatMap(JSONPointer.position) : 0
        guard let number = index.map({ $0 + (isIncluded ? count : 0) }), identifiers.indices.contains(number),
            let place = fetched.source.place(of: identifiers[number])
        else { return nil }
        return (JSONPointer(tokens: place.pointer.tokens + pointer.tokens.dropFirst(isArray ? 2 : 1)), number, place)
    }

    /// Returns the offset of a text in the gathered document.
    private func start(ofText number: Int) -> Int {
        let view = tape.view
        if !isMany, number == 0 { return view.offset(at: data) }
        var start = 0
        view.forEachElement(of: number < count ? data : included) { element, index in
            if index == (number < count ? number : number - count) { start = view.offset(at: element) }
        }
        return start
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
    /// The type of the models that it embeds, when their ids are UUIDs.
    let typeWithUUIDs: String?
}

extension DecodingSession {
    /// Notes an embedded resource that is missing from the document, when the session has a source.
    ///
    /// - Parameters:
    ///   - relationship: The word of the relationship's name. The coding key may be a path.
    ///   - model: The type of the embedded models.
    func want(_ identifier: IdentifierEntry, named relationship: Int, as model: Any.Type) {
        if source == nil { return }
        let owner = index.ordinal(holding: relationship, view).map { Int(entries[$0].type) } ?? 0
        let type = owner != 0 && view.isString(owner) ? view.string(at: owner) : ""
        let identifier = self.identifier(identifier)
        // Only these can be UUIDs, and looking at the model takes time.
        let mayBeUUID = identifier.id?.utf8.count == 36
        let relationship = EmbeddedRelationship(
            type: type, name: view.string(at: relationship), typeWithUUIDs: mayBeUUID ? ResourceIdentifier.typeWithUUIDs(model) : nil)
        wanted.append(WantedResource(identifier: identifier, relationship: relationship))
    }
}
