import Foundation
import JSONText

/// Gives resource objects one by one: a store, an archive.
///
/// References that were read from a source keep it alive. A source that keeps the values which hold them has to hand in an
/// object that refers to it weakly.
package protocol ResourceSource: AnyObject, Sendable {
    /// The JSON text of the resource object with this identity (type and id, or type and lid); nil when there is none.
    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]?

    /// The resource as a model: what `read` answers, or a value that was kept of an earlier reading.
    func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model?
}

extension ResourceSource {
    package func resourceValue<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, read: () throws -> Model?
    ) throws -> Model? {
        try read()
    }
}

/// Resolves through a source: each reference reads its resource when it is asked for.
final class SourceResolver: ReferenceResolver, @unchecked Sendable {
    private let source: any ResourceSource
    private let decoder: JSONAPIDecoder

    init(_ source: any ResourceSource, _ decoder: JSONAPIDecoder) {
        self.source = source
        self.decoder = decoder
    }

    override func value<Target: ResourceRepresentable>(_ type: Target.Type, _ identifier: ResourceIdentifier) throws -> Target? {
        try source.resourceValue(type, identifier) {
            guard var gathering = try ResourceGathering(identifier, source, decoder) else { return nil }
            return try gathering.value(type, self)
        }
    }

    override func locate(_ identifier: ResourceIdentifier) -> LocatedResource? {
        guard let document = try? ResourceGathering(identifier, source, decoder)?.document() else { return nil }
        return LocatedResource(document: document, ordinal: 0, resolver: self)
    }

    func has(_ identifier: ResourceIdentifier) -> Bool { (try? source.resourceText(identifier)) != nil }
}

/// One resource of a source, with those that its model turns out to embed.
///
/// What a model embeds is known only when it is read. So the resource is read alone first; what it lacks is fetched, with
/// everything that the same relationships lead to from there, and it is read again. There are at most as many rounds as the
/// models have embedded relationships of different names.
private struct ResourceGathering {
    private let source: any ResourceSource
    private let decoder: JSONAPIDecoder
    private let text: [UInt8]
    private var included: [[UInt8]] = []
    private var known: Set<ResourceIdentifier>
    private var names: Set<String> = []

    /// Nil when the source does not have the resource.
    init?(_ identifier: ResourceIdentifier, _ source: any ResourceSource, _ decoder: JSONAPIDecoder) throws {
        guard let text = try source.resourceText(identifier) else { return nil }
        self.source = source
        self.decoder = decoder
        self.text = text
        known = [identifier.withoutDetails]
    }

    /// The document of what was fetched so far.
    func document() throws -> ParsedDocument {
        var bytes = Array(#"{"data":"#.utf8) + text
        if !included.isEmpty {
            bytes += Array(#","included":["#.utf8)
            bytes += included.joined(separator: [UInt8(ascii: ",")])
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "}"))
        return try bytes.withUnsafeBufferPointer { buffer in
            var reading = decoder.reading
            reading.maximumDepth += 4
            let tape: Tape
            do throws(JSONSyntaxError) { tape = try Tape.borrowing(buffer, options: reading) } catch { throw DecodingFailure(error) }
            tape.takeOwnership()
            return try ParsedDocument(tape, options: decoder)
        }
    }

    /// The resource as a model; nil when it is of a type that `Target` is not for.
    mutating func value<Target: ResourceRepresentable>(_ type: Target.Type, _ resolver: SourceResolver) throws -> Target? {
        while true {
            let session = DecodingSession(try document(), source: resolver)
            let plan = session.elementPlan(for: type)
            guard plan.accepts(session, typeAt: Int(session.entries[0].type)) else { return nil }
            let result = Result { try plan.value(session, 0, through: 0) }
            guard try fetch(session.wanted) else { return try result.get() }
        }
    }

    /// Fetches resources and what the same relationships lead to; false when there was nothing to fetch.
    private mutating func fetch(_ wanted: [(identifier: ResourceIdentifier, relationship: String)]) throws -> Bool {
        let count = included.count
        names.formUnion(wanted.map(\.relationship))
        var next = wanted.map(\.identifier)
        while let identifier = next.popLast() {
            guard known.insert(identifier.withoutDetails).inserted, let text = try source.resourceText(identifier) else { continue }
            included.append(text)
            let relationships = try JSON(parsing: text, options: decoder.reading).object.flatMap {
                ResourceObject(members: $0).relationships
            }
            for (name, relationship) in relationships ?? Relationships(members: JSONObject()) where names.contains(name) {
                next += relationship.data.identifiers
            }
        }
        return included.count > count
    }
}

extension ResourceIdentifier {
    /// The identity alone.
    fileprivate var withoutDetails: ResourceIdentifier {
        if let id { return ResourceIdentifier(type: type, id: id) }
        return lid.map { ResourceIdentifier(type: type, lid: $0) } ?? self
    }
}

extension DecodingSession {
    /// Notes an embedded resource that the document does not have, for a session with a source.
    func want(_ identifier: IdentifierEntry, _ relationship: String) {
        if source != nil { wanted.append((self.identifier(identifier), relationship)) }
    }
}

extension JSONAPIDecoder {
    /// The resource with this identity as a model, relationships resolved through the source: embedded ones now, references
    /// when they are asked for. Nil when the source does not have it, or has it of a type that `Model` is not for.
    package func resource<Model: ResourceRepresentable>(
        _ type: Model.Type, _ identifier: ResourceIdentifier, from source: any ResourceSource
    ) throws -> Model? {
        do {
            return try SourceResolver(source, self).value(type, identifier)
        } catch let failure as DecodingFailure {
            throw failure.decodingError(codingPath: [])
        }
    }
}
